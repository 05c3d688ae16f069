"""What a chain can be begun with: the selection, a layer's neighbours, examples."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu, QWidget

from rooflinestudio.core.bench_chains import EXAMPLES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rooflinestudio.core.bench_chains import ReadyChain

__all__ = ["LayerMenu", "StartMenu"]


class LayerMenu(QMenu):
    """The chains of one layer.

    Signals
    -------
    chosen
        The chain that was chosen.
    """

    chosen = Signal(object)

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(title, parent)
        self.setToolTipsVisible(True)

    def set_chains(self, chains: Sequence[ReadyChain]) -> None:
        """Offer these chains."""
        self.clear()
        for one in chains:
            action = self.addAction(one.label)
            action.setToolTip(f"{one.spec}  {', '.join(f'{k}={v}' for k, v in one.parameters.items())}")
            action.triggered.connect(lambda _checked=False, chain=one: self.chosen.emit(chain))


class StartMenu(QMenu):
    """Everything that a chain can be begun with.

    Signals
    -------
    chosen
        A chain that is ready.
    selectionWanted
        A chain of the selected operator alone.
    """

    chosen = Signal(object)
    selectionWanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.from_selection = self.addAction("New chain from the selection", self.selectionWanted.emit)
        self.layer = LayerMenu("Chains of this layer", self)
        self.layer.chosen.connect(self.chosen)
        self.addMenu(self.layer)
        self.addSeparator()
        for one in EXAMPLES:
            action = self.addAction(one.label)
            action.triggered.connect(lambda _checked=False, chain=one: self.chosen.emit(chain))

    def offer(self, selected: str, chains: Sequence[ReadyChain]) -> None:
        """Offer what the selection gives: the label of an operator or an empty text, and a layer's chains."""
        self.from_selection.setVisible(bool(selected))
        self.from_selection.setText(f"New chain from {selected}")
        self.layer.set_chains(chains)
        self.layer.menuAction().setVisible(bool(chains))
