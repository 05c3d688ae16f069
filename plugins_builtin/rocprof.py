"""Reader of AMD's rocprof-compute (formerly Omniperf): counters per dispatch, and measured ceilings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rooflinestudio.plugins import hookimpl

if TYPE_CHECKING:
    from pathlib import Path

    from rooflinestudio.plugins import MeasurementFile, MeasurementReader, Progress

__all__ = ["RocprofCsv", "rooflinestudio_measurement_readers"]


@dataclass(frozen=True)
class RocprofCsv:
    """Reads ``pmc_perf.csv`` and ``roofline.csv``, whatever they are called."""

    id: ClassVar[str] = "rocprof-csv"
    label: ClassVar[str] = "rocprof-compute CSV"
    extensions: ClassVar[tuple[str, ...]] = (".csv",)

    def recognises(self, head: bytes, name: str) -> bool:
        from plugins_builtin._rocprof.reading import looks_like_rocprof

        return looks_like_rocprof(head)

    def read(self, path: Path, progress: Progress | None = None) -> MeasurementFile:
        from plugins_builtin._rocprof.reading import read_file

        return read_file(path, progress)


@hookimpl
def rooflinestudio_measurement_readers() -> list[MeasurementReader]:
    """Give the reader to the studio."""
    return [RocprofCsv()]
