"""Ctrl+K: every action and every operator by a few letters; Enter runs the one or places the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from rooflinestudio.ui.fuzzy import PaletteItem, ranked
from rooflinestudio.ui.icons import TOOL_PX, paint_icon, worn_theme
from rooflinestudio.ui.theme import font, set_role

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["CommandPalette"]

ROW_PX: Final = 30
VISIBLE_ROWS: Final = 9
WIDTH_PX: Final = 560
_ROW_ROLE: Final = Qt.ItemDataRole.UserRole

_Index = QModelIndex | QPersistentModelIndex


class _Rows(QAbstractListModel):
    """The rows found, best first."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.found: list[tuple[PaletteItem, tuple[int, ...]]] = []

    def show_found(self, found: list[tuple[PaletteItem, tuple[int, ...]]]) -> None:
        self.beginResetModel()
        self.found = found
        self.endResetModel()

    def rowCount(self, parent: _Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.found)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self.found):
            return None
        item, _places = self.found[index.row()]
        if role == _ROW_ROLE:
            return self.found[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return item.title
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            return ", ".join(one for one in (item.title, item.place, item.keys) if one)
        return None

    def flags(self, index: _Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        if index.isValid() and not self.found[index.row()][0].enabled:
            return flags & ~(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
        return flags


class _RowPainter(QStyledItemDelegate):
    """Icon, title with the found letters strong, place, and keys at the right."""

    def sizeHint(self, _option: QStyleOptionViewItem, _index: _Index) -> QSize:
        return QSize(100, ROW_PX)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        theme = worn_theme()
        item, places = index.data(_ROW_ROLE)
        rect = QRectF(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.qcolor("accent_soft"))
            painter.drawRoundedRect(rect.adjusted(4, 1, -4, -1), 5, 5)
        if item.icon:
            square = QRectF(rect.left() + 14, rect.center().y() - TOOL_PX / 2, TOOL_PX, TOOL_PX)
            paint_icon(painter, square, item.icon, "text2" if item.enabled else "disabled", theme)
        right = rect.right() - 14
        painter.setFont(font("label"))
        painter.setPen(theme.qcolor("muted" if item.enabled else "disabled"))
        keys_width = QFontMetrics(font("label")).horizontalAdvance(item.keys)
        painter.drawText(
            QRectF(right - keys_width, rect.top(), keys_width, rect.height()),
            Qt.AlignmentFlag.AlignVCenter,
            item.keys,
        )
        room = QRectF(
            rect.left() + 40, rect.top(), right - keys_width - 16 - (rect.left() + 40), rect.height()
        )
        end = _paint_title(painter, room, item, set(places))
        painter.setFont(font("label"))
        painter.setPen(theme.qcolor("muted" if item.enabled else "disabled"))
        place = QFontMetrics(font("label")).elidedText(
            item.place, Qt.TextElideMode.ElideRight, max(0, int(room.right() - end - 10))
        )
        painter.drawText(
            QRectF(end + 10, rect.top(), room.right() - end - 10, rect.height()),
            Qt.AlignmentFlag.AlignVCenter,
            place,
        )
        painter.restore()


def _paint_title(painter: QPainter, room: QRectF, item: PaletteItem, places: set[int]) -> float:
    """Draw the title in runs of plain and strong letters; return where it ends."""
    theme = worn_theme()
    title = item.title
    strong, plain = font("section"), font("body")
    x = room.left()
    at = 0
    while at < len(title):
        is_hit = at in places
        end = at
        while end < len(title) and (end in places) == is_hit:
            end += 1
        piece = title[at:end]
        face = strong if is_hit else plain
        painter.setFont(face)
        colour: QColor = theme.qcolor("disabled" if not item.enabled else "accent_text" if is_hit else "text")
        painter.setPen(colour)
        width = QFontMetrics(face).horizontalAdvance(piece)
        if x + width > room.right():
            piece = QFontMetrics(face).elidedText(
                piece, Qt.TextElideMode.ElideRight, max(0, int(room.right() - x))
            )
            end = len(title)
        painter.drawText(
            QRectF(x, room.top(), width + 2, room.height()), Qt.AlignmentFlag.AlignVCenter, piece
        )
        x += width
        at = end
    return min(x, room.right())


class CommandPalette(QFrame):
    """A field with a list, over the upper part of its window while it is open.

    Signals
    -------
    chosen
        Id of the item that was chosen.
    """

    chosen = Signal(str)

    def __init__(self, window: QWidget, items: Callable[[], Sequence[PaletteItem]]) -> None:
        super().__init__(window)
        self._items_now = items
        self._items: Sequence[PaletteItem] = ()
        self._came_from: QWidget | None = None
        set_role(self, "card")
        self.setObjectName("command_palette")
        self.setAccessibleName("Find an action or an operator")
        self.field = QLineEdit(self)
        self.field.setPlaceholderText("Type a few letters of an action or an operator")
        self.field.setAccessibleName("Find an action or an operator")
        self.field.setFont(font("body"))
        self.rows = _Rows(self)
        self.list = QListView(self)
        self.list.setModel(self.rows)
        self.list.setItemDelegate(_RowPainter(self.list))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setAccessibleName("Found")
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.list.clicked.connect(self._choose)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.addWidget(self.field)
        column.addWidget(self.list)
        self.field.textChanged.connect(self._on_field_text_changed)
        self.field.installEventFilter(self)
        window.installEventFilter(self)
        self.hide()

    def open(self) -> None:
        """Show it, empty, with the focus in the field."""
        self._came_from = self.window().focusWidget()
        self._items = self._items_now()
        self.field.clear()
        self._on_field_text_changed("")
        self._take_place()
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def close_quietly(self) -> None:
        """Hide it and give the focus back."""
        if self.isVisible():
            self.hide()
            if self._came_from is not None and isValid(self._came_from):
                self._came_from.setFocus(Qt.FocusReason.OtherFocusReason)
            self._came_from = None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.parent() and event.type() == QEvent.Type.Resize and self.isVisible():
            self._take_place()
        if watched is self.field:
            if event.type() == QEvent.Type.FocusOut and self.isVisible():
                self.hide()
            if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
                return self._on_key(event.key())
        return super().eventFilter(watched, event)

    def _on_key(self, key: int) -> bool:
        steps = {
            Qt.Key.Key_Down: 1,
            Qt.Key.Key_Up: -1,
            Qt.Key.Key_PageDown: VISIBLE_ROWS,
            Qt.Key.Key_PageUp: -VISIBLE_ROWS,
        }
        if key in steps:
            self._move(steps[Qt.Key(key)])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose(self.list.currentIndex())
        elif key == Qt.Key.Key_Escape:
            self.close_quietly()
        else:
            return False
        return True

    def _move(self, step: int) -> None:
        count = sum(
            item.enabled for item, _ in self.rows.found
        )  # those that cannot be chosen stand at the end
        if count:
            row = max(self.list.currentIndex().row(), 0) + step
            row = row % count if abs(step) == 1 else min(max(row, 0), count - 1)
            self.list.setCurrentIndex(self.rows.index(row))

    def _choose(self, index: QModelIndex) -> None:
        if index.isValid():
            item, _ = self.rows.found[index.row()]
            if item.enabled:
                self.close_quietly()
                self.chosen.emit(item.id)

    def _on_field_text_changed(self, text: str) -> None:
        self.rows.show_found(ranked(text, self._items))
        if self.rows.found and self.rows.found[0][0].enabled:
            self.list.setCurrentIndex(self.rows.index(0))

    def _take_place(self) -> None:
        room = self.window().size()
        width = min(WIDTH_PX, room.width() - 32)
        height = min(ROW_PX * VISIBLE_ROWS + 62, room.height() - 80)
        self.setGeometry((room.width() - width) // 2, 56, width, height)
