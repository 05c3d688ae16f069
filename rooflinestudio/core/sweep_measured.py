"""Measured points over a sweep: what the kernels paired with an entry took, at the entry's own value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.measurement import Measurement
    from rooflinestudio.core.placement import Placement
    from rooflinestudio.core.placing import PlacedRow, PlacedStudy
    from rooflinestudio.core.sweep_panel import FigureId

__all__ = ["MeasuredPoint", "measured_points"]


@dataclass(frozen=True, slots=True)
class MeasuredPoint:
    """One kernel: the entry's own value, the measured figure, the kernel's name, and where its work comes from."""

    x: float
    y: float
    name: str
    work_from: str = ""


def measured_points(
    placed: PlacedStudy, row: PlacedRow, figure: FigureId, here: tuple[float, float] | None
) -> tuple[MeasuredPoint, ...]:
    """Return the measured kernels that are paired with an entry; what a file does not tell is left out.

    Parameters
    ----------
    here
        The entry's own value and predicted figure; without one nothing can be laid over.
    """
    placement = row.placement
    if here is None or placement is None:
        return ()
    found = []
    for measurement in _paired(placed, row.entry.id):
        y, work_from = _figure(measurement, placement, figure, here[1])
        if y is not None and y > 0:
            found.append(MeasuredPoint(here[0], y, measurement.kernel_short, work_from))
    return tuple(found)


def _paired(placed: PlacedStudy, entry_id: str) -> Iterator[Measurement]:
    for pair in placed.study.pairs:
        overlay = next((one for one in placed.study.overlays if one.digest == pair.overlay), None)
        if pair.entry != entry_id or overlay is None:
            continue
        at = (overlay.columns["launch"] == pair.launch).nonzero()[0]
        if len(at):
            yield overlay.measurement(int(at[0]))


def _figure(
    measurement: Measurement, placement: Placement, figure: FigureId, predicted: float
) -> tuple[float | None, str]:
    """Return the measured figure, and "W from operator" where no counter told the work."""
    time_s, traffic = measurement.time_s, measurement.traffic_bytes(placement.boundary_id)
    if figure == "time":
        return time_s, ""
    if figure == "traffic":
        return traffic, ""
    if figure == "throughput":  # what a run handles is the same: it goes with one over the time
        return (predicted * float(placement.time_s) / time_s if time_s else None), ""
    rate, intensity, work_from = (
        measurement.achieved_flop_per_s,
        measurement.intensity(placement.boundary_id),
        "",
    )
    if not measurement.work_flop:
        work, work_from = float(placement.work_flop), "W from the operator"
        rate = work / time_s if time_s else None
        intensity = work / traffic if traffic else None
    if figure == "intensity":
        return intensity, work_from
    if figure == "fraction":
        rate = rate / placement.ceiling_flop_per_s if rate else None
    return rate, work_from
