"""How near a measured kernel is to each roof, which one binds, and how much there is to win."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from rooflinestudio.core.achievable import shares_of
from rooflinestudio.core.hardware import BOUNDARY_ORDER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.diagnosis.case import Case
    from rooflinestudio.core.hardware import Achievable, Boundary, HardwareProfile

__all__ = ["ABOVE", "NEAR", "REACHABLE", "Side", "Standing", "clock_share", "matrix_ceiling", "standing"]

REACHABLE: Final = 0.85
"""Share of a roof that real kernels reach, where the profile does not say: what long contiguous streams get."""

NEAR: Final = 0.75
"""From this part of what is reachable on, a roof is near: it is what holds the kernel."""

ABOVE: Final = 1.05
"""Beyond this part of a roof something is wrong with a figure; up to it, the roof's own figure is rounded."""


@dataclass(frozen=True, slots=True)
class Side:
    """One roof that a kernel was held against.

    Attributes
    ----------
    kind
        ``compute`` or ``memory``.
    id, label
        Of the ceiling or the boundary.
    limit
        FLOP/s or bytes/s that the profile gives.
    achieved
        The same unit, measured.
    share
        Achieved / limit.
    reachable
        Part of the limit that real kernels reach.
    clock
        Clock of the run over the clock of the profile, at most 1; for ceilings. 1 where either is not known.
    binds
        Whether it may bind: an upper bound of the traffic cannot show that.
    strict
        Whether a point above it shows that a figure is wrong: the limit is no rough reading.
    """

    kind: Literal["compute", "memory"]
    id: str
    label: str
    limit: float
    achieved: float
    reachable: float
    clock: float = 1.0
    binds: bool = True
    strict: bool = True

    @property
    def share(self) -> float:
        """Achieved over limit."""
        return self.achieved / self.limit

    @property
    def near(self) -> bool:
        """Whether the kernel is as near to this roof as kernels come, at the clock that it ran at."""
        return self.share >= NEAR * self.reachable * self.clock


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a kernel stands below the roofs.

    Attributes
    ----------
    sides
        All roofs that it could be held against; the one that binds first.
    time_s
        Measured; None where the file has no time.
    achieved_flop_per_s
        On the main pipe; None without work.
    complete
        Whether compute and memory were both judged: else the roof that is missing may be nearer than those here.
    blind
        Whether the matrix pipe may be nearer than it looks, since nothing is known of it.
    """

    sides: tuple[Side, ...]
    time_s: float | None
    achieved_flop_per_s: float | None
    complete: bool = True
    blind: bool = False

    @property
    def binding(self) -> Side:
        """The roof that the kernel would meet first."""
        return self.sides[0]

    @property
    def holding(self) -> Side | None:
        """The roof that is near, the nearest if there are several; None where the kernel is below them all."""
        return next((one for one in self.sides if one.binds and one.near), None)

    @property
    def headroom(self) -> float:
        """Attainable over achieved: the most that could be won without changing work or traffic."""
        return 1.0 / self.binding.share

    @property
    def attainable_flop_per_s(self) -> float | None:
        """FLOP/s at the roof over the point, on the main pipe."""
        return None if self.achieved_flop_per_s is None else self.achieved_flop_per_s * self.headroom

    @property
    def roof_s(self) -> float | None:
        """Seconds at the roof: the longest of what the single roofs take."""
        return None if self.time_s is None else self.time_s / self.headroom

    @property
    def won_s(self) -> float | None:
        """Seconds to be won up to the roof, 0 above it."""
        return None if self.time_s is None or self.roof_s is None else max(self.time_s - self.roof_s, 0.0)

    def side(self, id_: str) -> Side | None:
        """Return the roof of a ceiling or boundary."""
        return next((one for one in self.sides if one.id == id_), None)


def standing(case: Case) -> Standing | None:
    """Hold a kernel against every roof that its figures allow; None where they allow none."""
    sides = [*_compute_sides(case), *_memory_sides(case)]
    binding = max(
        (one for one in sides if one.binds and one.share > 0), key=lambda one: one.share, default=None
    )
    if binding is None:
        return None
    rest = sorted((one for one in sides if one is not binding), key=lambda one: -one.share)
    kinds = {one.kind for one in sides}
    complete = "memory" in kinds and ("compute" in kinds or case.work.value == 0)
    return Standing((binding, *rest), case.time_s, case.rate, complete, case.blind)


def clock_share(case: Case, ceiling: str) -> float | None:
    """Clock of the run over the clock at which the profile's ceiling holds; None where either is not known."""
    clocks = case.profile.clocks
    name = "tensor" if ceiling.endswith("-tensor") and "tensor" in clocks else "boost"
    if case.measurement.clock_hz is None or name not in clocks:
        return None
    return case.measurement.clock_hz / clocks[name].value


def _compute_sides(case: Case) -> Iterator[Side]:
    rates = dict(case.rates)
    if case.pipe is not None and case.rate is not None:
        rates[case.pipe] = case.rate
    for pipe, rate in rates.items():
        id_ = case.ceiling_of(pipe)
        if id_ is None:
            continue
        ceiling = case.profile.ceilings[id_]
        clock = min(clock_share(case, id_) or 1.0, 1.0)
        reachable = _share(shares_of(case.profile, id_)) or REACHABLE
        yield Side("compute", id_, ceiling.label, ceiling.flop_per_s, rate, reachable, clock)


def _memory_sides(case: Case) -> Iterator[Side]:
    measured = case.measurement
    for id_ in BOUNDARY_ORDER:
        boundary = case.profile.boundaries.get(id_)
        rate = measured.bytes_per_s(id_)
        if boundary is None or rate is None:
            continue
        figure = measured.figure(f"{id_}_bytes") or measured.figure(f"{id_}_bytes_per_s")
        binds = figure is None or figure.quality != "upper"
        reachable = _reachable_of(case.profile, boundary)
        yield Side(
            "memory", id_, boundary.label, boundary.bytes_per_s, rate, reachable, 1.0, binds,
            not boundary.approximate and binds,
        )  # fmt: skip


def _reachable_of(profile: HardwareProfile, boundary: Boundary) -> float:
    streaming = boundary.slopes.get("streaming")
    if streaming is not None:
        return streaming.value / boundary.bytes_per_s
    return _share(shares_of(profile, boundary.id)) or REACHABLE


def _share(achievable: Achievable | None) -> float | None:
    return None if achievable is None or achievable.typical is None else achievable.typical.value


def matrix_ceiling(profile: HardwareProfile, pipe: str) -> str | None:
    """Ceiling of the matrix pipe that could do what a vector pipe did: its own format, else the reference; or None."""
    same = {"fp32": "tf32-tensor"}.get(pipe, f"{pipe}-tensor")
    candidates = (same, profile.reference_ceiling)
    return next((id_ for id_ in candidates if id_.endswith("-tensor") and id_ in profile.ceilings), None)
