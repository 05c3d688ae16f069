"""Where something changes: the ridge, what still fits, where one traffic overtakes another, where two swap order.

Each is found exactly rather than read off a grid (:mod:`rooflinestudio.core.search`) and placed with plain numbers on
both sides, so that what is told can be looked at.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.dtypes import DType, dtype
from rooflinestudio.core.errors import ParameterError, RefusedError, StudioError
from rooflinestudio.core.pipes import missing_pipe, resolve_pipe
from rooflinestudio.core.search import UNKNOWN, first_flip
from rooflinestudio.core.subject import CHUNK, Subject, placed_blocks
from rooflinestudio.core.sweep.axes import declared, takes_words
from rooflinestudio.core.threshold_questions import (
    CAPACITY,
    bound_words,
    crosses_over,
    does_not_fit,
    is_bound,
    question_words,
    role_bytes,
    traffic_watch,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.placement import Placement
    from rooflinestudio.core.search import Flip
    from rooflinestudio.core.threshold_questions import Watch

__all__ = [
    "Threshold", "bound_flip", "crosses_over", "does_not_fit", "is_bound", "largest_that_fits", "role_bytes",
    "threshold", "traffic_crossover", "weight_only_batch_to_ridge",
]  # fmt: skip


@dataclass(frozen=True, eq=False)
class Threshold:
    """Where something changes along one parameter, or several tied ones.

    Attributes
    ----------
    kind
        ``bound``, ``capacity``, ``traffic``, ``order`` or ``question``.
    names
        The parameters that take the value.
    below, at
        The last value before it and the first after: for whole numbers one apart, unless those between are refused.
    before, after
        What holds on either side, in words.
    placed_below, placed_at
        The operator there, placed with plain numbers.
    """

    kind: str
    names: tuple[str, ...]
    below: float
    at: float
    before: str
    after: str
    placed_below: Placement
    placed_at: Placement

    @property
    def text(self) -> str:
        """One line: ``m=n=k = 887: compute at bf16-tensor; up to 886 memory at dram``."""
        label = "=".join(self.names)
        return f"{label} = {self.at:.15g}: {self.after}; up to {self.below:.15g} {self.before}"


def threshold(
    subject: Subject,
    names: Sequence[str] | str,
    question: Callable[[Placement], Any],
    *,
    low: float | None = None,
    high: float | None = None,
) -> Threshold | None:
    """Return where a question about a placement first changes its answer, or None if it never does.

    Parameters
    ----------
    names
        A parameter, or several that are tied to the same value (``("m", "n", "k")`` for a cube).
    question
        Asked with whole arrays and with single points: plain comparisons, :func:`is_bound`, :func:`does_not_fit`.
    low, high
        Where to look, both included; left out, the declared range of the parameters. Points that are refused there
        are passed over.

    Raises
    ------
    ParameterError
        If a parameter is unknown or no number.
    StudioError
        If every point is refused: why.
    """
    return _threshold(subject, names, ("question", question, question_words), (low, high))


def _threshold(
    subject: Subject, names: Sequence[str] | str, watch: Watch, ends: tuple[float | None, float | None]
) -> Threshold | None:
    kind, question, words = watch
    names = (names,) if isinstance(names, str) else tuple(names)
    low, high, integer = search_range(subject, names, ends)
    asked = Asked(subject, names, question)
    flip = first_flip(asked, low=low, high=high, integer=integer)
    if flip is None:
        asked.raise_if_never_answered()
        return None
    return threshold_at(subject, names, flip, kind=kind, words=words, integer=integer)


def threshold_at(
    subject: Subject,
    names: tuple[str, ...],
    flip: Flip,
    *,
    kind: str,
    words: Callable[[Placement], str],
    integer: bool,
) -> Threshold:
    """Return a threshold from the two values between which it lies, placed with plain numbers on both sides."""
    below, at = (subject.at(dict.fromkeys(names, exact(one, integer))) for one in (flip.below, flip.at))
    return Threshold(kind, names, flip.below, flip.at, words(below), words(at), below, at)


def exact(value: float, integer: bool) -> float:
    """Return a value as the plain number that a parameter takes."""
    return int(value) if integer else value


def search_range(
    subject: Subject, names: tuple[str, ...], ends: tuple[float | None, float | None]
) -> tuple[float, float, bool]:
    """Return the ends and whether whole numbers are meant, of several tied parameters what all of them allow."""
    parameters = [declared(subject.operator, name) for name in names]
    for one in parameters:
        if takes_words(one):
            raise ParameterError(f"{one.name} is a choice: a threshold is looked for along a number.")
    low = max(one.low for one in parameters) if ends[0] is None else ends[0]
    high = min(one.high for one in parameters) if ends[1] is None else ends[1]
    if not low <= high:
        raise ParameterError(f"{'='.join(names)} runs from {low:g} to {high:g}: write the smaller end first.")
    return low, high, any(one.integer for one in parameters)


class Asked:
    """A question as the search asks it: many values at once, -1 where a point is refused.

    Attributes
    ----------
    answered
        Whether any point was not refused.
    refusal
        The first reason for which one was.
    """

    def __init__(
        self, subject: Subject, names: tuple[str, ...], question: Callable[[Placement], Any]
    ) -> None:
        self.subject, self.names, self.question = subject, names, question
        self.answered = False
        self.refusal: StudioError | None = None

    def __call__(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return the answers as whole numbers."""
        import numpy as np

        answers = np.full(len(values), UNKNOWN, np.int64)
        for start in range(0, len(values), CHUNK):
            some = values[start : start + CHUNK]
            for where, placed in placed_blocks(self.subject, dict.fromkeys(self.names, some), len(some)):
                at = slice(start + where.start, start + where.stop)
                if isinstance(placed, StudioError):
                    self.refusal = self.refusal or placed
                else:
                    answers[at] = self.question(placed)
                    self.answered = True
        return answers

    def raise_if_never_answered(self) -> None:
        """Raise the first refusal where there was nothing else."""
        if not self.answered and self.refusal is not None:
            raise self.refusal


