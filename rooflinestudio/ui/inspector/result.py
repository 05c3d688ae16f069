"""What a placed row comes to: readouts, bound, all policies, formula, boundaries, verdict, notes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from rooflinestudio.core.energy import energy_of
from rooflinestudio.core.judged import judged_in_short, judged_words
from rooflinestudio.core.quantities import format_quantity
from rooflinestudio.core.readout import Readout
from rooflinestudio.ui.inspector.command import command_of
from rooflinestudio.ui.inspector.details import DetailList
from rooflinestudio.ui.inspector.facts import (
    boundary_rows,
    operator_formulas,
    policy_rows,
    readout,
    result_formulas,
)
from rooflinestudio.ui.inspector.formula import FormulaBlock
from rooflinestudio.ui.inspector.levers_panel import LeversPanel
from rooflinestudio.ui.inspector.notes import notes_of
from rooflinestudio.ui.inspector.others import OtherMachines
from rooflinestudio.ui.inspector.parts import PartsPanel
from rooflinestudio.ui.inspector.tables import boundary_table, policy_table
from rooflinestudio.ui.widgets.chip import Chip
from rooflinestudio.ui.widgets.eliding import ElidingLabel
from rooflinestudio.ui.widgets.key_value import KeyValueRow
from rooflinestudio.ui.widgets.link_button import LinkButton
from rooflinestudio.ui.widgets.note_box import NoteBox, VerdictBox
from rooflinestudio.ui.widgets.readouts import INSPECTOR, Readouts
from rooflinestudio.ui.widgets.words import (
    boundary_word,
    bytes_text,
    intensity_text,
    percent_text,
    time_text,
    whole_words,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.operators import Operator
    from rooflinestudio.core.placement import Placement
    from rooflinestudio.core.placing import PlacedRow
    from rooflinestudio.ui.inspector.surroundings import Surroundings

__all__ = ["ResultPanel"]

_REST_MS: Final = 40
_READOUT_SHARES: Final = (0.32, 0.375, 0.305)
"""Width of time, rate and fraction of peak: fixed, so that nothing moves sideways while a slider does."""


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
        self._around: Surroundings | None = None
        self._key: object = None
        self._held = False
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.timeout.connect(self._show_rest)
        self.heading = ElidingLabel(role="section", token="text2")
        self.settings = ElidingLabel(role="label", token="muted", align=Qt.AlignmentFlag.AlignRight)
        self.readouts = Readouts(INSPECTOR, shares=_READOUT_SHARES)
        self.chip = Chip()
        self.work = KeyValueRow("work  W")
        self.traffic = KeyValueRow("traffic  Q")
        self.intensity = KeyValueRow("intensity  I")
        self.judged = KeyValueRow("judged against")
        self.energy = KeyValueRow("energy, at rated power")
        self.limits = [KeyValueRow("") for _ in range(5)]
        self.details = DetailList()
        self.parts = PartsPanel()
        self.policies, self.policy_model = policy_table()
        self.formulas = FormulaBlock()
        self.boundaries, self.boundary_model = boundary_table()
        self.verdict = VerdictBox()
        self.notes = NoteBox()
        self.levers = LeversPanel()
        self.others = OtherMachines()
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
        for row in (self.work, self.traffic, self.intensity, self.judged, *self.limits, self.energy):
            layout.addWidget(row)
        layout.addWidget(self.details)
        layout.addWidget(self.parts)
        layout.addSpacing(2)
        layout.addWidget(self.policies)
        layout.addSpacing(4)
        layout.addWidget(self.formulas)
        layout.addSpacing(2)
        layout.addWidget(self.boundaries)
        layout.addSpacing(4)
        layout.addWidget(self.notes)
        layout.addWidget(self.levers)
        layout.addWidget(self.others)
        layout.addWidget(self.copy, 0, Qt.AlignmentFlag.AlignLeft)

    def set_surroundings(self, around: Surroundings | None) -> None:
        """Take the study around the entry, and the source of operators and machines."""
        self._around = around
        self.levers.set_surroundings(around)

    def set_held(self, held: bool) -> None:
        """Know that something is dragged: what takes long then waits."""
        self._held = held
        self.levers.set_held(held)

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
        self.judged.set_value(judged_in_short(placement))
        self.judged.setToolTip(judged_words(placement))
        self._show_limits(placement)
        self._show_energy(placement)
        self.verdict.set_text(placement.verdict)
        self.parts.show_placement(placement, self._around.source if self._around is not None else None)
        self.levers.show_row(row)
        self.others.show_rows(others)
        other = row.key != self._key
        self._key = row.key
        if other or not (self._held or placement.parts):
            self._show_rest()
        elif not self._rest.isActive():
            self._rest.start(_REST_MS)

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
        rate = Readout("attainable", *readout(placement.attainable_flop_per_s, "FLOP/s", digits=3))
        if placement.work_flop == 0:
            rate = Readout("bandwidth", *readout(placement.traffic_bytes / placement.time_s, "B/s", digits=3))
        share = Readout(f"of {peak} peak", fraction.removesuffix("%"), "%")
        self.readouts.set_readouts((Readout("time", *readout(placement.time_s, "s")), rate, share))
        self.chip.set_content(whole_words(placement), placement.bound)

    def _show_rest(self) -> None:
        """Show what needs the kernel placed once more; while one drags, or of a composite, once for many steps."""
        self._rest.stop()
        row = self._row
        if row is None or row.placement is None:
            return
        placement = row.placement
        self.policy_model.set_rows(policy_rows(row))
        self.boundary_model.set_rows(boundary_rows(row))
        counts = partial(operator_formulas, placement) if placement.estimate.formulas is not None else None
        self.formulas.set_formulas(result_formulas(placement), counts)
        self.notes.set_notes(notes_of(row))
        ask = getattr(self._around.source if self._around is not None else None, "details", None)
        self.details.show_details(
            ask(placement) if ask is not None else {}
        )  # a source without plugins has none

    def _show_limits(self, placement: Placement) -> None:
        judged = list(_limit_words(placement))
        for at, row in enumerate(self.limits):
            row.setVisible(at < len(judged))
            if at < len(judged):
                row.set_label(judged[at][0])
                row.set_value(judged[at][1])

    def _show_energy(self, placement: Placement) -> None:
        energy = energy_of(placement)
        self.energy.setVisible(energy is not None)
        if energy is not None:
            self.energy.set_value(format_quantity(energy.energy_j, "J"))
            power = f"{format_quantity(energy.power.value, 'W')} {energy.power.provenance}"
            self.energy.setToolTip(
                f"{power}, times the time: an estimate. Kernels that wait draw less; runs take longer than the bound."
            )

    def _on_policies_row_chosen(self, row: int) -> None:
        self.policyChosen.emit(self.policy_model.rows[row].policy)

    def _on_boundaries_row_chosen(self, row: int) -> None:
        self.boundaryChosen.emit(self.boundary_model.rows[row].id)


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
