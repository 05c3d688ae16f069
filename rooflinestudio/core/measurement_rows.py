"""Measured kernels of one overlay in a compressed CSV file beside the study (YAML would need minutes).

The first row says what the file is and holds the overlay's own data as JSON; the second names the columns, keys of
:mod:`rooflinestudio.core.measurement_records`; then comes one row per kernel, an empty cell where a kernel lacks a key.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import tempfile
import zlib
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from rooflinestudio.core.measurement_checks import check_columns
from rooflinestudio.core.measurement_columns import MOST_KEYS
from rooflinestudio.core.measurement_figures import MeasurementError
from rooflinestudio.core.measurement_records import is_text_key
from rooflinestudio.core.measurement_table import Overlay, checked_meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.measurement_records import Scalar

__all__ = ["read_rows", "write_rows"]

_KIND: Final = "rooflinestudio-measured-kernels"
_VERSION: Final = "1"
_MOST_KERNELS: Final = 2_000_000
_MOST_CHARACTERS: Final = 2**30
_LONGEST_LINE: Final = 4 * 2**20


def write_rows(overlay: Overlay, path: Path) -> None:
    """Write an overlay, atomically; a file that holds it already is left alone.

    Raises
    ------
    OSError
        The file cannot be written; what was there before is untouched.
    """
    if _holds(path, overlay):
        return
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}.", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as raw:
            # Without a time stamp the same overlay gives the same bytes.
            with gzip.GzipFile(filename="", mode="wb", fileobj=raw, compresslevel=3, mtime=0) as packed:
                text = io.TextIOWrapper(packed, encoding="utf-8", newline="")
                _write(overlay, text)
                text.flush()
                text.detach()
            raw.flush()
            os.fsync(raw.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _write(overlay: Overlay, text: IO[str]) -> None:
    writer = csv.writer(text, lineterminator="\n")
    meta = {**overlay.meta(), "count": len(overlay)}
    writer.writerow([_KIND, _VERSION, json.dumps(meta, ensure_ascii=True)])
    keys = overlay.record_keys
    writer.writerow(keys)
    for index in range(len(overlay)):
        record = overlay.record(index)
        writer.writerow([_cell(record.get(key)) for key in keys])


def _cell(value: Scalar | None) -> str:
    if value is None:
        return ""
    # Line breaks in a text stand as \n, so that a row is a line.
    return (
        value.replace("\\", "\\\\").replace("\r", "\\r").replace("\n", "\\n")
        if isinstance(value, str)
        else repr(value)
    )


def _holds(path: Path, overlay: Overlay) -> bool:
    """Whether a file is there that says it holds this overlay; it was complete when it took its name."""
    try:
        with gzip.open(path, "rt", encoding="utf-8", newline="") as text:
            meta, count = _header(csv.reader(_lines(text, path)), path)
    except (OSError, EOFError, zlib.error, ValueError, csv.Error, MeasurementError):
        return False
    return meta["digest"] == overlay.digest and count == len(overlay)


def read_rows(path: Path) -> Overlay:
    """Read an overlay.

    Raises
    ------
    MeasurementError
        The file is missing, broken, of another kind, or larger than any overlay; the message names it.
    """
    try:
        with gzip.open(path, "rt", encoding="utf-8", newline="") as text:
            return _read(text, path)
    except FileNotFoundError:
        raise MeasurementError(
            f"{path} is missing: it holds measured kernels of the study and belongs beside it."
        ) from None
    except (OSError, EOFError, zlib.error, UnicodeDecodeError, csv.Error, ValueError) as error:
        raise MeasurementError(f"{path} is broken ({error}): import the measured file again.") from None


def _header(rows: Iterator[list[str]], path: Path) -> tuple[dict[str, Any], int]:
    """Own data of the overlay, and its number of kernels."""
    first = next(rows, [])
    if first[:2] != [_KIND, _VERSION] or len(first) != 3:
        raise MeasurementError(f"{path} holds no measured kernels that this version reads.")
    document = json.loads(first[2])
    count = document.get("count") if isinstance(document, dict) else None
    if not isinstance(count, int) or isinstance(count, bool) or not 0 <= count <= _MOST_KERNELS:
        raise MeasurementError(f"{path}: {count!r} kernels; expected at most {_MOST_KERNELS:,}.")
    return checked_meta(document), count


def _read(text: IO[str], path: Path) -> Overlay:
    rows = csv.reader(_lines(text, path))
    meta, count = _header(rows, path)
    keys = next(rows, [])
    if len(keys) > MOST_KEYS or len(set(keys)) != len(keys):
        raise MeasurementError(f"{path}: the names of the columns are too many, or one comes twice.")
    is_text = [is_text_key(key) for key in keys]
    overlay = Overlay.from_records(meta, _records(rows, keys, is_text, path), count)
    check_columns(overlay, str(path))
    return overlay


def _records(
    rows: Iterator[list[str]], keys: list[str], is_text: list[bool], path: Path
) -> Iterator[dict[str, Scalar]]:
    for number, row in enumerate(rows):
        if len(row) != len(keys):
            raise MeasurementError(f"{path}, kernel {number}: {len(row)} cells; expected {len(keys)}.")
        yield {
            key: _text(cell) if text else float(cell)
            for key, cell, text in zip(keys, row, is_text, strict=True)
            if cell
        }


def _text(cell: str) -> str:
    if "\\" not in cell:
        return cell
    parts = (part.replace("\\n", "\n").replace("\\r", "\r") for part in cell.split("\\\\"))
    return "\\".join(parts)


def _lines(text: IO[str], path: Path) -> Iterator[str]:
    """Lines of the unpacked file, as long as they stay within what an overlay can need."""
    characters = 0
    while line := text.readline(_LONGEST_LINE):
        characters += len(line)
        if characters > _MOST_CHARACTERS or not line.endswith("\n"):
            raise MeasurementError(
                f"{path} is cut off or larger than any overlay: import the measured file again."
            )
        yield line
