"""One pass over a file: tables, launches, and then the measurements with all that has to be said about them."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final, NamedTuple

from plugins_builtin._ncu.building import Building
from plugins_builtin._ncu.counted_file import CountedFile
from plugins_builtin._ncu.explain import EXPORT, Surroundings, binary_kind, counted
from plugins_builtin._ncu.launches import LaunchStore
from plugins_builtin._ncu.lines import TextLines, encoding_of, read_head, split_row
from plugins_builtin._ncu.remarks import Remarks
from plugins_builtin._ncu.rows import Rows, rows_of
from plugins_builtin._ncu.tables import Table, find_table
from plugins_builtin._ncu.text_page import TextPage, launch_heading
from rooflinestudio.plugins import MeasurementCancelled, MeasurementError, MeasurementFile

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from plugins_builtin._ncu.launches import RawLaunch
    from plugins_builtin._ncu.numbers import Mark

__all__ = ["launches_of", "read_file"]

_READING_SHARE: Final = 0.7  # of the progress; the rest is for making the measurements


def read_file(
    path: Path,
    *,
    mark: Mark | None = None,
    progress: Callable[[float], bool] | None = None,
    columns: bool = True,
) -> MeasurementFile:
    """Read one file of the profiler.

    Parameters
    ----------
    path
        The file.
    mark
        Decimal mark, if the user has stated it; left out, the file's own evidence decides.
    progress
        Called with the share done, 0 to 1; False cancels.
    columns
        Whether raw pages may be read as columns, which is quicker and gives the same.

    Raises
    ------
    MeasurementError
        The file cannot be read or is of another kind.
    MeasurementCancelled
        ``progress`` returned False.
    """
    return _taken(path, mark, progress, columns=columns).finished()


def launches_of(path: Path, mark: Mark | None = None) -> tuple[list[RawLaunch], Mark | None]:
    """Give the launches of a file as printed, and its decimal mark; raises as :func:`read_file` does."""
    reading = _taken(path, mark, None, columns=False, keep=True)
    return reading.launches, reading.mark


def _taken(
    path: Path,
    mark: Mark | None,
    progress: Callable[[float], bool] | None,
    *,
    columns: bool,
    keep: bool = False,
) -> _Reading:
    """Go through the lines of a file, for a second time where the first began with a wrong guess.

    Parameters
    ----------
    keep
        Whether all launches are kept as printed.
    """
    head = read_head(path)
    if not head.strip():
        raise MeasurementError(f"{path}: the file is empty.")
    encoding = encoding_of(head)
    if encoding is None:
        raise MeasurementError(
            f"{path}: this is {binary_kind(head)}, not a profile. Open a CSV that Nsight Compute exported: {EXPORT}"
        )
    known = _Known(mark) if mark is not None else None
    reading = _Reading(path, encoding, known, progress, columns=columns, keep=keep)
    reading.take_lines()
    if reading.guessed_wrong:
        known, keep = reading.found_out(), keep or reading.came_back
        reading = _Reading(path, encoding, known, progress, columns=False, keep=keep)
        reading.take_lines()
    return reading


class _Known(NamedTuple):
    """What is known of a file before it is read.

    Attributes
    ----------
    mark
        Its decimal mark, as the user stated it or as the whole file bears witness to; None if neither.
    stated
        Whether that is the user's word.
    several
        Whether it is about several devices; None if that is not known.
    """

    mark: Mark | None
    stated: bool = True
    several: bool | None = None


class _Reading:
    """State of reading one text file."""

    def __init__(
        self,
        path: Path,
        encoding: str,
        known: _Known | None,
        progress: Callable[[float], bool] | None,
        *,
        columns: bool,
        keep: bool,
    ) -> None:
        self._path = path
        self._known = known
        self._mark = known.mark if known is not None and known.stated else None
        self._building: Building | None = None
        self._assumed: _Known | None = None
        self._only_weighs = False
        self._progress = progress
        self._lines = TextLines(path, encoding, self._report_lines if progress is not None else None)
        self._store = LaunchStore(self._mark, columns=columns, give_on=None if keep else self._give_on)
        self._remarks = Remarks(self._store.evidence, self._mark)
        self._page = TextPage(self._store)
        self._around = Surroundings()
        self._kinds: dict[str, None] = {}
        self._table: Table | None = None
        self._rows: Rows | None = None
        self._cut_rows: list[int] = []
        self._broken_off = ""

    def take_lines(self) -> None:
        """Read the whole file."""
        for line in self._lines:
            self._take(line)
        self._end_table()
        self._broken_off = self._page.finish()
        self._around.sections = self._page.sections
        if self._page.launches:
            self._kinds["text"] = None

    @property
    def launches(self) -> list[RawLaunch]:
        """Launches in the order of the file."""
        return self._store.launches

    @property
    def mark(self) -> Mark | None:
        """Decimal mark that was stated or that the whole file bears witness to; None if neither."""
        return self._mark or self._store.evidence.decide()

    @property
    def came_back(self) -> bool:
        """Whether the rows of a launch are spread so widely that all launches must be kept to gather them."""
        return self._store.came_back

    @property
    def guessed_wrong(self) -> bool:
        """Whether the whole file bears witness to something else than launches were read under."""
        taken = self._store.taken_for_granted
        if taken is not None and self._mark is None and taken != self._store.evidence.decide():
            return True
        several = self._assumed is not None and self._assumed.several != self.found_out().several
        return several or self._only_weighs or self.came_back

    def found_out(self) -> _Known:
        """What is known of the file now that it was read."""
        return _Known(self.mark, self._mark is not None, len(self._store.devices) > 1)

    def _give_on(self) -> None:
        """Make the measurements of the launches that wait, with what is known of the file by now."""
        if self._building is None and not self._only_weighs:
            mark = self._known.mark if self._known is not None else self._store.granted()
            if mark is None and self._known is None:
                self._only_weighs = True  # what the numbers are, the whole file must say
            else:
                self._begin(mark)
        if self._building is not None:
            self._building.take()
        else:
            self._store.release()

    def _begin(self, mark: Mark | None) -> Building:
        known = self._known
        several = (
            known.several if known is not None and known.several is not None else len(self._store.devices) > 1
        )
        self._assumed = _Known(mark, several=several)
        self._building = Building(self._store, mark, several, self._remarks)
        return self._building

    def finished(self) -> MeasurementFile:
        """Make the measurements.

        Raises
        ------
        MeasurementError
            There is nothing of the profiler in the file.
        """
        building = self._building or self._begin(self.mark)
        building.take(self._report_built)
        measurements, remarks = building.finished(), self._remarks
        if not measurements and not self._kinds and not self._around.recognised:
            raise MeasurementError(
                f"{self._path}: there is no Nsight Compute table in it: none of its {self._lines.number - 1:,} lines "
                f"names the columns ID and Kernel Name. Export one with: {EXPORT}"
            )
        return CountedFile(
            path=str(self._path),
            format=self._format(),
            warnings=tuple(self._warnings(remarks, empty=not measurements)),
            measurements=measurements,
            digest=self._digest(),
            counters=tuple(self._store.metrics),
            columns=building.columns(),
            question=remarks.question,
            machines=building.ceilings.machines(),
        )

    def _take(self, line: str) -> None:
        """Sort one line: word of the profiler, header, row, or anything else."""
        if self._rows is not None and self._rows.add_line(line, self._lines.number):
            return
        if line.startswith("=="):
            self._around.trace(line)
            return
        table = find_table(line)
        if table is not None:
            self._kinds[table.kind] = None
            self._around.nvprof = self._around.nvprof or table.kind == "nvprof"
            self._around.source_page = self._around.source_page or table.kind == "source"
            self._end_table()
            self._table, self._rows = table, rows_of(table, self._store)
            return
        if self._table is None or not self._add_row(line):
            if self._rows is not None and launch_heading(line) is not None:
                self._end_table()
            self._page.take(line, self._lines.number, cut=self._lines.ended_mid_line)

    def _end_table(self) -> None:
        if self._rows is not None:
            self._rows.finish()

    def _add_row(self, line: str) -> bool:
        assert self._table is not None
        if self._rows is None or self._table.delimiter not in line:
            return False
        number = self._lines.number
        whole = self._lines.complete_row(line) if line.count('"') % 2 else line
        if whole is None:
            return self._add_cut_row(line, number)
        row = split_row(whole, self._table.delimiter)
        if row is None:
            return False
        short = self._table.kind == "wide" and len(row) < len(self._table.names)
        if self._rows.add(row, number):
            if short and self._lines.ended_mid_line:
                self._cut_rows.append(number)
            return True
        if self._lines.ended_mid_line and line.startswith('"'):
            self._cut_rows.append(number)
        return False

    def _add_cut_row(self, line: str, number: int) -> bool:
        """Take what is whole of a row that ends inside a cell: of one launch per row that is worth having."""
        assert self._table is not None
        assert self._rows is not None
        if not line.startswith('"'):
            return False
        self._cut_rows.append(number)
        if self._table.kind != "wide":
            return False
        row = split_row(line.rpartition('"')[0].rstrip(self._table.delimiter), self._table.delimiter)
        return row is not None and self._rows.add(row, number)

    def _warnings(self, remarks: Remarks, *, empty: bool) -> list[str]:
        if empty and not self._kinds:
            return self._around.why_empty()
        texts = self._around.why_empty() if empty and self._rows is None else self._around.messages()
        if empty and self._rows is not None:
            texts.insert(0, "The table has a header but no launch in it.")
        if ("summary" in self._kinds or self._page.means) and not empty:
            texts.append(
                "This is a summary page: each line is the mean over its launches, ratios are ratios of means. The raw "
                f"page has every launch: {EXPORT}"
            )
        texts += self._about_text()
        if self._cut_rows:
            wide = self._table is not None and self._table.kind == "wide"
            missing = "the cells behind the cut are missing" if wide else "that row is left out"
            texts.append(
                f"{counted(len(self._cut_rows), 'row was', 'rows were')} cut off (line {self._cut_rows[0]:,}): the run "
                f"may have been killed. What stood before was read, {missing}."
            )
        if self._lines.cut_lines:
            lines = counted(self._lines.cut_lines, "line", "lines")
            texts.append(f"Left out: {lines} of over 4,000,000 characters.")
        return texts + remarks.texts()

    def _about_text(self) -> list[str]:
        """Say what a text page lacks: digits, the name of a kernel, its end."""
        texts: list[str] = []
        if self._page.launches:
            texts.append(
                "This is a text page, whose figures are rounded to two decimals. The raw page has them in full: "
                f"{EXPORT}"
            )
        if self._page.unnamed_line:
            texts.append(
                f"The figures from line {self._page.unnamed_line:,} on have no line that names their kernel: the "
                "beginning of the page is missing."
            )
        if self._broken_off:
            texts.append(
                f"The file ends {self._broken_off} (line {self._lines.number - 1:,}): it was cut off. What stood "
                "before was read; the sections after it are missing."
            )
        return texts

    def _format(self) -> str:
        for kind in ("wide", "long", "summary", "source"):
            if kind in self._kinds:
                return f"ncu-csv-{kind}"
        if self._around.nvprof:
            return "nvprof-csv"
        return "ncu-text" if self._page.launches or self._page.sections else "ncu-log"

    def _digest(self) -> str:
        if self._mark is None:
            return self._lines.digest
        return hashlib.sha256(f"{self._lines.digest} decimal mark {self._mark}".encode()).hexdigest()

    def _report_lines(self, share: float) -> bool:
        return self._progress is None or self._progress(share * _READING_SHARE)

    def _report_built(self, share: float) -> None:
        if self._progress is not None and not self._progress(_READING_SHARE + (1 - _READING_SHARE) * share):
            raise MeasurementCancelled(f"{self._path}: reading was cancelled.")
