"""How much of a cache of keys and values one decoded token sees, and reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rooflinestudio.plugins import Parameter
from rooflinestudio.plugins.arithmetic import ceil_div, is_number, smaller, where

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.plugins.arithmetic import Num

__all__ = ["PAGE", "WINDOW", "read_tokens", "seen_tokens", "token_words"]

WINDOW = Parameter(
    "window", "window", 0, low=0, high=1e9, help="Only this many of the latest tokens are seen; 0: all of them."
)  # fmt: skip
PAGE = Parameter(
    "page", "page", 0, low=0, high=1e6, help="Tokens in a page of the cache; pages are read whole; 0: no pages."
)  # fmt: skip


def seen_tokens(context: Num, window: Num) -> Num:
    """Return how many cached tokens a query sees; a window of 0 is none."""
    if is_number(window) and window == 0:
        return context
    return where(window > 0, smaller(context, window), context)


def read_tokens(seen: Num, page: Num) -> Num:
    """Return the tokens that cross: as many as are seen, rounded up to whole pages."""
    if is_number(page) and page == 0:
        return seen
    size = where(page > 0, page, 1.0)
    return ceil_div(seen, size) * size


def token_words(p: Mapping[str, Any]) -> tuple[str, str]:
    """Return the symbols of the tokens that are seen, and of those that are read."""
    tokens = "seen" if not is_number(p["window"]) or p["window"] else "context"
    return tokens, f"⌈{tokens}/page⌉·page" if not is_number(p["page"]) or p["page"] else tokens
