"""Text on the canvas: extents, eliding, and drawing with a halo, cached as small pictures on the screen."""

from __future__ import annotations

import math
from collections import OrderedDict
from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen, QPixmap

from rooflinestudio.ui.canvas.stamps import Stamps
from rooflinestudio.ui.fonts import font

if TYPE_CHECKING:
    from collections.abc import Hashable

__all__ = ["Text", "Words"]

HALO = 5.0
"""Width of the pen that runs round the letters, half of it outside of them."""
_MARGIN: Final = 4.0
_KEPT: Final = 1200


class Words(NamedTuple):
    """One line of text with its font role and colours; ``angle`` in degrees counter-clockwise."""

    text: str
    role: str
    colour: QColor
    halo: QColor | None = None
    angle: float = 0.0

    def key(self, ratio: float) -> Hashable:
        """Return what two equal pictures have in common; pictures differ by the pixel ratio of the screen."""
        halo = self.halo.rgba() if self.halo is not None else None
        return self.text, self.role, self.colour.rgba(), halo, round(self.angle, 2), ratio


class Text:
    """Measures and draws text; one object per canvas keeps the pictures of what it drew."""

    def __init__(self) -> None:
        self._metrics: dict[str, QFontMetricsF] = {}
        self._widths: dict[tuple[str, str], float] = {}
        self._pictures: OrderedDict[Hashable, QPixmap] = OrderedDict()
        self._kept: dict[str, tuple[dict[Hashable, QColor], dict[Hashable, QPen]]] = {}
        self.stamps = Stamps()

    def kept(self, theme: str) -> tuple[dict[Hashable, QColor], dict[Hashable, QPen]]:
        """Return the colours and pens that were made for a theme so far, by whatever key their maker gives them."""
        colours, pens = self._kept.setdefault(theme, ({}, {}))
        if len(colours) > _KEPT:  # a user's own colours can be many
            colours.clear()
        if len(pens) > _KEPT:
            pens.clear()
        return colours, pens

    # Extents

    def width(self, text: str, role: str) -> float:
        """Return the advance of a text in pixels."""
        key = (text, role)
        found = self._widths.get(key)
        if found is None:
            if len(self._widths) > 5000:
                self._widths.clear()
            found = self._widths[key] = self._metrics_of(role).horizontalAdvance(text)
        return found

    def height(self, role: str) -> float:
        """Return the height of a line in pixels, without leading."""
        metrics = self._metrics_of(role)
        return metrics.ascent() + metrics.descent()

    def elided(self, text: str, role: str, width: float, *, middle: bool = False) -> str:
        """Return a text cut to a width: kernel names in the middle, others at the right end."""
        if self.width(text, role) <= width:
            return text
        mode = Qt.TextElideMode.ElideMiddle if middle else Qt.TextElideMode.ElideRight
        return self._metrics_of(role).elidedText(text, mode, width)

    def _metrics_of(self, role: str) -> QFontMetricsF:
        if role not in self._metrics:
            self._metrics[role] = QFontMetricsF(font(role))
        return self._metrics[role]

    # Drawing

    def draw(self, painter: QPainter, at: tuple[float, float], words: Words, *, vector: bool = False) -> None:
        """Draw one line of text with its top left corner at a point.

        Parameters
        ----------
        vector
            Whether the text must stay text (files) or may be a cached picture (screen).
        """
        if vector:
            painter.save()
            painter.translate(*at)
            painter.rotate(-words.angle)
            self._draw_letters(painter, words)
            painter.restore()
            return
        ratio = painter.device().devicePixelRatio()
        key = words.key(ratio)
        picture = self._pictures.get(key)
        if picture is None:
            picture = self._pictures[key] = self._picture(words, ratio)
            if len(self._pictures) > _KEPT:
                self._pictures.popitem(last=False)
        else:
            self._pictures.move_to_end(key)
        left, top = self._rotated_box(words)[:2]
        # Whole device pixels: anything else would blur the letters.
        x = round((at[0] + left) * ratio) / ratio
        y = round((at[1] + top) * ratio) / ratio
        painter.drawPixmap(QPointF(x, y), picture)

    def _draw_letters(self, painter: QPainter, words: Words) -> None:
        baseline = self._metrics_of(words.role).ascent()
        if words.halo is not None:
            path = QPainterPath()
            path.addText(QPointF(0.0, baseline), font(words.role), words.text)
            solid, cap, join = Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin
            painter.strokePath(path, QPen(words.halo, HALO, solid, cap, join))
        painter.setFont(font(words.role))
        painter.setPen(words.colour)
        painter.drawText(QPointF(0.0, baseline), words.text)

    def _rotated_box(self, words: Words) -> tuple[float, float, int, int]:
        """Return left, top, width and height of the picture of a text, relative to its top left corner."""
        width, height = self.width(words.text, words.role), self.height(words.role)
        left, top, right, bottom = -_MARGIN, -_MARGIN, width + _MARGIN, height + _MARGIN
        if not words.angle:
            return left, top, math.ceil(right - left), math.ceil(bottom - top)
        turn = math.radians(-words.angle)
        corners = [
            (x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn))
            for x in (left, right)
            for y in (top, bottom)
        ]
        left, top = math.floor(min(x for x, _ in corners)), math.floor(min(y for _, y in corners))
        right, bottom = max(x for x, _ in corners), max(y for _, y in corners)
        return left, top, math.ceil(right - left) + 1, math.ceil(bottom - top) + 1

    def _picture(self, words: Words, ratio: float) -> QPixmap:
        left, top, width, height = self._rotated_box(words)
        picture = QPixmap(math.ceil(width * ratio), math.ceil(height * ratio))
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
        painter.translate(-left, -top)
        painter.rotate(-words.angle)
        self._draw_letters(painter, words)
        painter.end()
        return picture
