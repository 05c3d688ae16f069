"""What the sweep tab shows: curves, thresholds in words, what does not fit, measured points, a verdict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.sweep.figures import figure_at
from rooflinestudio.core.sweep.words import boundary_label, figure_text, value_text

if TYPE_CHECKING:
    from rooflinestudio.core.operators import Operator
    from rooflinestudio.core.placing import PlacedRow
    from rooflinestudio.core.sweep.curves import Curve, CurveKey
    from rooflinestudio.core.sweep.marks import Mark
    from rooflinestudio.core.sweep.measured import MeasuredPoint
    from rooflinestudio.core.sweep.panel import SweepSpec

__all__ = ["DrawnCurve", "Gap", "Reading", "SweepPicture", "ThresholdRow"]


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
    value_text, words, label, figure_text
        The value, what changes there, the short form for the plot, and the figure there.
    """

    curve: DrawnCurve
    mark: Mark
    value: float
    value_text: str
    words: str
    label: str
    figure_text: str

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
    label
        The running parameter in words: ``batch``, ``m=n=k``.
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
    label: str
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
