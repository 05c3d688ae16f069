"""Clocks, power, latencies and the launch overhead: in what range they lie."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rooflinestudio.core.hardware import LINKS
from rooflinestudio.core.profile_check.subject import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.hardware import Figure
    from rooflinestudio.core.profile_check.finding import Finding
    from rooflinestudio.core.profile_check.places import Place
    from rooflinestudio.core.profile_check.subject import Subject

__all__ = ["magnitude_findings"]

_CLOCK: Final = (0.3e9, 6e9)
_TDP: Final = (2.0, 30e3)
_LAUNCH: Final = (0.1e-6, 300e-6)
_LATENCY: Final = {
    "register": (0.1e-9, 100e-9), "shared": (1e-9, 300e-9), "l1": (0.5e-9, 500e-9), "l2": (1e-9, 900e-9),
    "l3": (4e-9, 2e-6), "dram": (25e-9, 5e-6), **dict.fromkeys(LINKS, (50e-9, 200e-6)),
}  # fmt: skip
_SMS: Final = (1.0, 2e6)


def magnitude_findings(subject: Subject) -> Iterator[Finding]:
    """Report what is out of its range, and by how many thousands."""
    for place, figure, limits in _judged(subject):
        low, high = limits
        if low <= figure.value <= high:
            continue
        why = f"; expected are {shown(low, place)} to {shown(high, place)}."
        slip = next(
            (one for one in (1e3, 1e-3, 1e6, 1e-6, 1e9, 1e-9) if low <= figure.value / one <= high), None
        )
        if slip is None:
            yield subject.finding("magnitude", place, why, "Check the number and its unit.")
            continue
        likely = figure.value / slip
        times = {3: "a thousand", 6: "a million"}.get(_thousands(slip), "a thousand million")
        mend = f"A unit is off by {times}: {shown(likely, place)} is likely."
        yield subject.finding("thousand", place, why, mend, likely=likely, severity="wrong")


def _thousands(slip: float) -> int:
    return next(power for power in (3, 6, 9) if 0.5 < max(slip, 1 / slip) / 10**power < 2)


def _judged(subject: Subject) -> Iterator[tuple[Place, Figure, tuple[float, float]]]:
    profile = subject.profile
    for name, clock in profile.clocks.items():
        yield ("clocks", name), clock, _CLOCK
    for place, figure, limits in (
        ("tdp", profile.tdp, _TDP),
        ("launch_overhead", profile.launch_overhead, _LAUNCH),
        ("sms", profile.sms, _SMS),
    ):
        if figure is not None:
            yield (place,), figure, limits
    for id_, boundary in profile.boundaries.items():
        if boundary.latency is not None and id_ in _LATENCY:
            yield ("boundaries", id_, "latency"), boundary.latency, _LATENCY[id_]
