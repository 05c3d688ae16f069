"""Arithmetic for operator authors: serves numbers and arrays alike, without importing NumPy for numbers."""

from __future__ import annotations

from rooflinestudio.core.arithmetic import Num, ceil_div, is_number, larger, smaller, total, where

__all__ = ["Num", "ceil_div", "is_number", "larger", "smaller", "total", "where"]
