"""Where the picture of a sweep ends, what is shaded in it, and what stands over it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rooflinestudio.core.sweep.panel import figure_word
from rooflinestudio.core.sweep.picture import Gap
from rooflinestudio.core.sweep.words import COUNTED, beyond_words, boundary_label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rooflinestudio.core.placing import PlacedRow
    from rooflinestudio.core.sweep.panel import SweepSpec
    from rooflinestudio.core.sweep.picture import DrawnCurve

__all__ = ["gap_of", "title_words", "x_range", "y_range"]

LEAST_SPAN: Final = 4.0
"""A logarithmic axis runs over this ratio at least: a flat curve stays flat."""

MOST_SPAN: Final = 1e9
"""And over this one at most: what is lower is cut off."""


def title_words(rows: Sequence[PlacedRow], spec: SweepSpec, label: str) -> tuple[str, str]:
    """Return the title, and what it holds for: machine, boundary, policy, bound or forecast."""
    figure = figure_word(spec.figure)
    title = f"{figure[:1].upper()}{figure[1:]} over {label}"
    row = rows[0]
    words = [row.profile.short_name if row.profile is not None else row.machine]
    boundaries, policies = {one.settings.boundary for one in rows}, {one.settings.policy for one in rows}
    if row.profile is not None and len(boundaries) == 1 and row.settings.boundary:
        words[0] += f" at {boundary_label(row.profile, row.settings.boundary)}"
    if len(spec.policies or policies) == 1:
        words.append(*(spec.policies or policies))
    words.append("forecast" if row.settings.forecast else "pure bound")
    return title, ", ".join(words)


def x_range(spec: SweepSpec) -> tuple[float, float]:
    """Return the ends of the axis that runs; a single value gets some room."""
    low, high = spec.low, spec.high
    if high > low:
        return low, high
    return (low / 2, low * 2) if spec.is_log else (low - 1, low + 1)


def y_range(curves: tuple[DrawnCurve, ...], spec: SweepSpec) -> tuple[float, float]:
    """Return the ends of the upright axis around all that is drawn, with room for words."""
    import numpy as np

    drawn = [np.asarray(part, float) for one in curves for part in (one.curve.y, one.curve.stairs_y)]
    drawn += [np.array([point.y for point in one.measured]) for one in curves]
    values = np.concatenate(drawn) if drawn else np.empty(0)
    values = values[np.isfinite(values) & (values > 0)]
    if not len(values):
        return (0.1, 10.0) if spec.is_log else (0.0, 1.0)
    low, high = float(values.min()), float(values.max())
    if not spec.is_log:
        return 0.0, high * 1.12
    low, high = max(low, high / MOST_SPAN) * 0.75, high * 1.6
    if high / low < LEAST_SPAN:
        middle = (low * high) ** 0.5
        low, high = middle / LEAST_SPAN**0.5, middle * LEAST_SPAN**0.5
    return low, high


def gap_of(curves: tuple[DrawnCurve, ...], parameter: str, unit: str) -> Gap | None:
    """Return the stretch that does not fit, of the first curve that has one; those with a present value come first.

    It names the curve where there are others.
    """
    for one in sorted(curves, key=lambda each: each.here is None):
        curve = one.curve
        missing = (~curve.fits).nonzero()[0]
        if not len(missing) or len(missing) == len(curve.x):  # all of it: a sentence says more than a shade
            continue
        first, last = float(curve.x[missing[0]]), float(curve.x[missing[-1]])
        starts = next((mark for mark in curve.marks if mark.ends_capacity), None)
        ends = next(
            (mark for mark in curve.marks if mark.kind == "capacity" and not mark.ends_capacity), None
        )
        if starts is not None:
            first = starts.x
        if ends is not None and (starts is None or ends.x > starts.x):
            last = ends.below
        lines = beyond_words(curve, starts or ends, COUNTED.get(parameter, ""), unit)
        if len(curves) > 1:
            lines = (f"{one.name}: {lines[0]}", *lines[1:])
        return Gap(first, last, lines)
    return None
