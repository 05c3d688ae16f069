"""Quantities in and out of text: the one place where prefixes exist.

Inside, everything is in SI base units (FLOP, byte, second, FLOP/s, byte/s, FLOP/byte). Decimal prefixes are
powers of 1000, binary ones (``KiB``) powers of 1024, everywhere. ``Gb/s`` is refused, since it is read as
bits and as bytes, and so is ``mB``: nobody means a thousandth of a byte.
"""

from __future__ import annotations

import math
import re
from typing import Final

from rooflinestudio.core.errors import QuantityError

__all__ = ["UNITS", "format_exact", "format_number", "format_quantity", "format_ratio", "parse_quantity"]

NARROW_SPACE: Final = "\u202f"
MINUS: Final = "\u2212"

# Powers of ten and of two, so that "989.4 TFLOP/s" is read as the one float nearest to 989.4e12.
_LARGE: Final = {"": 0, "k": 3, "K": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
# Micro is written as u, as the micro sign, or as the Greek letter.
_SMALL: Final = {"m": -3, "u": -6, "\u00b5": -6, "\u03bc": -6, "n": -9, "p": -12, "f": -15}
_BINARY: Final = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50}

UNITS: Final = ("FLOP/s", "B/s", "B", "s", "FLOP", "FLOP/B", "Hz", "W", "J", "FLOP/J", "")
"""The units that :func:`parse_quantity` and :func:`format_quantity` know; ``""`` is a count or a ratio."""

# Spellings of each unit, after the prefix. "op" counts as FLOP: integer pipes are rated in operations.
_SPELLINGS: Final[dict[str, tuple[str, ...]]] = {
    "FLOP/s": ("FLOP/s", "FLOPS", "FLOPs/s", "flop/s", "flops", "OP/s", "OPS", "op/s", "ops"),
    "B/s": ("B/s", "byte/s", "bytes/s", "Byte/s", "Bytes/s"),
    "B": ("B", "byte", "bytes", "Byte", "Bytes"),
    "s": ("s", "sec", "second", "seconds"),
    "FLOP": ("FLOP", "FLOPs", "flop", "flops"),
    "FLOP/B": ("FLOP/B", "FLOP/byte", "flop/byte", "FLOPs/byte", "flop/B"),
    "Hz": ("Hz", "hz"),
    "W": ("W", "watt", "watts"),
    "J": ("J", "joule", "joules"),
    "FLOP/J": ("FLOP/J", "FLOP/s/W", "FLOPS/W", "FLOP/joule"),
    "": ("",),
}
_BITS: Final = {"B/s": ("bit/s", "bits/s"), "B": ("bit", "bits")}
_TAKES_SMALL: Final = ("s", "W", "J")
_TAKES_BINARY: Final = ("B", "B/s", "")
_EXAMPLES: Final = {
    "FLOP/s": "989 TFLOP/s", "B/s": "3.35 TB/s", "B": "50 MiB", "s": "3 µs", "FLOP": "137 GFLOP",
    "FLOP/B": "295", "Hz": "1.83 GHz", "W": "700 W", "J": "97 mJ", "FLOP/J": "1.4 TFLOP/J",
    "": "4096",
}  # fmt: skip

_AMBIGUOUS: Final = re.compile(r"([kKMGTPE]?i?|[gtp])(?:b/s|bps|b)")
# Thousands in groups of three, parted by one kind of mark: 12,345 or 12 345 or 12_345; never "1 2".
_NUMBER: Final = re.compile(
    r"(?P<sign>[+\-\u2212]?)"
    r"(?P<whole>"
    r"[1-9][0-9]{0,2}(?P<mark>[,_' \u00a0\u2009\u202f])[0-9]{3}(?:(?P=mark)[0-9]{3})*(?![0-9])"
    r"|[0-9]*)"
    r"(?P<fraction>(?:\.[0-9]*)?)"
    r"(?:[eE](?P<exponent>[+\-\u2212]?[0-9]+))?"
)
_DECIMAL_COMMA: Final = re.compile(r"[+\-\u2212]?[0-9]+,[0-9]+(?![0-9,.])")
_SHOWN: Final = 60


