"""What can be varied of a placed row: formats, boundary, policy, tile, size, machine, fusion; nothing is tried yet."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from rooflinestudio.core.chains import chain_of
from rooflinestudio.core.dtypes import DTYPES, SHORTHAND_ROLES
from rooflinestudio.core.quantities import format_number
from rooflinestudio.core.settings import ALL
from rooflinestudio.core.traffic import POLICIES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rooflinestudio.core.operators import Operator, Parameter
    from rooflinestudio.core.placement import Placement
    from rooflinestudio.core.placing import PlacedRow, PlacedStudy

__all__ = ["KIND_WORDS", "Option", "VariantKind", "options"]

VariantKind = Literal["dtype", "boundary", "policy", "tile", "batch", "profile", "fusion"]

KIND_WORDS: Final[Mapping[VariantKind, str]] = {
    "dtype": "Format",
    "boundary": "Boundary",
    "policy": "Policy",
    "tile": "Tile",
    "batch": "Size",
    "profile": "Machine",
    "fusion": "Fusion",
}
"""Kinds in the order of the menu, with their headings."""

COMMON: Final = ("fp32", "bf16", "fp16", "fp8")
"""Formats that are always asked for; where the machine has no pipe for one, it says so."""
NATIVE: Final = ("fp64", "tf32", "int8", "mxfp8", "mxfp4", "nvfp4")
"""Formats that are asked for only where the machine multiplies in them."""
STORED: Final = (
    ("weight", "weights", ("fp8", "int4", "mxfp4")),
    ("kv", "keys and values", ("fp8", "int4")),
)
TILES: Final = ((64, 64), (64, 128), (128, 128), (128, 256), (256, 128), (256, 256))
BLOCKS: Final = ((64, 64), (128, 64), (128, 128), (256, 128))
SIZES: Final = ("tokens", "m", "batch", "elements", "parameter_count", "nx")
"""The first of these that an operator declares is its size."""
FACTORS: Final = (0.25, 0.5, 2, 4, 16)
KERNELS: Final = ("implementation", "absorbed")
"""Parameters that say which steps run as one kernel."""


@dataclass(frozen=True, slots=True)
class Option:
    """One change: fields of the entry, or other cuts of its chain.

    Attributes
    ----------
    stored_only
        It changes the format of one kind of tensor, and is no option for an operator that has none of these.
    """

    kind: VariantKind
    words: str
    changes: Mapping[str, Any] = field(default_factory=dict)
    cuts: tuple[int, ...] | None = None
    stored_only: bool = False


class _Subject(NamedTuple):
    row: PlacedRow
    placed: PlacedStudy
    operator: Operator
    declared: Mapping[str, Parameter]

    @property
    def placement(self) -> Placement | None:
        return self.row.placement

    def now(self, name: str) -> Any:
        """Return the value that a parameter has on this machine, or as it was given where nothing is placed."""
        placement, entry = self.placement, self.row.entry
        known: Mapping[str, Any] = placement.parameters if placement is not None else entry.parameters
        return known.get(name, self.declared[name].default)

    def setting(self, **parameters: Any) -> dict[str, Any]:
        return {"parameters": {**self.row.entry.parameters, **parameters}}


def options(row: PlacedRow, placed: PlacedStudy, operator: Operator) -> Iterator[Option]:
    """Yield every change that is no change of name only, by kind and in a fixed order."""
    subject = _Subject(row, placed, operator, {one.name: one for one in operator.parameters})
    yield from _formats(subject)
    yield from _boundaries(subject)
    yield from _policies(subject)
    yield from _tiles(subject)
    yield from _sizes(subject)
    yield from _machines(subject)
    yield from _fusions(subject)


def _formats(subject: _Subject) -> Iterator[Option]:
    placement, profile, entry = subject.placement, subject.row.profile, subject.row.entry
    roles = subject.operator.dtype_roles
    following = [
        role
        for role in SHORTHAND_ROLES
        if role in roles and role != "compute" and role not in subject.operator.pinned
    ]
    if profile is None or not following:
        return
    on_tensor = placement is None or any(pipe.endswith("-tensor") for pipe in _pipes(placement))
    now = (
        {placement.dtypes[role].id for role in following if role in placement.dtypes} if placement else set()
    )
    for id_ in DTYPES:
        native = on_tensor and f"{DTYPES[id_].pipe}-tensor" in profile.ceilings
        if (id_ in COMMON or (id_ in NATIVE and native)) and now != {id_}:
            yield Option("dtype", id_, {"dtypes": {"all": id_}})
    kept = {"compute": placement.dtypes["compute"].id} if placement and "compute" in placement.dtypes else {}
    for role, what, ids in STORED:
        if role not in following or placement is None or role not in placement.dtypes:
            continue
        for id_ in ids:
            if DTYPES[id_].storage_bits < placement.dtypes[role].storage_bits:
                # Named, so that a narrower operand does not change what the product is computed in.
                formats = {**entry.dtypes, role: id_, **kept}
                yield Option("dtype", f"{id_} {what}", {"dtypes": formats}, stored_only=True)


def _pipes(placement: Placement) -> tuple[str, ...]:
    parts = placement.estimate.parts
    return tuple(one.estimate.main_pipe for one in parts) if parts else (placement.estimate.main_pipe,)


def _boundaries(subject: _Subject) -> Iterator[Option]:
    profile, now = subject.row.profile, subject.row.settings.boundary
    if profile is None:
        return
    for id_, boundary in profile.boundaries.items():
        if id_ != now:
            yield Option("boundary", f"at {boundary.label}", {"boundary": id_})
    if now != ALL:
        yield Option("boundary", "over all boundaries", {"boundary": ALL})


def _policies(subject: _Subject) -> Iterator[Option]:
    settings = subject.row.settings
    for policy in POLICIES:
        if policy != settings.policy:
            words = f"modelled {settings.absorption:g}" if policy == "modelled" else policy
            yield Option("policy", words, {"policy": policy})


def _tiles(subject: _Subject) -> Iterator[Option]:
    profile, declared = subject.row.profile, subject.declared
    hints = profile.matrix_tile if profile is not None else {}
    hinted = [name for name, one in declared.items() if one.auto in hints]
    if any(subject.now(name) != hints[declared[name].auto] for name in hinted):
        shown = " × ".join(
            f"{hints[declared[name].auto]:g}" for name in ("tile_m", "tile_n") if name in hinted
        )
        words = f"the machine's own tile{f' {shown}' if shown else ''}"
        yield Option("tile", words, subject.setting(**dict.fromkeys(hinted, "auto")))
    for names, pairs, what in (
        (("tile_m", "tile_n"), TILES, "tile"),
        (("block_q", "block_kv"), BLOCKS, "block"),
    ):
        if not all(name in declared for name in names):
            continue
        now = tuple(subject.now(name) for name in names)
        for pair in pairs:
            if pair != now:
                changes = subject.setting(**dict(zip(names, pair, strict=True)))
                yield Option("tile", f"{what} {pair[0]} × {pair[1]}", changes)


def _sizes(subject: _Subject) -> Iterator[Option]:
    name = next((one for one in SIZES if one in subject.declared), None)
    if name is None:
        return
    parameter, now = subject.declared[name], subject.now(name)
    if not isinstance(now, int | float) or isinstance(now, bool) or not now > 0:
        return
    for factor in FACTORS:
        value = now * factor
        if not parameter.low <= value <= parameter.high or (parameter.integer and value != int(value)):
            continue
        value = int(value) if parameter.integer else value
        sign = f"×{factor:g}" if factor > 1 else f"÷{1 / factor:g}"
        yield Option("batch", f"{parameter.label} {_shown(value)} ({sign})", subject.setting(**{name: value}))


def _shown(value: float) -> str:
    return format_number(value, digits=len(str(int(value)))) if value == int(value) else format_number(value)


def _machines(subject: _Subject) -> Iterator[Option]:
    for id_, profile in subject.placed.profiles.items():
        if id_ != subject.row.machine:
            yield Option("profile", f"on {profile.short_name}", {"machines": (id_,)})


def _fusions(subject: _Subject) -> Iterator[Option]:
    chain = chain_of(subject.placed.study, subject.row.entry)
    if chain is not None:
        joints = tuple(range(len(chain.parts) - 1))
        now = tuple(sorted(chain.cuts))
        for words, cuts in (("all fused", ()), ("all split", joints)):
            if cuts != now and joints:
                yield Option("fusion", words, cuts=cuts)
        return
    for name in KERNELS:
        parameter = subject.declared.get(name)
        if parameter is None:
            continue
        choices: tuple[Any, ...] = (True, False) if isinstance(parameter.default, bool) else parameter.choices
        for choice in choices:
            if choice != subject.now(name):
                shown = {True: "on", False: "off"}[choice] if isinstance(choice, bool) else choice
                yield Option("fusion", f"{parameter.label} {shown}", subject.setting(**{name: choice}))
