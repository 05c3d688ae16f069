"""Which rows of a table of shapes are placed: all, those that take most time, or the first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from rooflinestudio.core.shapes.entries import MOST_ENTRIES

if TYPE_CHECKING:
    from rooflinestudio.core.shapes.table import ShapeTable

__all__ = ["COMFORTABLE", "Pick", "different_shapes", "picked_rows", "picks_for"]

COMFORTABLE: Final = 40
"""Placements among which one still finds one's way on the canvas."""

_STEPS: Final = (COMFORTABLE, 200, MOST_ENTRIES)


class Pick(NamedTuple):
    """A way to choose rows: its id (``all``, ``time-40``, ``first-40``) and what it is called."""

    id: str
    label: str


def picks_for(table: ShapeTable) -> tuple[Pick, ...]:
    """Return what can be chosen; what a user most likely wants comes first."""
    count, timed = different_shapes(table), _has_times(table)
    whole = (Pick("all", f"All {count} different shapes" if count > 1 else "The one shape"),)
    steps = [step for step in _STEPS if step < count]
    some = [Pick(f"time-{step}", f"The {step} that take most time") for step in steps if timed]
    some += [Pick(f"first-{step}", f"The first {step}") for step in steps]
    if count > MOST_ENTRIES:
        return tuple(some)
    return (*whole, *some) if count <= COMFORTABLE else (*some, *whole)


def picked_rows(table: ShapeTable, pick: str) -> list[int]:
    """Return the rows of a choice, in the order of the file; all measurements of a shape that is in it belong to it."""
    if pick == "all":
        return list(range(len(table)))
    how, _, number = pick.partition("-")
    keys = _keys(table)
    order = range(len(table)) if how == "first" else _by_time(table, keys)
    wanted: dict[object, None] = {}
    for at in order:
        wanted.setdefault(keys[at])
        if len(wanted) == int(number):
            break
    return [at for at in range(len(table)) if keys[at] in wanted]


def different_shapes(table: ShapeTable) -> int:
    """Return how many different shapes there are."""
    return len(set(_keys(table)))


def _keys(table: ShapeTable) -> list[tuple[object, ...]]:
    columns = [values.tolist() for values in table.numbers.values()]
    columns += [column.codes.tolist() for column in table.words.values()]
    columns += [table.dtypes.codes.tolist()] if table.dtypes is not None else []
    return list(zip(*columns, strict=True)) if columns else [()] * len(table)


def _by_time(table: ShapeTable, keys: list[tuple[object, ...]]) -> list[int]:
    """Return one row of each shape, the shape first whose times add up to most; those without a time last."""
    times = table.time_s.tolist() if table.time_s is not None else [0.0] * len(table)
    sums: dict[object, float] = {}
    first: dict[object, int] = {}
    for at, (key, time_s) in enumerate(zip(keys, times, strict=True)):
        sums[key] = sums.get(key, 0.0) + (time_s if time_s == time_s else 0.0)
        first.setdefault(key, at)
    return [first[key] for key in sorted(sums, key=lambda key: -sums[key])]


def _has_times(table: ShapeTable) -> bool:
    return table.time_s is not None and bool((table.time_s == table.time_s).any())
