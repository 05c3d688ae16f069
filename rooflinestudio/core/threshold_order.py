"""Where two placements swap order: two operators, two machines, two formats, fused and split tiles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rooflinestudio.core.placement import Placement
from rooflinestudio.core.search import UNKNOWN, first_flip
from rooflinestudio.core.subject import CHUNK, Subject, placed_blocks
from rooflinestudio.core.thresholds import Threshold, exact, search_range

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

__all__ = ["order_swap"]


def order_swap(
    first: Subject,
    second: Subject,
    names: Sequence[str] | str,
    *,
    figure: str = "time_s",
    ends: tuple[float | None, float | None] = (None, None),
) -> Threshold | None:
    """Return where two placements swap order: two operators, two machines, two formats, two settings.

    Parameters
    ----------
    names
        Parameters that both operators have.
    figure
        An attribute of a placement: ``time_s``, ``traffic_bytes``, ``attainable_flop_per_s``, …
    """
    names = (names,) if isinstance(names, str) else tuple(names)
    low, high, integer = search_range(first, names, ends)
    other = search_range(second, names, ends)
    low, high = max(low, other[0]), min(high, other[1])

    def test(values: NDArray[Any]) -> NDArray[Any]:
        import numpy as np

        mine, theirs = (_figures(one, names, figure, values) for one in (first, second))
        with np.errstate(invalid="ignore"):
            answers = (mine > theirs).astype(np.int64)
        answers[~(np.isfinite(mine) & np.isfinite(theirs))] = UNKNOWN
        return answers

    flip = first_flip(test, low=low, high=high, integer=integer)
    if flip is None:
        return None
    placed = [first.at(dict.fromkeys(names, exact(one, integer))) for one in (flip.below, flip.at)]
    larger = bool(_test_one(test, flip.at))
    labels = _labels(first, second)
    words = [f"{figure} of {labels[0]} is {word} that of {labels[1]}" for word in ("at most", "above")]
    before, after = words if larger else words[::-1]
    return Threshold("order", names, flip.below, flip.at, before, after, placed[0], placed[1])


def _test_one(test: Callable[[NDArray[Any]], NDArray[Any]], value: float) -> int:
    """Ask a vectorised question about a single value."""
    import numpy as np

    return int(test(np.array([value]))[0])


def _figures(subject: Subject, names: tuple[str, ...], figure: str, values: NDArray[Any]) -> NDArray[Any]:
    import numpy as np

    result = np.full(len(values), np.nan)
    for start in range(0, len(values), CHUNK):
        some = values[start : start + CHUNK]
        for where, placed in placed_blocks(subject, dict.fromkeys(names, some), len(some)):
            if isinstance(placed, Placement):
                result[start + where.start : start + where.stop] = getattr(placed, figure)
    return result


def _labels(first: Subject, second: Subject) -> tuple[str, str]:
    """Return what tells two subjects apart: the machine, the operator, or just which it is."""
    if first.profile.id != second.profile.id:
        return first.profile.name, second.profile.name
    if first.operator_id != second.operator_id:
        return first.operator_id, second.operator_id
    return "the first", "the second"
