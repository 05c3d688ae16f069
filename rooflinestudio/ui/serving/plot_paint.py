"""Paints a plot of the serving view: frame, axes, the shaded part, curves, marks, and labels that keep apart."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

from rooflinestudio.ui.canvas.axis import intensity_ticks
from rooflinestudio.ui.fonts import font
from rooflinestudio.ui.widgets.ink import ink, slot_ink
from rooflinestudio.ui.widgets.painting import metrics, paint_text

if TYPE_CHECKING:
    from rooflinestudio.ui.serving.plot_model import Curve, Mark, PlotPicture

__all__ = ["Frame", "paint_plot"]

_LEFT, _RIGHT, _TOP, _BOTTOM, _LEGEND = 52.0, 14.0, 42.0, 36.0, 22.0
_LOW_PX: Final = 260.0
"""A plot lower than this has no subtitle, its legend beside the title of the axis, and labels of one line."""

_LINE: Final = 15.0
_SHADE: Final = 0.75
_GAPS: Final = (9.0, 18.0, 30.0)
_RIGHT_ALIGN, _CENTRE = Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignHCenter


class Frame:
    """Where the data of a picture lie in a rectangle."""

    def __init__(self, rect: QRectF, picture: PlotPicture) -> None:
        self.outer = rect
        self.low = rect.height() < _LOW_PX
        top, below = (_TOP - 16.0, 0.0) if self.low else (_TOP, _LEGEND)
        self.inner = rect.adjusted(_LEFT, top, -_RIGHT, -_BOTTOM - below)
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


def paint_plot(painter: QPainter, frame: Frame, picture: PlotPicture) -> list[QRectF]:
    """Paint all of a picture; returns where its labels lie."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _paint_words(painter, frame, picture)
    _paint_grid(painter, frame)
    painter.save()
    painter.setClipRect(frame.inner.adjusted(-1, -1, 1, 1))
    _paint_shade(painter, frame, picture)
    for curve in picture.curves:
        _paint_curve(painter, frame, curve)
    painter.restore()
    for mark in picture.marks:
        _paint_mark(painter, frame, mark)
    _paint_legend(painter, frame, picture)
    return _paint_labels(painter, frame, picture)


def _paint_words(painter: QPainter, frame: Frame, picture: PlotPicture) -> None:
    outer, inner = frame.outer, frame.inner
    width = outer.width() - 8
    paint_text(
        painter, QRectF(outer.left() + 4, outer.top() + 2, width, 18), picture.title, "section", ink("text")
    )
    below = QRectF(inner.left(), inner.bottom() + 19, inner.width(), 15)
    paint_text(painter, below, picture.x_title, "axis", ink("muted"), _RIGHT_ALIGN if frame.low else _CENTRE)
    second = QRectF(outer.left() + 4, outer.top() + (2 if frame.low else 20), width, 16)
    unit = metrics("axis").horizontalAdvance(picture.y_title) + 12
    paint_text(painter, second, picture.y_title, "axis", ink("muted"), _RIGHT_ALIGN)
    if not frame.low:
        paint_text(painter, second.adjusted(0, 0, -unit, 0), picture.subtitle, "caption", ink("muted"))


def _paint_grid(painter: QPainter, frame: Frame) -> None:
    inner = frame.inner
    for tick in intensity_ticks(frame.x0, frame.x1, length=inner.width()):
        x = inner.left() + (tick.at - frame.x0) / (frame.x1 - frame.x0) * inner.width()
        painter.setPen(QPen(ink("border", 0.85 if tick.major else 0.28), 1.0))
        painter.drawLine(QPointF(x, inner.top()), QPointF(x, inner.bottom()))
        if tick.major:
            paint_text(
                painter, QRectF(x - 40, inner.bottom() + 3, 80, 15), tick.label, "axis", ink("text2"), _CENTRE
            )
    for tick in intensity_ticks(frame.y0, frame.y1, length=inner.height(), spacing=40.0):
        y = inner.bottom() - (tick.at - frame.y0) / (frame.y1 - frame.y0) * inner.height()
        painter.setPen(QPen(ink("border", 0.85 if tick.major else 0.28), 1.0))
        painter.drawLine(QPointF(inner.left(), y), QPointF(inner.right(), y))
        if tick.major:
            label = QRectF(frame.outer.left(), y - 8, _LEFT - 6, 16)
            paint_text(painter, label, tick.label, "axis", ink("text2"), _RIGHT_ALIGN)
    painter.setPen(QPen(ink("border_strong"), 1.0))
    painter.drawLine(inner.bottomLeft(), inner.bottomRight())


