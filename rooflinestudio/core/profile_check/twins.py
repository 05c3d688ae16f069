"""The profile against its twin: the shipped profile of the same machine, or the one that it was made from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rooflinestudio.core.ceilings.clocks import reference_clock
from rooflinestudio.core.ceilings.words import clock_in
from rooflinestudio.core.hardware import LINKS
from rooflinestudio.core.profile_check.memory import unit_finding
from rooflinestudio.core.profile_check.places import figure_at
from rooflinestudio.core.profile_check.prefixes import prefix_of
from rooflinestudio.core.profile_check.rates import times_words
from rooflinestudio.core.profile_check.subject import near, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.profile_check.finding import Finding, Kind
    from rooflinestudio.core.profile_check.places import Place
    from rooflinestudio.core.profile_check.subject import Subject

__all__ = ["twin_findings"]

_THOUSAND: Final = (1000.0, 1 / 1000.0)
_BITS: Final = (8.0, 1 / 8.0)
_TOLERANCE: Final = 0.025


def twin_findings(subject: Subject) -> Iterator[Finding]:
    """Report what differs from the twin by the factor of a usual mistake."""
    twin = subject.twin
    if twin is None:
        return
    slowed = _is_slowed(subject, twin)
    for place, slips in _places(subject):
        stated = _stated_value(twin, place)
        if stated is None or _is_at_another_clock(subject, twin, place, stated):
            continue
        found = _twin_finding(subject, place, stated, slips)
        if found is not None and not (
            slowed and found.value < stated and found.kind in ("halved", "counting")
        ):
            yield found


def _is_slowed(subject: Subject, twin: HardwareProfile) -> bool:
    """Whether most rates are below the twin's by one factor: the same machine at a lower clock, which nothing names."""
    pairs = [(one.value, _stated_value(twin, place)) for _, place, one in subject.stated_rates()]
    ratios = sorted(value / other for value, other in pairs if other is not None)
    middle = ratios[len(ratios) // 2] if ratios else 1.0
    return middle < 0.9 and sum(near(one, middle, _TOLERANCE) for one in ratios) >= max(3, len(ratios) / 2)


def _is_at_another_clock(subject: Subject, twin: HardwareProfile, place: Place, stated: float) -> bool:
    """Whether a rate is the twin's, brought to the clock that its condition names."""
    figure = figure_at(subject.profile, place)
    if len(place) < 2 or clock_in(figure.condition) is None:
        return False
    one = (twin.ceilings if place[0] == "ceilings" else twin.boundaries).get(place[1])
    theirs = None if one is None or one.stated is None else reference_clock(twin, one.stated, place[1])
    mine = reference_clock(subject.profile, figure, place[1])
    if theirs is None or mine is None:
        return False
    return near(figure.value, stated * mine / theirs, _TOLERANCE)


def _places(subject: Subject) -> Iterator[tuple[Place, tuple[float, ...]]]:
    """Yield each figure with the slips that occur for its kind."""
    profile = subject.profile
    for id_, place, figure in subject.rates_in_use():
        if figure.provenance == "measured":
            yield place, _THOUSAND
            continue
        yield place, (2.0, 4.0, 0.5, 0.25, *_THOUSAND) if "-tensor" in id_ else (2.0, 0.5, *_THOUSAND)
    for id_, boundary in profile.boundaries.items():
        known = subject.bandwidth(id_)
        if known is not None:
            yield known[0], (2.0, 16.0, *_BITS, *_THOUSAND) if id_ in LINKS else (*_BITS, *_THOUSAND)
        if boundary.capacity is not None:
            yield ("boundaries", id_, "capacity"), (*_BITS, *_THOUSAND)
        if boundary.latency is not None:
            yield ("boundaries", id_, "latency"), _THOUSAND
    for name in profile.clocks:
        yield ("clocks", name), _THOUSAND
    for name in ("tdp", "launch_overhead"):
        if getattr(profile, name) is not None:
            yield (name,), _THOUSAND


def _stated_value(twin: HardwareProfile, place: Place) -> float | None:
    """Return what the twin states there; its ceilings and bandwidths may stand under another name."""
    group, *rest = place
    if group in ("ceilings", "boundaries") and rest[-1] in (rest[0], "bandwidth", "published"):
        rates = twin.ceilings if group == "ceilings" else twin.boundaries
        one = rates.get(rest[0])
        if one is None:
            return None
        used = one.stated or one.observed
        return None if used is None else used.value
    try:
        return figure_at(twin, place).value
    except KeyError:
        return None


def _twin_finding(subject: Subject, place: Place, stated: float, slips: tuple[float, ...]) -> Finding | None:
    assert subject.twin is not None
    value = figure_at(subject.profile, place).value
    ratio = value / stated
    slip = next((one for one in slips if near(ratio, one, _TOLERANCE)), None)
    times = times_words(slip) if slip is not None else ""
    why = f", {times} the {shown(stated, place)} of {subject.twin.name} ({subject.twin.id})."
    if slip is None:
        power = prefix_of(value, stated) if place[0] == "boundaries" and place[-1] != "latency" else None
        if power is None:
            return None
        why = f", {ratio:.4f} times the {shown(stated, place)} of {subject.twin.name} ({subject.twin.id})."
        mend = (
            f"Powers of 1024 were taken for powers of 1000, or the reverse: {shown(stated, place)} is likely."
        )
        return subject.finding("prefix", place, why, mend, likely=stated)
    if slip in _THOUSAND or slip in _BITS:
        return unit_finding(subject, place, slip, why)
    kind, mend = _counted_twice(place, slip)
    mend = mend.format(likely=shown(value / slip, place))
    return subject.finding(kind, place, why, mend, likely=value / slip)


def _counted_twice(place: Place, slip: float) -> tuple[Kind, str]:
    if place[0] == "boundaries":
        return "both-directions", "Both directions were probably counted: enter one, {likely}."
    if "-tensor" not in place[1]:
        return "counting", "A multiply-add counts as two here: {likely} is likely."
    if slip > 1:
        return "sparse", "If that is with 2:4 sparsity, enter the dense rate, {likely}."
    return "halved", "A dense rate may have been halved again: {likely} is likely."
