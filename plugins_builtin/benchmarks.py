"""Reader of benchmarks that measure ceilings: STREAM, ERT, mixbench, clpeak, gpu-benches, LIKWID bench and others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rooflinestudio.plugins import hookimpl

if TYPE_CHECKING:
    from pathlib import Path

    from rooflinestudio.plugins import MeasurementFile, MeasurementReader, Progress

__all__ = ["Benchmarks", "rooflinestudio_measurement_readers"]


@dataclass(frozen=True)
class Benchmarks:
    """Reads what benchmarks of bandwidth and arithmetic print, and the JSON of the Empirical Roofline Toolkit."""

    id: ClassVar[str] = "benchmarks"
    label: ClassVar[str] = "STREAM, ERT, mixbench, clpeak, OpenCL-Benchmark, gpu-benches, LIKWID bench"
    extensions: ClassVar[tuple[str, ...]] = ()

    def recognises(self, head: bytes, name: str) -> bool:
        from plugins_builtin._benchmarks.signs import looks_like

        return looks_like(head)

    def read(self, path: Path, progress: Progress | None = None) -> MeasurementFile:
        from plugins_builtin._benchmarks.reading import read_file

        return read_file(path, progress)


@hookimpl
def rooflinestudio_measurement_readers() -> list[MeasurementReader]:
    """Give the reader to the studio."""
    return [Benchmarks()]
