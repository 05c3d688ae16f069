"""What stands in a file, line by line: words of the profiler, tables with their rows, pages of text, anything else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plugins_builtin._ncu.explain import EXPORT, Surroundings, counted
from plugins_builtin._ncu.lines import split_row
from plugins_builtin._ncu.rows import rows_of
from plugins_builtin._ncu.tables import find_table
from plugins_builtin._ncu.text_page import TextPage, launch_heading

if TYPE_CHECKING:
    from plugins_builtin._ncu.launches import LaunchStore
    from plugins_builtin._ncu.lines import TextLines
    from plugins_builtin._ncu.rows import Rows
    from plugins_builtin._ncu.tables import Table

__all__ = ["Content"]


class Content:
    """Sorts the lines of a file and puts its launches into a store."""

    def __init__(self, lines: TextLines, store: LaunchStore) -> None:
        self._lines = lines
        self._store = store
        self._page = TextPage(store)
        self._around = Surroundings()
        self._kinds: dict[str, None] = {}
        self._table: Table | None = None
        self._rows: Rows | None = None
        self._cut_rows = self._first_cut = 0
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
    def recognised(self) -> bool:
        """Whether there is anything of the profiler in the file."""
        return bool(self._kinds) or self._around.recognised

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
                self._cut(number)
            return True
        if self._lines.ended_mid_line and line.startswith('"'):
            self._cut(number)
        return False

    def _add_cut_row(self, line: str, number: int) -> bool:
        """Take what is whole of a row that ends inside a cell: of one launch per row that is worth having."""
        assert self._table is not None
        assert self._rows is not None
        if not line.startswith('"'):
            return False
        self._cut(number)
        if self._table.kind != "wide":
            return False
        row = split_row(line.rpartition('"')[0].rstrip(self._table.delimiter), self._table.delimiter)
        return row is not None and self._rows.add(row, number)

    def _cut(self, number: int) -> None:
        self._first_cut = self._first_cut or number
        self._cut_rows += 1

    def warnings(self, *, empty: bool) -> list[str]:
        """Say what the file is and lacks; ``empty`` says that no launch was found."""
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
                f"{counted(self._cut_rows, 'row was', 'rows were')} cut off (line {self._first_cut:,}): the run "
                f"may have been killed. What stood before was read, {missing}."
            )
        if self._lines.cut_lines:
            lines = counted(self._lines.cut_lines, "line", "lines")
            texts.append(f"Left out: {lines} of over 4,000,000 characters.")
        return texts

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

    @property
    def format(self) -> str:
        """Id of the form."""
        for kind in ("wide", "long", "summary", "source"):
            if kind in self._kinds:
                return f"ncu-csv-{kind}"
        if self._around.nvprof:
            return "nvprof-csv"
        return "ncu-text" if self._page.launches or self._page.sections else "ncu-log"
