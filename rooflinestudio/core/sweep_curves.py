"""The curves of the sweep tab: figures along one parameter, the bound along each curve, and where it changes.

Everything comes from :mod:`rooflinestudio.core.sweep` and :mod:`rooflinestudio.core.sweep_crossings`: what is drawn
is what ``rooflinestudio sweep`` prints. Thresholds are exact; they do not depend on how fine a curve is.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rooflinestudio.core.dtypes import parse_dtypes
from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.placement import BOUND_KINDS
from rooflinestudio.core.subject import Subject
from rooflinestudio.core.sweep import sweep
from rooflinestudio.core.sweep_axes import spaced_axis
from rooflinestudio.core.sweep_crossings import crossings
from rooflinestudio.core.sweep_figures import figure_at, figures_along

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rooflinestudio.core.placing import EstimateSource, PlacedRow
    from rooflinestudio.core.sweep import SweepResult
    from rooflinestudio.core.sweep_panel import SweepSpec
    from rooflinestudio.core.thresholds import Threshold
    from rooflinestudio.core.traffic import Policy

__all__ = ["BoundSpan", "Curve", "CurveKey", "Mark", "curve_of", "here_of", "subject_of"]

MOST_STEPS: Final = 4000
"""More vertices than this are not drawn of a staircase: it would be a band."""


class CurveKey(NamedTuple):
    """What a curve stands for: an entry under a policy, at a value of the second parameter (None without one)."""

    entry: str
    policy: Policy
    second: Any = None


class BoundSpan(NamedTuple):
    """A stretch of a curve under one bound, both ends included.

    ``binding`` is the id of what binds; ``first`` and ``last`` are values of the parameter.
    """

    bound: str
    binding: str
    first: float
    last: float


@dataclass(frozen=True, eq=False)
class Mark:
    """A threshold on a curve.

    Attributes
    ----------
    kind
        ``bound``, ``capacity`` or ``traffic``.
    x, y
        The first value after it, and the figure there (not a number where the figure has none).
    below
        The last value before it.
    threshold
        What holds on either side, in words.
    """

    kind: str
    x: float
    y: float
    below: float
    threshold: Threshold


@dataclass(frozen=True, eq=False)
class Curve:
    """One curve.

    Attributes
    ----------
    row
        The entry on the machine, as placed.
    x, y
        float64 arrays of the same length; ``y`` is not a number where a point was refused.
    fits
        Whether what must be in dram at once fits there; True where the operator does not say.
    spans
        The bounds along it, from left to right.
    marks
        Thresholds, from left to right.
    here
        The entry's own value and figure, where the value lies in the range.
    stairs_x, stairs_y
        Vertices of the staircase of tiles and waves; empty unless it was asked for and there is one.
    unit
        SI unit of ``y``: ``tok/s``, ``s``, ``FLOP/B``, ``FLOP/s``, ``B``, or empty for a share.
    reason
        Why there is no curve, or empty.
    notes
        What a reader should know: refused points, a staircase that there is not.
    """

    key: CurveKey
    row: PlacedRow
    x: NDArray[Any]
    y: NDArray[Any]
    fits: NDArray[Any]
    spans: tuple[BoundSpan, ...]
    marks: tuple[Mark, ...]
    here: tuple[float, float] | None
    stairs_x: NDArray[Any]
    stairs_y: NDArray[Any]
    unit: str
    reason: str = ""
    notes: tuple[str, ...] = ()


def subject_of(row: PlacedRow, spec: SweepSpec, source: EstimateSource, key: CurveKey) -> Subject:
    """Return what is swept for a curve: the entry on its machine with everything fixed that does not run."""
    if row.profile is None:
        raise StudioError(row.reason)
    entry = row.entry
    fixed = {name: value for name, value in entry.parameters.items() if name not in spec.names}
    if spec.second is not None:
        fixed[spec.second[0]] = key.second
    settings = replace(row.settings, policy=key.policy)
    return Subject(source, entry.operator, row.profile, fixed, parse_dtypes(entry.dtypes), settings)


def curve_of(row: PlacedRow, spec: SweepSpec, source: EstimateSource, key: CurveKey) -> Curve:
    """Return one curve; where it cannot be made, an empty one with the reason."""
    import numpy as np

    nothing: Any = np.empty(0)
    try:
        subject = subject_of(row, spec, source, key)
        axis = spaced_axis(
            subject.operator, spec.names, low=spec.low, high=spec.high, points=spec.points, log=spec.is_log
        )
        result = sweep(subject, (axis,))
        x: Any = axis.values
        y, unit = figures_along(result, spec.figure)
        marks = tuple(_marks(result, spec))
    except StudioError as error:
        empty = (nothing, nothing, nothing, (), (), None, nothing, nothing, "", str(error))
        return Curve(key, row, *empty)
    stairs_x, stairs_y, notes = _stairs(subject, spec) if spec.shows_stairs else (nothing, nothing, ())
    if result.refusals:
        notes = (*notes, f"{result.refusals} of {len(x)} values are refused. The first: {result.refusal}")
    fits = _fits(result)
    here = here_of(subject, spec, row)
    return Curve(
        key, row, x, y, fits, tuple(_spans(result)), marks, here, stairs_x, stairs_y, unit, "", notes
    )


def _fits(result: SweepResult) -> Any:
    import numpy as np

    dram = result.subject.profile.boundaries.get("dram")
    if dram is None or dram.capacity is None:
        return np.ones(result.time_s.shape, bool)
    return ~(result.footprint_bytes > float(dram.capacity.value))  # nothing said: it fits


def _spans(result: SweepResult) -> list[BoundSpan]:
    """Return the stretches of one bound; refused points end a stretch and belong to none."""
    found: list[BoundSpan] = []
    last = (-1, -1)
    for x, bound, binding in zip(
        result.axes[0].plain(), result.bound.tolist(), result.binding.tolist(), strict=True
    ):
        if bound < 0:
            last = (-1, -1)
        elif (bound, binding) == last:
            found[-1] = found[-1]._replace(last=float(x))
        else:
            found.append(BoundSpan(BOUND_KINDS[bound], result.binding_ids[binding], float(x), float(x)))
            last = (bound, binding)
    return found


def _marks(result: SweepResult, spec: SweepSpec) -> list[Mark]:
    marks = [
        Mark(one.kind, one.at, figure_at(result.subject, one.placed_at, spec.figure), one.below, one)
        for one in (found.threshold for found in crossings(result)[0])
    ]
    return sorted(marks, key=lambda one: one.x)


def here_of(subject: Subject, spec: SweepSpec, row: PlacedRow) -> tuple[float, float] | None:
    """Return the entry's own value and figure; tied parameters that differ have no one value."""
    if row.placement is None:
        return None
    own = {float(row.placement.parameters[name]) for name in spec.names if name in row.placement.parameters}
    if len(own) != 1 or not spec.low <= (value := own.pop()) <= spec.high:
        return None
    whole = float(value).is_integer()
    try:
        placement = subject.at(dict.fromkeys(spec.names, int(value) if whole else value))
    except StudioError:
        return None
    return value, figure_at(subject, placement, spec.figure)


def _stairs(subject: Subject, spec: SweepSpec) -> tuple[Any, Any, tuple[str, ...]]:
    """Return both ends of every stair: tiles and waves are whole, so that time steps where the forecast counts them."""
    import numpy as np

    from rooflinestudio.core.staircase import staircase

    counted = replace(subject, settings=replace(subject.settings, forecast=True))
    try:
        steps = staircase(counted, spec.names, low=spec.low, high=spec.high)
        if 2 * len(steps) > MOST_STEPS:
            return (
                np.empty(0),
                np.empty(0),
                (f"{len(steps)} stairs are too many to be drawn; look at a smaller range.",),
            )
        ends = np.unique([float(end) for one in steps for end in (one.first, one.last)])
        axis = replace(
            spaced_axis(subject.operator, spec.names, low=spec.low, high=spec.high, points=2), values=ends
        )
        y, _unit = figures_along(sweep(counted, (axis,)), spec.figure)
    except StudioError as error:
        return np.empty(0), np.empty(0), (f"No staircase: {error}",)
    return ends, y, ()
