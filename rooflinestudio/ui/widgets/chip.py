"""A short word on a soft background: an id, a state, a bound with its glyph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from rooflinestudio.ui.widgets.ink import ink
from rooflinestudio.ui.widgets.painting import CHIP_PX, chip_width, paint_bound_chip, paint_chip

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

__all__ = ["Chip"]

_BOUNDS = ("compute", "memory", "latency", "launch")
_TONES = {"neutral": ("text2", "sunken"), "accent": ("accent_text", "accent_soft"), "ok": ("ok", "ok_soft"),
          "warn": ("warn", "warn_soft"), "error": ("error", "error_soft")}  # fmt: skip


class Chip(QWidget):
    """A chip; ``kind`` is a kind of bound, or a tone (neutral, accent, ok, warn, error)."""

    def __init__(self, text: str = "", kind: str = "neutral", *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text, self._kind = "", kind
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.set_content(text, kind)

    def text(self) -> str:
        """Return the word."""
        return self._text

    def kind(self) -> str:
        """Return the kind of bound, or the tone."""
        return self._kind

    def set_content(self, text: str, kind: str) -> None:
        """Show another word."""
        if (text, kind) == (self._text, self._kind):
            return
        self._text, self._kind = text, kind
        self.setAccessibleName(text)
        self.setToolTip("")
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(round(chip_width(self._text, glyph=self._kind in _BOUNDS)) + 1, CHIP_PX)

    def minimumSizeHint(self) -> QSize:
        return QSize(32, CHIP_PX)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        rect = QRectF(self.rect())
        if self._kind in _BOUNDS:
            paint_bound_chip(painter, rect, self._kind, self._text)
        else:
            text, soft = _TONES[self._kind]
            paint_chip(painter, rect, self._text, (ink(text), ink(soft)))
        painter.end()
