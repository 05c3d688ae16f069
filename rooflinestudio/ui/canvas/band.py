"""A rubber band: Shift and a drag mark what is in it; with Ctrl besides what is marked already."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt

from rooflinestudio.ui.canvas.coordinates import Box
from rooflinestudio.ui.canvas.hits import entries_within

if TYPE_CHECKING:
    from PySide6.QtCore import QPointF
    from PySide6.QtGui import QKeyEvent, QMouseEvent

    from rooflinestudio.ui.canvas.context import Canvas
    from rooflinestudio.ui.canvas.view import CanvasView

__all__ = ["Band"]

SHORTEST: Final = 4.0
"""Pixels of a drag below which it is a click."""
FILL: Final = 0.08


class Band:
    """The tool that marks by a rectangle; it shows what it would mark, and asks for that when it is let go."""

    def __init__(self, view: CanvasView) -> None:
        self._view = view
        self._start: QPointF | None = None
        self._end: QPointF | None = None
        self._before: frozenset[str] = frozenset()
        self._kept: tuple[str, ...] = ()

    def pressed(self, event: QMouseEvent) -> bool:
        held = event.modifiers()
        if event.button() != Qt.MouseButton.LeftButton or not held & Qt.KeyboardModifier.ShiftModifier:
            return False
        self._start = self._end = event.position()
        self._kept = self._view.chosen() if held & Qt.KeyboardModifier.ControlModifier else ()
        self._before = self._view.highlight.marked
        self._view.setFocus(Qt.FocusReason.MouseFocusReason)
        return True

    def moved(self, event: QMouseEvent) -> bool:
        if self._start is None:
            return False
        self._end = event.position()
        self._view.set_highlight(marked=frozenset(self._within()) if self._is_drag else self._before)
        self._view.viewport().update()
        return True

    def released(self, event: QMouseEvent) -> bool:
        if self._start is None or event.button() != Qt.MouseButton.LeftButton:
            return False
        self._end = event.position()
        ids = self._within() if self._is_drag else None
        self._stop()
        if ids is None:
            self._view.toggle_mark_at(event.position())
        else:
            self._view.markRequested.emit(ids)
        return True

    def double_clicked(self, event: QMouseEvent) -> bool:
        """Take the second press of two quick ones like the first."""
        return self.pressed(event)

    def key_pressed(self, event: QKeyEvent) -> bool:
        if self._start is None or event.key() != Qt.Key.Key_Escape:
            return False
        self._stop()
        return True

    def paint(self, c: Canvas) -> None:
        """Draw it over the canvas."""
        if self._start is not None and self._is_drag:
            left, top, right, bottom = self._box
            corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
            c.polygon(corners, fill=c.colour("accent", FILL), pen=c.pen(c.colour("accent"), 1.0))

    def _stop(self) -> None:
        """Put it away; what is marked the session says."""
        self._start = None
        self._view.set_highlight(marked=self._before)
        self._view.viewport().update()

    @property
    def _box(self) -> Box:
        assert self._start is not None and self._end is not None
        (x0, x1), (y0, y1) = (
            sorted(pair) for pair in ((self._start.x(), self._end.x()), (self._start.y(), self._end.y()))
        )
        return Box(x0, y0, x1, y1)

    @property
    def _is_drag(self) -> bool:
        return max(self._box.width, self._box.height) > SHORTEST

    def _within(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self._kept, *entries_within(self._view.picture, self._box))))
