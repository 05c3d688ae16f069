"""Measured rates into a profile: a machine of its own beside the shipped one, or figures in the profile itself."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.ceilings.alone import with_reference
from rooflinestudio.core.ceilings.cleaning import tidy
from rooflinestudio.core.ceilings.clocks import scaled_to_clock
from rooflinestudio.core.ceilings.words import clock_in, clock_slug, clock_text, plural, slug, with_clock
from rooflinestudio.core.hardware import BOUNDARY_ORDER, INSIDE, Boundary, ComputeCeiling, Figure
from rooflinestudio.core.quantities import format_number
from rooflinestudio.core.quick import nothing

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.ceilings.proposal import CeilingRow, Proposal
    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.measured.ceilings import MeasuredMachine

__all__ = ["Result", "apply_ceilings", "effect_of"]

_DATE: Final = re.compile(r"\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?")
_PROFILERS: Final = re.compile(r"nsight|ncu|profil|rocprof", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Result:
    """What a profile becomes.

    Attributes
    ----------
    profile
        As it will be.
    measured, scaled
        How many rates in it were measured by the file, and how many were scaled to its clock.
    ridges
        Boundary and ceiling in words, and the ridge before and after in FLOP/byte.
    """

    profile: HardwareProfile
    measured: int
    scaled: int
    ridges: tuple[tuple[str, float, float], ...]

    @property
    def words(self) -> str:
        """What results, in one line."""
        parts = [plural(self.measured, "measured figure")] if self.measured else []
        if self.scaled:
            parts.append(f"{plural(self.scaled, 'figure') if not parts else self.scaled} scaled to the clock")
        ridges = "; ".join(_ridge_words(*one) for one in self.ridges)
        return f"{', '.join(parts)}; {ridges}." if ridges else f"{', '.join(parts)}."


def _ridge_words(label: str, before: float, after: float) -> str:
    shown = format_number(before), format_number(after)
    if shown[0] == shown[1]:
        return f"ridge of {label} stays at {shown[0]}"
    return f"ridge of {label} {shown[0]} → {shown[1]} FLOP/byte"


def apply_ceilings(
    proposal: Proposal,
    *,
    as_new: bool,
    in_use: bool = True,
    scale: bool = False,
    taken: Mapping[str, HardwareProfile] | None = None,
) -> HardwareProfile:
    """Return the profile with the readings that are taken.

    Parameters
    ----------
    proposal
        With a profile to put them into.
    as_new
        Whether it becomes a machine of its own, ``based_on`` the profile, instead of the profile with these figures.
    in_use
        Whether the machine is judged by what was measured; else that stands beside the stated figures.
    scale
        Whether what was not measured is scaled to the clock that the file names; only for a machine of its own.
    taken
        Profiles by id that are there already: another one of the same id gives the new machine a number.

    Raises
    ------
    ValueError
        No profile is chosen.
    """
    profile, machine = proposal.profile, proposal.machine
    if profile is None:
        raise ValueError("choose the machine that these ceilings belong to")
    clock_hz = machine.clocks.get("sm")
    rates = scaled_to_clock(profile, clock_hz) if scale and as_new and clock_hz else profile
    changed = _with_rates(rates, proposal.taken, machine, in_use=in_use)
    if not as_new:
        return replace(changed, id=profile.id, name=profile.name, short_name=profile.short_name)
    clocks = dict(profile.clocks)
    if clock_hz:
        clocks["profiled"] = Figure(
            clock_hz, "measured", machine.conditions, _source(machine), _date(machine.date)
        )
    new = replace(
        with_reference(changed),
        **_names(profile, machine),
        based_on=profile.id if profile.ceilings else "",
        clocks=MappingProxyType(clocks),
    )
    return _with_free_id(new, taken or nothing())


def effect_of(proposal: Proposal, *, as_new: bool, in_use: bool = True, scale: bool = False) -> Result | None:
    """Return what :func:`apply_ceilings` would give, and how the ridge moves; None while no profile is chosen."""
    before = proposal.profile
    if before is None:
        return None
    after = apply_ceilings(proposal, as_new=as_new, in_use=in_use, scale=scale)
    measured = {row.target for row in proposal.taken}
    scaled = sum(
        one.value != other.value
        for id_, one, other in _rates(before, after)
        if id_ not in measured or not in_use
    )
    return Result(after, len(measured), scaled, _ridges(before, after, proposal))


def _rates(before: HardwareProfile, after: HardwareProfile) -> list[tuple[str, Figure, Figure]]:
    pairs = [(id_, one.figure, after.ceilings[id_].figure) for id_, one in before.ceilings.items()]
    return pairs + [
        (id_, one.bandwidth, after.boundaries[id_].bandwidth) for id_, one in before.boundaries.items()
    ]


def _ridges(
    before: HardwareProfile, after: HardwareProfile, proposal: Proposal
) -> tuple[tuple[str, float, float], ...]:
    """Return the ridge at memory of the reference ceiling, and of the first measured one beside it."""
    if "dram" not in before.boundaries or before.reference_ceiling not in before.ceilings:
        return ()
    ids = [before.reference_ceiling]
    ids += [row.target for row in proposal.taken if row.kind == "ceiling" and row.target in before.ceilings][
        :1
    ]
    return tuple(
        (before.ceilings[id_].label, before.ridge(id_), after.ridge(id_))
        for id_ in dict.fromkeys(ids)
        if id_ in before.ceilings
    )


# Figures -------------------------------------------------------------------------------------------------------------


def _with_rates(
    profile: HardwareProfile, rows: tuple[CeilingRow, ...], machine: MeasuredMachine, *, in_use: bool
) -> HardwareProfile:
    ceilings, boundaries = dict(profile.ceilings), dict(profile.boundaries)
    for row in rows:
        figure = _figure(row, machine)
        if row.kind == "ceiling":
            ceilings[row.target] = _ceiling(ceilings.get(row.target), row.target, figure, in_use=in_use)
        else:
            boundaries[row.target] = _boundary(boundaries.get(row.target), row, figure, in_use=in_use)
    order = {id_: at for at, id_ in enumerate(BOUNDARY_ORDER)}
    ordered = dict(sorted(boundaries.items(), key=lambda one: order.get(one[0], len(order))))
    return replace(profile, ceilings=MappingProxyType(ceilings), boundaries=MappingProxyType(ordered))


def _ceiling(one: ComputeCeiling | None, id_: str, figure: Figure, *, in_use: bool) -> ComputeCeiling:
    if one is None or one.stated is None:
        return replace(one, figure=figure) if one is not None else ComputeCeiling(id_, figure)
    beside = replace(one, figure=one.stated, published=None, measured=figure)
    return beside.using("measured") if in_use else beside


def _boundary(one: Boundary | None, row: CeilingRow, figure: Figure, *, in_use: bool) -> Boundary:
    if one is None or one.stated is None:
        return replace(one, bandwidth=figure) if one is not None else Boundary(row.target, row.label, figure)
    beside = replace(one, bandwidth=one.stated, published=None, measured=figure)
    return beside.using("measured") if in_use else beside


def _figure(row: CeilingRow, machine: MeasuredMachine) -> Figure:
    """Return a reading as a measured figure, with everything that the file says of it."""
    reading = row.reading
    parts = dict.fromkeys(part for part in (reading.condition, machine.conditions) if part)
    condition = ", ".join(parts)
    clock_hz = machine.clocks.get("sm")
    clocked = row.kind == "ceiling" or row.target in INSIDE
    if clocked and clock_hz and clock_in(condition) is None:
        condition = with_clock(condition, clock_hz)
    run = "median" if row.value == reading.median and row.value != reading.best else "best"
    note = f"{run} of {reading.samples} runs" if reading.samples and reading.samples > 1 else ""
    dated = f"dated {machine.date}" if machine.date and not _date(machine.date) else ""
    return Figure(
        row.value,
        "measured",
        condition=condition,
        source=_source(machine, row.reading.origin),
        date=_date(machine.date),
        note=", ".join(part for part in (note, dated) if part),
    )


def _source(machine: MeasuredMachine, origin: str = "") -> str:
    """Name tool, host and the tool's own word: ``BabelStream 3.3 on node 7, Triad``."""
    host = f" on {machine.host}" if machine.host else ""
    return tidy(f"{machine.tool}{host}{f', {origin}' if origin else ''}")


