"""From variants and their baselines to arrows between markers; pairs of rows that did not change keep theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rooflinestudio.core.quantities import format_number, format_quantity
from rooflinestudio.core.variant_ratios import factor_words, ratio_words, ratios, time_words, variant_pairs
from rooflinestudio.ui.canvas.scene_links import MarkerNote, VariantArrow
from rooflinestudio.ui.canvas.scene_rows import entry_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.placing import PlacedRow, PlacedStudy
    from rooflinestudio.core.variant_ratios import VariantRatios
    from rooflinestudio.ui.canvas.scene import Marker
    from rooflinestudio.ui.canvas.scene_rows import RowDrawing

__all__ = ["ArrowMaker"]

ONE_PLACE: Final = 5e-4
"""Decades (a thousandth) under which two markers stand in the same place at every zoom that is used."""
NAMES_TOLD: Final = 3


class _Link(NamedTuple):
    """What one pair of rows puts on the canvas; there is no arrow in one place, and none to or from the strips."""

    arrow: VariantArrow | None
    note: MarkerNote
    shares_place: bool = False


class ArrowMaker:
    """Makes the arrows of one study after the other; a slider step draws those of one entry anew."""

    def __init__(self) -> None:
        # By identity of both rows, which are kept, so that their ids stay their own.
        self._known: dict[tuple[int, int], tuple[PlacedRow, PlacedRow, _Link | None]] = {}

    def make(
        self, placed: PlacedStudy, drawings: Mapping[tuple[str, str], RowDrawing]
    ) -> tuple[tuple[VariantArrow, ...], tuple[MarkerNote, ...]]:
        """Return the arrows, and what baselines and variants tell of each other.

        Parameters
        ----------
        drawings
            What each row that is shown puts on the canvas.
        """
        known, kept = self._known, {}
        links: list[_Link] = []
        sharing: dict[tuple[str, str], list[str]] = {}
        for row, base in variant_pairs(placed):
            if row.key not in drawings or base.key not in drawings:
                continue
            pair = id(row), id(base)
            one = known.get(pair)
            if one is None or one[0] is not row or one[1] is not base:
                one = (row, base, _link(row, base, (drawings[row.key].marker, drawings[base.key].marker)))
            kept[pair] = one
            link = one[2]
            if link is not None:
                links.append(link)
                if link.shares_place:
                    sharing.setdefault(base.key, []).append(entry_name(row.entry))
        self._known = kept
        notes = [link.note for link in links]
        notes += [
            MarkerNote(id_, machine, (_count_words(names),)) for (id_, machine), names in sharing.items()
        ]
        return tuple(link.arrow for link in links if link.arrow is not None), tuple(notes)


def _link(row: PlacedRow, base: PlacedRow, markers: tuple[Marker | None, Marker | None]) -> _Link | None:
    marker, home = markers
    found = ratios(row, base)
    if found is None:
        return None
    words = f"{ratio_words(found, digits=3)} against {_named(base, row)}"
    if marker is None or home is None:
        return _Link(None, MarkerNote(row.entry.id, row.machine, (words,)))
    if abs(marker.log_x - home.log_x) < ONE_PLACE and abs(marker.log_y - home.log_y) < ONE_PLACE:
        note = MarkerNote(row.entry.id, row.machine, (f"{words}, in the same place",))
        return _Link(None, note, shares_place=True)
    arrow = VariantArrow(
        row.entry.id,
        row.machine,
        base.entry.id,
        base.machine,
        row.entry.slot,
        (home.log_x, home.log_y),
        (marker.log_x, marker.log_y),
        ratio_words(found),
        time_words(found.time),
        tip=_tip(row, base, found),
        status=f"{entry_name(row.entry)}: {ratio_words(found, digits=3)}",
    )
    return _Link(arrow, MarkerNote(row.entry.id, row.machine, (words,)))


def _count_words(names: list[str]) -> str:
    told = ", ".join(names[:NAMES_TOLD]) + (" …" if len(names) > NAMES_TOLD else "")
    return f"{len(names)} variant{'s' if len(names) > 1 else ''} in the same place: {told}"


def _tip(row: PlacedRow, base: PlacedRow, found: VariantRatios) -> tuple[str, ...]:
    """Return the tool tip of an arrow: both entries and every ratio with the figures that it is made of."""
    ours, theirs = _named(row, base), _named(base, row)
    lines = [f"{ours} against {theirs}", f"{time_words(found.time)}: {_change(row, base, 'time_s', 's')}"]
    if found.work is not None and (changed := factor_words("W", found.work, digits=3)) != "same W":
        lines.append(f"{changed}: {_change(row, base, 'work_flop', 'FLOP')}")
        lines.append(f"{time_words(found.time / found.work)} per FLOP")
    if found.traffic is not None:
        words = factor_words("Q", found.traffic, digits=3)
        lines.append(f"{words}: {_change(row, base, 'traffic_bytes', 'B')}")
    if found.intensity is not None:
        words = factor_words("I", found.intensity, digits=3)
        lines.append(f"{words}: {_change(row, base, 'intensity', '')}")
    return tuple(lines)


def _named(row: PlacedRow, other: PlacedRow) -> str:
    name = entry_name(row.entry)
    if row.machine == other.machine or row.profile is None:
        return name
    return f"{name} on {row.profile.short_name}"


def _change(row: PlacedRow, base: PlacedRow, figure: str, unit: str) -> str:
    before: Any = getattr(base.placement, figure)
    after: Any = getattr(row.placement, figure)
    if not unit:
        return f"{format_number(float(before))} to {format_number(float(after))} FLOP/byte"
    return f"{format_quantity(float(before), unit)} to {format_quantity(float(after), unit)}"
