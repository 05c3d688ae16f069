"""What is under the pointer: markers, parts, strip rows, arrows to variants, measured kernels by the thousand."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from rooflinestudio.ui.canvas.paint_arrows import arrow_run
from rooflinestudio.ui.canvas.paint_marks import EDGE_ARROW, at_edge
from rooflinestudio.ui.canvas.paint_series import series_run, shown_series
from rooflinestudio.ui.canvas.paint_strip import strip_places
from rooflinestudio.ui.canvas.scene import Marker

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.ui.canvas.coordinates import Box, Frame
    from rooflinestudio.ui.canvas.painter import Picture
    from rooflinestudio.ui.canvas.scene import Key, OverlayPoints, Scene, StripRow

__all__ = ["Hit", "Stop", "entries_within", "hit_at", "stops"]

REACH: Final = 9.0
"""Pixels from the centre of a marker within which it is meant."""
CLOUD_REACH: Final = 6.0
ARROW_REACH: Final = 5.0

Point = tuple[float, float]


class Hit(NamedTuple):
    """Something that can be selected, with the words for it."""

    key: Key
    tip: tuple[str, ...]
    status: str
    machine: str = ""


class Stop(NamedTuple):
    """A place where the keyboard's focus can rest."""

    key: Key
    x: float
    y: float
    tip: tuple[str, ...]
    status: str


def hit_at(picture: Picture, x: float, y: float) -> Hit | None:
    """Return what lies at a pixel, the nearest one of several, or None."""
    for place in strip_places(picture.scene, picture.layout):
        if place.box.holds(x, y):
            row = place.row
            return Hit(row.key, (*row.tip, *_notes(picture.scene, row)), row.status, row.machine)
    frame = picture.frame
    if not frame.plot.grown(REACH).holds(x, y):
        return None
    best, nearest = None, REACH
    scene = picture.scene
    for marker in (*scene.satellites, *scene.markers, *reversed(scene.parts)):
        distance = math.dist((x, y), _centre(marker, frame))
        # Of two in one place the later one lies on top; a large one is meant as far as it reaches.
        if distance <= nearest or (best is None and distance <= (marker.radius or 0.0)):
            best, nearest = marker, distance
    if best is not None:
        hint = (
            ()
            if frame.plot.grown(REACH).holds(*frame.point(best.log_x, best.log_y))
            else ("outside the view: press F",)
        )
        return Hit(best.key, (*best.tip, *_notes(scene, best), *hint), best.status, best.machine)
    return _hit_cloud(picture, x, y) or _hit_arrow(picture, x, y)


def _notes(scene: Scene, item: Marker | StripRow) -> tuple[str, ...]:
    """Return what something tells of its baseline, or of the variants that share its place."""
    if isinstance(item, Marker) and item.is_small:
        return ()
    return tuple(
        line
        for one in scene.notes
        if (one.key, one.machine) == (item.key, item.machine)
        for line in one.lines
    )


def _hit_arrow(picture: Picture, x: float, y: float) -> Hit | None:
    """Return the nearest arrow; it stands for its variant."""
    best, nearest = None, ARROW_REACH
    for arrow in picture.scene.arrows:
        run = arrow_run(picture.scene, picture.frame, arrow)
        for start, end in pairwise(run or ()):
            distance = _distance((x, y), start, end)
            if distance <= nearest:
                best, nearest = arrow, distance
    if best is not None:
        return Hit(best.key, best.tip, best.status, best.machine)
    return _hit_series(picture, x, y)


def _hit_series(picture: Picture, x: float, y: float) -> Hit | None:
    """Return the nearest arrow between two files; it stands for the kernel in the later one."""
    best, nearest = None, ARROW_REACH
    for arrow in shown_series(picture.scene):
        run = series_run(picture.scene, picture.frame, arrow)
        for start, end in pairwise(run or ()):
            distance = _distance((x, y), start, end)
            if distance <= nearest:
                best, nearest = arrow, distance
    return Hit(best.key, best.tip, best.status) if best is not None else None


