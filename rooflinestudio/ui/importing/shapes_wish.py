"""What is to be placed of a table of shapes, and what is said about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.quantities import format_quantity
from rooflinestudio.ui.importing.shapes_tables import ShapeLine

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.operators import Operator
    from rooflinestudio.core.shapes.entries import PlacedShapes
    from rooflinestudio.core.shapes.table import ShapeTable

__all__ = ["LISTED", "ShapesWish", "counted", "refused_words", "shape_lines"]

LISTED: Final = 200
"""Placements and faults that a dialog lists at most."""


@dataclass(frozen=True)
class ShapesWish:
    """What is to be placed.

    Attributes
    ----------
    table, rows
        The rows that can be used, and the positions of those that are wanted.
    parameters, dtypes
        What holds for all of them.
    with_times
        Whether the measured times become measurements.
    """

    operator: Operator
    table: ShapeTable
    rows: tuple[int, ...]
    parameters: Mapping[str, Any]
    dtypes: Mapping[str, str]
    with_times: bool


def counted(count: int, word: str) -> str:
    """Return a number with its word, in the plural where it is one."""
    return f"{count:,} {word}{'' if count == 1 else 's'}".replace(",", "\u202f")


def refused_words(table: ShapeTable) -> str:
    """Return how many cells cannot be used, to follow a sentence; empty for none."""
    return f"; {counted(table.fault_count, 'cell')} cannot be used" if table.fault_count else ""


def shape_lines(placed: PlacedShapes, table: ShapeTable) -> list[ShapeLine]:
    """Return the placements with the shortest time of their rows."""
    lines: dict[int, int] = {}
    times: dict[int, float] = {}
    for at, which in placed.entry_of.items():
        lines.setdefault(which, int(table.line[at]))
        time_s = float(table.time_s[at]) if table.time_s is not None else float("nan")
        if time_s == time_s:
            times[which] = min(time_s, times.get(which, time_s))
    return [
        ShapeLine(
            lines[which],
            entry.label,
            ", ".join(entry.dtypes.values()),
            format_quantity(times[which], "s") if which in times else "",
        )
        for which, entry in enumerate(placed.entries[:LISTED])
    ]
