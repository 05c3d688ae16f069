"""Where things are in a canvas of a given size: plot, margin strips, tick labels, head."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rooflinestudio.ui.canvas.coordinates import Box, Frame, Range

if TYPE_CHECKING:
    from rooflinestudio.ui.canvas.scene import Scene
    from rooflinestudio.ui.canvas.text import Text

__all__ = ["COMPACT_BELOW", "HEAD", "Layout", "layout_of"]

COMPACT_BELOW: Final = 640.0
"""Pixels of plot below which labels say less."""

HEAD: Final = 40.0
"""Height of the head line in a file; on the screen a widget has this place."""
TOP, RIGHT, BOTTOM = 8.0, 14.0, 46.0
STRIP_WIDE, STRIP_NARROW, STRIP_GAP = 108.0, 96.0, 8.0
TICK_GAP = 8.0
_WIDEST_TICK = "100 GFLOP/s"
_LEAST_PLOT = 40.0


@dataclass(frozen=True, slots=True)
class Layout:
    """Boxes in pixels; ``right_strip`` is None where nothing needs it."""

    whole: Box
    head: Box | None
    plot: Box
    strip: Box
    right_strip: Box | None

    @property
    def is_compact(self) -> bool:
        """Whether labels should say less."""
        return self.plot.width < COMPACT_BELOW

    def frame(self, range_: Range) -> Frame:
        """Return the mapping of data into the plot."""
        return Frame(self.plot, range_)


def layout_of(width: float, height: float, scene: Scene, text: Text, *, with_head: bool = False) -> Layout:
    """Divide a canvas of ``width`` x ``height`` pixels."""
    ticks = text.width(_WIDEST_TICK, "axis") + TICK_GAP + 8.0
    strip = STRIP_WIDE if width >= 900 else STRIP_NARROW
    top = TOP + (HEAD if with_head else 0.0)
    bottom = max(top + _LEAST_PLOT, height - BOTTOM)
    left = ticks + strip + STRIP_GAP
    right = width - RIGHT
    right_strip = None
    if scene.right_strip:
        right_strip = Box(right - strip, top, right, bottom)
        right -= strip + STRIP_GAP
    right = max(left + _LEAST_PLOT, right)
    return Layout(
        whole=Box(0.0, 0.0, width, height),
        head=Box(0.0, 0.0, width, HEAD) if with_head else None,
        plot=Box(left, top, right, bottom),
        strip=Box(ticks, top, ticks + strip, bottom),
        right_strip=right_strip,
    )
