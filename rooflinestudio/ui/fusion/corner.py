"""At the right end of the tab row: which chain is on the bench, new ones, and its command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget

from rooflinestudio.ui.fusion.start_menu import StartMenu
from rooflinestudio.ui.icons import TOOL_PX, icon
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.choice import Choice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rooflinestudio.core.study import Entry

__all__ = ["BenchCorner"]


class BenchCorner(QWidget):
    """Controls for the end of the tab row.

    Signals
    -------
    entryChosen
        Id of the entry whose chain is to be on the bench.
    """

    entryChosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.entries = Choice()
        self.entries.setObjectName("fusion.entry")
        self.entries.setAccessibleName("Chain on the bench")
        self.entries.setToolTip("Which chain of the study is on the bench")
        self.entries.setMinimumWidth(110)
        self.entries.setMaximumWidth(190)
        self.entries.chosen.connect(self.entryChosen)
        self.menu = StartMenu(self)
        self.new_button = self._tool("plus", "new", "New chain")
        self.new_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.new_button.setMenu(self.menu)
        self.copy_button = self._tool("copy", "copy", "Copy as command")
        self._label = QLabel("Chain")
        set_role(self._label, "label")
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 3, 10, 3)
        row.setSpacing(8)
        row.addStretch(1)
        for part in (self._label, self.entries, self.new_button, self.copy_button):
            row.addWidget(part)

    @staticmethod
    def _tool(picture: str, name: str, words: str) -> QToolButton:
        button = QToolButton()
        button.setObjectName(f"fusion.{name}")
        button.setIcon(icon(picture))
        button.setIconSize(QSize(TOOL_PX, TOOL_PX))
        button.setAccessibleName(words)
        button.setToolTip(words)
        return button

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

    def refresh_theme(self) -> None:
        """Take the colours of the theme now worn."""
        self.new_button.setIcon(icon("plus"))
        self.copy_button.setIcon(icon("copy"))
