"""The tree of the outline: clicks on an eye, keys, headings that open and close."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QApplication, QFrame, QTreeView, QWidget

from rooflinestudio.ui.fonts import font
from rooflinestudio.ui.outline.delegate import OutlineDelegate, chevron_rect, eye_rect
from rooflinestudio.ui.outline.nodes import EntryNode, FileNode, GroupNode, Node
from rooflinestudio.ui.outline.pair_drop import PairDrop

if TYPE_CHECKING:
    from PySide6.QtCore import QPersistentModelIndex
    from PySide6.QtGui import (
        QDragEnterEvent,
        QDragLeaveEvent,
        QDragMoveEvent,
        QDropEvent,
        QKeyEvent,
        QMouseEvent,
        QPaintEvent,
    )

    from rooflinestudio.ui.outline.model import OutlineModel

__all__ = ["OutlineTree"]

_HEADINGS: Final = (GroupNode, FileNode)
_UP_DOWN: Final = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
_Choice = QItemSelectionModel.SelectionFlag


class OutlineTree(QTreeView):
    """The tree itself: clicks on an eye, keys, headings that open and close.

    Signals
    -------
    toggleClicked, rangeClicked
        The row of an entry was clicked with Ctrl or with Shift: an index.
    rangeStepped
        Shift and an arrow: -1 upward, 1 downward.
    allPressed, escapePressed
        Ctrl+A; Esc.
    markedClicked
        A row among several that are marked was clicked, and not dragged: an index.
    kernelsDropped
        Measured kernels, each as digest and position, and the entry that they were let go on.
    """

    toggleClicked = Signal(object)
    rangeClicked = Signal(object)
    rangeStepped = Signal(int)
    allPressed = Signal()
    escapePressed = Signal()
    markedClicked = Signal(object)
    eyeClicked = Signal(object)
    emptyClicked = Signal()
    removeKeyPressed = Signal(object)
    menuRequested = Signal(object, object)
    kernelsDropped = Signal(object, str)

    def __init__(self, model: OutlineModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._is_taken = False
        self._grabbed_at: QPointF | None = None
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setObjectName("outline.tree")
        self.setAccessibleName("Study outline")
        self.setModel(model)
        self.setItemDelegate(OutlineDelegate(self))
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setExpandsOnDoubleClick(False)
        self.setMouseTracking(True)
        self.setDragEnabled(True)
        self.setAcceptDrops(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragDrop)
        self.setDropIndicatorShown(False)
        self.pairs = PairDrop(self)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFont(font("tree"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)

    def node_at(self, index: QModelIndex) -> Node | None:
        """Return what stands at an index."""
        return self._model.node(index)

    def selectionCommand(
        self, index: QModelIndex | QPersistentModelIndex, event: QEvent | None = None
    ) -> QItemSelectionModel.SelectionFlag:
        """Select row by row: which rows are marked the study's session says, not the tree."""
        if event is not None and event.type() in (QEvent.Type.MouseMove, QEvent.Type.MouseButtonRelease):
            return _Choice.NoUpdate
        return _Choice.ClearAndSelect if index.isValid() else _Choice.Clear

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        node = self._model.node(index)
        is_left = event.button() == Qt.MouseButton.LeftButton
        self._is_taken = self._takes_press(event, index, node)
        if self._is_taken:
            return
        if is_left and isinstance(node, _HEADINGS):
            self.setExpanded(index, not self.isExpanded(index))
        super().mousePressEvent(event)
        if node is None and is_left:
            self.emptyClicked.emit()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        grabbed = self._grabbed_at
        if grabbed is None:
            super().mouseMoveEvent(event)
        elif (event.position() - grabbed).manhattanLength() >= QApplication.startDragDistance():
            self._grabbed_at = None
            self.startDrag(Qt.DropAction.CopyAction)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._grabbed_at is not None:
            self._grabbed_at = None
            self.markedClicked.emit(self.indexAt(event.position().toPoint()))
        if not self._is_taken:  # else it would count as a click on the row that was pressed before
            super().mouseReleaseEvent(event)
        self._is_taken = False

    def _takes_press(self, event: QMouseEvent, index: QModelIndex, node: Node | None) -> bool:
        """Do what a press on a sign of a row, or with a key held, means; False for a plain one."""
        if not isinstance(node, EntryNode):
            return False
        is_marked = len(self.selectedIndexes()) > 1 and self.selectionModel().isSelected(index)
        if event.button() == Qt.MouseButton.RightButton:  # the menu is for all that are marked
            return is_marked
        if event.button() != Qt.MouseButton.LeftButton:
            return False
        if self._eye_at(index).contains(event.position()):
            self.eyeClicked.emit(node)
        elif node.has_variants and self._chevron_at(index).contains(event.position()):
            self.setExpanded(index, not self.isExpanded(index))
        elif event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.toggleClicked.emit(index)
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.rangeClicked.emit(index)
        elif is_marked:  # whether that is a click or a drag of all of them will be seen
            self._grabbed_at = event.position()
        else:
            return False
        return True

    def _eye_at(self, index: QModelIndex) -> QRectF:
        return eye_rect(QRectF(self.visualRect(index))).adjusted(-4, -4, 6, 4)

    def _chevron_at(self, index: QModelIndex) -> QRectF:
        return chevron_rect(QRectF(self.visualRect(index))).adjusted(-6, -6, 2, 6)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        node = self._model.node(index)
        key = event.key()
        if event.matches(QKeySequence.StandardKey.SelectAll):
            self.allPressed.emit()
        elif key in _UP_DOWN and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.rangeStepped.emit(_UP_DOWN[Qt.Key(key)])
        elif key == Qt.Key.Key_Escape and self.selectedIndexes():
            self.escapePressed.emit()
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and node is not None:
            self.removeKeyPressed.emit(node)
        elif key == Qt.Key.Key_Space and isinstance(node, EntryNode):
            self.eyeClicked.emit(node)
        elif key in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(node, _HEADINGS):
            self.setExpanded(index, not self.isExpanded(index))
        else:
            super().keyPressEvent(event)

    # Kernels that are dragged here; entries are only dragged away

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if self.pairs.moved(event):
            event.accept()  # else no move would follow
        else:
            event.ignore()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        if not self.pairs.moved(event):
            event.ignore()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.pairs.stop()
        super().dragLeaveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        if not self.pairs.dropped(event):
            event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        self.pairs.paint()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        at = self.viewport().mapToGlobal(self.visualRect(index).center()) if by_key else event.globalPos()
        self.menuRequested.emit(self._model.node(index), at)
