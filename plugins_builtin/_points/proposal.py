"""What the columns of a table of points seem to mean, and whether that is sure enough not to ask."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from plugins_builtin._measured.tables import header_in_head
from plugins_builtin._ncu.lines import read_head
from plugins_builtin._points.columns import (
    FIGURES,
    INNER_BOUNDARIES,
    OFFERED_UNITS,
    Column,
    column_by_unit,
    recognised,
    shown_unit,
)
from plugins_builtin._points.rows import NUMBERS
from plugins_builtin._points.shape import FirstRows, is_number_cell, rows_below, table_in
from plugins_builtin._points.table import MEND, known_columns
from rooflinestudio.plugins import ColumnKind, MeasurementError, StatedColumn, TableProposal

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import Path

__all__ = ["proposed"]

_LABELS: Final = {
    "kernel": "Kernel name", "time": "Time", "work": "Work", "rate": "Achieved rate", "traffic": "Traffic at dram",
    "bandwidth": "Bandwidth", "intensity": "Intensity", "pipe": "Pipe (number format)", "boundary": "Boundary",
    "device": "Device", "count": "Number of launches", "launch": "Order of launch",
    **{f"traffic.{one}": f"Traffic at {one}" for one in INNER_BOUNDARIES},
}  # fmt: skip
_CONSTANTS: Final = {
    "pipe": (
        "fp32", "fp64", "fp16", "bf16", "bf16-tensor", "fp16-tensor", "tf32-tensor", "fp8-tensor", "fp4-tensor",
        "fp64-tensor", "int8-tensor",
    ),
}  # fmt: skip
_KINDS: Final = tuple(
    ColumnKind(one, _LABELS[one], OFFERED_UNITS.get(one, ()), _CONSTANTS.get(one, ())) for one in FIGURES
)
_MOST_COLUMNS: Final = 1_000


def proposed(path: Path) -> TableProposal:
    """Read heads and first rows of a table, with what its columns seem to mean.

    Raises
    ------
    MeasurementError
        The file cannot be read as a table.
    """
    head = read_head(path)
    table = _of_points(head) or table_in(head)
    if table is None:
        raise MeasurementError(f"{path}: there is no table with numbers among its first lines. {MEND}")
    heads = table.heads[:_MOST_COLUMNS]
    names = _names(heads)
    columns = recognised(list(heads))
    guesses = _guessed(columns, table)
    return TableProposal(
        tuple(head or f"column {at + 1}" for at, head in enumerate(heads)),
        names,
        table.rows,
        tuple(_stated(one, names) for one in _first_of_each([*columns, *guesses])),
        _KINDS,
        tuple(_doubts(columns, guesses, table)),
        table.delimiter,
        table.line,
        table.has_heads,
        table.cut,
    )


def _of_points(head: bytes) -> FirstRows | None:
    header = header_in_head(head, known_columns)
    if header is None:
        return None
    rows, cut = rows_below(head, header.line, header.delimiter)
    return FirstRows(header.delimiter, header.line, tuple(header.cells), has_heads=True, rows=rows, cut=cut)


def _names(heads: Sequence[str]) -> tuple[str, ...]:
    times = Counter(heads)
    return tuple(
        head if head and times[head] == 1 and not head.startswith("#") else f"#{at + 1}"
        for at, head in enumerate(heads)
    )


def _first_of_each(columns: list[Column]) -> list[Column]:
    found: dict[str, Column] = {}
    for one in columns:
        found.setdefault(one.figure, one)
    return list(found.values())


def _stated(column: Column, names: Sequence[str]) -> StatedColumn:
    return StatedColumn(column.figure, names[column.position], shown_unit(column))


def _guessed(columns: list[Column], table: FirstRows) -> list[Column]:
    """Columns that their unit alone speaks for, and the first column of texts as names, where heads say too little."""
    found = {one.figure for one in columns}
    if not _lacking(found):
        return []
    guesses: dict[str, Column] = {}
    taken = {one.position for one in columns}
    for at, head in enumerate(table.heads[:_MOST_COLUMNS]):
        guess = column_by_unit(head, at) if at not in taken else None
        if guess is not None and guess.figure not in found and _holds_numbers(table, at):
            guesses.setdefault(guess.figure, guess)
    taken |= {one.position for one in guesses.values()}
    texts = [at for at in range(len(table.heads)) if at not in taken and _holds_texts(table, at)]
    if "kernel" not in found and texts:
        guesses["kernel"] = Column("kernel", texts[0], table.heads[texts[0]], "", 1.0, assumed=False)
    return list(guesses.values())


def _holds_numbers(table: FirstRows, at: int) -> bool:
    return any(is_number_cell(row[at]) for row in table.rows[:20] if at < len(row))


def _holds_texts(table: FirstRows, at: int) -> bool:
    cells = [row[at] for row in table.rows[:20] if at < len(row) and row[at]]
    return bool(cells) and not any(is_number_cell(cell) for cell in cells)


def _doubts(columns: list[Column], guesses: list[Column], table: FirstRows) -> list[str]:
    found = {one.figure: one for one in _first_of_each(columns)}
    texts = []
    for figure in found:
        heads = [f"“{one.head}”" for one in columns if one.figure == figure]
        if len(heads) > 1:
            texts.append(f"{_LABELS[figure]} may be {' or '.join(heads)}.")
    bare = [f"“{one.head}”" for one in found.values() if one.assumed]
    if bare:
        texts.append(f"{' and '.join(bare)} {'names' if len(bare) == 1 else 'name'} no unit.")
    if guesses:
        words = ", ".join(
            f"“{one.head or f'column {one.position + 1}'}” as {_LABELS[one.figure].lower()}"
            for one in guesses
        )
        texts.append(f"Guessed: {words}.")
    lacking = _lacking({*found, *(one.figure for one in guesses)})
    if lacking and _unused_numbers([*columns, *guesses], table):
        texts.append(f"No head says which column is {lacking}.")
    return texts


def _lacking(has: Collection[str]) -> str:
    """Name what a point still needs, or an empty text: two of W, Q, their rates and I give it."""
    has = frozenset(has)
    if not has & {"work", "rate"} and not ("intensity" in has and has & {"traffic", "bandwidth"}):
        return "the work or the rate"
    if not has & {"traffic", "bandwidth", "intensity", *(f"traffic.{one}" for one in INNER_BOUNDARIES)}:
        return "the traffic or the intensity"
    if not has & {"time", "rate", "bandwidth"}:
        return "the time"
    return ""


def _unused_numbers(columns: list[Column], table: FirstRows) -> bool:
    """Whether a column of numbers is left that nothing was made of."""
    used = {one.position for one in columns if one.figure in NUMBERS or one.figure in ("count", "launch")}
    return any(
        is_number_cell(cell)
        for row in table.rows[:20]
        for at, cell in enumerate(row[: len(table.heads)])
        if at not in used
    )
