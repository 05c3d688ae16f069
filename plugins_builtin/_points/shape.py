"""Where the table of a text file stands, whatever its columns mean: delimiter, heads, first rows."""

from __future__ import annotations

import csv
import re
from typing import Final, NamedTuple

from plugins_builtin._ncu.lines import HEAD_BYTES, decoded_head

__all__ = ["FirstRows", "is_number_cell", "rows_below", "table_in"]

_DELIMITERS: Final = ("\t", ";", "|", ",")  # a comma may also be a decimal mark
_SEARCHED: Final = 400  # lines in which a table may begin
_TELLING: Final = 20  # rows below that tell whether it is one
_MOST_ROWS: Final = 200
_MOST_COLUMNS: Final = 1_000
_LONGEST_CELL: Final = 200
_NUMBER: Final = re.compile(
    r"[+\-\u2212]?[0-9][0-9.,'\u00a0\u202f ]*(?:[eE][+\-]?[0-9]{1,3})?\s?[A-Za-z\u00b5\u03bc/%]{0,8}\Z"
)


class FirstRows(NamedTuple):
    """The beginning of a table.

    Attributes
    ----------
    heads
        Without a line of heads: as many empty texts as there are columns.
    line
        Of the heads, or of the first row, from 1.
    cut
        Whether the file goes on below the rows.
    """

    delimiter: str
    line: int
    heads: tuple[str, ...]
    has_heads: bool
    rows: tuple[tuple[str, ...], ...]
    cut: bool


def is_number_cell(text: str) -> bool:
    """Whether a cell holds a number, perhaps with a unit."""
    return len(text) <= _LONGEST_CELL and _NUMBER.match(text.strip()) is not None


def table_in(head: bytes) -> FirstRows | None:
    """First table with numbers in it; None where the first bytes of a file hold none."""
    lines = _lines(head)
    best: tuple[int, int, str] | None = None
    for delimiter in _DELIMITERS:
        found = _start(lines, delimiter)
        if found is not None and (best is None or found[0] > best[0]):
            best = (*found, delimiter)
    if best is None:
        return None
    _, start, delimiter = best
    cells = _split(lines[start], delimiter)
    has_heads = not _mostly_numbers(cells)
    heads = tuple(cell.strip() for cell in cells) if has_heads else ("",) * len(cells)
    rows, cut = rows_below(head, start + 1 if has_heads else start, delimiter)
    return FirstRows(delimiter, start + 1, heads, has_heads, rows, cut)


def rows_below(head: bytes, line: int, delimiter: str) -> tuple[tuple[tuple[str, ...], ...], bool]:
    """Rows below a line (from 1) in the first bytes of a file, and whether there are more than these."""
    rows: list[tuple[str, ...]] = []
    try:
        for cells in csv.reader(_lines(head)[line:], delimiter=delimiter):
            if len(rows) == _MOST_ROWS:
                return tuple(rows), True
            if any(cell.strip() for cell in cells):
                rows.append(tuple(cell.strip()[:_LONGEST_CELL] for cell in cells[:_MOST_COLUMNS]))
    except csv.Error:  # a cell without end
        return tuple(rows), True
    return tuple(rows), len(head) >= HEAD_BYTES


def _lines(head: bytes) -> list[str]:
    lines = (decoded_head(head) or "").lstrip("\ufeff").splitlines()
    return lines[:-1] if len(head) >= HEAD_BYTES else lines  # the last one may be cut


def _start(lines: list[str], delimiter: str) -> tuple[int, int] | None:
    """How many rows follow with as many cells, and where they begin; None without numbers in them."""
    for start, line in enumerate(lines[:_SEARCHED]):
        width = len(_split(line, delimiter)) if delimiter in line else 0
        if not 2 <= width <= _MOST_COLUMNS:
            continue
        below = [_split(one, delimiter) for one in lines[start + 1 : start + 1 + _TELLING] if one.strip()]
        same = [cells for cells in below if len(cells) == width]
        if _is_title(_split(line, delimiter)) and same and not _is_title(same[0]):
            continue
        if len(same) * 2 > len(below) and any(is_number_cell(cell) for cells in same for cell in cells):
            return len(same), start
    return None


def _split(line: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader((line,), delimiter=delimiter), [])
    except csv.Error:
        return []


def _is_title(cells: list[str]) -> bool:
    """Whether a row is a title as a spreadsheet exports it: a text in its first cell, and nothing behind."""
    return bool(cells[0].strip()) and not any(cell.strip() for cell in cells[1:])


def _mostly_numbers(cells: list[str]) -> bool:
    filled = [cell for cell in cells if cell.strip()]
    return 2 * sum(map(is_number_cell, filled)) >= len(filled)
