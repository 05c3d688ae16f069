"""Three figures in large print, painted: a new value costs no layout."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from rooflinestudio.ui.widgets.ink import ink
from rooflinestudio.ui.widgets.painting import metrics, paint_text

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

__all__ = ["Readouts"]

_SHARES: Final = (0.32, 0.375, 0.305)
_HEIGHT_PX: Final = 44


class Readouts(QWidget):
    """Time, attainable rate and fraction of peak; each a caption, a number and a unit."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._items: tuple[tuple[str, str, str], ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @property
    def items(self) -> tuple[tuple[str, str, str], ...]:
        """Caption, number and unit of each."""
        return self._items

    def set_items(self, *items: tuple[str, str, str]) -> None:
        """Show other figures."""
        if items != self._items:
            self._items = items
            self.setAccessibleName(", ".join(f"{caption} {number} {unit}" for caption, number, unit in items))
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(256, _HEIGHT_PX)

    def minimumSizeHint(self) -> QSize:
        return QSize(200, _HEIGHT_PX)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        left = 0.0
        for (caption, number, unit), share in zip(self._items, _SHARES, strict=False):
            width = self.width() * share
            paint_text(painter, QRectF(left, 0, width, 16), caption, "label", ink("text2"))
            big = metrics("readout").horizontalAdvance(number)
            line = QRectF(left, 17, width, 26)
            paint_text(painter, line, number, "readout", ink("text"))
            # The unit stands on the line of the number, whose descent is a little larger.
            paint_text(painter, line.adjusted(big + 4, 4, 0, 2), unit, "unit", ink("muted"))
            left += width
        painter.end()
