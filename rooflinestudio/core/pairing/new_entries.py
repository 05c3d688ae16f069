"""Operators that are not in the study yet and that a kernel may be, with the sizes that its file tells.

Sizes come from recorded shapes (``2·4096·4096·4096 from the input shapes``), from tiles and grid together with the
counted work, or from the traffic, where one size scales it. What the file does not tell is left at its default, and
the words say so.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.dtypes import DTYPES, parse_dtypes
from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.pairing.names import KernelName, read_name
from rooflinestudio.core.pairing.recorded import recorded_product
from rooflinestudio.core.pairing.suggest import judged
from rooflinestudio.core.placing import evaluate
from rooflinestudio.core.quick import nothing
from rooflinestudio.core.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.measurement import Measurement
    from rooflinestudio.core.operators import Operator
    from rooflinestudio.core.placement import Placement
    from rooflinestudio.core.placing import EstimateSource

__all__ = ["NewEntry", "new_entries"]

_SCALES: Final = ("tokens", "elements", "parameter_count")
"""Parameters that the traffic of their operator grows with in proportion."""
_WORK, _TRAFFIC, _BOTH = frozenset(("W",)), frozenset(("Q",)), frozenset(("W", "Q", "shapes"))
_K_STEP: Final = 8
"""What k of a product is a multiple of, where it is not chosen to be odd."""
_SURE: Final = 0.9
_MOST: Final = 4
_TOLD: Final = 5
"""Sizes that a name tells."""
_UNSIZED: Final = 0.2


@dataclass(frozen=True)
class NewEntry:
    """An operator to be placed for a kernel.

    Attributes
    ----------
    parameters, dtypes
        What the file tells; the rest is the operator's default.
    sized
        Whether the sizes that its work follows from are known; else they are to be set afterwards.
    """

    operator: str
    label: str
    parameters: Mapping[str, Any] = field(default_factory=nothing)
    dtypes: Mapping[str, str] = field(default_factory=nothing)
    sized: bool = False
    score: float = _UNSIZED
    reasons: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Operator and sizes: ``GEMM m = 4096, n = 4096, k = 4096``."""
        told = [one for one in self.parameters.items() if not one[0].startswith("tile_")]
        shown = ", ".join(f"{name} = {_value(value)}" for name, value in told[:_TOLD])
        return " ".join(filter(None, (self.label, shown)))

    @property
    def words(self) -> str:
        """The reasons in one line."""
        return "; ".join(self.reasons)


@dataclass(frozen=True)
class _Proposal:
    """Sizes, where they come from, what that is worth, and the figures that they were made to agree with."""

    parameters: dict[str, Any]
    origin: str
    sized: bool = True
    worth: float = 0.0
    known: frozenset[str] = frozenset()


def new_entries(
    measurement: Measurement, source: EstimateSource, profile: HardwareProfile
) -> tuple[NewEntry, ...]:
    """Return operators that a kernel may be, each with the sizes that are known, the best first."""
    name = read_name(measurement.kernel)
    dtypes = {"all": name.dtype} if name.dtype in DTYPES else {}
    found: dict[str, NewEntry] = {}
    for operator_id, sure in name.operators.items():
        operator = _operator(source, operator_id)
        if operator is None:
            continue
        for proposal in _proposals(measurement, name, operator, (source, profile, dtypes)):
            made = _made(measurement, name, operator, proposal, (source, profile, dtypes, sure))
            if made is not None and (operator_id not in found or made.score > found[operator_id].score):
                found[operator_id] = made
    return _best(found.values())


def _best(found: Iterable[NewEntry]) -> tuple[NewEntry, ...]:
    """Return the best; what has no sizes only where nothing else is there."""
    ordered = sorted(found, key=lambda one: -one.score)
    sized = [one for one in ordered if one.sized]
    return tuple((sized or ordered[:1])[:_MOST])


def _operator(source: EstimateSource, operator_id: str) -> Operator | None:
    try:
        return source.operator(operator_id)
    except StudioError:
        return None


def _made(
    measurement: Measurement,
    name: KernelName,
    operator: Operator,
    proposal: _Proposal,
    ground: tuple[EstimateSource, HardwareProfile, dict[str, str], float],
) -> NewEntry | None:
    source, profile, dtypes, sure = ground
    placement = _placed(source, operator.id, proposal.parameters, dtypes, profile)
    if placement is None:
        return None
    entry = NewEntry(operator.id, operator.label, proposal.parameters, dtypes, proposal.sized)
    said = f"name says {name.word}"
    if not proposal.sized:
        if sure < _SURE:
            return None
        return replace(entry, score=_UNSIZED * sure, reasons=(said, proposal.origin))
    result = judged(measurement, name, placement, (sure, name.word), proposal.known)
    if result is None:
        return None
    score = min(1.0, result[0] + proposal.worth)
    return replace(entry, score=score, reasons=(said, proposal.origin, *result[1][1:]))


