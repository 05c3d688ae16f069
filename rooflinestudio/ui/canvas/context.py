"""The tools that every part of the painter uses: one painter, one mapping, one theme."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QPolygonF

from rooflinestudio.ui.canvas.geometry import clip_polyline
from rooflinestudio.ui.canvas.text import Text, Words

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from rooflinestudio.ui.canvas.coordinates import Box, Frame
    from rooflinestudio.ui.canvas.fixed_labels import FixedLabels
    from rooflinestudio.ui.canvas.labels import PlacedLabel
    from rooflinestudio.ui.canvas.layout import Layout
    from rooflinestudio.ui.canvas.scene import Key, PreviewMarker, Scene, Slot
    from rooflinestudio.ui.canvas.stamps import Shape
    from rooflinestudio.ui.theme import Theme

__all__ = ["MACHINE_DASHES", "Canvas", "Highlight", "rect_of"]

MACHINE_DASHES: Final = ((5.0, 3.5), (2.0, 2.0), (8.0, 3.0, 2.0, 3.0))
"""Dashes of the second, third and fourth machine, in pen widths; they repeat."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Highlight:
    """What the pointer and the keyboard are at; not part of the scene, since it never leaves the screen.

    ``marked`` are the entries that are marked besides the selection.
    """

    hovered: Key | None = None
    focused: Key | None = None
    preview: PreviewMarker | None = None
    marked: frozenset[str] = frozenset()


def rect_of(box: Box) -> QRectF:
    return QRectF(box.left, box.top, box.right - box.left, box.bottom - box.top)


