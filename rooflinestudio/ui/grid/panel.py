"""The compare grid of the compare tab: controls, pictures or tables, and the figures of the chosen cell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QStackedLayout, QToolButton, QVBoxLayout, QWidget

from rooflinestudio.core.grid import GridMaker
from rooflinestudio.core.grid.spec import PANEL
from rooflinestudio.core.grid.tables import grid_csv
from rooflinestudio.core.grid.words import cell_summary
from rooflinestudio.ui.grid.choosers import Choosers
from rooflinestudio.ui.grid.multiples import MultiplesView
from rooflinestudio.ui.grid.tables import WIDTHS, CellsModel, PivotModel, hidden_columns
from rooflinestudio.ui.icons import icon
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.eliding import ElidingLabel
from rooflinestudio.ui.widgets.row_table import RowTable

if TYPE_CHECKING:
    from PySide6.QtCore import QModelIndex
    from PySide6.QtGui import QResizeEvent

    from rooflinestudio.core.grid.cells import Cell, CellKey, Grid
    from rooflinestudio.core.grid.spec import GridSpec
    from rooflinestudio.core.placing import EstimateSource, PlacedStudy

__all__ = ["GridPanel"]

_STUB_PX, _FIGURE_PX = 150, 104
_LOW_PX: Final = 220
_PLACE_HINT: Final = "Add this cell to the study as a variant of the entry"
_TWO_STEPS_HINT: Final = "Place the other fusion first, then vary that"
_SCROLL_BAR_PX: Final = 12
_FORMS: Final = ("pictures", "cells", "pivot")


class GridPanel(QWidget):
    """Shows the grid of a study in one of three forms.

    Signals
    -------
    panelRequested
        Words for the undo list, the panel's name, what changes in it, and False.
    selectRequested, machineRequested
        The user chose a cell that stands in the study: the entry as it is, or one of its variants.
    variantRequested
        An entry (with an empty id) that is to be placed as a variant, and what sets it apart (``at L2, fp8``).
    chainVariantRequested
        Id of the entry whose chain is to be cut anew, the cuts, and what sets the variant apart.
    """

    panelRequested = Signal(str, str, dict, bool)
    selectRequested = Signal(object)
    machineRequested = Signal(str)
    variantRequested = Signal(object, str)
    chainVariantRequested = Signal(str, object, str)
    copyRequested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, "surface")
        self._maker = GridMaker()
        self._grid: Grid | None = None
        self._chosen: CellKey | None = None
        self.choosers = Choosers()
        self.choosers.changed.connect(self._on_choosers_changed)
        self.multiples = MultiplesView()
        self.cells, self.pivot = CellsModel(self), PivotModel(self)
        self.cells_table = self._made_table("Cells of the compare grid", "grid.cells")
        self.cells_table.setModel(self.cells)
        self.pivot_table = self._made_table("Compare grid, one figure", "grid.pivot")
        self.pivot_table.setModel(self.pivot)
        self._make_details()
        body = QWidget()
        self._body = QStackedLayout(body)
        for one in (self.multiples, self.cells_table, self.pivot_table):
            self._body.addWidget(one)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.choosers)
        layout.addWidget(body, 1)
        layout.addWidget(self._details)
        self.multiples.cellChosen.connect(self.choose)
        self.multiples.copyRequested.connect(self.copyRequested)
        self.cells_table.rowChosen.connect(self._on_cells_table_row_chosen)
        self.pivot_table.clicked.connect(self._on_pivot_table_clicked)

    def _made_table(self, name: str, object_name: str) -> RowTable:
        table = RowTable(name, edge_px=12)
        table.setObjectName(object_name)
        table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        head = table.horizontalHeader()
        head.setSectionsClickable(True)
        head.sectionClicked.connect(lambda at: table.sort_next(at, Qt.SortOrder.AscendingOrder))
        table.copyRequested.connect(self.copyRequested)
        return table

    def _make_details(self) -> None:
        self._details = QWidget()
        set_role(self._details, "surface")
        self.figures = ElidingLabel(role="label", token="text")
        self.figures.setObjectName("grid.figures")
        self.figures.set_copyable()
        self.place_button = QPushButton("Place as a variant")
        self.place_button.setObjectName("grid.place")
        self.place_button.setToolTip(_PLACE_HINT)
        self.place_button.clicked.connect(self.place_chosen)
        row = QHBoxLayout(self._details)
        row.setContentsMargins(12, 2, 10, 3)
        row.setSpacing(8)
        self.close_button = QToolButton()
        self.close_button.setObjectName("grid.close")
        self.close_button.setIcon(icon("close", "muted"))
        self.close_button.setAccessibleName("Close the figures of the cell")
        self.close_button.setToolTip("Close")
        self.close_button.clicked.connect(lambda: self.choose(None))
        row.addWidget(self.figures, 1)
        row.addWidget(self.place_button)
        row.addWidget(self.close_button)
        self._details.hide()

    # What it shows ------------------------------------------------------------------------------------------------

    @property
    def grid(self) -> Grid | None:
        """What is shown."""
        return self._grid

    @property
    def chosen_cell(self) -> Cell | None:
        """The cell whose figures are shown."""
        if self._grid is None or self._chosen is None:
            return None
        return self._grid.cells.get(self._chosen)

    def show_study(self, placed: PlacedStudy, source: EstimateSource | None, spec: GridSpec) -> None:
        """Show the grid of a study; only the form in front is brought up to date."""
        before = self._grid
        grid = self._grid = self._maker.grid(placed, source, spec)
        if before is not None and before.spec.entry != spec.entry:
            self._chosen = None
            self.multiples.fit()
        self.choosers.show_grid(placed, source, grid)
        self._body.setCurrentIndex(_FORMS.index(spec.form))
        if spec.form == "pictures":
            self.multiples.set_grid(grid)
        elif spec.form == "cells":
            self.cells.set_grid(grid)
        else:
            self.pivot.set_grid(grid)
        self._share_width()
        self._show_chosen()

    def choose(self, key: CellKey | None) -> None:
        """Choose a cell: its figures are shown; what stands in the study becomes the selection. None chooses none."""
        self._chosen = key
        self._show_chosen()
        cell = self.chosen_cell
        if cell is not None and cell.placed_as is not None:
            self.machineRequested.emit(cell.row.machine)
            self.selectRequested.emit(cell.placed_as)

    def _show_chosen(self) -> None:
        cell = self.chosen_cell
        self.multiples.set_chosen(self._chosen if cell is not None else None)
        self.cells_table.choose_row(self.cells.row_of(self._chosen))
        self._details.setVisible(cell is not None)
        self._make_room()
        if cell is None:
            return
        title, *rest = cell_summary(cell)
        self.figures.set_text(f"{title[0].upper()}{title[1:]}: {'. '.join(one.rstrip('.') for one in rest)}.")
        self.place_button.setEnabled(
            cell.row.placement is not None and cell.placed_as is None and cell.can_be_placed
        )
        self.place_button.setToolTip(_PLACE_HINT if cell.can_be_placed else _TWO_STEPS_HINT)

    # What the user does -------------------------------------------------------------------------------------------

    def place_chosen(self) -> None:
        """Ask for the chosen cell as a variant in the study."""
        cell = self.chosen_cell
        if cell is None or cell.placed_as is not None or cell.row.placement is None or self._grid is None:
            return
        if cell.cuts is None:
            self.variantRequested.emit(cell.row.entry, cell.words)
        elif cell.can_be_placed:
            self.chainVariantRequested.emit(self._grid.entry.id, cell.cuts, cell.words)

    def markdown(self) -> str:
        """Return what is shown in Markdown: the pivot where that is shown, else a line for each cell."""
        if self._shows_pivot():
            return self.pivot.markdown()
        self.cells.set_grid(self._grid)
        return self.cells.markdown()

    def tsv(self) -> str:
        """Return what is shown with tabs between the cells."""
        if self._shows_pivot():
            return self.pivot.tsv()
        self.cells.set_grid(self._grid)
        return self.cells.tsv()

    def csv(self) -> str:
        """Return all cells as CSV with plain numbers in SI base units."""
        return grid_csv(self._grid) if self._grid is not None else ""

    def _shows_pivot(self) -> bool:
        return self._grid is not None and self._grid.spec.form == "pivot"

    def _on_choosers_changed(self, words: str, changes: dict[str, object]) -> None:
        self.panelRequested.emit(words, PANEL, changes, False)

    def _on_cells_table_row_chosen(self, row: int) -> None:
        self.choose(self.cells.rows[row].cell.key)

    def _on_pivot_table_clicked(self, index: QModelIndex) -> None:
        cell = self.pivot.cell_at(index.row(), index.column())
        if cell is not None:
            self.choose(cell.key)

    # Room ---------------------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_width()
        self._make_room()

    def _make_room(self) -> None:
        """Let the controls go while figures are shown in a low panel: pictures need what little there is."""
        self.choosers.setVisible(self.height() >= _LOW_PX or self.chosen_cell is None)

    def _share_width(self) -> None:
        if self._grid is not None:
            idle = {one for one in ("dtype", "fusion", "machine") if len(self._grid.spec.values(one)) < 2}
            hidden = hidden_columns(self.width() - _SCROLL_BAR_PX, idle)
            for column in range(len(WIDTHS)):
                self.cells_table.setColumnHidden(column, column in hidden)
        self.cells_table.share_width(WIDTHS, grows=(0, 4))
        columns = self.pivot.columnCount()
        if columns:
            self.pivot_table.share_width(
                (_STUB_PX, *(_FIGURE_PX,) * (columns - 1)), grows=tuple(range(columns))
            )
