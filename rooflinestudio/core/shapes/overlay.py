"""Measured times of a table of shapes as measurements, each paired with the placement of its shape.

A table of times has no counters. So that predicted and measured stand together, work and traffic are those of the
operator: the work as it is defined, the traffic at its least (every tensor once). Both say that they were not measured.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.dtypes import parse_dtypes
from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.measurement import MeasuredFigure, MeasuredTraffic, Measurement, MeasurementFile
from rooflinestudio.core.measurement_overlay import Overlay
from rooflinestudio.core.placing import evaluate
from rooflinestudio.core.settings import Settings
from rooflinestudio.core.shapes.words import value_text
from rooflinestudio.core.study import Pair

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.placement import Placement
    from rooflinestudio.core.placing import EstimateSource
    from rooflinestudio.core.shapes.entries import PlacedShapes
    from rooflinestudio.core.shapes.table import ShapeTable
    from rooflinestudio.core.study import Entry, Study

__all__ = ["FORMAT", "ShapesStudy", "kernel_name", "with_shapes"]

FORMAT: Final = "shapes"
_NOTE: Final = "only the time was measured: work and traffic are the operator's"


@dataclass(frozen=True)
class ShapesStudy:
    """A study with the shapes of a table placed.

    Attributes
    ----------
    ids
        Of the new entries.
    measured
        How many measurements were paired with them.
    digest
        Of their overlay, or empty.
    """

    study: Study
    ids: tuple[str, ...]
    measured: int = 0
    digest: str = ""


def with_shapes(
    study: Study,
    placed: PlacedShapes,
    table: ShapeTable,
    *,
    path: str = "",
    on: tuple[EstimateSource, HardwareProfile] | None = None,
) -> ShapesStudy:
    """Return the study with placements of a table and, where it has times, measurements paired with them.

    Parameters
    ----------
    placed
        Entries and the rows they come from.
    path
        Of the file, for the overlay.
    on
        Source and machine by which work and traffic of a measured shape are told; None leaves times out.
    """
    wider = replace(study, entries=(*study.entries, *placed.entries))
    ids = tuple(one.id for one in placed.entries)
    timed = [at for at in placed.entry_of if _time(table, at) is not None]
    if on is None or not timed:
        return ShapesStudy(wider, ids)
    measurements = _measurements(placed, table, timed, on)
    digest = _digest(measurements)
    taken = {(one.overlay, one.kernel, one.launch) for one in study.pairs}
    pairs = tuple(
        Pair(digest, one.kernel_key, one.launch, ids[placed.entry_of[at]])
        for one, at in zip(measurements, timed, strict=True)
        if (digest, one.kernel_key, one.launch) not in taken
    )
    wider = replace(wider, pairs=(*study.pairs, *pairs))
    if not any(one.digest == digest for one in study.overlays):
        note = f"{_NOTE[0].upper()}{_NOTE[1:]}."
        file = MeasurementFile(path or table.name, FORMAT, (note,), measurements, digest)
        wider = replace(wider, overlays=(*study.overlays, Overlay.from_file(file, table.name)))
    return ShapesStudy(wider, ids, len(measurements), digest)


def kernel_name(entry: Entry, shape: Iterable[tuple[str, Any]]) -> str:
    """Return what a measured shape is called: ``gemm<m=4096, n=4096, k=512>``, with the formats where there are any."""
    words = [f"{name}={value_text(value)}" for name, value in shape]
    words += [one if role == "all" else f"{role}={one}" for role, one in entry.dtypes.items()]
    return f"{entry.operator}<{', '.join(words)}>"


def _time(table: ShapeTable, at: int) -> float | None:
    value = float(table.time_s[at]) if table.time_s is not None else float("nan")
    return value if value == value else None


def _measurements(
    placed: PlacedShapes, table: ShapeTable, rows: list[int], on: tuple[EstimateSource, HardwareProfile]
) -> tuple[Measurement, ...]:
    held: dict[int, Placement | str] = {}
    found = []
    for launch, at in enumerate(rows):
        which = placed.entry_of[at]
        entry = placed.entries[which]
        if which not in held:
            held[which] = _held(entry, *on)
        name = kernel_name(entry, table.parameters(at).items())
        found.append(_measurement(launch, name, _time(table, at) or 0.0, held[which], _where(table, at)))
    return tuple(found)


def _where(table: ShapeTable, at: int) -> str:
    return f"column {table.heads.get('time', 'of times')}, line {int(table.line[at])}"


def _held(entry: Entry, source: EstimateSource, profile: HardwareProfile) -> Placement | str:
    """Return the least that the operator can do, or why it has no answer."""
    try:
        return evaluate(
            source,
            entry.operator,
            entry.parameters,
            parse_dtypes(entry.dtypes),
            profile,
            Settings(boundary="dram"),
        )
    except StudioError as error:
        return str(error)


def _measurement(launch: int, name: str, time_s: float, held: Placement | str, where: str) -> Measurement:
    figures = {"time_s": MeasuredFigure(time_s, where, "rounded")}
    if isinstance(held, str):
        return Measurement(
            launch=launch,
            kernel=name,
            kernel_short=name,
            time_s=time_s,
            figures=figures,
            reason=f"no W: {held}",
        )
    work, traffic, pipe = float(held.work_flop), float(held.traffic_bytes), held.ceiling_id
    figures[f"work.{pipe}"] = MeasuredFigure(work, f"W of {name}: not measured", "estimated")
    figures["dram_bytes"] = MeasuredFigure(traffic, f"Q of {name}, every tensor once: not measured", "lower")
    return Measurement(
        launch=launch,
        kernel=name,
        kernel_short=name,
        time_s=time_s,
        work={pipe: work},
        traffic={"dram": MeasuredTraffic(None, None, traffic)},
        figures=figures,
        notes=(_NOTE,),
        reason=None if work > 0 and traffic > 0 else "W or Q of the operator is 0: no place on a roofline",
    )


def _digest(measurements: tuple[Measurement, ...]) -> str:
    rows = [(one.kernel, one.time_s, dict(one.work)) for one in measurements]
    return hashlib.sha256(repr((FORMAT, rows)).encode()).hexdigest()
