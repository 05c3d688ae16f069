"""A sweep as text: the curves as CSV, thresholds and a few values of the curves as Markdown."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rooflinestudio.core.sweep.picture import DrawnCurve, SweepPicture

__all__ = ["curves_csv", "sweep_markdown"]

MOST_LINES: Final = 12


def curves_csv(picture: SweepPicture) -> str:
    """Return one line for each point of each curve, in base units; figures of refused points are empty."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    spec = picture.spec
    second = (spec.second[0],) if spec.second is not None else ()
    figure = f"{spec.figure} [{picture.unit or '1'}]"
    writer.writerow(
        ("curve", "entry", "machine", "policy", *second, spec.parameter, figure, "bound", "binding", "fits")
    )
    for one in picture.curves:
        head = (one.name, one.key.entry, one.row.machine, one.key.policy)
        extra = ("" if one.key.second is None else one.key.second,) if second else ()
        curve = one.curve
        for x, y, fits in zip(curve.x.tolist(), curve.y.tolist(), curve.fits.tolist(), strict=True):
            span = curve.span_at(x)
            bound = (span.bound, span.binding) if span is not None else ("", "")
            value = int(x) if x.is_integer() else x
            writer.writerow(
                (*head, *extra, value, "" if y != y else repr(y), *bound, "yes" if fits else "no")
            )
    return stream.getvalue()


def sweep_markdown(picture: SweepPicture) -> str:
    """Return verdict, thresholds, and the curves at about a dozen values."""
    lines = [f"**{picture.title}** ({picture.subtitle})", "", picture.verdict, ""]
    if picture.thresholds:
        rows = [(one.curve.name, one.value_text, one.words, one.figure_text) for one in picture.thresholds]
        lines += [
            *_table(("Curve", picture.spec.parameter, "What changes", _figure_head(picture)), rows, (1, 3)),
            "",
        ]
    there = [one for one in picture.curves if not one.curve.reason]
    if there:
        heads = (picture.spec.parameter, *(one.name for one in there))
        lines += [*_table(heads, _values(picture, there), tuple(range(len(heads)))), ""]
    lines += [f"- {name}: {reason}" for name, reason in picture.refused]
    lines += [f"- {note}" for note in picture.notes]
    return "\n".join(lines).rstrip() + "\n"


def _figure_head(picture: SweepPicture) -> str:
    return picture.y_title.partition(",")[0].capitalize()


def _values(picture: SweepPicture, curves: list[DrawnCurve]) -> list[tuple[str, ...]]:
    count = len(curves[0].curve.x)
    step = max(1, -(-(count - 1) // (MOST_LINES - 1))) if count > 1 else 1
    at = [*range(0, count - 1, step), count - 1]
    rows = []
    for index in at:
        value = float(curves[0].curve.x[index])
        cells = [picture.value_text(value)]
        for one in curves:
            reading = one.reading(value, picture.spec)
            cells.append("refused" if reading is None else picture.figure_text(reading.y))
        rows.append(tuple(cells))
    return rows


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], numbers: tuple[int, ...]) -> list[str]:
    rule = ["---:" if at in numbers else "---" for at in range(len(heads))]
    return [f"| {' | '.join(one.replace('|', '/') for one in cells)} |" for cells in (heads, rule, *rows)]
