"""The curves of the sweep tab: figures along one parameter, the bound along each curve, and where it changes.

Everything comes from :mod:`rooflinestudio.core.sweep` and :mod:`rooflinestudio.core.sweep.crossings`: what is drawn
is what ``rooflinestudio sweep`` prints. Thresholds are exact; they do not depend on how fine a curve is.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rooflinestudio.core.binding import BOUND_KINDS
from rooflinestudio.core.chains import is_chain
from rooflinestudio.core.dtypes import parse_dtypes
from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.subject import Subject
from rooflinestudio.core.sweep import sweep
from rooflinestudio.core.sweep.axes import spaced_axis
from rooflinestudio.core.sweep.figures import figure_at, figures_along
from rooflinestudio.core.sweep.marks import Mark, marks_of
from rooflinestudio.core.sweep.source import PlainSource

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rooflinestudio.core.placing import EstimateSource, PlacedRow
    from rooflinestudio.core.sweep import SweepResult
    from rooflinestudio.core.sweep.panel import SweepSpec
    from rooflinestudio.core.traffic import Policy

__all__ = ["BoundSpan", "Curve", "CurveKey", "Mark", "curve_of", "here_of", "subject_of"]

MOST_STEPS: Final = 4000
"""More vertices than this are not drawn of a staircase: it would be a band."""

LONGEST_STAIRCASE: Final = 200_000
"""Values that are looked at one by one for stairs; more take too long while somebody waits."""


class CurveKey(NamedTuple):
    """What a curve stands for: an entry under a policy, at a value of the second parameter (None without one)."""

    entry: str
    policy: Policy
    second: Any = None


class BoundSpan(NamedTuple):
    """A stretch of a curve under one bound, both ends included.

    ``binding`` is the id of what binds; ``first`` and ``last`` are values of the parameter. Between neighbours the
    ends are those of the threshold, whatever the points of the curve.
    """

    bound: str
    binding: str
    first: float
    last: float


@dataclass(frozen=True, eq=False)
class Curve:
    """One curve.

    Attributes
    ----------
    subject
        What is swept; None where not even that could be told.
    x, y
        float64 arrays of the same length; ``y`` is not a number where a point was refused.
    fits
        Whether what must be in dram at once fits there; True where the operator does not say.
    spans
        The bounds along it, from left to right.
    marks
        Thresholds, from left to right.
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
    subject: Subject | None
    x: NDArray[Any]
    y: NDArray[Any]
    fits: NDArray[Any]
    spans: tuple[BoundSpan, ...]
    marks: tuple[Mark, ...]
    stairs_x: NDArray[Any]
    stairs_y: NDArray[Any]
    unit: str
    reason: str = ""
    notes: tuple[str, ...] = ()

    def span_at(self, value: float) -> BoundSpan | None:
        """Return the stretch of one bound that a value lies in, or None where it was refused."""
        return next((one for one in self.spans if one.first <= value <= one.last), None)


def subject_of(row: PlacedRow, spec: SweepSpec, source: EstimateSource, key: CurveKey) -> Subject:
    """Return what is swept for a curve: the entry on its machine with everything fixed that does not run.

    Raises
    ------
    StudioError
        If the machine is nowhere to be found, or a format is unknown.
    """
    if row.profile is None:
        raise StudioError(row.reason)
    entry = row.entry
    fixed = {name: value for name, value in entry.parameters.items() if name not in spec.names}
    if spec.second is not None and key.second is not None:
        fixed[spec.second[0]] = key.second
    settings = replace(row.settings, policy=key.policy)
    if is_chain(entry.operator):
        source = PlainSource(source)
    return Subject(source, entry.operator, row.profile, fixed, parse_dtypes(entry.dtypes), settings)


