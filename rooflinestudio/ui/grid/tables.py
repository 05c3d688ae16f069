"""The cells of a grid as tables: one line for each, sorted by any column, and one figure as a pivot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Qt

from rooflinestudio.core.grid.tables import COLUMNS, cell_lines, markdown, pivot_of, tsv
from rooflinestudio.core.grid.words import cell_summary, ratio_words
from rooflinestudio.ui.widgets.cells import BarCell, Cell, ChipCell, MarkerCell, TextCell
from rooflinestudio.ui.widgets.painting import marker_shape
from rooflinestudio.ui.widgets.rows_model import RowsModel

if TYPE_CHECKING:
    from rooflinestudio.core.grid.cells import Cell as GridCell
    from rooflinestudio.core.grid.cells import CellKey, Grid
    from rooflinestudio.core.grid.tables import CellLine, Pivot

__all__ = ["WIDTHS", "CellsModel", "PivotModel", "hidden_columns"]

WIDTHS: Final = (124, 58, 76, 104, 190, 84, 96, 92, 100, 78, 78, 104, 124)
GIVE_WAY: Final = ("traffic", "intensity_ratio", "fraction", "intensity", "traffic_ratio", "delta")
"""Columns that go where there is no room, in this order; dimensions, bound, time and its ratio never do."""

_IDS: Final = tuple(one.id for one in COLUMNS)
_RATIOS: Final = ("traffic_ratio", "intensity_ratio", "time_ratio", "delta")


def hidden_columns(width: float, idle: set[str]) -> set[int]:
    """Return the numbers of the columns that are not shown in a table of a width; ``idle`` say nothing anyhow."""
    hidden = {_IDS.index(one) for one in idle}
    for one in GIVE_WAY:
        if sum(px for at, px in enumerate(WIDTHS) if at not in hidden) <= width:
            break
        hidden.add(_IDS.index(one))
    return hidden


def _tone(text: str) -> str:
    return "error" if text.endswith("slower") else "ok" if text.endswith("faster") else "muted"


class CellsModel(RowsModel):
    """A line for each cell, in the order of the grid or sorted by one column."""

    heads = tuple(one.head for one in COLUMNS)
    hints = tuple(one.hint for one in COLUMNS)
    numbers = tuple(at for at, one in enumerate(COLUMNS) if one.number and one.id != "fraction")

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self._unsorted: tuple[CellLine, ...] = ()
        self._sorted_by: tuple[int, Qt.SortOrder] | None = None

    def set_grid(self, grid: Grid | None) -> None:
        """Show the cells of a grid, sorted as before."""
        self._unsorted = cell_lines(grid) if grid is not None else ()
        self.set_rows(self._in_order())

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; -1 goes back to the order of the grid. What was not placed stays last."""
        self._sorted_by = (column, order) if column >= 0 else None
        self.set_rows(self._in_order())

    def _in_order(self) -> list[CellLine]:
        if self._sorted_by is None:
            return list(self._unsorted)
        column, order = self._sorted_by
        known = [one for one in self._unsorted if one.values[column] is not None]
        unknown = [one for one in self._unsorted if one.values[column] is None]
        known.sort(key=lambda one: one.values[column], reverse=order == Qt.SortOrder.DescendingOrder)
        return known + unknown

    def key(self, row: CellLine) -> object:
        return row.cell.key

    def cell(self, row: CellLine, column: int) -> Cell | None:
        text, id_ = row.texts[column], _IDS[column]
        placement = row.cell.row.placement
        if id_ == "boundary":
            slot = row.cell.row.entry.slot
            return MarkerCell(text, marker_shape(slot), slot, strong=row.cell.is_baseline)
        if placement is None:
            return TextCell(text, "warn" if id_ == "bound" else "muted", number=column in self.numbers)
        if id_ == "bound":
            return ChipCell(placement.bound, text)
        if id_ == "fraction":
            return BarCell(float(placement.fraction_of_peak), placement.bound, text)
        if id_ in _RATIOS:
            token = _tone(text) if id_ == "time_ratio" else "text2"
            return TextCell(text, token, strong=token in ("ok", "error"), number=True)
        return TextCell(text, number=column in self.numbers)

    def tip(self, row: CellLine, _column: int) -> str | None:
        return "\n".join(cell_summary(row.cell))

    def row_of(self, key: CellKey | None) -> int:
        """Return the row of a cell, or -1."""
        return next((at for at, one in enumerate(self.rows) if one.cell.key == key), -1)

    def markdown(self) -> str:
        """Return the table in Markdown, as it is sorted."""
        right = (*self.numbers, _IDS.index("fraction"))
        return markdown([self.heads, *(one.texts for one in self.rows)], right)

    def tsv(self) -> str:
        """Return the table with tabs between its cells."""
        return tsv([self.heads, *(one.texts for one in self.rows)])


