"""What a comparison comes to: the distribution of measured / bound, where the distance comes from, who breaks it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.validation.causes import usual_causes
from rooflinestudio.core.validation.distance import distance_of, largest_causes
from rooflinestudio.core.validation.limits import STEPS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from rooflinestudio.core.validation.distance import Distance
    from rooflinestudio.core.validation.result import Validation

__all__ = ["Bin", "Distribution", "RowFigures", "Summary", "Violation", "summarise"]

EDGES: Final = (1.0, 1.05, 1.1, 1.25, 1.5, 2.0, 3.0, 5.0, 10.0, 30.0)
"""Edges of the histogram; below 1 the bound is broken."""


@dataclass(frozen=True, slots=True)
class Distribution:
    """Measured / bound over some rows; quartiles between two rows are interpolated."""

    rows: int
    least: float
    lower_quartile: float
    median: float
    upper_quartile: float
    ninety_percent: float
    most: float
    geometric_mean: float


@dataclass(frozen=True, slots=True)
class Bin:
    """How many rows lie from ``low`` (included) up to ``high`` (infinite in the last) times their bound."""

    low: float
    high: float
    rows: int
    share: float


@dataclass(frozen=True, slots=True)
class RowFigures:
    """One row, for people and documents."""

    line: int
    parameters: Mapping[str, Any]
    dtype: str
    measured_s: float
    bound_s: float
    ratio: float
    bound: str
    binding: str
    cause: str


@dataclass(frozen=True, slots=True)
class Violation:
    """A row that is faster than its bound, the rate that it would need, and why that may be."""

    row: RowFigures
    needed_per_s: float
    given_per_s: float
    unit: str
    causes: tuple[str, ...]


@dataclass(frozen=True)
class Summary:
    """A comparison in figures.

    Attributes
    ----------
    all, by_bound
        The distribution over all rows, and over those with one bound (``memory at dram``).
    histogram
        Counts between fixed edges, from below 1 upward.
    violations
        Every row that breaks its bound, the worst first.
    distance
        None where every row breaks its bound.
    farthest
        The rows farthest above their bound.
    """

    all: Distribution
    by_bound: Mapping[str, Distribution]
    histogram: tuple[Bin, ...]
    violations: tuple[Violation, ...]
    distance: Distance | None
    farthest: tuple[RowFigures, ...]


def summarise(validation: Validation, *, top: int = 10) -> Summary:
    """Return what a comparison comes to, with the ``top`` rows farthest above their bound."""
    import numpy as np

    ratio = validation.ratio
    causes = largest_causes(validation)
    order = np.argsort(ratio, kind="stable")
    broken = order[: int(validation.violated.sum())].tolist()
    farthest = [at for at in order[::-1][: max(top, 0)].tolist() if ratio[at] >= 1]
    return Summary(
        _distribution(ratio),
        _by_bound(validation),
        _histogram(np.where(validation.violated, ratio, np.maximum(ratio, 1.0))),
        tuple(_violation(validation, at) for at in broken),
        distance_of(validation, causes),
        tuple(_row(validation, at, STEPS[causes[at]].id) for at in farthest),
    )


def _distribution(ratio: NDArray[Any]) -> Distribution:
    import numpy as np

    least, lower, median, upper, ninety, most = np.quantile(ratio, (0.0, 0.25, 0.5, 0.75, 0.9, 1.0)).tolist()
    mean = float(np.exp(np.log(ratio).mean()))
    return Distribution(len(ratio), least, lower, median, upper, ninety, most, mean)


def _by_bound(validation: Validation) -> dict[str, Distribution]:
    import numpy as np

    pairs = np.stack((validation.bound, validation.binding)).astype(np.int64)
    kinds, which = np.unique(pairs, axis=1, return_inverse=True)
    which = np.asarray(which).reshape(-1)
    found = {}
    for at in range(kinds.shape[1]):
        rows = which == at
        bound, binding = validation.bound_words(int(np.argmax(rows)))
        found[f"{bound} at {binding}"] = _distribution(validation.ratio[rows])
    return found


def _histogram(ratio: NDArray[Any]) -> tuple[Bin, ...]:
    import numpy as np

    edges = (0.0, *EDGES, math.inf)
    inside = np.digitize(ratio, EDGES)
    counts = np.bincount(inside, minlength=len(edges) - 1).tolist()
    return tuple(Bin(edges[at], edges[at + 1], count, count / len(ratio)) for at, count in enumerate(counts))


def _row(validation: Validation, at: int, cause: str = "") -> RowFigures:
    row = validation.table.row(at)
    bound, binding = validation.bound_words(at)
    return RowFigures(
        row.line,
        row.parameters,
        row.dtype,
        float(validation.measured_s[at]),
        float(validation.bound_s[at]),
        float(validation.ratio[at]),
        bound,
        binding,
        cause,
    )


def _violation(validation: Validation, at: int) -> Violation:
    row, profile = _row(validation, at), validation.against.profile
    ceiling = profile.ceilings.get(row.binding)
    given = ceiling.flop_per_s if ceiling is not None else profile.boundary(row.binding).bytes_per_s
    needed, unit = given / row.ratio, "FLOP/s" if ceiling is not None else "B/s"
    causes = usual_causes(
        profile, row.binding, ratio=row.ratio, traffic_bytes=float(validation.traffic_bytes[at])
    )
    return Violation(row, needed, given, unit, causes)
