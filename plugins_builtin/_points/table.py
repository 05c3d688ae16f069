"""One pass over a plain table of points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from plugins_builtin._measured.tables import (
    MOST_KERNELS,
    Header,
    built,
    find_header,
    header_in_head,
    open_text,
    rows_of,
)
from plugins_builtin._ncu.numbers import FormatEvidence, is_missing
from plugins_builtin._points.columns import FIGURES, PointColumns, columns_of, stated_columns
from plugins_builtin._points.rows import ADVICE, NUMBERS, Cells, default_pipe, draft_of, pipe_in
from rooflinestudio.plugins import MeasurementError, MeasurementFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from plugins_builtin._measured.drafts import Draft
    from plugins_builtin._ncu.lines import TextLines
    from plugins_builtin._ncu.numbers import Mark
    from rooflinestudio.plugins import Progress

__all__ = ["Proposal", "Stated", "looks_like_points", "proposed", "read_file"]

Stated = tuple[tuple[str, str, str], ...]

_MEND: Final = (
    "Give a CSV whose first row names its columns, such as kernel,time [us],work [GFLOP],traffic [MB], or "
    "kernel,intensity,GFLOP/s."
)
_FOREIGN: Final = frozenset((
    "metric name", "section name", "invocations", "event name", "start", "calls", "kernel_name", "kernelname",
    "dispatch_id", "hbmbw", "function_call_sites_and_loops",
))  # fmt: skip
_SHOWN: Final = 5  # rows of a proposal


class Proposal(NamedTuple):
    """What a dialog for the columns begins with: heads, what was recognised of them, the first rows."""

    heads: tuple[str, ...]
    columns: PointColumns
    rows: tuple[tuple[str, ...], ...]


def looks_like_points(head: bytes) -> bool:
    """Whether a file begins with a header whose columns give points, and is of no other known tool."""
    return header_in_head(head, _known) is not None


def _known(cells: list[str]) -> PointColumns | None:
    if not _FOREIGN.isdisjoint(cell.lower() for cell in cells):
        return None
    return columns_of(cells)


def proposed(path: Path) -> Proposal:
    """Read heads and first rows of a table, with what its columns seem to mean.

    Raises
    ------
    MeasurementError
        The file cannot be read as a table.
    """
    lines = open_text(path, _MEND)
    header = _header(lines, path, ())
    shown = []
    for _, cells in rows_of(lines, header.delimiter):
        shown.append(tuple(cell[:200] for cell in cells[:1_000]))
        if len(shown) == _SHOWN:
            break
    return Proposal(tuple(header.cells), header.found, tuple(shown))


def read_file(
    path: Path, stated: Stated = (), mark: Mark | None = None, progress: Progress | None = None
) -> MeasurementFile:
    """Read a table.

    Parameters
    ----------
    stated
        Columns as the user states them, see :func:`plugins_builtin._points.columns.stated_columns`; without any they
        are found by their heads.
    mark
        Decimal mark as the user states it.

    Raises
    ------
    MeasurementError
        The file cannot be read, its columns are not known, or its numbers can be read in two ways.
    MeasurementCancelled
        ``progress`` returned False.
    """
    lines = open_text(path, _MEND, progress)
    header = _header(lines, path, stated)
    rows, too_many = _rows(lines, header)
    decided = mark or _mark(rows, header.delimiter, path)
    unreadable: list[str] = []

    def drafts() -> Iterator[Draft]:
        for line, row in rows:
            draft, bad = draft_of(row, header.found, decided)
            unreadable.extend(
                f"{header.found[name].head[:40]} = “{row[name][:40]}” (line {line:,})" for name in bad
            )
            yield draft

    made = built(drafts(), len(rows), ADVICE, path, progress)
    warnings = _warnings(header, rows, unreadable, too_many)
    return MeasurementFile(str(path), "points-csv", tuple(warnings), made, lines.digest)


def _header(lines: TextLines, path: Path, stated: Stated) -> Header[PointColumns]:
    def known(cells: list[str]) -> PointColumns | None:
        if not stated:
            return columns_of(cells)
        return {} if any(head in cells for _, head, _ in stated) else None

    for line in lines:
        header = find_header(line, lines.number, known)
        if header is None:
            continue
        if stated:
            try:
                return header._replace(found=stated_columns(header.cells, stated))
            except ValueError as error:
                raise MeasurementError(f"{path}, line {header.line:,}: {error}.") from None
        return header
    what = "the stated heads" if stated else "columns that give a point"
    raise MeasurementError(f"{path}: no row of its {lines.number - 1:,} lines names {what}. {_MEND}")


def _rows(lines: TextLines, header: Header[PointColumns]) -> tuple[list[tuple[int, Cells]], int]:
    """Cells that are used, with their line, and the number of rows beyond the limit."""
    rows: list[tuple[int, Cells]] = []
    too_many = 0
    for number, cells in rows_of(lines, header.delimiter):
        row = {
            name: cells[column.position]
            for name, column in header.found.items()
            if column.position < len(cells) and cells[column.position]
        }
        if len(rows) >= MOST_KERNELS:
            too_many += 1
        elif row:
            rows.append((number, row))
    return rows, too_many


def _mark(rows: list[tuple[int, Cells]], delimiter: str, path: Path) -> Mark:
    """Decimal mark by the evidence of all cells; between commas a single dot is one."""
    evidence = FormatEvidence()
    for _, row in rows:
        for figure in NUMBERS:
            if figure in row and not is_missing(row[figure]):
                evidence.add(row[figure], integer=False)
    decided = evidence.decide()
    if decided is None and delimiter == "," and not evidence.mixed:
        return "."
    if decided is None:
        raise MeasurementError(
            f"{path}: its numbers can be read with a decimal point or a decimal comma. Say which with "
            "--decimal-mark."
        )
    return decided


def _warnings(
    header: Header[PointColumns], rows: list[tuple[int, Cells]], unreadable: list[str], too_many: int
) -> list[str]:
    columns = header.found
    named = [
        f"{name} = “{columns[name].head[:40]}”" + (f" in {columns[name].unit}" if columns[name].unit else "")
        for name in FIGURES
        if name in columns
    ]
    texts = [f"Columns used: {', '.join(named)}."]
    assumed = [columns[name].head[:40] for name in NUMBERS if name in columns and columns[name].assumed]
    if assumed:
        texts.append(
            f"No unit in the head of {', '.join(assumed)}: taken in s, FLOP, bytes and what follows from them. "
            "Write units into the heads, as in time [us]."
        )
    if "pipe" not in columns:
        texts.append(f"No column says in which format was computed: work is put on {default_pipe()}.")
    elif any("pipe" in row and pipe_in(row["pipe"]) is None for _, row in rows):
        texts.append(
            f"Some cells of {columns['pipe'].head[:40]} name no format: work is put on {default_pipe()}."
        )
    if unreadable:
        texts.append(f"{len(unreadable):,} cells are no usable number; the first: {unreadable[0]}.")
    if too_many:
        texts.append(f"Left out: {too_many:,} rows beyond the first {MOST_KERNELS:,}.")
    if not rows:
        texts.append("The table has columns, but no row below them.")
    return texts
