"""What a place for a label costs, for many candidates at once.

Rectangles are rows of left, top, right, bottom in pixels; lines rows of x0, y0, x1, y1 and, where they cost something,
the weight of a sample.
"""

from __future__ import annotations

from typing import Final

import numpy as np

__all__ = [
    "APART_X",
    "APART_Y",
    "LEADER_OVER_BOX",
    "OVERLAP",
    "leader_costs",
    "lengths_inside",
    "line_costs",
    "near_costs",
    "overlap_any",
]

APART_X, APART_Y = 12.0, 3.0
"""Room that labels should leave to each other, to markers and to end bars."""

OVERLAP: Final = 120.0
LEADER_OVER_BOX: Final = 40.0
SAMPLE: Final = 6.0
"""Pixels of a line under a label that count as one sample."""


def overlap_any(rects: np.ndarray, boxes: np.ndarray) -> np.ndarray:
    """Return for each candidate whether it truly overlaps a box."""
    over: np.ndarray = (
        (boxes[:, 0] < rects[:, 2, None])
        & (boxes[:, 2] > rects[:, 0, None])
        & (boxes[:, 1] < rects[:, 3, None])
        & (boxes[:, 3] > rects[:, 1, None])
    )
    return np.asarray(over.any(axis=1))


def near_costs(rects: np.ndarray, boxes: np.ndarray) -> np.ndarray:
    """Return what boxes cost that a candidate leaves too little room."""
    close = (
        (boxes[:, 0] < rects[:, 2, None] + APART_X)
        & (boxes[:, 2] > rects[:, 0, None] - APART_X)
        & (boxes[:, 1] < rects[:, 3, None] + APART_Y)
        & (boxes[:, 3] > rects[:, 1, None] - APART_Y)
    )
    return OVERLAP * close.sum(axis=1)


def line_costs(rects: np.ndarray, lines: np.ndarray) -> np.ndarray:
    if not len(lines):
        return np.zeros(len(rects))
    return (np.ceil(lengths_inside(rects, lines) / SAMPLE) * lines[None, :, 4]).sum(axis=1)


def leader_costs(
    at: tuple[float, float], rects: np.ndarray, boxes: np.ndarray, lines: np.ndarray
) -> np.ndarray:
    """Return what each candidate's leader from ``at`` costs: over markers and labels, over lines by their weight."""
    end_x = np.clip(at[0], rects[:, 0], rects[:, 2])
    end_y = np.clip(at[1], rects[:, 1], rects[:, 3])
    leaders = np.stack((np.full_like(end_x, at[0]), np.full_like(end_y, at[1]), end_x, end_y), axis=1)
    cost = np.zeros(len(rects))
    if len(boxes):
        cost += LEADER_OVER_BOX * (lengths_inside(boxes, leaders) > 0).sum(axis=0)
    if len(lines):
        cost += (crossings(leaders, lines) * lines[None, :, 4]).sum(axis=1)
    return cost


def lengths_inside(rects: np.ndarray, lines: np.ndarray) -> np.ndarray:
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


def crossings(first: np.ndarray, second: np.ndarray) -> np.ndarray:
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
