"""What may go from a file into a profile: ids that profiles have, rates that are rates, texts of one tidy line."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeGuard

from rooflinestudio.core.dtypes import DTYPES
from rooflinestudio.core.hardware import BOUNDARY_ORDER

if TYPE_CHECKING:
    from rooflinestudio.core.measured.ceilings import CeilingReading, MeasuredMachine

__all__ = ["LONGEST_TEXT", "MOST_READINGS", "clean_machine", "is_target", "tidy"]

LONGEST_TEXT: Final = 300
"""Characters of a condition or a source that are kept."""

MOST_READINGS: Final = 250
"""Readings of one kind that are looked at; a file of thousands of runs repeats itself."""

_PIPES: Final = "|".join(re.escape(one) for one in dict.fromkeys(dtype.pipe for dtype in DTYPES.values()))
_CEILING: Final = re.compile(rf"special|(?:{_PIPES})(?:-no-fma|-tensor(?:-[a-z0-9]+)?)?")
_HIGHEST: Final = 1e24
_DIGITS: Final = 12
_CLOCKS_HZ: Final = (1e6, 1e11)


def is_target(kind: str, id_: str) -> bool:
    """Whether a profile can have a ceiling or boundary of this id."""
    return id_ in BOUNDARY_ORDER if kind == "boundary" else _CEILING.fullmatch(id_) is not None


def tidy(text: str, limit: int = LONGEST_TEXT) -> str:
    """Return a text on one line without signs that cannot be printed, cut to a length."""
    words = "".join(one if one.isprintable() else " " for one in text[: 4 * limit]).split()
    line = " ".join(words)
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


def clean_machine(machine: MeasuredMachine) -> MeasuredMachine:
    """Return a machine with what of it can be shown and taken: rates above zero, clocks that are some, short texts."""
    low, high = _CLOCKS_HZ
    return replace(
        machine,
        device=tidy(machine.device, 120),
        tool=tidy(machine.tool, 60) or "unknown tool",
        ceilings=_clean_readings(machine.ceilings),
        boundaries=_clean_readings(machine.boundaries),
        compute_capability=tidy(machine.compute_capability or "", 20) or None,
        clocks={name: clock for name, clock in machine.clocks.items() if low <= clock <= high},
        host=tidy(machine.host, 80),
        date=tidy(machine.date, 40),
        conditions=tidy(machine.conditions),
    )


def _clean_readings(readings: tuple[CeilingReading, ...]) -> tuple[CeilingReading, ...]:
    cleaned = (_clean_reading(one) for one in readings[:MOST_READINGS])
    return tuple(one for one in cleaned if one is not None)


def _clean_reading(reading: CeilingReading) -> CeilingReading | None:
    """Return a reading with what of it is a rate; None where the best run is none."""
    if not _is_rate(reading.best):
        return None
    low, high = reading.low, reading.high
    ends = (
        (_rounded(low), _rounded(high)) if _is_rate(low) and _is_rate(high) and low <= high else (None, None)
    )
    return replace(
        reading,
        id=tidy(reading.id, 40),
        best=_rounded(reading.best),
        median=_rounded(reading.median) if _is_rate(reading.median) else None,
        low=ends[0],
        high=ends[1],
        condition=tidy(reading.condition),
        origin=tidy(reading.origin, 100),
    )


def _is_rate(value: float | None) -> TypeGuard[float]:
    return value is not None and math.isfinite(value) and 0 < value < _HIGHEST


def _rounded(value: float) -> float:
    """Return a rate as the file writes it: 33210.27 times 1e9 is 33.210269999999996e12 in a computer."""
    return float(f"{value:.{_DIGITS}g}")
