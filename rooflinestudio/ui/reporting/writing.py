"""The action that writes a report: asks where, writes, and tells what came of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.selection import selected_entry

if TYPE_CHECKING:
    from rooflinestudio.ui.furnishing import Furnishing

__all__ = ["ReportWriting"]


class ReportWriting(QObject):
    """Writes reports on the study of a window."""

    def __init__(self, inside: Furnishing) -> None:
        super().__init__(inside)
        self._inside = inside

    def write(self) -> None:
        """Ask for a place and write the report there; its ending chooses the form."""
        from rooflinestudio.ui.reporting.files import ENDINGS  # what writes is needed only now

        files = self._inside.files
        name = Path(files.name).stem
        suggestion = str(Path(files.folder()) / f"{name}-report{ENDINGS[0]}")
        path = self._inside.asker.place_to_export(suggestion, ENDINGS)
        if path:
            self._write(Path(path), name)

    def _write(self, target: Path, title: str) -> None:
        from rooflinestudio.ui.reporting.files import ReportFiles, Shown

        session, notices = self._inside.session, self._inside.notices
        try:
            files = ReportFiles(
                session.placed,
                session.source,
                title=title,
                shown=Shown(selected_entry(session.selection), session.machine),
            )
            written = files.write(target)
        except StudioError as error:
            notices.tell("error", f"{target.name} was not written", str(error))
            return
        beside = f"{', '.join(one.name for one in written[1:])} stands beside it." if written[1:] else ""
        notices.tell("info", f"{target.name} written", str(target.parent), beside)
