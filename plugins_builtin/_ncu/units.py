"""Units as the profiler prints them, cell by cell: decimal prefixes, old long words, new short ones."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, Literal, NamedTuple

__all__ = ["Unit", "UnitKind", "read_unit"]

UnitKind = Literal["none", "time", "byte", "byte/s", "frequency", "percent", "count", "count/s", "per_cycle"]


class Unit(NamedTuple):
    """What a unit word means.

    Attributes
    ----------
    kind
        Its dimension; ``count`` for instructions, sectors, cycles and the like.
    factor, divisor
        A number in this unit times ``factor`` over ``divisor`` is in base units (s, byte, byte/s, Hz). Two
        whole numbers instead of one fraction, so that 9,589,248 ns is the float nearest to 0.009589248 s.
    prefixed
        Whether it carries a prefix, so that the number before it was rounded to two decimals.
    """

    kind: UnitKind
    factor: float
    divisor: float
    prefixed: bool


_PREFIX: Final = {"": 1.0, "k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12, "p": 1e15}
# Factor and divisor of each word for a time.
_TIMES: Final = {
    "ns": (1.0, 1e9), "nsec": (1.0, 1e9), "nsecond": (1.0, 1e9),
    "us": (1.0, 1e6), "usec": (1.0, 1e6), "usecond": (1.0, 1e6), "\u00b5s": (1.0, 1e6), "\u03bcs": (1.0, 1e6),
    "ms": (1.0, 1e3), "msec": (1.0, 1e3), "msecond": (1.0, 1e3),
    "s": (1.0, 1.0), "sec": (1.0, 1.0), "second": (1.0, 1.0), "minute": (60.0, 1.0), "hour": (3600.0, 1.0),
}  # fmt: skip
_COUNTS: Final = (
    "inst", "sector", "cycle", "request", "warp", "thread", "block", "op", "flop", "wavefront", "cluster",
    "register", "tag", "pass", "sample", "transaction", "sm",
)  # fmt: skip
_AMOUNT: Final = re.compile(rf"([kmgtp]?)(byte|hz|{'|'.join(_COUNTS)})s?\Z")


@lru_cache(maxsize=1024)
def read_unit(text: str) -> Unit | None:
    """Meaning of a unit cell, or None where it is none that is known; an empty cell is the base unit."""
    word = text.strip().lower()
    if word in ("", "n/a"):
        return Unit("none", 1.0, 1.0, prefixed=False)
    if word == "%":
        return Unit("percent", 1.0, 1.0, prefixed=False)
    if word in _TIMES:
        return Unit("time", *_TIMES[word], prefixed=_TIMES[word] != _TIMES["ns"])
    amount, _, per = word.partition("/")
    match = _AMOUNT.match(amount)
    if match is None:
        return None
    prefix, root = match.groups()
    return _combine(root, _PREFIX[prefix], per.strip(), prefixed=bool(prefix))


def _combine(root: str, factor: float, per: str, *, prefixed: bool) -> Unit | None:
    """Make the unit of ``root`` per nothing, a time, a cycle, or something without a scale."""
    if not per:
        kind: UnitKind = "byte" if root == "byte" else "frequency" if root == "hz" else "count"
        return Unit(kind, factor, 1.0, prefixed)
    if per in _TIMES:
        rate: UnitKind = "byte/s" if root == "byte" else "frequency" if root == "cycle" else "count/s"
        seconds, divisor = _TIMES[per]
        return Unit(rate, factor * divisor, seconds, prefixed or divisor != 1.0)
    if per in ("cycle", "cycles"):
        return Unit("per_cycle", factor, 1.0, prefixed)
    return Unit("count", factor, 1.0, prefixed) if root == "byte" or per in _COUNTS else None
