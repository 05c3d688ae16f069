"""The margin strips: placements without work, or without traffic, each with its rate as a bar and its time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from rooflinestudio.ui.canvas.coordinates import Box

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rooflinestudio.ui.canvas.context import Canvas
    from rooflinestudio.ui.canvas.layout import Layout
    from rooflinestudio.ui.canvas.scene import Scene, StripRow

__all__ = ["StripPlace", "paint_strips", "strip_places"]

PADDING, HEAD, ROW = 10.0, 48.0, 54.0
BAR: Final = 4.0
RADIUS: Final = 5.0


class StripPlace(NamedTuple):
    """A row of a strip and the box that it takes up."""

    row: StripRow
    box: Box


def strip_places(scene: Scene, layout: Layout) -> list[StripPlace]:
    """Return the rows that have room, from the top; hover and painter share it."""
    places = _places(scene.strip, layout.strip)
    if layout.right_strip is not None:
        places += _places(scene.right_strip, layout.right_strip)
    return places


def _places(rows: Sequence[StripRow], strip: Box) -> list[StripPlace]:
    room = max(0, int((strip.height - HEAD) // ROW))
    if len(rows) > room > 0:
        room -= 1  # the last place says how many more there are
    tops = [strip.top + HEAD + at * ROW for at in range(room)]
    return [
        StripPlace(row, Box(strip.left, top, strip.right, top + ROW))
        for row, top in zip(rows, tops, strict=False)
    ]


def paint_strips(c: Canvas) -> None:
    """Paint heads and rows."""
    _head(c, c.layout.strip, "no FLOPs", "I = 0")
    if c.layout.right_strip is not None:
        _head(c, c.layout.right_strip, "no traffic", "I = ∞")
    places = strip_places(c.scene, c.layout)
    for place in places:
        _row(c, place)
    shown = {id(place.row) for place in places}
    for rows, strip in ((c.scene.strip, c.layout.strip), (c.scene.right_strip, c.layout.right_strip)):
        hidden = [row for row in rows if id(row) not in shown]
        if hidden and strip is not None:
            top = strip.top + HEAD + ROW * (len(rows) - len(hidden))
            c.words((strip.left + PADDING, top), f"{len(hidden)} more", "axis", "muted", halo=False)


def _head(c: Canvas, strip: Box, title: str, intensity: str) -> None:
    c.words((strip.left + PADDING, strip.top + 8), title, "caption", "text2", halo=False)
    c.words((strip.left + PADDING, strip.top + 23), intensity, "caption", "muted", halo=False)


def _row(c: Canvas, place: StripPlace) -> None:
    row, box = place
    colour = c.slot(row.slot)
    left, width = box.left + PADDING, box.width - 2 * PADDING
    selected = c.scene.is_selected(row) or row.key in c.highlight.marked
    if selected or row.key in (c.highlight.hovered, c.highlight.focused):
        c.fill(box.grown(-3.0, -1.0), c.colour("accent_soft" if selected else "sunken"), 5.0)
    at = (left + RADIUS, box.top + 11.0)
    if row.hollow:
        c.circle(at, RADIUS - 0.9, fill=c.colour("raised"), pen=c.pen(colour, 1.8))
    elif row.square:
        c.fill(Box(at[0] - 4.5, at[1] - 4.5, at[0] + 4.5, at[1] + 4.5), colour, 0.5)
    else:
        c.circle(at, RADIUS, fill=colour)
    name = c.text.elided(row.name, "name", width - 2 * RADIUS - 5)
    c.words(
        (left + 2 * RADIUS + 5, box.top + 11 - c.text.height("name") / 2), name, "name", "text", halo=False
    )
    bar = Box(left, box.top + 22, left + width, box.top + 22 + BAR)
    c.fill(bar, c.colour("border"), BAR / 2)
    c.fill(Box(bar.left, bar.top, bar.left + max(BAR, width * row.share), bar.bottom), colour, BAR / 2)
    words = f"{row.rate} · {row.time}"
    if c.text.width(words, "axis") <= width:
        c.words((left, box.top + 29), words, "axis", "muted", halo=False)
    else:
        c.words((left, box.top + 28), row.rate, "axis", "muted", halo=False)
        c.words((left, box.top + 40), row.time, "axis", "muted", halo=False)
    if row.key == c.highlight.focused:
        _focus(c, box)


def _focus(c: Canvas, box: Box) -> None:
    left, top, right, bottom = box.grown(-3.0, -1.0)
    c.polygon(
        [(left, top), (right, top), (right, bottom), (left, bottom)],
        pen=c.pen(c.colour("accent"), 1.6, (2.5, 2.0)),
    )
