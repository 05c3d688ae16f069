"""What the canvas shows, as frozen values without Qt: log10 data coordinates, words, colour slots and roles.

The presenter makes a :class:`Scene`; painter, labels, hover and export read it. Parts that did not change are the same
objects as before, so that the view compares with ``is``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from rooflinestudio.ui.canvas.coordinates import Range
from rooflinestudio.ui.canvas.scene_lines import Ceiling, Roof, Slope
from rooflinestudio.ui.canvas.scene_links import (
    BoundaryRun,
    FileKey,
    MarkerNote,
    SeriesArrow,
    SeriesLinks,
    VariantArrow,
)
from rooflinestudio.ui.canvas.scene_points import OverlayPoints

if TYPE_CHECKING:
    from rooflinestudio.ui.canvas.probe_drawing import ProbeDrawing

__all__ = [
    "BoundaryRun",
    "Ceiling",
    "Corridor",
    "EmptyState",
    "FileKey",
    "Key",
    "LaunchFloor",
    "Marker",
    "MarkerNote",
    "OverlayPoints",
    "PreviewMarker",
    "Roof",
    "Scene",
    "Segment",
    "SeriesArrow",
    "SeriesLinks",
    "Slope",
    "StripRow",
    "VariantArrow",
]

Key = str | tuple[str, str, int]
"""What can be selected: an entry id, ``("measured", overlay digest, index)`` or ``("part", entry id, index)``."""

PLAIN_RANGE: Final = Range(-1.0, 4.0, 11.0, 15.4)
"""Axes where there is no machine to set them."""

Slot = int | str
"""A colour slot from 0, or a colour text of the user's own."""


@dataclass(frozen=True, slots=True)
class Marker:
    """One point.

    Attributes
    ----------
    key, machine
        What it selects; the machine it was placed on (empty for measured ones).
    style
        ``predicted``, ``measured``, ``hollow`` (the data does not cross the boundary), ``boundary`` (the selected
        placement at another boundary) or ``part`` (a kernel of the selected composite); the last two are filled or, if
        ``crossed`` is False, hollow.
    square
        Whether the slot repeats, so that the marker is a square.
    name, detail
        The two lines of its label.
    tip
        Lines of the tool tip.
    status
        What the status bar says.
    log_roof
        Height of the roof over it, where it lies below (then dots go up to it); else None.
    kernel
        Whether it is a measured kernel.
    form
        Of a kernel: form of the diamond, which tells files apart (0 full, 1 open, 2 dotted, 3 halved).
    radius
        Of a kernel whose area says something: pixels; else None.
    lent
        Whether the work of a kernel is that of the operator it is paired with; then a dashed diamond is around it.
    pipe
        Of a kernel: the main pipe of that work.
    """

    key: Key
    machine: str
    log_x: float
    log_y: float
    style: Literal["predicted", "measured", "hollow", "boundary", "part"]
    slot: Slot | None
    name: str
    detail: str = ""
    tip: tuple[str, ...] = ()
    status: str = ""
    square: bool = False
    crossed: bool = True
    log_roof: float | None = None
    kernel: bool = False
    form: int = 0
    radius: float | None = None
    lent: bool = False
    pipe: str | None = None

    @property
    def is_small(self) -> bool:
        """Whether it is one of the small markers that come and go with the selection."""
        return self.style in ("boundary", "part")


@dataclass(frozen=True, slots=True)
class Corridor:
    """From tiled to compulsory along the placement's own roof."""

    key: Key
    machine: str
    slot: Slot
    log_bytes_per_s: float
    log_flop_per_s: float
    log_tiled: float
    log_compulsory: float
    tiled_label: str
    compulsory_label: str


@dataclass(frozen=True, slots=True)
class Segment:
    """From the predicted to the measured point of a pair, with the ratio of times.

    ``lines`` is what the selected pair says: of time, traffic and headroom, and where its work comes from.
    """

    key: Key
    slot: Slot | None
    start: tuple[float, float]
    end: tuple[float, float]
    label: str
    short_label: str
    entry: str = ""
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LaunchFloor:
    """Where the launch overhead holds the selected placement: the slope of its own bytes per launch.

    Shaded only where it lies below the roof: further up it holds nothing back.
    """

    log_bytes_per_s: float
    label: str
    shaded: bool


