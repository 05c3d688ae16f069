"""What the keys do with the current cell of a table of figures: paste, copy, empty, switch, enter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeySequence

from rooflinestudio.ui.hardware_editor.table_model import (
    CONDITION,
    DATE,
    IN_USE,
    MEASURED,
    SOURCE,
    STATED,
)

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

    from rooflinestudio.core.profile_edit.rows import FigureRow
    from rooflinestudio.ui.hardware_editor.table import FigureTable

__all__ = ["copy_cell", "take_key"]

_EMPTIED: Final = (STATED, MEASURED, SOURCE, CONDITION, DATE)
"""Columns in which an empty text says something."""


def take_key(table: FigureTable, event: QKeyEvent, row: FigureRow, column: int) -> bool:
    """Do what a key stands for in a cell where nobody is typing; False where it stands for nothing."""
    key, control = event.key(), bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
    if event.matches(QKeySequence.StandardKey.Paste):
        _paste(table, row, column)
        return True
    if key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
        _delete(table, row, column, whole=control)
        return True
    if key == Qt.Key.Key_Space and not control:
        table.switch_use(row)
        return True
    if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
        table.enter(row, column)
        return True
    return False


def copy_cell(table: FigureTable) -> None:
    """Put the current cell on the clipboard, a figure with all its digits."""
    index = table.currentIndex()
    row = table.row_at(index)
    if row is None:
        return
    exact = row.exact[index.column() - STATED] if index.column() in (STATED, MEASURED, IN_USE) else ""
    QGuiApplication.clipboard().setText(exact or str(index.data() or ""))


def _paste(table: FigureTable, row: FigureRow, column: int) -> None:
    text = " ".join(QGuiApplication.clipboard().text().split())
    if text and table.model_.is_editable(row, column):
        if table.model_.is_locked:
            table.lockedTouched.emit(row.place, column, text)
        else:
            table.model_.setData(table.currentIndex(), text)


def _delete(table: FigureTable, row: FigureRow, column: int, *, whole: bool) -> None:
    if table.model_.is_locked:
        table.lockedTouched.emit(row.place, column, "")
    elif whole or (table.model_.singles and column == IN_USE):
        table.removeRequested.emit(row.place)
    elif column in _EMPTIED:
        table.tell_typed(row, column, "")
