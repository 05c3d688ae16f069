"""What may help a kernel: changes to try, taken from its declaration, its settings and the machines at hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.dtypes import DTYPES, parse_dtypes
from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.levers import WORTH, Candidate, Lever
from rooflinestudio.core.quantities import format_number
from rooflinestudio.core.traffic import compulsory_bytes, tiled_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.levers import LeverContext
    from rooflinestudio.core.operators import Operator, Parameter
    from rooflinestudio.core.placing import EstimateSource

__all__ = ["candidates", "fused"]

SIZES: Final = ("tokens", "m", "batch")
"""Parameters whose growth spreads what is read once over more work."""

CHOICES: Final = ("implementation", "gradient_dtype", "absorbed", "stream_k", "split_k")
"""Parameters that change how a kernel is run, not what it computes."""

SPLITS: Final = (("tokens",), ("m",), ("batch",), ("n",), ("heads", "kv_heads"), ("vocabulary",))
"""Sizes that can be dealt out over devices; of a product's columns the results must be gathered again."""

TIMES: Final = (2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
TILES: Final = ((128, 256), (256, 128), (256, 256))
DEVICES: Final = 2
_NEIGHBOUR: Final = "scale"
_ACCUMULATOR_BYTES: Final = 4.0
_TILE_SHARE: Final = 0.5
"""What part of an SM's registers the accumulators of a block may take."""


def candidates(
    context: LeverContext, source: EstimateSource, profiles: tuple[HardwareProfile, ...]
) -> Iterator[Candidate]:
    """Yield everything that is worth placing, in a fixed order."""
    operator = source.operator(context.operator)
    declared = {one.name: one for one in operator.parameters}
    yield from _choices(context, declared)
    yield from _formats(context, operator)
    yield from _sizes(context, declared)
    yield from _tiles(context, declared)
    yield from _fusions(context)
    yield from _settings(context)
    yield from _splits(context, declared)
    for profile in sorted(profiles, key=lambda one: _order(one, context.profile)):
        # A machine of another kind takes another program, not another place for this one.
        if profile.id != context.profile.id and profile.kind == context.profile.kind:
            yield Candidate("machine", f"Run it on {profile.short_name}", profile=profile)


def _order(profile: HardwareProfile, now: HardwareProfile) -> tuple[bool, bool, int, str]:
    """Return the order of machines that bring the same: those with known figures, of the same vendor, the oldest."""
    dram = profile.boundaries.get("dram")
    rates = (profile.ceiling(profile.reference_ceiling).figure, dram.bandwidth if dram else None)
    assumed = any(one is None or one.provenance == "assumed" for one in rates)
    return assumed, profile.vendor != now.vendor, profile.year, profile.id


def _now(context: LeverContext, name: str) -> Any:
    return context.placement.parameters.get(name)


# What an operator can be told ----------------------------------------------------------------------------------------


def _choices(context: LeverContext, declared: dict[str, Parameter]) -> Iterator[Candidate]:
    for name in CHOICES:
        parameter = declared.get(name)
        if parameter is None:
            continue
        options: tuple[Any, ...] = parameter.choices
        if isinstance(parameter.default, bool):
            options = (True, False)
        elif name == "split_k":
            options = (1, 2, 4, 8)
        for option in options:
            if option != _now(context, name):
                shown = {True: "on", False: "off"}.get(option, option) if isinstance(option, bool) else option
                yield Candidate("choice", f"Set {parameter.label} to {shown}", {name: option})


def _formats(context: LeverContext, operator: Operator) -> Iterator[Candidate]:
    roles, ceilings = operator.dtype_roles, context.profile.ceilings
    now = context.placement.dtypes
    for id_ in ("bf16", "fp8", "mxfp4", "nvfp4"):
        native = f"{DTYPES[id_].pipe}-tensor" in ceilings
        stored = [now[role] for role in ("activation", "weight", "kv") if role in now and role in roles]
        if native and stored and DTYPES[id_].storage_bits < max(one.storage_bits for one in stored):
            yield Candidate("dtype", f"Run it in {id_}", dtypes={"all": id_})
    for role, what in (("weight", "weights"), ("kv", "keys and values")):
        if role not in roles or role in operator.pinned:
            continue
        for id_ in ("fp8", "int4"):
            if DTYPES[id_].storage_bits < now[role].storage_bits:
                # Named, so that a narrower operand does not change what the product is computed in.
                kept = {"compute": now["compute"].id} if "compute" in now else {}
                yield Candidate("dtype", f"Store {what} in {id_}", dtypes={role: id_, **kept})
    compute = now.get("compute")
    if compute is not None and compute.id == "fp32" and _on_tensor(context) and "tf32-tensor" in ceilings:
        yield Candidate("dtype", "Multiply in tf32", dtypes={"compute": "tf32"})


def _on_tensor(context: LeverContext) -> bool:
    return context.placement.estimate.main_pipe.endswith("-tensor")


def _sizes(context: LeverContext, declared: dict[str, Parameter]) -> Iterator[Candidate]:
    for name in SIZES:
        parameter, now = declared.get(name), _now(context, name)
        if parameter is None or not isinstance(now, int | float) or isinstance(now, bool) or now <= 0:
            continue
        for times in TIMES:
            if now * times <= parameter.high:
                larger = now * times
                words = f"Raise {parameter.label} from {_shown(now)} to {_shown(larger)}"
                yield Candidate("size", words, {name: larger}, per_work=True)


def _shown(value: float) -> str:
    return format_number(value, digits=len(str(int(value)))) if value == int(value) else f"{value:g}"


def _tiles(context: LeverContext, declared: dict[str, Parameter]) -> Iterator[Candidate]:
    hinted = {one.name: "auto" for one in declared.values() if one.auto in context.profile.matrix_tile}
    hints = {name: context.profile.matrix_tile[declared[name].auto] for name in hinted}
    if any(_now(context, name) != value for name, value in hints.items()):
        shown = " × ".join(f"{hints[name]:g}" for name in ("tile_m", "tile_n") if name in hints)
        yield Candidate("tile", f"Take the machine's own tile{f', {shown}' if shown else ''}", hinted)
    registers = context.profile.registers_per_sm
    room = _TILE_SHARE * registers.value * 4.0 if registers is not None else 128 * 256 * _ACCUMULATOR_BYTES
    if "tile_m" in declared and "tile_n" in declared:
        area = float(_now(context, "tile_m") * _now(context, "tile_n"))
        for tile_m, tile_n in TILES:
            if area < tile_m * tile_n <= room / _ACCUMULATOR_BYTES:
                parameters = {"tile_m": tile_m, "tile_n": tile_n}
                yield Candidate("tile", f"Make the tile {tile_m} × {tile_n}", parameters)
    block, width = _now(context, "block_q"), _now(context, "head_dim")
    if block and width and 2 * block * width * _ACCUMULATOR_BYTES <= room:
        yield Candidate("tile", f"Make the block of queries {_shown(2 * block)}", {"block_q": 2 * block})


# Neighbours, settings, devices ---------------------------------------------------------------------------------------


def _fusions(context: LeverContext) -> Iterator[Candidate]:
    if context.placement.parts or context.placement.boundary_id != "dram":
        return
    for chain, where in (
        (f"{_NEIGHBOUR} + {context.operator}", "before"),
        (f"{context.operator} + {_NEIGHBOUR}", "after"),
    ):
        yield Candidate("fusion", f"Fuse it with an elementwise kernel {where} it", chain=chain)


def fused(candidate: Candidate, context: LeverContext, source: EstimateSource) -> Lever | None:
    """Place a chain fused, against the same chain split; None where it cannot be fused or that does not help."""
    from rooflinestudio.core.fusion import fuse

    try:
        chain = fuse(
            candidate.chain,
            context.parameters,
            parse_dtypes(context.dtypes),
            context.profile,
            source,
            context.settings,
        )
    except StudioError:
        return None
    time_s = sum(float(one.time_s) for one in chain.kernels)
    if len(chain.kernels) != 1 or not time_s < WORTH * chain.split_time_s:
        return None
    kernel = chain.kernels[0]
    bound = f"{kernel.bound} at {kernel.binding}"
    return Lever("fusion", candidate.words, time_s / chain.split_time_s, time_s, bound, candidate)


def _settings(context: LeverContext) -> Iterator[Candidate]:
    settings, estimate = context.settings, context.placement.estimate
    kernels = [part.estimate for part in estimate.parts] or [estimate]
    re_reads = any(
        sum(tiled_bytes(one)) > 1.02 * sum(compulsory_bytes(one)) for one in kernels if not one.parts
    )
    if re_reads and settings.policy == "tiled":
        words = "Order the blocks so that the cache absorbs 85% of the re-reads"
        yield Candidate("absorption", words, settings={"policy": "modelled", "absorption": 0.85})
    elif re_reads and settings.policy == "modelled" and settings.absorption < 1:
        better = 0.95 if settings.absorption < 0.95 else 1.0
        words = f"Order the blocks so that the cache absorbs {100 * better:g}% of the re-reads"
        yield Candidate("absorption", words, settings={"absorption": better})
    if settings.overlap < 1:
        yield Candidate("overlap", "Overlap compute and traffic fully", settings={"overlap": 1.0})


def _splits(context: LeverContext, declared: dict[str, Parameter]) -> Iterator[Candidate]:
    if "ranks" in declared:
        now = _now(context, "ranks")
        if isinstance(now, int | float) and now < 8 and context.placement.estimate.tensors:
            yield Candidate("parallelism", "Shard it over 8 ranks", {"ranks": 8})
        return
    for names in SPLITS:
        now = [_now(context, name) for name in names if name in declared]
        if len(now) < len(names) or not all(_divides(value) for value in now):
            continue
        parts = {name: int(value // DEVICES) for name, value in zip(names, now, strict=True)}
        extra_s, told = 0.0, ""
        if names[0] in ("n", "vocabulary"):
            exchange = _gather(context)
            if exchange is None:
                continue
            extra_s, told = exchange
        label = declared[names[0]].label
        yield Candidate("parallelism", f"Split {label} over {DEVICES} devices{told}", parts, extra_s=extra_s)


def _divides(value: Any) -> bool:
    return (
        isinstance(value, int | float) and not isinstance(value, bool) and value > 1 and value % DEVICES == 0
    )


def _gather(context: LeverContext) -> tuple[float, str] | None:
    """Return what gathering the halves of a result costs over the machine's link, and a word on it."""
    home = context.profile.collective_home
    if home is None:
        return None
    link = context.profile.boundaries[home]
    result = next((one for one in reversed(context.placement.estimate.tensors) if one.role == "output"), None)
    if result is None:
        return None
    size = float(result.elements) * result.dtype.bytes * (DEVICES - 1) / DEVICES
    return size / link.bytes_per_s, f", the results gathered over {link.label}"
