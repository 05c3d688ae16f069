"""Shapes of a file as placements of a study, in one step."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from rooflinestudio.core.errors import ParameterError
from rooflinestudio.core.shapes.words import value_text
from rooflinestudio.core.study import Entry, Study

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping

    from rooflinestudio.core.operators import Operator
    from rooflinestudio.core.shapes.table import ShapeTable

    _Shape: TypeAlias = tuple[dict[str, Any], dict[str, str]]

__all__ = ["MOST_ENTRIES", "PlacedShapes", "entries_from_shapes", "place_shapes"]

MOST_ENTRIES: Final = 1000
"""Placements that one table may bring: what a canvas can show and an undo step can hold."""


@dataclass(frozen=True)
class PlacedShapes:
    """Placements made of a table.

    Attributes
    ----------
    entries
        One for each different shape, in the order of the file.
    entry_of
        Position among them by row of the table.
    """

    entries: tuple[Entry, ...]
    entry_of: Mapping[int, int]


def entries_from_shapes(
    table: ShapeTable,
    operator: Operator,
    study: Study | None = None,
    *,
    template: Entry | None = None,
    rows: Iterable[int] | None = None,
) -> tuple[Entry, ...]:
    """Return one placement for each different shape, in the order of the file, ready for ``Study.adding``.

    Parameters and errors are those of :func:`place_shapes`.
    """
    return place_shapes(table, operator, study, template=template, rows=rows).entries


def place_shapes(
    table: ShapeTable,
    operator: Operator,
    study: Study | None = None,
    *,
    template: Entry | None = None,
    rows: Iterable[int] | None = None,
) -> PlacedShapes:
    """Return one placement for each different shape, and which row became which.

    Parameters
    ----------
    study
        Where they will stand: ids and colours go on from it.
    template
        What all of them have: parameters that the table has no column for, formats for a table without them,
        machines, policy, group, plugin. Its id, operator, label and slot do not count.
    rows
        Positions of the rows to take; all of them if left out.

    Raises
    ------
    ParameterError
        If the table is another operator's, or there are more than :data:`MOST_ENTRIES` different shapes.
    """
    if table.operator_id != operator.id:
        raise ParameterError(f"the table holds shapes of {table.operator_id}, not of {operator.id}.")
    template = template or Entry("", operator.id)
    shapes: dict[Hashable, tuple[int, _Shape]] = {}
    entry_of: dict[int, int] = {}
    for at in range(len(table)) if rows is None else rows:
        shape, formats = table.parameters(at), _formats(table, at, template.dtypes)
        key = tuple(shape.items()), tuple(formats.items())
        entry_of[at] = shapes.setdefault(key, (len(shapes), (shape, formats)))[0]
        if len(shapes) > MOST_ENTRIES:
            raise ParameterError(
                f"{table.name} holds more than {MOST_ENTRIES} different shapes, too many to place. "
                "Choose some of its rows, or hold all of them against a machine with 'rooflinestudio validate'."
            )
    different = [shape for _, shape in shapes.values()]
    return PlacedShapes(tuple(_entries(operator, different, study or Study(), template)), entry_of)


def _formats(table: ShapeTable, at: int, given: Mapping[str, str]) -> dict[str, str]:
    if table.dtypes is None:
        return dict(given)
    return {role: one.id for role, one in table.dtypes.at(at).items()}


def _entries(operator: Operator, shapes: list[_Shape], study: Study, template: Entry) -> Iterator[Entry]:
    varying = [name for name in shapes[0][0] if len({one[name] for one, _ in shapes}) > 1] if shapes else []
    mixed = len({tuple(formats.items()) for _, formats in shapes}) > 1
    first_slot, ids = study.next_slot(), _free_ids(study, operator.id)
    for at, (shape, formats) in enumerate(shapes):
        words = [f"{name} {value_text(shape[name])}" for name in varying or shape]
        words += [",".join(formats.values())] if mixed and formats else []
        yield replace(
            template,
            id=next(ids),
            operator=operator.id,
            parameters={**template.parameters, **shape},
            dtypes=formats,
            label=", ".join((operator.label, *words)) if words else "",
            slot=first_slot + at,
        )


def _free_ids(study: Study, operator: str) -> Iterator[str]:
    """Yield free entry ids of an operator without end."""
    stem, _, number = study.next_id(operator).rpartition("-")
    taken = {one.id for one in study.entries}
    return (id_ for at in count(int(number)) if (id_ := f"{stem}-{at}") not in taken)
