"""A row of controls that goes on in the next line where it is too long."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget

__all__ = ["FlowLayout"]


class FlowLayout(QLayout):
    """Items from the left, in as many lines as they need; hidden ones take no room."""

    def __init__(self, parent: QWidget | None = None, *, gap_px: int = 12, line_gap_px: int = 4) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._gap_px, self._line_gap_px = gap_px, line_gap_px
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def set_gap(self, gap_px: int) -> None:
        """Change the gap between items."""
        self._gap_px = gap_px
        self.invalidate()

    def move_to_end(self, widget: QWidget) -> None:
        """Let a widget of the row be its last one."""
        found = [item for item in self._items if item.widget() is widget]
        self._items = [item for item in self._items if item.widget() is not widget] + found
        self.invalidate()

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._arrange(QRect(0, 0, width, 0), move=False)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._arrange(rect, move=True)

    def sizeHint(self) -> QSize:
        """Return the size in a single line."""
        sizes = [item.sizeHint() for item in self._items if not item.isEmpty()]
        width = sum(size.width() for size in sizes) + self._gap_px * max(0, len(sizes) - 1)
        return QSize(width, max((size.height() for size in sizes), default=0))

    def minimumSize(self) -> QSize:
        sizes = [item.minimumSize() for item in self._items if not item.isEmpty()]
        return QSize(
            max((one.width() for one in sizes), default=0), max((one.height() for one in sizes), default=0)
        )

    def _arrange(self, rect: QRect, *, move: bool) -> int:
        x, y, line = rect.left(), rect.top(), 0
        for item in self._items:
            if item.isEmpty():
                continue
            size = item.sizeHint()
            if x > rect.left() and x + size.width() > rect.left() + rect.width():
                x, y, line = rect.left(), y + line + self._line_gap_px, 0
            if move:
                item.setGeometry(QRect(QPoint(x, y), size))
            x += size.width() + self._gap_px
            line = max(line, size.height())
        return y + line - rect.top()
