"""From machines to what is drawn of them: roofs, quiet ceilings and slopes, and the axes that they set."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, TypeVar

from rooflinestudio.core.hardware import INSIDE
from rooflinestudio.core.quantities import format_number
from rooflinestudio.ui.canvas.coordinates import Range, has_log10, log10
from rooflinestudio.ui.canvas.scene import Ceiling, Roof, Slope
from rooflinestudio.ui.canvas.scene_rows import brief

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rooflinestudio.core.hardware import Boundary, ComputeCeiling, HardwareProfile

    _Rate = TypeVar("_Rate", ComputeCeiling, Boundary)

__all__ = ["boundary_in_view", "ceilings_of", "extended", "home_range", "roofs_of", "slopes_of"]

LOW_INTENSITY, HIGH_INTENSITY = -1.0, 4.0
LOW_RATE: Final = 11.0
ROOM_ABOVE: Final = 2.6
"""The axis ends at this multiple of the top ceiling."""
SAME_RATE: Final = 0.005
"""Ceilings closer than this are one line on the canvas."""


def boundary_in_view(profile: HardwareProfile, wanted: str | None) -> str:
    """Return the boundary whose slope is the strong one: that of the view, else dram, so that it stays the same."""
    for id_ in (wanted, "dram"):
        if id_ is not None and id_ in profile.boundaries:
            return id_
    return next(iter(profile.boundaries))


def roofs_of(
    machines: Sequence[HardwareProfile], strong: HardwareProfile, boundary: str, *, both: bool = False
) -> tuple[Roof, ...]:
    """Return a roof per machine that has the boundary, the strong one last, so that it is drawn on top.

    Parameters
    ----------
    both
        Whether the strong machine gets a second roof, by the figures that are known and not in use.
    """
    roofs: list[Roof] = []
    order = 0
    for profile in machines:
        if profile is strong:
            continue
        order += 1
        if boundary in profile.boundaries:
            roofs.append(_other_roof(profile, profile.boundaries[boundary], order))
    other = [_other_figures(strong, strong.boundaries[boundary], order + 1)] if both else []
    return (*roofs, *other, _strong_roof(strong, strong.boundaries[boundary]))


def _strong_roof(profile: HardwareProfile, boundary: Boundary) -> Roof:
    reference = profile.ceiling(profile.reference_ceiling)
    return Roof(
        profile.id,
        profile.short_name,
        strong=True,
        order=0,
        log_bytes_per_s=log10(boundary.bytes_per_s),
        log_flop_per_s=log10(reference.flop_per_s),
        slope_label=_slope_words(boundary),
        ceiling_label=_ceiling_words([reference]),
        ridge_label=f"ridge {format_number(reference.flop_per_s / boundary.bytes_per_s)}",
    )


def _other_figures(profile: HardwareProfile, boundary: Boundary, order: int) -> Roof:
    """Return the roof of a machine by its other figures; what has none stays as it is, and unnamed."""
    reference = profile.ceiling(profile.reference_ceiling)
    ceiling, slope = _exchanged(reference), _exchanged(boundary)
    rate, bandwidth = ceiling.flop_per_s, slope.bytes_per_s
    return Roof(
        profile.id,
        profile.short_name,
        strong=False,
        order=order,
        log_bytes_per_s=log10(bandwidth),
        log_flop_per_s=log10(rate),
        slope_label="" if slope is boundary else f"{slope.bandwidth.provenance} {brief(bandwidth, 'B/s')}",
        ceiling_label="" if ceiling is reference else f"{ceiling.figure.provenance} {brief(rate, 'FLOP/s')}",
        ridge_label=f"{format_number(rate / bandwidth)} {_word(ceiling, slope)}",
        other_figures=True,
    )


def _exchanged(one: _Rate) -> _Rate:
    return one.using("stated" if one.in_use == "measured" else "measured")


def _word(ceiling: ComputeCeiling, slope: Boundary) -> str:
    return "measured" if "measured" in (ceiling.in_use, slope.in_use) else "published"


def _other_roof(profile: HardwareProfile, boundary: Boundary, order: int) -> Roof:
    reference = profile.ceiling(profile.reference_ceiling)
    rate = brief(reference.flop_per_s, "FLOP/s")
    return Roof(
        profile.id,
        profile.short_name,
        strong=False,
        order=order,
        log_bytes_per_s=log10(boundary.bytes_per_s),
        log_flop_per_s=log10(reference.flop_per_s),
        slope_label=f"{profile.short_name}  {brief(boundary.bytes_per_s, 'B/s')}",
        ceiling_label=f"{profile.short_name} {reference.label.removesuffix(' tensor')}  {rate}",
        ridge_label=f"{profile.short_name} {format_number(reference.flop_per_s / boundary.bytes_per_s)}",
    )


def _slope_words(boundary: Boundary) -> str:
    rest = ", measured" if boundary.in_use == "measured" else ", approximate" if boundary.approximate else ""
    return f"{boundary.label}  {brief(boundary.bytes_per_s, 'B/s')}{rest}"


def _ceiling_words(ceilings: Sequence[ComputeCeiling]) -> str:
    rate = brief(ceilings[0].flop_per_s, "FLOP/s")
    measured = ", measured" if all(one.in_use == "measured" for one in ceilings) else ""
    return f"{_joined([one.label for one in ceilings])}  {rate}{measured}"


def _joined(labels: Sequence[str]) -> str:
    """Return names in a row, the word they share at the end only once: ``fp8, int8 tensor``."""
    if len(labels) > 1 and all(label.endswith(" tensor") for label in labels):
        labels = [label.removesuffix(" tensor") for label in labels[:-1]] + [labels[-1]]
    return ", ".join(labels)


def _same(first: ComputeCeiling, second: ComputeCeiling) -> bool:
    return abs(first.flop_per_s / second.flop_per_s - 1) < SAME_RATE


def ceilings_of(profile: HardwareProfile, boundary: str, own: str | None) -> tuple[Ceiling, ...]:
    """Return the other pipes of the strong machine, equal ones as one line, from the top.

    Parameters
    ----------
    own
        Ceiling id of the selected placement, which is drawn stronger.
    """
    reference = profile.ceiling(profile.reference_ceiling)
    groups: list[list[ComputeCeiling]] = []
    for ceiling in sorted(profile.ceilings.values(), key=lambda one: -one.flop_per_s):
        if _same(ceiling, reference) or not has_log10(ceiling.flop_per_s):
            continue
        if groups and _same(ceiling, groups[-1][0]):
            groups[-1].append(ceiling)
        else:
            groups.append([ceiling])
    log_slope = log10(profile.boundary(boundary).bytes_per_s)
    return tuple(
        Ceiling(
            log10(group[0].flop_per_s),
            log10(group[0].flop_per_s) - log_slope,
            _ceiling_words(group),
            own=own is not None and any(one.id == own for one in group),
        )
        for group in groups
    )


def slopes_of(profile: HardwareProfile, boundary: str, own: str | None) -> tuple[Slope, ...]:
    """Return the other boundaries of the strong machine, from the innermost outward.

    Parameters
    ----------
    own
        Boundary id that the selected placement is shown at, drawn stronger.
    """
    reference = profile.ceiling(profile.reference_ceiling).flop_per_s
    return tuple(
        Slope(
            one.id,
            log10(one.bytes_per_s),
            log10(reference),
            _slope_words(one),
            f"{one.label} {format_number(reference / one.bytes_per_s)}",
            modelled=one.id in INSIDE or one.approximate,
            own=one.id == own,
        )
        for one in profile.boundaries.values()
        if one.id != boundary and has_log10(one.bytes_per_s)
    )


def home_range(machines: Iterable[HardwareProfile], boundary: str) -> Range:
    """Return the axes that the machines set: 0.1 to 10 000 FLOP/byte, 100 GFLOP/s to above the top ceiling.

    A slow machine, whose roof would come in far to the right, starts as many decades lower as it needs.
    """
    top, low = LOW_RATE, LOW_RATE
    for profile in machines:
        top = max(top, *(log10(one.flop_per_s) for one in profile.ceilings.values()))
        if boundary in profile.boundaries:
            # The slope should reach the bottom of the plot within the first decade of intensity.
            low = min(low, math.floor(log10(profile.boundaries[boundary].bytes_per_s) + LOW_INTENSITY + 1))
    return Range(LOW_INTENSITY, HIGH_INTENSITY, low, top + math.log10(ROOM_ABOVE))


def extended(home: Range, points: Iterable[tuple[float, float]]) -> Range:
    """Return the axes with whole decades added until every point is in, with a little room."""
    x0, x1, y0, y1 = home
    for x, y in points:
        if x < x0:
            x0 = float(math.floor(x - 0.05))
        elif x > x1:
            x1 = float(math.ceil(x + 0.05))
        if y < y0:
            y0 = float(math.floor(y - 0.05))
        elif y > y1:
            y1 = float(math.ceil(y + 0.05))
    return Range(x0, x1, y0, y1)
