"""Ticks of the axes of a sweep, in words: logarithmic as on the canvas, or at round distances."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rooflinestudio.core.quantities import format_number, format_quantity
from rooflinestudio.core.sweep.words import PREFIXED
from rooflinestudio.ui.canvas.axis import Tick, intensity_ticks

if TYPE_CHECKING:
    from rooflinestudio.ui.sweep.frame import SweepFrame

__all__ = ["figure_ticks", "linear_ticks", "value_ticks"]

_X_SPACING, _Y_SPACING, _WRITTEN_OUT = 82.0, 40.0, 1e6


def value_ticks(frame: SweepFrame, unit: str) -> list[Tick]:
    """Return the ticks of the parameter that runs, at axis positions."""
    ticks = _ticks(frame.x0, frame.x1, frame.inner.width(), _X_SPACING, is_log=frame.is_log)
    return [one._replace(label=_words(_value(one, frame), unit)) if one.major else one for one in ticks]


def figure_ticks(frame: SweepFrame, unit: str) -> list[Tick]:
    """Return the ticks of the figure, at axis positions."""
    ticks = _ticks(frame.y0, frame.y1, frame.inner.height(), _Y_SPACING, is_log=frame.is_log)
    scaled, shown = (100.0, " %") if not unit else (1.0, "")
    plain = unit if unit in PREFIXED else ""
    return [
        one._replace(label=_words(scaled * _value(one, frame), plain) + shown) if one.major else one
        for one in ticks
    ]


def linear_ticks(low: float, high: float, *, length: float, spacing: float) -> list[Tick]:
    """Return ticks at a distance of 1, 2 or 5 times a power of ten, the words empty."""
    if not high > low:
        return []
    rough = (high - low) / max(2.0, length / spacing)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * 0.999)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [Tick(number * step, "", True) for number in range(first, last + 1)]


def _ticks(low: float, high: float, length: float, spacing: float, *, is_log: bool) -> list[Tick]:
    if is_log:
        return intensity_ticks(low, high, length=length, spacing=spacing)
    return linear_ticks(low, high, length=length, spacing=spacing)


def _value(tick: Tick, frame: SweepFrame) -> float:
    return float(10.0**tick.at) if frame.is_log else tick.at


def _words(value: float, unit: str) -> str:
    """Return a round value with as many digits as it has."""
    digits = max(1, len(f"{abs(value):.5e}".partition("e")[0].replace(".", "").rstrip("0")))
    if unit:
        return format_quantity(value, unit, digits=digits)
    if abs(value) >= _WRITTEN_OUT:
        return format_quantity(value, " ", digits=digits).strip()
    return format_number(value, digits=digits)
