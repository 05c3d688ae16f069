"""What the probe reads, in figures: a small card on the canvas that can be moved out of the way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from rooflinestudio.core.errors import QuantityError
from rooflinestudio.core.probe import HIGHEST_INTENSITY, LOWEST_INTENSITY, Probe, distance_words
from rooflinestudio.core.quantities import format_quantity, parse_quantity
from rooflinestudio.ui.canvas.probe_drawing import percent
from rooflinestudio.ui.fonts import font
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.chip import Chip
from rooflinestudio.ui.widgets.choice import Choice
from rooflinestudio.ui.widgets.ink import ink, pen
from rooflinestudio.ui.widgets.key_value import KeyValueRow
from rooflinestudio.ui.widgets.quantity_edit import QuantityEdit

if TYPE_CHECKING:
    from PySide6.QtGui import QMouseEvent, QPaintEvent

    from rooflinestudio.core.probe import Absent, ProbeReading

__all__ = ["ProbeCard"]

WIDTH: Final = 244
UNIT: Final = "FLOP/B"
_ROWS: Final = ("ridge", "attainable", "of peak", "1 TFLOP takes", "bytes per FLOP")


class ProbeCard(QFrame):
    """Figures of the strong machine, the rates of the others, and what it is read at.

    Signals
    -------
    intensityChosen
        A typed intensity, FLOP/byte.
    ceilingChosen, boundaryChosen
        Id that the strong machine shall be read at.
    """

    intensityChosen = Signal(object)
    ceilingChosen = Signal(str)
    boundaryChosen = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("canvas.probe")
        self.setAccessibleName("Roofline explorer")
        self.setFixedWidth(WIDTH)
        self.was_moved = False
        self._grabbed_at: QPoint | None = None
        self.intensity = QuantityEdit(_read, lambda value: format_quantity(value, UNIT, digits=4))
        self.intensity.setObjectName("probe.intensity")
        self.intensity.setAccessibleName("Intensity of the probe")
        self.intensity.setFixedWidth(118)
        self.ceiling, self.boundary = Choice(), Choice()
        self.ceiling.setAccessibleName("Pipe that the probe reads")
        self.boundary.setAccessibleName("Boundary that the probe reads")
        self.chip, self.distance = Chip(), QLabel()
        self.distance.setFont(font("caption"))
        set_role(self.distance, "label")
        self.model = QLabel("An approximate slope: a model, no bound")
        self.model.setFont(font("caption"))
        set_role(self.model, "caption")
        self.model.hide()
        self.refusal = QLabel()
        self.refusal.setWordWrap(True)
        self.refusal.setFont(font("caption"))
        set_role(self.refusal, "error")
        self.refusal.hide()
        self.figures = {label: KeyValueRow(label) for label in _ROWS}
        self.others: list[KeyValueRow] = []
        self._lay_out()
        self.intensity.valueCommitted.connect(self.intensityChosen)
        self.intensity.messageChanged.connect(self._on_intensity_message_changed)
        self.ceiling.chosen.connect(self.ceilingChosen)
        self.boundary.chosen.connect(self.boundaryChosen)

    def _lay_out(self) -> None:
        rows = QVBoxLayout(self)
        rows.setContentsMargins(12, 10, 12, 10)
        rows.setSpacing(6)
        title = QLabel("Explorer")
        title.setFont(font("section"))
        set_role(title, "section")
        rows.addLayout(_row(title, None, self.intensity))
        rows.addWidget(self.refusal)
        rows.addLayout(_row(self.ceiling, self.boundary))
        rows.addLayout(_row(self.chip, None))
        self._machine = QLabel()
        self._machine.setFont(font("caption"))
        set_role(self._machine, "caption")
        rows.addWidget(self.distance)
        rows.addWidget(self.model)
        column = QVBoxLayout()
        column.setSpacing(0)
        for row in self.figures.values():
            column.addWidget(row)
        rows.addLayout(column)
        self._others = QVBoxLayout()
        self._others.setSpacing(0)
        self._others.addWidget(self._machine)
        rows.addLayout(self._others)

    # What it shows

    def set_reading(self, reading: ProbeReading) -> None:
        """Show the figures of a probe."""
        main = reading.main
        self.intensity.set_value(main.intensity)
        self.ceiling.set_options(reading.ceilings)
        self.ceiling.set_value(main.ceiling_id)
        self.boundary.set_options(reading.boundaries)
        self.boundary.set_value(main.boundary_id)
        self.chip.set_content(f"{main.bound} at {main.binding}", main.bound)
        self.distance.setText(distance_words(main.ridge_ratio))
        self.model.setVisible(main.is_model)
        values = (
            format_quantity(main.ridge_intensity, UNIT),
            format_quantity(main.attainable_flop_per_s, "FLOP/s"),
            percent(main.fraction_of_peak),
            format_quantity(main.tera_time_s, "s"),
            format_quantity(main.bytes_per_flop, "B"),
        )
        for row, value in zip(self.figures.values(), values, strict=True):
            row.set_value(value)
        self._show_others(reading.others)

    def _show_others(self, others: tuple[Probe | Absent, ...]) -> None:
        while len(self.others) > len(others):
            row = self.others.pop()
            row.hide()
            row.deleteLater()
        while len(self.others) < len(others):
            self.others.append(KeyValueRow(""))
            self._others.addWidget(self.others[-1])
            self.others[-1].show()
        self._machine.setText("The other machines here")
        self._machine.setVisible(bool(others))
        for row, one in zip(self.others, others, strict=True):
            if isinstance(one, Probe):
                row.set_label(one.name)
                row.set_value(f"{format_quantity(one.attainable_flop_per_s, 'FLOP/s')}, {one.bound}")
            else:
                row.set_label(one.name)
                row.set_value(one.reason, "muted")
        if self.height() != self.sizeHint().height():
            self.adjustSize()

    def _on_intensity_message_changed(self, message: str) -> None:
        self.refusal.setText(message)
        self.refusal.setVisible(bool(message))
        self.adjustSize()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(pen("border"))
        painter.setBrush(ink("raised"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8.0, 8.0)
        painter.end()

    # Moving it

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._grabbed_at = event.position().toPoint()
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._grabbed_at is not None:
            self.was_moved = True
            self.move_within(self.pos() + event.position().toPoint() - self._grabbed_at)
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._grabbed_at = None
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        event.accept()  # else the canvas would fit

    def move_within(self, at: QPoint) -> None:
        """Move to a place, as far as the canvas reaches."""
        canvas = self.parentWidget()
        if canvas is None:
            return
        room = canvas.rect()
        x = max(0, min(at.x(), room.width() - self.width()))
        y = max(0, min(at.y(), room.height() - self.height()))
        self.move(x, y)


def _row(*widgets: QWidget | None) -> QHBoxLayout:
    """Return widgets side by side; None stretches."""
    row = QHBoxLayout()
    row.setSpacing(6)
    for widget in widgets:
        if widget is None:
            row.addStretch(1)
        else:
            row.addWidget(widget)
    return row


def _read(text: str) -> Any:
    value = parse_quantity(text, UNIT)
    if not LOWEST_INTENSITY <= value <= HIGHEST_INTENSITY:
        raise QuantityError(
            f"{text.strip()}: an intensity lies above 0, up to {HIGHEST_INTENSITY:g} FLOP/byte."
        )
    return value
