"""What can be done with the chosen kernels: hide, colour, copy; one menu for the button, the mouse and the keys."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QAction, QIcon, QKeySequence, QPainter, QPixmap
from PySide6.QtWidgets import QMenu, QWidget

from rooflinestudio.core.study import SLOTS
from rooflinestudio.ui.icons import icon
from rooflinestudio.ui.widgets.ink import slot_ink
from rooflinestudio.ui.widgets.painting import paint_marker

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["KernelMenu"]

_ICON_PX = 14


class KernelMenu(QMenu):
    """Commands for the chosen kernels.

    Signals
    -------
    hideRequested, othersHideRequested, showRequested, showAllRequested
        The chosen ones, all but these, the chosen ones again, all again.
    listHiddenRequested
        Whether hidden kernels are to be listed.
    pairRequested, unpairRequested
        The chosen ones are to be held against an entry, or against nothing.
    colourRequested
        Slot from 0, or -1 for none.
    copyTsvRequested, copyMarkdownRequested, copyNamesRequested
        The chosen rows are to be copied; without any, all.
    """

    hideRequested = Signal()
    othersHideRequested = Signal()
    showRequested = Signal()
    showAllRequested = Signal()
    listHiddenRequested = Signal(bool)
    pairRequested = Signal()
    unpairRequested = Signal()
    colourRequested = Signal(int)
    copyTsvRequested = Signal()
    copyMarkdownRequested = Signal()
    copyNamesRequested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Measured kernels")
        self.pair_action = self._add("Pair with…", self.pairRequested.emit, "", "P")
        self.unpair_action = self._add("Unpair", self.unpairRequested.emit, "", "Shift+P")
        self.addSeparator()
        self.hide_action = self._add("Hide", self.hideRequested.emit, "eye-off", "H")
        self.others_action = self._add("Hide all others", self.othersHideRequested.emit, "", "Shift+H")
        self.show_action = self._add("Show again", self.showRequested.emit, "eye")
        self.show_all_action = self._add("Show all", self.showAllRequested.emit)
        self.list_hidden_action = self.addAction("List hidden kernels")
        self.list_hidden_action.setCheckable(True)
        self.list_hidden_action.triggered.connect(self.listHiddenRequested)
        self.addSeparator()
        self.colours = self.addMenu("Colour")
        self.colour_actions = [
            self.colours.addAction(f"Colour {slot + 1}", partial(self.colourRequested.emit, slot))
            for slot in range(SLOTS)
        ]
        self.colours.addSeparator()
        self.colours.addAction("No colour", partial(self.colourRequested.emit, -1))
        self.colours.aboutToShow.connect(self._on_colours_about_to_show)
        self.addSeparator()
        self._add("Copy as Markdown", self.copyMarkdownRequested.emit, "copy")
        self._add("Copy as tab-separated text", self.copyTsvRequested.emit)
        self._add("Copy full names", self.copyNamesRequested.emit)

    def _add(self, text: str, done: Callable[[], object], picture: str = "", key: str = "") -> QAction:
        action: QAction = self.addAction(icon(picture), text) if picture else self.addAction(text)
        action.triggered.connect(lambda _checked=False: done())
        if key:
            action.setShortcut(QKeySequence(key))
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        return action

    def show_pairs(self, *, chosen: int, paired: int) -> None:
        """Offer what can be done with the pairs of so many chosen kernels, some of which have one."""
        self.pair_action.setEnabled(chosen > 0)
        self.unpair_action.setEnabled(paired > 0)

    def show_state(self, *, chosen: int, chosen_hidden: int, hidden: int, lists_hidden: bool) -> None:
        """Offer what can be done with so many chosen kernels, of which some are hidden."""
        self.hide_action.setEnabled(chosen > chosen_hidden)
        self.others_action.setEnabled(chosen > 0)
        self.show_action.setEnabled(chosen_hidden > 0)
        self.show_all_action.setEnabled(hidden > 0)
        self.list_hidden_action.setEnabled(hidden > 0 or lists_hidden)
        self.list_hidden_action.setChecked(lists_hidden)
        self.colours.setEnabled(chosen > 0)

    def _on_colours_about_to_show(self) -> None:
        for slot, action in enumerate(self.colour_actions):
            action.setIcon(_slot_icon(slot))


def _slot_icon(slot: int) -> QIcon:
    picture = QPixmap(_ICON_PX, _ICON_PX)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    paint_marker(painter, QPointF(_ICON_PX / 2, _ICON_PX / 2), "diamond", slot_ink(slot))
    painter.end()
    return QIcon(picture)
