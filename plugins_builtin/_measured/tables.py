"""Tables in text files: opened with their encoding, header and delimiter found by content, numbers read."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Final, Generic, NamedTuple, TypeVar

from plugins_builtin._measured.drafts import usable
from plugins_builtin._ncu.explain import binary_kind
from plugins_builtin._ncu.lines import TextLines, decoded_head, encoding_of, read_head, split_row
from plugins_builtin._ncu.numbers import is_missing, read_number
from plugins_builtin._ncu.values import Value
from rooflinestudio.plugins import MeasurementCancelled, MeasurementError, MeasurementPacker

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from plugins_builtin._measured.drafts import Advice, Draft
    from rooflinestudio.plugins import PackedMeasurements, Progress

__all__ = [
    "MOST_KERNELS",
    "READING_SHARE",
    "Header",
    "Unreadable",
    "built",
    "find_header",
    "header_in_head",
    "let_go",
    "number_in",
    "open_text",
    "rows_of",
    "whole",
]

T = TypeVar("T")

MOST_KERNELS: Final = 2_000_000
"""Rows of one file that are taken; more are left out with a word."""

_DELIMITERS: Final = (",", "\t", ";", "|")
_SEARCHED: Final = 400  # lines in which a header is looked for
_LONGEST_HEADER: Final = 400_000  # characters; 1,000 counters take 20,000
READING_SHARE: Final = 0.7  # of the progress, where the measurements are made when all was read
_BUILT_PER_REPORT: Final = 500
_LONGEST_WHOLE: Final = 20  # digits; nanoseconds since 1970 have 19


class Header(NamedTuple, Generic[T]):
    """A header row: its delimiter, its line from 1, its cells, and what the reader made of it."""

    delimiter: str
    line: int
    cells: list[str]
    found: T


def open_text(
    path: Path, mend: str, progress: Progress | None = None, share_of_reading: float = 1.0
) -> TextLines:
    """Lines of a file that must be text.

    Parameters
    ----------
    share_of_reading
        Part of the progress that is done when the last line was read.

    Raises
    ------
    MeasurementError
        The file cannot be read, is empty or is binary; ``mend`` says what to do then.
    """
    head = read_head(path)
    if not head.strip():
        raise MeasurementError(f"{path}: the file is empty. {mend}")
    encoding = encoding_of(head)
    if encoding is None:
        raise MeasurementError(f"{path}: this is {binary_kind(head)}, not text. {mend}")
    report = None if progress is None else lambda share: progress(share * share_of_reading)
    return TextLines(path, encoding, report)


def find_header(line: str, number: int, known: Callable[[list[str]], T | None]) -> Header[T] | None:
    """Header in one line, if ``known`` makes something of its cells under any delimiter."""
    if len(line) > _LONGEST_HEADER:
        return None
    for delimiter in _DELIMITERS:
        if delimiter not in line:
            continue
        cells = [cell.strip().lstrip("\ufeff").strip('"') for cell in split_row(line, delimiter) or []]
        found = known(cells)
        if found is not None:
            return Header(delimiter, number, cells, found)
    return None


def header_in_head(head: bytes, known: Callable[[list[str]], T | None]) -> Header[T] | None:
    """First header among the first lines of a file."""
    text = decoded_head(head)
    if text is None:
        return None
    for number, line in enumerate(text.splitlines()[:_SEARCHED], 1):
        header = find_header(line, number, known)
        if header is not None:
            return header
    return None


def rows_of(lines: TextLines, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Rows below a header with their line; what is no row of the csv module is passed over."""
    for line in lines:
        number = lines.number
        whole_row = lines.complete_row(line) if line.count('"') % 2 else line
        if whole_row is None or not line.strip():
            continue
        cells = _cells(whole_row, delimiter)
        if cells:
            yield number, cells


def _cells(row: str, delimiter: str) -> list[str]:
    try:
        return [cell.strip() for cell in next(csv.reader(row.splitlines(), delimiter=delimiter), [])]
    except csv.Error:
        return []


def number_in(text: str, recipe: str, factor: float = 1.0, factor_words: str = "") -> Value | None:
    """Value of a cell with a decimal point; None for words, missing values and impossible sizes.

    Parameters
    ----------
    factor, factor_words
        From the unit of the cell to the base unit, and how the recipe says so.
    """
    if is_missing(text):
        return None
    number = read_number(text.strip(), ".")
    if number is None or not usable(number.value) or not usable(number.value * factor):
        return None
    return Value(number.value * factor, number.error * factor, f"{recipe}{factor_words}")


class Unreadable:
    """Cells that are no usable number: the first, and how many there are."""

    def __init__(self) -> None:
        self.first = ""
        self.count = 0

    def add(self, words: str) -> None:
        """Take the words that show a cell and its place."""
        self.first = self.first or words
        self.count += 1


def let_go(drafts: list[Draft]) -> Iterator[Draft]:
    """Drafts in their order, taken out of the list, so that they need no memory beside what is made of them."""
    drafts.reverse()
    while drafts:
        yield drafts.pop()


def whole(text: str) -> int | None:
    """Whole number of a cell; None for anything else."""
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _LONGEST_WHOLE else None


def built(
    drafts: Iterable[Draft], count: int, advice: Advice, path: Path, progress: Progress | None = None
) -> PackedMeasurements:
    """Measurements of drafts, in their order; each draft is packed before the next is asked for.

    Parameters
    ----------
    count
        How many there will be, for the progress; 0 where they are made while the file is read, which tells its own.

    Raises
    ------
    MeasurementCancelled
        ``progress`` returned False.
    """
    packer = MeasurementPacker()
    for position, draft in enumerate(drafts):
        packer.add(draft.measurement(position, advice))
        if count and progress is not None and position % _BUILT_PER_REPORT == 0:
            share = READING_SHARE + (1 - READING_SHARE) * position / count
            if not progress(min(share, 1.0)):
                raise MeasurementCancelled(f"{path}: reading was cancelled.")
    return packer.packed()
