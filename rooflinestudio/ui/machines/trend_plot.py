"""One figure of all machines by year, with the line that fits it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from rooflinestudio.core.machines.trend import KNOWN_GROWTH
from rooflinestudio.core.quantities import format_number, format_quantity
from rooflinestudio.ui.widgets.ink import ink, slot_ink
from rooflinestudio.ui.widgets.painting import metrics, paint_marker, paint_text

if TYPE_CHECKING:
    from PySide6.QtGui import QMouseEvent, QPaintEvent

    from rooflinestudio.core.machines.trend import TrendPoint, TrendSeries

__all__ = ["TrendPlot"]

_LEFT, _RIGHT, _TOP, _BOTTOM = 84.0, 14.0, 42.0, 26.0
_NEAR_PX: Final = 9.0
_AT_RIGHT, _CENTRE = Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignHCenter


class TrendPlot(QWidget):
    """Points over years on a logarithmic axis; those of the study are filled and named.

    Signals
    -------
    machineChosen
        Id of the machine whose point was clicked.
    """

    machineChosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._series: TrendSeries | None = None
        self._years = (2016, 2026)
        self._shown: frozenset[str] = frozenset()
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(230, 170)

    @property
    def series(self) -> TrendSeries | None:
        """What is drawn."""
        return self._series

    def show_series(self, series: TrendSeries, years: tuple[int, int], shown: frozenset[str]) -> None:
        """Draw a series over the years; ``shown`` are ids of the machines in view."""
        self._series, self._years, self._shown = series, years, shown
        self.setAccessibleName(f"{series.label} by year")
        self.setAccessibleDescription(growth_words(series))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(330, 240)

    # Places -------------------------------------------------------------------------------------------------------

    def _inner(self) -> QRectF:
        return QRectF(
            _LEFT, _TOP, max(40.0, self.width() - _LEFT - _RIGHT), max(30.0, self.height() - _TOP - _BOTTOM)
        )

    def _decades(self) -> tuple[float, float]:
        assert self._series is not None
        logs = [math.log10(one.value) for one in self._series.points]
        low, high = math.floor(min(logs) - 0.05), math.ceil(max(logs) + 0.05)
        return float(low), float(max(high, low + 1))

    def _place(self, year: float, value: float) -> QPointF:
        inner, (low, high) = self._inner(), self._decades()
        first, last = self._years[0] - 0.5, self._years[1] + 0.5
        across = (year - first) / (last - first)
        up = (math.log10(value) - low) / (high - low)
        return QPointF(inner.left() + across * inner.width(), inner.bottom() - up * inner.height())

    def point_at(self, where: QPointF) -> TrendPoint | None:
        """Return the point under the pointer."""
        if self._series is None:
            return None
        found = [
            (math.dist(self._place(one.year, one.value).toTuple(), where.toTuple()), one)
            for one in self._series.points
        ]
        distance, nearest = min(found, key=lambda pair: pair[0])
        return nearest if distance <= _NEAR_PX else None

    def place_of(self, machine: str) -> QPointF | None:
        """Return where the point of a machine stands."""
        points = self._series.points if self._series is not None else ()
        return next((self._place(one.year, one.value) for one in points if one.machine == machine), None)

    # Painting -----------------------------------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), ink("canvas"))
        if self._series is not None:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_words(painter, self._series)
            self._paint_grid(painter, self._series)
            self._paint_line(painter, self._series)
            self._paint_points(painter, self._series)
        painter.end()

    def _paint_words(self, painter: QPainter, series: TrendSeries) -> None:
        width = self.width() - 24.0
        paint_text(painter, QRectF(12, 4, width, 18), series.label, "section", ink("text"))
        paint_text(painter, QRectF(12, 22, width, 16), growth_words(series), "caption", ink("text2"))

    def _paint_grid(self, painter: QPainter, series: TrendSeries) -> None:
        inner, (low, high) = self._inner(), self._decades()
        painter.setPen(QPen(ink("border"), 1.0))
        every = max(1, math.ceil((high - low) * 15 / inner.height()))
        for decade in range(int(low), int(high) + 1, every):
            y = self._place(self._years[0], 10.0**decade).y()
            painter.setPen(QPen(ink("border"), 1.0))
            painter.drawLine(QPointF(inner.left(), y), QPointF(inner.right(), y))
            label = QRectF(0, y - 8, _LEFT - 8, 16)
            paint_text(
                painter, label, _value_text(10.0**decade, series.unit), "axis", ink("muted"), _AT_RIGHT
            )
        first, last = self._years
        step = max(1, math.ceil((last - first + 1) * 40 / inner.width()))
        for year in range(first, last + 1, step):
            x = self._place(year, 10.0**low).x()
            place = QRectF(x - 24, inner.bottom() + 4, 48, 16)
            paint_text(painter, place, str(year), "axis", ink("muted"), _CENTRE)

    def _paint_line(self, painter: QPainter, series: TrendSeries) -> None:
        first, last = self._years
        start, end = series.at(first), series.at(last)
        if start is None or end is None:
            return
        painter.save()
        painter.setClipRect(self._inner())
        pen = QPen(ink("text2"), 1.2)
        pen.setDashPattern([5.0, 4.0])
        painter.setPen(pen)
        painter.drawLine(self._place(first, start), self._place(last, end))
        painter.restore()

    def _paint_points(self, painter: QPainter, series: TrendSeries) -> None:
        taken: list[QRectF] = []
        for one in sorted(series.points, key=lambda point: point.machine in self._shown):
            at = self._place(one.year, one.value)
            if one.machine not in self._shown:
                painter.setPen(QPen(ink("muted"), 1.0))
                painter.setBrush(ink("canvas"))
                painter.drawEllipse(at, 3.0, 3.0)
                continue
            paint_marker(painter, at, "circle", slot_ink(0), 4.5)
            self._paint_name(painter, one.name, at, taken)

    def _paint_name(self, painter: QPainter, name: str, at: QPointF, taken: list[QRectF]) -> None:
        """Write a name left or right of its point, where no other name stands."""
        width = metrics("caption").horizontalAdvance(name) + 2
        places = (
            QRectF(at.x() - 8 - width, at.y() - 15, width, 15),
            QRectF(at.x() + 8, at.y() - 2, width, 15),
            QRectF(at.x() - 8 - width, at.y() + 2, width, 15),
        )
        inner = self._inner().adjusted(-4, -8, 8, 4)
        for place in places:
            if inner.contains(place) and not any(place.intersects(one) for one in taken):
                paint_text(painter, place, name, "caption", ink("text"))
                taken.append(place)
                return

    # What the user does -------------------------------------------------------------------------------------------

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        found = self.point_at(event.position())
        self.setCursor(Qt.CursorShape.PointingHandCursor if found is not None else Qt.CursorShape.ArrowCursor)
        if found is None or self._series is None:
            QToolTip.hideText()
            return
        text = f"{found.name}, {found.year}\n{_value_text(found.value, self._series.unit)}"
        QToolTip.showText(event.globalPosition().toPoint(), text, self)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        found = self.point_at(event.position())
        if found is not None and event.button() == Qt.MouseButton.LeftButton:
            self.machineChosen.emit(found.machine)


def growth_words(series: TrendSeries) -> str:
    """Say how fast a figure grows, and how fast it did over two decades of servers, where that is known."""
    if series.growth is None:
        return "too few machines for a line"
    words = f"{format_number(series.growth)}× every two years"
    known = KNOWN_GROWTH.get(series.id)
    return words if known is None else f"{words} (servers of two decades: {known:g}×)"


def _value_text(value: float, unit: str) -> str:
    return format_number(value) if unit == "FLOP/B" else format_quantity(value, unit)
