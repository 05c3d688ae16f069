"""A measured kernel that is dragged on the canvas onto an entry's marker or label: the two become a pair."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QApplication

from rooflinestudio.ui.canvas.hits import hit_at
from rooflinestudio.ui.canvas.pair_targets import PairTarget, entry_target
from rooflinestudio.ui.pairing.drop_note import DropNote

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QKeyEvent, QMouseEvent

    from rooflinestudio.core.pairing.edits import Kernel
    from rooflinestudio.ui.canvas.context import Canvas
    from rooflinestudio.ui.canvas.view import CanvasView

__all__ = ["PairTool", "kernel_of"]

_NOTHING_HERE: Final = "Drop it on an entry to hold it against that"


class PairTool:
    """Shows where a dragged kernel would be let go, and asks for the pair when it is.

    Kernels come from a marker of the canvas itself, or from elsewhere by drag and drop (:meth:`over`, :meth:`drop`).

    Attributes
    ----------
    explain
        Says what letting kernels go over an entry will do; empty: nothing.
    """

    def __init__(self, view: CanvasView) -> None:
        self._view = view
        self._pressed: QPointF | None = None
        self._kernels: tuple[Kernel, ...] = ()
        self._at: QPointF | None = None
        self._target: PairTarget | None = None
        self._note: DropNote | None = None
        self.explain: Callable[[Sequence[Kernel], str], str] = lambda _kernels, _entry: ""

    @property
    def target(self) -> str:
        """The entry that the kernel would be let go on, empty for none."""
        return self._target.entry_id if self._target is not None else ""

    @property
    def is_dragging(self) -> bool:
        """Whether a marker of the canvas is being dragged."""
        return self._pressed is not None and self._at is not None

    # From the canvas itself ------------------------------------------------------------------------------------

    def pressed(self, event: QMouseEvent) -> bool:
        if event.button() != Qt.MouseButton.LeftButton or event.modifiers() != Qt.KeyboardModifier.NoModifier:
            return False
        hit = hit_at(self._view.picture, event.position().x(), event.position().y())
        if hit is None or not any(one.key == hit.key for one in self._view.shown_scene.markers):
            return False  # one of a cloud: there a drag moves the view; chosen, it is a marker of its own
        kernel = kernel_of(hit.key)
        if kernel is None:
            return False
        self._pressed, self._kernels = event.position(), (kernel,)
        self._view.setFocus(Qt.FocusReason.MouseFocusReason)  # for Escape
        return True

    def moved(self, event: QMouseEvent) -> bool:
        if self._pressed is None:
            return False
        at = event.position()
        if self._at is not None or (at - self._pressed).manhattanLength() >= QApplication.startDragDistance():
            self._view.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
            self._point_at(at, self._kernels)
        return True

    def released(self, event: QMouseEvent) -> bool:
        if self._pressed is None or event.button() != Qt.MouseButton.LeftButton:
            return False
        kernels, target, was_drag = self._kernels, self.target, self._at is not None
        self.stop()
        if not was_drag:  # it was a click, which chooses the kernel
            self._view.selectionRequested.emit(("measured", *kernels[0]))
        elif target:
            self._view.kernelsDropped.emit(kernels, target)
        return True

    def double_clicked(self, event: QMouseEvent) -> bool:
        return self.pressed(event)

    def key_pressed(self, event: QKeyEvent) -> bool:
        if self._pressed is None or event.key() != Qt.Key.Key_Escape:
            return False
        self.stop()
        return True

    # From elsewhere --------------------------------------------------------------------------------------------

    def over(self, at: QPointF, kernels: tuple[Kernel, ...]) -> bool:
        """Follow kernels that are dragged over the canvas; tell whether they can be let go here."""
        self._point_at(at, kernels)
        return bool(self.target)

    def drop(self, at: QPointF, kernels: tuple[Kernel, ...]) -> bool:
        """Let kernels go; tell whether there is an entry for them."""
        self._point_at(at, kernels)
        target = self.target
        self.stop()
        if target:
            self._view.kernelsDropped.emit(kernels, target)
        return bool(target)

    def stop(self) -> None:
        """Forget the drag: it is over, elsewhere, or was given up."""
        was_here = self._at is not None
        self._pressed = self._at = self._target = None
        self._kernels = ()
        if self._note is not None:
            self._note.hide()
        if was_here:
            self._view.viewport().setCursor(Qt.CursorShape.ArrowCursor)
            self._view.viewport().update()

    # What is seen ----------------------------------------------------------------------------------------------

    def _point_at(self, at: QPointF, kernels: tuple[Kernel, ...]) -> None:
        target = entry_target(self._view.picture, at.x(), at.y())
        words = self.explain(kernels, target.entry_id) if target is not None else _NOTHING_HERE
        self._at, self._target = at, target if words else None
        if self._note is None:
            self._note = DropNote(self._view.viewport())
        self._note.say(words, at.toPoint())
        self._view.viewport().update()

    def paint(self, c: Canvas) -> None:
        """Draw the way that the kernel has come, and a frame around the entry that it would be let go on."""
        if self._at is None:
            return
        end = self._at.x(), self._at.y()
        if self._pressed is not None:
            start = self._pressed.x(), self._pressed.y()
            c.polyline([start, end], c.pen(c.colour("accent"), 1.6, (4.0, 3.0)))
        if self._target is not None:
            left, top, right, bottom = self._target.box
            corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
            c.polygon(corners, fill=c.colour("accent", 0.12), pen=c.pen(c.colour("accent"), 1.8))


def kernel_of(key: object) -> Kernel | None:
    """Return the measured kernel that a key of the canvas stands for."""
    return (key[1], key[2]) if isinstance(key, tuple) and key[0] == "measured" else None
