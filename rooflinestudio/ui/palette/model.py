"""The operators as a tree: categories, and under each its operators."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QAbstractItemModel, QMimeData, QModelIndex, QPersistentModelIndex, Qt

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rooflinestudio.core.operators import Operator, OperatorOrigin

__all__ = ["ITEM", "OPERATOR_MIME", "CategoryItem", "OperatorItem", "PaletteModel"]

OPERATOR_MIME: Final = "application/x-rooflinestudio-operator"
"""Format of a dragged operator: its id in UTF-8."""

ITEM: Final = Qt.ItemDataRole.UserRole + 1
"""Role under which an index answers its :class:`CategoryItem` or :class:`OperatorItem`."""

_Index = QModelIndex | QPersistentModelIndex
_NO_INDEX: Final = QModelIndex()


@dataclass(frozen=True, slots=True)
class OperatorItem:
    """An operator as the palette shows it.

    Attributes
    ----------
    plugin
        Name of the plugin it comes from, where that is not one of the studio's own; else empty.
    no_work
        Whether its defaults do no arithmetic (intensity 0).
    """

    id: str
    label: str
    summary: str
    plugin: str = ""
    version: str = ""
    no_work: bool = False

    def matches(self, words: Sequence[str]) -> bool:
        """Whether every word stands in the label, the id, the summary or the name of the plugin."""
        text = f"{self.label}\n{self.id}\n{self.summary}\n{self.plugin}".casefold()
        return all(word in text for word in words)


@dataclass(frozen=True, slots=True)
class CategoryItem:
    """A heading with what stands under it now."""

    name: str
    operators: tuple[OperatorItem, ...]


class PaletteModel(QAbstractItemModel):
    """Two levels: categories in the order in which they first appear, operators in theirs."""

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self._all: tuple[CategoryItem, ...] = ()
        self._shown: tuple[CategoryItem, ...] = ()
        self._filter = ""

    # What it holds ------------------------------------------------------------------------------------------------

    def set_operators(
        self,
        operators: Iterable[tuple[Operator, OperatorOrigin]],
        *,
        without_work: frozenset[str] = frozenset(),
    ) -> None:
        """Show these operators.

        Parameters
        ----------
        without_work
            Ids of operators whose defaults do no arithmetic.
        """
        groups: dict[str, list[OperatorItem]] = {}
        for operator, origin in operators:
            plugin = origin.plugin if origin.foreign else ""
            item = OperatorItem(
                operator.id,
                operator.label,
                operator.summary,
                plugin,
                origin.version,
                operator.id in without_work,
            )
            groups.setdefault(operator.category or "Other", []).append(item)
        self._all = tuple(CategoryItem(name, tuple(items)) for name, items in groups.items())
        self._show()

    def set_filter(self, text: str) -> None:
        """Show only what matches every word of a text."""
        text = text.strip().casefold()
        if text != self._filter:
            self._filter = text
            self._show()

    @property
    def filter_text(self) -> str:
        """The text that is searched for."""
        return self._filter

    @property
    def categories(self) -> tuple[CategoryItem, ...]:
        """What is shown."""
        return self._shown

    def _show(self) -> None:
        self.beginResetModel()
        words = self._filter.split()
        filtered = (
            CategoryItem(one.name, tuple(item for item in one.operators if item.matches(words)))
            for one in self._all
        )
        self._shown = tuple(one for one in filtered if one.operators) if words else self._all
        self.endResetModel()

    def operator_index(self, operator_id: str) -> QModelIndex:
        """Return the index of an operator, invalid where it is not shown."""
        for row, category in enumerate(self._shown):
            for at, item in enumerate(category.operators):
                if item.id == operator_id:
                    return self.index(at, 0, self.index(row, 0))
        return QModelIndex()

    # The tree: the internal id is 0 for categories, else the category's row plus one ---------------------------

    def index(self, row: int, column: int, parent: _Index = _NO_INDEX) -> QModelIndex:
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        return self.createIndex(row, column, parent.row() + 1 if parent.isValid() else 0)

    def parent(self, index: _Index = _NO_INDEX) -> QModelIndex:  # type: ignore[override]
        if not index.isValid() or index.internalId() == 0:
            return QModelIndex()
        return self.createIndex(index.internalId() - 1, 0, 0)

    def rowCount(self, parent: _Index = _NO_INDEX) -> int:
        if not parent.isValid():
            return len(self._shown)
        if parent.internalId() == 0 and parent.column() == 0:
            return len(self._shown[parent.row()].operators)
        return 0

    def columnCount(self, _parent: _Index = _NO_INDEX) -> int:
        return 1

    def item(self, index: _Index) -> CategoryItem | OperatorItem | None:
        """Return what stands at an index."""
        if not index.isValid():
            return None
        category_id = index.internalId()
        if category_id == 0:
            return self._shown[index.row()] if index.row() < len(self._shown) else None
        return self._shown[category_id - 1].operators[index.row()]

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        item = self.item(index)
        if item is None:
            return None
        if role == ITEM:
            return item
        if isinstance(item, CategoryItem):
            return _category_data(item, role)
        return _operator_data(item, role)

    def flags(self, index: _Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        item = self.item(index)
        if isinstance(item, OperatorItem):
            return flags | Qt.ItemFlag.ItemIsDragEnabled | Qt.ItemFlag.ItemNeverHasChildren
        return flags

    # Drag ---------------------------------------------------------------------------------------------------------

    def mimeTypes(self) -> list[str]:
        return [OPERATOR_MIME, "text/plain"]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        data = QMimeData()
        for index in indexes:
            item = self.item(index)
            if isinstance(item, OperatorItem):
                data.setData(OPERATOR_MIME, item.id.encode())
                data.setText(item.id)
                break
        return data

    def supportedDragActions(self) -> Qt.DropAction:
        return Qt.DropAction.CopyAction


def _category_data(item: CategoryItem, role: int) -> Any:
    if role == Qt.ItemDataRole.DisplayRole:
        return item.name
    if role == Qt.ItemDataRole.AccessibleTextRole:
        return f"{item.name}, {len(item.operators)} operators"
    return None


def _operator_data(item: OperatorItem, role: int) -> Any:
    if role == Qt.ItemDataRole.DisplayRole:
        return item.label
    if role == Qt.ItemDataRole.ToolTipRole:
        origin = f"\n{item.plugin} {item.version}".rstrip() if item.plugin else ""
        return f"{item.summary}\n{item.id}{origin}"
    if role == Qt.ItemDataRole.AccessibleTextRole:
        extra = [f"from {item.plugin}"] if item.plugin else []
        extra += ["no arithmetic"] if item.no_work else []
        return ", ".join([item.label, *extra])
    if role == Qt.ItemDataRole.AccessibleDescriptionRole:
        return item.summary
    return None
