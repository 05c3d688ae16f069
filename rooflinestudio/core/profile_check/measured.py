"""Measured figures above the stated ones, and shares and slopes that cannot be. Nothing is ever clamped."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.ceilings.words import clock_in
from rooflinestudio.core.profile_check.places import known_place
from rooflinestudio.core.profile_check.subject import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.hardware import Boundary, ComputeCeiling, Figure
    from rooflinestudio.core.profile_check.finding import Finding
    from rooflinestudio.core.profile_check.places import Place
    from rooflinestudio.core.profile_check.subject import Subject

__all__ = ["measured_findings", "share_findings"]

_ABOVE: Final = 1.02
_RATE_CAUSES: Final = (
    "Causes: a clock above the one of the data sheet, a stated figure of another model, sparse operands, "
    "or work counted otherwise."
)
_BANDWIDTH_CAUSES: Final = (
    "Causes: data that stayed in a cache, reads and writes counted both where one was meant, a stated figure of "
    "another model, or bits for bytes."
)


def measured_findings(subject: Subject) -> Iterator[Finding]:
    """Question what was measured above what is stated."""
    profile = subject.profile
    wholes: list[ComputeCeiling | Boundary] = [*profile.ceilings.values(), *profile.boundaries.values()]
    for one in wholes:
        if one.stated is None or one.observed is None:
            continue
        cap = one.stated.value * _faster(subject, one.stated, one.observed)
        if one.observed.value <= cap * _ABOVE:
            continue
        place = known_place(one, observed=True)
        why = f", {one.observed.value / cap:.0%} of the stated {shown(cap, place)}."
        causes = _RATE_CAUSES if place[0] == "ceilings" else _BANDWIDTH_CAUSES
        yield subject.finding("above-published", place, why, causes)
    for boundary in profile.boundaries.values():
        yield from _slopes(subject, boundary)


def _faster(subject: Subject, stated: Figure, observed: Figure) -> float:
    """Return by how much the clock of a measurement may be above the one that a stated figure was brought down to."""
    at = clock_in(stated.condition)
    if at is None or stated.provenance != "derived":
        return 1.0
    clocks = [one.value for one in subject.profile.clocks.values()]
    ran_at = clock_in(observed.condition) or max(clocks, default=at)
    return max(1.0, ran_at / at)


def _slopes(subject: Subject, boundary: Boundary) -> Iterator[Finding]:
    top = max(one.value for one in (boundary.stated, boundary.observed) if one is not None)
    for name, slope in boundary.slopes.items():
        if slope.value > top * _ABOVE:
            place: Place = ("boundaries", boundary.id, "slopes", name)
            why = f", {slope.value / top:.0%} of the bandwidth of {boundary.label}, {shown(top, place)}."
            if slope.provenance == "measured":
                yield subject.finding("above-published", place, why, _BANDWIDTH_CAUSES)
            else:
                mend = "A slope is what is left of the bandwidth for one way of access: check both."
                yield subject.finding("order", place, why, mend, severity="wrong")


def share_findings(subject: Subject) -> Iterator[Finding]:
    """Report shares of a rate above 1, next to nothing, or out of order."""
    profile = subject.profile
    for group, wholes in (("ceilings", profile.ceilings), ("boundaries", profile.boundaries)):
        for id_, one in wholes.items():
            if one.achievable is None:
                continue
            names = [name for name in ("low", "typical", "high") if getattr(one.achievable, name) is not None]
            for name in names:
                yield from _share(
                    subject, (group, id_, "achievable", name), getattr(one.achievable, name).value
                )
            for lower, upper in pairwise(names):
                if getattr(one.achievable, lower).value > getattr(one.achievable, upper).value:
                    place = (group, id_, "achievable", lower)
                    yield subject.finding(
                        "share",
                        place,
                        f", above the {upper} one.",
                        "Exchange them, or check both.",
                        severity="wrong",
                    )


def _share(subject: Subject, place: Place, value: float) -> Iterator[Finding]:
    if value > 1:
        likely = value / 100 if 1.5 < value <= 100 else None
        mend = "What exceeds a rate says that the rate itself is set too low."
        if likely is not None:
            mend = f"As a share of one, {likely:g} is likely."
        yield subject.finding(
            "share", place, ", but a share is at most 1.", mend, likely=likely, severity="wrong"
        )
    elif value < 0.01:
        likely = value * 100
        mend = f"If it is a percentage divided by 100 twice, {likely:g} is likely."
        yield subject.finding("share", place, ", next to nothing.", mend, likely=likely)
