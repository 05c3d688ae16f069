"""Measured kernels as points: what is drawn of thousands, without an object for each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rooflinestudio.ui.canvas.point_index import PointIndex

__all__ = ["OverlayPoints"]


@dataclass(frozen=True, eq=False)
class OverlayPoints:
    """Measured kernels of one file that are not paired and look alike: float32 arrays of log10 coordinates.

    Attributes
    ----------
    index
        Each point's number in the overlay.
    tip
        Asked for one point when it is hovered.
    slot, form
        As of a :class:`~rooflinestudio.ui.canvas.scene.Marker`.
    radii
        Pixels, one for each point, where areas say something; else None.
    """

    digest: str
    name: str
    log_x: Any
    log_y: Any
    index: Any
    tip: Any
    slot: int | str | None = None
    form: int = 0
    radii: Any = None

    @cached_property
    def places(self) -> PointIndex:
        """The points in order of intensity, so that those in view and those near the pointer are found at once."""
        return PointIndex.of(self.log_x, self.log_y)

    @cached_property
    def largest(self) -> float:
        """Pixels of the largest radius; 0 without radii."""
        return 0.0 if self.radii is None or not len(self.radii) else float(self.radii.max())

    def __len__(self) -> int:
        return len(self.index)

    def key(self, at: int) -> tuple[str, str, int]:
        """Return the selection key of the point at a position of the arrays."""
        return ("measured", self.digest, int(self.index[at]))
