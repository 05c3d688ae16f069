"""The table that the measured kernels stand in: several rows can be chosen, groups open, keys reach the filter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QPoint, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QAbstractItemView, QWidget

from rooflinestudio.ui.measured.cells import CHEVRON_PX, KernelDelegate
from rooflinestudio.ui.measured.model import KERNEL, MeasuredModel
from rooflinestudio.ui.widgets.ink import ink
from rooflinestudio.ui.widgets.row_table import RowTable

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QMouseEvent, QPaintEvent

__all__ = ["KernelTable"]

_ROW_PX, _PADDING_PX, _EDGE_PX = 27, 8, 12
_MOST_RANGES: Final = 2_000  # more pieces of a selection than these are not restored
_CONFIRMING: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


class KernelTable(RowTable):
    """Rows of kernels and groups.

    Signals
    -------
    toggled
        Row of a group that is to be opened or closed.
    filterWanted, filterCleared
        The keys for it were pressed.
    menuWanted
        Where on the screen the menu is to open.
    dragWanted
        The chosen rows are dragged away.
    """

    toggled = Signal(int)
    filterWanted = Signal()
    filterCleared = Signal()
    menuWanted = Signal(QPoint)
    dragWanted = Signal()

    def __init__(self, model: MeasuredModel, parent: QWidget | None = None) -> None:
        super().__init__(
            "Measured kernels", row_px=_ROW_PX, padding_px=_PADDING_PX, edge_px=_EDGE_PX, parent=parent
        )
        self.setObjectName("measured.table")
        self._delegate = KernelDelegate(row_px=_ROW_PX, padding_px=_PADDING_PX, edge_px=_EDGE_PX, parent=self)
        self.setItemDelegate(self._delegate)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setDragEnabled(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self.horizontalHeader().setSectionsClickable(True)
        self._model = model
        self.setModel(model)
        # An opaque viewport is scrolled by moving its pixels: only the rows that come into view are painted.
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    # Which rows are chosen ----------------------------------------------------------------------------------------

    def chosen_rows(self) -> npt.NDArray[np.int64]:
        """Return the chosen rows from top to bottom; from ranges, since a million rows may be chosen."""
        import numpy as np

        ranges = [np.arange(top, bottom + 1) for top, bottom in sorted(self._ranges())]
        rows = np.concatenate(ranges) if ranges else np.empty(0, dtype=np.int64)
        return rows[np.diff(rows, prepend=-1) > 0]  # a row may be in two ranges

    def chosen_row(self) -> int:
        """Return the chosen row that has the focus, else the first; -1 without any."""
        current = self.currentIndex().row()
        if self.is_chosen(current):
            return current
        return min((top for top, _ in self._ranges()), default=-1)

    def is_chosen(self, row: int) -> bool:
        """Whether a row is among the chosen ones."""
        return row >= 0 and any(top <= row <= bottom for top, bottom in self._ranges())

    def _ranges(self) -> list[tuple[int, int]]:
        return [(one.top(), one.bottom()) for one in self.selectionModel().selection().toList()]

    def choose_rows(self, rows: Any) -> None:
        """Choose several rows without telling anybody."""
        import numpy as np

        edges = np.flatnonzero(np.diff(rows) != 1) if len(rows) else np.empty(0, dtype=int)
        if not len(rows) or len(edges) > _MOST_RANGES:
            return
        chosen, last = QItemSelection(), self._model.columnCount() - 1
        for piece in np.split(rows, edges + 1):
            chosen.select(self._model.index(int(piece[0]), 0), self._model.index(int(piece[-1]), last))
        flags = QItemSelectionModel.SelectionFlag
        selection = self.selectionModel()
        selection.setCurrentIndex(self._model.index(int(rows[0]), 0), flags.NoUpdate)
        selection.select(chosen, flags.ClearAndSelect | flags.Rows)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), ink("surface"))
        painter.end()
        super().paintEvent(event)

    # Keys and mouse -----------------------------------------------------------------------------------------------

    def keyboardSearch(self, _search: str) -> None:
        """Look for nothing: letters would walk over all rows; the filter is there for that."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row, key = self.currentIndex().row(), event.key()
        if event.text() == "/":
            self.filterWanted.emit()
        elif key == Qt.Key.Key_Escape:
            self.filterCleared.emit()
        elif self._model.is_group(row) and key in (*_CONFIRMING, Qt.Key.Key_Left, Qt.Key.Key_Right):
            if self._opens(row, key):
                self.toggled.emit(row)
        elif key == Qt.Key.Key_Left and self._head_of(row) >= 0:
            self.choose_row(self._head_of(row))
            self.scrollTo(self.currentIndex())
        else:
            super().keyPressEvent(event)
            return
        event.accept()

    def _head_of(self, row: int) -> int:
        """Return the row of the group that a kernel stands below, -1 where it stands by itself."""
        table = self._model.table
        if table is None or table.groups is None or row < 0:
            return -1
        heads = (table.lines[:row] < 0).nonzero()[0]
        return int(heads[-1]) if len(heads) else -1

    def _opens(self, row: int, key: int) -> bool:
        """Whether a key changes whether a group is open."""
        table = self._model.table
        is_open = table is not None and -1 - self._model.line(row) in table.opened
        return key in _CONFIRMING or is_open == (key == Qt.Key.Key_Left)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        super().mousePressEvent(event)
        in_name = event.position().x() - self.columnViewportPosition(KERNEL)
        on_chevron = index.column() == KERNEL and in_name < _EDGE_PX + CHEVRON_PX
        if event.button() == Qt.MouseButton.LeftButton and on_chevron and self._model.is_group(index.row()):
            self.toggled.emit(index.row())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        row = self.indexAt(event.position().toPoint()).row()
        super().mouseDoubleClickEvent(event)
        if event.button() == Qt.MouseButton.LeftButton and self._model.is_group(row):
            self.toggled.emit(row)

    def startDrag(self, _actions: Qt.DropAction) -> None:
        """Tell that the chosen rows are dragged; which kernels these are the view knows."""
        self.dragWanted.emit()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        row = self.indexAt(event.pos()).row()
        if row >= 0 and not self.is_chosen(row):
            self.choose_row(row)
        self.menuWanted.emit(event.globalPos())
