"""Everything that a kernel can be held against, in the order of a list to choose from, each line with its reasons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from rooflinestudio.core.pairing.edits import paired_entry_id
from rooflinestudio.core.pairing.evidence import gathered
from rooflinestudio.core.pairing.names import read_name
from rooflinestudio.core.pairing.new_entries import NewEntry, new_entries
from rooflinestudio.core.pairing.readout import entry_name, row_for_pair
from rooflinestudio.core.pairing.suggest import bound_of, suggestions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.measurement import Measurement
    from rooflinestudio.core.placing import EstimateSource, PlacedStudy
    from rooflinestudio.core.study import Entry

__all__ = ["HEADINGS", "PairChoice", "matching", "pair_choices"]

Kind = Literal["fits", "new", "other"]

HEADINGS: Final = {"fits": "May be", "new": "Place new, and pair", "other": "Other entries"}
"""What stands over the lines of a kind."""


@dataclass(frozen=True)
class PairChoice:
    """One line to choose.

    Attributes
    ----------
    kind
        An entry that fits, an operator to be placed, or any other entry.
    reason
        Why, in words; for other entries what speaks against it.
    score
        From 0 to 1; 0 for other entries.
    entry_id, new
        What is chosen: an entry, or what is to be placed.
    is_pair
        Whether the kernel is held against it now.
    """

    kind: Kind
    name: str
    reason: str
    score: float = 0.0
    entry_id: str = ""
    slot: int | str = ""
    new: NewEntry | None = None
    is_pair: bool = False


def pair_choices(
    placed: PlacedStudy, source: EstimateSource, digest: str, index: int, machine: str = ""
) -> tuple[PairChoice, ...]:
    """Return all lines for a kernel: entries that fit, operators to place, other entries; empty without the kernel."""
    study = placed.study
    overlay = next((one for one in study.overlays if one.digest == digest), None)
    if overlay is None or not 0 <= index < len(overlay):
        return ()
    measurement, now = overlay.measurement(index), paired_entry_id(study, digest, index)
    entries = {one.id: one for one in study.entries}
    fits = suggestions(placed, overlay, index, machine)
    lines = [
        PairChoice("fits", one.name, one.words, one.score, one.entry_id, entries[one.entry_id].slot,
                   is_pair=one.entry_id == now)
        for one in fits
    ]  # fmt: skip
    profile = placed.profiles.get(machine) or next(iter(placed.machines), None)
    if profile is not None:
        made = new_entries(measurement, source, profile)
        lines += [PairChoice("new", one.name, one.words, one.score, new=one) for one in made]
    told = {one.entry_id for one in fits}
    lines += _others(
        [one for one in study.entries if one.id not in told], placed, measurement, (now, machine)
    )
    return tuple(lines)


def _others(
    entries: list[Entry], placed: PlacedStudy, measurement: Measurement, ground: tuple[str, str]
) -> Iterator[PairChoice]:
    now, machine = ground
    for entry in entries:
        reason = _against(placed, measurement, entry.id, machine)
        yield PairChoice(
            "other", entry_name(entry), reason, 0.0, entry.id, entry.slot, is_pair=entry.id == now
        )


def _against(placed: PlacedStudy, measurement: Measurement, entry_id: str, machine: str) -> str:
    """Return what speaks against an entry, the weightiest first; of a composite that its work is not one kernel's."""
    row = row_for_pair(placed, entry_id, machine)
    if row is None:
        return "not placed"
    if row.placement is not None and row.placement.parts:
        return "made of several kernels"
    name = read_name(measurement.kernel)
    evidence = gathered(measurement, name, bound_of(row))
    found = sorted((one for one in evidence if one.weight < 0 and one.words), key=lambda one: one.weight)
    if found:
        return "; ".join(one.words for one in found)
    return f"the name says {name.word}" if name.word else "the name says nothing"


def matching(choices: tuple[PairChoice, ...], text: str) -> tuple[PairChoice, ...]:
    """Return the lines in which every word of a text is found."""
    words = text.casefold().split()
    return tuple(
        one
        for one in choices
        if all(word in f"{one.name} {one.reason} {one.entry_id}".casefold() for word in words)
    )
