"""Formats as one dimension of a compare grid: the present one of an entry, and the entry in another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rooflinestudio.core.dtypes import DTYPES, parse_dtypes
from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.resolution import resolve_dtypes
from rooflinestudio.core.shorthand import OWN, after_shorthand, common_format

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.operators import Operator
    from rooflinestudio.core.placing import EstimateSource
    from rooflinestudio.core.study import Entry

__all__ = ["formats_for", "present_dtype"]


def present_dtype(entry: Entry, source: EstimateSource | None) -> str:
    """Return the one format of all roles that follow the shorthand, or ``own`` where they differ."""
    operator = _operator(entry, source)
    if operator is None:
        given = set(entry.dtypes.values())
        return given.pop() if len(given) == 1 and "all" in entry.dtypes and given <= DTYPES.keys() else OWN
    try:
        resolved = resolve_dtypes(operator, parse_dtypes(entry.dtypes))
    except StudioError:
        return OWN
    return common_format(operator, resolved) or OWN


def formats_for(entry: Entry, wanted: str, source: EstimateSource | None) -> Mapping[str, str]:
    """Return what an entry holds in a format; roles that follow the shorthand lose what was set by name.

    Where nothing would change it is what the entry has, the same object.
    """
    if wanted in (OWN, present_dtype(entry, source)):
        return entry.dtypes
    return after_shorthand(_operator(entry, source), entry.dtypes, wanted)


def _operator(entry: Entry, source: EstimateSource | None) -> Operator | None:
    if source is None:
        return None
    try:
        return source.operator(entry.operator, entry.plugin.id)
    except StudioError:
        return None
