"""What the measured kernels of a study put on the canvas; made by ``scene_measured``, which is imported with a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.placing import PlacedStudy
    from rooflinestudio.ui.canvas.scene import Key, Marker, OverlayPoints, Segment
    from rooflinestudio.ui.canvas.scene_links import BoundaryRun, FileKey, SeriesLinks
    from rooflinestudio.ui.canvas.scene_measured import MeasuredDrawer

__all__ = ["KernelDrawings", "MeasuredDrawing"]


@dataclass(frozen=True)
class MeasuredDrawing:
    """What the overlays put on the canvas.

    Attributes
    ----------
    corners
        The outermost points, for Fit.
    satellites, runs
        Kernels at boundaries that are not in view, and the lines that join them.
    series
        Arrows between two files.
    files
        Which file wears which diamond, where there are several.
    area_key
        What areas mean; empty where they mean nothing.
    """

    markers: tuple[Marker, ...] = ()
    segments: tuple[Segment, ...] = ()
    overlays: tuple[OverlayPoints, ...] = ()
    corners: tuple[tuple[float, float], ...] = ()
    satellites: tuple[Marker, ...] = ()
    runs: tuple[BoundaryRun, ...] = ()
    series: SeriesLinks | None = None
    files: tuple[FileKey, ...] = ()
    area_key: str = ""


class KernelDrawings:
    """Makes the drawings of a study's kernels one after the other, and keeps the last one while nothing changes."""

    def __init__(self) -> None:
        self._last: tuple[Any, MeasuredDrawing] = (None, MeasuredDrawing())
        self._drawer: MeasuredDrawer | None = None

    def drawing(
        self,
        placed: PlacedStudy,
        ground: tuple[HardwareProfile, str],
        hidden: frozenset[str],
        selected: Key | None,
    ) -> MeasuredDrawing:
        """Return the drawing at a machine and boundary; ``hidden`` are digests of files that are not shown."""
        study = placed.study
        if not study.overlays:
            return MeasuredDrawing()
        entries = {pair.entry for pair in study.pairs}
        paired = [row for row in placed.rows if row.entry.id in entries]
        kernel = selected if isinstance(selected, tuple) and selected[0] == "measured" else None
        inputs = [*study.overlays, *study.pairs, *paired, ground[0], study.panels.get("measured")]
        slots = tuple(one.slot for one in study.entries)  # files take colours that no entry wears
        key = (tuple(id(one) for one in inputs), ground[1], hidden, kernel, slots)
        if self._last[0] is None or self._last[0][0] != key:
            drawing = self._its_drawer().draw(placed, *ground, hidden=hidden, selected=kernel)
            self._last = ((key, inputs), drawing)
        return self._last[1]

    def _its_drawer(self) -> MeasuredDrawer:
        """Return what draws kernels; the start needs none of it."""
        if self._drawer is None:
            from rooflinestudio.ui.canvas.scene_measured import MeasuredDrawer

            self._drawer = MeasuredDrawer()
        return self._drawer