def curve_of(row: PlacedRow, spec: SweepSpec, source: EstimateSource, key: CurveKey) -> Curve:
    """Return one curve; where it cannot be made, an empty one with the reason."""
    import numpy as np

    nothing: Any = np.empty(0)
    subject: Subject | None = None
    try:
        subject = subject_of(row, spec, source, key)
        axis = spaced_axis(
            subject.operator, spec.names, low=spec.low, high=spec.high, points=spec.points, log=spec.is_log
        )
        result = sweep(subject, (axis,))
        y, unit = figures_along(result, spec.figure)
        marks, notes = marks_of(result, spec.figure)
    except StudioError as error:
        empty = (nothing, nothing, nothing.astype(bool), (), (), nothing, nothing, "", str(error))
        return Curve(key, subject, *empty)
    stairs_x, stairs_y = nothing, nothing
    if spec.shows_stairs:
        stairs_x, stairs_y, more = _stairs(subject, spec)
        notes = (*notes, *more)
    x: Any = axis.values
    if result.refusals:
        notes = (*notes, f"{result.refusals} of {len(x)} values are refused. The first: {result.refusal}")
    spans = _spans(result, marks)
    return Curve(key, subject, x, y, _fits(result), spans, marks, stairs_x, stairs_y, unit, "", notes)


def here_of(row: PlacedRow, curve: Curve, spec: SweepSpec) -> tuple[float, float] | None:
    """Return the entry's own value and the figure of a curve there; None outside the range, or where it is refused.

    Tied parameters that differ have no one value.
    """
    if row.placement is None or curve.subject is None or curve.reason:
        return None
    own = {float(row.placement.parameters[name]) for name in spec.names if name in row.placement.parameters}
    if len(own) != 1 or not spec.low <= (value := own.pop()) <= spec.high:
        return None
    whole = float(value).is_integer()
    try:
        placement = curve.subject.at(dict.fromkeys(spec.names, int(value) if whole else value))
    except StudioError:
        return None
    return value, figure_at(curve.subject, placement, spec.figure)


def _fits(result: SweepResult) -> Any:
    import numpy as np

    dram = result.subject.profile.boundaries.get("dram")
    if dram is None or dram.capacity is None:
        return np.ones(result.time_s.shape, bool)
    return ~(result.footprint_bytes > float(dram.capacity.value))  # nothing said: it fits


def _spans(result: SweepResult, marks: tuple[Mark, ...]) -> tuple[BoundSpan, ...]:
    """Return the stretches of one bound; refused points end a stretch and belong to none."""
    found: list[BoundSpan] = []
    last = (-1, -1)
    exact = [one for one in marks if one.kind == "bound"]
    for x, bound, binding in zip(
        result.axes[0].plain(), result.bound.tolist(), result.binding.tolist(), strict=True
    ):
        if bound < 0:
            last = (-1, -1)
        elif (bound, binding) == last:
            found[-1] = found[-1]._replace(last=float(x))
        else:
            first = float(x)
            turn = next((one for one in exact if found and found[-1].last < one.x <= first), None)
            if turn is not None and last != (-1, -1):
                found[-1] = found[-1]._replace(last=max(turn.below, found[-1].last))
                first = turn.x
            found.append(BoundSpan(BOUND_KINDS[bound], result.binding_ids[binding], first, float(x)))
            last = (bound, binding)
    return tuple(found)


def _stairs(subject: Subject, spec: SweepSpec) -> tuple[Any, Any, tuple[str, ...]]:
    """Return both ends of every stair: tiles and waves are whole, so that time steps where the forecast counts them."""
    import numpy as np

    from rooflinestudio.core.staircase import staircase

    nothing: Any = np.empty(0)
    if spec.high - spec.low > LONGEST_STAIRCASE:
        return nothing, nothing, ("The range is too long for a staircase; look at a smaller one.",)
    counted = replace(subject, settings=replace(subject.settings, forecast=True))
    try:
        steps = staircase(counted, spec.names, low=spec.low, high=spec.high)
        if 2 * len(steps) > MOST_STEPS:
            too_many = f"{len(steps)} stairs are too many to be drawn; look at a smaller range."
            return nothing, nothing, (too_many,)
        ends = np.unique([float(end) for one in steps for end in (one.first, one.last)])
        axis = replace(
            spaced_axis(subject.operator, spec.names, low=spec.low, high=spec.high, points=2), values=ends
        )
        y, _unit = figures_along(sweep(counted, (axis,)), spec.figure)
    except StudioError as error:
        return nothing, nothing, (f"No staircase: {error}",)
    return ends, y, ()
