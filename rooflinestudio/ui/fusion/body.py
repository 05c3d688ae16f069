"""The bench with a chain on it: head, fields, cards, figures, bars, roof, notes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QBoxLayout, QFrame, QVBoxLayout, QWidget

from rooflinestudio.core.bench_readouts import boundary_word, readouts
from rooflinestudio.core.bench_words import bars
from rooflinestudio.ui.fusion.bars import BenchBars
from rooflinestudio.ui.fusion.card_row import CardRow
from rooflinestudio.ui.fusion.fields import BenchFields, ChainText
from rooflinestudio.ui.fusion.head import BenchHead
from rooflinestudio.ui.fusion.notes import BenchNotes
from rooflinestudio.ui.fusion.places import Place
from rooflinestudio.ui.fusion.roof import BenchRoof
from rooflinestudio.ui.fusion.roof_scene import bench_scene
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.eliding import ElidingLabel
from rooflinestudio.ui.widgets.note_box import ReasonBox
from rooflinestudio.ui.widgets.quiet_scroll import QuietScroll
from rooflinestudio.ui.widgets.readouts import Readouts

if TYPE_CHECKING:
    from PySide6.QtCore import QRect
    from PySide6.QtGui import QResizeEvent

    from rooflinestudio.core.bench import Bench
    from rooflinestudio.core.bench_choice import BenchSettings

__all__ = ["BenchBody"]

_COMPACT_BELOW: Final = (760, 380)
_PADDING_PX, _COMPACT_PADDING_PX = 20, 10
_LOW_ROOF_PX: Final = 260


class BenchBody(QWidget):
    """Large, everything has its place; small, cards and figures are in view and the rest scrolls below them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._compact: bool | None = None
        self.bench: Bench | None = None
        self._fault = ""
        self.head, self.fields, self.text = BenchHead(), BenchFields(), ChainText()
        self.row, self.tall = CardRow(), Readouts(noted=True)
        self.tall.setObjectName("fusion.readouts")
        self.bars, self.roof, self.notes = BenchBars(), BenchRoof(), BenchNotes()
        self.refusal = ReasonBox()
        self._bars_title = ElidingLabel(role="section", token="text2")
        self._roof_title = ElidingLabel("On the roof: a step along the slope", role="section", token="text2")
        self._cards = QuietScroll(self.row, "Cards of the chain", across=True)
        self.row.focusMoved.connect(self._on_row_focus_moved)
        self._lay_out()

    def _lay_out(self) -> None:
        self._settings = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._settings.addWidget(self.fields, 0)
        self._settings.addWidget(self.text, 1)
        left = QVBoxLayout()
        left.setSpacing(8)
        for part in (self._bars_title, self.bars, self.notes):
            left.addWidget(part)
        left.addStretch(1)
        right = QVBoxLayout()
        right.setSpacing(8)
        right.addWidget(self._roof_title)
        right.addWidget(self.roof, 1)
        self._lower = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._lower.setSpacing(24)
        self._lower.addLayout(left, 1)
        self._lower.addLayout(right, 1)
        line = QFrame()
        set_role(line, "hairline")
        self._line = line
        self._content = QWidget()
        set_role(self._content, "surface")
        self._column = QVBoxLayout(self._content)
        self._column.setSpacing(12)
        self._column.addLayout(self._settings)
        for below in (self._cards, self.refusal, self.tall, self._line):
            self._column.addWidget(below)
        self._column.addLayout(self._lower, 1)
        self._area = QuietScroll(self._content, "Fusion bench")
        self._outer = QVBoxLayout(self)
        self._outer.setSpacing(3)
        self._outer.addWidget(self.head)
        self._outer.addWidget(self._area, 1)

    # What it shows ------------------------------------------------------------------------------------------------

    def show_bench(self, bench: Bench, settings: BenchSettings) -> None:
        """Show a chain."""
        self.bench = bench
        self.head.show_bench(bench)
        self.fields.show_row(bench.operator, bench.row)
        self.text.show_bench(bench)
        self.row.show_bench(bench)
        figures = readouts(bench)
        self.head.line.set_readouts(figures)
        self.tall.set_readouts(figures)
        self.bars.set_bars(bars(bench))
        self.notes.show_bench(bench, settings)
        scene = bench_scene(bench)
        self.roof.set_scene(scene)
        there = bench.chain is not None
        self.refusal.setVisible(not there)
        if not there:
            self.refusal.set_reason("The chain stops", bench.reason)
        self._bars_title.set_text(f"{boundary_word(bench)} traffic and time")
        for part in (self._bars_title, self.bars):
            part.setVisible(there)
        for drawn in (self._roof_title, self.roof):
            drawn.setVisible(scene is not None)
        self._show_tall()
        self._fit_cards()
        self._show_fault()

    def _show_fault(self) -> None:
        """Let the keys go to the card at which the chain stops, and bring it into view."""
        assert self.bench is not None
        faulty = next((one for one in self.bench.cards if one.fault), None)
        if faulty is not None and faulty.fault != self._fault:
            self.row.set_current(Place("card", faulty.index))
        self._fault = faulty.fault if faulty is not None else ""

    def _show_tall(self) -> None:
        there = self.bench is not None and self.bench.chain is not None
        self.tall.setVisible(there and not self._compact)
        self._line.setVisible(there and not self._compact)

    # Size ---------------------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._set_compact(self.width() < _COMPACT_BELOW[0] or self.height() < _COMPACT_BELOW[1])
        self._set_narrow(self.width() < _COMPACT_BELOW[0])
        self._fit_cards()

    def _set_compact(self, compact: bool) -> None:
        if compact == self._compact:
            return
        self._compact = compact
        padding = _COMPACT_PADDING_PX if compact else _PADDING_PX
        self._outer.setContentsMargins(padding, 3 if compact else 12, 0, 0)
        self.head.setContentsMargins(0, 0, padding, 0)
        self._column.setContentsMargins(0, 0 if compact else 4, padding, 10)
        self._column.setSpacing(8 if compact else 10)
        self.head.set_compact(compact)
        if self.bench is not None:
            self.head.place.setVisible(not self.bench.row.entry.visible)
        self.row.set_compact(compact)
        self._show_tall()
        # Small, the cards come first; sizes and the text scroll below them.
        self._column.removeItem(self._settings)
        self._column.insertLayout(1 if compact else 0, self._settings)
        self.roof.setMinimumHeight(_LOW_ROOF_PX if compact else 180)

    def _set_narrow(self, narrow: bool) -> None:
        """Put below each other what stands side by side where it is wide."""
        down, across = QBoxLayout.Direction.TopToBottom, QBoxLayout.Direction.LeftToRight
        for layout in (self._settings, self._lower):
            layout.setDirection(down if narrow else across)
        self._settings.setSpacing(8 if narrow else 16)

    def _fit_cards(self) -> None:
        """Give the cards their height, and the scroll bar under them room where it is needed."""
        scrolls = self.row.minimumWidth() > self._cards.width()
        bar = self._cards.horizontalScrollBar().sizeHint().height() + 2 if scrolls else 0
        self._cards.setFixedHeight(self.row.height() + bar)

    def _on_row_focus_moved(self, rect: QRect) -> None:
        centre = rect.center()
        self._cards.ensureVisible(centre.x(), centre.y(), rect.width() // 2 + 40, 0)
