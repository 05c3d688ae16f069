"""A placement as the JSON document of the command line.

Strict JSON: what is infinite or absent is null, and ``notes`` says which.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from rooflinestudio.core.arithmetic import is_number
from rooflinestudio.core.energy import energy_of
from rooflinestudio.core.remarks import remarks_and_notes
from rooflinestudio.core.wording import absent_figures

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.achievable import Expected
    from rooflinestudio.core.boundary_figures import BoundaryFigures
    from rooflinestudio.core.placement import PlacedPart, Placement

__all__ = ["evaluation_document", "plain"]


def plain(value: Any) -> Any:
    """Return a value as strict JSON knows it: infinite and undefined numbers are None, arrays lists."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): plain(one) for key, one in value.items()}
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return {str(key): plain(one) for key, one in value.items()} if hasattr(value, "items") else str(value)


def evaluation_document(placement: Placement, *, details: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the document of one evaluation, in the key order of the command line's description."""
    limits = dict(placement.limits.judged) if placement.limits is not None else {}
    if placement.expected is not None:
        limits["expected"] = _expected(placement.expected)
    document: dict[str, Any] = plain({
        "operator": placement.operator,
        "parameters": dict(placement.parameters),
        "dtype": {role: one.id for role, one in placement.dtypes.items()},
        "hardware": placement.profile.id,
        "policy": placement.settings.policy,
        "boundary": placement.boundary if isinstance(placement.boundary, str) else placement.settings.boundary,
        "model": placement.model,
        "work_flop": placement.work_flop,
        "traffic_bytes": placement.traffic_bytes,
        "intensity": placement.intensity,
        "attainable_flop_per_s": placement.attainable_flop_per_s,
        "time_s": placement.time_s,
        "fraction_of_peak": placement.fraction_of_peak,
        "ceiling": _ceiling(placement),
        "pipes": _pipes(placement),
        "bound": placement.bound_words(),
        "binding": placement.binding_words(),
        "boundaries": _boundaries(placement),
        "limits": limits,
        "parts": [_part(part) for part in placement.parts],
        "details": _details(placement, details),
        "verdict": placement.verdict,
        "notes": [*remarks_and_notes(placement), *absent_figures(placement)],
    })  # fmt: skip
    return document


def _ceiling(placement: Placement) -> dict[str, Any]:
    ceiling = placement.profile.ceilings[placement.ceiling_id]
    return {
        "id": placement.ceiling_id,
        "flop_per_s": placement.ceiling_flop_per_s,
        "provenance": ceiling.figure.provenance,
    }


def _expected(expected: Expected) -> dict[str, Any]:
    shares = {
        id_: {
            name: {"share": figure.value, "provenance": figure.provenance}
            for name in ("typical", "low", "high")
            if (figure := getattr(known, name)) is not None
        }
        for id_, known in expected.shares.items()
    }
    return {
        "expected_s": expected.time_s,
        "expected_low_s": expected.low_s,
        "expected_high_s": expected.high_s,
        "shares": shares,
    }


def _pipes(placement: Placement) -> dict[str, Any]:
    if not placement.parts:
        return dict(placement.estimate.work)
    pipes: dict[str, Any] = {}
    for part in placement.parts:
        for pipe, flop in part.placement.estimate.work.items():
            pipes[pipe] = pipes.get(pipe, 0.0) + part.count * flop
    return pipes


def _boundaries(placement: Placement) -> dict[str, Any]:
    known = placement.profile.boundaries
    return {
        id_: _boundary(figures, known[id_].bandwidth.provenance)
        for id_, figures in placement.boundaries.items()
    }


def _boundary(figures: BoundaryFigures, provenance: str) -> dict[str, Any]:
    return {
        "label": figures.label,
        "bytes_per_s": figures.bytes_per_s,
        "provenance": provenance,
        "traffic_bytes": figures.traffic_bytes,
        "read_bytes": figures.read_bytes,
        "write_bytes": figures.write_bytes,
        "intensity": figures.intensity,
        "ridge": figures.ridge,
        "time_s": figures.time_s,
        "crosses": figures.crosses,
    }


def _part(part: PlacedPart) -> dict[str, Any]:
    placement = part.placement
    return {
        "label": part.label,
        "operator": placement.operator,
        "count": part.count,
        "work_flop": part.count * placement.work_flop,
        "traffic_bytes": part.count * placement.traffic_bytes,
        "time_s": part.count * placement.time_s,
        "bound": placement.bound_words(),
        "binding": placement.binding_words(),
    }


def _details(placement: Placement, details: Mapping[str, Any] | None) -> dict[str, Any]:
    result: dict[str, Any] = dict(placement.extra)
    reference = placement.profile.ceilings.get(placement.profile.reference_ceiling)
    if reference is not None and is_number(placement.attainable_flop_per_s):
        result["reference_ceiling"] = reference.id
        result["fraction_of_reference"] = placement.attainable_flop_per_s / reference.flop_per_s
    if (energy := energy_of(placement)) is not None:
        result["energy_j"], result["energy_rests_on"] = energy.energy_j, f"tdp {energy.power.provenance}"
    footprint = placement.estimate.footprint_bytes
    if footprint is not None:
        result["footprint_bytes"] = footprint
    if details:
        result.update(details)
    return result
