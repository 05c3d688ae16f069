"""What the canvas shows, as frozen values without Qt: log10 data coordinates, words, colour slots and roles.

The presenter makes a :class:`Scene`; painter, labels, hover and export read it. Parts that did not change are the same
objects as before, so that the view compares with ``is``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal

from rooflinestudio.ui.canvas.coordinates import Range, roof_height

__all__ = [
    "Ceiling",
    "Corridor",
    "EmptyState",
    "Key",
    "LaunchFloor",
    "Marker",
    "OverlayPoints",
    "PreviewMarker",
    "Roof",
    "Scene",
    "Segment",
    "Slope",
    "StripRow",
]

Key = str | tuple[str, str, int]
"""What can be selected: an entry id, or ``("measured", overlay digest, index)``."""

PLAIN_RANGE: Final = Range(-1.0, 4.0, 11.0, 15.4)
"""Axes where there is no machine to set them."""

Slot = int | str
"""A colour slot from 0, or a colour text of the user's own."""


@dataclass(frozen=True, slots=True)
class Roof:
    """One machine's roof at the boundary in view.

    ``order`` counts the machines in view from 0; it chooses the dash where the roof is not the strong one.
    """

    machine: str
    name: str
    strong: bool
    order: int
    log_bytes_per_s: float
    log_flop_per_s: float
    slope_label: str
    ceiling_label: str
    ridge_label: str

    @property
    def log_ridge(self) -> float:
        return self.log_flop_per_s - self.log_bytes_per_s

    def height(self, log_x: float) -> float:
        """Return log10 of what the roof allows at a log10 intensity."""
        return roof_height(log_x, log_bytes_per_s=self.log_bytes_per_s, log_flop_per_s=self.log_flop_per_s)


@dataclass(frozen=True, slots=True)
class Ceiling:
    """Another pipe of the strong machine; it starts at its own ridge. ``own``: the selected placement's pipe."""

    log_flop_per_s: float
    log_from: float
    label: str
    own: bool = False


@dataclass(frozen=True, slots=True)
class Slope:
    """Another boundary of the strong machine, up to where it meets the reference ceiling.

    ``modelled``: an on-chip or approximate bandwidth, drawn dashed, since it is a model and no bound. ``own``: the
    boundary that the selected placement is shown at.
    """

    boundary: str
    log_bytes_per_s: float
    log_flop_per_s: float
    label: str
    ridge_label: str
    modelled: bool = False
    own: bool = False

    @property
    def log_ridge(self) -> float:
        return self.log_flop_per_s - self.log_bytes_per_s


@dataclass(frozen=True, slots=True)
class Marker:
    """One point.

    Attributes
    ----------
    key, machine
        What it selects; the machine it was placed on (empty for measured ones).
    style
        ``predicted``, ``measured``, ``hollow`` (the data does not cross the boundary), or ``boundary`` (the selected
        placement at another boundary, filled or, if ``crossed`` is False, hollow).
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
    """

    key: Key
    machine: str
    log_x: float
    log_y: float
    style: Literal["predicted", "measured", "hollow", "boundary"]
    slot: Slot | None
    name: str
    detail: str = ""
    tip: tuple[str, ...] = ()
    status: str = ""
    square: bool = False
    crossed: bool = True
    log_roof: float | None = None
    kernel: bool = False


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
    """From the predicted to the measured point of a pair, with the ratio of times."""

    key: Key
    slot: Slot | None
    start: tuple[float, float]
    end: tuple[float, float]
    label: str
    short_label: str


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


@dataclass(frozen=True, eq=False)
class OverlayPoints:
    """The measured kernels of one file that are not paired: float arrays of log10 coordinates.

    ``index`` holds each point's number in the overlay. ``tip`` is asked for one point when it is hovered.
    """

    digest: str
    name: str
    log_x: Any
    log_y: Any
    index: Any
    tip: Any

    def __len__(self) -> int:
        return len(self.index)

    def key(self, at: int) -> Key:
        """Return the selection key of the point at a position of the arrays."""
        return ("measured", self.digest, int(self.index[at]))


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
    strip, right_strip
        Rows without work, rows without traffic.
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
    satellites: tuple[Marker, ...] = ()
    markers: tuple[Marker, ...] = ()
    strip: tuple[StripRow, ...] = ()
    right_strip: tuple[StripRow, ...] = ()
    selected: Key | None = None
    selected_machine: str = ""
    empty: EmptyState | None = None

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
