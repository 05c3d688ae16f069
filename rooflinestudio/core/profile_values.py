"""How single values of a profile are read and refused: quantities, dates, citations, ids.

Only imported when a profile is read, like the schema that uses it.
"""

from __future__ import annotations

import datetime
import difflib
import re
from typing import TYPE_CHECKING, Any, Final

from pydantic import ValidationInfo  # noqa: TC002 - pydantic looks at the annotation
from pydantic_core import PydanticCustomError

from rooflinestudio.core.dtypes import DTYPES
from rooflinestudio.core.errors import QuantityError
from rooflinestudio.core.quantities import parse_quantity

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

FORMAT: Final = "rooflinestudio-profile/1"
EXAMPLES: Final = {
    "FLOP/s": "989 TFLOP/s", "B/s": "3.35 TB/s", "B": "80 GB", "s": "600 ns", "Hz": "1.83 GHz", "": "132",
    "share": "0.8", "W": "700 W",
}  # fmt: skip

_ID: Final = re.compile(r"[a-z0-9]+(?:[._-][a-z0-9]+)*")
_DATE: Final = re.compile(r"\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?")
_ADDRESS: Final = re.compile(r"https?://[^\s()]+(?:\([^\s()]*\)[^\s()]*)*")
_PIPES: Final = tuple(dict.fromkeys(dtype.pipe for dtype in DTYPES.values()))
_CEILING: Final = re.compile(rf"special|(?:{'|'.join(_PIPES)})(?:-no-fma|-tensor(?:-[a-z0-9]+)?)?")
_CEILINGS: Final = (*(f"{pipe}-tensor" for pipe in _PIPES), *_PIPES, "fp32-no-fma", "special")


def refused(text: str) -> PydanticCustomError:
    """Make the error of a value; the text says what is wrong and how to mend it."""
    return PydanticCustomError("refused", "{text}", {"text": text})


def near(word: str, choices: Sequence[str]) -> str:
    """Return ``Did you mean 'x'?`` for the nearest choice, or all choices."""
    close = difflib.get_close_matches(word, choices, n=1, cutoff=0.6)
    return f"Did you mean {close[0]!r}?" if close else f"Choose one of {', '.join(choices)}."


def word(value: Any) -> str:
    """Say briefly what stands there."""
    if value is None:
        return "empty"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict | list | tuple):
        return "a mapping" if isinstance(value, dict) else "a list"
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:59]}…"


