"""Where the segments of a budget bar lie, and which of them are named inside, below, or not at all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["INSIDE_PX", "NAME_PX", "Segment", "segments"]

INSIDE_PX: Final = 64
"""From this width on a segment has its words inside."""

NAME_PX: Final = 84
"""So much room a name needs below the bar."""

_NAMED_PX: Final = 4
_GAP_PX: Final = 2.0
_NAME_GAP_PX: Final = 8.0


@dataclass(frozen=True, slots=True)
class Segment:
    """One part in the bar.

    Attributes
    ----------
    left, width
        In pixels, the gap to the next one taken off.
    inside
        Whether there is room for words in it.
    below
        Left end and width of its name below the bar, or None.
    """

    index: int
    left: float
    width: float
    inside: bool
    below: tuple[float, float] | None = None


def segments(
    shares: Sequence[float], names: Sequence[str], width: float, measure: Callable[[str], float]
) -> tuple[Segment, ...]:
    """Lay the segments of one bar out.

    Parameters
    ----------
    shares
        Of the time, from 0 to 1.
    width
        Of the bar, in pixels.
    measure
        Width of a text in pixels.
    """
    whole = sum(shares) or 1.0
    spans: list[tuple[float, float]] = []
    left = 0.0
    for share in shares:
        full = width * share / whole
        spans.append((left, max(1.0, full - _GAP_PX) if full > 2 * _GAP_PX else max(0.6, full * 0.6)))
        left += full
    below = _names_below(spans, names, width, measure)
    return tuple(
        Segment(at, start, size, size >= INSIDE_PX, below.get(at)) for at, (start, size) in enumerate(spans)
    )


def _names_below(
    spans: Sequence[tuple[float, float]],
    names: Sequence[str],
    width: float,
    measure: Callable[[str], float],
) -> dict[int, tuple[float, float]]:
    """Give the widest of the narrow segments their names first, each where :data:`NAME_PX` are free."""
    narrow = [at for at, (_, size) in enumerate(spans) if _NAMED_PX <= size < INSIDE_PX]
    taken: dict[int, tuple[float, float]] = {}
    for at in sorted(narrow, key=lambda one: -spans[one][1]):
        left = spans[at][0]
        right = min((start for start, _ in taken.values() if start > left), default=width + _NAME_GAP_PX)
        is_free = all(start + size + _NAME_GAP_PX <= left for start, size in taken.values() if start <= left)
        room = right - _NAME_GAP_PX - left
        if is_free and room >= NAME_PX:
            taken[at] = left, min(room, measure(names[at]) + 1.0)
    return taken
