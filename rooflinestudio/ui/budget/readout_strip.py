"""The figures of a budget in large print, or in one line where there is little room."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QRectF, QSize
from PySide6.QtGui import QHelpEvent, QPainter
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from rooflinestudio.ui.widgets.ink import ink
from rooflinestudio.ui.widgets.painting import metrics, paint_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPaintEvent

    from rooflinestudio.ui.budget.lines import Readout

__all__ = ["ReadoutStrip"]

_TALL_PX, _LINE_PX, _GAP_PX = 46, 22, 16
_COLUMN_MOST_PX: Final = 200
_LEAVES_FIRST: Final = (1, 0, 4)
"""Which figures give way in a line that is too short: traffic, work, then the share of memory."""


class ReadoutStrip(QWidget):
    """Painted: a new figure costs no layout."""

    def __init__(self, *, tall: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._readouts: tuple[Readout, ...] = ()
        self._tall = tall
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_readouts(self, readouts: Sequence[Readout]) -> None:
        """Show these figures."""
        if tuple(readouts) == self._readouts:
            return
        self._readouts = tuple(readouts)
        words = (f"{one.caption} {one.number} {one.unit}".strip() for one in self._readouts)
        self.setAccessibleName(", ".join(words))
        self.update()

    def shown(self) -> tuple[Readout, ...]:
        """Return the figures that have room."""
        return tuple(self._readouts[at] for at, _, _ in self._places())

    def sizeHint(self) -> QSize:
        return QSize(200, _TALL_PX if self._tall else _LINE_PX)

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.sizeHint().height())

    def _places(self) -> list[tuple[int, float, float]]:
        """Return number, left end and width of the figures that have room."""
        if not self._readouts:
            return []
        if self._tall:
            width = min(float(_COLUMN_MOST_PX), self.width() / len(self._readouts))
            return [(at, at * width, width) for at in range(len(self._readouts))]
        widths = [metrics("name").horizontalAdvance(one.short) + 1 for one in self._readouts]
        kept = list(range(len(widths)))
        for leaving in (*_LEAVES_FIRST, None):
            if sum(widths[at] + _GAP_PX for at in kept) - _GAP_PX <= self.width():
                break
            kept = [at for at in kept if at != leaving]
        places, left = [], 0.0
        for at in kept:
            places.append((at, left, widths[at]))
            left += widths[at] + _GAP_PX
        return places

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        for at, left, width in self._places():
            if self._tall:
                self._paint_tall(painter, self._readouts[at], left, width)
            else:
                paint_text(
                    painter,
                    QRectF(left, 0, width, self.height()),
                    self._readouts[at].short,
                    "name",
                    ink("text"),
                )
        painter.end()

    def _paint_tall(self, painter: QPainter, one: Readout, left: float, width: float) -> None:
        paint_text(painter, QRectF(left, 0, width - 6, 16), one.caption, "caption", ink("muted"))
        number = metrics("bench_readout").horizontalAdvance(one.number)
        paint_text(painter, QRectF(left, 17, number + 2, 27), one.number, "bench_readout", ink("text"))
        unit = QRectF(left + number + 6, 22, max(0.0, width - number - 8), 20)
        paint_text(painter, unit, one.unit, "label", ink("muted"))

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            x = event.pos().x()
            hint = next(
                (self._readouts[at].hint for at, left, width in self._places() if left <= x < left + width),
                "",
            )
            QToolTip.showText(event.globalPos(), hint, self) if hint else QToolTip.hideText()
            return True
        return super().event(event)
