"""The probe on the canvas: dragged, moved by keys, read in its card. It keeps nothing but where it stands.

While it is moved only what lies over the canvas is drawn anew; what was asked for is told when the gesture ends.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QPoint, Qt, Signal

from rooflinestudio.core.probe import HIGHEST_INTENSITY, LOWEST_INTENSITY, ProbeChoice, probe_reading
from rooflinestudio.ui.canvas.card_places import free_corner
from rooflinestudio.ui.canvas.coordinates import from_log10, log10
from rooflinestudio.ui.canvas.probe_card import ProbeCard
from rooflinestudio.ui.canvas.probe_drawing import ProbeDrawing, drawing_of, grip_box, paint_probe

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from PySide6.QtCore import QPointF
    from PySide6.QtGui import QKeyEvent, QMouseEvent

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.probe import ProbeReading
    from rooflinestudio.ui.canvas.context import Canvas
    from rooflinestudio.ui.canvas.view import CanvasView

__all__ = ["ProbeGround", "ProbeTool"]

REACH: Final = 6.0
"""Pixels from the line within which it is meant."""
FINE, COARSE = log10(1.02), 0.1
"""Steps of the arrow keys in decades: 2 %, and with Shift a tenth of a decade."""
_STEPS: Final = {Qt.Key.Key_Left: -1.0, Qt.Key.Key_Right: 1.0}
_ENDS: Final = {Qt.Key.Key_Home: "x0", Qt.Key.Key_End: "x1"}
_LEAVING: Final = (Qt.Key.Key_Escape, Qt.Key.Key_Up, Qt.Key.Key_Down)
_MOVE: Final = "Move the probe"


class ProbeGround:
    """What a probe is read on: the machines in view, the strong one among them, and the boundary in view."""

    def __init__(self, machines: tuple[HardwareProfile, ...], strong: HardwareProfile, boundary: str) -> None:
        self.machines, self.strong, self.boundary = machines, strong, boundary


class ProbeTool(QObject):
    """Shows a probe over a view and takes its mouse and keys.

    Signals
    -------
    changed
        Words for the edit, and what the user changed: ``intensity``, ``ceiling`` or ``boundary``.
    """

    changed = Signal(str, dict)

    def __init__(self, view: CanvasView) -> None:
        super().__init__(view)
        self._view = view
        self._ground: ProbeGround | None = None
        self._choice = ProbeChoice()
        self._reading: ProbeReading | None = None
        self._drawing: ProbeDrawing | None = None
        self._card: ProbeCard | None = None
        self._is_dragged = self._is_near = self._is_held = self._is_unsaid = False
        self._grabbed_off = 0.0

    @property
    def reading(self) -> ProbeReading | None:
        """What it reads; None while it is off."""
        return self._reading

    @property
    def drawing(self) -> ProbeDrawing | None:
        """What is drawn of it; None while it is off."""
        return self._drawing

    @property
    def card(self) -> ProbeCard | None:
        """The card with the figures; None while it is off."""
        return self._card

    # What it shows

    def show(self, ground: ProbeGround | None, choice: ProbeChoice) -> None:
        """Stand where a study says, on the machines in view; off without a machine."""
        self._ground = ground
        if self._is_dragged or self._is_unsaid:
            choice = replace(choice, intensity=self._choice.intensity)
        self._choice = choice
        if ground is None or not choice.on:
            self._turn_off()
        else:
            self._read()

    def hold(self) -> None:
        """Take the arrow keys, until something else is pointed at."""
        self._is_held = True
        self._view.viewport().update()

    def let_go(self) -> None:
        """Leave the arrow keys to the markers."""
        if self._is_held:
            self._is_held = False
            self._view.viewport().update()

    def place_card(self) -> None:
        """Put the card where it hides least, or leave it where the user put it."""
        card = self._card
        if card is None:
            return
        if not card.was_moved:
            x, y = free_corner(self._view.picture, (card.width(), card.sizeHint().height()))
            card.move_within(QPoint(round(x), round(y)))
        else:
            card.move_within(card.pos())

    def _read(self) -> None:
        assert self._ground is not None
        ground = self._ground
        self._reading = probe_reading(ground.machines, ground.strong, ground.boundary, self._choice)
        self._drawing = drawing_of(self._reading, self._view.shown_scene.strong_roof)
        is_new = self._card is None
        if self._card is None:
            self._card = self._new_card()
        self._card.set_reading(self._reading)
        if is_new:
            self._card.adjustSize()
            self._view.place_cards()
            self._card.show()
        self._view.viewport().update()

    def _new_card(self) -> ProbeCard:
        card = ProbeCard(self._view.viewport())
        card.intensityChosen.connect(self._on_card_intensity_chosen)
        card.ceilingChosen.connect(lambda id_: self.changed.emit("Change the probe's pipe", {"ceiling": id_}))
        card.boundaryChosen.connect(
            lambda id_: self.changed.emit("Change the probe's boundary", {"boundary": id_})
        )
        return card

    def _turn_off(self) -> None:
        if self._card is None:
            return
        self._card.hide()
        self._card.deleteLater()
        self._card = self._reading = self._drawing = None
        self._is_dragged = self._is_held = self._is_unsaid = False
        self._point_at(near=False)
        self._view.place_cards()
        self._view.viewport().update()

    def paint(self, canvas: Canvas) -> None:
        """Draw it over the canvas."""
        if self._drawing is not None:
            paint_probe(canvas, self._drawing, held=self._is_held)

    # Moving

    def _move_to(self, log_x: float) -> None:
        low, high = log10(LOWEST_INTENSITY), log10(HIGHEST_INTENSITY)
        # Three digits are finer than a pixel, and can be read out.
        self._stand_at(float(f"{from_log10(min(max(log_x, low), high)):.2e}"))

    def _stand_at(self, intensity: float) -> None:
        if intensity != self._choice.intensity:
            self._choice = replace(self._choice, intensity=intensity)
            self._is_unsaid = True
            self._read()

    def snap(self) -> None:
        """Stand on the ridge."""
        if self._reading is not None:
            self._stand_at(self._reading.main.ridge_intensity)
            self._tell()

    def _tell(self) -> None:
        """Tell where it stands now, once per gesture."""
        if self._is_unsaid:
            self._is_unsaid = False
            self.changed.emit(_MOVE, {"intensity": self._choice.intensity})

    def _on_card_intensity_chosen(self, intensity: float) -> None:
        self._stand_at(intensity)
        self._tell()

    # Mouse; each answers whether it was meant

    def pressed(self, event: QMouseEvent) -> bool:
        at = event.position()
        if event.button() != Qt.MouseButton.LeftButton or not self._is_at(at):
            self.let_go()
            return False
        self._is_dragged = True
        self._grabbed_off = at.x() - self._pixel()
        self._view.setFocus(Qt.FocusReason.MouseFocusReason)
        self.hold()
        return True

    def moved(self, event: QMouseEvent) -> bool:
        at = event.position()
        if self._is_dragged:
            frame, x = self._view.frame_of_data, at.x() - self._grabbed_off
            self._move_to(frame.data(min(max(x, frame.plot.left), frame.plot.right), 0.0)[0])
            return True
        near = event.buttons() == Qt.MouseButton.NoButton and self._is_at(at)
        self._point_at(near=near)
        return near

    def released(self, event: QMouseEvent) -> bool:
        if not self._is_dragged or event.button() != Qt.MouseButton.LeftButton:
            return False
        self._is_dragged = False
        self._tell()
        return True

    def double_clicked(self, event: QMouseEvent) -> bool:
        if event.button() != Qt.MouseButton.LeftButton or not self._is_at(event.position()):
            return False
        self.hold()
        self.snap()
        return True

    def _pixel(self) -> float:
        """Return where the line is drawn, or the edge of the plot that it lies beyond."""
        assert self._drawing is not None
        frame = self._view.frame_of_data
        return min(max(frame.x(self._drawing.log_x), frame.plot.left), frame.plot.right)

    def _is_at(self, at: QPointF) -> bool:
        if self._drawing is None:
            return False
        frame = self._view.frame_of_data
        grip = grip_box(frame, self._drawing, self._view.text_width(self._drawing.words))
        if grip.grown(2.0).holds(at.x(), at.y()):
            return True
        is_drawn = frame.plot.left <= frame.x(self._drawing.log_x) <= frame.plot.right
        return is_drawn and frame.plot.holds(at.x(), at.y()) and abs(at.x() - self._pixel()) <= REACH

    def _point_at(self, *, near: bool) -> None:
        if near != self._is_near:
            self._is_near = near
            shape = Qt.CursorShape.SplitHCursor if near else Qt.CursorShape.ArrowCursor
            self._view.viewport().setCursor(shape)

    # Keyboard

    def key_pressed(self, event: QKeyEvent) -> bool:
        """Answer a key; False if it is not the probe's."""
        held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if self._reading is None or held not in (
            Qt.KeyboardModifier.NoModifier,
            Qt.KeyboardModifier.ShiftModifier,
        ):
            return False
        key = event.key()
        if key == Qt.Key.Key_R and not held:
            self.snap()
        elif key in _ENDS and not held:
            self._move_to(getattr(self._view.shown_range, _ENDS[Qt.Key(key)]))
        elif not self._is_held:
            return False
        elif key in _STEPS:
            self._step(_STEPS[Qt.Key(key)] * (COARSE if held else FINE))
        elif key in _LEAVING:
            self.let_go()
            return key == Qt.Key.Key_Escape
        else:
            return False
        self.hold()
        return True

    def _step(self, decades: float) -> None:
        """Move by keys; what is out of sight comes in from the edge that it lies beyond."""
        range_ = self._view.shown_range
        here = min(max(log10(self._choice.intensity), range_.x0), range_.x1)
        self._stand_at(from_log10(here + decades))

    def key_released(self, event: QKeyEvent) -> None:
        """Tell where the keys have moved it to."""
        if not event.isAutoRepeat():
            self._tell()

    def focus_lost(self) -> None:
        """Tell now: the keyboard is elsewhere, and no release of a key comes any more."""
        if not self._is_dragged:
            self._tell()

    def changes_for(self, *, on: bool) -> Mapping[str, Any]:
        """Return what a study has to say of it when it is turned on or off."""
        return {"on": True, "intensity": self._choice.intensity} if on else {"on": None}
