"""Finding things by a few letters: how well they match, and what stands first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["PaletteItem", "fuzzy_match", "ranked"]

SHOWN_LIMIT: Final = 200

_START, _WORD, _RUN, _OTHER = 12, 8, 6, 1
_GAP_COST: Final = 0.15
_LEAST: Final = 2.5
"""Score that a letter must bring on average: less means that the letters are strewn over the text."""


@dataclass(frozen=True, slots=True)
class PaletteItem:
    """One row.

    Attributes
    ----------
    id
        Action key or operator id, with its kind before it: ``action:file.open``, ``operator:gemm``.
    title, place
        What it is called, and where it is otherwise found: menu or category.
    keys
        Shortcut on the right.
    words
        Further words by which it is found, such as the operator's id.
    """

    id: str
    title: str
    place: str = ""
    keys: str = ""
    icon: str = ""
    words: str = ""
    enabled: bool = True


def fuzzy_match(query: str, text: str) -> tuple[float, tuple[int, ...]] | None:
    """Return how well the letters of a query are found in a text, in order, and where; None if they are not.

    A letter counts most at the start, then at the start of a word, then right behind the one before. Case and blanks of
    the query do not matter.
    """
    letters = [one for one in query.casefold() if not one.isspace()]
    if not letters:
        return 0.0, ()
    low = text.casefold()
    if len(low) != len(text):  # a letter that folds into two: positions would be off
        low = text.lower()
    best: dict[int, tuple[float, tuple[int, ...]]] = {-1: (0.0, ())}
    for letter in letters:
        step: dict[int, tuple[float, tuple[int, ...]]] = {}
        for at, one in enumerate(low):
            if one != letter:
                continue
            reached = [_reach(low, at, before, best[before]) for before in best if before < at]
            if reached:
                step[at] = max(reached)
        if not step:
            return None
        best = step
    score, places = max(best.values())
    return score - 0.01 * len(text), places


def _reach(
    low: str, at: int, before: int, so_far: tuple[float, tuple[int, ...]]
) -> tuple[float, tuple[int, ...]]:
    score, places = so_far
    if at == 0:
        gain: float = _START
    elif not low[at - 1].isalnum():
        gain = _WORD
    elif places and at == before + 1:
        gain = _RUN
    else:
        gain = _OTHER
    gap = at - before - 1 if places else 0
    return score + gain - _GAP_COST * gap, (*places, at)


def ranked(query: str, items: Iterable[PaletteItem]) -> list[tuple[PaletteItem, tuple[int, ...]]]:
    """Return the items that a query finds, the best first, each with the places of its letters in the title.

    The letters may be strewn over a title, a little; in the further words each word of the query must stand as it is.
    """
    letters, words = sum(not one.isspace() for one in query), query.casefold().split()
    found = []
    for order, item in enumerate(items):
        hit = fuzzy_match(query, item.title)
        if hit is not None and hit[0] >= _LEAST * letters - 1:
            score, places = hit
        elif all(one in f"{item.place} {item.title} {item.words}".casefold() for one in words):
            score, places = 0.0, ()
        else:
            continue
        found.append((not item.enabled, -score, order, item, places))
    found.sort(key=lambda one: one[:3])
    return [(item, places) for _, _, _, item, places in found[:SHOWN_LIMIT]]
