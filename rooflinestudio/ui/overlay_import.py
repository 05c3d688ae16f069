"""Laying profiler files over the study: read in another process, one after the other, each one undoable edit."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from rooflinestudio.ui.file_jobs import FileJob

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rooflinestudio.core.measurement_overlay import Overlay
    from rooflinestudio.ui.notices import NoticeArea, ProgressBanner
    from rooflinestudio.ui.session import Session

__all__ = ["OverlayImport"]


class OverlayImport(QObject):
    """The queue of files that are being imported.

    Signals
    -------
    imported
        Digest of an overlay that is in the study now.
    idle
        The queue is empty again, whatever became of the files.
    """

    imported = Signal(str)
    idle = Signal()

    def __init__(
        self, session: Session, notices: NoticeArea, parent: QObject | None = None, *, safe_mode: bool = False
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._notices = notices
        self._safe_mode = safe_mode
        self._waiting: deque[str] = deque()
        self._job: FileJob | None = None
        self._banner: ProgressBanner | None = None

    @property
    def job(self) -> FileJob | None:
        """The file being read."""
        return self._job

    def start(self, paths: Iterable[str]) -> None:
        """Read files, one after the other; returns at once."""
        self._waiting.extend(paths)
        if self._job is None:
            self._read_next()

    def cancel(self) -> None:
        """Stop reading and forget the files that wait."""
        self._waiting.clear()
        if self._job is not None:
            self._job.cancel()

    def _read_next(self) -> None:
        if not self._waiting:
            self.idle.emit()
            return
        path = self._waiting.popleft()
        job = FileJob("measurements", path, self, safe_mode=self._safe_mode)
        banner = self._notices.start_progress(f"Reading {Path(path).name}")
        banner.cancelRequested.connect(job.cancel)
        job.progressed.connect(banner.set_progress)
        job.finished.connect(self._on_job_finished)
        job.failed.connect(self._on_job_failed)
        job.cancelled.connect(self._on_job_cancelled)
        self._job, self._banner = job, banner
        job.start()

    def _on_job_finished(self, answer: Any) -> None:
        path = self._end()
        overlay, warnings = answer
        self._add(Path(path).name, overlay, tuple(warnings))
        self._read_next()

    def _on_job_failed(self, text: str) -> None:
        name = Path(self._end()).name
        self._notices.tell("error", f"{name} was not imported", text, "The study is as it was.")
        self._read_next()

    def _on_job_cancelled(self) -> None:
        name = Path(self._end()).name
        self._notices.tell("info", f"Import of {name} cancelled", "The study is as it was.")
        self._read_next()

    def _end(self) -> str:
        path = self._job.path if self._job is not None else ""
        if self._banner is not None:
            self._banner.dismiss()
        self._job = self._banner = None
        return path

    def _add(self, name: str, overlay: Overlay, warnings: tuple[str, ...]) -> None:
        study = self._session.study
        if any(one.digest == overlay.digest for one in study.overlays):
            self._notices.tell(
                "info", f"{name} is there already", "A file with the same content lies over this study."
            )
            return
        if not len(overlay):
            self._notices.tell(
                "warn", f"{name} holds no kernel", "\n".join(warnings), "The study is as it was."
            )
            return
        self._session.edit(f"Import {name}", replace(study, overlays=(*study.overlays, overlay)))
        self._notices.tell("warn" if warnings else "info", _success(name, len(overlay)), "\n".join(warnings))
        self.imported.emit(overlay.digest)


def _success(name: str, count: int) -> str:
    return f"{count:,} measured kernel{'' if count == 1 else 's'} from {name}".replace(",", "\u202f")
