"""Rows of a plain table that wait until the whole file has said how its numbers are written."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from plugins_builtin._points.rows import Cells

__all__ = ["KeptRows"]

_BETWEEN: Final = "\x1f"


class KeptRows:
    """Cells that are used of each row, and its line; in one run of bytes, since a row may be a few characters long.

    Parameters
    ----------
    figures
        What the cells of a row can be.
    """

    def __init__(self, figures: tuple[str, ...]) -> None:
        self._figures = figures
        self._run = bytearray()
        self._ends = array("q", [0])
        self._lines = array("q")
        self._order: list[int] | None = None

    def __len__(self) -> int:
        return len(self._lines)

    def add(self, line: int, row: Cells) -> None:
        """Take a row."""
        text = _BETWEEN.join([row.get(figure, "").replace(_BETWEEN, "?") for figure in self._figures])
        self._run += text.encode("utf-8", "surrogatepass")
        self._ends.append(len(self._run))
        self._lines.append(line)

    def __iter__(self) -> Iterator[tuple[int, Cells]]:
        ends = self._ends
        for at in range(len(self)) if self._order is None else self._order:
            text = self._run[ends[at] : ends[at + 1]].decode("utf-8", "surrogatepass")
            cells = zip(self._figures, text.split(_BETWEEN), strict=True)
            yield self._lines[at], {figure: cell for figure, cell in cells if cell}

    def sort(self, key: Callable[[Cells], int | None]) -> None:
        """Put the rows in the order of a number, if each of them has one."""
        numbers = array("Q")
        for _, row in self:
            number = key(row)
            if number is None or number >= 2**64:
                return
            numbers.append(number)
        self._order = sorted(range(len(numbers)), key=numbers.__getitem__)
