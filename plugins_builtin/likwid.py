"""Reader of LIKWID: regions and groups of likwid-perfctr, as CSV or drawn tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rooflinestudio.plugins import hookimpl

if TYPE_CHECKING:
    from pathlib import Path

    from rooflinestudio.plugins import MeasurementFile, MeasurementReader, Progress

__all__ = ["LikwidTables", "rooflinestudio_measurement_readers"]


@dataclass(frozen=True)
class LikwidTables:
    """Reads what likwid-perfctr prints."""

    id: ClassVar[str] = "likwid"
    label: ClassVar[str] = "LIKWID"
    extensions: ClassVar[tuple[str, ...]] = (".likwid",)

    def recognises(self, head: bytes, name: str) -> bool:
        from plugins_builtin._likwid.reading import looks_like

        return looks_like(head)

    def read(self, path: Path, progress: Progress | None = None) -> MeasurementFile:
        from plugins_builtin._likwid.reading import read_file

        return read_file(path, progress)


@hookimpl
def rooflinestudio_measurement_readers() -> list[MeasurementReader]:
    """Give the reader to the studio."""
    return [LikwidTables()]
