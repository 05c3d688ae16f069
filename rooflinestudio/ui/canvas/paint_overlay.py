"""Measured kernels by the thousand: real markers while few are in view, a picture of their density above."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage

from rooflinestudio.ui.canvas.stamps import Shape

if TYPE_CHECKING:
    from rooflinestudio.ui.canvas.context import Canvas
    from rooflinestudio.ui.canvas.coordinates import Frame
    from rooflinestudio.ui.canvas.scene import OverlayPoints

__all__ = ["REAL_MARKERS", "count_image", "paint_overlays", "pixels_of", "points_in_view"]

REAL_MARKERS: Final = 3000
"""Up to so many points in view each is a diamond of its own."""
SMALL_DIAMOND: Final = 4.2
FILE_SCALE: Final = 3.0
"""Dots per logical pixel of a density picture in a file: 288 dpi."""
_FAINT, _FULL = 0.35, 0.95


def pixels_of(points: OverlayPoints, frame: Frame) -> tuple[Any, Any]:
    """Return the pixel coordinates of all points, as float32 arrays."""
    plot, range_ = frame.plot, frame.range
    per_x = np.float32(plot.width / (range_.x1 - range_.x0))
    per_y = np.float32(plot.height / (range_.y1 - range_.y0))
    x = (points.log_x - np.float32(range_.x0)) * per_x + np.float32(plot.left)
    y = np.float32(plot.bottom) - (points.log_y - np.float32(range_.y0)) * per_y
    return x, y


def points_in_view(points: OverlayPoints, frame: Frame) -> tuple[Any, Any, Any]:
    """Return x, y and positions of the points in the plot."""
    x, y = pixels_of(points, frame)
    plot = frame.plot
    inside = np.flatnonzero((x >= plot.left) & (x <= plot.right) & (y >= plot.top) & (y <= plot.bottom))
    return x[inside], y[inside], inside


def paint_overlays(c: Canvas) -> None:
    """Paint the unpaired kernels of all overlays."""
    for points in c.scene.overlays:
        x, y, inside = points_in_view(points, c.frame)
        if not len(inside):
            continue
        if len(inside) <= REAL_MARKERS:
            _markers(c, x, y)
        else:
            _density(c, x, y)


def _markers(c: Canvas, xs: Any, ys: Any) -> None:
    shape = Shape("diamond", SMALL_DIAMOND, c.colour("text2"), c.colour("canvas"), 1.0)
    for at in zip(xs.tolist(), ys.tolist(), strict=True):
        c.stamp(at, shape)


def _density(c: Canvas, x: Any, y: Any) -> None:
    plot = c.frame.plot
    scale = FILE_SCALE if c.vector else c.painter.device().devicePixelRatio()
    image = count_image(
        (x - np.float32(plot.left)) * np.float32(scale),
        (y - np.float32(plot.top)) * np.float32(scale),
        (max(1, round(plot.width * scale)), max(1, round(plot.height * scale))),
        c.colour("text2"),
    )
    c.painter.drawImage(QRectF(plot.left, plot.top, plot.width, plot.height), image)


def count_image(x: Any, y: Any, size: tuple[int, int], colour: QColor) -> QImage:
    """Return a picture of how many points fall on each pixel, each spread over 3 x 3 pixels.

    One point is seen, many are denser: opacity grows with the logarithm of the count.
    """
    width, height = size
    column = np.clip(x.astype(np.int32), 0, width - 1)
    row = np.clip(y.astype(np.int32), 0, height - 1)
    counts = np.bincount(row * width + column, minlength=width * height).clip(0, 255).astype(np.uint8)
    counts = counts.reshape(height, width)
    for axis in (0, 1):
        spread = counts.copy()
        ahead, behind = _shifts(axis)
        np.maximum(spread[ahead], counts[behind], out=spread[ahead])
        np.maximum(spread[behind], counts[ahead], out=spread[behind])
        counts = spread
    pixels = np.ascontiguousarray(_table(colour)[counts])
    image = QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_ARGB32_Premultiplied)
    return image.copy()  # the copy owns its pixels; the array may go


def _shifts(axis: int) -> tuple[Any, Any]:
    whole = slice(None)
    ahead, behind = slice(1, None), slice(None, -1)
    return ((ahead, whole), (behind, whole)) if axis == 0 else ((whole, ahead), (whole, behind))


def _table(colour: QColor) -> Any:
    """Return premultiplied ARGB for each count from 0 to 255."""
    counts = np.arange(256)
    alpha = _FAINT + (_FULL - _FAINT) * np.log1p(np.maximum(counts - 1, 0)) / np.log(256.0)
    alpha[0] = 0.0
    channels = [
        np.round(alpha * value).astype(np.uint32)
        for value in (255, colour.red(), colour.green(), colour.blue())
    ]
    return (channels[0] << 24) | (channels[1] << 16) | (channels[2] << 8) | channels[3]
