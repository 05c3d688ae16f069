"""Reader of what nvprof prints, the profiler for GPUs from Kepler to Volta: metrics, events, traces, summaries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rooflinestudio.plugins import hookimpl

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from rooflinestudio.plugins import MeasurementFile, MeasurementReader

__all__ = ["NvprofCsv", "rooflinestudio_measurement_readers"]


@dataclass(frozen=True)
class NvprofCsv:
    """Reads CSV of nvprof; its numbers have a decimal point whatever the locale."""

    id: ClassVar[str] = "nvprof-csv"
    label: ClassVar[str] = "nvprof CSV"
    extensions: ClassVar[tuple[str, ...]] = (".csv", ".nvprof.txt")

    def recognises(self, head: bytes, name: str) -> bool:
        """Whether a file begins like output of nvprof, whatever it is called."""
        from plugins_builtin._ncu.lines import decoded_head
        from plugins_builtin._nvprof.tables import looks_like_nvprof

        text = decoded_head(head)
        return text is not None and looks_like_nvprof(text)

    def read(self, path: Path, progress: Callable[[float], bool] | None = None) -> MeasurementFile:
        """Read a file; see :func:`plugins_builtin._nvprof.reading.read_file` for errors."""
        from plugins_builtin._nvprof.reading import read_file

        return read_file(path, progress=progress)


@hookimpl
def rooflinestudio_measurement_readers() -> list[MeasurementReader]:
    """Give the reader to the studio."""
    return [NvprofCsv()]
