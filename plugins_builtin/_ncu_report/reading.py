"""Reading a whole report: its launches as measurements, with all that has to be said about the file.

The file is walked twice, for the names and devices of all blocks and then for the results; one result is held at a
time. How many launches are kept follows from the size of the file, since a few bytes can claim to be a launch.
"""

from __future__ import annotations

import hashlib
import sys
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, BinaryIO, Final

from plugins_builtin._ncu.build import build
from plugins_builtin._ncu.explain import EXPORT, REPORT_MAGIC, ZSTD_MAGIC, binary_kind, counted
from plugins_builtin._ncu.numbers import FormatEvidence
from plugins_builtin._ncu.remarks import Remarks
from plugins_builtin._ncu_report.ceilings import AsProfiled, Gathering
from plugins_builtin._ncu_report.cells import fill
from plugins_builtin._ncu_report.container import KNOWN_VERSION, Damage, file_version, results_of, walk
from plugins_builtin._ncu_report.result import read_launch
from plugins_builtin._ncu_report.tables import Tables
from plugins_builtin._ncu_report.wire import WireError
from plugins_builtin._ncu_report.zstd import unpacked
from rooflinestudio.plugins import Measurement, MeasurementCancelled, MeasurementError, MeasurementFile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from plugins_builtin._ncu_report.cells import Filled
    from plugins_builtin._ncu_report.result import ReportLaunch

__all__ = ["as_profiled", "is_report", "read_report"]

_CHUNK: Final = 1 << 20
_HASHED: Final = 0.2  # of the progress
_NAMED: Final = 0.3
_LAUNCHES_PER_REPORT: Final = 50
_BLOCKS_PER_REPORT: Final = 5_000
# A launch in memory: so much, so much for each of its figures, and its name twice. What a file may fill is kept below
# ten times its size.
_BYTES_PER_LAUNCH: Final = 950
_BYTES_PER_FIGURE: Final = 240
_TIMES_THE_FILE: Final = 7
_BYTES_BEYOND: Final = 14_000_000


def is_report(head: bytes, name: str) -> bool:
    """Whether a file begins like a report; a compressed one is known by its name besides."""
    return head.startswith(REPORT_MAGIC) or (
        head.startswith(ZSTD_MAGIC) and name.lower().endswith(".ncu-repz")
    )


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
    with _opened(path, progress) as report:
        measurements = tuple(report.measurements())
        return MeasurementFile(str(path), "ncu-report", tuple(report.warnings()), measurements, report.digest)


def as_profiled(path: Path, progress: Callable[[float], bool] | None = None) -> tuple[AsProfiled, ...]:
    """Ceilings and clocks that a report carries, one entry for each device in it; errors as for :func:`read_report`.

    See :mod:`plugins_builtin._ncu_report.ceilings` for what they are made of.
    """
    gathering = Gathering()
    with _opened(path, progress) as report:
        for filled, launch in report.launches():
            raw = filled.raw
            gathering.add(launch.values, raw.device_name or None, raw.compute_capability or None)
    return gathering.found()


@contextmanager
def _opened(path: Path, progress: Callable[[float], bool] | None) -> Iterator[_Reading]:
    try:
        stream = path.open("rb")
    except OSError as error:
        raise MeasurementError(f"{path}: cannot be read ({error.strerror or error}).") from error
    with stream:
        try:
            head, digest, size = _hashed(path, stream, progress)
            if not is_report(head, path.name):
                raise MeasurementError(_other(path, head))
            if head.startswith(REPORT_MAGIC):
                yield _Reading(path, stream, size, digest, progress)
                return
            content = unpacked(path, size, progress)
            with content.stream:
                yield _Reading(
                    path, content.stream, content.size, digest, progress, packed=size, problem=content.problem
                )
        except OSError as error:
            raise MeasurementError(f"{path}: cannot be read ({error.strerror or error}).") from error


def _other(path: Path, head: bytes) -> str:
    """Say what a file is that is no report."""
    if not head:
        return f"{path}: the file is empty."
    kind = binary_kind(head) if b"\0" in head else "a text or another kind of file"
    return f"{path}: this is {kind}, not a report of Nsight Compute."


def _hashed(path: Path, stream: BinaryIO, progress: Callable[[float], bool] | None) -> tuple[bytes, str, int]:
    """Beginning, digest and size of a file."""
    expected = max(stream.seek(0, 2), 1)
    stream.seek(0)
    digest = hashlib.sha256()
    head = b""
    size = 0
    while chunk := stream.read(_CHUNK):
        head = head or chunk[:256]
        digest.update(chunk)
        size += len(chunk)
        if progress is not None and not progress(min(size / expected, 1.0) * _HASHED):
            raise MeasurementCancelled(f"{path}: reading was cancelled.")
    return head, digest.hexdigest(), size


