"""The tree of the outline: clicks on an eye, keys, headings that open and close."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QModelIndex, QRectF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QTreeView, QWidget

from rooflinestudio.ui.fonts import font
from rooflinestudio.ui.outline.delegate import OutlineDelegate, chevron_rect, eye_rect
from rooflinestudio.ui.outline.nodes import EntryNode, FileNode, GroupNode, Node

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QMouseEvent

    from rooflinestudio.ui.outline.model import OutlineModel

__all__ = ["OutlineTree"]

_HEADINGS: Final = (GroupNode, FileNode)


class OutlineTree(QTreeView):
    """The tree itself: clicks on an eye, keys, headings that open and close."""

    eyeClicked = Signal(object)
    emptyClicked = Signal()
    removeKeyPressed = Signal(object)
    menuRequested = Signal(object, object)

    def __init__(self, model: OutlineModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.setObjectName("outline.tree")
        self.setAccessibleName("Study outline")
        self.setModel(model)
        self.setItemDelegate(OutlineDelegate(self))
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setExpandsOnDoubleClick(False)
        self.setMouseTracking(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFont(font("tree"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)

    def node_at(self, index: QModelIndex) -> Node | None:
        """Return what stands at an index."""
        return self._model.node(index)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        point = event.position()
        index = self.indexAt(point.toPoint())
        node = self._model.node(index)
        if event.button() == Qt.MouseButton.LeftButton:
            if isinstance(node, EntryNode) and self._eye_at(index).contains(point):
                self.eyeClicked.emit(node)
                return
            if isinstance(node, EntryNode) and node.has_variants and self._chevron_at(index).contains(point):
                self.setExpanded(index, not self.isExpanded(index))
                return
            if isinstance(node, _HEADINGS):
                self.setExpanded(index, not self.isExpanded(index))
        super().mousePressEvent(event)
        if node is None and event.button() == Qt.MouseButton.LeftButton:
            self.emptyClicked.emit()

    def _eye_at(self, index: QModelIndex) -> QRectF:
        return eye_rect(QRectF(self.visualRect(index))).adjusted(-4, -4, 6, 4)

    def _chevron_at(self, index: QModelIndex) -> QRectF:
        return chevron_rect(QRectF(self.visualRect(index))).adjusted(-6, -6, 2, 6)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        node = self._model.node(index)
        key = event.key()
        if key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and node is not None:
            self.removeKeyPressed.emit(node)
        elif key == Qt.Key.Key_Space and isinstance(node, EntryNode):
            self.eyeClicked.emit(node)
        elif key in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(node, _HEADINGS):
            self.setExpanded(index, not self.isExpanded(index))
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        at = self.viewport().mapToGlobal(self.visualRect(index).center()) if by_key else event.globalPos()
        self.menuRequested.emit(self._model.node(index), at)
