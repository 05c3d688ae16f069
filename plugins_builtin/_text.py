"""Numbers put into the formulas and notes of the built-in operators."""

from __future__ import annotations

from typing import Any

from rooflinestudio.plugins.arithmetic import is_number

__all__ = ["put", "shown"]


def shown(value: float) -> str:
    """Write a number as in a formula: whole numbers in full (``65536``), others with six digits."""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else f"{value:.6g}"


def put(template: str, **values: Any) -> str:
    """Fill values into a template; nothing is filled in, and nothing shown, where one of them is an array."""
    if not all(is_number(value) for value in values.values()):
        return ""
    return template.format(**{name: shown(value) for name, value in values.items()})
