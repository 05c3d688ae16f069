"""Measured kernels that are paired with an entry: their markers, and a segment from what was predicted for each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from rooflinestudio.core.quantities import format_number, format_ratio
from rooflinestudio.ui.canvas.coordinates import has_log10, log10
from rooflinestudio.ui.canvas.scene import Segment
from rooflinestudio.ui.canvas.scene_rows import Figures, entry_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.measurement import Measurement
    from rooflinestudio.core.measurement_overlay import Overlay
    from rooflinestudio.core.placing import PlacedRow, PlacedStudy
    from rooflinestudio.core.study import Pair
    from rooflinestudio.ui.canvas.scene import Key, Marker

__all__ = ["PairDrawing", "PairedPoint", "draw_pairs"]


class Ground(Protocol):
    """What measured points are held against: a machine at one boundary."""

    @property
    def profile(self) -> HardwareProfile: ...

    @property
    def boundary(self) -> str: ...


class PairedPoint(NamedTuple):
    """A paired kernel at the boundary in view: FLOP/byte, FLOP/s, main pipe, and where its work comes from."""

    intensity: float
    rate: float
    pipe: str | None
    work_from: str = ""


@dataclass(frozen=True)
class PairDrawing:
    """What the pairs of one overlay put on the canvas; ``kernels`` are the positions of the paired ones."""

    markers: tuple[Marker, ...] = ()
    segments: tuple[Segment, ...] = ()
    kernels: tuple[int, ...] = ()


def draw_pairs(
    placed: PlacedStudy,
    overlay: Overlay,
    ground: Ground,
    *,
    hidden: NDArray[Any],
    marker_of: Callable[..., Marker],
) -> PairDrawing:
    """Return the drawing of the pairs of an overlay, without the kernels that are ``hidden``.

    Parameters
    ----------
    marker_of
        Makes the marker of a kernel from its key, the measurement, its point, the ground and a colour slot.
    """
    markers: list[Marker] = []
    segments: list[Segment] = []
    paired = {index: row for index, row in _paired(placed, overlay) if not hidden[index]}
    for index, row in paired.items():
        marker, segment = _draw_pair(overlay, index, row, ground, marker_of)
        markers += [marker] if marker is not None else []
        segments += [segment] if segment is not None else []
    return PairDrawing(tuple(markers), tuple(segments), tuple(paired))


def _paired(placed: PlacedStudy, overlay: Overlay) -> Iterator[tuple[int, PlacedRow]]:
    """Yield (position in the overlay, row of the entry) for the pairs of an overlay."""
    pairs = [pair for pair in placed.study.pairs if pair.overlay == overlay.digest]
    if not pairs:
        return
    launches = overlay.columns["launch"]
    for pair in pairs:
        row = _row_of_pair(placed, pair)
        found = (launches == pair.launch).nonzero()[0]
        if row is not None and len(found):
            yield int(found[0]), row


def _row_of_pair(placed: PlacedStudy, pair: Pair) -> PlacedRow | None:
    rows = [row for row in placed.rows_of(pair.entry) if row.placement is not None and row.entry.visible]
    return rows[0] if rows else None


def _point(measurement: Measurement, ground: Ground, row: PlacedRow) -> PairedPoint | None:
    """Return where a kernel stands; work that no counter gave is taken from the operator it is paired with."""
    intensity, rate = measurement.intensity(ground.boundary), measurement.achieved_flop_per_s
    if intensity is not None and rate and has_log10(intensity):
        return PairedPoint(intensity, rate, measurement.pipe)
    traffic, time_s = measurement.traffic_bytes(ground.boundary), measurement.time_s
    placement = row.placement
    if placement is None or measurement.work_flop or not traffic or not time_s:
        return None
    work = float(placement.work_flop)
    if not has_log10(work):
        return None
    words = f"W from {entry_name(row.entry)}"
    return PairedPoint(work / traffic, work / time_s, placement.estimate.main_pipe, words)


def _draw_pair(
    overlay: Overlay, index: int, row: PlacedRow, ground: Ground, marker_of: Callable[..., Marker]
) -> tuple[Marker | None, Segment | None]:
    measurement = overlay.measurement(index)
    point = _point(measurement, ground, row)
    placement = row.placement
    if point is None or placement is None:
        return None, None
    key: Key = ("measured", overlay.digest, index)
    marker = marker_of(key, measurement, point, ground, row.entry.slot)
    figures = Figures.of(placement)
    if not has_log10(figures.intensity) or measurement.time_s is None:
        return marker, None
    ratio = measurement.time_s / figures.time_s
    segment = Segment(
        key,
        row.entry.slot,
        (log10(figures.intensity), log10(figures.rate)),
        (marker.log_x, marker.log_y),
        f"measured {format_ratio(ratio)}",
        f"{format_number(ratio)}×" if ratio >= 1 else format_ratio(ratio),
    )
    return marker, segment
