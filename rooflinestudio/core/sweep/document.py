"""A sweep as the JSON document and the CSV table of the command line.

Strict JSON: figures of points that were refused, and infinite ones, are null; ``notes`` says which. In CSV they are
empty.
"""

from __future__ import annotations

import csv
import io
import math
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.evaluation import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rooflinestudio.core.staircase import Stair
    from rooflinestudio.core.sweep import SweepResult
    from rooflinestudio.core.sweep.crossings import Crossing

__all__ = ["COLUMNS", "sweep_csv", "sweep_document", "sweep_notes"]

COLUMNS: Final = (
    "work_flop", "traffic_bytes", "intensity", "attainable_flop_per_s", "time_s", "fraction_of_peak",
)  # fmt: skip


def sweep_document(
    result: SweepResult,
    found: Sequence[Crossing] = (),
    stairs: Sequence[Stair] = (),
    notes: Iterable[str] = (),
) -> dict[str, Any]:
    """Return the document of one sweep: axes, then one flat list per figure in the order of nested loops."""
    subject = result.subject
    points: dict[str, Any] = {name: plain(getattr(result, name).ravel()) for name in COLUMNS}
    points["bound"] = [word or None for word in result.bound_words()]
    points["binding"] = [word or None for word in result.binding_words()]
    document: dict[str, Any] = plain({
        "operator": subject.operator_id,
        "parameters": dict(subject.fixed),
        "dtype": {role: one.id for role, one in subject.formats.items()},
        "hardware": subject.profile.id,
        "policy": subject.settings.policy,
        "boundary": subject.settings.boundary,
        "model": "forecast" if subject.settings.forecast else "bound",
        "axes": [{"names": list(axis.names), "values": axis.plain()} for axis in result.axes],
        "shape": list(result.shape),
        "points": points,
        "thresholds": [_threshold(one) for one in found],
        "stairs": [_stair(one) for one in stairs],
        "notes": [*sweep_notes(result), *notes],
    })  # fmt: skip
    return document


def _threshold(one: Crossing) -> dict[str, Any]:
    found = one.threshold
    return {
        "kind": found.kind,
        "names": list(found.names),
        "others": one.others,
        "below": found.below,
        "at": found.at,
        "before": found.before,
        "after": found.after,
    }


def _stair(one: Stair) -> dict[str, Any]:
    return {name: getattr(one, name) for name in one.__slots__}


def sweep_notes(result: SweepResult) -> Iterator[str]:
    """Yield what a reader should know beside the figures of a sweep."""
    if result.refusals:
        yield (
            f"{result.refusals} of {result.time_s.size} points are refused and have no figures. "
            f"The first: {result.refusal}"
        )
    infinite = sum(1 for one in result.intensity.ravel().tolist() if math.isinf(one))
    if infinite:
        yield f"intensity is infinite at {infinite} points: no traffic crosses there."


def sweep_csv(result: SweepResult) -> str:
    """Return the sweep as a table with one row per point; numbers are written so that they read back the same."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    names = [name for axis in result.axes for name in axis.names]
    writer.writerow([*names, *COLUMNS, "bound", "binding"])
    figures = [getattr(result, name).ravel().tolist() for name in COLUMNS]
    words = result.bound_words(), result.binding_words()
    widths = [len(axis.names) for axis in result.axes]
    for at, point in enumerate(result.points()):
        values = [value for value, width in zip(point, widths, strict=True) for _ in range(width)]
        row = ["" if not math.isfinite(column[at]) else repr(column[at]) for column in figures]
        writer.writerow([*map(_word, values), *row, words[0][at], words[1][at]])
    return stream.getvalue()


def _word(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
