"""A measurement as a flat record of numbers and texts, and back: the form of columns, rows and documents.

Keys: the plain fields by their names; ``work.<pipe>`` and ``work_rate.<pipe>``; ``bytes.<boundary>``,
``read_bytes.<boundary>``, ``write_bytes.<boundary>`` and ``bytes_per_s.<boundary>``; for each figure
``recipe.<figure>``, ``quality.<figure>``, and ``value.<figure>`` where it is not the value of a field. What is absent
has no key.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final, cast

from rooflinestudio.core.measurement import (
    QUALITIES,
    MeasuredFigure,
    MeasuredTraffic,
    Measurement,
    MeasurementError,
    Quality,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "DIMENSION_KEYS",
    "POSITIVE_KEYS",
    "WHOLE_KEYS",
    "Scalar",
    "dimensions_of",
    "field_of",
    "from_record",
    "is_dimensions",
    "is_text_key",
    "to_record",
]

Scalar = float | int | str

WHOLE_KEYS: Final = ("launch", "count", "source_line")
DIMENSION_KEYS: Final = ("grid", "block")
POSITIVE_KEYS: Final = ("time_s", "clock_hz")
_TEXTS: Final = ("kernel", "kernel_short", "device", "compute_capability", "grid", "block", "reason", "notes")
_NUMBER_GROUPS: Final = ("work", "work_rate", "bytes", "read_bytes", "write_bytes", "bytes_per_s", "value")
_TEXT_GROUPS: Final = ("recipe", "quality")
_LONGEST_TEXT: Final = 1_000_000  # characters
_LARGESTWHOLE_KEYS: Final = 2**53


def is_text_key(key: str) -> bool:
    """Whether a key of a record holds a text (True) or a number (False).

    Raises
    ------
    MeasurementError
        No record has such a key.
    """
    group = key.partition(".")[0]
    if key in _TEXTS or (group in _TEXT_GROUPS and group != key):
        return True
    if key in WHOLE_KEYS or key in POSITIVE_KEYS or (group in _NUMBER_GROUPS and group != key):
        return False
    raise MeasurementError(f"{key[:60]!r} is no key of a measured kernel.")


def to_record(measurement: Measurement) -> dict[str, Scalar]:
    """Flat record of a measurement, without what is absent."""
    record: dict[str, Scalar | None] = {
        "launch": measurement.launch,
        "kernel": measurement.kernel,
        "kernel_short": measurement.kernel_short,
        "count": measurement.count,
        "time_s": measurement.time_s,
        "clock_hz": measurement.clock_hz,
        "device": measurement.device,
        "compute_capability": measurement.compute_capability,
        "grid": _dimensions_text(measurement.grid),
        "block": _dimensions_text(measurement.block),
        "source_line": measurement.source_line,
        "reason": measurement.reason,
        "notes": "\n".join(measurement.notes) or None,
    }
    record |= {f"work.{pipe}": value for pipe, value in measurement.work.items()}
    record |= {f"work_rate.{pipe}": value for pipe, value in measurement.work_rates.items()}
    for boundary, traffic in measurement.traffic.items():
        record[f"bytes.{boundary}"] = traffic.total_bytes
        record[f"read_bytes.{boundary}"] = traffic.read_bytes
        record[f"write_bytes.{boundary}"] = traffic.write_bytes
    record |= {f"bytes_per_s.{boundary}": value for boundary, value in measurement.traffic_rates.items()}
    for name, figure in measurement.figures.items():
        record[f"recipe.{name}"] = figure.recipe
        record[f"quality.{name}"] = figure.quality
        if figure.value != record.get(field_of(name)):
            record[f"value.{name}"] = figure.value
    return {key: value for key, value in record.items() if value is not None}


def from_record(record: Mapping[str, Any], place: str) -> Measurement:
    """Measurement of a record whose values may be of any type.

    Raises
    ------
    MeasurementError
        A key or value is none of a measured kernel; the message starts with ``place``.
    """
    try:
        checked = {key: _checked(key, value) for key, value in record.items()}
        return _measurement(checked)
    except MeasurementError as error:
        raise MeasurementError(f"{place}: {error}") from None


def _measurement(record: dict[str, Any]) -> Measurement:
    for key in ("launch", "kernel"):
        if key not in record:
            raise MeasurementError(f"{key!r} is missing.")
    totals = _group(record, "bytes")
    reads, writes = _group(record, "read_bytes"), _group(record, "write_bytes")
    return Measurement(
        launch=record["launch"],
        kernel=record["kernel"],
        kernel_short=record.get("kernel_short", ""),
        count=record.get("count", 1),
        time_s=record.get("time_s"),
        clock_hz=record.get("clock_hz"),
        device=record.get("device"),
        compute_capability=record.get("compute_capability"),
        grid=dimensions_of(record.get("grid")),
        block=dimensions_of(record.get("block")),
        source_line=record.get("source_line"),
        reason=record.get("reason"),
        notes=tuple(record["notes"].split("\n")) if "notes" in record else (),
        work=_group(record, "work"),
        work_rates=_group(record, "work_rate"),
        traffic={name: MeasuredTraffic(reads.get(name), writes.get(name), totals[name]) for name in totals},
        traffic_rates=_group(record, "bytes_per_s"),
        figures=_figures(record),
    )


def _figures(record: dict[str, Any]) -> dict[str, MeasuredFigure]:
    figures: dict[str, MeasuredFigure] = {}
    qualities = _group(record, "quality")
    for name, recipe in _group(record, "recipe").items():
        value = record.get(f"value.{name}", record.get(field_of(name)))
        quality = qualities.get(name)
        if value is None or quality not in QUALITIES:
            raise MeasurementError(
                f"figure {name[:60]!r} has value {value!r} and quality {quality!r}; expected a number and one of "
                f"{', '.join(QUALITIES)}."
            )
        figures[name] = MeasuredFigure(value, recipe, cast("Quality", quality))
    return figures


def _group(record: dict[str, Any], group: str) -> dict[str, Any]:
    prefix = f"{group}."
    return {key[len(prefix) :]: value for key, value in record.items() if key.startswith(prefix)}


def field_of(figure: str) -> str:
    """Key of the field whose value a figure gives."""
    if figure.endswith("_bytes_per_s"):
        return f"bytes_per_s.{figure.removesuffix('_bytes_per_s')}"
    if figure.endswith("_bytes"):
        return f"bytes.{figure.removesuffix('_bytes')}"
    return figure


def _checked(key: Any, value: Any) -> Scalar:
    if not isinstance(key, str) or len(key) > 200:
        raise MeasurementError(f"{str(key)[:60]!r} is no key of a measured kernel.")
    if is_text_key(key):
        if not isinstance(value, str) or len(value) > _LONGEST_TEXT:
            raise MeasurementError(f"{key} is {_short(value)}; expected a text.")
        return value
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise MeasurementError(f"{key} is {_short(value)}; expected a finite number.")
    if key in WHOLE_KEYS:
        if value != int(value) or not 0 <= value < _LARGESTWHOLE_KEYS:
            raise MeasurementError(f"{key} is {_short(value)}; expected a whole number from 0.")
        return int(value)
    return float(value)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _dimensions_text(dimensions: tuple[int, int, int] | None) -> str | None:
    return None if dimensions is None else " ".join(map(str, dimensions))


def is_dimensions(text: str) -> bool:
    """Whether a text is three whole numbers between blanks."""
    parts = text.split(" ")
    return len(parts) == 3 and all(part.isascii() and part.isdigit() and len(part) <= 12 for part in parts)


def dimensions_of(text: str | None) -> tuple[int, int, int] | None:
    """Grid or block of a record.

    Raises
    ------
    MeasurementError
        The text is not three whole numbers between blanks.
    """
    if text is None:
        return None
    if not is_dimensions(text):
        raise MeasurementError(f"dimensions are {_short(text)}; expected three whole numbers between blanks.")
    x, y, z = map(int, text.split(" "))
    return x, y, z
