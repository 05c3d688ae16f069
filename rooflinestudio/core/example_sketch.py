"""A study in a few strokes, for a picture the size of a stamp: lines, dots and bars in a unit square, y upwards.

It is drawn from the placed study, so that it shows what opening the study will show; only words and axes are left out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.chains import with_chains
from rooflinestudio.core.dtypes import parse_dtypes
from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.study import settings_of
from rooflinestudio.core.subject import Subject
from rooflinestudio.core.sweep import sweep
from rooflinestudio.core.sweep.axes import SweepAxis

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.placement import Placement
    from rooflinestudio.core.placing import EstimateSource, PlacedStudy
    from rooflinestudio.core.study import Entry

__all__ = ["Bar", "Dot", "Line", "Sketch", "sketch_of"]

POINTS: Final = 48
DECADES: Final = (-1.0, 4.0)
"""log10 of the intensities that a sketch of the plane spans, FLOP/byte; what lies outside is put on its edge."""
_HEIGHT: Final = 4.0
_MOST_BARS: Final = 9
_FIGURES: Final = {
    "intensity": "intensity", "attainable": "attainable_flop_per_s", "time": "time_s", "fraction": "fraction_of_peak",
    "traffic": "traffic_bytes",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Line:
    """A line through points; ``slot`` is the colour of an entry, None that of a roof."""

    points: tuple[tuple[float, float], ...]
    slot: int | str | None = None


@dataclass(frozen=True, slots=True)
class Dot:
    """The marker of a placement, hollow where its data does not cross; ``slot`` None is a measured kernel."""

    x: float
    y: float
    slot: int | str | None
    hollow: bool = False


@dataclass(frozen=True, slots=True)
class Bar:
    """A rectangle; ``token`` names its colour: a kind of bound, or what streams."""

    x: float
    y: float
    width: float
    height: float
    token: str


@dataclass(frozen=True, slots=True)
class Sketch:
    """What is drawn, bars first, then lines, then dots."""

    lines: tuple[Line, ...] = ()
    dots: tuple[Dot, ...] = ()
    bars: tuple[Bar, ...] = ()


def sketch_of(placed: PlacedStudy, source: EstimateSource) -> Sketch:
    """Return the sketch of a study, by the view that it has in front."""
    front = placed.study.panels.get("front", {}).get("tab")
    if front == "sweep" and (curves := tuple(_curves(placed, source))):
        return Sketch(lines=curves)
    if front in ("budget", "serving", "fusion") and (bars := tuple(_bars(placed))):
        return Sketch(bars=bars)
    return _plane(placed)


# ---------------------------------------------------------------------------------------- the plane


def _plane(placed: PlacedStudy) -> Sketch:
    machines = placed.machines
    if not machines:
        return Sketch()
    top = max(_peak(one) for one in machines)
    lines = tuple(Line(tuple(_roof(one, top))) for one in machines)
    dots = (
        _dot(row.placement, row.entry.slot, top)
        for row in placed.rows
        if row.placement is not None and row.entry.visible
    )
    measured = (
        one for overlay in placed.study.overlays for one in map(overlay.measurement, range(len(overlay)))
    )
    more = (
        Dot(_across(one.intensity_dram), _up(one.achieved_flop_per_s, top), None)
        for one in measured
        if one.intensity_dram and one.achieved_flop_per_s
    )
    return Sketch(lines, (*dots, *more))


def _peak(profile: HardwareProfile) -> float:
    return profile.ceilings[profile.reference_ceiling].flop_per_s


def _roof(profile: HardwareProfile, top: float) -> Iterator[tuple[float, float]]:
    slope = profile.boundaries["dram"].bytes_per_s if "dram" in profile.boundaries else _peak(profile)
    ridge = _peak(profile) / slope
    for intensity in (10 ** DECADES[0], ridge, 10 ** DECADES[1]):
        yield _across(intensity), _up(min(_peak(profile), intensity * slope), top)


def _dot(placement: Placement, slot: int | str, top: float) -> Dot:
    at = placement.at(placement.boundary_id)
    return Dot(
        _across(float(placement.intensity)),
        _up(float(placement.attainable_flop_per_s), top),
        slot,
        not at.crosses,
    )


def _across(intensity: float) -> float:
    low, high = DECADES
    return 0.0 if intensity <= 0 else _inside((math.log10(min(intensity, 1e12)) - low) / (high - low))


def _up(rate: float, top: float) -> float:
    # The strongest peak lies at nine tenths of the height, so that what is above it still has room.
    return 0.0 if rate <= 0 else _inside(0.9 + math.log10(rate / top) / _HEIGHT)


def _inside(value: float) -> float:
    return min(1.0, max(0.0, value))


# ---------------------------------------------------------------------------------------- curves


def _curves(placed: PlacedStudy, source: EstimateSource) -> Iterator[Line]:
    panel = placed.study.panels.get("sweep", {})
    raw = [
        (entry.slot, points)
        for entry in placed.study.entries
        if entry.id in panel.get("entries", ()) and (points := _swept(placed, source, entry, panel))
    ]
    every = [y for _, points in raw for _, y in points]
    if not every:
        return
    low, high = min(every), max(every)
    span = high - low or 1.0
    for slot, points in raw:
        yield Line(tuple((x, 0.08 + 0.84 * (y - low) / span) for x, y in points), slot)


def _swept(
    placed: PlacedStudy, source: EstimateSource, entry: Entry, panel: Mapping[str, Any]
) -> list[tuple[float, float]]:
    """Return the curve of one entry: x from 0 to 1, y as drawn, logarithmic where the axis is."""
    import numpy as np

    names = tuple(str(panel["parameter"]).split("="))
    logarithmic = panel.get("scale") == "log"
    spaced = np.geomspace if logarithmic else np.linspace
    values = np.unique(np.round(spaced(float(panel["low"]), float(panel["high"]), POINTS)))
    fixed = {name: value for name, value in entry.parameters.items() if name not in names}
    row = placed.rows_of(entry.id)[0]
    if row.profile is None:
        return []
    subject = Subject(
        with_chains(source, placed.study.chains),
        entry.operator,
        row.profile,
        fixed,
        parse_dtypes(entry.dtypes),
        settings_of(entry, placed.study.view),
    )
    try:
        result = sweep(subject, [SweepAxis(names, values)])
    except StudioError:
        return []
    figure = _FIGURES.get(str(panel.get("figure")))
    heights = values / result.time_s if figure is None else getattr(result, figure)
    if logarithmic:
        heights = np.log(np.maximum(heights, 1e-30))
        values = np.log(values)
    across = (values - values[0]) / (values[-1] - values[0] or 1.0)
    return [(float(x), float(y)) for x, y in zip(across, heights, strict=True) if math.isfinite(y)]


# ---------------------------------------------------------------------------------------- bars


def _bars(placed: PlacedStudy) -> Iterator[Bar]:
    """Yield one bar for each entry of several kernels, cut by kernel: as long as its time, coloured by its bound."""
    rows = [
        row.placement
        for row in placed.rows
        if row.placement is not None and row.placement.parts and row.machine == placed.study.view.machines[0]
    ][:_MOST_BARS]
    longest = max((float(one.time_s) for one in rows), default=0.0)
    for index, one in enumerate(rows):
        height = 0.9 / len(rows)
        y = 0.95 - (index + 1) * height
        x = 0.0
        # A bar much shorter than the longest would vanish: what it is made of is what is to be seen.
        length = max(float(one.time_s) / longest, 0.3)
        for part in one.parts:
            width = length * float(part.placement.time_s * part.count) / float(one.time_s)
            yield Bar(x, y + 0.15 * height, width, 0.7 * height, str(part.placement.bound_words()))
            x += width
