"""Pictures and tables for reports."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.study_files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Callable

    from rooflinestudio.ui.furnishing import Furnishing

__all__ = ["Exporting"]

PICTURES = (".png", ".svg", ".pdf")
TABLES = (".csv",)


class Exporting(QObject):
    """Asks where, writes, and tells what came of it."""

    def __init__(self, inside: Furnishing) -> None:
        super().__init__(inside)
        self._inside = inside

    def export_picture(self) -> None:
        """Write the canvas as it is on screen."""
        path = self._place(PICTURES)
        if path and self._inside.panels.has_canvas:
            self._write(path, partial(self._inside.panels.canvas.export, path))

    def export_table(self) -> None:
        """Write every placement with its figures."""
        path = self._place(TABLES)
        if path:
            from rooflinestudio.core.export import csv_table

            placed = self._inside.session.placed
            self._write(path, partial(write_atomically, Path(path), csv_table(placed)))

    def export_text(self, name: str, text: str) -> None:
        """Write a table that a view has made."""
        path = self._place(TABLES, name)
        if path:
            self._write(path, partial(write_atomically, Path(path), text))

    def _place(self, kinds: tuple[str, ...], name: str = "") -> str:
        files = self._inside.files
        suggestion = Path(files.folder()) / (name or Path(files.name).stem + kinds[0])
        return self._inside.asker.place_to_export(str(suggestion), kinds)

    def _write(self, path: str, write: Callable[[], object]) -> None:
        name, notices = Path(path).name, self._inside.notices
        try:
            write()
        except StudioError as error:
            notices.tell("error", f"{name} was not written", str(error))
        except OSError as error:
            notices.tell(
                "error",
                f"{name} was not written",
                f"{path}: {error.strerror or error}.",
                "Choose another place.",
            )
        else:
            notices.tell("info", f"{name} written", str(Path(path).parent))
