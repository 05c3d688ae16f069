"""Where a card may stand on the canvas: under the roof, or in the corner that hides least."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rooflinestudio.ui.canvas.coordinates import Box
from rooflinestudio.ui.canvas.wanted import marker_boxes

if TYPE_CHECKING:
    from collections.abc import Callable

    from rooflinestudio.ui.canvas.coordinates import Frame
    from rooflinestudio.ui.canvas.painter import Picture
    from rooflinestudio.ui.canvas.scene import Roof

__all__ = ["free_corner", "width_under_roof"]

CLEARANCE: Final = 16.0
"""Pixels that a card keeps away from the roof above it."""
_NARROWER: Final = 10
_INSET, _AXIS_INSET = 12.0, 22.0
_SAMPLES: Final = 48
_WORDS_COST, _MARKER_COST, _ROOF_COST = 4.0, 3.0, 1.0


def width_under_roof(
    frame: Frame,
    roof: Roof | None,
    corner: tuple[float, float],
    height_of: Callable[[int], int],
    widths: tuple[int, int],
) -> int:
    """Return the largest width at which a card in the lower right stays clear of the roof.

    Parameters
    ----------
    corner
        Pixel of the card's lower right corner.
    height_of
        The height that the card needs at a width.
    widths
        The width that it would like, and the least that it can do with.
    """
    liked, least = widths
    if roof is None:
        return liked
    for width in range(liked, least, -_NARROWER):
        left, top = corner[0] - width, corner[1] - height_of(width)
        log_x, _ = frame.data(left, top)
        if frame.y(roof.height(log_x)) + CLEARANCE <= top:
            return width
    return least


def free_corner(picture: Picture, size: tuple[float, float]) -> tuple[float, float]:
    """Return where a card of a size hides least: lower right, else another corner."""
    taken = _taken(picture)

    def cost(at: tuple[float, float]) -> float:
        card = Box(at[0], at[1], at[0] + size[0], at[1] + size[1]).grown(6.0)
        return sum(weight for box, weight in taken if card.overlaps(box))

    return min(_corners(picture.frame.plot, size), key=cost)  # the first of equals


def _corners(plot: Box, size: tuple[float, float]) -> list[tuple[float, float]]:
    left, right = plot.left + _INSET, plot.right - _INSET - size[0]
    top, bottom = plot.top + _INSET, plot.bottom - _AXIS_INSET - size[1]
    return [(right, bottom), (left, top), (left, bottom), (right, top)]


def _taken(picture: Picture) -> list[tuple[Box, float]]:
    frame = picture.frame
    taken = [(box, _WORDS_COST) for box in picture.fixed.boxes]
    taken += [(box, _MARKER_COST) for box in marker_boxes(picture.scene, frame)]
    step = (frame.range.x1 - frame.range.x0) / _SAMPLES
    for roof in picture.scene.roofs:
        for number in range(_SAMPLES + 1):
            log_x = frame.range.x0 + number * step
            x, y = frame.point(log_x, roof.height(log_x))
            taken.append((Box(x - 1, y - 1, x + 1, y + 1), _ROOF_COST * (3.0 if roof.strong else 1.0)))
    return taken
