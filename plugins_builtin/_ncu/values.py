"""A figure on its way: value, rounding error, the counters it came from, and whether it only bounds the truth."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from rooflinestudio.plugins import MeasuredFigure

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rooflinestudio.plugins import Quality

__all__ = ["Bound", "Value", "best", "total"]

Bound = Literal["", "lower", "upper", "estimated"]

EXACT: Final = 1e-6
"""Relative rounding error below which a figure counts as exact."""


class Value(NamedTuple):
    """A number in SI base units with its absolute rounding error, recipe and bound."""

    value: float
    error: float
    text: str
    bound: Bound = ""

    @property
    def relative_error(self) -> float:
        """Rounding error over the value; infinite for a zero that was rounded."""
        if not self.error:
            return 0.0
        return self.error / abs(self.value) if self.value else float("inf")

    @property
    def quality(self) -> Quality:
        """Quality in the words of the studio."""
        if self.bound:
            return self.bound
        return "exact" if self.relative_error <= EXACT else "rounded"

    def figure(self) -> MeasuredFigure:
        """Value as a figure with its origin."""
        # One text object for the many launches that share a recipe.
        return MeasuredFigure(self.value, sys.intern(self.text), self.quality)

    def scaled(self, factor: float, text: str) -> Value:
        """Value times a known factor, under a new recipe."""
        return Value(self.value * factor, self.error * abs(factor), text, self.bound)

    def times(self, other: Value, text: str = "") -> Value:
        """Product of two values."""
        error = abs(self.value) * other.error + abs(other.value) * self.error
        text = text or f"{_grouped(self.text)} × {_grouped(other.text)}"
        return Value(self.value * other.value, error, text, _joint(self.bound, other.bound))

    def over(self, other: Value, text: str = "") -> Value:
        """Ratio of two values; the divisor is not 0."""
        value = self.value / other.value
        error = (self.error + abs(value) * other.error) / abs(other.value)
        text = text or f"{_grouped(self.text)} / {_grouped(other.text)}"
        return Value(value, error, text, _joint(self.bound, _turned(other.bound)))

    def bounded(self, bound: Bound, note: str = "") -> Value:
        """Return the same value as a bound or an estimate, with a remark in its recipe."""
        text = f"{self.text}; {note}" if note else self.text
        return Value(self.value, self.error, text, _joint(self.bound, bound))


def total(parts: Sequence[Value], text: str = "") -> Value:
    """Sum of one or more values."""
    bound: Bound = ""
    for part in parts:
        bound = _joint(bound, part.bound)
    value = sum(part.value for part in parts)
    error = sum(part.error for part in parts)
    return Value(value, error, text or " + ".join(part.text for part in parts), bound)


def best(candidates: Iterable[Value | None]) -> Value | None:
    """Choose among readings of the same figure, given in order of preference.

    The first that no other beats twofold in resolution, so that a sum printed to the last digit comes before
    a product of rounded numbers, and a rate with five digits before an amount with two.
    """
    chosen: Value | None = None
    for candidate in candidates:
        if candidate is None:
            continue
        if chosen is None or candidate.relative_error * 2 < chosen.relative_error:
            chosen = candidate
        if not chosen.error:
            break
    return chosen


def _joint(first: Bound, second: Bound) -> Bound:
    if "estimated" in (first, second) or {first, second} == {"lower", "upper"}:
        return "estimated"
    return first or second


def _turned(bound: Bound) -> Bound:
    return "upper" if bound == "lower" else "lower" if bound == "upper" else bound


def _grouped(text: str) -> str:
    return f"({text})" if " + " in text or " / " in text else text
