"""Buttons with a menu to tick: entries, policies, the second parameter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolButton, QWidget

from rooflinestudio.ui.fonts import font
from rooflinestudio.ui.icons import icon

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QAction

__all__ = ["TickMenu"]


class TickMenu(QToolButton):
    """A button whose menu ticks some of several ids, or just one.

    Signals
    -------
    ticked
        The id that the user turned on or off, and whether it is on now.
    """

    ticked = Signal(str, bool)

    def __init__(
        self, object_name: str, name: str, *, single: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName(object_name)
        self.setAccessibleName(name)
        self.setToolTip(name)
        self.setFont(font("label"))
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the arrow stands behind the words
        self.setIconSize(QSize(10, 10))
        self.refresh_theme()
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setMenu(QMenu(self))
        self.menu().setToolTipsVisible(True)
        self._single = single
        self._group: QActionGroup | None = None
        self._actions: dict[str, QAction] = {}
        self._options: tuple[tuple[str, str], ...] = ()

    def refresh_theme(self) -> None:
        """Take the colours of the theme now worn."""
        self.setIcon(icon("chevron-down"))

    def set_options(self, options: Sequence[tuple[str, str]], on: Sequence[str]) -> None:
        """Offer ids with their words, and tick some."""
        if tuple(options) != self._options:
            self._options = tuple(options)
            self._make()
        for id_, action in self._actions.items():
            action.setChecked(id_ in on)

    def _make(self) -> None:
        self.menu().clear()
        self._actions = {}
        self._group = QActionGroup(self) if self._single else None
        for id_, words in self._options:
            action = self.menu().addAction(words.replace("&", "&&"))
            action.setCheckable(True)
            action.setData(id_)
            if self._group is not None:
                self._group.addAction(action)
            action.triggered.connect(self._on_action_triggered)
            self._actions[id_] = action

    def add_tick(self, words: str, done: Callable[[bool], None]) -> QAction:
        """Add a switch that is none of the ids."""
        action = self.menu().addAction(words)
        action.setCheckable(True)
        action.triggered.connect(done)
        return action

    def action_of(self, id_: str) -> QAction:
        """Return the action of an id."""
        return self._actions[id_]

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids on offer."""
        return tuple(self._actions)

    def _on_action_triggered(self, checked: bool) -> None:
        action = self.sender()
        id_ = next((name for name, one in self._actions.items() if one is action), None)
        if id_ is not None:
            self.ticked.emit(id_, checked)
