"""What is typed into an entry of a profile: a value, or why not, with what was perhaps meant."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Final

from rooflinestudio.core.errors import QuantityError
from rooflinestudio.core.quantities import format_exact, format_quantity, parse_quantity

__all__ = ["Correction", "Refusal", "read_typed", "typed_text"]

_AMBIGUOUS: Final = re.compile(r"(?P<number>.*?[0-9.])\s*(?P<prefix>[kKMGTPE]?i?|[gtp])(?P<unit>b/s|bps|b)")
_COMMA: Final = re.compile(r"(?P<whole>[0-9]+),(?P<fraction>[0-9]+)(?P<rest>[^0-9,.].*|)")
_BARE: Final = re.compile(
    r"(?P<number>[0-9][0-9 ,_'\u00a0\u2009\u202f]*(?:\.[0-9]*)?|\.[0-9]+)\s*(?P<prefix>[kKMGTPE]?)"
)
_PREFIXES: Final = ("n", "µ", "m", "", "k", "M", "G", "T", "P")
_OUTWARD: Final = {"b/s": "/s", "bps": "/s", "b": ""}
_USUAL: Final = {"FLOP/s": "T", "B/s": "T", "B": "G", "s": "µ", "Hz": "G", "W": ""}


@dataclass(frozen=True, slots=True)
class Correction:
    """A text that can be read, and what the button that offers it says."""

    text: str
    label: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """A typed text that was not taken.

    Attributes
    ----------
    text
        As it was typed.
    reason
        One sentence.
    corrections
        What was perhaps meant.
    """

    text: str
    reason: str
    corrections: tuple[Correction, ...] = ()


def typed_text(value: float, unit: str) -> str:
    """Return the text that an entry starts with: it reads back as the identical value."""
    if unit == "":
        return f"{value:.0f}"
    exact = format_exact(value, unit)
    return exact if len(exact) <= 18 else format_quantity(value, unit, digits=6)


def read_typed(text: str, unit: str, *, before: float | None = None) -> float | Refusal:
    """Read a typed figure.

    A number without its unit is refused, save for counts: nobody means 989 FLOP/s.

    Parameters
    ----------
    unit
        One of :data:`rooflinestudio.core.quantities.UNITS`.
    before
        The value that stood there, which says which prefix a bare number is likely to mean.
    """
    stripped = text.strip()
    ambiguous = _AMBIGUOUS.fullmatch(stripped) if unit in ("B/s", "B") else None
    if ambiguous is not None:
        return _ambiguous(text, ambiguous, unit)
    bare = _BARE.fullmatch(stripped) if unit else None
    if bare is not None:
        return _without_unit(text, bare, unit, before)
    try:
        value = parse_quantity(stripped, unit)
    except QuantityError as error:
        return Refusal(text, _sentence(str(error)), _mended(stripped, unit))
    if not 0 < value < math.inf:
        return Refusal(text, "A figure is above zero. Clear the entry where nothing is known.")
    if unit == "" and value != int(value):
        return Refusal(text, "A count is a whole number.")
    return value


def _ambiguous(text: str, found: re.Match[str], unit: str) -> Refusal:
    prefix, per = found["prefix"], _OUTWARD[found["unit"]]
    prefix = prefix.upper() if prefix in ("g", "t", "p") else prefix
    bits, whole = f"{found['number']} {prefix}bit{per}", f"{found['number']} {prefix}B{per}"
    offered = []
    for one in (bits, whole):
        try:
            value = parse_quantity(one, unit)
        except QuantityError:
            continue
        label = f"{one} = {format_exact(value, unit)}" if one == bits else one
        offered.append(Correction(one, label))
    return Refusal(text, f"“{text.strip()}” is ambiguous: bits or bytes?", tuple(offered))


def _without_unit(text: str, found: re.Match[str], unit: str, before: float | None) -> Refusal:
    """Refuse a number without unit; offer it with the prefix that was typed, or that is nearest to what was there."""
    number, prefixes = found["number"].strip(), [found["prefix"] or _USUAL[unit]]
    if before is not None and not found["prefix"]:
        prefixes = list(_PREFIXES)
    tries = [one for prefix in prefixes if (one := _tried(f"{number} {prefix}{unit}", unit)) is not None]
    if before is not None:
        tries.sort(key=lambda one: abs(math.log(one[1] / before)))
    offered = tuple(Correction(text_, text_) for text_, _ in tries[:1])
    return Refusal(text, f"“{text.strip()}” has no unit.", offered)


def _tried(text: str, unit: str) -> tuple[str, float] | None:
    """Return a text with its value, if it is one above zero."""
    try:
        value = parse_quantity(text, unit)
    except QuantityError:
        return None
    return (text, value) if value > 0 else None


def _mended(text: str, unit: str) -> tuple[Correction, ...]:
    comma = _COMMA.fullmatch(text)
    tries = []
    if comma is not None:
        tries.append(f"{comma['whole']}.{comma['fraction']}{comma['rest']}")
    milli = re.fullmatch(r"([0-9.]+)\s*m([A-Z].*)", text)
    if milli is not None:
        tries.append(f"{milli[1]} M{milli[2]}")
    offered = []
    for one in tries:
        try:
            parse_quantity(one, unit)
        except QuantityError:
            continue
        offered.append(Correction(one, one))
    return tuple(offered)


def _sentence(text: str) -> str:
    return text if text.endswith((".", "?", "!")) else f"{text}."
