"""A caption at the left, its value at the right; the value is never shortened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from rooflinestudio.ui.widgets.ink import ink
from rooflinestudio.ui.widgets.painting import metrics, paint_text

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

__all__ = ["KeyValueRow"]

_ROW_PX = 20


class KeyValueRow(QWidget):
    """One line 20 px high, painted: a new value costs no layout."""

    def __init__(self, label: str, value: str = "", *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._label, self._value, self._token = label, "", "text"
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._announce()
        self.set_value(value)

    def label(self) -> str:
        """Return the caption."""
        return self._label

    def value(self) -> str:
        """Return the value as shown."""
        return self._value

    def set_label(self, label: str) -> None:
        """Change the caption."""
        if label != self._label:
            self._label = label
            self._announce()

    def set_value(self, value: str, token: str = "text") -> None:
        """Show another value, in the colour of a token."""
        if (value, token) != (self._value, self._token):
            self._value, self._token = value, token
            self._announce()

    def _announce(self) -> None:
        self.setAccessibleName(f"{self._label}: {self._value}")
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(120, _ROW_PX)

    def minimumSizeHint(self) -> QSize:
        return QSize(80, _ROW_PX)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        rect = QRectF(self.rect())
        width = metrics("name").horizontalAdvance(self._value)
        paint_text(painter, rect, self._value, "name", ink(self._token), Qt.AlignmentFlag.AlignRight)
        rect.setWidth(max(0.0, rect.width() - width - 8))
        paint_text(painter, rect, self._label, "label", ink("text2"))
        painter.end()
