"""The controls of the compare tab that stand at the right end of the tab row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QToolButton, QWidget

from rooflinestudio.ui.icons import TOOL_PX, icon
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.choice import Choice
from rooflinestudio.ui.widgets.segmented import SegmentedControl

if TYPE_CHECKING:
    from PySide6.QtGui import QAction

__all__ = ["MODES", "ComparisonCorner"]

MODES: Final = (("table", "Table"), ("multiples", "Grid"), ("boundaries", "Boundaries"))
_HINTS: Final = {
    "table": "Entries and their variants, line by line",
    "multiples": "One entry at several boundaries, in several formats, fused and split, on several machines",
    "boundaries": "One kernel at every boundary of its machine: a verdict for each",
}


class ComparisonCorner(QWidget):
    """What is compared, how it is shown, and how it is copied.

    Attributes
    ----------
    variants_of
        Which entry and its variants the table lists.
    modes, mode_choice
        The same three modes as buttons and, where there is little room, as a drop-down.

    Signals
    -------
    modeChosen
        One of :data:`MODES`.
    """

    modeChosen = Signal(str)
    copyMarkdownRequested = Signal()
    copyTsvRequested = Signal()
    exportRequested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.variants_of = Choice()
        self.variants_of.setObjectName("comparison.baseline")
        self.variants_of.setAccessibleName("Variants of")
        self.variants_of.setToolTip("Compare everything, or one entry with its variants")
        self.variants_of.setMinimumWidth(128)
        self.variants_of.setMaximumWidth(190)
        self.label = QLabel("Variants of")
        set_role(self.label, "label")
        self.modes = SegmentedControl(MODES, "Compare as", compact=True)
        self.mode_choice = Choice(MODES)
        self.mode_choice.setObjectName("comparison.mode")
        self.mode_choice.setAccessibleName("Compare as")
        for id_, hint in _HINTS.items():
            self.modes.set_hint(id_, hint)
        for control in (self.modes, self.mode_choice):
            control.set_value("table")
            control.chosen.connect(self.modeChosen)
        self._make_copy_button()
        self._mode, self._compact = "table", False
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 3, 10, 3)
        row.setSpacing(8)
        row.addStretch(1)
        for part in (self.label, self.variants_of, self.modes, self.mode_choice, self.copy_button):
            row.addWidget(part)
        self._renew()

    def _make_copy_button(self) -> None:
        self.copy_button = QToolButton()
        self.copy_button.setObjectName("comparison.copy")
        self.copy_button.setIcon(icon("copy"))
        self.copy_button.setIconSize(QSize(TOOL_PX, TOOL_PX))
        self.copy_button.setAccessibleName("Copy the table")
        self.copy_button.setToolTip("Copy the table")
        self.copy_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self.copy_button)
        menu.addAction("Copy as Markdown", self.copyMarkdownRequested.emit)
        menu.addAction("Copy as tab-separated text", self.copyTsvRequested.emit)
        self.export_action: QAction = menu.addAction("Export as CSV…", self.exportRequested.emit)
        self.copy_button.setMenu(menu)

    def show_mode(self, mode: str) -> None:
        """Show which mode is on."""
        if mode != self._mode:
            self._mode = mode
            self.modes.set_value(mode)
            self.mode_choice.set_value(mode)
            self._renew()

    def set_compact(self, compact: bool) -> None:
        """Give way in a narrow window: words go, and the modes become a drop-down."""
        if compact != self._compact:
            self._compact = compact
            self._renew()

    def _renew(self) -> None:
        is_table = self._mode == "table"
        self.variants_of.setVisible(is_table)
        self.label.setVisible(is_table and not self._compact)
        self.modes.setVisible(not self._compact)
        self.mode_choice.setVisible(self._compact)
        self.export_action.setVisible(self._mode == "multiples")
