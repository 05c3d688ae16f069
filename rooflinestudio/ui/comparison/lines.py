"""The lines of the compare table: placed rows against their baseline, and kernels measured for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.comparison import comparison_rows, ratio_text
from rooflinestudio.core.pairing.figures import paired_figures, pairs_by_entry
from rooflinestudio.core.pairing.readout import row_for_pair
from rooflinestudio.core.placing import PlacedStudy
from rooflinestudio.core.quantities import format_ratio
from rooflinestudio.ui.widgets.painting import marker_shape
from rooflinestudio.ui.widgets.words import bytes_text, intensity_text, percent_text, time_text, whole_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rooflinestudio.core.comparison import ComparisonRow
    from rooflinestudio.core.measurement_overlay import Overlay
    from rooflinestudio.core.pairing.edits import FoundPair
    from rooflinestudio.core.placing import PlacedRow
    from rooflinestudio.ui.session import Selection

__all__ = ["Line", "LineMaker", "baselines"]

_STATES: Final = {"refused": "not placed", "unavailable": "not available", "pending": "being worked out"}


@dataclass(frozen=True, eq=False)
class Line:
    """One line, as texts and as the values that it is sorted by; equal only to itself, so that comparing is cheap.

    ``values`` are None where there is nothing: such lines stay last. ``source`` keeps the rows that it was made from
    alive, so that their identities stay theirs.
    """

    selection: Selection
    machine: str
    name: str
    shape: str
    slot: int | str
    differs: str
    traffic: str
    traffic_ratio: str
    intensity: str
    intensity_ratio: str
    bound: str
    bound_text: str
    time: str
    fraction: float | None
    fraction_text: str
    delta: str
    delta_token: str
    reason: str
    values: tuple[Any, ...]
    source: object = None

    @property
    def key(self) -> tuple[Selection, str]:
        """What stays the same while the line is the same."""
        return self.selection, self.machine


class LineMaker:
    """Makes lines, and keeps those of rows that did not change: a slider step makes one anew."""

    def __init__(self) -> None:
        self._known: dict[tuple[Any, ...], Line] = {}

    def lines(self, placed: PlacedStudy, baseline: str | None, machine: str = "") -> list[Line]:
        """Return the lines of a baseline and its variants, or of the whole study.

        A kernel that was measured for an entry stands behind the row that it is held against.

        Parameters
        ----------
        machine
            The one that measured kernels are held against where an entry has several; empty means the first.
        """
        machines = placed.study.view.machines
        first = machines[0] if len(machines) > 1 else ""  # empty: one machine, which needs no name
        pairs, against = pairs_by_entry(placed), machine or next(iter(machines), "")
        behind = {id_: _row_of_pair(placed, id_, against) for id_ in pairs}
        known, self._known = self._known, {}
        wanted = [(row, base, (id(row), id(base), first)) for row, base in _wanted(placed, baseline)]
        fresh = _compared(placed, [(row, base) for row, base, key in wanted if key not in known])
        found: list[Line] = []
        for row, base, key in wanted:
            line = known.get(key)
            if line is None:
                name = _name(row, with_machine=first not in ("", row.machine))
                line = _placed_line(fresh[id(row)], name, base)
            self._known[key] = line
            found.append(line)
            if behind.get(row.entry.id) is row:
                found.extend(self._measured(row, pairs[row.entry.id], known))
        return found

    def _measured(
        self, row: PlacedRow, pairs: Iterable[FoundPair], known: dict[tuple[Any, ...], Line]
    ) -> Iterator[Line]:
        for one in pairs:
            key = (id(row), one.overlay.digest, one.index)
            line = known.get(key)
            if line is None:
                line = _measured_line(row, one.overlay, one.index)
            self._known[key] = line
            yield line


def _row_of_pair(placed: PlacedStudy, entry_id: str, machine: str) -> PlacedRow | None:
    """Return the row that kernels are held against; of an entry that is not placed the first one."""
    return row_for_pair(placed, entry_id, machine) or next(iter(placed.rows_of(entry_id)), None)


def _wanted(placed: PlacedStudy, baseline: str | None) -> Iterator[tuple[PlacedRow, PlacedRow]]:
    """Yield the rows to be shown, each with the row that it is held against."""
    firsts: dict[str, PlacedRow] = {}
    for row in placed.rows:
        firsts.setdefault(row.entry.id, row)
    ids = {entry.id for entry in placed.study.entries}
    for row in placed.rows:
        variant_of = row.entry.variant_of
        base = variant_of if variant_of is not None and variant_of in ids else row.entry.id
        if baseline is None or base == baseline:
            yield row, firsts.get(base, row)


def _compared(placed: PlacedStudy, pairs: list[tuple[PlacedRow, PlacedRow]]) -> dict[int, ComparisonRow]:
    """Compare only these rows with theirs; the answer is by the identity of the row."""
    ids = {id(row) for pair in pairs for row in pair}
    part = PlacedStudy(placed.study, placed.profiles, tuple(row for row in placed.rows if id(row) in ids))
    return {id(one.row): one for one in comparison_rows(part)}


def baselines(placed: PlacedStudy) -> list[tuple[str, str]]:
    """Return id and name of every entry that others are held against, or that stands alone."""
    entries = {entry.id: entry for entry in placed.study.entries}
    bases = (
        one.variant_of if one.variant_of is not None and one.variant_of in entries else one.id
        for one in entries.values()
    )
    found = dict.fromkeys(bases)
    return [(id_, entries[id_].label or id_) for id_ in found]


def _name(row: PlacedRow, *, with_machine: bool) -> str:
    name = row.entry.label or row.entry.operator
    if not with_machine or len(row.entry.machines or ()) == 1:  # its own machine is part of what it is
        return name
    return f"{name}, {row.profile.short_name if row.profile is not None else row.machine}"


def _placed_line(one: ComparisonRow, name: str, base: PlacedRow) -> Line:
    row, placement = one.row, one.row.placement
    shape, slot = marker_shape(row.entry.slot), row.entry.slot
    if placement is None:
        state = _STATES.get(row.state, row.state)
        nothing = (name.casefold(), state, *(None,) * 8)
        return Line(
            row.entry.id, row.machine, name, shape, slot, f"{state}: {row.reason}", "–", "–", "–", "–", "", state,
            "–", None, "–", "–", "muted", row.reason, nothing, (row, base),
        )  # fmt: skip
    delta, token = _delta(one.time_ratio, is_baseline=one.is_baseline)
    bound = whole_words(placement)
    values = (
        name.casefold(), one.differs.casefold(), placement.traffic_bytes, one.traffic_ratio, placement.intensity,
        one.intensity_ratio, bound, placement.time_s, placement.fraction_of_peak, one.time_ratio,
    )  # fmt: skip
    ratios = "baseline", "baseline"
    if not one.is_baseline:
        ratios = (
            ratio_text(one.traffic_ratio, "more", "less"),
            ratio_text(one.intensity_ratio, "higher", "lower"),
        )
    return Line(
        row.entry.id, row.machine, name, shape, slot, one.differs, bytes_text(placement.traffic_bytes), ratios[0],
        intensity_text(placement.intensity), ratios[1], placement.bound, bound, time_text(placement.time_s),
        float(placement.fraction_of_peak), percent_text(placement.fraction_of_peak), delta, token, "", values,
        (row, base),
    )  # fmt: skip


def _delta(ratio: float | None, *, is_baseline: bool) -> tuple[str, str]:
    if is_baseline:
        return "baseline", "muted"
    if ratio is None:
        return "–", "muted"
    text = format_ratio(ratio)
    return text, "error" if "slower" in text else "ok" if "faster" in text else "muted"


def _measured_line(row: PlacedRow, overlay: Overlay, index: int) -> Line:
    """Return the line of a kernel, at device memory as in the measured table, against what was predicted there."""
    kernel = paired_figures(overlay, index, row, row.profile)
    measurement, pair = kernel.measurement, kernel.pair
    ratio, traffic_ratio = (pair.time_ratio, pair.traffic_ratio) if pair is not None else (None, None)
    intensity, fraction, intensity_ratio = kernel.intensity, kernel.fraction_of_peak, kernel.intensity_ratio
    delta, token = _delta(ratio, is_baseline=False)
    name = measurement.kernel_short
    differs = f"measured, launch {measurement.launch}, against {row.entry.label or row.entry.id}"
    if pair is not None and pair.placement.boundary_id != pair.boundary:
        differs += f", at {pair.boundary_label}"
    if kernel.work_from:
        differs += f", {kernel.work_from}"
    values = (
        name.casefold(), differs, kernel.traffic_bytes, traffic_ratio, intensity, intensity_ratio, kernel.bound_words,
        measurement.time_s, fraction, ratio,
    )  # fmt: skip
    return Line(
        ("measured", overlay.digest, index), row.machine, name, "diamond", row.entry.slot, differs,
        bytes_text(kernel.traffic_bytes), ratio_text(traffic_ratio, "more", "less"), intensity_text(intensity),
        ratio_text(intensity_ratio, "higher", "lower"), kernel.bound, kernel.bound_words,
        time_text(measurement.time_s), fraction, percent_text(fraction), delta, token,
        "" if kernel.work_from else measurement.reason or "", values, row,
    )  # fmt: skip
