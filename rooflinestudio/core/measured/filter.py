"""The filter of the measured table: a regular expression, held against each different name once."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.errors import StudioError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

__all__ = ["FilterError", "compiled_filter", "names_matching"]

_LONGEST_PATTERN: Final = 300
_LONGEST_NAME: Final = 4_000  # characters of a name that are looked at
_MOST_SECONDS: Final = 3.0
_UNBOUNDED: Final = re.compile(r"[*+]|\{\d*,\}")


class FilterError(StudioError):
    """A text that is no filter; the message says why."""


def compiled_filter(pattern: str) -> re.Pattern[str]:
    """Return the expression of a text; upper and lower case count as the same.

    Raises
    ------
    FilterError
        The text is no regular expression, is too long, or repeats what repeats, which can take for ever.
    """
    if len(pattern) > _LONGEST_PATTERN:
        raise FilterError(f"The filter has {len(pattern)} characters; at most {_LONGEST_PATTERN} are read.")
    try:
        made = re.compile(pattern, re.IGNORECASE)
    except (re.error, OverflowError, RecursionError) as error:
        at = getattr(error, "pos", None)
        where = "" if at is None else f" (character {at + 1})"
        raise FilterError(f"Not a regular expression: {getattr(error, 'msg', error)}{where}.") from None
    if _repeats_a_repeat(pattern):
        raise FilterError(
            "A group that repeats or has alternatives is itself repeated: that can take for ever."
        )
    return made


def names_matching(pattern: str, names: Sequence[str]) -> npt.NDArray[np.bool_]:
    """Return which names an expression is found in; an empty one is found everywhere.

    Raises
    ------
    FilterError
        See :func:`compiled_filter`; or it takes too long.
    """
    import numpy as np

    if not pattern:
        return np.ones(len(names), dtype=bool)
    search = compiled_filter(pattern).search
    stop = time.monotonic() + _MOST_SECONDS
    found = np.zeros(len(names), dtype=bool)
    for start in range(0, len(names), 256):
        part = names[start : start + 256]
        found[start : start + len(part)] = [search(name[:_LONGEST_NAME]) is not None for name in part]
        if time.monotonic() > stop:
            raise FilterError("The filter takes too long: make it simpler.")
    return found


def _repeats_a_repeat(pattern: str) -> bool:
    """Whether a group with a repeat or alternatives inside is repeated without bound, as in ``(a+)+``."""
    inside = [False]
    position = 0
    while position < len(pattern):
        character = pattern[position]
        if character == "\\":
            position += 2
            continue
        if character == "[":
            position = _after_class(pattern, position)
            continue
        if character == "(":
            inside.append(False)
        elif character == ")" and len(inside) > 1:
            risky = inside.pop()
            if risky and _UNBOUNDED.match(pattern, position + 1):
                return True
            inside[-1] |= risky
        elif character == "|" or _UNBOUNDED.match(pattern, position):
            inside[-1] = True
        position += 1
    return False


def _after_class(pattern: str, start: int) -> int:
    """Return the position behind a class of characters such as ``[^]a-z]``."""
    position = start + 1
    position += pattern[position : position + 1] == "^"
    position += pattern[position : position + 1] == "]"
    while position < len(pattern) and pattern[position] != "]":
        position += 2 if pattern[position] == "\\" else 1
    return position + 1
