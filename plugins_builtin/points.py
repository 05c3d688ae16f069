"""Readers of measurements that no tool wrote: a plain CSV of points, and JSON of the studio's own form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from rooflinestudio.plugins import hookimpl

if TYPE_CHECKING:
    from pathlib import Path

    from rooflinestudio.plugins import MeasurementFile, MeasurementReader, Progress, TableProposal

__all__ = ["PointsCsv", "PointsJson", "rooflinestudio_measurement_readers"]


@dataclass(frozen=True)
class PointsCsv:
    """Reads any table whose header names what makes a point.

    Attributes
    ----------
    columns
        What the columns are, where the user states it: triples (figure, head, unit), such as
        ``("time", "dt", "us")``. Figures are kernel, time, work, rate, traffic, traffic.l2 (and l3, l1, shared),
        bandwidth, intensity, pipe, boundary, device, count and launch; the head ``#3`` is the third column; an empty
        unit is that of the head, else the base unit. Empty: found by the heads.
    decimal_mark
        ``"."`` or ``","`` where the user states it; None leaves it to the evidence in the file.
    """

    columns: tuple[tuple[str, str, str], ...] = ()
    decimal_mark: Literal[".", ","] | None = None

    id: ClassVar[str] = "points-csv"
    label: ClassVar[str] = "CSV of points"
    extensions: ClassVar[tuple[str, ...]] = (".csv", ".tsv")

    def recognises(self, head: bytes, name: str) -> bool:
        from plugins_builtin._points.table import looks_like_points

        return looks_like_points(head)

    def read(self, path: Path, progress: Progress | None = None) -> MeasurementFile:
        from plugins_builtin._points.table import read_file

        return read_file(path, self.columns, self.decimal_mark, progress)

    def propose(self, path: Path) -> TableProposal:
        """Heads of a table, what they seem to mean and the first rows: what a dialog for the columns needs."""
        from plugins_builtin._points.proposal import proposed

        return proposed(path)


@dataclass(frozen=True)
class PointsJson:
    """Reads ``rooflinestudio-measurements/1``, see ``docs/measurements.md``."""

    id: ClassVar[str] = "points-json"
    label: ClassVar[str] = "JSON of measurements"
    extensions: ClassVar[tuple[str, ...]] = (".json",)

    def recognises(self, head: bytes, name: str) -> bool:
        from plugins_builtin._points.document import looks_like_document

        return looks_like_document(head)

    def read(self, path: Path, progress: Progress | None = None) -> MeasurementFile:
        from plugins_builtin._points.document import read_file

        return read_file(path, progress)


@hookimpl
def rooflinestudio_measurement_readers() -> list[MeasurementReader]:
    """Give the readers to the studio."""
    return [PointsCsv(), PointsJson()]
