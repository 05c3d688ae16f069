"""One pass over a file of rocprof-compute."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plugins_builtin._measured.ceilings import ceilings_in_words
from plugins_builtin._measured.tables import (
    MOST_KERNELS,
    Header,
    built,
    find_header,
    header_in_head,
    let_go,
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
    from pathlib import Path

    from plugins_builtin._measured.ceilings import MeasuredCeilings
    from plugins_builtin._measured.drafts import Draft
    from plugins_builtin._ncu.lines import TextLines
    from rooflinestudio.plugins import Progress

__all__ = ["ceilings_in", "looks_like_rocprof", "read_file"]

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
        warnings = _roof_words(_ceilings(header.found, header.delimiter, lines))
        return MeasurementFile(str(path), "rocprof-roofline", tuple(warnings), (), lines.digest)
    drafts, warnings = _dispatches(header.found, header.delimiter, lines)
    made = built(let_go(drafts), len(drafts), ADVICE, path, progress)
    return MeasurementFile(str(path), "rocprof-counters", tuple(warnings), made, lines.digest)


def ceilings_in(path: Path) -> tuple[MeasuredCeilings, ...]:
    """Ceilings of a ``roofline.csv``, one per device; none of a table of counters.

    Raises
    ------
    MeasurementError
        The file cannot be read or is of another kind.
    """
    lines = open_text(path, _MEND)
    header = _header(lines, path)
    return _ceilings(header.found, header.delimiter, lines)[0] if isinstance(header.found, RoofTable) else ()


def _header(lines: TextLines, path: Path) -> Header[Table]:
    for line in lines:
        header: Header[Table] | None = find_header(line, lines.number, _known)
        if header is not None:
            return header
    raise MeasurementError(f"{path}: no row of its {lines.number - 1:,} lines names the columns. {_MEND}")


def _dispatches(table: CounterTable, delimiter: str, lines: TextLines) -> tuple[list[Draft], list[str]]:
    drafts: list[Draft] = []
    left_out: list[int] = []
    for number, cells in rows_of(lines, delimiter):
        draft = dispatch_of(table, cells) if len(drafts) < MOST_KERNELS else None
        if draft is None:
            left_out.append(number)
        else:
            drafts.append(draft)
    warnings: list[str] = []
    if left_out:
        warnings.append(
            f"Left out: {len(left_out):,} rows without a kernel; the first is line {left_out[0]:,}."
        )
    if lines.ended_mid_line and drafts and not drafts[-1].time:
        warnings.append("The last row is cut off: figures of its dispatch may be missing.")
    if not drafts:
        warnings.append(
            "The table has columns, but no dispatch below them. Profile again with rocprof-compute profile."
        )
    return drafts, warnings


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
