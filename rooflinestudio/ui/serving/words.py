"""Numbers of the serving view in words."""

from __future__ import annotations

from rooflinestudio.core.quantities import format_number

__all__ = ["count_text"]


def count_text(value: float) -> str:
    """Return a whole number, or a fraction with four digits."""
    if value != int(value):
        return format_number(value, digits=4)
    return format_number(value) if value >= 100 else f"{value:.0f}"
