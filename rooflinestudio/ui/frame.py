"""The frame of the window: menus, empty rows and docks, status bar, and the place for the canvas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QByteArray, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QMenu, QVBoxLayout, QWidget

from rooflinestudio.ui.action_table import Key, Menu
from rooflinestudio.ui.actions import Actions
from rooflinestudio.ui.status_row import StatusRow
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.top_bar import TopBar
from rooflinestudio.ui.window_parts import BottomTabs, Docks, Extent, extent_of

if TYPE_CHECKING:
    from rooflinestudio.ui.main_window import MainWindow
    from rooflinestudio.ui.theme import ThemeSwitch

__all__ = ["CANVAS_LEAST_PX", "Frame"]

CANVAS_LEAST_PX: Final = (560, 380)


class Frame(QObject):
    """Bars and docks of one window.

    Attributes
    ----------
    centre_column
        Layout of the centre: notices, then ``blank`` until the canvas takes its place.

    Signals
    -------
    compactChanged
        Whether the window is too narrow for everything.
    """

    compactChanged = Signal(bool)

    def __init__(self, window: MainWindow, themes: ThemeSwitch) -> None:
        super().__init__(window)
        self.window, self.themes = window, themes
        self._extent: Extent | None = None
        self.actions = Actions(window)
        self.top = TopBar(self.actions)
        self.top.set_theme(themes.theme)
        self.actions.fill(self.top.menu_bar)
        self.recent_menu = QMenu("Open recent", window)
        self.recent_menu.setToolTipsVisible(True)
        self.actions.menu(Menu.FILE).insertMenu(self.actions[Key.OPEN_EXAMPLE], self.recent_menu)
        window.setMenuWidget(self.top)
        self.status = StatusRow()
        window.setStatusBar(self.status)
        self.tabs = BottomTabs()
        self._make_centre()
        self.docks = Docks(window)
        self.docks.tabs.setWidget(self.tabs)
        window.setAcceptDrops(True)
        window.frame = self
        self.take_room()
        if window.settings.settings.maximised:
            window.setWindowState(window.windowState() | Qt.WindowState.WindowMaximized)

    def _make_centre(self) -> None:
        self.centre, self.blank = QWidget(), QWidget()
        set_role(self.centre, "surface")
        set_role(self.blank, "canvas")
        self.centre_column = QVBoxLayout(self.centre)
        self.centre_column.setContentsMargins(0, 0, 0, 0)
        self.centre_column.setSpacing(0)
        self.centre_column.addWidget(self.blank, 1)
        self.centre.setMinimumSize(*CANVAS_LEAST_PX)
        self.window.setCentralWidget(self.centre)

    def restore_layout(self) -> None:
        """Give the docks the places and sizes that they had; called again when a dock got its content."""
        saved = self.window.settings.settings.layout
        layout = QByteArray.fromBase64(saved.encode("ascii"))
        if not saved or not self.window.restoreState(layout):
            self.reset_sizes()

    # Room -------------------------------------------------------------------------------------------------------

    @property
    def is_compact(self) -> bool:
        """Whether the window is too narrow for everything."""
        return self._extent is not Extent.WIDE

    def take_room(self) -> None:
        """Adapt to the width of the window."""
        extent = extent_of(self.window.width())
        if extent is not self._extent:
            is_first, self._extent = self._extent is None, extent
            self.renew_compactness()
            if not is_first:
                QTimer.singleShot(0, self, self.reset_sizes)

    def renew_compactness(self) -> None:
        """Tell the bars how much room there is."""
        self.top.set_compact(self.is_compact)
        self.tabs.set_compact(self.is_compact)
        self.compactChanged.emit(self.is_compact)

    def fill_centre(self, fills: bool) -> None:
        """Put the tabs in the place of the canvas, or back under it.

        They move: were the centre hidden instead, the docks at the sides would share its width.
        """
        column = self.centre_column
        if fills:
            column.addWidget(self.tabs, 1)
        else:
            self.docks.tabs.setWidget(self.tabs)
        for at in range(1, column.count()):  # the notices stay
            item = column.itemAt(at)
            widget = None if item is None else item.widget()
            if widget is not None and widget is not self.tabs:
                widget.setVisible(not fills)
        self.docks.tabs.setVisible(not fills)
        self.tabs.show()

    def show_tabs(self) -> None:
        """Have the tabs somewhere to be seen."""
        self.docks.tabs.setVisible(not self.tabs.fills_centre)

    def reset_sizes(self) -> None:
        """Give every dock the size it has in a window of this room."""
        self.docks.fit(extent_of(self.window.width()), height_px=self.window.height())

    def reset_layout(self) -> None:
        """Put every dock back to its place and size."""
        self.tabs.fill_centre(False)
        self.docks.place()
        self.reset_sizes()
