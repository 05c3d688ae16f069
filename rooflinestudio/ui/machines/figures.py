"""The figures of the machines in view, each held against the first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from rooflinestudio.core.profile_edit.wording import rate_text
from rooflinestudio.core.quantities import format_number, format_quantity
from rooflinestudio.ui.machines.markdown import table_markdown
from rooflinestudio.ui.widgets.cells import Cell, TextCell
from rooflinestudio.ui.widgets.row_table import RowTable
from rooflinestudio.ui.widgets.rows_model import RowsModel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.machines.difference import DifferenceCell, DifferenceRow

__all__ = ["FiguresModel", "FiguresPage", "figure_text", "ratio_text"]

NONE: Final = "–"
_NAME_PX, _VALUE_PX, _RATIO_PX = 190, 128, 84


def figure_text(value: float | None, unit: str) -> str:
    """Return a figure with its unit, or a dash."""
    if value is None:
        return NONE
    if unit == "B":
        return rate_text(value, unit)  # 50 MiB, as the editor writes it
    return (
        format_number(value, digits=4) if unit in ("", "FLOP/B") else format_quantity(value, unit, digits=4)
    )


def ratio_text(cell: DifferenceCell, *, more_is_better: bool | None) -> tuple[str, str]:
    """Return the ratio to the first machine and its colour: good, bad, or neither."""
    if cell.ratio is None:
        return NONE, "muted"
    if not cell.differs:
        return "1.00×", "muted"
    shown = f"{cell.ratio:.2f}×" if 0.01 <= cell.ratio < 99.995 else f"{format_number(cell.ratio)}×"
    if more_is_better is None:
        return shown, "text2"
    return shown, "ok" if (cell.ratio > 1) == more_is_better else "error"


class FiguresModel(RowsModel):
    """One row for each figure; two columns for each machine after the first: figure and ratio."""

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self._names: tuple[str, ...] = ()

    def set_differences(self, names: Sequence[str], rows: Sequence[DifferenceRow]) -> None:
        """Show these rows of machines with these names."""
        names = tuple(names)
        if names != self._names:
            self.beginResetModel()
            self._names, self.rows, self._cells = names, (), []
            self.heads = ("Figure", *(head for at, name in enumerate(names) for head in _heads(at, name)))
            self.numbers = tuple(range(1, len(self.heads)))
            self.endResetModel()
        self.set_rows(rows)

    def key(self, row: DifferenceRow) -> object:
        return row.key

    def cell(self, row: DifferenceRow, column: int) -> Cell | None:
        if column == 0:
            return TextCell(row.label)
        at, is_ratio = _place(column)
        if at >= len(row.cells):
            return None
        one = row.cells[at]
        if is_ratio:
            text, token = ratio_text(one, more_is_better=row.more_is_better)
            return TextCell(text, token, number=True, strong=token in ("ok", "error"))
        token = "muted" if one.value is None else "warn" if one.provenance == "assumed" else "text"
        return TextCell(figure_text(one.value, row.unit), token, number=True)

    def tip(self, row: DifferenceRow, column: int) -> str | None:
        if column == 0:
            return row.label
        one = row.cells[_place(column)[0]]
        if one.value is None:
            return "This profile does not know it."
        return "\n".join(text for text in (one.provenance, one.condition, one.source) if text)

    def markdown(self) -> str:
        """Return the table as Markdown."""
        return table_markdown(self)


def _heads(at: int, name: str) -> tuple[str, ...]:
    return (name,) if at == 0 else (name, "of the first")


def _place(column: int) -> tuple[int, bool]:
    """Return the machine of a column, and whether the column holds its ratio."""
    return (0, False) if column == 1 else (column // 2, column % 2 == 1)


class FiguresPage(QWidget):
    """The table.

    Signals
    -------
    copyRequested
        The copy key was pressed.
    """

    copyRequested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = FiguresModel(self)
        self.table = RowTable("Figures of the machines", edge_px=16)
        self.table.setObjectName("machines_tab.figures")
        self.table.setModel(self.model)
        self.table.horizontalHeader().setDefaultAlignment(
            Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        )
        self.table.copyRequested.connect(self.copyRequested)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.table)

    def show_machines(self, machines: Sequence[HardwareProfile], rows: Sequence[DifferenceRow]) -> None:
        """Show the figures of machines."""
        before = self.model.heads
        self.model.set_differences([one.short_name for one in machines], rows)
        if before != self.model.heads:
            widths = [_NAME_PX, *(_width(column) for column in range(1, len(self.model.heads)))]
            self.table.share_width(widths, grows=(0,))


def _width(column: int) -> int:
    return _RATIO_PX if _place(column)[1] else _VALUE_PX