def quantity(unit: str) -> Callable[[Any], float]:
    """Make a reader of quantities in one unit, above zero and finite; counts are whole."""
    example = f"such as {EXAMPLES[unit]!r}"

    def read(value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise refused(f"is {word(value)}, but must be a number with its unit, {example}.")
        try:
            number = parse_quantity(value, unit) if isinstance(value, str) else float(value)
        except QuantityError as error:
            raise refused(f"cannot be read: {error}") from None
        except OverflowError:
            raise refused(
                f"is {word(value)}, which is too large. Write a number with its unit, {example}."
            ) from None
        if number == 0:
            raise refused("is zero. Leave the figure out where nothing is known.")
        if not 0 < number < float("inf"):
            raise refused(f"is {word(value)}, but must be above zero and finite, {example}.")
        if unit == "" and number != int(number):
            raise refused(f"is {word(value)}, but a count is a whole number, {example}.")
        return number

    return read


def share(value: Any) -> float:
    """Read a share of a rate: a number above 0 and up to 1, or a percentage (``80 %``)."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise refused(f"is {word(value)}, but must be a share between 0 and 1, such as 0.8 or '80 %'.")
    try:
        percent = isinstance(value, str) and value.rstrip().endswith("%")
        number = float(value.rstrip()[:-1]) / 100 if percent else float(value)  # type: ignore[union-attr]
    except ValueError:
        raise refused(f"is {word(value)}, which is no number. Write a share such as 0.8 or '80 %'.") from None
    if not 0 < number <= 1:
        raise refused(
            f"is {word(value)}, but a share lies above 0 and at most at 1. "
            "What exceeds the rate says that the rate itself is set too low."
        )
    return number


def shares_in_order(known: list[float]) -> None:
    """Check that the worst share is not above the typical one, nor that above the best."""
    if known != sorted(known):
        raise refused("has its shares out of order: low is the worst, typical between, high the best.")


def two_kinds(provenance: str, use: str, *, is_known: bool) -> None:
    """Check that a measured figure stands beside one that is not, and that what is in use is there."""
    if is_known and provenance == "measured":
        raise refused("is measured and has another measured figure beside it. Keep the one that counts.")
    if use == "measured" and not is_known:
        raise refused("says 'use: measured', but has no measured figure. Add one, or leave 'use' out.")


def date_text(value: Any) -> Any:
    """Read a date: ISO text, a year as a number, or the date that other YAML readers make of it."""
    if isinstance(value, datetime.date):
        return value.isoformat()[:10]
    text = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    if isinstance(text, str) and text and not _DATE.fullmatch(text):
        raise refused(f"is {word(text)}, but a date is written 2026-11-29, 2026-11 or 2026.")
    return text


def source_text(value: Any, info: ValidationInfo) -> str:
    """Return the titles of the cited documents, and free text as it stands, joined by semicolons."""
    titles: dict[str, str] = (info.context or {}).get("titles", {})
    return "; ".join(
        _one_source(one, titles) for one in (value if isinstance(value, list | tuple) else [value])
    )


def _one_source(value: Any, titles: dict[str, str]) -> str:
    if isinstance(value, dict) and list(value) == ["text"] and isinstance(value["text"], str):
        return value["text"]
    if not isinstance(value, str):
        raise refused(
            f"is {word(value)}, but must be a key of sources, a list of keys, or the source in words."
        )
    if value in titles:
        return titles[value]
    if _ID.fullmatch(value):  # one lower-case word is meant as a key, never shown as a source
        close = difflib.get_close_matches(value, titles, n=1)
        hint = f"Did you mean {close[0]!r}?" if close else f"Add it there, or write {{text: {value}}}."
        raise refused(f"cites {value!r}, which is not among the sources. {hint}")
    return value


def source_model(value: Any) -> Any:
    """Take a text for a document that has only a title."""
    return {"title": value} if isinstance(value, str) else value


def address(value: str) -> str:
    """Check the address of a document."""
    if value and not _ADDRESS.fullmatch(value):
        raise refused(
            f"is {word(value)}, which is no web address. Write https://…, or put it into the title."
        )
    return value


def one_of(choices: Sequence[str]) -> Callable[[str], str]:
    """Make a check of a key that must be among the choices."""

    def check(value: str) -> str:
        if value not in choices:
            raise refused(f"is not known here. {near(value, choices)}")
        return value

    return check


def ceiling_id(value: str) -> str:
    """Check the name of a pipe."""
    if not _CEILING.fullmatch(value):
        meant = re.sub(r"-(?:matrix|mfma|mma)$", "-tensor", value)
        mend = f"Write {meant!r}." if meant != value and meant in _CEILINGS else near(value, _CEILINGS)
        raise refused(f"names no pipe; pipes are <dtype>-tensor, <dtype>, fp32-no-fma and special. {mend}")
    return value


def profile_id(value: str) -> str:
    """Check the id of a machine."""
    if not _ID.fullmatch(value):
        raise refused(
            f"is {word(value)}, but has lower-case letters, digits and hyphens, such as 'nvidia-h100-sxm5'."
        )
    return value


def reference(value: str, info: ValidationInfo) -> str:
    """Check that the reference ceiling is there."""
    ceilings: list[str] = (info.context or {}).get("ceilings", [])
    if ceilings and value not in ceilings:
        raise refused(f"is {word(value)}, but there is no such ceiling. {near(value, ceilings)}")
    return value


def format_name(value: Any) -> Any:
    """Check the first line."""
    if value != FORMAT:
        other = isinstance(value, str) and value.startswith("rooflinestudio-profile/")
        mend = "It was written by another version of the studio." if other else "Is it a hardware profile?"
        raise refused(f"is {word(value)}, but {FORMAT!r} is what can be read here. {mend}")
    return value
