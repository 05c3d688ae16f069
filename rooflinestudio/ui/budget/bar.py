"""One budget as a bar: width is time, colour is the bound."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from rooflinestudio.ui.budget.lines import part_tip, share_text
from rooflinestudio.ui.budget.segments import Segment, segments
from rooflinestudio.ui.widgets.ink import ink
from rooflinestudio.ui.widgets.painting import metrics, paint_focus_ring, paint_text

if TYPE_CHECKING:
    from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPaintEvent

    from rooflinestudio.core.budget import Budget

__all__ = ["BudgetBar"]

_BAR_PX, _LOW_BAR_PX, _NAMES_PX, _RIM = 40, 26, 18, 2
_PAD: Final = 8.0
_RADIUS: Final = 2.0
_KINDS: Final = ("compute", "memory", "latency", "launch")


class BudgetBar(QWidget):
    """A stacked bar; its segments are chosen by click or by the arrow keys.

    ``lasting`` bars have their parts in the study: they can be chosen and opened. Others only tell.

    Signals
    -------
    partChosen, partOpened
        Number of the part that was clicked or moved to; double-clicked, or confirmed by Enter.
    """

    partChosen = Signal(int)
    partOpened = Signal(int)

    def __init__(self, *, lasting: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._budget: Budget | None = None
        self._segments: tuple[Segment, ...] = ()
        self._name, self._noun = "Budget", "whole"
        self._chosen = self._hovered = -1
        self._lasting, self._low = lasting, False
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if lasting else Qt.FocusPolicy.NoFocus)

    # What it shows ------------------------------------------------------------------------------------------------

    def show_budget(self, budget: Budget | None, name: str, noun: str) -> None:
        """Show the parts of a budget; ``noun`` is what they are parts of (``layer``)."""
        if budget is self._budget and (name, noun) == (self._name, self._noun):
            return
        self._budget, self._name, self._noun = budget, name, noun
        self._hovered = -1
        self._lay_out()
        self._announce()

    def set_chosen(self, index: int) -> None:
        """Mark a part; -1 marks none."""
        if index != self._chosen:
            self._chosen = index
            self._announce()
            self.update()

    def set_low(self, low: bool) -> None:
        """Be lower where there is little room; segments then have one line."""
        if low != self._low:
            self._low = low
            self.updateGeometry()
            self.update()

    @property
    def chosen(self) -> int:
        """Number of the part that is marked, or -1."""
        return self._chosen

    @property
    def segments(self) -> tuple[Segment, ...]:
        """Where the parts lie."""
        return self._segments

    def part_at(self, x: float, y: float) -> int:
        """Return the number of the part under a point, its name below the bar included; -1 for none."""
        if y > self._bar_px():
            return next(
                (one.index for one in self._segments if one.below and 0 <= x - one.below[0] <= one.below[1]),
                -1,
            )
        reached = [one for one in self._segments if one.left <= x + 0.5]
        return reached[-1].index if reached and 0 <= x <= self.width() else -1

    def centre_of(self, index: int) -> QPointF:
        """Return the middle of a segment."""
        one = self._segments[index]
        return QPointF(one.left + one.width / 2, self._bar_px() / 2)

    def sizeHint(self) -> QSize:
        return QSize(240, self._bar_px() + _NAMES_PX)

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.sizeHint().height())

    def _bar_px(self) -> int:
        return _LOW_BAR_PX if self._low else _BAR_PX

    def _lay_out(self) -> None:
        parts = self._budget.parts if self._budget is not None else ()
        self._segments = segments(
            [one.share for one in parts],
            [one.name for one in parts],
            float(self.width()),
            metrics("caption").horizontalAdvance,
        )
        self.update()

    def _announce(self) -> None:
        parts = self._budget.parts if self._budget is not None else ()
        largest = sorted(parts, key=lambda one: -one.share)[:3]
        words = ", ".join(f"{one.name} {share_text(one.share)}" for one in largest)
        self.setAccessibleName(f"{self._name}: {words}")
        chosen = parts[self._chosen] if 0 <= self._chosen < len(parts) else None
        self.setAccessibleDescription(part_tip(chosen, self._noun) if chosen is not None else "")

    # Painting -----------------------------------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._budget is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for one in self._segments:
            self._paint_segment(painter, one)
        for one in self._segments:
            if one.below is not None:
                self._paint_name(painter, one)
        if 0 <= self._chosen < len(self._segments):
            self._paint_choice(painter, self._segments[self._chosen])
        if self.hasFocus():
            paint_focus_ring(painter, QRectF(0, 0, self.width(), self._bar_px()), _RADIUS)
        painter.end()

    def _paint_segment(self, painter: QPainter, one: Segment) -> None:
        assert self._budget is not None
        part = self._budget.parts[one.index]
        rect = QRectF(one.left, _RIM, one.width, self._bar_px() - 2 * _RIM)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink(f"{part.bound}_fill" if part.bound in _KINDS else "muted"))
        radius = min(_RADIUS, one.width / 3)
        painter.drawRoundedRect(rect, radius, radius)
        if one.index == self._hovered:
            painter.setBrush(ink("on_accent", 0.16))
            painter.drawRoundedRect(rect, radius, radius)
        if not one.inside:
            return
        white, inner = ink("on_accent"), rect.adjusted(_PAD, 0, -_PAD + 4, 0)
        if self._low:
            share = share_text(part.share, short=True)
            wide = metrics("name").horizontalAdvance(f"{part.name}  ") + metrics("label").horizontalAdvance(
                share
            )
            paint_text(painter, inner, part.name, "name", white)
            if wide <= inner.width():
                left = metrics("name").horizontalAdvance(f"{part.name}  ")
                paint_text(painter, inner.adjusted(left, 0, 0, 0), share, "label", white)
            return
        upper = QRectF(inner.left(), inner.top() + 3, inner.width(), inner.height() / 2 - 2)
        paint_text(painter, upper, part.name, "placement", white)
        lower = QRectF(inner.left(), inner.center().y(), inner.width(), inner.height() / 2 - 3)
        paint_text(painter, lower, share_text(part.share, short=True), "label", white)

    def _paint_name(self, painter: QPainter, one: Segment) -> None:
        assert self._budget is not None and one.below is not None
        left, width = one.below
        top = float(self._bar_px())
        x = max(0.5, left + 0.5)
        painter.setPen(QPen(ink("border_strong"), 1.0))
        painter.drawLine(QPointF(x, top), QPointF(x, top + 3))
        token = "text" if one.index == self._chosen else "muted"
        rect = QRectF(left, top + 2, width, _NAMES_PX - 2)
        paint_text(painter, rect, self._budget.parts[one.index].name, "caption", ink(token))

    def _paint_choice(self, painter: QPainter, one: Segment) -> None:
        rect = QRectF(one.left - 1, 1, max(one.width, 3.0) + 2, self._bar_px() - 2)
        rect.setLeft(max(rect.left(), 1.0))
        rect.setRight(min(rect.right(), self.width() - 1.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(ink("surface"), 4.0))
        painter.drawRoundedRect(rect, _RADIUS + 1, _RADIUS + 1)
        painter.setPen(QPen(ink("text"), 2.0))
        painter.drawRoundedRect(rect, _RADIUS + 1, _RADIUS + 1)

    # What the user does -------------------------------------------------------------------------------------------

    def resizeEvent(self, event: object) -> None:
        self._lay_out()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            at = self.part_at(event.pos().x(), event.pos().y())
            text = self.tip_of(at)
            QToolTip.showText(event.globalPos(), text, self) if text else QToolTip.hideText()
            return True
        return super().event(event)

    def tip_of(self, index: int) -> str:
        """Return what is told of a part under the pointer."""
        if self._budget is None or not 0 <= index < len(self._budget.parts):
            return ""
        return part_tip(self._budget.parts[index], self._noun)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self.part_at(event.position().x(), event.position().y()))

    def leaveEvent(self, event: QEvent) -> None:
        self._hover(-1)

    def _hover(self, index: int) -> None:
        if index != self._hovered:
            self._hovered = index
            pointing = self._lasting and index >= 0
            self.setCursor(Qt.CursorShape.PointingHandCursor if pointing else Qt.CursorShape.ArrowCursor)
            self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at = self.part_at(event.position().x(), event.position().y())
        if self._lasting and event.button() == Qt.MouseButton.LeftButton and at >= 0:
            self.partChosen.emit(at)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        at = self.part_at(event.position().x(), event.position().y())
        if self._lasting and event.button() == Qt.MouseButton.LeftButton and at >= 0:
            self.partOpened.emit(at)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        last = len(self._segments) - 1
        moves = {
            Qt.Key.Key_Left: max(0, self._chosen - 1),
            Qt.Key.Key_Right: min(last, self._chosen + 1),
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }
        key = Qt.Key(event.key())
        if last >= 0 and key in moves:
            self.partChosen.emit(moves[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._chosen >= 0:
            self.partOpened.emit(self._chosen)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.update()
