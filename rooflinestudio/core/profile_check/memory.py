"""Memory and caches: bits taken for bytes, a slip of 1000, a figure of one unit taken for the device."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rooflinestudio.core.profile_check.rates import times_words
from rooflinestudio.core.profile_check.subject import memory_kind, shown
from rooflinestudio.core.quantities import format_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.hardware import Figure
    from rooflinestudio.core.profile_check.finding import Finding
    from rooflinestudio.core.profile_check.places import Place
    from rooflinestudio.core.profile_check.subject import Subject

__all__ = [
    "MEMORY_KINDS",
    "cache_findings",
    "capacity_findings",
    "dram_findings",
    "slope_findings",
    "unit_finding",
]

# Bytes per second of a whole device with this memory, from one stack or a narrow bus to the widest built: JEDEC rates
# per pin times the widths that parts have (HBM 1 to 8 stacks of 1024 bit, GDDR 64 to 512 bit, LPDDR 64 to 1024 bit,
# DDR one to two times twelve channels).
_DEVICE_RATES: Final = {
    "HBM": (0.12e12, 30e12), "HBM2": (0.2e12, 1.9e12), "HBM2E": (0.35e12, 3.7e12), "HBM3": (0.6e12, 7e12),
    "HBM3E": (0.8e12, 10e12), "HBM4": (1.5e12, 30e12), "GDDR5": (0.03e12, 0.5e12), "GDDR5X": (0.15e12, 0.6e12),
    "GDDR6": (0.09e12, 1.2e12), "GDDR6X": (0.3e12, 1.2e12), "GDDR7": (0.2e12, 2.3e12), "LPDDR4": (0.01e12, 0.15e12),
    "LPDDR4X": (0.01e12, 0.15e12), "LPDDR5": (0.04e12, 0.9e12), "LPDDR5X": (0.05e12, 1.2e12),
    "DDR4": (0.015e12, 0.5e12), "DDR5": (0.03e12, 1.8e12),
}  # fmt: skip
MEMORY_KINDS: Final = frozenset(_DEVICE_RATES)
_ANY_DRAM: Final = (0.01e12, 40e12)
_SLOWEST: Final = 1e9
_MARGIN: Final = 1.3
_SLIPS: Final = (8.0, 1 / 8.0, 1000.0, 1 / 1000.0)
_THOUSAND: Final = (1000.0, 1 / 1000.0)
_USUAL_SHARE: Final = (0.3, 1.1)
_RELATED: Final = 2.5
"""Relatives differ by less than this factor; what differs more and fits after a slip has slipped."""
_GPU_MEMORY: Final = 3e12
_CACHE_RATES: Final = {"l1": (5e9, 1e15), "l2": (5e9, 1e15), "l3": (2e9, 5e14)}
_CAPACITIES: Final = {
    "register": (30e3, 4e9), "shared": (30e3, 100e9), "l1": (8e3, 500e6), "l2": (128e3, 2e9), "l3": (0.5e6, 8e9),
    "dram": (0.5e9, 20e12),
}  # fmt: skip
"""Bytes of a whole device; shared memory up to a wafer of it."""


def fitting(value: float, low: float, high: float, slips: tuple[float, ...] = _SLIPS) -> float | None:
    """Return the slip without which a value lies between two limits; None where there is none."""
    return next((one for one in slips if low <= value / one <= high), None)


def unit_finding(subject: Subject, place: Place, slip: float, why: str) -> Finding:
    """Make the finding of a figure that is off by 8 (bits for bytes) or 1000."""
    value = subject.finding("bits", place, "", "").value
    likely = shown(value / slip, place)
    if slip in (8.0, 1 / 8.0):
        given = "bits per second" if slip > 1 else "bytes that were divided by 8 as if they were bits"
        if place[-1] == "capacity":
            given = "bits"
        mend = f"If the source gives {given}: {likely} is likely."
        return subject.finding("bits", place, why, mend, likely=value / slip, severity="wrong")
    mend = f"A unit is off by a thousand: {likely} is likely."
    return subject.finding("thousand", place, why, mend, likely=value / slip, severity="wrong")


def dram_findings(subject: Subject) -> Iterator[Finding]:
    """Look at the bandwidth of device memory, against what such memory can do and against relatives."""
    known = subject.bandwidth("dram")
    if known is None:
        return
    place, figure = known
    slips = _SLIPS if figure.provenance != "measured" else _THOUSAND
    kind = memory_kind(subject.profile.boundaries["dram"])
    low, high = _range_of(subject, kind)
    if not kind and (subject.profile.kind == "cpu" or figure.provenance == "measured"):
        low = _SLOWEST  # a small board, or one thread
    of = f"a device with {_spelled(kind)}" if kind else "device memory"
    if not low / _MARGIN <= figure.value <= high * _MARGIN:
        slip = fitting(figure.value, low, high, slips)
        why = f"; {of} has {shown(low, place)} to {shown(high, place)}."
        if slip is not None:
            yield unit_finding(subject, place, slip, why)
        elif slips is _SLIPS and not low / 3 <= figure.value <= high * 3:
            yield subject.finding("magnitude", place, why, "Check the number and its unit.")
    elif slips is _SLIPS:
        yield from _against_relatives(subject, place, figure.value)


def _spelled(kind: str) -> str:
    return kind.replace("E", "e") if kind.startswith("HBM") else kind


def _range_of(subject: Subject, kind: str) -> tuple[float, float]:
    low, high = _DEVICE_RATES.get(kind, _ANY_DRAM)
    others = [
        one.boundaries["dram"].bytes_per_s
        for one in subject.neighbours
        if kind and memory_kind(one.boundaries.get("dram")) == kind
    ]
    return min([low, *others]), max([high, *others])


def _beyond_any(subject: Subject, id_: str, place: Place, figure: Figure) -> list[Finding]:
    low, high = _CACHE_RATES.get(id_, (0.0, float("inf")))
    slip = 1.0 if low <= figure.value <= high else fitting(figure.value, low, high, _THOUSAND)
    if slip is None or slip == 1.0:
        return []
    return [unit_finding(subject, place, slip, f"; caches give {shown(low, place)} to {shown(high, place)}.")]


def _against_relatives(subject: Subject, place: Place, value: float) -> list[Finding]:
    known = subject.values((*place[:2], "bandwidth"))
    if place[1] == "dram":  # relatives with other memory say nothing
        kind = memory_kind(subject.profile.boundaries["dram"])
        alike = tuple(one for one in subject.relatives if memory_kind(one.boundaries.get("dram")) == kind)
        known = subject.values((*place[:2], "bandwidth"), among=alike)
    if not known or known[0] / _RELATED <= value <= known[-1] * _RELATED:
        return []
    slip = fitting(value, known[0] / _MARGIN, known[-1] * _MARGIN)
    if slip is None:
        return []
    return [unit_finding(subject, place, slip, f"; related parts have {_span(known, place)}.")]


def _span(values: list[float], place: Place) -> str:
    low, high = shown(values[0], place), shown(values[-1], place)
    return low if low == high else f"{low} to {high}"


def slope_findings(subject: Subject) -> Iterator[Finding]:
    """Hold each bandwidth against its own streaming slope: they were read together and cannot be far apart."""
    for id_, boundary in subject.profile.boundaries.items():
        known, slope = subject.stated_bandwidth(id_), boundary.slopes.get("streaming")
        if known is None or slope is None:
            continue
        place, figure = known
        share = slope.value / figure.value
        if _USUAL_SHARE[0] <= share <= _USUAL_SHARE[1] or (share < 1 and slope.provenance == "measured"):
            continue
        slip = fitting(1 / share, 1 / _USUAL_SHARE[1], 1 / _USUAL_SHARE[0])
        if slip is not None:
            why = f", beside a streaming bandwidth of {shown(slope.value, place)}."
            yield unit_finding(subject, place, slip, why)


def cache_findings(subject: Subject) -> Iterator[Finding]:
    """Look at registers and shared memory against width × clock, and at the caches against relatives."""
    profile, family = subject.profile, subject.family
    clock = subject.vector_clock
    for id_ in ("register", "shared", "l1", "l2", "l3"):
        known = subject.bandwidth(id_)
        if known is None:
            continue
        place, figure = known
        width = _width(subject, id_)
        if clock is None or not width or family is None or profile.sms is None:
            yield from _against_relatives(subject, place, figure.value) or _beyond_any(
                subject, id_, place, figure
            )
            continue
        found = _by_width(subject, place, figure.value / (clock * width), width)
        if found is not None:
            yield found


def _width(subject: Subject, id_: str) -> float:
    """Bytes per clock and multiprocessor, where they are known: registers give two operands of 4 B per lane."""
    family = subject.family
    if family is None:
        return 0.0
    return {"register": family.vector[0] * 4 if family.vector else 0.0, "shared": family.shared}.get(id_, 0.0)


def _by_width(subject: Subject, place: Place, factor: float, width: float) -> Finding | None:
    assert subject.family is not None and subject.profile.sms is not None
    sms = subject.profile.sms.value
    slip = _rounded(factor)
    why = (
        f", {times_words(slip)} the {format_number(width)} B per clock and multiprocessor "
        f"of {subject.family.name}."
    )
    if sms > 20 and 0.7 < factor * sms < 1.5:
        value = subject.finding("per-unit", place, "", "").value
        mend = f"It looks like the figure of one: {shown(value * sms, place)} for all {sms:.0f} is likely."
        return subject.finding("per-unit", place, why, mend, likely=value * sms, severity="wrong")
    return unit_finding(subject, place, slip, why) if slip in _SLIPS else None


def _rounded(factor: float) -> float:
    """Return the slip that a factor is near, or the factor itself."""
    return next((one for one in _SLIPS if 0.7 < factor / one < 1.4), factor)


def capacity_findings(subject: Subject) -> Iterator[Finding]:
    """Look at capacities: in what range they lie, and bits for bytes where related parts say so."""
    for id_, boundary in subject.profile.boundaries.items():
        if boundary.capacity is None or id_ not in _CAPACITIES:
            continue
        place, value = ("boundaries", id_, "capacity"), boundary.capacity.value
        low, high = _CAPACITIES[id_]
        if subject.profile.kind == "gpu":
            high = min(high, _GPU_MEMORY)
        if not low <= value <= high:
            slip = fitting(value, low, high, (1000.0, 1 / 1000.0, 1e6, 1e-6, 8.0))
            why = f"; such memory holds {shown(low, place)} to {shown(high, place)}."
            if slip in (1000.0, 1 / 1000.0, 8.0):
                yield unit_finding(subject, place, slip, why)
            else:
                yield subject.finding("magnitude", place, why, "Check the number and its unit.")
            continue
        yield from _capacity_against_others(subject, place, value)


def _capacity_against_others(subject: Subject, place: Place, value: float) -> Iterator[Finding]:
    kind = memory_kind(subject.profile.boundaries["dram"]) if place[1] == "dram" else ""
    alike = subject.relatives
    if place[1] == "dram":
        if not kind.startswith("HBM"):  # cards and hosts with other memory come in all sizes
            return
        alike = tuple(one for one in subject.neighbours if memory_kind(one.boundaries.get("dram")) == kind)
    known = subject.values(place, among=alike)
    if not known or known[0] / 5 <= value <= known[-1] * 2:
        return
    slips = (8.0, 1000.0, 1 / 1000.0)
    slip = fitting(value, known[0] / _MARGIN, known[-1] * _MARGIN, slips)
    if slip is not None:
        yield unit_finding(subject, place, slip, f"; related parts have {_span(known, place)}.")
