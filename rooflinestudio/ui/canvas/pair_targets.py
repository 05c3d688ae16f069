"""Which entry a place on the canvas stands for while a kernel is dragged: its marker, its row, or its label."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

from rooflinestudio.ui.canvas.coordinates import Box
from rooflinestudio.ui.canvas.paint_strip import strip_places

if TYPE_CHECKING:
    from rooflinestudio.ui.canvas.painter import Picture

__all__ = ["PairTarget", "entry_target"]

REACH: Final = 14.0
"""Pixels from a marker within which it is meant; more than for a click, since the pointer carries something."""
_AROUND_LABEL: Final = 3.0
_RADIUS: Final = 13.0


class PairTarget(NamedTuple):
    """An entry, with the box around what stands for it in pixels."""

    entry_id: str
    box: Box


def entry_target(picture: Picture, x: float, y: float) -> PairTarget | None:
    """Return the entry at a pixel; the nearest marker comes before labels."""
    scene, frame = picture.scene, picture.frame
    for place in strip_places(scene, picture.layout):
        if isinstance(place.row.key, str) and place.box.holds(x, y):
            return PairTarget(place.row.key, place.box)
    best, nearest = None, REACH
    for marker in scene.markers:
        at = frame.point(marker.log_x, marker.log_y)
        distance = math.dist((x, y), at)
        if isinstance(marker.key, str) and distance <= nearest:
            best, nearest = PairTarget(marker.key, _around(*at)), distance
    return best if best is not None else _labelled(picture, x, y)


def _around(x: float, y: float) -> Box:
    return Box(x - _RADIUS, y - _RADIUS, x + _RADIUS, y + _RADIUS)


def _labelled(picture: Picture, x: float, y: float) -> PairTarget | None:
    for text in picture.texts:
        placed, key = picture.labels.get(text.key), text.key
        if placed is None or not isinstance(key, tuple) or key[0] != "marker" or not isinstance(key[1], str):
            continue
        box = placed.box(*picture.frame.point(*text.anchor)).grown(_AROUND_LABEL)
        if box.holds(x, y):
            return PairTarget(key[1], box)
    return None
