"""The two rows over the docks: menus with the name of the study, then machines and what every entry follows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QMenuBar,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from rooflinestudio.ui.action_table import Key, action_info
from rooflinestudio.ui.actions import key_text
from rooflinestudio.ui.icons import TOOL_PX, icon
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.eliding import ElidingLabel
from rooflinestudio.ui.widgets.ink import ink

if TYPE_CHECKING:
    from PySide6.QtGui import QAction, QPaintEvent

    from rooflinestudio.ui.actions import Actions
    from rooflinestudio.ui.hardware.selector import MachineSelector
    from rooflinestudio.ui.theme import Theme
    from rooflinestudio.ui.view_bar import ViewBar

__all__ = ["TopBar"]

MENU_ROW_PX: Final = 36
TOOL_ROW_PX: Final = 44
NAME_PX: Final = 260


class TopBar(QWidget):
    """Both rows; goes into the main window as its menu widget.

    Attributes
    ----------
    menu_bar
        Takes the menus; on macOS an empty one, the system's bar is used there.
    """

    def __init__(self, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, "toolbar")
        self.menu_bar = QMenuBar()
        self.menu_bar.setNativeMenuBar(False)
        self.menu_bar.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.name = ElidingLabel(role="body_strong", token="text", mode=Qt.TextElideMode.ElideLeft)
        self.name.setMaximumWidth(NAME_PX)
        self.edited = QLabel()
        set_role(self.edited, "muted")
        self.find_button = _find_button(actions[Key.FIND_ACTION])
        self.theme = _theme_button(actions[Key.TOGGLE_THEME])
        self.undo = tool_button(actions[Key.UNDO])
        self.redo = tool_button(actions[Key.REDO])
        self._machines: MachineSelector | None = None
        self._tools = QHBoxLayout()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._menu_row())
        column.addWidget(self._tool_row())

    def put_tools(self, machines: MachineSelector, view_bar: ViewBar) -> None:
        """Fill the second row: machines, then what every entry follows."""
        self._machines = machines
        self._tools.addWidget(machines)
        self._tools.addWidget(_Rule())
        self._tools.addWidget(view_bar, 1)

    def show_file(self, name: str, *, modified: bool, path: str) -> None:
        """Say which study is open and whether it has unsaved edits."""
        self.name.set_text(name)
        self.name.set_hint(path or None)
        self.edited.setText("edited" if modified else "")
        self.edited.setVisible(modified)

    def set_theme(self, theme: Theme) -> None:
        """Offer the other theme."""
        self.theme.setIcon(icon("sun" if theme.is_dark else "moon"))

    def set_compact(self, compact: bool) -> None:
        """Give way in a narrow window: the name of the file goes, and most words."""
        self.name.setVisible(not compact)
        self.edited.setVisible(not compact and bool(self.edited.text()))
        self.find_button.setText(_find_text(compact=compact))
        if self._machines is not None:
            self._machines.set_compact(compact)

    def _menu_row(self) -> QWidget:
        row = QWidget()
        row.setFixedHeight(MENU_ROW_PX)
        line = QHBoxLayout(row)
        line.setContentsMargins(12, 0, 12, 0)
        line.setSpacing(8)
        line.addWidget(self.menu_bar, 0, Qt.AlignmentFlag.AlignVCenter)
        line.addStretch(1)
        for part in (self.name, self.edited, self.undo, self.redo, self.find_button, self.theme):
            line.addWidget(part)
        return row

    def _tool_row(self) -> QWidget:
        row = QWidget()
        row.setFixedHeight(TOOL_ROW_PX)
        self._tools.setContentsMargins(8, 0, 14, 0)
        self._tools.setSpacing(12)
        row.setLayout(self._tools)
        return row


def tool_button(action: QAction) -> QToolButton:
    """Return a 16 px button of an action, named for those who do not see it."""
    button = QToolButton()
    button.setDefaultAction(action)
    button.setIconSize(QSize(TOOL_PX, TOOL_PX))
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
    button.setAccessibleName(action.text().rstrip("…"))
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button


class _Rule(QWidget):
    """An upright hairline."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(1, 22)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), ink("border"))
        painter.end()


def _theme_button(action: QAction) -> QToolButton:
    """Return a button that is never pressed in: its drawing says what comes next."""
    button = QToolButton()
    button.setIcon(icon("moon"))
    button.setIconSize(QSize(TOOL_PX, TOOL_PX))
    button.setToolTip(action.toolTip())
    button.setAccessibleName("Change between light and dark")
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.clicked.connect(action.trigger)
    return button


def _find_button(action: QAction) -> QPushButton:
    button = QPushButton(icon("search"), _find_text(compact=False))
    button.setIconSize(QSize(TOOL_PX, TOOL_PX))
    button.setToolTip(action.toolTip())
    button.setAccessibleName("Find an action")
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    set_role(button, "pill", font_role="button")
    button.clicked.connect(action.trigger)
    return button


def _find_text(*, compact: bool) -> str:
    keys = key_text(action_info(Key.FIND_ACTION))
    return f"{'Find' if compact else 'Find an action'}   {keys}"
