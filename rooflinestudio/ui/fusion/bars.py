"""All split, as drawn, all fused as three bars on one scale: length is time, a segment is a kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QHelpEvent, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from rooflinestudio.ui.widgets.ink import ink
from rooflinestudio.ui.widgets.painting import metrics, paint_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPaintEvent

    from rooflinestudio.core.bench_words import BarSegment, BenchBar

__all__ = ["BenchBars"]

_TITLE, _BAR, _GAP = 21.0, 36.0, 12.0
_TEXT_PX: Final = 86.0
"""Room behind the longest bar for its time and traffic."""

_WORDS_FROM: Final = 40.0
_KINDS: Final = ("compute", "memory", "latency", "launch")


class BenchBars(QWidget):
    """Three bars; what is drawn is filled, what could be is outlined."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bars: tuple[BenchBar, ...] = ()
        self.setObjectName("fusion.bars")
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(round(3 * (_TITLE + _BAR) + 2 * _GAP))

    def set_bars(self, bars: Sequence[BenchBar]) -> None:
        """Show these bars on the scale of the longest of them."""
        if tuple(bars) != self._bars:
            self._bars = tuple(bars)
            words = (f"{one.title}: {one.time}, {one.traffic}" for one in self._bars)
            self.setAccessibleName("; ".join(words))
            self.update()

    @property
    def bars(self) -> tuple[BenchBar, ...]:
        """What is shown."""
        return self._bars

    def sizeHint(self) -> QSize:
        return QSize(420, round(3 * (_TITLE + _BAR) + 2 * _GAP))

    def segments(self) -> list[tuple[BenchBar, BarSegment, QRectF]]:
        """Return where each segment lies."""
        longest = max((one.time_s for one in self._bars), default=0.0)
        room = max(40.0, self.width() - _TEXT_PX)
        placed = []
        for at, bar in enumerate(self._bars):
            left, top = 0.0, at * (_TITLE + _BAR + _GAP) + _TITLE
            for one in bar.segments:
                width = one.time_s / longest * room if longest else 0.0
                placed.append((bar, one, QRectF(left, top, width, _BAR)))
                left += width
        return placed

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ends: dict[str, QRectF] = {}
        for bar, one, rect in self.segments():
            self._paint_segment(painter, one, rect, filled=bar.id == "drawn")
            ends[bar.id] = rect
        for at, bar in enumerate(self._bars):
            title = QRectF(0, at * (_TITLE + _BAR + _GAP), self.width(), _TITLE - 3)
            paint_text(painter, title, bar.title, "name", ink("text"))
            end = ends[bar.id]
            upper = QRectF(end.right() + 10, end.top() + 1, _TEXT_PX - 10, _BAR / 2)
            paint_text(painter, upper, bar.time, "placement", ink("text"))
            paint_text(painter, upper.translated(0, _BAR / 2 - 2), bar.traffic, "caption", ink("text2"))
        painter.end()

    @staticmethod
    def _paint_segment(painter: QPainter, one: BarSegment, rect: QRectF, *, filled: bool) -> None:
        kind = one.bound if one.bound in _KINDS else ""
        inner = rect.adjusted(0.5, 0.5, -1.5 if rect.width() > 4 else 0, -0.5)
        if filled:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ink(f"{kind}_fill" if kind else "muted"))
        else:
            painter.setPen(QPen(ink(kind or "muted"), 1.0))
            painter.setBrush(ink(f"{kind}_soft" if kind else "sunken"))
        painter.drawRoundedRect(inner, 3.0, 3.0)
        words = inner.adjusted(7, 0, -4, 0)
        if inner.width() >= _WORDS_FROM and metrics("chip").horizontalAdvance(one.label[:4]) < words.width():
            token = "on_accent" if filled else kind or "text2"
            paint_text(painter, words, one.label, "chip", ink(token))

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            at = event.pos().toPointF()
            tip = next((one.tip for _, one, rect in self.segments() if rect.contains(at)), "")
            QToolTip.showText(event.globalPos(), tip, self) if tip else QToolTip.hideText()
            return True
        return super().event(event)
