"""Rows of the tables of nvprof, gathered by kernel or launch: only what a recipe needs is kept."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from plugins_builtin._measured.tables import Unreadable
from plugins_builtin._ncu.text_page import UNNAMED
from plugins_builtin._nvprof.activity import ACTIVITY, read_activity
from plugins_builtin._nvprof.figures import WANTED
from plugins_builtin._nvprof.tables import read_value, split_at_gaps

if TYPE_CHECKING:
    from collections.abc import Callable

    from plugins_builtin._ncu.values import Value
    from plugins_builtin._nvprof.tables import NvprofTable

__all__ = ["Kernels", "RawKernel", "Rows"]

_LONGEST_NUMBER: Final = 12  # digits of a count
_DEVICE: Final = re.compile(r'Device "([^"]{1,200})"\s*\Z')
_COUNTER: Final = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)+\Z", re.ASCII)
_KERNEL: Final = re.compile(r"\s+Kernel: (\S.*?)\s*\Z")
_MOST_OPEN: Final = 20_000
"""Kernels that wait for further counters; a program has some hundred, of which each row can be about any."""
_MOST_NAMES: Final = 2_000
_LONGEST_NAME: Final = 200  # characters
_COPIES: Final = ("[CUDA memcpy", "[CUDA memset", "[Unified Memory")


@dataclass(slots=True)
class RawKernel:
    """One kernel with the means over its launches, or one launch of a trace; at a position of the file, from 0."""

    kernel: str
    device: str
    count: int
    position: int
    grid: tuple[int, int, int] | None = None
    block: tuple[int, int, int] | None = None
    time: Value | None = None
    counters: dict[str, Value] = field(default_factory=dict)


class Kernels:
    """Kernels and launches of all tables of a file, given on as soon as they are whole.

    Parameters
    ----------
    take
        Called with each kernel when nothing more can be said about it.

    Attributes
    ----------
    started
        How many were begun, in the order in which they first occur.
    names
        Metrics and events that the file has.
    copies
        Rows of copies and fills, which are no kernels.
    unreadable
        Cells of counters we want that are no number in a known unit.
    """

    def __init__(self, take: Callable[[RawKernel], None]) -> None:
        self.started = 0
        self.names: dict[str, None] = {}
        self.copies = 0
        self.unreadable = Unreadable()
        self._take = take
        self._open: dict[tuple[str, str], RawKernel] = {}

    def start(self, kernel: str, device: str, count: int) -> RawKernel:
        """Begin a kernel or launch."""
        raw = RawKernel(kernel, device, count, self.started)
        self.started += 1
        return raw

    def done(self, raw: RawKernel) -> None:
        """Give a launch on that one row has told everything about."""
        self._take(raw)

    def mean(self, kernel: str, device: str, count: int, name: str) -> RawKernel:
        """Kernel that the mean of one counter belongs to; a counter that comes again is of another run."""
        known = self._open.get((device, kernel))
        if known is not None and name not in known.counters:
            return known
        if known is not None or len(self._open) >= _MOST_OPEN:
            self._take(self._open.pop((device, kernel) if known is not None else next(iter(self._open))))
        raw = self._open[device, kernel] = self.start(kernel, device, count)
        return raw

    def finish(self) -> None:
        """Give on what is still waiting for counters."""
        while self._open:
            self._take(self._open.pop(next(iter(self._open))))

    def has(self, name: str) -> None:
        """Note that the file has a metric or event."""
        if len(self.names) < _MOST_NAMES and len(name) <= _LONGEST_NAME:
            self.names[name] = None


class Rows:
    """Takes the rows of one table."""

    def __init__(self, table: NvprofTable, kernels: Kernels) -> None:
        self._table = table
        self._kernels = kernels
        self._width = max(table.columns.values()) + 1
        if table.kind == "counters":
            for name in filter(_COUNTER.match, table.columns):
                kernels.has(name)
        self._units: list[str] | None = None if table.kind != "metrics" else []
        self._device = self._kernel = self._type = ""
        self._add = {
            "metrics": self._add_mean,
            "trace": self._add_launch,
            "counters": self._add_counted_launch,
            "summary": self._add_times,
        }[table.kind]

    def add_text(self, line: str, number: int) -> bool:
        """Take a line of a table on a terminal; False if it is none of it."""
        device = _DEVICE.match(line) if line.startswith("Device ") else None
        kernel = _KERNEL.match(line) if "Kernel: " in line[:20] else None
        if device is not None or kernel is not None:
            self._device = device[1] if device is not None else self._device
            self._kernel = kernel[1] if kernel is not None else self._kernel
            return True
        row = split_at_gaps(line)
        if "Type" in self._table.columns and len(row) == self._width - 1:
            row.insert(0, "")  # only the first row of a type names it
        return self.add(row, number)

    def add(self, row: list[str], line: int) -> bool:
        """Take a row; False if it is no row of this table."""
        if not 1 < len(row) <= self._width:
            return False
        if self._units is None:
            name = self._cell(row, "Kernel") or self._cell(row, "Name")
            self._units = [] if name else row
            if not name:
                return True
        return self._add(row, line)

    def _cell(self, row: list[str], name: str) -> str:
        position = self._table.columns.get(name)
        return row[position].strip() if position is not None and position < len(row) else ""

    def _value(self, row: list[str], column: str, recipe: str, line: int) -> Value | None:
        text = self._cell(row, column)
        position = self._table.columns.get(column, 0)
        unit = self._units[position] if self._units and position < len(self._units) else ""
        value = read_activity(text, recipe) if recipe in ACTIVITY else read_value(text, unit, recipe)
        if value is None and text:
            self._kernels.unreadable.add(f"{recipe} = “{text[:40]}” (line {line:,})")
        return value

    def _add_mean(self, row: list[str], line: int) -> bool:
        name = self._cell(row, "Metric Name") or self._cell(row, "Event Name")
        count = _whole(self._cell(row, "Invocations"))
        if not name or count is None:
            return False
        self._kernels.has(name)
        if name in WANTED:
            kernel = self._cell(row, "Kernel") or self._kernel or UNNAMED
            device = self._cell(row, "Device") or self._device
            value = self._value(row, "Avg", name, line)
            raw = self._kernels.mean(kernel, device, max(count, 1), name)
            if value is not None:
                raw.counters[name] = value
        return True

    def _add_launch(self, row: list[str], line: int) -> bool:
        name = self._cell(row, "Name")
        if not name or not self._cell(row, "Start")[:1].isdigit():
            return False
        if name.startswith(_COPIES):
            self._kernels.copies += 1
            return True
        raw = self._kernels.start(_without_number(name), self._cell(row, "Device"), 1)
        raw.time = self._value(row, "Duration", "Duration", line)
        raw.grid = self._dimensions(row, "Grid")
        raw.block = self._dimensions(row, "Block")
        self._kernels.done(raw)
        return True

    def _add_counted_launch(self, row: list[str], line: int) -> bool:
        kernel = self._cell(row, "Kernel")
        if not kernel or _whole(self._cell(row, "Stream")) is None:
            return False
        raw = self._kernels.start(_without_number(kernel), self._cell(row, "Device"), 1)
        for name in self._table.columns:
            if name in WANTED:
                value = self._value(row, name, name, line)
                if value is not None:
                    raw.counters[name] = value
        self._kernels.done(raw)
        return True

    def _add_times(self, row: list[str], line: int) -> bool:
        name, count = self._cell(row, "Name"), _whole(self._cell(row, "Calls"))
        if not name or count is None:
            return False
        self._type = self._cell(row, "Type").rstrip(":") or self._type
        if self._type == "API calls" or name.startswith(_COPIES):
            self._kernels.copies += name.startswith(_COPIES)
            return True
        raw = self._kernels.start(name, "", max(count, 1))
        raw.time = self._value(row, "Avg", "Avg", line)
        self._kernels.done(raw)
        return True

    def _dimensions(self, row: list[str], what: str) -> tuple[int, int, int] | None:
        texts = [self._cell(row, f"{what} {axis}") for axis in "XYZ"]
        if self._table.on_terminal:
            texts = self._cell(row, f"{what} Size").strip("()").split(" ")
        numbers = [number for text in texts if (number := _whole(text)) is not None]
        x, y, z = numbers if len(numbers) == len(texts) == len("XYZ") else (-1, -1, -1)
        return (x, y, z) if min(x, y, z) >= 0 else None


def _whole(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER else None


def _without_number(name: str) -> str:
    """Name of a kernel without the correlation number that a trace puts behind it (``axpy(float*) [117]``)."""
    head, bracket, number = name.rpartition(" [")
    return head if bracket and number.endswith("]") and number[:-1].isdigit() else name
