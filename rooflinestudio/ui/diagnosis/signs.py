"""What the diagnosis paints itself: the sign of an answer, a roof with how near it is, the traffic between its ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from rooflinestudio.core.quantities import format_number
from rooflinestudio.ui.diagnosis.words import distance_text, rate_text
from rooflinestudio.ui.icons import paint_icon
from rooflinestudio.ui.widgets.ink import ink, slot_ink
from rooflinestudio.ui.widgets.painting import marker_shape, metrics, paint_bar, paint_marker, paint_text
from rooflinestudio.ui.widgets.words import bytes_text

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from rooflinestudio.core.diagnosis import Outcome, Reuse, Side

__all__ = ["ReuseBar", "RoofRow", "Sign"]

_SIGN_PX: Final = 22
_ROOF_PX: Final = 42
_BAR_PX, _BAR_TOP_PX, _REUSE_PX = 9, 22, 50
_BETWEEN_PX: Final = 14
_RIGHT = Qt.AlignmentFlag.AlignRight


class Sign(QWidget):
    """A tick for no problem, a filled "!" for found, a dashed "?" for what cannot be answered."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._outcome: Outcome = "cannot be answered"
        self.setFixedSize(_SIGN_PX, _SIGN_PX)

    def set_outcome(self, outcome: Outcome) -> None:
        """Show another outcome."""
        if outcome != self._outcome:
            self._outcome = outcome
            self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        circle = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        painter.setPen(Qt.PenStyle.NoPen)
        if self._outcome == "no problem":
            painter.setBrush(ink("ok_soft"))
            painter.drawEllipse(circle)
            paint_icon(painter, circle.adjusted(3, 3, -3, -3), "check", "ok")
        elif self._outcome == "found":
            painter.setBrush(ink("warn"))
            painter.drawEllipse(circle)
            self._letter(painter, circle, "!", "surface")
        else:
            dashed = QPen(ink("border_strong"), 1.3)
            dashed.setDashPattern([2.4, 2.0])
            painter.setPen(dashed)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(circle)
            self._letter(painter, circle, "?", "text2")
        painter.end()

    @staticmethod
    def _letter(painter: QPainter, rect: QRectF, letter: str, token: str) -> None:
        paint_text(painter, rect, letter, "section", ink(token), Qt.AlignmentFlag.AlignHCenter)


