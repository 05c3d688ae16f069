"""Controls of the machines view for the end of the tab row."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QWidget

from rooflinestudio.ui.widgets.corner import CornerRow, tool_button
from rooflinestudio.ui.widgets.segmented import SegmentedControl

__all__ = ["MachinesCorner"]

_PAGES: Final = (
    ("figures", "Figures"),
    ("what_if", "What if"),
    ("gains", "10% better"),
    ("all", "All"),
    ("years", "Years"),
)


class MachinesCorner(CornerRow):
    """Which page, only what differs, copy.

    Signals
    -------
    pageChosen
        ``figures``, ``what_if``, ``gains``, ``all`` or ``years``.
    differentChosen
        Whether only figures that differ shall be listed.
    copyRequested
        The page's table shall be copied.
    """

    pageChosen = Signal(str)
    differentChosen = Signal(bool)
    copyRequested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.different = QCheckBox("only what differs")
        self.different.setObjectName("machines_tab.different")
        self.different.clicked.connect(self.differentChosen)
        self.page = SegmentedControl(_PAGES, "Machines page", compact=True)
        self.page.set_hint("gains", "Which resource, a tenth better, buys how much for this study")
        self.page.set_hint("all", "Every known machine: peak, bandwidth, ridge, link and power")
        self.page.set_hint("years", "Peak, bandwidth, link and ridge of all known machines by year")
        self.page.chosen.connect(self.pageChosen)
        self.copy_button = tool_button(
            "machines_tab.copy", "copy", "Copy the table", "Copy the table as Markdown"
        )
        self.copy_button.clicked.connect(self.copyRequested)
        self.line_up(self.different, self.page, self.copy_button)

    def show_settings(self, page: str, *, different: bool) -> None:
        """Show what the study says."""
        self.page.set_value(page)
        self.different.setChecked(different)
        self.different.setVisible(page == "figures")
        self.copy_button.setEnabled(page != "years")
