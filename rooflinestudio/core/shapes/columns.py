"""Which column of a table holds what: proposed by the heads, overridden by name or number, and checked."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.shapes.names import (
    TIME_UNITS,
    is_dtype_head,
    is_time_head,
    match_level,
    must_be_given,
    plain_head,
    unit_of_head,
)
from rooflinestudio.core.shapes.numbers import split_number, unit_of_cell
from rooflinestudio.core.shapes.sheet import ShapeTableError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from rooflinestudio.core.operators import Operator
    from rooflinestudio.core.shapes.sheet import Sheet

__all__ = ["ColumnMap", "Wishes", "column_at", "map_from_text", "propose_columns"]

_MAX_HEADS: Final = 20


@dataclass(frozen=True)
class Wishes:
    """What the user says about the columns; the rest is proposed.

    Attributes
    ----------
    columns
        Heads, or numbers counted from 1, by parameter.
    time, dtype
        Head or number of the column of times, and of number formats; None proposes, an empty text means none.
    time_unit
        Unit of times that carry none of their own; it counts before the head's.
    fixed
        Parameters that are set apart from the table; they take no column.
    """

    columns: Mapping[str, str]
    time: str | None = None
    dtype: str | None = None
    time_unit: str = ""
    fixed: Collection[str] = ()


@dataclass(frozen=True)
class ColumnMap:
    """Positions of columns, counted from 0.

    Attributes
    ----------
    parameters
        By parameter; two may share one column (``seq_len`` for queries and keys).
    time, dtype
        Or None.
    time_unit
        Unit of bare times, or empty where each carries its own.
    notes
        What was guessed, for the user to confirm.
    """

    parameters: Mapping[str, int]
    time: int | None = None
    dtype: int | None = None
    time_unit: str = ""
    notes: tuple[str, ...] = ()


def map_from_text(text: str) -> dict[str, str]:
    """Read ``m=M dim,n=N``.

    Raises
    ------
    ShapeTableError
        If a part is no pair, or a parameter comes twice.
    """
    result: dict[str, str] = {}
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        name, equals, column = (one.strip() for one in part.partition("="))
        if not equals or not name or not column:
            raise ShapeTableError(
                f"{part!r} maps no column; write parameter=column, for example m=rows,n=cols."
            )
        if name in result:
            raise ShapeTableError(f"the parameter {name!r} is mapped twice; keep one column.")
        result[name] = column
    return result


def column_at(sheet: Sheet, wanted: str) -> int:
    """Return the position of the column of a head, written exactly or in another case, or of a number from 1.

    Raises
    ------
    ShapeTableError
        If there is none, or several.
    """
    heads = [head.strip() for head in sheet.head]
    for same in (heads, [" ".join(plain_head(head)) for head in heads]):
        key = wanted.strip() if same is heads else " ".join(plain_head(wanted))
        found = [at for at, head in enumerate(same) if key and head == key]
        if len(found) == 1:
            return found[0]
        if found:
            numbers = ", ".join(str(at + 1) for at in found)
            raise ShapeTableError(
                f"{sheet.name}: columns {numbers} are all called {wanted!r}; give the number of one."
            )
    if wanted.strip().isdecimal() and 1 <= int(wanted[:9]) <= sheet.width:
        return int(wanted) - 1
    near = difflib.get_close_matches(wanted, heads, n=1)
    raise ShapeTableError(
        f"{sheet.name} has no column {wanted!r}; "
        + (f"did you mean {near[0]!r}?" if near else f"{_what_is_there(sheet)}.")
    )


def propose_columns(sheet: Sheet, operator: Operator, wishes: Wishes) -> ColumnMap:
    """Find the columns of an operator's parameters, of formats and of times.

    Raises
    ------
    ShapeTableError
        If a column that is named is not there, two fit one parameter equally well, or a dimension has none.
    """
    known = {one.name for one in operator.parameters}
    for name in wishes.columns:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(sorted(known))}."
            raise ShapeTableError(f"{operator.id} has no parameter {name!r}; {hint}")
    chosen = {name: column_at(sheet, column) for name, column in wishes.columns.items()}
    time = _time_column(sheet, wishes, chosen)
    dtype = _dtype_column(sheet, wishes)
    taken = {at for at in (time, dtype) if at is not None} | set(chosen.values())
    notes: tuple[str, ...] = ()
    if sheet.head:
        chosen |= _by_heads(sheet, operator, {*chosen, *wishes.fixed}, taken)
    elif not chosen:
        chosen, notes = _by_order(sheet, operator, wishes, time)
    _check_dimensions(sheet, operator, chosen, wishes)
    unit = _unit(sheet, wishes, time)
    return ColumnMap({one.name: chosen[one.name] for one in operator.parameters if one.name in chosen},
                     time, dtype, unit, notes)  # fmt: skip


def _what_is_there(sheet: Sheet) -> str:
    if not sheet.head:
        return f"it has no head line, and {sheet.width} columns, named by their numbers"
    heads = [head.strip() for head in sheet.head if head.strip()]
    return "it has " + ", ".join(heads[:_MAX_HEADS]) + (" …" if len(heads) > _MAX_HEADS else "")


def _by_heads(sheet: Sheet, operator: Operator, set_: set[str], taken: set[int]) -> dict[str, int]:
    """Match heads and parameters; a head goes to the parameter it fits best, to several that it fits equally."""
    levels: dict[str, dict[int, int]] = {}
    for parameter in operator.parameters:
        if parameter.name not in set_:
            levels[parameter.name] = {
                at: level
                for at, head in enumerate(sheet.head)
                if at not in taken and (level := match_level(head, parameter)) is not None
            }
    best_of = {
        at: min(fits[at] for fits in levels.values() if at in fits)
        for at in range(len(sheet.head))
        if any(at in fits for fits in levels.values())
    }
    found: dict[str, int] = {}
    for name, fits in levels.items():
        own = {at: level for at, level in fits.items() if level == best_of[at]}
        if not own:
            continue
        least = min(own.values())
        best = [at for at, level in own.items() if level == least]
        if len(best) > 1:
            heads = " or ".join(repr(sheet.head[at].strip()) for at in best)
            raise ShapeTableError(
                f"{sheet.name}: {name} may be {heads}. Say which: {name}={sheet.head[best[0]].strip()}."
            )
        found[name] = best[0]
    return found


def _by_order(
    sheet: Sheet, operator: Operator, wishes: Wishes, time: int | None
) -> tuple[dict[str, int], tuple[str, ...]]:
    """Take the first columns for the operator's dimensions in order, where there are no heads to go by."""
    names = [one.name for one in operator.parameters if must_be_given(one) and one.name not in wishes.fixed]
    cells = sheet.first[0][1]
    bare = [
        at for at, cell in enumerate(cells) if at != time and (one := split_number(cell, ".")) and not one[1]
    ]
    if not names or bare[: len(names)] != list(range(len(names))):
        return {}, ()
    pairs = dict(zip(names, bare, strict=False))
    told = ", ".join(f"{name} = column {at + 1}" for name, at in pairs.items())
    return pairs, (
        f"{sheet.name} has no head line; its first columns are taken in the operator's order: {told}.",
    )


