"""What the window shows in its very first paint: its own plan in the colours of the theme, without a widget in it.

Importing Qt's enumerations, fonts and style sheet costs as much again as a bare window. So the first paint needs none
of them, and this module stays that cheap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QWidget

from rooflinestudio.ui.tokens import COLOURS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QPaintEvent

__all__ = ["Skeleton"]

TOP_PX: Final = 80
STATUS_PX: Final = 24
HEAD_PX: Final = 32
WIDE: Final = (264, 332, 256)
COMPACT: Final = (216, 284, 172)
COMPACT_BELOW_PX: Final = 1440


class Skeleton(QWidget):
    """Bars, docks and canvas as plain areas, where the real ones will be.

    Signals
    -------
    painted
        A paint is done.
    """

    painted = Signal()

    def __init__(self, theme: str) -> None:
        super().__init__()
        self._colours = COLOURS[theme]

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        for token, x, y, width, height in plan(self.width(), self.height()):
            painter.fillRect(x, y, width, height, QColor(self._colours[token]))
        painter.end()
        self.painted.emit()


def plan(width: int, height: int) -> Iterator[tuple[str, int, int, int, int]]:
    """Return the areas of a window of this size, as token and rectangle; later ones lie over earlier ones."""
    left, right, bottom = COMPACT if width < COMPACT_BELOW_PX else WIDE
    below = height - STATUS_PX
    yield "canvas", 0, 0, width, height
    yield "window", 0, 0, width, TOP_PX
    yield "border", 0, TOP_PX - 1, width, 1
    for x, wide in ((0, left), (width - right, right)):
        yield "surface", x, TOP_PX, wide, below - TOP_PX
        yield "window", x, TOP_PX, wide, HEAD_PX
        yield "border", x, TOP_PX + HEAD_PX - 1, wide, 1
    yield "border", left, TOP_PX, 1, below - TOP_PX
    yield "border", width - right - 1, TOP_PX, 1, below - TOP_PX
    yield "surface", left + 1, below - bottom, width - left - right - 2, bottom
    yield "border", left + 1, below - bottom - 1, width - left - right - 2, 1
    yield "window", 0, below, width, STATUS_PX
    yield "border", 0, below, width, 1