def _paint_shade(painter: QPainter, frame: Frame, picture: PlotPicture) -> None:
    if picture.shade is None:
        return
    left = max(frame.x(picture.shade.beyond), frame.inner.left())
    if left >= frame.inner.right():
        return
    area = QRectF(QPointF(left, frame.inner.top()), frame.inner.bottomRight())
    painter.fillRect(area, ink("sunken", _SHADE))
    painter.setPen(QPen(ink("text2"), 1.2))
    painter.drawLine(area.topLeft(), area.bottomLeft())


def _colour(colour: str | int, *, slot: bool) -> QColor:
    return slot_ink(colour) if slot else ink(str(colour))


def _pen(curve: Curve, dash: tuple[float, ...], width: float) -> QPen:
    made = QPen(_colour(curve.colour, slot=curve.slot), width)
    made.setCapStyle(Qt.PenCapStyle.FlatCap)
    made.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    if dash:
        made.setDashPattern([one / width for one in dash])
    return made


def _paint_curve(painter: QPainter, frame: Frame, curve: Curve) -> None:
    points = [frame.point(x, y) for x, y in zip(curve.x, curve.y, strict=True) if y > 0]
    path = QPainterPath()
    path.addPolygon(QPolygonF(points))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if curve.faint_from is None:
        painter.strokePath(path, _pen(curve, curve.dash, curve.width))
        return
    edge = frame.x(curve.faint_from)
    for left, right, dash, width in (
        (frame.inner.left(), edge, curve.dash, curve.width), (edge, frame.inner.right(), (2.0, 2.4), 1.4),
    ):  # fmt: skip
        painter.save()
        painter.setClipRect(
            QRectF(left, frame.inner.top(), max(0.0, right - left), frame.inner.height()),
            Qt.ClipOperation.IntersectClip,
        )
        painter.strokePath(path, _pen(curve, dash, width))
        painter.restore()


def _paint_mark(painter: QPainter, frame: Frame, mark: Mark) -> None:
    at, colour = frame.point(mark.x, mark.y), _colour(mark.colour, slot=mark.slot)
    if mark.drop:
        pen = QPen(ink("text2"), 1.0)
        pen.setDashPattern([1.0, 3.0])
        painter.setPen(pen)
        painter.drawLine(at, QPointF(at.x(), frame.inner.bottom()))
    if mark.shape == "triangle":
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawPolygon(QPolygonF([at + QPointF(0, -4), at + QPointF(4.5, 4), at + QPointF(-4.5, 4)]))
        return
    hollow = mark.shape in ("ring", "cross")
    painter.setBrush(ink("canvas") if hollow else colour)
    painter.setPen(QPen(colour if hollow else ink("canvas"), 1.6 if hollow else 2.0))
    if mark.shape == "cross":  # where two curves meet
        painter.drawPolygon(
            QPolygonF([at + QPointF(0, -5), at + QPointF(5, 0), at + QPointF(0, 5), at + QPointF(-5, 0)])
        )
    else:
        painter.drawEllipse(at, 4.6 if hollow else 6.0, 4.6 if hollow else 6.0)


def _paint_legend(painter: QPainter, frame: Frame, picture: PlotPicture) -> None:
    left, y = frame.inner.left() - 30.0, frame.outer.bottom() - (9.0 if frame.low else 12.0)
    end = frame.outer.right()
    if frame.low:
        end -= metrics("axis").horizontalAdvance(picture.x_title) + 24.0
    for curve in picture.curves:
        width = metrics("caption").horizontalAdvance(curve.name)
        if left + 30 + width > end:
            return
        painter.setPen(_pen(curve, curve.dash, curve.width))
        painter.drawLine(QPointF(left, y), QPointF(left + 24, y))
        paint_text(painter, QRectF(left + 30, y - 8, width + 2, 16), curve.name, "caption", ink("text2"))
        left += 30 + width + 18


# Labels -----------------------------------------------------------------------------------------------------------


def _paint_labels(painter: QPainter, frame: Frame, picture: PlotPicture) -> list[QRectF]:
    marks = [QRectF(frame.x(one.x) - 7, frame.y(one.y) - 7, 14, 14) for one in picture.marks]
    placed: list[QRectF] = []
    if picture.shade is not None and (spot := _shade_spot(frame, picture)) is not None:
        _write(painter, spot, picture.shade.lines, _halo(frame, picture, spot))
        placed.append(spot)
    samples = [frame.point(x, y) for curve in picture.curves for x, y in _dense(curve) if y > 0]
    samples += _edge(frame, picture)
    for mark in picture.marks:
        lines = mark.lines[:1] if frame.low else mark.lines
        spot = _best_spot(frame, mark, lines, (placed, marks), samples) if lines else None
        if spot is not None:
            _write(painter, spot, lines, _halo(frame, picture, spot))
            placed.append(spot)
    return placed


