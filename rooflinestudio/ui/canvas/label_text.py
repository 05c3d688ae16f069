"""What a label says, before it has a place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Hashable

    from rooflinestudio.ui.canvas.scene import Key

__all__ = ["LONGEST_COMPACT", "ON_ARROW", "LabelText"]

LONGEST_COMPACT: Final = 150.0
"""Pixels that a name has where there is little room."""
ON_ARROW: Final = 4.0
"""What the middle of an arrow counts as in place of a marker's radius."""


class LabelText(NamedTuple):
    """A label's words: lines with font role and colour token; the slot colours its leader.

    ``anchor`` is in log10 data coordinates, ``radius`` in pixels. With ``shown_for`` it has its place, but is seen only
    while that key is hovered.
    """

    key: Hashable
    anchor: tuple[float, float]
    lines: tuple[tuple[str, str, str], ...]
    radius: float
    slot: int | str | None
    needed: bool = False
    shown_for: Key | None = None
