"""What is said below the tables while a profile is edited, each with the buttons that settle it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from rooflinestudio.core.profile_edit.draft import doubt
from rooflinestudio.core.profile_edit.places import name_of, places_of, rate_at
from rooflinestudio.core.profile_edit.rows import entry_text
from rooflinestudio.core.profile_edit.wording import rate_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.profile_edit.draft import Draft, RefusedEntry
    from rooflinestudio.core.profile_edit.places import FigurePlace

__all__ = ["EditorNote", "NoteAction", "deleted_note", "doubt_notes", "refusal_notes", "saved_note"]

_CAUSES: Final = {
    "ceilings": "Usual causes: a rate with sparsity, another pipe, work counted twice",
    "boundaries": "Usual causes: cache hits, read and write counted twice",
}


@dataclass(frozen=True, slots=True)
class NoteAction:
    """What a button of a note does.

    Attributes
    ----------
    kind
        ``type`` puts a text into the entry of the note, ``restore`` puts back what stood there, ``remove`` takes the
        row out, ``use_anyway`` uses a doubtful figure; ``apply`` and ``explain`` belong to findings of the self-check;
        ``take`` takes the saved machine into the study.
    label
        On the button.
    text
        For ``type``.
    """

    kind: Literal["type", "restore", "remove", "use_anyway", "apply", "explain", "take"]
    label: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class EditorNote:
    """One box.

    Attributes
    ----------
    key
        What stays the same while the note is the same.
    tone
        ``error`` holds saving up; ``warn`` does not.
    head, text
        First words, and the sentence.
    subject
        What the buttons act on: a refused entry, a place, or a finding.
    """

    key: str
    tone: Literal["error", "warn", ""]
    head: str
    text: str
    actions: tuple[NoteAction, ...] = ()
    subject: Any = None


def refusal_notes(draft: Draft) -> tuple[EditorNote, ...]:
    """Return a note for each typed text that was not taken."""
    return tuple(_refused(draft, one) for one in draft.refused)


def _refused(draft: Draft, entry: RefusedEntry) -> EditorNote:
    place = entry.place
    actions = [NoteAction("type", one.label, one.text) for one in entry.refusal.corrections]
    if not entry.refusal.text.strip():
        actions.append(NoteAction("remove", "Take the row out"))
    if (
        entry.field == "value"
        and not entry.refusal.corrections
        and entry_text(draft.profile, place, entry.side)
    ):
        actions.append(NoteAction("restore", "Back to what stood there"))
    which = "date" if entry.field == "date" else {"stated": "published", "measured": "measured"}[entry.side]
    name = name_of(draft.profile, place)
    head = f"{name}, {which}" if place.is_rate or entry.field == "date" else name
    return EditorNote(
        _key("refused", place, which), "error", head, entry.refusal.reason, tuple(actions), entry
    )


def doubt_notes(draft: Draft) -> Iterator[EditorNote]:
    """Yield a note for each measured rate above the stated one that is not used."""
    for place in places_of(draft.profile):
        one = rate_at(draft.profile, place) if place.is_rate else None
        ratio = doubt(one) if one is not None else None
        if (
            one is None
            or ratio is None
            or one.in_use == "measured"
            or one.observed is None
            or one.stated is None
        ):
            continue
        id_, unit = (place.id, "FLOP/s") if place.group == "ceilings" else ("", "B/s")
        what = f"{rate_text(one.observed.value, unit, id_)} is {ratio:.2f}× the {one.stated.provenance} rate."
        reason = _reason(draft.profile, place)
        yield EditorNote(
            _key("doubt", place, ""),
            "" if reason else "warn",
            f"{name_of(draft.profile, place)}, measured",
            f"{what} {reason or _CAUSES[place.group]}. Not used.",
            (NoteAction("use_anyway", "Use anyway"),),
            place,
        )


def _reason(profile: HardwareProfile, place: FigurePlace) -> str:
    """Return why a measured rate above the stated one is right, without its full stop, if somebody wrote it down."""
    from rooflinestudio.core.profile_check import finding_id

    base = (place.group, place.id)
    used = base if place.group == "ceilings" else (*base, "bandwidth")
    keys = (finding_id("above-published", where) for where in ((*base, "measured"), used))
    return next((profile.explained[key] for key in keys if key in profile.explained), "").rstrip(". ")


def saved_note(profile: HardwareProfile) -> EditorNote:
    """Return what is said when a profile was saved of which the open study keeps a copy."""
    text = "The open study keeps the copy that it had. Take the new figures into it? That can be undone."
    action = NoteAction("take", "Take into the study")
    return EditorNote("message.take", "", f"{profile.name} is saved", text, (action,), profile)


def deleted_note() -> EditorNote:
    """Return what is said when the file of a profile was deleted."""
    return EditorNote("message.delete", "", "Deleted", "Its file is gone; saving it brings it back.")


def _key(kind: str, place: FigurePlace, which: str) -> str:
    return f"{kind}.{place.group}.{place.id}.{place.part}.{which}"
