"""The list behind the gallery: a heading for each group, then its examples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from rooflinestudio.core.examples import Example, ExampleGroup, example_groups, matching

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["ITEM", "GalleryModel"]

ITEM: Final = int(Qt.ItemDataRole.UserRole) + 1
"""Role of an example, or of the group whose heading it is."""

_Index = QModelIndex | QPersistentModelIndex


class GalleryModel(QAbstractListModel):
    """Headings and examples in reading order, as far as they match the search."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._items: tuple[Example | ExampleGroup, ...] = ()
        self.search("")

    def search(self, text: str) -> None:
        """Keep what has every word of a text."""
        self.beginResetModel()
        self._items = tuple(_flat(matching(text, example_groups())))
        self.endResetModel()

    def item(self, row: int) -> Example | ExampleGroup:
        """Return what stands in a row."""
        return self._items[row]

    def first(self) -> QModelIndex:
        """Return the first example, or an index that is not valid."""
        rows = (row for row, one in enumerate(self._items) if isinstance(one, Example))
        row = next(rows, -1)
        return self.index(row) if row >= 0 else QModelIndex()

    def find(self, example_id: str) -> QModelIndex:
        """Return the row of an example, or an index that is not valid."""
        for row, one in enumerate(self._items):
            if isinstance(one, Example) and one.id == example_id:
                return self.index(row)
        return QModelIndex()

    @property
    def examples(self) -> tuple[Example, ...]:
        """The examples that are listed."""
        return tuple(one for one in self._items if isinstance(one, Example))

    def rowCount(self, parent: _Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._items)

    def flags(self, index: _Index) -> Qt.ItemFlag:
        if not index.isValid() or isinstance(self._items[index.row()], ExampleGroup):
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        one = self._items[index.row()]
        if role == ITEM:
            return one
        if isinstance(one, ExampleGroup):
            named = role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole)
            return f"{one.article}: {one.title}" if named else None
        if role == Qt.ItemDataRole.DisplayRole:
            return one.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{one.refers}: {one.title}. {one.line}"
        return f"{one.line}\n{one.id}" if role == Qt.ItemDataRole.ToolTipRole else None


def _flat(groups: Iterable[ExampleGroup]) -> Iterable[Example | ExampleGroup]:
    for group in groups:
        yield group
        yield from group.examples
