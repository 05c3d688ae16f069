"""Measured points over a sweep: what the kernels paired with an entry took, at the entry's own value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rooflinestudio.core.pairing.edits import found_pairs
from rooflinestudio.core.pairing.figures import paired_figures

if TYPE_CHECKING:
    from rooflinestudio.core.pairing.figures import KernelFigures
    from rooflinestudio.core.placement import Placement
    from rooflinestudio.core.placing import PlacedRow, PlacedStudy
    from rooflinestudio.core.sweep.panel import FigureId

__all__ = ["MeasuredPoint", "measured_points"]

_WITHOUT_WORK = frozenset(("time", "traffic", "throughput"))


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
    for one in found_pairs(placed.study):
        if one.entry.id != row.entry.id:
            continue
        kernel = paired_figures(one.overlay, one.index, row, placement.profile, placement.boundary_id)
        y = _figure(kernel, placement, figure, here[1])
        if y is not None and y > 0:
            work_from = "" if figure in _WITHOUT_WORK else kernel.work_from
            found.append(MeasuredPoint(here[0], y, kernel.measurement.kernel_short, work_from))
    return tuple(found)


def _figure(kernel: KernelFigures, placement: Placement, figure: FigureId, predicted: float) -> float | None:
    """Return the measured figure of a curve."""
    time_s = kernel.measurement.time_s
    if figure == "time":
        return time_s
    if figure == "traffic":
        return kernel.traffic_bytes
    if figure == "throughput":  # what a run handles is the same: it goes with one over the time
        return predicted * float(placement.time_s) / time_s if time_s else None
    if figure == "intensity":
        return kernel.intensity
    return kernel.fraction_of_peak if figure == "fraction" else kernel.achieved_flop_per_s
