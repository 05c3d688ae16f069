"""What becomes of the first rows of a table under one statement of its columns."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.quantities import format_number, format_quantity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rooflinestudio.core.importing.questions import MarkQuestion
    from rooflinestudio.core.measurement import MeasurementFile
    from rooflinestudio.core.measurement_launch import Measurement

__all__ = ["ColumnsPreview", "PreviewRow", "preview_of", "refused_preview"]

_NONE: Final = "–"
_LISTED: Final = 50
_REASONS: Final = 3


@dataclass(frozen=True, slots=True)
class PreviewRow:
    """One row as the study would show it; texts, a dash where there is no figure."""

    launch: int
    kernel: str
    time: str
    work: str
    traffic: str
    intensity: str
    rate: str
    pipe: str
    plotted: bool
    reason: str


@dataclass(frozen=True, slots=True)
class ColumnsPreview:
    """What would be taken.

    Attributes
    ----------
    rows
        The first of them.
    summary
        One sentence: how many kernels have a point, how many have none and why.
    findings
        What the reader says besides: sentences.
    problem
        Why nothing can be taken, or empty.
    question
        The number that the first rows leave open, if there is one.
    """

    rows: tuple[PreviewRow, ...] = ()
    summary: str = ""
    findings: tuple[str, ...] = ()
    problem: str = ""
    question: MarkQuestion | None = None


def refused_preview(problem: str) -> ColumnsPreview:
    """Return the preview of a statement that cannot be used."""
    return ColumnsPreview(problem=problem)


def preview_of(file: MeasurementFile, *, cut: bool, question: MarkQuestion | None = None) -> ColumnsPreview:
    """Return what a file of first rows shows.

    Parameters
    ----------
    cut
        Whether the whole file has more rows.
    """
    found = file.measurements
    rows = tuple(map(_row, found[:_LISTED]))
    if not found:
        problem = file.warnings[-1] if file.warnings else "No row can be taken."
        return ColumnsPreview(problem=problem, findings=file.warnings[:-1], question=question)
    summary = f"Of the first {len(found)} rows: " if cut else ""
    return ColumnsPreview(rows, summary + _summary(found), file.warnings, question=question)


def _summary(found: Sequence[Measurement]) -> str:
    plotted = sum(one.plotted for one in found)
    texts = [f"{_kernels(plotted)} plotted"]
    missing = Counter(_first_words(one.reason) for one in found if not one.plotted)
    texts += [f"{count} not plotted ({reason})" for reason, count in missing.most_common(_REASONS)]
    rest = sum(missing.values()) - sum(count for _, count in missing.most_common(_REASONS))
    if rest:
        texts.append(f"{rest} not plotted for other reasons")
    return f"{', '.join(texts)}."


def _first_words(reason: str | None) -> str:
    """Return what is missing without the mend: ``no time`` of ``no time: add a column``."""
    return "; ".join(part.partition(":")[0] for part in (reason or "figures are missing").split("; "))


def _kernels(count: int) -> str:
    return "1 kernel" if count == 1 else f"{count or 'No'} kernels"


def _row(one: Measurement) -> PreviewRow:
    boundary = (one.plotted_at or tuple(one.traffic) or ("dram",))[0]
    intensity = one.intensity(boundary)
    return PreviewRow(
        one.launch,
        one.kernel,
        _shown(one.time_s, "s"),
        _shown(one.work_flop, "FLOP"),
        _shown(one.traffic_bytes(boundary), "B") + (f" at {boundary}" if boundary != "dram" else ""),
        _intensity(intensity),
        _shown(one.achieved_flop_per_s, "FLOP/s"),
        one.pipe or _NONE,
        one.plotted,
        "" if one.plotted else (one.reason or ""),
    )


def _shown(value: float | None, unit: str) -> str:
    if value is None or value != value or value in (float("inf"), float("-inf")):
        return _NONE
    return format_quantity(value, unit)


def _intensity(value: float | None) -> str:
    return format_number(value) if value is not None and 0 < value < float("inf") else _NONE
