"""A variant held against its baseline: which rows belong together, the ratios between them, and their words.

Canvas, outline and tests read the same ratios, so that they cannot disagree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.arithmetic import is_number
from rooflinestudio.core.quantities import format_number, format_ratio

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rooflinestudio.core.placing import PlacedRow, PlacedStudy
    from rooflinestudio.core.study import Entry

__all__ = [
    "SAME",
    "VariantRatios",
    "base_row",
    "factor_words",
    "ratio_words",
    "ratios",
    "same_settings",
    "short_name",
    "time_words",
    "variant_pairs",
]

SAME: Final = 0.005
"""Ratios closer to 1 than this are no difference; the same bound as for words on times."""

_INFINITE: Final = float("inf")


@dataclass(frozen=True, slots=True)
class VariantRatios:
    """Figures of a variant over those of its baseline; None where one of the two has no such figure.

    Attributes
    ----------
    time
        Above 1 the variant takes longer.
    work, traffic, intensity
        Of FLOP, of bytes and of FLOP/byte at the boundary that each of the two is shown at.
    """

    time: float
    work: float | None
    traffic: float | None
    intensity: float | None


def variant_pairs(placed: PlacedStudy) -> Iterator[tuple[PlacedRow, PlacedRow]]:
    """Yield (row of a variant, row of its baseline) in the order of the study; see :func:`base_row`."""
    wanted = {row.entry.variant_of for row in placed.rows if row.entry.variant_of is not None}
    if not wanted:
        return
    bases: dict[str, list[PlacedRow]] = {}
    for row in placed.rows:
        if row.entry.id in wanted:
            bases.setdefault(row.entry.id, []).append(row)
    for row in placed.rows:
        found = bases.get(row.entry.variant_of or "")
        if found:
            yield row, base_row(row, found)


def base_row(row: PlacedRow, bases: Sequence[PlacedRow]) -> PlacedRow:
    """Return the row of a baseline that a variant's row is held against.

    It is the one on the same machine, else the first. What was made to try another machine is held against the
    baseline elsewhere, even where the baseline stands on that machine, too.
    """
    base = bases[0].entry
    if (
        row.entry.machines is not None
        and row.entry.machines != base.machines
        and same_settings(row.entry, base)
    ):
        return next((one for one in bases if one.machine != row.machine), bases[0])
    return next((one for one in bases if one.machine == row.machine), bases[0])


def same_settings(first: Entry, second: Entry) -> bool:
    """Tell whether two entries ask for the same in all but the machine, name and looks."""
    return _asked(first) == _asked(second)


def _asked(entry: Entry) -> tuple[object, ...]:
    return (
        entry.operator, dict(entry.parameters), dict(entry.dtypes), entry.policy, entry.absorption, entry.ceiling,
        entry.overlap, entry.boundary,
    )  # fmt: skip


def ratios(row: PlacedRow, base: PlacedRow) -> VariantRatios | None:
    """Return what a variant's row is over its baseline's; None unless both are placed, as single points."""
    ours, theirs = row.placement, base.placement
    if ours is None or theirs is None:
        return None
    time = _over(ours.time_s, theirs.time_s)
    if time is None:
        return None
    return VariantRatios(
        time,
        _over(ours.work_flop, theirs.work_flop),
        _over(ours.traffic_bytes, theirs.traffic_bytes),
        _over(ours.intensity, theirs.intensity),
    )


def _over(ours: Any, theirs: Any) -> float | None:
    if not (is_number(ours) and is_number(theirs)):
        return None
    if not (0 < theirs < _INFINITE and 0 < ours < _INFINITE):
        return None
    return float(ours) / float(theirs)


# Words ---------------------------------------------------------------------------------------------------------------


def time_words(ratio: float) -> str:
    """Say a ratio of times with its direction: ``2.00× faster``, ``same time``."""
    return "same time" if abs(ratio - 1) < SAME else format_ratio(ratio)


def factor_words(symbol: str, ratio: float | None, *, digits: int = 2) -> str:
    """Say what became of a figure: ``Q ÷2.0``, ``I ×1.4``, ``same Q``; empty where there is no ratio."""
    if ratio is None:
        return ""
    if abs(ratio - 1) < SAME:
        return f"same {symbol}"
    sign, factor = ("×", ratio) if ratio > 1 else ("÷", 1 / ratio)
    # Two digits would turn 1.04 into 1.0, which says that nothing changed.
    return f"{symbol} {sign}{format_number(factor, digits=max(digits, 3) if factor < 1.05 else digits)}"


def ratio_words(found: VariantRatios, *, digits: int = 2) -> str:
    """Say all ratios in one line: ``2.00× faster · Q ÷2.0 · I ×2.0``; work is told only where it changes."""
    work = found.work if found.work is not None and abs(found.work - 1) >= SAME else None
    parts = (
        time_words(found.time),
        factor_words("W", work, digits=digits),
        factor_words("Q", found.traffic, digits=digits),
        factor_words("I", found.intensity, digits=digits),
    )
    return " · ".join(part for part in parts if part)


def short_name(name: str, base_name: str) -> str:
    """Return a variant's name without that of the baseline beside it: ``fp8`` of ``GEMM: fp8``."""
    rest = name.removeprefix(f"{base_name}: ")
    return rest or name
