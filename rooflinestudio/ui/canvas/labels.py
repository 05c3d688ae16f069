"""Where labels go: each tries 24 directions at six distances and takes the cheapest that overlaps nothing.

Deterministic and greedy in the order given. It knows text extents and obstacles in pixels, nothing of Qt.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import numpy as np

from rooflinestudio.ui.canvas.coordinates import Box

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["Field", "Line", "PlacedLabel", "Wanted", "place_labels", "placing"]

DIRECTIONS: Final = 24
DISTANCES: Final = (9.0, 16.0, 28.0, 46.0, 70.0, 100.0)
"""Pixels from the centre of an ordinary marker to the label."""

APART_X, APART_Y = 12.0, 3.0
"""Room that labels should leave to each other, to markers and to end bars."""

OVERLAP = 120.0
LEADER_OVER_BOX = 40.0
PER_PIXEL = 0.7
LEFT_OF, ABOVE_OR_BELOW = 3.0, 7.0
SAMPLE = 6.0
"""Pixels of a line under a label that count as one sample."""
LEADER_FROM = 6.0
"""A leader appears where the label is further from the marker's rim than this."""
ORDINARY_RADIUS = 8.0
TOO_DEAR = 2 * OVERLAP
"""What costs more than two overlaps is left out."""

_IMPOSSIBLE: Final = 1e9


class Line(NamedTuple):
    """A drawn line in pixels and what a sample of it under a label costs."""

    x0: float
    y0: float
    x1: float
    y1: float
    weight: float


class Wanted(NamedTuple):
    """A label that wants a place: its anchor (the centre of a marker), its extent, the radius of the marker."""

    key: Hashable
    x: float
    y: float
    width: float
    height: float
    radius: float = ORDINARY_RADIUS
    needed: bool = False


class PlacedLabel(NamedTuple):
    """Where a label is, relative to its anchor, so that it travels with its marker."""

    dx: float
    dy: float
    width: float
    height: float
    align: Literal["left", "centre", "right"]
    leader: bool

    def box(self, x: float, y: float) -> Box:
        """Return the label's box while its anchor is at a pixel."""
        return Box(x + self.dx, y + self.dy, x + self.dx + self.width, y + self.dy + self.height)

    def leader_end(self, x: float, y: float) -> tuple[float, float]:
        """Return the point of the box that is nearest to the anchor."""
        box = self.box(x, y)
        return min(max(x, box.left), box.right), min(max(y, box.top), box.bottom)


@dataclass(frozen=True, slots=True)
class Field:
    """What is on the canvas already.

    Attributes
    ----------
    bounds
        Labels stay inside.
    boxes
        Fixed labels, end bars, strips.
    markers
        Boxes of markers.
    lines
        Roofs, slopes, ceilings, corridors.
    """

    bounds: Box
    boxes: Sequence[Box] = ()
    markers: Sequence[Box] = ()
    lines: Sequence[Line] = ()


def place_labels(wanted: Sequence[Wanted], field: Field) -> dict[Hashable, PlacedLabel]:
    """Return places by key; labels that would overlap something, or cost too much, are left out."""
    placed: dict[Hashable, PlacedLabel] = {}
    for key, label in placing(wanted, field):
        if label is not None:
            placed[key] = label
    return placed


def placing(wanted: Sequence[Wanted], field: Field) -> Iterator[tuple[Hashable, PlacedLabel | None]]:
    """Yield the labels one by one, so that a caller can spread many over several turns of an event loop."""
    placer = _Placer(field, len(wanted))
    for label in wanted:
        yield label.key, placer.place(label)


def _directions() -> tuple[np.ndarray, ...]:
    angles = np.arange(DIRECTIONS) * (2 * math.pi / DIRECTIONS)
    ux, uy = np.cos(angles), -np.sin(angles)
    # The side of the label that looks at the marker: its edge in most directions, a point of the edge near the axes.
    px, py = np.clip(1.6 * ux, -1, 1), np.clip(1.6 * uy, -1, 1)
    bias = LEFT_OF * (1 - ux) / 2 + ABOVE_OR_BELOW * np.abs(uy)
    return ux, uy, px, py, bias


