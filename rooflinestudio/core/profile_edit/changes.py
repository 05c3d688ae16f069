"""What differs between two profiles: a copy and the one it was made from, or a study's copy and the library's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from rooflinestudio.core.profile_edit.places import (
    FigurePlace,
    Side,
    figure_at,
    name_of,
    places_of,
    rate_at,
    unit_at,
)
from rooflinestudio.core.profile_edit.wording import exact_text, rate_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from rooflinestudio.core.hardware import Figure, HardwareProfile

__all__ = [
    "ProfileChange", "base_words", "changes_between", "differs", "study_changes", "summary_of_changes",
]  # fmt: skip

_NOTHING: Final = "–"
_WORDS: Final = ("condition", "source", "date", "note", "provenance", "confidence")
_TEXTS: Final = {
    "name": "name", "short_name": "short name", "vendor": "vendor", "architecture": "architecture", "year": "year",
    "kind": "kind", "reference_ceiling": "reference ceiling",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ProfileChange:
    """One difference.

    Attributes
    ----------
    name
        Of the figure, or of what else differs: ``bf16 tensor, measured``.
    before, after
        As people read it; a dash where nothing is known.
    kind
        ``figure`` where a value differs, came or went; ``use`` where another one is worked with; ``words`` where only
        what is said about it differs.
    """

    name: str
    before: str
    after: str
    kind: Literal["figure", "use", "words"]

    @property
    def words(self) -> str:
        """The whole in a line."""
        return f"{self.name}: {self.before} → {self.after}"


def differs(before: HardwareProfile, after: HardwareProfile) -> bool:
    """Tell whether two profiles say anything different."""
    return before.content_hash != after.content_hash


def changes_between(before: HardwareProfile, after: HardwareProfile) -> tuple[ProfileChange, ...]:
    """Return what differs, in the order of the editor: figures and their words, then the rest.

    Id, the profile that one was made from, and reasons given to the self-check are no difference of the machine.
    """
    places = dict.fromkeys((*places_of(before), *places_of(after)))
    found = [one for place in places for one in _at(before, after, place)]
    for key, word in _TEXTS.items():
        old, new = str(getattr(before, key)), str(getattr(after, key))
        if old != new:
            found.append(ProfileChange(word, old or _NOTHING, new or _NOTHING, "words"))
    found += _rest(before, after)
    return tuple(found)


def _at(before: HardwareProfile, after: HardwareProfile, place: FigurePlace) -> Iterator[ProfileChange]:
    name = name_of(after if rate_at(after, place) is not None else before, place)
    sides: tuple[Side, ...] = ("stated", "measured") if place.is_rate else ("stated",)
    for side in sides:
        old, new = figure_at(before, place, side), figure_at(after, place, side)
        yield from _figures(name + (", measured" if side == "measured" else ""), old, new, place)
    was, now = (
        rate_at(before, place) if place.is_rate else None,
        rate_at(after, place) if place.is_rate else None,
    )
    if was is None or now is None or was.in_use == now.in_use:
        return
    if None not in (was.stated, was.observed) and None not in (now.stated, now.observed):
        words = {"stated": "published", "measured": "measured"}
        yield ProfileChange(f"{name}, in use", words[was.in_use], words[now.in_use], "use")


def _figures(
    name: str, old: Figure | None, new: Figure | None, place: FigurePlace
) -> Iterator[ProfileChange]:
    unit = unit_at(place)
    if old is None or new is None or old.value != new.value:
        if old is not new:
            yield ProfileChange(name, *_shown(old, new, unit, place.id), "figure")
        return
    said = [word for word in _WORDS if getattr(old, word) != getattr(new, word)]
    for word in said[:1]:
        more = f" and {len(said) - 1} more" if len(said) > 1 else ""
        was, now = (str(getattr(one, word)) or _NOTHING for one in (old, new))
        yield ProfileChange(f"{name}, {word}{more}", was, now, "words")


def _shown(old: Figure | None, new: Figure | None, unit: str, id_: str) -> tuple[str, str]:
    """Write two values as short as tells them apart."""
    short = [_NOTHING if one is None else rate_text(one.value, unit, id_) for one in (old, new)]
    if short[0] == short[1] and old is not None and new is not None:
        short = [exact_text(one.value, unit, id_) for one in (old, new)]
    return short[0], short[1]


def _rest(before: HardwareProfile, after: HardwareProfile) -> Iterator[ProfileChange]:
    """Yield what has no figure of its own: shares, slopes, tiles, labels, notes and sources, each as a whole."""
    for id_ in before.ceilings.keys() & after.ceilings.keys():
        if before.ceilings[id_].achievable != after.ceilings[id_].achievable:
            yield _whole(f"{after.ceilings[id_].label}, achievable shares")
    for id_, old in before.boundaries.items():
        new = after.boundaries.get(id_)
        if new is None:
            continue
        if old.label != new.label:
            yield ProfileChange(f"{id_}, label", old.label, new.label, "words")
        if (old.slopes, old.achievable) != (new.slopes, new.achievable):
            yield _whole(f"{new.label}, slopes and shares")
        if (old.approximate, old.feeds_matrix) != (new.approximate, new.feeds_matrix):
            yield _whole(f"{new.label}, how it counts")
    for key, word in (("matrix_tile", "tiles for products"), ("notes", "notes"), ("sources", "sources")):
        if getattr(before, key) != getattr(after, key):
            yield _whole(word)


def _whole(name: str) -> ProfileChange:
    return ProfileChange(name, "as it was", "changed", "words")


def summary_of_changes(changes: tuple[ProfileChange, ...]) -> str:
    """Say how much differs: ``2 figures changed``, ``another figure in use``, ``only words changed``, ``no change``."""
    figures = sum(one.kind == "figure" for one in changes)
    if figures:
        return f"{figures} figure{'s' if figures > 1 else ''} changed"
    uses = sum(one.kind == "use" for one in changes)
    if uses:
        return f"{uses} other figure{'s' if uses > 1 else ''} in use"
    return "only words changed" if changes else "no figure changed"


def study_changes(
    copies: Mapping[str, HardwareProfile], library: Iterable[HardwareProfile]
) -> dict[str, tuple[ProfileChange, ...]]:
    """Return what has changed in the library since a study took its copies, by id; what is the same is left out.

    Parameters
    ----------
    copies
        The profiles of a study.
    library
        Machines as they are now, shipped or the user's own; those that the study has no copy of do not matter.
    """
    found = {}
    for profile in library:
        copy = copies.get(profile.id)
        if copy is not None and copy is not profile and differs(copy, profile):
            found[profile.id] = changes_between(copy, profile)
    return {id_: changes for id_, changes in found.items() if changes}


def base_words(profile: HardwareProfile, base: HardwareProfile | None) -> str:
    """Say what a profile was made from and how far it is from that: ``from H100 SXM5 80 GB, 2 figures changed``."""
    if not profile.based_on:
        return ""
    if base is None:
        return f"from {profile.based_on}, which is not here"
    own = tuple(one for one in changes_between(base, profile) if one.name not in ("name", "short name"))
    return f"from {base.name}, {summary_of_changes(own)}"
