"""Finds where a yes-or-no question first turns: exactly, by bisection, and checked on both sides.

Sources: bisection. A range of whole numbers that is not too long is asked number by number, so that the flip found is
the first one; a longer one, or one of real numbers, is asked on a logarithmic grid, and the first cell in which the
answer turns is bisected. What turns twice inside one cell of that grid can be missed; what is found does turn there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Test: TypeAlias = Callable[[NDArray[Any]], NDArray[Any]]
    """Answers many values at once: 1 yes, 0 no, -1 where there is no answer."""

__all__ = ["Flip", "first_flip", "flips_along"]

EXHAUSTIVE: Final = 65_536
"""Whole numbers that are all asked, in one vectorised call."""

GRID: Final = 4096
UNKNOWN: Final = -1
PATIENCE: Final = 64
"""Neighbours tried where a value has no answer."""


@dataclass(frozen=True, slots=True)
class Flip:
    """Where the answer turns.

    Attributes
    ----------
    below
        The last value that still answers as ``low`` does.
    at
        The first that answers otherwise. Without gaps in the answers they are neighbours: whole numbers one apart,
        or real numbers with no float between them.
    """

    below: float
    at: float


def first_flip(test: Test, *, low: float, high: float, integer: bool = True) -> Flip | None:
    """Return where the answer first differs from the one at the lower end, or None if it never does.

    Parameters
    ----------
    test
        The question.
    low, high
        Both included; at least 0.
    integer
        Whether only whole numbers are asked.
    """
    grid = _grid(low, high, integer=integer)
    answers = test(grid)
    known = answers != UNKNOWN
    grid, answers = grid[known], answers[known]
    if len(grid) == 0:
        return None
    turned = (answers != answers[0]).nonzero()[0]
    if len(turned) == 0:
        return None
    at = int(turned[0])
    below, above = float(grid[at - 1]), float(grid[at])
    if integer and high - low < EXHAUSTIVE:
        return Flip(below, above)
    return _bisected(test, int(answers[0]), below, above, integer=integer)


def flips_along(test: Test, values: NDArray[Any], *, integer: bool = True, most: int = 64) -> list[Flip]:
    """Return every flip between neighbouring values of a rising list, each narrowed down.

    Parameters
    ----------
    test
        The question; its answers may be any whole numbers of at least 0.
    most
        Where to stop.
    """
    answers = test(values)
    known = answers != UNKNOWN
    values, answers = values[known], answers[known]
    flips: list[Flip] = []
    for at in (answers[1:] != answers[:-1]).nonzero()[0]:
        below, above = float(values[at]), float(values[at + 1])
        before, after = int(answers[at]), int(answers[at + 1])
        while before != after and len(flips) < most:  # a third answer may stand between two
            flip = _bisected(test, before, below, above, integer=integer)
            flips.append(flip)
            before, below = _answer_at(test, flip.at), flip.at
    return flips


def _answer_at(test: Test, value: float) -> int:
    import numpy as np

    return int(test(np.array([value]))[0])


def _grid(low: float, high: float, *, integer: bool) -> NDArray[Any]:
    import numpy as np

    if integer and high - low < EXHAUSTIVE:
        return np.arange(math.ceil(low), math.floor(high) + 1, dtype=float)
    # From 0 on there is no logarithm: begin at the first whole number, or far below anything that is asked for.
    start = low if low > 0 else min(1.0 if integer else 1e-9, high)
    values = np.geomspace(start, high, GRID)
    values[0], values[-1] = start, high
    return np.unique(np.concatenate(([low], np.rint(values) if integer else values)))


def _bisected(test: Test, before: int, below: float, above: float, *, integer: bool) -> Flip:
    """Narrow a cell down; a value without an answer makes way for its next neighbour that has one."""
    while True:
        middle = _middle(below, above, integer=integer)
        if not below < middle < above:
            return Flip(below, above)
        answer, middle = _answer(test, middle, above, integer=integer)
        if answer == UNKNOWN:
            return _linear(test, before, below, above) if integer else Flip(below, above)
        if answer == before:
            below = middle
        else:
            above = middle


def _middle(below: float, above: float, *, integer: bool) -> float:
    return float((int(below) + int(above)) // 2) if integer else below + (above - below) / 2


def _answer(test: Test, middle: float, above: float, *, integer: bool) -> tuple[int, float]:
    import numpy as np

    answer = int(test(np.array([middle]))[0])
    if answer != UNKNOWN or not integer:
        return answer, middle
    near = np.arange(middle + 1, min(middle + PATIENCE, above))
    answers = test(near) if len(near) else near
    known = (answers != UNKNOWN).nonzero()[0]
    return (int(answers[known[0]]), float(near[known[0]])) if len(known) else (UNKNOWN, middle)


def _linear(test: Test, before: int, below: float, above: float) -> Flip:
    """Go through what is left of a cell in which few values have an answer."""
    import numpy as np

    for start in range(int(below) + 1, int(above), EXHAUSTIVE):
        values = np.arange(start, min(start + EXHAUSTIVE, int(above)), dtype=float)
        answers = test(values)
        for at in (answers != UNKNOWN).nonzero()[0]:
            if answers[at] != before:
                return Flip(below, float(values[at]))
            below = float(values[at])
    return Flip(below, above)
