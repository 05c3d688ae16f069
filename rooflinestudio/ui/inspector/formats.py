"""Which number format each role of an operator has, which tensors it stands for, and what a choice would write down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.dtypes import DTYPES, parse_dtypes
from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.resolution import resolve_dtypes
from rooflinestudio.core.shorthand import common_format
from rooflinestudio.ui.widgets.words import bytes_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.dtypes import DType
    from rooflinestudio.core.operators import Estimate, Operator, Tensor
    from rooflinestudio.core.placing import PlacedRow

__all__ = ["MIXED", "RoleFormat", "after_choice", "role_formats", "shorthand_of"]

MIXED: Final = "mixed"

_WORDS: Final = {"kv": "K and V", "accumulate": "acc"}
_TENSOR_ROLES: Final = {
    "weight": ("weight",),
    "kv": ("cache",),
    "activation": ("input", "intermediate"),
    "output": ("output",),
}
_KEYS_AND_VALUES: Final = ("K", "V", "dK", "dV")
_NAMES_MOST: Final = 9


@dataclass(frozen=True, slots=True)
class RoleFormat:
    """One role: its format, a name for the panel, and how many bytes it means.

    ``size`` is "on chip" for what never leaves it, or empty where nothing is known.
    """

    role: str
    label: str
    dtype: str
    size: str
    explicit: bool


def role_formats(operator: Operator, row: PlacedRow) -> tuple[RoleFormat, ...]:
    """Return the roles of an operator in its order, and the format it computes in at the end."""
    resolved = _resolved(operator, row.entry.dtypes)
    if row.placement is not None:
        resolved = dict(row.placement.dtypes)
    tensors = _claimed(row.placement.estimate, operator, resolved) if row.placement is not None else {}
    found = []
    for role in (*(one for one in operator.dtype_roles if one != "compute"), "compute"):
        if role not in resolved:
            continue
        mine = tensors.get(role, [])
        found.append(
            RoleFormat(
                role, _label(role, mine), resolved[role].id, _size(role, mine, row), role in row.entry.dtypes
            )
        )
    return tuple(found)


def _resolved(operator: Operator, given: Mapping[str, str]) -> dict[str, DType]:
    """Return the formats as far as they can be told; what is unknown is left out."""
    known = {role: name for role, name in given.items() if name in DTYPES}
    try:
        return dict(resolve_dtypes(operator, parse_dtypes(known)))
    except StudioError:
        return dict(resolve_dtypes(operator, {}))


def _claimed(
    estimate: Estimate, operator: Operator, resolved: Mapping[str, DType]
) -> dict[str, list[Tensor]]:
    """Return the tensors of each role, as far as names and roles tell."""
    claimed: dict[str, list[Tensor]] = {}
    for tensor in estimate.tensors:
        role = _role_of(tensor, operator)
        if role in resolved and resolved[role] == tensor.dtype:
            claimed.setdefault(role, []).append(tensor)
    return claimed


def _role_of(tensor: Tensor, operator: Operator) -> str:
    roles = operator.dtype_roles
    if tensor.name in roles:
        return tensor.name
    if "kv" in roles and tensor.name in _KEYS_AND_VALUES:
        return "kv"
    for role, kinds in _TENSOR_ROLES.items():
        if role in roles and tensor.role in kinds:
            return role
    return "weight" if "weight" in roles and tensor.name.startswith("weight") else ""


def _label(role: str, tensors: list[Tensor]) -> str:
    names = ", ".join(tensor.name for tensor in tensors)
    if 0 < len(names) <= _NAMES_MOST:
        return names
    return _WORDS.get(role, role)


def _size(role: str, tensors: list[Tensor], row: PlacedRow) -> str:
    if role == "accumulate":
        return "on chip"
    if role == "compute":
        return f"on {row.placement.ceiling_id}" if row.placement is not None else ""
    if not tensors:
        return ""
    return bytes_text(sum(tensor.elements * tensor.dtype.bytes for tensor in tensors), digits=3)


# What a choice writes down ----------------------------------------------------------------------------------------


def shorthand_of(operator: Operator, row: PlacedRow) -> str:
    """Return the one format of all roles that follow the shorthand, or :data:`MIXED`."""
    return common_format(operator, _resolved(operator, row.entry.dtypes)) or MIXED


def after_choice(operator: Operator, given: Mapping[str, str], role: str, choice: str) -> dict[str, str]:
    """Return what an entry holds after a role was given a format; what it has anyway is not written down."""
    without = {one: name for one, name in given.items() if one != role}
    natural = _resolved(operator, without).get(role)
    return without if natural is not None and natural.id == choice else {**without, role: choice}
