"""A slider over a scale of values: it stops at even numbers and tells the value, not the position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSlider, QStyle, QStyleOptionSlider, QWidget

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent

    from rooflinestudio.ui.widgets.snapping import Scale

__all__ = ["LogSlider"]

_POSITIONS: Final = 2000
_Action = QSlider.SliderAction
_STEPS: Final = {
    _Action.SliderSingleStepAdd: (1, 1),
    _Action.SliderSingleStepSub: (-1, 1),
    _Action.SliderPageStepAdd: (1, 8),
    _Action.SliderPageStepSub: (-1, 8),
}


class LogSlider(QSlider):
    """Chooses values of a :class:`Scale`; the value beside it in an entry is the truth.

    Signals
    -------
    valueMoved
        A value chosen by the user, while dragging and by key.
    gestureEnded
        The drag ended, or the key was released: what follows is another gesture.
    """

    valueMoved = Signal(object)
    gestureEnded = Signal()

    def __init__(self, scale: Scale, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._scale = scale
        self._value: float = scale.low
        self.setRange(0, _POSITIONS)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumWidth(48)
        self.sliderMoved.connect(self._on_slider_moved)
        self.actionTriggered.connect(self._on_action_triggered)
        self.sliderReleased.connect(self.gestureEnded)

    @property
    def scale(self) -> Scale:
        """The scale it runs over."""
        return self._scale

    def current(self) -> float:
        """Return the value that it stands for, which may lie outside the scale."""
        return self._value

    def set_value(self, value: float) -> None:
        """Stand for a value, without telling anybody."""
        self._value = value
        if not self.isSliderDown():  # during a drag the handle stays under the pointer
            self.blockSignals(True)
            self.setValue(round(self._scale.position(value) * _POSITIONS))
            self.blockSignals(False)

    def _on_slider_moved(self, position: int) -> None:
        self._choose(self._scale.value(position / _POSITIONS))

    def _on_action_triggered(self, action: int) -> None:
        found = _STEPS.get(QSlider.SliderAction(action))
        if found is not None:
            direction, times = found
            value = self._value
            for _ in range(times):
                value = self._scale.next(value, direction)
        elif action == _Action.SliderToMinimum.value:
            value = self._scale.low
        elif action == _Action.SliderToMaximum.value:
            value = self._scale.high
        else:
            return
        self.setSliderPosition(round(self._scale.position(value) * _POSITIONS))
        self._choose(value)

    def _choose(self, value: float) -> None:
        if value != self._value:
            self._value = value
            self.valueMoved.emit(value)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Jump to where the groove is pressed, then drag from there."""
        if event.button() == Qt.MouseButton.LeftButton and not self._handle_rect().contains(
            event.position().toPoint()
        ):
            position = self._position_at(event.position().x())
            self.setSliderPosition(position)
            self._on_slider_moved(position)
        super().mousePressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        super().keyReleaseEvent(event)
        if not event.isAutoRepeat():
            self.gestureEnded.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the panel that scrolls: a slider under the pointer must not change on the way."""
        event.ignore()

    def _handle_rect(self):
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        return self.style().subControlRect(
            QStyle.ComplexControl.CC_Slider, option, QStyle.SubControl.SC_SliderHandle, self
        )

    def _position_at(self, x: float) -> int:
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        style, control = self.style(), QStyle.ComplexControl.CC_Slider
        groove = style.subControlRect(control, option, QStyle.SubControl.SC_SliderGroove, self)
        handle = self._handle_rect().width()
        travel = groove.width() - handle
        offset = round(x - groove.left() - handle / 2)
        return QStyle.sliderValueFromPosition(0, _POSITIONS, offset, travel, option.upsideDown)
