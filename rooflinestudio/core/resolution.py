"""What the user typed, made complete: parameters by declaration and machine, formats by role."""

from __future__ import annotations

import difflib
import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from rooflinestudio.core.arithmetic import is_number
from rooflinestudio.core.dtypes import SHORTHAND_ROLES, DType, compute_of, dtype
from rooflinestudio.core.errors import ParameterError
from rooflinestudio.core.operators import Dtypes
from rooflinestudio.core.quantities import parse_quantity

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.operators import Operator, Parameter

__all__ = ["parameter_from_text", "resolve_dtypes", "resolve_parameters"]

AUTO = "auto"
LONGEST_TEXT = 4096
_PLAIN = (int, float)


def resolve_parameters(
    operator: Operator, given: Mapping[str, Any], profile: HardwareProfile | None = None
) -> dict[str, Any]:
    """Fill in defaults, check ranges and put the machine's own value where ``auto`` stands.

    Parameters
    ----------
    given
        Numbers, arrays, texts or switches by name; a text is read as a quantity of the parameter's unit.
    profile
        The machine whose tile hints ``auto`` takes; without one, or without a hint, ``auto`` is the default.

    Raises
    ------
    ParameterError
        For an unknown name (with the nearest known one), or a value out of range or of the wrong kind.
    """
    result: dict[str, Any] = {}
    used = 0
    for parameter in operator.parameters:
        name = parameter.name
        if name in given:
            used += 1
            result[name] = _checked(operator, parameter, given[name], profile)
        else:
            result[name] = parameter.default
    if used != len(given):
        _refuse_unknown(operator, given)
    return result


def _refuse_unknown(operator: Operator, given: Mapping[str, Any]) -> None:
    known = [parameter.name for parameter in operator.parameters]
    wrong = next(name for name in given if name not in known)
    near = difflib.get_close_matches(wrong, known, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(known)}."
    raise ParameterError(f"{operator.id} has no parameter {wrong!r}; {hint}")


def _checked(operator: Operator, parameter: Parameter, value: Any, profile: HardwareProfile | None) -> Any:
    if isinstance(value, str):
        value = parameter_from_text(operator, parameter, value)
        if value == AUTO and parameter.auto:
            hints = profile.matrix_tile if profile is not None else {}
            return hints.get(parameter.auto, parameter.default)
    if parameter.open_choices:
        return _checked_text(operator, parameter, value)
    if parameter.choices or isinstance(parameter.default, bool):
        return _checked_choice(operator, parameter, value)
    if is_number(value) and not isinstance(value, bool):
        if not parameter.low <= value <= parameter.high or not math.isfinite(value):
            raise _out_of_range(operator, parameter, value)
        if parameter.integer and value != int(value):
            raise ParameterError(f"{operator.id}: {parameter.name} = {value!r} must be a whole number.")
        return value if value.__class__ in _PLAIN else float(value)  # NumPy's float64 is a float, too
    if getattr(value, "ndim", None) == 0:
        return _checked(operator, parameter, value.item(), profile)
    return _checked_array(operator, parameter, value)


def _checked_array(operator: Operator, parameter: Parameter, value: Any) -> Any:
    import numpy as np

    if not isinstance(value, np.ndarray):
        raise ParameterError(f"{operator.id}: {parameter.name} = {value!r} must be a number.")
    array = np.asarray(value, dtype=float)
    if array.size and not (array.min() >= parameter.low and array.max() <= parameter.high):  # NaN fails both
        raise _out_of_range(
            operator, parameter, float(array.min() if array.min() < parameter.low else array.max())
        )
    if parameter.integer:
        broken = array != np.floor(array)
        if broken.any():
            at = int(broken.argmax())
            raise ParameterError(
                f"{operator.id}: {parameter.name} = {float(array.flat[at]):g} (element {at} of the array) must be a "
                "whole number; round the array first."
            )
    return array


def _checked_choice(operator: Operator, parameter: Parameter, value: Any) -> Any:
    if isinstance(parameter.default, bool):
        if isinstance(value, bool):
            return value
        raise ParameterError(f"{operator.id}: {parameter.name} = {value!r} must be true or false.")
    if value in parameter.choices:
        return value
    raise ParameterError(
        f"{operator.id}: {parameter.name} = {value!r} must be one of {', '.join(parameter.choices)}."
    )


