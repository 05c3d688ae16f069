"""What the times of a table say about the bound, in two sentences: the answer of ``validate`` for a dialog."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.dtypes import parse_dtypes
from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.quantities import format_number
from rooflinestudio.core.validation import Against, validate_table
from rooflinestudio.core.validation.summary import summarise

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.placing import EstimateSource
    from rooflinestudio.core.shapes.table import ShapeTable
    from rooflinestudio.core.validation.summary import Summary

__all__ = ["MOST_JUDGED", "judged"]

MOST_JUDGED: Final = 50_000


def judged(
    table: ShapeTable,
    source: EstimateSource,
    profile: HardwareProfile,
    parameters: Mapping[str, Any],
    dtypes: Mapping[str, str],
) -> str:
    """Return how the measured times stand to the bound on a machine; an empty text where there are none."""
    if table.time_s is None or not bool((table.time_s == table.time_s).any()):
        return ""
    if len(table) > MOST_JUDGED:
        return f"{len(table):,} rows: hold them against the bound with 'rooflinestudio validate'.".replace(
            ",", "\u202f"
        )
    against = Against(source, table.operator_id, profile, parameters, parse_dtypes(dtypes))
    try:
        return _words(summarise(validate_table(table, against), top=1), profile)
    except StudioError as error:
        return f"Not held against the bound of {profile.short_name}: {error}"


def _words(summary: Summary, profile: HardwareProfile) -> str:
    whole = summary.all
    rows = f"{whole.rows} rows" if whole.rows != 1 else "1 row"
    text = (
        f"Measured / bound on {profile.short_name}, {rows}: median {format_number(whole.median)}×, from "
        f"{format_number(whole.least)}× to {format_number(whole.most)}×."
    )
    if not summary.violations:
        return f"{text} No row is faster than its bound."
    worst = summary.violations[0].row
    count = len(summary.violations)
    which = "1 row is faster than its bound" if count == 1 else f"{count} rows are faster than their bound"
    return f"{text} {which}, line {worst.line} most ({format_number(worst.ratio)}×): is the machine the right one?"
