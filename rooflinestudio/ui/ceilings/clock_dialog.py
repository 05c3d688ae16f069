"""The dialog "Scale ceilings to a clock": a machine as it is at the clock that it really runs at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from rooflinestudio.core.ceilings.clocks import (
    ScaledFigure,
    scaled_figures,
    scaled_to_clock,
    scaled_to_sustained,
)
from rooflinestudio.core.ceilings.words import clock_text, label_of, rate_text
from rooflinestudio.core.errors import QuantityError
from rooflinestudio.core.quantities import format_exact, format_number, format_quantity, parse_quantity
from rooflinestudio.ui.ceilings.foot import EDGE_PX, Foot
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.cells import Cell, TextCell
from rooflinestudio.ui.widgets.eliding import ElidingLabel
from rooflinestudio.ui.widgets.ink import repaint_all
from rooflinestudio.ui.widgets.quantity_edit import QuantityEdit
from rooflinestudio.ui.widgets.row_table import RowTable
from rooflinestudio.ui.widgets.rows_model import RowsModel
from rooflinestudio.ui.widgets.text_block import Paragraph, Span, TextBlock

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rooflinestudio.core.hardware import HardwareProfile

__all__ = ["ClockDialog"]

_FIRST = ("sustained", "profiled", "base", "boost")
_WORDS = {"sustained": "held under load", "profiled": "as profiled", "tensor": "of the tensor peak"}
_HIGHEST_HZ = 1e11


class _Model(RowsModel):
    """Rates that change with the clock."""

    heads = ("Figure", "Clock now", "Now", "Then")
    hints = ("Ceiling or boundary.", "Under which it holds.", "In use.", "At the clock above.")
    numbers = (1, 2, 3)
    profile: HardwareProfile | None = None

    def key(self, row: ScaledFigure) -> object:
        return row.kind, row.id

    def cell(self, row: ScaledFigure, column: int) -> Cell:
        texts = (
            label_of(self.profile, row.kind, row.id),
            clock_text(row.from_hz),
            rate_text(row.kind, row.id, row.before),
            rate_text(row.kind, row.id, row.after),
        )
        return TextCell(texts[column], "text2" if column in (1, 2) else "text", number=column > 0)


class ClockDialog(QDialog):
    """Scales the ceilings of one machine.

    Parameters
    ----------
    clocks
        Further clocks to offer: words and hertz, such as what a measured file says.

    Signals
    -------
    profileRequested
        The machine at that clock, as a profile of its own, and that it is to be shown.
    """

    profileRequested = Signal(object, bool)

    def __init__(
        self,
        profile: HardwareProfile,
        *,
        clocks: Sequence[tuple[str, float]] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Scale ceilings to a clock")
        self.setObjectName("clock_dialog")
        self.resize(620, 560)
        self.setMinimumSize(480, 360)
        self.profile = profile
        self.clock = QuantityEdit(_read_clock, _shown_clock)
        self.clock.setObjectName("clock.edit")
        self.clock.setAccessibleName("Clock")
        known = [(name, figure.value) for name, figure in profile.clocks.items()]
        offered = [*((_WORDS.get(name, name), value) for name, value in known), *clocks]
        self.clock.set_suggestions([(_shown_clock(value), words) for words, value in offered])
        self.model = _Model(self)
        self.model.profile = profile
        self.table = RowTable("Figures that change", edge_px=12)
        self.table.setModel(self.model)
        self.table.share_width((140, 110, 130, 130), grows=(0,))
        self.message = TextBlock("label")
        self.foot = Foot()
        self._lay_out()
        first = next((profile.clocks[name].value for name in _FIRST if name in profile.clocks), None)
        self._take(clocks[0][1] if clocks and "sustained" not in profile.clocks else first)

    def _lay_out(self) -> None:
        title = ElidingLabel(f"{self.profile.name} at another clock", role="title", token="text")
        label = QLabel("Clock")
        set_role(label, "label")
        self.clock.setFixedWidth(160)
        entry = QHBoxLayout()
        entry.setSpacing(10)
        for one in (label, self.clock):
            entry.addWidget(one)
        entry.addWidget(self.message, 1)
        words = TextBlock("label")
        text = (
            "Pipes, registers, shared memory, L1 and L2 work by the cycle and scale; memory and links stay."
        )
        words.set_paragraphs(Paragraph((Span(text, "muted"),)))
        body = QWidget()
        set_role(body, "surface")
        column = QVBoxLayout(body)
        column.setContentsMargins(EDGE_PX, 16, EDGE_PX, 14)
        column.setSpacing(12)
        column.addWidget(title)
        column.addLayout(entry)
        column.addWidget(words)
        column.addWidget(self.table, 1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(body, 1)
        whole.addWidget(self.foot)
        self.clock.valueCommitted.connect(self._take)
        self.clock.messageChanged.connect(self._on_clock_message_changed)
        self.foot.cancel_button.clicked.connect(self.reject)
        self.foot.show_button.clicked.connect(self._on_show_button_clicked)

    def refresh_theme(self, _theme: object = None) -> None:
        """Take the colours of the theme now worn."""
        repaint_all(self)

    def scaled(self) -> HardwareProfile | None:
        """Return the machine at the clock that stands there; None where there is none, or nothing changes."""
        clock_hz = self.clock.value()
        if clock_hz is None or not self.model.rows:
            return None
        sustained = self.profile.clocks.get("sustained")
        if sustained is not None and sustained.value == clock_hz:
            return scaled_to_sustained(self.profile)
        return scaled_to_clock(self.profile, clock_hz)

    def _take(self, clock_hz: float | None) -> None:
        self.clock.set_value(clock_hz, force=True)
        self.model.set_rows(scaled_figures(self.profile, clock_hz) if clock_hz else ())
        made = self.scaled()
        self.foot.show_button.setEnabled(made is not None)
        self.foot.say(*_outcome(self.profile, made))

    def _on_clock_message_changed(self, message: str) -> None:
        self.message.set_paragraphs(*([Paragraph((Span(message, "error"),))] if message else []))
        self.foot.show_button.setEnabled(not message and self.scaled() is not None)

    def _on_show_button_clicked(self) -> None:
        self.clock.commit()  # what was typed a moment ago counts
        made = self.scaled()
        if made is None or self.clock.message():
            return
        self.accept()
        self.profileRequested.emit(made, True)


def _outcome(profile: HardwareProfile, made: HardwareProfile | None) -> tuple[str, str]:
    if made is None:
        return "", "Nothing changes at this clock."
    if "dram" not in profile.boundaries:
        return made.name, ""
    label = profile.ceilings[profile.reference_ceiling].label
    before, after = format_number(profile.ridge()), format_number(made.ridge())
    return made.name, f"Ridge of {label} {before} → {after} FLOP/byte."


def _read_clock(text: str) -> float:
    value = parse_quantity(text, "Hz")
    if not 1e6 <= value <= _HIGHEST_HZ:
        shown = format_quantity(value, "Hz")
        raise QuantityError(f"{shown} is no clock of a processor. Write for example 1.4 GHz.")
    return value


def _shown_clock(value: Any) -> str:
    return format_exact(float(value), "Hz")
