"""A file of shapes as cells: decoded, cut at its separator, with or without a head line. Nothing in it is trusted."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.errors import StudioError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "LIMIT_BYTES",
    "MOST_COLUMNS",
    "MOST_ROWS",
    "SEPARATORS",
    "ShapeTableError",
    "Sheet",
    "open_sheet",
    "shown",
]

LIMIT_BYTES: Final = 64 * 2**20
MOST_ROWS: Final = 1_000_000
MOST_COLUMNS: Final = 512
SEPARATORS: Final = ("\t", ";", "|", ",")
"""Separators in the order in which they are believed: a comma may also be a decimal mark."""

SAMPLE: Final = 50
SAMPLE_CHARACTERS: Final = 65_536
LONGEST_LINE: Final = 65_536
MOST_LINES: Final = 2 * MOST_ROWS
_SHOWN: Final = 40
_LIKE_NUMBER: Final = re.compile(
    r"\s*[+\-\u2212]?[0-9.,][0-9.,_'\s]*(?:[eE][+\-]?[0-9]+)?\s*[A-Za-z\u00b5\u03bc/%]{0,12}\s*"
)


class ShapeTableError(StudioError):
    """A table of shapes that cannot be used; the text names line, column and value, and the mend."""


@dataclass(frozen=True)
class Sheet:
    """The cells of a file.

    Attributes
    ----------
    name
        The file's name, for messages.
    text
        All of it, decoded.
    separator
        What parts the cells.
    head
        The cells of the head line; empty without one.
    first
        The first rows below it, each with its line.
    """

    name: str
    text: str
    separator: str
    head: tuple[str, ...]
    first: tuple[tuple[int, tuple[str, ...]], ...]

    @cached_property
    def width(self) -> int:
        """Number of columns."""
        return len(self.head) or max((len(cells) for _, cells in self.first), default=0)

    def column_name(self, at: int) -> str:
        """Return what a column is called in messages: its head, or its number counted from 1."""
        named = self.head[at].strip() if self.head else ""
        return shown(named) if named else f"number {at + 1}"

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """Yield line and cells of each row below the head; blank lines and lines that begin with # are left out.

        Raises
        ------
        ShapeTableError
            For a cell that never ends, or more rows or columns than are accepted.
        """
        rows = _rows(self.name, self.text, self.separator)
        if self.head:
            next(rows, None)
        return rows


def open_sheet(source: str | Path | bytes, *, name: str = "", separator: str | None = None) -> Sheet:
    """Read a file, or the bytes of one, as cells.

    Parameters
    ----------
    separator
        What parts the cells; left out, it is found out from the first lines.

    Raises
    ------
    ShapeTableError
        If it cannot be read, is too large, empty, or no text.
    """
    name = name or (Path(source).name if not isinstance(source, bytes) else "the table")
    text = _decoded(_bytes(source, name), name)
    if separator is None:
        separator = _separator(name, text)
    elif len(separator) != 1 or separator in '"\r\n':
        raise ShapeTableError(
            f"separator {separator!r} must be one character, such as a comma or a semicolon."
        )
    first = [(line, tuple(cells)) for line, cells in islice(_rows(name, text, separator), SAMPLE + 1)]
    if not first:
        raise ShapeTableError(
            f"{name} holds no rows. Give one line per shape, and a head line that names the columns."
        )
    has_head = _is_head(first[0][1])
    head = first[0][1] if has_head else ()
    rows = tuple(first[1:] if has_head else first[:SAMPLE])
    if not rows:
        raise ShapeTableError(f"{name} holds a head line and no rows. Give one line per shape below it.")
    return Sheet(name, text, separator, head, rows)


def shown(value: str) -> str:
    """Return a text of the file for a message: quoted, harmless, and not too long."""
    value = value.strip()
    return repr(value if len(value) <= _SHOWN else value[: _SHOWN - 1] + "…")


def _bytes(source: str | Path | bytes, name: str) -> bytes:
    if isinstance(source, bytes):
        data = source
    else:
        try:
            with Path(source).open("rb") as stream:
                data = stream.read(LIMIT_BYTES + 1)
        except (OSError, ValueError) as error:  # ValueError: a NUL in the path
            reason = getattr(error, "strerror", None) or str(error)
            raise ShapeTableError(f"{name} cannot be read: {reason}. Give the path of a CSV file.") from None
    if len(data) > LIMIT_BYTES:
        raise ShapeTableError(
            f"{name} has more than the {LIMIT_BYTES // 2**20} MiB that a table of shapes may have. Split it."
        )
    return data


def _decoded(data: bytes, name: str) -> str:
    encoding = "utf-8-sig"
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        encoding = "utf-16"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        text = data.decode(
            "cp1252", errors="replace"
        )  # older spreadsheets; the figures are the same in all of them
    if "\0" in text:
        raise ShapeTableError(f"{name} is no text: it holds zero bytes. Save the table as CSV in UTF-8.")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _lines(name: str, text: str) -> Iterator[str]:
    """Yield the lines of a text; a line, and their number, may not grow without end."""
    start = count = 0
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        count += 1
        if end - start > LONGEST_LINE:
            raise ShapeTableError(
                f"{name}, line {count}: more than {LONGEST_LINE} characters. Is it a table with one line per shape?"
            )
        if count > MOST_LINES:
            raise ShapeTableError(f"{name} has more than {MOST_LINES} lines. Split it.")
        yield text[start:end]
        start = end


def _rows(name: str, text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(_lines(name, text), delimiter=separator, skipinitialspace=True)
    line, count = 1, 0
    try:
        for cells in reader:
            start, line = line, reader.line_num + 1
            if not cells or not any(map(str.strip, cells)) or cells[0].lstrip().startswith("#"):
                continue
            count += 1
            if count > MOST_ROWS + 1:
                raise ShapeTableError(f"{name} has more than {MOST_ROWS} rows. Split it.")
            if len(cells) > MOST_COLUMNS:
                raise ShapeTableError(
                    f"{name}, line {start}: {len(cells)} cells; at most {MOST_COLUMNS} are read. "
                    "Keep the columns of the shapes and the time, or name the right separator."
                )
            yield start, cells
    except csv.Error as error:
        raise ShapeTableError(
            f"{name}, line {line}: {error}. A quotation mark there may never be closed; close or remove it."
        ) from None


def _separator(name: str, text: str) -> str:
    """Return the separator under which most of the first rows have one and the same number of cells above one."""
    best, best_score = ",", 0
    if len(text) > SAMPLE_CHARACTERS:
        text = text[: text.rfind("\n", 0, SAMPLE_CHARACTERS) + 1] or text[:SAMPLE_CHARACTERS]
    for separator in SEPARATORS:
        try:
            widths = [len(cells) for _, cells in islice(_rows(name, text, separator), SAMPLE)]
        except ShapeTableError:
            continue
        if not widths:
            continue
        usual = max(set(widths), key=widths.count)
        score = widths.count(usual) if usual > 1 else 0
        if score > best_score:
            best, best_score = separator, score
    return best


def _is_head(cells: tuple[str, ...]) -> bool:
    filled = [cell for cell in cells if cell.strip()]
    numbers = sum(1 for cell in filled if len(cell) < 100 and _LIKE_NUMBER.fullmatch(cell) is not None)
    return 2 * numbers < len(filled)
