"""Finding things by a few letters: how well they match, and what stands first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["PaletteItem", "fuzzy_match", "ranked"]

SHOWN_LIMIT: Final = 60

_START, _WORD, _RUN, _OTHER = 12, 8, 6, 1
_GAP_COST: Final = 0.15
_IN_TITLE, _IN_WORDS = 2.5, 5.0
"""Least score for a letter: fewer mean that the letters are strewn over the text."""


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
    """Return the items that a query finds, the best first, each with the places of its letters in the title."""
    found = []
    for order, item in enumerate(items):
        hit = _if_above(_IN_TITLE, query, fuzzy_match(query, item.title))
        by_word = _if_above(_IN_WORDS, query, fuzzy_match(query, f"{item.place} {item.title} {item.words}"))
        if hit is None and by_word is None:
            continue
        score = hit[0] if hit is not None else by_word[0] / 2 - 5 if by_word is not None else 0.0
        found.append((not item.enabled, -score, order, item, hit[1] if hit is not None else ()))
    found.sort(key=lambda one: one[:3])
    return [(item, places) for _, _, _, item, places in found[:SHOWN_LIMIT]]


def _if_above(
    least: float, query: str, hit: tuple[float, tuple[int, ...]] | None
) -> tuple[float, tuple[int, ...]] | None:
    letters = sum(not one.isspace() for one in query)
    return hit if hit is not None and hit[0] >= least * letters - 1 else None
