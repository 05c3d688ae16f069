"""Small words of a diagnosis: shares, ratios and qualities as it says them."""

from __future__ import annotations

from typing import Final

from rooflinestudio.core.quantities import format_number, format_quantity

__all__ = ["SIGNS", "listed", "number", "percent", "times"]

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
    return percent(value) if unit == "%" else format_quantity(value, unit, digits=4 if unit == "" else 3)


def listed(words: tuple[str, ...] | list[str], link: str = "and") -> str:
    """Join words: ``a, b and c``."""
    return f" {link} ".join(filter(None, (", ".join(words[:-1]), words[-1]))) if words else ""
