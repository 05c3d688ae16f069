"""What is selected and marked in the outline, both ways: a click, or Ctrl+click, Shift+click, Shift+arrows, Ctrl+A.

The tree tells what was done where; here it becomes a wish for the session, and what the session says is shown.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QModelIndex, QObject, Signal

from rooflinestudio.core.selection import selected_entry
from rooflinestudio.ui.marking import toggled
from rooflinestudio.ui.outline.nodes import EntryNode, KernelNode

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rooflinestudio.core.selection import Selection
    from rooflinestudio.ui.outline.model import OutlineModel
    from rooflinestudio.ui.outline.nodes import Node
    from rooflinestudio.ui.outline.tree import OutlineTree

__all__ = ["RowSelection"]

_SELECTABLE: Final = (EntryNode, KernelNode)
_Choice = QItemSelectionModel.SelectionFlag


class RowSelection(QObject):
    """The rows of an outline that are selected and marked.

    Attributes
    ----------
    selection, marked
        What the session said last.

    Signals
    -------
    selectRequested
        An entry id, a measured kernel, or None.
    markRequested
        Ids of the entries that are to be marked, and no others.
    """

    selectRequested = Signal(object)
    markRequested = Signal(object)

    def __init__(self, tree: OutlineTree, model: OutlineModel, parent: QObject) -> None:
        super().__init__(parent)
        self._tree, self._model = tree, model
        self.selection: Selection = None
        self.marked: tuple[str, ...] = ()
        self._range_end = ""
        self._is_applying = False
        tree.selectionModel().currentChanged.connect(self._on_current_changed)
        tree.selectionModel().selectionChanged.connect(self._on_selection_changed)
        tree.clicked.connect(self._on_tree_clicked)
        tree.markedClicked.connect(self._on_tree_clicked)
        tree.emptyClicked.connect(self._on_tree_empty_clicked)
        tree.toggleClicked.connect(self._on_tree_toggle_clicked)
        tree.rangeClicked.connect(self._mark_up_to)
        tree.rangeStepped.connect(self._on_tree_range_stepped)
        tree.allPressed.connect(self._on_tree_all_pressed)
        tree.escapePressed.connect(self._on_tree_escape_pressed)

    # What is shown

    def set_selection(self, selection: Selection) -> None:
        """Show what is selected; its group opens if it is closed."""
        self.selection = selection
        self.show()

    def set_marked(self, ids: tuple[str, ...]) -> None:
        """Show which entries are marked."""
        self.marked = ids
        self.show()

    def show(self) -> None:
        """Show it once more: the rows may be others."""
        index = self._model.index_of_selection(self.selection)
        wanted = [index, *self._marked_rows()]
        with self.applying():
            if not index.isValid():
                self._tree.clearSelection()
                self._tree.setCurrentIndex(QModelIndex())
            elif index != self._tree.currentIndex() or _ids(wanted) != _ids(self._tree.selectedIndexes()):
                self._tree.setCurrentIndex(index)
                self._select(wanted)
                self._tree.scrollTo(index)

    def _select(self, indexes: Iterable[QModelIndex]) -> None:
        rows = QItemSelection()
        for index in {index.internalId(): index for index in indexes}.values():
            rows.select(index, index)
        self._tree.selectionModel().select(rows, _Choice.ClearAndSelect)

    def _marked_rows(self) -> list[QModelIndex]:
        if not self.marked:
            return []
        marked = set(self.marked)
        nodes = ((index, self._model.node(index)) for index in self._model.indexes())
        return [index for index, node in nodes if isinstance(node, EntryNode) and node.id in marked]

    @contextmanager
    def applying(self) -> Iterator[None]:
        """While this holds, what changes in the tree is nobody's wish."""
        before, self._is_applying = self._is_applying, True
        try:
            yield
        finally:
            self._is_applying = before

    # Which entries are meant

    def in_order(self, ids: Iterable[str]) -> tuple[str, ...]:
        """Return entries in the order of the rows."""
        wanted = set(ids)
        return tuple(id_ for id_ in self._entries(self._model.indexes()) if id_ in wanted)

    def meant_by(self, id_: str) -> tuple[str, ...]:
        """Return what an action on a row is meant for: all that are marked if it is one of them."""
        return self.in_order(self.marked) if id_ in self.marked else (id_,)

    def _rows_in_view(self) -> list[QModelIndex]:
        """Return the rows that are not folded away, from the top."""
        rows, index = [], self._model.index(0, 0)
        while index.isValid():
            rows.append(index)
            index = self._tree.indexBelow(index)
        return rows

    def _entries(self, indexes: Iterable[QModelIndex]) -> tuple[str, ...]:
        nodes = map(self._model.node, indexes)
        return tuple(node.id for node in nodes if isinstance(node, EntryNode))

    # What the user does

    def request(self, node: Node | None) -> None:
        """Ask for what a row stands for, if that can be selected and is not yet."""
        wanted: Selection
        if isinstance(node, EntryNode):
            wanted = node.id
        elif isinstance(node, KernelNode):
            wanted = ("measured", node.digest, node.index)
        else:
            return
        self._ask(wanted)

    def _ask(self, wanted: Selection) -> None:
        if wanted != self.selection or self.marked:
            self.selection, self.marked = (
                wanted,
                (),
            )  # a click is heard twice: as a new current row, and as a click
            self.selectRequested.emit(wanted)

    def _on_current_changed(self, index: QModelIndex, _before: QModelIndex) -> None:
        if not self._is_applying:
            self.request(self._model.node(index))

    def _on_selection_changed(self) -> None:
        """Keep the marks where only a heading was clicked or walked to: that is nothing to be selected."""
        chosen = map(self._model.node, self._tree.selectedIndexes())
        if self.marked and not self._is_applying and not any(isinstance(one, _SELECTABLE) for one in chosen):
            with self.applying():
                self._select(self._marked_rows())

    def _on_tree_clicked(self, index: QModelIndex) -> None:
        self.request(self._model.node(index))

    def _on_tree_empty_clicked(self) -> None:
        self._ask(None)

    def _on_tree_escape_pressed(self) -> None:
        if self.marked:
            self._ask(self.selection)

    def _on_tree_toggle_clicked(self, index: QModelIndex) -> None:
        selected = selected_entry(self.selection)
        for id_ in self._entries((index,)):
            self.markRequested.emit(toggled(self.marked or (() if selected is None else (selected,)), id_))

    def _on_tree_all_pressed(self) -> None:
        self.markRequested.emit(self._entries(self._model.indexes()))

    def _mark_up_to(self, index: QModelIndex) -> None:
        """Ask for the entries in view from the selected one to a row."""
        rows = self._rows_in_view()
        start = self._model.index_of_selection(self.selection)
        if start not in rows or index not in rows:
            start = index
        first, last = rows.index(start), rows.index(index)
        step = 1 if first <= last else -1
        ids = self._entries(rows[at] for at in range(first, last + step, step))
        self._range_end = ids[-1] if ids else ""
        self.markRequested.emit(ids)

    def _on_tree_range_stepped(self, step: int) -> None:
        rows = [index for index in self._rows_in_view() if isinstance(self._model.node(index), EntryNode)]
        here = self._model.index_of_selection(
            self._range_end if self._range_end in self.marked else self.selection
        )
        at = rows.index(here) + step if here in rows else 0
        if 0 <= at < len(rows):
            self._mark_up_to(rows[at])
            self._tree.scrollTo(rows[at])


def _ids(indexes: Iterable[QModelIndex]) -> set[int]:
    return {index.internalId() for index in indexes}