def _checked_text(operator: Operator, parameter: Parameter, value: Any) -> str:
    if not isinstance(value, str) or not value or len(value) > LONGEST_TEXT or not value.isprintable():
        such = f", such as {parameter.default!r}" if parameter.default else ""
        raise ParameterError(
            f"{operator.id}: {parameter.name} = {_short(value)} must be one line of text, "
            f"up to {LONGEST_TEXT} characters{such}."
        )
    return value


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}…"


def _out_of_range(operator: Operator, parameter: Parameter, value: float) -> ParameterError:
    return ParameterError(
        f"{operator.id}: {parameter.name} = {value:g} must lie between {parameter.low:g} and {parameter.high:g}."
    )


def parameter_from_text(operator: Operator, parameter: Parameter, text: str) -> Any:
    """Read a parameter as typed: ``true``, a choice, ``auto``, or a quantity of its unit (``8 k`` is 8000)."""
    stripped = text.strip()
    if isinstance(parameter.default, bool):
        words = {
            "true": True,
            "yes": True,
            "on": True,
            "1": True,
            "false": False,
            "no": False,
            "off": False,
            "0": False,
        }
        return words.get(stripped.lower(), stripped)
    if parameter.choices or parameter.open_choices or (parameter.auto and stripped == AUTO):
        return stripped
    try:
        return parse_quantity(stripped, parameter.unit)
    except Exception as error:
        raise ParameterError(f"{operator.id}: {parameter.name}: {error}") from None


def resolve_dtypes(operator: Operator, given: Mapping[str, DType]) -> Dtypes:
    """Give every role of the operator a format.

    The shorthand (``all``) sets activation, weight, kv and output, save for what the operator pins; a role or tensor
    named wins over both, a tensor over its role. ``compute`` is, unless named, the widest of activation, weight and
    kv; for vector work, whose operators declare a default for it, it is fp32 up to 32 bits and fp64 for fp64.

    The answer is remembered: formats by role do not change while a slider moves.

    Raises
    ------
    ParameterError
        For a role or tensor that the operator does not have.
    """
    try:
        known = _remembered(operator, tuple(given.items()))  # type: ignore[arg-type]
        return Dtypes(known, known.explicit, known.given)
    except TypeError:  # a stranger's operator need not be hashable
        return _resolve_dtypes(operator, given)


@lru_cache(maxsize=512)
def _remembered(operator: Operator, given: tuple[tuple[str, DType], ...]) -> Dtypes:
    return _resolve_dtypes(operator, dict(given))


def _resolve_dtypes(operator: Operator, given: Mapping[str, DType]) -> Dtypes:
    roles = operator.dtype_roles
    shorthand = given.get("all")
    result: dict[str, DType] = {}
    for role, default in roles.items():
        if role in given:
            result[role] = given[role]
        elif (
            shorthand is not None
            and role in SHORTHAND_ROLES
            and role != "compute"
            and role not in operator.pinned
        ):
            result[role] = shorthand
        else:
            result[role] = dtype(default)
    explicit = frozenset(given) - {"all"}
    tensors: Mapping[str, str] = getattr(operator, "tensor_roles", {})  # a stranger's class need not have it
    unknown = explicit - roles.keys() - tensors.keys() - _UNIVERSAL
    if unknown:
        raise ParameterError(
            f"{operator.id} has no tensor or role {min(unknown)!r}; it has {', '.join((*roles, *tensors))}."
        )
    result.update({name: given[name] for name in tensors if name in given})
    if "compute" in given:
        result["compute"] = given["compute"]
    elif operands := _operands(result, tensors):
        widest = compute_of(operands)
        # An operator that declares compute does vector work: fp32 for all formats up to 32 bits, fp64 for fp64.
        if "compute" not in roles or widest.id == "fp64":
            result["compute"] = widest
    return Dtypes(result, explicit, given)


def _operands(result: Mapping[str, DType], tensors: Mapping[str, str]) -> list[DType]:
    """Return the formats that a product reads: of each role, or of its tensors where all of them are named."""
    operands: list[DType] = []
    for role in ("activation", "weight", "kv"):
        own = [name for name, one in tensors.items() if one == role]
        named = [result[name] for name in own if name in result]
        operands += named
        if role in result and (not own or len(named) < len(own)):
            operands.append(result[role])
    return operands


# Roles that every command line may name ("kv=fp8" for a chain of operators), whether or not this one uses them.
_UNIVERSAL = frozenset(("weight", "activation", "kv", "output", "accumulate", "compute"))
