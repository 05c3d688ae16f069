"""The shape of a profile document: every key and every value checked, every fault named.

Only imported when a profile is read: pydantic takes a tenth of a second to load.
"""

from __future__ import annotations

import datetime
import difflib
import re
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationInfo
from pydantic_core import PydanticCustomError

from rooflinestudio.core.dtypes import DTYPES
from rooflinestudio.core.errors import QuantityError
from rooflinestudio.core.hardware import BOUNDARY_ORDER
from rooflinestudio.core.quantities import parse_quantity

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "FORMAT", "PROVENANCES", "UNITS_BY_FIELD", "BoundaryModel", "FigureModel", "ProfileModel", "SourceModel", "near",
]  # fmt: skip

FORMAT: Final = "rooflinestudio-profile/1"
PROVENANCES: Final = ("published", "derived", "measured", "assumed")
SLOPES: Final = ("streaming", "strided", "gather")
TILES: Final = ("tile_m", "tile_n", "warp_m", "warp_n")

_ID: Final = re.compile(r"[a-z0-9]+(?:[._-][a-z0-9]+)*")
_DATE: Final = re.compile(r"\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?")
_SOURCE_KEY: Final = re.compile(r"[a-z0-9]+(?:[._-][a-z0-9]+)*")
_ADDRESS: Final = re.compile(r"https?://[^\s()]+(?:\([^\s()]*\)[^\s()]*)*")
_PIPES: Final = tuple(dict.fromkeys(dtype.pipe for dtype in DTYPES.values()))
_CEILING: Final = re.compile(rf"special|(?:{'|'.join(_PIPES)})(?:-no-fma|-tensor(?:-[a-z0-9]+)?)?")
_CEILINGS: Final = (
    *(f"{pipe}-tensor" for pipe in _PIPES), *_PIPES, "fp32-no-fma", "fp64-no-fma", "fp16-tensor-fp16acc", "special",
)  # fmt: skip


def refused(text: str) -> PydanticCustomError:
    """Make the error of a value; the text says what is wrong and how to mend it."""
    return PydanticCustomError("refused", "{text}", {"text": text})


def near(word: str, choices: tuple[str, ...] | list[str]) -> str:
    """Return ``did you mean 'x'?`` for the nearest choice, or all choices."""
    close = difflib.get_close_matches(word, choices, n=1, cutoff=0.5)
    return f"Did you mean {close[0]!r}?" if close else f"Choose one of {', '.join(choices)}."


