"""All that the sweep tab shows of a study: curves, thresholds in words, what does not fit, measured points, a verdict.

``SweepMaker`` keeps the curves that it made: an edit that does not concern a curve costs nothing, and moving the
present value along the axis costs one placement.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rooflinestudio.core.arithmetic import is_number
from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.sweep_axes import declared
from rooflinestudio.core.sweep_curves import Curve, CurveKey, curve_of, here_of
from rooflinestudio.core.sweep_figures import figure_at
from rooflinestudio.core.sweep_measured import MeasuredPoint, measured_points
from rooflinestudio.core.sweep_panel import figure_word
from rooflinestudio.core.sweep_words import (
    COUNTED,
    axis_words,
    beyond_words,
    boundary_label,
    figure_text,
    mark_label,
    mark_words,
    second_text,
    value_text,
    verdict,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.operators import Operator
    from rooflinestudio.core.placing import EstimateSource, PlacedRow, PlacedStudy
    from rooflinestudio.core.sweep_marks import Mark
    from rooflinestudio.core.sweep_panel import SweepSpec

__all__ = ["DrawnCurve", "Gap", "Reading", "SweepMaker", "SweepPicture", "ThresholdRow"]

MOST_CURVES: Final = 24
KEPT: Final = 64


class Reading(NamedTuple):
    """What a curve says at one value: the figure, and what binds, in words."""

    y: float
    bound: str
    words: str


@dataclass(frozen=True, eq=False)
class DrawnCurve:
    """A curve as it is drawn.

    Attributes
    ----------
    name
        Words of the legend: entry, policy and second value as far as they tell curves apart.
    dash
        0 for a solid line; the others of the same entry count on.
    here
        The entry's own value and the figure there, on the curve that holds under the entry's own settings (where none
        does, on the entry's first).
    """

    curve: Curve
    row: PlacedRow
    name: str
    dash: int
    here: tuple[float, float] | None
    measured: tuple[MeasuredPoint, ...]

    @property
    def key(self) -> CurveKey:
        """Entry, policy, second value."""
        return self.curve.key

    @property
    def slot(self) -> int | str:
        """Colour of the entry."""
        return self.row.entry.slot

    def reading(self, value: float, spec: SweepSpec) -> Reading | None:
        """Place the operator at a value; None where it is refused."""
        subject = self.curve.subject
        if subject is None or self.curve.reason:
            return None
        plain = int(value) if float(value).is_integer() else value
        try:
            placement = subject.at(dict.fromkeys(spec.names, plain))
        except StudioError:
            return None
        y = figure_at(subject, placement, spec.figure)
        words = f"{placement.bound} at {boundary_label(placement.profile, placement.binding)}"
        return Reading(y, str(placement.bound), f"{figure_text(y, self.curve.unit)}, {words}")


@dataclass(frozen=True, eq=False)
class ThresholdRow:
    """A threshold of a curve in words.

    Attributes
    ----------
    value
        What is set when the user takes it: the last value that fits, else the first behind the threshold.
    value_text, words, label
        The value, what changes there, and the short form for the plot.
    """

    curve: DrawnCurve
    mark: Mark
    value: float
    value_text: str
    words: str
    label: str

    @property
    def key(self) -> tuple[object, ...]:
        """What stays the same while it is the same threshold."""
        return (*self.curve.key, self.mark.kind, self.mark.x)


@dataclass(frozen=True, slots=True)
class Gap:
    """A stretch that does not fit into memory, with words; ``first`` and ``last`` are the ends of what does not."""

    first: float
    last: float
    lines: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class SweepPicture:
    """Everything that the tab shows.

    Attributes
    ----------
    x_range, y_range
        Ends of the axes in their units; positive where the axes are logarithmic.
    whole
        Whether the parameter takes whole numbers only.
    refused
        Name and reason of each curve that there is not.
    """

    spec: SweepSpec
    operator: Operator
    curves: tuple[DrawnCurve, ...]
    title: str
    subtitle: str
    x_title: str
    x_unit: str
    y_title: str
    unit: str
    whole: bool
    x_range: tuple[float, float]
    y_range: tuple[float, float]
    gap: Gap | None
    thresholds: tuple[ThresholdRow, ...]
    refused: tuple[tuple[str, str], ...]
    verdict: str
    notes: tuple[str, ...]

    @property
    def lead(self) -> DrawnCurve:
        """The curve whose value is moved: the leading entry's own."""
        own = (one for one in self.curves if one.here is not None and one.key.entry == self.spec.entries[0])
        return next(own, self.curves[0])

    def value_text(self, value: float) -> str:
        """Return a value of the running parameter in words."""
        return value_text(value, self.x_unit)

    def figure_text(self, value: float, *, digits: int = 4) -> str:
        """Return a figure with its unit."""
        return figure_text(value, self.unit, digits=digits)


class SweepMaker:
    """Makes pictures, and keeps the curves of the last ones."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], tuple[tuple[object, ...], Curve]] = {}
        self.made = 0
        """How many curves were worked out so far."""

    def picture(
        self, placed: PlacedStudy, source: EstimateSource, spec: SweepSpec, machine: str = ""
    ) -> SweepPicture | None:
        """Return what the tab shows, or None where no entry stands on a machine.

        Parameters
        ----------
        source
            Who answers for operators; it must know the chains of the study.
        machine
            Where entries are swept that stand on several.
        """
        found: list[tuple[PlacedRow, Curve, int, str]] = []
        for id_ in spec.entries:
            row = _row(placed, id_, machine)
            if row is None:
                continue
            keys = list(_keys(row, spec, source))
            for dash, key in enumerate(keys):
                name = _name(row, key, spec, several=len(spec.entries) > 1)
                found.append((row, self._curve(row, spec, source, key), dash, name))
        if not found:
            return None
        cut = found[:MOST_CURVES]
        own = _own_curves(cut)
        drawn = tuple(
            _drawn(placed, spec, row, curve, (dash, name), is_own=at in own)
            for at, (row, curve, dash, name) in enumerate(cut)
        )
        operator = source.operator(cut[0][0].entry.operator)
        more = (f"{len(found)} curves are asked for; {MOST_CURVES} are drawn.",) if len(found) > MOST_CURVES else ()
        return _picture(spec, operator, drawn, more)

    def _curve(self, row: PlacedRow, spec: SweepSpec, source: EstimateSource, key: CurveKey) -> Curve:
        entry = row.entry
        fixed = tuple(sorted((name, repr(one)) for name, one in entry.parameters.items() if name not in spec.names))
        plain = replace(spec, entries=(), policies=(), follows=True, second=None)
        second = spec.second[0] if spec.second is not None and key.second is not None else ""
        known = (key, entry.operator, fixed, tuple(sorted(entry.dtypes.items())), row.settings, plain, second)
        held = (row.profile, source)
        found = self._known.pop(known, None)
        if found is None or any(a is not b for a, b in zip(found[0], held, strict=True)):
            found = held, curve_of(row, spec, source, key)
            self.made += 1
        self._known[known] = found
        while len(self._known) > KEPT:
            self._known.pop(next(iter(self._known)))
        return found[1]


def _row(placed: PlacedStudy, id_: str, machine: str) -> PlacedRow | None:
    rows = placed.rows_of(id_)
    return next((one for one in rows if one.machine == machine), rows[0] if rows else None)


def _keys(row: PlacedRow, spec: SweepSpec, source: EstimateSource) -> Iterator[CurveKey]:
    """Yield the curves of one entry; an entry that lacks the second parameter has one without it."""
    seconds: tuple[Any, ...] = (None,)
    if spec.second is not None:
        try:
            names = {one.name for one in source.operator(row.entry.operator).parameters}
        except StudioError:
            names = set()
        seconds = spec.second[1] if spec.second[0] in names else seconds
    for policy in spec.policies or (row.settings.policy,):
        for second in seconds:
            yield CurveKey(row.entry.id, policy, second)


def _name(row: PlacedRow, key: CurveKey, spec: SweepSpec, *, several: bool) -> str:
    words = [row.entry.label or row.entry.id] if several or not (spec.policies or spec.second) else []
    if key.second is not None and spec.second is not None:
        words.append(f"{spec.second[0]} = {second_text(key.second)}")
    if len(spec.policies) > 1 or (spec.policies and not words):
        words.append(key.policy)
    return ", ".join(words) or row.entry.label or row.entry.id


def _own_curves(found: list[tuple[PlacedRow, Curve, int, str]]) -> set[int]:
    """Return which curves bear the present value: of each entry the one that its own settings give, else its first."""
    best: dict[str, tuple[int, int]] = {}
    for at, (row, curve, _dash, _name) in enumerate(found):
        unlike = (curve.key.policy != row.settings.policy) + (not _is_own_second(row, curve))
        if row.entry.id not in best or unlike < best[row.entry.id][0]:
            best[row.entry.id] = unlike, at
    return {at for _, at in best.values()}


def _is_own_second(row: PlacedRow, curve: Curve) -> bool:
    key, subject = curve.key, curve.subject
    if key.second is None or subject is None or row.placement is None:
        return True
    return any(
        value == key.second and name not in row.entry.parameters or row.placement.parameters.get(name) == value
        for name, value in subject.fixed.items()
        if value == key.second and row.entry.parameters.get(name) != value or name not in row.entry.parameters
    ) or subject.fixed == {
        name: value for name, value in row.entry.parameters.items() if name in subject.fixed
    }
