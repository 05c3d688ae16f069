"""The main window: a frame that paints at once, and is furnished afterwards."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QByteArray, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QPainter
from PySide6.QtWidgets import QMainWindow, QMenu, QVBoxLayout, QWidget

from rooflinestudio.ui.action_table import Key, Menu
from rooflinestudio.ui.actions import Actions
from rooflinestudio.ui.status_row import StatusRow
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.top_bar import TopBar
from rooflinestudio.ui.widgets.ink import ink
from rooflinestudio.ui.window_parts import BottomTabs, Docks, Extent, extent_of

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

    from rooflinestudio.ui.furnishing import Furnishing
    from rooflinestudio.ui.settings import SettingsStore
    from rooflinestudio.ui.theme import ThemeSwitch

__all__ = ["CANVAS_LEAST_PX", "MainWindow"]

CANVAS_LEAST_PX: Final = (560, 380)


class _Blank(QWidget):
    """What stands for the canvas before it is there: its background, and nothing on it."""

    painted = Signal()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), ink("canvas"))
        painter.end()
        self.painted.emit()


class MainWindow(QMainWindow):
    """Bars, docks and the place for the canvas.

    Attributes
    ----------
    furnishing
        Everything else, once it is there.

    Signals
    -------
    painted
        The first paint is done.
    closed
        The window goes; nothing in it is unsaved.
    pluginsRequested, exampleRequested, safeModeRequested
        What only the studio around it can do.
    """

    painted = Signal()
    closed = Signal()
    pluginsRequested = Signal()
    exampleRequested = Signal()
    safeModeRequested = Signal()

    def __init__(self, settings: SettingsStore, themes: ThemeSwitch) -> None:
        super().__init__()
        self.setObjectName("main_window")
        self.setWindowTitle("Roofline Studio")
        self.settings, self.themes = settings, themes
        self.is_closing = False
        self.furnishing: Furnishing | None = None
        self._may_close = False
        self._extent: Extent | None = None
        self.actions_ = Actions(self)
        self.top = TopBar(self.actions_)
        self.top.set_theme(themes.theme)
        self.actions_.fill(self.top.menu_bar)
        self.recent_menu = QMenu("Open recent", self)
        self.recent_menu.setToolTipsVisible(True)
        self.actions_.menu(Menu.FILE).insertMenu(self.actions_[Key.OPEN_EXAMPLE], self.recent_menu)
        self.setMenuWidget(self.top)
        self.status = StatusRow()
        self.setStatusBar(self.status)
        self.tabs = BottomTabs()
        self._make_centre()
        self.docks = Docks(self)
        self.docks.tabs.setWidget(self.tabs)
        self.setAcceptDrops(True)
        self._restore_place()

    def _make_centre(self) -> None:
        self.blank = _Blank()
        self.blank.painted.connect(self.painted)
        centre = QWidget()
        set_role(centre, "surface")
        self.centre_column = QVBoxLayout(centre)
        self.centre_column.setContentsMargins(0, 0, 0, 0)
        self.centre_column.setSpacing(0)
        self.centre_column.addWidget(self.blank, 1)
        centre.setMinimumSize(*CANVAS_LEAST_PX)
        self.setCentralWidget(centre)

    # Files ------------------------------------------------------------------------------------------------------

    def open_files(self, paths: Iterable[str]) -> None:
        """Open a study, or lay everything else over the one that is there."""
        if self.furnishing is not None:
            self.furnishing.open_files(paths)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        event.acceptProposedAction()
        if paths:
            self.open_files(paths)
        elif self.furnishing is not None:
            self.furnishing.notices.tell(
                "warn", "Only files of this computer can be dropped", "", "Save the file first, then drop it."
            )

    # Room -------------------------------------------------------------------------------------------------------

    @property
    def is_compact(self) -> bool:
        """Whether the window is too narrow for everything."""
        return self._extent is not Extent.WIDE

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        extent = extent_of(event.size().width())
        if extent is not self._extent:
            self._extent = extent
            self.renew_compactness()
            if self.isVisible():
                QTimer.singleShot(0, self, self.reset_sizes)

    def renew_compactness(self) -> None:
        """Tell the bars how much room there is."""
        self.top.set_compact(self.is_compact)

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
        position = settings.position_px
        if position is not None and QGuiApplication.screenAt(QPoint(*position)) is not None:
            self.move(*position)
        if settings.maximised:
            self.setWindowState(Qt.WindowState.WindowMaximized)
        layout = QByteArray.fromBase64(settings.layout.encode("ascii"))
        self._has_layout = not layout.isEmpty() and self.restoreState(layout)

    # End --------------------------------------------------------------------------------------------------------

    def close_at_once(self) -> None:
        """Close without asking: it was asked before, or there is nobody to ask."""
        self._may_close = True
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        inside = self.furnishing
        if inside is not None and not self._may_close and inside.session.is_modified:
            event.ignore()
            inside.files.leave(self.close_at_once)
            return
        self.is_closing = True
        if inside is not None:
            inside.stop_jobs()
        room = self.normalGeometry()
        self.settings.update(
            size_px=(room.width(), room.height()),
            position_px=(self.x(), self.y()),
            maximised=self.isMaximized(),
            layout=base64.b64encode(self.saveState().data()).decode("ascii"),
        )
        self.closed.emit()
        super().closeEvent(event)
