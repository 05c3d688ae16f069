"""A figure that is read at a glance: what it is, its number and unit, and what stands beside it."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Readout"]


@dataclass(frozen=True, slots=True)
class Readout:
    """A figure in large print.

    Attributes
    ----------
    below
        A line below it: what it was, or what it could be; where there is little room it ends at its first comma.
    short
        The same in one piece for narrow places.
    hint
        What is told of it under the pointer.
    tone
        Colour token of the number.
    """

    caption: str
    number: str
    unit: str
    below: str = ""
    short: str = ""
    hint: str = ""
    tone: str = "text"

    @property
    def words(self) -> str:
        """The figure in words, as it is read out."""
        figure = " ".join(one for one in (self.caption, self.number, self.unit) if one)
        return f"{figure} ({self.below})" if self.below else figure
