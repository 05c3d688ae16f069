"""One pass over a file of rocprof-compute."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plugins_builtin._measured.ceilings import ceilings_in_words, machines_of
from plugins_builtin._measured.tables import (
    MOST_KERNELS,
    Header,
    built,
    find_header,
    header_in_head,
    open_text,
    rows_of,
)
from plugins_builtin._rocprof.figures import ADVICE
from plugins_builtin._rocprof.tables import (
    CounterTable,
    RoofTable,
    ceilings_of,
    counter_table,
    dispatch_of,
    roof_table,
)
from rooflinestudio.plugins import MeasurementError, MeasurementFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from plugins_builtin._measured.ceilings import MeasuredCeilings
    from plugins_builtin._measured.drafts import Draft
    from plugins_builtin._ncu.lines import TextLines
    from rooflinestudio.plugins import Progress

__all__ = ["looks_like_rocprof", "read_file"]

_MEND: Final = "Give pmc_perf.csv or roofline.csv of a workload folder of rocprof-compute."
_MOST_DEVICES: Final = 64

Table = CounterTable | RoofTable


def looks_like_rocprof(head: bytes) -> bool:
    """Whether a file begins with one of the two tables."""
    return header_in_head(head, _known) is not None


def _known(cells: list[str]) -> Table | None:
    return roof_table(cells) or counter_table(cells)


def read_file(path: Path, progress: Progress | None = None) -> MeasurementFile:
    """Read the dispatches of ``pmc_perf.csv``; of ``roofline.csv`` the answer names the ceilings.

    Raises
    ------
    MeasurementError
        The file cannot be read or is of another kind.
    MeasurementCancelled
        ``progress`` returned False.
    """
    lines = open_text(path, _MEND, progress)
    header = _header(lines, path)
    if isinstance(header.found, RoofTable):
        read = _ceilings(header.found, header.delimiter, lines)
        machines = machines_of(read[0], "rocprof-compute")
        said = tuple(_roof_words(read))
        return MeasurementFile(str(path), "rocprof-roofline", said, (), lines.digest, machines=machines)
    dispatches = _Dispatches(header.found, header.delimiter, lines)
    made = built(dispatches, 0, ADVICE, path)
    warnings = tuple(dispatches.warnings())
    counters = header.found.names
    return MeasurementFile(str(path), "rocprof-counters", warnings, made, lines.digest, counters)


def _header(lines: TextLines, path: Path) -> Header[Table]:
    for line in lines:
        header: Header[Table] | None = find_header(line, lines.number, _known)
        if header is not None:
            return header
    raise MeasurementError(f"{path}: no row of its {lines.number - 1:,} lines names the columns. {_MEND}")


class _Dispatches:
    """Drafts of the rows of a table of counters, one after the other."""

    def __init__(self, table: CounterTable, delimiter: str, lines: TextLines) -> None:
        self._table = table
        self._delimiter = delimiter
        self._lines = lines
        self._left_out = self._first_left_out = 0
        self._found = 0
        self._last_has_time = False

    def __iter__(self) -> Iterator[Draft]:
        for number, cells in rows_of(self._lines, self._delimiter):
            draft = dispatch_of(self._table, cells) if self._found < MOST_KERNELS else None
            if draft is None:
                self._left_out += 1
                self._first_left_out = self._first_left_out or number
                continue
            self._found += 1
            self._last_has_time = draft.time is not None
            yield draft

    def warnings(self) -> list[str]:
        """Say what was left out or is missing, when all rows were given."""
        warnings: list[str] = []
        if self._left_out:
            warnings.append(
                f"Left out: {self._left_out:,} rows without a kernel; the first is line {self._first_left_out:,}."
            )
        if self._lines.ended_mid_line and self._found and not self._last_has_time:
            warnings.append("The last row is cut off: figures of its dispatch may be missing.")
        if not self._found:
            warnings.append(
                "The table has columns, but no dispatch below them. Profile again with rocprof-compute profile."
            )
        return warnings


def _ceilings(table: RoofTable, delimiter: str, lines: TextLines) -> tuple[tuple[MeasuredCeilings, ...], int]:
    """Ceilings, and the number of rows without any."""
    found: list[MeasuredCeilings] = []
    empty = 0
    for _, cells in rows_of(lines, delimiter):
        one = ceilings_of(table, cells) if len(found) < _MOST_DEVICES else None
        empty += one is None
        if one is not None:
            found.append(one)
    return tuple(found), empty


def _roof_words(read: tuple[tuple[MeasuredCeilings, ...], int]) -> list[str]:
    found, empty = read
    warnings = ceilings_in_words(found)
    if empty:
        warnings.append(f"Left out: {empty:,} rows without a ceiling.")
    if not found:
        return [
            *warnings, "The table of ceilings is empty. Measure them with rocprof-compute profile --roof-only.",
        ]  # fmt: skip
    return [
        *warnings, "This file holds ceilings and no kernel: for points give pmc_perf.csv of the same folder.",
    ]  # fmt: skip
