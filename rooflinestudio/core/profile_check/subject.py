"""The profile under check with what it is held against: its architecture, its relatives and its twin."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.ceilings.words import clock_in
from rooflinestudio.core.profile_check.families import Family, family_of, is_geforce
from rooflinestudio.core.profile_check.finding import Finding, finding_id, short
from rooflinestudio.core.profile_check.places import figure_at, known_place, name_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.hardware import Boundary, Figure, HardwareProfile
    from rooflinestudio.core.profile_check.finding import Kind, Severity
    from rooflinestudio.core.profile_check.places import Place

__all__ = ["Subject", "memory_kind", "near", "shown", "unit_of"]

_MEMORY: Final = re.compile(r"(LPDDR|GDDR|HBM|DDR)\s*(\d?(?:X|E)?)", re.IGNORECASE)
_UNITS: Final = {
    "ceilings": "FLOP/s", "clocks": "Hz", "tdp": "W", "launch_overhead": "s", "shared_bytes_per_sm": "B",
}  # fmt: skip


def near(value: float, wanted: float, tolerance: float) -> bool:
    """Whether a value is the wanted one within a relative tolerance."""
    return abs(value / wanted - 1) <= tolerance


def unit_of(place: Place) -> str:
    """Return the unit of the figure at a place."""
    if "achievable" in place:
        return ""
    if place[0] == "boundaries":
        return {"capacity": "B", "latency": "s"}.get(place[2], "B/s")
    return _UNITS.get(place[0], "")


def shown(value: float, place: Place) -> str:
    """Write a value in the unit of its place."""
    return short(value, unit_of(place))


def memory_kind(boundary: Boundary | None) -> str:
    """Return the kind of memory that a label names, such as ``HBM3`` or ``LPDDR5X``; empty if it names none."""
    match = _MEMORY.search(boundary.label) if boundary is not None else None
    return (match[1] + match[2]).upper() if match else ""


@dataclass(frozen=True)
class Subject:
    """What the checks look at.

    Attributes
    ----------
    profile
        The profile, with the corrections of earlier findings applied, so that no fault is told twice.
    neighbours
        Other machines, never the same profile.
    """

    profile: HardwareProfile
    neighbours: tuple[HardwareProfile, ...] = ()

    @cached_property
    def family(self) -> Family | None:
        """The architecture, where it is a known one."""
        return family_of(self.profile)

    @cached_property
    def geforce(self) -> bool:
        """Whether this is a GeForce card."""
        return is_geforce(self.profile)

    @cached_property
    def relatives(self) -> tuple[HardwareProfile, ...]:
        """The neighbours of the same architecture."""
        return tuple(
            one
            for one in self.neighbours
            if one.kind == self.profile.kind
            and (
                family_of(one) is self.family
                if self.family is not None
                else bool(one.architecture) and one.architecture.lower() == self.profile.architecture.lower()
            )
        )

    @cached_property
    def twin(self) -> HardwareProfile | None:
        """The neighbour that is the same machine: the profile this was made from, or one of the same name."""
        mine = self.profile
        names = {mine.name.lower(), mine.short_name.lower()}
        ranks = (
            [one.id == mine.based_on for one in self.neighbours],
            [one.id == mine.id for one in self.neighbours],
            [bool(names & {one.name.lower(), one.short_name.lower()}) for one in self.neighbours],
        )
        for fits in ranks:
            if True in fits:
                return self.neighbours[fits.index(True)]
        return None

    @cached_property
    def unit_clock(self) -> float | None:
        """Multiprocessors × clock of the matrix pipe, in hertz; None where one of them is not known."""
        return self._times_clock("tensor", "boost")

    def clock_of(self, figure: Figure) -> float | None:
        """Return multiprocessors × the clock that the condition of a figure names, else × the boost clock, in hertz."""
        named = clock_in(figure.condition)
        if named is None or self.profile.sms is None:
            return self.vector_clock
        return self.profile.sms.value * named

    @cached_property
    def vector_clock(self) -> float | None:
        """Multiprocessors × boost clock, in hertz; None where one of them is not known."""
        return self._times_clock("boost")

    def _times_clock(self, *names: str) -> float | None:
        clocks = self.profile.clocks
        clock = next((clocks[name].value for name in names if name in clocks), None)
        return None if self.profile.sms is None or clock is None else self.profile.sms.value * clock

    def stated_rates(self) -> Iterator[tuple[str, Place, Figure]]:
        """Yield the ceilings of which a stated figure is known: id, place, figure."""
        for id_, one in self.profile.ceilings.items():
            if one.stated is not None:
                yield id_, known_place(one), one.stated

    def rates_in_use(self) -> Iterator[tuple[str, Place, Figure]]:
        """Yield the ceilings with the figure that is stated, or the one in use where none is: id, place, figure."""
        for id_, one in self.profile.ceilings.items():
            yield id_, known_place(one, observed=one.stated is None), one.stated or one.figure

    def bandwidth(self, id_: str) -> tuple[Place, Figure] | None:
        """Return place and figure of a bandwidth: the stated one, else the measured one; None without the boundary."""
        one = self.profile.boundaries.get(id_)
        return (
            None
            if one is None
            else (known_place(one, observed=one.stated is None), one.stated or one.bandwidth)
        )

    def stated_bandwidth(self, id_: str) -> tuple[Place, Figure] | None:
        """Return place and figure of the stated bandwidth of a boundary, if there is one."""
        one = self.profile.boundaries.get(id_)
        return None if one is None or one.stated is None else (known_place(one), one.stated)

    def values(self, place: Place, *, among: tuple[HardwareProfile, ...] | None = None) -> list[float]:
        """Return the values that neighbours (relatives, unless others are given) have at a place, ascending."""
        found = []
        for one in self.relatives if among is None else among:
            try:
                found.append(figure_at(one, place).value)
            except KeyError:
                continue
        return sorted(found)

    def finding(
        self,
        kind: Kind,
        place: Place,
        why: str,
        mend: str,
        *,
        likely: float | None = None,
        severity: Severity = "suspect",
    ) -> Finding:
        """Make a finding on the figure at a place; ``why`` goes on after "The … is …"."""
        value = figure_at(self.profile, place).value
        text = f"The {name_of(self.profile, place)} is {shown(value, place)}{why}"
        return Finding(
            finding_id(kind, place), kind, place, value, likely, unit_of(place), severity, text, mend
        )
