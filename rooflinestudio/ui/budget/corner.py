"""At the right end of the tab row: which composite is opened, and how its table is copied."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QMenu, QWidget

from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.corner import CornerRow, corner_choice, tool_button

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rooflinestudio.core.study import Entry

__all__ = ["BudgetCorner"]


class BudgetCorner(CornerRow):
    """Controls for the end of the tab row.

    Signals
    -------
    entryChosen
        Id of the entry that is to be opened.
    copyMarkdownRequested, copyTsvRequested
        The table is to be copied.
    """

    entryChosen = Signal(str)
    copyMarkdownRequested = Signal()
    copyTsvRequested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.entries = corner_choice("budget.entry", "Budget of", "Which layer, step or chain is opened")
        self.entries.chosen.connect(self.entryChosen)
        menu = QMenu()
        menu.addAction("Copy as Markdown", self.copyMarkdownRequested.emit)
        menu.addAction("Copy as tab-separated text", self.copyTsvRequested.emit)
        self.copy_button = tool_button("budget.copy", "copy", "Copy the budget", "Copy the table", menu=menu)
        self._label = QLabel("Budget of")
        set_role(self._label, "label")
        self.line_up(self._label, self.entries, self.copy_button)

    def show_entries(self, entries: Sequence[Entry], shown: str) -> None:
        """Offer what can be opened; one of them is."""
        self.entries.set_options([(one.id, one.label or one.id) for one in entries])
        for widget in (self.entries, self.copy_button):
            widget.setEnabled(bool(shown))
        if shown:
            self.entries.set_value(shown)

    def set_compact(self, compact: bool) -> None:
        """Give way in a narrow window: the words before the drop-down go."""
        self._label.setVisible(not compact)
