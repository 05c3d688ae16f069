"""What the curves say at one value, as a small table over the plot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter, QPen

from rooflinestudio.ui.sweep.paint_curves import curve_pen
from rooflinestudio.ui.widgets.ink import ink
from rooflinestudio.ui.widgets.painting import metrics, paint_text

if TYPE_CHECKING:
    from rooflinestudio.core.sweep.picture import DrawnCurve, Reading, SweepPicture
    from rooflinestudio.ui.sweep.frame import SweepFrame

__all__ = ["Readout"]

_LINE, _PADDING, _SAMPLE = 17.0, 8.0, 24.0
_MOST = 8


class Readout:
    """Exact readings of all curves at one value; each is placed anew and kept while the picture stays."""

    def __init__(self) -> None:
        self._picture: SweepPicture | None = None
        self._kept: dict[float, list[tuple[DrawnCurve, Reading | None]]] = {}

    def at(self, picture: SweepPicture, value: float) -> list[tuple[DrawnCurve, Reading | None]]:
        """Return what each curve says."""
        if picture is not self._picture:
            self._picture, self._kept = picture, {}
        if value not in self._kept:
            there = [one for one in picture.curves if not one.curve.reason][:_MOST]
            self._kept[value] = [(one, one.reading(value, picture.spec)) for one in there]
        return self._kept[value]

    def words(self, picture: SweepPicture, value: float) -> str:
        """Return the readings in one line."""
        lines = [f"{picture.label} {picture.value_text(value)}"]
        several = len(picture.curves) > 1
        for one, reading in self.at(picture, value):
            said = "refused" if reading is None else reading.words
            lines.append(f"{one.name} {said}" if several else said)
        return "; ".join(lines)

    def paint(self, painter: QPainter, frame: SweepFrame, picture: SweepPicture, value: float) -> None:
        """Paint a line at the value and the table beside it."""
        x = frame.x(value)
        painter.setPen(QPen(ink("accent"), 1.0))
        painter.drawLine(QPointF(x, frame.inner.top()), QPointF(x, frame.foot))
        readings = self.at(picture, value)
        several = len(picture.curves) > 1
        lines = [f"{one.name}: {_said(reading)}" if several else _said(reading) for one, reading in readings]
        head = f"{picture.label} {picture.value_text(value)}"
        widths = [metrics("caption").horizontalAdvance(one) + (_SAMPLE if several else 0) for one in lines]
        width = max([*widths, metrics("name").horizontalAdvance(head)]) + 2 * _PADDING + 2
        box = QRectF(x + 8, frame.inner.top() + 4, width, _LINE * (len(lines) + 1) + 8)
        if box.right() > frame.outer.right() - 4:
            box.moveRight(x - 8)
        box.moveLeft(max(box.left(), frame.outer.left() + 4))
        painter.setPen(QPen(ink("border"), 1.0))
        painter.setBrush(ink("raised"))
        painter.drawRoundedRect(box, 5.0, 5.0)
        line = QRectF(box.left() + _PADDING, box.top() + 4, box.width() - 2 * _PADDING, _LINE)
        paint_text(painter, line, head, "name", ink("text"))
        for (one, _reading), words in zip(readings, lines, strict=True):
            line.translate(0, _LINE)
            if several:
                painter.setPen(curve_pen(one))
                y = line.center().y()
                painter.drawLine(QPointF(line.left(), y), QPointF(line.left() + 18, y))
            paint_text(
                painter, line.adjusted(_SAMPLE if several else 0, 0, 0, 0), words, "caption", ink("text2")
            )


def _said(reading: Reading | None) -> str:
    return "refused" if reading is None else reading.words
