"""The plot of a sweep: hover or arrow keys read it, the dot of the entry can be dragged."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPen, QPixmap
from PySide6.QtWidgets import QSizePolicy, QWidget

from rooflinestudio.core.sweep_curves_words import curve_name, figure_text
from rooflinestudio.ui.icons import worn_theme
from rooflinestudio.ui.sweep.frame import SweepFrame
from rooflinestudio.ui.sweep.label_model import value_text
from rooflinestudio.ui.sweep.paint import paint_sweep
from rooflinestudio.ui.widgets.ink import ink
from rooflinestudio.ui.widgets.painting import metrics, paint_focus_ring, paint_text

if TYPE_CHECKING:
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPaintEvent

    from rooflinestudio.core.sweep_curves_drawn import DrawnCurve
    from rooflinestudio.core.sweep_curves_words import ThresholdLine
    from rooflinestudio.core.sweep_panel_picture import SweepPicture

__all__ = ["SweepPlot"]

_STEP: Final = 1.05
_LEAST_PX: Final = 90
_GRIP_PX: Final = 10.0


class SweepPlot(QWidget):
    """Shows a :class:`SweepPicture`.

    Signals
    -------
    valueRequested
        Entry id, value of the parameter, and whether it is being dragged.
    gestureEnded
        The dot was let go.
    """

    valueRequested = Signal(str, object, bool)
    gestureEnded = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.picture: SweepPicture | None = None
        self.label_spots: list[QRectF] = []
        self._chosen: ThresholdLine | None = None
        self._probe: float | None = None
        self._dragged = ""
        self._cached: tuple[object, QPixmap] | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Sweep")

    def set_picture(self, picture: SweepPicture | None) -> None:
        """Show another picture."""
        self.picture, self._cached = picture, None
        self.setAccessibleName(f"Sweep: {picture.title}" if picture is not None else "Sweep")
        self.setAccessibleDescription(picture.verdict if picture is not None else "")
        self.update()

    def set_chosen(self, line: ThresholdLine | None) -> None:
        """Emphasise the mark of a threshold."""
        if line != self._chosen:
            self._chosen, self._cached = line, None
            self.update()

    @property
    def chosen(self) -> ThresholdLine | None:
        """The threshold whose mark is emphasised."""
        return self._chosen

    def frame(self) -> SweepFrame | None:
        """Return where the data lie, or None while nothing is drawn."""
        if self.picture is None or min(self.width(), self.height()) < _LEAST_PX:
            return None
        return SweepFrame(QRectF(self.rect()), self.picture)

    def handle(self, entry: str) -> QPointF | None:
        """Return where the dot of an entry is."""
        frame = self.frame()
        curve = next((one for one in self._curves() if one.key.entry == entry and one.here), None)
        if frame is None or curve is None or curve.here is None:
            return None
        return frame.point(*curve.here)

    def _curves(self) -> tuple[DrawnCurve, ...]:
        return self.picture.curves if self.picture is not None else ()

    def probe_text(self) -> str:
        """Return value, figures and bounds at the line, or an empty text without one."""
        picture = self.picture
        if picture is None or self._probe is None:
            return ""
        words = [f"{picture.spec.parameter} {value_text(self._probe)}"]
        for curve in picture.curves[:3]:
            if not len(curve.x):
                continue
            # The nearest computed point, not one in between: what is told was evaluated.
            at = int(abs(curve.x - self._probe).argmin())
            span = curve.span_at(float(curve.x[at]))
            bound = f", {span.bound} at {span.binding}" if span is not None else ", refused"
            name = f"{curve_name(curve, picture.spec)} " if len(picture.curves) > 1 else ""
            words.append(f"{name}{figure_text(float(curve.y[at]), curve.unit)}{bound}")
        return "; ".join(words)

    # Painting -----------------------------------------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        return QSize(520, 320)

    def minimumSizeHint(self) -> QSize:
        return QSize(240, 100)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, frame = QPainter(self), self.frame()
        painter.fillRect(self.rect(), ink("canvas"))
        if frame is not None and self.picture is not None:
            painter.drawPixmap(0, 0, self._painted(frame, self.picture))
            self._paint_probe(painter, frame)
        if self.hasFocus():
            paint_focus_ring(painter, QRectF(self.rect()), 3.0)
        painter.end()

    def _painted(self, frame: SweepFrame, picture: SweepPicture) -> QPixmap:
        ratio = self.devicePixelRatioF()
        key = (self.size().toTuple(), ratio, worn_theme().name)
        if self._cached is None or self._cached[0] != key:
            made = QPixmap(self.size() * ratio)
            made.setDevicePixelRatio(ratio)
            made.fill(ink("canvas"))
            painter = QPainter(made)
            self.label_spots = paint_sweep(painter, frame, picture, self._chosen)
            painter.end()
            self._cached = key, made
        return self._cached[1]

    def _paint_probe(self, painter: QPainter, frame: SweepFrame) -> None:
        if self._probe is None:
            return
        x, text = frame.x(self._probe), self.probe_text()
        painter.setPen(QPen(ink("accent"), 1.0))
        painter.drawLine(QPointF(x, frame.inner.top()), QPointF(x, frame.inner.bottom()))
        width = min(metrics("caption").horizontalAdvance(text) + 14, frame.inner.width())
        left = min(max(x + 6, frame.inner.left()), frame.inner.right() - width)
        box = QRectF(left, frame.inner.top() + 3, width, 18)
        painter.setPen(QPen(ink("border"), 1.0))
        painter.setBrush(ink("raised"))
        painter.drawRoundedRect(box, 4.0, 4.0)
        paint_text(painter, box.adjusted(6, 0, -6, 0), text, "caption", ink("text"))

    # Reading and dragging -----------------------------------------------------------------------------------------

    def _rounded(self, value: float) -> float:
        """Return a value that the parameter takes."""
        assert self.picture is not None
        spec, subject = self.picture.spec, self.picture.lead.subject
        whole = subject is None or any(
            one.integer for one in subject.operator.parameters if one.name in spec.names
        )
        value = min(max(value, spec.low), spec.high)
        return round(value) if whole else float(f"{value:.4g}")

    def _move_probe(self, value: float | None) -> None:
        value = None if value is None or self.picture is None else self._rounded(value)
        if value != self._probe:
            self._probe = value
            self.update()

    def _grabbed(self, at: QPointF) -> str:
        found = [(math.hypot(spot.x() - at.x(), spot.y() - at.y()), one.key.entry)
                 for one in self._curves() if (spot := self.handle(one.key.entry)) is not None]  # fmt: skip
        near, entry = min(found, default=(math.inf, ""))
        return entry if near <= _GRIP_PX else ""

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._dragged = self._grabbed(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        frame = self.frame()
        if frame is None:
            return
        value = frame.value(event.position().x())
        if self._dragged:
            self._move_probe(None)
            self.valueRequested.emit(self._dragged, self._rounded(value), True)
            return
        grip = bool(self._grabbed(event.position()))
        self.setCursor(Qt.CursorShape.SizeHorCursor if grip else Qt.CursorShape.ArrowCursor)
        self._move_probe(value if frame.inner.contains(event.position()) else None)

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        if self._dragged:
            self._dragged = ""
            self.gestureEnded.emit()

    def leaveEvent(self, _event: QEvent) -> None:
        self._move_probe(None)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._move_probe(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        picture = self.picture
        direction = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if picture is None or (direction is None and self._probe is None):
            super().keyPressEvent(event)
        elif direction is not None:
            here = self._probe if self._probe is not None else (picture.lead.here or (picture.spec.low,))[0]
            stepped = here * _STEP**direction if here else direction
            far = abs(stepped - here) >= 1.0
            self._move_probe(stepped if far or self._rounded(stepped) != here else here + direction)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.valueRequested.emit(picture.lead.key.entry, self._probe, False)
        else:
            super().keyPressEvent(event)
