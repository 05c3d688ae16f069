"""From a composite to its parts on the canvas: a small marker for each kernel, at its own intensity and rate."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.budget_words import part_names
from rooflinestudio.core.quantities import format_number, format_quantity
from rooflinestudio.ui.canvas.coordinates import has_log10, log10
from rooflinestudio.ui.canvas.scene import Marker
from rooflinestudio.ui.canvas.scene_rows import Figures, entry_name, status_words, strip_of
from rooflinestudio.ui.widgets.words import bound_words

if TYPE_CHECKING:
    from rooflinestudio.core.placement import PlacedPart
    from rooflinestudio.core.placing import PlacedRow
    from rooflinestudio.ui.canvas.scene import Key
    from rooflinestudio.ui.canvas.scene_rows import RowDrawing

__all__ = ["MOST_PARTS", "part_key", "part_selected", "part_strip", "parts_of"]

MOST_PARTS: Final = 24
"""So many parts are drawn, the slowest ones."""


def part_key(entry_id: str, index: int) -> Key:
    """Return what selects a part: its number among the placed parts of the entry."""
    return ("part", entry_id, index)


def part_selected(selected: Key | None) -> tuple[str, int] | None:
    """Return entry id and number of the part that is selected, or None for every other selection."""
    if isinstance(selected, tuple) and selected[0] == "part":
        return selected[1], selected[2]
    return None


def parts_of(row: PlacedRow, chosen: int | None = None) -> tuple[Marker, ...]:
    """Return the parts of a composite that have a place on the log axes, the slowest first.

    Parameters
    ----------
    chosen
        Number of a part that is there even if others are slower.
    """
    placement = row.placement
    if placement is None or not placement.parts:
        return ()
    order = sorted(range(len(placement.parts)), key=lambda at: -_time_s(placement.parts[at]))
    shown = [at for at in order if _has_place(placement.parts[at])]
    shown = [at for place, at in enumerate(shown) if place < MOST_PARTS or at == chosen]
    names = part_names(placement)
    return _with_neighbours([_marker(row, at, names[at]) for at in shown])


def _with_neighbours(markers: list[Marker]) -> tuple[Marker, ...]:
    """Add to each tool tip how many parts share its place: only one of them can be pointed at."""
    names: dict[tuple[float, float], list[str]] = {}
    for one in markers:
        names.setdefault(_place(one), []).append(one.name)
    return tuple(
        replace(one, tip=(*one.tip, f"here, too: {' · '.join(others)}"))
        if (others := [name for name in names[_place(one)] if name != one.name])
        else one
        for one in markers
    )


def _place(marker: Marker) -> tuple[float, float]:
    return round(marker.log_x, 2), round(marker.log_y, 2)


def part_strip(row: PlacedRow, index: int) -> RowDrawing | None:
    """Return what a part puts into the margin strips; None if it has a place on the axes, or is not there."""
    placement = row.placement
    if placement is None or not 0 <= index < len(placement.parts) or _has_place(placement.parts[index]):
        return None
    part, key = placement.parts[index], part_key(row.entry.id, index)
    name = _times(part, part_names(placement)[index])
    drawing = strip_of(row, part.placement)
    strip, right = drawing.strip, drawing.right_strip
    if strip is not None:
        strip = replace(strip, key=key, name=name, tip=(name, *strip.tip[1:]))
    if right is not None:
        right = replace(right, key=key, name=name, tip=(name, *right.tip[1:]))
    return drawing._replace(strip=strip, right_strip=right)


def _time_s(part: PlacedPart) -> float:
    return float(part.count * part.placement.time_s)


def _has_place(part: PlacedPart) -> bool:
    return has_log10(float(part.placement.intensity)) and has_log10(
        float(part.placement.attainable_flop_per_s)
    )


def _times(part: PlacedPart, name: str) -> str:
    """Return a name with how often the part runs, as the budget writes it."""
    count = float(part.count)
    return name if count == 1 else f"{count:g} × {name}"


def _marker(row: PlacedRow, index: int, name: str) -> Marker:
    assert row.placement is not None
    part = row.placement.parts[index]
    figures = Figures.of(part.placement)
    crossed = part.placement.at(part.placement.boundary_id).crosses
    ceiling = part.placement.ceiling_flop_per_s
    roof = min(ceiling, figures.intensity * figures.slope) if crossed else ceiling
    rate, time = format_quantity(figures.rate, "FLOP/s"), format_quantity(_time_s(part), "s")
    bound = bound_words(part.placement)
    return Marker(
        part_key(row.entry.id, index),
        row.machine,
        log10(figures.intensity),
        log10(figures.rate),
        "part",
        row.entry.slot,
        _times(part, name),
        f"{rate} · {time} · {bound}" + ("" if crossed else " · not crossed"),
        tip=(f"{name}, part of {entry_name(row.entry)}", *_tip(row, part, (rate, time, bound))),
        status=f"{_times(part, name)}   {status_words(figures.intensity, figures.rate, roof)}",
        crossed=crossed,
    )


def _tip(row: PlacedRow, part: PlacedPart, words: tuple[str, str, str]) -> tuple[str, ...]:
    rate, time, bound = words
    placement = part.placement
    whole = float(row.placement.time_s) if row.placement is not None else 0.0
    share = f", {format_number(100 * _time_s(part) / whole)}% of the whole" if whole > 0 else ""
    label = placement.profile.boundaries[placement.boundary_id].label
    count = float(part.count)
    each = f" in {count:g} runs of {format_quantity(float(placement.time_s), 's')}" if count != 1 else ""
    return (
        f"{time}{each}{share}",
        f"I {format_number(float(placement.intensity))} FLOP/byte at {label}, attainable {rate}",
        bound,
    )
