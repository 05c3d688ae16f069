"""The main window: assembles bars, docks, canvas and tabs. What they do to each other stands in ``wiring``."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QByteArray, QEvent, QTimer, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QMainWindow, QVBoxLayout, QWidget

from rooflinestudio.ui.action_table import Key, When
from rooflinestudio.ui.actions import Actions, UndoKeysFilter, key_text
from rooflinestudio.ui.command_palette import CommandPalette
from rooflinestudio.ui.dialogs import QtAsker
from rooflinestudio.ui.file_flow import FileFlow
from rooflinestudio.ui.notices import NoticeArea
from rooflinestudio.ui.overlay_import import OverlayImport
from rooflinestudio.ui.status_row import StatusRow
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.top_bar import TopBar
from rooflinestudio.ui.widgets.ink import ink
from rooflinestudio.ui.window_parts import BottomTabs, Docks, Extent, extent_of
from rooflinestudio.ui.wiring import Panels, Wiring

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QPaintEvent, QResizeEvent, QShowEvent

    from rooflinestudio.plugins.host import PluginHost
    from rooflinestudio.ui.file_flow import Asker
    from rooflinestudio.ui.session import Session
    from rooflinestudio.ui.settings import SettingsStore
    from rooflinestudio.ui.theme import ThemeSwitch

__all__ = ["CANVAS_LEAST_PX", "MainWindow"]

CANVAS_LEAST_PX: Final = (560, 380)


class _Blank(QWidget):
    """What the canvas shows before it is there: its own background, and nothing on it."""

    painted = Signal()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), ink("canvas"))
        painter.end()
        self.painted.emit()
