"""The outline as a tree model; a study that differs only in figures keeps its rows, so that nothing closes or jumps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QAbstractItemModel, QMimeData, QModelIndex, QPersistentModelIndex, Qt, Signal

from rooflinestudio.ui.marking import ENTRIES_MIME, mime_of
from rooflinestudio.ui.outline.maker import OutlineMaker
from rooflinestudio.ui.outline.nodes import (
    EntryNode,
    FileNode,
    GroupNode,
    KernelNode,
    MoreNode,
    Node,
)
from rooflinestudio.ui.pairing.mime import KERNELS_MIME, mime_of_kernels

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rooflinestudio.core.placing import PlacedStudy
    from rooflinestudio.ui.outline.nodes import Branch
    from rooflinestudio.ui.session import Selection

__all__ = ["NODE", "OutlineModel"]

NODE: Final = Qt.ItemDataRole.UserRole + 1
"""Role under which an index answers its node."""

_Index = QModelIndex | QPersistentModelIndex
_NO_INDEX: Final = QModelIndex()


class OutlineModel(QAbstractItemModel):
    """Groups, entries and measured kernels.

    Signals
    -------
    renamed
        Entry id and the text that the user gave it; the model itself changes nothing.
    groupRenamed
        Ids of the entries of a group, and the new name.
    """

    renamed = Signal(str, str)
    groupRenamed = Signal(object, str)

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self._maker = OutlineMaker()
        self._nodes: list[Node] = []
        self._parents: list[int] = []
        self._rows: list[int] = []
        self._children: list[list[int]] = []
        self._top: list[int] = []

    def set_placed(self, placed: PlacedStudy, machine: str = "") -> bool:
        """Show a study; returns whether the rows are others than before."""
        tree = _Flat(self._maker.branches(placed, machine))
        if tree.parents == self._parents and _same_keys(tree.nodes, self._nodes):
            self._renew(tree.nodes)
            return False
        self.beginResetModel()
        self._nodes, self._parents, self._rows = tree.nodes, tree.parents, tree.rows
        self._children, self._top = tree.children, tree.top
        self.endResetModel()
        return True

    def _renew(self, nodes: list[Node]) -> None:
        pairs = enumerate(zip(self._nodes, nodes, strict=True))
        changed = [at for at, (old, new) in pairs if old is not new and old != new]
        self._nodes = nodes
        for at in changed:
            index = self._index_of(at)
            self.dataChanged.emit(index, index)

    # The tree: the internal id is the number of the node in its flat list ------------------------------------------

    def index(self, row: int, column: int, parent: _Index = _NO_INDEX) -> QModelIndex:
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        siblings = self._children[parent.internalId()] if parent.isValid() else self._top
        return self.createIndex(row, column, siblings[row])

    def parent(self, index: _Index = _NO_INDEX) -> QModelIndex:  # type: ignore[override]
        if not index.isValid():
            return QModelIndex()
        at = self._parents[index.internalId()]
        return QModelIndex() if at < 0 else self._index_of(at)

    def rowCount(self, parent: _Index = _NO_INDEX) -> int:
        if not parent.isValid():
            return len(self._top)
        return len(self._children[parent.internalId()]) if parent.column() == 0 else 0

    def columnCount(self, _parent: _Index = _NO_INDEX) -> int:
        return 1

    def node(self, index: _Index) -> Node | None:
        """Return what stands at an index."""
        return self._nodes[index.internalId()] if index.isValid() else None

    def indexes(self) -> Iterator[QModelIndex]:
        """Yield the index of every row, parents before children."""
        for at in range(len(self._nodes)):
            yield self._index_of(at)

    def index_of_selection(self, selection: Selection) -> QModelIndex:
        """Return where an entry or a measured kernel stands; under its entry rather than under its file.

        A part of a composite has no row of its own: its entry's row stands for it.
        """
        wanted: tuple[str, ...]
        if selection is None:
            return QModelIndex()
        if isinstance(selection, str):
            wanted = ("entry", selection)
        elif selection[0] == "part":
            wanted = ("entry", selection[1])
        else:
            wanted = ("kernel", selection[1], str(selection[2]))
        for at, node in enumerate(self._nodes):
            if node.key[: len(wanted)] == wanted:
                return self._index_of(at)
        return QModelIndex()

    def index_of_group(self, name: str) -> QModelIndex:
        """Return where the heading of a group stands."""
        for at, node in enumerate(self._nodes):
            if node.key == ("group", name):
                return self._index_of(at)
        return QModelIndex()

    def _index_of(self, at: int) -> QModelIndex:
        return self.createIndex(self._rows[at], 0, at)

    # Data ---------------------------------------------------------------------------------------------------------

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        node = self.node(index)
        if node is None:
            return None
        if role == NODE:
            return node
        if role == Qt.ItemDataRole.DisplayRole and isinstance(node, EntryNode):
            return node.short
        if role == Qt.ItemDataRole.DisplayRole or role == Qt.ItemDataRole.EditRole:
            return _name(node)
        if role == Qt.ItemDataRole.ToolTipRole:
            return _tool_tip(node)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return _spoken(node)
        return None

    def flags(self, index: _Index) -> Qt.ItemFlag:
        flags, node = super().flags(index), self.node(index)
        if isinstance(node, EntryNode | KernelNode):
            flags |= Qt.ItemFlag.ItemIsDragEnabled
        if isinstance(node, EntryNode | GroupNode):
            flags |= Qt.ItemFlag.ItemIsEditable
        return flags

    def mimeTypes(self) -> list[str]:
        return [ENTRIES_MIME, KERNELS_MIME]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """Return the entries of rows that are dragged, in the order of the rows; without entries, the kernels."""
        nodes = [self.node(one) for one in sorted(indexes, key=QModelIndex.internalId)]
        kernels = [(node.digest, node.index) for node in nodes if isinstance(node, KernelNode)]
        if len(kernels) == len(nodes) > 0:
            return mime_of_kernels(kernels)
        return mime_of([node.id for node in nodes if isinstance(node, EntryNode)])

    def setData(self, index: _Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Tell the wish; the new name comes back with the next study."""
        node = self.node(index)
        text = " ".join(str(value).split())
        if role != Qt.ItemDataRole.EditRole or not text or node is None or text == _name(node):
            return False
        if isinstance(node, EntryNode):
            self.renamed.emit(node.id, text)
        elif isinstance(node, GroupNode):
            self.groupRenamed.emit(node.entries, text)
        return False


