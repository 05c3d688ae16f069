"""The plot of a sweep: it reads the curves under the mouse, and the present values on it can be moved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPen, QPixmap
from PySide6.QtWidgets import QSizePolicy, QWidget

from rooflinestudio.ui.icons import worn_theme
from rooflinestudio.ui.sweep.frame import SweepFrame
from rooflinestudio.ui.sweep.paint import paint_sweep
from rooflinestudio.ui.sweep.readout import Readout
from rooflinestudio.ui.widgets.ink import ink
from rooflinestudio.ui.widgets.painting import paint_focus_ring

if TYPE_CHECKING:
    from collections.abc import Hashable

    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPaintEvent

    from rooflinestudio.core.sweep.picture import DrawnCurve, SweepPicture

__all__ = ["SweepPlot"]

_LEAST_PX: Final = 90
_GRIP_PX: Final = 12.0
_STEP: Final = 1.05
"""An arrow key moves a value on a logarithmic axis by this ratio, and by one at least."""


class SweepPlot(QWidget):
    """Shows a picture.

    Attributes
    ----------
    label_spots
        Where the labels lie.

    Signals
    -------
    valueMoved
        An entry, and the value to which its point was moved.
    moveEnded
        The point was let go.
    entryChosen
        The entry whose point was pressed.
    """

    valueMoved = Signal(str, object)
    moveEnded = Signal()
    entryChosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sweep.plot")
        self._picture: SweepPicture | None = None
        self._chosen: Hashable = None
        self._probe: float | None = None
        self._moving = ""
        self._keyed = False
        self._cached: tuple[object, QPixmap] | None = None
        self._readout = Readout()
        self.label_spots: list[QRectF] = []
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Sweep")

    # What it shows ------------------------------------------------------------------------------------------------

    @property
    def picture(self) -> SweepPicture | None:
        """What is shown."""
        return self._picture

    @property
    def is_moving(self) -> bool:
        """Whether a point is being moved, by mouse or by key."""
        return bool(self._moving) or self._keyed

    def set_picture(self, picture: SweepPicture | None) -> None:
        """Show another picture."""
        if picture is self._picture:
            return
        self._picture = picture
        if picture is not None:
            self.setAccessibleName(f"Sweep: {picture.title}")
            self.setAccessibleDescription(picture.verdict)
            if self._probe is not None:
                low, high = picture.x_range
                self._probe = min(max(self._probe, low), high)
        self.update()

    def set_chosen(self, key: Hashable) -> None:
        """Emphasise a threshold; None emphasises none."""
        if key != self._chosen:
            self._chosen = key
            self.update()

    def probe_text(self) -> str:
        """Return what the curves say under the mouse, or an empty text."""
        if self._picture is None or self._probe is None:
            return ""
        return self._readout.words(self._picture, self._probe)

    def frame(self) -> SweepFrame | None:
        """Return where values lie in the widget."""
        return None if self._picture is None else SweepFrame(QRectF(self.rect()), self._picture)

    def spot(self, curve: DrawnCurve) -> QPointF | None:
        """Return where the present value of an entry is painted."""
        frame = self.frame()
        return None if frame is None or curve.here is None else frame.point(*curve.here)

    def sizeHint(self) -> QSize:
        return QSize(520, 340)

    def minimumSizeHint(self) -> QSize:
        return QSize(240, 96)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        picture, frame = self._picture, self.frame()
        if picture is None or frame is None or min(self.width(), self.height()) <= _LEAST_PX:
            painter.fillRect(self.rect(), ink("canvas"))
        else:
            painter.drawPixmap(0, 0, self._painted(frame, picture))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            if self._probe is not None and not self.is_moving:
                self._readout.paint(painter, frame, picture, self._probe)
            if (
                self.hasFocus()
                and (lead := self._lead()) is not None
                and (spot := self.spot(lead)) is not None
            ):
                ring = QPen(ink("accent"), 1.6)
                ring.setDashPattern([2.0, 1.5])
                painter.setPen(ring)
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawEllipse(spot, 11.0, 11.0)
        if self.hasFocus():
            paint_focus_ring(painter, QRectF(self.rect()), 3.0)
        painter.end()

    def _painted(self, frame: SweepFrame, picture: SweepPicture) -> QPixmap:
        """Return all but the readout, painted once: that then moves without placing the labels anew."""
        ratio = self.devicePixelRatioF()
        key = (id(picture), self._chosen, self.size().toTuple(), ratio, worn_theme().name)
        if self._cached is None or self._cached[0] != key:
            made = QPixmap(self.size() * ratio)
            made.setDevicePixelRatio(ratio)
            made.fill(ink("canvas"))
            painter = QPainter(made)
            self.label_spots = paint_sweep(painter, frame, picture, self._chosen)
            painter.end()
            self._cached = key, made
        return self._cached[1]

    # What the user does -------------------------------------------------------------------------------------------

    def _lead(self) -> DrawnCurve | None:
        """Return the curve whose point the keys move."""
        return None if self._picture is None else self._picture.lead

    def _value_at(self, x: float) -> float | None:
        """Return the value under a pixel, whole where only whole ones make sense."""
        frame = self.frame()
        if frame is None or self._picture is None:
            return None
        low, high = self._picture.x_range
        value = min(max(frame.value(x), low), high)
        if self._picture.whole:
            value = float(round(value))
        return min(max(value, self._least()), high)

    def _least(self) -> float:
        assert self._picture is not None
        low = self._picture.x_range[0]
        return float(-(-low // 1)) if self._picture.whole else low

    def _gripped(self, at: QPointF) -> DrawnCurve | None:
        """Return the curve whose present value lies under the mouse, the nearest of several."""
        near: list[tuple[float, DrawnCurve]] = []
        for one in self._picture.curves if self._picture is not None else ():
            spot = self.spot(one)
            if spot is not None and (spot - at).manhattanLength() <= 2 * _GRIP_PX:
                near.append(((spot - at).manhattanLength(), one))
        return min(near, key=lambda pair: pair[0])[1] if near else None

    def _move(self, entry: str, value: float) -> None:
        assert self._picture is not None
        plain = int(value) if self._picture.whole else value
        here = next((one.here for one in self._picture.curves if one.key.entry == entry and one.here), None)
        if here is None or here[0] != plain:
            self.valueMoved.emit(entry, plain)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        curve = self._gripped(event.position())
        if event.button() == Qt.MouseButton.LeftButton and curve is not None:
            self._moving = curve.key.entry
            self.entryChosen.emit(curve.key.entry)
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
            event.accept()
            return
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        frame = self.frame()
        if frame is None:
            return
        at = event.position()
        value = self._value_at(at.x())
        if self._moving:
            if value is not None:
                self._move(self._moving, value)
            return
        over = frame.inner.adjusted(-1, -1, 1, 12).contains(at)
        grip = self._gripped(at) is not None
        self.setCursor(Qt.CursorShape.OpenHandCursor if grip else Qt.CursorShape.ArrowCursor)
        self._set_probe(value if over else None)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._moving:
            self._moving = ""
            self.unsetCursor()
            self.moveEnded.emit()
            self.update()
            return
        super().mouseReleaseEvent(event)

    def leaveEvent(self, _event: QEvent) -> None:
        self._set_probe(None)

    def _set_probe(self, value: float | None) -> None:
        if value != self._probe:
            self._probe = value
            self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_PageDown: -8, Qt.Key.Key_PageUp: 8}
        step = steps.get(Qt.Key(event.key()))
        lead = self._lead()
        if step is None or lead is None or lead.here is None:
            super().keyPressEvent(event)
            return
        self._keyed = True
        self._move(lead.key.entry, self._stepped(lead.here[0], step))

    def _stepped(self, value: float, step: int) -> float:
        """Return the next value: one on, or by a constant ratio on a logarithmic axis where that is further."""
        assert self._picture is not None
        low, high = self._least(), self._picture.x_range[1]
        up = 1 if step > 0 else -1
        if not self._picture.spec.is_log:
            span = max(1.0, round((high - low) / 200)) if self._picture.whole else (high - low) / 200
            return min(max(value + step * span, low), high)
        fresh = value * _STEP**step
        if self._picture.whole:
            fresh = max(float(round(fresh)), value + 1) if up > 0 else min(float(round(fresh)), value - 1)
        return min(max(fresh, low), high)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if self._keyed and not event.isAutoRepeat():
            self._keyed = False
            self.moveEnded.emit()
            return
        super().keyReleaseEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if self._keyed:
            self._keyed = False
            self.moveEnded.emit()
