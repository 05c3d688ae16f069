"""The table that holds two measured files against each other, for Qt."""

from __future__ import annotations

import math
from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from rooflinestudio.core.series.settings import COLUMN_IDS
from rooflinestudio.core.series.table import HEADS, HINTS, NUMBERS, SeriesTable
from rooflinestudio.core.variant_ratios import SAME
from rooflinestudio.ui.widgets.cells import CELL, Cell, TextCell

__all__ = ["SeriesModel"]

_DISPLAY, _TIP = Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole
_SPOKEN: Final = Qt.ItemDataRole.AccessibleTextRole
_ANSWERED: Final = (CELL, _DISPLAY, _TIP, _SPOKEN)
_RIGHT: Final = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_Index = QModelIndex | QPersistentModelIndex
_NO_INDEX: Final = QModelIndex()


class SeriesModel(QAbstractTableModel):
    """Lines of a table that was made elsewhere."""

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self.table: SeriesTable | None = None
        self._boundary = ""

    def set_table(self, table: SeriesTable | None, boundary: str) -> None:
        """Show a table; the same one again resets nothing. ``boundary`` is the word for device memory."""
        self._boundary = boundary
        if table is not self.table:
            self.beginResetModel()
            self.table = table
            self.endResetModel()

    def line(self, row: int) -> int:
        """Return the line of a row."""
        return int(self.table.lines[row]) if self.table is not None else -1

    def rowCount(self, parent: _Index = _NO_INDEX) -> int:
        return 0 if parent.isValid() or self.table is None else len(self.table.lines)

    def columnCount(self, parent: _Index = _NO_INDEX) -> int:
        return 0 if parent.isValid() else len(COLUMN_IDS)

    def data(self, index: _Index, role: int = _DISPLAY) -> Any:
        if role not in _ANSWERED or self.table is None or not index.isValid():
            return None
        line, column = self.line(index.row()), COLUMN_IDS[index.column()]
        if role == CELL:
            return self._cell(self.table, line, column)
        if role == _TIP:
            return self.table.cell_tip(line, column, self._boundary) or None
        text = self.table.cell_text(line, column)
        if role == _SPOKEN and column == "kernel":
            return f"{text}, {self.table.cell_text(line, 'change')}"
        return text

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY) -> Any:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(COLUMN_IDS):
            return None
        if role == _DISPLAY:
            return HEADS[section]
        if role == Qt.ItemDataRole.TextAlignmentRole and COLUMN_IDS[section] in NUMBERS:
            return _RIGHT
        return HINTS[section] if role == _TIP else None

    def _cell(self, table: SeriesTable, line: int, column: str) -> Cell:
        text = table.cell_text(line, column)
        if column == "kernel":
            name = text.removeprefix("void ")
            return TextCell(name, strong=True, is_name=True)
        if column in NUMBERS:
            return TextCell(text, _token(table, line, column, text), number=True)
        return TextCell(text, "muted" if column == "change" and text == "matched" else "text2")


def _token(table: SeriesTable, line: int, column: str, text: str) -> str:
    """Return the colour of a number; what became faster or slower says so in words, too."""
    if text == "–":
        return "muted"
    if column == "time_ratio":
        ratio = table.ratio(line)
        if math.isnan(ratio) or abs(ratio - 1) < SAME:
            return "text2"
        return "ok" if ratio < 1 else "error"
    return "text"
