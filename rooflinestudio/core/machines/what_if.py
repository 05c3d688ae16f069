"""What if a ceiling, a bandwidth or the clock were another: the machine that would be, and the verdicts that flip."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.hardware import INSIDE, Figure
from rooflinestudio.core.placing import place
from rooflinestudio.core.quantities import format_number

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rooflinestudio.core.hardware import Boundary, ComputeCeiling, HardwareProfile
    from rooflinestudio.core.placement import Placement
    from rooflinestudio.core.placing import EstimateSource, PlacedRow, PlacedStudy

__all__ = [
    "CLOCK",
    "HIGHEST",
    "LAUNCH",
    "LOWEST",
    "SUFFIX",
    "Flip",
    "changed_machine",
    "factors_of",
    "flips",
    "levers_of",
    "what_if_id",
]  # fmt: skip

CLOCK: Final = "clock"
"""Scales every ceiling, and the bandwidths inside the last-level cache: they run at the clock of the cores."""
LAUNCH: Final = "launch"
"""Scales the launch overhead (a factor of 2 is twice the overhead)."""
LOWEST, HIGHEST = 0.1, 10.0
SUFFIX: Final = "-what-if"
_WITH_THE_CLOCK: Final = (*INSIDE,)


@dataclass(frozen=True, slots=True)
class Flip:
    """One entry of the study before and after.

    Attributes
    ----------
    label
        Of the entry.
    before, after
        Placements, or None where it cannot be placed.
    """

    entry: str
    label: str
    before: Placement | None
    after: Placement | None

    @property
    def flips(self) -> bool:
        """Whether something else binds afterwards."""
        return (
            self.before is not None
            and self.after is not None
            and (self.before.bound, self.before.binding) != (self.after.bound, self.after.binding)
        )

    @property
    def speedup(self) -> float | None:
        """Time before / time after."""
        if self.before is None or self.after is None or not self.after.time_s:
            return None
        return float(self.before.time_s) / float(self.after.time_s)


def levers_of(profile: HardwareProfile) -> tuple[tuple[str, str], ...]:
    """Return what can be scaled, as (id, words): the clock, every ceiling, every bandwidth, the launch overhead."""
    return (
        (CLOCK, "clock of the cores"),
        *((one.id, one.label) for one in profile.ceilings.values()),
        *((one.id, one.label) for one in profile.boundaries.values()),
        *([(LAUNCH, "launch overhead")] if profile.launch_overhead is not None else []),
    )


def factors_of(profile: HardwareProfile, setting: object) -> dict[str, float]:
    """Read the factors of a study's panel; what is no factor from 0.1 to 10 of this machine, or is 1, is left out."""
    known = dict(levers_of(profile))
    if not isinstance(setting, Mapping):
        return {}
    return {
        str(id_): float(factor)
        for id_, factor in setting.items()
        if id_ in known
        and isinstance(factor, int | float)
        and not isinstance(factor, bool)
        and LOWEST <= factor <= HIGHEST
        and not math.isclose(factor, 1.0, rel_tol=1e-9)
    }


def what_if_id(profile: HardwareProfile) -> str:
    """Return the id that the changed machine has in a study."""
    return profile.id if profile.id.endswith(SUFFIX) else f"{profile.id}{SUFFIX}"


def changed_machine(profile: HardwareProfile, factors: Mapping[str, float]) -> HardwareProfile:
    """Return the machine with rates multiplied; each figure that moved is assumed and says from what.

    The factor of the clock multiplies every ceiling and every bandwidth inside the last-level cache, on top of their
    own; dram, links and latencies stay.
    """
    clock = factors.get(CLOCK, 1.0)
    ceilings = {
        id_: _ceiling(one, clock * factors.get(id_, 1.0), profile) for id_, one in profile.ceilings.items()
    }
    boundaries = {
        id_: _boundary(one, factors.get(id_, 1.0) * (clock if id_ in _WITH_THE_CLOCK else 1.0), profile)
        for id_, one in profile.boundaries.items()
    }
    overhead = profile.launch_overhead
    if overhead is not None and LAUNCH in factors:
        overhead = _figure(overhead, factors[LAUNCH], profile)
    return replace(
        profile,
        id=what_if_id(profile),
        name=f"{profile.name}, what if",
        short_name=f"{profile.short_name}, what if",
        ceilings=MappingProxyType(ceilings),
        boundaries=MappingProxyType(boundaries),
        clocks=MappingProxyType({name: _figure(one, clock, profile) for name, one in profile.clocks.items()}),
        launch_overhead=overhead,
        based_on=profile.id,
        notes=(
            *profile.notes,
            f"What if: {_words(profile, factors)}." if factors else "What if: nothing changed.",
        ),
    )


def _words(profile: HardwareProfile, factors: Mapping[str, float]) -> str:
    names = dict(levers_of(profile))
    return ", ".join(f"{names[id_]} × {format_number(factor)}" for id_, factor in factors.items())


def _figure(figure: Figure, factor: float, profile: HardwareProfile) -> Figure:
    if factor == 1.0:
        return figure
    return Figure(
        figure.value * factor,
        "assumed",
        figure.condition,
        f"what if: {profile.name} × {format_number(factor)}",
    )


def _ceiling(one: ComputeCeiling, factor: float, profile: HardwareProfile) -> ComputeCeiling:
    if factor == 1.0:
        return one
    return replace(one, figure=_figure(one.figure, factor, profile), published=None, measured=None)


def _boundary(one: Boundary, factor: float, profile: HardwareProfile) -> Boundary:
    if factor == 1.0:
        return one
    slopes = {name: _figure(slope, factor, profile) for name, slope in one.slopes.items()}
    return replace(
        one,
        bandwidth=_figure(one.bandwidth, factor, profile),
        slopes=MappingProxyType(slopes),
        published=None,
        measured=None,
    )


def flips(
    placed: PlacedStudy, profile: HardwareProfile, changed: HardwareProfile, source: EstimateSource
) -> tuple[Flip, ...]:
    """Hold the visible entries that are placed on a machine against the changed one, in the study's order."""
    rows = [row for row in placed.rows if row.machine == profile.id and row.entry.visible]
    after = _placed_on(changed, placed, rows, source)
    return tuple(
        Flip(row.entry.id, row.entry.label or row.entry.id, row.placement, after.get(row.entry.id))
        for row in rows
    )


def _placed_on(
    changed: HardwareProfile, placed: PlacedStudy, rows: Iterable[PlacedRow], source: EstimateSource
) -> dict[str, Any]:
    entries = tuple(replace(row.entry, machines=(changed.id,)) for row in rows)
    study = replace(placed.study, entries=entries, profiles={changed.id: changed})
    found = place(study, {}, source)
    return {row.entry.id: row.placement for row in found.rows}