def parse_quantity(text: str, unit: str) -> float:
    """Read a quantity such as ``"3.35 TB/s"``, ``"50 MiB"`` or ``"400 Gbit/s"``.

    Parameters
    ----------
    text
        A number, optionally followed by a prefixed unit. A number alone is in the base unit. Thousands may be
        grouped (``1 979``, ``1,979``); the decimal mark is a point.
    unit
        The unit expected, one of :data:`UNITS`.

    Returns
    -------
    float
        The value in the base unit: the float nearest to the number as written. It may be negative or zero.

    Raises
    ------
    QuantityError
        If the text has no number, a unit of another kind, an ambiguous one (``Gb/s``), or a size that no
        float has; the message says the mend.
    KeyError
        If ``unit`` is none of :data:`UNITS`.
    """
    if unit not in _SPELLINGS:
        raise KeyError(f"unknown unit {unit!r}; known: {', '.join(u or 'count' for u in UNITS)}")
    stripped = text.strip()
    number = _NUMBER.match(stripped)
    if number is None or not (number["whole"] or number["fraction"].strip(".")):
        raise _unreadable(text, "does not start with a number.", unit)
    rest = stripped[number.end() :].strip()
    if rest.startswith(",") and (comma := _DECIMAL_COMMA.match(stripped)):
        mend = comma.group().replace(",", ".") + stripped[comma.end() :]
        raise QuantityError(f"{_quoted(text)} has a decimal comma. Write it with a point: {_quoted(mend)}.")
    _refuse_ambiguous(text, number, rest=rest, unit=unit)
    power = _power(rest, unit)
    if power is None:
        fault = f"is not in {unit or 'a plain number'}: cannot read the unit {_quoted(rest)}."
        if _is_milli(rest, unit):
            raise QuantityError(f"{_quoted(text)} {fault} Did you mean {'M' + rest[1:]!r}?")
        raise _unreadable(text, fault, unit)
    value = _scaled(number, ten=power[0], two=power[1])
    if value is None:
        raise _unreadable(text, "is too large or too small to be a quantity.", unit)
    return value


def _unreadable(text: str, fault: str, unit: str) -> QuantityError:
    return QuantityError(f"{_quoted(text)} {fault} Write for example {_EXAMPLES[unit]!r}.")


def _scaled(number: re.Match[str], *, ten: int, two: int) -> float | None:
    """Return number x 10^ten x 2^two, rounded once; None where a float has only infinity or zero for it."""
    digits, written = _digits(number), (number["exponent"] or "0").replace(MINUS, "-")
    try:
        value = math.ldexp(float(f"{digits}e{int(written) + ten}"), two)
    except (OverflowError, ValueError):  # ValueError: an exponent of thousands of digits
        return None
    if not math.isfinite(value) or (value == 0 and digits.strip("+-0.")):
        return None
    return value


def _digits(number: re.Match[str]) -> str:
    mark = number["mark"]
    whole = number["whole"].replace(mark, "") if mark else number["whole"]
    return number["sign"].replace(MINUS, "-") + (whole or "0") + number["fraction"].rstrip(".")


def _power(rest: str, unit: str) -> tuple[int, int] | None:
    """Return the powers of ten and of two that a prefixed unit stands for; None for no unit of this kind."""
    if not rest:
        return 0, 0
    for spelling in _SPELLINGS[unit]:
        if rest.endswith(spelling):
            prefix = rest[: len(rest) - len(spelling)].strip()
            if prefix in _LARGE:
                return _LARGE[prefix], 0
            if prefix in _SMALL and unit in _TAKES_SMALL:
                return _SMALL[prefix], 0
            if prefix in _BINARY and unit in _TAKES_BINARY:
                return 0, _BINARY[prefix]
    for spelling in _BITS.get(unit, ()):
        prefix = rest[: -len(spelling)].strip()
        if rest.endswith(spelling) and (prefix in _LARGE or prefix in _BINARY):
            return _LARGE.get(prefix, 0), _BINARY.get(prefix, 0) - 3
    return None


def _is_milli(rest: str, unit: str) -> bool:
    return rest.startswith("m") and unit not in _TAKES_SMALL and _power(rest[1:], unit) == (0, 0)


def _refuse_ambiguous(text: str, number: re.Match[str], *, rest: str, unit: str) -> None:
    match = _AMBIGUOUS.fullmatch(rest)
    if match is None or unit not in _BITS:
        return
    prefix, per = match.group(1), "/s" if unit == "B/s" else ""
    prefix = prefix.upper() if prefix in ("g", "t", "p") else prefix
    written = _shortened(number.group().strip())
    in_bits = _power(f"{prefix}bit{per}", unit)
    value = _scaled(number, ten=in_bits[0], two=in_bits[1]) if in_bits else None
    as_bytes = f" (= {format_exact(value, unit)})" if value is not None else ""
    raise QuantityError(
        f"{_quoted(text)} is ambiguous: b is read as bits and as bytes. "
        f"Write '{written} {prefix}bit{per}'{as_bytes} or '{written} {prefix}B{per}'."
    )


