"""A table of rows: no grid, hairlines, one row selected, the same look in every panel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QItemSelectionModel, Qt, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView, QWidget

from rooflinestudio.ui.widgets.cells import CellDelegate
from rooflinestudio.ui.widgets.plain_header import PlainHeader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QAbstractItemModel, QModelIndex
    from PySide6.QtGui import QKeyEvent, QResizeEvent

__all__ = ["RowTable"]


class RowTable(QTableView):
    """A table whose rows are chosen as a whole.

    ``shrunk`` tables are as high as their rows and never scroll: they are parts of a panel that does.

    Signals
    -------
    rowChosen
        Number of the row (of the model) that the user clicked or moved to by key.
    copyRequested
        The copy key was pressed.
    """

    rowChosen = Signal(int)
    copyRequested = Signal()

    def __init__(
        self, name: str, *, row_px: int = 27, padding_px: int = 8, edge_px: int = 8, shrunk: bool = False,
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self.setAccessibleName(name)
        self._row_px, self._shrunk = row_px, shrunk
        self._widths: tuple[int, ...] = ()
        self._grows: tuple[int, ...] = ()
        self._sorted_by: tuple[int, Qt.SortOrder] | None = None
        self._delegate = CellDelegate(row_px=row_px, padding_px=padding_px, edge_px=edge_px, parent=self)
        self.setItemDelegate(self._delegate)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setMouseTracking(True)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalHeader(
            PlainHeader(height_px=24 if shrunk else 28, padding_px=padding_px, edge_px=edge_px)
        )
        self.horizontalHeader().setAccessibleName(f"{name}, columns")
        self._set_up_rows()
        if shrunk:
            self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.clicked.connect(self._on_clicked)

    def _set_up_rows(self) -> None:
        rows = self.verticalHeader()
        rows.setVisible(False)
        rows.setMinimumSectionSize(self._row_px)
        rows.setDefaultSectionSize(self._row_px)
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)

    @property
    def cell_delegate(self) -> CellDelegate:
        """The delegate that paints the cells."""
        return self._delegate

    def setModel(self, model: QAbstractItemModel | None) -> None:
        super().setModel(model)
        if model is None or not self._shrunk:
            return
        for signal in (model.modelReset, model.rowsInserted, model.rowsRemoved):
            signal.connect(self._fit_height)
        self._fit_height()

    def share_width(self, widths: Sequence[int], *, grows: Sequence[int]) -> None:
        """Give the columns these least widths, and what is left over to those that grow, in equal parts."""
        self._widths, self._grows = tuple(widths), tuple(grows)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self._spread()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._spread()

    def _spread(self) -> None:
        if not self._widths:
            return
        visible = [at for at in range(len(self._widths)) if not self.isColumnHidden(at)]
        growing = [at for at in self._grows if at in visible] or visible[-1:]
        spare = max(0, self.viewport().width() - sum(self._widths[at] for at in visible))
        for at in visible:
            extra = spare // len(growing) if at in growing else 0
            if at == growing[-1]:
                extra += spare % len(growing)
            self.setColumnWidth(at, self._widths[at] + extra)

    def sort_next(self, column: int, first: Qt.SortOrder) -> None:
        """Sort by a column in one order, at the next call in the other, then as the rows came."""
        up, down = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder
        second = down if first == up else up
        if self._sorted_by == (column, first):
            self._sorted_by = (column, second)
        else:
            self._sorted_by = None if self._sorted_by == (column, second) else (column, first)
        at, order = self._sorted_by or (-1, up)
        head = self.horizontalHeader()
        head.setSortIndicatorShown(at >= 0)
        if at >= 0:
            head.setSortIndicator(at, order)
        self.model().sort(at, order)

    def choose_row(self, row: int) -> None:
        """Select a row without telling anybody; -1 selects none."""
        selection = self.selectionModel()
        if row < 0:
            selection.clear()
            return
        index = self.model().index(row, 0)
        if self.currentIndex().row() == row and selection.isRowSelected(row):
            return
        flags = QItemSelectionModel.SelectionFlag
        selection.setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)

    def chosen_row(self) -> int:
        """Return the selected row, or -1."""
        rows = self.selectionModel().selectedRows()
        return rows[0].row() if rows else -1

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copyRequested.emit()
            event.accept()
            return
        before = self.currentIndex().row()
        super().keyPressEvent(event)
        row = self.currentIndex().row()
        confirmed = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
        if row >= 0 and (row != before or confirmed):
            self.rowChosen.emit(row)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and self._shrunk:
            self._fit_height()

    def _on_clicked(self, index: QModelIndex) -> None:
        self.rowChosen.emit(index.row())

    def _fit_height(self) -> None:
        rows = self.model().rowCount() if self.model() is not None else 0
        head = self.horizontalHeader()
        height = rows * self._row_px + (head.sizeHint().height() if not head.isHidden() else 0)
        if height != self.height() or self.minimumHeight() != height:
            self.setFixedHeight(height)
