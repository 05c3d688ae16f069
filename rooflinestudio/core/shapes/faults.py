"""What cannot be used in a table of shapes, and how a column says so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from rooflinestudio.core.shapes.sheet import shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

__all__ = ["Fault", "ReadColumn"]

Values = TypeVar("Values")


@dataclass(frozen=True, slots=True)
class Fault:
    """A cell, or a whole line, that cannot be used.

    Attributes
    ----------
    line
        In the file, counted from 1.
    column
        The column's name as in messages, or empty for the whole line.
    value
        What stands there.
    text
        What is wrong with it, and the mend.
    """

    line: int
    column: str
    value: str
    text: str

    def __str__(self) -> str:
        where = f"line {self.line}" + (f", column {self.column}" if self.column else "")
        return (
            f"{where}: {shown(self.value)} {self.text}"
            if self.value or self.column
            else f"{where}: {self.text}"
        )


@dataclass(frozen=True)
class ReadColumn(Generic[Values]):
    """A column as it was read.

    Attributes
    ----------
    values
        One per row; of no meaning at ``wrong``.
    wrong
        Positions of cells that cannot be used, in order.
    why
        Says what is wrong at one of them, and the mend.
    """

    values: Values
    wrong: NDArray[Any]
    why: Callable[[int], str] = str
