"""What a sweep crosses on its way: changes of bound, the end of what fits, the cache overtaking the weights.

Each is narrowed down between two points of the sweep, so that it does not depend on how fine the sweep is.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.arithmetic import any_true
from rooflinestudio.core.binding import BOUND_KINDS
from rooflinestudio.core.search import flips_along
from rooflinestudio.core.threshold_questions import CAPACITY, bound_words, role_bytes, traffic_watch
from rooflinestudio.core.thresholds import Asked, Threshold, threshold_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.placement import Placement
    from rooflinestudio.core.subject import Subject
    from rooflinestudio.core.sweep import SweepResult
    from rooflinestudio.core.sweep.axes import SweepAxis
    from rooflinestudio.core.threshold_questions import Watch

__all__ = ["Crossing", "crossings"]

MOST_LINES: Final = 16
"""Values of the other axis along which thresholds are looked for."""


@dataclass(frozen=True, eq=False)
class Crossing:
    """One threshold of a sweep.

    Attributes
    ----------
    others
        The values of the other axis's parameters, empty in a sweep over one.
    """

    threshold: Threshold
    others: dict[str, Any]

    @property
    def text(self) -> str:
        """One line."""
        where = ", ".join(f"{name} = {value}" for name, value in self.others.items())
        return f"{where}: {self.threshold.text}" if where else self.threshold.text


def crossings(result: SweepResult) -> tuple[tuple[Crossing, ...], tuple[str, ...]]:
    """Return the thresholds that a sweep crosses along its first numeric axis, and notes on what was not looked at."""
    along = next((axis for axis in result.axes if axis.is_numeric), None)
    if along is None:
        return (), ()
    other = next((axis for axis in result.axes if axis is not along), None)
    found: list[Crossing] = []
    lines, notes = _lines(other)
    for others in lines:
        subject = replace(result.subject, fixed={**result.subject.fixed, **others})
        found += [Crossing(one, others) for one in _along(subject, along)]
    return tuple(found), notes


def _lines(other: SweepAxis | None) -> tuple[list[dict[str, Any]], tuple[str, ...]]:
    if other is None:
        return [{}], ()
    values, notes = other.plain(), ()
    if len(values) > MOST_LINES:
        step = (len(values) - 1) / (MOST_LINES - 1)
        values = [values[round(at * step)] for at in range(MOST_LINES)]
        return _as_lines(other, values), (
            f"Thresholds were looked for at {MOST_LINES} of the {len(other)} values of {other.label}.",
        )
    return _as_lines(other, values), notes


def _as_lines(other: SweepAxis, values: list[Any]) -> list[dict[str, Any]]:
    return [dict.fromkeys(other.names, value) for value in values]


def _along(subject: Subject, axis: SweepAxis) -> Iterator[Threshold]:
    import numpy as np

    values = np.asarray(axis.values)
    if len(values) < 2:
        return
    for kind, question, words in _watches(subject, axis):
        asked = Asked(subject, axis.names, question)
        for flip in flips_along(asked, values, integer=axis.integer):
            yield threshold_at(subject, axis.names, flip, kind=kind, words=words, integer=axis.integer)


def _watches(subject: Subject, axis: SweepAxis) -> Iterator[Watch]:
    yield "bound", _bound_codes(), bound_words
    seen = _Seen()
    Asked(subject, axis.names, seen)(axis.values[-1:])  # type: ignore[arg-type]
    if seen.footprint:
        yield CAPACITY
    if seen.cache:
        yield traffic_watch()


class _Seen:
    """Looks at one placement to learn which questions make sense."""

    footprint = cache = False

    def __call__(self, placement: Placement) -> int:
        self.footprint = placement.estimate.footprint_bytes is not None
        self.cache = all(any_true(role_bytes(placement.estimate, role) > 0) for role in ("cache", "weight"))
        return 0


def _bound_codes() -> Any:
    """Return a question whose answer is a number for each pair of bound and binding."""
    ids: dict[str, int] = {}

    def codes(placement: Placement) -> Any:
        import numpy as np

        numbers = np.array([ids.setdefault(one, len(ids)) for one in placement.limit_ids])
        if isinstance(placement.bound, str):
            own = ids.setdefault(placement.binding, len(ids))
            return BOUND_KINDS.index(placement.bound) * 1000 + own
        return placement.bound * 1000 + numbers[placement.binding]

    return codes
