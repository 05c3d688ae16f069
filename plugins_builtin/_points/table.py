"""One pass over a plain table of points."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

from plugins_builtin._measured.tables import (
    MOST_KERNELS,
    READING_SHARE,
    Header,
    Unreadable,
    built,
    find_header,
    header_in_head,
    open_text,
    rows_of,
    whole,
)
from plugins_builtin._ncu.lines import read_head
from plugins_builtin._ncu.numbers import FormatEvidence, ambiguous, is_missing, read_number
from plugins_builtin._points.columns import (
    FIGURES,
    NO_POSITION,
    PointColumns,
    columns_of,
    shown_unit,
    stated_columns,
)
from plugins_builtin._points.kept import KeptRows
from plugins_builtin._points.rows import ADVICE, NUMBERS, Names, default_pipe, draft_of, pipe_in
from plugins_builtin._points.shape import table_in
from rooflinestudio.plugins import MarkQuestion, MeasurementError, MeasurementFile, UndecidedMarkError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from plugins_builtin._measured.drafts import Draft
    from plugins_builtin._ncu.lines import TextLines
    from plugins_builtin._ncu.numbers import Mark
    from rooflinestudio.plugins import Progress

__all__ = ["MEND", "Stated", "known_columns", "looks_like_points", "read_file"]

Stated = tuple[tuple[str, str, str], ...]

MEND: Final = (
    "Give a CSV whose first row names its columns, such as kernel,time [us],work [GFLOP],traffic [MB], or "
    "kernel,intensity,GFLOP/s."
)
_FOREIGN: Final = frozenset((
    "metric name", "section name", "invocations", "event name", "start", "calls", "kernel_name", "kernelname",
    "dispatch_id", "hbmbw", "function_call_sites_and_loops",
))  # fmt: skip


def looks_like_points(head: bytes) -> bool:
    """Whether a file begins with a header whose columns give points, and is of no other known tool."""
    return header_in_head(head, known_columns) is not None


def known_columns(cells: list[str]) -> PointColumns | None:
    """Columns of a header row of points; None for any other row, and for the tables of other tools."""
    if not _FOREIGN.isdisjoint(cell.lower() for cell in cells):
        return None
    return columns_of(cells)


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
    UndecidedMarkError
        Its numbers can be read in two ways, and nothing in it says which is meant.
    MeasurementError
        The file cannot be read, or its columns are not known.
    MeasurementCancelled
        ``progress`` returned False.
    """
    lines = open_text(path, MEND, progress, READING_SHARE)
    header = _header(lines, path, stated)
    rows, too_many = _rows(lines, header)
    decided = mark or _mark(rows, header, path)
    unreadable, names = Unreadable(), Names()

    constants = {name: one.head for name, one in header.found.items() if one.position == NO_POSITION}

    def drafts() -> Iterator[Draft]:
        for line, row in rows:
            draft, bad = draft_of(names.limited({**row, **constants}), header.found, decided)
            for name in bad:
                unreadable.add(f"{header.found[name].head[:40]} = “{row[name][:40]}” (line {line:,})")
            yield draft

    made = built(drafts(), len(rows), ADVICE, path, progress)
    warnings = _warnings(header, rows, unreadable, too_many)
    if names.left_out:
        warnings.append(
            f"{names.left_out:,} cells name one pipe or boundary too many for one file: work is put on "
            f"{default_pipe()} there, traffic at dram."
        )
    digest = _digest(lines.digest, stated, mark)
    return MeasurementFile(str(path), "points-csv", tuple(warnings), made, digest)


def _digest(content: str, stated: Stated, mark: Mark | None) -> str:
    """Digest of a content and of what the user said about it: read otherwise, it holds other measurements."""
    if not stated and mark is None:
        return content
    options = [*sorted(tuple(one) for one in stated), mark or ""]
    return hashlib.sha256(f"{content} {options!r}".encode()).hexdigest()


