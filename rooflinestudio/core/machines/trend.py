"""Peak, bandwidth, link and ridge of machines by year, with the growth per two years that fits them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Final, Literal

from rooflinestudio.core.hardware import LINKS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from rooflinestudio.core.hardware import HardwareProfile

__all__ = ["KNOWN_GROWTH", "SERIES", "Trend", "TrendPoint", "TrendSeries", "trend_of"]

SeriesId = Literal["peak", "bandwidth", "link", "ridge"]

KNOWN_GROWTH: Final = {"peak": 3.0, "bandwidth": 1.6, "link": 1.4}
"""Growth per two years over two decades of servers, as a measure to hold against: Gholami et al., "AI and Memory
Wall", IEEE Micro 2024, arXiv:2403.14123."""

SERIES: Final[dict[SeriesId, tuple[str, str]]] = {
    "peak": ("peak of the reference pipe", "FLOP/s"),
    "bandwidth": ("device memory", "B/s"),
    "link": ("fastest link", "B/s"),
    "ridge": ("ridge at device memory", "FLOP/B"),
}
"""Words and unit of each series."""


@dataclass(frozen=True, slots=True)
class TrendPoint:
    """One machine in one year; the value in the unit of its series."""

    machine: str
    name: str
    vendor: str
    year: int
    value: float


@dataclass(frozen=True, slots=True)
class TrendSeries:
    """One figure of all machines.

    Attributes
    ----------
    growth
        Factor per two years, by the straight line through log(value) over the years with the least squares; None with
        fewer than three machines or a single year.
    """

    id: SeriesId
    label: str
    unit: str
    points: tuple[TrendPoint, ...]
    growth: float | None
    intercept: float = 0.0

    def at(self, year: float) -> float | None:
        """Return the value of the fitted line in a year."""
        if self.growth is None:
            return None
        return math.exp(self.intercept + math.log(self.growth) / 2 * year)


@dataclass(frozen=True, slots=True)
class Trend:
    """All series, over the years from the first machine to the last."""

    series: tuple[TrendSeries, ...]
    first_year: int
    last_year: int


def trend_of(profiles: Iterable[HardwareProfile]) -> Trend | None:
    """Return the trend over machines, by year; None without any.

    The peak is that of the reference pipe, whatever its format: part of its growth is a smaller format.
    """
    machines = sorted(profiles, key=lambda one: (one.year, one.name))
    if not machines:
        return None
    series = tuple(_series(id_, label, unit, machines) for id_, (label, unit) in SERIES.items())
    return Trend(tuple(one for one in series if one.points), machines[0].year, machines[-1].year)


def _series(id_: SeriesId, label: str, unit: str, machines: Sequence[HardwareProfile]) -> TrendSeries:
    read = _READERS[id_]
    points = tuple(
        TrendPoint(one.id, one.short_name, one.vendor, one.year, value)
        for one in machines
        if (value := read(one)) is not None and value > 0
    )
    growth, intercept = _fit(points)
    return TrendSeries(id_, label, unit, points, growth, intercept)


def _fit(points: Sequence[TrendPoint]) -> tuple[float | None, float]:
    """Fit log(value) = intercept + slope · year; return exp(2 · slope) and the intercept."""
    years = [float(one.year) for one in points]
    if len(points) < 3 or len(set(years)) < 2:
        return None, 0.0
    logs = [math.log(one.value) for one in points]
    middle, mean = fmean(years), fmean(logs)
    spread = sum((year - middle) ** 2 for year in years)
    slope = sum((year - middle) * (log - mean) for year, log in zip(years, logs, strict=True)) / spread
    return math.exp(2 * slope), mean - slope * middle


def _peak(profile: HardwareProfile) -> float | None:
    ceiling = profile.ceilings.get(profile.reference_ceiling)
    return None if ceiling is None else ceiling.flop_per_s


def _bandwidth(profile: HardwareProfile) -> float | None:
    """Return the bandwidth of the device memory; None where SRAM on the chip stands at its place."""
    dram = profile.boundaries.get("dram")
    return None if dram is None or dram.label.startswith("SRAM") else dram.bytes_per_s


def _link(profile: HardwareProfile) -> float | None:
    return max(
        (profile.boundaries[id_].bytes_per_s for id_ in LINKS if id_ in profile.boundaries), default=None
    )


def _ridge(profile: HardwareProfile) -> float | None:
    peak, bandwidth = _peak(profile), _bandwidth(profile)
    return None if peak is None or bandwidth is None else peak / bandwidth


_READERS: Final[dict[SeriesId, Callable[[HardwareProfile], float | None]]] = {
    "peak": _peak,
    "bandwidth": _bandwidth,
    "link": _link,
    "ridge": _ridge,
}