@dataclass(frozen=True, slots=True)
class StripRow:
    """A placement that has no place on a log axis: no work (left strip), or no traffic (right strip)."""

    key: Key
    machine: str
    slot: Slot
    name: str
    share: float
    rate: str
    time: str
    square: bool = False
    hollow: bool = False
    tip: tuple[str, ...] = ()
    status: str = ""


@dataclass(frozen=True, slots=True)
class EmptyState:
    """The invitation on an empty canvas: one sentence and three keys."""

    title: str
    text: str
    keys: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class PreviewMarker:
    """An operator that is being dragged, where it would land; coordinates are log10.

    ``log_x`` or ``log_y`` None: it has no place on the log axes, and only the words are shown.
    """

    name: str
    detail: str
    log_x: float | None
    log_y: float | None
    slot: Slot = 0


@dataclass(frozen=True)
class Scene:
    """Everything that is drawn, in drawing order of its groups.

    Attributes
    ----------
    machine
        The strong one, or empty where there is none.
    home_range
        The axes that the machine sets.
    fit_range
        The same, with whole decades added until every marker is in.
    selected, selected_machine
        Key of the selected placement or measurement; the machine on which the placement is shown as selected.
    satellites
        The selected placement at the other boundaries.
    parts
        The kernels of the selected composite, or of the one whose part is selected; the slowest first.
    arrows, notes
        From baselines to their variants; what the tool tips of both say of each other.
    series
        From kernels of a file to the same ones in a later file.
    runs
        One kernel at several boundaries; its points at the others are ``satellites``.
    files
        Which measured file wears which diamond, where there are several.
    area_key
        What the areas of kernels mean, in words; empty where they mean nothing.
    strip, right_strip
        Rows without work, rows without traffic.
    probe
        The probe, for files only: on the screen it is a tool that lies over the scene.
    """

    title: str = "Roofline"
    model_line: tuple[str, ...] = ()
    x_title: str = "intensity, FLOP/byte"
    machine: str = ""
    home_range: Range = PLAIN_RANGE
    fit_range: Range = PLAIN_RANGE
    roofs: tuple[Roof, ...] = ()
    ceilings: tuple[Ceiling, ...] = ()
    slopes: tuple[Slope, ...] = ()
    overlays: tuple[OverlayPoints, ...] = ()
    floor: LaunchFloor | None = None
    corridors: tuple[Corridor, ...] = ()
    segments: tuple[Segment, ...] = ()
    arrows: tuple[VariantArrow, ...] = ()
    notes: tuple[MarkerNote, ...] = ()
    series: SeriesLinks | None = None
    runs: tuple[BoundaryRun, ...] = ()
    files: tuple[FileKey, ...] = ()
    area_key: str = ""
    parts: tuple[Marker, ...] = ()
    satellites: tuple[Marker, ...] = ()
    markers: tuple[Marker, ...] = ()
    strip: tuple[StripRow, ...] = ()
    right_strip: tuple[StripRow, ...] = ()
    selected: Key | None = None
    selected_machine: str = ""
    empty: EmptyState | None = None
    probe: ProbeDrawing | None = None

    @property
    def strong_roof(self) -> Roof | None:
        """The roof of the strong machine."""
        return next((roof for roof in self.roofs if roof.strong), None)

    def is_selected(self, item: Marker | Corridor | StripRow) -> bool:
        """Tell whether an item carries the selection: of an entry on several machines only one does."""
        return (
            self.selected is not None
            and item.key == self.selected
            and item.machine in ("", self.selected_machine)
        )

    def is_selected_pair(self, segment: Segment) -> bool:
        """Tell whether a pair is the selected one: its kernel is selected, or its entry."""
        return self.selected is not None and self.selected in (segment.key, segment.entry)
