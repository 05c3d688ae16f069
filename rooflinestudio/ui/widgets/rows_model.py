"""A model of rows that are replaced as a whole: what stays the same is neither reset nor painted anew."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from rooflinestudio.ui.widgets.cells import CELL, Cell

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["RowsModel"]

_Index = QModelIndex | QPersistentModelIndex
_NO_INDEX: Final = QModelIndex()
_NUMBER: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class RowsModel(QAbstractTableModel):
    """Rows of frozen values; equal keys in equal places keep the rows, so that a slider step resets nothing."""

    heads: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self.rows: tuple[Any, ...] = ()
        self._cells: list[list[Cell | None]] = []

    def key(self, row: Any) -> object:
        """Return what stays the same while a row is the same."""
        raise NotImplementedError

    def cell(self, row: Any, column: int) -> Cell | None:
        """Return how a cell looks."""
        raise NotImplementedError

    def spoken(self, row: Any, column: int) -> str:
        """Return what is read aloud for a cell; its text where that says enough."""
        cell = self.cell(row, column)
        return "" if cell is None else getattr(cell, "text", "")

    def tip(self, _row: Any, _column: int) -> str | None:
        """Return the tool tip of a cell."""
        return None

    def set_rows(self, rows: Sequence[Any]) -> None:
        """Show these rows; cells that are the same are not painted anew."""
        fresh = tuple(rows)
        if fresh == self.rows:
            return
        columns = range(len(self.heads))
        known = {id(row): cells for row, cells in zip(self.rows, self._cells, strict=True)}
        cells = [known.get(id(row)) or [self.cell(row, column) for column in columns] for row in fresh]
        if [self.key(one) for one in fresh] != [self.key(one) for one in self.rows]:
            self.beginResetModel()
            self.rows, self._cells = fresh, cells
            self.endResetModel()
            return
        before, self.rows, self._cells = self._cells, fresh, cells
        for row, (old, new) in enumerate(zip(before, cells, strict=True)):
            for column in columns if old is not new else ():
                if old[column] != new[column]:
                    index = self.index(row, column)
                    self.dataChanged.emit(index, index)

    def rowCount(self, parent: _Index = _NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: _Index = _NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self.heads)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, column = index.row(), index.column()
        if role == CELL:
            return self._cells[row][column]
        if role == Qt.ItemDataRole.DisplayRole:
            return getattr(self._cells[row][column], "text", "")
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self.spoken(self.rows[row], column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return self.tip(self.rows[row], column)
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self.heads):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.heads[section]
        if role == Qt.ItemDataRole.TextAlignmentRole and section in self.numbers:
            return int(_NUMBER)
        if role == Qt.ItemDataRole.ToolTipRole and section < len(self.hints):
            return self.hints[section]
        return None
