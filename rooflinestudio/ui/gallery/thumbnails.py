"""Pictures of the examples, drawn from the studies themselves: one at a time while nothing else is to be done, once."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPen, QPixmap

from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.example_sketch import Bar, Sketch, sketch_of
from rooflinestudio.core.examples import load_example, machines_of, with_machines
from rooflinestudio.core.placing import place

if TYPE_CHECKING:
    from collections.abc import Callable

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.ui.theme import Theme

__all__ = ["THUMBNAIL", "Thumbnails", "paint_sketch"]

THUMBNAIL: Final = QSize(212, 116)
_INSET: Final = 10.0
_DOT: Final = 4.0


class Thumbnails(QObject):
    """Makes the pictures that are asked for, in turn.

    Parameters
    ----------
    source
        Where operators come from (the plugin registry), or None while it is not there: then there are no pictures.
    load_profile
        Gives a shipped machine by id.
    """

    ready = Signal(str)

    def __init__(
        self,
        source: Any,
        load_profile: Callable[[str], HardwareProfile] | None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._source, self._load_profile = source, load_profile
        self._sketches: dict[str, Sketch] = {}
        self._pixmaps: dict[tuple[str, str, float], QPixmap] = {}
        self._wanted: deque[str] = deque()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._make_one)

    def pixmap(self, example_id: str, theme: Theme, ratio: float) -> QPixmap | None:
        """Return the picture of an example, or None and have it made."""
        sketch = self._sketches.get(example_id)
        if sketch is None:
            if example_id not in self._wanted and self._source is not None and self._load_profile is not None:
                self._wanted.append(example_id)
                self._timer.start(0)
            return None
        key = (example_id, theme.name, ratio)
        if key not in self._pixmaps:
            self._pixmaps[key] = _pixmap(sketch, theme, ratio)
        return self._pixmaps[key]

    def stop(self) -> None:
        """Make no further pictures until one is asked for."""
        self._timer.stop()
        self._wanted.clear()

    def _make_one(self) -> None:
        if not self._wanted:
            return
        example_id = self._wanted.popleft()
        self._sketches[example_id] = self._sketch(example_id)
        self.ready.emit(example_id)
        if self._wanted:
            self._timer.start(0)

    def _sketch(self, example_id: str) -> Sketch:
        assert self._load_profile is not None
        try:
            study = load_example(example_id)
            study = with_machines(study, [self._load_profile(one) for one in machines_of(study)])
            return sketch_of(place(study, {}, self._source), self._source)
        except StudioError:
            return Sketch()  # opening it will say what is wrong


def _pixmap(sketch: Sketch, theme: Theme, ratio: float) -> QPixmap:
    pixmap = QPixmap(THUMBNAIL * ratio)
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(theme.qcolor("canvas"))
    painter = QPainter(pixmap)
    try:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_sketch(painter, QRectF(0, 0, THUMBNAIL.width(), THUMBNAIL.height()), sketch, theme)
    finally:
        painter.end()
    return pixmap


def paint_sketch(painter: QPainter, rect: QRectF, sketch: Sketch, theme: Theme) -> None:
    """Draw a sketch into a rectangle."""
    room = rect.adjusted(_INSET, _INSET, -_INSET, -_INSET)

    def at(x: float, y: float) -> QPointF:
        return QPointF(room.left() + x * room.width(), room.bottom() - y * room.height())

    for bar in sketch.bars:
        _paint_bar(painter, at, bar, theme)
    for line in sketch.lines:
        colour = theme.qcolor("border_strong") if line.slot is None else theme.slot_colour(line.slot)
        pen = QPen(colour, 1.5 if line.slot is None else 2.0)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        painter.drawPolyline([at(x, y) for x, y in line.points])
    for dot in sketch.dots:
        colour = theme.qcolor("text2") if dot.slot is None else theme.slot_colour(dot.slot)
        painter.setPen(QPen(colour, 1.6) if dot.hollow else QPen(theme.qcolor("canvas"), 1.0))
        painter.setBrush(theme.qcolor("canvas") if dot.hollow else colour)
        painter.drawEllipse(at(dot.x, dot.y), _DOT, _DOT)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _paint_bar(painter: QPainter, at: Callable[[float, float], QPointF], bar: Bar, theme: Theme) -> None:
    box = QRectF(at(bar.x, bar.y + bar.height), at(bar.x + bar.width, bar.y))
    painter.fillRect(box, theme.qcolor(f"{bar.token}_fill"))
    painter.setPen(QPen(theme.qcolor("canvas"), 1.0))
    painter.drawLine(box.topRight(), box.bottomRight())
