"""Where the data of a sweep lie in a rectangle, on logarithmic or linear axes, and where the strips of bounds are."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF

from rooflinestudio.ui.serving.plot_frame import Frame

if TYPE_CHECKING:
    from rooflinestudio.core.sweep.picture import SweepPicture

__all__ = ["LEFT_PX", "SweepFrame"]

LEFT_PX: Final = 76.0
"""Room for the words of the left axis, which have units."""

_RIGHT, _LOW_PX = 14.0, 260.0
_STRIP, _STRIP_LOW, _STRIP_GAP, _MOST_STRIPS, _MOST_LOW = 6.0, 4.0, 2.0, 6, 4


class SweepFrame(Frame):
    """Maps values to pixels.

    Attributes
    ----------
    strips
        One rectangle for each curve that has a strip, under the plot.
    low
        Whether there is too little height for a subtitle and a legend of its own.
    """

    def __init__(
        self, rect: QRectF, picture: SweepPicture
    ) -> None:  # not the frame of a plot that is always log-log
        self.outer, self.is_log = rect, picture.spec.is_log
        self.low = rect.height() < _LOW_PX
        high = _STRIP_LOW if self.low else _STRIP
        most = max(2, min(_MOST_LOW, int(rect.height() - 96.0) // 24)) if self.low else _MOST_STRIPS
        shown = min(sum(not one.curve.reason for one in picture.curves), most)
        strips = shown * (high + _STRIP_GAP) + 2.0
        top, bottom = (24.0, 33.0) if self.low else (44.0, 58.0)
        self.inner = rect.adjusted(LEFT_PX, top, -_RIGHT, -bottom - strips)
        self.strips = [
            QRectF(
                self.inner.left(),
                self.inner.bottom() + 3 + at * (high + _STRIP_GAP),
                self.inner.width(),
                high,
            )
            for at in range(shown)
        ]
        self.foot = self.inner.bottom() + strips
        self.x0, self.x1 = (self._scaled(one) for one in picture.x_range)
        self.y0, self.y1 = (self._scaled(one) for one in picture.y_range)

    def _scaled(self, value: float) -> float:
        return math.log10(max(value, 1e-300)) if self.is_log else value

    def x(self, value: float) -> float:
        """Return the pixel of an x."""
        share = (self._scaled(value) - self.x0) / (self.x1 - self.x0)
        return self.inner.left() + min(max(share, -2.0), 3.0) * self.inner.width()

    def y(self, value: float) -> float:
        """Return the pixel of a y."""
        share = (self._scaled(value) - self.y0) / (self.y1 - self.y0)
        return self.inner.bottom() - min(max(share, -2.0), 3.0) * self.inner.height()

    def value(self, pixel: float) -> float:
        """Return the x under a pixel."""
        at = self.x0 + (pixel - self.inner.left()) / self.inner.width() * (self.x1 - self.x0)
        return float(10.0**at) if self.is_log else at
