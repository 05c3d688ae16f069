"""Notes beside a result, each with the first word that says how to take it: Trap, Nuance, Approximation, Aside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.placement import ALL
from rooflinestudio.ui.widgets.note_box import Note
from rooflinestudio.ui.widgets.words import binding_word, intensity_text, percent_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.placement import Placement
    from rooflinestudio.core.placing import PlacedRow

__all__ = ["notes_of"]

_SLOWER = 1.02  # what all boundaries together must add to the time before it is worth a trap


def notes_of(row: PlacedRow) -> tuple[Note, ...]:
    """Return the notes of a placed row, the most important first."""
    placement = row.placement
    if placement is None:
        return ()
    return (*_traps(row, placement), *_nuances(row, placement), *map(_told, placement.notes))


def _traps(row: PlacedRow, placement: Placement) -> Iterator[Note]:
    trap = _other_boundary(row, placement)
    if trap is not None:
        yield trap
    if (
        placement.bound == "memory"
        and placement.work_flop > 0
        and placement.intensity < placement.at(placement.boundary_id).ridge / 4
    ):
        yield Note(
            "Trap",
            "Cutting FLOPs moves this point left along the slope: the same time, and a lower fraction of peak.",
        )


def _other_boundary(row: PlacedRow, placement: Placement) -> Note | None:
    """Warn of a verdict that holds only at the boundary that was chosen."""
    if row.settings.boundary == ALL or placement.parts:
        return None
    try:
        every = row.varied(boundary=ALL)
    except StudioError:
        return None
    if (
        every.bound not in ("memory", "latency")
        or every.binding == placement.binding
        or every.time_s < placement.time_s * _SLOWER
    ):
        return None
    at = every.at(every.boundary_id)
    here = placement.at(placement.boundary_id).label
    return Note(
        "Trap",
        f"That verdict holds at {here} only. Over all crossed boundaries {binding_word(every)} binds, at "
        f"{percent_text(every.fraction_of_peak)} of peak: I = {intensity_text(at.intensity)} against a ridge of "
        f"{intensity_text(at.ridge)}.",
    )


def _nuances(row: PlacedRow, placement: Placement) -> Iterator[Note]:
    policies = row.policies
    bounds = {policy: one.bound for policy, one in policies.items()}
    if len(set(bounds.values())) > 1:
        words = ", ".join(f"{policy}: {bound}" for policy, bound in bounds.items())
        yield Note(
            "Nuance",
            f"The bound depends on how bytes are counted ({words}). The truth lies in the corridor between.",
        )
    if placement.settings.overlap < 1:
        yield Note(
            "Nuance",
            "With an overlap under 1 compute and memory wait for each other: time rounds off towards their sum.",
        )
    if row.settings.policy == "compulsory" and "dram" in placement.estimate.blocked:
        yield Note(
            "Approximation",
            "Compulsory traffic is a floor, so this intensity is a ceiling: a kernel that misses it re-reads.",
        )


def _told(text: str) -> Note:
    """Give a note of the model its word."""
    if text.startswith("Does not fit"):
        return Note("Trap", text)
    if "approximate" in text:
        return Note("Approximation", text)
    if text.startswith(("A model", "Not judged", "Held against")):
        return Note("Nuance", text)
    return Note("Aside", text)
