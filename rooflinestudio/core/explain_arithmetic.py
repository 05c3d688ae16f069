"""Reading the arithmetic that an explanation shows: what stands there must come to the figure.

Numbers with or without units, the four operations, parentheses, rounding up in ``⌈ ⌉``, ``max`` and ``min``; nothing
else is understood, and nothing is ever run.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.errors import QuantityError
from rooflinestudio.core.quantities import parse_quantity

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["agrees", "value_of"]

TOLERANCE: Final = 2e-5
"""What six digits of each number may be off."""

_LONGEST: Final = 20_000
_DEEPEST: Final = 50
_UNITS: Final = r"[kKMGTPEmµunpf]?(?:FLOP/s|FLOP/byte|FLOP|B/s|B|s)(?![A-Za-z])"
_TOKEN: Final = re.compile(
    rf"\s*(?:(?P<number>\d+(?:\.\d*)?(?:e[+\-\u2212]?\d+)?)(?:[ \u00a0](?P<unit>{_UNITS}))?"
    r"|(?P<name>max|min)(?=\()|(?P<sign>[+\-\u2212·×*/(),⌈⌉%]))"
)
_UNIT_NAMES: Final = ("FLOP/byte", "FLOP/s", "FLOP", "B/s", "B", "s")


def agrees(text: str, value: float) -> bool:
    """Tell whether the arithmetic in a text comes to a value, as far as six digits of each number allow."""
    found = value_of(text)
    return found is not None and math.isclose(found, value, rel_tol=TOLERANCE, abs_tol=1e-300)


def value_of(text: str) -> float | None:
    """Return what the arithmetic in a text comes to, in base units, or None where it is no arithmetic."""
    tokens = _tokens(text)
    if not tokens:
        return None
    reader = _Reader(tokens)
    try:
        value = reader.sum(0)
    except (ValueError, ZeroDivisionError, OverflowError):
        return None
    return value if reader.at == len(tokens) else None


def _tokens(text: str) -> list[str | float] | None:
    tokens: list[str | float] = []
    at, end = 0, len(text.rstrip())
    if end > _LONGEST:
        return None
    while at < end:
        match = _TOKEN.match(text, at)
        if match is None:
            return None
        at = match.end()
        number = match["number"]
        if number is None:
            sign = match["name"] or match["sign"]
            tokens.append({"\u2212": "-", "·": "*", "×": "*"}.get(sign, sign))
            continue
        try:
            tokens.append(_quantity(number.replace("\u2212", "-"), match["unit"]))
        except QuantityError:
            return None
    return tokens


def _quantity(number: str, unit: str | None) -> float:
    if unit is None:
        return float(number)
    base = next(name for name in _UNIT_NAMES if unit.endswith(name))
    if base == "FLOP/byte":
        return float(number)
    return parse_quantity(f"{number} {unit}", base)


class _Reader:
    """Recursive descent over the tokens; ``ValueError`` where they are no arithmetic."""

    def __init__(self, tokens: list[str | float]) -> None:
        self.tokens = tokens
        self.at = 0

    def _next(self) -> str | float | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def _take(self, wanted: str) -> bool:
        if self._next() == wanted:
            self.at += 1
            return True
        return False

    def _need(self, wanted: str) -> None:
        if not self._take(wanted):
            raise ValueError(wanted)

    def sum(self, depth: int) -> float:
        value = self.product(depth)
        while (sign := self._next()) in ("+", "-"):
            self.at += 1
            term = self.product(depth)
            value = value + term if sign == "+" else value - term
        return value

    def product(self, depth: int) -> float:
        value = self.factor(depth)
        while (sign := self._next()) in ("*", "/"):
            self.at += 1
            factor = self.factor(depth)
            value = value * factor if sign == "*" else value / factor
        return value

    def factor(self, depth: int) -> float:
        if depth > _DEEPEST:
            raise ValueError("too deep")
        token = self._next()
        self.at += 1
        if isinstance(token, float):
            if self._take("%"):
                return token / 100
            return token
        if token == "-":
            return -self.factor(depth + 1)
        if token in ("(", "⌈"):
            value = self.sum(depth + 1)
            self._need(")" if token == "(" else "⌉")
            return value if token == "(" else float(math.ceil(value))
        if token in ("max", "min"):
            return self._chosen(max if token == "max" else min, depth)
        raise ValueError(str(token))

    def _chosen(self, choose: Callable[[list[float]], float], depth: int) -> float:
        self._need("(")
        values = [self.sum(depth + 1)]
        while self._take(","):
            values.append(self.sum(depth + 1))
        self._need(")")
        return choose(values)
