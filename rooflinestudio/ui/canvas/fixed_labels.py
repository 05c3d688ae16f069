"""The words that belong to lines: slopes along them, ceilings at the right, ridges at the foot.

They are placed before all other labels, in a fixed order, each at the first of a few places where it overlaps nothing;
what has no such place is left out.
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


class _Slanted(NamedTuple):
    """A text along the slopes: the intervals that it takes along and across them, and the upright box around it."""

    along0: float
    along1: float
    across0: float
    across1: float
    box: Box


@dataclass
class FixedLabels:
    """What was placed, and the boxes that it takes up.

    ``avoided`` are boxes of markers that words should not lie under.
    """

    frame: Frame
    text: Text
    avoided: Sequence[Box] = ()
    labels: list[FixedLabel] = field(default_factory=list)
    level: list[Box] = field(default_factory=list)
    slanted: list[_Slanted] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._angle = self.frame.slope_angle
        self._cos, self._sin = math.cos(self._angle), math.sin(self._angle)

    @property
    def boxes(self) -> list[Box]:
        """Upright boxes that cover all words, slanted ones by a chain of small boxes."""
        return [*self.level, *(box for one in self.slanted for box in self._chain(one))]

    def add_level(
        self, text: str, role: str, token: str, places: Iterable[Point], *, needed: bool = False
    ) -> None:
        """Put a horizontal text at the first free of some top left corners; a needed one under a marker at worst."""
        width, height = self.text.width(text, role), self.text.height(role)
        chosen: Box | None = None
        for x, y in places:
            box = Box(x, y, x + width, y + height)
            if self._is_free(box):
                if not any(box.overlaps(other) for other in self.avoided):
                    chosen = box
                    break
                chosen = chosen or (box if needed else None)
        if chosen is not None:
            self.labels.append(FixedLabel(text, chosen.left, chosen.top, 0.0, role, token))
            self.level.append(chosen)

    def add_along(
        self, text: str, role: str, token: str, places: Iterable[Point], *, needed: bool = False
    ) -> None:
        """Put a text along the slopes at the first free of some points, which are its lower left corners."""
        width, height = self.text.width(text, role), self.text.height(role)
        chosen: tuple[Point, _Slanted] | None = None
        for place in places:
            one = self._slanted_at(place, width, height)
            if self._is_free_slanted(one):
                if not any(self._meets(one, other) for other in self.avoided):
                    chosen = (place, one)
                    break
                chosen = chosen or ((place, one) if needed else None)
        if chosen is not None:
            (x, y), one = chosen
            # From the lower left to the upper left corner: one height to the upper left, across the slope.
            corner = (x - height * self._sin, y - height * self._cos)
            self.labels.append(FixedLabel(text, *corner, math.degrees(self._angle), role, token))
            self.slanted.append(one)

    def _is_free(self, box: Box) -> bool:
        near = box.grown(APART, 1.0)
        return (
            box.inside(self.frame.plot)
            and not any(near.overlaps(other) for other in self.level)
            and not any(self._meets(one, near) for one in self.slanted)
        )

    def _is_free_slanted(self, one: _Slanted) -> bool:
        return (
            one.box.inside(self.frame.plot)
            and not any(
                one.along0 < other.along1 + APART
                and other.along0 < one.along1 + APART
                and one.across0 < other.across1
                and other.across0 < one.across1
                for other in self.slanted
            )
            and not any(self._meets(one, other) for other in self.level)
        )

    def _slanted_at(self, corner: Point, width: float, height: float) -> _Slanted:
        x, y = corner
        along, across = x * self._cos - y * self._sin, -x * self._sin - y * self._cos
        up_x, up_y = -height * self._sin, -height * self._cos
        far_x, far_y = width * self._cos, -width * self._sin
        box = Box(x + up_x, y + far_y + up_y, x + far_x, y)
        return _Slanted(along, along + width, across, across + height, box)

    def _meets(self, one: _Slanted, box: Box) -> bool:
        """Tell whether a slanted text and an upright box share an area (separating axes)."""
        if not one.box.overlaps(box):
            return False
        cos, sin = self._cos, self._sin
        # Angles lie between 0 and 90 degrees, so these corners are the outermost ones.
        if box.right * cos - box.top * sin <= one.along0 or box.left * cos - box.bottom * sin >= one.along1:
            return False
        return (
            -box.left * sin - box.top * cos > one.across0
            and -box.right * sin - box.bottom * cos < one.across1
        )

    def _chain(self, one: _Slanted) -> list[Box]:
        height = one.across1 - one.across0
        steps = max(1, math.ceil((one.along1 - one.along0) / (height * 0.75)))
        step = (one.along1 - one.along0) / steps
        x, y = one.box.left + height * self._sin, one.box.bottom
        corners = [(x + at * step * self._cos, y - at * step * self._sin) for at in range(steps)]
        return [self._slanted_at(corner, step, height).box for corner in corners]


def fixed_labels(scene: Scene, frame: Frame, text: Text, *, avoided: Sequence[Box] = ()) -> FixedLabels:
    """Place the words of all lines of a scene, save for the launch floor."""
    placed = FixedLabels(frame, text, avoided)
    roofs = sorted(scene.roofs, key=lambda roof: roof.order)
    for roof in roofs:
        _ridge_at_the_foot(placed, roof)
    for roof in roofs:
        token = "text" if roof.strong else "text2"
        if not roof.ceiling_label:
            continue
        _ceiling(placed, roof.ceiling_label, (roof.log_flop_per_s, roof.log_ridge), token, strong=roof.strong)
    for ceiling in scene.ceilings:
        token = "text" if ceiling.own else "muted"
        _ceiling(placed, ceiling.label, (ceiling.log_flop_per_s, ceiling.log_from), token, strong=ceiling.own)
    slopes = _Slopes(scene, frame)
    for roof in [one for one in roofs if one.slope_label]:
        role, token = ("canvas_strong", "text") if roof.strong else ("axis", "text2")
        placed.add_along(roof.slope_label, role, token, slopes.places(roof, placed), needed=roof.strong)
    for slope in scene.slopes:
        role, token = ("canvas_strong", "text") if slope.own else ("axis", "muted")
        placed.add_along(slope.label, role, token, slopes.places(slope, placed))
        _ridge_at_the_corner(placed, slope, scene.strong_roof)
    return placed


def floor_label(scene: Scene, frame: Frame, text: Text, fixed: FixedLabels) -> FixedLabels:
    """Place the words of the launch floor; apart from the others, since it moves with the selected placement."""
    if scene.floor is None:
        return FixedLabels(frame, text)
    placed = FixedLabels(frame, text, fixed.avoided, level=fixed.level, slanted=list(fixed.slanted))
    places = _Slopes(scene, frame).places(scene.floor, placed, from_share=0.3)
    placed.add_along(scene.floor.label, "axis", "muted", places)
    return FixedLabels(frame, text, (), placed.labels, [], placed.slanted[len(fixed.slanted) :])


def _ceiling(placed: FixedLabels, label: str, at: tuple[float, float], token: str, *, strong: bool) -> None:
    """Name a ceiling, given by log10 rate and log10 of the intensity at which it starts, at its right end."""
    frame = placed.frame
    y = frame.y(at[0])
    if not frame.plot.top < y < frame.plot.bottom:
        return
    role = "canvas_strong" if strong else "axis"
    width, height = placed.text.width(label, role), placed.text.height(role)
    start = max(frame.plot.left, frame.x(at[1]))
    right = frame.plot.right - EDGE - width

    def places() -> Iterator[Point]:
        for left in (right, right - 60, right - 130, right - 200):
            # The first place may reach over a short line's start: better that than a line without a name.
            if left > start + 4 or (left == right and start < frame.plot.right - 30):
                yield left, y - height - OFF_LINE
                yield left, y + OFF_LINE - 1
                yield left, y - height - OFF_LINE - 7
                yield left, y - height - OFF_LINE - 12  # over the ring of a selected marker

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
        self._angle = frame.slope_angle
        lines: list[Roof | Slope | LaunchFloor] = [*scene.roofs, *scene.slopes]
        if scene.floor is not None:
            lines.append(scene.floor)
        self._offsets = [self._offset(line) for line in lines]

    def _offset(self, line: Roof | Slope | LaunchFloor) -> float:
        """Return the distance of a slope from a fixed parallel, in pixels, growing with the bandwidth."""
        x = self._frame.x(self._frame.range.y0 - line.log_bytes_per_s)
        return -x * math.sin(self._angle)

    def places(
        self, line: Roof | Slope | LaunchFloor, placed: FixedLabels, *, from_share: float = 0.0
    ) -> Iterator[Point]:
        """Yield lower left corners along a line: over it, then under it, from its lower end onward."""
        frame, cos, sin = self._frame, math.cos(self._angle), math.sin(self._angle)
        top = getattr(line, "log_flop_per_s", frame.range.y1)
        points = roof_line(frame.range, log_bytes_per_s=line.log_bytes_per_s, log_flop_per_s=top)
        part = clip_line(frame.point(*points[0]), frame.point(*points[1]), frame.plot)
        if part is None:
            return
        (x0, y0), length = part[0], math.dist(*part)
        height = placed.text.height("axis")
        sides = [
            off for off in (OFF_LINE, -OFF_LINE - height) if self._is_clear(self._offset(line) + off, height)
        ]
        for along in range(6 + int(length * from_share), int(length) - 30, 12):
            for off in sides:
                yield x0 + along * cos - off * sin, y0 - along * sin - off * cos

    def _is_clear(self, low: float, height: float) -> bool:
        """Tell whether no slope runs through a text that lies so far to the upper left."""
        return not any(low - 1 < offset < low + height + 1 for offset in self._offsets)
