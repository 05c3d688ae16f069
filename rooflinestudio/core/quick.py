"""Frozen dataclasses that are made a thousand times a second.

The ``__init__`` that ``dataclass(frozen=True)`` writes makes one call per field, which for the 22 fields of a
placement takes as long as the model itself. :func:`quick_frozen` writes one that fills the instance in a single step;
in everything else the class is the usual frozen dataclass.
"""

from __future__ import annotations

from dataclasses import MISSING, Field, dataclass, fields
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeVar, dataclass_transform

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["nothing", "quick_frozen"]

_T = TypeVar("_T")
_NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})


def nothing() -> Mapping[str, Any]:
    """Return the one empty read-only mapping: the default of mapping fields."""
    return _NOTHING


@dataclass_transform(frozen_default=True)
def quick_frozen(cls: type[_T]) -> type[_T]:
    """Make a class a frozen dataclass with an ``__init__`` three times as fast.

    There are no slots and no ``__post_init__``. A default factory is asked once, when the class is made: it must
    return a value that may be shared, such as an empty read-only mapping.

    Raises
    ------
    TypeError
        If the class asks for what this does not do.
    """
    made = dataclass(frozen=True)(cls)
    declared = fields(made)  # type: ignore[arg-type]
    if hasattr(made, "__post_init__") or not all(one.init and not one.kw_only for one in declared):
        raise TypeError(
            f"{cls.__name__}: quick_frozen knows neither __post_init__ nor fields outside __init__"
        )
    made.__init__ = _initialiser(cls, declared)  # type: ignore[method-assign]
    return made


def _initialiser(cls: type, declared: tuple[Field[Any], ...]) -> Any:
    values: dict[str, Any] = {}
    arguments = []
    for one in declared:
        default = one.default_factory() if one.default_factory is not MISSING else one.default
        if default is not MISSING:
            values[f"_default_{one.name}"] = default
        arguments.append(one.name if default is MISSING else f"{one.name}=_default_{one.name}")
    filled = ", ".join(f"{one.name!r}: {one.name}" for one in declared)
    source = f"def __init__(self, {', '.join(arguments)}):\n self.__dict__.update({{{filled}}})\n"
    exec(source, values)  # the same way the standard library's dataclass makes its __init__
    made = values["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    return made
