"""Many cells at once: the numbers of a block of rows as arrays, digit by digit the same as one by one.

The raw page of a long run has millions of cells. Here a block of them is one run of bytes between separators; eight
digits are turned into a number with a handful of operations on 64-bit words, for all cells together. A cell that is
not plain digits in correct groups with at most one decimal mark is handed back as text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from plugins_builtin._ncu.numbers import Mark

    Array = npt.NDArray[Any]

__all__ = ["SEPARATOR", "Block", "OddCell", "parse_block"]

SEPARATOR: Final = "\x1f"
"""Stands behind every cell of a block, and in none."""

_SEPARATOR: Final = ord(SEPARATOR)
_PAD: Final = b"000000000000000\x1f"  # 16 bytes, so that 16 can be looked at before any cell's end
_MOST_DIGITS: Final = 15  # exact in a double
_NOT_AVAILABLE: Final = b"n/a"
_GROUP: Final = 4  # bytes from one grouping mark to the next mark or the end


class OddCell(NamedTuple):
    """A cell that is no plain number."""

    row: int
    column: int
    text: str


class Block(NamedTuple):
    """Numbers of one block.

    Attributes
    ----------
    values
        One row per row; NaN for empty and odd cells.
    decimals
        Digits behind the decimal mark, of the same shape; 0 also for empty and odd cells.
    absent
        Which cells read ``n/a``.
    odd
        The cells that are neither empty nor absent nor plain numbers.
    """

    values: npt.NDArray[np.float64]
    decimals: npt.NDArray[np.uint8]
    absent: npt.NDArray[np.bool_]
    odd: list[OddCell]


def parse_block(text: str, columns: int, mark: Mark) -> Block:
    """Read the cells of a block.

    Parameters
    ----------
    text
        All cells row by row, each with a :data:`SEPARATOR` behind it.
    columns
        Cells of each row.
    mark
        Decimal mark of the file.
    """
    import numpy as np

    raw = _PAD + text.encode("utf-8", "replace")
    point, group = (ord("."), ord(",")) if mark == "." else (ord(","), ord("."))
    codes = np.frombuffer(raw, np.uint8)
    is_stop = (codes == _SEPARATOR) | (codes == point) | (codes == group)
    stops = np.flatnonzero(is_stop)
    kinds, gaps = codes[stops], np.diff(stops)
    at_end = np.flatnonzero(kinds == _SEPARATOR)  # the first is that of the padding
    starts, ends = stops[at_end[:-1]] + 1, stops[at_end[1:]]
    last = at_end[1:] - 1  # stop before the end of each cell
    decimals = np.where(kinds[last] == point, gaps[last] - 1, 0)

    # The same without the marks; how many of them came before is how far a stop's number runs ahead.
    digits = np.frombuffer(raw.translate(None, bytes((point, group))), np.uint8)
    digit_ends = stops[at_end] - at_end + np.arange(len(at_end))
    lengths = np.diff(digit_ends) - 1

    odd = (lengths > _MOST_DIGITS) | ((lengths == 0) & (ends > starts))
    odd[np.searchsorted(ends, _strange_bytes(codes, is_stop))] = True
    odd[np.searchsorted(at_end, _wrong_marks(kinds, gaps, (point, group))) - 1] = True
    zeros = np.flatnonzero(codes[starts] == ord("0"))
    odd[zeros[kinds[at_end[zeros] + 1] == group]] = True  # 0,123 is grouped wrongly
    powers = 10.0 ** np.arange(_MOST_DIGITS + 1)
    values = _whole_numbers(digits, digit_ends[1:], lengths) / powers[np.minimum(decimals, _MOST_DIGITS)]
    values[(lengths == 0) | odd] = np.nan
    decimals[odd] = 0
    short = np.flatnonzero(odd & (ends - starts == len(_NOT_AVAILABLE)))
    absent = _not_available(codes, starts, short, len(odd))
    cells = _odd_cells(raw, np.flatnonzero(odd & ~absent), starts, ends, columns)
    shape = (-1, columns)
    return Block(
        values.reshape(shape), decimals.astype(np.uint8).reshape(shape), absent.reshape(shape), cells
    )


def _odd_cells(raw: bytes, cells: Array, starts: Array, ends: Array, columns: int) -> list[OddCell]:
    bounds = zip(cells.tolist(), starts[cells].tolist(), ends[cells].tolist(), strict=True)
    return [
        OddCell(cell // columns, cell % columns, raw[start:end].decode("utf-8", "replace"))
        for cell, start, end in bounds
    ]


def _not_available(codes: Array, starts: Array, cells: Array, count: int) -> Array:
    """For each of ``count`` cells, whether it reads ``n/a``, by far the most usual of the words.

    Parameters
    ----------
    cells
        Those of the same length.
    """
    import numpy as np

    for offset, code in enumerate(_NOT_AVAILABLE):
        cells = cells[codes[starts[cells] + offset] == code]
    found = np.zeros(count, dtype=bool)
    found[cells] = True
    return found


def _strange_bytes(codes: Array, is_stop: Array) -> Array:
    """Positions of all bytes that are no part of a plain number."""
    import numpy as np

    plain = codes - np.uint8(ord("0")) < 10
    plain |= is_stop
    return np.flatnonzero(~plain)


def _wrong_marks(kinds: Array, gaps: Array, marks: tuple[int, int]) -> Array:
    """Positions, among the stops, of decimal and grouping marks that stand where none may stand."""
    import numpy as np

    point, group = marks
    # Gaps of 256 and more wrap, which does not matter: so many digits, or anything else, make the cell odd anyway.
    gaps = gaps.astype(np.uint8)
    marks_there, before, gap, after = kinds[1:-1], kinds[:-2], gaps[:-1], gaps[1:]
    at_start, behind_point = before == _SEPARATOR, before == point
    # A decimal mark comes once, behind a digit.
    bad = (marks_there == point) & (behind_point | (at_start & (gap < 2)))
    # A grouping mark stands before exactly three digits, behind one to three.
    grouped = (after != _GROUP) | behind_point | (at_start & ((gap < 2) | (gap > _GROUP)))
    bad |= (marks_there == group) & grouped
    return np.flatnonzero(bad) + 1


def _whole_numbers(digits: Array, ends: Array, lengths: Array) -> Array:
    """Whole numbers that end before ``ends``, of at most 16 digits."""
    import numpy as np

    words = np.ndarray((len(digits) - 7,), dtype="<u8", buffer=digits.data, strides=(1,))
    values: Array = _eight_digits(words[ends - 8], np.minimum(lengths, 8)).astype(np.float64)
    long = np.flatnonzero(lengths > 8)
    if len(long):
        high = _eight_digits(words[ends[long] - 16], np.minimum(lengths[long] - 8, 8))
        values[long] += high.astype(np.float64) * 1e8
    return values


def _eight_digits(words: Array, lengths: Array) -> Array:
    """Numbers of the last ``lengths`` digits in words of eight: pairs, then fours, then all eight together."""
    import numpy as np

    u8 = np.uint64
    shifts = ((8 - np.maximum(lengths, 1)) * 8).astype(np.uint64)
    numbers = ((words & u8(0x0F0F0F0F0F0F0F0F)) >> shifts) << shifts
    numbers = (numbers * u8(10) + (numbers >> u8(8))) & u8(0x00FF00FF00FF00FF)
    numbers = (numbers * u8(100) + (numbers >> u8(16))) & u8(0x0000FFFF0000FFFF)
    return (numbers * u8(10_000) + (numbers >> u8(32))) & u8(0xFFFFFFFF)
