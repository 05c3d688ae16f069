"""Unsaved work survives a kill: a copy in the user's state folder after each pause in editing, offered later.

Each window writes under a name of its own and holds a lock on it; a copy whose lock nobody holds was left behind
by a window that did not end in order.
"""

from __future__ import annotations

import json
import shutil
import uuid
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QLockFile, QObject, QTimer, Signal

from rooflinestudio.core.study_files import SUFFIX, write_atomically
from rooflinestudio.ui.file_jobs import FileJob

if TYPE_CHECKING:
    from rooflinestudio.ui.session import Session

__all__ = ["Autosave", "LeftBehind", "find_left_behind"]

PAUSE_MS: Final = 2_000
"""An edit is copied when nothing was edited for so long: never in the middle of a drag."""

LONGEST_MS: Final = 15_000
"""But at the latest after so long."""


@dataclass(frozen=True)
class LeftBehind:
    """A copy that a window left which did not end in order; holds its lock until it is taken or thrown away.

    Attributes
    ----------
    study_path
        The copy.
    original_path
        The file that it was a copy of, or empty for a study that was never saved.
    saved_at
        When the copy was written, local time.
    """

    study_path: Path
    original_path: str
    saved_at: datetime
    lock: QLockFile

    @property
    def name(self) -> str:
        """What the study was called."""
        return Path(self.original_path).name if self.original_path else "Untitled study"

    def discard(self) -> None:
        """Remove the copy."""
        _remove(self.study_path)
        self.lock.unlock()


def find_left_behind(folder: Path) -> tuple[LeftBehind, ...]:
    """Return the copies that no running window holds, the newest first."""
    found = []
    for path in folder.glob(f"*{SUFFIX}") if folder.is_dir() else ():
        lock = _lock(path)
        if not lock.tryLock(0):
            continue
        with suppress(OSError):
            found.append(
                LeftBehind(path, _original_path(path), datetime.fromtimestamp(path.stat().st_mtime), lock)
            )
    return tuple(sorted(found, key=lambda one: one.saved_at, reverse=True))


class Autosave(QObject):
    """Keeps a copy of the session's unsaved study; written in another process, so that no edit has to wait for it.

    Signals
    -------
    written
        The copy on disk is that of the study as it was when it was started.
    """

    written = Signal()

    def __init__(
        self, session: Session, folder: Path, parent: QObject | None = None, *, pause_ms: int = PAUSE_MS
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._path = folder / f"{uuid.uuid4().hex}{SUFFIX}"
        self._lock: QLockFile | None = None
        self._job: FileJob | None = None
        self._pause = _timer(self, pause_ms)
        self._longest = _timer(self, max(LONGEST_MS, pause_ms))
        session.studyChanged.connect(self._on_session_study_changed)
        session.fileChanged.connect(self._on_session_file_changed)

    @property
    def path(self) -> Path:
        """Where the copy lies, when there is one."""
        return self._path

    def write(self) -> None:
        """Write the copy now, if there is anything unsaved; ``written`` tells when it is there."""
        self._pause.stop()
        self._longest.stop()
        if not self._session.is_modified:
            return
        if self._job is not None:  # a slow disk: the next one comes when this one is done
            self._pause.start()
            return
        with suppress(OSError):  # no place for a copy: the study itself is not touched
            self._path.parent.mkdir(parents=True, exist_ok=True)
            if self._lock is None:
                self._lock = _lock(self._path)
                self._lock.tryLock(0)
            write_atomically(_note(self._path), json.dumps({"path": self._session.path}))
            job = FileJob("write-study", str(self._path), self, payload=self._session.study)
            for over in (job.finished, job.failed, job.cancelled):
                over.connect(self._on_job_over)
            job.finished.connect(self.written)
            self._job = job
            job.start()

    def forget(self) -> None:
        """Remove the copy: the work is saved, or the user let go of it."""
        self._pause.stop()
        self._longest.stop()
        if self._job is not None:
            self._job.cancel()
        _remove(self._path)
        if self._lock is not None:
            self._lock.unlock()
            self._lock = None

    def _on_job_over(self, _answer: object = None) -> None:
        self._job = None

    def _on_session_study_changed(self, _placed: object) -> None:
        self._pause.start()
        if not self._longest.isActive():
            self._longest.start()

    def _on_session_file_changed(self, _path: str, modified: bool) -> None:
        if not modified:
            self.forget()


def _timer(owner: Autosave, interval_ms: int) -> QTimer:
    timer = QTimer(owner)
    timer.setSingleShot(True)
    timer.setInterval(interval_ms)
    timer.timeout.connect(owner.write)
    return timer


def _lock(path: Path) -> QLockFile:
    lock = QLockFile(str(path.with_suffix(".lock")))
    lock.setStaleLockTime(0)  # a lock is stale when its process is gone, not when it is old
    return lock


def _note(path: Path) -> Path:
    return path.with_suffix(".json")


def _original_path(path: Path) -> str:
    try:
        return str(json.loads(_note(path).read_text(encoding="utf-8"))["path"])
    except (OSError, ValueError, LookupError, TypeError):
        return ""


def _remove(path: Path) -> None:
    halves = path.parent.glob(f".{path.name}.*.tmp")  # a writer that was stopped half-way
    for one in (path, _note(path), *halves):
        with suppress(OSError):
            one.unlink(missing_ok=True)
    shutil.rmtree(path.with_suffix(".data"), ignore_errors=True)