# ------------------------------------------------------------------------------------ what people look for


def bound_flip(
    subject: Subject,
    names: Sequence[str] | str,
    kind: str = "compute",
    *,
    low: float | None = None,
    high: float | None = None,
) -> Threshold | None:
    """Return where an operator becomes bound so, or ceases to: for a cube of bf16 on an H100, n = 887.

    There I = 2n³/(3·2n²) = n/3 FLOP/byte meets the ridge of 295.34 at n = 886.03.
    """
    return _threshold(subject, names, ("bound", is_bound(kind), bound_words), (low, high))


def largest_that_fits(
    subject: Subject, names: Sequence[str] | str, *, low: float | None = None, high: float | None = None
) -> Threshold | None:
    """Return where an operator outgrows dram: ``below`` is the largest value that fits, None if all or none do.

    Raises
    ------
    RefusedError
        If the operator has no footprint or the machine no capacity.
    """
    dram = subject.profile.boundaries.get("dram")
    if dram is None or dram.capacity is None:
        raise RefusedError(
            f"The profile of {subject.profile.name} does not say how much dram holds. Choose another machine."
        )
    found = _threshold(subject, names, CAPACITY, (low, high))
    if found is None:
        names = (names,) if isinstance(names, str) else tuple(names)
        start = search_range(subject, names, (low, high))[0]
        if subject.estimate(dict.fromkeys(names, start)).footprint_bytes is None:
            raise RefusedError(f"{subject.operator_id} does not say how much must be in dram at once.")
    return found


def traffic_crossover(
    subject: Subject,
    names: Sequence[str] | str,
    *,
    over: str = "cache",
    under: str = "weight",
    ends: tuple[float | None, float | None] = (None, None),
) -> Threshold | None:
    """Return where the tensors of one role come to move more than those of another.

    With the defaults it is the cache crossover of decoding: the batch, or the context, from which on keys and values
    are more than half of what streams. Q = s·P + B·(KV bytes) gives B = s·P / (KV bytes).
    """
    return _threshold(subject, names, traffic_watch(over, under), ends)


# ------------------------------------------------------------------------------------ closed form

_SHORTHAND: Final = "bf16"


def weight_only_batch_to_ridge(
    profile: HardwareProfile, weight: DType | str = _SHORTHAND, compute: DType | str | None = None
) -> float:
    """Return the batch at which a product that streams nothing but weights reaches the ridge: B* = s·I*/2.

    Each weight of s bytes serves 2·B FLOP, so I = 2·B/s. Narrowing weights and products together leaves it where it
    is, since the ceiling grows as the bytes shrink; narrow weights alone lower it.

    Parameters
    ----------
    weight
        Format in which the weights are stored.
    compute
        Format that the product is computed in; left out, that of the weights.

    Returns
    -------
    float
        Rows, not rounded; the smallest whole batch at the ridge is the next whole number up.

    Raises
    ------
    RefusedError
        If the machine has no ceiling for that format.
    """
    stored = dtype(weight) if isinstance(weight, str) else weight
    computed = stored if compute is None else dtype(compute) if isinstance(compute, str) else compute
    pipe = f"{computed.pipe}-tensor"
    ceiling = resolve_pipe(pipe, profile)
    if ceiling is None:
        raise missing_pipe(pipe, profile)
    return stored.bytes * profile.ridge(ceiling, "dram") / 2.0