def _distance(at: Point, start: Point, end: Point) -> float:
    """Return how far a point is from a line between two others."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    along = ((at[0] - start[0]) * dx + (at[1] - start[1]) * dy) / (dx * dx + dy * dy or 1.0)
    along = min(1.0, max(0.0, along))
    return math.dist(at, (start[0] + along * dx, start[1] + along * dy))


def _centre(marker: Marker, frame: Frame) -> tuple[float, float]:
    """Return where a marker is drawn: at its place, or at the edge that it lies beyond."""
    at = frame.point(marker.log_x, marker.log_y)
    if marker.is_small or frame.plot.grown(EDGE_ARROW).holds(*at):
        return at
    return at_edge(frame.plot, at)


def _hit_cloud(picture: Picture, x: float, y: float) -> Hit | None:
    for points in picture.scene.overlays:
        at = nearest_of(points, picture.frame, x, y)
        if at is not None:
            tip, status, _ = points.tip(int(points.index[at]))
            return Hit(points.key(at), tip, status)
    return None


def nearest_of(points: OverlayPoints, frame: Frame, x: float, y: float) -> int | None:
    """Return the position of the nearest measured kernel that the pixel is on, exact at every zoom.

    Kernels come in order of intensity: only those in a narrow column around the pixel are looked at.
    """
    import numpy as np

    radii = points.radii
    reach = CLOUD_REACH if radii is None or not len(radii) else max(CLOUD_REACH, float(points.largest))
    places, per_x, per_y = points.places, *_pixels_per_decade(frame)
    log_x, log_y = frame.data(x, y)
    run = places.run(log_x - reach / per_x, log_x + reach / per_x)
    if run.stop <= run.start:
        return None
    across = places.log_x[run] - np.float32(log_x)
    across *= np.float32(per_x)
    up = places.log_y[run] - np.float32(log_y)
    up *= np.float32(per_y)
    distances = across * across + up * up
    if radii is not None:
        reaches = np.fmax(radii[places.positions(np.arange(run.start, run.stop))], np.float32(CLOUD_REACH))
        distances[distances > reaches * reaches] = np.inf
    at = int(distances.argmin())
    return places.position(run.start + at) if distances[at] <= reach * reach else None


def _pixels_per_decade(frame: Frame) -> tuple[float, float]:
    plot, range_ = frame.plot, frame.range
    return plot.width / (range_.x1 - range_.x0), plot.height / (range_.y1 - range_.y0)


def entries_within(picture: Picture, box: Box) -> tuple[str, ...]:
    """Return the entries with a marker in a rectangle, or a row of a strip that it touches."""
    frame = picture.frame
    found = []
    for marker in picture.scene.markers:
        at = frame.point(marker.log_x, marker.log_y)
        if box.holds(*at) and frame.plot.grown(REACH).holds(*at):
            found.append(marker.key)
    found += [
        place.row.key for place in strip_places(picture.scene, picture.layout) if box.overlaps(place.box)
    ]
    return tuple(dict.fromkeys(key for key in found if isinstance(key, str)))


def stops(picture: Picture) -> list[Stop]:
    """Return where the keyboard's focus can rest: one stop per selectable thing that is seen."""
    found: dict[Key, Stop] = {}
    for stop in _all_stops(picture):
        found.setdefault(stop.key, stop)
    return list(found.values())


def _all_stops(picture: Picture) -> Iterator[Stop]:
    scene, frame = picture.scene, picture.frame
    primary = [one for one in scene.markers if one.machine in ("", scene.machine) or scene.is_selected(one)]
    for marker in (*primary, *scene.markers, *scene.parts):
        x, y = frame.point(marker.log_x, marker.log_y)
        if frame.plot.holds(x, y):
            yield Stop(marker.key, x, y, (*marker.tip, *_notes(scene, marker)), marker.status)
    for place in strip_places(scene, picture.layout):
        yield Stop(place.row.key, *place.box.centre, place.row.tip, place.row.status)
