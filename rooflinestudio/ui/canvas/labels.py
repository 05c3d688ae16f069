"""Where labels go: each tries 24 directions at six distances and takes the cheapest that overlaps nothing.

Deterministic and greedy in the order given. It knows text extents and obstacles in pixels, nothing of Qt.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import numpy as np

from rooflinestudio.ui.canvas.coordinates import Box
from rooflinestudio.ui.canvas.label_costs import (
    APART_X,
    LEADER_OVER_BOX,
    OVERLAP,
    leader_costs,
    lengths_inside,
    line_costs,
    near_costs,
    overlap_any,
)

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

__all__ = ["Field", "Line", "PlacedLabel", "Wanted", "place_labels", "placing"]

DIRECTIONS: Final = 24
DISTANCES: Final = (9.0, 16.0, 28.0, 46.0, 70.0, 100.0)
"""Pixels from the centre of an ordinary marker to the label."""

PER_PIXEL: Final = 0.7
LEFT_OF, ABOVE_OR_BELOW = 3.0, 7.0
LEADER_FROM: Final = 6.0
"""A leader appears where the label is further from the marker's rim than this."""
ORDINARY_RADIUS: Final = 8.0
TOO_DEAR: Final = 2 * OVERLAP
"""What costs more than two overlaps is left out."""

ROUNDS: Final = 3
FEW: Final = 30
"""Up to so many labels are placed in several rounds."""


class Line(NamedTuple):
    """A drawn line in pixels and what a sample of it under a label costs."""

    x0: float
    y0: float
    x1: float
    y1: float
    weight: float


class Wanted(NamedTuple):
    """A label that wants a place: its anchor (the centre of a marker), its extent, the radius of the marker.

    ``short`` is the extent without the second line, taken where there is no room for both.
    """

    key: Hashable
    x: float
    y: float
    width: float
    height: float
    radius: float = ORDINARY_RADIUS
    needed: bool = False
    short: tuple[float, float] | None = None


class PlacedLabel(NamedTuple):
    """Where a label is, relative to its anchor, so that it travels with its marker."""

    dx: float
    dy: float
    width: float
    height: float
    align: Literal["left", "centre", "right"]
    leader: bool
    is_short: bool = False

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
    result: dict[Hashable, PlacedLabel] = {}
    for result in placing(wanted, field):  # noqa: B007 - the last one counts
        pass
    return result


def placing(wanted: Sequence[Wanted], field: Field) -> Iterator[dict[Hashable, PlacedLabel]]:
    """Yield the places so far after every label, so that a caller can spread many over turns of an event loop.

    What finds no place in the order given comes first in another round, only the needed ones before it, if there are
    not too many labels; the round that places most counts, the earlier one where two place as many. The last value
    yielded is the result.
    """
    best: dict[Hashable, PlacedLabel] = {}
    order = list(wanted)
    for _ in range(ROUNDS if len(order) <= FEW else 1):
        placer, placed, failed = _Placer(field, len(order)), {}, []
        for label in order:
            found = placer.place(label)
            if found is None and label.short is not None:
                width, height = label.short
                found = placer.place(label._replace(width=width, height=height))
                found = found._replace(is_short=True) if found is not None else None
            if found is None:
                failed.append(label)
            else:
                placed[label.key] = found
            yield best or placed
        if len(placed) > len(best):
            best = placed
        if not failed:
            break
        first = [label for label in order if label.needed or label in failed]
        order = [
            *sorted(first, key=lambda label: not label.needed),
            *(one for one in order if one not in first),
        ]
    yield best


def _candidates() -> tuple[np.ndarray, ...]:
    """Return all places that are tried, as unit columns sorted by what they cost alone."""
    angle = np.tile(np.arange(DIRECTIONS) * (2 * math.pi / DIRECTIONS), len(DISTANCES))
    distance = np.repeat(np.array(DISTANCES), DIRECTIONS)
    ux, uy = np.cos(angle), -np.sin(angle)
    # The side of the label that looks at the marker: its edge in most directions, a point of the edge near the axes.
    px, py = np.clip(1.6 * ux, -1, 1), np.clip(1.6 * uy, -1, 1)
    cost = PER_PIXEL * distance + LEFT_OF * (1 - ux) / 2 + ABOVE_OR_BELOW * np.abs(uy)
    order = np.argsort(cost, kind="stable")
    return tuple(column[order] for column in (distance, ux, uy, px, py, cost))


