"""The thresholds of a curve: those that every sweep tells, and where the largest part of a composite meets its roof."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.arithmetic import is_number
from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.search import flips_along
from rooflinestudio.core.sweep.crossings import crossings
from rooflinestudio.core.sweep.figures import figure_at
from rooflinestudio.core.threshold_questions import bound_words, is_bound
from rooflinestudio.core.thresholds import Asked, threshold_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.placement import PlacedPart, Placement
    from rooflinestudio.core.sweep import SweepResult
    from rooflinestudio.core.sweep.panel import FigureId
    from rooflinestudio.core.thresholds import Threshold

__all__ = ["MOST_MARKS", "Mark", "marks_of"]

MOST_MARKS: Final = 24
"""Thresholds of one curve that are told; under a forecast waves can turn the bound over and over."""


@dataclass(frozen=True, eq=False)
class Mark:
    """A threshold on a curve.

    Attributes
    ----------
    kind
        ``bound``, ``capacity``, ``traffic``, or ``part`` (the largest part of a composite changes its bound).
    x, y
        The first value after it, and the figure there (not a number where the figure has none).
    below
        The last value before it.
    threshold
        What is placed on either side.
    part
        Label of the part that changes its bound, or empty.
    """

    kind: str
    x: float
    y: float
    below: float
    threshold: Threshold
    part: str = ""

    @property
    def is_ridge(self) -> bool:
        """Whether compute binds from here on, of the whole or of its largest part."""
        if self.kind == "part":
            return self.threshold.after.startswith("compute")
        return self.kind == "bound" and self.threshold.placed_at.bound == "compute"

    @property
    def ends_capacity(self) -> bool:
        """Whether it no longer fits from here on."""
        return self.kind == "capacity" and self.threshold.after.startswith("does not")

    @property
    def value(self) -> float:
        """The value that a reader would set: the last that fits, else the first behind the threshold."""
        return self.below if self.ends_capacity else self.x


def marks_of(result: SweepResult, figure: FigureId) -> tuple[tuple[Mark, ...], tuple[str, ...]]:
    """Return the thresholds along the axis of a sweep, from left to right, and a note where there are too many."""

    def mark(one: Threshold, part: str = "") -> Mark:
        y = figure_at(result.subject, one.placed_at, figure)
        return Mark("part" if part else one.kind, one.at, y, one.below, one, part)

    found = [one.threshold for one in crossings(result)[0]]
    marks = [mark(one) for one in found[:MOST_MARKS]]
    if not any(one.is_ridge for one in marks):
        marks += [mark(one, part) for part, one in _ridge_of_largest_part(result)]
    notes: tuple[str, ...] = ()
    if len(found) > MOST_MARKS:
        notes = (f"{len(found)} thresholds lie in this range; the first {MOST_MARKS} are told.",)
    return tuple(sorted(marks, key=lambda one: one.x)), notes


def _ridge_of_largest_part(result: SweepResult) -> Iterator[tuple[str, Threshold]]:
    """Yield the label of the part with most work, and where it becomes bound by compute.

    A decode step is bound by its cache, however many sequences share its weights; the products with the weights still
    reach their ridge.
    """
    subject, axis = result.subject, result.axes[0]
    label = _largest_part(result)
    if not label or len(axis) < 2:
        return
    asks = is_bound("compute")

    def part_of(placement: Placement) -> Placement:
        return next(one.placement for one in placement.parts if one.label == label)

    def question(placement: Placement) -> Any:
        return asks(part_of(placement))

    def words(placement: Placement) -> str:
        return bound_words(part_of(placement))

    asked = Asked(subject, axis.names, question)
    for flip in flips_along(asked, axis.values, integer=axis.integer):  # type: ignore[arg-type]
        yield label, threshold_at(subject, axis.names, flip, kind="bound", words=words, integer=axis.integer)


def _largest_part(result: SweepResult) -> str:
    """Return the label of the part with most work at the first value that is not refused, or an empty text."""
    axis = result.axes[0]
    at = next(
        (value for value, bound in zip(axis.plain(), result.bound.tolist(), strict=True) if bound >= 0), None
    )
    if at is None:
        return ""
    try:
        placement = result.subject.at(dict.fromkeys(axis.names, at))
    except StudioError:
        return ""
    parts = [one for one in placement.parts if is_number(one.placement.work_flop)]
    return max(parts, key=_work).label if len(parts) > 1 else ""


def _work(part: PlacedPart) -> float:
    return float(part.count * part.placement.work_flop)
