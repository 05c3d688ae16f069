"""The text page: what the profiler prints to a terminal, launch by launch, in ruled tables.

A launch starts with one line that names the kernel, its grid, block, context, stream and device. Sections follow, each
with a table of three columns (five on a summary page), and with advice in paragraphs that hold numbers of their own:
only rows between rulers are figures.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from plugins_builtin._ncu.counters import Cell, Source
from plugins_builtin._ncu.launches import LONGEST_NAME, RawLaunch, keep
from plugins_builtin._ncu.metrics import label_metric, wanted_metric
from plugins_builtin._ncu.ruled import RuledTable
from plugins_builtin._ncu.rules import peak_share_cells

if TYPE_CHECKING:
    from plugins_builtin._ncu.launches import LaunchStore
    from plugins_builtin._ncu.ruled import Row

__all__ = ["UNNAMED", "Heading", "TextPage", "launch_heading"]

UNNAMED: Final = "(kernel not named)"
"""Kernel of figures before which the file has no line that names one."""

_PROPERTY: Final = re.compile(
    r"([A-Z][A-Za-z ]{1,20}) (\d{1,18}(?:\.\d{1,3})?)\Z|\d{4}-[A-Za-z]{3}-\d{1,2} \d\d:\d\d:\d\d\Z", re.ASCII
)
_SHAPE: Final = re.compile(
    r"(\(\d{1,12}, *\d{1,12}, *\d{1,12}\))x(\(\d{1,12}, *\d{1,12}, *\d{1,12}\))\Z", re.ASCII
)
_CLUES: Final = (", Context ", ", Device ", ", Invocations ")
_MOST_PROPERTIES: Final = 10
_LONGEST_SHAPE: Final = 100  # characters
_LONGEST_PARAGRAPH: Final = 20  # lines
_MOST_SOURCES: Final = 50_000
_ESCAPES: Final = re.compile(r"\x1b\[[0-9;?]{0,20}[A-Za-z]")


class Heading(NamedTuple):
    """The line that starts a launch, taken apart."""

    kernel: str
    grid: str
    block: str
    properties: dict[str, str]


def launch_heading(line: str) -> Heading | None:
    """Take apart ``name(params) (grid)x(block), Context 1, Stream 7, Device 0, CC 8.0``; None for another line."""
    if not any(clue in line for clue in _CLUES):
        return None
    parts = line.strip().rsplit(", ", _MOST_PROPERTIES)
    properties: dict[str, str] = {}
    while len(parts) > 1 and (match := _PROPERTY.match(parts[-1])) is not None:
        if match[1]:
            properties.setdefault(match[1], match[2])
        del parts[-1]
    if not properties.keys() & {"Context", "Device", "Invocations"}:
        return None
    kernel = ", ".join(parts)
    shape = _SHAPE.search(kernel[-_LONGEST_SHAPE:])
    if shape is None:
        return Heading(kernel, "", "", properties)
    return Heading(kernel[: len(kernel) - len(shape[0])].rstrip(), shape[1], shape[2], properties)


class TextPage:
    """Takes the lines of text pages, and puts their figures with the launches of the file.

    Attributes
    ----------
    launches
        How many launches were found.
    sections
        How many sections were found, with or without a table.
    means
        Whether a table held averages over launches.
    unnamed_line
        First line of figures that no line with a kernel's name came before, or 0.
    """

    def __init__(self, store: LaunchStore) -> None:
        self._store = store
        self._launch: RawLaunch | None = None
        self._section = ""
        self._sections: set[str] = set()
        self._table = RuledTable()
        self._paragraph: list[str] = []
        self._sources: dict[tuple[str, str, str], Source | None] = {}
        self.launches = 0
        self.sections = 0
        self.means = False
        self.unnamed_line = 0

    def take(self, line: str, number: int, *, cut: bool = False) -> bool:
        """Take a line; False if it is no part of a text page.

        Parameters
        ----------
        cut
            Whether the file ends inside this line: then a figure in it may lack digits, and is left out.
        """
        if "\x1b" in line:
            line = _ESCAPES.sub("", line)
        heading = launch_heading(line)
        if heading is not None:
            self._start(heading, number)
            return True
        words = line.strip()
        if words.startswith("Section: "):
            self._enter(words.removeprefix("Section: ").strip()[:LONGEST_NAME])
            return True
        row = self._table.take(line, in_section=bool(self._section))
        if isinstance(row, bool):
            self._note(words, part_of_table=row)
            return row
        if not cut:
            self._add(row, number)
        return True

    def finish(self) -> str:
        """Read the last paragraph, and return in which section the page breaks off, or an empty text."""
        self._end_paragraph()
        if self._launch is None or not self._table.open:
            return ""
        return f"inside the table “{self._section}” of launch {self._store.started - 1}"

    def _start(self, heading: Heading, number: int) -> None:
        self._end_paragraph()
        self._launch = self._new_launch(heading, number)
        self._section, self._sections = "", set()
        self._table.leave()

    def _new_launch(self, heading: Heading, number: int) -> RawLaunch:
        self._store.make_room()
        same, properties = self._store.same, heading.properties
        launch = RawLaunch(
            kernel=same(heading.kernel),
            block=same(heading.block),
            grid=same(heading.grid),
            device=same(properties.get("Device", "")),
            compute_capability=same(properties.get("CC", "")),
            count=max(int(float(properties.get("Invocations", "1"))), 1),
            line=number,
        )
        self._store.start(launch)
        self.launches += 1
        return launch

    def _enter(self, section: str) -> None:
        """Begin a section; one that comes again without a launch line belongs to another, unnamed launch."""
        self._end_paragraph()
        if section in self._sections and self._launch is not None and self._launch.kernel == UNNAMED:
            self._launch, self._sections = None, set()
        self._section = section
        self.sections += 1
        self._sections.add(section)
        self._table.leave()

    def _note(self, words: str, *, part_of_table: bool) -> None:
        """Gather advice, which is wrapped over several lines and ends at the next table, ruler or section."""
        if part_of_table:
            self._end_paragraph()
        elif words and self._launch is not None and len(self._paragraph) < _LONGEST_PARAGRAPH:
            self._paragraph.append(words[:200])

    def _end_paragraph(self) -> None:
        if self._paragraph and self._launch is not None:
            for cell in peak_share_cells(" ".join(self._paragraph)):
                keep(self._launch, cell)
        self._paragraph = []

    def _add(self, row: Row, number: int) -> None:
        if not row.name or not row.value or max(map(len, row)) > LONGEST_NAME:
            return
        source = self._source(row)
        if self._launch is None:
            if source is None:
                return  # perhaps a table of the program's own
            self._launch = self._new_launch(Heading(UNNAMED, "", "", {}), number)
            self.unnamed_line = self.unnamed_line or number
        assert self._table.columns is not None
        self.means = self.means or self._table.columns.means
        if source is not None:
            keep(self._launch, Cell(self._store.same(row.value), source))
        if row.value[:1].isdigit():
            self._store.weigh(row.value, row.name, row.unit)

    def _source(self, row: Row) -> Source | None:
        """Metric that a row of this section, name and unit gives; some rows have the counter's own name."""
        key = (self._section, row.name, row.unit)
        if key not in self._sources:
            metric, shown = wanted_metric(row.name), row.name
            if metric is None:
                metric, shown = label_metric(self._section, "", row.name, row.unit), f"“{row.name}”"
            if len(self._sources) >= _MOST_SOURCES:
                return None
            self._store.has(metric or row.name)
            self._sources[key] = None if metric is None else Source(metric, row.unit, shown)
        return self._sources[key]
