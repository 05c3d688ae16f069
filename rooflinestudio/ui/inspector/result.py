"""What a placed row comes to: readouts, bound, all policies, formula, boundaries, verdict, notes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from rooflinestudio.core.quantities import format_quantity
from rooflinestudio.ui.inspector.command import command_of
from rooflinestudio.ui.inspector.facts import (
    boundary_rows,
    operator_formulas,
    policy_rows,
    readout,
    result_formulas,
)
from rooflinestudio.ui.inspector.formula import FormulaBlock
from rooflinestudio.ui.inspector.notes import notes_of
from rooflinestudio.ui.inspector.readouts import Readouts
from rooflinestudio.ui.inspector.tables import boundary_table, policy_table
from rooflinestudio.ui.widgets.chip import Chip
from rooflinestudio.ui.widgets.eliding import ElidingLabel
from rooflinestudio.ui.widgets.key_value import KeyValueRow
from rooflinestudio.ui.widgets.link_button import LinkButton
from rooflinestudio.ui.widgets.note_box import NoteBox, VerdictBox
from rooflinestudio.ui.widgets.words import (
    bound_words,
    boundary_word,
    bytes_text,
    intensity_text,
    percent_text,
    time_text,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.operators import Operator
    from rooflinestudio.core.placement import Placement
    from rooflinestudio.core.placing import PlacedRow

__all__ = ["ResultPanel"]


class ResultPanel(QWidget):
    """Filled in place; a slider step builds nothing.

    Signals
    -------
    policyChosen, boundaryChosen
        Id that was chosen in one of the tables.
    machineChosen
        Id of another machine of the entry.
    commandCopied
        The command line that lies on the clipboard now.
    """

    policyChosen = Signal(str)
    boundaryChosen = Signal(str)
    machineChosen = Signal(str)
    commandCopied = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row: PlacedRow | None = None
        self._operator: Operator | None = None
        self.heading = ElidingLabel(role="section", token="text2")
        self.settings = ElidingLabel(role="label", token="muted", align=Qt.AlignmentFlag.AlignRight)
        self.readouts = Readouts()
        self.chip = Chip()
        self.work = KeyValueRow("work  W")
        self.traffic = KeyValueRow("traffic  Q")
        self.intensity = KeyValueRow("intensity  I")
        self.limits = [KeyValueRow("") for _ in range(5)]
        self.policies, self.policy_model = policy_table()
        self.formulas = FormulaBlock()
        self.boundaries, self.boundary_model = boundary_table()
        self.verdict = VerdictBox()
        self.notes = NoteBox()
        self.others = _OtherMachines()
        self.copy = LinkButton("Copy as command", "copy")
        self.copy.setObjectName("result.copy")
        self._lay_out()
        self.policies.rowChosen.connect(self._on_policies_row_chosen)
        self.boundaries.rowChosen.connect(self._on_boundaries_row_chosen)
        self.others.machineChosen.connect(self.machineChosen)
        self.copy.clicked.connect(self.copy_command)

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.heading)
        head.addWidget(self.settings, 1)
        layout.addLayout(head)
        layout.addWidget(self.readouts)
        layout.addLayout(_line(ElidingLabel("bound", role="label", token="text2"), self.chip))
        # The verdict stands high up: it is what one watches while a slider moves.
        layout.addWidget(self.verdict)
        layout.addSpacing(2)
        for row in (self.work, self.traffic, self.intensity, *self.limits):
            layout.addWidget(row)
        layout.addSpacing(2)
        layout.addWidget(self.policies)
        layout.addSpacing(4)
        layout.addWidget(self.formulas)
        layout.addSpacing(2)
        layout.addWidget(self.boundaries)
        layout.addSpacing(4)
        layout.addWidget(self.notes)
        layout.addWidget(self.others)
        layout.addWidget(self.copy, 0, Qt.AlignmentFlag.AlignLeft)

    def show_row(self, operator: Operator | None, row: PlacedRow, others: tuple[PlacedRow, ...]) -> None:
        """Show a placed row, and the times of the same entry on other machines."""
        placement = row.placement
        if placement is None:
            return
        self._row, self._operator = row, operator
        self._show_head(row, placement)
        self.work.set_value(format_quantity(float(placement.work_flop), "FLOP", digits=4))
        crossed = placement.at(placement.boundary_id).crosses
        self.traffic.set_label("traffic  Q" if crossed else "traffic  Q, if it crossed")
        self.traffic.set_value(bytes_text(placement.traffic_bytes), "text" if crossed else "muted")
        self.intensity.set_value(
            f"{intensity_text(placement.intensity)} FLOP/byte", "text" if crossed else "muted"
        )
        self._show_limits(placement)
        self.policy_model.set_rows(policy_rows(row))
        self.boundary_model.set_rows(boundary_rows(row))
        counts = partial(operator_formulas, placement) if placement.estimate.formulas is not None else None
        self.formulas.set_formulas(result_formulas(placement), counts)
        self.verdict.set_text(placement.verdict)
        self.notes.set_notes(notes_of(row))
        self.others.show_rows(others)

    def copy_command(self) -> None:
        """Put the command line that gives these figures on the clipboard."""
        if self._row is not None:
            command = command_of(self._row, self._operator)
            QGuiApplication.clipboard().setText(command)
            self.commandCopied.emit(command)

    def refresh_theme(self) -> None:
        """Take the colours of the theme now worn."""
        self.notes.refresh_theme()

    def _show_head(self, row: PlacedRow, placement: Placement) -> None:
        profile = placement.profile
        self.heading.set_text(f"Result on {profile.short_name}")
        model = ", forecast" if placement.settings.forecast else ""
        where = boundary_word(profile, row.settings.boundary or placement.boundary_id)
        self.settings.set_text(f"at {where}, {placement.settings.policy}{model}")
        fraction = percent_text(placement.fraction_of_peak)
        peak = placement.ceiling_id.removesuffix("-tensor")
        # Without arithmetic the rate says nothing: then the bytes per second stand there.
        rate = ("attainable", *readout(placement.attainable_flop_per_s, "FLOP/s", digits=3))
        if placement.work_flop == 0:
            rate = ("bandwidth", *readout(placement.traffic_bytes / placement.time_s, "B/s", digits=3))
        self.readouts.set_items(
            ("time", *readout(placement.time_s, "s")),
            rate,
            (f"of {peak} peak", fraction.removesuffix("%"), "%"),
        )
        self.chip.set_content(bound_words(placement), placement.bound)

    def _show_limits(self, placement: Placement) -> None:
        judged = list(_limit_words(placement))
        for at, row in enumerate(self.limits):
            row.setVisible(at < len(judged))
            if at < len(judged):
                row.set_label(judged[at][0])
                row.set_value(judged[at][1])

    def _on_policies_row_chosen(self, row: int) -> None:
        self.policyChosen.emit(self.policy_model.rows[row].policy)

    def _on_boundaries_row_chosen(self, row: int) -> None:
        self.boundaryChosen.emit(self.boundary_model.rows[row].id)


class _OtherMachines(QWidget):
    """The same entry on the other machines: name and time, a click makes one the strong one."""

    machineChosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.buttons: list[_MachineRow] = []
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 4, 0, 0)
        self._layout.setSpacing(2)
        self._layout.addWidget(ElidingLabel("On other machines", role="section", token="text2"))
        self.hide()

    def show_rows(self, rows: tuple[PlacedRow, ...]) -> None:
        self.setVisible(bool(rows))
        while len(self.buttons) < len(rows):
            line = _MachineRow()
            line.clicked.connect(self.machineChosen)
            self.buttons.append(line)
            self._layout.addWidget(line)
        for at, line in enumerate(self.buttons):
            line.setVisible(at < len(rows))
            if at < len(rows):
                line.show_row(rows[at])


class _MachineRow(KeyValueRow):
    """A line that can be clicked."""

    clicked = Signal(str)

    def __init__(self) -> None:
        super().__init__("")
        self._machine = ""
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def show_row(self, row: PlacedRow) -> None:
        self._machine = row.machine
        self.set_label(row.profile.short_name if row.profile is not None else row.machine)
        if row.placement is None:
            self.set_value(row.state, "warn")
            self.setToolTip(row.reason)
            return
        self.set_value(time_text(row.placement.time_s))
        self.setToolTip(f"{bound_words(row.placement)}. Click to make this the strong roof.")

    def mousePressEvent(self, event: Any) -> None:
        event.accept()

    def mouseReleaseEvent(self, event: Any) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.clicked.emit(self._machine)

    def keyPressEvent(self, event: Any) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.clicked.emit(self._machine)
        else:
            super().keyPressEvent(event)


def _line(left: QWidget, right: QWidget) -> QHBoxLayout:
    line = QHBoxLayout()
    line.setContentsMargins(0, 0, 0, 0)
    line.setSpacing(8)
    line.addWidget(left, 1)
    line.addWidget(right)
    return line


def _limit_words(placement: Placement) -> Iterator[tuple[str, str]]:
    """Yield what the forecast adds, in words."""
    judged = placement.limits.judged if placement.limits is not None else {}
    if "tiles" in judged:
        yield "tiles", f"{percent_text(judged['tiles']['efficiency'])} filled"
    if "waves" in judged:
        waves = judged["waves"]
        yield "waves", f"{waves['waves']:g}, {percent_text(waves['efficiency'])} full"
    if "latency" in judged:
        yield "bandwidth by latency", format_quantity(judged["latency"]["effective_bytes_per_s"], "B/s")
    if "launch" in judged:
        launch = judged["launch"]
        yield "launches", f"{launch['launches']:g} × {time_text(launch['overhead_s'], digits=3)}"
    if placement.expected is not None:
        expected = placement.expected
        time, low, high = (
            time_text(one, digits=3) for one in (expected.time_s, expected.low_s, expected.high_s)
        )
        yield "expected", f"{time} ({low} to {high})"
