"""What a report draws, as plain data in SI base units: points and ceilings, so that others can plot them again."""

from __future__ import annotations

import csv
import io
import json
import math
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.arithmetic import is_number
from rooflinestudio.core.pairing.edits import found_pairs
from rooflinestudio.core.pairing.readout import entry_name
from rooflinestudio.core.report.machines import used_machines
from rooflinestudio.core.report.measured import held_pairs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.hardware import Boundary, ComputeCeiling, Figure, HardwareProfile
    from rooflinestudio.core.measurement import Measurement
    from rooflinestudio.core.placing import PlacedRow, PlacedStudy
    from rooflinestudio.core.report.document import Report
    from rooflinestudio.core.report.measured import HeldPair

__all__ = ["CSV_COLUMNS", "FORMAT", "MOST_KERNELS", "csv_text", "data_document", "json_text"]

FORMAT: Final = "rooflinestudio-report/1"
MOST_KERNELS: Final = 20_000
"""So many measured kernels are written, the longest ones; of more it is said how many are left out."""

CSV_COLUMNS: Final = (
    "kind", "machine", "id", "name", "boundary", "policy", "intensity_flop_per_byte", "flop_per_s", "bytes_per_s",
    "work_flop", "traffic_bytes", "time_s", "bound", "binding", "ceiling", "fraction_of_peak", "provenance", "source",
    "date", "file", "launch", "paired_with", "state", "reason",
)  # fmt: skip
"""``kind`` is ``ceiling``, ``boundary``, ``placement``, ``measured`` or ``note``; what a kind lacks is empty."""

_MEASURED_AT: Final = ("dram", "l2", "l1", "shared")


def data_document(report: Report, placed: PlacedStudy) -> dict[str, Any]:
    """Return everything as plain data; infinite and absent figures are None."""
    view, (kernels, left_out) = placed.study.view, _kernels(placed)
    return {
        "format": FORMAT,
        "title": report.title,
        "made": report.made,
        "made_with": report.made_with,
        "view": {
            "machines": list(view.machines), "boundary": view.boundary, "policy": view.policy,
            "absorption": view.absorption, "overlap": view.overlap, "forecast": view.forecast,
        },
        "notes": placed.study.notes,
        "machines": [_machine(one) for one in used_machines(placed)],
        "placements": [_placement(row) for row in placed.rows],
        "files": [{"name": one.name, "format": one.format, "digest": one.digest} for one in placed.study.overlays],
        "measured": kernels,
        "pairs": [_pair(one, placed.study.overlays.index(one.found.overlay)) for one in held_pairs(placed)],
        "measured_left_out": left_out,
    }  # fmt: skip


