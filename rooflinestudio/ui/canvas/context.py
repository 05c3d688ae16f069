"""The tools that every part of the painter uses: one painter, one mapping, one theme."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

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
    from rooflinestudio.ui.theme import Theme

__all__ = ["MACHINE_DASHES", "Canvas", "Highlight", "rect_of"]

MACHINE_DASHES: Final = ((5.0, 3.5), (2.0, 2.0), (8.0, 3.0, 2.0, 3.0))
"""Dashes of the second, third and fourth machine, in pen widths; they repeat."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Highlight:
    """What the pointer and the keyboard are at; not part of the scene, since it never leaves the screen."""

    hovered: Key | None = None
    focused: Key | None = None
    preview: PreviewMarker | None = None


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

    # Colours

    def colour(self, token: str, alpha: float = 1.0) -> QColor:
        return self.theme.qcolor(token, alpha)

    def slot(self, slot: Slot | None, alpha: float = 1.0) -> QColor:
        """Return a placement's colour; what has none (an unpaired measurement) is neutral."""
        return self.theme.qcolor("text2", alpha) if slot is None else self.theme.slot_colour(slot, alpha)

    # Lines; always clipped analytically, since picture formats ignore a clip of the painter

    def pen(self, colour: QColor, width: float, dash: Sequence[float] = ()) -> QPen:
        """Return a flat pen; ``dash`` counts in pen widths. Never cosmetic: it scales with the picture."""
        pen = QPen(colour, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap, Qt.PenJoinStyle.MiterJoin)
        if dash:
            pen.setDashPattern(list(dash))
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

    def straight_lines(self, lines: Sequence[tuple[float, float, float, float]], pen: QPen) -> None:
        """Draw level and upright lines of one pixel: sharp on the screen, smooth in files."""
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing, self.vector)
        self.painter.setPen(pen)
        self.painter.drawLines([QLineF(*line) for line in lines])
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)

    # Shapes

    def fill(self, box: Box, colour: QColor, radius: float = 0.0) -> None:
        if radius:
            self.painter.setPen(Qt.PenStyle.NoPen)
            self.painter.setBrush(colour)
            self.painter.drawRoundedRect(rect_of(box), radius, radius)
        else:
            self.painter.fillRect(rect_of(box), colour)

    def circle(self, at: Point, radius: float, *, fill: QColor | None = None, pen: QPen | None = None) -> None:
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

    # Words

    def words(
        self, at: Point, text: str, role: str, token: str, *, halo: bool = True, angle: float = 0.0
    ) -> None:
        """Draw a line of text with its top left corner at a pixel."""
        around = self.colour("canvas") if halo else None
        words = Words(text, role, self.colour(token), around, angle)
        self.text.draw(self.painter, at, words, vector=self.vector)
