"""Measured kernels by the thousand: real markers while few are in view, a picture of their density above."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
from PySide6.QtCore import QRectF

from rooflinestudio.ui.canvas.density import Axis, density_image
from rooflinestudio.ui.canvas.measured_shape import diamond

if TYPE_CHECKING:
    from PySide6.QtGui import QColor, QImage

    from rooflinestudio.ui.canvas.context import Canvas
    from rooflinestudio.ui.canvas.coordinates import Frame
    from rooflinestudio.ui.canvas.scene import OverlayPoints

__all__ = ["REAL_MARKERS", "are_few", "count_image", "paint_overlays", "points_in_view"]

REAL_MARKERS: Final = 3000
"""Up to so many points in view each is a diamond of its own."""
SMALL_DIAMOND: Final = 3.5
STEP_PX: Final = 0.25
"""Radii are rounded to this, so that few different pictures of markers are kept."""
FILE_SCALE: Final = 3.0
"""Dots per logical pixel of a density picture in a file: 288 dpi."""


def points_in_view(points: OverlayPoints, frame: Frame) -> tuple[Any, Any, Any]:
    """Return x, y in pixels (float32) and positions of the points in the plot."""
    places, range_ = points.places, frame.range
    run = places.run(range_.x0, range_.x1)
    log_y = places.log_y[run]
    inside = np.flatnonzero((log_y >= np.float32(range_.y0)) & (log_y <= np.float32(range_.y1)))
    x, y = _pixels(places.log_x[run][inside], log_y[inside], frame)
    inside += run.start
    return x, y, places.positions(inside)


def _pixels(log_x: Any, log_y: Any, frame: Frame) -> tuple[Any, Any]:
    plot, range_ = frame.plot, frame.range
    per_x = np.float32(plot.width / (range_.x1 - range_.x0))
    per_y = np.float32(plot.height / (range_.y1 - range_.y0))
    x = (log_x - np.float32(range_.x0)) * per_x + np.float32(plot.left)
    y = np.float32(plot.bottom) - (log_y - np.float32(range_.y0)) * per_y
    return x, y


def paint_overlays(c: Canvas) -> None:
    """Paint the unpaired kernels of all overlays."""
    for points in c.scene.overlays:
        if are_few(points, c.frame):
            _markers(c, points)
        else:
            _density(c, points)


def are_few(points: OverlayPoints, frame: Frame) -> bool:
    """Tell whether so few points are in view that each is drawn."""
    range_ = frame.range
    run = points.places.run(range_.x0, range_.x1)
    if run.stop - run.start <= REAL_MARKERS:
        return True
    log_y = points.places.log_y[run]
    inside = (log_y >= np.float32(range_.y0)) & (log_y <= np.float32(range_.y1))
    return int(np.count_nonzero(inside)) <= REAL_MARKERS


def _markers(c: Canvas, points: OverlayPoints) -> None:
    x, y, inside = points_in_view(points, c.frame)
    colour = c.slot(points.slot)
    if points.radii is None:
        c.stamps(x, y, (diamond(c, points.form, SMALL_DIAMOND, colour, rim=1.0),))
        return
    radii = points.radii[inside]
    order = np.argsort(-radii, kind="stable")  # the small ones lie on the large ones
    steps, which = np.unique(np.round(radii[order] / STEP_PX), return_inverse=True)
    shapes = tuple(diamond(c, points.form, step * STEP_PX, colour, rim=1.0) for step in steps.tolist())
    c.stamps(x[order], y[order], shapes, which)


def _density(c: Canvas, points: OverlayPoints) -> None:
    plot, range_ = c.frame.plot, c.frame.range
    scale = FILE_SCALE if c.vector else c.painter.device().devicePixelRatio()
    run = points.places.run(range_.x0, range_.x1)
    size = max(1, round(plot.width * scale)), max(1, round(plot.height * scale))
    per_x, per_y = size[0] / (range_.x1 - range_.x0), size[1] / (range_.y1 - range_.y0)
    image = density_image(
        (points.places.log_x[run], points.places.log_y[run]),
        (Axis(per_x, -range_.x0 * per_x), Axis(-per_y, range_.y1 * per_y)),
        size,
        c.slot(points.slot),
        spread=max(1, round(scale)),  # as large to the eye on every screen and in files
    )
    c.painter.drawImage(QRectF(plot.left, plot.top, plot.width, plot.height), image)


def count_image(x: Any, y: Any, size: tuple[int, int], colour: QColor) -> QImage:
    """Return a picture of points that are given in its own pixels; see :func:`density_image`."""
    return density_image((x, y), (Axis(), Axis()), size, colour)
