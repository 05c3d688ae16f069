"""Where the distance between measured and bound comes from: factors that multiply, seconds that add up."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.validation.limits import STEPS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from rooflinestudio.core.validation.result import Validation

__all__ = ["GROUPS", "Distance", "FixedCost", "Share", "distance_of", "largest_causes"]

FEWEST_ROWS: Final = 3
SAME: Final = 1.25
UNLIKE: Final = 2.0
"""A fixed cost: within 1.25 times of itself over shapes whose bounds differ by 2, in three rows at least."""

GROUPS: Final = ("quantisation", "launch", "rest")


@dataclass(frozen=True, slots=True)
class Share:
    """What one step, or a group of them, contributes to the distance.

    Attributes
    ----------
    factor
        Geometric mean of its factor; all factors multiply to the geometric mean of measured / bound.
    share
        Of the logarithm of that mean: every row counts alike. None where measured equals bound.
    time_share
        Of the summed distance in seconds: long rows count more. None where that is zero.
    rows
        Rows of which it is the largest cause; for a group, the sum.
    """

    factor: float
    share: float | None
    time_share: float | None
    rows: int


@dataclass(frozen=True, slots=True)
class FixedCost:
    """What stays over in the rows that it dominates, the same for small and large ones: median seconds, and rows."""

    time_s: float
    rows: int


@dataclass(frozen=True, slots=True)
class Distance:
    """Where the distance of the rows that keep their bound comes from.

    Attributes
    ----------
    rows
        How many they are.
    factor
        Geometric mean of measured / bound over them.
    distance_s
        Summed measured - bound.
    groups, steps
        By the ids of :data:`GROUPS` and of ``STEPS``.
    over
        Rows whose measured time lies below the forecast: there the limits claim more than there is.
    fixed
        A cost that each run has whatever its shape, or None where nothing points to one.
    """

    rows: int
    factor: float
    distance_s: float
    groups: Mapping[str, Share]
    steps: Mapping[str, Share]
    over: int
    fixed: FixedCost | None = None


def largest_causes(validation: Validation) -> NDArray[Any]:
    """Return the position in ``STEPS`` of the largest cause of each row."""
    import numpy as np

    largest: NDArray[Any] = np.argmax(np.stack(list(validation.parts_s().values())), axis=0)
    return largest


def distance_of(validation: Validation, causes: NDArray[Any]) -> Distance | None:
    """Return where the distance of the rows that keep their bound comes from; None where there are none."""
    import numpy as np

    keeps = ~validation.violated
    if not keeps.any():
        return None
    count = int(keeps.sum())
    total_log = float(np.log(validation.ratio[keeps]).mean())
    total_s = float((validation.measured_s - validation.bound_s)[keeps].sum())
    dominant = np.bincount(causes[keeps], minlength=len(STEPS)).tolist()
    logs, seconds, before = {}, {}, validation.bound_s[keeps]
    for step in STEPS:
        after = validation.measured_s[keeps] if step.id == "rest" else validation.steps[step.id][keeps]
        logs[step.id] = float(np.log(after / before).mean())
        seconds[step.id] = float((after - before).sum())
        before = after
    members = {group: [at for at, step in enumerate(STEPS) if step.group == group] for group in GROUPS}

    def share(at: list[int]) -> Share:
        ids = [STEPS[one].id for one in at]
        log, time_s = sum(logs[id_] for id_ in ids), sum(seconds[id_] for id_ in ids)
        return Share(
            math.exp(log),
            log / total_log if total_log > 0 else None,
            time_s / total_s if total_s > 0 else None,
            sum(dominant[one] for one in at),
        )

    return Distance(
        count,
        math.exp(total_log),
        total_s,
        {group: share(at) for group, at in members.items()},
        {step.id: share([at]) for at, step in enumerate(STEPS)},
        int((validation.measured_s < validation.steps["launch"])[keeps].sum()),
        _fixed_cost(validation, keeps),
    )


def _fixed_cost(validation: Validation, keeps: NDArray[Any]) -> FixedCost | None:
    """Return what stays over in rows of which it is most of the time, if it is nearly one value for unlike shapes."""
    import numpy as np

    rest_s = validation.measured_s - validation.steps["rates"]
    rows = keeps & (rest_s > validation.measured_s / 2)
    if rows.sum() < FEWEST_ROWS:
        return None
    low, median, high = np.quantile(rest_s[rows], (0.1, 0.5, 0.9)).tolist()
    shortest, longest = np.quantile(validation.bound_s[rows], (0.1, 0.9)).tolist()
    if high > SAME * low or longest < UNLIKE * shortest:
        return None
    return FixedCost(median, int(rows.sum()))
