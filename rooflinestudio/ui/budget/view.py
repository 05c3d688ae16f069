"""The budget tab: the kernels of a layer, a step or a chain as a stacked bar and a table, coloured by bound."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from rooflinestudio.core.budget_choice import composites, row_for_budget, selected_part
from rooflinestudio.core.budget_regimes import RegimeBudgets, read_settings
from rooflinestudio.core.errors import StudioError
from rooflinestudio.ui.budget.body import BudgetBody
from rooflinestudio.ui.budget.corner import BudgetCorner
from rooflinestudio.ui.panel_view import PanelView
from rooflinestudio.ui.widgets.empty_page import EmptyPage

if TYPE_CHECKING:
    from rooflinestudio.core.operators import Operator
    from rooflinestudio.core.placing import EstimateSource, PlacedRow, PlacedStudy

__all__ = ["BudgetView"]

_PANEL: Final = "budget"
_LAYER: Final = "transformer_layer"


class BudgetView(PanelView):
    """Where the time of a composite goes.

    Signals
    -------
    placeRequested
        Id of an operator to be placed.
    parameterRequested
        Entry, parameter, value, and whether a drag goes on.
    partPlaceRequested
        Entry and number of a part that is to stand in the study by itself.
    """

    placeRequested = Signal(str)
    parameterRequested = Signal(str, str, object, bool)
    partPlaceRequested = Signal(str, int)
    corner: BudgetCorner

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_PANEL, BudgetCorner(), parent)
        self._entry_id = ""
        self._row: PlacedRow | None = None
        self._regimes = RegimeBudgets()
        self.body = BudgetBody()
        self.place_button = QPushButton("Place a transformer layer")
        self.place_button.setObjectName("budget.place")
        self._empty = EmptyPage(
            "No layer in this study",
            "A transformer layer, a step of a model or a fused chain shows here which of its kernels take the time.",
            self.place_button,
        )
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self.body)
        self._connect()

    def _connect(self) -> None:
        body, corner = self.body, self.corner
        body.partChosen.connect(self._on_part_chosen)
        body.partOpened.connect(self._on_part_opened)
        body.parameterRequested.connect(self._on_parameter_requested)
        body.batchRequested.connect(self._on_batch_requested)
        body.table.copyRequested.connect(self.copy_tsv)
        corner.entryChosen.connect(self._on_corner_entry_chosen)
        corner.copyMarkdownRequested.connect(self.copy_markdown)
        corner.copyTsvRequested.connect(self.copy_tsv)
        self.place_button.clicked.connect(self._on_place_button_clicked)

    # What it shows ------------------------------------------------------------------------------------------------

    @property
    def row(self) -> PlacedRow | None:
        """The row whose budget is shown."""
        return self._row

    def _show_study(self, placed: PlacedStudy) -> None:
        source = self._chain_source(placed)
        settings = read_settings(placed.study.panels.get(_PANEL))
        row = row_for_budget(
            placed,
            selection=self._selection,
            wanted=settings.entry,
            machine=self._machine,
            shown=self._entry_id,
            source=source,
        )
        self._row = row
        found = composites(placed, source, shown=self._entry_id)
        self.corner.show_entries(found, row.entry.id if row is not None else "")
        self._stack.setCurrentWidget(self.body if row is not None else self._empty)
        if row is None:
            return
        was_open = self._entry_id == row.entry.id
        self._entry_id = row.entry.id
        self.body.show_row(row, self._regimes.of(row, settings, self._source), _operator(row, source))
        self.body.set_chosen(selected_part(self._selection, row.entry.id), follow=was_open)

    # What the user does -------------------------------------------------------------------------------------------

    def copy_markdown(self) -> None:
        """Put the table on the clipboard in Markdown."""
        self._copy(self.body.model.markdown, "Budget copied as Markdown")

    def copy_tsv(self) -> None:
        """Put the table on the clipboard as tab-separated text."""
        self._copy(self.body.model.tsv, "Budget copied as tab-separated text")

    def _on_part_chosen(self, index: int) -> None:
        if self._row is not None:
            wanted = ("part", self._row.entry.id, index)
            if wanted != self._selection:
                self.selectRequested.emit(wanted)

    def _on_part_opened(self, index: int) -> None:
        if self._row is not None:
            self.partPlaceRequested.emit(self._row.entry.id, index)

    def _on_parameter_requested(self, name: str, value: Any) -> None:
        if self._row is not None:
            self.parameterRequested.emit(self._row.entry.id, name, value, False)

    def _on_batch_requested(self, regime: str, value: Any) -> None:
        if self._placed is None:
            return
        beside = read_settings(self._placed.study.panels.get(_PANEL)).beside
        changed = {key: dict(one) for key, one in beside.items()}
        changed[regime] = {**changed.get(regime, {}), "batch": value}
        self.panelRequested.emit(f"Batch of {regime} in the budget", _PANEL, {"beside": changed}, False)

    def _on_corner_entry_chosen(self, id_: str) -> None:
        self.panelRequested.emit("Budget of another entry", _PANEL, {"entry": id_}, False)
        self.selectRequested.emit(id_)

    def _on_place_button_clicked(self) -> None:
        self.placeRequested.emit(_LAYER)


def _operator(row: PlacedRow, source: EstimateSource | None) -> Operator | None:
    try:
        return source.operator(row.entry.operator) if source is not None else None
    except StudioError:
        return None
