"""Curves of a sweep in words: thresholds one by one, the sentence over all, Markdown and CSV."""

from __future__ import annotations

import csv
import io
import math
from typing import TYPE_CHECKING, Any, NamedTuple

from rooflinestudio.core.arithmetic import is_number
from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.quantities import format_number, format_quantity
from rooflinestudio.core.sweep_curves import subject_of
from rooflinestudio.core.threshold_questions import role_bytes
from rooflinestudio.core.thresholds import weight_only_batch_to_ridge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rooflinestudio.core.placing import EstimateSource
    from rooflinestudio.core.sweep_curves import CurveKey, Mark
    from rooflinestudio.core.sweep_curves_drawn import DrawnCurve
    from rooflinestudio.core.sweep_panel import SweepSpec

__all__ = [
    "ThresholdLine", "curve_name", "curves_csv", "figure_text", "ridge_line", "threshold_lines",
    "thresholds_markdown", "verdict",
]  # fmt: skip

WELL_BEFORE = 2.0
"""From this ratio on one threshold lies well before another."""


class ThresholdLine(NamedTuple):
    """A threshold as text.

    Attributes
    ----------
    kind
        ``bound``, ``capacity``, ``traffic``, ``part`` or ``ridge``.
    value
        The exact value that is told, and that the entry takes when it is asked to: the largest that fits, or the
        first after the change.
    label
        ``m=n=k = 887``.
    words
        What changes there.
    x
        Where the mark on the curve is; None where there is none.
    """

    curve: CurveKey
    kind: str
    value: float
    label: str
    words: str
    x: float | None


def figure_text(value: float, unit: str) -> str:
    """Return a figure with its unit: ``2 495 tok/s``, ``69.2 ms``, ``79 %``; a dash where there is none."""
    if not math.isfinite(value):
        return "none" if math.isnan(value) else "infinite"
    if not unit:
        return f"{format_number(100 * value)} %"
    if unit in ("s", "B", "FLOP/s"):
        return format_quantity(value, unit)
    return f"{format_number(value, digits=4)} {unit}"


def curve_name(curve: DrawnCurve, spec: SweepSpec) -> str:
    """Return what tells a curve from the others: entry, policy, value of the second parameter."""
    words = [curve.row.entry.label or curve.row.entry.id]
    if len(spec.policies) > 1:
        words.append(curve.key.policy)
    if spec.second is not None:
        words.append(f"{spec.second[0]} {curve.key.second}")
    return ", ".join(words)


def threshold_lines(curve: DrawnCurve, spec: SweepSpec, *, several: bool = False) -> list[ThresholdLine]:
    """Return the thresholds of a curve; with its name where there are several curves."""
    return [_line(curve, mark, spec, several=several) for mark in curve.marks]


def _line(curve: DrawnCurve, mark: Mark, spec: SweepSpec, *, several: bool) -> ThresholdLine:
    value, last_that_fits = mark.value, mark.ends_capacity
    words = {
        "bound": f"{mark.threshold.after}, up to {mark.below:.15g} {mark.threshold.before}",
        "part": f"{mark.part}: {mark.threshold.after}, up to {mark.below:.15g} {mark.threshold.before}",
        "capacity": "the largest that fits" if last_that_fits else "fits from here on",
        "traffic": "the cache moves more than the weights"
        if "more" in mark.threshold.after
        else mark.threshold.after,
    }.get(mark.kind, mark.threshold.after)
    name = f" ({curve_name(curve, spec)})" if several else ""
    return ThresholdLine(
        curve.key, mark.kind, value, f"{spec.parameter} = {value:.15g}", f"{words}{name}", mark.x
    )


def ridge_line(lead: DrawnCurve, spec: SweepSpec, source: EstimateSource) -> ThresholdLine | None:
    """Return the batch at which weights alone would reach the ridge, B* = s·I*/2, where a cache is read beside them."""
    if spec.names != ("batch",) or lead.row.placement is None or lead.row.profile is None:
        return None
    estimate = lead.row.placement.estimate
    if not all(_moves(role_bytes(estimate, role)) for role in ("weight", "cache")):
        return None
    try:
        formats = subject_of(lead.row, spec, source, lead.key).formats
        stored = formats.get("weight")
        computed = formats.get("compute") or formats.get("input") or stored
        if stored is None:
            return None
        batch = weight_only_batch_to_ridge(lead.row.profile, stored, computed)
    except StudioError:
        return None
    words = f"weights alone reach the ridge at {batch:.2f} (B* = s·I*/2)"
    value = math.ceil(batch)
    return ThresholdLine(lead.key, "ridge", value, f"batch = {value}", words, None)


