"""The head of the inspector: marker, name, id of the operator, summary."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from rooflinestudio.ui.widgets.chip import Chip
from rooflinestudio.ui.widgets.eliding import ElidingLabel
from rooflinestudio.ui.widgets.ink import ink, slot_ink
from rooflinestudio.ui.widgets.painting import marker_shape, paint_marker

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from rooflinestudio.core.operators import Operator
    from rooflinestudio.core.study import Entry

__all__ = ["MarkerDot", "TitlePanel"]


class MarkerDot(QWidget):
    """A marker as on the canvas."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shape = "circle"
        self._slot: int | str = 0
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_marker(self, shape: str, slot: int | str) -> None:
        """Show a shape in the colour of a slot; an empty slot is neutral."""
        if (shape, slot) != (self._shape, self._slot):
            self._shape, self._slot = shape, slot
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(16, 20)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        colour = ink("text2") if self._slot == "" else slot_ink(self._slot)
        paint_marker(painter, QPointF(7.5, self.height() / 2), self._shape, colour, 6.0)
        painter.end()


class TitlePanel(QWidget):
    """Name and summary of an entry."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.marker = MarkerDot()
        self.name = ElidingLabel(role="title", token="text")
        self.chip = Chip()
        self.summary = ElidingLabel(role="label", token="text2")
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, 0, 0)
        head.setSpacing(8)
        head.addWidget(self.marker)
        head.addWidget(self.name, 1)
        head.addWidget(self.chip)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addLayout(head)
        layout.addWidget(self.summary)

    def show_entry(self, entry: Entry, operator: Operator | None) -> None:
        """Show an entry."""
        self.marker.set_marker(marker_shape(entry.slot), entry.slot)
        self.name.set_text(entry.label or entry.operator)
        self.chip.set_content(entry.operator, "neutral" if operator is not None else "warn")
        plugin = f"{entry.plugin.id} {entry.plugin.version}".strip()
        self.summary.set_text(
            operator.summary if operator is not None else f"Operator of {plugin or 'a plugin'}"
        )
