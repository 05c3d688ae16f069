"""A small roofline in a panel: the canvas's own painter on a narrow layout, without margin strip, head or tools."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from rooflinestudio.ui.canvas.coordinates import Box
from rooflinestudio.ui.canvas.labels import place_labels
from rooflinestudio.ui.canvas.layout import Layout
from rooflinestudio.ui.canvas.paint_labels import paint_labels, paint_leaders
from rooflinestudio.ui.canvas.paint_marks import paint_marks
from rooflinestudio.ui.canvas.painter import canvas_of, label_task, laid_out, paint_ground_layer
from rooflinestudio.ui.canvas.text import Text
from rooflinestudio.ui.icons import worn_theme

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from rooflinestudio.ui.canvas.context import Canvas
    from rooflinestudio.ui.canvas.coordinates import Frame
    from rooflinestudio.ui.canvas.labels import Line
    from rooflinestudio.ui.canvas.painter import Picture
    from rooflinestudio.ui.canvas.scene import Scene

__all__ = ["SmallRoof"]

_TICKS_PX, _TOP_PX, _RIGHT_PX, _BOTTOM_PX = 82.0, 6.0, 12.0, 42.0


class SmallRoof(QWidget):
    """Shows a scene whose points all have a place on the log axes."""

    title = "On the roof"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scene: Scene | None = None
        self._picture: Picture | None = None
        self._text = Text()
        self.setMinimumSize(240, 180)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def set_scene(self, scene: Scene | None) -> None:
        """Show another scene."""
        if scene != self._scene:
            self._scene, self._picture = scene, None
            points = scene.markers if scene is not None else ()
            words = "; ".join(f"{one.name}: {', '.join(one.tip[1:])}" for one in points)
            self.setAccessibleName(f"{self.title}. {words}" if words else "No place on the roof")
            self.update()

    @property
    def scene(self) -> Scene | None:
        """What is shown."""
        return self._scene

    def sizeHint(self) -> QSize:
        return QSize(460, 280)

    def resizeEvent(self, event: object) -> None:
        self._picture = None

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._scene is None:
            return
        if self._picture is None:
            self._picture = self._laid_out(self._scene)
        painter = QPainter(self)
        canvas = canvas_of(painter, self._picture, worn_theme(), self._text)
        paint_ground_layer(canvas)
        self.paint_under(canvas, self._scene)
        paint_leaders(canvas, self._picture.texts)
        paint_marks(canvas)
        paint_labels(canvas, self._picture.texts)
        painter.end()

    def in_short(self, scene: Scene) -> Scene:
        """Return the scene with the words for a narrow picture."""
        return scene

    def paint_under(self, c: Canvas, scene: Scene) -> None:
        """Paint what lies under the markers."""

    def lines_under(self, scene: Scene, frame: Frame) -> list[Line]:
        """Return the lines of it that labels keep off: x0, y0, x1, y1 in pixels, and what a sample of them costs."""
        return []

    def _laid_out(self, scene: Scene) -> Picture:
        width, height = float(self.width()), float(self.height())
        plot = Box(_TICKS_PX, _TOP_PX, max(_TICKS_PX + 40, width - _RIGHT_PX), max(60.0, height - _BOTTOM_PX))
        strip = Box(plot.left, plot.top, plot.left, plot.bottom)
        layout = Layout(Box(0.0, 0.0, width, height), None, plot, strip, None)
        if layout.is_compact:
            scene = self.in_short(scene)
        picture = laid_out(scene, layout, scene.home_range, self._text, avoid_markers=True)
        wanted, field = label_task(picture, self._text)
        lines = self.lines_under(scene, picture.frame)
        if lines:
            field = replace(field, lines=(*field.lines, *lines))
        labels = place_labels(wanted, field)
        # The selected one counts as such where words are dealt out; it needs no ring.
        return replace(picture, scene=replace(scene, selected=None), labels=labels)
