"""Reading and writing files in another process, watched from the event loop: progress, result, failure, cancel."""

from __future__ import annotations

import json
import os
import pickle
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, QTimer, Signal

import rooflinestudio
from rooflinestudio.ui.file_worker import WRITERS, hand_over

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["FileJob", "start_studio"]

KILL_WAIT_MS: Final = 2_000
STDERR_LIMIT: Final = 2_000


class FileJob(QObject):
    """One file being read or written by :mod:`rooflinestudio.ui.file_worker`.

    Exactly one of the three last signals comes, once.

    Parameters
    ----------
    task
        ``study`` or ``measurements`` to read, ``write-study`` to write.
    payload
        What is to be written, or what the user says about the file that is read.
    safe_mode
        Whether foreign readers are left out.

    Signals
    -------
    progressed
        Share read so far, 0 to 1.
    finished
        What the worker read, None when it wrote.
    failed
        A text for the user.
    cancelled
        After :meth:`cancel`.
    """

    progressed = Signal(float)
    finished = Signal(object)
    failed = Signal(str)
    cancelled = Signal()

    def __init__(
        self,
        task: str,
        path: str,
        parent: QObject | None = None,
        *,
        payload: Any = None,
        safe_mode: bool = False,
    ) -> None:
        super().__init__(parent)
        self.task = task
        self.path = path
        self.could_start = True
        self._over = False
        self._error = ""
        self._buffer = b""
        self._folder = tempfile.TemporaryDirectory(prefix="rooflinestudio-")
        self._result = Path(self._folder.name) / "result"
        if payload is not None:
            hand_over(payload, self._result)
        self._process = QProcess(self)
        self._process.setProcessEnvironment(_environment(safe_mode=safe_mode))
        self._process.setProgram(sys.executable)
        self._process.setArguments(["-m", "rooflinestudio.ui.file_worker", task, path, str(self._result)])
        self._process.readyReadStandardOutput.connect(self._on_process_ready_read)
        self._process.finished.connect(self._on_process_finished)
        self._process.errorOccurred.connect(self._on_process_error)

    @property
    def process_id(self) -> int:
        """Id of the worker, 0 when it does not run."""
        return self._process.processId()

    def wait(self, limit_ms: int) -> None:
        """Block until it is over: only for the end of the program."""
        self._process.waitForFinished(limit_ms)

    def start(self) -> None:
        """Start the worker; returns at once."""
        self._process.start()

    def cancel(self) -> None:
        """Stop reading: the worker is killed, nothing of it stays."""
        if not self._over:
            self._end()
            self.cancelled.emit()

    def _on_process_ready_read(self) -> None:
        self._buffer += bytes(self._process.readAllStandardOutput().data())
        *lines, self._buffer = self._buffer.split(b"\n")
        for line in lines:
            self._take(line)

    def _take(self, line: bytes) -> None:
        try:
            message = json.loads(line)
        except ValueError:
            return  # a library wrote past Python: not for us
        if "progress" in message:
            self.progressed.emit(float(message["progress"]))
        elif "error" in message:
            self._error = str(message["error"])

    def _on_process_finished(self, code: int, _status: QProcess.ExitStatus) -> None:
        if self._over:
            return
        self._on_process_ready_read()
        if code == 0 and not self._error:
            try:
                answer: Any = None if self.task in WRITERS else pickle.loads(self._result.read_bytes())
            except (OSError, pickle.PickleError, EOFError) as error:
                self._fail(f"The result of reading {Path(self.path).name} was lost: {error}.")
                return
            self._end()
            self.finished.emit(answer)
            return
        self._fail(self._error or self._last_words())

    def _on_process_error(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart:
            self.could_start = False
            self._fail(
                f"The process that reads and writes files could not be started: {self._process.errorString()}."
            )

    def _last_words(self) -> str:
        said = bytes(self._process.readAllStandardError().data()).decode(errors="replace").strip()
        last = said[-STDERR_LIMIT:].splitlines()[-1:]
        doing = "Writing" if self.task in WRITERS else "Reading"
        return f"{doing} {Path(self.path).name} broke off. " + (
            f"It ended with: {last[0]}" if last else "It gave no reason."
        )

    def _fail(self, text: str) -> None:
        if not self._over:
            self._end()
            self.failed.emit(text)

    def _end(self) -> None:
        self._over = True
        if self._process.state() != QProcess.ProcessState.NotRunning:
            self._process.kill()
            self._process.waitForFinished(KILL_WAIT_MS)
        self._folder.cleanup()
        # Not at once: we may stand in one of its own signals.
        QTimer.singleShot(0, self, self.deleteLater)


def _environment(*, safe_mode: bool) -> QProcessEnvironment:
    """Return our own environment, in which the worker finds this very studio."""
    environment = QProcessEnvironment.systemEnvironment()
    home = str(Path(rooflinestudio.__file__).resolve().parent.parent)
    environment.insert(
        "PYTHONPATH", os.pathsep.join(_unique((home, *environment.value("PYTHONPATH").split(os.pathsep))))
    )
    if safe_mode:
        environment.insert("ROOFLINESTUDIO_DISABLE_PLUGINS", "all")
    return environment


def _unique(parts: Iterable[str]) -> list[str]:
    return [one for one in dict.fromkeys(parts) if one]


def start_studio(*arguments: str) -> bool:
    """Start another studio that outlives this one; False if that is impossible."""
    started = QProcess.startDetached(sys.executable, ["-m", "rooflinestudio", *arguments])
    return started[0] if isinstance(started, tuple) else started
