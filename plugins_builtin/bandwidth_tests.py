"""Reader of bandwidth tests: kernels of BabelStream, and links between processors and GPUs of nvbandwidth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rooflinestudio.plugins import hookimpl

if TYPE_CHECKING:
    from pathlib import Path

    from rooflinestudio.plugins import MeasurementFile, MeasurementReader, Progress

__all__ = ["BandwidthTests", "rooflinestudio_measurement_readers"]


@dataclass(frozen=True)
class BandwidthTests:
    """Reads what BabelStream and nvbandwidth print."""

    id: ClassVar[str] = "bandwidth-tests"
    label: ClassVar[str] = "BabelStream, nvbandwidth"
    extensions: ClassVar[tuple[str, ...]] = ()

    def recognises(self, head: bytes, name: str) -> bool:
        from plugins_builtin._bandwidth.reading import looks_like

        return looks_like(head)

    def read(self, path: Path, progress: Progress | None = None) -> MeasurementFile:
        from plugins_builtin._bandwidth.reading import read_file

        return read_file(path, progress)


@hookimpl
def rooflinestudio_measurement_readers() -> list[MeasurementReader]:
    """Give the reader to the studio."""
    return [BandwidthTests()]
