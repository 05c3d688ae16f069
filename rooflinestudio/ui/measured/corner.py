"""At the right end of the tab row: which kernels are listed, how they are grouped, what is done with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QMenu, QWidget

from rooflinestudio.core.measured.panel import COMPARING
from rooflinestudio.ui.measured.display_menu import DisplayMenu
from rooflinestudio.ui.measured.filter_edit import FilterEdit
from rooflinestudio.ui.widgets.corner import CornerRow, corner_choice, tool_button
from rooflinestudio.ui.widgets.segmented import SegmentedControl

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rooflinestudio.core.measured.panel import MeasuredPanel
    from rooflinestudio.ui.measured.commands import KernelMenu

__all__ = ["MODES", "MeasuredCorner"]

_SINGLE: Final = "single"
MODES: Final = (("list", "Kernels"), (COMPARING, "Compare"))
_HINTS: Final = {
    "list": "The kernels of all files, line by line",
    COMPARING: "Two files against each other: before, after, and the ratio of each kernel",
}
_GROUPS: Final = ((_SINGLE, "Each launch"), ("kernel", "By name"), ("launch", "By name, grid, block"))
_FILTER_PX: Final = (200, 112)
_GROUP_PX: Final = (150, 100)


class MeasuredCorner(CornerRow):
    """Controls for the end of the tab row.

    Attributes
    ----------
    modes
        Kernels, or two files against each other; only there with two files. In a narrow window ``display`` has it.
    filter
        The entry of the filter.
    groups
        How kernels are grouped; see :meth:`group`.
    display, display_button
        How the canvas shows kernels.
    menu_button, copy_button
        Open what can be done with the chosen kernels, and how they are copied.
    """

    def __init__(self, menu: KernelMenu, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.modes = SegmentedControl(MODES, "Measured as", compact=True)
        for id_, hint in _HINTS.items():
            self.modes.set_hint(id_, hint)
        self.filter = FilterEdit()
        self.groups = corner_choice(
            "measured.group", "Group kernels", "How kernels are put together into lines"
        )
        self.groups.set_options(_GROUPS)
        self.display = DisplayMenu()
        self.display_button = tool_button(
            "measured.display", "sliders", "How measured kernels are shown",
            "Files, areas and boundaries on the canvas", menu=self.display,
        )  # fmt: skip
        self.menu_button = tool_button(
            "measured.menu", "more", "Hide, colour or copy kernels", "Hide, colour, copy", menu=menu
        )
        menu.addSeparator()
        menu.addMenu(self.display)  # a narrow window has no room for the button
        copies = QMenu()
        copies.addAction("Copy as Markdown", menu.copyMarkdownRequested.emit)
        copies.addAction("Copy as tab-separated text", menu.copyTsvRequested.emit)
        self.copy_button = tool_button(
            "measured.copy", "copy", "Copy the kernels", "Copy the chosen rows, else all", menu=copies
        )
        self._compact, self._has_two, self._compares = False, False, False
        self.line_up(
            self.modes, self.filter, self.groups, self.display_button, self.menu_button, self.copy_button
        )
        self._renew()

    def show_state(self, pattern: str, group: str, *, enabled: bool) -> None:
        """Show the filter and the groups that hold."""
        self.filter.set_filter(pattern)
        self.groups.set_value(group or _SINGLE)
        for widget in (self.filter, self.groups, self.display_button, self.menu_button, self.copy_button):
            widget.setEnabled(enabled)

    def show_files(self, panel: MeasuredPanel, files: Sequence[tuple[str, str, bool]]) -> None:
        """Show how the files are shown: digest, name, and whether any kernel of it is shown."""
        self._has_two = len(files) > 1
        self._compares = panel.compares and self._has_two
        self.modes.set_value(COMPARING if self._compares else "list")
        self.display.show_state(panel, files)
        self._renew()

    @staticmethod
    def group(choice: str) -> str:
        """Return the group setting of a choice."""
        return "" if choice == _SINGLE else choice

    def set_compact(self, compact: bool) -> None:
        """Give way in a narrow window: entries become narrower, and copying is left to the menu."""
        self._compact = compact
        self._renew()

    def _renew(self) -> None:
        narrow = self._compact or self._has_two  # the modes need their place, too
        self.filter.setFixedWidth(_FILTER_PX[narrow])
        self.groups.setFixedWidth(_GROUP_PX[narrow])
        self.modes.setVisible(self._has_two and not self._compact)
        self.groups.setVisible(not self._compares)  # files are matched by name, grid and block
        self.display_button.setVisible(not self._compact)
        self.copy_button.setVisible(not narrow)
