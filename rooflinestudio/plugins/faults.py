"""The close look at a plugin's answer: what is wrong with it, by name and value, and what can be put right.

Everything here takes ``Any``: it is a stranger's object, and may be of any type whatever the annotations say.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Set
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pluggy

from rooflinestudio.core.dtypes import DType
from rooflinestudio.core.hardware import BOUNDARY_ORDER
from rooflinestudio.core.operators import Estimate, Launch, Part, Tensor
from rooflinestudio.core.settings import LINK
from rooflinestudio.plugins.figures import figures_of, with_figures

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "BOUNDARIES",
    "LARGEST",
    "TENSOR_ROLES",
    "FaultError",
    "described",
    "fits",
    "repaired",
    "shown",
    "within",
]

BOUNDARIES: Final = frozenset((*BOUNDARY_ORDER, LINK))
"""What an estimate may name as a boundary."""

TENSOR_ROLES: Final = frozenset(("input", "weight", "output", "state", "cache", "intermediate"))
LARGEST: Final = sys.float_info.max
"""The largest figure that is finite."""


_OWN_CODE: Final = (str(Path(__file__).parents[1]), str(Path(pluggy.__file__).parent))


class FaultError(Exception):
    """What is wrong with an answer, in words that follow the operator's name.

    Attributes
    ----------
    of_form
        True where a type or a shape is wrong (an operator for single numbers that got arrays answers so), False where
        a figure has an impossible value.
    """

    def __init__(self, text: str, *, of_form: bool = True) -> None:
        super().__init__(text)
        self.of_form = of_form


def shown(value: object) -> str:
    """Return a value as text for a message: short, on one line, and whatever its ``repr`` does."""
    try:
        text = " ".join(repr(value).split())
    except Exception:
        text = f"a {type(value).__name__} that cannot be shown"
    return text if len(text) <= 80 else f"{text[:77]}…"


def described(error: BaseException) -> str:
    """Return an exception of a plugin as one line: type, text, and the place in the plugin's own code."""
    try:
        text = " ".join(str(error).split())
    except Exception:
        text = "(its text cannot be shown)"
    text = text if len(text) <= 300 else f"{text[:297]}…"
    place = "" if isinstance(error, SyntaxError) else _place_of(error)  # a syntax error names its own place
    return f"{type(error).__name__}{': ' if text else ''}{text}{place}"


def _place_of(error: BaseException) -> str:
    import traceback

    frames = traceback.extract_tb(error.__traceback__)
    for frame in reversed(frames):
        if not frame.filename.startswith((*_OWN_CODE, "<frozen")):
            return f" ({Path(frame.filename).name}, line {frame.lineno})"
    return ""


def repaired(answer: object, shape: tuple[int, ...] = ()) -> Estimate:
    """Look at every piece of an answer, and make NumPy scalars plain numbers and arrays float64.

    Parameters
    ----------
    shape
        What the parameters broadcast to; empty for single numbers, and then every figure becomes one.

    Raises
    ------
    FaultError
        For the first thing that is wrong; the text names the figure and its value.
    """
    if not isinstance(answer, Estimate):
        raise FaultError(
            f"answered {shown(answer)}, a {type(answer).__name__}; estimate must return an Estimate"
        )
    for fault in _form_faults(answer):
        raise FaultError(fault)
    values = [_checked(name, value, shape) for name, value in figures_of(answer)]
    return with_figures(answer, iter(values))


def _form_faults(estimate: Any, place: str = "") -> Iterator[str]:
    """Yield what is wrong besides the figures; later checks rely on earlier ones having found nothing."""
    yield from _table_faults(estimate, place)
    if not isinstance(estimate.tensors, tuple) or not all(
        isinstance(one, Tensor) for one in estimate.tensors
    ):
        yield f"answered {place}tensors = {shown(estimate.tensors)}; it must be a tuple of Tensor"
    for tensor in estimate.tensors:
        yield from _tensor_faults(tensor, place)
    if not isinstance(estimate.crosses, Set) or not estimate.crosses <= BOUNDARIES:
        yield f"answered {place}crosses = {shown(estimate.crosses)}; it must be a set of {_boundaries()}"
    if estimate.home not in BOUNDARIES:
        yield f"answered {place}home = {shown(estimate.home)}; it must be one of {_boundaries()}"
    if estimate.launch is not None and not isinstance(estimate.launch, Launch):
        yield f"answered {place}launch = {shown(estimate.launch)}; it must be a Launch or None"
    for name in ("formulas", "notes"):
        given = getattr(estimate, name)
        if given is not None and not callable(given):
            yield f"answered {place}{name} = {shown(given)}; it must be a function without arguments, or None"
    if not isinstance(estimate.parts, tuple) or not all(isinstance(one, Part) for one in estimate.parts):
        yield f"answered {place}parts = {shown(estimate.parts)}; it must be a tuple of Part"
    for part in estimate.parts:
        if not isinstance(part.estimate, Estimate):
            yield f"answered a part {shown(part.label)} whose estimate is {shown(part.estimate)}, and no Estimate"
        yield from _form_faults(part.estimate, f"{place}{part.label}: ")


