"""Where the pictures of a grid stand in a viewport: heads and axes stay, the pictures scroll under them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rooflinestudio.ui.canvas.coordinates import Box

__all__ = ["GridLayout", "grid_layout"]

HEAD_PX, LOW_HEAD_PX = 24.0, 20.0
FOOT_PX: Final = 20.0
TICKS_PX: Final = 42.0
STRIP_PX: Final = 16.0
"""Beside every plot where any marker has no place on the log axes."""
LINE_PX: Final = 18.0
"""Of words over each plot: two lines, one in a low viewport."""
LOW_PX: Final = 150.0
"""Below this height pictures get what the intensity axis and the second line of words would take."""
GAP_PX: Final = 8.0
PAD_PX: Final = 4.0
LEAST: Final = (172.0, 116.0)
LOWEST_PX: Final = 72.0
"""A picture may be as low as this where that shows a whole row of them."""

MOST_PX: Final = 460.0
HIGHEST: Final = 1.0
"""A picture is at most this high for its width."""


@dataclass(frozen=True, slots=True)
class GridLayout:
    """A layout for one size and one number of rows and columns, not yet scrolled.

    Attributes
    ----------
    shape
        Rows and columns.
    view
        Width and height of the viewport.
    stub
        Width of the words of the rows, 0 where there are none.
    head
        Height of the words of the columns.
    cell
        Width and height of one picture with its words, gap included.
    strip
        Width of the strip in each picture.
    lines
        Lines of words over each plot: bound, then time and ratio; where there is one, time goes.
    foot_px
        Height of the words of the intensity axis, 0 where there is no room for them.
    """

    shape: tuple[int, int]
    view: tuple[float, float]
    stub: float
    head: float
    cell: tuple[float, float]
    strip: float
    lines: int = 2
    foot_px: float = FOOT_PX

    @property
    def left(self) -> float:
        """Where the pictures begin."""
        return self.stub + TICKS_PX

    @property
    def body(self) -> Box:
        """The part of the viewport in which pictures scroll."""
        return Box(self.left, self.head, self.view[0], self.view[1] - self.foot_px)

    @property
    def foot(self) -> float:
        """Where the words of the intensity axis begin: under the last picture, or at the lower edge."""
        return min(self.view[1] - self.foot_px, self.head + self.content[1])

    @property
    def content(self) -> tuple[float, float]:
        """Width and height of all pictures."""
        return self.shape[1] * self.cell[0], self.shape[0] * self.cell[1]

    def cell_box(self, row: int, column: int, scroll: tuple[float, float]) -> Box:
        """Return the box of a picture with its words, without the gap around it."""
        left = self.left + column * self.cell[0] - scroll[0]
        top = self.head + row * self.cell[1] - scroll[1]
        half = GAP_PX / 2
        return Box(left + half, top + half, left + self.cell[0] - half, top + self.cell[1] - half)

    def plot_box(self, cell: Box) -> Box:
        """Return the plot within the box of a picture."""
        return Box(
            cell.left + PAD_PX + self.strip,
            cell.top + self.lines * LINE_PX + 4,
            cell.right - PAD_PX,
            cell.bottom - PAD_PX,
        )

    def at(self, x: float, y: float, scroll: tuple[float, float]) -> tuple[int, int] | None:
        """Return row and column of the picture at a pixel of the viewport."""
        if not self.body.holds(x, y):
            return None
        row = int((y - self.head + scroll[1]) // self.cell[1])
        column = int((x - self.left + scroll[0]) // self.cell[0])
        return (row, column) if 0 <= row < self.shape[0] and 0 <= column < self.shape[1] else None


def grid_layout(
    view: tuple[float, float], shape: tuple[int, int], *, stub: float, has_heads: bool, has_strip: bool
) -> GridLayout:
    """Share a viewport among pictures: as large as they can be, never smaller than can be read.

    Parameters
    ----------
    stub
        Width that the words of the rows need; they get at most a fifth of the room.
    """
    stub = min(stub, max(64.0, view[0] / 5)) if stub else 0.0
    low = view[1] < LOW_PX
    head = (LOW_HEAD_PX if low else HEAD_PX) if has_heads else 4.0
    foot = 0.0 if low else FOOT_PX
    rows, columns = max(1, shape[0]), max(1, shape[1])
    room = view[0] - stub - TICKS_PX, view[1] - head - foot
    width = min(MOST_PX, max(LEAST[0], room[0] / columns))
    least = min(LEAST[1], max(LOWEST_PX, room[1]))
    height = max(least, min(width * HIGHEST, max(least, room[1] / rows)))
    strip = STRIP_PX if has_strip else 0.0
    return GridLayout(shape, view, stub, head, (width, height), strip, 1 if low else 2, foot)