class _Reading:
    """State of reading one report.

    Parameters
    ----------
    path, digest, progress
        The file as it was given, its digest, and what is told about the progress.
    stream, size
        Its content, unpacked.
    packed
        Size of the file where the content is not the file itself: memory is held by what was given.
    problem
        What went wrong in unpacking.
    """

    def __init__(
        self,
        path: Path,
        stream: BinaryIO,
        size: int,
        digest: str,
        progress: Callable[[float], bool] | None,
        *,
        packed: int | None = None,
        problem: str = "",
    ) -> None:
        self.digest = digest
        self._path, self._stream, self._size, self._progress = path, stream, size, progress
        self._budget = (size if packed is None else packed) * _TIMES_THE_FILE + _BYTES_BEYOND
        self._tables = Tables()
        self._remarks = Remarks(FormatEvidence(), ".")
        self._texts: dict[str, str] = {}
        self._problem = problem
        self._version = KNOWN_VERSION
        self._taken = self._damaged = self._empty = self._nameless = self._unfit = self._ranges = 0
        self._first_unfit = ""
        self._full = self._too_long = False

    # ---------------------------------------------------------------------------------------- launches

    def launches(self) -> Iterator[tuple[Filled, ReportLaunch]]:
        """Walk the launches of the report, each as the recipes take it and as it stands there."""
        self._read_tables()
        for data in self._results():
            try:
                launch = read_launch(data, self._tables)
            except WireError:
                self._damaged += 1
                continue
            if launch is None:
                self._empty += 1
                continue
            launch.kernel = self._texts.setdefault(launch.kernel, launch.kernel)
            self._nameless += launch.nameless
            filled = fill(launch, self._tables)
            if filled.unfit:
                self._unfit += 1
                self._first_unfit = self._first_unfit or f"{filled.unfit} (launch {self._taken})"
            yield filled, launch
            self._taken += 1

    def _read_tables(self) -> None:
        # What is wrong with the file is found again, and told, with the launches.
        with suppress(Damage):
            self._version = file_version(self._stream, self._size)
            for count, block in enumerate(walk(self._stream, self._size)):
                if count % _BLOCKS_PER_REPORT == 0:
                    self._tell(_HASHED + (_NAMED - _HASHED) * block.start / self._size)
                with suppress(WireError):
                    self._tables.take(block)

    def _results(self) -> Iterator[bytes]:
        found = 0
        try:
            for block in walk(self._stream, self._size):
                self._ranges += min(block.ranges, block.stop - block.start)
                if not block.results:
                    continue
                for data in results_of(self._stream, block, self._budget):
                    if found % _LAUNCHES_PER_REPORT == 0:
                        self._tell(_NAMED + (1 - _NAMED) * block.start / self._size)
                    found += 1
                    yield data
                    if self._full:
                        return
        except Damage as damage:
            self._problem = self._problem or str(damage)

    def measurements(self) -> Iterator[Measurement]:
        """Walk the measurements, until there are as many as a file of this size may fill the memory with."""
        left = self._budget
        names: set[str] = set()
        for filled, _ in self.launches():
            built = build(filled.raw, self._taken, ".")
            measurement = _qualified(built.measurement, filled)
            self._remarks.add(built._replace(measurement=measurement), filled.raw)
            yield measurement
            if measurement.kernel not in names:
                names.add(measurement.kernel)
                left -= 2 * sys.getsizeof(measurement.kernel) + 100
            left -= _BYTES_PER_LAUNCH + _BYTES_PER_FIGURE * len(measurement.figures)
            self._full = left < 0

    def _tell(self, share: float) -> None:
        if self._progress is not None and not self._progress(share):
            raise MeasurementCancelled(f"{self._path}: reading was cancelled.")

    # ---------------------------------------------------------------------------------------- warnings

    def warnings(self) -> Iterator[str]:
        """Sentences about the file, the weightiest first; complete once all launches were taken."""
        kept = (
            f"{counted(self._taken, 'launch', 'launches')} before that point "
            f"{'was' if self._taken == 1 else 'were'} kept, the last is launch {self._taken - 1}"
            if self._taken
            else "no launch stands before that point"
        )
        if self._problem:
            yield f"The file {self._problem}: {kept}."
        if self._full:
            yield f"Only the first {self._taken:,} launches were read: the file claims more than its size can hold."
        if self._damaged:
            yield f"{counted(self._damaged, 'result was', 'results were')} damaged and left out."
        if self._ranges:
            yield (
                f"Left out: {counted(self._ranges, 'result', 'results')} of range replay, which span several kernels. "
                f"Profile with --replay-mode kernel, or export the report as a table: {EXPORT}"
            )
        if not self._taken:
            yield self._why_empty()
        yield from self._oddities()
        yield from self._remarks.texts()

    def _why_empty(self) -> str:
        if self._damaged or self._problem:
            return "There is no launch in it that can be read. Profile again, or copy the file again."
        if self._ranges:
            return "There is no result of a single kernel in it."
        return (
            "The report holds no launch: no kernel matched the filters, the program launched none, or profiling "
            "stopped before the first one was measured."
        )

    def _oddities(self) -> Iterator[str]:
        if self._version != KNOWN_VERSION:
            yield (
                f"The report is of format version {self._version}, and {KNOWN_VERSION} is the one that is known: "
                "compare a figure with Nsight Compute."
            )
        if self._empty:
            yield f"{counted(self._empty, 'result was', 'results were')} empty and left out."
        if self._nameless:
            yield (
                f"{counted(self._nameless, 'value was', 'values were')} left out: the part of the file with the names "
                "of these metrics is missing."
            )
        if self._unfit:
            launches = counted(self._unfit, "launch has", "launches have")
            yield f"{launches} impossible values, which were left out; the first: {self._first_unfit}."


def _qualified(measurement: Measurement, filled: Filled) -> Measurement:
    """Say what the recipes cannot know: that a part of the tensor work is missing, or how it was inferred."""
    if not (filled.incomplete or filled.inferred):
        return (
            replace(measurement, notes=(*filled.notes, *measurement.notes)) if filled.notes else measurement
        )
    figures = dict(measurement.figures)
    for name, figure in figures.items():
        if name.startswith("work.") and "-tensor" in name:
            quality = "lower" if filled.incomplete and not filled.inferred else "estimated"
            figures[name] = replace(figure, quality=quality)
    return replace(measurement, figures=figures, notes=(*filled.notes, *measurement.notes))
