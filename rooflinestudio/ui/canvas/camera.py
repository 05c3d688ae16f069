"""What part of the plane the canvas looks at: pyqtgraph's view box, without anything to draw.

The box is linear and holds log10 values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pyqtgraph import ViewBox
from PySide6.QtCore import QObject, QRectF, Signal

from rooflinestudio.ui.canvas.coordinates import Range

if TYPE_CHECKING:
    from PySide6.QtWidgets import QGraphicsScene

    from rooflinestudio.ui.canvas.coordinates import Box

__all__ = ["Camera"]

LIMITS: Final = {"xMin": -9.0, "xMax": 12.0, "yMin": 0.0, "yMax": 21.0, "minXRange": 0.02, "minYRange": 0.02}


class Camera(QObject):
    """Holds the range that is shown; the mouse pans and zooms it by itself.

    Attributes
    ----------
    follows
        Whether it still goes along with the axes that the machines set: until somebody looks elsewhere.

    Signals
    -------
    moved
        Another range is shown.
    """

    moved = Signal()

    def __init__(self, scene: QGraphicsScene, parent: QObject) -> None:
        super().__init__(parent)
        self.follows = True
        self._box = ViewBox(enableMenu=False, defaultPadding=0.0)
        self._box.disableAutoRange()
        self._box.setLimits(**LIMITS)
        scene.addItem(self._box)
        self._box.sigRangeChanged.connect(self._on_box_sigRangeChanged)
        self._box.sigRangeChangedManually.connect(self._on_box_sigRangeChangedManually)

    @property
    def range(self) -> Range:
        """What is shown, in log10 data coordinates."""
        (x0, x1), (y0, y1) = self._box.viewRange()
        return Range(float(x0), float(x1), float(y0), float(y1))

    def put(self, plot: Box) -> None:
        """Fill a rectangle of the widget."""
        rect = QRectF(plot.left, plot.top, plot.width, plot.height)
        if self._box.geometry() != rect:
            self._box.setGeometry(rect)

    def look(self, range_: Range, *, follows: bool) -> None:
        """Show a range, for good or as long as the machines' axes are the same."""
        self.follows = follows
        self._box.setRange(xRange=(range_.x0, range_.x1), yRange=(range_.y0, range_.y1), padding=0)

    def zoom(self, factor: float) -> None:
        """Show ``factor`` times as much around the middle."""
        self.follows = False
        self._box.scaleBy((factor, factor))

    def pan(self, right: float, up: float) -> None:
        """Move by shares of the width and height."""
        x0, x1, y0, y1 = self.range
        self.follows = False
        self._box.translateBy(x=right * (x1 - x0), y=up * (y1 - y0))

    def _on_box_sigRangeChanged(self, *_args: object) -> None:
        self.moved.emit()

    def _on_box_sigRangeChangedManually(self, *_args: object) -> None:
        self.follows = False
