"""Which composite of a study its budget is about, and how a part of it becomes an entry of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rooflinestudio.core.budget_words import part_names
from rooflinestudio.core.chains import is_chain
from rooflinestudio.core.dtypes import parse_dtypes
from rooflinestudio.core.errors import RefusedError, StudioError
from rooflinestudio.core.resolution import resolve_dtypes, resolve_parameters
from rooflinestudio.core.selection import selected_entry
from rooflinestudio.core.study import Entry

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.dtypes import DType
    from rooflinestudio.core.operators import Operator
    from rooflinestudio.core.placing import EstimateSource, PlacedRow, PlacedStudy
    from rooflinestudio.core.selection import Selection

__all__ = ["composites", "entry_of_part", "is_composite", "row_for_budget", "selected_part"]


def selected_part(selection: Selection, entry_id: str) -> int:
    """Return the number of the part of an entry that is selected, or -1."""
    if isinstance(selection, tuple) and selection[:2] == ("part", entry_id):
        return selection[2]
    return -1


def composites(
    placed: PlacedStudy, source: EstimateSource | None = None, *, shown: str = ""
) -> tuple[Entry, ...]:
    """Return the entries that consist of several kernels, in the order of the study, once each.

    What could not be placed counts where it can be told without its estimate: chains, layers with a regime, and the
    entry that was shown as one until now.
    """
    found: dict[str, Entry] = {}
    for row in placed.rows:
        still = row.placement is None and row.entry.id == shown
        if row.entry.id not in found and (still or is_composite(row, source)):
            found[row.entry.id] = row.entry
    return tuple(found.values())


def is_composite(row: PlacedRow, source: EstimateSource | None = None) -> bool:
    """Tell whether a row consists of several kernels, as far as that can be known."""
    if row.placement is not None:
        return bool(row.placement.parts)
    if is_chain(row.entry.operator):
        return True
    operator = _operator(source, row.entry.operator)
    if operator is None or source is None:
        return False
    if any(one.name == "regime" for one in operator.parameters):
        return True
    try:  # it may be the machine that refuses: the operator itself knows its parts
        parameters = resolve_parameters(operator, row.entry.parameters, row.profile)
        formats = resolve_dtypes(operator, parse_dtypes(row.entry.dtypes))
        return bool(source.estimate(operator, parameters, formats).parts)
    except StudioError:
        return False


def row_for_budget(
    placed: PlacedStudy,
    *,
    selection: Selection = None,
    wanted: str = "",
    machine: str = "",
    shown: str = "",
    source: EstimateSource | None = None,
) -> PlacedRow | None:
    """Return the row that a budget is made of, or None where the study has no composite.

    The selected entry comes first, then the wanted one, the one that is shown already, the first composite of the
    study; of its machines the preferred one.
    """
    known = {one.id for one in composites(placed, source, shown=shown)}
    if not known:
        return None
    first = next(row.entry.id for row in placed.rows if row.entry.id in known)
    id_ = next((one for one in (selected_entry(selection), wanted, shown) if one in known), first)
    rows = placed.rows_of(id_)
    return next((row for row in rows if row.machine == machine), rows[0])


def entry_of_part(row: PlacedRow, index: int, source: EstimateSource | None = None) -> Entry:
    """Return a part of a composite as an entry of its own (id "": to be given).

    It has the operator, the parameters and the formats of the part, and the settings and machines of the composite.
    Its figures are those of a run of the part alone: what a training step multiplies, and what the composite keeps on
    chip, is not repeated.

    Parameters
    ----------
    source
        With it, what the operator would take anyway is left out, and what it would refuse is refused here.

    Raises
    ------
    RefusedError, ParameterError, UnavailableError
        If there is no such part, or no operator that answers for it alone.
    """
    placement = row.placement
    if placement is None or not 0 <= index < len(placement.parts):
        raise RefusedError(f"{row.entry.label or row.entry.id} has no part {index}.")
    part = placement.parts[index].placement
    name = part_names(placement)[index]
    if is_chain(row.entry.operator) and "+" in part.operator:
        raise RefusedError(f"{name} is a fused kernel: take it out of its chain in the fusion bench.")
    operator = None if source is None else source.operator(part.operator)
    parameters = {key: _plain(value) for key, value in part.parameters.items()}
    dtypes = {role: one.id for role, one in part.dtypes.items()}
    if operator is not None:
        parameters = _own(operator, parameters)
        resolve_parameters(operator, parameters, row.profile)
        dtypes = _own_formats(operator, part.dtypes)
    entry = row.entry
    return Entry(
        "", part.operator, parameters=parameters, dtypes=dtypes, policy=entry.policy, absorption=entry.absorption,
        overlap=entry.overlap, machines=entry.machines, boundary=entry.boundary, label=name, group=entry.group,
    )  # fmt: skip


def _operator(source: EstimateSource | None, id_: str) -> Operator | None:
    if source is None:
        return None
    try:
        return source.operator(id_)
    except StudioError:
        return None


def _plain(value: Any) -> Any:
    """Return whole numbers as such: 32768.0 is written 32768."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return int(value)
    return value


def _own(operator: Operator, parameters: dict[str, Any]) -> dict[str, Any]:
    declared = {one.name: one.default for one in operator.parameters}
    return {name: value for name, value in parameters.items() if name in declared and value != declared[name]}


def _own_formats(operator: Operator, dtypes: Mapping[str, DType]) -> dict[str, str]:
    """Return the formats that differ from the operator's own, and what to compute in where that does not follow."""
    roles = operator.dtype_roles
    given = {
        role: one
        for role, one in dtypes.items()
        if role in roles and role != "compute" and one.id != roles[role]
    }
    wanted = dtypes.get("compute")
    if wanted is not None and resolve_dtypes(operator, given)["compute"].id != wanted.id:
        given["compute"] = wanted
    return {role: one.id for role, one in given.items()}
