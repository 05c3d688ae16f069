"""From overlays to what is drawn of them: a point per measured kernel, pairs joined to their prediction."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.measured_panel import hidden_kernels, kernel_slots, measured_panel
from rooflinestudio.core.pipes import resolve_pipe
from rooflinestudio.core.quantities import format_number, format_quantity
from rooflinestudio.core.study import SLOTS
from rooflinestudio.ui.canvas.coordinates import has_log10, log10, log10_columns
from rooflinestudio.ui.canvas.scene import Marker, OverlayPoints
from rooflinestudio.ui.canvas.scene_pairs import draw_pairs
from rooflinestudio.ui.canvas.scene_rows import status_words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.measurement import Measurement
    from rooflinestudio.core.measurement_overlay import Overlay
    from rooflinestudio.core.placing import PlacedStudy
    from rooflinestudio.ui.canvas.scene import Key, Segment

__all__ = ["FEW_KERNELS", "MeasuredDrawing", "draw_measured"]

FEW_KERNELS: Final = 24
"""Up to so many kernels of a file are markers of their own, with a name beside them."""
OVER_THE_ROOF: Final = 1.02


@dataclass(frozen=True)
class MeasuredDrawing:
    """What the overlays put on the canvas; ``corners`` are the outermost points, for Fit."""

    markers: tuple[Marker, ...] = ()
    segments: tuple[Segment, ...] = ()
    overlays: tuple[OverlayPoints, ...] = ()
    corners: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True)
class _Ground:
    """What measured points are held against: a machine at one boundary."""

    profile: HardwareProfile
    boundary: str

    def roof(self, intensity: float, pipe: str | None) -> float:
        """Return what the machine allows a pipe at an intensity, in FLOP/s; an unknown pipe counts as the reference."""
        ceiling = resolve_pipe(pipe, self.profile) if pipe else None
        rate = self.profile.ceiling(ceiling or self.profile.reference_ceiling).flop_per_s
        return min(rate, intensity * self.profile.boundary(self.boundary).bytes_per_s)

    @property
    def label(self) -> str:
        return self.profile.boundary(self.boundary).label


@dataclass(frozen=True)
class _Point:
    """A measured kernel at the boundary in view: FLOP/byte, FLOP/s, and where its work comes from."""

    intensity: float
    rate: float
    pipe: str | None
    work_from: str = ""


def draw_measured(
    placed: PlacedStudy,
    profile: HardwareProfile,
    boundary: str,
    *,
    hidden: frozenset[str] = frozenset(),
    selected: Key | None = None,
) -> MeasuredDrawing:
    """Return the drawing of all overlays that are not hidden.

    Kernels that the measured tab hides are left out; those that it colours are markers even among many.

    Parameters
    ----------
    profile, boundary
        The strong machine, and the boundary at which intensities are taken.
    selected
        A measured kernel that is drawn as a marker even among many.
    """
    ground, panel = _Ground(profile, boundary), measured_panel(placed.study)
    markers: list[Marker] = []
    segments: list[Segment] = []
    clouds: list[OverlayPoints] = []
    corners: list[tuple[float, float]] = []
    for overlay in placed.study.overlays:
        if overlay.digest in hidden:
            continue
        out, slots = hidden_kernels(panel, overlay), kernel_slots(panel, overlay)
        pairs = draw_pairs(placed, overlay, ground, hidden=out, marker_of=_marker)
        markers += pairs.markers
        segments += pairs.segments
        cloud = _cloud(overlay, ground, without=out | _mask(len(overlay), pairs.kernels))
        corners += _corners(cloud)
        if len(cloud) <= FEW_KERNELS:
            for index in cloud.index:
                markers += _draw_alone(overlay, int(index), ground, slots)
            continue
        clouds.append(cloud)
        for index in cloud.index[slots[cloud.index] >= 0][:FEW_KERNELS]:
            markers += _draw_alone(overlay, int(index), ground, slots)
        chosen = _selected_kernel(selected, overlay)
        if chosen is not None and chosen in cloud.index and slots[chosen] < 0:
            markers += _draw_alone(overlay, chosen, ground, slots)
    return MeasuredDrawing(tuple(markers), tuple(segments), tuple(clouds), tuple(corners))


def _selected_kernel(selected: Key | None, overlay: Overlay) -> int | None:
    """Return which kernel of an overlay is selected, or None."""
    if isinstance(selected, tuple) and selected[0] == "measured" and selected[1] == overlay.digest:
        return selected[2]
    return None


def _mask(count: int, indices: Iterable[int]) -> NDArray[Any]:
    import numpy as np

    mask = np.zeros(count, bool)
    mask[list(indices)] = True
    return mask


def _cloud(overlay: Overlay, ground: _Ground, *, without: NDArray[Any]) -> OverlayPoints:
    import numpy as np

    rates = overlay.columns["achieved_flop_per_s"]
    intensities = overlay.columns.get(f"intensity_{ground.boundary}")
    if intensities is None:  # nothing of the file was counted at this boundary
        intensities = np.full(len(overlay), np.nan)
    log_x, log_y, index = log10_columns(intensities, rates)
    if without.any():
        alone = ~without[index]
        log_x, log_y, index = log_x[alone], log_y[alone], index[alone]
    tip = partial(_tip_of_index, overlay, ground)
    return OverlayPoints(overlay.digest, overlay.name, log_x, log_y, index, tip)


def _corners(cloud: OverlayPoints) -> list[tuple[float, float]]:
    if not len(cloud):
        return []
    xs, ys = cloud.log_x, cloud.log_y
    return [(float(xs.min()), float(ys.min())), (float(xs.max()), float(ys.max()))]


def _tip_of_index(overlay: Overlay, ground: _Ground, index: int) -> tuple[tuple[str, ...], str, float | None]:
    """Return tool tip, status line and log10 of the roof over one kernel, made when it is hovered."""
    measurement = overlay.measurement(index)
    point = _measured_point(measurement, ground)
    if point is None:
        return (measurement.kernel_short,), "", None
    roof = ground.roof(point.intensity, point.pipe)
    return _tip(measurement, point, ground), status_words(point.intensity, point.rate, roof), log10(roof)


def _measured_point(measurement: Measurement, ground: _Ground) -> _Point | None:
    """Return where a kernel stands, None where its file does not tell."""
    intensity, rate = measurement.intensity(ground.boundary), measurement.achieved_flop_per_s
    if intensity is not None and rate and has_log10(intensity):
        return _Point(intensity, rate, measurement.pipe)
    return None


def _tip(measurement: Measurement, point: _Point, ground: _Ground) -> tuple[str, ...]:
    roof = ground.roof(point.intensity, point.pipe)
    headroom = roof / point.rate
    time = "" if measurement.time_s is None else f" in {format_quantity(measurement.time_s, 's', digits=4)}"
    traffic = measurement.traffic_bytes(ground.boundary)
    lines = [
        measurement.kernel,
        f"measured {format_quantity(point.rate, 'FLOP/s')}{time}",
        f"I {format_number(point.intensity)} FLOP/byte at {ground.label}"
        + ("" if traffic is None else f", {format_quantity(traffic, 'B', digits=4)}"),
        f"headroom {format_number(headroom)}× to the roof of {ground.profile.short_name}",
    ]
    if point.work_from:
        lines.append(point.work_from)
    if point.rate > OVER_THE_ROOF * roof:
        lines.append("Above the roof: look at sparse peak, clock, pipe, cache hits and units.")
    return tuple(lines)


def _marker(
    key: Key, measurement: Measurement, point: _Point, ground: _Ground, slot: int | str | None
) -> Marker:
    roof = ground.roof(point.intensity, point.pipe)
    time = "" if measurement.time_s is None else f" · {format_quantity(measurement.time_s, 's')}"
    source = f" · {point.work_from}" if point.work_from else ""
    return Marker(
        key,
        "",
        log10(point.intensity),
        log10(point.rate),
        "measured",
        slot,
        measurement.kernel_short,
        f"{format_quantity(point.rate, 'FLOP/s')}{time}{source}",
        tip=_tip(measurement, point, ground),
        status=status_words(point.intensity, point.rate, roof),
        square=isinstance(slot, int) and slot >= SLOTS,
        log_roof=log10(roof) if roof > point.rate else None,
        kernel=True,
    )


def _draw_alone(overlay: Overlay, index: int, ground: _Ground, slots: NDArray[Any]) -> list[Marker]:
    measurement = overlay.measurement(index)
    point = _measured_point(measurement, ground)
    if point is None:
        return []
    slot = int(slots[index]) if slots[index] >= 0 else None
    return [_marker(("measured", overlay.digest, index), measurement, point, ground, slot)]
