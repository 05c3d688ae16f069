"""Measured kernels dragged over the outline: the entry below the pointer lights up and says what will happen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPersistentModelIndex, QPoint, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from rooflinestudio.ui.outline.nodes import EntryNode
from rooflinestudio.ui.pairing.drop_note import DropNote
from rooflinestudio.ui.pairing.mime import kernels_of
from rooflinestudio.ui.widgets.ink import ink

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QDragMoveEvent, QDropEvent

    from rooflinestudio.core.pairing.edits import Kernel
    from rooflinestudio.ui.outline.tree import OutlineTree

__all__ = ["PairDrop"]


class PairDrop:
    """Takes kernels over a tree; the tree hands it its events.

    Attributes
    ----------
    explain
        Says what letting kernels go over an entry will do; empty: nothing.
    """

    def __init__(self, tree: OutlineTree) -> None:
        self._tree = tree
        self._over = QPersistentModelIndex()
        self._note: DropNote | None = None
        self.explain: Callable[[Sequence[Kernel], str], str] = lambda _kernels, _entry: ""

    def moved(self, event: QDragMoveEvent) -> bool:
        """Follow kernels; False for anything else that is dragged."""
        kernels = kernels_of(event.mimeData())
        if not kernels:
            return False
        if self._point_at(event.position().toPoint(), kernels):
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()
        else:
            event.ignore()
        return True

    def dropped(self, event: QDropEvent) -> bool:
        """Let kernels go on the entry below the pointer; False for anything else."""
        kernels = kernels_of(event.mimeData())
        if not kernels:
            return False
        entry_id = self._point_at(event.position().toPoint(), kernels)
        self.stop()
        if entry_id:
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()
            self._tree.kernelsDropped.emit(kernels, entry_id)
        else:
            event.ignore()
        return True

    def stop(self) -> None:
        """Forget the drag: it is elsewhere, or over."""
        self._over = QPersistentModelIndex()
        if self._note is not None:
            self._note.hide()
        self._tree.viewport().update()

    def paint(self) -> None:
        """Frame the row of the entry."""
        if not self._over.isValid():
            return
        painter = QPainter(self._tree.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(ink("accent"), 1.8))
        rect = QRectF(self._tree.visualRect(self._over)).adjusted(2, 1, -2, -1)
        painter.drawRoundedRect(rect, 5, 5)
        painter.end()

    def _point_at(self, at: QPoint, kernels: tuple[Kernel, ...]) -> str:
        """Light up the entry at a point; return its id, or nothing."""
        index = self._tree.indexAt(at)
        node = self._tree.node_at(index)
        words = self.explain(kernels, node.id) if isinstance(node, EntryNode) else ""
        self._over = QPersistentModelIndex(index) if words else QPersistentModelIndex()
        if self._note is None:
            self._note = DropNote(self._tree.viewport())
        row = self._tree.visualRect(index)
        self._note.say(words, QPoint(at.x() - 18, row.bottom() - 12))
        self._tree.viewport().update()
        return node.id if isinstance(node, EntryNode) and words else ""