def _moves(count: Any) -> bool:
    return is_number(count) and count > 0


def verdict(lead: DrawnCurve, spec: SweepSpec, ridge: ThresholdLine | None = None) -> str:
    """Return the sentence over all: what ends the range first, else where the bound changes, else that it does not."""
    if lead.reason:
        return lead.reason
    first = next((one for one in lead.marks if one.kind == "bound"), None)
    capacity = next((one for one in lead.marks if one.ends_capacity), None)
    if capacity is not None:
        return _capacity_words(capacity, spec, first, ridge)
    if not lead.fits.any():
        return f"Nothing from {spec.low:.15g} to {spec.high:.15g} fits into memory."
    if first is not None:
        more = sum(one.kind == "bound" for one in lead.marks) - 1
        rest = (
            f" {more} more change{'s' if more > 1 else ''} of bound follow{'s' if more == 1 else ''}."
            if more
            else ""
        )
        before, after = first.threshold.before, first.threshold.after
        return (
            f"From {spec.parameter} = {first.x:.15g} on: {after}; up to {first.below:.15g}: {before}.{rest}"
        )
    if lead.spans:
        span = lead.spans[0]
        ends = f"from {spec.low:.15g} to {spec.high:.15g}"
        return f"{span.bound.capitalize()} at {span.binding} binds all the way {ends}."
    return ""


def _capacity_words(capacity: Mark, spec: SweepSpec, first: Mark | None, ridge: ThresholdLine | None) -> str:
    most = capacity.below
    ends = f"Capacity ends {'the ' if len(spec.names) == 1 else ''}{spec.parameter} at {most:.15g}"
    # The ridge is told as a whole batch below it, as one reads it off a plot: 295 rather than 295.34.
    at = None if ridge is None else ridge.value - 1
    if at is not None:
        if most < at:
            return f"{ends}, {'well ' if at >= WELL_BEFORE * most else ''}before the ridge at {at:.15g}."
        return f"{ends}, after weights alone meet the ridge at {at:.15g}."
    if first is None:
        return f"{ends}; what binds does not change before."
    if first.x <= most:
        return f"{first.threshold.after.capitalize()} from {spec.parameter} = {first.x:.15g} on. {ends}."
    return f"{ends}, before it would be bound by {first.threshold.after} at {first.x:.15g}."


def thresholds_markdown(lines: Sequence[ThresholdLine], sentence: str) -> str:
    """Return the thresholds as a list in Markdown, under the sentence over all."""
    listed = "".join(f"- **{one.label}**: {one.words}\n" for one in lines)
    return f"{sentence}\n\n{listed}" if listed else f"{sentence}\n"


def curves_csv(curves: Sequence[DrawnCurve], spec: SweepSpec) -> str:
    """Return all curves as one table, a row per point; refused points have an empty figure."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    second = [spec.second[0]] if spec.second is not None else []
    unit = next((one.unit for one in curves if one.unit), "")
    writer.writerow(["entry", "policy", *second, spec.parameter, f"{spec.figure} ({unit})" if unit else spec.figure,
                     "bound", "fits"])  # fmt: skip
    for curve in curves:
        bounds = iter(curve.spans)
        span = next(bounds, None)
        for x, y, fits in zip(curve.x.tolist(), curve.y.tolist(), curve.fits.tolist(), strict=True):
            while span is not None and x > span.last:
                span = next(bounds, None)
            bound = span.bound if span is not None and span.first <= x else ""
            own = [curve.key.second] if second else []
            writer.writerow([curve.key.entry, curve.key.policy, *own, f"{x:.15g}",
                             repr(y) if math.isfinite(y) else "", bound, "yes" if fits else "no"])  # fmt: skip
    return stream.getvalue()
