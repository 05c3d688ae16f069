"""Lines in rectangles: analytic clipping, since picture formats ignore a painter's clip, and offsets of a roof."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

from rooflinestudio.ui.canvas.coordinates import Box, Frame, Range, roof_height

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["along_roof", "clip_line", "clip_polyline", "lowered", "roof_line"]

Point = tuple[float, float]


def clip_line(start: Point, end: Point, box: Box) -> tuple[Point, Point] | None:
    """Return the part of a line that lies in a box, or None (Liang and Barsky, 1984)."""
    (x0, y0), (x1, y1) = start, end
    dx, dy = x1 - x0, y1 - y0
    first, last = 0.0, 1.0
    for step, room in (
        (-dx, x0 - box.left),
        (dx, box.right - x0),
        (-dy, y0 - box.top),
        (dy, box.bottom - y0),
    ):
        if step == 0:
            if room < 0:
                return None
            continue
        at = room / step
        if step < 0:
            first = max(first, at)
        else:
            last = min(last, at)
        if first > last:
            return None
    return (x0 + first * dx, y0 + first * dy), (x0 + last * dx, y0 + last * dy)


def clip_polyline(points: Sequence[Point], box: Box) -> list[list[Point]]:
    """Return the runs of a polyline that lie in a box; pieces that meet stay joined."""
    runs: list[list[Point]] = []
    for start, end in pairwise(points):
        part = clip_line(start, end, box)
        if part is None:
            continue
        if runs and math.dist(runs[-1][-1], part[0]) < 1e-6:
            runs[-1].append(part[1])
        else:
            runs.append([part[0], part[1]])
    return runs


def along_roof(
    log_from: float, log_to: float, *, log_bytes_per_s: float, log_flop_per_s: float
) -> list[Point]:
    """Return the corner points of a roof between two log10 intensities, in data coordinates."""
    low, high = min(log_from, log_to), max(log_from, log_to)
    ridge = log_flop_per_s - log_bytes_per_s
    xs = [low, ridge, high] if low < ridge < high else [low, high]
    return [(x, roof_height(x, log_bytes_per_s=log_bytes_per_s, log_flop_per_s=log_flop_per_s)) for x in xs]


def roof_line(range_: Range, *, log_bytes_per_s: float, log_flop_per_s: float) -> list[Point]:
    """Return the corner points of a roof across a whole view and a little beyond, in data coordinates."""
    low = min(range_.x0, range_.y0 - log_bytes_per_s) - 1
    high = max(range_.x1, log_flop_per_s - log_bytes_per_s) + 1
    return along_roof(low, high, log_bytes_per_s=log_bytes_per_s, log_flop_per_s=log_flop_per_s)


def lowered(points: Sequence[Point], frame: Frame, distance: float) -> list[Point]:
    """Return a run along a roof, in pixels, moved off it by ``distance`` pixels to the lower right.

    ``points`` are pixels of one slope piece, one flat piece, or a slope and a flat piece that meet.
    """
    angle = frame.slope_angle
    nx, ny = math.sin(angle) * distance, math.cos(angle) * distance
    moved: list[Point] = []
    for at, (x, y) in enumerate(points):
        rises_in = at > 0 and points[at - 1][1] > y + 1e-9
        rises_out = at + 1 < len(points) and y > points[at + 1][1] + 1e-9
        if rises_in and at + 1 < len(points) and not rises_out:
            # The corner: where the moved slope meets the moved flat piece.
            moved.append((x + nx - (distance - ny) / math.tan(angle), y + distance))
        elif rises_in or rises_out:
            moved.append((x + nx, y + ny))
        else:
            moved.append((x, y + distance))
    return moved
