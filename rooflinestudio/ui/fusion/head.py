"""The head of the bench: what is on it, and what is done with all of it at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from rooflinestudio.core.bench_words import subtitle
from rooflinestudio.ui.fusion.start_menu import LayerMenu
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.eliding import ElidingLabel
from rooflinestudio.ui.widgets.readouts import ReadoutLine

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rooflinestudio.core.bench import Bench
    from rooflinestudio.core.bench_chains import ReadyChain

__all__ = ["BenchHead"]

_LEAVES_FIRST: Final = (2, 3, 1)
"""Which figures give way in a line that is too short: work, intensity, traffic."""


class BenchHead(QWidget):
    """Title and buttons; where it is narrow the figures stand in place of the title."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._compact = False
        self.title = ElidingLabel(role="title", token="text")
        self.subtitle = ElidingLabel(role="label", token="text2")
        self.line = ReadoutLine(_LEAVES_FIRST)
        self.line.setObjectName("fusion.readout_line")
        self.layer_menu = LayerMenu("Chains of this layer", self)
        self.layer = _button(
            "Chains of this layer", "layer", "Neighbours of the selected layer that can be fused"
        )
        self.layer.setMenu(self.layer_menu)
        self.add = _button("Add selected", "add", "Append the selected operator to this chain")
        self.split = _button("Split all", "split", "Every operator as a kernel of its own")
        self.fuse = _button("Fuse all", "fuse", "All operators in one kernel")
        self.keep = _button(
            "Keep as variant", "keep", "Keep the chain as it is drawn beside this one, to compare"
        )
        self.place = _button("Place on canvas", "place", "Show this chain on the canvas")
        set_role(self.place, "primary")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.title)
        row.addWidget(self.subtitle)
        row.addWidget(self.line, 100)
        self._spring = QWidget()
        row.addWidget(self._spring, 1)
        for button in (self.layer, self.add, self.split, self.fuse, self.keep, self.place):
            row.addWidget(button)
        self.offer("", ())

    def show_bench(self, bench: Bench) -> None:
        """Show what is on the bench."""
        entry = bench.row.entry
        self.title.set_text(entry.label or bench.operator.label)
        self.subtitle.set_text(subtitle(bench))
        self.split.setEnabled(not all(bench.spec.cuts))
        self.fuse.setEnabled(any(bench.spec.cuts))
        self.keep.setEnabled(bench.chain is not None)
        self.place.setVisible(not entry.visible)

    def offer(self, selected: str, chains: Sequence[ReadyChain]) -> None:
        """Offer what the selection gives: the label of an operator or an empty text, and a layer's chains."""
        self._selected, self._chains = selected, tuple(chains)
        self.add.setText(f"Add {selected}")
        self.layer_menu.set_chains(chains)
        self._show_offers()

    def set_compact(self, compact: bool) -> None:
        """Give way where there is little room: figures instead of the title, only the two buttons used most."""
        self._compact = compact
        for part in (self.title, self.subtitle, self._spring, self.keep):
            part.setVisible(not compact)
        self.line.setVisible(compact)
        self._show_offers()

    def _show_offers(self) -> None:
        self.layer.setVisible(bool(self._chains) and not self._compact)
        self.add.setVisible(bool(self._selected) and not self._compact)


def _button(text: str, name: str, hint: str) -> QPushButton:
    button = QPushButton(text)
    button.setObjectName(f"fusion.{name}")
    button.setToolTip(hint)
    return button
