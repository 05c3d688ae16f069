"""Formats as one dimension of a compare grid: the present one of an entry, and the entry in another one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rooflinestudio.core.dtypes import DTYPES, SHORTHAND_ROLES, parse_dtypes
from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.resolution import resolve_dtypes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.operators import Operator
    from rooflinestudio.core.placing import EstimateSource
    from rooflinestudio.core.study import Entry

__all__ = ["OWN", "formats_for", "present_dtype"]

OWN: Final = "own"
"""Stands for the formats of the entry where they are not one and the same."""


def present_dtype(entry: Entry, source: EstimateSource | None) -> str:
    """Return the one format of all roles that follow the shorthand, or :data:`OWN` where they differ."""
    operator = _operator(entry, source)
    if operator is None:
        given = set(entry.dtypes.values())
        return given.pop() if len(given) == 1 and "all" in entry.dtypes and given <= DTYPES.keys() else OWN
    try:
        resolved = resolve_dtypes(operator, parse_dtypes(entry.dtypes))
    except StudioError:
        return OWN
    found = {resolved[role].id for role in _followers(operator) if role in resolved}
    return found.pop() if len(found) == 1 else OWN


def formats_for(entry: Entry, wanted: str, source: EstimateSource | None) -> Mapping[str, str]:
    """Return what an entry holds in a format; roles that follow the shorthand lose what was set by name.

    Where nothing would change it is what the entry has, the same object.
    """
    if wanted in (OWN, present_dtype(entry, source)):
        return entry.dtypes
    operator = _operator(entry, source)
    followers = (*(_followers(operator) if operator is not None else SHORTHAND_ROLES), "all", "compute")
    return {"all": wanted, **{role: name for role, name in entry.dtypes.items() if role not in followers}}


def _operator(entry: Entry, source: EstimateSource | None) -> Operator | None:
    if source is None:
        return None
    try:
        return source.operator(entry.operator, entry.plugin.id)
    except StudioError:
        return None


def _followers(operator: Operator) -> list[str]:
    return [
        role
        for role in operator.dtype_roles
        if role in SHORTHAND_ROLES and role != "compute" and role not in operator.pinned
    ]
