"""The words that belong to lines: slopes along them, ceilings at the right, ridges at the foot.

They are placed before all other labels, in a fixed order, each at the first of a few places where it overlaps nothing; a word
without such a place is left out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from rooflinestudio.ui.canvas.coordinates import Box, Frame
from rooflinestudio.ui.canvas.geometry import clip_line, roof_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rooflinestudio.ui.canvas.scene import LaunchFloor, Roof, Scene, Slope
    from rooflinestudio.ui.canvas.text import Text

__all__ = ["FixedLabel", "FixedLabels", "fixed_labels", "floor_label"]

EDGE: Final = 5.0
OFF_LINE: Final = 3.0
APART: Final = 5.0

Point = tuple[float, float]


class FixedLabel(NamedTuple):
    """One line of text: top left corner, angle in degrees counter-clockwise, font role, colour token."""

    text: str
    x: float
    y: float
    angle: float
    role: str
    token: str


@dataclass
class FixedLabels:
    """What was placed, and the boxes that it takes up."""

    frame: Frame
    text: Text
    labels: list[FixedLabel] = field(default_factory=list)
    boxes: list[Box] = field(default_factory=list)
    avoided: Sequence[Box] = ()

    def is_free(self, box: Box) -> bool:
        """Tell whether a box is in the plot and overlaps no words placed so far."""
        near = box.grown(APART, 1.0)
        return box.inside(self.frame.plot) and not any(near.overlaps(other) for other in self.boxes)

    def is_seen(self, box: Box) -> bool:
        """Tell whether no marker covers a box."""
        return not any(box.overlaps(other) for other in self.avoided)

    def add_level(
        self, text: str, role: str, token: str, places: Iterable[Point], *, needed: bool = False
    ) -> None:
        """Put a horizontal text at the first free of some top left corners; a needed one under a marker at worst."""
        width, height = self.text.width(text, role), self.text.height(role)
        boxes = [Box(x, y, x + width, y + height) for x, y in places]
        free = [box for box in boxes if self.is_free(box)]
        chosen = next((box for box in free if self.is_seen(box)), free[0] if free and needed else None)
        if chosen is not None:
            self.labels.append(FixedLabel(text, chosen.left, chosen.top, 0.0, role, token))
            self.boxes.append(chosen)

    def add_along(
        self, text: str, role: str, token: str, places: Iterable[Point], *, needed: bool = False
    ) -> None:
        """Put a text along the slopes at the first free of some points, which are its lower left corners."""
        width, height = self.text.width(text, role), self.text.height(role)
        angle = self.frame.slope_angle
        fallback: tuple[Point, list[Box]] | None = None
        for place in places:
            boxes = _chain(place, angle, width, height)
            if not all(self.is_free(box) for box in boxes):
                continue
            if all(self.is_seen(box) for box in boxes):
                fallback = (place, boxes)
                break
            if needed and fallback is None:
                fallback = (place, boxes)
        if fallback is not None:
            (x, y), boxes = fallback
            # From the lower left to the upper left corner: one height to the upper left, across the slope.
            corner = (x - height * math.sin(angle), y - height * math.cos(angle))
            self.labels.append(FixedLabel(text, *corner, math.degrees(angle), role, token))
            self.boxes.extend(boxes)


def _chain(corner: tuple[float, float], angle: float, width: float, height: float) -> list[Box]:
    """Return small boxes that together cover a slanted text whose lower left corner is given."""
    steps = max(1, math.ceil(width / (height * 0.75)))
    along, up = width / steps, height
    boxes: list[Box] = []
    for step in range(steps):
        points = [
            (
                corner[0] + a * math.cos(angle) - b * math.sin(angle),
                corner[1] - a * math.sin(angle) - b * math.cos(angle),
            )
            for a in (step * along, (step + 1) * along)
            for b in (0.0, up)
        ]
        xs, ys = [x for x, _ in points], [y for _, y in points]
        boxes.append(Box(min(xs), min(ys), max(xs), max(ys)))
    return boxes


def fixed_labels(scene: Scene, frame: Frame, text: Text, *, avoided: Sequence[Box] = ()) -> FixedLabels:
    """Place the words of all lines of a scene; ``avoided`` are boxes of markers that they should not lie under."""
    placed = FixedLabels(frame, text, avoided=avoided)
    roofs = sorted(scene.roofs, key=lambda roof: roof.order)
    for roof in roofs:
        _ridge_at_the_foot(placed, roof)
    for roof in roofs:
        _ceiling(placed, roof.ceiling_label, roof.log_flop_per_s, roof.log_ridge, strong=roof.strong, other=True)
    for ceiling in scene.ceilings:
        _ceiling(placed, ceiling.label, ceiling.log_flop_per_s, ceiling.log_from, strong=ceiling.own, other=False)
    across = _Slopes(scene, frame)
    for roof in roofs:
        role, token = ("canvas_strong", "text") if roof.strong else ("axis", "text2")
        placed.add_along(roof.slope_label, role, token, across.places(roof, placed), needed=roof.strong)
    for slope in scene.slopes:
        placed.add_along(slope.label, "axis", "muted", across.places(slope, placed))
        _ridge_at_the_corner(placed, slope, scene.strong_roof)
    return placed


def floor_label(scene: Scene, frame: Frame, text: Text, fixed: FixedLabels) -> FixedLabels:
    """Place the words of the launch floor; apart from the others, since it moves with the selected placement."""
    placed = FixedLabels(frame, text, boxes=list(fixed.boxes))
    if scene.floor is not None:
        places = _Slopes(scene, frame).places(scene.floor, placed, far=True)
        placed.add_along(scene.floor.label, "axis", "muted", places)
    return FixedLabels(frame, text, placed.labels, placed.boxes[len(fixed.boxes) :])


def _ceiling(
    placed: FixedLabels, label: str, log_rate: float, log_from: float, *, strong: bool, other: bool
) -> None:
    frame = placed.frame
    y = frame.y(log_rate)
    role = "canvas_strong" if strong else "axis"
    token = "text" if strong else "text2" if other else "muted"
    width, height = placed.text.width(label, role), placed.text.height(role)
    start = max(frame.plot.left, frame.x(log_from))
    right = frame.plot.right - EDGE - width

    def places() -> Iterator[Point]:
        for left in (right, right - 60, right - 130, right - 200):
            if left > start + 4 or (strong and left == right):
                yield left, y - height - OFF_LINE
                yield left, y + OFF_LINE - 1
                yield left, y - height - OFF_LINE - 7

    placed.add_level(label, role, token, places(), needed=strong)


def _ridge_at_the_foot(placed: FixedLabels, roof: Roof) -> None:
    frame = placed.frame
    x = frame.x(roof.log_ridge)
    if not frame.plot.left <= x <= frame.plot.right:
        return
    role, token = ("canvas_strong", "text") if roof.strong else ("axis", "muted")
    width, height = placed.text.width(roof.ridge_label, role), placed.text.height(role)
    y = frame.plot.bottom - height - 2
    sides = (x + 5, x - 5 - width) if roof.strong else (x - 5 - width, x + 5)
    places = [(side, y - level) for level in (0, height + 2) for side in sides]
    placed.add_level(roof.ridge_label, role, token, places, needed=roof.strong)


def _ridge_at_the_corner(placed: FixedLabels, slope: Slope, strong: Roof | None) -> None:
    """Name where a quiet slope meets the reference ceiling: above it left of the ridge, below it right of the ridge."""
    frame = placed.frame
    x, y = frame.point(slope.log_ridge, slope.log_flop_per_s)
    if not frame.plot.holds(x, y):
        return
    width, height = placed.text.width(slope.ridge_label, "axis"), placed.text.height("axis")
    above_left, above_right = (x - width - 3, y - height - 4), (x - 4, y - height - 6)
    below = (x + 8, y + 3)
    left_of_ridge = strong is None or slope.log_ridge < strong.log_ridge
    places = (above_left, above_right) if left_of_ridge else (below, above_left, above_right)
    placed.add_level(slope.ridge_label, "axis", "muted", places)


class _Slopes:
    """All slopes of a view; they are parallel, so one number says how far each lies to the upper left."""

    def __init__(self, scene: Scene, frame: Frame) -> None:
        self._frame = frame
        lines: list[Roof | Slope | LaunchFloor] = [*scene.roofs, *scene.slopes]
        if scene.floor is not None:
            lines.append(scene.floor)
        self._offsets = [self._offset(line) for line in lines]

    def _offset(self, line: Roof | Slope | LaunchFloor) -> float:
        """Return the distance of a slope from a fixed parallel, in pixels, growing with the bandwidth."""
        x = self._frame.x(self._frame.range.y0 - line.log_bytes_per_s)
        return -x * math.sin(self._frame.slope_angle)

    def places(
        self, line: Roof | Slope | LaunchFloor, placed: FixedLabels, *, far: bool = False
    ) -> Iterator[tuple[float, float]]:
        """Yield lower left corners along a line: over it, then under it, from its lower end onward."""
        frame, angle = self._frame, self._frame.slope_angle
        top = getattr(line, "log_flop_per_s", frame.range.y1)
        points = [
            frame.point(x, y)
            for x, y in roof_line(frame.range, log_bytes_per_s=line.log_bytes_per_s, log_flop_per_s=top)
        ]
        part = clip_line(points[0], points[1], frame.plot)
        if part is None:
            return
        (x0, y0), (x1, y1) = part
        length = math.dist(*part)
        height = placed.text.height("axis")
        steps = range(6 if not far else int(length * 0.3), int(length) - 30, 12)
        for along in steps:
            x, y = x0 + along * math.cos(angle), y0 - along * math.sin(angle)
            for off in (OFF_LINE, -OFF_LINE - height):
                if self._is_clear(self._offset(line) + off, height):
                    yield x - off * math.sin(angle), y - off * math.cos(angle)

    def _is_clear(self, low: float, height: float) -> bool:
        """Tell whether no slope runs through a text that lies so far to the upper left."""
        return not any(low - 1 < offset < low + height + 1 for offset in self._offsets)
