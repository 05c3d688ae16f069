"""A profile that is being edited: the profile, what was typed and refused, and which figures it works with."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal

from rooflinestudio.core.hardware import Figure, Use
from rooflinestudio.core.profile_edit.imported import joined_note, split_note
from rooflinestudio.core.profile_edit.places import (
    FigurePlace,
    Side,
    figure_at,
    places_of,
    rate_at,
    unit_at,
    with_figure,
    with_rate,
)
from rooflinestudio.core.profile_edit.typed import Correction, Refusal, read_typed

if TYPE_CHECKING:
    from rooflinestudio.core.hardware import Boundary, ComputeCeiling, HardwareProfile, Provenance

__all__ = [
    "DOUBT_ABOVE", "Draft", "RefusedEntry", "UseMode", "Words", "doubt", "draft_of", "set_provenance", "set_words",
    "type_figure", "use_anyway", "use_in_row", "with_mode", "with_profile",
]  # fmt: skip

UseMode = Literal["stated", "measured", "rows"]
"""Which figures a profile works with: the stated ones, the measured ones where known, or as each row says."""

Words = Literal["source", "condition", "date", "note"]
"""What can be written beside a figure."""

DOUBT_ABOVE: Final = 1.02
"""A measured rate above this multiple of the stated one is not used until somebody says so."""

_DATE: Final = re.compile(r"\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?")
_LONGEST: Final = 2000


@dataclass(frozen=True, slots=True)
class RefusedEntry:
    """A typed text that is not in the profile, where it was typed; ``field`` is ``value`` or ``date``."""

    place: FigurePlace
    side: Side
    refusal: Refusal
    field: Literal["value", "date"] = "value"

    @property
    def key(self) -> tuple[FigurePlace, Side, str]:
        """What two texts in the same entry have in common."""
        return self.place, self.side, self.field


@dataclass(frozen=True)
class Draft:
    """Everything that undo takes back.

    Attributes
    ----------
    profile
        As it is now; refused texts are not in it.
    mode
        Which figures it works with.
    refused
        In the order of typing.
    allowed
        Rates whose doubtful measured figure may be used all the same.
    """

    profile: HardwareProfile
    mode: UseMode = "measured"
    refused: tuple[RefusedEntry, ...] = ()
    allowed: frozenset[FigurePlace] = frozenset()

    def refusal_at(self, place: FigurePlace, side: Side, field: str = "value") -> Refusal | None:
        """Return what was refused in an entry, or None."""
        return next((one.refusal for one in self.refused if one.key == (place, side, field)), None)


def doubt(one: ComputeCeiling | Boundary) -> float | None:
    """Return the measured rate as a multiple of the stated one, where it is suspiciously above it; else None."""
    if one.stated is None or one.observed is None:
        return None
    ratio = one.observed.value / one.stated.value
    return ratio if ratio > DOUBT_ABOVE else None


def draft_of(profile: HardwareProfile) -> Draft:
    """Begin to edit a profile: its mode follows from which of its figures are in use."""
    both = [place for place in places_of(profile) if place.is_rate and _knows_both(profile, place)]
    measured = [place for place in both if _rate(profile, place).in_use == "measured"]
    doubtful = frozenset(place for place in both if doubt(_rate(profile, place)) is not None)
    trusted = [place for place in both if place not in doubtful]
    mode: UseMode = "rows"
    if not both or all(place in measured for place in trusted):
        mode = "measured"
    elif not measured:
        mode = "stated"
    return Draft(profile, mode, allowed=doubtful & frozenset(measured))


def with_profile(draft: Draft, profile: HardwareProfile) -> Draft:
    """Return the draft with another profile; texts that were refused in places that are gone go with them."""
    refused = tuple(one for one in draft.refused if _is_there(profile, one.place))
    return replace(draft, profile=profile, refused=refused, allowed=draft.allowed & {*places_of(profile)})


def _is_there(profile: HardwareProfile, place: FigurePlace) -> bool:
    return place.group in ("clocks", "machine") or rate_at(profile, place) is not None


def _rate(profile: HardwareProfile, place: FigurePlace) -> ComputeCeiling | Boundary:
    one = rate_at(profile, place)
    if one is None:
        raise KeyError(f"{profile.id} has no {place.id}")
    return one


def _knows_both(profile: HardwareProfile, place: FigurePlace) -> bool:
    one = _rate(profile, place)
    return one.stated is not None and one.observed is not None


# Figures -----------------------------------------------------------------------------------------------------------


def type_figure(draft: Draft, place: FigurePlace, side: Side, text: str, *, today: str) -> Draft:
    """Take a typed figure; a text that cannot be read stays in ``refused`` with what was perhaps meant.

    An empty text takes the figure out. A new value is no longer vouched for by the source of the old one: it is
    ``assumed`` (or ``measured``), of today, until somebody says more.

    Parameters
    ----------
    today
        ISO date.
    """
    clean = _without_refusal(draft, place, side, "value")
    if not text.strip():
        return _cleared(clean, draft, place, side)
    sides: tuple[Side, ...] = (side, "stated", "measured")
    before = next(
        (one for one in (figure_at(draft.profile, place, at) for at in sides) if one is not None), None
    )
    value = read_typed(text, unit_at(place), before=before.value if before is not None else None)
    if isinstance(value, Refusal):
        return replace(clean, refused=(*clean.refused, RefusedEntry(place, side, value)))
    known = figure_at(draft.profile, place, side)
    if known is not None and known.value == value:
        return clean
    return _with_value(clean, place, side, _typed_figure(known, value, side, today))


def _typed_figure(known: Figure | None, value: float, side: Side, today: str) -> Figure:
    provenance: Provenance = "measured" if side == "measured" else "assumed"
    condition = known.condition if known is not None else ""
    return Figure(value, provenance, condition, date=today)


def _with_value(draft: Draft, place: FigurePlace, side: Side, figure: Figure) -> Draft:
    profile = with_figure(draft.profile, place, figure, side)
    allowed = draft.allowed - {place}  # what was allowed was another figure
    return _reused(replace(draft, profile=profile, allowed=allowed), place)


def _cleared(clean: Draft, before: Draft, place: FigurePlace, side: Side) -> Draft:
    """Take a figure out; the last one of a rate stays, since only the whole row can go."""
    if figure_at(before.profile, place, side) is None:
        return clean
    try:
        return replace(clean, profile=with_figure(before.profile, place, None, side))
    except ValueError:
        reason = "It is the only figure here. Take the whole row out, or write another one."
        return replace(clean, refused=(*clean.refused, RefusedEntry(place, side, Refusal("", reason))))


def _without_refusal(draft: Draft, place: FigurePlace, side: Side, field: str) -> Draft:
    kept = tuple(one for one in draft.refused if one.key != (place, side, field))
    return draft if len(kept) == len(draft.refused) else replace(draft, refused=kept)


# Words beside a figure ---------------------------------------------------------------------------------------------


def set_words(draft: Draft, place: FigurePlace, side: Side, field: Words, text: str) -> Draft:
    """Write source, condition, date or note of a figure; a date that is none is kept as refused.

    A note keeps the name of the file that the figure was imported from.
    """
    text = " ".join(text.split())[:_LONGEST]
    figure = figure_at(draft.profile, place, side)
    if figure is None:
        return draft
    if field == "note":
        text = joined_note(split_note(figure.note)[0], text)
    clean = _without_refusal(draft, place, side, field)
    if field == "date" and text and not _DATE.fullmatch(text):
        refusal = Refusal(text, "A date is written 2026-11-29, 2026-11 or 2026.", _dates(text))
        return replace(clean, refused=(*clean.refused, RefusedEntry(place, side, refusal, "date")))
    changes: dict[str, Any] = {field: text, **({"confidence": ""} if field == "source" else {})}
    return replace(clean, profile=with_figure(draft.profile, place, replace(figure, **changes), side))


def _dates(text: str) -> tuple[Correction, ...]:
    """Read a date with its day first, as far as it can only be that."""
    found = re.fullmatch(r"(\d{1,2})[./ ](\d{1,2})[./ ](\d{4})", text)
    if found is None or not (1 <= int(found[2]) <= 12 and 1 <= int(found[1]) <= 31):
        return ()
    iso = f"{found[3]}-{int(found[2]):02}-{int(found[1]):02}"
    return (Correction(iso, iso),)


def set_provenance(draft: Draft, place: FigurePlace, provenance: Provenance) -> Draft:
    """Say where the stated figure of a place comes from: ``published``, ``derived`` or ``assumed``.

    Places that have one figure only take ``measured`` too.
    """
    figure = figure_at(draft.profile, place)
    if figure is None or (place.is_rate and provenance == "measured"):
        return draft
    changed = replace(figure, provenance=provenance, confidence="")
    return replace(draft, profile=with_figure(draft.profile, place, changed))


# Which figure is in use --------------------------------------------------------------------------------------------


def with_mode(draft: Draft, mode: UseMode) -> Draft:
    """Work with the stated figures, with the measured ones where known and not doubtful, or as the rows are."""
    changed = replace(draft, mode=mode)
    for place in places_of(draft.profile):
        if place.is_rate:
            changed = _reused(changed, place)
    return changed


def _reused(draft: Draft, place: FigurePlace) -> Draft:
    """Let one rate follow the mode; by row, what was in use stays so unless it has become doubtful."""
    if not place.is_rate:
        return draft
    one = _rate(draft.profile, place)
    is_doubtful = doubt(one) is not None and place not in draft.allowed
    wanted: Use = one.in_use if draft.mode == "rows" else draft.mode
    return _using(draft, place, "stated" if is_doubtful else wanted)


def _using(draft: Draft, place: FigurePlace, use: Use) -> Draft:
    one = _rate(draft.profile, place)
    pair = {"stated": one.stated, "measured": one.observed}
    return replace(draft, profile=with_rate(draft.profile, place, pair, use=use))


def use_in_row(draft: Draft, place: FigurePlace, use: Use) -> Draft:
    """Use one of the two figures of a rate, whatever the others do; a doubtful one is thereby allowed."""
    if not _knows_both(draft.profile, place):
        return draft
    allowed = draft.allowed | {place} if use == "measured" else draft.allowed - {place}
    return _using(replace(draft, mode="rows", allowed=allowed), place, use)


def use_anyway(draft: Draft, place: FigurePlace) -> Draft:
    """Use a measured figure that lies above the stated one; the mode stays where it says measured."""
    allowed = replace(
        draft, allowed=draft.allowed | {place}, mode="rows" if draft.mode == "stated" else draft.mode
    )
    return _using(allowed, place, "measured")
