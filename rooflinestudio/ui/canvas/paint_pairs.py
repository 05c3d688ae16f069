"""The sign of work that no counter saw: a dashed diamond around a kernel whose W is that of its operator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rooflinestudio.ui.canvas.paint_radii import DIAMOND

if TYPE_CHECKING:
    from rooflinestudio.ui.canvas.context import Canvas

__all__ = ["paint_lent"]

_AROUND: Final = 4.5
"""Pixels between the corners of the two diamonds."""


def paint_lent(c: Canvas) -> None:
    """Mark the kernels of the scene whose work is lent."""
    for marker in c.scene.markers:
        if not marker.lent:
            continue
        x, y = c.frame.point(marker.log_x, marker.log_y)
        if c.frame.plot.holds(x, y):
            r = (marker.radius or DIAMOND) + _AROUND
            corners = [(x, y - r), (x + r, y), (x, y + r), (x - r, y)]
            c.polygon(corners, pen=c.pen(c.slot(marker.slot), 1.2, (2.0, 1.6)))
