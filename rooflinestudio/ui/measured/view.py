"""The tab of measured kernels: every launch of every file over the study, however many they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QStackedLayout, QWidget

from rooflinestudio.ui.measured.model import DEVICE, NOTE, PIPE, MeasuredModel
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.empty import EmptyState
from rooflinestudio.ui.widgets.ink import repaint_all
from rooflinestudio.ui.widgets.row_table import RowTable

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from rooflinestudio.core.placing import PlacedStudy
    from rooflinestudio.ui.session import Selection
    from rooflinestudio.ui.theme import Theme

__all__ = ["MeasuredView"]

_WIDTHS: Final = (200, 76, 78, 96, 82, 92, 110, 120)
_GROWS: Final = (0, 7)
_HIDDEN_BELOW_PX: Final = {DEVICE: 820, PIPE: 700, NOTE: 620}


class MeasuredView(QWidget):
    """The table, or how to get something into it.

    Signals
    -------
    selectRequested
        ``("measured", overlay digest, index)``.
    copied
        What was copied, in words.
    """

    selectRequested = Signal(object)
    copied = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("measured")
        set_role(self, "surface")
        self._selection: Selection = None
        self.model = MeasuredModel(self)
        self.table = RowTable("Measured kernels", edge_px=12)
        self.table.setObjectName("measured.table")
        self.table.setModel(self.model)
        self.table.share_width(_WIDTHS, grows=_GROWS)
        self.table.horizontalHeader().setSectionsClickable(True)
        self._empty = EmptyState(
            "Nothing measured yet",
            "Import a profiler's file (Ctrl+I) or drop it onto the window. "
            "Each kernel becomes a row here and a diamond on the canvas.",
        )
        self._body = QStackedLayout(self)
        self._body.addWidget(self._empty)
        self._body.addWidget(self.table)
        self.table.rowChosen.connect(self._on_table_row_chosen)
        self.table.copyRequested.connect(self.copy_selected)
        self.table.horizontalHeader().sectionClicked.connect(self._on_header_section_clicked)

    def set_placed(self, placed: PlacedStudy) -> None:
        """Show the overlays of a study."""
        self.model.set_study(placed.study)
        self._body.setCurrentWidget(self.table if self.model.rowCount() else self._empty)
        self.table.viewport().update()
        self._mark_selection()

    def set_selection(self, selection: Selection) -> None:
        """Mark the row of a measured kernel."""
        self._selection = selection
        self._mark_selection()

    def set_machine(self, machine: str) -> None:
        """Measured figures do not depend on the machine that is chosen."""

    def set_theme(self, theme: Theme) -> None:
        """Repaint in the colours of a theme."""
        repaint_all(self)

    def copy_selected(self) -> None:
        """Put the selected kernel on the clipboard, with its name in full."""
        row = self.table.chosen_row()
        if row >= 0:
            QGuiApplication.clipboard().setText(self.model.tsv([row]))
            self.copied.emit("Kernel copied")

    def _mark_selection(self) -> None:
        selection = self._selection
        is_kernel = isinstance(selection, tuple) and selection[0] == "measured"
        row = self.model.row_of(selection[1], selection[2]) if is_kernel else -1
        if row == self.table.chosen_row():
            return
        self.table.choose_row(row)
        if row >= 0:
            self.table.scrollTo(self.model.index(row, 0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        for column, least in _HIDDEN_BELOW_PX.items():
            self.table.setColumnHidden(column, self.width() < least)
        self.table.share_width(_WIDTHS, grows=_GROWS)

    def _on_table_row_chosen(self, row: int) -> None:
        overlay, index = self.model.place_of(row)
        wanted = ("measured", overlay.digest, index)
        if wanted != self._selection:
            self.selectRequested.emit(wanted)

    def _on_header_section_clicked(self, column: int) -> None:
        """Sort downwards, then upwards, then as in the files: what is largest is looked for first."""
        self.table.sort_next(column, Qt.SortOrder.DescendingOrder)
