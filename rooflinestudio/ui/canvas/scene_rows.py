"""From a placed row to what is drawn of it: marker, corridor, or a row of the margin strip."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

from rooflinestudio.core.quantities import format_number, format_quantity
from rooflinestudio.core.study import SLOTS
from rooflinestudio.ui.canvas.coordinates import clamped_log10, has_log10, log10
from rooflinestudio.ui.canvas.scene import Corridor, LaunchFloor, Marker, StripRow

if TYPE_CHECKING:
    from rooflinestudio.core.placement import BoundaryFigures, Placement
    from rooflinestudio.core.placing import PlacedRow
    from rooflinestudio.core.study import Entry

__all__ = ["RowDrawing", "brief", "draw_row", "entry_name", "launch_floor", "satellites_of", "status_words"]

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
    return entry.label or entry.operator


def draw_row(row: PlacedRow) -> RowDrawing:
    """Return the drawing of a row; it depends on nothing but the row, so that it can be kept."""
    placement = row.placement
    if placement is None or row.state != "placed":
        return RowDrawing()
    crossed = placement.at(placement.boundary_id).crosses
    if placement.work_flop == 0 or placement.intensity == 0:
        return RowDrawing(strip=_strip_without_work(row, placement, crossed=crossed))
    if not has_log10(placement.intensity):
        return RowDrawing(right_strip=_strip_without_traffic(row, placement, crossed=crossed))
    return RowDrawing(_marker(row, placement, crossed=crossed), _corridor(row, placement))


def _is_square(slot: int | str) -> bool:
    return isinstance(slot, int) and slot >= SLOTS


def _slope(placement: Placement) -> float:
    return placement.profile.boundaries[placement.boundary_id].bytes_per_s


def _roof(placement: Placement) -> float:
    """Return what the placement's own roof allows at its intensity, in FLOP/s."""
    return min(placement.ceiling_flop_per_s, placement.intensity * _slope(placement))


def _marker(row: PlacedRow, placement: Placement, *, crossed: bool) -> Marker:
    rate = placement.attainable_flop_per_s
    roof = _roof(placement)
    below = crossed and roof > CLOSE * rate
    not_crossed = "" if crossed else " · not crossed"
    return Marker(
        row.entry.id,
        row.machine,
        log10(placement.intensity),
        log10(rate),
        "predicted" if crossed else "hollow",
        row.entry.slot,
        entry_name(row.entry),
        f"{format_quantity(rate, 'FLOP/s')} · {format_quantity(placement.time_s, 's')}{not_crossed}",
        tip=_tip(row, placement, roof, crossed=crossed),
        status=status_words(placement.intensity, rate, roof if crossed else placement.ceiling_flop_per_s),
        square=_is_square(row.entry.slot),
        crossed=crossed,
        log_roof=log10(roof) if below else None,
    )


def status_words(intensity: float, rate: float, roof: float) -> str:
    """Return the line of the status bar: intensity, rate, distance to the roof as a ratio."""
    ratio = f"{format_number(roof / rate)}× to the roof" if rate > 0 else "no rate"
    return f"I {format_number(intensity)} FLOP/byte   P {format_quantity(rate, 'FLOP/s')}   {ratio}"


def _tip(row: PlacedRow, placement: Placement, roof: float, *, crossed: bool) -> tuple[str, ...]:
    label = placement.profile.boundaries[placement.boundary_id].label
    policy = placement.settings.policy
    lines = [
        f"{entry_name(row.entry)} on {placement.profile.short_name}",
        f"I {format_number(placement.intensity)} FLOP/byte at {label}, {policy}",
        f"attainable {format_quantity(placement.attainable_flop_per_s, 'FLOP/s')}, "
        f"{format_number(100 * placement.fraction_of_peak)}% of {placement.ceiling_id}",
        f"{'forecast' if placement.settings.forecast else 'bound'} {format_quantity(placement.time_s, 's', digits=4)}, "
        f"{placement.bound_words()} at {placement.binding_words()}",
    ]
    if not crossed:
        lines.append(f"its data does not cross {label}: shown, never binding")
    elif placement.attainable_flop_per_s > 0:
        lines.append(f"{format_number(roof / placement.attainable_flop_per_s)}× to the roof")
    return tuple(lines)


def _corridor(row: PlacedRow, placement: Placement) -> Corridor | None:
    if placement.boundary_id not in POLICY_BOUNDARIES:
        return None
    if not placement.parts and "dram" not in placement.estimate.blocked:
        return None  # nothing is read twice: tiled is compulsory
    tiled, compulsory = row.policies["tiled"], row.policies["compulsory"]
    if not (tiled.boundary_id == compulsory.boundary_id == placement.boundary_id):
        return None
    if not (has_log10(tiled.intensity) and has_log10(compulsory.intensity)):
        return None
    if abs(compulsory.intensity / tiled.intensity - 1) < CLOSE - 1:
        return None
    return Corridor(
        row.entry.id,
        row.machine,
        row.entry.slot,
        log10(_slope(placement)),
        log10(placement.ceiling_flop_per_s),
        log10(tiled.intensity),
        log10(compulsory.intensity),
        f"tiled {format_number(tiled.intensity)}",
        f"compulsory {format_number(compulsory.intensity)}",
    )