def _quantity(unit: str) -> Callable[[Any], float]:
    example = {"FLOP/s": "989 TFLOP/s", "B/s": "3.35 TB/s", "B": "50 MiB", "s": "3 µs", "Hz": "1.83 GHz"}.get(unit, "132")

    def read(value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise refused(f"is {_word(value)}, which is no quantity. Write a number with its unit, such as {example!r}.")
        try:
            number = parse_quantity(value, unit) if isinstance(value, str) else float(value)
        except (QuantityError, OverflowError) as error:
            raise refused(str(error)) from None
        if not 0 < number < float("inf"):
            mend = "Leave the figure out where nothing is known." if number == 0 else f"Write for example {example!r}."
            raise refused(f"is {value}; it must be above zero and finite. {mend}")
        if unit == "" and number != int(number):
            raise refused(f"is {value}; a count is a whole number, such as {example!r}.")
        return number

    return read


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "empty"
    return "a list" if isinstance(value, list | tuple) else "a mapping" if isinstance(value, dict) else repr(value)


def _date_text(value: Any) -> Any:
    if isinstance(value, datetime.date):
        return value.isoformat()[:10]
    text = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    if isinstance(text, str) and text and not _DATE.fullmatch(text):
        raise refused(f"is {text!r}; a date is written 2026-11-29, 2026-11 or 2026.")
    return text


def _source_text(value: Any, info: ValidationInfo) -> str:
    """Return the titles of the cited documents, and free text as it stands, joined by semicolons."""
    titles: dict[str, str] = (info.context or {}).get("titles", {})
    return "; ".join(_one_source(one, titles) for one in (value if isinstance(value, list | tuple) else [value]))


def _one_source(value: Any, titles: dict[str, str]) -> str:
    if isinstance(value, dict) and list(value) == ["text"] and isinstance(value["text"], str):
        return value["text"]
    if not isinstance(value, str):
        raise refused(f"is {_word(value)}; write a key of sources, a list of them, or the source in words.")
    if value in titles:
        return titles[value]
    if _SOURCE_KEY.fullmatch(value):
        close = difflib.get_close_matches(value, titles, n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"add it there, or write {{text: {value}}}."
        raise refused(f"cites {value!r}, which is not among the sources; {hint}")
    return value


def _ceiling_id(value: str) -> str:
    if not _CEILING.fullmatch(value):
        word = re.sub(r"-(?:matrix|mfma|mma)$", "-tensor", value)
        mend = f"Write {word!r}." if word != value and word in _CEILINGS else near(value, _CEILINGS)
        raise refused(f"names no pipe: {value!r} is neither <dtype>-tensor, <dtype>, fp32-no-fma nor special. {mend}")
    return value


def _one_of(choices: tuple[str, ...]) -> Callable[[str], str]:
    def check(value: str) -> str:
        if value not in choices:
            raise refused(f"is not known here. {near(value, choices)}")
        return value

    return check


def _profile_id(value: str) -> str:
    if not _ID.fullmatch(value):
        raise refused(f"is {value!r}; an id has lower-case letters, digits and hyphens, such as 'nvidia-h100-sxm5'.")
    return value


def _reference(value: str, info: ValidationInfo) -> str:
    ceilings: list[str] = (info.context or {}).get("ceilings", [])
    if ceilings and value not in ceilings:
        raise refused(f"is {value!r}, but there is no such ceiling. {near(value, ceilings)}")
    return value


def _format(value: Any) -> Any:
    if value != FORMAT:
        newer = isinstance(value, str) and value.startswith("rooflinestudio-profile/")
        mend = "It was written by another version of the studio." if newer else "Is it a hardware profile?"
        raise refused(f"is {value!r}, but {FORMAT!r} is what can be read here. {mend}")
    return value


def _source_model(value: Any) -> Any:
    return {"title": value} if isinstance(value, str) else value


def _address(value: str) -> str:
    if value and not _ADDRESS.fullmatch(value):
        raise refused(f"is {value!r}, which is no web address. Write https://…, or put it into the title.")
    return value


class _Model(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class FigureModel(_Model):
    """One figure; its subclasses know the unit."""

    value: float
    provenance: Literal["published", "derived", "measured", "assumed"]
    condition: str = ""
    source: Annotated[str, BeforeValidator(_source_text)] = ""
    date: Annotated[str, BeforeValidator(_date_text)] = ""
    note: str = ""


class RateModel(FigureModel):
    """A compute ceiling."""

    value: Annotated[float, BeforeValidator(_quantity("FLOP/s"))]


class BandwidthModel(FigureModel):
    """A bandwidth or another slope."""

    value: Annotated[float, BeforeValidator(_quantity("B/s"))]


class SizeModel(FigureModel):
    """A capacity."""

    value: Annotated[float, BeforeValidator(_quantity("B"))]


class TimeModel(FigureModel):
    """A latency or an overhead."""

    value: Annotated[float, BeforeValidator(_quantity("s"))]


class ClockModel(FigureModel):
    """A clock."""

    value: Annotated[float, BeforeValidator(_quantity("Hz"))]


class CountModel(FigureModel):
    """How many there are."""

    value: Annotated[float, BeforeValidator(_quantity(""))]


Text = Annotated[str, Field(min_length=1, max_length=200)]
Tile = Annotated[int, Field(gt=0, le=65536)]


class BoundaryModel(_Model):
    """One boundary."""

    label: Text
    bandwidth: BandwidthModel
    capacity: SizeModel | None = None
    latency: TimeModel | None = None
    approximate: bool = False
    feeds_matrix: bool = True
    slopes: dict[Annotated[str, AfterValidator(_one_of(SLOPES))], BandwidthModel] = {}


class SourceModel(_Model):
    """One document."""

    title: Text
    address: Annotated[str, AfterValidator(_address)] = ""


class ProfileModel(_Model):
    """The whole file."""

    format: Annotated[str, BeforeValidator(_format)]
    id: Annotated[Text, AfterValidator(_profile_id)]
    name: Text
    short_name: Text
    vendor: Text
    architecture: Text
    year: Annotated[int, Field(ge=1940, le=2200)]
    kind: Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,40}$")] = "gpu"
    reference_ceiling: Annotated[str, AfterValidator(_reference)]
    sms: CountModel | None = None
    clocks: dict[Text, ClockModel] = {}
    launch_overhead: TimeModel | None = None
    registers_per_sm: CountModel | None = None
    shared_bytes_per_sm: SizeModel | None = None
    matrix_tile: dict[Annotated[str, AfterValidator(_one_of(TILES))], Tile] = {}
    ceilings: Annotated[dict[Annotated[str, AfterValidator(_ceiling_id)], RateModel], Field(min_length=1)]
    boundaries: Annotated[dict[Annotated[str, AfterValidator(_one_of(BOUNDARY_ORDER))], BoundaryModel], Field(min_length=1)]
    sources: dict[Text, Annotated[SourceModel, BeforeValidator(_source_model)]] = {}
    notes: list[str] = []


UNITS_BY_FIELD: Final = {
    "ceilings": "FLOP/s", "bandwidth": "B/s", "slopes": "B/s", "capacity": "B", "shared_bytes_per_sm": "B", "latency": "s",
    "launch_overhead": "s", "clocks": "Hz", "sms": "", "registers_per_sm": "",
}  # fmt: skip
"""The unit of the figures under each key."""
