"""Writes a report to files; the ending of each chooses its form."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.report.making import report_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from rooflinestudio.core.placing import EstimateSource, PlacedStudy
    from rooflinestudio.core.report.document import Report
    from rooflinestudio.ui.canvas.scene import Scene

__all__ = ["ENDINGS", "ReportError", "ReportFiles", "Shown", "check_targets"]

ENDINGS: Final = (".html", ".md", ".pdf", ".json", ".csv")
DRAWN: Final = (".html", ".md", ".pdf")
"""Forms with a picture, which needs fonts and so an application."""


class ReportError(StudioError):
    """A report that cannot be written; the message says which file, why, and the mend."""


def check_targets(targets: Sequence[Path]) -> None:
    """Look whether all files can be written before the first one is.

    Raises
    ------
    ReportError
        An ending is not known, or a folder is missing or cannot be written to.
    """
    for target in targets:
        folder = target.parent
        if target.suffix.lower() not in ENDINGS:
            found = repr(target.suffix) if target.suffix else "nothing"
            raise ReportError(f"{target}: a report ends in {', '.join(ENDINGS)}, not in {found}.")
        if target.is_dir():
            raise ReportError(f"{target} is a folder. Give the report a name of its own.")
        if not folder.is_dir():
            raise ReportError(f"{target}: there is no folder {folder}. Make it, or choose another place.")
        if not os.access(folder, os.W_OK):
            raise ReportError(f"{target}: the folder {folder} cannot be written to. Choose another place.")


@dataclass(frozen=True, slots=True)
class Shown:
    """What the picture of a report shows.

    Attributes
    ----------
    selected
        The entry whose details it shows, or None.
    machine
        The machine whose roof is the strong one; empty for the first in view.
    theme
        Of pictures that have one appearance only: Markdown and PDF.
    """

    selected: str | None = None
    machine: str = ""
    theme: str = "light"


class ReportFiles:
    """A report on one study, written as often as it is wanted.

    Parameters
    ----------
    title
        Name of the study.
    shown
        What its picture shows.
    """

    def __init__(
        self,
        placed: PlacedStudy,
        source: EstimateSource,
        *,
        title: str,
        shown: Shown | None = None,
        made: datetime | None = None,
    ) -> None:
        self._placed, self._shown = placed, shown or Shown()
        self.report: Report = report_of(placed, source, title=title, made=made)

    def write(self, target: Path) -> tuple[Path, ...]:
        """Write one file, and with Markdown the picture beside it; each is there whole or not at all.

        Raises
        ------
        ReportError
            With the file, the reason and the mend.
        """
        check_targets((target,))
        try:
            made = self._made(target)
            for path, content in made.items():
                _write_bytes(path, content)
        except OSError as error:
            raise ReportError(
                f"{target} cannot be written: {error.strerror or error}. Choose another place."
            ) from error
        return tuple(made)

    def _made(self, target: Path) -> dict[Path, bytes]:
        """Return the files with their contents, the report itself first."""
        ending = target.suffix.lower()
        if ending in (".json", ".csv"):
            from rooflinestudio.core.report.data import csv_text, json_text

            write = json_text if ending == ".json" else csv_text
            return {target: write(self.report, self._placed).encode()}
        if ending == ".md":
            from rooflinestudio.core.report.markdown import markdown_text

            picture = target.with_name(f"{target.stem}-roofline.svg")
            text = markdown_text(self.report, picture.name)
            return {target: text.encode(), picture: self._svg(self._shown.theme).encode()}
        if ending == ".pdf":
            from rooflinestudio.ui.reporting.pdf import pdf_bytes
            from rooflinestudio.ui.theme import theme_named

            return {target: pdf_bytes(self.report, self._scene(), theme_named(self._shown.theme))}
        from rooflinestudio.core.report.html import html_text, inline_picture

        pictures = (inline_picture(self._svg(theme)) for theme in ("light", "dark"))
        return {target: html_text(self.report, *pictures).encode()}

    def _scene(self) -> Scene:
        from rooflinestudio.ui.presenter import scene_of

        return scene_of(
            self._placed, selected=self._shown.selected, machine=self._shown.machine or None, invited=False
        )

    def _svg(self, theme: str) -> str:
        from rooflinestudio.ui.canvas.export import export_picture
        from rooflinestudio.ui.theme import theme_named

        with tempfile.TemporaryDirectory() as folder:
            path = export_picture(Path(folder) / "roofline.svg", self._scene(), theme=theme_named(theme))
            return path.read_text(encoding="utf-8")


def _write_bytes(target: Path, content: bytes) -> None:
    """Write so that a crash leaves either the old file or the new one, never a part."""
    target = target.resolve()
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:60]}.", suffix=".tmp")
    made = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        made.chmod(target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask())
        made.replace(target)
    except BaseException:
        with suppress(OSError):
            made.unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
