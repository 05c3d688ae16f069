"""What joins measured kernels: arrows from one file to the next, lines through the boundaries of one kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rooflinestudio.ui.canvas.measured_shape import diamond
from rooflinestudio.ui.canvas.paint_arrows import GAP, bowed_run, paint_run
from rooflinestudio.ui.canvas.paint_radii import DIAMOND, RIM, ring_radius

if TYPE_CHECKING:
    from rooflinestudio.ui.canvas.context import Canvas
    from rooflinestudio.ui.canvas.coordinates import Frame
    from rooflinestudio.ui.canvas.scene import Key, Marker, Scene, SeriesArrow

__all__ = ["has_marker", "is_apart", "paint_runs", "paint_series", "series_run", "shown_series"]

END: Final = 4.6
"""Radius of the diamonds at the ends of an arrow where there is no marker: among many kernels, or for a sum of them."""
QUIET: Final = 0.5


def shown_series(scene: Scene, hovered: Key | None = None) -> tuple[SeriesArrow, ...]:
    """Return the arrows that are drawn: of the kernels with the most time, of the selected one, of the hovered one."""
    return scene.series.shown(scene.selected, hovered) if scene.series is not None else ()


def series_run(scene: Scene, frame: Frame, arrow: SeriesArrow) -> list[tuple[float, float]] | None:
    """Return an arrow's way in pixels; None where its ends are too close to each other."""
    radii = (
        _radius(scene, arrow.base, arrow.start, arrow.radii[0]),
        _radius(scene, arrow.key, arrow.end, arrow.radii[1]),
    )
    return bowed_run(frame.point(*arrow.start), frame.point(*arrow.end), radii)


def is_apart(frame: Frame, arrow: SeriesArrow) -> bool:
    """Tell whether the ends of an arrow are far enough from each other for words between them."""
    return bowed_run(frame.point(*arrow.start), frame.point(*arrow.end), (0.0, 0.0)) is not None


def _radius(scene: Scene, key: Key, place: tuple[float, float], own: float | None) -> float:
    marker = _marker_at(scene, key, place)
    if marker is None:
        return (END if own is None else own + RIM) + GAP
    if scene.is_selected(marker):
        return ring_radius(marker)
    return (DIAMOND if marker.radius is None else marker.radius) + RIM + GAP


def _marker_at(scene: Scene, key: Key, place: tuple[float, float]) -> Marker | None:
    """Return the marker of a kernel if it stands in this place: of a sum of launches no marker does."""
    for marker in scene.markers:
        if marker.key == key:
            near = abs(marker.log_x - place[0]) < 1e-4 and abs(marker.log_y - place[1]) < 1e-4
            return marker if near else None
    return None


def has_marker(scene: Scene, arrow: SeriesArrow) -> bool:
    """Tell whether the kernel at the end of an arrow is a marker, which says its name."""
    return _marker_at(scene, arrow.key, arrow.end) is not None


def paint_series(c: Canvas) -> None:
    """Paint the arrows from the file before to the file after; those of the selection stand out."""
    scene, hovered = c.scene, c.highlight.hovered
    arrows = shown_series(scene, hovered)
    chosen = [one for one in arrows if one.touches(scene.selected) or one.touches(hovered)]
    for arrow in sorted(arrows, key=lambda one: one in chosen):
        run = series_run(scene, c.frame, arrow)
        _ends(c, arrow)
        if run is not None:
            alpha = QUIET if chosen and arrow not in chosen else 1.0
            paint_run(c, run, c.slot(arrow.slots[1], alpha))


def _ends(c: Canvas, arrow: SeriesArrow) -> None:
    looks = zip(arrow.forms, arrow.slots, arrow.radii, strict=True)
    ends = zip((arrow.base, arrow.key), (arrow.start, arrow.end), looks, strict=True)
    for key, place, (form, slot, radius) in ends:
        at = c.frame.point(*place)
        if c.frame.plot.holds(*at) and _marker_at(c.scene, key, place) is None:
            c.stamp(at, diamond(c, form, END if radius is None else radius, c.slot(slot), rim=1.4))


def paint_runs(c: Canvas) -> None:
    """Paint the quiet lines through the points of kernels at all boundaries."""
    for run in c.scene.runs:
        points = [c.frame.point(log_x, run.log_y) for log_x in (run.log_xs[0], run.log_xs[-1])]
        c.polyline(points, c.pen(c.slot(run.slot, 0.55), 1.0))
