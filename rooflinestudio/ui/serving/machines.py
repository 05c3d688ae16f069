"""Prefill and decoding on one machine or on two: choices, figures, and what a million tokens cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from rooflinestudio.ui.serving.fields import Captioned, count_edit, price_edit, text_edit
from rooflinestudio.ui.serving.machine_lines import machine_lines
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.choice import Choice
from rooflinestudio.ui.widgets.eliding import ElidingLabel
from rooflinestudio.ui.widgets.key_value import KeyValueRow
from rooflinestudio.ui.widgets.note_box import wrapped_label

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from rooflinestudio.core.serving.view import ServingPicture

__all__ = ["MachinesPage"]

_ROWS = 10
_WIDE_PX, _LEAST_PX = 720, 320


class MachinesPage(QWidget):
    """What serving asks for, and what it gives.

    Signals
    -------
    changed
        A text for the undo list, and the settings that change.
    pairRequested
        Prefill and decoding shall be placed.
    """

    changed = Signal(str, object)
    pairRequested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, "surface")
        self._shown: ServingPicture | None = None
        self._make_controls()
        self.heading = ElidingLabel("Prefill and decoding", role="section", token="text")
        self.hint = ElidingLabel("", role="caption", token="muted")
        self.rows = [KeyValueRow("") for _ in range(_ROWS)]
        self.problem = wrapped_label("warn")
        self.place_button = QPushButton("Place both on the canvas")
        self.place_button.setObjectName("serving.place_pair")
        self.place_button.setToolTip("Place the prefill and the decoding as two linked points")
        self.place_button.clicked.connect(self.pairRequested)
        self._lay_out()

    def _make_controls(self) -> None:
        self.prefill_on, self.decode_on = Choice(), Choice()
        for choice, name, key in (
            (self.prefill_on, "Prompts on", "prefill_on"), (self.decode_on, "Tokens on", "decode_on"),
        ):  # fmt: skip
            choice.setAccessibleName(name)
            choice.setObjectName(f"serving.{key}")
            choice.setMinimumWidth(92)
            choice.setMaximumWidth(168)
        self.prefill_on.chosen.connect(
            lambda id_: self.changed.emit("Choose the machine for prompts", {"prefill_on": id_})
        )
        self.decode_on.chosen.connect(
            lambda id_: self.changed.emit("Choose the machine for tokens", {"decode_on": id_})
        )
        self.prompt = count_edit("Prompt, tokens", "serving.prompt_tokens")
        self.output = count_edit("Answer, tokens", "serving.output_tokens")
        self.together = count_edit("Prompts together", "serving.prefill_batch")
        for edit, key, text in (
            (self.prompt, "prompt_tokens", "Set the prompt"), (self.output, "output_tokens", "Set the answer"),
            (self.together, "prefill_batch", "Set the prompts together"),
        ):  # fmt: skip
            edit.valueCommitted.connect(
                lambda value, key=key, text=text: self.changed.emit(text, {key: value})
            )
        self.prefill_price = price_edit("Price per hour, prompts", "serving.prefill_price")
        self.decode_price = price_edit("Price per hour, tokens", "serving.decode_price")
        self.currency = text_edit("Currency", "serving.currency")
        self.prefill_price.valueCommitted.connect(lambda value: self._on_price_committed(value, prefill=True))
        self.decode_price.valueCommitted.connect(lambda value: self._on_price_committed(value, prefill=False))
        self.currency.valueCommitted.connect(
            lambda value: self.changed.emit("Set the currency", {"currency": value or None})
        )

    def _lay_out(self) -> None:
        controls = QGridLayout()
        controls.setHorizontalSpacing(20)
        controls.setVerticalSpacing(4)
        self.decode_price_row = Captioned("Price per hour", self.decode_price)
        columns = (
            (Captioned("Prompts on", self.prefill_on), Captioned("Price per hour", self.prefill_price)),
            (Captioned("Tokens on", self.decode_on), self.decode_price_row),
            (Captioned("Prompt tokens", self.prompt), Captioned("Answer tokens", self.output)),
            (Captioned("Read together", self.together), Captioned("Currency", self.currency)),
        )
        self._cells, self._controls, self._figures = columns, controls, QGridLayout()
        figures = self._figures
        figures.setHorizontalSpacing(28)
        figures.setVerticalSpacing(2)
        head = QHBoxLayout()
        head.setSpacing(10)
        head.addWidget(self.heading)
        head.addWidget(self.hint, 1)
        head.addWidget(self.place_button, 0, Qt.AlignmentFlag.AlignRight)
        column_layout = QVBoxLayout(self)
        column_layout.setContentsMargins(16, 6, 16, 8)
        column_layout.setSpacing(6)
        column_layout.addLayout(head)
        column_layout.addLayout(controls)
        column_layout.addWidget(self.problem)
        column_layout.addLayout(figures)
        column_layout.addStretch(1)
        self._arrange(wide=True)

    def _arrange(self, *, wide: bool) -> None:
        """Put the controls in four columns, or in two; so the figures in two, or in one."""
        self._wide = wide
        for at, cells in enumerate(self._cells):
            for row, cell in enumerate(cells):
                line, column = (row, at) if wide else (row + 2 * (at // 2), at % 2)
                self._controls.addWidget(cell, line, column)
        for column in range(4):
            self._controls.setColumnStretch(column, int(wide or column < 2))
        half = (_ROWS + 1) // 2 if wide else _ROWS
        for at, one in enumerate(self.rows):
            self._figures.addWidget(one, at % half, at // half)
        self.hint.setVisible(wide)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = self.width() >= _WIDE_PX
        if wide is not self._wide:
            self._arrange(wide=wide)

    def minimumSizeHint(self) -> QSize:
        return QSize(_LEAST_PX, self.sizeHint().height())

    def set_picture(self, shown: ServingPicture) -> None:
        """Show the settings and figures of a picture."""
        self._shown = shown
        panel, profiles = shown.panel, shown.placed.profiles
        ids = dict.fromkeys(
            (*shown.placed.study.view.machines, *shown.placed.study.profiles, shown.row.machine)
        )
        options = [(id_, profiles[id_].short_name) for id_ in ids if id_ in profiles]
        for choice, machine in ((self.prefill_on, shown.prefill_on), (self.decode_on, shown.decode_on)):
            choice.set_options(options)
            choice.updateGeometry()  # its hint comes from what is offered
            choice.set_value(machine.id if machine is not None else "")
        self.prompt.set_value(shown.request.context)
        self.output.set_value(panel.output_tokens)
        self.together.set_value(panel.prefill_batch)
        self.prefill_price.set_value(self._price(shown.prefill_on))
        self.decode_price.set_value(self._price(shown.decode_on))
        self.decode_price.setEnabled(not shown.on_one)
        self.currency.set_value(panel.currency)
        self.hint.set_text(
            "one machine does both in turn"
            if shown.on_one
            else "each machine does one, keys and values cross over"
        )
        self._show_figures(shown)

    def _show_figures(self, shown: ServingPicture) -> None:
        lines = machine_lines(shown)
        refused = isinstance(lines, str)
        self.problem.setText(lines if isinstance(lines, str) else "")
        self.problem.setVisible(refused)
        self.place_button.setEnabled(not refused)
        texts = () if isinstance(lines, str) else lines
        for at, row in enumerate(self.rows):
            row.setVisible(at < len(texts))
            if at < len(texts):
                row.set_label(texts[at][0])
                row.set_value(texts[at][1], texts[at][2])
                row.setToolTip(texts[at][3])

    def _price(self, machine: Any) -> float | None:
        return (
            self._shown.panel.price_per_hour.get(machine.id) if self._shown and machine is not None else None
        )

    def _on_price_committed(self, value: float | None, *, prefill: bool) -> None:
        shown = self._shown
        machine = None if shown is None else shown.prefill_on if prefill else shown.decode_on
        if shown is None or machine is None:
            return
        prices = {id_: price for id_, price in shown.panel.price_per_hour.items() if id_ != machine.id}
        if value is not None:
            prices[machine.id] = value
        self.changed.emit(f"Set the price of {machine.short_name}", {"price_per_hour": prices or None})
