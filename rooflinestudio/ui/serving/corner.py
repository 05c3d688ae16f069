"""Controls of the serving view for the end of the tab row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from rooflinestudio.ui.icons import TOOL_PX, icon
from rooflinestudio.ui.widgets.choice import Choice
from rooflinestudio.ui.widgets.segmented import SegmentedControl

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["ServingCorner"]


class ServingCorner(QWidget):
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
        self.entry = Choice()
        self.entry.setObjectName("serving.entry")
        self.entry.setAccessibleName("Decode step")
        self.entry.setToolTip("Decode step of the study")
        self.entry.setMinimumWidth(96)
        self.entry.setMaximumWidth(190)
        self.entry.chosen.connect(self.entryChosen)
        self.page = SegmentedControl(
            (("what_if", "What if"), ("machines", "Machines and cost")), "Page", compact=True
        )
        self.page.set_value("what_if")
        self.page.chosen.connect(self.pageChosen)
        self.copy_button = QToolButton()
        self.copy_button.setObjectName("serving.copy")
        self.copy_button.setIcon(icon("copy"))
        self.copy_button.setIconSize(QSize(TOOL_PX, TOOL_PX))
        self.copy_button.setAccessibleName("Copy the table")
        self.copy_button.setToolTip("Copy the table as Markdown")
        self.copy_button.clicked.connect(self.copyRequested)
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 3, 10, 3)
        row.setSpacing(8)
        row.addStretch(1)
        for part in (self.page, self.entry, self.copy_button):
            row.addWidget(part)

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
