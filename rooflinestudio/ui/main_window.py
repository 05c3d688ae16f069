"""The main window: paints its plan at once, gets its frame in the next turn of the event loop, and is furnished then.

Whatever is imported at the top of this module comes before the first paint.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMainWindow

from rooflinestudio.ui.skeleton import Skeleton

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtGui import (
        QCloseEvent,
        QDragEnterEvent,
        QDragMoveEvent,
        QDropEvent,
        QResizeEvent,
    )

    from rooflinestudio.ui.frame import Frame
    from rooflinestudio.ui.furnishing import Furnishing
    from rooflinestudio.ui.settings import SettingsStore

__all__ = ["MainWindow"]


class MainWindow(QMainWindow):
    """Bars, docks and the place for the canvas.

    Attributes
    ----------
    frame
        Bars and docks, from the turn after the first paint on.
    furnishing
        Everything else, once it is there.

    Signals
    -------
    painted
        The first paint is done.
    closed
        The window goes; nothing in it is unsaved.
    pluginsRequested, exampleRequested, examplesRequested, safeModeRequested
        What only the studio around it can do.
    """

    painted = Signal()
    closed = Signal()
    pluginsRequested = Signal()
    exampleRequested = Signal()
    examplesRequested = Signal()
    safeModeRequested = Signal()
    hardwareRequested = Signal(str)

    def __init__(self, settings: SettingsStore, theme: str) -> None:
        super().__init__()
        self.setObjectName("main_window")
        self.setWindowTitle("Roofline Studio")
        self.settings = settings
        self.is_closing = False
        self.frame: Frame | None = None
        self.furnishing: Furnishing | None = None
        self._may_close = False
        skeleton = Skeleton(theme)
        skeleton.painted.connect(self.painted)
        self.setCentralWidget(skeleton)
        self._restore_place()

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

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.frame is not None:
            self.frame.take_room()

    def _restore_place(self) -> None:
        settings = self.settings.settings
        self.resize(*settings.size_px)
        position = settings.position_px
        if position is not None and QGuiApplication.screenAt(QPoint(*position)) is not None:
            self.move(*position)

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
        self._remember_place()
        self.closed.emit()
        super().closeEvent(event)

    def _remember_place(self) -> None:
        if self.frame is not None:
            self.frame.tabs.fill_centre(False)  # the layout that is kept has every dock in its place
        room = self.normalGeometry()
        layout = "" if self.frame is None else bytes(self.saveState().toBase64().data()).decode("ascii")
        self.settings.update(
            size_px=(room.width(), room.height()),
            position_px=(self.x(), self.y()),
            maximised=self.isMaximized(),
            **({"layout": layout} if layout else {}),
        )
