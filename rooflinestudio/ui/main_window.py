"""The main window: assembles bars, docks, canvas and tabs. What they do to each other stands in ``wiring``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from rooflinestudio.ui.widgets.ink import ink

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent


__all__ = ["CANVAS_LEAST_PX", "MainWindow"]

CANVAS_LEAST_PX: Final = (560, 380)


class _Blank(QWidget):
    """What the canvas shows before it is there: its own background, and nothing on it."""

    painted = Signal()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), ink("canvas"))
        painter.end()
        self.painted.emit()
