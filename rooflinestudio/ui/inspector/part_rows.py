"""The parts of a composite as the inspector tells them: one line each, what is folded, the total."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.quantities import format_number, format_quantity
from rooflinestudio.ui.widgets.words import bound_words, bytes_text, percent_text, short_intensity, time_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rooflinestudio.core.operators import Parameter
    from rooflinestudio.core.placement import PlacedPart, Placement

__all__ = ["FIRST_PARTS", "PartRow", "count_text", "part_figures", "part_rows"]

FIRST_PARTS: Final = 6
"""So many parts are shown before one asks for all."""

_SHAPE_MOST: Final = 5


@dataclass(frozen=True, slots=True)
class PartRow:
    """One line: a part, the sum of those folded away, or the total.

    ``at`` is the number of the part, or -1 for sums; ``share`` is that of the composite's time.
    """

    at: int
    label: str
    count: str
    time: str
    share: float
    bound: str
    words: str


def part_rows(placement: Placement, *, all_shown: bool) -> tuple[PartRow, ...]:
    """Return the parts in the order of the estimate, the rest in one line unless all are asked for, and the total."""
    parts, whole_s = placement.parts, float(placement.time_s)
    if not parts:
        return ()
    folded = not all_shown and len(parts) > FIRST_PARTS + 1
    shown = parts[:FIRST_PARTS] if folded else parts
    rows = [_row(at, part, whole_s) for at, part in enumerate(shown)]
    if folded:
        rest = parts[FIRST_PARTS:]
        rows.append(_sum_row(f"{len(rest)} others", rest, whole_s))
    rows.append(_sum_row("total", parts, whole_s))
    return tuple(rows)


def _row(at: int, part: PlacedPart, whole_s: float) -> PartRow:
    one, time_s = part.placement, float(part.count * part.placement.time_s)
    return PartRow(
        at, part.label, count_text(part.count), time_text(time_s, digits=3), time_s / whole_s, one.bound, bound_words(one)
    )  # fmt: skip


def _sum_row(label: str, parts: Sequence[PlacedPart], whole_s: float) -> PartRow:
    time_s = sum(float(part.count * part.placement.time_s) for part in parts)
    count = sum(float(part.count) for part in parts)
    return PartRow(-1, label, count_text(count), time_text(time_s, digits=3), time_s / whole_s, "", "")


def count_text(count: float) -> str:
    """Return how often a part runs: ``80 ×``, ``4.5 ×``."""
    value = float(count)
    digits = len(str(int(value))) if value.is_integer() and value < 1e6 else 3
    return f"{format_number(value, digits=digits)} ×"


def part_figures(part: PlacedPart, declared: Sequence[Parameter] = ()) -> tuple[tuple[str, str], ...]:
    """Return what one run of a part comes to, as captions and values.

    Parameters
    ----------
    declared
        Parameters of its operator: with them the sizes come in their order, and what was left alone is not told.
    """
    one = part.placement
    return (
        (one.operator or "kernel", _shape(one.parameters, declared)),
        ("bound", bound_words(one)),
        ("work  W, each", format_quantity(float(one.work_flop), "FLOP")),
        ("traffic  Q, each", bytes_text(one.traffic_bytes, digits=3)),
        ("intensity  I", f"{short_intensity(one.intensity)} FLOP/byte"),
        ("time, each", time_text(one.time_s, digits=3)),
        ("of peak", percent_text(float(one.fraction_of_peak))),
    )


def _shape(parameters: Mapping[str, object], declared: Sequence[Parameter]) -> str:
    """Return the first sizes of a part in short: ``1 × 57 344 × 8 192``; the whole is in the tool tip."""
    names = [one.name for one in declared if one.name in parameters] or list(parameters)
    sizes = [
        value
        for name in names
        if isinstance(value := parameters[name], int | float) and not isinstance(value, bool)
    ][:3]
    return " × ".join(_size(float(one)) for one in sizes)


def _size(value: float) -> str:
    digits = len(str(int(abs(value)))) if value.is_integer() and abs(value) < 1e6 else 3
    return format_number(value, digits=digits) if abs(value) < 1e6 else format_quantity(value, "B").removesuffix("B")
