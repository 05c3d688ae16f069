"""Number formats: how many bits are stored, and which pipe a product of them runs on."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["DTYPES", "ROLES", "DType", "compute_of", "dtype", "parse_dtypes"]

ROLES: Final = ("weight", "activation", "kv", "output", "accumulate", "compute")
"""The roles that a dtype can be given for; an operator may name single tensors besides."""

SHORTHAND_ROLES: Final = ("weight", "activation", "kv", "output", "compute")
"""The roles that the shorthand (``bf16`` alone, or the key ``all``) sets; accumulation stays the operator's own."""


@dataclass(frozen=True, slots=True)
class DType:
    """One number format.

    Attributes
    ----------
    id
        Lower-case name, such as ``bf16``.
    storage_bits
        Bits per element in memory, scales and zero points included: int4 in groups of 128 with one fp16 scale and
        one 4-bit zero point is 4 + 20/128 = 4.15625.
    bytes
        The same in bytes; not always a whole number.
    pipe
        Name that the compute pipe of this format goes by: mxfp8 runs on the fp8 pipe.
    rank
        Order by which the widest of several is found; bf16 stands before fp16.
    """

    id: str
    storage_bits: float
    pipe: str
    rank: int

    @property
    def bytes(self) -> float:
        """Bytes per stored element."""
        return self.storage_bits / 8.0

    def __str__(self) -> str:
        return self.id

    def __hash__(self) -> int:
        return hash(self.id)


def _table() -> Mapping[str, DType]:
    rows = (
        ("fp64", 64, "fp64"), ("fp32", 32, "fp32"), ("tf32", 32, "tf32"), ("int32", 32, "int32"),
        ("bf16", 16, "bf16"), ("fp16", 16, "fp16"),
        ("mxfp8", 8.25, "fp8"), ("fp8", 8, "fp8"), ("int8", 8, "int8"),
        ("mxfp6", 6.25, "fp6"), ("fp6", 6, "fp6"),
        ("nvfp4", 4.5, "fp4"), ("mxfp4", 4.25, "fp4"), ("int4", 4.15625, "int4"), ("fp4", 4, "fp4"),
    )  # fmt: skip
    return MappingProxyType(
        {id_: DType(id_, float(bits), pipe, len(rows) - at) for at, (id_, bits, pipe) in enumerate(rows)}
    )


DTYPES: Final = _table()
"""All number formats by id, widest first."""


def dtype(name: str) -> DType:
    """Look a number format up by id.

    Raises
    ------
    ParameterError
        If there is none of this name; the message offers the nearest.
    """
    try:
        return DTYPES[name.strip().lower()]
    except KeyError:
        near = difflib.get_close_matches(name.lower(), DTYPES, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(DTYPES)}."
        raise ParameterError(f"unknown dtype {name!r}; {hint}") from None


def compute_of(dtypes: Iterable[DType]) -> DType:
    """Return the widest of several formats: what a product of them is computed in."""
    return max(dtypes, key=lambda one: one.rank)


def parse_dtypes(text: str | Mapping[str, str] | None) -> dict[str, DType]:
    """Read ``"bf16"``, ``"bf16,weight=int4,kv=fp8"`` or a mapping with ``all`` as the shorthand.

    Returns
    -------
    dict
        Roles or tensor names to formats, with the shorthand under ``all``. Nothing is filled in: what is left out
        follows the operator.

    Raises
    ------
    ParameterError
        If a format is unknown, a role is given twice, or a part cannot be read.
    """
    if text is None:
        return {}
    if not isinstance(text, str):
        return {str(role): dtype(str(name)) for role, name in text.items()}
    result: dict[str, DType] = {}
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        role, equals, name = part.partition("=")
        key, value = (role.strip(), name) if equals else ("all", part)
        if key in result:
            raise ParameterError(f"dtype {text!r} sets {key!r} twice; keep one of them.")
        result[key] = dtype(value)
    return result
