"""The second parameter of a sweep: what can be one, which values suggest themselves, and values as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.errors import ParameterError
from rooflinestudio.core.resolution import parameter_from_text
from rooflinestudio.core.sweep.axes import declared, takes_words
from rooflinestudio.core.sweep.panel import MOST_SECOND

if TYPE_CHECKING:
    from rooflinestudio.core.operators import Operator

__all__ = ["read_values", "second_parameters", "suggested_values", "values_text"]

RATIOS: Final = (0.5, 1, 2)


def second_parameters(operator: Operator, names: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return name and label of each parameter that can be the second beside those that run."""
    return tuple((one.name, one.label) for one in operator.parameters if one.name not in names)


def suggested_values(operator: Operator, name: str, own: Any) -> tuple[Any, ...]:
    """Return all choices of a parameter, or half, once and twice the value that an entry has."""
    parameter = declared(operator, name)
    if isinstance(parameter.default, bool):
        return (False, True)
    if parameter.choices:
        return parameter.choices[:MOST_SECOND]
    if takes_words(parameter) or not isinstance(own, int | float) or isinstance(own, bool):
        return (parameter.default if own is None else own,)
    values: list[float] = [own * ratio for ratio in RATIOS] if own else [own, 1]
    if parameter.integer:
        values = [int(one) for one in values]
    return tuple(dict.fromkeys(one for one in values if parameter.low <= one <= parameter.high)) or (own,)


def values_text(values: tuple[Any, ...]) -> str:
    """Return values as they are typed: ``8, 64``."""
    return ", ".join(("yes" if one else "no") if isinstance(one, bool) else f"{one}" for one in values)


def read_values(operator: Operator, name: str, text: str) -> tuple[Any, ...]:
    """Read values that are parted by commas.

    Raises
    ------
    ParameterError
        If there is none, there are too many, or one is no value of the parameter.
    """
    parameter = declared(operator, name)
    pieces = [one.strip() for one in text.replace(";", ",").split(",") if one.strip()]
    if not 1 <= len(pieces) <= MOST_SECOND:
        raise ParameterError(
            f"Write from one to {MOST_SECOND} values of {parameter.label}, parted by commas."
        )
    values = [parameter_from_text(operator, parameter, one) for one in pieces]
    if isinstance(parameter.default, bool) and not all(isinstance(one, bool) for one in values):
        raise ParameterError(f"{parameter.label} is a switch: write yes, no, or both.")
    if parameter.integer:
        values = [int(one) if isinstance(one, float) and one.is_integer() else one for one in values]
    return tuple(dict.fromkeys(values))
