"""The list of thresholds as a model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt

from rooflinestudio.ui.widgets.cells import Cell, MarkerCell, TextCell
from rooflinestudio.ui.widgets.painting import marker_shape
from rooflinestudio.ui.widgets.rows_model import RowsModel

if TYPE_CHECKING:
    from rooflinestudio.core.sweep.picture import ThresholdRow

__all__ = ["CURVE", "FIGURE", "VALUE", "WORDS", "ThresholdModel"]

COLUMNS: Final = ("Curve", "Value", "What changes", "Figure")
CURVE, VALUE, WORDS, FIGURE = range(len(COLUMNS))


class ThresholdModel(RowsModel):
    """Where something changes along the curves, one row each."""

    heads: tuple[str, ...] = COLUMNS
    hints = ("", "Exact, however fine the curve is", "", "What the curve says there")
    numbers = (VALUE, FIGURE)

    def set_heads(self, value: str, figure: str) -> None:
        """Name the columns after what runs and what is shown."""
        self._set_heads((self.heads[0], value, COLUMNS[2], figure))

    def set_curve_head(self, words: str) -> None:
        """Name the column of curves, or not, where only the markers have room."""
        _, *others = self.heads
        self._set_heads((words, *others))

    def _set_heads(self, heads: tuple[str, ...]) -> None:
        if heads != self.heads:
            self.heads = heads
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, FIGURE)

    def key(self, row: ThresholdRow) -> object:
        return row.key

    def cell(self, row: ThresholdRow, column: int) -> Cell | None:
        if column == CURVE:
            return MarkerCell(row.curve.name, marker_shape(row.curve.slot), row.curve.slot, strong=False)
        if column == VALUE:
            return TextCell(row.value_text, strong=True, number=True)
        if column == WORDS:
            return TextCell(row.words, "text2")
        return TextCell(row.figure_text, number=True)

    def tip(self, row: ThresholdRow, column: int) -> str | None:
        return {CURVE: row.curve.name, WORDS: row.words}.get(column)

    def row_of(self, key: object) -> int:
        """Return the row of a threshold, or -1."""
        return next((at for at, one in enumerate(self.rows) if one.key == key), -1)