def _placed(
    source: EstimateSource,
    operator_id: str,
    parameters: Mapping[str, Any],
    dtypes: Mapping[str, str],
    profile: HardwareProfile,
) -> Placement | None:
    settings = Settings(boundary="dram" if "dram" in profile.boundaries else None)
    try:
        return evaluate(source, operator_id, parameters, parse_dtypes(dtypes), profile, settings)
    except StudioError:
        return None


# Sizes ------------------------------------------------------------------------------------------------------------


def _proposals(
    measurement: Measurement,
    name: KernelName,
    operator: Operator,
    ground: tuple[EstimateSource, HardwareProfile, dict[str, str]],
) -> Iterator[_Proposal]:
    known = {one.name for one in operator.parameters}
    tiles = _tile_parameters(name, known)
    if {"m", "n", "k"} <= known:
        recorded = recorded_product(measurement)
        if recorded is not None:
            recorded = {name: size for name, size in recorded.items() if name != "batch" or size > 1}
            yield _Proposal({**recorded, **tiles}, "sizes from the recorded shapes", worth=0.4, known=_BOTH)
            return
        yield from (
            _Proposal(
                {**sizes, **tiles},
                "sizes from tile, grid and W, if every tile is full",
                worth=-0.1,
                known=_WORK,
            )
            for sizes in _from_tiles(measurement, name)
        )
    elif {"seq_q", "seq_kv", "heads", "batch"} <= known:
        yield from _attention(measurement, name)
        return
    elif (scale := next((one for one in _SCALES if one in known), None)) is not None:
        yield from _scaled(measurement, operator, scale, ground)
    yield _Proposal(dict(tiles), "its sizes are not in the file: set them afterwards", sized=False)


def _tile_parameters(name: KernelName, known: set[str]) -> dict[str, int]:
    if name.tile is None or not {"tile_m", "tile_n"} <= known:
        return {}
    return {"tile_m": name.tile[0], "tile_n": name.tile[1]}


def _from_tiles(measurement: Measurement, name: KernelName) -> Iterator[dict[str, int]]:
    """Yield sizes of a product from its tile, its grid and its counted work: k must come out whole.

    A grid of two dimensions has the rows in one and the columns in the other, and which is which it does not say.
    """
    work = max((flop for pipe, flop in measurement.work.items() if pipe.endswith("tensor")), default=0.0)
    work = work or measurement.work_flop or 0.0
    if name.tile is None or measurement.grid is None or not work:
        return
    x, y, z = measurement.grid
    for down, across in dict.fromkeys(((x, y), (y, x))):
        m, n = down * name.tile[0], across * name.tile[1]
        k = work / (2 * m * n * max(z, 1))
        whole = _K_STEP * round(k / _K_STEP)
        if whole > 0 and abs(k - whole) <= min(1e-4 * whole, _K_STEP / 16):
            yield {"m": m, "n": n, "k": whole} | ({"batch": z} if z > 1 else {})


def _attention(measurement: Measurement, name: KernelName) -> Iterator[_Proposal]:
    heads: dict[str, Any] = {} if name.head_dim is None else {"head_dim": name.head_dim}
    if name.block_q is None or measurement.grid is None:
        yield _Proposal(heads, "its sizes are not in the file: set them afterwards", sized=False)
        return
    blocks, batch, count = measurement.grid  # as the kernels of FlashAttention lay it out
    queries = blocks * name.block_q
    sizes = {"batch": batch, "heads": count, "kv_heads": count, "seq_q": queries, "seq_kv": queries, **heads}
    yield _Proposal(sizes, f"sizes from the grid, if all {queries} queries are there and keys are as many")


def _scaled(
    measurement: Measurement,
    operator: Operator,
    scale: str,
    ground: tuple[EstimateSource, HardwareProfile, dict[str, str]],
) -> Iterator[_Proposal]:
    """Yield the size with which the operator moves what was measured."""
    source, profile, dtypes = ground
    default = next(one.default for one in operator.parameters if one.name == scale)
    placement = _placed(source, operator.id, {}, dtypes, profile)
    found = measurement.dram_bytes
    if placement is None or not found or "dram" not in placement.estimate.crosses:
        return
    predicted = float(placement.at("dram").traffic_bytes)
    if predicted > 0 and math.isfinite(predicted):
        size = max(1, round(float(default) * found / predicted))
        yield _Proposal({scale: size}, f"{scale} so that Q is the measured one", known=_TRAFFIC)


def _value(value: Any) -> str:
    return (
        f"{value:,.0f}".replace(",", "\u202f")
        if isinstance(value, float | int) and not isinstance(value, bool)
        else str(value)
    )
