"""What a user types after a command: ``name=value`` pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rooflinestudio.core.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["parameters_from_texts"]


def parameters_from_texts(texts: Iterable[str]) -> dict[str, str]:
    """Read ``name=value`` pairs.

    Raises
    ------
    ParameterError
        If one is no such pair, or a name comes twice.
    """
    result: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise ParameterError(f"{text!r} is no parameter; write it as name=value, for example m=4096.")
        if name in result:
            raise ParameterError(f"the parameter {name!r} is given twice; keep one.")
        result[name] = value
    return result
