"""The machines of a report: the figures that were used, each with where it comes from, and what sets machines apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.hardware import BOUNDARY_ORDER
from rooflinestudio.core.machines.difference import differences
from rooflinestudio.core.pipes import resolve_pipe
from rooflinestudio.core.quantities import format_number, format_quantity
from rooflinestudio.core.report.document import Column, Facts, Lines, Section, Table
from rooflinestudio.core.report.words import NOTHING, whole

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.hardware import Boundary, ComputeCeiling, Figure, HardwareProfile
    from rooflinestudio.core.placement import Placement
    from rooflinestudio.core.placing import PlacedStudy
    from rooflinestudio.core.report.sources import Sources

__all__ = ["Used", "machines_section", "used_figures", "used_machines"]

DRAM: Final = "dram"
_COLUMNS: Final = (
    Column("Figure"), Column("In use", True), Column("Provenance"), Column("Also known"),
    Column("Condition and notes"), Column("Date"), Column("Sources"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Used:
    """What a study takes from one machine: ids of ceilings and boundaries, and whether forecasts are made."""

    ceilings: tuple[str, ...]
    boundaries: tuple[str, ...]
    forecast: bool


def used_machines(placed: PlacedStudy) -> tuple[HardwareProfile, ...]:
    """Return the machines in view, then those that single entries are held against."""
    ids = dict.fromkeys((*placed.study.view.machines, *(row.machine for row in placed.rows)))
    return tuple(placed.profiles[one] for one in ids if one in placed.profiles)


def used_figures(placed: PlacedStudy, profile: HardwareProfile) -> Used:
    """Return which figures of a machine the rows of a study rest on; at least the roof that is drawn."""
    ceilings, boundaries = {profile.reference_ceiling: None}, {DRAM: None}
    forecast = placed.study.view.forecast
    for row in placed.rows:
        if row.profile is not profile or row.placement is None:
            continue
        for one in _kernels(row.placement):
            ceilings |= dict.fromkeys((one.ceiling_id, *one.limit_ids))
            boundaries |= dict.fromkeys((one.boundary_id, *one.limit_ids))
    for overlay in placed.study.overlays:
        ceilings |= dict.fromkeys(filter(None, (resolve_pipe(one, profile) for one in overlay.pipes)))
    return Used(
        tuple(id_ for id_ in profile.ceilings if id_ in ceilings),
        tuple(id_ for id_ in BOUNDARY_ORDER if id_ in boundaries and id_ in profile.boundaries),
        forecast,
    )


def _kernels(placement: Placement) -> Iterator[Placement]:
    yield placement
    for part in placement.parts:
        yield from _kernels(part.placement)


def machines_section(placed: PlacedStudy, sources: Sources) -> Section:
    """Return the machines, one part each, and with several what sets them apart."""
    machines = used_machines(placed)
    parts = [_machine(one, used_figures(placed, one), sources) for one in machines]
    if len(machines) > 1:
        parts.append(_apart(placed, machines))
    blocks = () if machines else (Lines(("No machine is in view.",)),)
    return Section("machines", "Machines", blocks, tuple(parts))


# One machine ------------------------------------------------------------------------------------------------------


def _machine(profile: HardwareProfile, used: Used, sources: Sources) -> Section:
    rows = tuple(_figure_row(one, profile, sources) for one in _figures(profile, used))
    left = len(profile.ceilings) - len(used.ceilings) + len(profile.boundaries) - len(used.boundaries)
    note = f"{whole(left)} more ceilings and boundaries of the profile were not used." if left else ""
    table = Table(f"Figures of {profile.short_name} that were used", _COLUMNS, rows, note)
    notes = (Lines(profile.notes),) if profile.notes else ()
    return Section(
        f"machine-{profile.id}", profile.name, (Facts(tuple(_facts(profile, used))), table, *notes)
    )


def _facts(profile: HardwareProfile, used: Used) -> Iterator[tuple[str, str]]:
    made = ", ".join(filter(None, (profile.vendor, profile.architecture, str(profile.year or ""))))
    yield "Profile", f"{profile.id}, content {profile.content_hash[:12]}"
    yield "Made", made
    if profile.based_on:
        yield "Based on", profile.based_on
    ceiling = profile.ceilings.get(profile.reference_ceiling)
    ridges = [
        f"{format_number(profile.ridge(boundary_id=id_))} at {profile.boundaries[id_].label}"
        for id_ in used.boundaries
        if ceiling is not None and id_ != "register"
    ]
    if ridges and ceiling is not None:
        yield f"Ridge of {ceiling.label}", f"{', '.join(ridges)} (FLOP/byte)"


@dataclass(frozen=True, slots=True)
class _Row:
    """One figure of a machine, with the one that is known beside it and not in use."""

    label: str
    figure: Figure
    unit: str
    other: Figure | None = None
    remark: str = ""


def _figures(profile: HardwareProfile, used: Used) -> Iterator[_Row]:
    for id_ in used.ceilings:
        ceiling = profile.ceilings[id_]
        yield _Row(ceiling.label, ceiling.figure, "FLOP/s", _other(ceiling))
    for id_ in used.boundaries:
        yield from _boundary_figures(profile.boundaries[id_], with_latency=used.forecast)
    if used.forecast:
        if profile.launch_overhead is not None:
            yield _Row("launch overhead", profile.launch_overhead, "s")
        if profile.sms is not None:
            yield _Row("multiprocessors", profile.sms, "")


def _boundary_figures(boundary: Boundary, *, with_latency: bool) -> Iterator[_Row]:
    remark = "approximate" if boundary.approximate else ""
    yield _Row(f"{boundary.label} bandwidth", boundary.bandwidth, "B/s", _other(boundary), remark)
    if boundary.id == DRAM and boundary.capacity is not None:
        yield _Row(f"{boundary.label} capacity", boundary.capacity, "B")
    if with_latency and boundary.latency is not None:
        yield _Row(f"{boundary.label} latency", boundary.latency, "s")


def _other(one: ComputeCeiling | Boundary) -> Figure | None:
    return one.published if one.in_use == "measured" else one.measured


def _figure_row(row: _Row, profile: HardwareProfile, sources: Sources) -> tuple[str, ...]:
    figure, other = row.figure, row.other
    beside = NOTHING
    if other is not None:
        measured, stated = (figure, other) if figure.provenance == "measured" else (other, figure)
        share = f"measured is {format_number(100 * measured.value / stated.value)}% of {stated.provenance}"
        beside = f"{_value(other.value, row.unit)} {other.provenance}, not in use ({share})"
    cited = sources.cite([one for one in (figure, other) if one is not None], profile)
    return (
        row.label,
        _value(figure.value, row.unit),
        figure.provenance + (f", {figure.confidence} confidence" if figure.confidence else ""),
        beside,
        ". ".join(one.rstrip(".") for one in (row.remark, figure.condition, figure.note) if one) or NOTHING,
        figure.date or NOTHING,
        cited or NOTHING,
    )


def _value(value: float, unit: str) -> str:
    return format_quantity(value, unit, digits=4) if unit else whole(value)


# Several machines -------------------------------------------------------------------------------------------------


def _apart(placed: PlacedStudy, machines: tuple[HardwareProfile, ...]) -> Section:
    """Return the used figures in which machines differ, each held against the first one."""
    used = [used_figures(placed, one) for one in machines]
    ceilings = {f"ceilings.{id_}" for one in used for id_ in one.ceilings}
    others = {
        f"{group}.{id_}" for one in used for id_ in one.boundaries for group in ("bandwidths", "ridges")
    }
    wanted = ceilings | others | {f"capacities.{DRAM}"}
    rows = []
    for row in differences(machines):
        if row.key in wanted and row.differs:
            cells = [
                NOTHING if one.value is None else format_quantity(one.value, row.unit) for one in row.cells
            ]
            told = [
                text if at == 0 or cell.ratio is None else f"{text} ({_factor(cell.ratio)})"
                for at, (text, cell) in enumerate(zip(cells, row.cells, strict=True))
            ]
            what = " bandwidth" if row.group == "bandwidths" else ""
            rows.append((f"{row.label}{what}", *told))
    columns = (Column("Figure"), *(Column(one.short_name, True) for one in machines))
    table = Table(f"Figures in use, held against {machines[0].short_name}", columns, tuple(rows))
    return Section("machines-apart", "What sets the machines apart", (table,))


def _factor(ratio: float) -> str:
    return f"×{format_number(ratio)}" if ratio >= 1 else f"÷{format_number(1 / ratio)}"
