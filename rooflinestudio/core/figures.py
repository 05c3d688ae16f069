"""A value with where it comes from, and rates of which a stated and a measured one are known."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from typing import Self

__all__ = ["Achievable", "Figure", "KnownRate", "Provenance", "Use"]

Provenance = Literal["published", "derived", "measured", "assumed"]
Use = Literal["stated", "measured"]
"""Which of two figures of one rate a profile works with: what documents say, or what was measured."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One value of a profile, with where it comes from.

    Attributes
    ----------
    value
        In SI base units; the unit follows from the place of the figure.
    provenance
        ``published`` by the vendor, ``derived`` by a formula, ``measured``, or ``assumed``.
    condition
        Under which it holds: dense or sparse, which clock, which accumulate type.
    source
        Document or formula, in words.
    date
        When it was read or measured, ISO format, or empty.
    note
        Whatever a reader should know beside it.
    confidence
        ``high``, ``medium`` or ``low``: how well the source is confirmed; empty where nobody judged.
    """

    value: float
    provenance: Provenance
    condition: str = ""
    source: str = ""
    date: str = ""
    note: str = ""
    confidence: str = ""


@dataclass(frozen=True, slots=True)
class Achievable:
    """What share of a rate real kernels reach, each a figure above 0 and up to 1; None where nothing is known.

    Attributes
    ----------
    typical
        What a good kernel of ordinary shape reaches: the expected time of a forecast rests on it.
    low, high
        The worst and the best share known: the band around it.
    """

    typical: Figure | None = None
    low: Figure | None = None
    high: Figure | None = None


class KnownRate:
    """A rate of which a stated and a measured figure may be known; one of them is in use."""

    __slots__ = ()
    _FIELD = "figure"

    published: Figure | None
    measured: Figure | None

    @property
    def _used(self) -> Figure:
        found: Figure = getattr(self, self._FIELD)
        return found

    @property
    def stated(self) -> Figure | None:
        """What documents or formulas say, in use or not; None where only a measured figure is known."""
        return self._used if self._used.provenance != "measured" else self.published

    @property
    def observed(self) -> Figure | None:
        """What was measured, in use or not; None where nothing was."""
        return self._used if self._used.provenance == "measured" else self.measured

    @property
    def in_use(self) -> Use:
        """Which of the two everything is judged by."""
        return "measured" if self._used.provenance == "measured" else "stated"

    def using(self, use: Use) -> Self:
        """Return the same with the other figure in use; itself where that one is not known."""
        stated, observed = self.stated, self.observed
        if use == self.in_use or stated is None or observed is None:
            return self
        changes: dict[str, Any] = (
            {self._FIELD: observed, "published": stated, "measured": None}
            if use == "measured"
            else {self._FIELD: stated, "published": None, "measured": observed}
        )
        changed: Self = replace(self, **changes)  # type: ignore[type-var]
        return changed
