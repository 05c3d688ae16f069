"""Rows of the compare table: what differs from the baseline, and by what ratio."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rooflinestudio.core.arithmetic import is_number
from rooflinestudio.core.quantities import format_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.placing import PlacedRow, PlacedStudy
    from rooflinestudio.core.study import Entry

__all__ = ["ComparisonRow", "baseline_of", "comparison_rows", "ratio_text", "what_differs"]


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """One row of the table.

    Attributes
    ----------
    differs
        In words, what sets it apart from the baseline; for the baseline its own main settings.
    time_ratio, traffic_ratio, intensity_ratio
        To the baseline (above 1: slower, more bytes, higher intensity), or None where there is nothing to hold it to.
    """

    row: PlacedRow
    is_baseline: bool
    differs: str
    time_ratio: float | None
    traffic_ratio: float | None
    intensity_ratio: float | None


def baseline_of(placed: PlacedStudy, entry: Entry) -> Entry:
    """Return the entry that a variant is held against: the one it was made from, else itself."""
    study = placed.study
    return study.entry(entry.variant_of) if entry.variant_of and study.has_entry(entry.variant_of) else entry


def comparison_rows(placed: PlacedStudy, baseline: str | None = None) -> tuple[ComparisonRow, ...]:
    """Return the rows of one baseline and its variants, or of the whole study.

    Parameters
    ----------
    baseline
        An entry id: only it and its variants are listed, and each row is held against it on the first machine of the
        view. None lists everything; then each row is held against its own baseline there.
    """
    return tuple(_rows(placed, baseline))


def _rows(placed: PlacedStudy, baseline: str | None) -> Iterator[ComparisonRow]:
    firsts: dict[str, PlacedRow] = {}
    for row in placed.rows:
        firsts.setdefault(row.entry.id, row)
    for row in placed.rows:
        base = baseline_of(placed, row.entry)
        if baseline is not None and base.id != baseline:
            continue
        first = firsts.get(base.id, row)
        yield ComparisonRow(
            row,
            row is first,
            what_differs(row, first),
            _ratio(row, first, "time_s"),
            _ratio(row, first, "traffic_bytes"),
            _ratio(row, first, "intensity"),
        )


def _ratio(row: PlacedRow, base: PlacedRow, figure: str) -> float | None:
    if row.placement is None or base.placement is None:
        return None
    ours, theirs = getattr(row.placement, figure), getattr(base.placement, figure)
    if not (is_number(ours) and is_number(theirs)) or not 0 < theirs < float("inf"):
        return None
    return ours / theirs


def ratio_text(ratio: float | None, more: str, less: str) -> str:
    """Write a ratio with its direction: above 1 ``5.28× more``, below ``2.00× less``; a dash where there is none."""
    if ratio is None or not 0 < ratio < float("inf"):
        return "–"
    if abs(ratio - 1) < 0.005:
        return "1.00×"
    # Ten thousand times: digits after the point say nothing there.
    size = ratio if ratio > 1 else 1 / ratio
    return f"{f'{size:.2f}' if size < 100 else format_number(size)}× {more if ratio > 1 else less}"


def what_differs(row: PlacedRow, base: PlacedRow) -> str:
    """Say in a few words how a row differs from its baseline."""
    if row is base:
        return _describe_baseline(row)
    return ", ".join(_differences(row, base)) or "nothing"


def _describe_baseline(row: PlacedRow) -> str:
    dtypes = row.entry.dtypes.get("all")
    if dtypes is None and row.placement is not None:
        used = row.placement.dtypes.get("activation") or row.placement.dtypes.get("output")
        dtypes = used.id if used is not None else None
    return "base" + (f": {dtypes}" if dtypes else "")


def _differences(row: PlacedRow, base: PlacedRow) -> Iterator[str]:
    if row.entry.operator != base.entry.operator:
        yield row.entry.operator
    ours, theirs = _parameters(row), _parameters(base)
    for name, value in ours.items():
        if name in theirs and theirs[name] != value:
            yield f"{name.replace('_', ' ')} {_shown(value)}"
    yield from _dtype_differences(row, base)
    if row.settings.boundary != base.settings.boundary:
        yield f"at {_boundary_word(row)}"
    if row.settings.policy != base.settings.policy:
        yield row.settings.policy
    if row.settings.absorption != base.settings.absorption:
        yield f"absorption {row.settings.absorption:g}"
    if row.settings.overlap != base.settings.overlap:
        yield f"overlap {row.settings.overlap:g}"
    if row.settings.ceiling != base.settings.ceiling:
        yield f"ceiling {row.settings.ceiling or 'its own'}"
    if row.machine != base.machine:
        yield f"on {row.profile.short_name if row.profile is not None else row.machine}"


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if not is_number(value):
        return str(value)
    digits = len(str(int(abs(value)))) if value == int(value) else 3
    return format_number(value, digits=digits)


def _parameters(row: PlacedRow) -> dict[str, object]:
    return dict(row.placement.parameters if row.placement is not None else row.entry.parameters)


def _dtype_differences(row: PlacedRow, base: PlacedRow) -> Iterator[str]:
    if row.entry.dtypes == base.entry.dtypes:
        return
    for role in {**row.entry.dtypes, **base.entry.dtypes}:
        ours, theirs = row.entry.dtypes.get(role), base.entry.dtypes.get(role)
        if ours != theirs:
            yield f"{'' if role == 'all' else role + ' '}{ours or 'its own dtype'}"


def _boundary_word(row: PlacedRow) -> str:
    wanted = row.settings.boundary
    if wanted is None:
        return "its home boundary"
    if row.profile is not None and wanted in row.profile.boundaries:
        return row.profile.boundaries[wanted].label
    return "all boundaries" if wanted == "all" else wanted
