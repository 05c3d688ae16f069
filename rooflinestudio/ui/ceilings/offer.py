"""Where ceilings come from in the window: files that were imported, files that are opened for them, and clocks."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, Qt, Signal

from rooflinestudio.core.ceilings.applying import apply_ceilings
from rooflinestudio.core.ceilings.cleaning import clean_machine
from rooflinestudio.core.ceilings.clocks import scaled_figures
from rooflinestudio.core.ceilings.proposal import propose
from rooflinestudio.core.ceilings.words import clock_text, label_of, rate_text
from rooflinestudio.ui.ceilings.known import KnownMachines
from rooflinestudio.ui.file_jobs import FileJob

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QDialog

    from rooflinestudio.core.ceilings.matching import ProfileMatch
    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.measured.ceilings import MeasuredMachine
    from rooflinestudio.ui.ceilings.clock_dialog import ClockDialog
    from rooflinestudio.ui.ceilings.dialog import CeilingsDialog
    from rooflinestudio.ui.ceilings.known import Read
    from rooflinestudio.ui.notices import NoticeArea
    from rooflinestudio.ui.session import Session

__all__ = ["CeilingsOffer"]

_WORTH_SCALING: Final = 0.02
"""Clocks that differ by less are not spoken of unasked."""

_MOST_NAMED: Final = 4
_TOOLS: Final = (
    "Ceilings come from benchmarks (STREAM, BabelStream, nvbandwidth, mixbench, clpeak, ERT, rocprof-compute and "
    "others) and from the roofline section of Nsight Compute."
)


class CeilingsOffer(QObject):
    """Offers what files say about machines, and opens the dialogs for it.

    Parameters
    ----------
    read
        Hands over profiles by id, as :meth:`ProfileReader.read` does.

    Signals
    -------
    profileRequested
        A profile to put into the study, and whether its machine is to be shown.
    """

    profileRequested = Signal(object, bool)

    def __init__(
        self,
        session: Session,
        notices: NoticeArea,
        read: Read,
        parent: QObject | None = None,
        *,
        safe_mode: bool = False,
    ) -> None:
        super().__init__(parent)
        self._session, self._notices, self._read = session, notices, read
        self._safe_mode = safe_mode
        self._job: FileJob | None = None
        self.dialog: QDialog | None = None

    @property
    def is_busy(self) -> bool:
        """Whether a file is being read."""
        return self._job is not None

    # Files that were imported -------------------------------------------------------------------------------------

    def found(self, path: str, machines: Sequence[MeasuredMachine]) -> None:
        """Take what an imported file says: a file without kernels opens the dialog, others get a notice."""
        name, machines = Path(path).name, tuple(map(clean_machine, machines))
        has_kernels = any(one.path == path for one in self._session.study.overlays)
        if not machines:
            return
        if not has_kernels and self.dialog is None:
            self.open(name, machines)
            return
        worth = [one for one in machines if self._is_worth_it(one)]
        if worth or not has_kernels:
            self._offer(name, tuple(worth or machines))

    def _is_worth_it(self, machine: MeasuredMachine) -> bool:
        """Whether a machine says more than a clock that is that of its profile anyway."""
        if machine.ceilings or machine.boundaries:
            return True
        known = self._known()
        clock, match = machine.clocks.get("sm"), known.best(machine)
        profile = known.present.get(match.id) if match is not None else None
        if clock is None or profile is None:
            return clock is not None
        scaled = scaled_figures(profile, clock)
        return any(abs(one.to_hz / one.from_hz - 1) > _WORTH_SCALING for one in scaled)

    def _offer(self, name: str, machines: tuple[MeasuredMachine, ...]) -> None:
        known = self._known()
        match = known.best(machines[0]) if len(machines) == 1 else None
        words = _words(machines, known, match)
        what = (
            "what its machine can do"
            if any(one.ceilings or one.boundaries for one in machines)
            else "at which clock it ran"
        )
        banner = self._notices.tell("info", f"{name} says {what}", words, stays=True)
        if banner.count > 1:
            return
        if match is not None and match.certain:
            banner.add_button("Show machine as profiled", partial(self._show, machines[0], match))
        banner.add_button("Look at it…", partial(self.open, name, machines))

    def _show(self, machine: MeasuredMachine, match: ProfileMatch) -> None:
        known = self._known()

        def take(profile: HardwareProfile) -> None:
            proposal = propose(machine, profile)
            made = apply_ceilings(proposal, as_new=True, scale=True, taken=known.present)
            self.profileRequested.emit(made, True)

        known.get(match.id, take)

    # Dialogs ------------------------------------------------------------------------------------------------------

    def open(self, name: str, machines: Sequence[MeasuredMachine]) -> CeilingsDialog:
        """Open the dialog for what a file says."""
        from rooflinestudio.ui.ceilings.dialog import CeilingsDialog

        dialog = CeilingsDialog(name, machines, self._known(), self._notices.window())
        self._take_in(dialog)
        return dialog

    def open_clock(self) -> ClockDialog | None:
        """Open the dialog that scales the machine of the strong roof; None where no machine is shown."""
        from rooflinestudio.ui.ceilings.clock_dialog import ClockDialog

        profile = self._session.placed.profiles.get(self._session.machine)
        if profile is None:
            return None
        dialog = ClockDialog(profile, clocks=self._measured_clocks(), parent=self._notices.window())
        self._take_in(dialog)
        return dialog

    def _take_in(self, dialog: Any) -> None:
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.profileRequested.connect(self.profileRequested)
        dialog.finished.connect(self._on_dialog_finished)
        self.dialog = dialog
        dialog.open()

    def _on_dialog_finished(self, _result: int) -> None:
        self.dialog = None

    def refresh_theme(self, theme: object = None) -> None:
        """Let an open dialog take the colours of the theme now worn."""
        if self.dialog is not None:
            self.dialog.refresh_theme(theme)  # type: ignore[attr-defined]

    def _known(self) -> KnownMachines:
        source, study = self._session.source, self._session.study
        registry = getattr(source, "registry", source)
        profiles = {**study.profiles, **self._session.placed.profiles}
        return KnownMachines(
            getattr(registry, "profiles", ()), present=profiles, shown=study.view.machines, read=self._read
        )

    def _measured_clocks(self) -> list[tuple[str, float]]:
        """Return the median clock of each imported file that has one."""
        import numpy as np

        found = []
        for overlay in self._session.study.overlays:
            clocks = overlay.columns.get("clock_hz")
            known = clocks[np.isfinite(clocks)] if clocks is not None else np.empty(0)
            if len(known):
                found.append((f"median of {overlay.name}", float(round(float(np.median(known)), -6))))
        return [one for one in found if one[1] > 0]

    # Files that are opened for their ceilings ---------------------------------------------------------------------

    def open_file(self, path: str) -> None:
        """Read a file for its ceilings alone, and open the dialog; returns at once."""
        if self._job is not None:
            self._job.cancel()
        job = FileJob("measurements", path, self, safe_mode=self._safe_mode)
        banner = self._notices.start_progress(f"Reading {Path(path).name}")
        banner.cancelRequested.connect(job.cancel)
        job.progressed.connect(banner.set_progress)
        for signal in (job.finished, job.failed, job.cancelled):
            signal.connect(banner.dismiss)
        job.finished.connect(partial(self._on_job_finished, path))
        job.failed.connect(partial(self._on_job_failed, path))
        job.cancelled.connect(self._on_job_over)
        self._job = job
        job.start()

    def cancel(self) -> None:
        """Stop reading."""
        if self._job is not None:
            self._job.cancel()

    def _on_job_over(self) -> None:
        self._job = None

    def _on_job_failed(self, path: str, text: str) -> None:
        self._job = None
        self._notices.tell("error", f"{Path(path).name} was not read", text, "The study is as it was.")

    def _on_job_finished(self, path: str, answer: Any) -> None:
        self._job = None
        name = Path(path).name
        machines = tuple(getattr(answer, "machines", ()))
        if machines:
            self.open(name, machines)
        else:
            self._notices.tell("warn", f"{name} holds no ceilings", _TOOLS, "The study is as it was.")


def _words(machines: Sequence[MeasuredMachine], known: KnownMachines, match: ProfileMatch | None) -> str:
    """Say in one line what is known of the first machine, and how many more there are."""
    machine = machines[0]
    profile = known.present.get(match.id) if match is not None else None
    clock = machine.clocks.get("sm")
    at = f" at {clock_text(clock)}" if clock else ""
    best: dict[tuple[str, str], float] = {}
    for kind, readings in (("ceiling", machine.ceilings), ("boundary", machine.boundaries)):
        for one in readings:
            best[kind, one.id] = max(one.best, best.get((kind, one.id), 0.0))
    rates = [
        f"{label_of(profile, kind, id_)} {rate_text(kind, id_, value)}" for (kind, id_), value in best.items()
    ]
    more = f" and {len(rates) - _MOST_NAMED} more" if len(rates) > _MOST_NAMED else ""
    said = f": {', '.join(rates[:_MOST_NAMED])}{more}" if rates else ""
    others = f" The file has {len(machines)} devices." if len(machines) > 1 else ""
    return f"{machine.device or 'One device'}{at}{said}.{others}"
