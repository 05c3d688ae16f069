"""Between quantities, log10 data coordinates and pixels: the one place where logarithms are taken.

The canvas knows log10 values only: x is log10 of FLOP/byte, y is log10 of FLOP/s. On such axes a slope of ``b`` bytes/s
is the straight line ``y = x + log10(b)``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

__all__ = [
    "Box",
    "Frame",
    "Range",
    "clamped_log10",
    "from_log10",
    "has_log10",
    "log10",
    "log10_columns",
    "roof_height",
]

LIMIT_DECADES = 30.0
"""Where values that are not zero end up at the latest; far outside of every view."""


class Range(NamedTuple):
    """What a view shows, in log10 data coordinates."""

    x0: float
    x1: float
    y0: float
    y1: float

    def holds(self, x: float, y: float) -> bool:
        """Tell whether a point lies in it."""
        return self.x0 <= x <= self.x1 and self.y0 <= y <= self.y1


class Box(NamedTuple):
    """A rectangle in pixels, y downward."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def centre(self) -> tuple[float, float]:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    def grown(self, dx: float, dy: float | None = None) -> Box:
        """Return the box with a margin around it."""
        dy = dx if dy is None else dy
        return Box(self.left - dx, self.top - dy, self.right + dx, self.bottom + dy)

    def shifted(self, dx: float, dy: float) -> Box:
        return Box(self.left + dx, self.top + dy, self.right + dx, self.bottom + dy)

    def overlaps(self, other: Box) -> bool:
        """Tell whether the two share an area; touching edges do not."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def holds(self, x: float, y: float) -> bool:
        return self.left <= x <= self.right and self.top <= y <= self.bottom

    def inside(self, other: Box) -> bool:
        """Tell whether it lies in the other box wholly."""
        return (
            self.left >= other.left
            and self.right <= other.right
            and self.top >= other.top
            and self.bottom <= other.bottom
        )

    def joined(self, other: Box) -> Box:
        """Return the smallest box around both."""
        return Box(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )


def has_log10(value: float) -> bool:
    """Tell whether a value has a place on a log axis: positive and finite."""
    return 0.0 < value < math.inf


def log10(value: float) -> float:
    """Return log10 of a positive finite value; ``ValueError`` for anything else."""
    if not has_log10(value):
        raise ValueError(f"{value!r} has no place on a log axis")
    return math.log10(value)


def clamped_log10(value: float) -> float:
    """Return log10, with zero and infinity far out instead of nowhere."""
    if value <= 0:
        return -LIMIT_DECADES
    return min(LIMIT_DECADES, math.log10(value)) if value < math.inf else LIMIT_DECADES


def log10_columns(xs: Any, ys: Any) -> tuple[Any, Any, Any]:
    """Return log10 of the pairs of two arrays that have one, as float32, and their positions.

    Pairs of which one is absent (NaN), zero or infinite are left out. float32 is exact to a thousandth of a pixel at
    every zoom that the view allows, and twice as fast to search.
    """
    import numpy as np

    with np.errstate(invalid="ignore"):
        there = np.flatnonzero((xs > 0) & (ys > 0) & np.isfinite(xs) & np.isfinite(ys))
    return np.log10(xs[there]).astype(np.float32), np.log10(ys[there]).astype(np.float32), there


def from_log10(value: float) -> float:
    """Return the quantity at a log10 coordinate."""
    return 10.0 ** max(-300.0, min(300.0, value))


def roof_height(x: float, *, log_bytes_per_s: float, log_flop_per_s: float) -> float:
    """Return log10 of what a roof allows at the log10 intensity ``x``."""
    return min(log_flop_per_s, x + log_bytes_per_s)


@dataclass(frozen=True, slots=True)
class Frame:
    """Where the data lies on the screen: a plot rectangle in pixels that shows a range."""

    plot: Box
    range: Range

    def x(self, log_x: float) -> float:
        """Return the pixel of a log10 intensity."""
        return self.plot.left + (log_x - self.range.x0) * self.plot.width / (self.range.x1 - self.range.x0)

    def y(self, log_y: float) -> float:
        """Return the pixel of a log10 rate."""
        return self.plot.bottom - (log_y - self.range.y0) * self.plot.height / (self.range.y1 - self.range.y0)

    def point(self, log_x: float, log_y: float) -> tuple[float, float]:
        return self.x(log_x), self.y(log_y)

    def data(self, x: float, y: float) -> tuple[float, float]:
        """Return log10 intensity and log10 rate at a pixel."""
        log_x = self.range.x0 + (x - self.plot.left) * (self.range.x1 - self.range.x0) / self.plot.width
        log_y = self.range.y0 + (self.plot.bottom - y) * (self.range.y1 - self.range.y0) / self.plot.height
        return log_x, log_y

    @property
    def slope_angle(self) -> float:
        """Angle of bandwidth slopes on the screen, in radians above the horizontal."""
        per_x = self.plot.width / (self.range.x1 - self.range.x0)
        per_y = self.plot.height / (self.range.y1 - self.range.y0)
        return math.atan2(per_y, per_x)
