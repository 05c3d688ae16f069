"""Measuring the machine that the studio runs on: in a process of its own, so that the window does not disturb it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QProcess, Signal

from rooflinestudio.core.errors import StudioError

if TYPE_CHECKING:
    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.ui.notices import NoticeArea, ProgressBanner

__all__ = ["MachineMeasuring"]

_PROGRESS: Final = "progress "
_END_MS: Final = 3_000


class MachineMeasuring(QObject):
    """Runs ``rooflinestudio measure`` into a folder, with a banner that shows how far it is and cancels it.

    Signals
    -------
    measured
        The profiles that were written, those of all cores first.
    ended
        It is over, whatever became of it.
    """

    measured = Signal(object)
    ended = Signal()

    def __init__(self, notices: NoticeArea, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._notices, self._folder = notices, folder
        self._process: QProcess | None = None
        self._banner: ProgressBanner | None = None
        self._rest = ""
        self._said: list[str] = []

    @property
    def is_busy(self) -> bool:
        """Whether something is being measured."""
        return self._process is not None

    def start(self, program: str = sys.executable, arguments: tuple[str, ...] | None = None) -> None:
        """Begin, unless it is going on.

        Parameters
        ----------
        program, arguments
            What measures; the studio's own command if left out.
        """
        if self._process is not None:
            return
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            words = f"{self._folder} cannot be made: {error.strerror or error}."
            self._notices.tell("error", "This machine was not measured", words, "The study is as it was.")
            return
        self._said, self._rest = [], ""
        self._banner = self._notices.start_progress("Measuring this machine; leave it alone for a minute")
        self._banner.cancelRequested.connect(self.cancel)
        process = QProcess(self)
        process.readyReadStandardError.connect(self._on_process_ready_read_standard_error)
        process.finished.connect(self._on_process_finished)
        process.errorOccurred.connect(self._on_process_error_occurred)
        own = ("-m", "rooflinestudio", "measure", "--json", "--progress-lines", "--out", str(self._folder))
        self._process = process
        process.start(program, list(own if arguments is None else arguments))

    def cancel(self) -> None:
        """Stop; nothing is written."""
        process, self._process = self._process, None
        if process is None:
            return
        process.blockSignals(True)
        process.terminate()
        if not process.waitForFinished(_END_MS):
            process.kill()
            process.waitForFinished(_END_MS)
        self._close(process)
        self._notices.tell("info", "Measuring cancelled", "Nothing was written.")
        self.ended.emit()

    def _close(self, process: QProcess) -> None:
        process.deleteLater()
        if self._banner is not None:
            self._banner.dismiss()
        self._banner = None

    def _on_process_ready_read_standard_error(self) -> None:
        if self._process is None:
            return
        text = self._rest + bytes(self._process.readAllStandardError().data()).decode("utf-8", "replace")
        *lines, self._rest = text.split("\n")
        for line in lines:
            if line.startswith(_PROGRESS) and self._banner is not None:
                self._banner.set_progress(float(line.removeprefix(_PROGRESS)))
            elif line.strip():
                self._said.append(line.strip())

    def _on_process_error_occurred(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart:
            self._on_process_finished(-1)

    def _on_process_finished(self, code: int, _status: object = None) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        out = bytes(process.readAllStandardOutput().data()).decode("utf-8", "replace")
        self._close(process)
        self._tell(code, out)
        self.ended.emit()

    def _tell(self, code: int, out: str) -> None:
        from rooflinestudio.core.profile_files import load_profile

        try:
            files = json.loads(out)["files"] if code == 0 else []
            profiles: tuple[HardwareProfile, ...] = tuple(load_profile(Path(one)) for one in files)
        except (ValueError, KeyError, TypeError, StudioError) as error:
            code, profiles = -1, ()
            self._said.append(str(error))
        if not profiles:
            words = "\n".join(self._said[-3:]) or f"It ended with code {code}."
            self._notices.tell("error", "This machine was not measured", words, "The study is as it was.")
            return
        self.measured.emit(profiles)
