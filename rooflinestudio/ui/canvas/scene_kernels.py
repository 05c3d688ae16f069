"""One measured kernel on the canvas: where it stands against a machine, its marker, and the words for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.measured.main import beside_words, held_on
from rooflinestudio.core.pipes import resolve_pipe
from rooflinestudio.core.quantities import format_number, format_quantity
from rooflinestudio.core.study import SLOTS
from rooflinestudio.ui.canvas.coordinates import has_log10, log10
from rooflinestudio.ui.canvas.scene import Marker
from rooflinestudio.ui.canvas.scene_rows import status_words

if TYPE_CHECKING:
    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.measurement import Measurement
    from rooflinestudio.core.measurement_overlay import Overlay
    from rooflinestudio.ui.canvas.scene import Key
    from rooflinestudio.ui.canvas.scene_pairs import PairedPoint

__all__ = ["Ground", "Point", "kernel_marker", "kernel_tip", "measured_point", "tip_of_index"]

OVER_THE_ROOF: Final = 1.02


@dataclass(frozen=True, eq=False)
class Ground:
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
class Point:
    """A measured kernel at the boundary in view: FLOP/byte, FLOP/s, and where its work comes from."""

    intensity: float
    rate: float
    pipe: str | None
    work_from: str = ""


def measured_point(measurement: Measurement, ground: Ground) -> Point | None:
    """Return where a kernel stands, None where its file does not tell."""
    measurement = held_on(measurement, ground.profile)
    intensity, rate = measurement.intensity(ground.boundary), measurement.achieved_flop_per_s
    if intensity is not None and rate and has_log10(intensity):
        return Point(intensity, rate, measurement.pipe)
    return None


def tip_of_index(overlay: Overlay, ground: Ground, index: int) -> tuple[tuple[str, ...], str, float | None]:
    """Return tool tip, status line and log10 of the roof over one kernel, made when it is hovered."""
    measurement = overlay.measurement(index)
    point = measured_point(measurement, ground)
    if point is None:
        return (measurement.kernel,), "", None
    roof = ground.roof(point.intensity, point.pipe)
    return (
        kernel_tip(measurement, point, ground),
        status_words(point.intensity, point.rate, roof),
        log10(roof),
    )


def kernel_tip(measurement: Measurement, point: Point | PairedPoint, ground: Ground) -> tuple[str, ...]:
    """Return the tool tip of a kernel: its full name, then its figures."""
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
    beside = beside_words(measurement, point.pipe)
    if beside:
        lines.append(f"W on {point.pipe}, {beside}" if point.pipe else beside)
    if point.work_from:
        lines.append(point.work_from)
    if point.rate > OVER_THE_ROOF * roof:
        lines.append("Above the roof: look at sparse peak, clock, pipe, cache hits and units.")
    return tuple(lines)


def kernel_marker(  # noqa: PLR0913 - what a marker consists of
    key: Key,
    measurement: Measurement,
    point: Point | PairedPoint,
    ground: Ground,
    slot: int | str | None,
    *,
    form: int = 0,
    radius: float | None = None,
) -> Marker:
    """Return the marker of a kernel; ``form`` and ``radius`` as of :class:`Marker`."""
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
        tip=kernel_tip(measurement, point, ground),
        status=status_words(point.intensity, point.rate, roof),
        square=isinstance(slot, int) and slot >= SLOTS,
        log_roof=log10(roof) if roof > point.rate else None,
        kernel=True,
        form=form,
        radius=radius,
        pipe=point.pipe,
    )