def _header(lines: TextLines, path: Path, stated: Stated) -> Header[PointColumns]:
    of_file = [head for _, head, _ in stated if not head.startswith("=")]
    if of_file and all(head.startswith("#") for head in of_file):
        return _header_by_numbers(lines, path, stated)

    def known(cells: list[str]) -> PointColumns | None:
        if not stated:
            return columns_of(cells)
        return {} if any(head in cells for head in of_file) else None

    for line in lines:
        header = find_header(line, lines.number, known)
        if header is None:
            continue
        return _with_stated(header, path, stated) if stated else header
    what = "the stated heads" if stated else "columns that give a point"
    raise MeasurementError(f"{path}: no row of its {lines.number - 1:,} lines names {what}. {MEND}")


def _with_stated(header: Header[PointColumns], path: Path, stated: Stated) -> Header[PointColumns]:
    try:
        return header._replace(found=stated_columns(header.cells, stated))
    except ValueError as error:
        raise MeasurementError(f"{path}, line {header.line:,}: {error}.") from None


def _header_by_numbers(lines: TextLines, path: Path, stated: Stated) -> Header[PointColumns]:
    """Header where columns are stated by their numbers alone: the file may have no line of heads."""
    table = table_in(read_head(path))
    if table is None:
        raise MeasurementError(f"{path}: there is no table with numbers among its first lines. {MEND}")
    passed = table.line if table.has_heads else table.line - 1
    reading = iter(lines)
    for _ in range(passed):
        next(reading, None)
    cells = list(table.heads) if table.has_heads else [""] * len(table.heads)
    return _with_stated(Header(table.delimiter, table.line, cells, {}), path, stated)


def _rows(lines: TextLines, header: Header[PointColumns]) -> tuple[KeptRows, int]:
    """Cells that are used, with their line, in the order of their launches; and the number of rows beyond the limit."""
    rows = KeptRows(tuple(header.found))
    too_many = 0
    for number, cells in rows_of(lines, header.delimiter):
        row = {
            name: cells[column.position]
            for name, column in header.found.items()
            if NO_POSITION < column.position < len(cells) and cells[column.position]
        }
        if len(rows) >= MOST_KERNELS:
            too_many += 1
        elif row:
            rows.add(number, row)
    if "launch" in header.found:
        rows.sort(lambda row: whole(row.get("launch", "")))
    return rows, too_many


def _mark(rows: KeptRows, header: Header[PointColumns], path: Path) -> Mark:
    """Decimal mark by the evidence of all cells; between commas a single dot is one."""
    evidence = FormatEvidence()
    for _, row in rows:
        for figure in NUMBERS:
            if figure in row and not is_missing(row[figure]):
                evidence.add(row[figure], integer=False)
    decided = evidence.decide()
    if decided is None and header.delimiter == "," and not evidence.mixed:
        return "."
    if decided is None:
        question = _question(rows, header, mixed=evidence.mixed)
        raise UndecidedMarkError(
            f"{path}: its numbers can be read with a decimal point or a decimal comma, such as “{question.sample}” "
            f"({question.where}). Say which with --decimal-mark.",
            question,
        )
    return decided


def _question(rows: KeptRows, header: Header[PointColumns], *, mixed: bool) -> MarkQuestion:
    """Return the first number that can be read in two ways."""
    for line, row in rows:
        for figure in NUMBERS:
            cell = row.get(figure, "").strip()
            if ambiguous(cell):
                column = header.found[figure]
                point, comma = read_number(cell, "."), read_number(cell, ",")
                if point is not None and comma is not None:
                    where = f"column {column.head[:60]}, line {line:,}"
                    return MarkQuestion(
                        cell[:60], where, point.value, comma.value, shown_unit(column), mixed=mixed
                    )
    return MarkQuestion("1.234", "the file", 1.234, 1234.0, mixed=mixed)


def _warnings(
    header: Header[PointColumns], rows: KeptRows, unreadable: Unreadable, too_many: int
) -> list[str]:
    columns = header.found
    named = [
        f"{name} = “{columns[name].head[:40]}”"
        + (f" in {shown_unit(columns[name])}" if columns[name].unit else "")
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
    if unreadable.count:
        cells = "1 cell is" if unreadable.count == 1 else f"{unreadable.count:,} cells are"
        texts.append(f"{cells} no usable number; the first: {unreadable.first}.")
    if too_many:
        texts.append(f"Left out: {too_many:,} rows beyond the first {MOST_KERNELS:,}.")
    if not rows:
        texts.append("The table has columns, but no row below them.")
    return texts
