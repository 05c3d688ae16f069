"""A drop-down of texts with ids, safe inside a panel that scrolls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QComboBox, QSizePolicy, QWidget

from rooflinestudio.ui.fonts import font
from rooflinestudio.ui.icons import paint_icon
from rooflinestudio.ui.widgets.ink import ink
from rooflinestudio.ui.widgets.painting import paint_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPaintEvent, QWheelEvent

__all__ = ["Choice"]

_PADDING_PX, _CHEVRON_PX, _HEIGHT_PX = 7, 10, 26


class Choice(QComboBox):
    """Shows one of several ids by its label; may be narrower than its texts.

    Signals
    -------
    chosen
        The id that the user chose; never sent for :meth:`set_value`.
    """

    chosen = Signal(str)

    def __init__(self, options: Sequence[tuple[str, str]] = (), *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFont(font("label"))
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(3)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._options: tuple[tuple[str, str], ...] = ()
        self.set_options(options)
        self.activated.connect(self._on_activated)

    @property
    def options(self) -> tuple[tuple[str, str], ...]:
        """The ids and labels offered."""
        return self._options

    def set_options(self, options: Sequence[tuple[str, str]]) -> None:
        """Offer these ids with these labels; the value stays if it is among them."""
        if tuple(options) == self._options:
            return
        value = self.value()
        self._options = tuple(options)
        self.blockSignals(True)
        self.clear()
        for id_, label in self._options:
            self.addItem(label, id_)
        self.blockSignals(False)
        self.view().setMinimumWidth(self._widest())
        self.set_value(value)

    def value(self) -> str:
        """Return the id shown, or an empty text."""
        return str(self.currentData() or "")

    def set_value(self, id_: str) -> None:
        """Show an id without telling anybody; an unknown one shows nothing."""
        at = self.findData(id_)
        if at != self.currentIndex():
            self.blockSignals(True)
            self.setCurrentIndex(at)
            self.blockSignals(False)

    def sizeHint(self) -> QSize:
        widest = max((self.fontMetrics().horizontalAdvance(label) for _, label in self._options), default=0)
        return QSize(widest + 2 * _PADDING_PX + _CHEVRON_PX + 6, _HEIGHT_PX)

    def minimumSizeHint(self) -> QSize:
        return QSize(44, _HEIGHT_PX)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint frame, text and arrow: the style cuts the text off where the box is narrow."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        edge = (
            "accent"
            if self.hasFocus()
            else "border_strong"
            if self.underMouse() and self.isEnabled()
            else "border"
        )
        painter.setPen(QPen(ink(edge), 1.0))
        painter.setBrush(ink("surface" if self.isEnabled() else "window"))
        painter.drawRoundedRect(rect, 5.0, 5.0)
        arrow = QRectF(
            rect.right() - _CHEVRON_PX - 5, rect.center().y() - _CHEVRON_PX / 2, _CHEVRON_PX, _CHEVRON_PX
        )
        paint_icon(painter, arrow, "chevron-down", "muted" if self.isEnabled() else "disabled")
        text = QRectF(
            rect.left() + _PADDING_PX - 1,
            rect.top(),
            arrow.left() - rect.left() - _PADDING_PX - 1,
            rect.height(),
        )
        colour = ink("text" if self.isEnabled() else "disabled")
        paint_text(painter, text, self.currentText(), "label", colour, Qt.AlignmentFlag.AlignLeft)
        painter.end()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the panel that scrolls."""
        event.ignore()

    def _on_activated(self, index: int) -> None:
        self.chosen.emit(str(self.itemData(index)))

    def _widest(self) -> int:
        widths = [self.fontMetrics().horizontalAdvance(label) for _, label in self._options]
        return max(widths, default=0) + 36
