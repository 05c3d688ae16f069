"""Which measured kernel is diagnosed, on which machine, and which others can be chosen; knows nothing of widgets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.diagnosis.device import matching_profile
from rooflinestudio.core.selection import selected_entry

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.measurement import Measurement
    from rooflinestudio.core.measurement_overlay import Overlay
    from rooflinestudio.core.placing import PlacedStudy
    from rooflinestudio.core.selection import Selection
    from rooflinestudio.core.study import Study

__all__ = [
    "MOST_LISTED", "PANEL", "KernelLine", "chosen_kernel", "kernel_lines", "machine_of", "panel_of", "same_kernel",
]  # fmt: skip

PANEL: Final = "diagnosis"
"""Name under which a study keeps which kernel is shown."""

MOST_LISTED: Final = 200
"""So many kernels are offered at once, the slowest ones; the others are found by their names."""

_Place = tuple["Overlay", int]


@dataclass(frozen=True, slots=True)
class KernelLine:
    """A kernel that can be chosen; ``time_s`` is None where it was not measured."""

    index: int
    launch: int
    time_s: float | None
    name: str


def panel_of(overlay: Overlay, index: int) -> dict[str, Any]:
    """Return what a study keeps of a choice."""
    return {"overlay": overlay.digest, "kernel": index}


def chosen_kernel(study: Study, selection: Selection) -> tuple[Overlay, int] | None:
    """Return the kernel to diagnose: overlay and index; None where the study has none.

    It is the one that is selected, or is held against the selected entry; else the one that the study keeps, as far as
    that can be read; else the slowest of the first file.
    """
    overlays = {one.digest: one for one in study.overlays if len(one)}
    if not overlays:
        return None
    found = None
    if isinstance(selection, tuple) and selection[0] == "measured":
        found = _kernel(overlays, selection[1], selection[2])
    if found is None:
        found = _of_entry(study, overlays, selected_entry(selection))
    if found is None:
        kept = study.panels.get(PANEL, {})
        found = _kernel(overlays, kept.get("overlay"), kept.get("kernel"))
    if found is not None:
        return found
    first = next(iter(overlays.values()))
    return first, kernel_lines(first, most=1)[0].index


def _kernel(overlays: Mapping[str, Overlay], digest: object, index: object) -> _Place | None:
    overlay = overlays.get(digest) if isinstance(digest, str) else None
    if overlay is None or isinstance(index, bool) or not isinstance(index, int):
        return None
    return (overlay, index) if 0 <= index < len(overlay) else None


def _of_entry(study: Study, overlays: Mapping[str, Overlay], entry: str | None) -> _Place | None:
    for pair in study.pairs:
        overlay = overlays.get(pair.overlay) if entry is not None and pair.entry == entry else None
        if overlay is not None:
            at = (overlay.columns["launch"] == pair.launch).nonzero()[0]
            if len(at):
                return overlay, int(at[0])
    return None


def kernel_lines(overlay: Overlay, needle: str = "", *, most: int = MOST_LISTED) -> list[KernelLine]:
    """Return the slowest kernels whose name has a text in it, whichever case; a number also finds that launch."""
    import numpy as np

    at = _fitting(overlay, needle.strip().casefold())
    columns = overlay.columns
    times = columns["time_s"][at] if "time_s" in columns else np.full(len(at), np.nan)
    keys = np.where(np.isnan(times), np.inf, -times)
    few = np.argpartition(keys, most - 1)[:most] if len(keys) > most else np.arange(len(keys))
    few = few[np.lexsort((few, keys[few]))]
    codes, texts = overlay.texts("kernel")
    return [
        KernelLine(
            int(at[one]),
            int(columns["launch"][at[one]]),
            None if np.isnan(times[one]) else float(times[one]),
            texts[code] if (code := int(codes[at[one]])) >= 0 else "",
        )
        for one in few
    ]


def _fitting(overlay: Overlay, needle: str) -> Any:
    """Return the indices of the kernels that have a text in their name."""
    import numpy as np

    if not needle:
        return np.arange(len(overlay))
    codes, texts = overlay.texts("kernel")
    fits = np.isin(codes, [code for code, text in enumerate(texts) if needle in text.casefold()])
    if needle.isdecimal():
        fits |= overlay.columns["launch"] == int(needle)
    return np.flatnonzero(fits)


def same_kernel(overlay: Overlay, name: str) -> int:
    """Return the slowest kernel of this name in another file, else the slowest of that file."""
    lines = kernel_lines(overlay, name, most=len(overlay)) if name else []
    exact = next((one for one in lines if one.name == name), None)
    return (exact or kernel_lines(overlay, most=1)[0]).index


def machine_of(placed: PlacedStudy, measurement: Measurement, preferred: str) -> HardwareProfile | None:
    """Return the machine that a kernel ran on: that of its device, else the preferred one, else the first in view."""
    for profiles in (placed.machines, placed.profiles.values()):
        match = matching_profile(profiles, measurement.device)
        if match is not None:
            return match.entry
    return placed.profiles.get(preferred) or _first(placed.machines)


def _first(machines: Iterable[HardwareProfile]) -> HardwareProfile | None:
    return next(iter(machines), None)
