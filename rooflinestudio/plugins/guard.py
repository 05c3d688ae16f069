"""What stands between a plugin's answer and the studio: the type of everything, the sign and size of every figure.

The usual answer, plain numbers that are all right, is let through after a few microseconds. Whatever else comes is
looked at piece by piece: NumPy scalars become numbers, and what is wrong is named, with its value.
"""

from __future__ import annotations

from typing import Any, Final, TypeGuard

from rooflinestudio.core.dtypes import DType
from rooflinestudio.core.on_demand import OnDemand
from rooflinestudio.core.operators import MEMORY_INSIDE_DRAM, Estimate, Part, Tensor
from rooflinestudio.plugins.faults import BOUNDARIES, LARGEST, TENSOR_ROLES, fits, within

__all__ = ["arrays_are_sound", "figure_is_sound", "is_sound"]

_TEXT: Final = frozenset((str,))
_ONE_BY_ONE_FROM: Final = 16_384
"""Elements from which copying arrays together costs more than looking at each."""


def is_sound(estimate: object) -> TypeGuard[Estimate]:
    """Tell quickly whether an answer is an estimate of plain numbers, all finite and at least 0.

    False means only that it must be looked at more closely.
    """
    try:
        numbers = _numbers(estimate)
        return numbers is not None and _are_plain(numbers)
    except (AttributeError, OverflowError, RecursionError, TypeError, ValueError):
        return False


def _are_plain(numbers: list[Any]) -> bool:
    # A loop is twice as fast here as set, min and sum; and NaN is not between anything.
    for one in numbers:
        if (one.__class__ is not float and one.__class__ is not int) or not 0.0 <= one <= LARGEST:
            return False
    return True


def _numbers(estimate: Any) -> list[Any] | None:
    """Collect all figures of an estimate, or None where anything besides the figures is wrong."""
    if estimate.__class__ is not Estimate or not _words_are_sound(estimate):
        return None
    numbers = [*estimate.work.values()]
    for tensor in estimate.tensors:
        if tensor.__class__ is not Tensor or tensor.dtype.__class__ is not DType:
            return None
        if tensor.role not in TENSOR_ROLES or tensor.slope.__class__ is not str:
            return None
        numbers += (tensor.elements, tensor.reads, tensor.writes)
    if estimate.blocked.__class__ is not OnDemand:  # that is looked at when it is asked for
        for read, write in estimate.blocked.values():
            numbers += (read, write)
    if estimate.footprint_bytes is not None:
        numbers.append(estimate.footprint_bytes)
    if estimate.padded_work is not None and estimate.padded_work.__class__ is not OnDemand:
        numbers += estimate.padded_work.values()
    launch = estimate.launch
    if launch is not None:
        for one in (launch.blocks, launch.threads, launch.registers_per_thread):
            if one is not None:
                numbers.append(one)
        for one in (launch.shared_bytes, launch.bytes_in_flight, launch.kernels):
            if one is not None:
                numbers.append(one)
    for part in estimate.parts:
        inner = _numbers(part.estimate)
        if inner is None or part.__class__ is not Part:
            return None
        numbers += (part.count, *inner)
    return numbers


def _words_are_sound(estimate: Any) -> bool:
    crosses = estimate.crosses
    return bool(
        estimate.main_pipe.__class__ is str
        and _TEXT.issuperset(map(type, estimate.work))
        and estimate.home in BOUNDARIES
        and (crosses is MEMORY_INSIDE_DRAM or crosses <= BOUNDARIES)
        and BOUNDARIES.issuperset(estimate.blocked)
        and estimate.tensors.__class__ is tuple
        and estimate.parts.__class__ is tuple
        and (estimate.formulas is None or callable(estimate.formulas))
        and (estimate.notes is None or callable(estimate.notes))
    )


def figure_is_sound(value: Any, shape: tuple[int, ...]) -> bool:
    """Tell whether one figure, or a pair of them, is a number or an array of a sweep's shape, finite and at least 0."""
    if value.__class__ is tuple:
        return len(value) == 2 and all(figure_is_sound(one, shape) for one in value)
    if value.__class__ is float or value.__class__ is int:
        return bool(0.0 <= value <= LARGEST)
    array = value.__class__.__name__ == "ndarray" and value.dtype.char == "d"
    return array and fits(value.shape, shape) and within(value)


def arrays_are_sound(estimate: object, shape: tuple[int, ...]) -> TypeGuard[Estimate]:
    """Tell whether an answer to arrays of parameters is right as it stands.

    Every figure is a plain number or a float64 array that broadcasts to ``shape``, finite and at least 0, and one of
    them at least is an array: a sweep that changes nothing at all is looked at more closely.
    """
    import numpy as np

    try:
        numbers = _numbers(estimate)
        if numbers is None:
            return False
        arrays = {id(one): one for one in numbers if one.__class__ is np.ndarray}.values()
        plain = [one for one in numbers if one.__class__ is not np.ndarray]
        if not arrays or not _are_plain(plain):
            return False
        if any(one.dtype.char != "d" or not fits(one.shape, shape) for one in arrays):
            return False
        small = sum(one.size for one in arrays) <= _ONE_BY_ONE_FROM * len(arrays)
        blocks = [np.concatenate([one.ravel() for one in arrays])] if small else arrays
        return all(within(one) for one in blocks)
    except (AttributeError, OverflowError, RecursionError, TypeError, ValueError):
        return False
