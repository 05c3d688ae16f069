"""Powers of 1024 taken for powers of 1000, and sizes that do not add up over the device."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.hardware import LINKS
from rooflinestudio.core.profile_check.places import figure_at
from rooflinestudio.core.profile_check.subject import memory_kind, near, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.hardware import Figure
    from rooflinestudio.core.profile_check.finding import Finding
    from rooflinestudio.core.profile_check.places import Place
    from rooflinestudio.core.profile_check.subject import Subject

__all__ = ["prefix_findings", "prefix_of", "size_findings"]

_POWERS: Final = {1.024**power: name for power, name in ((1, "k"), (2, "M"), (3, "G"), (4, "T"))}
_EXACT: Final = 1e-6
_WRITTEN: Final = 5
_QUANTITY: Final = re.compile(r"(\d+(?:\.\d+)?)\s*([kMGTP])(B|byte)/s")
_PREFIX: Final = {"k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15}
_ROUND: Final = 4


def prefix_of(value: float, other: float) -> float | None:
    """Return the power of 1.024 (or its inverse) by which a value differs from another, exactly or as rounded.

    Rounded means: to the four or five digits that the value is written with.
    """
    digits = _digits(value, _WRITTEN + 1)
    for power in _POWERS:
        for factor in (power, 1 / power):
            expected = other * factor
            if near(value, expected, _EXACT):
                return factor
            if digits in (4, _WRITTEN) and float(f"{expected:.{digits - 1}e}") == float(
                f"{value:.{digits - 1}e}"
            ):
                return factor
    return None


def prefix_findings(subject: Subject) -> Iterator[Finding]:
    """Look at bandwidths of memory and links, of which documents speak in powers of 1000."""
    for id_ in ("dram", *LINKS):
        known = subject.stated_bandwidth(id_)
        if known is None:
            continue
        place, figure = known
        power, how = _by_digits(figure), "is a round number in powers of 1024"
        if power is None:
            power, how = _by_text(figure), "differs by just that factor from the figure beside it"
        if power is None and id_ == "dram":
            power, how = _by_relatives(subject, figure), "differs by just that factor from related parts"
        if power is not None:
            yield _prefix_finding(subject, place, figure.value, power, how)


def _prefix_finding(subject: Subject, place: Place, value: float, power: float, how: str) -> Finding:
    likely = float(f"{value / power:.6g}")
    word = _POWERS[power if power > 1 else min(_POWERS, key=lambda one: abs(one * power - 1))]
    why = f", which {how} ({word}i for {word})." if word != "k" else f", which {how} (1024 for 1000)."
    mend = f"{shown(likely, place)} is likely. If the source does write {word}iB, note so as the reason."
    return subject.finding("prefix", place, why, mend, likely=likely)


def _digits(value: float, most: int) -> int:
    return next(
        (digits for digits in range(1, most) if near(float(f"{value:.{digits - 1}e}"), value, 1e-12)), most
    )


def _by_digits(figure: Figure) -> float | None:
    """Return the power of 1024 of which the value has few digits, if in powers of 1000 it has many.

    A value of eight digits and more is few digits within the rounding of its last one.
    """
    written = _digits(figure.value, 15)
    if written <= _ROUND + 2:
        return None
    slack = 0.6 * 10.0 ** (1 - written) if written > _ROUND + 3 else 1e-12
    return next(
        (
            power
            for power in reversed(_POWERS)
            if near(float(f"{figure.value / power:.{_ROUND - 1}e}"), figure.value / power, max(slack, 1e-12))
        ),
        None,
    )


def _by_text(figure: Figure) -> float | None:
    for match in _QUANTITY.finditer(f"{figure.condition}; {figure.note}; {figure.source}"):
        power = prefix_of(figure.value, float(match[1]) * _PREFIX[match[2]])
        if power is not None and power > 1.03:
            return power
    return None


def _by_relatives(subject: Subject, figure: Figure) -> float | None:
    """Return the power by which a bandwidth differs from that of a relative, or from a round number near it."""
    kind = memory_kind(subject.profile.boundaries["dram"])
    if not kind:
        return None
    alike = tuple(one for one in subject.relatives if memory_kind(one.boundaries.get("dram")) == kind)
    known = subject.values(("boundaries", "dram", "bandwidth"), among=alike)
    if any(near(figure.value, one, 0.02) for one in known):
        return None
    for one in known:
        power = prefix_of(figure.value, one)
        if power is not None:
            return power
        for power in (1.024**3, 1.024**4):
            rounded = float(f"{figure.value / power:.1e}")
            if near(rounded, one, 0.025) and prefix_of(figure.value, rounded) == power:
                return power
    return None


def size_findings(subject: Subject) -> Iterator[Finding]:
    """Hold the sums over the device against the sizes of one multiprocessor."""
    profile = subject.profile
    if profile.sms is None:
        return
    sms = profile.sms.value
    for id_, figure, each in (
        ("shared", profile.shared_bytes_per_sm, 1.0),
        ("register", profile.registers_per_sm, 4.0),
    ):
        boundary = profile.boundaries.get(id_)
        if figure is None or boundary is None or boundary.capacity is None:
            continue
        found = _sum_finding(subject, ("boundaries", id_, "capacity"), sms * figure.value * each)
        if found is not None:
            yield found


def _sum_finding(subject: Subject, place: Place, expected: float) -> Finding | None:
    assert subject.profile.sms is not None
    value = figure_at(subject.profile, place).value
    ratio, sms = value / expected, subject.profile.sms.value
    why = f"; {sms:.0f} multiprocessors together have {shown(expected, place)}."
    mend = f"Enter {shown(expected, place)}, or mend the size of one."
    if near(ratio, 1 / sms, 0.02) and sms > 1:
        return subject.finding("per-unit", place, why, mend, likely=expected, severity="wrong")
    if near(ratio, 8.0, 0.02):
        return subject.finding("bits", place, why, mend, likely=expected, severity="wrong")
    if any(near(ratio, one, 0.06) for one in (1000.0, 1 / 1000.0)):
        return subject.finding("thousand", place, why, mend, likely=expected, severity="wrong")
    if prefix_of(value, expected) is not None:
        return subject.finding("prefix", place, why, mend, likely=expected)
    return None
