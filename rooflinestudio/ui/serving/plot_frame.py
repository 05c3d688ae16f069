"""Where the data of a plot lie in its rectangle."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRectF

if TYPE_CHECKING:
    from rooflinestudio.ui.serving.plot_model import PlotPicture

__all__ = ["LEFT_PX", "Frame"]

LEFT_PX: Final = 52.0
"""Room for the words of the left axis."""

_RIGHT, _TOP, _BOTTOM, _LEGEND = 14.0, 42.0, 36.0, 22.0
_LOW_PX: Final = 260.0
"""A plot lower than this has no subtitle, its legend beside the title of the axis, and labels of one line."""


class Frame:
    """Where the data of a picture lie in a rectangle."""

    def __init__(self, rect: QRectF, picture: PlotPicture) -> None:
        self.outer = rect
        self.low = rect.height() < _LOW_PX
        top, below = (_TOP - 16.0, 0.0) if self.low else (_TOP, _LEGEND)
        self.inner = rect.adjusted(LEFT_PX, top, -_RIGHT, -_BOTTOM - below)
        self.x0, self.x1 = (math.log10(one) for one in picture.x_range)
        self.y0, self.y1 = (math.log10(one) for one in picture.y_range)

    def x(self, value: float) -> float:
        """Return the pixel of an x."""
        share = (math.log10(max(value, 1e-300)) - self.x0) / (self.x1 - self.x0)
        return self.inner.left() + min(max(share, -2.0), 3.0) * self.inner.width()

    def y(self, value: float) -> float:
        """Return the pixel of a y."""
        share = (math.log10(max(value, 1e-300)) - self.y0) / (self.y1 - self.y0)
        return self.inner.bottom() - min(max(share, -2.0), 3.0) * self.inner.height()

    def value(self, pixel: float) -> float:
        """Return the x under a pixel."""
        share = (pixel - self.inner.left()) / self.inner.width()
        return float(10.0 ** (self.x0 + share * (self.x1 - self.x0)))

    def point(self, x: float, y: float) -> QPointF:
        """Return the pixel of a point."""
        return QPointF(self.x(x), self.y(y))