_DISTANCE, _UX, _UY, _PX, _PY, _COST = _candidates()
_AT_ONCE: Final = 24


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
        """Return the cheapest place of a label, or None if every one overlaps something or costs too much."""
        reach = _DISTANCE + max(0.0, label.radius - ORDINARY_RADIUS)
        rects = self._rects(label, reach)
        boxes = self._near(label)
        possible = np.flatnonzero(self._inside(rects) & ~overlap_any(rects, boxes))
        best, best_cost = -1, TOO_DEAR if not label.needed else 3 * TOO_DEAR
        for start in range(0, len(possible), _AT_ONCE):
            some = possible[start : start + _AT_ONCE]
            if _COST[some[0]] >= best_cost:
                break
            costs = _COST[some] + self._costs(
                label, rects[some], boxes, reach[some] - label.radius > LEADER_FROM
            )
            at = int(costs.argmin())
            if costs[at] < best_cost:
                best, best_cost = int(some[at]), float(costs[at])
        if best < 0:
            return None
        return self._keep(label, rects[best], best, bool(reach[best] - label.radius > LEADER_FROM))

    @staticmethod
    def _rects(label: Wanted, reach: np.ndarray) -> np.ndarray:
        """Return the boxes of all candidates as (candidates, 4): left, top, right, bottom."""
        half_w, half_h = label.width / 2, label.height / 2
        cx = label.x + reach * _UX + _PX * half_w
        cy = label.y + reach * _UY + _PY * half_h
        return np.stack((cx - half_w, cy - half_h, cx + half_w, cy + half_h), axis=1)

    def _near(self, label: Wanted) -> np.ndarray:
        """Return the boxes that any candidate could touch."""
        reach = DISTANCES[-1] + label.radius + APART_X
        x0, x1 = label.x - reach - label.width, label.x + reach + label.width
        y0, y1 = label.y - reach - label.height, label.y + reach + label.height
        boxes = self._boxes[: self._count]
        near = (boxes[:, 0] < x1) & (boxes[:, 2] > x0) & (boxes[:, 1] < y1) & (boxes[:, 3] > y0)
        return boxes[near]

    def _inside(self, rects: np.ndarray) -> np.ndarray:
        b = self._bounds
        return (
            (rects[:, 0] >= b.left)
            & (rects[:, 1] >= b.top)
            & (rects[:, 2] <= b.right)
            & (rects[:, 3] <= b.bottom)
        )

    def _costs(self, label: Wanted, rects: np.ndarray, boxes: np.ndarray, led: np.ndarray) -> np.ndarray:
        """Return what stands in the way of candidates costs, beside distance and direction."""
        foreign = boxes[~_holding(boxes, label.x, label.y)]
        costs = near_costs(rects, foreign) + line_costs(rects, self._lines)
        leaders = self._leaders[: self._leader_count]
        if len(leaders):
            costs += LEADER_OVER_BOX * (lengths_inside(rects, leaders) > 0).sum(axis=1)
        if led.any():
            costs += led * leader_costs((label.x, label.y), rects, foreign, self._lines)
        return costs

    def _keep(self, label: Wanted, rect: np.ndarray, at: int, leader: bool) -> PlacedLabel:
        self._boxes[self._count] = rect
        self._count += 1
        left, top = float(rect[0]), float(rect[1])
        align: Literal["left", "centre", "right"] = (
            "left" if _PX[at] > 0.5 else "right" if _PX[at] < -0.5 else "centre"
        )
        placed = PlacedLabel(left - label.x, top - label.y, label.width, label.height, align, leader)
        if leader:
            self._leaders[self._leader_count] = (label.x, label.y, *placed.leader_end(label.x, label.y))
            self._leader_count += 1
        return placed


def _holding(boxes: np.ndarray, x: float, y: float) -> np.ndarray:
    """Return which boxes hold a point: a label need not keep away from its own marker."""
    return (boxes[:, 0] <= x) & (x <= boxes[:, 2]) & (boxes[:, 1] <= y) & (y <= boxes[:, 3])
