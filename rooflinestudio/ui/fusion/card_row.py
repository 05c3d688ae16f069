"""The row of cards: painted, hit and moved by mouse, keys and drops."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeySequence, QPainter, QPen
from PySide6.QtWidgets import QApplication, QMenu, QSizePolicy, QToolTip, QWidget

from rooflinestudio.core.bench_words import kernel_head
from rooflinestudio.ui.canvas.dropping import operator_of
from rooflinestudio.ui.fusion.card_painter import paint_row
from rooflinestudio.ui.fusion.name_edit import NameEdit
from rooflinestudio.ui.fusion.places import COMPACT, TALL, Place, places_of
from rooflinestudio.ui.fusion.row_words import card_words, joint_words, row_words
from rooflinestudio.ui.widgets.ink import ink

if TYPE_CHECKING:
    from PySide6.QtGui import (
        QContextMenuEvent,
        QDragEnterEvent,
        QDragLeaveEvent,
        QDragMoveEvent,
        QDropEvent,
        QFocusEvent,
        QKeyEvent,
        QMouseEvent,
        QPaintEvent,
    )

    from rooflinestudio.core.bench import Bench
    from rooflinestudio.ui.fusion.places import Places

__all__ = ["CardRow"]

_REMOVE: Final = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace)
_CONFIRM: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class CardRow(QWidget):
    """Cards and joints; it changes nothing and tells what is wished.

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
    focusMoved
        Rectangle that is to be in view.
    """

    joined = Signal(int)
    removed = Signal(int)
    moved = Signal(int, int)
    writtenChanged = Signal(int, bool)
    named = Signal(int, str)
    inserted = Signal(str, int)
    focusMoved = Signal(QRect)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bench: Bench | None = None
        self._places: Places = places_of((), 0.0, TALL)
        self._compact = False
        self._current: Place | None = None
        self._hovered: Place | None = None
        self._pressed: Place | None = None
        self._press = QPoint()
        self._dragged, self._gap = -1, -1
        self.names = NameEdit(self)
        self.names.entered.connect(self.named)
        self.menu = QMenu(self)
        self.setObjectName("fusion.cards")
        self.setMouseTracking(True)
        self.setAcceptDrops(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Fusion bench")

    # What it shows ------------------------------------------------------------------------------------------------

    def show_bench(self, bench: Bench | None) -> None:
        """Show a chain; the focus stays on the card or joint of the same number."""
        self._bench = bench
        self._hovered = None
        self.names.close_edit()
        self._lay_out()
        self._current = self._kept(self._current)
        self._announce()
        self.update()

    def _kept(self, place: Place | None) -> Place | None:
        if self._bench is None:
            return None
        if place is None:
            return Place("joint", 0) if self._bench.joints else Place("card", 0)
        known = self._bench.cards if place.kind == "card" else self._bench.joints
        if not known:
            return Place("card", 0)
        return Place(place.kind, min(place.index, len(known) - 1))

    def set_compact(self, compact: bool) -> None:
        """Be lower where there is little room."""
        if compact != self._compact:
            self._compact = compact
            self._lay_out()

    @property
    def places(self) -> Places:
        """Where everything lies."""
        return self._places

    @property
    def current(self) -> Place | None:
        """The card or joint that keys go to."""
        return self._current

    @property
    def gap(self) -> int:
        """Before which card the mark stands while something is dragged, or -1."""
        return self._gap

    def set_current(self, place: Place | None) -> None:
        """Let keys go to a card or a joint."""
        self._current = self._kept(place)
        self._announce()
        self.update()
        if self._current is not None:
            self.focusMoved.emit(self._places.rect(self._current).toAlignedRect())

    def _lay_out(self) -> None:
        sizes = COMPACT if self._compact else TALL
        steps = [one.steps for one in self._bench.kernels] if self._bench is not None else []
        self._places = places_of(steps, float(self.width()), sizes)
        least = places_of(steps, 0.0, sizes).width
        self.setMinimumWidth(round(least))
        self.setFixedHeight(round(sizes.height))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(400, round((COMPACT if self._compact else TALL).height))

    def _announce(self) -> None:
        if self._bench is None:
            self.setAccessibleDescription("")
            return
        self.setAccessibleName(row_words(self._bench))
        place = self._current
        self.setAccessibleDescription(self.words_of(place) if place is not None else "")

    def words_of(self, place: Place) -> str:
        """Return what is told of a card or a joint: in its tool tip, and to a screen reader."""
        if self._bench is None:
            return ""
        if place.kind == "joint":
            return joint_words(self._bench, place.index)
        return card_words(self._bench, place.index)

    # Painting -----------------------------------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(ink("border"), 1.0))
        painter.setBrush(ink("raised"))
        painter.drawRoundedRect(self.rect().toRectF().adjusted(0.5, 0.5, -0.5, -0.5), 8.0, 8.0)
        if self._bench is not None:
            focused = self._current if self.hasFocus() else None
            paint_row(painter, self._bench, self._places, focused=focused, hovered=self._hovered)
            self._paint_gap(painter)
        painter.end()

    def _paint_gap(self, painter: QPainter) -> None:
        if self._gap < 0:
            return
        x, sizes = self._places.gap_x(self._gap), self._places.sizes
        painter.setPen(QPen(ink("accent"), 3.0, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawLine(round(x), round(sizes.head), round(x), round(sizes.head + sizes.card))

    def resizeEvent(self, event: object) -> None:
        self._lay_out()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.set_current(self._current)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.update()

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
        elif pressed is not None and pressed.kind == "joint":
            if self._places.at(event.position().x(), event.position().y()) == pressed:
                self.joined.emit(pressed.index)

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

    def _set_gap(self, gap: int) -> None:
        if gap != self._gap:
            self._gap = gap
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

    def _is_own(self, event: Any) -> bool:
        """Whether a key is meant for the bench although the window has a shortcut on it: removing a card."""
        current = self._current
        return current is not None and current.kind == "card" and event.key() in _REMOVE

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
        if key not in (Qt.Key.Key_Space, *_CONFIRM):
            return False
        self.joined.emit(place.index)
        return True

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
        self.fill_menu(index)
        self.menu.popup(at)

    def fill_menu(self, index: int) -> None:
        """Put into the menu what can be done with a card."""
        assert self._bench is not None
        card, last = self._bench.cards[index], len(self._bench.cards) - 1
        self.menu.clear()
        written = self.menu.addAction("Also write its result")
        written.setCheckable(True)
        written.setChecked(card.is_written)
        written.triggered.connect(lambda checked: self.writtenChanged.emit(index, checked))
        names = self.menu.addAction("Name its other inputs…", lambda: self.edit_names(index))
        names.setEnabled(card.foreign > 0)
        self.menu.addSeparator()
        self.menu.addAction("Move left", lambda: self.moved.emit(index, index - 1)).setEnabled(index > 0)
        self.menu.addAction("Move right", lambda: self.moved.emit(index, index + 1)).setEnabled(index < last)
        self.menu.addSeparator()
        self.menu.addAction("Remove", lambda: self.removed.emit(index)).setEnabled(last > 0)

    def edit_names(self, index: int) -> None:
        """Open a line for the names of a card's further inputs, if it has any."""
        if self._bench is None or not self._bench.cards[index].foreign:
            return
        rect = self._places.cards[index]
        self.names.setGeometry(
            round(rect.left()) + 6, round(rect.top()) + (20 if self._compact else 26), round(rect.width()) - 12, 22
        )  # fmt: skip
        self.names.open_for(index, self._bench.cards[index].names)

    # Drops --------------------------------------------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        self.dragMoveEvent(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        if self._bench is None or not operator_of(event.mimeData()):
            event.ignore()
            return
        self._set_gap(self._places.gap_at(event.position().x()))
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._set_gap(-1)

    def dropEvent(self, event: QDropEvent) -> None:
        operator = operator_of(event.mimeData())
        self._set_gap(-1)
        if not operator or self._bench is None:
            event.ignore()
            return
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        self.inserted.emit(operator, self._places.gap_at(event.position().x()))
