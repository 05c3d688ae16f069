"""The diamonds of measured kernels: one family of forms, so that files are told apart without colour, too."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from rooflinestudio.ui.canvas.paint_radii import SMALLEST
from rooflinestudio.ui.canvas.stamps import Shape

if TYPE_CHECKING:
    from PySide6.QtGui import QColor

    from rooflinestudio.ui.canvas.context import Canvas

__all__ = ["diamond"]

SEEN_THROUGH: Final = 8.0
"""From this radius on an open diamond lets through what it lies on."""
_CORNER: Final = math.sqrt(2)


def diamond(c: Canvas, form: int, radius: float, colour: QColor, *, rim: float) -> Shape:
    """Return a diamond of a form (full, open, dotted, halved); ``rim`` parts a full one from what it covers."""
    canvas = c.colour("canvas")
    if form == 0:
        return Shape("diamond", radius + rim / 2 * _CORNER, colour, canvas, rim)
    if radius > SEEN_THROUGH:
        canvas = c.colour("canvas", 0.6)
    kind = ("diamond", "diamond", "diamond-dot", "diamond-half")[form % 4]
    width = 1.8 if radius > SMALLEST + 2 else 1.2
    return Shape(kind, max(1.2, radius - width / 2), canvas, colour, width)  # type: ignore[arg-type]
