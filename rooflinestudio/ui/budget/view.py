"""The budget tab: the kernels of a layer, a step or a chain as a stacked bar and a table, coloured by bound."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QStackedLayout,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from rooflinestudio.core.budget_choice import composites, row_for_budget, selected_part
from rooflinestudio.core.budget_regimes import RegimeBudgets, read_settings
from rooflinestudio.core.chains import with_chains
from rooflinestudio.core.errors import StudioError
from rooflinestudio.ui.budget.body import BudgetBody
from rooflinestudio.ui.icons import TOOL_PX, icon
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.choice import Choice
from rooflinestudio.ui.widgets.empty import EmptyState
from rooflinestudio.ui.widgets.ink import repaint_all

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QShowEvent

    from rooflinestudio.core.operators import Operator
    from rooflinestudio.core.placing import EstimateSource, PlacedRow, PlacedStudy
    from rooflinestudio.ui.session import Selection
    from rooflinestudio.ui.theme import Theme

__all__ = ["BudgetView"]

_PANEL: Final = "budget"
_LAYER: Final = "transformer_layer"


class BudgetView(QWidget):
    """Where the time of a composite goes.

    Attributes
    ----------
    corner
        Which composite, and how the table is copied; it stands over the view until it is put elsewhere.

    Signals
    -------
    selectRequested
        ``("part", entry, number)``, or an entry.
    placeRequested
        Id of an operator to be placed.
    parameterRequested
        Entry, parameter, value, and whether a drag goes on.
    partPlaceRequested
        Entry and number of a part that is to stand in the study by itself.
    panelRequested
        Words for undo, ``budget``, changes of its settings, and whether a drag goes on.
    copied
        What was copied, in words.
    """

    selectRequested = Signal(object)
    placeRequested = Signal(str)
    parameterRequested = Signal(str, str, object, bool)
    partPlaceRequested = Signal(str, int)
    panelRequested = Signal(str, str, dict, bool)
    copied = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("budget")
        set_role(self, "surface")
        self._placed: PlacedStudy | None = None
        self._source: EstimateSource | None = None
        self._chained: EstimateSource | None = None
        self._selection: Selection = None
        self._machine, self._entry_id = "", ""
        self._row: PlacedRow | None = None
        self._stale = False
        self._regimes = RegimeBudgets()
        self.body = BudgetBody()
        self._make_empty()
        self._make_corner()
        holder = QWidget()
        self._stack = QStackedLayout(holder)
        self._stack.addWidget(self._empty_page)
        self._stack.addWidget(self.body)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.corner)
        layout.addWidget(holder, 1)
        self._connect()

    def _connect(self) -> None:
        body = self.body
        body.partChosen.connect(self._on_part_chosen)
        body.partOpened.connect(self._on_part_opened)
        body.parameterRequested.connect(self._on_parameter_requested)
        body.batchRequested.connect(self._on_batch_requested)
        body.table.copyRequested.connect(self.copy_tsv)

    def _make_empty(self) -> None:
        self.empty = EmptyState(
            "No layer in this study",
            "A transformer layer, a step of a model or a fused chain shows here which of its kernels take the time.",
        )
        self.place_button = QPushButton("Place a transformer layer")
        self.place_button.setObjectName("budget.place")
        self.place_button.clicked.connect(self._on_place_button_clicked)
        self._empty_page = QWidget()
        column = QVBoxLayout(self._empty_page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.empty)
        row = QHBoxLayout()
        row.setContentsMargins(16, 0, 16, 12)
        row.addWidget(self.place_button)
        row.addStretch(1)
        column.addLayout(row)
        column.addStretch(1)

    def _make_corner(self) -> None:
        self.corner = QWidget()
        self.entries = Choice()
        self.entries.setObjectName("budget.entry")
        self.entries.setAccessibleName("Budget of")
        self.entries.setToolTip("Which layer, step or chain is opened")
        self.entries.setMinimumWidth(110)
        self.entries.setMaximumWidth(190)
        self.entries.chosen.connect(self._on_entries_chosen)
        self.copy_button = QToolButton()
        self.copy_button.setObjectName("budget.copy")
        self.copy_button.setIcon(icon("copy"))
        self.copy_button.setIconSize(QSize(TOOL_PX, TOOL_PX))
        self.copy_button.setAccessibleName("Copy the budget")
        self.copy_button.setToolTip("Copy the table")
        self.copy_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self.copy_button)
        menu.addAction("Copy as Markdown", self.copy_markdown)
        menu.addAction("Copy as tab-separated text", self.copy_tsv)
        self.copy_button.setMenu(menu)
        self._corner_label = QLabel("Budget of")
        set_role(self._corner_label, "label")
        row = QHBoxLayout(self.corner)
        row.setContentsMargins(8, 3, 10, 3)
        row.setSpacing(8)
        row.addStretch(1)
        for part in (self._corner_label, self.entries, self.copy_button):
            row.addWidget(part)

    # What it shows ------------------------------------------------------------------------------------------------

    def set_placed(self, placed: PlacedStudy) -> None:
        """Show a study; while the tab is hidden it only remembers it."""
        self._placed = placed
        self._renew_soon()

    def set_source(self, source: EstimateSource) -> None:
        """Say who answers for operators: without it the other regimes and the entries are not shown."""
        self._source, self._chained = source, None
        self._renew_soon()

    def set_machine(self, machine: str) -> None:
        """Show the composite on this machine where it is placed on several."""
        if machine != self._machine:
            self._machine = machine
            self._renew_soon()

    def set_selection(self, selection: Selection) -> None:
        """Show the selected composite, and mark the part that is selected."""
        self._selection = selection
        self._renew_soon()

    def set_theme(self, theme: Theme) -> None:
        """Repaint in the colours of a theme."""
        self.copy_button.setIcon(icon("copy"))
        repaint_all(self)
        repaint_all(self.corner)

    def set_compact(self, compact: bool) -> None:
        """Give way in a narrow window: the words before the drop-down go."""
        self._corner_label.setVisible(not compact)

    def refresh(self) -> None:
        """Bring it up to date, also while it is hidden: for export."""
        if self._stale:
            self._renew()

    @property
    def row(self) -> PlacedRow | None:
        """The row whose budget is shown."""
        return self._row

    def _renew_soon(self) -> None:
        self._stale = True
        if self.isVisible():
            self._renew()

    def _renew(self) -> None:
        self._stale = False
        placed = self._placed
        if placed is None:
            return
        if self._source is not None:
            self._chained = with_chains(self._chained or self._source, placed.study.chains)
        source = self._chained
        settings = read_settings(placed.study.panels.get(_PANEL))
        found = composites(placed, source, shown=self._entry_id)
        row = row_for_budget(
            placed,
            selection=self._selection,
            wanted=settings.entry,
            machine=self._machine,
            shown=self._entry_id,
            source=source,
        )
        self._row = row
        self.entries.set_options([(one.id, one.label or one.id) for one in found])
        for widget in (self.entries, self.copy_button):
            widget.setEnabled(row is not None)
        self._stack.setCurrentWidget(self.body if row is not None else self._empty_page)
        if row is None:
            return
        was_open = self._entry_id == row.entry.id
        self._entry_id = row.entry.id
        self.entries.set_value(row.entry.id)
        self.body.show_row(row, self._regimes.of(row, settings, self._source), _operator(row, source))
        self.body.set_chosen(selected_part(self._selection, row.entry.id), follow=was_open)

    # What the user does -------------------------------------------------------------------------------------------

    def copy_markdown(self) -> None:
        """Put the table on the clipboard in Markdown."""
        self._copy(self.body.model.markdown, "Budget copied as Markdown")

    def copy_tsv(self) -> None:
        """Put the table on the clipboard as tab-separated text."""
        self._copy(self.body.model.tsv, "Budget copied as tab-separated text")

    def _copy(self, text_of: Callable[[], str], words: str) -> None:
        self.refresh()
        QGuiApplication.clipboard().setText(text_of())
        self.copied.emit(words)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

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

    def _on_entries_chosen(self, id_: str) -> None:
        self.panelRequested.emit("Budget of another entry", _PANEL, {"entry": id_}, False)
        self.selectRequested.emit(id_)

    def _on_place_button_clicked(self) -> None:
        self.placeRequested.emit(_LAYER)


def _operator(row: PlacedRow, source: EstimateSource | None) -> Operator | None:
    try:
        return source.operator(row.entry.operator) if source is not None else None
    except StudioError:
        return None
