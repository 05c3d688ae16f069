"""What stands at the right end of the tab row: the frame of such a row, its drop-downs and buttons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from rooflinestudio.ui.icons import TOOL_PX, icon
from rooflinestudio.ui.widgets.choice import Choice

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMenu

__all__ = ["CornerRow", "corner_choice", "tool_button"]


class CornerRow(QWidget):
    """Controls that keep to the right."""

    def line_up(self, *parts: QWidget) -> None:
        """Put the controls in, from left to right; once."""
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 3, 10, 3)
        row.setSpacing(8)
        row.addStretch(1)
        for part in parts:
            row.addWidget(part)

    def set_compact(self, compact: bool) -> None:
        """Give way in a narrow window."""


def corner_choice(
    object_name: str, name: str, hint: str, *, least_px: int = 110, most_px: int = 190
) -> Choice:
    """Return a drop-down for labels that may be long: it has a least and a largest width."""
    made = Choice()
    made.setObjectName(object_name)
    made.setAccessibleName(name)
    made.setToolTip(hint)
    made.setMinimumWidth(least_px)
    made.setMaximumWidth(most_px)
    return made


def tool_button(
    object_name: str, picture: str, name: str, hint: str = "", *, menu: QMenu | None = None
) -> QToolButton:
    """Return a button with an icon; with a menu, a click opens that."""
    made = QToolButton()
    made.setObjectName(object_name)
    made.setIcon(icon(picture))
    made.setIconSize(QSize(TOOL_PX, TOOL_PX))
    made.setAccessibleName(name)
    made.setToolTip(hint or name)
    if menu is not None:
        menu.setParent(made, menu.windowFlags())
        made.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        made.setMenu(menu)
    return made
