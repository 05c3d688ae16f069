"""The table of a budget: it sorts itself, and writes itself down as Markdown or tab-separated text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Qt, Signal

from rooflinestudio.ui.widgets.cells import BarCell, Cell, ChipCell, TextCell
from rooflinestudio.ui.widgets.row_table import RowTable
from rooflinestudio.ui.widgets.rows_model import RowsModel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QModelIndex
    from PySide6.QtGui import QKeyEvent

    from rooflinestudio.ui.budget.lines import PartLine

__all__ = ["BOUND", "INTENSITY", "NAME", "SHARE", "TIME", "TRAFFIC", "WORK", "BudgetModel", "BudgetTable"]

NAME, WORK, TRAFFIC, INTENSITY, BOUND, TIME, SHARE = range(7)
_WIDTHS: Final = (124, 88, 80, 64, 178, 82, 130)
_GROWS: Final = (NAME, WORK, TRAFFIC, INTENSITY, TIME, SHARE)
_NAME_MORE_PX: Final = 70
"""What names get first of the room that is left."""

_GIVES_WAY: Final = (WORK, TRAFFIC, INTENSITY)
"""Columns that are hidden in a narrow window, in this order."""


class BudgetModel(RowsModel):
    """Parts in the order in which they run, or sorted by one column."""

    heads: tuple[str, ...] = ("Operator", "W", "Q", "I", "Bound", "Time", "Share of the layer")
    hints = (
        "The kernel, and how often it runs",
        "Work of all its runs",
        "Traffic of all its runs, at the boundary that counts for it",
        "Intensity, FLOP/byte",
        "Which limit binds",
        "Time of all its runs",
        "Its share of the time; the longest bar is the largest share",
    )
    numbers = (WORK, TRAFFIC, INTENSITY, TIME)

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self._unsorted: tuple[PartLine, ...] = ()
        self._sorted_by: tuple[int, Qt.SortOrder] | None = None

    def set_lines(self, lines: Sequence[PartLine], noun: str) -> None:
        """Show these parts, sorted as before; the last head names what they are parts of."""
        head = f"Share of the {noun}"
        if self.heads[SHARE] != head:
            self.heads = (*self.heads[:SHARE], head)
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, SHARE, SHARE)
        self._unsorted = tuple(lines)
        self.set_rows(self._in_order())

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; -1 goes back to the order in which the parts run."""
        self._sorted_by = (column, order) if column >= 0 else None
        self.set_rows(self._in_order())

    def _in_order(self) -> list[PartLine]:
        if self._sorted_by is None:
            return list(self._unsorted)
        column, order = self._sorted_by
        backwards = order == Qt.SortOrder.DescendingOrder
        return sorted(self._unsorted, key=lambda line: line.values[column], reverse=backwards)  # type: ignore[arg-type, return-value]

    def key(self, row: PartLine) -> object:
        return row.index, row.name

    def cell(self, row: PartLine, column: int) -> Cell | None:
        if column == NAME:
            return TextCell(row.name)
        if column == BOUND:
            return ChipCell(row.bound, row.bound_text)
        if column == SHARE:
            return BarCell(row.fraction, row.bound, row.share_text)
        text = {WORK: row.work, TRAFFIC: row.traffic, INTENSITY: row.intensity, TIME: row.time}[column]
        return TextCell(text, number=True)

    def tip(self, row: PartLine, _column: int) -> str | None:
        return row.tip

    def row_of(self, index: int) -> int:
        """Return the row of a part, or -1."""
        return next((at for at, line in enumerate(self.rows) if line.index == index), -1)

    # Written down -------------------------------------------------------------------------------------------------

    def texts(self) -> list[list[str]]:
        """Return head and rows as texts, in full."""
        rows = [
            [one.name, one.work, one.traffic, one.intensity, one.bound_text, one.time, one.share_text]
            for one in self.rows
        ]
        return [list(self.heads), *rows]

    def markdown(self) -> str:
        """Return the table in Markdown, numbers at the right."""
        head, *rows = self.texts()
        rule = ["---:" if column in (*self.numbers, SHARE) else "---" for column in range(len(head))]
        lines = [head, rule, *rows]
        return (
            "\n".join(
                f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines
            )
            + "\n"
        )

    def tsv(self) -> str:
        """Return the table as tab-separated text, for spreadsheets."""
        return "\n".join("\t".join(" ".join(cell.split()) for cell in line) for line in self.texts()) + "\n"


class BudgetTable(RowTable):
    """As high as its rows; it lies in a view that scrolls.

    Signals
    -------
    rowOpened
        Row that was double-clicked, or confirmed by Enter.
    """

    rowOpened = Signal(int)

    def __init__(self) -> None:
        super().__init__("Kernels of the budget", shrunk=True)
        self.horizontalHeader().setSectionsClickable(True)
        self.share_width(_WIDTHS, grows=_GROWS)
        self.doubleClicked.connect(self._on_double_clicked)

    def fit_columns(self, width: int) -> None:
        """Hide columns until the others have room in a width."""
        needed = sum(_WIDTHS)
        for column in _GIVES_WAY:
            gives_way = needed > width
            self.setColumnHidden(column, gives_way)
            needed -= _WIDTHS[column] if gives_way else 0
        name = _WIDTHS[NAME] + min(max(0, width - needed), _NAME_MORE_PX)
        self.share_width((name, *_WIDTHS[1:]), grows=_GROWS)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.rowOpened.emit(self.currentIndex().row())
            event.accept()
            return
        super().keyPressEvent(event)

    def _on_double_clicked(self, index: QModelIndex) -> None:
        self.rowOpened.emit(index.row())
