"""Tables of likwid-perfctr, as CSV (``-O``) or drawn with bars and dashes: metrics of each region and group."""

from __future__ import annotations

import math
import re
from array import array
from typing import TYPE_CHECKING, Final, NamedTuple

from plugins_builtin._measured.tables import number_in
from plugins_builtin._ncu.lines import split_row
from plugins_builtin._ncu.values import Value

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Region", "Regions", "looks_like_likwid"]

_SIGNS: Final = (
    re.compile(r"^TABLE,.{0,200}(?:Raw|Metric|Region Info)", re.MULTILINE),
    re.compile(r"Runtime \(RDTSC\) \[s\]"),
    re.compile(r"^STRUCT,Info,", re.MULTILINE),
)
_REGION_LINE: Final = re.compile(
    r"\s*Region:?\s+(?P<region>.{1,300}?),\s*Group\s+(?P<number>\d+)(?::\s*(?P<name>\S{1,80}))?"
)
_GROUP_LINE: Final = re.compile(r"\s*Group\s+(?P<number>\d+):\s*(?P<name>\S{1,80})\s*\Z")
_CPU: Final = re.compile(r"\s*CPU name:[\s,]*(?P<name>[^,\t]{2,200}?)[\s,]*\Z")
_THREAD: Final = re.compile(r"(?:HWThread|Core|thread)\s", re.IGNORECASE)
_STATS: Final = ("Sum", "Min", "Max", "Avg")
_MOST_REGIONS: Final = 100_000
_MOST_METRICS: Final = 500  # of one region
_MOST_THREADS: Final = 4_096
_LONGEST_NAME: Final = 200  # characters


class Region(NamedTuple):
    """One region (or the whole run) measured with one group.

    Attributes
    ----------
    threads
        Numbers of each metric by thread.
    sums, most
        Columns Sum and Max of the statistics.
    """

    name: str
    group: str
    threads: dict[str, _Threads]
    sums: dict[str, Value]
    most: dict[str, Value]

    def values(self, name: str) -> list[Value | None]:
        """Values of a metric by thread, None where a cell is no number; empty where it was not measured."""
        found = self.threads.get(name)
        if found is None:
            return []
        return [
            None if math.isnan(number) else Value(number, error, name)
            for number, error in zip(found.numbers, found.errors, strict=True)
        ]


class _Threads(NamedTuple):
    """Numbers and rounding errors of one metric by thread, NaN where there is none; a node has hundreds of threads."""

    numbers: array[float]
    errors: array[float]


def _threads(cells: list[str], name: str) -> _Threads:
    found = _Threads(array("d"), array("d"))
    for cell in cells:
        value = number_in(cell, name)
        found.numbers.append(math.nan if value is None else value.value)
        found.errors.append(0.0 if value is None else value.error)
    return found


class Regions:
    """Takes the lines of a file and gathers the metrics.

    Parameters
    ----------
    wanted
        Whether a metric is of use; of the others only the name is kept.

    Attributes
    ----------
    found
        Regions with their metrics, by name, number of the group and its name.
    cpu
        Name of the processor, if the file says it.
    tables
        How many tables of LIKWID were seen, those without metrics too.
    metrics
        Names of all metrics.
    """

    def __init__(self, wanted: Callable[[str], bool]) -> None:
        self._wanted = wanted
        self.metrics: dict[str, None] = {}
        self.found: dict[tuple[str, str, str], Region] = {}
        self.cpu: str | None = None
        self.tables = 0
        self.too_many = 0
        self._key = ("whole run", "1", "")
        self._groups: dict[str, str] = {}
        self._kind = ""

    def add(self, line: str) -> None:
        """Take one line of the file."""
        if line.startswith("TABLE,"):
            self._open(split_row(line) or [])
        elif line.lstrip().startswith("|"):
            self._cells([cell.strip() for cell in line.strip().strip("|").split("|")])
        elif (match := _REGION_LINE.match(line[:600])) is not None:
            self._start(match["region"].strip(), match["number"], match["name"])
        elif (match := _GROUP_LINE.match(line[:200])) is not None:
            self._groups[match["number"]] = match["name"]
            self._start("whole run", match["number"], match["name"])
        elif self.cpu is None and (match := _CPU.match(line[:400])) is not None:
            self.cpu = match["name"]
        elif "," in line and not line.startswith("STRUCT,"):
            self._cells([cell.strip() for cell in split_row(line) or []])

    def _start(self, region: str, number: str, group: str | None) -> None:
        self._key = (region, number, group or self._groups.get(number, ""))
        self._kind = ""

    def _open(self, cells: list[str]) -> None:
        """Header of a table of the CSV form: ``TABLE,Region Copy,Group 1 Metric,MEM_DP,…``."""
        words = [cell.strip() for cell in cells[1:]]
        region = next(
            (word[6:].lstrip(": ") for word in words if word.startswith("Region ") and word[7:]), ""
        )
        place = next((n for n, word in enumerate(words) if re.match(r"Group \d+ ", word)), None)
        self._kind = ""
        self.tables += 1
        if place is None or "Metric" not in words[place]:
            return
        number = words[place].split(" ")[1]
        name = words[place + 1] if place + 1 < len(words) and not words[place + 1].isdigit() else ""
        self._start(region or "whole run", number, name)

    def _cells(self, cells: list[str]) -> None:
        if len(cells) < 2:
            return
        if cells[0] == "Metric":
            columns = [cell for cell in cells[1:] if cell]
            self._kind = (
                "stat"
                if tuple(columns[:4]) == _STATS
                else "threads"
                if all(map(_THREAD.match, columns))
                else ""
            )
            self.tables += 1
        elif cells[0] in ("Event", "Counter", "Region Info"):
            self._kind = ""
            self.tables += 1
        elif self._kind:
            self._metric(cells)

    def _metric(self, cells: list[str]) -> None:
        region = self.found.get(self._key)
        if region is None:
            if len(self.found) >= _MOST_REGIONS:
                self.too_many += 1
                return
            region = self.found[self._key] = Region(self._key[0], self._key[2], {}, {}, {})
        name = cells[0].removesuffix(" STAT").strip()
        if len(self.metrics) < _MOST_METRICS and len(name) <= _LONGEST_NAME:
            self.metrics[name] = None
        if not self._wanted(name):
            return
        if len(region.threads) + len(region.sums) > _MOST_METRICS:
            return
        known = [cell for cell in cells[1 : _MOST_THREADS + 1] if cell]
        if self._kind == "threads":
            if name not in region.threads:
                region.threads[name] = _threads(known, name)
            return
        values = [number_in(cell, name) for cell in known[: len(_STATS)]]
        for target, position in ((region.sums, 0), (region.most, 2)):
            value = values[position] if position < len(values) else None
            if value is not None:
                target.setdefault(name, value)


def looks_like_likwid(text: str) -> bool:
    """Whether text at the head of a file comes from likwid-perfctr."""
    if any(sign.search(text) for sign in _SIGNS):
        return True
    return "CPU type:" in text and "CPU clock:" in text and ("Group 1:" in text or "LIKWID" in text)
