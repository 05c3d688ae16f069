"""What the selection offers the bench: a layer's neighbours as chains, an operator to begin with or to append."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from rooflinestudio.core.bench_chains import chains_of_layer
from rooflinestudio.core.bench_edit import step_of
from rooflinestudio.core.fusion_notation import ChainSpec
from rooflinestudio.ui.fusion.edits import step_for

if TYPE_CHECKING:
    from rooflinestudio.core.bench_chains import ReadyChain
    from rooflinestudio.core.placing import EstimateSource, PlacedRow
    from rooflinestudio.ui.fusion.view import FusionView

__all__ = ["BenchOffers"]


class BenchOffers(QObject):
    """Fills menus and buttons after the selection, and asks for what is chosen there."""

    def __init__(self, view: FusionView) -> None:
        super().__init__(view)
        self._view = view
        self._source: EstimateSource | None = None
        self._row: PlacedRow | None = None
        for menu in (view.corner.menu, view.empty.menu):
            menu.chosen.connect(self.place_ready)
            menu.selectionWanted.connect(self.place_selected)
        view.empty.operatorDropped.connect(self.place_operator)
        view.body.head.layer_menu.chosen.connect(self.place_ready)
        view.body.head.add.clicked.connect(self.append_selected)

    def set_source(self, source: EstimateSource) -> None:
        """Say who answers for the operators of a layer."""
        self._source, self._row = source, None

    def show_selection(self, row: PlacedRow | None) -> None:
        """Offer what can be made of a row; of a chain, or of nothing, that is nothing."""
        if row is self._row:
            return
        self._row = row
        placement = row.placement if row is not None else None
        label = ""
        chains: tuple[ReadyChain, ...] = ()
        if row is not None and placement is not None and placement.estimate.parts:
            if self._source is not None:
                chains = chains_of_layer(placement, row.entry.dtypes, self._source)
        elif row is not None:
            label = row.entry.label or row.entry.operator
        view = self._view
        for part in (view.body.head, view.corner.menu, view.empty.menu):
            part.offer(label, chains)
        view.empty.set_chains(chains)

    def place_ready(self, chain: ReadyChain) -> None:
        """Ask for a chain that is ready."""
        self._view.newChainRequested.emit(chain.spec, dict(chain.parameters), dict(chain.dtypes), chain.label)

    def place_operator(self, operator: str) -> None:
        """Ask for a chain of one operator."""
        self._view.newChainRequested.emit(ChainSpec((step_of(operator),)), {}, {}, "")

    def place_selected(self) -> None:
        """Ask for a chain that begins with the selected operator, with its sizes and formats."""
        if self._row is not None:
            entry = self._row.entry
            spec = ChainSpec((step_of(entry.operator),))
            self._view.newChainRequested.emit(spec, dict(entry.parameters), dict(entry.dtypes), "")

    def append_selected(self) -> None:
        """Append the selected operator to the chain on the bench; its sizes are the chain's."""
        bench = self._view.bench
        if self._row is not None and bench is not None:
            self._view.edits.insert(step_for(bench, self._row.entry), len(bench.spec.steps))
