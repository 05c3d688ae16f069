"""The fusion bench: a chain of the study as cards, and what its kernel boundaries cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QStackedLayout, QVBoxLayout, QWidget

from rooflinestudio.core.bench import bench_of
from rooflinestudio.core.bench_choice import PANEL, chain_entries, entry_on_bench, read_settings, row_on_bench
from rooflinestudio.core.chains import ChainOperator, is_chain, with_chains
from rooflinestudio.core.errors import StudioError
from rooflinestudio.ui.fusion.body import BenchBody
from rooflinestudio.ui.fusion.corner import BenchCorner
from rooflinestudio.ui.fusion.edits import BenchEdits
from rooflinestudio.ui.fusion.empty_page import EmptyPage
from rooflinestudio.ui.fusion.offers import BenchOffers
from rooflinestudio.ui.inspector.command import command_of
from rooflinestudio.ui.selection import selected_entry
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.ink import repaint_all

if TYPE_CHECKING:
    from PySide6.QtGui import QShowEvent

    from rooflinestudio.core.bench import Bench
    from rooflinestudio.core.bench_choice import BenchSettings
    from rooflinestudio.core.placing import EstimateSource, PlacedRow, PlacedStudy
    from rooflinestudio.core.study import Entry
    from rooflinestudio.ui.selection import Selection
    from rooflinestudio.ui.theme import Theme

__all__ = ["FusionView"]


class FusionView(QWidget):
    """One chain of the study on the bench.

    Attributes
    ----------
    corner
        Which chain, new ones, and its command; it stands over the view until it is put elsewhere.

    Signals
    -------
    selectRequested
        An entry.
    chainRequested
        Words for undo, entry, and the chain that it is to show.
    chainCutsRequested
        Words for undo, entry, and the joints at which boundaries are to stand.
    newChainRequested
        Chain, parameters, formats and label.
    chainVariantRequested
        Entry, joints and words of a variant.
    parameterRequested, dtypesRequested, visibleRequested
        Changes of the entry.
    panelRequested
        Words for undo, ``fusion``, changes of its settings, and whether a drag goes on.
    copied
        What was copied, in words.
    """

    selectRequested = Signal(object)
    chainRequested = Signal(str, str, object)
    chainCutsRequested = Signal(str, str, tuple)
    newChainRequested = Signal(object, dict, dict, str)
    chainVariantRequested = Signal(str, tuple, str)
    parameterRequested = Signal(str, str, object, bool)
    dtypesRequested = Signal(str, dict)
    visibleRequested = Signal(str, bool)
    panelRequested = Signal(str, str, dict, bool)
    copied = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("fusion")
        set_role(self, "surface")
        self._placed: PlacedStudy | None = None
        self._source: EstimateSource | None = None
        self._chained: EstimateSource | None = None
        self._selection: Selection = None
        self._machine, self._shown_entry = "", ""
        self._stale = False
        self._asked: tuple[Any, ...] = ()
        self._bench: Bench | None = None
        self.body, self.empty, self.corner = BenchBody(), EmptyPage(), BenchCorner()
        holder = QWidget()
        self._stack = QStackedLayout(holder)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.body)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.corner)
        layout.addWidget(holder, 1)
        self.edits = BenchEdits(self)
        self.offers = BenchOffers(self)
        self._connect()

    def _connect(self) -> None:
        self.corner.entryChosen.connect(self._on_corner_entry_chosen)
        self.corner.copy_button.clicked.connect(self.copy_command)
        self.body.notes.blockChanged.connect(self._on_notes_block_changed)

    # What it shows ------------------------------------------------------------------------------------------------

    def set_placed(self, placed: PlacedStudy) -> None:
        """Show a study; while the tab is hidden it only remembers it."""
        self._placed = placed
        self._renew_soon()

    def set_source(self, source: EstimateSource) -> None:
        """Say who answers for operators: without it nothing is shown."""
        self._source, self._chained = source, None
        self._asked = ()
        self.offers.set_source(source)
        self._renew_soon()

    def set_machine(self, machine: str) -> None:
        """Show the chain on this machine where it is placed on several."""
        if machine != self._machine:
            self._machine = machine
            self._renew_soon()

    def set_selection(self, selection: Selection) -> None:
        """Put the selected chain on the bench; of anything else, offer what can be made of it."""
        self._selection = selection
        self._renew_soon()

    def set_theme(self, theme: Theme) -> None:
        """Repaint in the colours of a theme."""
        self.corner.refresh_theme()
        self.body.notes.box.refresh_theme()
        self.body.refusal.refresh_theme()
        repaint_all(self)
        repaint_all(self.corner)

    def set_compact(self, compact: bool) -> None:
        """Give way in a narrow window."""
        self.corner.set_compact(compact)

    @property
    def bench(self) -> Bench | None:
        """The chain on the bench."""
        return self._bench

    def refresh(self) -> None:
        """Bring it up to date, also while it is hidden: for export."""
        if self._stale:
            self._renew()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def _renew_soon(self) -> None:
        self._stale = True
        if self.isVisible():
            self._renew()

    def _renew(self) -> None:
        self._stale = False
        placed, source = self._placed, self._source
        if placed is None or source is None:
            return
        self._chained = with_chains(self._chained or source, placed.study.chains)
        settings = read_settings(placed.study.panels.get(PANEL))
        entries = chain_entries(placed.study)
        entry = entry_on_bench(
            placed.study,
            selected=selected_entry(self._selection),
            wanted=settings.chain,
            shown=self._shown_entry,
        )
        row = row_on_bench(placed, entry, self._machine) if entry is not None else None
        self.corner.show_entries(entries, row.entry.id if row is not None else "")
        self.offers.show_selection(self._selected_row())
        if row is None:
            self._show_empty(entry)
            return
        self._shown_entry = row.entry.id
        self._show_row(row, settings)

    def _selected_row(self) -> PlacedRow | None:
        """Return the row of the selected entry, unless that is a chain."""
        id_ = selected_entry(self._selection)
        if self._placed is None or id_ is None or not self._placed.study.has_entry(id_):
            return None
        entry = self._placed.study.entry(id_)
        return None if is_chain(entry.operator) else row_on_bench(self._placed, entry, self._machine)

    def _show_empty(
        self, entry: Entry | None, reason: str = "It stands on no machine: put one into the view."
    ) -> None:
        self._bench, self._asked = None, ()
        if entry is None:
            self.empty.show_nothing()
        else:
            self.empty.show_reason(entry.label or entry.id, reason)
        self._stack.setCurrentWidget(self.empty)

    def _show_row(self, row: PlacedRow, settings: BenchSettings) -> None:
        assert self._chained is not None
        try:
            operator = self._chained.operator(row.entry.operator)
        except StudioError as error:
            self._show_empty(row.entry, str(error))
            return
        assert isinstance(operator, ChainOperator)
        asked = (row, operator.chain, settings)
        if self._asked and row is self._asked[0] and asked[1:] == self._asked[1:]:
            return
        self._asked = asked
        self._bench = bench_of(
            row, operator, self._chained,
            threads=settings.threads, elements_per_thread=settings.elements_per_thread,
        )  # fmt: skip
        self.body.text.set_source(self._source)
        self.body.show_bench(self._bench, settings)
        self._stack.setCurrentWidget(self.body)

    # What the user does -------------------------------------------------------------------------------------------

    def copy_command(self) -> None:
        """Put the command line that gives the same figures on the clipboard."""
        self.refresh()
        bench = self._bench
        if bench is None or self._placed is None:
            return
        settings = read_settings(self._placed.study.panels.get(PANEL))
        words = command_of(bench.row, bench.operator)
        if settings.threads != read_settings(None).threads:
            words += f" --threads {settings.threads}"
        if settings.elements_per_thread != 1:
            words += f" --elements-per-thread {settings.elements_per_thread}"
        QGuiApplication.clipboard().setText(words)
        self.copied.emit("Command of the chain")

    def _on_corner_entry_chosen(self, id_: str) -> None:
        if self._placed is None:
            return
        chain = self._placed.study.entry(id_).operator.partition(":")[2]
        self.panelRequested.emit("Put another chain on the bench", PANEL, {"chain": chain}, False)
        self.selectRequested.emit(id_)

    def _on_notes_block_changed(self, name: str, value: int) -> None:
        self.panelRequested.emit(f"Change {name.replace('_', ' ')}", PANEL, {name: value}, False)
