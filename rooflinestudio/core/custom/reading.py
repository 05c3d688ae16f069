"""Reading plain data from strangers: every value is checked, and every fault is noted, not only the first."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Mapping
from typing import Any, Final

from rooflinestudio.core.formulas import Expression, FormulaError, Scope, compile_formula, shortened
from rooflinestudio.core.yaml_text import Fault, Place

__all__ = ["Reader", "nearest", "shown"]

LONGEST_LINE: Final = 200


class Reader:
    """Looks at values one by one.

    Attributes
    ----------
    faults
        What was wrong so far: place, and words that follow the place's name. Lines are not known here.
    """

    def __init__(self) -> None:
        self.faults: list[Fault] = []

    def fault(self, place: Place, text: str) -> None:
        """Note a fault."""
        self.faults.append(Fault(place, 0, text))

    def table(self, value: Any, known: Iterable[str], place: Place, what: str) -> dict[str, Any]:
        """Return a mapping without its empty keys; unknown ones are faults."""
        if value is None:
            return {}
        if not isinstance(value, Mapping):
            self.fault(place, f"is {shown(value)}, but must be a mapping. {what}")
            return {}
        names = tuple(known)
        for key in value:
            if key not in names:
                self.fault((*place, str(key)), f"is an unknown key. {nearest(str(key), names)}")
        return {key: value[key] for key in names if value.get(key) is not None}

    def named(self, value: Any, place: Place, what: str, *, most: int) -> dict[str, Any]:
        """Return a mapping with any texts as keys; empty keys are left out."""
        if value is None:
            return {}
        if not isinstance(value, Mapping):
            self.fault(place, f"is {shown(value)}, but must be a mapping. {what}")
            return {}
        if len(value) > most:
            self.fault(place, f"has {len(value)} entries; at most {most} are read. Leave some out.")
            return {}
        return {str(key): one for key, one in value.items() if one is not None}

    def items(self, value: Any, place: Place, what: str, *, most: int) -> list[Any]:
        """Return a list."""
        if value is None:
            return []
        if not isinstance(value, list | tuple):
            self.fault(place, f"is {shown(value)}, but must be a list. {what}")
            return []
        if len(value) > most:
            self.fault(place, f"has {len(value)} entries; at most {most} are read. Leave some out.")
            return []
        return list(value)

    def text(
        self, table: Mapping[str, Any], key: str, place: Place, *, mend: str = "", longest: int = LONGEST_LINE
    ) -> str:
        """Return a text of one line; where there is a mend it must be there and not be empty."""
        value = table.get(key)
        at = (*place, key)
        if value is None:
            if mend:
                self.fault(at, f"is missing. {mend}")
            return ""
        if not isinstance(value, str):
            self.fault(at, f"is {shown(value)}, but must be a text; put it into quotes.")
            return ""
        if mend and not value.strip():
            self.fault(at, f"is empty. {mend}")
        elif len(value) > longest or "\n" in value.strip():
            self.fault(at, f"has {len(value)} characters; it must be one line of at most {longest}.")
        return value.strip()

    def number(self, table: Mapping[str, Any], key: str, place: Place) -> float | None:
        """Return a finite number, or None where there is none."""
        value = table.get(key)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or not _finite(value):
            self.fault((*place, key), f"is {shown(value)}, but must be a finite number, such as 4096.")
            return None
        return value

    def flag(self, table: Mapping[str, Any], key: str, place: Place) -> bool | None:
        """Return true or false, or None where there is nothing."""
        value = table.get(key)
        if value is not None and not isinstance(value, bool):
            self.fault((*place, key), f"is {shown(value)}, but must be true or false.")
            return None
        return value

    def texts(self, value: Any, place: Place, what: str, *, most: int, longest: int) -> tuple[str, ...]:
        """Return a list of texts that are not empty."""
        result = []
        for at, one in enumerate(self.items(value, place, what, most=most)):
            if not isinstance(one, str) or not one.strip():
                self.fault((*place, at), f"is {shown(one)}, but must be a text. {what}")
            elif len(one) > longest:
                self.fault((*place, at), f"has {len(one)} characters; at most {longest} are read.")
            else:
                result.append(one.strip())
        return tuple(result)

    def formula(self, value: Any, place: Place, scope: Scope, *, default: str = "") -> Expression | None:
        """Return a formula that can be used; the default where there is none."""
        if value is None and default:
            value = default
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            self.fault(place, f"is {shown(value)}, but must be a number or a formula, such as '2 * n'.")
            return None
        try:
            return compile_formula(value, scope)
        except FormulaError as error:
            text = shortened(" ".join(str(value).split()))
            for one in error.faults:
                self.fault(place, f"is {text!r}: at character {one.column} it {one.text}")
            return None


def _finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def shown(value: Any) -> str:
    """Return a value for a message: short, and containers only by their kind."""
    if isinstance(value, Mapping):
        return "a mapping"
    if isinstance(value, list | tuple):
        return "a list"
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"


def nearest(name: str, known: Iterable[str]) -> str:
    """Offer the nearest of some names, or all of them."""
    names = tuple(known)
    near = difflib.get_close_matches(name, names, n=1)
    return f"Did you mean {near[0]}?" if near else f"Known are {', '.join(names)}."
