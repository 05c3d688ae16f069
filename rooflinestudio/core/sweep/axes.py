"""What a sweep runs over: one or two parameters, each over numbers, or over choices."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.arithmetic import is_number
from rooflinestudio.core.errors import ParameterError
from rooflinestudio.core.resolution import parameter_from_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from rooflinestudio.core.operators import Operator, Parameter

__all__ = ["SweepAxis", "axis_from_text", "axis_of", "declared", "spaced_axis", "takes_words"]

EVERY_UP_TO: Final = 1001
"""A range of whole numbers up to this long is taken number by number unless told otherwise."""

POINTS: Final = 101
POINTS_PER_DECADE: Final = 24
MOST_POINTS: Final = 10_000_000


@dataclass(frozen=True, eq=False)
class SweepAxis:
    """One axis of a sweep.

    Attributes
    ----------
    names
        The parameters that take the values; several are tied and take the same (``m = n = k``).
    values
        Rising float64 numbers, or the choices, texts or switches in their order.
    integer
        Whether only whole numbers make sense.
    """

    names: tuple[str, ...]
    values: NDArray[Any] | tuple[Any, ...]
    integer: bool = True

    @property
    def label(self) -> str:
        """The names in words: ``m=n=k``."""
        return "=".join(self.names)

    @property
    def is_numeric(self) -> bool:
        """Whether its values are numbers, which are evaluated in one go; choices are looped over."""
        return not isinstance(self.values, tuple)

    def __len__(self) -> int:
        return len(self.values)

    def plain(self) -> list[Any]:
        """Return the values as plain Python ones, whole numbers as ``int``."""
        if isinstance(self.values, tuple):
            return list(self.values)
        return [int(one) if self.integer else one for one in self.values.tolist()]


def declared(operator: Operator, name: str) -> Parameter:
    """Return the declaration of a parameter.

    Raises
    ------
    ParameterError
        If the operator has none of this name; the message offers the nearest.
    """
    import difflib

    found = next((one for one in operator.parameters if one.name == name), None)
    if found is not None:
        return found
    known = [one.name for one in operator.parameters]
    near = difflib.get_close_matches(name, known, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(known)}."
    raise ParameterError(f"{operator.id} has no parameter {name!r}; {hint}")


def takes_words(parameter: Parameter) -> bool:
    """Tell whether a parameter is a choice, a text or a switch rather than a number."""
    return bool(parameter.choices or parameter.open_choices or isinstance(parameter.default, bool))


def axis_of(operator: Operator, names: Sequence[str] | str, values: Iterable[Any]) -> SweepAxis:
    """Make an axis of values; numbers are sorted, rounded where only whole ones make sense, and kept once each.

    Raises
    ------
    ParameterError
        If there is no value, a number is out of range, or a choice is unknown.
    """
    names = (names,) if isinstance(names, str) else tuple(names)
    if not names or len(set(names)) != len(names):
        raise ParameterError(f"{'='.join(names)!r} must name different parameters, at least one.")
    parameters = [declared(operator, name) for name in names]
    listed = list(values)
    if not listed:
        raise ParameterError(f"{'='.join(names)} has no values to sweep over.")
    worded = [one for one in parameters if takes_words(one)]
    if not worded:
        return _numeric_axis(operator, parameters, names, listed)
    for parameter in worded:
        known = parameter.choices or (True, False)
        wrong = next((one for one in listed if one not in known and not parameter.open_choices), None)
        if wrong is not None:
            words = ", ".join(str(one).lower() for one in known)
            raise ParameterError(f"{operator.id}: {parameter.name} = {wrong!r} must be one of {words}.")
    return SweepAxis(names, tuple(dict.fromkeys(listed)), integer=False)


def _numeric_axis(
    operator: Operator, parameters: list[Parameter], names: tuple[str, ...], listed: list[Any]
) -> SweepAxis:
    import numpy as np

    if not all(is_number(one) or hasattr(one, "item") for one in listed):
        wrong = next(one for one in listed if not is_number(one))
        raise ParameterError(f"{operator.id}: {names[0]} = {wrong!r} must be a number.")
    values = np.asarray(listed, dtype=float)
    whole = any(one.integer for one in parameters)
    values = np.unique(np.rint(values) if whole else values)
    for one in parameters:
        for end in (values[0], values[-1]):
            if not one.low <= end <= one.high or not math.isfinite(end):
                raise ParameterError(
                    f"{operator.id}: {one.name} = {end:g} must lie between {one.low:g} and {one.high:g}."
                )
    return SweepAxis(names, values, whole)


def spaced_axis(
    operator: Operator,
    names: Sequence[str] | str,
    *,
    low: float,
    high: float,
    points: int | None = None,
    log: bool = False,
) -> SweepAxis:
    """Make an axis from ``low`` to ``high``, both included.

    Parameters
    ----------
    points
        How many, before whole numbers are rounded and doubles dropped. Left out: every whole number up to
        :data:`EVERY_UP_TO` of them, else 101; on a logarithmic axis 24 per decade.
    log
        Whether they keep a constant ratio rather than a constant distance.

    Raises
    ------
    ParameterError
        If the range is empty or runs backwards, or a logarithmic one begins at 0.
    """
    import numpy as np

    names = (names,) if isinstance(names, str) else tuple(names)
    label = "=".join(names)
    whole = any(declared(operator, name).integer for name in names)
    if not low <= high:
        raise ParameterError(f"{label} runs from {low:g} to {high:g}: write the smaller end first.")
    if log and low <= 0:
        raise ParameterError(f"{label}: a logarithmic range cannot begin at {low:g}. Begin above 0.")
    if points is None:
        points = _usual_points(low, high, whole=whole, log=log)
    if not 1 <= points <= MOST_POINTS:
        raise ParameterError(f"{label}: {points} points; from 1 to {MOST_POINTS} can be swept.")
    values = np.geomspace(low, high, points) if log else np.linspace(low, high, points)
    values[0], values[-1] = low, high if points > 1 else low
    return axis_of(operator, names, values)


def _usual_points(low: float, high: float, *, whole: bool, log: bool) -> int:
    if low == high:
        return 1
    if log:
        return max(2, 1 + math.ceil(POINTS_PER_DECADE * math.log10(high / low)))
    return int(high - low) + 1 if whole and high - low < EVERY_UP_TO else POINTS


def axis_from_text(operator: Operator, text: str) -> SweepAxis:
    """Read an axis as typed.

    ``m=64:8192`` (every whole number, or 101 points), ``m=64:8192:33`` (33 points), ``m=64:8192:log``,
    ``m=64:8192:33:log``, ``m=64,128,256``, ``direction=forward,backward``, ``m=n=k=64:8192`` (tied).

    Raises
    ------
    ParameterError
        If it cannot be read; the message says the mend.
    """
    *names, value = (piece.strip() for piece in text.split("="))
    if not names or not all(names) or not value:
        raise ParameterError(f"{text!r} is no range; write it as m=64:8192, m=64:8192:log or m=64,128,256.")
    parameter = declared(operator, names[0])
    if ":" not in value:
        read = [_read(operator, parameter, one) for one in value.split(",") if one.strip()]
        return axis_of(operator, names, read)
    if takes_words(parameter):
        raise ParameterError(f"{parameter.name} is a choice; list what to sweep over: {names[0]}=a,b.")
    low, high, *rest = value.split(":")
    points: int | None = None
    for one in (piece.strip() for piece in rest):
        if one.isdecimal() and points is None:
            points = int(one)
        elif one != "log" or rest.count("log") > 1:
            raise ParameterError(
                f"{text!r}: {one!r} is neither a number of points nor 'log'; write it as {names[0]}=64:8192:33:log."
            )
    ends = [_number(operator, parameter, one) for one in (low, high)]
    return spaced_axis(
        operator, names, low=ends[0], high=ends[1], points=points, log="log" in (one.strip() for one in rest)
    )


def _read(operator: Operator, parameter: Parameter, text: str) -> Any:
    return parameter_from_text(operator, parameter, text)


def _number(operator: Operator, parameter: Parameter, text: str) -> float:
    value = parameter_from_text(operator, parameter, text)
    if not is_number(value):
        raise ParameterError(
            f"{operator.id}: {parameter.name}: {text!r} is no end of a range; write a number."
        )
    return float(value)
