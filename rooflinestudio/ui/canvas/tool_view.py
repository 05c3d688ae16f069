"""pyqtgraph's view without its surprises, and with tools that may take mouse and keys before it does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from pyqtgraph import GraphicsView
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGraphicsView

if TYPE_CHECKING:
    from PySide6.QtCore import QRectF
    from PySide6.QtGui import (
        QDragEnterEvent,
        QDragLeaveEvent,
        QDragMoveEvent,
        QDropEvent,
        QKeyEvent,
        QMouseEvent,
        QPainter,
    )
    from PySide6.QtWidgets import QWidget

    from rooflinestudio.ui.canvas.dropping import Dropping

__all__ = ["Tool", "ToolView"]


class Tool(Protocol):
    """Something on the canvas that is used by mouse and keys; each method answers whether it was meant."""

    def pressed(self, event: QMouseEvent) -> bool: ...
    def moved(self, event: QMouseEvent) -> bool: ...
    def released(self, event: QMouseEvent) -> bool: ...
    def double_clicked(self, event: QMouseEvent) -> bool: ...
    def key_pressed(self, event: QKeyEvent) -> bool: ...


class ToolView(GraphicsView):
    """A view that draws nothing by itself and asks its tools first.

    Attributes
    ----------
    tools
        In the order in which they are asked.
    drops
        Takes what is dragged over the view.
    """

    tools: tuple[Tool, ...] = ()
    drops: Dropping

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, background=None)
        self.setCacheMode(GraphicsView.CacheModeFlag.CacheNone)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def drawBackground(self, painter: QPainter, rect: QRectF) -> None:
        """Draw nothing: the layer paints every pixel."""

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if not any(tool.pressed(event) for tool in self.tools):
            super().mousePressEvent(event)
        event.accept()  # pyqtgraph answers later, on release; until then the press must not go on to the window

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if not any(tool.released(event) for tool in self.tools):
            super().mouseReleaseEvent(event)
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if not any(tool.double_clicked(event) for tool in self.tools):
            super().mouseDoubleClickEvent(event)
        event.accept()

    # Drag and drop; all four are needed: the plain view hands moves to its items, which refuse them

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        self.drops.entered(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        self.drops.moved(event)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.drops.left()
        event.accept()

    def dropEvent(self, event: QDropEvent) -> None:
        self.drops.dropped(event)

    def close(self) -> bool:
        """Close like any widget. pyqtgraph's own way deletes the viewport, which crashes a view that overrides it."""
        return bool(QGraphicsView.close(self))
