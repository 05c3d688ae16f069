"""From overlays to what is drawn of them: a point per measured kernel, pairs joined to their prediction."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.measured.panel import kernel_slots, measured_panel
from rooflinestudio.core.series.maker import SeriesMaker
from rooflinestudio.core.series.settings import SeriesLook, before_and_after, series_looks
from rooflinestudio.core.series.words import total_words
from rooflinestudio.ui.canvas.measured_drawing import MeasuredDrawing
from rooflinestudio.ui.canvas.scene_boundaries import FEW_RUNS, boundary_label, draw_boundaries
from rooflinestudio.ui.canvas.scene_clouds import Preparing
from rooflinestudio.ui.canvas.scene_file import FEW_KERNELS, FileDrawing, MeasuredFile
from rooflinestudio.ui.canvas.scene_kernels import Ground
from rooflinestudio.ui.canvas.scene_links import FileKey
from rooflinestudio.ui.canvas.scene_series import series_links

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.measured.panel import MeasuredPanel
    from rooflinestudio.core.measurement_overlay import Overlay
    from rooflinestudio.core.placing import PlacedStudy
    from rooflinestudio.core.series.figures import SeriesFigures
    from rooflinestudio.ui.canvas.scene import Key, Marker, OverlayPoints
    from rooflinestudio.ui.canvas.scene_links import BoundaryRun, SeriesLinks

__all__ = ["FEW_KERNELS", "MeasuredDrawer", "MeasuredDrawing", "draw_measured"]

AREA_KEY: Final = "of the time of its file"


def draw_measured(
    placed: PlacedStudy,
    profile: HardwareProfile,
    boundary: str,
    *,
    hidden: frozenset[str] = frozenset(),
    selected: Key | None = None,
) -> MeasuredDrawing:
    """Return the drawing of all overlays that are not hidden; see :meth:`MeasuredDrawer.draw`."""
    return MeasuredDrawer().draw(placed, profile, boundary, hidden=hidden, selected=selected)


class MeasuredDrawer:
    """Makes drawings one after the other; points that did not change are the same objects as before."""

    def __init__(self) -> None:
        self._preparing = Preparing()
        self._series = SeriesMaker()
        self._files: dict[str, tuple[Any, FileDrawing]] = {}
        self._links: tuple[Any, SeriesLinks | None] = (None, None)

    def draw(
        self,
        placed: PlacedStudy,
        profile: HardwareProfile,
        boundary: str,
        *,
        hidden: frozenset[str] = frozenset(),
        selected: Key | None = None,
    ) -> MeasuredDrawing:
        """Return the drawing of all overlays that are not hidden.

        Kernels that the measured tab hides are left out; those that it colours are markers even among many.

        Parameters
        ----------
        profile, boundary
            The strong machine, and the boundary at which intensities are taken.
        selected
            A measured kernel that is drawn as a marker even among many.
        """
        study, panel = placed.study, measured_panel(placed.study)
        ground = Ground(profile, boundary)
        looks = series_looks(study, panel)
        shown = [one for one in study.overlays if one.digest not in hidden]
        there = frozenset(one.digest for one in study.overlays)
        self._preparing.keep_only(there, boundary)
        self._files = {digest: one for digest, one in self._files.items() if digest in there}
        figures = self._series.figures(study, panel, profile, boundary=boundary)
        files = [
            self._file(MeasuredFile(placed, panel, ground, one, looks[one.digest], figures, selected))
            for one in _on_top_last(shown, placed, panel)
        ]
        markers = tuple(marker for one in files for marker in one.markers)
        known = {one.digest: one for one in shown}
        runs, satellites, markers = _every_boundary(markers, known, ground, selected, on=panel.every_boundary)
        both = (
            figures is not None and {figures.match.before.digest, figures.match.after.digest} <= known.keys()
        )
        return MeasuredDrawing(
            markers,
            tuple(segment for one in files for segment in one.segments),
            tuple(cloud for one in files for cloud in one.clouds),
            tuple(corner for one in files for corner in one.corners),
            satellites,
            runs,
            self._arrows(figures, panel, looks, ground, markers) if figures is not None and both else None,
            tuple(_file_keys(shown, looks, figures)) if figures is not None else (),
            AREA_KEY if panel.area and files else "",
        )

    def _file(self, file: MeasuredFile) -> FileDrawing:
        """Return the drawing of one file; clouds are the same objects as long as they are the same points."""
        markers, segments, paired = file.pairs(self._preparing)
        key = (
            file.panel.hidden.get(file.digest, ""), file.panel.colours.get(file.digest), file.panel.area, file.look,
            paired, id(file.ground.profile), file.ground.boundary, file.overlay.name, id(file.figures),
        )  # fmt: skip
        kept = self._files.get(file.digest)
        if kept is None or kept[0] != key:
            made = FileDrawing(clouds=tuple(file.clouds(self._preparing, paired)))
            kept = self._files[file.digest] = (key, replace(made, corners=tuple(_corners(made.clouds))))
        clouds = kept[1].clouds
        alone = [index for index in file.alone(clouds) if index not in paired]
        markers += [one for index in alone if (one := file.marker(index, self._preparing)) is not None]
        few = sum(map(len, clouds)) <= FEW_KERNELS
        return replace(kept[1], markers=tuple(markers), segments=segments, clouds=() if few else clouds)

    def _arrows(
        self,
        figures: SeriesFigures,
        panel: MeasuredPanel,
        looks: Mapping[str, SeriesLook],
        ground: Ground,
        markers: tuple[Marker, ...],
    ) -> SeriesLinks | None:
        """Return the arrows between the two files; the same object while they are the same."""
        if not panel.series.arrows:
            return None
        own = {one.key: one.slot for one in markers}
        key = (
            id(figures), tuple(looks.items()), boundary_label(ground), tuple(own.items()), panel.area, panel.colours
        )  # fmt: skip
        if self._links[0] != key:
            files = {one.digest: one for one in (figures.match.before, figures.match.after)}
            slots = {digest: kernel_slots(panel, file) for digest, file in files.items()}

            def look_of(digest: str, index: int) -> tuple[int | str | None, float | None]:
                chosen = int(slots[digest][index])
                worn = own.get(("measured", digest, index), looks[digest].slot if chosen < 0 else chosen)
                radius = float(self._preparing.radii(files[digest])[index]) if panel.area else None
                return worn, radius

            self._links = (key, series_links(figures, looks, look_of, boundary_label(ground)))
        return self._links[1]


def _on_top_last(overlays: list[Overlay], placed: PlacedStudy, panel: MeasuredPanel) -> list[Overlay]:
    """Return overlays in the order in which they are drawn: the file from before under the one from after."""
    files = before_and_after(placed.study, panel.series) or ()
    return [*(one for one in overlays if one not in files), *(one for one in files if one in overlays)]


def _file_keys(
    shown: list[Overlay], looks: Mapping[str, SeriesLook], figures: SeriesFigures
) -> Iterator[FileKey]:
    """Yield the lines of the key: the file from before, the one from after, the others, and the times of both.

    Files that have no kernel in common are no before and after of anything.
    """
    before, after = figures.match.before, figures.match.after
    roles = {before.digest: "before: ", after.digest: "after: "} if figures.total.matched else {}
    for file in sorted(shown, key=lambda one: (one != before, one != after)):
        look = looks[file.digest]
        yield FileKey(f"{roles.get(file.digest, '')}{file.name}", look.form, look.slot)
    if (words := total_words(figures.total)) and before in shown and after in shown:
        yield FileKey(words)


def _corners(clouds: tuple[OverlayPoints, ...]) -> Iterator[tuple[float, float]]:
    for cloud in clouds:
        if len(cloud):
            xs, ys = cloud.log_x, cloud.log_y
            yield float(xs.min()), float(ys.min())
            yield float(xs.max()), float(ys.max())


def _every_boundary(
    markers: tuple[Marker, ...],
    known: Mapping[str, Overlay],
    ground: Ground,
    selected: Key | None,
    *,
    on: bool,
) -> tuple[tuple[BoundaryRun, ...], tuple[Marker, ...], tuple[Marker, ...]]:
    """Return lines and points of kernels at all boundaries, and the markers, which say at which boundary they are."""
    if not on:
        return (), (), markers
    few = len(markers) <= FEW_RUNS
    runs: list[BoundaryRun] = []
    satellites: list[Marker] = []
    named: list[Marker] = []
    for marker in markers:
        key = marker.key
        if isinstance(key, tuple) and (few or key == selected):
            drawn = draw_boundaries(known[key[1]].measurement(key[2]), marker, ground)
            if drawn.run is not None:
                runs.append(drawn.run)
                satellites += drawn.markers
                marker = replace(marker, detail=f"{boundary_label(ground)} · {marker.detail}")
        named.append(marker)
    return tuple(runs), tuple(satellites), tuple(named)
