"""Marker shapes. Files get them as shapes; the screen stamps small pictures of them, which is several times faster."""

from __future__ import annotations

import math
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap, QPolygonF

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

__all__ = ["Shape", "Stamps"]

_PARTS: Final = 4
"""A stamp is kept for each quarter of a pixel, so that markers move smoothly."""
_KEPT: Final = 2000


class Shape(NamedTuple):
    """A marker: form, outer radius, fill, and a pen of its own or in the canvas's colour around it."""

    form: Literal["circle", "square", "diamond", "diamond-dot", "diamond-half"]
    radius: float
    fill: QColor
    pen: QColor
    width: float

    def key(self) -> Hashable:
        return self.form, self.radius, self.fill.rgba(), self.pen.rgba(), self.width


class Stamps:
    """Draws shapes and keeps pictures of them."""

    def __init__(self) -> None:
        self._pictures: OrderedDict[Hashable, QPixmap] = OrderedDict()

    def draw(self, painter: QPainter, at: tuple[float, float], shape: Shape, *, vector: bool) -> None:
        """Draw a shape around a point."""
        if vector:
            _draw(painter, at, shape)
            return
        ratio = painter.device().devicePixelRatio()
        x, y = at[0] * ratio, at[1] * ratio
        left, top = math.floor(x), math.floor(y)
        picture = self._kept(shape, ratio, (int((x - left) * _PARTS), int((y - top) * _PARTS)))
        half = _half(shape, ratio)
        if ratio == 1:  # with whole numbers Qt takes a way that is six times as fast
            painter.drawPixmap(left - half, top - half, picture)
        else:
            painter.drawPixmap(QPointF((left - half) / ratio, (top - half) / ratio), picture)

    def _kept(self, shape: Shape, ratio: float, part: tuple[int, int]) -> QPixmap:
        """Return the picture of a shape that is shifted by parts of a pixel."""
        key = (shape.key(), ratio, *part)
        picture = self._pictures.get(key)
        if picture is None:
            picture = self._pictures[key] = _picture(shape, ratio, _half(shape, ratio), part)
            if len(self._pictures) > _KEPT:
                self._pictures.popitem(last=False)
        return picture

    def draw_many(
        self, painter: QPainter, at: tuple[Any, Any], shapes: Sequence[Shape], which: Any = None
    ) -> None:
        """Draw shapes around many points; ``which`` has the number of the shape of each, left out it is the first.

        The screen only: what does not differ from point to point is done once for all of them.
        """
        import numpy as np

        ratio = painter.device().devicePixelRatio()
        x, y = at[0] * ratio, at[1] * ratio
        left, top = np.floor(x), np.floor(y)
        parts = ((x - left) * _PARTS).astype(int) * _PARTS + ((y - top) * _PARTS).astype(int)
        keys = parts if which is None else parts + _PARTS * _PARTS * which
        halves = np.array([_half(shape, ratio) for shape in shapes])
        half = halves[0] if which is None else halves[which]
        pictures: dict[int, QPixmap] = {}
        for one in np.unique(keys).tolist():
            number, part = divmod(one, _PARTS * _PARTS)
            pictures[one] = self._kept(shapes[number], ratio, divmod(part, _PARTS))
        draw = painter.drawPixmap
        if ratio == 1:
            whole = zip((left - half).astype(int).tolist(), (top - half).astype(int).tolist(), strict=True)
            for (px, py), key in zip(whole, keys.tolist(), strict=True):
                draw(px, py, pictures[key])
            return
        places = zip(
            ((left - half) / ratio).tolist(), ((top - half) / ratio).tolist(), keys.tolist(), strict=True
        )
        for px, py, key in places:
            draw(QPointF(px, py), pictures[key])

    def dotted_column(self, painter: QPainter, x: float, ends: tuple[float, float], colour: QColor) -> None:
        """Draw an upright line of single dots, one in four pixels, from ``ends[0]`` down to ``ends[1]``."""
        ratio = painter.device().devicePixelRatio()
        top, bottom = math.ceil(ends[0]), math.floor(ends[1])
        if bottom <= top:
            return
        key = ("column", colour.rgba(), ratio)
        picture = self._pictures.get(key)
        if picture is None or picture.height() < (bottom - top) * ratio:
            picture = self._pictures[key] = _dots(colour, ratio, max(2000, bottom - top))
        source = QRectF(0.0, 0.0, picture.width(), (bottom - top) * ratio)
        painter.drawPixmap(QRectF(math.floor(x), top, 1.0, bottom - top), picture, source)


def _half(shape: Shape, ratio: float) -> int:
    """Return half the size of a shape's picture in dots."""
    return math.ceil((shape.radius + shape.width) * ratio) + 1


def _dots(colour: QColor, ratio: float, length: int) -> QPixmap:
    picture = QPixmap(max(1, round(ratio)), math.ceil(length * ratio))
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    for at in range(0, length, 4):
        painter.fillRect(QRectF(0.0, at * ratio, picture.width(), ratio), colour)
    painter.end()
    return picture


def _picture(shape: Shape, ratio: float, half: int, part: tuple[int, int]) -> QPixmap:
    picture = QPixmap(2 * half + 1, 2 * half + 1)
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    centre = tuple((half + (one + 0.5) / _PARTS) / ratio for one in part)
    _draw(painter, (centre[0], centre[1]), shape)
    painter.end()
    return picture


def _draw(painter: QPainter, at: tuple[float, float], shape: Shape) -> None:
    x, y = at
    r = shape.radius
    painter.setPen(
        QPen(shape.pen, shape.width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap, Qt.PenJoinStyle.MiterJoin)
    )
    painter.setBrush(shape.fill)
    if shape.form == "circle":
        painter.drawEllipse(QPointF(x, y), r, r)
        return
    if shape.form == "square":
        corners = ((-r, -r), (r, -r), (r, r), (-r, r))
    else:
        corners = ((0.0, -r), (r, 0.0), (0.0, r), (-r, 0.0))
    painter.drawPolygon(QPolygonF([QPointF(x + dx, y + dy) for dx, dy in corners]))
    if shape.form in ("diamond-dot", "diamond-half"):
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(shape.pen)
        dot = max(0.8, 0.4 * r)
        inner = (
            ((0.0, -dot), (dot, 0.0), (0.0, dot), (-dot, 0.0))
            if shape.form == "diamond-dot"
            else ((r, 0.0), (0.0, r), (-r, 0.0))
        )
        painter.drawPolygon(QPolygonF([QPointF(x + dx, y + dy) for dx, dy in inner]))
