"""The table of a placed study as text: CSV with plain numbers in SI base units, Markdown for reading."""

from __future__ import annotations

import csv
import io
import math
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.arithmetic import is_number
from rooflinestudio.core.quantities import format_number, format_quantity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.placement import Placement
    from rooflinestudio.core.placing import PlacedRow, PlacedStudy

__all__ = ["CSV_COLUMNS", "csv_table", "markdown_table"]

CSV_COLUMNS: Final = (
    "entry", "name", "operator", "machine", "state", "boundary", "policy", "absorption", "model", "work_flop",
    "traffic_bytes", "intensity_flop_per_byte", "attainable_flop_per_s", "time_s", "bound", "binding", "ceiling",
    "fraction_of_peak", "reason",
)  # fmt: skip
"""Heads of the CSV table; units stand in the names."""

_MARKDOWN_HEADS: Final = (
    "name",
    "machine",
    "boundary",
    "W",
    "Q",
    "I, FLOP/byte",
    "attainable",
    "time",
    "bound",
    "of peak",
)
_RIGHT: Final = frozenset(("W", "Q", "I, FLOP/byte", "attainable", "time", "of peak"))


def csv_table(placed: PlacedStudy) -> str:
    """Return one line per row of the study, RFC 4180, with a head line.

    Numbers are in SI base units with all their digits. Infinite intensities are ``inf``; figures of rows that were not
    placed are empty, and ``reason`` says why.
    """
    out = io.StringIO()
    writer = csv.DictWriter(out, CSV_COLUMNS, restval="", lineterminator="\r\n")
    writer.writeheader()
    for row in placed.rows:
        writer.writerow(_csv_row(row))
    return out.getvalue()


def _csv_row(row: PlacedRow) -> dict[str, Any]:
    cells: dict[str, Any] = {
        "entry": row.entry.id,
        "name": _as_text(row.entry.label or row.entry.operator),
        "operator": row.entry.operator,
        "machine": row.machine,
        "state": row.state,
        "policy": row.settings.policy,
        "reason": _as_text(row.reason),
    }
    if row.settings.policy == "modelled":
        cells["absorption"] = row.settings.absorption
    placement = row.placement
    if placement is None:
        return cells
    return cells | {
        "boundary": placement.boundary_id,
        "model": placement.model,
        "work_flop": _number(placement.work_flop),
        "traffic_bytes": _number(placement.traffic_bytes),
        "intensity_flop_per_byte": _number(placement.intensity),
        "attainable_flop_per_s": _number(placement.attainable_flop_per_s),
        "time_s": _number(placement.time_s),
        "bound": placement.bound_words(),
        "binding": placement.binding_words(),
        "ceiling": placement.ceiling_id,
        "fraction_of_peak": _number(placement.fraction_of_peak),
    }


def _as_text(value: str) -> str:
    """Keep a spreadsheet from taking a name for a formula."""
    return f"'{value}" if value[:1] in ("=", "+", "-", "@", "\t", "\r") else value


def _number(value: Any) -> str:
    if not is_number(value) or math.isnan(value):
        return ""
    return repr(float(value))


def markdown_table(placed: PlacedStudy) -> str:
    """Return a table for a report: figures with prefixes and three digits, as on screen; ends with a line feed.

    Rows that were not placed show their reason in place of the bound.
    """
    lines = [
        _line(_MARKDOWN_HEADS),
        _line("---:" if head in _RIGHT else "---" for head in _MARKDOWN_HEADS),
        *(_line(_markdown_cells(row)) for row in placed.rows),
    ]
    return "\n".join(lines) + "\n"


def _line(cells: Any) -> str:
    return f"| {' | '.join(cells)} |"


def _markdown_cells(row: PlacedRow) -> Iterator[str]:
    yield _escaped(row.entry.label or row.entry.operator)
    yield _escaped(row.profile.short_name if row.profile is not None else row.machine)
    placement = row.placement
    if placement is None:
        yield from ("–",) * 6
        yield _escaped(f"{row.state}: {row.reason}" if row.reason else row.state)
        yield "–"
        return
    yield _escaped(placement.profile.boundaries[placement.boundary_id].label)
    yield from _figures(placement)


def _figures(placement: Placement) -> Iterator[str]:
    yield format_quantity(float(placement.work_flop), "FLOP")
    yield format_quantity(float(placement.traffic_bytes), "B")
    yield format_number(float(placement.intensity))
    yield format_quantity(float(placement.attainable_flop_per_s), "FLOP/s")
    yield format_quantity(float(placement.time_s), "s")
    yield f"{placement.bound_words()} at {placement.binding_words()}"
    yield f"{format_number(100 * float(placement.fraction_of_peak))}%"


def _escaped(text: str) -> str:
    return " ".join(text.replace("\\", "\\\\").replace("|", "\\|").split())
