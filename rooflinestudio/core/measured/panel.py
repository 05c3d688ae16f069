"""What the measured tab is set to, read from a study: filter, groups, order, hidden and coloured kernels."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.measured.filter import FilterError, compiled_filter
from rooflinestudio.core.measured.ranges import ranges_mask, ranges_text
from rooflinestudio.core.quick import nothing
from rooflinestudio.core.series.settings import SeriesSettings, series_settings
from rooflinestudio.core.study import SLOTS

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    import numpy.typing as npt

    from rooflinestudio.core.measurement_overlay import Overlay
    from rooflinestudio.core.study import Study

    Mask = npt.NDArray[np.bool_]

__all__ = [
    "COLUMN_IDS", "COMPARING", "EVERY_BOUNDARY", "GROUPS", "PANEL", "MeasuredPanel", "colours_changed",
    "hidden_changed", "hidden_kernels", "kernel_slots", "measured_panel",
]  # fmt: skip

PANEL: Final = "measured"
"""Name under which a study keeps it."""

COLUMN_IDS: Final = (
    "kernel", "file", "launch", "grid", "block", "time", "share", "work", "traffic", "intensity", "achieved", "pipe",
    "bound", "pair", "device", "note",
)  # fmt: skip
"""What can be sorted by."""

GROUPS: Final = ("", "kernel", "launch")
"""Each kernel by itself; one line for each name; one for each name, grid and block."""


COMPARING: Final = "files"
"""Mode of the table in which it holds two files against each other."""

EVERY_BOUNDARY: Final = "all"


@dataclass(frozen=True, slots=True)
class MeasuredPanel:
    """The settings, each with its default.

    Attributes
    ----------
    filter
        Regular expression that names must match; empty: all.
    group
        One of :data:`GROUPS`.
    sort, descending
        One of :data:`COLUMN_IDS`, or empty for the order of the files; what is absent stays last either way.
    hidden
        By digest of the file: positions of kernels that neither table nor canvas show (``0-5 9``).
    list_hidden
        Whether the table lists hidden kernels nevertheless, so that they can be shown again.
    colours
        By digest of the file and slot: positions of the kernels that wear it.
    compares
        Whether the table holds two files against each other instead of listing the kernels of all.
    series
        Which two files, and how that table is ordered.
    area
        Whether the area of a kernel's marker is its share of the time of its file.
    every_boundary
        Whether kernels have a point at each boundary that was counted, not only at the one in view.
    """

    filter: str = ""
    group: str = ""
    sort: str = ""
    descending: bool = False
    hidden: Mapping[str, str] = field(default_factory=nothing)
    list_hidden: bool = False
    colours: Mapping[str, Mapping[int, str]] = field(default_factory=nothing)
    compares: bool = False
    series: SeriesSettings = field(default_factory=SeriesSettings)
    area: bool = False
    every_boundary: bool = False


def measured_panel(study: Study) -> MeasuredPanel:
    """Return the settings that a study keeps; what is not of the expected kind takes its default."""
    kept = study.panels.get(PANEL, {})
    return MeasuredPanel(
        filter=_filter(kept.get("filter")),
        group=_one_of(kept.get("group"), GROUPS),
        sort=_one_of(kept.get("sort"), COLUMN_IDS),
        descending=kept.get("descending") is True,
        hidden=_texts(kept.get("hidden")),
        list_hidden=kept.get("list_hidden") is True,
        colours=_colours(kept.get("colours")),
        compares=kept.get("mode") == COMPARING,
        series=series_settings(kept.get("series")),
        area=kept.get("area") is True,
        every_boundary=kept.get("points") == EVERY_BOUNDARY,
    )


def _filter(value: Any) -> str:
    if not isinstance(value, str):
        return ""
    try:
        compiled_filter(value)
    except FilterError:
        return ""
    return value


def _one_of(value: Any, known: tuple[str, ...]) -> str:
    return value if isinstance(value, str) and value in known else ""


def _texts(value: Any) -> Mapping[str, str]:
    """Return what maps texts to positions; YAML may have read a single position as a number."""
    if not hasattr(value, "items"):
        return nothing()
    return {
        digest: str(text)
        for digest, text in value.items()
        if isinstance(digest, str) and isinstance(text, str | int) and not isinstance(text, bool)
    }


def _colours(value: Any) -> Mapping[str, Mapping[int, str]]:
    if not hasattr(value, "items"):
        return nothing()
    found = {}
    for digest, slots in value.items():
        if not isinstance(digest, str) or not hasattr(slots, "items"):
            continue
        by_text = _texts({str(slot): text for slot, text in slots.items()})
        found[digest] = {int(slot): text for slot, text in by_text.items() if slot in _SLOT_TEXTS}
    return found


_SLOT_TEXTS: Final = tuple(str(slot) for slot in range(SLOTS))


# Per kernel -------------------------------------------------------------------------------------------------------


def hidden_kernels(panel: MeasuredPanel, overlay: Overlay) -> Mask:
    """Return for each kernel of a file whether it is hidden: for the canvas as for the table."""
    return ranges_mask(panel.hidden.get(overlay.digest, ""), len(overlay))


def kernel_slots(panel: MeasuredPanel, overlay: Overlay) -> npt.NDArray[np.int8]:
    """Return the colour slot that was chosen for each kernel of a file, -1 where none was."""
    import numpy as np

    slots = np.full(len(overlay), -1, dtype=np.int8)
    for slot, text in panel.colours.get(overlay.digest, {}).items():
        slots[ranges_mask(text, len(overlay))] = slot
    return slots


# Changes of the panel ---------------------------------------------------------------------------------------------


def hidden_changed(panel: MeasuredPanel, masks: Mapping[str, Mask]) -> dict[str, Any]:
    """Return the change of settings after which just these kernels of these files (by digest) are hidden."""
    hidden = {**panel.hidden, **{digest: ranges_text(mask) for digest, mask in masks.items()}}
    hidden = {digest: text for digest, text in hidden.items() if text}
    return {"hidden": hidden or None}


def colours_changed(panel: MeasuredPanel, slots: Mapping[str, npt.NDArray[np.int8]]) -> dict[str, Any]:
    """Return the change of settings after which the kernels of these files (by digest) wear these slots."""
    colours = {digest: dict(by_slot) for digest, by_slot in panel.colours.items()}
    for digest, worn in slots.items():
        colours[digest] = {slot: text for slot in range(SLOTS) if (text := ranges_text(worn == slot))}
    plain = {
        digest: {str(slot): text for slot, text in by_slot.items()}
        for digest, by_slot in colours.items()
        if by_slot
    }
    return {"colours": plain or None}
