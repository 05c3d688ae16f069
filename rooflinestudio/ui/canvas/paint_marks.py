"""What lies on the roof: launch floor, corridors, satellites, pairs, markers, selection."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, Literal

from PySide6.QtGui import QPainter

from rooflinestudio.ui.canvas.geometry import along_roof, clip_line, lowered
from rooflinestudio.ui.canvas.measured_shape import diamond
from rooflinestudio.ui.canvas.paint_arrows import paint_arrows
from rooflinestudio.ui.canvas.paint_pairs import paint_lent
from rooflinestudio.ui.canvas.paint_radii import (
    CIRCLE,
    DIAMOND,
    ELSEWHERE,
    RIM,
    RING,
    SATELLITE,
    SQUARE,
    ring_radius,
)
from rooflinestudio.ui.canvas.paint_series import paint_runs, paint_series
from rooflinestudio.ui.canvas.stamps import Shape

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtGui import QColor

    from rooflinestudio.ui.canvas.context import Canvas
    from rooflinestudio.ui.canvas.coordinates import Box, Frame
    from rooflinestudio.ui.canvas.fixed_labels import FixedLabels
    from rooflinestudio.ui.canvas.scene import Corridor, LaunchFloor, Marker, Segment

__all__ = [
    "CIRCLE",
    "DIAMOND",
    "EDGE_ARROW",
    "RIM",
    "RING",
    "SATELLITE",
    "at_edge",
    "corridor_lanes",
    "paint_floor",
    "paint_marks",
    "radius_of",
]

BAND, BAND_ALPHA = 11.0, 0.26
LANE_FIRST, LANE_STEP, LANES = 7.0, 4.0, 3
SHORTEST_CORRIDOR: Final = 5.0
MANY_CORRIDORS: Final = 16
"""Above so many they would cover each other; then only the selected and the hovered one are drawn."""
EDGE_ARROW: Final = 6.0
MARKED: Final = RING - 1.0
"""Radius of the thin ring around what is marked besides the selection."""


def paint_floor(c: Canvas, floor: LaunchFloor, words: FixedLabels) -> None:
    """Paint where the launch overhead holds the selected placement: under its own slope."""
    frame, plot = c.frame, c.frame.plot
    x0, x1 = frame.range.x0 - 1, frame.range.x1 + 1
    start, end = frame.point(x0, x0 + floor.log_bytes_per_s), frame.point(x1, x1 + floor.log_bytes_per_s)
    line = clip_line(start, end, plot)
    if line is None:
        return
    if floor.shaded:
        (left, low), (right, high) = line
        area = [
            (left, low),
            (right, high),
            (plot.right, high),
            (plot.right, plot.bottom),
            (left, plot.bottom),
        ]
        # Its one slanted edge lies under a dotted line: smoothing it would only cost time.
        c.painter.setRenderHint(QPainter.RenderHint.Antialiasing, c.vector)
        c.polygon(area, fill=c.colour("launch", 0.10 if c.theme.is_dark else 0.07))
        c.painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    c.polyline(line, c.pen(c.colour("muted"), 1.0, (1.0, 3.0)))
    for label in words.labels:
        c.words((label.x, label.y), label.text, label.role, label.token, angle=label.angle)


def paint_marks(c: Canvas) -> None:
    """Paint everything from the corridors up to the ring of the selection."""
    hovered = c.highlight.hovered
    crowded = len(c.scene.corridors) > MANY_CORRIDORS
    lanes = corridor_lanes([] if crowded else c.scene.corridors)
    for corridor in c.scene.corridors:
        lane = lanes.get((corridor.key, corridor.machine), 0)
        if not c.scene.is_selected(corridor) and (not crowded or corridor.key == hovered):
            _quiet_corridor(c, corridor, lane)
    for corridor in c.scene.corridors:
        if c.scene.is_selected(corridor):
            _selected_corridor(c, corridor)
    for marker in (*c.scene.markers, *c.scene.satellites, *c.scene.parts):
        _links(c, marker)
    for segment in c.scene.segments:
        _segment(c, segment)
    paint_runs(c)
    paint_arrows(c)
    paint_series(c)
    top: list[Marker] = []
    # The slowest part comes first, and lies on top of the others.
    for marker in (*c.scene.satellites, *_background_first(c), *reversed(c.scene.parts)):
        (top if c.scene.is_selected(marker) and marker.style != "boundary" else []).append(marker)
        _marker(c, marker)
    for marker in top:  # once more, so that no other one covers it
        _marker(c, marker)
    paint_lent(c)
    _rings(c)


def _background_first(c: Canvas) -> Iterable[Marker]:
    """Yield the markers of the other machines, then those of the strong one, the selected last."""
    return sorted(
        c.scene.markers,
        key=lambda one: (
            one.machine in ("", c.scene.machine), c.scene.is_selected(one), -(one.radius or 0.0)
        ),
    )  # fmt: skip


# Corridors


def corridor_lanes(corridors: Iterable[Corridor]) -> dict[tuple[object, str], int]:
    """Give corridors that overlap on one roof different lanes, up to three, in the order of the study."""
    ends: dict[tuple[str, float, float], list[float]] = {}
    lanes: dict[tuple[object, str], int] = {}
    for corridor in sorted(corridors, key=lambda one: min(one.log_tiled, one.log_compulsory)):
        taken = ends.setdefault((corridor.machine, corridor.log_bytes_per_s, corridor.log_flop_per_s), [])
        low = min(corridor.log_tiled, corridor.log_compulsory)
        high = max(corridor.log_tiled, corridor.log_compulsory)
        lane = next((at for at, end in enumerate(taken) if end < low), len(taken))
        if lane < LANES:
            taken[lane : lane + 1] = [high]
        lanes[corridor.key, corridor.machine] = min(lane, LANES - 1)
    return lanes


def _corridor_points(frame: Frame, corridor: Corridor) -> list[tuple[float, float]]:
    run = along_roof(
        corridor.log_tiled,
        corridor.log_compulsory,
        log_bytes_per_s=corridor.log_bytes_per_s,
        log_flop_per_s=corridor.log_flop_per_s,
    )
    return [frame.point(*point) for point in run]


def _quiet_corridor(c: Canvas, corridor: Corridor, lane: int) -> None:
    points = _corridor_points(c.frame, corridor)
    if math.dist(points[0], points[-1]) < SHORTEST_CORRIDOR:
        return
    pen = c.pen(c.slot(corridor.slot, 0.6), 2.4)
    moved = lowered(points, c.frame, LANE_FIRST + lane * LANE_STEP)
    c.polyline(moved, pen)
    for end, inner in ((moved[0], moved[1]), (moved[-1], moved[-2])):
        c.polyline(_bar(end, inner, 3.5), c.pen(c.slot(corridor.slot, 0.75), 1.6))


def _selected_corridor(c: Canvas, corridor: Corridor) -> None:
    points = _corridor_points(c.frame, corridor)
    if math.dist(points[0], points[-1]) < SHORTEST_CORRIDOR:
        return
    c.polyline(points, c.pen(c.slot(corridor.slot, BAND_ALPHA), BAND))
    for end, inner in ((points[0], points[1]), (points[-1], points[-2])):
        c.polyline(_bar(end, inner, 8.0), c.pen(c.slot(corridor.slot), 2.0))


def _bar(end: tuple[float, float], inner: tuple[float, float], half: float) -> list[tuple[float, float]]:
    """Return a short line across a corridor at its end."""
    length = math.dist(end, inner)
    dx, dy = (inner[0] - end[0]) / length, (inner[1] - end[1]) / length
    return [(end[0] - dy * half, end[1] + dx * half), (end[0] + dy * half, end[1] - dx * half)]


# Lines between markers


def _links(c: Canvas, marker: Marker) -> None:
    at = c.frame.point(marker.log_x, marker.log_y)
    if marker.is_small:
        home = _home_of(c, marker)
        if home is not None:
            pen = c.pen(c.slot(marker.slot), 1.0, (2.0, 3.0))
            c.polyline([at, c.frame.point(home.log_x, home.log_y)], pen)
    elif marker.log_roof is not None and marker.machine in ("", c.scene.machine, c.scene.selected_machine):
        roof = c.frame.point(marker.log_x, marker.log_roof)
        c.polyline([at, roof], c.pen(c.colour("text2"), 1.0, (1.0, 2.0)))


def _home_of(c: Canvas, marker: Marker) -> Marker | None:
    """Return the marker that a small one is joined to; of parts only the selected and the hovered one is."""
    if marker.kernel:
        return None  # a line of its own joins a kernel's boundaries
    if marker.style == "boundary":
        return next((one for one in c.scene.markers if c.scene.is_selected(one)), None)
    if not c.scene.is_selected(marker) and marker.key != c.highlight.hovered:
        return None
    homes = (one for one in c.scene.markers if one.key == marker.key[1] and one.machine == marker.machine)
    return next(homes, None)


def _segment(c: Canvas, segment: Segment) -> None:
    points = [c.frame.point(*segment.start), c.frame.point(*segment.end)]
    c.polyline(points, c.pen(c.slot(segment.slot), 1.6))


# Markers


def radius_of(c: Canvas, marker: Marker) -> float:
    """Return the outer radius of a marker in pixels, its rim included."""
    if marker.is_small:
        return SATELLITE + 1.0
    if marker.style == "measured":
        return (DIAMOND if marker.radius is None else marker.radius) + RIM
    return (CIRCLE if _is_primary(c, marker) else ELSEWHERE) + RIM


def _is_primary(c: Canvas, marker: Marker) -> bool:
    return marker.machine in ("", c.scene.machine) or c.scene.is_selected(marker)


def _marker(c: Canvas, marker: Marker) -> None:
    at = c.frame.point(marker.log_x, marker.log_y)
    if not c.frame.plot.grown(RING).holds(*at):
        if not marker.is_small and _is_primary(c, marker):
            _edge_arrow(c, at, c.slot(marker.slot))
        return
    c.stamp(at, _shape(c, marker))


def _shape(c: Canvas, marker: Marker) -> Shape:
    """Return the form of a marker; filled ones have a rim of the canvas that parts them from what they cover."""
    canvas, primary = c.colour("canvas"), _is_primary(c, marker)
    colour = c.slot(marker.slot, 1.0 if primary else 0.8)
    if marker.kernel and marker.is_small:
        return diamond(c, marker.form, SATELLITE, colour, rim=1.4)
    if marker.style == "measured":
        radius = DIAMOND if marker.radius is None else marker.radius
        return diamond(c, marker.form, radius, colour, rim=RIM if radius >= DIAMOND else 1.0)
    form: Literal["circle", "square"] = "square" if marker.square else "circle"
    if marker.is_small:
        radius, form = SATELLITE, "circle"
    elif not primary:
        radius = ELSEWHERE
    else:
        radius = SQUARE if marker.square else CIRCLE
    if marker.style == "hollow" or not marker.crossed:
        return Shape(form, radius - 0.9, canvas, colour, 1.8 if primary else 1.4)
    return Shape(form, radius + RIM / 2, colour, canvas, RIM)


def at_edge(plot: Box, at: tuple[float, float]) -> tuple[float, float]:
    """Return where the arrow for a marker outside of the plot stands."""
    x = min(max(at[0], plot.left + EDGE_ARROW), plot.right - EDGE_ARROW)
    return x, min(max(at[1], plot.top + EDGE_ARROW), plot.bottom - EDGE_ARROW)


def _edge_arrow(c: Canvas, at: tuple[float, float], colour: QColor) -> None:
    """Draw a small arrow at the edge of the plot that points to a marker outside of it."""
    x, y = at_edge(c.frame.plot, at)
    angle = math.atan2(at[1] - y, at[0] - x)
    points = [
        (x + EDGE_ARROW * math.cos(angle + turn), y + EDGE_ARROW * math.sin(angle + turn))
        for turn in (0.0, 2.4, -2.4)
    ]
    c.polygon(points, fill=colour, pen=c.pen(c.colour("canvas"), 1.0))


def _rings(c: Canvas) -> None:
    focused, hovered, marked = c.highlight.focused, c.highlight.hovered, c.highlight.marked
    wanted = {focused, hovered, *marked}
    for marker in (*c.scene.markers, *c.scene.parts):
        selected = c.scene.is_selected(marker)
        if not (selected or marker.key in wanted) or not _is_primary(c, marker):
            continue
        at, ring = c.frame.point(marker.log_x, marker.log_y), ring_radius(marker)
        if not c.frame.plot.grown(RING).holds(*at):
            continue
        if selected:
            c.circle(at, ring, pen=c.pen(c.colour("accent"), 1.6))
        elif marker.key in marked:
            c.circle(at, MARKED, pen=c.pen(c.colour("accent"), 1.2))
        if marker.key == focused:
            outer = ring + 3.0 if selected or marker.key in marked else ring
            c.circle(at, outer, pen=c.pen(c.colour("accent"), 1.6, (2.5, 2.0)))
        elif marker.key == hovered and not selected and marker.key not in marked:
            c.circle(at, ring - 1.0, pen=c.pen(c.colour("border_strong"), 1.2))