@dataclass(slots=True)
class Canvas:
    """Everything that a part of the picture is drawn with.

    ``vector`` is true for files: text stays text, and lines are smooth at every scale.
    """

    painter: QPainter
    scene: Scene
    layout: Layout
    frame: Frame
    theme: Theme
    text: Text
    fixed: FixedLabels
    labels: Mapping[Hashable, PlacedLabel] = field(default_factory=dict)
    highlight: Highlight = field(default_factory=Highlight)
    vector: bool = False
    _colours: dict[Hashable, QColor] = field(init=False)
    _pens: dict[Hashable, QPen] = field(init=False)

    def __post_init__(self) -> None:
        self._colours, self._pens = self.text.kept(self.theme.name)

    # Colours; shared objects, never to be changed

    def colour(self, token: str, alpha: float = 1.0) -> QColor:
        key = (token, alpha)
        found = self._colours.get(key)
        if found is None:
            found = self._colours[key] = self.theme.qcolor(token, alpha)
        return found

    def slot(self, slot: Slot | None, alpha: float = 1.0) -> QColor:
        """Return a placement's colour; what has none (an unpaired measurement) is neutral."""
        if slot is None:
            return self.colour("text2", alpha)
        key = ("slot", slot, alpha)
        found = self._colours.get(key)
        if found is None:
            found = self._colours[key] = self.theme.slot_colour(slot, alpha)
        return found

    def mixed(self, token: str, share: float) -> QColor:
        """Return a token's colour at an opacity over the canvas, as an opaque colour: these are drawn faster."""
        key = ("mixed", token, share)
        found = self._colours.get(key)
        if found is None:
            over, under = self.colour(token), self.colour("canvas")
            found = self._colours[key] = QColor(
                round(over.red() * share + under.red() * (1 - share)),
                round(over.green() * share + under.green() * (1 - share)),
                round(over.blue() * share + under.blue() * (1 - share)),
            )
        return found

    # Lines; always clipped analytically, since picture formats ignore a clip of the painter

    def pen(self, colour: QColor, width: float, dash: Sequence[float] = ()) -> QPen:
        """Return a flat pen; ``dash`` counts in pen widths. Never cosmetic: it scales with the picture."""
        key = (colour.rgba(), width, *dash)
        pen = self._pens.get(key)
        if pen is None:
            pen = QPen(
                colour, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap, Qt.PenJoinStyle.MiterJoin
            )
            if dash:
                pen.setDashPattern(list(dash))
            self._pens[key] = pen
        return pen

    def polyline(self, points: Sequence[Point], pen: QPen, *, clip: Box | None = None) -> None:
        """Draw a line through pixels, clipped to the plot (or another box)."""
        self.painter.setPen(pen)
        self.painter.setBrush(Qt.BrushStyle.NoBrush)
        for run in clip_polyline(points, clip or self.frame.plot):
            if len(run) == 2:
                self.painter.drawLine(QPointF(*run[0]), QPointF(*run[1]))
            else:
                self.painter.drawPolyline(QPolygonF([QPointF(*point) for point in run]))

    def hairlines(self, lines: Sequence[tuple[float, float, float, float]], colour: QColor) -> None:
        """Draw level and upright lines of one pixel: filled pixels on the screen, lines in files."""
        if self.vector:
            self.painter.setPen(self.pen(colour, 1.0))
            self.painter.drawLines([QLineF(*line) for line in lines])
            return
        for x0, y0, x1, y1 in lines:  # several times faster than lines of a pen
            upright = x0 == x1
            width, height = (1.0, y1 - y0) if upright else (x1 - x0, 1.0)
            self.painter.fillRect(
                QRectF(x0 - 0.5 if upright else x0, y0 if upright else y0 - 0.5, width, height), colour
            )

    def dotted_column(self, x: float, top: float, bottom: float, colour: QColor) -> None:
        """Draw an upright line of single dots, one in four pixels."""
        if self.vector:
            self.polyline([(x, top), (x, bottom)], self.pen(colour, 1.0, (1.0, 3.0)))
            return
        self.text.stamps.dotted_column(self.painter, x, (top, bottom), colour)

    # Shapes

    def fill(self, box: Box, colour: QColor, radius: float = 0.0) -> None:
        if radius:
            self.painter.setPen(Qt.PenStyle.NoPen)
            self.painter.setBrush(colour)
            self.painter.drawRoundedRect(rect_of(box), radius, radius)
        else:
            self.painter.fillRect(rect_of(box), colour)

    def circle(
        self, at: Point, radius: float, *, fill: QColor | None = None, pen: QPen | None = None
    ) -> None:
        self._brush(fill, pen)
        self.painter.drawEllipse(QPointF(*at), radius, radius)

    def polygon(
        self, points: Sequence[Point], *, fill: QColor | None = None, pen: QPen | None = None
    ) -> None:
        self._brush(fill, pen)
        self.painter.drawPolygon(QPolygonF([QPointF(*point) for point in points]))

    def _brush(self, fill: QColor | None, pen: QPen | None) -> None:
        self.painter.setPen(pen if pen is not None else QPen(Qt.PenStyle.NoPen))
        self.painter.setBrush(QBrush(fill) if fill is not None else QBrush(Qt.BrushStyle.NoBrush))

    def stamp(self, at: Point, shape: Shape) -> None:
        """Draw a marker around a pixel."""
        self.text.stamps.draw(self.painter, at, shape, vector=self.vector)

    def stamps(self, x: Any, y: Any, shapes: Sequence[Shape], which: Any = None) -> None:
        """Draw markers around many pixels; ``which`` has the number of each one's shape, left out it is the first."""
        if not self.vector:
            self.text.stamps.draw_many(self.painter, (x, y), shapes, which)
            return
        numbers = [0] * len(x) if which is None else which.tolist()
        for px, py, number in zip(x.tolist(), y.tolist(), numbers, strict=True):
            self.stamp((px, py), shapes[number])

    # Words

    def words(
        self, at: Point, text: str, role: str, token: str, *, halo: bool = True, angle: float = 0.0
    ) -> None:
        """Draw a line of text with its top left corner at a pixel."""
        around = self.colour("canvas") if halo else None
        words = Words(text, role, self.colour(token), around, angle)
        self.text.draw(self.painter, at, words, vector=self.vector)
