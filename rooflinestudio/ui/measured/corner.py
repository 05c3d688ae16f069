"""At the right end of the tab row: which kernels are listed, how they are grouped, what is done with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QMenu, QWidget

from rooflinestudio.ui.measured.filter_edit import FilterEdit
from rooflinestudio.ui.widgets.corner import CornerRow, corner_choice, tool_button

if TYPE_CHECKING:
    from rooflinestudio.ui.measured.commands import KernelMenu

__all__ = ["MeasuredCorner"]

_SINGLE: Final = "single"
_GROUPS: Final = ((_SINGLE, "Each launch"), ("kernel", "By name"), ("launch", "By name, grid, block"))
_FILTER_PX: Final = (200, 112)
_GROUP_PX: Final = (150, 100)


class MeasuredCorner(CornerRow):
    """Controls for the end of the tab row.

    Attributes
    ----------
    filter
        The entry of the filter.
    groups
        How kernels are grouped; see :meth:`group`.
    menu_button, copy_button
        Open what can be done with the chosen kernels, and how they are copied.
    """

    def __init__(self, menu: KernelMenu, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.filter = FilterEdit()
        self.groups = corner_choice(
            "measured.group", "Group kernels", "How kernels are put together into lines"
        )
        self.groups.set_options(_GROUPS)
        self.menu_button = tool_button(
            "measured.menu", "more", "Hide, colour or copy kernels", "Hide, colour, copy", menu=menu
        )
        copies = QMenu()
        copies.addAction("Copy as Markdown", menu.copyMarkdownRequested.emit)
        copies.addAction("Copy as tab-separated text", menu.copyTsvRequested.emit)
        self.copy_button = tool_button(
            "measured.copy", "copy", "Copy the kernels", "Copy the chosen rows, else all", menu=copies
        )
        self.line_up(self.filter, self.groups, self.menu_button, self.copy_button)
        self.set_compact(False)

    def show_state(self, pattern: str, group: str, *, enabled: bool) -> None:
        """Show the filter and the groups that hold."""
        self.filter.set_filter(pattern)
        self.groups.set_value(group or _SINGLE)
        for widget in (self.filter, self.groups, self.menu_button, self.copy_button):
            widget.setEnabled(enabled)

    @staticmethod
    def group(choice: str) -> str:
        """Return the group setting of a choice."""
        return "" if choice == _SINGLE else choice

    def set_compact(self, compact: bool) -> None:
        """Give way in a narrow window: entries become narrower, and copying is left to the menu."""
        self.filter.setFixedWidth(_FILTER_PX[compact])
        self.groups.setFixedWidth(_GROUP_PX[compact])
        self.copy_button.setVisible(not compact)
