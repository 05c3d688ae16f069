"""What an explanation is made of: the record itself, and numbers, figures and conventions in words."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.quantities import MINUS, format_number, format_quantity

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rooflinestudio.core.hardware import Figure

__all__ = ["COLD", "DENSE", "FMA", "ONCE", "Explanation", "amount", "count", "joined", "told"]

FMA: Final = "a multiply-add counts 2 FLOP (FMA = 2)"
DENSE: Final = "dense rate, without 2:4 sparsity"
ONCE: Final = "decimal bytes (1 GB = 1e9 B), cold caches"
COLD: Final = "decimal bytes (1 GB = 1e9 B)"
DIGITS: Final = 6


@dataclass(frozen=True, slots=True)
class Explanation:
    """How one figure comes about.

    Attributes
    ----------
    figure
        Which one: ``work``, ``traffic dram compulsory``, ``intensity``, ``ridge l2``, ``time``, …
    symbols
        The formula as text.
    values
        The same with numbers put in; its arithmetic comes to ``result``. Empty where several points are placed at once.
    result
        The figure in base units, or None for several points.
    unit
        FLOP, B, s, FLOP/s, B/s, FLOP/B, or empty for a ratio.
    convention
        How things are counted.
    source
        Where the formula, or the machine's figure in it, comes from.
    """

    figure: str
    symbols: str
    values: str
    result: float | None
    unit: str = ""
    convention: str = ""
    source: str = ""

    def result_text(self, *, digits: int = 4) -> str:
        """Return the result with its unit, in words for people."""
        if self.result is None:
            return ""
        return format_quantity(self.result, self.unit, digits=digits) if self.unit else count(self.result)


def amount(value: float, unit: str) -> str:
    """Write a number of a substitution: six digits without trailing zeros, such as ``3.35 TB/s``."""
    if value == 0 or math.isinf(value):
        return f"{format_number(value)} {unit}".rstrip()
    text = format_quantity(value, unit, digits=DIGITS, space="\t").replace("\u202f", "")
    number, _, suffix = text.partition("\t")
    mantissa, e, power = number.partition("e")
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    return f"{mantissa}{e}{power} {suffix}".rstrip()


def count(value: float) -> str:
    """Write a plain number: whole ones in full, others with six digits."""
    if value == int(value) and abs(value) < 1e15:
        return str(int(value)).replace("-", MINUS)
    return f"{value:.6g}".replace("-", MINUS)


def told(figure: Figure) -> str:
    """Return where a figure of a profile comes from: provenance, condition, source, date."""
    words: list[str] = [figure.provenance]
    words += [f"({figure.condition})"] if figure.condition else []
    origin = ", ".join(filter(None, (figure.source, figure.date)))
    return " ".join(words) + (f": {origin}" if origin else "")


def joined(*texts: str) -> str:
    """Join what is not empty by semicolons, each once."""
    return "; ".join(dict.fromkeys(text for text in texts if text))


def summed(terms: Iterable[str]) -> str:
    """Join terms by plus signs; no term is 0."""
    return " + ".join(terms) or "0"
