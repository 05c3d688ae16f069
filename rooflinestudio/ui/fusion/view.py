"""The fusion bench: a chain of the study as cards, and what its kernel boundaries cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal

from rooflinestudio.core.bench import bench_of
from rooflinestudio.core.bench_choice import PANEL, chain_entries, entry_on_bench, read_settings, row_on_bench
from rooflinestudio.core.chains import ChainOperator, is_chain
from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.selection import selected_entry
from rooflinestudio.ui.fusion.body import BenchBody
from rooflinestudio.ui.fusion.corner import BenchCorner
from rooflinestudio.ui.fusion.edits import BenchEdits
from rooflinestudio.ui.fusion.empty_page import EmptyBench
from rooflinestudio.ui.fusion.offers import BenchOffers
from rooflinestudio.ui.inspector.command import command_of
from rooflinestudio.ui.panel_view import PanelView

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from rooflinestudio.core.bench import Bench
    from rooflinestudio.core.bench_choice import BenchSettings
    from rooflinestudio.core.placing import EstimateSource, PlacedRow, PlacedStudy
    from rooflinestudio.core.study import Entry
    from rooflinestudio.ui.theme import Theme

__all__ = ["FusionView"]


class FusionView(PanelView):
    """One chain of the study on the bench.

    Signals
    -------
    chainRequested
        Words for undo, entry, and the chain that it is to show.
    chainCutsRequested
        Words for undo, entry, and the joints at which boundaries are to stand.
    newChainRequested
        Chain, parameters, formats and label.
    fuseRequested
        Ids of entries whose operators are to become a chain.
    chainVariantRequested
        Entry, joints and words of a variant.
    parameterRequested, dtypesRequested, visibleRequested
        Changes of the entry.
    """

    chainRequested = Signal(str, str, object)
    chainCutsRequested = Signal(str, str, tuple)
    newChainRequested = Signal(object, dict, dict, str)
    fuseRequested = Signal(object)
    chainVariantRequested = Signal(str, tuple, str)
    parameterRequested = Signal(str, str, object, bool)
    dtypesRequested = Signal(str, dict)
    visibleRequested = Signal(str, bool)
    corner: BenchCorner

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(PANEL, BenchCorner(), parent)
        self._shown_entry = ""
        self._asked: tuple[Any, ...] = ()
        self._bench: Bench | None = None
        self.body, self.empty = BenchBody(), EmptyBench()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.body)
        self.edits = BenchEdits(self)
        self.offers = BenchOffers(self)
        self.empty.entriesDropped.connect(self.fuseRequested)
        self._connect()

    def entry(self, id_: str) -> Entry | None:
        """Return an entry of the study, or None."""
        study = self._placed.study if self._placed is not None else None
        return study.entry(id_) if study is not None and study.has_entry(id_) else None

    def _connect(self) -> None:
        self.corner.entryChosen.connect(self._on_corner_entry_chosen)
        self.corner.copy_button.clicked.connect(self.copy_command)
        self.body.notes.blockChanged.connect(self._on_notes_block_changed)

    # What it shows ------------------------------------------------------------------------------------------------

    def set_source(self, source: EstimateSource) -> None:
        """Say who answers for operators: without it nothing is shown."""
        self._asked = ()
        self.offers.set_source(source)
        super().set_source(source)

    def set_theme(self, theme: Theme) -> None:
        """Repaint in the colours of a theme."""
        self.body.notes.box.refresh_theme()
        self.body.refusal.refresh_theme()
        super().set_theme(theme)

    @property
    def bench(self) -> Bench | None:
        """The chain on the bench."""
        return self._bench

    def _show_study(self, placed: PlacedStudy) -> None:
        source = self._chain_source(placed)
        if source is None:
            return
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
        self._show_row(row, settings, source)

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

    def _show_row(self, row: PlacedRow, settings: BenchSettings, source: EstimateSource) -> None:
        try:
            operator = source.operator(row.entry.operator)
        except StudioError as error:
            self._show_empty(row.entry, str(error))
            return
        assert isinstance(operator, ChainOperator)
        asked = (row, operator.chain, settings)
        if self._asked and row is self._asked[0] and asked[1:] == self._asked[1:]:
            return
        self._asked = asked
        self._bench = bench_of(
            row, operator, source,
            threads=settings.threads, elements_per_thread=settings.elements_per_thread,
        )  # fmt: skip
        self.body.text.set_source(self._source)
        self.body.show_bench(self._bench, settings)
        self._stack.setCurrentWidget(self.body)

    # What the user does -------------------------------------------------------------------------------------------

    def copy_command(self) -> None:
        """Put the command line that gives the same figures on the clipboard."""
        self._copy(self._command, "Command of the chain")

    def _command(self) -> str:
        bench = self._bench
        if bench is None or self._placed is None:
            return ""
        settings = read_settings(self._placed.study.panels.get(PANEL))
        words = command_of(bench.row, bench.operator)
        if settings.threads != read_settings(None).threads:
            words += f" --threads {settings.threads}"
        if settings.elements_per_thread != 1:
            words += f" --elements-per-thread {settings.elements_per_thread}"
        return words

    def _on_corner_entry_chosen(self, id_: str) -> None:
        if self._placed is None:
            return
        chain = self._placed.study.entry(id_).operator.partition(":")[2]
        self.panelRequested.emit("Put another chain on the bench", PANEL, {"chain": chain}, False)
        self.selectRequested.emit(id_)

    def _on_notes_block_changed(self, name: str, value: int) -> None:
        self.panelRequested.emit(f"Change {name.replace('_', ' ')}", PANEL, {name: value}, False)
