"""Ticks of a log axis in words, at every zoom, from thirty decades down to a few per cent.

The painter draws them, on the screen and in files alike, so that both show the same axis.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

from rooflinestudio.core.quantities import format_number, format_quantity

__all__ = ["Tick", "intensity_ticks", "rate_ticks"]

_MINOR_DECADE: Final = (2, 3, 4, 5, 6, 7, 8, 9)


class Tick(NamedTuple):
    """One tick: log10 position and words; minor ones have none."""

    at: float
    label: str
    major: bool


class _Step(NamedTuple):
    """A tick before it has words: position, value, and the distance of values around it."""

    at: float
    value: float
    step: float
    major: bool


def intensity_ticks(low: float, high: float, *, length: float, spacing: float = 82.0) -> list[Tick]:
    """Return ticks between two log10 intensities on an axis of ``length`` pixels: ``0.1``, ``1``, ``1 000``."""
    return [Tick(s.at, _plain(s) if s.major else "", s.major) for s in _steps(low, high, length / spacing)]


def rate_ticks(low: float, high: float, *, length: float, spacing: float = 46.0) -> list[Tick]:
    """Return ticks between two log10 rates: ``100 TFLOP/s``, ``1 PFLOP/s``, each with its own prefix."""
    return [Tick(s.at, _rate(s) if s.major else "", s.major) for s in _steps(low, high, length / spacing)]


def _plain(step: _Step) -> str:
    return format_number(step.value, digits=_digits(step))


def _rate(step: _Step) -> str:
    return format_quantity(step.value, "FLOP/s", digits=_digits(step))


def _digits(step: _Step) -> int:
    """Return how many significant digits tell a tick from its neighbours."""
    return max(1, math.floor(math.log10(step.value) + 1e-9) - math.floor(math.log10(step.step) + 1e-9) + 1)


def _steps(low: float, high: float, wanted: float) -> list[_Step]:
    span = high - low
    wanted = max(2.0, wanted)
    if span >= 2:
        return _decades(low, high, max(1, math.ceil(span / wanted)))
    if span >= 0.7:
        return _parts_of_decades(low, high)
    return _values(low, high, wanted)


def _decades(low: float, high: float, every: int) -> list[_Step]:
    steps: list[_Step] = []
    for exponent in range(math.floor(low), math.ceil(high) + 1):
        value = 10.0**exponent
        steps.append(_Step(float(exponent), value, value, exponent % every == 0))
        if every == 1:
            steps += [_Step(exponent + math.log10(n), value * n, value, False) for n in _MINOR_DECADE]
    return [step for step in steps if low <= step.at <= high]


def _parts_of_decades(low: float, high: float) -> list[_Step]:
    steps = [
        _Step(exponent + math.log10(n), n * 10.0**exponent, 10.0**exponent, n in (1, 2, 5))
        for exponent in range(math.floor(low), math.ceil(high) + 1)
        for n in (1, *_MINOR_DECADE)
    ]
    return [step for step in steps if low <= step.at <= high]


def _values(low: float, high: float, wanted: float) -> list[_Step]:
    """Return ticks at round values: on so short a piece the log axis is nearly a linear one."""
    first, last = 10.0**low, 10.0**high
    rough = (last - first) / wanted
    power = 10.0 ** math.floor(math.log10(rough))
    factor = next(f for f in (1, 2, 5, 10) if f * power >= rough * 0.999)
    major = factor * power
    minor = major / (4 if factor == 2 else 5)
    steps: list[_Step] = []
    for number in range(math.ceil(first / minor), math.floor(last / minor) + 1):
        value = number * minor
        if value <= 0:
            continue
        is_major = number % round(major / minor) == 0
        steps.append(_Step(math.log10(value), value, major, is_major))
    return [step for step in steps if low <= step.at <= high]
