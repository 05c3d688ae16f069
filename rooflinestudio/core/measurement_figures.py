"""What a measured figure is made of: its value, how it was counted, how good it is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, get_args

from rooflinestudio.core.errors import StudioError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "QUALITIES",
    "MeasuredFigure",
    "MeasuredTraffic",
    "MeasurementCancelled",
    "MeasurementError",
    "Quality",
    "combined_quality",
    "ratio_figure",
]

Quality = Literal["exact", "rounded", "estimated", "lower", "upper"]
"""How good a figure is: printed in full, rounded by the profiler, derived from a percentage or a model of the
hardware, or only a lower or upper bound of the true value."""

QUALITIES: Final[tuple[Quality, ...]] = get_args(Quality)

_OPPOSITE: Final[Mapping[Quality, Quality]] = {"lower": "upper", "upper": "lower"}


class MeasurementError(StudioError):
    """A file that could not be read as measurements, or a measurement that is impossible."""


class MeasurementCancelled(MeasurementError):
    """Reading was stopped through the progress callback."""


@dataclass(frozen=True, slots=True)
class MeasuredFigure:
    """One figure with its origin.

    Attributes
    ----------
    value
        In SI base units; finite and not negative.
    recipe
        Which counters gave it, with which factors, in words for the user.
    quality
        See :data:`Quality`.
    """

    value: float
    recipe: str
    quality: Quality


class MeasuredTraffic(NamedTuple):
    """Bytes across one boundary in one launch; the directions are None where only the total was counted."""

    read_bytes: float | None
    write_bytes: float | None
    total_bytes: float


def ratio_figure(
    value: float | None, recipe: str, numerator: MeasuredFigure, denominator: MeasuredFigure
) -> MeasuredFigure | None:
    """Figure for a ratio that was already computed; None where it is absent or infinite."""
    if value is None or not math.isfinite(value):
        return None
    inverse = _OPPOSITE.get(denominator.quality, denominator.quality)
    return MeasuredFigure(value, recipe, combined_quality(numerator.quality, inverse))


def combined_quality(first: Quality, second: Quality) -> Quality:
    """Quality of a product (or, with bounds turned round, of a ratio) of two figures.

    A lower and an upper bound together bound nothing, so they give ``estimated``.
    """
    found = {first, second}
    if "estimated" in found or found == {"lower", "upper"}:
        return "estimated"
    for quality in ("lower", "upper", "rounded"):
        if quality in found:
            return quality
    return "exact"
