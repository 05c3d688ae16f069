"""The row of cards under the user's hands: mouse, keys, menus and drops."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from rooflinestudio.core.bench_words import kernel_head
from rooflinestudio.ui.canvas.dropping import operator_of
from rooflinestudio.ui.fusion.card_menu import CardMenu
from rooflinestudio.ui.fusion.name_edit import NameEdit
from rooflinestudio.ui.fusion.places import Place
from rooflinestudio.ui.fusion.row_picture import RowPicture
from rooflinestudio.ui.marking import entries_of

if TYPE_CHECKING:
    from PySide6.QtGui import (
        QContextMenuEvent,
        QDragEnterEvent,
        QDragLeaveEvent,
        QDragMoveEvent,
        QDropEvent,
        QKeyEvent,
        QMouseEvent,
    )

    from rooflinestudio.core.bench import Bench

__all__ = ["CardRow"]

_REMOVE: Final = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace)
_CONFIRM: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_MOVES: Final = (
    Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End,
)  # fmt: skip


class CardRow(RowPicture):
    """Cards and joints that can be moved; it changes nothing and tells what is wished.

    Signals
    -------
    joined
        Number of a joint that is to be fused or split.
    removed, moved
        Number of a card; and the number that it is to have.
    writtenChanged, named
        Number of a card, and whether its result is also written; the names of its further inputs as one text.
    inserted
        Operator id, and before which card it is put.
    entriesInserted
        Ids of entries whose operators are put in, and before which card.
    """

    joined = Signal(int)
    removed = Signal(int)
    moved = Signal(int, int)
    writtenChanged = Signal(int, bool)
    named = Signal(int, str)
    inserted = Signal(str, int)
    entriesInserted = Signal(object, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pressed: Place | None = None
        self._press = QPoint()
        self._dragged = -1
        self.names = NameEdit(self)
        self.names.entered.connect(self.named)
        self.menu = CardMenu(self)
        self.setObjectName("fusion.cards")
        self.setMouseTracking(True)
        self.setAcceptDrops(True)

    @property
    def bench(self) -> Bench | None:
        """The chain that is shown."""
        return self._bench

    def show_bench(self, bench: Bench | None) -> None:
        """Show a chain; names that are being typed go."""
        self.names.close_edit()
        super().show_bench(bench)

    # The mouse ----------------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        self._press = event.position().toPoint()
        self._pressed = self._places.at(event.position().x(), event.position().y())
        if self._pressed is not None:
            self.set_current(self._pressed)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        pressed = self._pressed
        if pressed is not None and pressed.kind == "card" and event.buttons() & Qt.MouseButton.LeftButton:
            far = (at.toPoint() - self._press).manhattanLength() >= QApplication.startDragDistance()
            if far or self._dragged >= 0:
                self._dragged = pressed.index
                self._set_gap(self._places.gap_at(at.x()))
            return
        self._hover(self._places.at(at.x(), at.y()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        pressed, dragged, gap = self._pressed, self._dragged, self._gap
        self._pressed, self._dragged = None, -1
        self._set_gap(-1)
        if dragged >= 0:
            to = gap - 1 if gap > dragged else gap
            if to != dragged:
                self.moved.emit(dragged, to)
        elif pressed is not None and pressed.kind == "joint" and self._is_over(event, pressed):
            self.joined.emit(pressed.index)

    def _is_over(self, event: QMouseEvent, place: Place) -> bool:
        return self._places.at(event.position().x(), event.position().y()) == place

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        place = self._places.at(event.position().x(), event.position().y())
        if place is not None and place.kind == "card":
            self.edit_names(place.index)
        else:
            self.mousePressEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._hover(None)

    def _hover(self, place: Place | None) -> None:
        if place != self._hovered:
            self._hovered = place
            pointing = place is not None and place.kind == "joint"
            self.setCursor(Qt.CursorShape.PointingHandCursor if pointing else Qt.CursorShape.ArrowCursor)
            self.update()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            text = self._tip(event.pos())
            QToolTip.showText(event.globalPos(), text, self) if text else QToolTip.hideText()
            return True
        if event.type() == QEvent.Type.ShortcutOverride and self._is_own(event):
            event.accept()
            return True
        return super().event(event)

    @staticmethod
    def _is_own(event: Any) -> bool:
        """Whether a key is the bench's although the window may have a shortcut on it: Delete there removes entries."""
        plain = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.NoModifier
        return plain and event.key() in (*_REMOVE, *_CONFIRM, *_MOVES, Qt.Key.Key_Space)

    def _tip(self, at: QPoint) -> str:
        place = self._places.at(at.x(), at.y())
        if place is not None:
            return self.words_of(place)
        if self._bench is None:
            return ""
        kernels = zip(self._bench.kernels, self._places.heads, strict=True)
        return next((kernel_head(one).tip for one, rect in kernels if rect.contains(at.toPointF())), "")

    # Keys ---------------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._bench is None or self._current is None or not self._pressed_key(event, self._current):
            super().keyPressEvent(event)

    def _pressed_key(self, event: QKeyEvent, place: Place) -> bool:
        key = Qt.Key(event.key())
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(key, 0)
        if step and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._move_card(place, step)
        elif step:
            self.set_current(Place(place.kind, max(0, place.index + step)))
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._change_kind(place)
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self.set_current(Place(place.kind, 0 if key == Qt.Key.Key_Home else 10_000))
        elif place.kind == "joint":
            return self._joint_key(key, place)
        else:
            return self._card_key(event, key, place)
        return True

    def _joint_key(self, key: Qt.Key, place: Place) -> bool:
        if key in (Qt.Key.Key_Space, *_CONFIRM):
            self.joined.emit(place.index)
            return True
        return key in _REMOVE  # a joint is not removed, and neither is anything else

    def _card_key(self, event: QKeyEvent, key: Qt.Key, place: Place) -> bool:
        if key in _REMOVE or event.matches(QKeySequence.StandardKey.Delete):
            self.removed.emit(place.index)
        elif key in _CONFIRM or key == Qt.Key.Key_Menu:
            self.open_menu(place.index, self.mapToGlobal(self._places.rect(place).center().toPoint()))
        elif key == Qt.Key.Key_F2:
            self.edit_names(place.index)
        else:
            return False
        return True

    def _change_kind(self, place: Place) -> None:
        self.set_current(Place("joint" if place.kind == "card" else "card", place.index))

    def _move_card(self, place: Place, step: int) -> None:
        assert self._bench is not None
        to = place.index + step
        if place.kind == "card" and 0 <= to < len(self._bench.cards):
            self._current = Place("card", to)
            self.moved.emit(place.index, to)

    # Menu and names -----------------------------------------------------------------------------------------------

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        place = self._places.at(event.pos().x(), event.pos().y())
        if place is not None and place.kind == "card":
            self.set_current(place)
            self.open_menu(place.index, event.globalPos())

    def open_menu(self, index: int, at: QPoint) -> None:
        """Open what can be done with a card."""
        self.menu.fill(index)
        self.menu.popup(at)

    def edit_names(self, index: int) -> None:
        """Open a line for the names of a card's further inputs, if it has any."""
        if self._bench is None or not self._bench.cards[index].foreign:
            return
        rect = self._places.cards[index]
        self.names.setGeometry(
            round(rect.left()) + 6, round(rect.top()) + (2 if self._compact else 26), round(rect.width()) - 12, 22
        )  # fmt: skip
        self.names.open_for(index, self._bench.cards[index].names)

    # Drops --------------------------------------------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        self.dragMoveEvent(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        data = event.mimeData()
        if self._bench is None or not (operator_of(data) or entries_of(data)):
            event.ignore()
            return
        self._set_gap(self._places.gap_at(event.position().x()))
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._set_gap(-1)

    def dropEvent(self, event: QDropEvent) -> None:
        operator, entries = operator_of(event.mimeData()), entries_of(event.mimeData())
        self._set_gap(-1)
        if not (operator or entries) or self._bench is None:
            event.ignore()
            return
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        gap = self._places.gap_at(event.position().x())
        if operator:
            self.inserted.emit(operator, gap)
        else:
            self.entriesInserted.emit(entries, gap)
