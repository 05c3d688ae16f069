"""The dialog "Ceilings from a file": what would be taken for which ceiling, and the machine that it makes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QDialog, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from rooflinestudio.core.ceilings.alone import bare_profile, can_stand_alone
from rooflinestudio.core.ceilings.applying import apply_ceilings, effect_of
from rooflinestudio.core.ceilings.cleaning import clean_machine
from rooflinestudio.core.ceilings.clocks import scaled_figures
from rooflinestudio.core.ceilings.proposal import Choices, propose
from rooflinestudio.core.ceilings.sheet import about_line, heading_of
from rooflinestudio.core.ceilings.words import clock_text
from rooflinestudio.ui.ceilings.foot import EDGE_PX, Foot
from rooflinestudio.ui.ceilings.head import ALONE, CeilingsHead
from rooflinestudio.ui.ceilings.table import CeilingsTable
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.empty import EmptyState
from rooflinestudio.ui.widgets.ink import repaint_all
from rooflinestudio.ui.widgets.note_box import ReasonBox
from rooflinestudio.ui.widgets.segmented import SegmentedControl

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rooflinestudio.core.ceilings.matching import ProfileMatch
    from rooflinestudio.core.ceilings.proposal import CeilingRow
    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.measured.ceilings import MeasuredMachine
    from rooflinestudio.ui.ceilings.known import KnownMachines

__all__ = ["CeilingsDialog"]


_READING = "Reading the machine…"
_UNCHOSEN = "Choose the machine that these ceilings belong to."


class CeilingsDialog(QDialog):
    """Readings of a file against a profile, to be taken or left.

    Parameters
    ----------
    name
        Of the file.
    machines
        What it carries, at least one.
    known
        The machines that it can belong to.

    Signals
    -------
    profileRequested
        A profile to put into the study, and whether its machine is to be shown; the dialog closes with it.
    """

    profileRequested = Signal(object, bool)

    def __init__(
        self,
        name: str,
        machines: Sequence[MeasuredMachine],
        known: KnownMachines,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(f"Ceilings from {name}")
        self.setObjectName("ceilings_dialog")
        self.setMinimumSize(720, 440)
        self._machines, self._known = tuple(map(clean_machine, machines)), known
        self._at = 0
        self._match: ProfileMatch | None = None
        self._wanted = ""
        self._choices = Choices()
        self.profile: HardwareProfile | None = None
        self.proposal = propose(self._machines[0], None)
        self.head = CeilingsHead(name, self._machines)
        self.run = SegmentedControl(
            (("best", "Best run"), ("median", "Median")), "Which run counts", compact=True
        )
        self.run.set_value("best")
        self.table, self.about = CeilingsTable(), ReasonBox()
        self.empty = EmptyState(
            "No ceilings in this file", "It says at which clock it ran; the machine can be scaled to that."
        )
        self.use_box = QCheckBox("Judge by the measured figures")
        self.scale_box = QCheckBox()
        self.foot = Foot(writes=True)
        self._lay_out()
        self._connect()
        self._show_device(0)
        (self.table if self.proposal.rows else self.head.machine).setFocus()
        self.resize(960, min(max(380 + self.table.wanted_height, 480), 720))

    def _lay_out(self) -> None:
        self.use_box.setToolTip("Else they stand beside the published figures, and those stay in use.")
        self.scale_box.setToolTip(
            "Pipes, registers, shared memory, L1 and L2 work by the cycle; memory and links do not."
        )
        options = QHBoxLayout()
        options.setSpacing(20)
        options.addWidget(self.use_box)
        options.addWidget(self.scale_box)
        options.addStretch(1)
        self.run_label = QLabel("Which run counts")
        set_role(self.run_label, "label")
        options.addWidget(self.run_label)
        options.addWidget(self.run)
        column = QVBoxLayout()
        column.setContentsMargins(EDGE_PX, 16, EDGE_PX, 14)
        column.setSpacing(12)
        column.addWidget(self.head)
        column.addWidget(self.table, 1)
        column.addWidget(self.empty, 1)
        column.addWidget(self.about)
        column.addLayout(options)
        body = QWidget()
        set_role(body, "surface")
        body.setLayout(column)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(body, 1)
        whole.addWidget(self.foot)

    def _connect(self) -> None:
        self.head.deviceChosen.connect(self._show_device)
        self.head.machineChosen.connect(self._choose_machine)
        self.run.chosen.connect(self._on_run_chosen)
        self.table.tickRequested.connect(self._on_table_tick_requested)
        self.table.targetRequested.connect(self._on_table_target_requested)
        self.table.selectionModel().currentRowChanged.connect(lambda _new, _old: self._show_about())
        self.use_box.setChecked(True)
        self.use_box.toggled.connect(self._show_outcome)
        self.scale_box.toggled.connect(self._show_outcome)
        self.foot.cancel_button.clicked.connect(self.reject)
        self.foot.write_button.clicked.connect(self._on_write_button_clicked)
        self.foot.show_button.clicked.connect(self._on_show_button_clicked)

    def refresh_theme(self, _theme: object = None) -> None:
        """Take the colours of the theme now worn."""
        self.about.refresh_theme()
        repaint_all(self)

    def done(self, result: int) -> None:
        self._wanted = ""  # a profile that is still being read comes too late
        super().done(result)

    # What it shows ------------------------------------------------------------------------------------------------

    @property
    def machine(self) -> MeasuredMachine:
        """The device of the file that is looked at."""
        return self._machines[self._at]

    def _show_device(self, number: int) -> None:
        self._at = number
        best = self._known.best(self.machine)
        self.head.device.set_value(str(number))
        alone = can_stand_alone(self.machine)
        self.head.set_options(self._known.options(self.machine), alone=alone)
        clock = self.machine.clocks.get("sm")
        self.scale_box.setVisible(clock is not None)
        if clock is not None:
            others = "other ceilings" if self.machine.ceilings or self.machine.boundaries else "ceilings"
            self.scale_box.setText(f"Scale the {others} to {clock_text(clock)}")
            self.scale_box.setChecked(True)
        self._choose_machine(best.id if best is not None else "")

    def _choose_machine(self, id_: str) -> None:
        self._wanted, self.profile = id_, None
        self._choices = Choices(self._choices.run)  # what was asked about, was asked of another profile
        self._match = next((one for one in self._known.matches(self.machine) if one.id == id_), None)
        self.head.show_match(self.machine, self._match, id_)
        if id_ == ALONE:
            self.profile = bare_profile(self.machine)
        elif id_:
            self._known.get(id_, self._on_profile_read)
        if self.profile is None or id_ == ALONE:
            self._renew(anew=True)

    def _on_profile_read(self, profile: HardwareProfile) -> None:
        if profile.id == self._wanted:  # and not one that was chosen before
            self.profile = profile
            self._renew(anew=True)

    def _renew(self, *, anew: bool = False) -> None:
        """Show everything again; ``anew`` begins at the row that is asked about."""
        differs = self._match.differs if self._match is not None else ""
        self.proposal = propose(self.machine, self.profile, self._choices, differs=differs)
        self.head.tool.set_text(heading_of(self.proposal))
        self.table.set_proposal(self.proposal)
        has_rows = bool(self.proposal.rows)
        self.table.setVisible(has_rows)
        self.empty.setVisible(not has_rows)
        for part in (self.run, self.run_label):
            part.setVisible(self.proposal.has_medians)
        self.use_box.setVisible(has_rows)
        if anew and has_rows:
            asked = self.proposal.questioned
            self.table.choose_row(self.proposal.rows.index(asked[0]) if asked else 0)
        self._show_about()
        self._show_outcome()

    def _show_about(self) -> None:
        row = self.table.chosen_row()
        number = self.table.number_at(row) if row >= 0 else -1
        heading, text, tone = about_line(self.proposal, number)
        self.about.setVisible(bool(heading))
        self.about.set_reason(heading, text, tone=tone)

    def _show_outcome(self) -> None:
        takes = self.profile is not None and bool(self.proposal.taken)
        is_alone = self._wanted == ALONE
        has_roof = {"ceiling", "dram"} <= {
            one for row in self.proposal.taken for one in (row.kind, row.target)
        }
        self.foot.write_button.setEnabled(takes and not is_alone)
        self.foot.show_button.setEnabled((takes or self._scales()) and (has_roof or not is_alone))
        self.foot.say(*self._outcome())

    def _scales(self) -> bool:
        """Whether scaling to the clock of the file is wanted, and changes anything."""
        clock = self.machine.clocks.get("sm")
        if self.profile is None or clock is None or not self.scale_box.isChecked():
            return False
        return bool(scaled_figures(self.profile, clock))

    def _outcome(self) -> tuple[str, str]:
        """Return the name of the machine of its own, and what is said of it."""
        if self.profile is None:
            return "", _READING if self._wanted else _UNCHOSEN
        if not self.proposal.taken and not self._scales():
            return "", "Nothing is taken."
        own = effect_of(self.proposal, as_new=True, in_use=self.use_box.isChecked(), scale=self._scales())
        return (own.profile.name, own.words) if own is not None else ("", "")

    # What the user does -------------------------------------------------------------------------------------------

    def _row(self, number: int) -> CeilingRow:
        return next(row for row in self.proposal.rows if row.number == number)

    def _on_run_chosen(self, run: str) -> None:
        self._choices = Choices(
            "median" if run == "median" else "best", self._choices.targets, self._choices.taken
        )
        self._renew()

    def _on_table_tick_requested(self, number: int, taken: bool) -> None:
        self._choices = self._choices.with_taken(self._row(number), taken=taken)
        self._renew()

    def _on_table_target_requested(self, number: int, target: str) -> None:
        self._choices = self._choices.with_target(number, target)
        self._renew()

    def _on_write_button_clicked(self) -> None:
        self._finish(as_new=False)

    def _on_show_button_clicked(self) -> None:
        self._finish(as_new=True)

    def _finish(self, *, as_new: bool) -> None:
        profile = apply_ceilings(
            self.proposal,
            as_new=as_new,
            in_use=self.use_box.isChecked(),
            scale=self._scales(),
            taken=self._known.present,
        )
        self.accept()
        self.profileRequested.emit(profile, True)
