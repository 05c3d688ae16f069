"""Whose shapes a table holds: the operators whose parameters its heads name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.shapes.columns import Wishes, propose_columns
from rooflinestudio.core.shapes.names import match_level, must_be_given
from rooflinestudio.core.shapes.sheet import ShapeTableError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rooflinestudio.core.operators import Operator, Parameter
    from rooflinestudio.core.shapes.columns import ColumnMap
    from rooflinestudio.core.shapes.sheet import Sheet

__all__ = ["OperatorProposal", "propose_operators"]

_LEVEL_COST: Final = 0.1
_UNUSED_COST: Final = 0.25
_MISSING_COST: Final = 0.6
_LEAST_SCORE: Final = 1.0


@dataclass(frozen=True, slots=True)
class OperatorProposal:
    """An operator that a table may be of.

    Attributes
    ----------
    columns
        Which of its columns would be taken for what.
    score
        How much of the table it explains; only differences mean something.
    missing
        Dimensions that no column holds: they need one value for all rows.
    """

    operator: Operator
    columns: ColumnMap
    score: float
    missing: tuple[str, ...] = ()


def propose_operators(sheet: Sheet, operators: Iterable[Operator]) -> tuple[OperatorProposal, ...]:
    """Return the operators whose dimensions a table's heads name, the likeliest first.

    Each dimension that has a column counts; a head that is spelt as the parameter counts more than one that is known
    to be used for it, and columns that would be left over count against it. Without heads nothing is proposed.
    """
    if not sheet.head:
        return ()
    found = [one for operator in operators if (one := _proposal(sheet, operator)) is not None]
    return tuple(sorted(found, key=lambda one: -one.score))


def _proposal(sheet: Sheet, operator: Operator) -> OperatorProposal | None:
    dimensions = [one for one in operator.parameters if must_be_given(one)]
    if not dimensions:
        return None
    missing = tuple(one.name for one in dimensions if not _has_head(sheet, one))
    if len(missing) == len(dimensions):
        return None
    try:
        columns = propose_columns(sheet, operator, Wishes({}, fixed=missing))
    except ShapeTableError:
        return None
    parameters = {one.name: one for one in operator.parameters}
    levels: dict[int, int] = {}  # a column that serves two parameters counts once
    for name, at in columns.parameters.items():
        levels[at] = max(levels.get(at, 0), match_level(sheet.head[at], parameters[name]) or 0)
    used = {*columns.parameters.values(), columns.time, columns.dtype}
    unused = sum(1 for at, head in enumerate(sheet.head) if at not in used and head.strip())
    score = (
        len(levels)
        - _LEVEL_COST * sum(levels.values())
        - _UNUSED_COST * unused
        - _MISSING_COST * len(missing)
    )
    return OperatorProposal(operator, columns, score, missing) if score >= _LEAST_SCORE else None


def _has_head(sheet: Sheet, parameter: Parameter) -> bool:
    return any(match_level(head, parameter) is not None for head in sheet.head)
