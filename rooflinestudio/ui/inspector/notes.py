"""Notes beside a result, each with the first word that says how to take it: Trap, Nuance, Approximation, Aside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rooflinestudio.core.remarks import remarks
from rooflinestudio.ui.widgets.note_box import Note

if TYPE_CHECKING:
    from rooflinestudio.core.placing import PlacedRow

__all__ = ["notes_of"]


def notes_of(row: PlacedRow) -> tuple[Note, ...]:
    """Return the notes of a placed row: the remarks whose rules apply, then what else the model has to say."""
    placement = row.placement
    if placement is None:
        return ()
    made = remarks(placement)
    told = {one.text for one in made}
    return (
        *(Note(one.kind, one.text) for one in made),
        *(_told(text) for text in placement.notes if text not in told),
    )


def _told(text: str) -> Note:
    """Give a note of the model its word."""
    if text.startswith("Does not fit"):
        return Note("Trap", text)
    if "approximate" in text:
        return Note("Approximation", text)
    if text.startswith(("A model", "Not judged", "Held against", "The model cannot see")):
        return Note("Nuance", text)
    return Note("Aside", text)