class PivotModel(RowsModel):
    """One figure, rows against columns; a head sorts the rows by its column, the first by their own order."""

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self._pivot: Pivot | None = None
        self._sorted_by: tuple[int, Qt.SortOrder] | None = None
        self._right = False

    @property
    def pivot(self) -> Pivot | None:
        """What is shown."""
        return self._pivot

    def set_grid(self, grid: Grid | None) -> None:
        """Show the figure that a grid is set to."""
        self._pivot = pivot_of(grid) if grid is not None else None
        heads = () if self._pivot is None else (self._pivot.corner, *self._pivot.heads)
        if heads != self.heads:
            self.beginResetModel()
            self.heads, self._sorted_by = heads, None
            self.numbers = tuple(range(1, len(heads)))
            self.rows, self._cells = (), []
            self.endResetModel()
        self._show()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort the rows by a column; -1 goes back to the order of the grid."""
        self._sorted_by = (column, order) if column >= 0 else None
        self._show()

    def _show(self) -> None:
        pivot = self._pivot
        if pivot is None:
            self.set_rows(())
            return
        order = list(range(len(pivot.stubs)))
        if self._sorted_by is not None:
            column, direction = self._sorted_by
            values = [pivot.stubs[at] if column == 0 else pivot.values[at][column - 1] for at in order]
            known = sorted((at for at in order if values[at] is not None), key=lambda at: values[at])  # type: ignore[arg-type, return-value]
            if direction == Qt.SortOrder.DescendingOrder:
                known.reverse()
            order = known + [at for at in order if values[at] is None]
        self.set_rows([_PivotRow(pivot.stubs[at], pivot.cells[at], pivot.texts[at]) for at in order])

    def key(self, row: _PivotRow) -> object:
        return row.stub

    def cell(self, row: _PivotRow, column: int) -> Cell | None:
        if column == 0:
            return TextCell(row.stub, strong=True)
        one, text = row.cells[column - 1], row.texts[column - 1]
        if one.row.placement is None:
            return TextCell("not placed", "warn", number=True)
        if text in ("baseline", ratio_words(one)):
            tone = _tone(text)
            return TextCell(text, tone, strong=tone in ("ok", "error"), number=True)
        return TextCell(text, number=True)

    def tip(self, row: _PivotRow, column: int) -> str | None:
        return "\n".join(cell_summary(row.cells[column - 1])) if column else None

    def cell_at(self, row: int, column: int) -> GridCell | None:
        """Return the cell of the grid at a place of the table."""
        return self.rows[row].cells[column - 1] if column > 0 else None

    def _table(self) -> list[list[str]]:
        return [list(self.heads), *([one.stub, *one.texts] for one in self.rows)]

    def markdown(self) -> str:
        """Return the table in Markdown."""
        return markdown(self._table(), range(1, len(self.heads)))

    def tsv(self) -> str:
        """Return the table with tabs between its cells."""
        return tsv(self._table())


class _PivotRow:
    """A row of the pivot."""

    __slots__ = ("cells", "stub", "texts")

    def __init__(self, stub: str, cells: tuple[GridCell, ...], texts: tuple[str, ...]) -> None:
        self.stub, self.cells, self.texts = stub, cells, texts
