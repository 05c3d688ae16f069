"""Small words of a diagnosis: shares, ratios and qualities as it says them."""

from __future__ import annotations

from typing import Final

from rooflinestudio.core.quantities import format_number, format_quantity

__all__ = ["SIGNS", "count", "listed", "number", "percent", "times"]

SIGNS: Final = {"rounded": "≈ ", "estimated": "≈ ", "lower": "≥ ", "upper": "≤ "}
"""What stands before a figure of this quality; nothing before an exact one."""


def percent(share: float) -> str:
    """Write a share: ``90%``, ``8.3%``."""
    return f"{format_number(100 * share, digits=2)}%"


def times(ratio: float) -> str:
    """Write a ratio: ``14.8×``."""
    return f"{format_number(ratio)}×"


def number(value: float, unit: str) -> str:
    """Write a figure; a share where the unit is ``%``."""
    if unit == "%":
        return percent(value)
    return count(value) if unit == "" else format_quantity(value, unit)


def count(value: float) -> str:
    """Write a count with all its digits, a mean with four: ``16384``, ``7.758``."""
    whole = value == int(value)
    return format_number(value, digits=len(str(int(abs(value)))) if whole else 4)


def listed(words: tuple[str, ...] | list[str], link: str = "and") -> str:
    """Join words: ``a, b and c``."""
    return f" {link} ".join(filter(None, (", ".join(words[:-1]), words[-1]))) if words else ""
