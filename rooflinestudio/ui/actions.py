"""QActions made from the table, with their menus; handlers are given by key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QLineEdit,
    QMenu,
    QMenuBar,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

from rooflinestudio.ui.action_table import ACTIONS, ActionInfo, Key, Menu, When, action_info
from rooflinestudio.ui.icons import icon

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["Actions", "UndoKeysFilter", "key_text"]


class Actions(QObject):
    """All actions of one window.

    Parameters
    ----------
    window
        Gets every action, so that its keys work wherever the focus is in that window.

    Signals
    -------
    done
        An action did what it does.
    """

    done = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._actions = {info.key: self._made(info, window) for info in ACTIONS}
        self._menus: dict[Menu, QMenu] = {}

    def __getitem__(self, key: Key | str) -> QAction:
        return self._actions[action_info(key).key]

    def connect_all(self, handlers: Mapping[Key, Callable[[], object]]) -> None:
        """Say what each action does; ``ValueError`` names those that are forgotten or unknown."""
        forgotten = [info.key.value for info in ACTIONS if info.key not in handlers]
        if forgotten:
            raise ValueError(f"nothing is connected to {', '.join(forgotten)}")
        for key, handler in handlers.items():
            self._actions[key].triggered.connect(_Slot(handler, self).run)

    def menu(self, place: Menu) -> QMenu:
        """Return a menu that :meth:`fill` made."""
        return self._menus[place]

    def fill(self, bar: QMenuBar) -> None:
        """Make all menus of a bar."""
        for place in Menu:
            menu = bar.addMenu(place.value)
            menu.setToolTipsVisible(True)
            self._menus[place] = menu
            for info in ACTIONS:
                if info.menu is place:
                    if info.starts_section:
                        menu.addSeparator()
                    menu.addAction(self._actions[info.key])

    def set_state(self, conditions: Mapping[When, bool]) -> None:
        """Enable what can be done now; a condition that is left out holds."""
        for info in ACTIONS:
            self._actions[info.key].setEnabled(conditions.get(info.when, True))

    def _made(self, info: ActionInfo, window: QWidget) -> QAction:
        action = QAction(info.text, window)
        action.setObjectName(info.key.value)
        if info.icon:
            action.setIcon(icon(info.icon))
        action.setShortcuts([QKeySequence(one) for one in info.shortcuts])
        action.setToolTip(f"{info.tip} ({key_text(info)})" if info.shortcuts else info.tip)
        action.setStatusTip(info.tip)
        action.setCheckable(info.checkable)
        window.addAction(action)
        return action


def key_text(info: ActionInfo) -> str:
    """Return the first shortcut as the platform writes it, or an empty text."""
    if not info.shortcuts:
        return ""
    return QKeySequence(info.shortcuts[0]).toString(QKeySequence.SequenceFormat.NativeText)


class _Slot(QObject):
    """Calls a handler without the checked state that ``triggered`` carries."""

    def __init__(self, handler: Callable[[], object], actions: Actions) -> None:
        super().__init__(actions)
        self._handler, self._actions = handler, actions

    def run(self, _checked: bool = False) -> None:
        self._handler()
        self._actions.done.emit()


class UndoKeysFilter(QObject):
    """Gives undo and redo to the study while a text field has nothing of its own to take back.

    A focused line or spin box takes Ctrl+Z for itself even where nothing was typed: the window's action never comes.
    The filter follows the focus, since one on the application would see every event of every widget.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._on_app_focus_changed)

    def _on_app_focus_changed(self, before: QWidget | None, now: QWidget | None) -> None:
        if before is not None and _takes_undo_keys(before):
            before.removeEventFilter(self)
        if now is not None and _takes_undo_keys(now):
            now.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            steps = (QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo)
            if any(event.matches(one) for one in steps) and not _is_being_typed_in(watched):
                event.ignore()
                return True
        return super().eventFilter(watched, event)


def _takes_undo_keys(watched: QObject) -> bool:
    return isinstance(watched, QLineEdit | QAbstractSpinBox | QTextEdit | QPlainTextEdit)


def _is_being_typed_in(watched: QObject) -> bool:
    if isinstance(watched, QAbstractSpinBox):
        line = watched.findChild(QLineEdit)
        return line is not None and line.isModified()
    if isinstance(watched, QLineEdit):
        return watched.isModified()
    if isinstance(watched, QTextEdit | QPlainTextEdit):
        return watched.document().isUndoAvailable() or watched.document().isRedoAvailable()
    return False
