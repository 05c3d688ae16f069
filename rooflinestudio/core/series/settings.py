"""Which of the measured files is the one from before and which the one from after, and how files look."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.study import SLOTS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.measured.panel import MeasuredPanel
    from rooflinestudio.core.measurement_overlay import Overlay
    from rooflinestudio.core.study import Study

__all__ = [
    "COLUMN_IDS", "SERIES_SLOTS", "SeriesLook", "SeriesSettings", "before_and_after", "series_changed", "series_looks",
    "series_settings", "swapped",
]  # fmt: skip

COLUMN_IDS: Final = (
    "kernel", "change", "launches", "time_before", "time_after", "time_ratio", "saved", "traffic_ratio", "rate_ratio",
    "traffic_before", "traffic_after", "rate_before", "rate_after", "grid", "block",
)  # fmt: skip
"""Columns of the table that compares two files; what it can be sorted by."""

SERIES_SLOTS: Final = (5, 4, 7, 6, 1, 0)
"""Colours of the second file and those after it, unless an entry wears them; the two that somebody who sees colours
differently takes for the neutral of the first file are left out. All files have a form of their own besides."""


@dataclass(frozen=True, slots=True)
class SeriesSettings:
    """The settings, each with its default.

    Attributes
    ----------
    before, after
        Digests of the files; empty: the first and the last of the study.
    arrows
        Whether the canvas joins matching kernels.
    sort, descending
        One of :data:`COLUMN_IDS`, or empty for the order of the file from before.
    """

    before: str = ""
    after: str = ""
    arrows: bool = True
    sort: str = ""
    descending: bool = False


@dataclass(frozen=True, slots=True)
class SeriesLook:
    """How the kernels of one file are drawn where nothing else gives them a colour.

    Attributes
    ----------
    form
        Number of the marker's form: 0 for a full diamond, then open, dotted, halved.
    slot
        Colour slot, None for the neutral colour.
    """

    form: int = 0
    slot: int | None = None


FORMS: Final = 4
_PLAIN: Final = SeriesLook()


def series_settings(kept: Any) -> SeriesSettings:
    """Return the settings of plain data; what is not of the expected kind takes its default."""
    if not hasattr(kept, "get"):
        return SeriesSettings()
    before, after, sort = (kept.get(key) for key in ("before", "after", "sort"))
    return SeriesSettings(
        before if isinstance(before, str) else "",
        after if isinstance(after, str) else "",
        kept.get("arrows") is not False,
        sort if isinstance(sort, str) and sort in COLUMN_IDS else "",
        kept.get("descending") is True,
    )


def before_and_after(study: Study, settings: SeriesSettings) -> tuple[Overlay, Overlay] | None:
    """Return the two files that are compared; None where the study has fewer than two.

    A file that is named but not there is made up for: by the first file for the one from before, by the last for the
    one from after.
    """
    files = study.overlays
    if len(files) < 2:
        return None
    known = {one.digest: one for one in files}
    before, after = known.get(settings.before), known.get(settings.after)
    if before is None:
        before = next(one for one in files if one is not after)
    if after is None or after is before:
        after = next(one for one in reversed(files) if one is not before)
    return before, after


def series_changed(settings: SeriesSettings, **changes: Any) -> dict[str, Any]:
    """Return the change of the panel after which these settings hold besides those that do; None is the default."""
    plain = {
        "before": settings.before,
        "after": settings.after,
        "arrows": None if settings.arrows else False,
        "sort": settings.sort,
        "descending": settings.descending or None,
    }
    plain.update(changes)
    kept = {key: value for key, value in plain.items() if value is not None and value != ""}
    return {"series": kept or None}


def swapped(study: Study, settings: SeriesSettings) -> dict[str, Any]:
    """Return the change of the panel after which the two files have changed places; nothing without two."""
    files = before_and_after(study, settings)
    if files is None:
        return {}
    return series_changed(settings, before=files[1].digest, after=files[0].digest)


def series_looks(study: Study, panel: MeasuredPanel) -> Mapping[str, SeriesLook]:
    """Return how the kernels of each file look, by digest.

    One file alone is full and neutral. Of several, the one from before is open and neutral, the one from after full
    and coloured, and the others take the next forms and colours in the order of the study.
    """
    files = before_and_after(study, panel.series)
    if files is None:
        return {one.digest: _PLAIN for one in study.overlays}
    taken = {one.slot for one in study.entries if isinstance(one.slot, int) and one.slot < SLOTS}
    free = [slot for slot in SERIES_SLOTS if slot not in taken] or list(SERIES_SLOTS)
    before, after = files
    looks = {before.digest: SeriesLook(1, None), after.digest: SeriesLook(0, free[0])}
    for number, other in enumerate((one for one in study.overlays if one.digest not in looks), start=1):
        looks[other.digest] = SeriesLook(2 + (number - 1) % (FORMS - 2), free[number % len(free)])
    return looks
