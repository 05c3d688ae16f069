"""What a table of shapes comes to: the placements, and the rows that cannot be used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rooflinestudio.ui.widgets.cells import Cell, TextCell
from rooflinestudio.ui.widgets.row_table import RowTable
from rooflinestudio.ui.widgets.rows_model import RowsModel

if TYPE_CHECKING:
    from rooflinestudio.core.shapes.faults import Fault

__all__ = ["FaultsModel", "ShapeLine", "ShapesModel", "faults_table", "shapes_table"]


class ShapeLine(NamedTuple):
    """One placement: its first line in the file, label, format and measured time."""

    line: int
    label: str
    dtype: str
    time: str


class ShapesModel(RowsModel):
    """The placements that would be made."""

    heads = ("Placement", "Format", "Measured", "Line")
    numbers = (2, 3)

    def key(self, row: ShapeLine) -> object:
        return row.line

    def cell(self, row: ShapeLine, column: int) -> Cell:
        text = (row.label, row.dtype or "–", row.time or "–", str(row.line))[column]
        return TextCell(
            text, "text2" if column == 3 else "text", strong=column == 0, number=column in self.numbers
        )

    def tip(self, row: ShapeLine, column: int) -> str | None:
        return row.label if column == 0 else None


class FaultsModel(RowsModel):
    """What cannot be used, with the mend."""

    heads = ("Line", "Column", "Value", "What is wrong")
    numbers = (0,)

    def key(self, row: Fault) -> object:
        return row.line, row.column

    def cell(self, row: Fault, column: int) -> Cell:
        text = (str(row.line), row.column.strip("'"), row.value, row.text)[column]
        return TextCell(text, "warn" if column == 3 else "text2", number=column in self.numbers)

    def tip(self, row: Fault, column: int) -> str | None:
        return {2: row.value, 3: row.text}.get(column)


_SHAPE_WIDTHS: Final = (200, 90, 90, 56)
_FAULT_WIDTHS: Final = (48, 90, 90, 200)


def shapes_table(model: Any) -> RowTable:
    """Return the table of placements."""
    table = RowTable("Placements", row_px=24, edge_px=16)
    table.setModel(model)
    table.share_width(_SHAPE_WIDTHS, grows=(0,))
    return table


def faults_table(model: Any) -> RowTable:
    """Return the table of rows that cannot be used."""
    table = RowTable("Rows that cannot be used", row_px=24, edge_px=16)
    table.setModel(model)
    table.share_width(_FAULT_WIDTHS, grows=(3,))
    return table
