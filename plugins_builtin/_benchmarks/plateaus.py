"""Plateaus of a bandwidth over the size of its data: the sizes that one level of the memory serves."""

from __future__ import annotations

import statistics
from typing import Final, NamedTuple

__all__ = ["Plateau", "plateaus"]

_WITHIN: Final = 1.2  # greatest over least rate of one plateau
_SAME: Final = 1.2  # medians of neighbours that are one plateau
_STEEP: Final = 1.02  # over the median: points before a plateau that still fall
_LEAST_POINTS: Final = 3
_LEAST_SPAN: Final = 2.0  # greatest over least size
_MOST_POINTS: Final = 1_000


class Plateau(NamedTuple):
    """Sizes in bytes from first to last, and the rates in byte/s between them."""

    first: float
    last: float
    best: float
    median: float
    low: float
    points: int


def plateaus(points: list[tuple[float, float]]) -> list[Plateau]:
    """Return the plateaus of a curve, the smallest sizes first.

    A plateau is three sizes or more in a row, the last at least twice the first, whose rates differ by less than a
    fifth. Neighbours whose medians differ by less than that are one. What still falls where it begins is not counted
    in: it belongs to the level inside.

    Parameters
    ----------
    points
        Size in bytes and rate in byte/s.
    """
    ordered = sorted(points[:_MOST_POINTS])
    runs, start = [], 0
    while start < len(ordered):
        run = _run_from(ordered, start)
        flat = _is_flat(run)
        runs += [run] if flat else []
        start += len(run) if flat else 1
    return [_plateau(one) for one in _joined(runs)]


def _run_from(ordered: list[tuple[float, float]], start: int) -> list[tuple[float, float]]:
    """Points from one on whose rates differ by less than a fifth."""
    low = high = ordered[start][1]
    end = start
    while end < len(ordered):
        low, high = min(low, ordered[end][1]), max(high, ordered[end][1])
        if high > low * _WITHIN:
            break
        end += 1
    return ordered[start:end]


def _is_flat(run: list[tuple[float, float]]) -> bool:
    return len(run) >= _LEAST_POINTS and run[-1][0] >= run[0][0] * _LEAST_SPAN


def _joined(runs: list[list[tuple[float, float]]]) -> list[list[tuple[float, float]]]:
    joined: list[list[tuple[float, float]]] = []
    for run in runs:
        if joined:
            before, now = _median(joined[-1]), _median(run)
            if max(before, now) <= min(before, now) * _SAME:
                joined[-1] = joined[-1] + run
                continue
        joined.append(run)
    return joined


def _median(run: list[tuple[float, float]]) -> float:
    return statistics.median(rate for _, rate in run)


def _plateau(run: list[tuple[float, float]]) -> Plateau:
    limit = _median(run) * _STEEP
    start = next((at for at, (_, rate) in enumerate(run) if rate <= limit), 0)
    kept = run[start:]
    rates = [rate for _, rate in kept]
    return Plateau(kept[0][0], kept[-1][0], max(rates), statistics.median(rates), min(rates), len(kept))
