"""What is suspect of a measured rate: above the published figure, or far below it, with the usual causes in order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.ceilings.words import clock_in, clock_text, ratio_text
from rooflinestudio.core.hardware import INSIDE, LINKS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.hardware import Figure

__all__ = ["ABOVE", "FAR_BELOW", "Doubt", "Held", "doubt_about"]

ABOVE: Final = 1.02
"""Share of the published figure up to which a reading is taken: figures of data sheets are rounded."""

FAR_BELOW: Final = 0.25
"""Share below which a reading is hardly what the machine can do."""

_UNIT_SLIPS: Final = (
    (1000.0, "a prefix is off by 1000 (or 1024)"),
    (1e6, "a prefix is off by a million"),
    (8.0, "bits were read as bytes"),
)
_REACHED: Final = (0.4, 1.05)
"""Share of the published figure that a good test reaches: a unit slip multiplies one of these."""

_BOOSTED: Final = 1.35
"""Clocks exceed those of a data sheet by no more than about this."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why a reading is not taken unasked.

    Attributes
    ----------
    heading
        What is odd, in a few words.
    causes
        The usual ones, the likeliest first.
    """

    heading: str
    causes: tuple[str, ...]

    @property
    def causes_text(self) -> str:
        """The causes in one sentence."""
        return f"Usual causes: {'; '.join(self.causes)}."

    @property
    def text(self) -> str:
        """Heading and causes."""
        return f"{self.heading}. {self.causes_text}"


@dataclass(frozen=True, slots=True)
class Held:
    """A reading held against what documents say.

    Attributes
    ----------
    kind, id
        ``ceiling`` or ``boundary``, and which one.
    ratio
        Reading over stated figure.
    stated
        The figure of documents.
    clock_hz
        Clock that the file says it was measured at, or None.
    differs
        In what the device of the file differs from the part of the profile; empty where it does not.
    """

    kind: str
    id: str
    ratio: float
    stated: Figure
    clock_hz: float | None = None
    differs: str = ""


def doubt_about(held: Held) -> Doubt | None:
    """Return what is suspect of a reading; None of one that can be.

    Nothing is clamped: a reading above the published figure stays what it is, and is asked about.
    """
    if held.ratio > ABOVE:
        heading = (
            f"{ratio_text(held.ratio)} of the {held.stated.provenance} figure, which nothing should exceed"
        )
        return Doubt(heading, tuple(dict.fromkeys((*_likely(held), *_above(held)))))
    if held.ratio < FAR_BELOW:
        heading = f"Only {ratio_text(held.ratio)} of the {held.stated.provenance} figure"
        return Doubt(heading, tuple(dict.fromkeys((*_likely(held), *_below(held)))))
    return None


def _likely(held: Held) -> Iterator[str]:
    """Yield what the numbers themselves speak for."""
    ratio = held.ratio
    if held.differs:
        yield f"the file is of another part ({held.differs})"
    if (clock := clock_in(held.stated.condition)) is not None and held.clock_hz is not None:
        faster = held.clock_hz / clock
        if faster > ABOVE and ratio <= faster * ABOVE:
            yield f"it ran at {clock_text(held.clock_hz)}, and the published figure is at {clock_text(clock)}"
    for factor, words in _UNIT_SLIPS:
        if any(_REACHED[0] < slipped < _REACHED[1] for slipped in (ratio / factor, ratio * factor)):
            yield words
    if held.id.endswith("-tensor") and 1.5 < ratio < 2.1:
        yield "2:4 sparse products were counted as if dense, which doubles the rate"
    if held.id in LINKS and 1.5 < ratio < 2.1:
        yield "both directions of the link were counted, and the published figure is of one"


def _above(held: Held) -> Iterator[str]:
    if held.kind == "ceiling":
        if held.ratio <= _BOOSTED:
            yield "the part ran above the clock of the published figure"
        yield "a multiply-add was counted as more than two, or work that was optimised away was counted"
        yield "the arithmetic ran on another pipe"
    elif held.id == "dram":
        yield "the arrays fitted into a cache, at least in part: measure with arrays of four times its size"
        yield "the kernel reads less than it counts"
    elif held.id in LINKS:
        yield "several links or devices were summed up"
    else:
        yield "a cache nearer to the arithmetic served part of it"
        if held.id in INSIDE and held.ratio <= _BOOSTED:
            yield "the part ran above the clock of the published figure"
    yield "the profile is of another part, or its figure is wrong"
    yield "a unit was mistaken (1000 for 1024, bits for bytes)"


def _below(held: Held) -> Iterator[str]:
    yield "the test did not fill the machine, or something else ran on it"
    yield "clock or power were limited"
    if held.kind == "ceiling":
        yield "the arithmetic ran on another pipe, or on one slice of the device"
    yield "a unit was mistaken"
