"""Reader of traces of the PyTorch profiler: times of kernels, with work modelled from the shapes of operators."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rooflinestudio.plugins import hookimpl

if TYPE_CHECKING:
    from pathlib import Path

    from rooflinestudio.plugins import MeasurementFile, MeasurementReader, Progress

__all__ = ["PytorchTrace", "rooflinestudio_measurement_readers"]


@dataclass(frozen=True)
class PytorchTrace:
    """Reads JSON traces (``traceEvents``), plain or packed with gzip, piece by piece."""

    id: ClassVar[str] = "pytorch-trace"
    label: ClassVar[str] = "PyTorch profiler trace"
    extensions: ClassVar[tuple[str, ...]] = (".json", ".gz")

    def recognises(self, head: bytes, name: str) -> bool:
        from plugins_builtin._torch_trace.reading import looks_like_trace

        return looks_like_trace(head)

    def read(self, path: Path, progress: Progress | None = None) -> MeasurementFile:
        from plugins_builtin._torch_trace.reading import read_file

        return read_file(path, progress)


@hookimpl
def rooflinestudio_measurement_readers() -> list[MeasurementReader]:
    """Give the reader to the studio."""
    return [PytorchTrace()]
