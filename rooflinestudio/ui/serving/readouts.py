"""Large figures in equal columns, painted; those that have no room are left out from the right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from rooflinestudio.ui.widgets.ink import ink
from rooflinestudio.ui.widgets.painting import metrics, paint_text

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

__all__ = ["WideReadouts"]

_HEIGHT_PX: Final = 46
_LEAST_PX: Final = 96


class WideReadouts(QWidget):
    """Each a caption, a number and a unit."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._items: tuple[tuple[str, str, str], ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @property
    def items(self) -> tuple[tuple[str, str, str], ...]:
        """Caption, number and unit of each."""
        return self._items

    def set_items(self, items: tuple[tuple[str, str, str], ...]) -> None:
        """Show other figures."""
        if items != self._items:
            self._items = items
            self.setAccessibleName(", ".join(" ".join(one).strip() for one in items))
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(5 * 120, _HEIGHT_PX)

    def minimumSizeHint(self) -> QSize:
        return QSize(_LEAST_PX, _HEIGHT_PX)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        shown = self._items[: max(1, self.width() // _LEAST_PX)]
        width = self.width() / max(1, len(shown))
        for at, (caption, number, unit) in enumerate(shown):
            left = at * width
            paint_text(painter, QRectF(left, 1, width - 8, 16), caption, "label", ink("text2"))
            line = QRectF(left, 18, width - 4, 27)
            paint_text(painter, line, number, "bench_readout", ink("text"))
            big = metrics("bench_readout").horizontalAdvance(number)
            paint_text(painter, line.adjusted(big + 4, 4, 0, 2), unit, "unit", ink("muted"))
        painter.end()
