"""Logarithms of numbers and arrays alike, without importing NumPy for numbers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rooflinestudio.plugins.arithmetic import is_number

if TYPE_CHECKING:
    from rooflinestudio.plugins.arithmetic import Num

__all__ = ["log2", "whole_log", "whole_log2"]

_SLACK = 1e-13
"""A logarithm this little above a whole number is that number: rounding must not cost a whole round."""


def log2(value: Num) -> Num:
    """Return the logarithm to base 2 of values of at least 1."""
    if is_number(value):
        return math.log2(value)
    import numpy as np

    result: Num = np.log2(np.asarray(value, dtype=float))
    return result


def whole_log2(value: Num) -> Num:
    """Return the logarithm to base 2 of values of at least 1, rounded up, as a float."""
    return _up(log2(value))


def whole_log(value: Num, base: Num) -> Num:
    """Return the logarithm of values of at least 1 to a base of at least 2, rounded up, as a float."""
    return _up(log2(value) / log2(base))


def _up(value: Num) -> Num:
    if is_number(value):
        return float(math.ceil(value - _SLACK))
    import numpy as np

    result: Num = np.ceil(value - _SLACK)
    return result
