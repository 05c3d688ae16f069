"""Reader of tables of Intel Advisor: functions and loops with their own time, work and traffic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rooflinestudio.plugins import hookimpl

if TYPE_CHECKING:
    from pathlib import Path

    from rooflinestudio.plugins import MeasurementFile, MeasurementReader, Progress

__all__ = ["AdvisorCsv", "rooflinestudio_measurement_readers"]


@dataclass(frozen=True)
class AdvisorCsv:
    """Reads CSV and TSV of Intel Advisor as far as their columns are known."""

    id: ClassVar[str] = "advisor-csv"
    label: ClassVar[str] = "Intel Advisor CSV"
    extensions: ClassVar[tuple[str, ...]] = (".advisor",)

    def recognises(self, head: bytes, name: str) -> bool:
        from plugins_builtin._advisor.reading import looks_like_advisor

        return looks_like_advisor(head)

    def read(self, path: Path, progress: Progress | None = None) -> MeasurementFile:
        from plugins_builtin._advisor.reading import read_file

        return read_file(path, progress)


@hookimpl
def rooflinestudio_measurement_readers() -> list[MeasurementReader]:
    """Give the reader to the studio."""
    return [AdvisorCsv()]