def _time_column(sheet: Sheet, wishes: Wishes, chosen: Mapping[str, int]) -> int | None:
    if wishes.time is not None:
        return column_at(sheet, wishes.time) if wishes.time else None
    if not sheet.head:
        cells = sheet.first[0][1]
        timed = [
            at for at, cell in enumerate(cells) if (one := split_number(cell, ".")) and unit_of_cell(one[1])
        ]
        return timed[0] if len(timed) == 1 else None
    found = [at for at, head in enumerate(sheet.head) if is_time_head(head) and at not in chosen.values()]
    plain = [at for at in found if len([w for w in plain_head(sheet.head[at]) if w not in TIME_UNITS]) == 1]
    if len(found) > 1 and len(plain) == 1:
        found = plain
    if len(found) > 1:
        heads = " or ".join(repr(sheet.head[at].strip()) for at in found)
        raise ShapeTableError(f"{sheet.name}: the time may be {heads}. Name the column of times.")
    return found[0] if found else None


def _dtype_column(sheet: Sheet, wishes: Wishes) -> int | None:
    if wishes.dtype is not None:
        return column_at(sheet, wishes.dtype) if wishes.dtype else None
    found = [at for at, head in enumerate(sheet.head) if is_dtype_head(head)]
    if len(found) > 1:
        heads = " or ".join(repr(sheet.head[at].strip()) for at in found)
        raise ShapeTableError(f"{sheet.name}: the number format may be {heads}. Name the column of formats.")
    return found[0] if found else None


def _unit(sheet: Sheet, wishes: Wishes, time: int | None) -> str:
    if wishes.time_unit:
        unit = unit_of_cell(wishes.time_unit)
        if not unit:
            raise ShapeTableError(
                f"{wishes.time_unit!r} is no unit of time that is known; write us, ms, s or ns."
            )
        return unit
    return unit_of_head(sheet.head[time]) if time is not None and sheet.head else ""


def _check_dimensions(sheet: Sheet, operator: Operator, chosen: Mapping[str, int], wishes: Wishes) -> None:
    missing = [
        one.name
        for one in operator.parameters
        if must_be_given(one) and one.name not in chosen and one.name not in wishes.fixed
    ]
    if missing:
        name = missing[0]
        raise ShapeTableError(
            f"{sheet.name}: no column is {' or '.join(missing)} of {operator.id}; {_what_is_there(sheet)}. "
            f"Map one ({name}=COLUMN), or set a value for all rows ({name}=4096)."
        )
    if not chosen and not wishes.fixed:
        raise ShapeTableError(
            f"{sheet.name}: no column belongs to a parameter of {operator.id}; {_what_is_there(sheet)}. "
            f"Map one: {operator.parameters[0].name}=COLUMN."
        )
