"""Pointer and keyboard on the canvas: hover, tool tip, status line, selection, focus that moves between markers."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QToolTip

from rooflinestudio.core.selection import selected_entry
from rooflinestudio.ui.canvas.coordinates import from_log10
from rooflinestudio.ui.canvas.hits import Hit, Stop, hit_at, stops
from rooflinestudio.ui.canvas.scene_rows import status_words
from rooflinestudio.ui.marking import toggled

if TYPE_CHECKING:
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QContextMenuEvent, QKeyEvent

    from rooflinestudio.ui.canvas.scene import Key, Marker, Scene, StripRow
    from rooflinestudio.ui.canvas.view import CanvasView

__all__ = ["Pointing"]

_ARROWS: Final = {
    Qt.Key.Key_Left: (-1.0, 0.0),
    Qt.Key.Key_Right: (1.0, 0.0),
    Qt.Key.Key_Up: (0.0, -1.0),
    Qt.Key.Key_Down: (0.0, 1.0),
}
_MARKING: Final = (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter)
_ASIDE: Final = 2.5
"""How much further a marker counts as that lies aside of the arrow's direction."""


class Pointing:
    """What the user points at; it asks the view for highlights and emits the view's signals."""

    def __init__(self, view: CanvasView) -> None:
        self._view = view
        self._hit: Hit | None = None
        self._focus: Stop | None = None
        self._status = ""
        view.scene().sigMouseClicked.connect(self._on_scene_sigMouseClicked)

    # Pointer

    def moved(self, position: QPointF, *, pressed: bool) -> None:
        """Follow the pointer; while a button is down the view moves and nothing is hovered."""
        hit = None if pressed else hit_at(self._view.picture, position.x(), position.y())
        self._hover(hit)
        if hit is not None:
            self._say(hit.status)
        elif self._view.frame_of_data.plot.holds(position.x(), position.y()):
            self._say(self._words_at(position))
        else:
            self._say(self._resting_status())

    def left(self) -> None:
        """Forget the pointer: it is elsewhere."""
        self._hover(None)
        self._say(self._resting_status())

    def show_tip(self, event: QEvent) -> bool:
        """Show the tool tip of what is under the pointer."""
        assert isinstance(event, QHelpEvent)
        hit = hit_at(self._view.picture, event.pos().x(), event.pos().y())
        if hit is None:
            QToolTip.hideText()
            event.ignore()
            return True
        area = QRect(event.pos().x() - 4, event.pos().y() - 4, 9, 9)
        QToolTip.showText(event.globalPos(), tip_html(hit.tip), self._view.viewport(), area)
        return True

    def menu_place(self, event: QContextMenuEvent) -> tuple[Key | None, QPoint]:
        """Return what a menu is wanted for, and where: under the pointer, or by key at the focus or the selection."""
        if event.reason() != event.Reason.Keyboard:
            hit = hit_at(self._view.picture, event.pos().x(), event.pos().y())
            return hit.key if hit is not None else None, event.pos()
        here = self._here(stops(self._view.picture))
        if here is None:
            return None, self._view.viewport().rect().center()
        return here.key, QPoint(round(here.x), round(here.y))

    def _hover(self, hit: Hit | None) -> None:
        key = hit.key if hit is not None else None
        if key != (self._hit.key if self._hit is not None else None):
            self._view.set_highlight(hovered=key)
            shape = Qt.CursorShape.PointingHandCursor if hit is not None else Qt.CursorShape.ArrowCursor
            self._view.viewport().setCursor(shape)
            self._hit = hit
            self._view.hoverChanged.emit(key)
        self._hit = hit

    def _words_at(self, position: QPointF) -> str:
        """Return the status line for a bare place: what the roof over it is, and how far away."""
        log_x, log_y = self._view.data_at(position)
        roof = self._view.shown_scene.strong_roof
        rate = from_log10(log_y)
        height = from_log10(roof.height(log_x)) if roof is not None else rate
        return status_words(from_log10(log_x), rate, height)

    def _on_scene_sigMouseClicked(self, event: object) -> None:
        button, at = event.button(), event.scenePos()  # type: ignore[attr-defined]
        if button != Qt.MouseButton.LeftButton:
            return
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:  # type: ignore[attr-defined]
            self.toggle_mark_at(at)
            return
        hit = hit_at(self._view.picture, at.x(), at.y())
        if event.double() and hit is None:  # type: ignore[attr-defined]
            self._view.fit()
            self._view.fitRequested.emit()
            return
        if self._focus is not None:
            self._set_focus(None)
        if hit is not None:
            self._say(hit.status)
        self._view.selectionRequested.emit(hit.key if hit is not None else None)

    # Marks

    def chosen(self) -> tuple[str, ...]:
        """Return the entries that are marked, else the selected one, else none."""
        selected = selected_entry(self._view.shown_scene.selected)
        return tuple(self._view.highlight.marked) or (() if selected is None else (selected,))

    def toggle_mark_at(self, position: QPointF) -> None:
        """Ask to mark the entry at a pixel, or to mark it no more."""
        hit = hit_at(self._view.picture, position.x(), position.y())
        self._toggle_mark(hit.key if hit is not None else None)

    def _toggle_mark(self, key: Key | None) -> None:
        if (id_ := selected_entry(key)) is not None:
            self._view.markRequested.emit(toggled(self.chosen(), id_))

    # Keyboard

    def key_pressed(self, event: QKeyEvent) -> bool:
        """Answer a key; False if it is not one of the canvas's."""
        key, held = event.key(), event.modifiers()
        if held & Qt.KeyboardModifier.ControlModifier and key in _MARKING and self._focus is not None:
            self._toggle_mark(self._focus.key)
            return True
        plain = held & ~(Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier)
        if plain != Qt.KeyboardModifier.NoModifier:
            return False
        if key in _ARROWS:
            self._arrow(_ARROWS[Qt.Key(key)], pan=bool(held & Qt.KeyboardModifier.ShiftModifier))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._focus is not None:
            self._view.selectionRequested.emit(self._focus.key)
        elif key == Qt.Key.Key_Escape:
            return self._escape()
        elif key == Qt.Key.Key_F:
            self._view.fit()
            self._view.fitRequested.emit()
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self._view.zoom_in()
        elif key in (Qt.Key.Key_Minus, Qt.Key.Key_Underscore):
            self._view.zoom_out()
        else:
            return False
        return True

    def _escape(self) -> bool:
        if self._focus is not None:
            self._set_focus(None)
        elif self._view.highlight.marked:
            self._view.selectionRequested.emit(self._view.shown_scene.selected)
        elif self._view.shown_scene.selected is not None:
            self._view.selectionRequested.emit(None)
        else:
            return False
        return True

    def _arrow(self, direction: tuple[float, float], *, pan: bool) -> None:
        if pan:
            self._view.pan(0.1 * direction[0], -0.1 * direction[1])
            return
        places = stops(self._view.picture)
        here = self._here(places)
        if here is None or self._focus is None:
            self._set_focus(here or (places[0] if places else None))
            return
        found = next_stop(here, places, direction)
        if found is not None:
            self._set_focus(found)

    def _here(self, places: list[Stop]) -> Stop | None:
        """Return where the focus is, as the view stands now: where it was, else at the selection."""
        key: Key | None = self._focus.key if self._focus is not None else self._view.shown_scene.selected
        return next((stop for stop in places if stop.key == key), None)

    def _set_focus(self, stop: Stop | None) -> None:
        self._focus = stop
        self._view.set_highlight(focused=stop.key if stop is not None else None)
        # A screen reader hears the marker as the description of the canvas.
        self._view.setAccessibleDescription(". ".join(stop.tip) if stop is not None else "")
        self._say(stop.status if stop is not None else self._resting_status())

    def focus_lost(self) -> None:
        """Forget the focus: the keyboard is elsewhere."""
        if self._focus is not None:
            self._set_focus(None)

    def scene_changed(self) -> None:
        """Another scene is shown: what was hovered or focused may be gone."""
        keys = {one.key for one in _choosable(self._view.shown_scene)}
        if self._focus is not None and self._focus.key not in keys:
            self._set_focus(None)
        if self._hit is None and self._focus is None:
            self._say(self._resting_status())

    # Words

    def _resting_status(self) -> str:
        if self._focus is not None:
            return self._focus.status
        scene = self._view.shown_scene
        return next((one.status for one in _choosable(scene) if scene.is_selected(one)), "")

    def _say(self, status: str) -> None:
        if status != self._status:
            self._status = status
            self._view.statusTextChanged.emit(status)


def _choosable(scene: Scene) -> tuple[Marker | StripRow, ...]:
    """Return everything of a scene that can be selected, the kernels of overlays aside."""
    return *scene.markers, *scene.parts, *scene.strip, *scene.right_strip


def next_stop(here: Stop, places: list[Stop], direction: tuple[float, float]) -> Stop | None:
    """Return the nearest stop in a direction; what lies aside counts as further away."""
    best, least = None, float("inf")
    for stop in places:
        dx, dy = stop.x - here.x, stop.y - here.y
        along = dx * direction[0] + dy * direction[1]
        aside = abs(dx * direction[1] - dy * direction[0])
        if stop.key != here.key and along > 0 and along + _ASIDE * aside < least:
            best, least = stop, along + _ASIDE * aside
    return best


def tip_html(lines: tuple[str, ...]) -> str:
    """Return a tool tip: the name on top, the figures under it. Names are shown as they are, not as markup."""
    escaped = [html.escape(line) for line in lines]
    return f"<qt><b>{escaped[0]}</b><br>{'<br>'.join(escaped[1:])}</qt>" if escaped else ""
