"""Where the data of a sweep lie in a rectangle, with room for the strips of bounds beneath."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRectF

from rooflinestudio.ui.canvas.axis import Tick, intensity_ticks

if TYPE_CHECKING:
    from rooflinestudio.core.sweep_panel_picture import SweepPicture

__all__ = ["LEFT_PX", "STRIP_PX", "SweepFrame"]

LEFT_PX: Final = 86.0
STRIP_PX: Final = 16.0
_LOW_PX: Final = 230.0
_MOST_STRIPS: Final = 6


class SweepFrame:
    """Pixels of values: x logarithmic or linear, y always logarithmic."""

    def __init__(self, rect: QRectF, picture: SweepPicture) -> None:
        self.outer = rect
        self.low = rect.height() < _LOW_PX
        self.is_log = picture.spec.is_log
        drawn = sum(1 for one in picture.curves if len(one.x))
        self.strips = min(drawn, 1 if self.low else _MOST_STRIPS)
        legend = 18.0 if drawn > 1 and not self.low else 0.0
        bottom = 20.0 + self.strips * (STRIP_PX + 2.0) + legend + (2.0 if self.low else 6.0)
        self.inner = rect.adjusted(LEFT_PX, 24.0, -14.0, -bottom)
        spec = picture.spec
        self.x0, self.x1 = self._along(spec.low), self._along(spec.high)
        if self.x1 <= self.x0:
            self.x1 = self.x0 + 1.0
        self.y0, self.y1 = _y_ends(picture)

    def _along(self, value: float) -> float:
        return math.log10(max(value, 1e-300)) if self.is_log else value

    def x(self, value: float) -> float:
        """Return the pixel of an x."""
        share = (self._along(value) - self.x0) / (self.x1 - self.x0)
        return self.inner.left() + min(max(share, -2.0), 3.0) * self.inner.width()

    def y(self, value: float) -> float:
        """Return the pixel of a y."""
        share = (math.log10(max(value, 1e-300)) - self.y0) / (self.y1 - self.y0)
        return self.inner.bottom() - min(max(share, -2.0), 3.0) * self.inner.height()

    def value(self, pixel: float) -> float:
        """Return the x under a pixel, inside the range."""
        share = min(max((pixel - self.inner.left()) / max(1.0, self.inner.width()), 0.0), 1.0)
        at = self.x0 + share * (self.x1 - self.x0)
        return float(10.0**at) if self.is_log else at

    def point(self, x: float, y: float) -> QPointF:
        """Return the pixel of a point."""
        return QPointF(self.x(x), self.y(y))

    def strip(self, number: int) -> QRectF:
        """Return where the strip of a curve lies, under the words of the axis."""
        top = self.inner.bottom() + 20.0 + number * (STRIP_PX + 2.0)
        return QRectF(self.inner.left(), top, self.inner.width(), STRIP_PX)

    def x_ticks(self) -> list[Tick]:
        """Return ticks with their place in the scale of the axis."""
        length = self.inner.width()
        if self.is_log:
            return intensity_ticks(self.x0, self.x1, length=length)
        return _linear_ticks(self.x0, self.x1, max(2.0, length / 90.0))


def _y_ends(picture: SweepPicture) -> tuple[float, float]:
    import numpy as np

    values = [part for one in picture.curves for part in (one.y, one.stairs_y) if len(part)]
    every = np.concatenate([*values, [one.y for one in picture.measured]]) if values else np.empty(0)
    every = every[np.isfinite(every) & (every > 0)]
    if not len(every):
        return 0.0, 1.0
    low, high = float(np.log10(every.min())), float(np.log10(every.max()))
    room = max(0.05 * (high - low), 0.15 if high - low < 0.3 else 0.04)
    return low - room, high + room


def _linear_ticks(low: float, high: float, wanted: float) -> list[Tick]:
    from rooflinestudio.core.quantities import format_number

    rough = (high - low) / wanted
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(f for f in (1, 2, 5, 10) if f * power >= rough * 0.999) * power
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [Tick(n * step, format_number(n * step, digits=6), True) for n in range(first, last + 1)]
