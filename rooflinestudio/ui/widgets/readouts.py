"""Figures in large print, or in one line where there is little room; painted: a new value costs no layout."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QRectF, QSize
from PySide6.QtGui import QHelpEvent, QPainter
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from rooflinestudio.ui.widgets.ink import ink
from rooflinestudio.ui.widgets.painting import metrics, paint_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPaintEvent

    from rooflinestudio.core.readout import Readout

__all__ = ["BENCH", "INSPECTOR", "ReadoutLine", "ReadoutLook", "Readouts"]


@dataclass(frozen=True, slots=True)
class ReadoutLook:
    """How large figures look: font roles of number and unit, the gap between them, edges in px from the top."""

    number: str
    unit: str
    gap_px: int
    caption_bottom_px: int
    number_top_px: int
    number_px: int
    height_px: int


INSPECTOR: Final = ReadoutLook("readout", "unit", 4, 16, 17, 26, 44)
BENCH: Final = ReadoutLook("bench_readout", "unit", 6, 17, 18, 27, 46)

_BELOW_PX: Final = 20
"""What a line below the figures takes."""

_COLUMN_LEAST_PX, _COLUMN_MOST_PX = 96, 200
_BETWEEN_PX: Final = 14
_LINE_PX: Final = 24

_Place = tuple[int, float, float]
"""Number of a figure, left end and width of its place."""


class _Figures(QWidget):
    """What both forms share: the figures, their words, and what is told under the pointer."""

    def __init__(self, height_px: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._readouts: tuple[Readout, ...] = ()
        self._height_px = height_px
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @property
    def readouts(self) -> tuple[Readout, ...]:
        """All figures."""
        return self._readouts

    def set_readouts(self, readouts: Sequence[Readout]) -> None:
        """Show these figures."""
        if tuple(readouts) != self._readouts:
            self._readouts = tuple(readouts)
            self.setAccessibleName(", ".join(one.words for one in self._readouts))
            self.update()

    def shown(self) -> tuple[Readout, ...]:
        """Return the figures that have room."""
        return tuple(self._readouts[at] for at, _, _ in self._places())

    def _places(self) -> list[_Place]:
        raise NotImplementedError

    def sizeHint(self) -> QSize:
        return QSize(200, self._height_px)

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self._height_px)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            hint = self.hint_at(event.pos().x())
            if hint:
                QToolTip.showText(event.globalPos(), hint, self)
                return True
            QToolTip.hideText()
        return super().event(event)

    def hint_at(self, x: float) -> str:
        """Return what is told under the pointer: the figure in words, and what it is; empty where there is no hint."""
        at = next((at for at, left, width in self._places() if left <= x < left + width), None)
        if at is None or not self._readouts[at].hint:
            return ""
        return f"{self._readouts[at].words}\n{self._readouts[at].hint}"


class Readouts(_Figures):
    """Each a caption, a number and a unit, and perhaps a line below.

    Parameters
    ----------
    look
        :data:`INSPECTOR` or :data:`BENCH`.
    shares
        What part of the width each figure has. Without them the columns are of one width, and those that have no room
        are left out from the right; figures with lines below have columns as wide as they need.
    noted
        Whether there is room for a line below.
    """

    def __init__(
        self,
        look: ReadoutLook = BENCH,
        *,
        shares: tuple[float, ...] = (),
        noted: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(look.height_px + (_BELOW_PX if noted else 0), parent)
        self._look, self._shares, self._noted = look, shares, noted

    def _places(self) -> list[_Place]:
        if not self._readouts:
            return []
        if self._noted:
            needed = [self._needed(one, self._below(one)) for one in self._readouts]
            spare = max(0.0, (self.width() - sum(needed)) / len(needed))
            return _side_by_side([width + spare for width in needed])
        if self._shares:
            return _side_by_side(
                [self.width() * share for share, _ in zip(self._shares, self._readouts, strict=False)]
            )
        fitting = min(len(self._readouts), max(1, self.width() // _COLUMN_LEAST_PX))
        return _side_by_side([min(_COLUMN_MOST_PX, self.width() / fitting)] * fitting)

    def _below(self, one: Readout) -> str:
        """Return the line below a figure: whole where all of them fit, else its first part."""
        whole = sum(self._needed(other, other.below) for other in self._readouts)
        return one.below if whole <= self.width() else one.below.partition(",")[0]

    def _needed(self, one: Readout, below: str) -> float:
        """Return how wide a figure is with its caption above and a line below."""
        figure = metrics(self._look.number).horizontalAdvance(one.number) + self._look.gap_px
        figure += metrics(self._look.unit).horizontalAdvance(one.unit)
        words = max(metrics("label").horizontalAdvance(text) for text in (one.caption, below))
        return max(figure, words) + _BETWEEN_PX

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        for at, left, width in self._places():
            self._paint(painter, self._readouts[at], left, width)
        painter.end()

    def _paint(self, painter: QPainter, one: Readout, left: float, width: float) -> None:
        look, room = self._look, width - 6
        paint_text(painter, QRectF(left, 0, room, look.caption_bottom_px), one.caption, "label", ink("text2"))
        line = QRectF(left, look.number_top_px, width, look.number_px)
        paint_text(painter, line, one.number, look.number, ink(one.tone))
        before = metrics(look.number).horizontalAdvance(one.number) + look.gap_px
        unit = line.adjusted(before, 0, 0, 0).translated(0, _drop(look))
        paint_text(painter, unit, one.unit, look.unit, ink("muted"))
        if self._noted:
            below = QRectF(left, line.bottom() + 1, room, 17)
            paint_text(painter, below, self._below(one), "label", ink("text2"))


class ReadoutLine(_Figures):
    """The figures in one line.

    Parameters
    ----------
    leaves_first
        Numbers of the figures that give way where the line is too short, in this order.
    """

    def __init__(self, leaves_first: tuple[int, ...], parent: QWidget | None = None) -> None:
        super().__init__(_LINE_PX, parent)
        self._leaves_first = leaves_first

    def _places(self) -> list[_Place]:
        widths = [metrics("name").horizontalAdvance(one.short) + 1 for one in self._readouts]
        kept = list(range(len(widths)))
        for leaving in (*self._leaves_first, None):
            if sum(widths[at] + _BETWEEN_PX for at in kept) - _BETWEEN_PX <= self.width():
                break
            kept = [at for at in kept if at != leaving]
        places = _side_by_side([widths[at] + _BETWEEN_PX for at in kept])
        return [(at, left, width - _BETWEEN_PX) for at, (_, left, width) in zip(kept, places, strict=True)]

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        for at, left, width in self._places():
            one = self._readouts[at]
            paint_text(painter, QRectF(left, 0, width + 2, self.height()), one.short, "name", ink(one.tone))
        painter.end()


def _side_by_side(widths: Sequence[float]) -> list[_Place]:
    places, left = [], 0.0
    for at, width in enumerate(widths):
        places.append((at, left, width))
        left += width
    return places


def _drop(look: ReadoutLook) -> float:
    """Return how far the unit has to go down to stand on the line of the number."""
    number, unit = metrics(look.number), metrics(look.unit)
    return (number.ascent() - number.descent() - unit.ascent() + unit.descent()) / 2
