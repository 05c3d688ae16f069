"""From a placed row to what is drawn of it: marker, corridor, or a row of the margin strip."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

from rooflinestudio.core.quantities import format_number, format_quantity
from rooflinestudio.core.study import CHAIN_PREFIX, SLOTS
from rooflinestudio.ui.canvas.coordinates import clamped_log10, has_log10, log10
from rooflinestudio.ui.canvas.scene import Corridor, LaunchFloor, Marker, StripRow

if TYPE_CHECKING:
    from rooflinestudio.core.boundary_figures import BoundaryFigures
    from rooflinestudio.core.placement import Placement
    from rooflinestudio.core.placing import PlacedRow
    from rooflinestudio.core.study import Entry

__all__ = [
    "Figures", "RowDrawing", "brief", "draw_row", "entry_name", "launch_floor", "satellites_of", "status_words",
    "strip_of",
]  # fmt: skip

POLICY_BOUNDARIES: Final = ("dram", "l3")
"""Where the policy chooses the count; elsewhere there is no corridor."""
CLOSE: Final = 1.005
"""Nearer to the roof than this is on it."""


class RowDrawing(NamedTuple):
    """What one row puts on the canvas; all None for a row that was not placed."""

    marker: Marker | None = None
    corridor: Corridor | None = None
    strip: StripRow | None = None
    right_strip: StripRow | None = None


def brief(value: float, unit: str) -> str:
    """Write a figure without zeros at its end: ``9 TB/s``, ``3 µs``."""
    number, _, rest = format_quantity(value, unit).partition(" ")
    return f"{number.rstrip('0').rstrip('.') if '.' in number else number} {rest}"


def entry_name(entry: Entry) -> str:
    """Return what an entry is called on screen."""
    return entry.label or entry.operator.removeprefix(CHAIN_PREFIX)


class Figures(NamedTuple):
    """The figures of a placement as plain numbers: entries of a study are single evaluations."""

    work_flop: float
    traffic_bytes: float
    intensity: float
    rate: float
    time_s: float
    fraction: float
    slope: float

    @classmethod
    def of(cls, placement: Placement) -> Figures:
        return cls(
            float(placement.work_flop),
            float(placement.traffic_bytes),
            float(placement.intensity),
            float(placement.attainable_flop_per_s),
            float(placement.time_s),
            float(placement.fraction_of_peak),
            placement.profile.boundaries[placement.boundary_id].bytes_per_s,
        )


def draw_row(row: PlacedRow) -> RowDrawing:
    """Return the drawing of a row; it depends on nothing but the row, so that it can be kept."""
    placement = row.placement
    if placement is None or row.state != "placed":
        return RowDrawing()
    figures = Figures.of(placement)
    if figures.work_flop == 0 or not has_log10(figures.intensity):
        return strip_of(row, placement)
    crossed = placement.at(placement.boundary_id).crosses
    return RowDrawing(_marker(row, placement, figures, crossed=crossed), _corridor(row, placement))


def strip_of(row: PlacedRow, placement: Placement) -> RowDrawing:
    """Return the strip row of a placement of a row, or of a part of it, that has no place on the log axes."""
    crossed = placement.at(placement.boundary_id).crosses
    figures = Figures.of(placement)
    if figures.work_flop == 0 or figures.intensity == 0:
        return RowDrawing(strip=_strip_without_work(row, placement, figures, crossed=crossed))
    return RowDrawing(right_strip=_strip_without_traffic(row, placement, figures, crossed=crossed))


def _is_square(slot: int | str) -> bool:
    return isinstance(slot, int) and slot >= SLOTS


def _marker(row: PlacedRow, placement: Placement, figures: Figures, *, crossed: bool) -> Marker:
    # What the placement's own roof allows at its intensity.
    roof = min(placement.ceiling_flop_per_s, figures.intensity * figures.slope)
    below = crossed and roof > CLOSE * figures.rate
    not_crossed = "" if crossed else " · not crossed"
    rate, time = format_quantity(figures.rate, "FLOP/s"), format_quantity(figures.time_s, "s")
    top = roof if crossed else placement.ceiling_flop_per_s
    return Marker(
        row.entry.id,
        row.machine,
        log10(figures.intensity),
        log10(figures.rate),
        "predicted" if crossed else "hollow",
        row.entry.slot,
        entry_name(row.entry),
        f"{rate} · {time}{not_crossed}",
        tip=_tip(row, placement, figures, roof if crossed else None),
        status=status_words(figures.intensity, figures.rate, top),
        square=_is_square(row.entry.slot),
        crossed=crossed,
        log_roof=log10(roof) if below else None,
    )


def status_words(intensity: float, rate: float, roof: float) -> str:
    """Return the line of the status bar: intensity, rate, distance to the roof as a ratio."""
    ratio = f"{format_number(roof / rate)}× to the roof" if rate > 0 else "no rate"
    return f"I {format_number(intensity)} FLOP/byte   P {format_quantity(rate, 'FLOP/s')}   {ratio}"


def _tip(row: PlacedRow, placement: Placement, figures: Figures, roof: float | None) -> tuple[str, ...]:
    label = placement.profile.boundaries[placement.boundary_id].label
    model = "forecast" if placement.settings.forecast else "bound"
    return (
        f"{entry_name(row.entry)} on {placement.profile.short_name}",
        f"I {format_number(figures.intensity)} FLOP/byte at {label}, {placement.settings.policy}",
        f"attainable {format_quantity(figures.rate, 'FLOP/s')}, "
        f"{format_number(100 * figures.fraction)}% of {placement.ceiling_id}",
        f"{model} {format_quantity(figures.time_s, 's', digits=4)}, {placement.bound} at {placement.binding}",
        f"its data does not cross {label}: shown, never binding"
        if roof is None
        else f"{format_number(roof / figures.rate)}× to the roof",
    )


def _corridor(row: PlacedRow, placement: Placement) -> Corridor | None:
    if placement.boundary_id not in POLICY_BOUNDARIES:
        return None
    if not placement.parts and "dram" not in placement.estimate.blocked:
        return None  # nothing is read twice: tiled is compulsory
    by_policy = row.policies
    if any(by_policy[policy].boundary_id != placement.boundary_id for policy in ("tiled", "compulsory")):
        return None
    tiled, compulsory = float(by_policy["tiled"].intensity), float(by_policy["compulsory"].intensity)
    if not (has_log10(tiled) and has_log10(compulsory)) or abs(compulsory / tiled - 1) < CLOSE - 1:
        return None
    return Corridor(
        row.entry.id,
        row.machine,
        row.entry.slot,
        log10(placement.profile.boundaries[placement.boundary_id].bytes_per_s),
        log10(placement.ceiling_flop_per_s),
        log10(tiled),
        log10(compulsory),
        f"tiled {format_number(tiled)}",
        f"compulsory {format_number(compulsory)}",
    )


def _strip_without_work(row: PlacedRow, placement: Placement, figures: Figures, *, crossed: bool) -> StripRow:
    """Return a row of the left strip: no FLOP, so what counts is the bandwidth that it reaches."""
    rate = figures.traffic_bytes / figures.time_s
    share = rate / figures.slope
    label = placement.profile.boundaries[placement.boundary_id].label
    words, time = format_quantity(rate, "B/s"), format_quantity(figures.time_s, "s")
    tip = (
        f"{entry_name(row.entry)} on {placement.profile.short_name}",
        "no FLOPs: it has no place on the log axis",
        f"{words} at {label}, {format_number(100 * share)}% of its bandwidth",
        f"{format_quantity(figures.traffic_bytes, 'B')} in {time}",
    )
    status = f"I 0 FLOP/byte   {words} at {label}   {time}"
    return _strip_row(row, (share, words, time), tip, status, hollow=not crossed)


def _strip_without_traffic(
    row: PlacedRow, placement: Placement, figures: Figures, *, crossed: bool
) -> StripRow:
    """Return a row of the right strip: no byte crosses, so what counts is the rate that it reaches."""
    share = figures.rate / placement.ceiling_flop_per_s
    label = placement.profile.boundaries[placement.boundary_id].label
    words, time = format_quantity(figures.rate, "FLOP/s"), format_quantity(figures.time_s, "s")
    tip = (
        f"{entry_name(row.entry)} on {placement.profile.short_name}",
        f"nothing crosses {label}: its intensity there is infinite",
        f"{words}, {format_number(100 * figures.fraction)}% of {placement.ceiling_id}",
        f"{format_quantity(figures.work_flop, 'FLOP')} in {time}",
    )
    return _strip_row(
        row, (share, words, time), tip, f"I ∞ FLOP/byte   P {words}   {time}", hollow=not crossed
    )


def _strip_row(
    row: PlacedRow, bar: tuple[float, str, str], tip: tuple[str, ...], status: str, *, hollow: bool
) -> StripRow:
    share, rate, time = bar
    return StripRow(
        row.entry.id,
        row.machine,
        row.entry.slot,
        entry_name(row.entry),
        min(1.0, share),
        rate,
        time,
        square=_is_square(row.entry.slot),
        hollow=hollow,
        tip=tip,
        status=status,
    )


def satellites_of(row: PlacedRow) -> tuple[Marker, ...]:
    """Return the same placement at the boundaries that it crosses too, and at the next one that it does not."""
    placement = row.placement
    if placement is None:
        return ()
    figures = [one for id_, one in placement.boundaries.items() if id_ != placement.boundary_id]
    figures = [one for one in figures if has_log10(float(one.intensity))]
    crossed = [one for one in figures if one.crosses]
    # One boundary that is not crossed says it for all: the nearest one outward.
    return tuple(
        _satellite(row, placement, one)
        for one in (*crossed, *[one for one in figures if not one.crosses][:1])
    )


def _satellite(row: PlacedRow, placement: Placement, at: BoundaryFigures) -> Marker:
    intensity = float(at.intensity)
    rate = min(placement.ceiling_flop_per_s, intensity * at.bytes_per_s)
    share = format_number(100 * rate / placement.ceiling_flop_per_s, digits=2)
    shown = format_quantity(rate, "FLOP/s")
    tip = (
        f"{entry_name(row.entry)} at {at.label}",
        f"I {format_number(intensity)} FLOP/byte, ridge {format_number(at.ridge)}",
        f"allows {shown}, {share}% of {placement.ceiling_id}" if at.crosses else "not crossed: never binding",
    )
    return Marker(
        row.entry.id,
        row.machine,
        log10(intensity),
        clamped_log10(rate),
        "boundary",
        row.entry.slot,
        f"at {at.label}: {shown}, {share}%" if at.crosses else f"at {at.label}: not crossed",
        at.id,
        tip=tip,
        status=f"I {format_number(intensity)} FLOP/byte at {at.label}   P {shown}",
        crossed=at.crosses,
    )


def launch_floor(row: PlacedRow) -> LaunchFloor | None:
    """Return the slope of a placement's own bytes per launch over the machine's launch overhead.

    A kernel cannot end before its launch has: with Q bytes per launch it stays under ``I x Q / overhead``. None where
    the profile has no overhead, or nothing crosses.
    """
    placement = row.placement
    if placement is None or placement.profile.launch_overhead is None:
        return None
    overhead_s, figures = placement.profile.launch_overhead.value, Figures.of(placement)
    launches = _launches(placement)
    if not overhead_s > 0 or not has_log10(figures.traffic_bytes) or not launches >= 1:
        return None
    per_launch = figures.traffic_bytes / launches
    slope = per_launch / overhead_s
    words = f"launch floor: {brief(per_launch, 'B')} per launch, {brief(overhead_s, 's')}"
    return LaunchFloor(log10(slope), words, shaded=slope < figures.slope)


def _launches(placement: Placement) -> float:
    if placement.parts:
        return math.fsum(float(part.count) * _launches(part.placement) for part in placement.parts)
    launch = placement.estimate.launch
    return float(launch.kernels) if launch is not None else 1.0