def _date(text: str) -> str:
    return text if _DATE.fullmatch(text) else ""


# Names ---------------------------------------------------------------------------------------------------------------


def _names(profile: HardwareProfile, machine: MeasuredMachine) -> dict[str, Any]:
    clock_hz, measuring = machine.clocks.get("sm"), machine.tool
    if clock_hz and _PROFILERS.search(measuring):
        return {
            "id": f"{profile.id}-as-profiled-{clock_slug(clock_hz)}",
            "name": f"{profile.name}, as profiled {clock_text(clock_hz)}",
            "short_name": f"{profile.short_name} as profiled",
        }
    tool = re.sub(r"[\s,v]*\d[\w.]*\Z", "", measuring) or measuring
    return {
        "id": f"{profile.id}-{slug(tool) or 'measured'}",
        "name": f"{profile.name}, as measured by {measuring}",
        "short_name": f"{profile.short_name} measured",
    }


def _with_free_id(profile: HardwareProfile, taken: Mapping[str, HardwareProfile]) -> HardwareProfile:
    """Return the profile under an id that no other one has; the very same one keeps its own."""
    number, candidate = 1, profile
    while candidate.id in taken and taken[candidate.id].content_hash != candidate.content_hash:
        number += 1
        candidate = replace(profile, id=f"{profile.id}-{number}", name=f"{profile.name} ({number})")
    return candidate
