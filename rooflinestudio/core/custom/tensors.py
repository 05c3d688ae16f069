"""The tensors of a kernel document: their sizes, their crossings, and the formats that they are kept in."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast, get_args

from rooflinestudio.core.custom.reading import nearest
from rooflinestudio.core.dtypes import DTYPES
from rooflinestudio.core.operators import TensorRole

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.custom.reading import Reader
    from rooflinestudio.core.formulas import Expression, Scope
    from rooflinestudio.core.yaml_text import Place

__all__ = ["TENSOR_KEYS", "TENSOR_NAME", "TensorSpec", "dtype_of", "tensor_tables", "tensors_of"]

TENSOR_KEYS: Final = ("name", "elements", "role", "dtype", "reads", "writes", "slope")
TENSOR_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,39}")

_MOST: Final = 32
_ROLES: Final[tuple[str, ...]] = get_args(TensorRole)
_DTYPE_BY_ROLE: Final = {
    "input": "activation", "weight": "weight", "output": "output", "state": "activation", "cache": "kv",
    "intermediate": "activation",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class TensorSpec:
    """One tensor, with formulas for its size and crossings; ``dtype`` is a role, or the id of a format that stays."""

    name: str
    elements: Expression
    role: TensorRole
    dtype: str
    reads: Expression
    writes: Expression
    slope: str = ""


def tensor_tables(value: Any, reader: Reader) -> list[dict[str, Any]]:
    """Read the list of tensors as tables of known keys, before formats and formulas are known."""
    what = "Write '- {name: x, elements: n, role: input}' for each tensor."
    items = reader.items(value, ("tensors",), what, most=_MOST)
    return [reader.table(one, TENSOR_KEYS, ("tensors", at), what) for at, one in enumerate(items)]


def dtype_of(table: Mapping[str, Any], dtypes: Mapping[str, str]) -> str:
    """Return what a tensor says of its format, else the role of its own name, else the one that its role takes."""
    named = table.get("dtype")
    if named is not None:
        return str(named)
    name = str(table.get("name", ""))
    return name if name in dtypes else _DTYPE_BY_ROLE.get(str(table.get("role") or "input"), "activation")


def tensors_of(
    tables: list[dict[str, Any]], reader: Reader, scope: Scope, dtypes: Mapping[str, str]
) -> tuple[TensorSpec, ...]:
    """Make tensors of their tables, noting every fault."""
    made = [_tensor(reader, one, ("tensors", at), scope, dtypes) for at, one in enumerate(tables)]
    names = [one.get("name") for one in tables]
    for at, name in enumerate(names):
        if name in names[:at]:
            reader.fault(("tensors", at, "name"), f"is {name!r} a second time. Rename one of them.")
    return tuple(one for one in made if one is not None)


def _tensor(
    reader: Reader, table: dict[str, Any], place: Place, scope: Scope, dtypes: Mapping[str, str]
) -> TensorSpec | None:
    name = reader.text(table, "name", place, mend="Write the tensor's name, such as x.")
    if name and not TENSOR_NAME.fullmatch(name):
        reader.fault((*place, "name"), f"is {name!r}; write a letter, then letters, digits or underscores.")
    role = reader.text(table, "role", place) or "input"
    if role not in _ROLES:
        reader.fault((*place, "role"), f"is {role!r}. {nearest(role, _ROLES)}")
    dtype = dtype_of(table, dtypes)
    if dtype not in dtypes and dtype not in DTYPES:
        text = f"is {dtype!r}, which is neither a role in dtypes nor a format. {nearest(dtype, (*dtypes, *DTYPES))}"
        reader.fault((*place, "dtype"), text)
    elements = table.get("elements")
    if elements is None:
        reader.fault((*place, "elements"), "is missing. Write how many elements it has, such as 'm * n'.")
    size = None if elements is None else reader.formula(elements, (*place, "elements"), scope)
    read, written = ("0", "1") if role == "output" else ("1", "0")
    if role == "intermediate":
        read = written = "0"  # it stays on chip unless the document says that it crosses
    reads = reader.formula(table.get("reads"), (*place, "reads"), scope, default=read)
    writes = reader.formula(table.get("writes"), (*place, "writes"), scope, default=written)
    slope = reader.text(table, "slope", place)
    if size is None or reads is None or writes is None:
        return None
    return TensorSpec(name, size, cast("TensorRole", role), dtype, reads, writes, slope)
