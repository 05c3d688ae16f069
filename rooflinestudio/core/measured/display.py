"""Shorter forms of a kernel's name for where it does not fit: what tells kernels apart stays the longest."""

from __future__ import annotations

from functools import lru_cache

from rooflinestudio.core.measurement_names import normalised_kernel_name

__all__ = ["shorter_names"]

_OPENERS, _CLOSERS = "<[{(", ">]})"


@lru_cache(maxsize=4096)
def shorter_names(kernel: str) -> tuple[str, ...]:
    """Return forms of a name from long to short: without parameters, then without namespaces either.

    Overloads and namespaces seldom tell kernels of one file apart; the function and its template arguments do.
    """
    named = normalised_kernel_name(kernel)
    own = _function(named)
    return tuple(dict.fromkeys(one for one in (named, own) if one and one != kernel))


def _function(name: str) -> str:
    """Return what follows the last ``::`` outside all brackets."""
    depth = start = 0
    for at, letter in enumerate(name):
        if letter in _OPENERS:
            depth += 1
        elif letter in _CLOSERS:
            depth = max(depth - 1, 0)
        elif depth == 0 and name.startswith("::", at):
            start = at + 2
    return name[start:]
