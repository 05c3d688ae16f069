"""A comparison of measured and predicted times in words, for a terminal."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.quantities import format_number, format_quantity
from rooflinestudio.core.shapes.words import value_text
from rooflinestudio.core.validation.limits import STEPS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rooflinestudio.core.validation.distance import Distance, Share
    from rooflinestudio.core.validation.result import Validation
    from rooflinestudio.core.validation.summary import Bin, RowFigures, Summary, Violation

__all__ = ["bin_words", "validation_lines"]

_GROUP_LABELS: Final = {"quantisation": "quantisation", "launch": "launch and latency", "rest": "the rest"}
_BAR: Final = 40


def bin_words(one: Bin) -> str:
    """Return a bin of the histogram in words: ``5 rows between 1.1 and 1.25 times the bound``."""
    rows = f"{one.rows} row" if one.rows == 1 else f"{one.rows} rows"
    if one.low == 0:
        return f"{rows} below the bound"
    if math.isinf(one.high):
        return f"{rows} at {one.low:g} times the bound or more"
    return f"{rows} between {one.low:g} and {one.high:g} times the bound"


def validation_lines(
    validation: Validation, summary: Summary, *, top: int, holds: Iterable[str] = ()
) -> list[str]:
    """Return the report.

    Parameters
    ----------
    top
        Violations that are listed at most; the farthest rows are those of the summary.
    holds
        Names of other machines on which no row breaks its bound.
    """
    against, table = validation.against, validation.table
    columns = ", ".join(f"{name} = {head}" for name, head in table.heads.items())
    return [
        f"{against.operator_id} on {against.profile.name}, compulsory at {validation.boundary}: "
        f"{_rows(len(validation))} of {table.name}",
        f"  columns: {columns}",
        *_left_out(validation),
        "",
        *_distribution(summary),
        "",
        *_histogram(summary),
        "",
        *_violations(validation, summary, top, list(holds)),
        "",
        *_distance(summary.distance),
        *_farthest(summary),
        *(f"  note: {note}" for note in validation.notes),
    ]


def _rows(count: int) -> str:
    return "1 row" if count == 1 else f"{count} rows"


def _left_out(validation: Validation) -> Iterator[str]:
    if validation.untimed:
        yield f"  {_rows(validation.untimed)} without a time left out"
    if validation.refusal_count:
        first = validation.refusals[0]
        yield f"  {_rows(validation.refusal_count)} refused; the first, line {first.line}: {first.reason}"


def _times(value: float) -> str:
    return f"{format_number(value, digits=4)}×"


def _distribution(summary: Summary) -> Iterator[str]:
    yield "  measured / bound"
    heads = ("", "rows", "least", "25 %", "median", "75 %", "90 %", "most", "geometric mean")
    lines = [heads, *(_cells(name, one) for name, one in (("all", summary.all), *summary.by_bound.items()))]
    yield from _table(lines if len(summary.by_bound) > 1 else lines[:2])


def _cells(name: str, one: Any) -> tuple[str, ...]:
    figures = (
        one.least, one.lower_quartile, one.median, one.upper_quartile, one.ninety_percent, one.most, one.geometric_mean,
    )  # fmt: skip
    return (name, str(one.rows), *map(_times, figures))


def _table(rows: list[tuple[str, ...]]) -> list[str]:
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    return [
        ("    " + row[0].ljust(widths[0]) + "".join(
            "  " + cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)
        )).rstrip()
        for row in rows
    ]  # fmt: skip


def _histogram(summary: Summary) -> Iterator[str]:
    filled = [at for at, one in enumerate(summary.histogram) if one.rows]
    shown = summary.histogram[filled[0] : filled[-1] + 1]
    most = max(one.rows for one in shown)
    width = max(len(bin_words(one)) for one in shown)
    for one in shown:
        bar = "#" * max(round(_BAR * one.rows / most), 1 if one.rows else 0)
        yield f"    {bin_words(one).ljust(width)}  {bar}".rstrip()


def _violations(validation: Validation, summary: Summary, top: int, holds: list[str]) -> Iterator[str]:
    broken = summary.violations
    if not broken:
        yield f"  no row is faster than its bound; the nearest is {_times(summary.all.least)} of it"
        return
    yield f"  {_rows(len(broken))} faster than the bound: either the table or the machine is not what it is taken for"
    for one in broken[:top]:
        yield from _violation(one)
    if len(broken) > top:
        yield f"    {len(broken) - top} more; --json lists all of them"
    if holds:
        yield f"  no row is faster than its bound on {', '.join(holds)}"


def _violation(one: Violation) -> Iterator[str]:
    yield f"    {_row_words(one.row)}"
    for cause in one.causes:
        yield f"      {cause}"


def _row_words(row: RowFigures) -> str:
    shape = " ".join(f"{name}={value_text(value)}" for name, value in row.parameters.items())
    times = f"{format_quantity(row.measured_s, 's', digits=4)} measured, {format_quantity(row.bound_s, 's', digits=4)}"
    what = f"line {row.line}: {shape}" + (f" {row.dtype}" if row.dtype else "")
    return f"{what}: {times} bound, {_times(row.ratio)}, {row.bound} at {row.binding}"


def _distance(distance: Distance | None) -> Iterator[str]:
    if distance is None:
        return
    yield f"  where the distance comes from: {_times(distance.factor)} over {_rows(distance.rows)}, factor by factor"
    lines: list[tuple[str, ...]] = [("", "factor", "of the distance", "of the time", "largest in")]
    for group, share in distance.groups.items():
        lines.append(_share(_GROUP_LABELS[group], share))
        steps = [step for step in STEPS if step.group == group]
        lines += [
            _share(f"  {step.label}", distance.steps[step.id])
            for step in steps
            if abs(distance.steps[step.id].factor - 1) >= 0.0005 or step.id == "rest"
        ]
    yield from _table(lines)
    if distance.fixed is not None:
        fixed = distance.fixed
        yield (
            f"    {format_quantity(fixed.time_s, 's')} stay over in {_rows(fixed.rows)} whatever their shape: a fixed "
            "cost of each run, such as the host's side of a launch, or the timer's"
        )
    if distance.over:
        yield (
            f"    in {_rows(distance.over)} the forecast lies above the measured time: "
            "its tiles, waves or launches are not those of the kernel"
        )


def _share(label: str, one: Share) -> tuple[str, ...]:
    return label, _times(one.factor), _percent(one.share), _percent(one.time_share), _rows(one.rows)


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{format_number(100 * share, digits=3 if abs(share) >= 0.1 else 2)}%"


def _farthest(summary: Summary) -> Iterator[str]:
    if not summary.farthest:
        return
    labels = {step.id: step.label for step in STEPS}
    yield ""
    yield "  farthest above the bound"
    for row in summary.farthest:
        yield f"    {_row_words(row)}, mostly {labels[row.cause]}"
    yield ""
