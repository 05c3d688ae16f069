"""The diagnosis tab: one measured kernel, six questions, where it stands, and what the gap to its prediction is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QTimer, Signal

from rooflinestudio.core.diagnosis import diagnose
from rooflinestudio.core.diagnosis.levers import tried_levers
from rooflinestudio.core.diagnosis.report import diagnosis_lines
from rooflinestudio.core.errors import StudioError
from rooflinestudio.ui.diagnosis.body import DiagnosisBody, Shown
from rooflinestudio.ui.diagnosis.choice import PANEL, chosen_kernel, machine_of, panel_of, same_kernel
from rooflinestudio.ui.diagnosis.corner import DiagnosisCorner
from rooflinestudio.ui.diagnosis.words import diagnosis_markdown
from rooflinestudio.ui.inspector.kernel import paired_entry
from rooflinestudio.ui.panel_view import PanelView
from rooflinestudio.ui.widgets.empty import EmptyState

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent, QShowEvent
    from PySide6.QtWidgets import QWidget

    from rooflinestudio.core.diagnosis import Diagnosis
    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.levers import Lever
    from rooflinestudio.core.measurement import Measurement
    from rooflinestudio.core.measurement_overlay import Overlay
    from rooflinestudio.core.placing import PlacedRow, PlacedStudy
    from rooflinestudio.core.study import Entry

__all__ = ["DiagnosisView"]

_NOTHING: Final = (
    "Nothing measured yet",
    "Import measurements (Ctrl+I), or drop a profiler's file onto the window: of each kernel in it six questions are "
    "asked, in the order in which they are cheapest to check.",
)
_WAIT_MS: Final = 120
_NO_MACHINE: Final = (
    "No machine to hold it against",
    "Choose a machine: its roofs are what a kernel is held against.",
)


class DiagnosisView(PanelView):
    """What holds a kernel, how far it is from its roof, and what to measure next.

    Signals
    -------
    absorptionRequested
        Entry, and the absorption that its measured traffic tells.
    variantRequested
        An entry (without an id) to place as a variant, and what was changed in words.
    pairChoiceRequested
        The kernel (digest and position, alone in a tuple) that is to be held against an entry.
    """

    absorptionRequested = Signal(str, float)
    variantRequested = Signal(object, str)
    pairChoiceRequested = Signal(object)
    corner: DiagnosisCorner

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(PANEL, DiagnosisCorner(), parent)
        self._kernel: tuple[Overlay, int] | None = None
        self._entry: Entry | None = None
        self._shown_for: tuple[Any, ...] = ()
        self._row: PlacedRow | None = None
        self.diagnosis: Diagnosis | None = None
        self.body = DiagnosisBody()
        self.empty = EmptyState(*_NOTHING)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.body)
        self.corner.overlayChosen.connect(self._on_corner_overlay_chosen)
        self.corner.kernelChosen.connect(self._on_corner_kernel_chosen)
        self.corner.copyMarkdownRequested.connect(self.copy_markdown)
        self.corner.copyTextRequested.connect(self.copy_text)
        self.corner.copyCommandRequested.connect(self.copy_command)
        self.body.copyRequested.connect(lambda command: self._copy(lambda: command, "Command copied"))
        self.body.leverRequested.connect(self._on_body_lever_requested)
        self.body.pairRequested.connect(self._on_body_pair_requested)
        self._trying = QTimer(self)
        self._trying.setSingleShot(True)
        self._trying.setInterval(_WAIT_MS)
        self._trying.timeout.connect(self._try_levers)
        self.body.absorptionRequested.connect(self._on_body_absorption_requested)

    # What it shows ------------------------------------------------------------------------------------------------

    def _show_study(self, placed: PlacedStudy) -> None:
        self._kernel = chosen_kernel(placed.study, self._selection)
        overlay, index = self._kernel or (None, -1)
        self.corner.show_kernel(placed.study.overlays, overlay, index)
        if overlay is None:
            self._show_nothing(_NOTHING)
            return
        measurement = overlay.measurement(index)
        profile = machine_of(placed, measurement, self._machine)
        if profile is None:
            self._show_nothing(_NO_MACHINE)
            return
        self._entry = paired_entry(placed, overlay, measurement)
        row = _row_on(placed, self._entry, profile)
        self._show(overlay, index, measurement, profile, row)

    def _show_nothing(self, texts: tuple[str, str]) -> None:
        self.diagnosis, self._entry, self._shown_for = None, None, ()
        self.empty.set_texts(*texts)
        self.corner.set_ready(False, command=False)
        self._stack.setCurrentWidget(self.empty)

    def _show(
        self,
        overlay: Overlay,
        index: int,
        measurement: Measurement,
        profile: HardwareProfile,
        row: PlacedRow | None,
    ) -> None:
        wanted = (overlay, index, profile, row, self._entry)
        if self.diagnosis is not None and _same(wanted, self._shown_for):
            return
        fresh = self._shown_for[:2] != wanted[:2]
        self._shown_for = wanted
        found, remarks = _diagnosed(measurement, profile, row, overlay)
        self.diagnosis = found
        launch = f"launch {measurement.launch} of {len(overlay)}"
        machine = f"on {profile.name}"
        where = (machine, f"{launch} {machine}", f"{launch} of {overlay.name}, held against {profile.name}")
        slot = self._entry.slot if self._entry is not None else ""
        self.body.show_shown(Shown(found, slot, *where, remarks))
        self.corner.set_ready(True, command=bool(found.command))
        self._stack.setCurrentWidget(self.body)
        self.body.questions.show_levers({})
        self._row = row
        self._trying.start()
        if fresh:
            self.body.verticalScrollBar().setValue(0)

    def _try_levers(self) -> None:
        """Offer what the model says would help; trying takes tens of milliseconds, so it waits for a rest."""
        row, placed = self._row, self._placed
        source = self._chain_source(placed) if placed is not None else None
        if (
            self.diagnosis is None
            or source is None
            or row is None
            or row.machine != self.diagnosis.profile.id
        ):
            return
        try:
            self.body.questions.show_levers(tried_levers(self.diagnosis, row, source))
        except StudioError:
            self.body.questions.show_levers({})

    # What the user does -------------------------------------------------------------------------------------------

    def copy_markdown(self) -> None:
        """Put all of the diagnosis on the clipboard in Markdown."""
        self._copy(
            lambda: diagnosis_markdown(self.diagnosis) if self.diagnosis else "",
            "Diagnosis copied as Markdown",
        )

    def copy_text(self) -> None:
        """Put all of the diagnosis on the clipboard, as the command line prints it."""
        self._copy(
            lambda: "\n".join(diagnosis_lines(self.diagnosis)) + "\n" if self.diagnosis else "",
            "Diagnosis copied as text",
        )

    def copy_command(self) -> None:
        """Put the command on the clipboard that collects all that is missing."""
        self._copy(lambda: self.diagnosis.command if self.diagnosis else "", "Command copied")

    def _choose(self, text: str, overlay: Overlay, index: int) -> None:
        self.panelRequested.emit(text, PANEL, panel_of(overlay, index), False)
        self.selectRequested.emit(("measured", overlay.digest, index))

    def _on_corner_kernel_chosen(self, index: int) -> None:
        if self._kernel is not None:
            self._choose("Diagnose another kernel", self._kernel[0], index)

    def _on_corner_overlay_chosen(self, digest: str) -> None:
        overlays = self._placed.study.overlays if self._placed is not None else ()
        overlay = next((one for one in overlays if one.digest == digest), None)
        if overlay is not None and self._kernel is not None:
            name = self._kernel[0].measurement(self._kernel[1]).kernel
            self._choose("Diagnose a kernel of another file", overlay, same_kernel(overlay, name))

    def _on_body_absorption_requested(self, value: float) -> None:
        if self._entry is not None:
            self.absorptionRequested.emit(self._entry.id, value)

    def _on_body_lever_requested(self, lever: Lever) -> None:
        if self._entry is not None:
            made = lever.entry(self._entry, "")
            words = f"{lever.words[:1].lower()}{lever.words[1:]}"
            label = f"{self._entry.label or self._entry.operator}: {words}"
            self.variantRequested.emit(replace(made, label=label), lever.words)

    def _on_body_pair_requested(self) -> None:
        if self._kernel is not None:
            overlay, index = self._kernel
            self.pairChoiceRequested.emit(((overlay.digest, index),))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.body.arrange(self.width(), self.height())

    def showEvent(self, event: QShowEvent) -> None:
        self.body.arrange(self.width(), self.height())
        super().showEvent(event)


def _same(wanted: tuple[Any, ...], before: tuple[Any, ...]) -> bool:
    """Whether nothing has changed that a diagnosis rests on; whatever is placed anew is another object."""
    if len(wanted) != len(before):
        return False
    return wanted[:2] == before[:2] and all(a is b for a, b in zip(wanted[2:], before[2:], strict=True))


def _diagnosed(
    measurement: Measurement, profile: HardwareProfile, row: PlacedRow | None, overlay: Overlay
) -> tuple[Diagnosis, tuple[str, ...]]:
    """Diagnose a kernel, and say why it is not held against its entry where that cannot be."""
    if row is None:
        return diagnose(measurement, profile, overlay=overlay), ()
    reason = f"The paired {row.entry.label or row.entry.id} is not placed: {row.reason}"
    if row.placement is not None:
        try:
            return diagnose(measurement, profile, placement=row.placement, overlay=overlay), ()
        except StudioError as error:
            reason = f"Not held against {row.entry.label or row.entry.id}: {error}"
    return diagnose(measurement, profile, overlay=overlay), (reason,)


def _row_on(placed: PlacedStudy, entry: Entry | None, profile: HardwareProfile) -> PlacedRow | None:
    """Return the row of an entry on a machine, else one that is placed elsewhere, else any."""
    rows = placed.rows_of(entry.id) if entry is not None else ()
    ordered = sorted(rows, key=lambda row: (row.machine != profile.id, row.placement is None))
    return ordered[0] if ordered else None
