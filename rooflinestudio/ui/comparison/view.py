"""The compare tab: all rows of the study, or one entry and its variants, against a baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal

from rooflinestudio.core.grid.spec import PANEL, shown_mode
from rooflinestudio.ui.comparison.corner import ComparisonCorner
from rooflinestudio.ui.comparison.grid_modes import GridModes
from rooflinestudio.ui.comparison.lines import LineMaker, baselines
from rooflinestudio.ui.comparison.model import (
    DIFFERS,
    FRACTION,
    INTENSITY_RATIO,
    TRAFFIC,
    TRAFFIC_RATIO,
    ComparisonModel,
)
from rooflinestudio.ui.panel_view import PanelView
from rooflinestudio.ui.widgets.empty import EmptyState
from rooflinestudio.ui.widgets.row_table import RowTable

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent
    from PySide6.QtWidgets import QWidget

    from rooflinestudio.core.placing import PlacedStudy
    from rooflinestudio.core.selection import Selection
    from rooflinestudio.ui.grid.boundaries import BoundariesPanel
    from rooflinestudio.ui.grid.panel import GridPanel

__all__ = ["ComparisonView"]

_EVERYTHING: Final = "everything"
_WIDTHS: Final = (160, 112, 72, 94, 80, 98, 178, 72, 112, 112)
_GROWS: Final = (0, 1, FRACTION)
_HIDDEN_BELOW_PX: Final = {
    TRAFFIC_RATIO: 1100,
    INTENSITY_RATIO: 1100,
    DIFFERS: 900,
    TRAFFIC: 900,
    FRACTION: 600,
}


class ComparisonView(PanelView):
    """Table or grid, and for the corner of the tab row, what it compares and how it is copied.

    Signals
    -------
    machineRequested
        Machine of the row that was chosen, to be the strong one.
    variantRequested
        An entry (with an empty id) to be placed as a variant, and what sets it apart.
    chainVariantRequested
        Id of an entry whose chain is to be cut anew, the cuts, and what sets the variant apart.
    exportRequested
        A name for the file, and the CSV text to be written.
    """

    machineRequested = Signal(str)
    variantRequested = Signal(object, str)
    chainVariantRequested = Signal(str, object, str)
    exportRequested = Signal(str, str)
    corner: ComparisonCorner

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("comparison", ComparisonCorner(), parent)
        self._baseline: str | None = None
        self._mode = "table"
        self._maker = LineMaker()
        self.model = ComparisonModel(self)
        self.table = RowTable("Comparison", edge_px=12)
        self.table.setObjectName("comparison.table")
        self.table.setModel(self.model)
        self.table.share_width(_WIDTHS, grows=_GROWS)
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.table.horizontalHeader().setSectionsClickable(True)
        self._empty = EmptyState(
            "Nothing to compare",
            "Place an operator, then duplicate it (Ctrl+D) and change one thing. Each variant becomes a row.",
        )
        self._modes = GridModes(self, self._stack)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self.table)
        self._connect()

    def _connect(self) -> None:
        corner, header = self.corner, self.table.horizontalHeader()
        self.variants_of, self.modes = corner.variants_of, corner.modes
        corner.variants_of.chosen.connect(self._on_variants_of_chosen)
        corner.modeChosen.connect(self._on_corner_mode_chosen)
        corner.copyMarkdownRequested.connect(self.copy_markdown)
        corner.copyTsvRequested.connect(self.copy_tsv)
        corner.exportRequested.connect(self.export_csv)
        self.table.rowChosen.connect(self._on_table_row_chosen)
        self.table.copyRequested.connect(self.copy_tsv)
        header.sectionClicked.connect(self._on_header_section_clicked)

    # What it shows ------------------------------------------------------------------------------------------------

    def set_selection(self, selection: Selection) -> None:
        """Mark the row of what is selected; the grid may follow it."""
        self._selection = selection
        if self._mode != "table":
            self._renew_soon()
        elif not self._stale:
            self._mark_selection()

    def set_machine(self, machine: str) -> None:
        """Prefer rows on a machine when an entry has several."""
        self._machine = machine
        if (
            self._mode == "boundaries" or self._has_pairs
        ):  # a kernel stands behind the row that it is held against
            self._renew_soon()
        elif not self._stale:
            self._mark_selection()

    def _show_study(self, placed: PlacedStudy) -> None:
        self._mode = shown_mode(placed.study)
        self.corner.show_mode(self._mode)
        if self._mode == "table":
            self._renew_table(placed)
            return
        front = self._modes.show(self._mode, placed, self._source, (self._selection, self._machine))
        self._stack.setCurrentWidget(front or self._empty)

    def _renew_table(self, placed: PlacedStudy) -> None:
        options = baselines(placed)
        if self._baseline not in dict(options):
            self._baseline = None
        self.variants_of.set_options([(_EVERYTHING, "all entries"), *options])
        self.variants_of.set_value(self._baseline or _EVERYTHING)
        self.model.set_lines(self._maker.lines(placed, self._baseline, self._machine))
        self._stack.setCurrentWidget(self.table if self.model.rows else self._empty)
        self._mark_selection()

    @property
    def _has_pairs(self) -> bool:
        return self._mode == "table" and self._placed is not None and bool(self._placed.study.pairs)

    @property
    def _front(self) -> ComparisonModel | GridPanel | BoundariesPanel:
        """What is copied: whatever is shown."""
        return self._modes.front(self._mode) or self.model

    @property
    def grid(self) -> GridPanel | None:
        """The compare grid, once it was shown."""
        return self._modes.grid

    @property
    def boundaries(self) -> BoundariesPanel | None:
        """One kernel at every boundary, once it was shown."""
        return self._modes.boundaries

    def _mark_selection(self) -> None:
        row = self.model.row_of(self._selection, self._machine)
        self.table.choose_row(row)
        if row >= 0:
            self.table.scrollTo(self.model.index(row, 0))

    # What the user does -------------------------------------------------------------------------------------------

    def copy_markdown(self) -> None:
        """Put the table on the clipboard in Markdown."""
        self._copy(lambda: self._front.markdown(), "Table copied as Markdown")

    def copy_tsv(self) -> None:
        """Put the table on the clipboard as tab-separated text."""
        self._copy(lambda: self._front.tsv(), "Table copied as tab-separated text")

    def export_csv(self) -> None:
        """Ask for the cells of the grid to be written as CSV."""
        self.refresh()
        if self.grid is not None and self.grid.grid is not None:
            self.exportRequested.emit(f"{self.grid.grid.entry.id}-grid.csv", self.grid.csv())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        for column, least in _HIDDEN_BELOW_PX.items():
            self.table.setColumnHidden(column, self.width() < least)
        self.table.share_width(_WIDTHS, grows=_GROWS)

    def _on_table_row_chosen(self, row: int) -> None:
        line = self.model.rows[row]
        if line.machine != self._machine and isinstance(line.selection, str):
            self._machine = line.machine
            self.machineRequested.emit(line.machine)
        if line.selection != self._selection:
            self.selectRequested.emit(line.selection)

    def _on_corner_mode_chosen(self, mode: str) -> None:
        self.corner.show_mode(self._mode)  # it is the study that says which mode is on
        if mode != self._mode:
            title = {"table": "the compare table", "multiples": "the compare grid"}.get(
                mode, "one kernel's boundaries"
            )
            self.panelRequested.emit(f"Show {title}", PANEL, {"shown": mode}, False)

    def _on_variants_of_chosen(self, id_: str) -> None:
        self._baseline = None if id_ == _EVERYTHING else id_
        self._renew_soon()

    def _on_header_section_clicked(self, column: int) -> None:
        """Sort upwards, then downwards, then as in the study."""
        self.table.sort_next(column, Qt.SortOrder.AscendingOrder)
        self._mark_selection()
