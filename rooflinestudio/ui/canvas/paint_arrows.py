"""The arrows from baselines to their variants: bowed under the roof, so that they do not run along it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from rooflinestudio.ui.canvas.paint_radii import rim_radius

if TYPE_CHECKING:
    from PySide6.QtGui import QColor

    from rooflinestudio.ui.canvas.context import Canvas
    from rooflinestudio.ui.canvas.coordinates import Frame
    from rooflinestudio.ui.canvas.scene import Scene, SeriesArrow, VariantArrow

__all__ = [
    "GAP", "arrow_middle", "arrow_run", "bowed_run", "is_crowded", "labelled_arrows", "paint_arrows", "paint_run",
]  # fmt: skip

MANY_ARROWS: Final = 12
"""Above so many only those of the selected baseline carry labels, and the others step back."""

WIDTH: Final = 1.6
HEAD_LENGTH, HEAD_HALF = 8.0, 3.6
GAP: Final = 1.5
"""Pixels between a rim and the arrow."""
SHORTEST: Final = HEAD_LENGTH + 2.0
BOW, MOST_BOW = 0.14, 30.0
PIECES: Final = 16
QUIET: Final = 0.45

Point = tuple[float, float]


def paint_arrows(c: Canvas) -> None:
    """Paint all arrows; those of the selection and the hovered one last."""
    scene, hovered = c.scene, c.highlight.hovered
    crowded = is_crowded(scene)
    for arrow in sorted(scene.arrows, key=lambda one: (one.touches(scene.selected), one.key == hovered)):
        run = arrow_run(scene, c.frame, arrow)
        if run is not None:
            _arrow(c, arrow, run, _alpha(c, arrow, crowded=crowded))


def _alpha(c: Canvas, arrow: VariantArrow, *, crowded: bool) -> float:
    if arrow.key == c.highlight.hovered or arrow.touches(c.scene.selected):
        return 1.0
    return QUIET if crowded or not _on_strong(c.scene, arrow) else 1.0


def _arrow(c: Canvas, arrow: VariantArrow, run: list[Point], alpha: float) -> None:
    paint_run(c, run, c.slot(arrow.slot, alpha))


def paint_run(c: Canvas, run: list[Point], colour: QColor, width: float = WIDTH) -> None:
    """Paint a way in pixels with a head at its end."""
    tip, base = run[-1], run[-2]
    length = math.dist(base, tip) or 1.0
    ux, uy = (tip[0] - base[0]) / length, (tip[1] - base[1]) / length
    back = (tip[0] - HEAD_LENGTH * ux, tip[1] - HEAD_LENGTH * uy)
    shaft = [point for point in run[:-1] if math.dist(point, tip) > HEAD_LENGTH]
    c.polyline([*shaft, back], c.pen(colour, width))
    if c.frame.plot.holds(*tip):
        side = (-uy * HEAD_HALF, ux * HEAD_HALF)
        corners = [
            tip,
            (back[0] + side[0], back[1] + side[1]),
            (back[0] - side[0], back[1] - side[1]),
        ]
        c.polygon(corners, fill=colour)


def arrow_run(scene: Scene, frame: Frame, arrow: VariantArrow) -> list[Point] | None:
    """Return an arrow's way in pixels, from rim to rim; None where the markers are too close to each other."""
    radii = (
        rim_radius(scene, arrow.base, arrow.base_machine) + GAP,
        rim_radius(scene, arrow.key, arrow.machine) + GAP,
    )
    return bowed_run(frame.point(*arrow.start), frame.point(*arrow.end), radii)


def bowed_run(start: Point, end: Point, radii: tuple[float, float]) -> list[Point] | None:
    """Return a bowed way in pixels between two circles; None where they are too close to each other."""
    chord = math.dist(start, end)
    if chord < sum(radii) + SHORTEST:
        return None
    control = _control(start, end, chord)
    # Near its ends a curve runs towards the control point, at twice that distance per unit of its parameter.
    first = radii[0] / (2 * math.dist(start, control))
    last = 1 - radii[1] / (2 * math.dist(end, control))
    steps = [first + (last - first) * at / PIECES for at in range(PIECES + 1)]
    return [_on_curve(start, control, end, step) for step in steps]


def arrow_middle(frame: Frame, arrow: VariantArrow | SeriesArrow) -> Point:
    """Return the middle of an arrow's way in log10 data coordinates."""
    start, end = frame.point(*arrow.start), frame.point(*arrow.end)
    control = _control(start, end, math.dist(start, end) or 1.0)
    return frame.data(*_on_curve(start, control, end, 0.5))


def _control(start: Point, end: Point, chord: float) -> Point:
    """Return the point that bends the way down, to the side where no roof is."""
    nx, ny = (start[1] - end[1]) / chord, (end[0] - start[0]) / chord
    if ny < 0 or (ny == 0 and nx < 0):
        nx, ny = -nx, -ny
    bow = 2 * min(MOST_BOW, BOW * chord)
    return (start[0] + end[0]) / 2 + bow * nx, (start[1] + end[1]) / 2 + bow * ny


def _on_curve(start: Point, control: Point, end: Point, at: float) -> Point:
    a, b, c = (1 - at) ** 2, 2 * at * (1 - at), at**2
    return a * start[0] + b * control[0] + c * end[0], a * start[1] + b * control[1] + c * end[1]


def _on_strong(scene: Scene, arrow: VariantArrow) -> bool:
    return scene.machine in (arrow.machine, arrow.base_machine)


def is_crowded(scene: Scene) -> bool:
    """Tell whether there are so many arrows that only those of the selection are told of."""
    return sum(_on_strong(scene, arrow) for arrow in scene.arrows) > MANY_ARROWS


def labelled_arrows(scene: Scene) -> list[VariantArrow]:
    """Return the arrows whose ratios are written beside them, those of the selection first."""
    own = [arrow for arrow in scene.arrows if arrow.touches(scene.selected)]
    if is_crowded(scene):
        return own
    return own + [one for one in scene.arrows if not one.touches(scene.selected) and _on_strong(scene, one)]