_UX, _UY, _PX, _PY, _BIAS = _directions()


class _Placer:
    """The obstacles as arrays, which grow by each label that was placed."""

    def __init__(self, field: Field, room: int) -> None:
        self._bounds = field.bounds
        solid = [*field.boxes, *field.markers]
        self._boxes = np.zeros((len(solid) + room, 4))
        self._boxes[: len(solid)] = np.array(solid).reshape(-1, 4)
        self._count = len(solid)
        self._lines = np.array(field.lines, dtype=float).reshape(-1, 5)
        self._leaders = np.zeros((room, 4))
        self._leader_count = 0

    def place(self, label: Wanted) -> PlacedLabel | None:
        best, best_cost = None, TOO_DEAR if not label.needed else 3 * TOO_DEAR
        extra = max(0.0, label.radius - ORDINARY_RADIUS)
        boxes, lines, leaders = self._near(label)
        for distance in DISTANCES:
            if PER_PIXEL * distance >= best_cost:
                break
            reach = distance + extra
            rects = self._candidates(label, reach)
            costs = PER_PIXEL * distance + _BIAS + self._outside(rects)
            costs = costs + _box_costs(rects, boxes) + _line_costs(rects, lines)
            if len(leaders):
                costs = costs + LEADER_OVER_BOX * (_lengths_inside(rects, leaders) > 0).sum(axis=1)
            if reach - label.radius > LEADER_FROM:
                costs = costs + _leader_costs(label, rects, boxes, lines)
            at = int(costs.argmin())
            if costs[at] < best_cost:
                best, best_cost = (rects[at], at, reach - label.radius > LEADER_FROM), float(costs[at])
        return None if best is None else self._keep(label, *best)

    def _near(self, label: Wanted) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the obstacles that any candidate could touch."""
        reach = DISTANCES[-1] + label.radius + APART_X
        x0, x1 = label.x - reach - label.width, label.x + reach + label.width
        y0, y1 = label.y - reach - label.height, label.y + reach + label.height
        boxes = self._boxes[: self._count]
        near = (boxes[:, 0] < x1) & (boxes[:, 2] > x0) & (boxes[:, 1] < y1) & (boxes[:, 3] > y0)
        return boxes[near], self._lines, self._leaders[: self._leader_count]

    @staticmethod
    def _candidates(label: Wanted, reach: float) -> np.ndarray:
        """Return the 24 boxes at one distance as (24, 4): left, top, right, bottom."""
        cx = label.x + reach * _UX + _PX * label.width / 2
        cy = label.y + reach * _UY + _PY * label.height / 2
        half_w, half_h = label.width / 2, label.height / 2
        return np.stack((cx - half_w, cy - half_h, cx + half_w, cy + half_h), axis=1)

    def _outside(self, rects: np.ndarray) -> np.ndarray:
        b = self._bounds
        out = (
            (rects[:, 0] < b.left) | (rects[:, 1] < b.top) | (rects[:, 2] > b.right) | (rects[:, 3] > b.bottom)
        )
        return _IMPOSSIBLE * out

    def _keep(self, label: Wanted, rect: np.ndarray, at: int, leader: bool) -> PlacedLabel:
        self._boxes[self._count] = rect
        self._count += 1
        left, top = float(rect[0]), float(rect[1])
        align: Literal["left", "centre", "right"] = (
            "left" if _PX[at] > 0.5 else "right" if _PX[at] < -0.5 else "centre"
        )
        placed = PlacedLabel(
            left - label.x, top - label.y, label.width, label.height, align, leader
        )
        if leader:
            self._leaders[self._leader_count] = (label.x, label.y, *placed.leader_end(label.x, label.y))
            self._leader_count += 1
        return placed


def _box_costs(rects: np.ndarray, boxes: np.ndarray) -> np.ndarray:
    """Return what boxes under or near each candidate cost; a true overlap is impossible."""
    if not len(boxes):
        return np.zeros(len(rects))
    gap_x = np.maximum(boxes[None, :, 0] - rects[:, None, 2], rects[:, None, 0] - boxes[None, :, 2])
    gap_y = np.maximum(boxes[None, :, 1] - rects[:, None, 3], rects[:, None, 1] - boxes[None, :, 3])
    close = ((gap_x < APART_X) & (gap_y < APART_Y)).sum(axis=1)
    over = ((gap_x < 0) & (gap_y < 0)).any(axis=1)
    return OVERLAP * close + _IMPOSSIBLE * over


def _line_costs(rects: np.ndarray, lines: np.ndarray) -> np.ndarray:
    if not len(lines):
        return np.zeros(len(rects))
    return (np.ceil(_lengths_inside(rects, lines) / SAMPLE) * lines[None, :, 4]).sum(axis=1)


def _leader_costs(label: Wanted, rects: np.ndarray, boxes: np.ndarray, lines: np.ndarray) -> np.ndarray:
    """Return what each candidate's leader costs: over markers and labels, over lines by their weight."""
    end_x = np.clip(label.x, rects[:, 0], rects[:, 2])
    end_y = np.clip(label.y, rects[:, 1], rects[:, 3])
    leaders = np.stack((np.full_like(end_x, label.x), np.full_like(end_y, label.y), end_x, end_y), axis=1)
    cost = np.zeros(len(rects))
    if len(boxes):
        away = ~(
            (boxes[:, 0] <= label.x) & (label.x <= boxes[:, 2]) & (boxes[:, 1] <= label.y) & (label.y <= boxes[:, 3])
        )
        cost += LEADER_OVER_BOX * (_lengths_inside(boxes[away], leaders) > 0).sum(axis=0)
    if len(lines):
        cost += (_crossings(leaders, lines) * lines[None, :, 4]).sum(axis=1)
    return cost


