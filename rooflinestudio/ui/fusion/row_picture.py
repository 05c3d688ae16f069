"""The picture of the bench's row: what it shows, where it lies, and which card or joint keys go to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from rooflinestudio.ui.fusion.card_painter import paint_row
from rooflinestudio.ui.fusion.places import COMPACT, TALL, Place, places_of
from rooflinestudio.ui.fusion.row_words import card_words, joint_words, row_words
from rooflinestudio.ui.widgets.ink import ink

if TYPE_CHECKING:
    from PySide6.QtGui import QFocusEvent, QPaintEvent

    from rooflinestudio.core.bench import Bench
    from rooflinestudio.ui.fusion.places import Places

__all__ = ["RowPicture"]


class RowPicture(QWidget):
    """Cards and joints, painted.

    Signals
    -------
    focusMoved
        Rectangle that is to be in view.
    """

    focusMoved = Signal(QRect)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bench: Bench | None = None
        self._places: Places = places_of((), 0.0, TALL)
        self._compact = False
        self._current: Place | None = None
        self._hovered: Place | None = None
        self._gap = -1
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Fusion bench")

    # What it shows ------------------------------------------------------------------------------------------------

    def show_bench(self, bench: Bench | None) -> None:
        """Show a chain; the focus stays on the card or joint of the same number."""
        self._bench = bench
        self._hovered = None
        self._lay_out()
        self._current = self._kept(self._current)
        self._announce()
        self.update()

    def _kept(self, place: Place | None) -> Place | None:
        if self._bench is None:
            return None
        if place is None:
            return Place("joint", 0) if self._bench.joints else Place("card", 0)
        known = self._bench.cards if place.kind == "card" else self._bench.joints
        if not known:
            return Place("card", 0)
        return Place(place.kind, min(place.index, len(known) - 1))

    def set_compact(self, compact: bool) -> None:
        """Be lower where there is little room."""
        if compact != self._compact:
            self._compact = compact
            self._lay_out()

    @property
    def places(self) -> Places:
        """Where everything lies."""
        return self._places

    @property
    def current(self) -> Place | None:
        """The card or joint that keys go to."""
        return self._current

    @property
    def gap(self) -> int:
        """Before which card the mark stands while something is dragged, or -1."""
        return self._gap

    def set_current(self, place: Place | None) -> None:
        """Let keys go to a card or a joint."""
        self._current = self._kept(place)
        self._announce()
        self.update()
        if self._current is not None:
            self.focusMoved.emit(self._places.rect(self._current).toAlignedRect())

    def _lay_out(self) -> None:
        sizes = COMPACT if self._compact else TALL
        steps = [one.steps for one in self._bench.kernels] if self._bench is not None else []
        self._places = places_of(steps, float(self.width()), sizes)
        least = places_of(steps, 0.0, sizes).width
        self.setMinimumWidth(round(least))
        self.setFixedHeight(round(sizes.height))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(400, round((COMPACT if self._compact else TALL).height))

    def _announce(self) -> None:
        if self._bench is None:
            self.setAccessibleDescription("")
            return
        self.setAccessibleName(row_words(self._bench))
        place = self._current
        self.setAccessibleDescription(self.words_of(place) if place is not None else "")

    def words_of(self, place: Place) -> str:
        """Return what is told of a card or a joint: in its tool tip, and to a screen reader."""
        if self._bench is None:
            return ""
        if place.kind == "joint":
            return joint_words(self._bench, place.index)
        return card_words(self._bench, place.index)

    # Painting -----------------------------------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(ink("border"), 1.0))
        painter.setBrush(ink("raised"))
        painter.drawRoundedRect(self.rect().toRectF().adjusted(0.5, 0.5, -0.5, -0.5), 8.0, 8.0)
        if self._bench is not None:
            focused = self._current if self.hasFocus() else None
            paint_row(painter, self._bench, self._places, focused=focused, hovered=self._hovered)
            self._paint_gap(painter)
        painter.end()

    def _paint_gap(self, painter: QPainter) -> None:
        if self._gap < 0:
            return
        x, sizes = self._places.gap_x(self._gap), self._places.sizes
        painter.setPen(QPen(ink("accent"), 3.0, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawLine(round(x), round(sizes.head), round(x), round(sizes.head + sizes.card))

    def resizeEvent(self, event: object) -> None:
        self._lay_out()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.set_current(self._current)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.update()

    def _set_gap(self, gap: int) -> None:
        """Put the mark of what is being put in before a card; -1: no mark."""
        if gap != self._gap:
            self._gap = gap
            self.update()
