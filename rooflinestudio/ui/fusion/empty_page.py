"""What the bench says while no chain is on it; an operator that is let go here begins one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from rooflinestudio.ui.canvas.dropping import operator_of
from rooflinestudio.ui.fusion.start_menu import LayerMenu, StartMenu
from rooflinestudio.ui.marking import entries_of
from rooflinestudio.ui.widgets.empty_page import EmptyPage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent

    from rooflinestudio.core.bench_chains import ReadyChain

__all__ = ["EmptyBench"]

_TITLE = "No chain in this study"
_SENTENCE = (
    "Drag an operator here to begin one, or take an example: "
    "a click between two cards then fuses or splits them."
)


class EmptyBench(EmptyPage):
    """A sentence, ways to begin, and a place to drop.

    Signals
    -------
    operatorDropped
        Id of an operator that a chain is to begin with.
    entriesDropped
        Ids of entries that a chain is to be made of.
    """

    operatorDropped = Signal(str)
    entriesDropped = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        self.begin, self.layer = QPushButton("Begin a chain"), QPushButton("Chains of this layer")
        super().__init__(_TITLE, _SENTENCE, self.begin, self.layer, parent=parent)
        self.setAcceptDrops(True)
        self.setObjectName("fusion.empty")
        self.menu = StartMenu(self)
        self.begin.setObjectName("fusion.begin")
        self.begin.setMenu(self.menu)
        self.layer_menu = LayerMenu("Chains of this layer", self)
        self.layer_menu.chosen.connect(self.menu.chosen)
        self.layer.setObjectName("fusion.empty_layer")
        self.layer.setMenu(self.layer_menu)
        self.set_chains(())

    def set_chains(self, chains: Sequence[ReadyChain]) -> None:
        """Offer the chains of the selected layer."""
        self.layer_menu.set_chains(chains)
        self.layer.setVisible(bool(chains))

    def show_nothing(self) -> None:
        """Say that there is no chain."""
        self.state.set_texts(_TITLE, _SENTENCE)

    def show_reason(self, name: str, reason: str) -> None:
        """Say why a chain of the study cannot be shown; it stays in the study as it is."""
        self.state.set_texts(f"{name} cannot be shown", reason)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        self.dragMoveEvent(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        if operator_of(event.mimeData()) or entries_of(event.mimeData()):
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()
        else:
            event.ignore()

    def dropEvent(self, event: QDropEvent) -> None:
        operator, entries = operator_of(event.mimeData()), entries_of(event.mimeData())
        if not operator and not entries:
            event.ignore()
            return
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        if operator:
            self.operatorDropped.emit(operator)
        else:
            self.entriesDropped.emit(entries)
