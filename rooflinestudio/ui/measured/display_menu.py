"""How measured kernels are shown: two files against each other, areas, boundaries, arrows, and which files."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from rooflinestudio.ui.icons import icon

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rooflinestudio.core.measured.panel import MeasuredPanel

__all__ = ["DisplayMenu"]


class DisplayMenu(QMenu):
    """Commands for the canvas, and for the two files that are compared.

    Signals
    -------
    comparingRequested, areaRequested, everyBoundaryRequested, arrowsRequested
        Whether it is to be so.
    swapRequested
        The files before and after are to change places.
    fileRequested
        Digest of a file, and whether its kernels are to be shown.
    """

    comparingRequested = Signal(bool)
    areaRequested = Signal(bool)
    everyBoundaryRequested = Signal(bool)
    arrowsRequested = Signal(bool)
    swapRequested = Signal()
    fileRequested = Signal(str, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Files and canvas", parent)
        self.setAccessibleName("How measured kernels are shown")
        self.setToolTipsVisible(True)
        self.comparing = self._check("Compare files", self.comparingRequested.emit)
        self.swap = self.addAction(icon("swap"), "Swap before and after", self.swapRequested.emit)
        self.arrows = self._check("Arrows from before to after", self.arrowsRequested.emit)
        self.files_separator = self.addSeparator()
        self.area = self._check("Area by time", self.areaRequested.emit)
        self.area.setToolTip("The area of a diamond is the share of the time of its file")
        self.addSeparator()
        self.in_view = self._check(
            "Points: boundary in view", lambda _on: self.everyBoundaryRequested.emit(False)
        )
        self.every = self._check("Points: every boundary", lambda _on: self.everyBoundaryRequested.emit(True))
        self.every.setToolTip("The selected kernel has a point at each boundary; of few kernels each has")
        points = QActionGroup(self)
        for one in (self.in_view, self.every):
            points.addAction(one)
        self._separator = self.addSeparator()
        self.file_actions: list[QAction] = []
        self._files: tuple[tuple[str, str], ...] = ()

    def _check(self, text: str, done: Callable[[bool], object]) -> QAction:
        action: QAction = self.addAction(text)
        action.setCheckable(True)
        action.triggered.connect(lambda _checked=False: done(action.isChecked()))
        return action

    def show_state(self, panel: MeasuredPanel, files: Sequence[tuple[str, str, bool]]) -> None:
        """Show the settings that hold, and each file (digest, name) with whether any of its kernels is shown."""
        has_two = len(files) > 1
        for action in (self.comparing, self.swap, self.arrows, self.files_separator):
            action.setVisible(has_two)
        self.comparing.setChecked(panel.compares and has_two)
        self.arrows.setChecked(panel.series.arrows)
        self.area.setChecked(panel.area)
        (self.every if panel.every_boundary else self.in_view).setChecked(True)
        named = tuple((digest, name) for digest, name, _ in files)
        if named != self._files:
            self._make_files(named)
        for action, (_digest, _name, shown) in zip(self.file_actions, files, strict=True):
            action.setChecked(shown)
        self._separator.setVisible(bool(files))

    def _make_files(self, files: tuple[tuple[str, str], ...]) -> None:
        for action in self.file_actions:
            self.removeAction(action)
            action.deleteLater()
        self._files, self.file_actions = files, []
        for digest, name in files:
            # An ampersand would underline the letter behind it.
            action = self._check(
                f"Show {_shortened(name)}".replace("&", "&&"), partial(self.fileRequested.emit, digest)
            )
            action.setToolTip(name)
            self.file_actions.append(action)


_LONGEST = 48


def _shortened(name: str) -> str:
    """Return a name that a menu has room for: its middle goes, both ends tell files apart."""
    if len(name) <= _LONGEST:
        return name
    half = _LONGEST // 2 - 1
    return f"{name[:half]}…{name[-half:]}"
