"""Measured kernels that are paired with an entry: their markers, and a segment from what was predicted for each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from rooflinestudio.core.pairing.edits import found_pairs
from rooflinestudio.core.pairing.readout import PairReadout, read_pair, row_for_pair
from rooflinestudio.core.pairing.words import full_label, pair_lines, quiet_label
from rooflinestudio.core.quantities import format_number, format_ratio
from rooflinestudio.ui.canvas.coordinates import has_log10, log10
from rooflinestudio.ui.canvas.scene import Segment
from rooflinestudio.ui.canvas.scene_rows import Figures

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.measurement_overlay import Overlay
    from rooflinestudio.core.placing import PlacedStudy
    from rooflinestudio.ui.canvas.scene import Key, Marker

__all__ = ["PairDrawing", "PairedPoint", "draw_pairs"]


class Ground(Protocol):
    """What measured points are held against: a machine at one boundary."""

    @property
    def profile(self) -> HardwareProfile: ...

    @property
    def boundary(self) -> str: ...


class PairedPoint(NamedTuple):
    """A paired kernel at the boundary in view: FLOP/byte, FLOP/s, main pipe, and where its work comes from."""

    intensity: float
    rate: float
    pipe: str | None
    work_from: str = ""


@dataclass(frozen=True)
class PairDrawing:
    """What the pairs of one overlay put on the canvas; ``kernels`` are the positions of the paired ones."""

    markers: tuple[Marker, ...] = ()
    segments: tuple[Segment, ...] = ()
    kernels: tuple[int, ...] = ()


def draw_pairs(
    placed: PlacedStudy,
    overlay: Overlay,
    ground: Ground,
    *,
    hidden: NDArray[Any],
    marker_of: Callable[..., Marker],
) -> PairDrawing:
    """Return the drawing of the pairs of an overlay, without the kernels that are ``hidden``.

    Parameters
    ----------
    marker_of
        Makes the marker of a kernel from its key, the measurement, its point, the ground and a colour slot.
    """
    markers: list[Marker] = []
    segments: list[Segment] = []
    kernels: list[int] = []
    for index, pair in _pairs(placed, overlay, ground):
        if hidden[index]:
            continue
        kernels.append(index)
        if pair.has_place:
            marker = _marker(("measured", overlay.digest, index), pair, ground, marker_of)
            markers.append(marker)
            segments += _segments(pair, marker)
    return PairDrawing(tuple(markers), tuple(segments), tuple(kernels))


def _pairs(placed: PlacedStudy, overlay: Overlay, ground: Ground) -> Iterator[tuple[int, PairReadout]]:
    """Yield the paired kernels of an overlay whose entry is placed and shown, each with its readout."""
    for found in found_pairs(placed.study, overlay.digest):
        row = row_for_pair(placed, found.entry.id, ground.profile.id)
        if row is None or not found.entry.visible:
            continue
        pair = read_pair(overlay.measurement(found.index), row, ground.profile, ground.boundary, overlay)
        if pair is not None:
            yield found.index, pair


def _marker(key: Key, pair: PairReadout, ground: Ground, marker_of: Callable[..., Marker]) -> Marker:
    assert pair.intensity is not None and pair.achieved_flop_per_s is not None
    source = f"W from {pair.name}" if pair.is_lent else ""
    point = PairedPoint(pair.intensity, pair.achieved_flop_per_s, pair.pipe, source)
    marker = marker_of(key, pair.measurement, point, ground, pair.row.entry.slot)
    own = tuple(line for line in marker.tip if line != source)  # said again, with the reason, below
    return replace(marker, tip=(*own, *pair_lines(pair)), lent=pair.is_lent)


def _segments(pair: PairReadout, marker: Marker) -> Iterator[Segment]:
    """Yield the way from the predicted to the measured point; none where the prediction has no place."""
    figures, ratio = Figures.of(pair.placement), pair.time_ratio
    if ratio is None or not has_log10(figures.intensity) or not has_log10(figures.rate):
        return
    yield Segment(
        marker.key,
        marker.slot,
        (log10(figures.intensity), log10(figures.rate)),
        (marker.log_x, marker.log_y),
        quiet_label(pair),
        f"{format_number(ratio)}×" if ratio >= 1 else format_ratio(ratio),
        entry=pair.row.entry.id,
        lines=full_label(pair),
    )