def json_text(report: Report, placed: PlacedStudy) -> str:
    """Return the data as strict JSON, ending with a line feed."""
    return json.dumps(data_document(report, placed), ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def csv_text(report: Report, placed: PlacedStudy) -> str:
    """Return the data as one table, RFC 4180: ceilings and boundaries, then placements, then measured kernels."""
    document, out = data_document(report, placed), io.StringIO()
    writer = csv.DictWriter(out, CSV_COLUMNS, restval="", extrasaction="ignore", lineterminator="\r\n")
    writer.writeheader()
    for row in _csv_rows(document):
        writer.writerow({key: _cell(value) for key, value in row.items()})
    return out.getvalue()


# Machines ---------------------------------------------------------------------------------------------------------


def _machine(profile: HardwareProfile) -> dict[str, Any]:
    return {
        "id": profile.id,
        "name": profile.name,
        "content": profile.content_hash,
        "reference_ceiling": profile.reference_ceiling,
        "ceilings": [
            {"id": one.id, "label": one.label, **_rate(one, one.figure, "flop_per_s")}
            for one in profile.ceilings.values()
        ],
        "boundaries": [
            {
                "id": one.id, "label": one.label, **_rate(one, one.bandwidth, "bytes_per_s"),
                "capacity_bytes": None if one.capacity is None else one.capacity.value,
                "latency_s": None if one.latency is None else one.latency.value,
                "approximate": one.approximate,
            }
            for one in profile.boundaries.values()
        ],
        "sources": dict(profile.sources),
    }  # fmt: skip


def _rate(one: ComputeCeiling | Boundary, used: Figure, unit: str) -> dict[str, Any]:
    other = one.published if one.in_use == "measured" else one.measured
    return {
        unit: used.value,
        **_origin(used),
        "not_in_use": None if other is None else {unit: other.value, **_origin(other)},
    }


def _origin(figure: Figure) -> dict[str, str]:
    return {
        "provenance": figure.provenance, "condition": figure.condition, "source": figure.source,
        "date": figure.date, "confidence": figure.confidence, "note": figure.note,
    }  # fmt: skip


# Placements -------------------------------------------------------------------------------------------------------


def _placement(row: PlacedRow) -> dict[str, Any]:
    head = {
        "id": row.entry.id, "name": entry_name(row.entry), "operator": row.entry.operator, "machine": row.machine,
        "visible": row.entry.visible, "variant_of": row.entry.variant_of, "state": row.state, "reason": row.reason,
        "policy": row.settings.policy,
        "absorption": row.settings.absorption if row.settings.policy == "modelled" else None,
    }  # fmt: skip
    placement = row.placement
    if placement is None:
        return head
    return head | {
        "parameters": {name: _plain(value) for name, value in placement.parameters.items()},
        "dtypes": {role: one.id for role, one in placement.dtypes.items()},
        "model": placement.model,
        "boundary": placement.boundary_id,
        "crosses": bool(placement.at(placement.boundary_id).crosses),
        "intensity_flop_per_byte": _number(placement.intensity),
        "flop_per_s": _number(placement.attainable_flop_per_s),
        "work_flop": _number(placement.work_flop),
        "traffic_bytes": _number(placement.traffic_bytes),
        "time_s": _number(placement.time_s),
        "bound": placement.bound_words(),
        "binding": placement.binding_words(),
        "ceiling": placement.ceiling_id,
        "fraction_of_peak": _number(placement.fraction_of_peak),
        "verdict": placement.verdict,
    }


def _plain(value: Any) -> Any:
    if isinstance(value, bool | str) or value is None:
        return value
    return _number(value) if is_number(value) else str(value)


def _number(value: Any) -> float | None:
    number = float(value) if value is not None else math.nan
    return number if math.isfinite(number) else None


# Measured kernels -------------------------------------------------------------------------------------------------


def _kernels(placed: PlacedStudy) -> tuple[list[dict[str, Any]], int]:
    """Return the measured kernels, the longest where there are too many, and how many are left out."""
    import numpy as np

    paired = {(one.overlay.digest, one.index): one.entry.id for one in found_pairs(placed.study)}
    overlays = placed.study.overlays
    times = np.concatenate([np.empty(0), *(one.columns["time_s"] for one in overlays if len(one))])
    files = np.repeat(np.arange(len(overlays)), [len(one) for one in overlays])
    places = np.concatenate([np.empty(0, dtype=np.int64), *(np.arange(len(one)) for one in overlays)])
    order = np.argsort(-np.nan_to_num(times), kind="stable")[:MOST_KERNELS]
    told = [
        _kernel(overlays[file].measurement(at), file, paired.get((overlays[file].digest, at)))
        for file, at in zip(files[np.sort(order)].tolist(), places[np.sort(order)].tolist(), strict=True)
    ]
    return told, len(times) - len(told)


def _kernel(one: Measurement, file: int, entry: str | None) -> dict[str, Any]:
    return {
        "file": file, "launch": one.launch, "name": one.kernel, "count": one.count, "device": one.device,
        "time_s": _number(one.time_s), "pipe": one.pipe, "work_flop": _number(one.work_flop),
        "traffic_bytes": {id_: _number(one.traffic_bytes(id_)) for id_ in _MEASURED_AT if id_ in one.traffic},
        "intensity_flop_per_byte": {
            id_: _number(one.intensity(id_))
            for id_ in _MEASURED_AT if id_ in one.traffic or id_ in one.traffic_rates
        },
        "flop_per_s": _number(one.achieved_flop_per_s), "paired_with": entry, "reason": one.reason,
    }  # fmt: skip


def _pair(one: HeldPair, file: int) -> dict[str, Any]:
    pair, found = one.pair, one.found
    head = {
        "file": file, "launch": one.measurement.launch, "entry": found.entry.id,
        "machine": one.profile.id if one.profile is not None else None,
    }  # fmt: skip
    if pair is None:
        return head
    return head | {
        "boundary": pair.boundary,
        "work_flop": _number(pair.work_flop),
        "work_from": pair.work_from or None,
        "intensity_flop_per_byte": _number(pair.intensity),
        "flop_per_s": _number(pair.achieved_flop_per_s),
        "time_to_bound": _number(pair.bound_ratio),
        "time_to_forecast": _number(pair.forecast_ratio),
        "traffic_to_predicted": _number(pair.traffic_ratio),
        "headroom": _number(pair.headroom),
        "headroom_to_predicted": _number(pair.headroom_ratio),
    }


# CSV --------------------------------------------------------------------------------------------------------------


def _csv_rows(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for machine in document["machines"]:
        for kind, group in (("ceiling", "ceilings"), ("boundary", "boundaries")):
            for one in machine[group]:
                yield {**one, "kind": kind, "machine": machine["id"], "name": one["label"]}
    for one in document["placements"]:
        yield {**one, "kind": "placement"}
    lent = {(one["file"], one["launch"]): one for one in document["pairs"] if one.get("work_from")}
    for one in document["measured"]:
        name = document["files"][one["file"]]["name"]
        for row in _csv_kernel(one):
            yield {**_lent(row, lent.get((one["file"], one["launch"]))), "file": name}
    if document["measured_left_out"]:
        yield {"kind": "note", "reason": f"{document['measured_left_out']} measured kernels are left out"}


def _csv_kernel(one: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a line for each boundary at which a kernel was counted, or one without."""
    boundaries = dict.fromkeys((*one["traffic_bytes"], *one["intensity_flop_per_byte"])) or {"": None}
    for id_ in boundaries:
        yield {
            **one, "kind": "measured", "boundary": id_, "policy": "measured", "ceiling": one["pipe"],
            "traffic_bytes": one["traffic_bytes"].get(id_),
            "intensity_flop_per_byte": one["intensity_flop_per_byte"].get(id_),
        }  # fmt: skip


def _lent(row: dict[str, Any], pair: dict[str, Any] | None) -> dict[str, Any]:
    """Put in what a kernel has from the operator that it is held against."""
    if pair is None or row["boundary"] != pair["boundary"]:
        return row
    figures = {key: pair[key] for key in ("work_flop", "intensity_flop_per_byte", "flop_per_s")}
    return {**row, **figures, "reason": f"W from {pair['work_from']}"}


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return repr(value)
    text = str(value)
    # A spreadsheet takes such a text for a formula.
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text
