"""All that the sweep tab shows, as one frozen picture; curves that cannot have changed are taken over."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from rooflinestudio.core.chains import source_for
from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.quantities import format_quantity
from rooflinestudio.core.sweep_curves import CurveKey, curve_of, subject_of
from rooflinestudio.core.sweep_curves_drawn import DrawnCurve, drawn
from rooflinestudio.core.sweep_curves_words import ThresholdLine, ridge_line, threshold_lines, verdict
from rooflinestudio.core.sweep_panel import figure_word, sweep_spec

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.placing import EstimateSource, PlacedRow, PlacedStudy
    from rooflinestudio.core.sweep_panel import SweepSpec

__all__ = ["MeasuredSpot", "Shade", "SweepPicture", "sweep_picture"]

MOST_CURVES = 24


class Shade(NamedTuple):
    """From this value of the parameter on the leading curve does not fit into dram; ``words`` says so."""

    beyond: float
    words: tuple[str, ...]


class MeasuredSpot(NamedTuple):
    """A measured kernel held against an entry, at the value that the entry has."""

    entry: str
    x: float
    y: float
    words: str


@dataclass(frozen=True, eq=False)
class SweepPicture:
    """What the tab shows.

    Attributes
    ----------
    curves
        The leading one first; those without figures have a reason.
    lines
        The thresholds as text, from left to right, curve by curve.
    unit
        SI unit of the upright axis, empty for a share.
    machine
        The machine that all curves are on.
    """

    spec: SweepSpec
    curves: tuple[DrawnCurve, ...]
    lines: tuple[ThresholdLine, ...]
    measured: tuple[MeasuredSpot, ...]
    shade: Shade | None
    verdict: str
    unit: str
    machine: str
    memory: Any = None

    @property
    def lead(self) -> DrawnCurve:
        """The leading curve."""
        return self.curves[0]

    @property
    def title(self) -> str:
        """What stands over the plot: figure and parameter."""
        words = figure_word(self.spec.figure)
        unit = f", {self.unit}" if self.unit else ""
        return f"{words[0].upper()}{words[1:]}{unit} over {self.spec.parameter}"


def sweep_picture(
    placed: PlacedStudy,
    source: EstimateSource,
    selected: str | None = None,
    machine: str = "",
    previous: SweepPicture | None = None,
) -> SweepPicture | None:
    """Return what the tab shows, or None while nothing can be swept.

    Parameters
    ----------
    selected
        The selected entry; it leads where the study names none.
    machine
        The machine to sweep on where an entry is on several.
    previous
        The last picture: curves whose operator, fixed parameters, machine and settings are the same are taken over.
    """
    source = source_for(source, placed.study)
    spec = sweep_spec(placed, source, selected)
    if spec is None:
        return None
    known = previous.memory if previous is not None else {}
    memory: dict[Any, DrawnCurve] = {}
    curves: list[DrawnCurve] = []
    for row, key in _keys(placed, spec, machine):
        seen = _identity(row, spec, source, key, placed)
        old = known.get(seen) if seen is not None else None
        curve = (
            old
            if old is not None and old.row is row
            else drawn(old or curve_of(row, spec, source, key), row, spec)
        )
        if seen is not None:
            memory[seen] = curve
        curves.append(curve)
    if not curves:
        return None
    lead = curves[0]
    ridge = ridge_line(lead, spec, source)
    lines = [line for one in curves for line in threshold_lines(one, spec, several=len(curves) > 1)]
    return SweepPicture(
        spec,
        tuple(curves),
        (*lines, *([ridge] if ridge is not None else ())),
        tuple(_measured(placed, spec, curves)),
        _shade(lead, spec),
        verdict(lead, spec, ridge),
        next((one.unit for one in curves if one.unit), ""),
        lead.row.profile.short_name if lead.row.profile is not None else lead.row.machine,
        memory,
    )


def _keys(placed: PlacedStudy, spec: SweepSpec, machine: str) -> Iterator[tuple[PlacedRow, CurveKey]]:
    count = 0
    for id_ in spec.entries:
        rows = placed.rows_of(id_)
        row = next((one for one in rows if one.machine == machine), rows[0] if rows else None)
        if row is None:
            continue
        for policy in spec.policies or (row.settings.policy,):
            for second in spec.second[1] if spec.second is not None else (None,):
                count += 1
                if count > MOST_CURVES:
                    return
                yield row, CurveKey(id_, policy, second)


def _identity(
    row: PlacedRow, spec: SweepSpec, source: EstimateSource, key: CurveKey, placed: PlacedStudy
) -> Any:
    """Return what a curve depends on, or None where that cannot be told; the running parameter is no part of it."""
    try:
        subject = subject_of(row, spec, source, key)
        what = tuple(sorted((name, repr(value)) for name, value in subject.fixed.items()))
        formats = tuple(sorted(row.entry.dtypes.items()))
    except StudioError:
        return None
    axis = (spec.names, spec.low, spec.high, spec.points, spec.is_log, spec.figure, spec.shows_stairs)
    study = placed.study
    made = id(study.kernels), id(study.chains)
    return (
        key,
        row.entry.operator,
        what,
        formats,
        subject.profile.id,
        id(subject.profile),
        subject.settings,
        axis,
        made,
    )


def _shade(lead: DrawnCurve, spec: SweepSpec) -> Shade | None:
    """Return the part that does not fit into dram, where it begins within the range."""
    mark = next((one for one in lead.marks if one.ends_capacity), None)
    profile = lead.row.profile
    dram = profile.boundaries.get("dram") if profile is not None else None
    if dram is None or dram.capacity is None or not len(lead.x):
        return None
    held = f"does not fit in {format_quantity(dram.capacity.value, 'B')}"
    if mark is not None:
        is_batch = spec.names == ("batch",) and lead.unit == "tok/s"
        most = f"{mark.below:.15g}"
        return Shade(
            mark.x, (held, f"more than {most} sequences" if is_batch else f"{spec.parameter} above {most}")
        )
    return Shade(spec.low, (held, "anywhere in this range")) if not lead.fits.any() else None


def _measured(placed: PlacedStudy, spec: SweepSpec, curves: list[DrawnCurve]) -> Iterator[MeasuredSpot]:
    by_entry = {one.key.entry: one for one in reversed(curves)}
    for overlay in placed.study.overlays:
        for pair in placed.study.pairs:
            curve = by_entry.get(pair.entry)
            if pair.overlay != overlay.digest or curve is None or curve.here is None:
                continue
            found = (overlay.columns["launch"] == pair.launch).nonzero()[0]
            if not len(found):
                continue
            measured = overlay.measurement(int(found[0]))
            y = _measured_figure(measured, spec, curve.row)
            if y is not None and math.isfinite(y):
                yield MeasuredSpot(pair.entry, curve.here[0], y, f"measured, {measured.kernel_short}")


def _measured_figure(measured: Any, spec: SweepSpec, row: PlacedRow) -> float | None:
    """Return a figure of a measured kernel; one that was not measured is None."""
    boundary = row.settings.boundary or "dram"
    figures = {
        "time": measured.time_s,
        "intensity": measured.intensity(boundary),
        "attainable": measured.achieved_flop_per_s,
        "traffic": measured.traffic_bytes(boundary),
    }
    found = figures.get(spec.figure)
    return None if found is None else float(found)
