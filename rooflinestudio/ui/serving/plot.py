"""A plot with logarithmic axes that paints one frozen picture, and reads its curves under the mouse or by key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen, QPixmap
from PySide6.QtWidgets import QSizePolicy, QWidget

from rooflinestudio.core.quantities import format_number
from rooflinestudio.ui.icons import worn_theme
from rooflinestudio.ui.serving.plot_frame import Frame
from rooflinestudio.ui.serving.plot_model import value_at
from rooflinestudio.ui.serving.plot_paint import paint_plot
from rooflinestudio.ui.serving.words import count_text
from rooflinestudio.ui.widgets.ink import ink
from rooflinestudio.ui.widgets.painting import metrics, paint_focus_ring, paint_text

if TYPE_CHECKING:
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPaintEvent

    from rooflinestudio.ui.serving.plot_model import PlotPicture

__all__ = ["ServingPlot"]

_STEP, _LEAST_PX = 1.05, 90


class ServingPlot(QWidget):
    """Shows a :class:`PlotPicture`; the mouse, or the arrow keys, move a line that reads the curves."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self._picture: PlotPicture | None = None
        self._probe: float | None = None
        self._cached: tuple[object, QPixmap] | None = None
        self.label_spots: list[QRectF] = []
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(name)

    @property
    def picture(self) -> PlotPicture | None:
        """What is shown."""
        return self._picture

    def set_picture(self, picture: PlotPicture | None) -> None:
        """Show another picture."""
        if picture is not self._picture:
            self._picture, self._cached = picture, None
            self.setAccessibleName(f"{self._name}: {picture.title}" if picture is not None else self._name)
            self.setAccessibleDescription(picture.spoken if picture is not None else "")
            self.update()

    def probe_text(self) -> str:
        """Return what the curves say at the line, or an empty text without one."""
        if self._picture is None or self._probe is None:
            return ""
        at = float(round(self._probe))
        words = [f"{self._picture.x_title.split(',')[0]} {count_text(at)}"]
        for curve in self._picture.curves:
            height = value_at(curve.x, curve.y, at)
            if height is not None:
                words.append(f"{curve.name} {format_number(height)}")
        return ", ".join(words)

    def sizeHint(self) -> QSize:
        return QSize(480, 320)

    def minimumSizeHint(self) -> QSize:
        return QSize(240, 96)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self._picture is not None and min(self.width(), self.height()) > _LEAST_PX:
            frame = Frame(QRectF(self.rect()), self._picture)
            painter.drawPixmap(0, 0, self._painted(frame, self._picture))
            self._paint_probe(painter, frame)
        else:
            painter.fillRect(self.rect(), ink("canvas"))
        if self.hasFocus():
            paint_focus_ring(painter, QRectF(self.rect()), 3.0)
        painter.end()

    def _painted(self, frame: Frame, picture: PlotPicture) -> QPixmap:
        """Return all but the line, painted once: the line then moves without placing the labels anew."""
        ratio = self.devicePixelRatioF()
        key = (id(picture), self.size().toTuple(), ratio, worn_theme().name)
        if self._cached is None or self._cached[0] != key:
            made = QPixmap(self.size() * ratio)
            made.setDevicePixelRatio(ratio)
            made.fill(ink("canvas"))
            painter = QPainter(made)
            self.label_spots = paint_plot(painter, frame, picture)
            painter.end()
            self._cached = key, made
        return self._cached[1]

    def _paint_probe(self, painter: QPainter, frame: Frame) -> None:
        if self._probe is None or self._picture is None:
            return
        x = frame.x(float(round(self._probe)))
        painter.setPen(QPen(ink("accent"), 1.0))
        painter.drawLine(QPointF(x, frame.inner.top()), QPointF(x, frame.inner.bottom()))
        text = self.probe_text()
        width = metrics("caption").horizontalAdvance(text) + 12
        box = QRectF(min(x + 6, frame.inner.right() - width), frame.inner.top() + 3, width, 18)
        if box.left() < frame.inner.left():
            box.moveLeft(frame.inner.left())
            box.setRight(frame.inner.right())
        painter.setPen(QPen(ink("border"), 1.0))
        painter.setBrush(ink("raised"))
        painter.drawRoundedRect(box, 4.0, 4.0)
        paint_text(painter, box.adjusted(6, 0, -6, 0), text, "caption", ink("text"))

    def _move_probe(self, value: float | None) -> None:
        if self._picture is None:
            return
        if value is not None:
            low, high = self._picture.x_range
            value = min(max(value, low), high)
        if value != self._probe:
            self._probe = value
            self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._picture is None:
            return
        frame = Frame(QRectF(self.rect()), self._picture)
        inside = frame.inner.contains(event.position())
        self._move_probe(frame.value(event.position().x()) if inside else None)

    def leaveEvent(self, _event: QEvent) -> None:
        self._move_probe(None)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._move_probe(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        direction = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if direction is None or self._picture is None:
            super().keyPressEvent(event)
            return
        here = self._probe if self._probe is not None else self._picture.x_range[0]
        stepped = here * _STEP**direction
        whole = round(here) + direction
        self._move_probe(max(stepped, whole) if direction > 0 else min(stepped, whole))
