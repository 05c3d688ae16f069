"""The figures of a cell of the compare grid in words, the same in pictures, tables and tool tips."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.comparison import ratio_text
from rooflinestudio.core.quantities import MINUS, format_number, format_quantity, format_ratio

if TYPE_CHECKING:
    from rooflinestudio.core.grid import Cell
    from rooflinestudio.core.placement import Placement

__all__ = [
    "FIGURE_WORDS", "NOTHING", "bound_text", "cell_summary", "delta_text", "figure_text", "figure_value", "percent",
    "ratio_words",
]  # fmt: skip

NOTHING: Final = "–"
FIGURE_WORDS: Final = {
    "time": "time",
    "time_ratio": "time against the baseline",
    "traffic": "traffic",
    "traffic_ratio": "traffic against the baseline",
    "intensity": "intensity, FLOP/byte",
    "rate": "attainable rate",
    "fraction": "fraction of its peak",
    "bound": "bound",
}
"""What a pivot table can show, by the id that the study keeps."""


def percent(fraction: float) -> str:
    """Return a share in per cent: ``57%``, below ten with two digits (``4.7%``)."""
    share = 100 * fraction
    return f"{share:.0f}%" if share >= 9.95 or share == 0 else f"{format_number(share, digits=2)}%"


def bound_text(placement: Placement) -> str:
    """Return the bound with the name of what binds: ``memory at L2``."""
    if placement.bound == "launch":
        return "launch overhead"
    boundary = placement.profile.boundaries.get(placement.binding)
    return f"{placement.bound} at {boundary.label if boundary is not None else placement.binding}"


def ratio_words(cell: Cell) -> str:
    """Return how the time of a cell compares: ``1.74× slower``, or ``baseline``."""
    if cell.is_baseline:
        return "baseline"
    return NOTHING if cell.time_ratio is None else format_ratio(cell.time_ratio)


def delta_text(seconds: float | None) -> str:
    """Return a difference of times with its sign: ``+103.5 µs``."""
    if seconds is None:
        return NOTHING
    if abs(seconds) < 1e-15:
        return "0"
    return f"{'+' if seconds > 0 else MINUS}{format_quantity(abs(seconds), 's')}"


def figure_text(cell: Cell, figure: str) -> str:
    """Return one of :data:`FIGURE_WORDS` of a cell; a dash where it was not placed."""
    placement = cell.row.placement
    if placement is None:
        return NOTHING
    return _figures(cell, placement)[figure]


def figure_value(cell: Cell, figure: str) -> float | str | None:
    """Return the number behind a figure, for sorting and spreadsheets, in SI base units; None where there is none."""
    placement = cell.row.placement
    if placement is None:
        return None
    values: dict[str, Any] = {
        "time": placement.time_s,
        "time_ratio": cell.time_ratio,
        "traffic": placement.traffic_bytes,
        "traffic_ratio": cell.traffic_ratio,
        "intensity": placement.intensity,
        "rate": placement.attainable_flop_per_s,
        "fraction": placement.fraction_of_peak,
        "bound": bound_text(placement),
    }
    value = values[figure]
    return value if value is None or isinstance(value, str) else float(value)


def _figures(cell: Cell, placement: Placement) -> dict[str, str]:
    return {
        "time": format_quantity(float(placement.time_s), "s", digits=4),
        "time_ratio": ratio_words(cell),
        "traffic": format_quantity(float(placement.traffic_bytes), "B", digits=4),
        "traffic_ratio": "baseline" if cell.is_baseline else ratio_text(cell.traffic_ratio, "more", "less"),
        "intensity": format_number(float(placement.intensity)),
        "rate": format_quantity(float(placement.attainable_flop_per_s), "FLOP/s"),
        "fraction": percent(float(placement.fraction_of_peak)),
        "bound": bound_text(placement),
    }


def cell_summary(cell: Cell) -> tuple[str, ...]:
    """Return the lines of a cell's tool tip: what it is, its figures, its verdict or why it was not placed."""
    placement = cell.row.placement
    title = "as it is (the baseline)" if cell.is_baseline else cell.words
    if placement is None:
        return title, cell.row.reason or cell.row.state
    at = placement.profile.boundaries[placement.boundary_id].label
    figures = _figures(cell, placement)
    hollow = () if cell.crosses else (f"its data does not cross {at}: shown, never binding",)
    intensity = "no traffic" if math.isinf(placement.intensity) else f"I {figures['intensity']} FLOP/byte"
    return (
        title,
        f"{figures['time']} ({figures['time_ratio']}), {figures['rate']}, "
        f"{figures['fraction']} of {placement.ceiling_id}",
        f"{figures['traffic']} at {at}, {intensity}, {placement.settings.policy}",
        *hollow,
        placement.verdict,
    )
