"""The measured kernels of a report: pairs with their ratios, what holds each, and the others by time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.diagnosis import diagnose
from rooflinestudio.core.diagnosis.device import matching_profile
from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.pairing.edits import found_pairs
from rooflinestudio.core.pairing.readout import read_pair, row_for_pair
from rooflinestudio.core.pairing.words import work_words
from rooflinestudio.core.quantities import format_number, format_ratio
from rooflinestudio.core.report.document import Column, Facts, Section, Table
from rooflinestudio.core.report.words import (
    NOTHING,
    amount,
    elided,
    row_title,
    several,
    some_of,
    whole,
)

if TYPE_CHECKING:
    from rooflinestudio.core.diagnosis import Diagnosis
    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.measurement import Measurement
    from rooflinestudio.core.measurement_overlay import Overlay
    from rooflinestudio.core.pairing.edits import FoundPair
    from rooflinestudio.core.pairing.readout import PairReadout
    from rooflinestudio.core.placing import PlacedRow, PlacedStudy

__all__ = ["MOST_PAIRS", "HeldPair", "held_pairs", "machine_of", "measured_section"]

DRAM: Final = "dram"
MOST_PAIRS: Final = 60
"""So many pairs are told, the longest first: a report is read."""

_FILE_COLUMNS: Final = (
    Column("File"), Column("Form"), Column("Device"), Column("Kernels", True), Column("Time in all", True),
    Column("Warnings"),
)  # fmt: skip
_PAIR_COLUMNS: Final = (
    Column("Kernel"), Column("Held against"), Column("Time", True), Column("Time to predicted", True),
    Column("Q", True), Column("Q to predicted", True), Column("Headroom", True),
    Column("Headroom to predicted", True), Column("W", True),
)  # fmt: skip


def machine_of(placed: PlacedStudy, device: str | None) -> HardwareProfile | None:
    """Return the machine that a kernel ran on: that of its device, else the first in view."""
    for profiles in (placed.machines, placed.profiles.values()):
        match = matching_profile(profiles, device)
        if match is not None:
            return match.entry
    return next(iter(placed.machines), None)


def measured_section(placed: PlacedStudy) -> Section | None:
    """Return files, pairs and the kernels that are held against nothing; None without files."""
    from rooflinestudio.core.report.before_after import before_after_section
    from rooflinestudio.core.report.unpaired import unpaired_section

    if not placed.study.overlays:
        return None
    files = Table("Files", _FILE_COLUMNS, tuple(_file(one) for one in placed.study.overlays))
    parts = (
        _pairs_section(placed),
        unpaired_section(placed, machine_of),
        before_after_section(placed.study),
    )
    return Section("measured", "Measured kernels", (files,), tuple(one for one in parts if one is not None))


def _file(overlay: Overlay) -> tuple[str, ...]:
    import numpy as np

    columns = overlay.columns
    time_s = float(np.nansum(columns["time_s"] * np.fmax(columns["count"], 1.0))) if len(overlay) else 0.0
    devices = some_of(text for text in (overlay.texts("device")[1] if len(overlay) else ()) if text)
    return (
        overlay.name,
        overlay.format,
        devices or NOTHING,
        whole(len(overlay)),
        amount(time_s, "s") if time_s > 0 else NOTHING,
        " ".join(overlay.warnings) or NOTHING,
    )


# Pairs ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HeldPair:
    """A pair with the machine that it is held against; what is not known is None."""

    found: FoundPair
    measurement: Measurement
    profile: HardwareProfile | None
    row: PlacedRow | None
    pair: PairReadout | None

    @property
    def title(self) -> str:
        """The kernel with its launch."""
        return f"{elided(self.measurement.kernel_short)}, launch {self.measurement.launch}"


def held_pairs(placed: PlacedStudy) -> list[HeldPair]:
    """Return the pairs of a study, the longest first."""
    pairs = [_held(placed, one) for one in found_pairs(placed.study)]
    return sorted(pairs, key=lambda one: -(one.measurement.time_s or 0.0))


def _pairs_section(placed: PlacedStudy) -> Section | None:
    pairs = held_pairs(placed)
    if not pairs:
        return None
    told, more = pairs[:MOST_PAIRS], len(pairs) - MOST_PAIRS
    note = "Headroom is attainable / achieved at the measured intensity; Q is that at device memory."
    if more > 0:
        note += f" Left out: {several(more, 'pair')} more, of shorter kernels."
    table = Table(
        "Measured kernels against what was predicted for them",
        _PAIR_COLUMNS,
        tuple(_pair_row(one) for one in told),
        note,
    )
    diagnoses = Facts(tuple((one.title, _diagnosed(one)) for one in told))
    below = Section("diagnosis", "What holds them", (diagnoses,))
    return Section("pairs", "Measured against predicted", (table,), (below,))


def _held(placed: PlacedStudy, found: FoundPair) -> HeldPair:
    measurement = found.overlay.measurement(found.index)
    profile = machine_of(placed, measurement.device)
    row = row_for_pair(placed, found.entry.id, profile.id if profile is not None else "")
    pair = None
    if row is not None and profile is not None and DRAM in profile.boundaries:
        pair = read_pair(measurement, row, profile, DRAM, found.overlay)
    return HeldPair(found, measurement, profile, row, pair)


def _pair_row(one: HeldPair) -> tuple[str, ...]:
    pair, measurement = one.pair, one.measurement
    against = row_title(one.row) if one.row is not None else f"{one.found.entry.label or one.found.entry.id}"
    head = (one.title, against, amount(measurement.time_s, "s"))
    if pair is None:
        return (*head, NOTHING, amount(measurement.dram_bytes, "B"), *(NOTHING,) * 4)
    return (
        *head,
        _ratio(pair),
        amount(pair.traffic_bytes, "B"),
        _times(pair.traffic_ratio),
        _times(pair.headroom),
        _times(pair.headroom_ratio),
        amount(pair.work_flop, "FLOP") + ("*" if pair.is_lent else ""),
    )


def _ratio(pair: PairReadout) -> str:
    """Return the time to the forecast, where that is on, else to the bound."""
    if pair.time_ratio is None:
        return NOTHING
    return f"{format_ratio(pair.time_ratio)} than the {'bound' if pair.forecast_s is None else 'forecast'}"


def _times(ratio: float | None) -> str:
    return NOTHING if ratio is None else f"{format_number(ratio)}×"


# Diagnosis --------------------------------------------------------------------------------------------------------


def _diagnosed(one: HeldPair) -> str:
    """Return the verdict on a paired kernel, and how its work was found."""
    if one.profile is None:
        return "Not judged: no machine is in view."
    diagnosis, reason = _diagnosis(one, one.profile)
    return " ".join((diagnosis.verdict, *reason, _work(one.pair, diagnosis), f"Machine: {one.profile.name}."))


def _diagnosis(one: HeldPair, profile: HardwareProfile) -> tuple[Diagnosis, tuple[str, ...]]:
    """Diagnose a kernel; where it cannot be held against its entry, say why."""
    name = one.found.entry.label or one.found.entry.id
    alone = diagnose(one.measurement, profile, overlay=one.found.overlay)
    if one.row is None:
        return alone, (f"{name} is not placed.",)
    try:
        return diagnose(one.measurement, profile, placement=one.row.placement, overlay=one.found.overlay), ()
    except StudioError as error:
        return alone, (f"Not held against {name}: {error}",)


def _work(pair: PairReadout | None, diagnosis: Diagnosis) -> str:
    if pair is not None and pair.is_lent:
        return f"{work_words(pair)} (*): {pair.work_why}."
    work = diagnosis.numbers[0]
    if work.value is None:
        return "W is not known."
    return f"W from {work.recipe}." if work.recipe else "W was counted."
