"""A drop-down of texts with ids, safe inside a panel that scrolls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QSizePolicy, QWidget

from rooflinestudio.ui.fonts import font

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QWheelEvent

__all__ = ["Choice"]


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

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the panel that scrolls."""
        event.ignore()

    def _on_activated(self, index: int) -> None:
        self.chosen.emit(str(self.itemData(index)))

    def _widest(self) -> int:
        widths = [self.fontMetrics().horizontalAdvance(label) for _, label in self._options]
        return max(widths, default=0) + 36
