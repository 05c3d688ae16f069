"""What joins a variant to its baseline on the canvas: an arrow, and words for the tool tips of both."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["MarkerNote", "VariantArrow"]


@dataclass(frozen=True, slots=True)
class VariantArrow:
    """From a baseline to one of its variants, with the ratios between them; ends are log10 data coordinates.

    Attributes
    ----------
    key, machine
        Entry id of the variant, and the machine that it was placed on.
    base, base_machine
        The same of the baseline.
    label, short_label
        All ratios; the ratio of times alone.
    """

    key: str
    machine: str
    base: str
    base_machine: str
    slot: int | str
    start: tuple[float, float]
    end: tuple[float, float]
    label: str
    short_label: str
    tip: tuple[str, ...] = ()
    status: str = ""

    def touches(self, key: object) -> bool:
        """Tell whether a key is that of one of its ends."""
        return key is not None and key in (self.key, self.base)


@dataclass(frozen=True, slots=True)
class MarkerNote:
    """Further lines for the tool tip of a marker: how a variant stands to its baseline, and what shares its place."""

    key: str
    machine: str
    lines: tuple[str, ...]