def _strip_without_work(row: PlacedRow, placement: Placement, *, crossed: bool) -> StripRow:
    """Return a row of the left strip: no FLOP, so what counts is the bandwidth that it reaches."""
    rate = placement.traffic_bytes / placement.time_s
    name = entry_name(row.entry)
    words, time = format_quantity(rate, "B/s"), format_quantity(placement.time_s, "s")
    label = placement.profile.boundaries[placement.boundary_id].label
    return StripRow(
        row.entry.id,
        row.machine,
        row.entry.slot,
        name,
        min(1.0, rate / _slope(placement)),
        words,
        time,
        square=_is_square(row.entry.slot),
        hollow=not crossed,
        tip=(
            f"{name} on {placement.profile.short_name}",
            "no FLOPs: it has no place on the log axis",
            f"{words} at {label}, {format_number(100 * rate / _slope(placement))}% of its bandwidth",
            f"{format_quantity(placement.traffic_bytes, 'B')} in {time}",
        ),
        status=f"I 0 FLOP/byte   {words} at {label}   {time}",
    )


def _strip_without_traffic(row: PlacedRow, placement: Placement, *, crossed: bool) -> StripRow:
    """Return a row of the right strip: no byte crosses, so what counts is the rate that it reaches."""
    rate = placement.attainable_flop_per_s
    name = entry_name(row.entry)
    words, time = format_quantity(rate, "FLOP/s"), format_quantity(placement.time_s, "s")
    label = placement.profile.boundaries[placement.boundary_id].label
    return StripRow(
        row.entry.id,
        row.machine,
        row.entry.slot,
        name,
        min(1.0, rate / placement.ceiling_flop_per_s),
        words,
        time,
        square=_is_square(row.entry.slot),
        hollow=not crossed,
        tip=(
            f"{name} on {placement.profile.short_name}",
            f"nothing crosses {label}: its intensity there is infinite",
            f"{words}, {format_number(100 * placement.fraction_of_peak)}% of {placement.ceiling_id}",
            f"{format_quantity(placement.work_flop, 'FLOP')} in {time}",
        ),
        status=f"I ∞ FLOP/byte   P {words}   {time}",
    )


def satellites_of(row: PlacedRow) -> tuple[Marker, ...]:
    """Return the same placement at the boundaries that it crosses too, and at the next one that it does not."""
    placement = row.placement
    if placement is None:
        return ()
    figures = [one for id_, one in placement.boundaries.items() if id_ != placement.boundary_id]
    figures = [one for one in figures if has_log10(one.intensity)]
    crossed = [one for one in figures if one.crosses]
    # One boundary that is not crossed says it for all: the nearest one outward.
    return tuple(
        _satellite(row, placement, one)
        for one in (*crossed, *[one for one in figures if not one.crosses][:1])
    )


def _satellite(row: PlacedRow, placement: Placement, at: BoundaryFigures) -> Marker:
    rate = min(placement.ceiling_flop_per_s, at.intensity * at.bytes_per_s)
    share = format_number(100 * rate / placement.ceiling_flop_per_s, digits=2)
    shown = format_quantity(rate, "FLOP/s")
    name = f"at {at.label}: {shown}, {share}%" if at.crosses else f"at {at.label}: not crossed"
    tip = (
        f"{entry_name(row.entry)} at {at.label}",
        f"I {format_number(at.intensity)} FLOP/byte, ridge {format_number(at.ridge)}",
        f"allows {shown}, {share}% of {placement.ceiling_id}" if at.crosses else "not crossed: never binding",
    )
    return Marker(
        row.entry.id,
        row.machine,
        log10(at.intensity),
        clamped_log10(rate),
        "boundary",
        row.entry.slot,
        name,
        at.id,
        tip=tip,
        status=f"I {format_number(at.intensity)} FLOP/byte at {at.label}   P {shown}",
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
    overhead_s = placement.profile.launch_overhead.value
    launches = _launches(placement)
    if not overhead_s > 0 or not has_log10(placement.traffic_bytes) or not launches >= 1:
        return None
    per_launch = placement.traffic_bytes / launches
    slope = per_launch / overhead_s
    words = f"launch floor: {brief(per_launch, 'B')} per launch, {brief(overhead_s, 's')}"
    return LaunchFloor(log10(slope), words, shaded=slope < _slope(placement))


def _launches(placement: Placement) -> float:
    if placement.parts:
        return math.fsum(part.count * _launches(part.placement) for part in placement.parts)
    return placement.estimate.launch.kernels if placement.estimate.launch is not None else 1.0
