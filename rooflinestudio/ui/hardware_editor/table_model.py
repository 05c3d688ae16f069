"""Rows of figures as a table model; what is typed into a cell is told, never taken here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, Signal

from rooflinestudio.core.profile_edit.rows import NOTHING, FigureRow
from rooflinestudio.ui.widgets.cells import TextCell
from rooflinestudio.ui.widgets.rows_model import RowsModel

if TYPE_CHECKING:
    from collections.abc import Callable

    from rooflinestudio.core.profile_edit.places import Side

__all__ = [
    "CONDITION", "DATE", "IN_USE", "MEASURED", "NAME", "PROVENANCE", "SOURCE", "STATED", "BadgeCell", "FiguresModel",
    "RefusedCell",
]  # fmt: skip

NAME, STATED, MEASURED, IN_USE, PROVENANCE, SOURCE, CONDITION, DATE = range(8)
_Index = QModelIndex | QPersistentModelIndex
_COLUMNS: Final = {STATED: "stated", MEASURED: "measured", DATE: "date"}
_FIELDS: Final = {SOURCE: "source", CONDITION: "condition", DATE: "date"}


@dataclass(frozen=True, slots=True)
class BadgeCell:
    """Where a figure comes from, as a badge."""

    text: str


@dataclass(frozen=True, slots=True)
class RefusedCell:
    """A typed text that was not taken, outlined."""

    text: str
    number: bool = True


class FiguresModel(RowsModel):
    """Ceilings, boundaries, or single figures.

    Parameters
    ----------
    head
        Above the names.
    singles
        Whether the rows have one figure each, which then stands in the column of what is in use.
    entry
        Answers what an entry starts with: of a row and a side, the exact text.

    Signals
    -------
    typed
        Row, column and text of an entry that was confirmed.
    """

    typed = Signal(object, int, str)
    numbers = (STATED, MEASURED, IN_USE, DATE)

    def __init__(
        self, head: str, *, singles: bool = False, entry: Callable[[FigureRow, Side], str], parent: Any = None
    ) -> None:
        super().__init__(parent)
        figures = ("", "", "Value") if singles else ("Published", "Measured", "In use")
        self.heads = (head, *figures, "Provenance", "Source", "Condition", "Date")
        self.hints = (
            "",
            "" if singles else "What documents or formulas say",
            "" if singles else "What was measured on this machine",
            "" if singles else "What everything in the studio is judged by",
            "Where the figure in use comes from",
        )
        self.singles, self._entry = singles, entry
        self.is_locked = False

    # How it looks -------------------------------------------------------------------------------------------------

    def key(self, row: FigureRow) -> object:
        return row.place

    def cell(self, row: FigureRow, column: int) -> Any:
        refused = row.refused_in(_COLUMNS.get(column, "")) if column in _COLUMNS else None
        if self.singles and column == IN_USE:
            refused = row.refused_in("stated")
        if refused is not None and not (self.singles and column in (STATED, MEASURED)):
            return RefusedCell(refused)
        if column == PROVENANCE:
            return BadgeCell(row.provenance)
        return self._text_cell(row, column)

    def _text_cell(self, row: FigureRow, column: int) -> TextCell:
        if column == NAME:
            return TextCell(row.name, "text", row.is_reference)
        if column in (SOURCE, CONDITION):
            return TextCell(row.source if column == SOURCE else row.condition, "text2")
        if column == DATE:
            return TextCell(row.date or NOTHING, "muted", number=True)
        text = {STATED: row.stated, MEASURED: row.measured, IN_USE: row.in_use}[column]
        return TextCell(text, _token(row, column, text), number=True)

    def spoken(self, row: FigureRow, column: int) -> str:
        cell = self.cell(row, column)
        text = str(cell.text) or "empty"
        if isinstance(cell, RefusedCell):
            return f"{self.heads[column]}: {text}, refused"
        return f"{self.heads[column]}: {text}"

    def tip(self, row: FigureRow, column: int) -> str | None:
        if column in (STATED, MEASURED, IN_USE):
            return row.exact[column - STATED] or None
        if column == NAME and row.is_reference:
            return "The ceiling that is shown beside every operator's own"
        return {SOURCE: row.source, CONDITION: row.condition}.get(column) or None

    # What can be typed --------------------------------------------------------------------------------------------

    def is_editable(self, row: FigureRow, column: int) -> bool:
        """Tell whether there is something to type in a cell, were the machine the user's own."""
        if column == NAME:
            return row.place.group == "boundaries" and not row.place.part
        if self.singles:
            return column in (IN_USE, SOURCE, CONDITION, DATE)
        return column in (STATED, MEASURED, SOURCE, CONDITION, DATE)

    def flags(self, index: _Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        if (
            index.isValid()
            and not self.is_locked
            and self.is_editable(self.rows[index.row()], index.column())
        ):
            flags |= Qt.ItemFlag.ItemIsEditable
        return flags

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.EditRole and index.isValid():
            return self._entry_text(self.rows[index.row()], index.column())
        return super().data(index, role)

    def _entry_text(self, row: FigureRow, column: int) -> str:
        refused = row.refused_in("stated" if self.singles and column == IN_USE else _COLUMNS.get(column, ""))
        if refused is not None:
            return refused
        if column in (STATED, MEASURED, IN_USE):
            return self._entry(row, "measured" if column == MEASURED else "stated")
        return row.name if column == NAME else str(getattr(row, _FIELDS[column]))

    def setData(self, index: _Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.EditRole or not index.isValid():
            return False
        row, column, text = self.rows[index.row()], index.column(), str(value)
        if text != self._entry_text(row, column):
            self.typed.emit(row, column, text)
        return True


def _token(row: FigureRow, column: int, text: str) -> str:
    """Return the colour of a figure: what is not in use steps back, what is doubtful warns."""
    if text == NOTHING:
        return "muted"
    if column == MEASURED:
        return "warn" if row.doubtful else "text" if row.uses == "measured" else "text2"
    if column == STATED and row.uses == "measured":
        return "text2"
    return "text"
