"""A table whose columns the user may state: what they can be, what they seem to be, and the first rows."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from rooflinestudio.core.measurement_figures import MeasurementError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = [
    "ColumnKind",
    "StatedColumn",
    "TableProposal",
    "columns_from_text",
    "columns_to_text",
    "stated_problems",
]

_HOW: Final = "write head=figure or head=figure:unit, for example name=kernel,ms=time:ms"


class StatedColumn(NamedTuple):
    """What the user says one column is.

    Attributes
    ----------
    figure
        Id of a :class:`ColumnKind`.
    head
        The column's head; ``#3`` is the third column, whatever its head, and ``=bf16-tensor`` no column at all, but
        that value for all rows.
    unit
        Empty for that of the head, else the base unit.
    """

    figure: str
    head: str
    unit: str = ""


@dataclass(frozen=True, slots=True)
class ColumnKind:
    """Something that a column can hold.

    Attributes
    ----------
    id
        As in :attr:`StatedColumn.figure`.
    label
        For the user.
    units
        In which it may be written, the usual first; empty for texts.
    constants
        Values that may hold for all rows where no column has them, the one that is taken by itself first.
    """

    id: str
    label: str
    units: tuple[str, ...] = ()
    constants: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TableProposal:
    """What a reader makes of a table at first sight.

    Attributes
    ----------
    heads
        As the file has them; without a head line, and for columns without a head, ``column 3``.
    names
        How each column is stated: its head where that is its own, else ``#3``.
    rows
        The first rows, as texts.
    columns
        What was recognised.
    kinds
        What a column can be.
    doubts
        Why the user should look at it before anything is taken; sentences, none where all is clear.
    delimiter, line, has_heads
        What parts the cells, the line of the head line (or of the first row), whether there is one.
    cut
        Whether the file has more rows than these.
    """

    heads: tuple[str, ...]
    names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    columns: tuple[StatedColumn, ...]
    kinds: tuple[ColumnKind, ...]
    doubts: tuple[str, ...] = ()
    delimiter: str = ","
    line: int = 1
    has_heads: bool = True
    cut: bool = False

    def kind(self, id_: str) -> ColumnKind | None:
        """Return a kind by its id; None for an unknown one."""
        return next((one for one in self.kinds if one.id == id_), None)

    def at(self, position: int, columns: Iterable[StatedColumn]) -> StatedColumn | None:
        """Return what some columns say about one position, if anything."""
        return next((one for one in columns if one.head == self.names[position]), None)

    def text(self) -> str:
        """Return head line and first rows as a file of their own, on the same lines."""
        out = io.StringIO()
        out.write("\n" * (self.line - 1))
        writer = csv.writer(out, delimiter=self.delimiter, lineterminator="\n")
        if self.has_heads:
            writer.writerow(self.heads)
        writer.writerows(self.rows)
        return out.getvalue()


def stated_problems(columns: Sequence[StatedColumn], kinds: Sequence[ColumnKind]) -> tuple[str, ...]:
    """Return what is wrong with a statement before any row is read: one thing in two columns."""
    labels = {one.id: one.label for one in kinds}
    seen: dict[str, list[str]] = {}
    for one in columns:
        seen.setdefault(one.figure, []).append(one.head)
    return tuple(
        f"{labels.get(figure, figure)} is taken from {' and '.join(heads)}: keep one of them."
        for figure, heads in seen.items()
        if len(heads) > 1
    )


def columns_from_text(text: str) -> tuple[StatedColumn, ...]:
    """Read ``name=kernel,ms=time:ms``; a head that has a comma or an equals sign in it is named by number (``#3``).

    Raises
    ------
    MeasurementError
        A part says nothing, or one thing is said twice.
    """
    found: list[StatedColumn] = []
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        head, equals, what = (one.strip() for one in part.rpartition("="))
        figure, _, unit = (one.strip() for one in what.partition(":"))
        if not equals or not head or not figure:
            raise MeasurementError(f"{part!r} states no column; {_HOW}.")
        found.append(StatedColumn(figure, head, unit))
    problems = stated_problems(found, ())
    if problems:
        raise MeasurementError(problems[0])
    return tuple(found)


def columns_to_text(columns: Iterable[StatedColumn]) -> str:
    """Return columns as :func:`columns_from_text` reads them."""
    return ",".join(f"{one.head}={one.figure}" + (f":{one.unit}" if one.unit else "") for one in columns)
