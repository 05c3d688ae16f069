"""A comparison of measured and predicted times as the JSON document and the CSV table of the command line.

Strict JSON: what is infinite or absent is null.
"""

from __future__ import annotations

import csv
import io
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.evaluation import plain
from rooflinestudio.core.shapes.words import dtype_text, value_text
from rooflinestudio.core.validation.limits import STEPS
from rooflinestudio.core.validation.words import bin_words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rooflinestudio.core.validation.distance import Share
    from rooflinestudio.core.validation.result import Validation
    from rooflinestudio.core.validation.summary import RowFigures, Summary, Violation

__all__ = ["validation_csv", "validation_document"]

FIGURES: Final = ("measured_s", "bound_s", "ratio", "bound", "binding")


def validation_document(
    validation: Validation,
    summary: Summary,
    *,
    file: str,
    faults: tuple[Iterable[Any], int],
    holds: Iterable[str] = (),
) -> dict[str, Any]:
    """Return the document of one comparison.

    Parameters
    ----------
    faults
        Cells and lines that could not be read, and how many there are.
    holds
        Other machines on which no row breaks its bound.
    """
    against, table = validation.against, validation.table
    document: dict[str, Any] = plain({
        "file": file,
        "operator": against.operator_id,
        "parameters": dict(against.fixed),
        "dtype": dtype_text(against.dtypes) or None,
        "hardware": against.profile.id,
        "policy": "compulsory",
        "boundary": validation.boundary,
        "model": "bound",
        "columns": dict(table.heads),
        "rows": {
            "compared": len(validation),
            "violated": len(summary.violations),
            "without_time": validation.untimed,
            "refused": validation.refusal_count,
            "faults": faults[1],
        },
        "ratio": asdict(summary.all),
        "ratio_by_bound": {name: asdict(one) for name, one in summary.by_bound.items()},
        "histogram": [{**asdict(one), "text": bin_words(one)} for one in summary.histogram],
        "violations": [_violation(one) for one in summary.violations],
        "no_violation_on": list(holds),
        "distance": _distance(summary),
        "farthest": [_row(one) for one in summary.farthest],
        "refusals": [{"line": one.line, "reason": one.reason} for one in validation.refusals],
        "faults": [asdict(one) for one in faults[0]],
        "notes": list(validation.notes),
    })  # fmt: skip
    return document


def _distance(summary: Summary) -> dict[str, Any] | None:
    distance = summary.distance
    if distance is None:
        return None
    groups: dict[str, Any] = {
        name: {**_share(one), "steps": {s.id: _share(distance.steps[s.id]) for s in STEPS if s.group == name}}
        for name, one in distance.groups.items()
    }
    return {
        "rows": distance.rows,
        "factor": distance.factor,
        "distance_s": distance.distance_s,
        "rows_faster_than_forecast": distance.over,
        "fixed_cost": asdict(distance.fixed) if distance.fixed is not None else None,
        **groups,
    }


def _share(one: Share) -> dict[str, Any]:
    return asdict(one)


def _row(one: RowFigures) -> dict[str, Any]:
    row = asdict(one)
    row["dtype"] = one.dtype or None
    return row


def _violation(one: Violation) -> dict[str, Any]:
    row = _row(one.row)
    del row["cause"]
    return {
        **row,
        "needed_per_s": one.needed_per_s,
        "given_per_s": one.given_per_s,
        "unit": one.unit,
        "causes": list(one.causes),
    }


def validation_csv(validation: Validation) -> str:
    """Return one row per row compared, in the order of the file; numbers are written so that they read back the same.

    After the figures come the parts of the distance in seconds; they add up to measured - bound.
    """
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    table, names = validation.table, list(validation.table.columns.parameters)
    parts = validation.parts_s()
    head = ["line", *names, *(["dtype"] if table.dtypes is not None else []), *FIGURES]
    writer.writerow([*head, *(f"{id_}_s" for id_ in parts)])
    figures = [getattr(validation, name).tolist() for name in FIGURES[:3]]
    seconds = [values.tolist() for values in parts.values()]
    formats = [dtype_text(one) for one in table.dtypes.values] if table.dtypes is not None else []
    for at, line in enumerate(table.line.tolist()):
        shape = table.parameters(at)
        dtype = [formats[table.dtypes.codes[at]]] if table.dtypes is not None else []
        writer.writerow([
            line, *(value_text(shape[name]) for name in names), *dtype, *(repr(values[at]) for values in figures),
            *validation.bound_words(at), *(repr(values[at]) for values in seconds),
        ])  # fmt: skip
    return stream.getvalue()
