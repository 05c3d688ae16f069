"""JSON of the studio's own form: measurements written by a program of one's own.

.. code-block:: json

    {"format": "rooflinestudio-measurements/1",
     "measurements": [
       {"kernel": "axpy", "time_s": 1e-3, "device": "My GPU", "count": 1,
        "work_flop": {"fp32": 2e9}, "traffic_bytes": {"dram": {"read": 8e9, "write": 4e9}},
        "grid": [256, 1, 1], "block": [128, 1, 1],
        "recipe": "counted by hand", "quality": "exact", "notes": ["warm caches"]}]}

Rates where there are no amounts: ``work_flop_per_s`` and ``traffic_bytes_per_s``.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from plugins_builtin._measured.drafts import Advice, Draft, Traffic, usable
from plugins_builtin._measured.json_pieces import JsonPieces
from plugins_builtin._measured.json_text import head_of_json
from plugins_builtin._measured.tables import MOST_KERNELS, built
from plugins_builtin._ncu.values import Value
from plugins_builtin._points.rows import pipe_in
from rooflinestudio.plugins import MeasurementError, MeasurementFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rooflinestudio.plugins import Progress

__all__ = ["FORMAT", "looks_like_document", "read_file"]

FORMAT: Final = "rooflinestudio-measurements/1"

_ADVICE: Final = Advice(
    work='no W: add "work_flop": {"fp32": …}, or "work_flop_per_s"',
    time='no time: add "time_s"',
    traffic='no Q: add "traffic_bytes": {"dram": …}, or "traffic_bytes_per_s"',
)
_KEYS: Final = frozenset((
    "kernel", "time_s", "count", "device", "compute_capability", "grid", "block", "work_flop", "work_flop_per_s",
    "traffic_bytes", "traffic_bytes_per_s", "recipe", "quality", "notes",
))  # fmt: skip
_QUALITIES: Final = ("exact", "rounded", "estimated", "lower", "upper")
_MOST_NAMES: Final = 100  # pipes and boundaries of one document
_MOST_PARTS: Final = 64  # pipes or boundaries of one kernel
_MEND: Final = f'Expected {{"format": "{FORMAT}", "measurements": [{{"kernel": …, "time_s": …}}]}}.'


class _WrongError(Exception):
    """A value of the document is wrong; the message names field, value and mend."""


def looks_like_document(head: bytes) -> bool:
    """Whether a file is a JSON document that names the form near its beginning."""
    text = head_of_json(head)
    return text is not None and text.startswith("{") and '"rooflinestudio-measurements/' in text


def read_file(path: Path, progress: Progress | None = None) -> MeasurementFile:
    """Read a document.

    Raises
    ------
    MeasurementError
        The file cannot be read, is of another form or version, or a value in it is wrong; the message names its place.
    MeasurementCancelled
        ``progress`` returned False.
    """
    pieces = JsonPieces(path, "measurements", progress)
    made = built(_drafts(pieces, path), 0, _ADVICE, path)
    if pieces.problem:
        raise MeasurementError(f"{path}: this is no whole JSON document: {pieces.problem}. {_MEND}")
    form = pieces.rest.get("format")
    if form != FORMAT:
        raise MeasurementError(f"{path}: format is {_shown(form)}. {_MEND}")
    if not pieces.found_array:
        raise MeasurementError(f"{path}: there is no list of measurements. {_MEND}")
    warnings = [] if made else ["The list of measurements is empty."]
    if pieces.given > MOST_KERNELS:
        warnings.append(
            f"Left out: {pieces.given - MOST_KERNELS:,} measurements beyond the first {MOST_KERNELS:,}."
        )
    return MeasurementFile(str(path), "points-json", tuple(warnings), made, pieces.digest)


def _drafts(pieces: JsonPieces, path: Path) -> Iterator[Draft]:
    names: set[str] = set()
    for number, item in enumerate(pieces):
        if number < MOST_KERNELS:
            try:
                draft = _draft(item)
                names.update(draft.work, draft.work_rates, draft.traffic, draft.traffic_rates)
                if len(names) > _MOST_NAMES:
                    raise _WrongError(
                        f"{_shown(list(names)[-1])} is one pipe or boundary too many; a file may name {_MOST_NAMES}."
                    )
                yield draft
            except _WrongError as error:
                raise MeasurementError(f"{path}, measurements[{number}]: {error}") from None


def _draft(item: Any) -> Draft:
    if not isinstance(item, dict):
        raise _WrongError(f"{_shown(item)} is no measurement. {_MEND}")
    unknown = [key for key in item if key not in _KEYS]
    if unknown:
        raise _WrongError(f"{_shown(unknown[0])} is not known; expected {', '.join(sorted(_KEYS))}.")
    bound = _quality(item)
    recipe = _text(item, "recipe") or "as the file states it"
    draft = Draft(_text(item, "kernel") or "")
    if not draft.kernel:
        raise _WrongError("kernel is missing: give it a name.")
    if item.get("time_s") is not None:
        seconds = _number(item["time_s"], "time_s")
        if not seconds:
            raise _WrongError("time_s is 0; expected a time above 0 in seconds.")
        draft.time = Value(seconds, 0.0, recipe)
    draft.count = _count(item)
    draft.device = _text(item, "device")
    draft.compute_capability = _text(item, "compute_capability")
    draft.grid, draft.block = _dimensions(item, "grid"), _dimensions(item, "block")
    draft.notes = _notes(item)
    draft.work = _parts(item, "work_flop", recipe, bound)
    draft.work_rates = _parts(item, "work_flop_per_s", recipe, bound)
    draft.traffic_rates = _parts(item, "traffic_bytes_per_s", recipe, bound)
    draft.traffic = _traffic(item, recipe, bound)
    return draft


def _quality(item: dict[str, Any]) -> str:
    quality = item.get("quality", "exact")
    if quality not in _QUALITIES:
        raise _WrongError(f"quality is {_shown(quality)}; expected one of {', '.join(_QUALITIES)}.")
    return str(quality)


def _figure(number: float, recipe: str, quality: str) -> Value:
    value = Value(number, number * 0.5e-3 if quality == "rounded" else 0.0, recipe)
    if quality in ("lower", "upper", "estimated"):
        return value.bounded(
            "lower" if quality == "lower" else "upper" if quality == "upper" else "estimated"
        )
    return value


def _text(item: dict[str, Any], key: str) -> str | None:
    value = item.get(key)
    if value is not None and not (isinstance(value, str) and len(value) <= 20_000):
        raise _WrongError(f"{key} is {_shown(value)}; expected a text.")
    return value or None


def _number(value: Any, place: str) -> float:
    if not isinstance(value, bool) and isinstance(value, int | float):
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if usable(number):
            return number
    raise _WrongError(
        f"{place} is {_shown(value)}; expected a number from 0 that something measured can have."
    )


def _count(item: dict[str, Any]) -> int:
    count = item.get("count", 1)
    if type(count) is not int or not 1 <= count < 2**53:
        raise _WrongError(f"count is {_shown(count)}; expected a whole number from 1.")
    return count


def _dimensions(item: dict[str, Any], key: str) -> tuple[int, int, int] | None:
    value = item.get(key)
    if value is None:
        return None
    if isinstance(value, list) and len(value) == 3 and all(type(n) is int and 0 <= n < 2**32 for n in value):
        return value[0], value[1], value[2]
    raise _WrongError(f"{key} is {_shown(value)}; expected three whole numbers, such as [256, 1, 1].")


def _notes(item: dict[str, Any]) -> tuple[str, ...]:
    notes = item.get("notes", [])
    if not isinstance(notes, list) or len(notes) > 100 or not all(isinstance(one, str) for one in notes):
        raise _WrongError(f"notes are {_shown(notes)}; expected a list of texts.")
    return tuple(one.replace("\n", " ")[:2_000] for one in notes)


def _members(item: dict[str, Any], key: str) -> dict[str, Any]:
    value = item.get(key)
    if value is None:
        return {}
    if not isinstance(value, dict) or len(value) > _MOST_PARTS:
        raise _WrongError(f'{key} is {_shown(value)}; expected values by name, such as {{"fp32": 2e9}}.')
    found = {}
    for name, part in value.items():
        plain = pipe_in(name)
        if plain is None:
            raise _WrongError(
                f"{key}: {_shown(name)} is no name of a pipe or boundary, such as fp32 or dram."
            )
        found[plain] = part
    return found


def _parts(item: dict[str, Any], key: str, recipe: str, quality: str) -> dict[str, Value]:
    return {
        name: _figure(_number(part, f"{key}.{name}"), recipe, quality)
        for name, part in _members(item, key).items()
    }


def _traffic(item: dict[str, Any], recipe: str, quality: str) -> dict[str, Traffic]:
    found: dict[str, Traffic] = {}
    for name, part in _members(item, "traffic_bytes").items():
        place = f"traffic_bytes.{name}"
        if not isinstance(part, dict):
            found[name] = Traffic(_figure(_number(part, place), recipe, quality))
            continue
        if part.keys() != {"read", "write"}:
            raise _WrongError(f'{place} is {_shown(part)}; expected a number or {{"read": …, "write": …}}.')
        read, write = (_number(part[way], f"{place}.{way}") for way in ("read", "write"))
        found[name] = Traffic(
            _figure(read + write, recipe, quality),
            _figure(read, recipe, quality),
            _figure(write, recipe, quality),
        )
    return found


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
