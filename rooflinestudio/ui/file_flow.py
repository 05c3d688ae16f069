"""Studies in and out of files: new, open, save, save as, recent files, and the question about unsaved edits.

A load that fails leaves the study that is open untouched. Whoever asks the user stands behind :class:`Asker`, so
that tests answer instead.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, Protocol

from PySide6.QtCore import QObject, QTimer, Signal

from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.study import Study
from rooflinestudio.core.study_files import SUFFIX, save_study
from rooflinestudio.ui.file_jobs import FileJob

if TYPE_CHECKING:
    from collections.abc import Callable

    from rooflinestudio.ui.notices import NoticeArea, ProgressBanner
    from rooflinestudio.ui.session import Session
    from rooflinestudio.ui.settings import SettingsStore

__all__ = ["Answer", "Asker", "FileFlow"]

Answer = Literal["save", "discard", "cancel"]

UNTITLED: Final = "Untitled study"
SHOW_PROGRESS_AFTER_MS: Final = 600


class Asker(Protocol):
    """What the user is asked; an empty text means that they thought better of it."""

    def study_to_open(self, folder: str) -> str:
        """Which study to open."""
        ...

    def place_to_save(self, suggestion: str) -> str:
        """Where to save the study."""
        ...

    def files_to_import(self, folder: str) -> list[str]:
        """Which measured files to lay over the study."""
        ...

    def place_to_export(self, suggestion: str, kinds: tuple[str, ...]) -> str:
        """Where to write a picture or table; ``kinds`` are endings with their dot."""
        ...

    def about_unsaved(self, name: str) -> Answer:
        """Save, discard, or stay."""
        ...


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
        self._job: FileJob | None = None
        self._banner: ProgressBanner | None = None
        self._before: Study | None = None

    @property
    def name(self) -> str:
        """What the study is called on screen."""
        return Path(self._session.path).name if self._session.path else UNTITLED

    @property
    def is_loading(self) -> bool:
        """Whether a study is being read."""
        return self._job is not None

    # What the user can do -----------------------------------------------------------------------------------------

    def new(self) -> bool:
        """Start an empty study on the machines in view; False if the user thought better of it."""
        if not self.may_leave():
            return False
        old = self._session.study
        profiles = {id_: old.profiles[id_] for id_ in old.view.machines if id_ in old.profiles}
        self._show(Study(profiles=profiles, view=old.view))
        return True

    def show(self, study: Study) -> bool:
        """Put a study that is in no file (the example) in place of the open one."""
        if not self.may_leave():
            return False
        self._show(study)
        return True

    def open(self) -> None:
        """Ask for a study and open it."""
        path = self._asker.study_to_open(self.folder())
        if path:
            self.load(path)

    def load(
        self, path: str, *, original: str | None = None, then: Callable[[], object] | None = None
    ) -> None:
        """Open a study file; returns at once, the study appears when it is read.

        Parameters
        ----------
        original
            Set when a left copy is restored: the file that it is a copy of (or empty). The study then counts as edited.
        then
            Called when the study is in place.
        """
        if not self.may_leave():
            return
        self.cancel()
        path = str(Path(path).absolute())
        job = FileJob("study", path, self)
        job.finished.connect(lambda study: self._on_job_finished(study, path, original, then))
        job.failed.connect(lambda text: self._on_job_failed(text, path))
        job.cancelled.connect(self._end)
        self._job, self._before = job, self._session.study
        QTimer.singleShot(SHOW_PROGRESS_AFTER_MS, job, self._show_progress)
        job.start()

    def cancel(self) -> None:
        """Stop reading a study."""
        if self._job is not None:
            self._job.cancel()

    def save(self) -> bool:
        """Save to the study's file, asking for one the first time; False if it is not saved."""
        return self._write(self._session.path) if self._session.path else self.save_as()

    def save_as(self) -> bool:
        """Ask for a place and save there; False if it is not saved."""
        path = self._asker.place_to_save(str(Path(self.folder()) / (Path(self.name).stem + SUFFIX)))
        if not path:
            return False
        if not path.lower().endswith(SUFFIX):
            path += SUFFIX
        return self._write(str(Path(path).absolute()))

    def may_leave(self) -> bool:
        """Ask what to do with unsaved edits, if there are any; False means: stay."""
        if not self._session.is_modified:
            return True
        answer = self._asker.about_unsaved(self.name)
        return self.save() if answer == "save" else answer == "discard"

    def folder(self) -> str:
        """Where file dialogs start: beside the open or the last file."""
        recent = self._settings.settings.recent_files
        near = self._session.path or (recent[0] if recent else "")
        return str(Path(near).parent) if near else str(Path.home())

    # What comes of it ---------------------------------------------------------------------------------------------

    def _show(self, study: Study, path: str = "") -> None:
        self._session.open(study, path)
        self.opened.emit(path)

    def _write(self, path: str) -> bool:
        try:
            save_study(self._session.study, path)
        except StudioError as error:
            self._notices.tell(
                "error",
                f"{Path(path).name} was not saved",
                str(error),
                "Your work is still here: save it elsewhere.",
            )
            return False
        self._session.mark_saved(path)
        self._remember(path)
        self.saved.emit(path)
        return True

    def _on_job_finished(
        self, study: Study, path: str, original: str | None, then: Callable[[], object] | None
    ) -> None:
        unchanged = self._session.study is self._before
        self._end()
        if not unchanged and not self.may_leave():  # edited while the file was read
            return
        if original is None:
            self._show(study, path)
            self._remember(path)
        else:
            self._show(study, original)
            self._session.undo_stack.resetClean()
        if then is not None:
            then()

    def _on_job_failed(self, text: str, path: str) -> None:
        self._end()
        if not Path(path).exists():
            self._settings.put(self._settings.settings.without_recent(path))
            self.recentChanged.emit()
        self._notices.tell(
            "error", f"{Path(path).name} was not opened", text, "The study that is open is as it was."
        )

    def _end(self) -> None:
        self._job = self._before = None
        if self._banner is not None:
            self._banner.dismiss()
            self._banner = None

    def _show_progress(self) -> None:
        if self._job is not None and self._banner is None:
            self._banner = self._notices.start_progress(f"Opening {Path(self._job.path).name}")
            self._banner.bar.setRange(0, 0)
            self._banner.cancelRequested.connect(self.cancel)

    def _remember(self, path: str) -> None:
        self._settings.put(self._settings.settings.with_recent(path))
        self.recentChanged.emit()
