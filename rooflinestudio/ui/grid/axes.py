"""One range for the axes of all pictures of a grid: zoomed, moved and fitted together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rooflinestudio.ui.canvas.coordinates import Range

if TYPE_CHECKING:
    from rooflinestudio.ui.canvas.coordinates import Frame

__all__ = ["Drag", "LockedAxes"]

LEAST_DECADES, MOST_DECADES = 0.3, 24.0
FAR_PX: Final = 6.0
"""A press that goes no further is a click."""


class LockedAxes:
    """The range that is shown: ``home``, which the machines set, until the user zooms or moves."""

    def __init__(self) -> None:
        self.home = Range(-1.0, 4.0, 11.0, 15.4)
        self._own: Range | None = None

    @property
    def shown(self) -> Range:
        """The range of all pictures."""
        return self._own or self.home

    @property
    def is_zoomed(self) -> bool:
        """Whether it is another one than ``home``."""
        return self._own is not None

    def fit(self) -> None:
        """Go back to ``home``."""
        self._own = None

    def take(self, range_: Range) -> None:
        """Show a range."""
        self._own = range_

    def zoom(self, factor: float, at: tuple[float, float] | None = None) -> None:
        """Zoom by a factor above 1 (closer) or below, around a point in log10 data coordinates or the middle.

        Nothing happens beyond a third of a decade and beyond 24 of them.
        """
        x0, x1, y0, y1 = self.shown
        x, y = at or ((x0 + x1) / 2, (y0 + y1) / 2)
        if LEAST_DECADES <= (x1 - x0) / factor <= MOST_DECADES:
            self._own = Range(
                x + (x0 - x) / factor, x + (x1 - x) / factor, y + (y0 - y) / factor, y + (y1 - y) / factor
            )


class Drag:
    """A press within one picture that may become a move of all."""

    def __init__(self, start: tuple[float, float], frame: Frame) -> None:
        self._start, self._frame = start, frame
        self.has_moved = False

    def goes_to(self, x: float, y: float) -> bool:
        """Tell whether the pointer has gone far enough for a move."""
        self.has_moved = self.has_moved or abs(x - self._start[0]) + abs(y - self._start[1]) >= FAR_PX
        return self.has_moved

    def moved_range(self, x: float, y: float) -> Range:
        """Return the range under which what was pressed lies under the pointer."""
        range_, plot = self._frame.range, self._frame.plot
        dx = (x - self._start[0]) * (range_.x1 - range_.x0) / plot.width
        dy = (y - self._start[1]) * (range_.y1 - range_.y0) / plot.height
        return Range(range_.x0 - dx, range_.x1 - dx, range_.y0 + dy, range_.y1 + dy)
