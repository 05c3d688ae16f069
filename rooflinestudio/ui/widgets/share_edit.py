"""A share from 0 to 1, by slider and by entry."""

from __future__ import annotations

from typing import Any, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from rooflinestudio.core.errors import ParameterError
from rooflinestudio.ui.widgets.log_slider import LogSlider
from rooflinestudio.ui.widgets.quantity_edit import QuantityEdit
from rooflinestudio.ui.widgets.snapping import Scale

__all__ = ["ShareEdit", "read_share", "share_text"]

_SCALE: Final = Scale(0.0, 1.0, integer=False, logarithmic=False, step=0.01)
_ENTRY_PX: Final = 52


class ShareEdit(QWidget):
    """A slider and an entry that show the same share; the entry holds the truth.

    Signals
    -------
    shareRequested
        The share, and whether a drag is going on.
    gestureEnded
        The drag is over.
    messageChanged
        What is wrong with the text that was typed, or an empty text.
    """

    shareRequested = Signal(float, bool)
    gestureEnded = Signal()
    messageChanged = Signal(str)

    def __init__(self, name: str, *, hint: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.slider = LogSlider(_SCALE)
        self.edit = QuantityEdit(read_share, share_text, step=_SCALE.next)
        self.edit.setFixedWidth(_ENTRY_PX)
        for part in (self.slider, self.edit):
            part.setAccessibleName(name)
            part.setToolTip(hint)
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(0, 0, 0, 0)
        self.row.setSpacing(8)
        self.row.addWidget(self.slider, 1)
        self.row.addWidget(self.edit)
        self.slider.valueMoved.connect(self._on_slider_value_moved)
        self.slider.gestureEnded.connect(self.gestureEnded)
        self.edit.valueCommitted.connect(self._on_edit_value_committed)
        self.edit.messageChanged.connect(self.messageChanged)

    def set_share(self, share: float) -> None:
        """Show a share without telling anybody."""
        self.slider.set_value(share)
        self.edit.set_value(float(share))

    def _on_slider_value_moved(self, value: Any) -> None:
        self.shareRequested.emit(float(value), True)

    def _on_edit_value_committed(self, value: Any) -> None:
        self.shareRequested.emit(float(value), False)


def read_share(text: str) -> float:
    """Read ``0.85``, ``0,85`` or ``85%``."""
    cleaned = text.strip().replace(",", ".")
    try:
        share = float(cleaned[:-1]) / 100 if cleaned.endswith("%") else float(cleaned)
    except ValueError:
        raise ParameterError(
            f"{text.strip()!r} is no share; type a number from 0 to 1, or per cent as in 85%."
        ) from None
    if not 0.0 <= share <= 1.0:
        raise ParameterError(f"{text.strip()} lies outside 0 to 1. Write for example 0.85 or 85%.")
    return share


def share_text(share: Any) -> str:
    """Write a share with two decimals, or with as many as it takes."""
    text = f"{share:.2f}"
    return text if float(text) == share else repr(float(share))
