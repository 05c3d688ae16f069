"""Paints a plot of the serving view: axes, the shaded part, curves, marks, legend."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen, QPolygonF

from rooflinestudio.ui.canvas.axis import intensity_ticks
from rooflinestudio.ui.serving.plot_frame import LEFT_PX
from rooflinestudio.ui.serving.plot_labels import SHADE, paint_labels
from rooflinestudio.ui.widgets.ink import ink, slot_ink
from rooflinestudio.ui.widgets.painting import metrics, paint_text

if TYPE_CHECKING:
    from PySide6.QtGui import QColor

    from rooflinestudio.ui.serving.plot_frame import Frame
    from rooflinestudio.ui.serving.plot_model import Curve, Mark, PlotPicture

__all__ = ["paint_plot"]

_RIGHT_ALIGN, _CENTRE = Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignHCenter


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
    return paint_labels(painter, frame, picture)


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
            label = QRectF(frame.outer.left(), y - 8, LEFT_PX - 6, 16)
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
    painter.fillRect(area, ink("sunken", SHADE))
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