def _lengths_inside(rects: np.ndarray, lines: np.ndarray) -> np.ndarray:
    """Return (rects, lines): how many pixels of each line lie in each rectangle (Liang and Barsky)."""
    x0, y0 = lines[None, :, 0], lines[None, :, 1]
    dx, dy = lines[None, :, 2] - x0, lines[None, :, 3] - y0
    length = np.hypot(dx, dy)
    dx = np.where(np.abs(dx) < 1e-9, 1e-9, dx)
    dy = np.where(np.abs(dy) < 1e-9, 1e-9, dy)
    left, right = (rects[:, None, 0] - x0) / dx, (rects[:, None, 2] - x0) / dx
    above, below = (rects[:, None, 1] - y0) / dy, (rects[:, None, 3] - y0) / dy
    first = np.maximum(np.minimum(left, right), np.minimum(above, below)).clip(0.0, 1.0)
    last = np.minimum(np.maximum(left, right), np.maximum(above, below)).clip(0.0, 1.0)
    return np.maximum(last - first, 0.0) * length


def _crossings(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return (first, second): whether two lines cross, the ends of a leader at its own line not counted."""
    ax, ay = first[:, None, 0], first[:, None, 1]
    bx, by = first[:, None, 2] - ax, first[:, None, 3] - ay
    cx, cy = second[None, :, 0], second[None, :, 1]
    ex, ey = second[None, :, 2] - cx, second[None, :, 3] - cy
    cross = bx * ey - by * ex
    parallel = np.abs(cross) < 1e-9
    cross = np.where(parallel, 1.0, cross)
    along = ((cx - ax) * ey - (cy - ay) * ex) / cross
    across = ((cx - ax) * by - (cy - ay) * bx) / cross
    return ~parallel & (along > 0.15) & (along < 1.0) & (across >= 0.0) & (across <= 1.0)
