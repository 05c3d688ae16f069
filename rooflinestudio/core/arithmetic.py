"""Arithmetic that serves single numbers and NumPy arrays alike, without importing NumPy for numbers.

An operator written with these answers a slider step in microseconds and a sweep of a million shapes in one call.
Arrays broadcast; products are formed in floating point, since 64-bit integers overflow silently in NumPy.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    Num: TypeAlias = float | NDArray[Any]
else:
    Num = Any

__all__ = ["Num", "any_true", "ceil_div", "is_number", "larger", "smaller", "total", "where"]

_NUMBERS = (float, int)


def is_number(value: object) -> TypeGuard[float]:
    """Tell whether a value is a plain Python number (``bool`` counts as one, NumPy scalars do not)."""
    return isinstance(value, _NUMBERS)


def any_true(condition: Any) -> bool:
    """Tell whether a comparison of numbers or arrays holds anywhere."""
    return condition if isinstance(condition, bool) else bool(condition.any())


def larger(a: Num, b: Num) -> Num:
    """Return the element-wise larger of two numbers or arrays."""
    if isinstance(a, _NUMBERS) and isinstance(b, _NUMBERS):
        return a if a >= b else b
    import numpy as np

    return np.maximum(a, b)


def smaller(a: Num, b: Num) -> Num:
    """Return the element-wise smaller of two numbers or arrays."""
    if isinstance(a, _NUMBERS) and isinstance(b, _NUMBERS):
        return a if a <= b else b
    import numpy as np

    return np.minimum(a, b)


def ceil_div(a: Num, b: Num) -> Num:
    """Return ``a / b`` rounded up, as a float (exact for operands below 2**53)."""
    if isinstance(a, _NUMBERS) and isinstance(b, _NUMBERS):
        return float(math.ceil(a / b)) if a < 2**52 else float(-(-int(a) // int(b)))
    import numpy as np

    return np.ceil(np.asarray(a, dtype=float) / b)


def where(condition: Any, then: Num, otherwise: Num) -> Num:
    """Choose ``then`` where the condition holds, else ``otherwise``; both are evaluated."""
    if isinstance(condition, bool):
        return then if condition else otherwise
    import numpy as np

    return np.where(condition, then, otherwise)


def total(values: Iterable[Num]) -> Num:
    """Return the sum of numbers and arrays in floating point; 0.0 for none."""
    result: Num = 0.0
    for value in values:
        result = result + value
    return result
