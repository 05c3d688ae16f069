"""What a pair says: a measured kernel beside its prediction, with the ratios of traffic, of time and of headroom.

Work that the counters are blind to is that of the operator (MODEL: nothing is invented), and the readout names it. The
rule for that is the diagnosis's own (:class:`Case`), so that canvas, table and diagnosis cannot disagree.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rooflinestudio.core.diagnosis.case import Case, paired_words
from rooflinestudio.core.pipes import resolve_pipe
from rooflinestudio.core.study import CHAIN_PREFIX

if TYPE_CHECKING:
    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.measurement import Measurement
    from rooflinestudio.core.measurement_overlay import Overlay
    from rooflinestudio.core.placement import Placement
    from rooflinestudio.core.placing import PlacedRow, PlacedStudy
    from rooflinestudio.core.study import Entry

__all__ = ["PairReadout", "entry_name", "read_pair", "roof_at", "row_for_pair"]


def entry_name(entry: Entry) -> str:
    """Return what an entry is called on screen."""
    return entry.label or entry.operator.removeprefix(CHAIN_PREFIX)


def row_for_pair(placed: PlacedStudy, entry_id: str, machine: str = "") -> PlacedRow | None:
    """Return the placed row that a kernel is held against: on a machine, else on the entry's first one."""
    rows = [row for row in placed.rows_of(entry_id) if row.placement is not None]
    return next((row for row in rows if row.machine == machine), rows[0] if rows else None)


def roof_at(profile: HardwareProfile, boundary: str, intensity: float, pipe: str | None) -> float:
    """Return what a machine allows a pipe at an intensity, in FLOP/s; an unknown pipe counts as the reference."""
    ceiling = resolve_pipe(pipe, profile) if pipe else None
    rate = profile.ceiling(ceiling or profile.reference_ceiling).flop_per_s
    return min(rate, intensity * profile.boundary(boundary).bytes_per_s)


@dataclass(frozen=True)
class PairReadout:
    """A measured kernel beside its prediction, at one boundary. What is not known is None.

    Attributes
    ----------
    row
        What it is held against.
    boundary, boundary_label
        Where traffic and intensity are taken.
    work_flop, pipe, work_from
        W of one launch on its main pipe; where it is the operator's, from which one with which shape, and why:
        ``gemm m = 4096, n = 4096, k = 4096`` (then ``is_lent``).
    intensity, achieved_flop_per_s, roof_flop_per_s
        Where the kernel stands, and what the machine allows there.
    traffic_bytes, predicted_bytes
        Q at the boundary.
    time_s, bound_s, forecast_s
        Measured, by the pure bound, and by the forecast where that is on.
    predicted_headroom
        Of the predicted point under the same roof: 1 for a bound, more for a forecast.
    """

    measurement: Measurement
    row: PlacedRow
    placement: Placement
    boundary: str
    boundary_label: str
    work_flop: float | None
    pipe: str | None
    work_from: str
    work_why: str
    intensity: float | None
    achieved_flop_per_s: float | None
    roof_flop_per_s: float | None
    traffic_bytes: float | None
    predicted_bytes: float | None
    time_s: float | None
    bound_s: float
    forecast_s: float | None
    predicted_headroom: float

    @property
    def is_lent(self) -> bool:
        """Whether the work is that of the operator."""
        return bool(self.work_from)

    @property
    def name(self) -> str:
        """What the entry is called."""
        return entry_name(self.row.entry)

    @property
    def traffic_ratio(self) -> float | None:
        """Measured over predicted traffic."""
        return _over(self.traffic_bytes, self.predicted_bytes)

    @property
    def bound_ratio(self) -> float | None:
        """Measured time over the bound; below 1 something is wrong, or the kernel is not this operator."""
        return _over(self.time_s, self.bound_s)

    @property
    def forecast_ratio(self) -> float | None:
        """Measured time over the forecast; None where the entry has none."""
        return _over(self.time_s, self.forecast_s)

    @property
    def time_ratio(self) -> float | None:
        """Measured time over what is predicted: the forecast where it is on, else the bound."""
        return self.bound_ratio if self.forecast_s is None else self.forecast_ratio

    @property
    def headroom(self) -> float | None:
        """Attainable over achieved, at the measured intensity."""
        return _over(self.roof_flop_per_s, self.achieved_flop_per_s)

    @property
    def headroom_ratio(self) -> float | None:
        """Measured over predicted headroom: what is lost beneath the roof, other than by more traffic."""
        return _over(self.headroom, self.predicted_headroom)

    @property
    def has_place(self) -> bool:
        """Whether the kernel can be drawn on log axes."""
        return _is_positive(self.intensity) and _is_positive(self.achieved_flop_per_s)


def read_pair(
    measurement: Measurement,
    row: PlacedRow,
    profile: HardwareProfile,
    boundary: str,
    overlay: Overlay | None = None,
) -> PairReadout | None:
    """Hold a kernel against a row; None where that is not placed.

    Parameters
    ----------
    profile, boundary
        The machine of the roof, and the boundary in view.
    """
    placement = row.placement
    if placement is None:
        return None
    case = Case(measurement, profile, placement, overlay)
    measurement = case.measurement  # with the main pipe of the machine
    traffic = measurement.traffic_bytes(boundary)
    pipe: str | None
    if case.takes_paired_work:
        work, pipe, rate = case.paired_work, placement.estimate.main_pipe, case.rate
        intensity = _over(work, traffic)
        source, why = paired_words(placement), case.work.recipe.rpartition(": ")[2]
    else:
        work, pipe, rate = measurement.work_flop, measurement.pipe, measurement.achieved_flop_per_s
        intensity, source, why = measurement.intensity(boundary), "", ""
    roof = roof_at(profile, boundary, intensity, pipe) if intensity and math.isfinite(intensity) else None
    with_forecast = row.settings.forecast
    bound = row.varied(forecast=False) if with_forecast else placement
    predicted = placement.at(boundary).traffic_bytes if boundary in placement.profile.boundaries else None
    return PairReadout(
        measurement, row, placement, boundary, profile.boundary(boundary).label, work, pipe, source, why, intensity,
        rate, roof, traffic, None if predicted is None else float(predicted), measurement.time_s,
        float(bound.time_s), float(placement.time_s) if with_forecast else None, _predicted_headroom(placement),
    )  # fmt: skip


def _predicted_headroom(placement: Placement) -> float:
    """Return attainable over what is predicted: the roof at the predicted intensity over the predicted rate."""
    rate, intensity = float(placement.attainable_flop_per_s), float(placement.intensity)
    if not (_is_positive(rate) and _is_positive(intensity)):
        return 1.0
    if not placement.at(placement.boundary_id).crosses:
        return placement.ceiling_flop_per_s / rate
    slope = placement.profile.boundaries[placement.boundary_id].bytes_per_s
    return max(1.0, min(placement.ceiling_flop_per_s, intensity * slope) / rate)


def _is_positive(value: float | None) -> bool:
    return value is not None and 0 < value < math.inf


def _over(value: float | None, by: float | None) -> float | None:
    return value / by if value is not None and by is not None and by > 0 and math.isfinite(value) else None
