"""Low on the right of the plot, where no roof is: which file wears which diamond, and what its area means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from rooflinestudio.ui.canvas.coordinates import Box
from rooflinestudio.ui.canvas.measured_shape import diamond
from rooflinestudio.ui.canvas.paint_overlay import are_few
from rooflinestudio.ui.canvas.paint_radii import radius_of_share
from rooflinestudio.ui.canvas.scene_links import FileKey

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rooflinestudio.ui.canvas.context import Canvas
    from rooflinestudio.ui.canvas.coordinates import Frame
    from rooflinestudio.ui.canvas.scene import Scene
    from rooflinestudio.ui.canvas.text import Text

__all__ = ["corner_key_boxes", "paint_corner_key"]

SHARES: Final = ((0.01, "1%"), (0.1, "10%"))
INSET, ROW, MARK, GAP, BETWEEN = 10.0, 17.0, 5.0, 6.0, 12.0
FOOT: Final = 26.0
"""Pixels above the axis, where the words of ridges stand."""
FEWEST: Final = 4
"""So many lines there are always."""
PART: Final = 0.4
"""Part of the plot's height that the lines of files may take."""
ROLE: Final = "placement_detail"
LONGEST: Final = 260.0


class _Piece(NamedTuple):
    """A diamond and the words behind it; without a diamond the words alone."""

    radius: float
    words: str
    form: int = 0
    slot: int | str | None = None

    @property
    def indent(self) -> float:
        return 2 * self.radius + GAP if self.radius else 0.0


def _rows(scene: Scene, frame: Frame, text: Text) -> list[tuple[float, list[_Piece]]]:
    """Return the rows from top to bottom, each with its height."""
    rows = [
        (
            ROW,
            [_Piece(MARK, text.elided(file.words, ROLE, LONGEST, middle=True), file.form, file.slot)]
            if file.form is not None
            else [_Piece(0.0, file.words)],
        )
        for file in _with_room(scene.files, frame)
    ]
    if scene.area_key and _has_areas(scene, frame):
        pieces = [_Piece(radius_of_share(share), words) for share, words in SHARES]
        rows.append((2 * pieces[-1].radius + 2, [*pieces, _Piece(0.0, scene.area_key)]))
    return rows


def _with_room(files: Sequence[FileKey], frame: Frame) -> list[FileKey]:
    """Return the lines that there is room for; of many files the first ones, and how many more there are."""
    most = max(FEWEST, int(PART * (frame.plot.bottom - frame.plot.top) / ROW))
    named = [one for one in files if one.form is not None]
    if len(files) <= most:
        return list(files)
    rest = [one for one in files if one.form is None]
    kept = named[: max(2, most - 1 - len(rest))]
    more = len(named) - len(kept)
    return [*kept, *([FileKey(f"and {more} more file{'' if more == 1 else 's'}")] if more else []), *rest]


def _has_areas(scene: Scene, frame: Frame) -> bool:
    """Tell whether any kernel is drawn with an area: a picture of densities has none."""
    if any(marker.radius is not None for marker in scene.markers):
        return True
    return any(are_few(points, frame) and len(points) for points in scene.overlays)


def corner_key_boxes(scene: Scene, frame: Frame, text: Text) -> list[Box]:
    """Return the places of the rows, which labels keep off; none where there is nothing to say."""
    rows = _rows(scene, frame, text)
    if not rows:
        return []
    widths = [
        sum(one.indent + text.width(one.words, ROLE) + BETWEEN for one in pieces) - BETWEEN
        for _, pieces in rows
    ]
    left = frame.plot.right - INSET - max(widths)
    top = frame.plot.bottom - FOOT - sum(height for height, _ in rows)
    boxes = []
    for (height, _pieces), width in zip(rows, widths, strict=True):
        boxes.append(Box(left, top, left + width, top + height))
        top += height
    return boxes


def paint_corner_key(c: Canvas) -> None:
    """Paint the key."""
    boxes = corner_key_boxes(c.scene, c.frame, c.text)
    for box, (_height, pieces) in zip(boxes, _rows(c.scene, c.frame, c.text), strict=True):
        x, middle = box.left, box.centre[1]
        for piece in pieces:
            if piece.radius:
                shape = diamond(c, piece.form, piece.radius, c.slot(piece.slot), rim=1.0)
                c.stamp((x + piece.radius, middle), shape)
            at = x + piece.indent
            c.words((at, middle - c.text.height(ROLE) / 2), piece.words, ROLE, "text2")
            x = at + c.text.width(piece.words, ROLE) + BETWEEN
