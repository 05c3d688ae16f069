"""STREAM: four kernels over arrays of one length, as text or as the CSV that scripts make of it.

A rate is the bytes that the source of the kernel names over the best time: two arrays for Copy and Scale, three for Add
and Triad, decimal megabytes. Where a processor reads a line before it writes it (write-allocate), more is moved than is
counted.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from plugins_builtin._benchmarks.found import MEGA, MOST_POINTS, Rate, Tool, number, rate_in
from plugins_builtin._measured.drafts import Draft, Traffic
from plugins_builtin._measured.tables import number_in
from plugins_builtin._ncu.lines import split_row
from plugins_builtin._ncu.values import Value
from rooflinestudio.plugins import format_quantity

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["SIGN", "Stream"]

SIGN: Final = re.compile(
    r"^[ \t]*\"?Function\"?[ \t,;]{1,40}\"?(?:Best Rate|Rate)[ \t]{0,20}\(?MB/s\)?\"?[ \t,;]{1,40}\"?Avg time",
    re.MULTILINE,
)
"""Head line of the table."""

_SIZE: Final = re.compile(r"[ \t]*Array size = (?P<count>\d{1,15})\b")
_BYTES: Final = re.compile(r"[ \t]*This system uses (?P<bytes>\d{1,2}) bytes per\b")
_THREADS: Final = re.compile(r"[ \t]*Number of Threads (?:requested|counted) = (?P<count>\d{1,9})\b")
_RUNS: Final = re.compile(r"[ \t]*Each kernel will be executed (?P<count>\d{1,9}) times")
_NAME: Final = re.compile(r"(?P<name>Copy|Scale|Add|Triad):?\Z", re.IGNORECASE)
_COLUMNS: Final = 5


class _Kernel(NamedTuple):
    """Arrays that are counted, and FLOP per element."""

    arrays: int
    flop: int
    formula: str


_KERNELS: Final[Mapping[str, _Kernel]] = {
    "Copy": _Kernel(2, 0, "c = a"),
    "Scale": _Kernel(2, 1, "b = s·c"),
    "Add": _Kernel(3, 1, "c = a + b"),
    "Triad": _Kernel(3, 2, "a = b + s·c"),
}


class Stream(Tool):
    """Takes what STREAM prints."""

    form = "stream"

    def __init__(self) -> None:
        super().__init__()
        self._open = False
        self._delimiter = ""
        self._elements: int | None = None
        self._bytes = 8
        self._threads = ""
        self._runs: int | None = None

    @property
    def busy(self) -> bool:
        """Whether it waits for lines that no opening announces."""
        return self._open

    def add(self, line: str) -> bool:
        """Take a line; False if it is none of STREAM."""
        if SIGN.match(line):
            self.seen = self._open = True
            self._delimiter = next((one for one in (",", ";", "\t") if one in line), "")
            return True
        if self._open:
            self._open = self._row(line)
            if self._open:
                return True
        return self._setting(line)

    def _setting(self, line: str) -> bool:
        """Take a line of what STREAM says before its table."""
        if (match := _BYTES.match(line)) is not None:
            self._bytes, self._elements, self._threads, self._runs = int(match["bytes"]), None, "", None
        elif (match := _SIZE.match(line)) is not None:
            self._elements = int(match["count"])
        elif (match := _THREADS.match(line)) is not None:
            self._threads = match["count"]
        elif (match := _RUNS.match(line)) is not None:
            self._runs = int(match["count"])
        else:
            return False
        return True

    def _row(self, line: str) -> bool:
        """Take a row; False where it is none, which ends the table."""
        cells = (split_row(line, self._delimiter) or []) if self._delimiter else line.split()
        cells = [cell.strip() for cell in cells if cell.strip()]
        match = _NAME.match(cells[0]) if cells else None
        if match is None or len(cells) < _COLUMNS:
            return match is not None
        name = match["name"].capitalize()
        best, shortest, longest = rate_in(cells[1], MEGA), number(cells[3]), number(cells[4])
        if best is None or len(self.drafts) >= MOST_POINTS:
            return True
        low = best * shortest / longest if shortest and longest and shortest <= longest else None
        samples = (
            self._runs - 1 if self._runs is not None and self._runs > 1 else None
        )  # the first is not counted
        rate = Rate(best, name, self._condition(name), low=low, high=best if low else None, samples=samples)
        self.device("", "STREAM").add_boundary("dram", rate)
        value = number_in(cells[1], f"{name} in MB/s", MEGA, " × 1e6")
        if value is not None:
            self.drafts.append(self._draft(name, value))
        return True

    def _condition(self, name: str) -> str:
        parts = []
        if self._elements:
            parts.append(f"arrays of {format_quantity(self._elements * self._bytes, 'B')}")
        if self._threads:
            parts.append(f"{self._threads} thread{'' if self._threads == '1' else 's'}")
        parts.append(f"{_KERNELS[name].arrays} arrays counted, write-allocate not")
        return ", ".join(parts)

    def _draft(self, name: str, rate: Value) -> Draft:
        kernel = _KERNELS[name]
        pipe = "fp64" if self._bytes == 8 else "fp32"
        moved = kernel.arrays * self._bytes
        formula = f"{kernel.flop} FLOP per {moved} bytes ({kernel.formula})"
        draft = Draft(name)
        lower = "write-allocate is not counted"
        if self._elements:
            text = f"{kernel.arrays} arrays × {self._elements} elements × {self._bytes} bytes"
            amount = Value(float(self._elements * moved), 0.0, text)
            draft.traffic["dram"] = Traffic(amount.bounded("lower", lower))
            draft.work[pipe] = amount.scaled(kernel.flop / moved, f"{text} × {formula}")
            draft.time = amount.over(rate, f"{text} / rate of the best run ({rate.text})")
        else:
            draft.traffic_rates["dram"] = rate.bounded("lower", lower)
            draft.work_rates[pipe] = rate.scaled(kernel.flop / moved, f"{rate.text} × {formula}")
        draft.notes = (
            "Work and traffic follow from the definition of the kernel; measured was the best time.",
        )
        if not kernel.flop:
            draft.missing = ("no arithmetic in this kernel: its rate is a slope of the machine",)
        return draft
