"""The main window: assembles bars, docks, canvas and tabs. What they do to each other stands in ``wiring``."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QByteArray, QPoint, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QPainter
from PySide6.QtWidgets import QLineEdit, QMainWindow, QMenu, QVBoxLayout, QWidget

from rooflinestudio.core.study_files import SUFFIX
from rooflinestudio.ui.action_table import Key, Menu
from rooflinestudio.ui.actions import Actions, UndoKeysFilter
from rooflinestudio.ui.command_palette import CommandPalette
from rooflinestudio.ui.dialogs import QtAsker
from rooflinestudio.ui.file_flow import FileFlow
from rooflinestudio.ui.notices import NoticeArea
from rooflinestudio.ui.overlay_import import OverlayImport
from rooflinestudio.ui.panels import Panels
from rooflinestudio.ui.status_row import StatusRow
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.top_bar import TopBar
from rooflinestudio.ui.widgets.ink import ink
from rooflinestudio.ui.window_commands import Commands
from rooflinestudio.ui.window_parts import BottomTabs, Docks, Extent, extent_of
from rooflinestudio.ui.wiring import Wiring
from rooflinestudio.ui.wishes import Wishes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtGui import (
        QCloseEvent,
        QDragEnterEvent,
        QDragMoveEvent,
        QDropEvent,
        QPaintEvent,
        QResizeEvent,
        QShowEvent,
    )

    from rooflinestudio.plugins.host import PluginHost
    from rooflinestudio.plugins.user_plugins import UserPlugins
    from rooflinestudio.ui.file_flow import Asker
    from rooflinestudio.ui.plugin_dialog import PluginDialog
    from rooflinestudio.ui.session import Session
    from rooflinestudio.ui.settings import SettingsStore
    from rooflinestudio.ui.theme import ThemeSwitch

__all__ = ["CANVAS_LEAST_PX", "MainWindow"]

CANVAS_LEAST_PX: Final = (560, 380)
WAIT_AT_END_MS: Final = 10_000


class _Blank(QWidget):
    """What stands for the canvas before it is there: its background, and nothing on it."""

    painted = Signal()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), ink("canvas"))
        painter.end()
        self.painted.emit()


class MainWindow(QMainWindow):
    """Bars, docks, canvas and tabs around one session.

    Signals
    -------
    painted
        The first paint is done.
    closed
        The window goes; nothing in it is unsaved.
    pluginsRequested, exampleRequested, safeModeRequested
        What only the studio around it can do.
    machineAddRequested
        Profile id of a machine to be shown.
    """

    painted = Signal()
    closed = Signal()
    pluginsRequested = Signal()
    exampleRequested = Signal()
    safeModeRequested = Signal()
    machineAddRequested = Signal(str)

    def __init__(
        self,
        session: Session,
        settings: SettingsStore,
        themes: ThemeSwitch,
        *,
        asker: Asker | None = None,
        safe_mode: bool = False,
    ) -> None:
        super().__init__()
        self.setObjectName("main_window")
        self.session, self.settings, self.themes = session, settings, themes
        self.is_safe = safe_mode
        self.is_closing = False
        self._may_close = False
        self._extent: Extent | None = None
        self.asker: Asker = asker or QtAsker(self)
        self.actions_ = Actions(self)
        self.notices = NoticeArea()
        self.files = FileFlow(session, self.notices, settings, self.asker, self)
        self.imports = OverlayImport(session, self.notices, self, safe_mode=safe_mode)
        self.panels = Panels()
        self._assemble()
        self.wiring = Wiring(self)
        self.wishes = Wishes(self)
        self.commands = Commands(self)
        self.command_palette = CommandPalette(self, self.commands.palette_items)
        self.command_palette.chosen.connect(self.commands.run)
        self._undo_keys = UndoKeysFilter(self)
        self._restore_place()

    # Assembly ---------------------------------------------------------------------------------------------------

    def _assemble(self) -> None:
        self.top = TopBar(self.actions_)
        self.actions_.fill(self.top.menu_bar)
        self.recent_menu = QMenu("Open recent", self)
        self.recent_menu.setToolTipsVisible(True)
        self.actions_.menu(Menu.FILE).insertMenu(self.actions_[Key.OPEN_EXAMPLE], self.recent_menu)
        self.top.put_machines(self.panels.machines)
        self.setMenuWidget(self.top)
        self.status = StatusRow()
        self.setStatusBar(self.status)
        self.tabs = BottomTabs()
        self.tabs.add(self.panels.comparison, "Compare", self.panels.comparison.corner)
        self.tabs.add(self.panels.measured, "Measured")
        self._blank = _Blank()
        self._blank.painted.connect(self.painted)
        centre = QWidget()
        set_role(centre, "surface")
        self._centre = QVBoxLayout(centre)
        self._centre.setContentsMargins(0, 0, 0, 0)
        self._centre.setSpacing(0)
        self._centre.addWidget(self.notices)
        self._centre.addWidget(self._blank, 1)
        centre.setMinimumSize(*CANVAS_LEAST_PX)
        self.setCentralWidget(centre)
        self.docks = Docks(self)
        for dock, content in (
            (self.docks.palette, self.panels.palette),
            (self.docks.outline, self.panels.outline),
            (self.docks.inspector, self.panels.inspector),
            (self.docks.tabs, self.tabs),
        ):
            dock.setWidget(content)
        self.setAcceptDrops(True)

    def load_canvas(self) -> None:
        """Import the canvas, which takes a while, and put it in place of the blank."""
        from rooflinestudio.ui.canvas_pane import CanvasPane

        canvas = CanvasPane(self.themes.theme)
        self._centre.replaceWidget(self._blank, canvas)
        self._blank.deleteLater()
        self.panels.canvas = canvas
        self.wishes.connect_canvas(canvas)
        self.wiring.renew_actions()
        if not isinstance(self.focusWidget(), QLineEdit):  # nobody has begun to type
            canvas.view.setFocus()

    def show_plugins(self, host: PluginHost) -> None:
        """Take over what plugins brought: operators, machines, and what failed."""
        self.wiring.take_registry(host.registry)
        self.status.show_plugins(host.rows)

    def open_plugin_dialog(self, host: PluginHost, files: UserPlugins) -> PluginDialog:
        """Show the list of plugins; it stays open beside the work."""
        from rooflinestudio.ui.plugin_page import show_plugin_page

        return show_plugin_page(self, host, files)

    # Files ------------------------------------------------------------------------------------------------------

    def open_files(self, paths: Iterable[str]) -> None:
        """Open a study, or lay everything else over the one that is there."""
        paths = list(paths)
        studies = [one for one in paths if one.lower().endswith(SUFFIX)]
        others = [one for one in paths if one not in studies]
        if studies:
            self.files.load(studies[0], then=None if not others else lambda: self.imports.start(others))
        elif others:
            self.imports.start(others)

    @property
    def is_busy(self) -> bool:
        """Whether a file is being read or written."""
        return self.files.is_busy or self.imports.job is not None

    def stop_jobs(self) -> None:
        """Stop reading, and let what is being written come to its end."""
        self.files.cancel_reading()
        self.imports.cancel()
        self.files.wait(WAIT_AT_END_MS)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            self.open_files(paths)
        elif event.mimeData().hasUrls():
            self.notices.tell(
                "warn", "Only files of this computer can be dropped", "", "Save the file first, then drop it."
            )

    # Room -------------------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        extent = extent_of(event.size().width())
        if extent is not self._extent:
            self._extent = extent
            self.top.set_compact(extent is not Extent.WIDE)
            if self.isVisible():
                QTimer.singleShot(0, self, self.reset_sizes)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous() and not self._has_layout:
            self.reset_sizes()

    def reset_sizes(self) -> None:
        """Give every dock the size it has in a window of this room."""
        self.docks.fit(extent_of(self.width()), height_px=self.height())

    def reset_layout(self) -> None:
        """Put every dock back to its place and size."""
        self.docks.place()
        self.reset_sizes()

    def _restore_place(self) -> None:
        settings = self.settings.settings
        self.resize(*settings.size_px)
        if settings.position_px is not None and self._is_on_a_screen(settings.position_px):
            self.move(*settings.position_px)
        if settings.maximised:
            self.setWindowState(self.windowState().WindowMaximized)
        layout = QByteArray(base64.b64decode(settings.layout.encode(), validate=False))
        self._has_layout = bool(layout) and self.restoreState(layout)

    @staticmethod
    def _is_on_a_screen(position: tuple[int, int]) -> bool:
        return QGuiApplication.screenAt(QPoint(*position)) is not None

    # End --------------------------------------------------------------------------------------------------------

    def close_at_once(self) -> None:
        """Close without asking: it was asked before, or there is nobody to ask."""
        self._may_close = True
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self._may_close and self.session.is_modified:
            event.ignore()
            self.files.leave(self.close_at_once)
            return
        self.is_closing = True
        self.stop_jobs()
        self.settings.update(
            size_px=(self.normalGeometry().width(), self.normalGeometry().height()),
            position_px=(self.x(), self.y()),
            maximised=self.isMaximized(),
            layout=base64.b64encode(self.saveState().data()).decode(),
        )
        self.closed.emit()
        super().closeEvent(event)
