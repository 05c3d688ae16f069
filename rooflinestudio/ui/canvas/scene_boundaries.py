"""One measured kernel at every boundary that was counted: small diamonds at its rate, joined by a quiet line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from rooflinestudio.core.measured.main import held_on
from rooflinestudio.core.quantities import format_number, format_quantity
from rooflinestudio.ui.canvas.coordinates import has_log10, log10
from rooflinestudio.ui.canvas.scene import Marker
from rooflinestudio.ui.canvas.scene_kernels import Ground, Point
from rooflinestudio.ui.canvas.scene_links import BoundaryRun
from rooflinestudio.ui.canvas.scene_rows import status_words

if TYPE_CHECKING:
    from rooflinestudio.core.measurement import Measurement

__all__ = ["FEW_RUNS", "BoundaryDrawing", "boundary_label", "draw_boundaries"]

FEW_RUNS: Final = 6
"""Up to so many kernels on the canvas have their points at all boundaries at once; of more the selected one has."""


class BoundaryDrawing(NamedTuple):
    """The points of a kernel at the boundaries that are not in view, and the line through all of them."""

    markers: tuple[Marker, ...] = ()
    run: BoundaryRun | None = None


def draw_boundaries(measurement: Measurement, home: Marker, ground: Ground) -> BoundaryDrawing:
    """Return where the kernel of a marker stands at the other boundaries; nothing where none was counted there.

    Its work is that of the marker: the counted one, or that of the operator that it is paired with.
    """
    if not isinstance(home.key, tuple):
        return BoundaryDrawing()
    measurement = held_on(measurement, ground.profile)
    rate = float(10**home.log_y) if home.lent else measurement.achieved_flop_per_s
    if not rate or not has_log10(rate):
        return BoundaryDrawing()
    others = [boundary for boundary in measurement.traffic if boundary != ground.boundary]
    found = []
    for boundary in others:
        intensity = _intensity(measurement, boundary, rate if home.lent else None)
        if intensity is not None and has_log10(intensity):
            point = Point(intensity, rate, home.pipe)
            found.append(_marker(measurement, home, point, Ground(ground.profile, boundary)))
    if not found:
        return BoundaryDrawing()
    xs = tuple(sorted((home.log_x, *(one.log_x for one in found))))
    return BoundaryDrawing(tuple(found), BoundaryRun(home.key, home.slot, xs, home.log_y))


def _intensity(measurement: Measurement, boundary: str, lent_flop_per_s: float | None) -> float | None:
    """Return work per byte at a boundary, in FLOP/byte, as counted or from a rate that was not counted."""
    if lent_flop_per_s is None:
        return measurement.intensity(boundary)
    flow = measurement.bytes_per_s(boundary)
    return lent_flop_per_s / flow if flow else None


def boundary_label(ground: Ground) -> str:
    """Return the machine's word for a boundary, or its id where the machine has none of that name."""
    known = ground.profile.boundaries.get(ground.boundary)
    return known.label if known is not None else ground.boundary.upper()


def _marker(measurement: Measurement, home: Marker, point: Point, ground: Ground) -> Marker:
    label, traffic = boundary_label(ground), measurement.traffic_bytes(ground.boundary)
    amount = "" if traffic is None else f", {format_quantity(traffic, 'B', digits=4)}"
    tip = [measurement.kernel, f"at {label}: I {format_number(point.intensity)} FLOP/byte{amount}"]
    status = ""
    if ground.boundary in ground.profile.boundaries:
        roof = ground.roof(point.intensity, point.pipe)
        status = status_words(point.intensity, point.rate, roof)
        tip.append(f"headroom {format_number(roof / point.rate)}× to the roof at {label}")
    return Marker(
        home.key,
        "",
        log10(point.intensity),
        home.log_y,
        "boundary",
        home.slot,
        label,
        ground.boundary,
        tip=tuple(tip),
        status=status,
        kernel=True,
        form=home.form,
    )
