"""Controls of the serving view for the end of the tab row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from rooflinestudio.ui.widgets.corner import CornerRow, corner_choice, tool_button
from rooflinestudio.ui.widgets.segmented import SegmentedControl

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

__all__ = ["ServingCorner"]


class ServingCorner(CornerRow):
    """Which decode step, which page, copy.

    Signals
    -------
    entryChosen
        Id of the decode step to tell about.
    pageChosen
        ``what_if`` or ``machines``, where there is room for one.
    copyRequested
        The table shall be copied.
    """

    entryChosen = Signal(str)
    pageChosen = Signal(str)
    copyRequested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.entry = corner_choice("serving.entry", "Decode step", "Decode step of the study", least_px=96)
        self.entry.chosen.connect(self.entryChosen)
        self.page = SegmentedControl((("what_if", "What if"), ("machines", "Cost")), "Page", compact=True)
        self.page.set_value("what_if")
        self.page.chosen.connect(self.pageChosen)
        self.copy_button = tool_button("serving.copy", "copy", "Copy the table", "Copy the table as Markdown")
        self.copy_button.clicked.connect(self.copyRequested)
        self.line_up(self.page, self.entry, self.copy_button)

    def set_entries(self, options: Sequence[tuple[str, str]], chosen: str) -> None:
        """Offer the decode steps of the study; of a single one nothing is offered."""
        self.entry.set_options(options)
        self.entry.set_value(chosen)
        self.entry.setVisible(len(options) > 1)

    def set_pages(self, needed: bool) -> None:
        """Offer the pages where only one has room."""
        self.page.setVisible(needed)

    def set_ready(self, ready: bool) -> None:
        """Enable what needs figures."""
        self.copy_button.setEnabled(ready)
        self.page.setEnabled(ready)

    def set_compact(self, compact: bool) -> None:
        """Give way in a narrow window."""
        self.entry.setMaximumWidth(128 if compact else 190)
