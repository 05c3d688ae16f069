"""What the user says about a table of shapes, and what comes of it: rows that can be placed, rows that cannot."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.dtypes import parse_dtypes
from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.resolution import parameter_from_text, resolve_dtypes, resolve_parameters
from rooflinestudio.core.shapes.columns import ColumnMap, Wishes, propose_columns
from rooflinestudio.core.shapes.names import (
    is_dtype_head,
    is_time_head,
    match_level,
    must_be_given,
    unit_of_head,
)
from rooflinestudio.core.shapes.sheet import ShapeTableError
from rooflinestudio.core.shapes.table import shapes_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.operators import Operator, Parameter
    from rooflinestudio.core.shapes.sheet import Sheet
    from rooflinestudio.core.shapes.table import ShapeTable

__all__ = ["ShapesFound", "ShapesPlan", "find_shapes", "plan_shapes"]


@dataclass(frozen=True)
class ShapesPlan:
    """Which column holds what.

    Attributes
    ----------
    columns
        Position by parameter.
    fixed
        Texts by parameter that has no column: one value for all rows.
    time, dtype
        Position, or None.
    time_unit
        Of bare times; empty takes that of the head or of the cells.
    dtypes
        Formats for all rows as they are typed (``bf16,weight=int4``), where no column has them.
    mark
        ``"."`` or ``","``; None leaves it to the cells.
    doubt
        Why not all could be proposed, or empty.
    """

    columns: Mapping[str, int] = field(default_factory=dict)
    fixed: Mapping[str, str] = field(default_factory=dict)
    time: int | None = None
    time_unit: str = ""
    dtype: int | None = None
    dtypes: str = ""
    mark: str | None = None
    doubt: str = ""

    def with_column(self, parameter: str, at: int | None) -> ShapesPlan:
        """Return the plan with another column for a parameter, or none."""
        columns = {name: column for name, column in self.columns.items() if name != parameter}
        return replace(self, columns=columns if at is None else {**columns, parameter: at})

    def with_fixed(self, parameter: str, text: str) -> ShapesPlan:
        """Return the plan with one value for all rows; an empty text is the operator's default."""
        fixed = {name: value for name, value in self.fixed.items() if name != parameter}
        return replace(self, fixed={**fixed, parameter: text} if text.strip() else fixed)


@dataclass(frozen=True)
class ShapesFound:
    """What a plan comes to.

    Attributes
    ----------
    table
        The rows that can be used, or None.
    parameters, dtypes
        What holds for all rows, as a study keeps it.
    problem
        Why there is no table.
    """

    table: ShapeTable | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    dtypes: Mapping[str, str] = field(default_factory=dict)
    problem: str = ""


def plan_shapes(sheet: Sheet, operator: Operator) -> ShapesPlan:
    """Return what the heads propose; where they are ambiguous, the best of it with the doubt."""
    missing: tuple[str, ...] = ()
    if sheet.head:  # without heads the first columns are taken in the operator's order
        missing = tuple(
            one.name for one in operator.parameters if must_be_given(one) and not _fits(sheet, one)
        )
    try:
        found = propose_columns(sheet, operator, Wishes({}, fixed=missing))
    except ShapeTableError as error:
        return _plan_by_levels(sheet, operator, str(error))
    return ShapesPlan(
        found.parameters, {}, found.time, found.time_unit, found.dtype, doubt=" ".join(found.notes)
    )


def find_shapes(sheet: Sheet, operator: Operator, plan: ShapesPlan) -> ShapesFound:
    """Read the rows as a plan says; what is wrong with the plan or the whole file is the problem of the answer."""
    try:
        parameters = _fixed_parameters(operator, plan)
        dtypes = parse_dtypes(plan.dtypes) if plan.dtype is None else {}
        resolve_dtypes(operator, dtypes)
        lacking = _lacking(operator, plan)
        if lacking:
            return ShapesFound(problem=lacking)
        unit = plan.time_unit or (
            unit_of_head(sheet.head[plan.time]) if plan.time is not None and sheet.head else ""
        )
        columns = ColumnMap(dict(plan.columns), plan.time, plan.dtype, unit)
        table = shapes_of(sheet, operator, columns, mark=plan.mark)
    except StudioError as error:
        return ShapesFound(problem=str(error))
    return ShapesFound(table, parameters, {role: one.id for role, one in dtypes.items()})


_CHOOSE: Final = "Choose its column, or type one value for all rows."


def _lacking(operator: Operator, plan: ShapesPlan) -> str:
    given = {*plan.columns, *plan.fixed}
    names = [one.name for one in operator.parameters if must_be_given(one) and one.name not in given]
    if names:
        return f"{' and '.join(names)} {'has' if len(names) == 1 else 'have'} no column. {_CHOOSE}"
    return "" if plan.columns else f"No column belongs to a parameter of {operator.label}. Choose one."


def _fixed_parameters(operator: Operator, plan: ShapesPlan) -> dict[str, Any]:
    known = {one.name: one for one in operator.parameters}
    given = {
        name: parameter_from_text(operator, known[name], text)
        for name, text in plan.fixed.items()
        if name in known and name not in plan.columns
    }
    resolve_parameters(operator, given)
    return given


def _fits(sheet: Sheet, parameter: Parameter) -> bool:
    return any(match_level(head, parameter) is not None for head in sheet.head)


def _plan_by_levels(sheet: Sheet, operator: Operator, doubt: str) -> ShapesPlan:
    """Return the column that fits each parameter best, the first of several."""
    columns: dict[str, int] = {}
    for parameter in operator.parameters:
        levels = {at: match_level(head, parameter) for at, head in enumerate(sheet.head)}
        fits = [(level, at) for at, level in levels.items() if level is not None]
        if fits:
            columns[parameter.name] = min(fits)[1]
    heads = list(enumerate(sheet.head))
    time = next((at for at, head in heads if is_time_head(head) and at not in columns.values()), None)
    dtype = next((at for at, head in heads if is_dtype_head(head)), None)
    return ShapesPlan(columns, {}, time, "", dtype, doubt=doubt)