def _quoted(text: str) -> str:
    return repr(_shortened(text))


def _shortened(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


_STEPS: Final = ((1e18, "E"), (1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""))
_SMALL_STEPS: Final = ((1e-3, "m"), (1e-6, "µ"), (1e-9, "n"), (1e-12, "p"))
# What "0.5 mB" would say in prefixes is said without one: "0.0005 B".
_WHOLE: Final = ("FLOP/s", "B/s", "B", "FLOP", "Hz")


def format_quantity(value: float, unit: str, *, digits: int = 3, space: str = " ") -> str:
    """Write a value with the prefix that fits: ``3.35 TB/s``, ``139 µs``, ``989 TFLOP/s``.

    Parameters
    ----------
    value
        In the base unit. Infinity is written ``∞``, not-a-number as a dash.
    unit
        One of :data:`UNITS`, or any unit text that takes a prefix.
    digits
        Significant digits, at least 1; integers above are not rounded away (``1365`` stays so at three).
    space
        What stands between the number and the unit.
    """
    if math.isnan(value):
        return "–"
    shown = "FLOP/byte" if unit == "FLOP/B" else unit
    if math.isinf(value) or value == 0 or unit in ("FLOP/B", ""):  # ratios take no prefix: "100 mFLOP/B"
        return f"{format_number(value, digits=digits)}{space}{shown}".rstrip()
    size = abs(value)
    for step, prefix in _STEPS if unit in _WHOLE else _STEPS + _SMALL_STEPS:
        # 999.96 k at three digits would print as "1000 k": step up as soon as rounding carries over.
        if float(f"{size / step:.{digits - 1}e}") >= 1.0:
            return f"{format_number(value / step, digits=digits)}{space}{prefix}{unit}"
    return f"{format_number(value, digits=digits)}{space}{unit}"


def format_number(value: float, *, digits: int = 3) -> str:
    """Write a number with ``digits`` significant digits, thousands by a narrow space, minus as U+2212."""
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return f"{MINUS if value < 0 else ''}∞"
    if value == 0:
        return "0"
    size = abs(value)
    mantissa, power = f"{value:.{digits - 1}e}".split("e")
    if size >= 1e15 or size < 1e-4:
        return f"{mantissa}e{int(power)}".replace("-", MINUS)
    # The power is that of the rounded number: 9.996 at three digits is 10.0, with one decimal.
    text = f"{value:,.{max(0, digits - 1 - int(power))}f}"
    return text.replace(",", NARROW_SPACE).replace("-", MINUS)


def format_exact(value: float, unit: str) -> str:
    """Write a value so that :func:`parse_quantity` reads the identical float: ``989.4 TFLOP/s``, ``228 KiB``.

    The shortest such text is taken, for bytes with a binary prefix where that is shorter. This is for files;
    people are shown :func:`format_quantity`.

    Raises
    ------
    ValueError
        If the value is infinite or not a number.
    """
    if not math.isfinite(value):
        raise ValueError(f"{value} is no quantity")
    if unit == "":
        return _decimal_text(value, 0)
    prefixes = {"": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
    if unit in _TAKES_SMALL:
        prefixes |= {"m": -3, "µ": -6, "n": -9, "p": -12}
    size = abs(value)
    fitting = {prefix: ten for prefix, ten in prefixes.items() if 1.0 <= size / 10.0**ten < 1000.0} or {"": 0}
    texts = [f"{_decimal_text(value, ten)} {prefix}{unit}" for prefix, ten in fitting.items()]
    if unit == "B":
        for prefix, two in _BINARY.items():
            if 1.0 <= size / 2.0**two < 1024.0:
                texts.append(f"{_decimal_text(value / 2.0**two, 0)} {prefix}B")
    return min(texts, key=len)


def _decimal_text(value: float, power: int) -> str:
    from decimal import Decimal

    number = Decimal(repr(value)).scaleb(-power).normalize()
    return format(number, "f" if -30 < number.adjusted() < 30 else "e")


def format_ratio(ratio: float) -> str:
    """Write a ratio of times with its direction: above 1 is slower (``1.74× slower``), below faster."""
    if not math.isfinite(ratio) or ratio <= 0:
        return "–"
    if abs(ratio - 1) < 0.005:
        return "1.00×"
    return f"{ratio:.2f}× slower" if ratio > 1 else f"{1 / ratio:.2f}× faster"
