"""The figures of the bench: six columns in large print with what they were below, or one line where it is narrow."""

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

    from rooflinestudio.core.bench_readouts import BenchReadout

__all__ = ["ReadoutRow"]

_TALL_PX, _LINE_PX, _GAP_PX = 66, 24, 14
_LEAVES_FIRST: Final = (2, 3, 1)
"""Which figures give way in a line that is too short: work, intensity, traffic."""


class ReadoutRow(QWidget):
    """Painted: a new figure costs no layout."""

    def __init__(self, *, tall: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._readouts: tuple[BenchReadout, ...] = ()
        self._tall = tall
        self.setObjectName("fusion.readouts" if tall else "fusion.readout_line")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_readouts(self, readouts: Sequence[BenchReadout]) -> None:
        """Show these figures."""
        if tuple(readouts) == self._readouts:
            return
        self._readouts = tuple(readouts)
        words = (f"{one.caption} {one.number} {one.unit} ({one.below})" for one in self._readouts)
        self.setAccessibleName(", ".join(words))
        self.update()

    @property
    def readouts(self) -> tuple[BenchReadout, ...]:
        """All figures."""
        return self._readouts

    def shown(self) -> tuple[BenchReadout, ...]:
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
            return self._columns()
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

    def _columns(self) -> list[tuple[int, float, float]]:
        """Share the width out: every column has what its longest line needs, the rest in equal parts."""
        needed = [_needed(one, self._below(one)) for one in self._readouts]
        spare = max(0.0, (self.width() - sum(needed)) / len(needed))
        places, left = [], 0.0
        for at, width in enumerate(needed):
            places.append((at, left, width + spare))
            left += width + spare
        return places

    def _below(self, one: BenchReadout) -> str:
        """Return the line below a figure: whole where all of them fit, else its first part."""
        whole = sum(_needed(other, other.below) for other in self._readouts)
        return one.below if whole <= self.width() else one.below.partition(",")[0]

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        for at, left, width in self._places():
            one = self._readouts[at]
            if self._tall:
                self._paint_tall(painter, one, left, width)
            else:
                rect = QRectF(left, 0, width + 2, self.height())
                paint_text(painter, rect, one.short, "name", ink(one.tone))
        painter.end()

    def _paint_tall(self, painter: QPainter, one: BenchReadout, left: float, width: float) -> None:
        room = width - 8
        paint_text(painter, QRectF(left, 0, room, 17), one.caption, "label", ink("text2"))
        number = metrics("bench_readout").horizontalAdvance(one.number)
        paint_text(painter, QRectF(left, 18, number + 2, 27), one.number, "bench_readout", ink(one.tone))
        unit = QRectF(left + number + 6, 23, max(0.0, room - number - 6), 20)
        paint_text(painter, unit, one.unit, "label", ink("muted"))
        paint_text(painter, QRectF(left, 46, room, 17), self._below(one), "label", ink("text2"))

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            hint = self._hint_at(event.pos().x())
            QToolTip.showText(event.globalPos(), hint, self) if hint else QToolTip.hideText()
            return True
        return super().event(event)

    def _hint_at(self, x: float) -> str:
        at = next((at for at, left, width in self._places() if left <= x < left + width), None)
        if at is None:
            return ""
        one = self._readouts[at]
        return f"{one.caption} {one.number} {one.unit}: {one.below}\n{one.hint}"


def _needed(one: BenchReadout, below: str) -> float:
    """Return how wide a figure is with its caption above and a line below."""
    figure = metrics("bench_readout").horizontalAdvance(one.number) + 6
    figure += metrics("label").horizontalAdvance(one.unit)
    words = max(metrics("label").horizontalAdvance(text) for text in (one.caption, below))
    return max(figure, words) + _GAP_PX
