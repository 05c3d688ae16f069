"""Laying profiler files over the study: read in another process, one after the other, each one undoable edit.

What only the user can say is asked in a dialog that stops nothing: what the columns of a table hold, and whether a
point or a comma parts the decimals. The files behind wait until that is answered.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import QObject, Signal

from rooflinestudio.core.importing.answer import ImportWish
from rooflinestudio.ui.file_jobs import FileJob

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtWidgets import QDialog

    from rooflinestudio.core.importing.answer import ImportAnswer
    from rooflinestudio.core.importing.proposal import StatedColumn, TableProposal
    from rooflinestudio.core.measurement_overlay import Overlay
    from rooflinestudio.ui.importing.memory import ColumnMemory
    from rooflinestudio.ui.notices import NoticeArea, ProgressBanner
    from rooflinestudio.ui.session import Session

__all__ = ["OverlayImport"]


class _Task(NamedTuple):
    """A file, and what the user said about it so far."""

    path: str
    wish: ImportWish = ImportWish()

    @property
    def name(self) -> str:
        return Path(self.path).name


class OverlayImport(QObject):
    """The queue of files that are being imported.

    Signals
    -------
    imported
        Digest of an overlay that is in the study now.
    ceilingsFound
        Path of a file that carries ceilings of a machine, and these (``MeasuredMachine``).
    shapesFound
        Path of a table that the user wants to place as shapes instead.
    machineRequested
        Id of the machine that a file was measured on, which is to be shown.
    idle
        The queue is empty again, whatever became of the files.
    """

    imported = Signal(str)
    ceilingsFound = Signal(str, tuple)
    shapesFound = Signal(str)
    machineRequested = Signal(str)
    idle = Signal()

    def __init__(
        self, session: Session, notices: NoticeArea, parent: QObject | None = None, *, safe_mode: bool = False
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._notices = notices
        self._safe_mode = safe_mode
        self._waiting: deque[_Task] = deque()
        self._task = _Task("")
        self._job: FileJob | None = None
        self._banner: ProgressBanner | None = None
        self._mark_for_all: str | None = None
        self._said: dict[str, ImportWish] = {}
        self.dialog: QDialog | None = None

    @property
    def job(self) -> FileJob | None:
        """The file being read."""
        return self._job

    @property
    def is_busy(self) -> bool:
        """Whether a file is being read, or the user is asked about one."""
        return self._job is not None or self.dialog is not None

    @property
    def memory(self) -> ColumnMemory:
        """What columns meant the last time."""
        from rooflinestudio.ui.importing.memory import ColumnMemory

        return ColumnMemory()

    def start(self, paths: Iterable[str]) -> None:
        """Read files, one after the other; returns at once."""
        self._add_tasks(_Task(path) for path in paths)

    def change_columns(self, digest: str) -> None:
        """Ask anew what the columns of an imported table hold; the answer exchanges its kernels."""
        overlay = next((one for one in self._session.study.overlays if one.digest == digest), None)
        if overlay is not None:
            said = self._said.get(digest, ImportWish())
            self._add_tasks(
                [_Task(overlay.path, replace(said, only_columns=True, columns=(), replaces=digest))]
            )

    def cancel(self) -> None:
        """Stop reading, take a question back, and forget the files that wait."""
        self._waiting.clear()
        if self._job is not None:
            self._job.cancel()
        elif self.dialog is not None:
            self.dialog.reject()

    # The queue ----------------------------------------------------------------------------------------------------

    def _add_tasks(self, tasks: Iterable[_Task]) -> None:
        self._waiting.extend(tasks)
        if not self.is_busy:
            self._read_next()

    def _read_next(self) -> None:
        if not self._waiting:
            self._mark_for_all = None
            self.idle.emit()
            return
        self._read(self._waiting.popleft())

    def _read(self, task: _Task) -> None:
        job = FileJob("measurements", task.path, self, payload=task.wish, safe_mode=self._safe_mode)
        banner = self._notices.start_progress(f"Reading {task.name}")
        banner.cancelRequested.connect(job.cancel)
        job.progressed.connect(banner.set_progress)
        job.finished.connect(self._on_job_finished)
        job.failed.connect(self._on_job_failed)
        job.cancelled.connect(self._on_job_cancelled)
        self._task, self._job, self._banner = task, job, banner
        job.start()

    def _on_job_finished(self, answer: Any) -> None:
        task = self._end()
        if self._ask(task, answer):
            return
        self._take(task, answer)
        self._read_next()

    def _on_job_failed(self, text: str) -> None:
        task = self._end()
        if task.wish.recalled:  # what columns meant the last time does not serve this file: ask
            wish = replace(task.wish, columns=(), recalled=False, only_columns=True)
            self._read(task._replace(wish=wish))
            return
        self._notices.tell("error", f"{task.name} was not imported", text, "The study is as it was.")
        self._read_next()

    def _on_job_cancelled(self) -> None:
        self._say_cancelled(self._end())

    def _say_cancelled(self, task: _Task) -> None:
        what = "Columns" if task.wish.replaces else "Import"
        self._notices.tell("info", f"{what} of {task.name} cancelled", "The study is as it was.")
        self._read_next()

    def _end(self) -> _Task:
        if self._banner is not None:
            self._banner.dismiss()
        self._job = self._banner = None
        return self._task

    # What only the user can say -----------------------------------------------------------------------------------

    def _ask(self, task: _Task, answer: ImportAnswer) -> bool:
        """Ask, or read again with what was said before; False where nothing is open."""
        if answer.overlay is not None:
            return False
        if answer.question is not None and self._mark_for_all is not None and task.wish.decimal_mark is None:
            self._read(task._replace(wish=replace(task.wish, decimal_mark=self._mark_for_all)))
        elif answer.question is not None:
            self._ask_mark(task, answer)
        elif answer.proposal is not None:
            self._ask_columns(task, answer.proposal)
        else:
            return False
        return True

    def _ask_mark(self, task: _Task, answer: ImportAnswer) -> None:
        from rooflinestudio.ui.importing.mark_dialog import MarkDialog

        if answer.question is None:
            return
        dialog = MarkDialog(
            task.name, answer.question, others=len(self._waiting), parent=self._notices.window()
        )
        dialog.markChosen.connect(partial(self._on_mark_chosen, task))
        self._open(dialog, task)

    def _ask_columns(self, task: _Task, proposal: TableProposal) -> None:
        remembered = self.memory.recall(proposal)
        if remembered and not task.wish.only_columns:
            self._read(task._replace(wish=replace(task.wish, columns=remembered, recalled=True)))
            return
        from rooflinestudio.ui.importing.sources import columns_dialog_for

        said = self._said.get(task.wish.replaces, task.wish)
        said = replace(said, columns=said.columns or remembered, replaces=task.wish.replaces)
        dialog = columns_dialog_for(self._session, task.path, proposal, said, self._notices.window())
        dialog.columnsAccepted.connect(partial(self._on_columns_accepted, task, proposal))
        dialog.shapesRequested.connect(partial(self._on_shapes_requested, task))
        self._open(dialog, task)

    def _open(self, dialog: QDialog, task: _Task) -> None:
        self.dialog = dialog
        dialog.rejected.connect(partial(self._on_dialog_rejected, task))
        dialog.open()

    def _close(self) -> None:
        if self.dialog is not None:
            self.dialog.deleteLater()
            self.dialog = None

    def _on_mark_chosen(self, task: _Task, mark: str, for_all: bool) -> None:
        self._close()
        self._mark_for_all = mark if for_all else None
        self._read(task._replace(wish=replace(task.wish, decimal_mark=mark)))

    def _on_columns_accepted(
        self,
        task: _Task,
        proposal: TableProposal,
        columns: tuple[StatedColumn, ...],
        mark: str,
        remember: bool,
    ) -> None:
        self._close()
        if remember:
            self.memory.keep(proposal, columns)
        else:
            self.memory.forget(proposal)
        wish = replace(task.wish, columns=columns, decimal_mark=mark or None)
        self._read(task._replace(wish=replace(wish, only_columns=False, recalled=False)))

    def _on_shapes_requested(self, task: _Task) -> None:
        self._close()
        self.shapesFound.emit(task.path)
        self._read_next()

    def _on_dialog_rejected(self, task: _Task) -> None:
        self._close()
        self._say_cancelled(task)

    # What was read ------------------------------------------------------------------------------------------------

    def _take(self, task: _Task, answer: ImportAnswer) -> None:
        if answer.overlay is None:  # its columns were asked for, and it has none
            self._notices.tell(
                "warn", f"The columns of {task.name} cannot be changed", "It is no table of points now."
            )
            return
        if len(answer.overlay):
            self._add(task, answer.overlay, answer)
        elif not answer.machines:
            self._notices.tell(
                "warn", f"{task.name} holds no kernel", "\n".join(answer.warnings), "The study is as it was."
            )
        if answer.machines:
            self.ceilingsFound.emit(task.path, tuple(answer.machines))

    def _add(self, task: _Task, overlay: Overlay, answer: ImportAnswer) -> None:
        from rooflinestudio.core.importing.edits import with_overlay, with_overlay_exchanged

        study, replaced = self._session.study, task.wish.replaces
        self._said[overlay.digest] = task.wish
        if any(one.digest == overlay.digest for one in study.overlays):
            self._notices.tell(
                "info", f"{task.name} is there already", "A file with the same content lies over this study."
            )
            return
        made = with_overlay_exchanged(study, replaced, overlay) if replaced else with_overlay(study, overlay)
        self._session.edit(f"{'Change columns of' if replaced else 'Import'} {task.name}", made)
        self._say_taken(task, overlay, answer)
        self.imported.emit(overlay.digest)

    def _say_taken(self, task: _Task, overlay: Overlay, answer: ImportAnswer) -> None:
        from rooflinestudio.ui.importing.telling import has_columns_to_change, tell_overlay

        banner, match = tell_overlay(self._session, self._notices, task.name, overlay, task.wish, answer)
        if banner.count > 1:
            return
        if match is not None:
            banner.add_button(f"Show {match.entry.name}", partial(self.machineRequested.emit, match.entry.id))
        if has_columns_to_change(task.wish, answer):
            banner.add_button("Change columns…", partial(self.change_columns, overlay.digest))