def _boundaries() -> str:
    return ", ".join((*BOUNDARY_ORDER, LINK))


def _table_faults(estimate: Any, place: str) -> Iterator[str]:
    if not isinstance(estimate.main_pipe, str):
        yield f"answered {place}main_pipe = {shown(estimate.main_pipe)}; it must be the name of a pipe"
    for name, table in (("work", estimate.work), ("padded_work", estimate.padded_work or {})):
        if not isinstance(table, Mapping) or not all(isinstance(key, str) for key in table):
            yield f"answered {place}{name} = {shown(table)}; it must map the names of pipes to FLOP"
    if not isinstance(estimate.blocked, Mapping) or not estimate.blocked.keys() <= BOUNDARIES:
        yield f"answered {place}blocked = {shown(estimate.blocked)}; its keys must be boundaries: {_boundaries()}"
    for boundary, pair in estimate.blocked.items():
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            yield f"answered {place}blocked bytes at {boundary} = {shown(pair)}; give (bytes read, bytes written)"


def _tensor_faults(tensor: Any, place: str) -> Iterator[str]:
    name = f"{place}tensor {shown(tensor.name)}"
    if not isinstance(tensor.dtype, DType):
        yield f"answered {name} with dtype {shown(tensor.dtype)}; take it from dtypes, or from dtype('bf16')"
    if tensor.role not in TENSOR_ROLES:
        yield f"answered {name} with role {shown(tensor.role)}; it must be one of {', '.join(sorted(TENSOR_ROLES))}"
    if not isinstance(tensor.name, str) or not isinstance(tensor.slope, str):
        yield f"answered {name} with slope {shown(tensor.slope)}; both must be texts"


def _checked(name: str, value: Any, shape: tuple[int, ...]) -> Any:
    """Return one figure as a plain number or a float64 array."""
    if not isinstance(value, int | float):
        value = _from_numpy(name, value, shape)
    if isinstance(value, int | float):
        if not 0.0 <= value <= LARGEST:
            raise _impossible(name, value)
        return int(value) if isinstance(value, int) else float(value)
    if not within(value):
        wrong = ~((value >= 0.0) & (value <= LARGEST))
        at = ", ".join(str(one[0]) for one in wrong.nonzero())
        raise _impossible(name, float(value[wrong][0]), f" at element {at}")
    return value


def _impossible(name: str, value: float, where: str = "") -> FaultError:
    text = shown(value) if isinstance(value, int) else f"{value:g}"
    return FaultError(f"answered {name} = {text}{where}; it must be finite and at least 0", of_form=False)


def _from_numpy(name: str, value: Any, shape: tuple[int, ...]) -> Any:
    if not hasattr(value, "dtype") or not hasattr(value, "item"):
        raise FaultError(f"answered {name} = {shown(value)}, a {type(value).__name__}; it must be a number")
    import numpy as np

    array = np.asarray(value)
    if array.dtype.kind not in "fiub":
        raise FaultError(
            f"answered {name} = {shown(value)} of dtype {array.dtype}; it must hold real numbers"
        )
    if array.ndim == 0 or (not shape and array.size == 1):
        return array.item()
    if not shape:
        raise FaultError(f"answered {name} of shape {array.shape} to parameters that are single numbers")
    if not fits(array.shape, shape):
        raise FaultError(f"answered {name} of shape {array.shape} to parameters of shape {shape}")
    return array.astype(np.float64)


def within(array: Any) -> bool:
    """Tell whether all of an array is finite and at least 0."""
    return array.size == 0 or bool(array.min() >= 0.0 and array.max() <= LARGEST)  # NaN fails the first


def fits(shape: tuple[int, ...], into: tuple[int, ...]) -> bool:
    """Tell whether an array of one shape broadcasts to another."""
    if shape == into:
        return True
    tail = into[len(into) - len(shape) :] if shape else ()
    return len(shape) <= len(into) and all(a in (1, b) for a, b in zip(shape, tail, strict=True))
