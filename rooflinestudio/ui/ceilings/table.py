"""The table of measured ceilings: what each reading becomes, and whether it is taken."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from rooflinestudio.core.ceilings.sheet import sheet_of
from rooflinestudio.ui.ceilings.cells import DOUBTED, CeilingsDelegate, ShareCell, TargetCell, TickCell
from rooflinestudio.ui.widgets.cells import Cell, TextCell
from rooflinestudio.ui.widgets.row_table import RowTable
from rooflinestudio.ui.widgets.rows_model import RowsModel

if TYPE_CHECKING:
    from PySide6.QtCore import QPersistentModelIndex
    from PySide6.QtGui import QKeyEvent, QMouseEvent

    from rooflinestudio.core.ceilings.proposal import Proposal
    from rooflinestudio.core.ceilings.sheet import SheetLine

__all__ = ["CeilingsModel", "CeilingsTable"]

TAKE, ORIGIN, TARGET, BEST, MEDIAN, SPREAD, STATED, SHARE = range(8)
_HEADS: Final = (
    "Take",
    "Measured as",
    "Becomes",
    "Best",
    "Median",
    "Low to high",
    "Published",
    "Of the published",
)
_HINTS: Final = (
    "Whether it goes into the profile. Space changes it.",
    "The tool's own word.",
    "The ceiling or boundary of the profile. Enter chooses another one.",
    "The best run.",
    "The median run, where the file has one.",
    "The lowest and the highest run, where the file has them.",
    "What documents or formulas say.",
    "The measured rate in per cent of that.",
)
_WIDTHS: Final = (54, 96, 128, 104, 104, 168, 104, 134)
_MIDDLE: Final = Qt.TextElideMode.ElideMiddle
_ROW_PX: Final = 30


class CeilingsModel(RowsModel):
    """Lines of a proposal."""

    heads = _HEADS
    hints = _HINTS
    numbers = (BEST, MEDIAN, SPREAD, STATED, SHARE)

    def key(self, row: SheetLine) -> object:
        return row.number

    def cell(self, row: SheetLine, column: int) -> Any:
        made: dict[int, Cell | TickCell | TargetCell | ShareCell] = {
            TAKE: TickCell(row.taken),
            ORIGIN: TextCell(row.origin, strong=row.taken, mode=_MIDDLE),
            TARGET: TargetCell(row.target, row.is_new),
            BEST: _number(row.best),
            MEDIAN: _number(row.median),
            SPREAD: _number(row.spread, "text2"),
            STATED: _number(row.stated, "text2"),
            SHARE: ShareCell(row.share, row.ratio, row.doubted),
        }
        return made[column]

    def spoken(self, row: SheetLine, column: int) -> str:
        if column == TAKE:
            return f"{'taken' if row.taken else 'not taken'}{', asked about' if row.doubted else ''}"
        return super().spoken(row, column)

    def tip(self, row: SheetLine, column: int) -> str | None:
        if column == ORIGIN:
            return row.origin
        if column == STATED and row.provenance:
            return f"{row.stated}, {row.provenance}"
        return None

    def data(
        self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if role == DOUBTED and index.isValid():
            return self.rows[index.row()].doubted
        return super().data(index, role)


def _number(text: str, token: str = "text") -> TextCell:
    return TextCell(text, token if text != "–" else "muted", number=True)


class CeilingsTable(RowTable):
    """Shows a proposal; Space or a click on the tick takes a row, Enter or a click on its figure chooses another.

    Signals
    -------
    tickRequested
        Number of a reading, and whether it is to be taken.
    targetRequested
        Number of a reading, and the id of the ceiling or boundary that it is for.
    """

    tickRequested = Signal(int, bool)
    targetRequested = Signal(int, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Measured ceilings", row_px=_ROW_PX, edge_px=12, parent=parent)
        self.setObjectName("ceilings.table")
        self.rows_model = CeilingsModel(self)
        self._delegate = CeilingsDelegate(row_px=_ROW_PX, padding_px=8, edge_px=12, parent=self)
        self.setItemDelegate(self._delegate)
        self.setModel(self.rows_model)
        self.share_width(_WIDTHS, grows=(ORIGIN,))
        self._proposal: Proposal | None = None
        self.copyRequested.connect(self.copy)

    def copy(self) -> None:
        """Put the whole table on the clipboard, with tabs between the columns."""
        model = self.rows_model
        columns = [at for at in range(TAKE + 1, model.columnCount()) if not self.isColumnHidden(at)]
        lines = ["\t".join(_HEADS[at] for at in columns)]
        for row in range(model.rowCount()):
            lines.append("\t".join(str(model.index(row, at).data()) for at in columns))
        QGuiApplication.clipboard().setText("\n".join(lines))

    def set_proposal(self, proposal: Proposal) -> None:
        """Show what would be taken; the chosen row stays chosen."""
        chosen = self.chosen_row()
        self._proposal = proposal
        self.rows_model.set_rows(sheet_of(proposal))
        self.setColumnHidden(MEDIAN, not proposal.has_medians)
        self.setColumnHidden(SPREAD, not any(row.ends for row in proposal.rows))
        self._spread()
        if 0 <= chosen < self.rows_model.rowCount():
            self.choose_row(chosen)

    @property
    def wanted_height(self) -> int:
        """How high the table is with all its rows, in pixels."""
        return self.horizontalHeader().sizeHint().height() + self.rows_model.rowCount() * _ROW_PX

    def number_at(self, row: int) -> int:
        """Return the number of the reading in a row."""
        line: SheetLine = self.rows_model.rows[row]
        return line.number

    def target_menu(self, row: int) -> QMenu:
        """Return the menu of what the reading of a row can be for."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setAccessibleName("What it becomes")
        if self._proposal is None:
            return menu
        reading = self._proposal.rows[row]
        for id_, label in self._proposal.targets_for(reading):
            action = menu.addAction(label)
            action.setData(id_)
            action.setCheckable(True)
            action.setChecked(id_ == reading.target)
        number = reading.number
        menu.triggered.connect(lambda action: self.targetRequested.emit(number, str(action.data())))
        return menu

    def _open_targets(self, row: int) -> None:
        corner = self.visualRect(self.rows_model.index(row, TARGET)).bottomLeft()
        self.target_menu(row).popup(self.viewport().mapToGlobal(corner))

    def _turn(self, row: int) -> None:
        line: SheetLine = self.rows_model.rows[row]
        self.tickRequested.emit(line.number, not line.taken)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row, key = self.currentIndex().row(), event.key()
        if row >= 0 and key == Qt.Key.Key_Space:
            self._turn(row)
        elif row >= 0 and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._open_targets(row)
        else:
            super().keyPressEvent(event)
            return
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        if event.button() != Qt.MouseButton.LeftButton or not index.isValid():
            return
        if index.column() == TAKE:
            self._turn(index.row())
        elif index.column() == TARGET:
            self._open_targets(index.row())
