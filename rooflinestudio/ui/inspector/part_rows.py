"""The parts of a composite as the inspector tells them: one line each, what is folded, the total."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.quantities import format_number, format_quantity
from rooflinestudio.ui.widgets.words import bound_words, bytes_text, short_intensity, time_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rooflinestudio.core.operators import Parameter
    from rooflinestudio.core.placement import PlacedPart, Placement

__all__ = ["FIRST_PARTS", "TOTAL", "PartRow", "count_text", "part_figures", "part_rows", "part_words"]

TOTAL: Final = "total"
FIRST_PARTS: Final = 6
"""So many parts are shown before one asks for all."""

_CUTS: Final = ("tile_", "warp_", "cluster_", "block_")


@dataclass(frozen=True, slots=True)
class PartRow:
    """One line: a part, the sum of those folded away, or the total.

    ``at`` is the number of the part, or -1 for sums; ``share`` is that of the composite's time;
    ``bound`` and ``words`` say what binds, for the sum of several what binds most of it.
    """

    at: int
    label: str
    count: str
    time: str
    share: float
    bound: str
    words: str


def part_rows(placement: Placement, *, all_shown: bool) -> tuple[PartRow, ...]:
    """Return the parts in the order of the estimate, and their total.

    Unless all are asked for, only those that take most of the time have a line of their own.
    """
    parts, whole_s = placement.parts, float(placement.time_s)
    if not parts:
        return ()
    numbers = range(len(parts)) if all_shown or len(parts) <= FIRST_PARTS + 1 else _weightiest(parts)
    rows = [_row(at, parts[at], whole_s) for at in numbers]
    rest = [part for at, part in enumerate(parts) if at not in numbers]
    if rest:
        rows.append(_sum_row(f"{len(rest)} others", rest, whole_s))
    rows.append(_sum_row(TOTAL, parts, whole_s))
    return tuple(rows)


def _weightiest(parts: Sequence[PlacedPart]) -> list[int]:
    """Return the numbers of the parts that take most of the time, in the order of the estimate."""
    ranked = sorted(range(len(parts)), key=lambda at: -float(parts[at].count * parts[at].placement.time_s))
    return sorted(ranked[:FIRST_PARTS])


def _row(at: int, part: PlacedPart, whole_s: float) -> PartRow:
    one, time_s = part.placement, float(part.count * part.placement.time_s)
    count, time = count_text(float(part.count)), time_text(time_s, digits=3)
    return PartRow(at, part.label, count, time, time_s / whole_s, one.bound, bound_words(one))


def _sum_row(label: str, parts: Sequence[PlacedPart], whole_s: float) -> PartRow:
    time_s = sum(float(part.count * part.placement.time_s) for part in parts)
    count = sum(float(part.count) for part in parts)
    shown = count_text(count), time_text(time_s, digits=3)
    if label == TOTAL:
        return PartRow(-1, label, *shown, time_s / whole_s, "", "")
    bound, words = _main_bound(parts)
    return PartRow(-1, label, *shown, time_s / whole_s, bound, words)


def _main_bound(parts: Sequence[PlacedPart]) -> tuple[str, str]:
    """Return the bound that takes most of the time of several parts, as kind and in words."""
    spent: dict[tuple[str, str], float] = {}
    for part in parts:
        key = part.placement.bound, bound_words(part.placement)
        spent[key] = spent.get(key, 0.0) + float(part.count * part.placement.time_s)
    return max(spent, key=lambda key: spent[key])


def count_text(count: float) -> str:
    """Return how often a part runs: ``80 ×``, ``4.5 ×``."""
    digits = len(str(int(count))) if count.is_integer() and count < 1e6 else 3
    return f"{format_number(count, digits=digits)} ×"


def part_figures(part: PlacedPart) -> tuple[tuple[str, str], ...]:
    """Return what one run of a part comes to, as captions and values."""
    one = part.placement
    return (
        ("bound", bound_words(one)),
        ("work  W, each", format_quantity(float(one.work_flop), "FLOP")),
        ("traffic  Q, each", bytes_text(one.traffic_bytes, digits=3)),
        ("intensity  I", f"{short_intensity(one.intensity)} FLOP/byte"),
        ("time, each", time_text(one.time_s, digits=3)),
    )


def part_words(part: PlacedPart, declared: Sequence[Parameter] = ()) -> str:
    """Return a part as the kernel that it is: operator and what was set, ``gemm m=1 n=57344 k=8192``.

    Parameters
    ----------
    declared
        Parameters of its operator: what was left alone, and how it is cut up, is then not told.
    """
    one, known = part.placement, {parameter.name: parameter for parameter in declared}
    told = (
        f"{name}={_value_text(value)}"
        for name, value in one.parameters.items()
        if name not in known or _is_told(known[name], value)
    )
    return " ".join((one.operator or "kernel", *told))


def _is_told(parameter: Parameter, value: object) -> bool:
    if parameter.name.startswith(_CUTS):
        return False
    if isinstance(value, bool | str):
        return value != parameter.default
    return value != parameter.default or parameter.default not in (0, 1)


def _value_text(value: object) -> str:
    if isinstance(value, bool | str):
        return str(value).lower() if isinstance(value, bool) else value
    number = float(value)  # type: ignore[arg-type]
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else f"{number:.4g}"