def _edge(frame: Frame, picture: PlotPicture) -> list[QPointF]:
    """Return points of the line before the shaded part: labels keep off it too."""
    if picture.shade is None:
        return []
    x, height = frame.x(picture.shade.beyond), frame.inner.height()
    return [QPointF(x, frame.inner.top() + at / 60 * height) for at in range(61)]


def _dense(curve: Curve) -> list[tuple[float, float]]:
    found = list(zip(curve.x, curve.y, strict=True))
    for (x, y), (next_x, next_y) in pairwise(list(found)):
        found.append((math.sqrt(x * next_x), math.sqrt(max(y, 0.0) * max(next_y, 0.0))))
    return found


def _size(lines: tuple[str, ...]) -> tuple[float, float]:
    widths = [
        metrics("placement" if at == 0 else "placement_detail").horizontalAdvance(line)
        for at, line in enumerate(lines)
    ]
    return max(widths) + 2, _LINE * len(lines)


def _shade_spot(frame: Frame, picture: PlotPicture) -> QRectF | None:
    assert picture.shade is not None
    width, height = _size(picture.shade.lines)
    left = max(frame.x(picture.shade.beyond), frame.inner.left()) + 8
    if left + width > frame.inner.right() - 2:
        if frame.low:
            return None
        left = max(frame.x(picture.shade.beyond), frame.inner.left()) - 8 - width
    if left < frame.inner.left() + 2:
        return None
    return QRectF(left, frame.inner.bottom() - height - 8, width, height)


def _best_spot(
    frame: Frame,
    mark: Mark,
    lines: tuple[str, ...],
    taken: tuple[list[QRectF], list[QRectF]],
    samples: list[QPointF],
) -> QRectF | None:
    """Return the place around a mark that costs least; None where all lie over another label or outside."""
    at = frame.point(mark.x, mark.y)
    labels, marks = taken
    width, height = _size(lines)
    room = frame.inner.adjusted(2, 2, -2, -2)
    best, least = None, 240.0
    for distance in _GAPS:
        for rank, spot in enumerate(_around(at, width, height, distance)):
            apart = spot.adjusted(-4, -2, 4, 2)
            if not room.contains(spot) or any(apart.intersects(one) for one in labels):
                continue
            cost = 120.0 * sum(apart.intersects(one) for one in marks)
            cost += 60.0 * any(_far(spot, one.center()) + 1.0 < _far(spot, at) for one in marks)
            cost += 9.0 * sum(apart.contains(one) for one in samples) + 2.0 * rank + 0.7 * distance
            if cost < least:
                best, least = spot, cost
    return best


def _far(spot: QRectF, point: QPointF) -> float:
    """Return the distance from a point to a rectangle."""
    across = max(spot.left() - point.x(), 0.0, point.x() - spot.right())
    return math.hypot(across, max(spot.top() - point.y(), 0.0, point.y() - spot.bottom()))


def _around(at: QPointF, width: float, height: float, gap: float) -> list[QRectF]:
    right, left = at.x() + gap, at.x() - gap - width
    above, below = at.y() - gap - height, at.y() + gap
    middle, centre = at.y() - height / 2, at.x() - width / 2
    corners = (
        (right, middle), (right, below), (left, middle), (left, above), (right, above), (left, below),
        (centre, below), (centre, above),
    )  # fmt: skip
    return [QRectF(x, y, width, height) for x, y in corners]


def _halo(frame: Frame, picture: PlotPicture, spot: QRectF) -> QColor:
    """Return the colour behind a label: that of the canvas, or of the shaded part."""
    canvas = ink("canvas")
    if picture.shade is None or spot.center().x() < frame.x(picture.shade.beyond):
        return canvas
    over = ink("sunken")
    mixed = (
        round(_SHADE * a + (1 - _SHADE) * b)
        for a, b in zip(over.getRgb()[:3], canvas.getRgb()[:3], strict=True)
    )
    return QColor(*mixed)


def _write(painter: QPainter, spot: QRectF, lines: tuple[str, ...], halo: QColor) -> None:
    """Write lines with a halo: boxes would tear holes into the curves."""
    for at, line in enumerate(lines):
        role = "placement" if at == 0 else "placement_detail"
        base = spot.top() + at * _LINE + (_LINE + metrics(role).ascent() - metrics(role).descent()) / 2
        path = QPainterPath()
        path.addText(QPointF(spot.left(), base), font(role), line)
        pen = QPen(halo, 4.0)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.strokePath(path, pen)
        painter.fillPath(path, ink("text" if at == 0 else "text2"))
