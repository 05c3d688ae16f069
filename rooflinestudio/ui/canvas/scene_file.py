"""One measured file on the canvas: which of its kernels are markers, which are points, and how they look."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.measured.panel import hidden_kernels, kernel_slots
from rooflinestudio.core.series.words import file_words
from rooflinestudio.ui.canvas.scene import Marker, OverlayPoints
from rooflinestudio.ui.canvas.scene_kernels import Ground, kernel_marker, measured_point, tip_of_index
from rooflinestudio.ui.canvas.scene_pairs import draw_pairs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from rooflinestudio.core.measured.panel import MeasuredPanel
    from rooflinestudio.core.measurement_overlay import Overlay
    from rooflinestudio.core.placing import PlacedStudy
    from rooflinestudio.core.series.figures import SeriesFigures
    from rooflinestudio.core.series.settings import SeriesLook
    from rooflinestudio.ui.canvas.scene import Key, Segment
    from rooflinestudio.ui.canvas.scene_clouds import Preparing

__all__ = ["FEW_KERNELS", "FileDrawing", "MeasuredFile"]

FEW_KERNELS: Final = 24
"""Up to so many kernels of a file are markers of their own, with a name beside them."""


@dataclass(frozen=True)
class FileDrawing:
    """What one overlay puts on the canvas."""

    markers: tuple[Marker, ...] = ()
    segments: tuple[Segment, ...] = ()
    clouds: tuple[OverlayPoints, ...] = ()
    corners: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, eq=False)
class MeasuredFile:
    """One overlay with all that decides how it is drawn."""

    placed: PlacedStudy
    panel: MeasuredPanel
    ground: Ground
    overlay: Overlay
    look: SeriesLook
    figures: SeriesFigures | None
    selected: Key | None

    @property
    def digest(self) -> str:
        """Digest of the overlay."""
        return self.overlay.digest

    def pairs(self, preparing: Preparing) -> tuple[list[Marker], tuple[Segment, ...], tuple[int, ...]]:
        """Return markers and segments of the kernels that are held against an entry, and which these are."""
        if not any(pair.overlay == self.digest for pair in self.placed.study.pairs):
            return [], (), ()
        out = hidden_kernels(self.panel, self.overlay)
        radii = preparing.radii(self.overlay) if self.panel.area else None

        def marker_of(key: Any, *more: Any) -> Marker:
            radius = None if radii is None else float(radii[key[2]])
            return kernel_marker(key, *more, form=self.look.form, radius=radius)

        found = draw_pairs(self.placed, self.overlay, self.ground, hidden=out, marker_of=marker_of)
        return [self._told(one) for one in found.markers], found.segments, tuple(found.kernels)

    def clouds(self, preparing: Preparing, paired: tuple[int, ...]) -> Iterator[OverlayPoints]:
        """Yield the points of the others: those without a colour of their own, then each colour by itself."""
        import numpy as np

        ready = preparing.kernels(self.overlay, self.ground.boundary, self.ground.profile)
        out = hidden_kernels(self.panel, self.overlay)
        out[list(paired)] = True
        slots = kernel_slots(self.panel, self.overlay)[ready.index]
        shown = ~out[ready.index] if out.any() else None
        coloured = np.flatnonzero(slots >= 0)
        if len(coloured) <= FEW_KERNELS:  # each becomes a marker besides
            yield self._points(preparing, shown, self.look.slot)
            return
        for slot in (-1, *np.unique(slots[coloured]).tolist()):
            mask = slots == slot if shown is None else (slots == slot) & shown
            yield self._points(preparing, mask, self.look.slot if slot < 0 else int(slot))

    def _points(self, preparing: Preparing, mask: NDArray[Any] | None, slot: int | None) -> OverlayPoints:
        ready = preparing.kernels(self.overlay, self.ground.boundary, self.ground.profile)
        x, y, index = ready.log_x, ready.log_y, ready.index
        if mask is not None:
            x, y, index = x[mask], y[mask], index[mask]
        radii = preparing.radii(self.overlay)[index] if self.panel.area else None
        look = self.look.form
        return OverlayPoints(
            self.digest, self.overlay.name, x, y, index, self._tip, slot=slot, form=look, radii=radii
        )

    def alone(self, clouds: tuple[OverlayPoints, ...]) -> list[int]:
        """Return the kernels that are markers of their own: all of few, else some coloured ones and the selected."""
        if sum(map(len, clouds)) <= FEW_KERNELS:
            return sorted(int(index) for cloud in clouds for index in cloud.index)
        found: list[int] = []
        if len(clouds) == 1 and self.digest in self.panel.colours:
            slots = kernel_slots(self.panel, self.overlay)
            found = clouds[0].index[slots[clouds[0].index] >= 0].tolist()
        chosen = self.selected
        if isinstance(chosen, tuple) and chosen[:2] == ("measured", self.digest) and chosen[2] not in found:
            found += [chosen[2]] if any(bool((cloud.index == chosen[2]).any()) for cloud in clouds) else []
        return found

    def marker(self, index: int, preparing: Preparing) -> Marker | None:
        """Return the marker of a kernel that is not held against an entry."""
        measurement = self.overlay.measurement(index)
        point = measured_point(measurement, self.ground)
        if point is None:
            return None
        slot = self._slot(index)
        radius = float(preparing.radii(self.overlay)[index]) if self.panel.area else None
        key = ("measured", self.digest, index)
        look = {"form": self.look.form, "radius": radius}
        return self._told(kernel_marker(key, measurement, point, self.ground, slot, **look))  # type: ignore[arg-type]

    def _slot(self, index: int) -> int | None:
        own = int(kernel_slots(self.panel, self.overlay)[index]) if self.digest in self.panel.colours else -1
        return own if own >= 0 else self.look.slot

    def _told(self, marker: Marker) -> Marker:
        """Return a marker whose tool tip says which file it is of, where there are several."""
        if not isinstance(marker.key, tuple):
            return marker
        return replace(marker, tip=(*marker.tip, *self._file_words(marker.key[2])))

    def _tip(self, index: int) -> tuple[tuple[str, ...], str, float | None]:
        tip, status, roof = tip_of_index(self.overlay, self.ground, index)
        return (*tip, *self._file_words(index)), status, roof

    def _file_words(self, index: int) -> tuple[str, ...]:
        if self.figures is None:
            return ()
        return file_words(self.figures, self.digest, index) or (f"in {self.overlay.name}",)
