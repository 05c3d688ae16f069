"""Rows as the study would show them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Qt

from rooflinestudio.ui.widgets.cells import Cell, TextCell
from rooflinestudio.ui.widgets.row_table import RowTable
from rooflinestudio.ui.widgets.rows_model import RowsModel

if TYPE_CHECKING:
    from rooflinestudio.core.importing.preview import PreviewRow

__all__ = ["PreviewModel", "preview_table"]

_FIELDS: Final = ("kernel", "time", "work", "traffic", "intensity", "rate", "pipe", "reason")
_WIDTHS: Final = (150, 84, 100, 100, 96, 112, 92, 150)


class PreviewModel(RowsModel):
    """Kernels made of the first rows."""

    heads = ("Kernel", "Time", "W", "Q", "I, FLOP/byte", "Achieved", "Pipe", "Not plotted because")
    numbers = (1, 2, 3, 4, 5)

    def key(self, row: PreviewRow) -> object:
        return row.launch

    def cell(self, row: PreviewRow, column: int) -> Cell:
        text = getattr(row, _FIELDS[column])
        token = "warn" if column == len(_FIELDS) - 1 else "text" if row.plotted else "text2"
        mode = Qt.TextElideMode.ElideMiddle if column == 0 else Qt.TextElideMode.ElideRight
        return TextCell(text, token, strong=column == 0, number=column in self.numbers, mode=mode)

    def tip(self, row: PreviewRow, column: int) -> str | None:
        return {0: row.kernel, len(_FIELDS) - 1: row.reason or None}.get(column)


def preview_table(model: Any) -> RowTable:
    """Return the table of a preview."""
    table = RowTable("What becomes of the first rows", row_px=24, edge_px=20)
    table.setModel(model)
    table.share_width(_WIDTHS, grows=(0, len(_FIELDS) - 1))
    return table