class RoofRow(QWidget):
    """One roof: its name and distance, a bar of how much of it was reached, both rates."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._side: Side | None = None
        self._words = ("", "", "")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @property
    def words(self) -> tuple[str, str, str]:
        """Name, distance and rates, as shown."""
        return self._words

    def set_side(self, side: Side, *, binding: bool) -> None:
        """Show a roof."""
        self._side = side
        name = f"{side.label}, binds" if binding else side.label
        self._words = (name, distance_text(side), rate_text(side))
        self.setAccessibleName(": ".join((name, ", ".join(self._words[1:]))))
        self.setToolTip(self.accessibleName())
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(160, _ROOF_PX)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, _ROOF_PX)

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._side is None:
            return
        name, distance, rates = self._words
        painter = QPainter(self)
        line = QRectF(0, 0, self.width(), 17)
        needed = metrics("name").horizontalAdvance(distance)
        token = "error" if self._side.strict and self._side.share > 1 else "text"
        paint_text(painter, line, distance, "name", ink(token), _RIGHT)
        paint_text(painter, line.adjusted(0, 0, -needed - 8, 0), name, "name", ink("text"))
        paint_bar(painter, QRectF(0, 18, self.width(), 8), self._side.share, self._side.kind)
        paint_text(painter, QRectF(0, 26, self.width(), 16), rates, "caption", ink("muted"))
        painter.end()


class ReuseBar(QWidget):
    """Traffic from compulsory to tiled, with what was assumed (circle) and what was measured (diamond)."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._reuse: Reuse | None = None
        self._slot: int | str = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_reuse(self, reuse: Reuse, slot: int | str) -> None:
        """Show the traffic of a kernel, in the colour of the entry that it is held against."""
        self._reuse, self._slot = reuse, slot
        self.setAccessibleName("Traffic: " + ", ".join((*self.texts(), *self.ends())))
        self.setToolTip(self.accessibleName())
        self.update()

    def texts(self) -> tuple[str, str]:
        """Return what stands above the bar: assumed, measured."""
        reuse = self._reuse
        if reuse is None:
            return "", ""
        told = "" if reuse.absorption is None else f", absorption {format_number(reuse.absorption, digits=2)}"
        return (
            f"{reuse.assumption}: {bytes_text(reuse.assumed_bytes)}",
            f"measured {bytes_text(reuse.measured_bytes)}{told}",
        )

    def ends(self) -> tuple[str, str]:
        """Return what stands below its ends."""
        reuse = self._reuse
        if reuse is None:
            return "", ""
        return f"compulsory {bytes_text(reuse.compulsory_bytes)}", f"tiled {bytes_text(reuse.tiled_bytes)}"

    def places(self) -> dict[str, float]:
        """Return where compulsory, tiled, assumed and measured traffic stand, in pixels."""
        reuse = self._reuse
        if reuse is None:
            return {}
        values = {
            "compulsory": reuse.compulsory_bytes,
            "tiled": reuse.tiled_bytes,
            "assumed": reuse.assumed_bytes,
            "measured": reuse.measured_bytes,
        }
        low, high = min(values.values()), max(values.values())
        scale = (self.width() - 2 * _BAR_PX) / (high - low) if high > low else 0.0
        return {name: _BAR_PX + (value - low) * scale for name, value in values.items()}

    def sizeHint(self) -> QSize:
        return QSize(320, _REUSE_PX)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, _REUSE_PX)

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._reuse is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        places = self.places()
        middle = _BAR_TOP_PX + _BAR_PX / 2
        left, right = places["compulsory"], places["tiled"]
        painter.fillRect(QRectF(left, _BAR_TOP_PX, right - left, _BAR_PX), slot_ink(self._slot, 0.26))
        for end in (left, right):
            painter.fillRect(QRectF(end - 0.75, _BAR_TOP_PX - 2, 1.5, _BAR_PX + 4), slot_ink(self._slot))
        paint_marker(
            painter, QPointF(places["assumed"], middle), marker_shape(self._slot), slot_ink(self._slot), 5.5
        )
        paint_marker(painter, QPointF(places["measured"], middle), "diamond", slot_ink(self._slot), 5.5)
        self._paint_texts(painter, places)
        self._paint_ends(painter, left, right)
        painter.end()

    def _paint_ends(self, painter: QPainter, left: float, right: float) -> None:
        compulsory, tiled = self.ends()
        line = QRectF(0, _BAR_TOP_PX + _BAR_PX + 3, self.width(), 15)
        first, second = (metrics("caption").horizontalAdvance(text) for text in (compulsory, tiled))
        start = min(max(0.0, left - 2), max(0.0, line.width() - first - second - _BETWEEN_PX))
        stop = max(min(right + 2, line.width()), min(line.width(), start + first + second + _BETWEEN_PX))
        paint_text(painter, QRectF(start, line.top(), first + 1, 15), compulsory, "caption", ink("text2"))
        paint_text(painter, QRectF(stop - second, line.top(), second + 1, 15), tiled, "caption", ink("text2"))

    def _paint_texts(self, painter: QPainter, places: dict[str, float]) -> None:
        """Write both texts above their markers; they keep clear of each other, and inside."""
        assumed, measured = self.texts()
        ordered = sorted(
            (
                (places["assumed"], assumed, "caption", "text2"),
                (places["measured"], measured, "canvas_strong", "text"),
            )
        )
        widths = [metrics(role).horizontalAdvance(text) + 1 for _, text, role, _ in ordered]
        room = float(self.width())
        first = min(max(ordered[0][0] - widths[0] + 6, 0.0), max(0.0, room - sum(widths) - _BETWEEN_PX))
        second = max(min(ordered[1][0] - 6, room - widths[1]), first + widths[0] + _BETWEEN_PX)
        for start, width, (_, text, role, token) in zip((first, second), widths, ordered, strict=True):
            paint_text(painter, QRectF(start, 2, min(width, room - start), 16), text, role, ink(token))
