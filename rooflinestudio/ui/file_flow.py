"""Studies in and out of files: new, open, save, save as, recent files, and the question about unsaved edits.

Files are read and written in another process, so everything here answers later: what is to come after it is handed in
as ``then``. A load that fails leaves the study that is open untouched. Whoever asks the user stands behind
:class:`Asker`, so that tests answer instead.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal

from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.study import Study
from rooflinestudio.core.study_files import SUFFIX, save_study
from rooflinestudio.ui.file_jobs import FileJob

if TYPE_CHECKING:
    from collections.abc import Callable

    from rooflinestudio.ui.asking import Asker
    from rooflinestudio.ui.notices import NoticeArea, ProgressBanner
    from rooflinestudio.ui.session import Session
    from rooflinestudio.ui.settings import SettingsStore

    Then = Callable[[], object]

__all__ = ["FileFlow"]

UNTITLED: Final = "Untitled study"
SHOW_PROGRESS_AFTER_MS: Final = 600


class FileFlow(QObject):
    """Moves the session's study to and from files.

    Signals
    -------
    recentChanged
        The list of recent files is another one.
    opened
        A study was put in place of the one before; its path.
    saved
        The study was written; its path.
    """

    recentChanged = Signal()
    opened = Signal(str)
    saved = Signal(str)

    def __init__(
        self,
        session: Session,
        notices: NoticeArea,
        settings: SettingsStore,
        asker: Asker,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._notices = notices
        self._settings = settings
        self._asker = asker
        self._reading: _Reading | None = None
        self._writing: _Writing | None = None
        self._banner: ProgressBanner | None = None

    @property
    def name(self) -> str:
        """What the study is called on screen."""
        return Path(self._session.path).name if self._session.path else UNTITLED

    @property
    def is_busy(self) -> bool:
        """Whether a study is being read or written."""
        return self._reading is not None or self._writing is not None

    # What the user can do -----------------------------------------------------------------------------------------

    def new(self) -> None:
        """Start an empty study on the machines in view."""
        self.leave(self._show_empty)

    def show(self, study: Study, then: Then | None = None) -> None:
        """Put a study that is in no file (the example) in place of the open one."""
        self.leave(partial(self._put, study, "", then))

    def open(self) -> None:
        """Ask for a study and open it."""
        path = self._asker.study_to_open(self.folder())
        if path:
            self.load(path)

    def load(self, path: str, *, original: str | None = None, then: Then | None = None) -> None:
        """Open a study file; returns at once, the study appears when it is read.

        Parameters
        ----------
        original
            Set when a left copy is restored: the file that it is a copy of (or empty). The study then counts as edited.
        then
            Called when the study is in place.
        """
        self.leave(partial(self._start_reading, str(Path(path).absolute()), original, then))

    def cancel_reading(self) -> None:
        """Stop reading a study."""
        if self._reading is not None:
            self._reading.job.cancel()

    def save(self, then: Then | None = None) -> None:
        """Save to the study's file, asking for one the first time."""
        if self._session.path:
            self._write(self._session.path, then)
        else:
            self.save_as(then)

    def save_as(self, then: Then | None = None) -> None:
        """Ask for a place and save there."""
        path = self._asker.place_to_save(str(Path(self.folder()) / (Path(self.name).stem + SUFFIX)))
        if path:
            named = path if path.lower().endswith(SUFFIX) else path + SUFFIX
            self._write(str(Path(named).absolute()), then)

    def leave(self, then: Then) -> None:
        """Go on, after asking what to do with unsaved edits if there are any; it may also come to nothing."""
        if not self._session.is_modified:
            then()
            return
        answer = self._asker.about_unsaved(self.name)
        if answer == "save":
            self.save(then)
        elif answer == "discard":
            then()

    def folder(self) -> str:
        """Return where file dialogs start: beside the open or the last file."""
        recent = self._settings.settings.recent_files
        near = self._session.path or (recent[0] if recent else "")
        return str(Path(near).parent) if near else str(Path.home())

    def wait(self, limit_ms: int) -> None:
        """Block until a study that is being written is written: only for the end of the program."""
        if self._writing is not None:
            self._writing.job.wait(limit_ms)

    # Reading ------------------------------------------------------------------------------------------------------

    def _start_reading(self, path: str, original: str | None, then: Then | None) -> None:
        self.cancel_reading()  # of two in a row the second counts
        job = FileJob("study", path, self)
        self._reading = _Reading(job, self._session.study, original, then)
        job.finished.connect(self._on_reading_finished)
        job.failed.connect(self._on_reading_failed)
        job.cancelled.connect(self._end_reading)
        QTimer.singleShot(SHOW_PROGRESS_AFTER_MS, job, self._show_progress)
        job.start()

    def _on_reading_finished(self, study: Study) -> None:
        reading = self._end_reading()
        if reading is None:
            return
        path = reading.job.path if reading.original is None else reading.original
        show = partial(self._put, study, path, reading.then, is_copy=reading.original is not None)
        if self._session.study is reading.before:
            show()
        else:  # edited while the file was read
            self.leave(show)

    def _on_reading_failed(self, text: str) -> None:
        reading = self._end_reading()
        path = Path(reading.job.path if reading is not None else "")
        if not path.exists():
            self._settings.put(self._settings.settings.without_recent(str(path)))
            self.recentChanged.emit()
        self._notices.tell(
            "error", f"{path.name} was not opened", text, "The study that is open is as it was."
        )

    def _end_reading(self) -> _Reading | None:
        reading, self._reading = self._reading, None
        if self._banner is not None:
            self._banner.dismiss()
            self._banner = None
        return reading

    def _show_progress(self) -> None:
        if self._reading is not None and self._banner is None:
            self._banner = self._notices.start_progress(f"Opening {Path(self._reading.job.path).name}")
            self._banner.bar.setRange(0, 0)
            self._banner.cancelRequested.connect(self.cancel_reading)

    def _show_empty(self) -> None:
        old = self._session.study
        profiles = {id_: old.profiles[id_] for id_ in old.view.machines if id_ in old.profiles}
        self._put(Study(profiles=profiles, view=old.view), "", None)

    def _put(self, study: Study, path: str, then: Then | None, *, is_copy: bool = False) -> None:
        """Show a study in place of the open one; a copy of unsaved work counts as edited."""
        self._session.open(study, path)
        if is_copy:
            self._session.undo_stack.resetClean()
        elif path:
            self._remember(path)
        self.opened.emit(path)
        if then is not None:
            then()

    # Writing ------------------------------------------------------------------------------------------------------

    def _write(self, path: str, then: Then | None) -> None:
        if self._writing is not None:  # twice in a row: the second comes when the first is done
            self._writing.again = partial(self._write, path, then)
            return
        study = self._session.study
        job = FileJob("write-study", path, self, payload=study)
        self._writing = _Writing(job, study, then)
        job.finished.connect(self._on_writing_finished)
        job.failed.connect(self._on_writing_failed)
        job.start()

    def _on_writing_finished(self, _nothing: object) -> None:
        writing, self._writing = self._writing, None
        if writing is None:
            return
        self._session.mark_saved(writing.job.path)
        if self._session.study is not writing.study:  # edited while it was written
            self._session.undo_stack.resetClean()
        self._remember(writing.job.path)
        self.saved.emit(writing.job.path)
        for one in (writing.then, writing.again):
            if one is not None:
                one()

    def _on_writing_failed(self, text: str) -> None:
        writing = self._writing
        if writing is None:
            return
        path = writing.job.path
        if not writing.job.could_start:  # no other process to be had: work must not be lost for that
            try:
                save_study(writing.study, path)
            except StudioError as error:
                text = str(error)
            else:
                self._on_writing_finished(None)
                return
        self._writing = None
        self._notices.tell(
            "error", f"{Path(path).name} was not saved", text, "Your work is still here: save it elsewhere."
        )

    def _remember(self, path: str) -> None:
        self._settings.put(self._settings.settings.with_recent(path))
        self.recentChanged.emit()


class _Reading:
    """A study that is being read: what was there before, and what comes after."""

    def __init__(self, job: FileJob, before: Study, original: str | None, then: Then | None) -> None:
        self.job, self.before, self.original, self.then = job, before, original, then


class _Writing:
    """A study that is being written."""

    def __init__(self, job: FileJob, study: Study, then: Then | None) -> None:
        self.job, self.study, self.then = job, study, then
        self.again: Then | None = None
