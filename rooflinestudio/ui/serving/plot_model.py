"""What a plot of the serving view shows, free of pixels: curves, marks, the part that does not fit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Curve", "Mark", "PlotPicture", "Shade", "value_at"]


@dataclass(frozen=True, slots=True)
class Curve:
    """A line over positive values of both axes.

    Attributes
    ----------
    name
        Words of the legend.
    colour
        A token (``text2``), or the slot of a placement.
    dash
        Lengths in pixels, or empty for a solid line.
    faint_from
        From this x on the line is thin and dotted: it does not fit there.
    """

    name: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    colour: str | int
    width: float = 1.6
    dash: tuple[float, ...] = ()
    faint_from: float | None = None
    slot: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """A point with a word: ``dot`` (predicted), ``ring`` (not there), ``triangle`` (ridge), ``cross`` (crossover)."""

    x: float
    y: float
    shape: str
    lines: tuple[str, ...]
    colour: str | int = "text"
    slot: bool = False
    drop: bool = False


@dataclass(frozen=True, slots=True)
class Shade:
    """All x beyond a value, with the reason."""

    beyond: float
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlotPicture:
    """A plot with logarithmic axes.

    Attributes
    ----------
    x_range, y_range
        Ends of the axes, in the units of the curves.
    spoken
        What the plot says, for those who do not see it.
    """

    title: str
    subtitle: str
    x_title: str
    y_title: str
    x_range: tuple[float, float]
    y_range: tuple[float, float]
    curves: tuple[Curve, ...]
    marks: tuple[Mark, ...] = ()
    shade: Shade | None = None
    spoken: str = ""


def value_at(x: Sequence[float], y: Sequence[float], at: float) -> float | None:
    """Return the height of a curve, straight between its points in logarithms; None outside of them."""
    from bisect import bisect_left
    from math import exp, log

    if not x or not x[0] <= at <= x[-1]:
        return None
    above = bisect_left(x, at)
    if x[above] == at:
        return y[above]
    below = above - 1
    if min(y[below], y[above]) <= 0:
        return None
    share = (log(at) - log(x[below])) / (log(x[above]) - log(x[below]))
    return exp(log(y[below]) + share * (log(y[above]) - log(y[below])))
