"""The shorthand ``all`` of number formats: which roles follow it, what it says now, what choosing one leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rooflinestudio.core.dtypes import SHORTHAND_ROLES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.dtypes import DType
    from rooflinestudio.core.operators import Operator

__all__ = ["OWN", "after_shorthand", "common_format"]

OWN: Final = "own"
"""Stands for the formats that an operator, or an entry, has by itself."""


def common_format(operator: Operator, resolved: Mapping[str, DType]) -> str | None:
    """Return the one format of all roles that follow the shorthand, or None where they differ."""
    found = {resolved[role].id for role in _followers(operator) if role in resolved}
    return found.pop() if len(found) == 1 else None


def after_shorthand(operator: Operator | None, given: Mapping[str, str], choice: str) -> dict[str, str]:
    """Return what an entry holds after the shorthand was chosen: roles that follow it lose what was set by name.

    Parameters
    ----------
    operator
        Whose roles they are; of an unknown one, every role follows that can.
    choice
        Id of a format, or :data:`OWN` for nothing at all.
    """
    if choice == OWN:
        return {}
    roles = _followers(operator) if operator is not None else SHORTHAND_ROLES
    lost = (*roles, "all", "compute")
    return {"all": choice, **{role: name for role, name in given.items() if role not in lost}}


def _followers(operator: Operator) -> tuple[str, ...]:
    return tuple(
        role
        for role in operator.dtype_roles
        if role in SHORTHAND_ROLES and role != "compute" and role not in operator.pinned
    )
