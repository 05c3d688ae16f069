"""Numbers as the profiler prints them, in the number format of the machine that wrote the file.

The profiler follows the locale of its process: ``1,234.5``, ``1.234,5``, ``1 234,5`` and ``1234.5`` all
occur, and ``117.344`` is either 117.344 or 117,344. The decimal mark is therefore found once per file, from
what its cells leave possible (:class:`FormatEvidence`), before any cell is turned into a number.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

__all__ = ["FormatEvidence", "Mark", "PrintedNumber", "ambiguous", "is_missing", "read_number"]

Mark = Literal[".", ","]

_MISSING: Final = frozenset(
    ("", "n/a", "na", "nan", "-nan", "(!) nan", "(!) n/a", "no data", "inf", "-inf", "(!) inf", "-nan(ind)",
     "nan(ind)", "(!) no data", "n/a*", "none", "-")
)  # fmt: skip
_SPACES: Final = re.compile(r"(?<=\d)[ \u00a0\u202f\u2009'\u2019](?=\d{3}(?!\d))")
_STRAY: Final = 20  # one cell against so many is a stray
_LONGEST: Final = 64  # characters; no number that the profiler prints comes near


def _pattern(group: str, mark: str) -> re.Pattern[str]:
    digits = rf"(?:[1-9]\d{{0,2}}(?:{group}\d{{3}})+|\d+)"
    return re.compile(rf"([+-]?)({digits})(?:{mark}(\d*))?(?:[eE]([+-]?\d{{1,2}}))?\Z", re.ASCII)


_GROUPS: Final[dict[Mark, str]] = {".": ",", ",": "."}
_PATTERNS: Final[dict[Mark, re.Pattern[str]]] = {".": _pattern(",", r"\."), ",": _pattern(r"\.", ",")}


class PrintedNumber(NamedTuple):
    """A number and the half unit of its last printed digit (0 where it was printed without decimals)."""

    value: float
    error: float
    decimals: str


def is_missing(text: str) -> bool:
    """Whether a cell says in one of the profiler's ways that there is no value; never to be read as 0."""
    return text.strip().lower() in _MISSING


def _bare(text: str) -> str:
    """Cell without its list of instances (``12 (4; 8)``) and without blanks between thousands."""
    bare = text[:_LONGEST].partition("(")[0] if text.endswith(")") else text
    return _SPACES.sub("", bare.strip()) if len(bare) <= _LONGEST else ""


def read_number(text: str, mark: Mark) -> PrintedNumber | None:
    """Read the number in a cell under one decimal mark.

    Returns None where the text does not fit the format, wrong grouping included (``12,34`` with a decimal
    point). Words for a missing value are to be sorted out before, with :func:`is_missing`.
    """
    match = _PATTERNS[mark].match(text) if len(text) <= _LONGEST else None
    if match is None:
        match = _PATTERNS[mark].match(_bare(text.strip()))
        if match is None:
            return None
    sign, whole, decimals, exponent = match.groups()
    digits = whole.replace(_GROUPS[mark], "")
    if decimals is exponent is None:
        return PrintedNumber(float(sign + digits), 0.0, "")
    scale = 10.0 ** int(exponent) if exponent else 1.0
    value = float(f"{sign}{digits}.{decimals or '0'}") * scale
    error = 0.5 * 10.0 ** -len(decimals) * scale if decimals else 0.0
    return PrintedNumber(value, error, decimals or "")


def ambiguous(text: str) -> bool:
    """Whether the two decimal marks give two different numbers for this cell (``117.344``, ``9,920``)."""
    point, comma = read_number(text, "."), read_number(text, ",")
    return point is not None and comma is not None and point.value != comma.value


@dataclass(slots=True)
class FormatEvidence:
    """Collects what the cells of one file say about its decimal mark.

    A cell that only one mark can explain is a vote: both separators, one separator twice, or a single
    separator without exactly three digits behind and one to three before it. A counter that is an integer by
    nature and shows a single separator with three digits behind it is a vote that this separator groups
    thousands. Where no cell votes, whole numbers of four and more digits without any separator show that the file
    does not group thousands at all, so that a single separator is the decimal mark.
    """

    votes: dict[Mark, int] = field(default_factory=lambda: {".": 0, ",": 0})
    samples: dict[Mark, list[str]] = field(default_factory=lambda: {".": [], ",": []})
    open_dots: int = 0
    open_commas: int = 0
    ungrouped: int = 0

    def add(self, text: str, *, integer: bool) -> None:
        """Count one cell; ``integer`` says that its counter has no fractions in the unit printed."""
        if len(text) > _LONGEST or ("." not in text and "," not in text):
            self.ungrouped += len(text) > 3 and text.isdigit()
            return
        vote = _vote(text, integer)
        if vote is not None:
            self.votes[vote] += 1
            if len(self.samples[vote]) < 2 and text not in self.samples[vote]:
                self.samples[vote].append(text)
        elif ambiguous(text):
            self.open_dots += "." in text
            self.open_commas += "," in text

    @property
    def mixed(self) -> bool:
        """Whether cells of the file contradict each other, a stray one among many apart."""
        return min(self.votes.values()) * _STRAY > max(self.votes.values())

    def decide(self) -> Mark | None:
        """Decimal mark of the file; None where both readings stand.

        Cells such as ``9,920`` alone are read with grouping commas: the profiler prints two decimals in
        locales with a decimal comma, so that three digits behind it are not decimals. Dots alone stay open,
        since unlocalised output prints as many decimals as there are.
        """
        if self.mixed:
            return None
        if self.votes[","] > self.votes["."]:
            return ","
        if self.votes["."] or not self.open_dots:
            return "," if self.ungrouped and self.open_commas and not self.votes["."] else "."
        return "." if self.ungrouped and not self.open_commas else None


def _vote(text: str, integer: bool) -> Mark | None:
    readings = {mark: read_number(text, mark) for mark in _PATTERNS}
    possible = [mark for mark, reading in readings.items() if reading is not None]
    if len(possible) != 1:
        return _integer_vote(text) if integer and len(possible) == 2 else None
    return possible[0]


def _integer_vote(text: str) -> Mark | None:
    """Vote of an integer counter that both marks can read: its separator groups thousands."""
    if not ambiguous(text):
        return None
    return "," if "." in text else "."
