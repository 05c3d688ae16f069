"""Finding the reader of a measured file by its content, and reading it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.measurement import MeasurementError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rooflinestudio.core.measurement import MeasurementFile, MeasurementReader

__all__ = ["read_measurements"]

HEAD_BYTES: Final = 65536


def read_measurements(
    path: Path, readers: Iterable[MeasurementReader], progress: Callable[[float], bool] | None = None
) -> MeasurementFile:
    """Read a file with the first reader that recognises its beginning.

    Parameters
    ----------
    progress
        Called with the share read so far; returning False cancels.

    Raises
    ------
    MeasurementError
        If the file cannot be opened, or no reader knows it.
    """
    try:
        with Path(path).open("rb") as stream:
            head = stream.read(HEAD_BYTES)
    except OSError as error:
        raise MeasurementError(f"{path} cannot be read: {error.strerror or error}.") from None
    known = tuple(readers)
    for reader in known:
        if reader.recognises(head, Path(path).name):
            return reader.read(Path(path), progress)
    what = "is empty" if not head else "is binary" if b"\0" in head[:4096] else "is text"
    labels = ", ".join(reader.label for reader in known) or "none: no reader is installed"
    raise MeasurementError(
        f"{Path(path).name} {what}, and no reader knows it (known: {labels}). Export the report as CSV and drop that."
    )
