"""Values that a slider stops at: even numbers where people think in powers of two, two digits elsewhere.

A slider position is never the truth: it is only a way to choose one of these values, and the entry beside it keeps
any value.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

__all__ = ["Scale"]

_STEPS_PER_OCTAVE_LOG2 = 3


@dataclass(frozen=True)
class Scale:
    """The way from slider positions (0 to 1) to values and back.

    Attributes
    ----------
    low, high
        What the two ends stand for.
    integer
        Whole values only: up to 16 one by one, above eight to an octave, so that each power of two is met.
    logarithmic
        Whether equal ways are equal ratios. A scale from 0 keeps its first position for it.
    step
        The distance of values on a linear scale.
    """

    low: float
    high: float
    integer: bool = True
    logarithmic: bool = True
    step: float = 1.0

    def position(self, value: float) -> float:
        """Return where a value sits; what lies outside sits at an end."""
        if self.high <= self.low:
            return 0.0
        if not self.logarithmic:
            return min(max((value - self.low) / (self.high - self.low), 0.0), 1.0)
        if value <= self._least:
            return 0.0
        way = math.log(value / self._least) / math.log(self.high / self._least)
        return min(max(way, 0.0), 1.0)

    def value(self, position: float) -> float:
        """Return the value to stop at nearest to a position."""
        if not self.logarithmic:
            raw = self.low + position * (self.high - self.low)
            return self._clamped(self.low + round((raw - self.low) / self.step) * self.step)
        if position <= 0:
            return self._whole(self.low)
        return self._clamped(self.snapped(self._least * (self.high / self._least) ** position))

    def snapped(self, value: float) -> float:
        """Return the nearest value to stop at."""
        step = self._step_at(value)
        return self._clamped(round(value / step) * step)

    def next(self, value: float, direction: int) -> float:
        """Return the next value to stop at above (1) or below (-1)."""
        step = self._step_at(value)
        if direction < 0 and self.logarithmic and value <= step * 2**_STEPS_PER_OCTAVE_LOG2:
            step = self._step_at(value * 0.999)
        at = value / step
        return self._clamped(
            (math.floor(at + 1e-9) + 1 if direction > 0 else math.ceil(at - 1e-9) - 1) * step
        )

    @property
    def _least(self) -> float:
        if self.low > 0:
            return self.low
        return 1.0 if self.integer else self.high * 1e-6

    def _step_at(self, value: float) -> float:
        if not self.logarithmic:
            return self.step
        if value <= 0:
            return 1.0 if self.integer else self._least
        if self.integer:
            return float(max(1, 2 ** (math.floor(math.log2(value) + 1e-12) - _STEPS_PER_OCTAVE_LOG2)))
        return 10.0 ** (math.floor(math.log10(value) + 1e-12) - 1)

    def _clamped(self, value: float) -> float:
        return self._whole(min(max(value, self.low), self.high))

    def _whole(self, value: float) -> float:
        return round(value) if self.integer else float(f"{value:.10g}")
