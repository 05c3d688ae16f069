"""What can be done with a card, as a menu."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu

if TYPE_CHECKING:
    from rooflinestudio.ui.fusion.card_row import CardRow

__all__ = ["CardMenu"]


class CardMenu(QMenu):
    """Filled for one card each time it opens."""

    def __init__(self, row: CardRow) -> None:
        super().__init__(row)
        self._row = row

    def fill(self, index: int) -> None:
        """Offer what can be done with a card."""
        row, bench = self._row, self._row.bench
        self.clear()
        if bench is None:
            return
        card, last = bench.cards[index], len(bench.cards) - 1
        written = self.addAction("Also write its result")
        written.setCheckable(True)
        written.setChecked(card.is_written)
        written.triggered.connect(lambda checked: row.writtenChanged.emit(index, checked))
        names = self.addAction("Name its other inputs…", lambda: row.edit_names(index))
        names.setEnabled(card.foreign > 0)
        self.addSeparator()
        self.addAction("Move left", lambda: row.moved.emit(index, index - 1)).setEnabled(index > 0)
        self.addAction("Move right", lambda: row.moved.emit(index, index + 1)).setEnabled(index < last)
        self.addSeparator()
        self.addAction("Remove", lambda: row.removed.emit(index)).setEnabled(last > 0)