class _Flat:
    """A tree as lists of nodes, parents, rows and children."""

    def __init__(self, branches: Iterable[Branch]) -> None:
        self.nodes: list[Node] = []
        self.parents: list[int] = []
        self.rows: list[int] = []
        self.children: list[list[int]] = []
        self.top = self._add(branches, -1)

    def _add(self, branches: Iterable[Branch], parent: int) -> list[int]:
        numbers = []
        for row, branch in enumerate(branches):
            at = len(self.nodes)
            numbers.append(at)
            self.nodes.append(branch.node)
            self.parents.append(parent)
            self.rows.append(row)
            self.children.append([])
            if branch.below:
                self.children[at] = self._add(branch.below, at)
        return numbers


def _same_keys(nodes: list[Node], others: list[Node]) -> bool:
    return all(one is other or one.key == other.key for one, other in zip(nodes, others, strict=True))


def _name(node: Node) -> str:
    if isinstance(node, EntryNode):
        return node.label
    if isinstance(node, MoreNode):
        return f"{node.count:,} more in the table".replace(",", "\u202f")
    return node.name


def _tool_tip(node: Node) -> str | None:
    if isinstance(node, EntryNode):
        figures = f"{node.time}, {node.ratio_words}" if node.ratio_words else ""
        return "\n".join(line for line in (node.label, figures, node.reason) if line)
    if isinstance(node, KernelNode):
        return f"{node.name}\n{node.reason}" if node.reason else node.name
    if isinstance(node, FileNode):
        return node.name
    return None


def _spoken(node: Node) -> str:
    if isinstance(node, EntryNode):
        words = [
            node.label,
            "variant" if node.base else "",
            node.time or node.state,
            node.ratio_words,
            node.reason,
        ]
        words.append("" if node.visible else "hidden")
    elif isinstance(node, KernelNode):
        words = [node.name, "measured", node.time, node.reason]
    elif isinstance(node, GroupNode):
        words = [node.name, f"group of {len(node.entries)}"]
    elif isinstance(node, FileNode):
        words = [node.name, f"{node.count} measured kernels"]
    else:
        words = [_name(node)]
    return ", ".join(word for word in words if word)
