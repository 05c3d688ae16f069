"""Finding the reader of a measured file by its content, and reading it."""

from __future__ import annotations

from dataclasses import is_dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.measurement import MeasurementError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rooflinestudio.core.measurement import MeasurementFile, MeasurementReader

__all__ = ["read_measurements"]

HEAD_BYTES: Final = 65536


def read_measurements(
    path: Path,
    readers: Iterable[MeasurementReader],
    progress: Callable[[float], bool] | None = None,
    *,
    decimal_mark: str | None = None,
) -> MeasurementFile:
    """Read a file with the first reader that recognises its beginning, else with one that knows its extension.

    Parameters
    ----------
    progress
        Called with the share read so far; returning False cancels.
    decimal_mark
        ``"."`` or ``","`` where the user states how the file writes numbers; None leaves it to the file's evidence.

    Raises
    ------
    MeasurementError
        If the file cannot be opened, no reader knows it, or the reader fails; the message names the file.
    """
    path = Path(path)
    try:
        with path.open("rb") as stream:
            head = stream.read(HEAD_BYTES)
    except OSError as error:
        raise MeasurementError(f"{path} cannot be read: {error.strerror or error}.") from None
    known = tuple(readers)
    # A reader that only knows the extension can say best what is wrong with the content.
    candidates = [one for one in known if _recognises(one, head, path.name)] or [
        one for one in known if path.suffix.lower() in one.extensions
    ]
    if candidates:
        return _read(candidates[0], path, progress, decimal_mark)
    what = "is empty" if not head else "is binary" if b"\0" in head[:4096] else "is text"
    labels = ", ".join(reader.label for reader in known) or "none: no reader is installed"
    raise MeasurementError(
        f"{path.name} {what}, and no reader knows it (known: {labels}). Export the report as CSV and drop that."
    )


def _recognises(reader: MeasurementReader, head: bytes, name: str) -> bool:
    try:
        return reader.recognises(head, name) is True
    except Exception:  # a stranger's reader that fails on a file does not know it
        return False


def _read(
    reader: MeasurementReader, path: Path, progress: Callable[[float], bool] | None, decimal_mark: str | None
) -> MeasurementFile:
    if decimal_mark is not None:
        stated: Any = reader  # whether a stranger's reader is a dataclass with such a field is not typed
        if not (is_dataclass(type(stated)) and hasattr(stated, "decimal_mark")):
            raise MeasurementError(f"{path.name}: {reader.label} takes no decimal mark. Leave the mark out.")
        reader = replace(stated, decimal_mark=decimal_mark)
    try:
        return reader.read(path, progress)
    except StudioError:
        raise
    except Exception as error:
        raise MeasurementError(
            f"{path.name}: the reader {reader.label} failed with {type(error).__name__}: {error}. Nothing was taken."
        ) from error
