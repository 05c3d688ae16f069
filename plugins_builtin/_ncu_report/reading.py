"""Reading a whole report: its launches as measurements, with all that has to be said about the file.

The content is walked twice, for the names and devices of all blocks and then for the results; one result is held at a
time. How many launches are kept follows from the size of the file, since a few bytes can claim to be a launch.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from plugins_builtin._ncu.build import Built, build
from plugins_builtin._ncu.launches import LONGEST_NAME
from plugins_builtin._ncu.numbers import FormatEvidence
from plugins_builtin._ncu.remarks import Remarks
from plugins_builtin._ncu_report.ceilings import Gathering, machines_of
from plugins_builtin._ncu_report.cells import add_no_tensor_work, fill
from plugins_builtin._ncu_report.container import Damage, file_version, results_of, walk
from plugins_builtin._ncu_report.findings import Findings
from plugins_builtin._ncu_report.opening import OPENED, Content, opened
from plugins_builtin._ncu_report.result import read_launch
from plugins_builtin._ncu_report.tables import Tables
from plugins_builtin._ncu_report.wire import WireError
from rooflinestudio.plugins import (
    Measurement,
    MeasurementCancelled,
    MeasurementFile,
    MeasurementPacker,
    Quality,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from plugins_builtin._ncu_report.cells import Filled
    from plugins_builtin._ncu_report.result import ReportLaunch

__all__ = ["read_report"]

_NAMED: Final = 0.35  # of the progress
_LAUNCHES_PER_TELL: Final = 50
_LAUNCHES_FOR_NAMES: Final = (
    100  # launches whose counters are looked at by name; of later ones only where others come
)
_MOST_COUNTERS: Final = 5_000
_BLOCKS_PER_TELL: Final = 5_000
# What a launch takes in memory, with each of its figures and its name twice; a file may fill less than ten times its
# size with them.
_BYTES_PER_LAUNCH: Final = 400
_BYTES_PER_FIGURE: Final = 60
_BYTES_PER_NAME: Final = 100
_TIMES_THE_FILE: Final = 8
_BYTES_BEYOND: Final = 20_000_000


def read_report(path: Path, progress: Callable[[float], bool] | None = None) -> MeasurementFile:
    """Read one report.

    Parameters
    ----------
    path
        The file.
    progress
        Called with the share done, 0 to 1; False cancels.

    Raises
    ------
    MeasurementError
        The file cannot be read, is of another kind, or is compressed and nothing here can unpack it.
    MeasurementCancelled
        ``progress`` returned False.
    """
    with opened(path, progress) as content:
        reading = _Reading(path, content, progress)
        packer = MeasurementPacker()
        for measurement in reading.measurements():
            packer.add(measurement)
        return MeasurementFile(
            str(path),
            "ncu-report",
            tuple(reading.warnings()),
            packer.packed(),
            content.digest,
            tuple(reading.counters),
            machines=machines_of(reading.ceilings.found()),
        )


class _Reading:
    """State of reading one report."""

    def __init__(self, path: Path, content: Content, progress: Callable[[float], bool] | None) -> None:
        self._path, self._content, self._progress = path, content, progress
        self._budget = content.given * _TIMES_THE_FILE + _BYTES_BEYOND
        self._tables = Tables()
        self._remarks = Remarks(FormatEvidence(), ".")
        self._findings = Findings(problem=content.problem)
        self.ceilings = Gathering()
        self.counters: dict[str, None] = {}

    def warnings(self) -> list[str]:
        """Sentences about the file, the weightiest first; complete once all launches were taken."""
        return [*self._findings.texts(), *self._remarks.texts()]

    def measurements(self) -> Iterator[Measurement]:
        """Walk the measurements, as many as a file of this size may fill the memory with."""
        left = self._budget
        kernels: dict[str, str] = {}
        for launch, filled in self.launches():
            kernel = kernels.setdefault(launch.kernel, launch.kernel)
            if kernel is launch.kernel:
                left -= 2 * sys.getsizeof(kernel) + _BYTES_PER_NAME
            raw = filled.raw
            self.ceilings.add(launch.values, raw.device_name or None, raw.compute_capability or None)
            # One text for all launches of a kernel.
            filled.raw.kernel = kernel or filled.raw.kernel
            built = _built(filled, self._findings.taken)
            self._remarks.add(built, filled.raw)
            yield built.measurement
            left -= _BYTES_PER_LAUNCH + _BYTES_PER_FIGURE * len(built.measurement.figures)
            self._findings.full = left < 0

    def launches(self) -> Iterator[tuple[ReportLaunch, Filled]]:
        """Walk the launches, each as it stands in the report and as the recipes take it."""
        self._read_tables()
        findings = self._findings
        found = names = 0
        for data in self._results():
            try:
                launch = read_launch(data, self._tables)
            except WireError:
                findings.damaged += 1
                continue
            if launch is None:
                findings.empty += 1
                continue
            if found < _LAUNCHES_FOR_NAMES or len(launch.values) != names:
                self._name_counters(launch)
            found, names = found + 1, len(launch.values)
            filled = fill(launch, self._tables)
            findings.nameless += launch.nameless
            if filled.unfit:
                findings.unfit += 1
                findings.first_unfit = findings.first_unfit or f"{filled.unfit} (launch {findings.taken})"
            yield launch, filled
            findings.taken += 1

    def _name_counters(self, launch: ReportLaunch) -> None:
        if len(self.counters) < _MOST_COUNTERS:
            self.counters |= dict.fromkeys(name for name in launch.values if len(name) <= LONGEST_NAME)

    def _read_tables(self) -> None:
        stream, size = self._content.stream, self._content.size
        # What is wrong with the file is found again, and told, with the launches.
        with suppress(Damage):
            self._findings.version = file_version(stream, size)
            for count, block in enumerate(walk(stream, size)):
                if count % _BLOCKS_PER_TELL == 0:
                    self._tell(OPENED + (_NAMED - OPENED) * block.start / size)
                self._tables.take(block)

    def _results(self) -> Iterator[bytes]:
        stream, size = self._content.stream, self._content.size
        findings = self._findings
        found = 0
        try:
            for count, block in enumerate(walk(stream, size)):
                if count % _BLOCKS_PER_TELL == 0:
                    self._tell(_NAMED + (1 - _NAMED) * block.start / size)
                findings.ranges += min(block.ranges, block.stop - block.start)
                for data in results_of(stream, block, self._budget):
                    if found % _LAUNCHES_PER_TELL == 0:
                        self._tell(_NAMED + (1 - _NAMED) * block.start / size)
                    found += 1
                    yield data
                    if findings.full:
                        return
        except Damage as damage:
            findings.problem = findings.problem or str(damage)

    def _tell(self, share: float) -> None:
        if self._progress is not None and not self._progress(share):
            raise MeasurementCancelled(f"{self._path}: reading was cancelled.")


def _built(filled: Filled, position: int) -> Built:
    """Make the measurement of a launch, with what the recipes cannot know."""
    built = build(filled.raw, position, ".")
    if filled.no_matrix and not any(built.measurement.work.values()):
        add_no_tensor_work(filled)
        built = build(filled.raw, position, ".")
    measurement = built.measurement
    figures = dict(measurement.figures)
    quality: Quality | None = "estimated" if filled.inferred else "lower" if filled.incomplete else None
    if quality is not None:
        for name, figure in measurement.figures.items():
            if name.startswith("work.") and "-tensor" in name:
                figures[name] = replace(figure, quality=quality)
    elif not filled.notes:
        return built
    notes = (*filled.notes, *measurement.notes)
    return built._replace(measurement=replace(measurement, figures=figures, notes=notes))
