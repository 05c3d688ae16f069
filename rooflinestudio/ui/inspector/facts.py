"""The figures that the inspector shows of one row, as plain values: policies side by side, boundaries, formulas."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.explain import explain
from rooflinestudio.core.explain_words import joined
from rooflinestudio.core.hardware import INSIDE
from rooflinestudio.core.quantities import format_number, format_quantity
from rooflinestudio.core.traffic import POLICIES, compulsory_bytes, tiled_bytes
from rooflinestudio.ui.widgets.words import (
    bytes_text,
    intensity_text,
    percent_text,
    short_intensity,
    time_text,
)

if TYPE_CHECKING:
    from rooflinestudio.core.explain import Explanation
    from rooflinestudio.core.placement import Placement
    from rooflinestudio.core.placing import PlacedRow

__all__ = [
    "BoundaryRow", "FormulaLines", "PolicyRow", "boundary_rows", "operator_formulas", "policy_rows", "readout",
    "result_formulas",
]  # fmt: skip

MINUS: Final = "\u2212"


@dataclass(frozen=True, slots=True)
class PolicyRow:
    """The kernel under one policy."""

    policy: str
    traffic: str
    intensity: str
    time: str
    fraction: str
    bound: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class BoundaryRow:
    """The kernel with one boundary selected; ``fraction`` is None where its data does not cross."""

    id: str
    label: str
    intensity: str
    ridge: str
    fraction: float | None
    bound: str
    chosen: bool
    approximate: bool


@dataclass(frozen=True, slots=True)
class FormulaLines:
    """A formula: symbols, and the same with values below, or behind where it is ``inline``."""

    symbols: str
    values: tuple[str, ...]
    source: str = ""
    inline: bool = False


def policy_rows(row: PlacedRow) -> tuple[PolicyRow, ...]:
    """Return Q, I, time and fraction under every policy; empty for a row that is not placed."""
    placements = row.policies
    return tuple(
        PolicyRow(
            policy,
            bytes_text(placement.traffic_bytes, digits=3),
            short_intensity(placement.intensity),
            time_text(placement.time_s, digits=3),
            percent_text(placement.fraction_of_peak),
            placement.bound,
            policy == row.settings.policy,
        )
        for policy in POLICIES
        if (placement := placements.get(policy)) is not None
    )


def boundary_rows(row: PlacedRow) -> tuple[BoundaryRow, ...]:
    """Return every boundary of the machine, from the inside outward, each as if it alone were selected."""
    placement = row.placement
    if placement is None:
        return ()
    return tuple(_boundary_row(row, placement, id_) for id_ in placement.profile.boundaries)


def _boundary_row(row: PlacedRow, placement: Placement, id_: str) -> BoundaryRow:
    figures = placement.at(id_)
    fraction, bound = None, ""
    if figures.crosses:
        try:
            alone = row.varied(boundary=id_)
        except StudioError:
            alone = None
        if alone is not None:
            fraction, bound = float(alone.fraction_of_peak), alone.bound
    boundary = placement.profile.boundaries[id_]
    crossed = short_intensity(figures.intensity) if figures.crosses else "–"
    ridge = short_intensity(figures.ridge)
    chosen = id_ == placement.boundary
    return BoundaryRow(id_, figures.label, crossed, ridge, fraction, bound, chosen, boundary.approximate)


def readout(value: Any, unit: str, *, digits: int = 4) -> tuple[str, str]:
    """Return a figure as number and unit, for large print: ``("138.9", "µs")``."""
    number, _, suffix = format_quantity(value, unit, digits=digits, space="\t").partition("\t")
    return number, suffix


# Formulas -----------------------------------------------------------------------------------------------------------


def result_formulas(placement: Placement) -> tuple[FormulaLines, ...]:
    """Return how traffic, intensity and time of a placement come about."""
    if placement.parts:
        return (_sum_formula(placement), _intensity_formula(placement))
    return (_traffic_formula(placement), _intensity_formula(placement), _time_formula(placement))


def operator_formulas(placement: Placement) -> tuple[FormulaLines, ...]:
    """Return how work and traffic are counted, and where the ridge, the expected time and the footprint come from."""
    at = placement.boundary_id
    shown = {f"ridge {at}", f"time {at}", f"bandwidth {at}"}
    hidden = ("intensity", "ridge", "time", "bandwidth", "attainable", "fraction")
    return tuple(
        _explained(one)
        for one in explain(placement)
        if one.figure in shown or not (one.figure.startswith(hidden) or ": " in one.figure)
    )


def _explained(one: Explanation) -> FormulaLines:
    values = [f"= {text}" for text in (one.values, one.result_text()) if text]
    return FormulaLines(one.symbols, tuple(dict.fromkeys(values)), joined(one.convention, one.source))


def _sum_formula(placement: Placement) -> FormulaLines:
    total = f"= {bytes_text(placement.traffic_bytes)} in {time_text(placement.time_s)}"
    return FormulaLines("Q = Σ Q(part),  T = Σ T(part)", (f"over {len(placement.parts)} parts", total))


def _traffic_formula(placement: Placement) -> FormulaLines:
    boundary, label = placement.boundary_id, placement.at(placement.boundary_id).label
    total = bytes_text(placement.traffic_bytes)
    settings = placement.settings
    if boundary in INSIDE:
        return FormulaLines(f"Q = Q({label}), as blocked", (f"= {total}",), inline=True)
    if boundary not in ("dram", "l3"):
        return FormulaLines(f"Q = Q({label}), over the link", (f"= {total}",), inline=True)
    compulsory = float(sum(compulsory_bytes(placement.estimate)))
    tiled = float(sum(tiled_bytes(placement.estimate)))
    if settings.policy == "compulsory":
        return FormulaLines("Q = Qc, each tensor once", (f"= {total}",), inline=True)
    if settings.policy == "tiled":
        return FormulaLines("Q = Qt, with every re-read", (f"= {total}",), inline=True)
    if tiled == compulsory:
        return FormulaLines("Q = Qc = Qt, nothing is read twice", (f"= {total}",), inline=True)
    scale, unit = _scale(max(compulsory, tiled))
    qc, qt = format_number(compulsory / scale, digits=4), format_number(tiled / scale, digits=4)
    kept = f"{1 - settings.absorption:.4g}"
    values = f"= {qc} + {kept} × ({qt} {MINUS} {qc}) {unit}"
    return FormulaLines(f"Q = Qc + (1 {MINUS} a)(Qt {MINUS} Qc)", (values,))


def _scale(largest_bytes: float) -> tuple[float, str]:
    for scale, unit in ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if largest_bytes >= 10 * scale:
            return scale, unit
    return 1.0, "B"


def _intensity_formula(placement: Placement) -> FormulaLines:
    work = format_quantity(float(placement.work_flop), "FLOP", digits=4)
    value = intensity_text(placement.intensity)
    return FormulaLines(
        "I = W / Q", (f"= {work} / {bytes_text(placement.traffic_bytes)} = {value}",), inline=True
    )


def _time_formula(placement: Placement) -> FormulaLines:
    sides = _with_one_unit(placement.compute_s, placement.memory_s)
    overlap = placement.settings.overlap
    launch = placement.limits.launch_s if placement.limits is not None else 0.0
    total = time_text(placement.time_s)
    if overlap == 1 and not launch:
        return FormulaLines("T = max(W/π, Q/β)", (f"= max{sides}",), inline=True)
    if overlap == 1:
        values = f"= max{sides} + {time_text(launch)} = {total}"
        return FormulaLines("T = max(W/π, Q/β) + launches", (values,))
    symbols = f"T = max + (1 {MINUS} ω)(sum {MINUS} max)"
    values = f"ω = {overlap:g}, of {sides}"
    if launch:
        symbols, values = f"{symbols} + launches", f"{values} + {time_text(launch)}"
    return FormulaLines(symbols, (f"{values} = {total}",))


def _with_one_unit(compute_s: Any, memory_s: Any) -> str:
    """Return ``(138.9, 123.2) µs`` where one unit serves both times, else ``(138.9 µs, 1.2 ms)``."""
    (first, unit), (second, other) = readout(compute_s, "s"), readout(memory_s, "s")
    if unit == other:
        return f"({first}, {second}) {unit}"
    return f"({first} {unit}, {second} {other})"
