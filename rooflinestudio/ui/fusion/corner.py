"""At the right end of the tab row: which chain is on the bench, new ones, and its command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QWidget

from rooflinestudio.ui.fusion.start_menu import StartMenu
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.corner import CornerRow, corner_choice, tool_button

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rooflinestudio.core.study import Entry

__all__ = ["BenchCorner"]


class BenchCorner(CornerRow):
    """Controls for the end of the tab row.

    Signals
    -------
    entryChosen
        Id of the entry whose chain is to be on the bench.
    """

    entryChosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.entries = corner_choice(
            "fusion.entry", "Chain on the bench", "Which chain of the study is on the bench"
        )
        self.entries.chosen.connect(self.entryChosen)
        self.menu = StartMenu(self)
        self.new_button = tool_button("fusion.new", "plus", "New chain", menu=self.menu)
        self.copy_button = tool_button("fusion.copy", "copy", "Copy as command")
        self._label = QLabel("Chain")
        set_role(self._label, "label")
        self.line_up(self._label, self.entries, self.new_button, self.copy_button)

    def show_entries(self, entries: Sequence[Entry], shown: str) -> None:
        """Offer the chains of the study; one is on the bench."""
        self.entries.set_options([(one.id, one.label or one.id) for one in entries])
        self.entries.set_value(shown)
        for part in (self.entries, self._label):
            part.setEnabled(bool(entries))
        self.copy_button.setEnabled(bool(shown))

    def set_compact(self, compact: bool) -> None:
        """Give way in a narrow window: the word before the drop-down goes."""
        self._label.setVisible(not compact)
