"""The table of measured kernels for Qt: lines stand where the core put them, and only what is painted is worded."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from rooflinestudio.core.measured.panel import COLUMN_IDS
from rooflinestudio.core.measured.words import (
    HINTS,
    cell_text,
    cell_tip,
    fraction_of,
    head_of,
    is_lent,
    kind_of,
    pair_text,
)
from rooflinestudio.ui.measured.cells import KernelCell
from rooflinestudio.ui.widgets.cells import CELL, BarCell, Cell, MarkerCell, TextCell

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.measured.table import MeasuredTable
    from rooflinestudio.core.measurement_overlay import Overlay
    from rooflinestudio.ui.measured.showing import WornSlots

__all__ = ["NUMBERS", "MeasuredModel"]

(
    KERNEL, FILE, LAUNCH, GRID, BLOCK, TIME, SHARE, WORK, TRAFFIC, INTENSITY, ACHIEVED, PIPE, BOUND, PAIR, DEVICE, NOTE,
) = range(len(COLUMN_IDS))  # fmt: skip

NUMBERS: Final = (LAUNCH, TIME, SHARE, WORK, TRAFFIC, INTENSITY, ACHIEVED)
"""Columns of numbers: at the right, and sorted from the largest down first."""

_FROM_WORK: Final = (WORK, INTENSITY, ACHIEVED)
_ABOVE: Final = 1.02  # of the roof; up to here the roof's own figure is rounded
_RIGHT: Final = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_DISPLAY, _TIP = Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole
_SPOKEN = Qt.ItemDataRole.AccessibleTextRole
_ANSWERED: Final = (CELL, _DISPLAY, _TIP, _SPOKEN)
_MIDDLE: Final = Qt.TextElideMode.ElideMiddle

_Index = QModelIndex | QPersistentModelIndex
_NO_INDEX: Final = QModelIndex()


class MeasuredModel(QAbstractTableModel):
    """Lines of a table that was made elsewhere."""

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self.table: MeasuredTable | None = None
        self._slots: Mapping[int, int | str] | WornSlots = {}

    def set_table(self, table: MeasuredTable | None) -> None:
        """Show a table; one with the same rows resets nothing: what is chosen stays, only cells are painted anew."""
        old = self.table
        if table is old:
            return
        if old is not None and table is not None and old.has_rows_of(table):
            self.table = table
            if len(table.lines):
                last = self.index(len(table.lines) - 1, len(COLUMN_IDS) - 1)
                self.dataChanged.emit(self.index(0, 0), last)
            return
        self.beginResetModel()
        self.table = table
        self.endResetModel()

    def set_pair_slots(self, slots: Mapping[int, int | str] | WornSlots) -> None:
        """Say which colours kernels have from the entries that they are held against."""
        self._slots = slots

    # Where rows are -----------------------------------------------------------------------------------------------

    def line(self, row: int) -> int:
        """Return the line of a row: a kernel, or below 0 a group."""
        return int(self.table.lines[row]) if self.table is not None else 0

    def is_group(self, row: int) -> bool:
        """Whether a row stands for several kernels."""
        return row >= 0 and self.line(row) < 0

    def place_of(self, row: int) -> tuple[Overlay, int]:
        """Return the file of a row's kernel (of a group: its first one), and its position in there."""
        if self.table is None:
            raise IndexError(row)
        return self.table.series.place_of(self.table.kernel_at(self.line(row)))

    def row_of(self, digest: str, index: int) -> int:
        """Return the row of a kernel, or of its closed group; -1 where it is not listed."""
        if self.table is None:
            return -1
        return self.table.row_of(self.table.series.kernel_of(digest, index))

    # Data ---------------------------------------------------------------------------------------------------------

    def rowCount(self, parent: _Index = _NO_INDEX) -> int:
        return 0 if parent.isValid() or self.table is None else len(self.table.lines)

    def columnCount(self, parent: _Index = _NO_INDEX) -> int:
        return 0 if parent.isValid() else len(COLUMN_IDS)

    def flags(self, index: _Index) -> Qt.ItemFlag:
        """Kernels can be dragged onto entries."""
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsDragEnabled if index.isValid() else flags

    def data(self, index: _Index, role: int = _DISPLAY) -> Any:
        if role not in _ANSWERED or self.table is None or not index.isValid():
            return None
        line, column = int(self.table.lines[index.row()]), index.column()
        if role == CELL:
            return self._cell(self.table, line, column)
        if role == _TIP:
            return cell_tip(self.table, line, COLUMN_IDS[column]) or None
        text = cell_text(self.table, line, COLUMN_IDS[column])
        if role == _SPOKEN and column == KERNEL:
            return f"{text}, {self._spoken_state(self.table, line)}"
        return text

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY) -> Any:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(COLUMN_IDS):
            return None
        if role == _DISPLAY:
            grouped = self.table is not None and self.table.groups is not None
            return head_of(COLUMN_IDS[section], grouped=grouped)
        if role == Qt.ItemDataRole.TextAlignmentRole and section in NUMBERS:
            return _RIGHT
        return HINTS[section] if role == _TIP else None

    def _spoken_state(self, table: MeasuredTable, line: int) -> str:
        if line < 0:
            count = int(table.figures.kernels[-1 - line]) if table.figures is not None else 0
            return f"group of {count}, {'open' if -1 - line in table.opened else 'closed'}"
        return "measured, hidden" if table.hidden[line] else "measured"

    def _cell(self, table: MeasuredTable, line: int, column: int) -> Cell:
        if column == KERNEL:
            return self._kernel_cell(table, line)
        if column == BOUND:
            return _bound_cell(table, line)
        if column == PAIR:
            return _pair_cell(table, line)
        text = cell_text(table, line, COLUMN_IDS[column])
        if column in NUMBERS:
            lent = column in _FROM_WORK and is_lent(table, line)
            token = "muted" if text == "–" else "accent_text" if lent else "text"
            return TextCell(text, token, strong=line < 0, number=True)
        return TextCell(text, "warn" if column == NOTE else "text2")

    def _kernel_cell(self, table: MeasuredTable, line: int) -> KernelCell:
        text = cell_text(table, line, "kernel").removeprefix("void ")
        if line < 0:
            slots, hidden = table.group_slots
            group = -1 - line
            chevron = "open" if group in table.opened else "closed"
            own = int(slots[group])
            return KernelCell(
                text,
                "diamond",
                own if own >= 0 else "",
                mode=_MIDDLE,
                chevron=chevron,
                hidden=bool(hidden[group]),
            )
        own = int(table.slots[line])
        is_hidden = bool(table.hidden[line])
        slot = own if own >= 0 else self._slots.get(line, "")
        return KernelCell(
            text, self._shape(line), slot, token="muted" if is_hidden else "text",
            mode=_MIDDLE, indented=table.groups is not None, hidden=is_hidden,
        )  # fmt: skip

    def _shape(self, line: int) -> str:
        shape = getattr(self._slots, "shape", None)
        return "diamond" if shape is None else str(shape(line))


def _pair_cell(table: MeasuredTable, line: int) -> Cell:
    """Return the entry behind its colour; of a group, or of what is only suggested, quiet words."""
    if line < 0 or line not in table.paired:
        text = cell_text(table, line, "pair")
        return TextCell(text, "muted" if text.endswith("?") else "text2", mode=_MIDDLE)
    return MarkerCell(pair_text(table, line), "circle", table.paired[line].slot, strong=False)


def _bound_cell(table: MeasuredTable, line: int) -> Cell:
    fraction, kind = fraction_of(table, line), kind_of(table, line)
    if math.isnan(fraction) or not kind:
        return TextCell("–", "muted", number=True)
    percent = cell_text(table, line, "bound").partition(",")[0]
    if fraction > _ABOVE:
        return TextCell(f"{percent}, above it", "warn", number=True)
    return BarCell(fraction, kind, percent, glyph=True)
