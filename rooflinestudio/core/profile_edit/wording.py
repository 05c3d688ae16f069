"""Figures of a profile as the editor writes them: short in the tables, exact where somebody asks."""

from __future__ import annotations

from typing import Final

from rooflinestudio.core.quantities import format_exact, format_number, format_quantity

__all__ = ["exact_text", "rate_text"]

_PETA: Final = 1e15
_EXACT_UP_TO: Final = 9
_LONG: Final = 3


def rate_text(value: float, unit: str, id_: str = "") -> str:
    """Write a figure in three digits, four from a hundred on: ``1 979 TFLOP/s``, ``33.5 TFLOP/s``, ``64 GB/s``.

    Rates of arithmetic stay in tera up to ten thousand, so that a column reads in one unit. Integer pipes (``id_``
    begins with ``int``) count operations.
    """
    if unit == "":
        return _stripped(format_number(value, digits=4))
    if unit == "B" and len(exact := format_exact(value, unit)) <= _EXACT_UP_TO:
        return exact  # 50 MiB, not 52.4 MB
    if unit == "FLOP/s" and _PETA <= value < 10 * _PETA:
        text = f"{_short(value / 1e12)} TFLOP/s"
    else:
        # The prefix is chosen by the digits that are shown: 999.96 G is written as 1 T.
        number, _, prefixed = format_quantity(value, unit, digits=4).partition(" ")
        digits = 4 if sum(sign.isdigit() for sign in number.partition(".")[0]) >= _LONG else 3
        number = format_quantity(value, unit, digits=digits).partition(" ")[0]
        text = f"{_stripped(number)} {prefixed}"
    return _operations(text, id_)


def exact_text(value: float, unit: str, id_: str = "") -> str:
    """Write a figure so that nothing is rounded away."""
    return _operations(format_exact(value, unit), id_)


def _short(value: float) -> str:
    return _stripped(format_number(value, digits=4 if value >= 100 else 3))


def _stripped(number: str) -> str:
    """Drop a fraction of nothing but zeros; others stay, since they say how well the figure is known."""
    whole, _, fraction = number.partition(".")
    return whole if fraction and not fraction.strip("0") else number


def _operations(text: str, id_: str) -> str:
    return text.replace("FLOP/s", "OP/s") if id_.startswith("int") else text
