"""One pass over a file, or two: its launches, and measurements of them with all that has to be said about them.

Of a long file most measurements are made while it is read, with what its beginning says of its number format and its
devices. Where the rest of it says otherwise, it is read again.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final, NamedTuple

from plugins_builtin._ncu.building import Building
from plugins_builtin._ncu.content import Content
from plugins_builtin._ncu.counted_file import CountedFile
from plugins_builtin._ncu.explain import EXPORT, binary_kind
from plugins_builtin._ncu.launches import LaunchStore
from plugins_builtin._ncu.lines import TextLines, encoding_of, read_head
from plugins_builtin._ncu.remarks import Remarks
from rooflinestudio.plugins import MeasurementCancelled, MeasurementError, MeasurementFile

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from plugins_builtin._ncu.numbers import Mark

__all__ = ["read_file"]

_READING_SHARE: Final = 0.7  # of the progress; the rest is for making the measurements


def read_file(
    path: Path,
    *,
    mark: Mark | None = None,
    progress: Callable[[float], bool] | None = None,
    columns: bool = True,
) -> MeasurementFile:
    """Read one file of the profiler.

    Parameters
    ----------
    path
        The file.
    mark
        Decimal mark, if the user has stated it; left out, the file's own evidence decides.
    progress
        Called with the share done, 0 to 1; False cancels.
    columns
        Whether raw pages may be read as columns, which is quicker and gives the same.

    Raises
    ------
    MeasurementError
        The file cannot be read or is of another kind.
    MeasurementCancelled
        ``progress`` returned False.
    """
    return _taken(path, mark, progress, columns=columns).finished()


def _taken(
    path: Path,
    mark: Mark | None,
    progress: Callable[[float], bool] | None,
    *,
    columns: bool,
) -> _Reading:
    """Go through the lines of a file, for a second time where the first began with a wrong guess."""
    head = read_head(path)
    if not head.strip():
        raise MeasurementError(f"{path}: the file is empty.")
    encoding = encoding_of(head)
    if encoding is None:
        raise MeasurementError(
            f"{path}: this is {binary_kind(head)}, not a profile. Open a CSV that Nsight Compute exported: {EXPORT}"
        )
    known = _Known(mark) if mark is not None else None
    reading = _Reading(path, encoding, known, progress, columns=columns)
    reading.take_lines()
    if reading.guessed_wrong:
        known = reading.found_out()
        reading = _Reading(path, encoding, known, progress, columns=False, keep=reading.came_back)
        reading.take_lines()
    return reading


class _Known(NamedTuple):
    """What is known of a file before it is read.

    Attributes
    ----------
    mark
        Its decimal mark, as the user stated it or as the whole file bears witness to; None if neither.
    stated
        Whether that is the user's word.
    several
        Whether it is about several devices; None if that is not known.
    """

    mark: Mark | None
    stated: bool = True
    several: bool | None = None


class _Reading:
    """State of reading one text file."""

    def __init__(
        self,
        path: Path,
        encoding: str,
        known: _Known | None,
        progress: Callable[[float], bool] | None,
        *,
        columns: bool,
        keep: bool = False,
    ) -> None:
        self._path = path
        self._known = known
        self._mark = known.mark if known is not None and known.stated else None
        self._building: Building | None = None
        self._assumed: _Known | None = None
        self._only_weighs = False
        self._progress = progress
        self._lines = TextLines(path, encoding, self._report_lines if progress is not None else None)
        self._store = LaunchStore(self._mark, columns=columns, give_on=None if keep else self._give_on)
        self._remarks = Remarks(self._store.evidence, self._mark)
        self._content = Content(self._lines, self._store)

    def take_lines(self) -> None:
        """Read the whole file."""
        self._content.take_lines()

    @property
    def mark(self) -> Mark | None:
        """Decimal mark that was stated or that the whole file bears witness to; None if neither."""
        return self._mark or self._store.evidence.decide()

    @property
    def came_back(self) -> bool:
        """Whether the rows of a launch are spread so widely that all launches must be kept to gather them."""
        return self._store.came_back

    @property
    def guessed_wrong(self) -> bool:
        """Whether the whole file bears witness to something else than launches were read under."""
        taken = self._store.taken_for_granted
        if taken is not None and self._mark is None and taken != self._store.evidence.decide():
            return True
        several = self._assumed is not None and self._assumed.several != self.found_out().several
        return several or self._only_weighs or self.came_back

    def found_out(self) -> _Known:
        """Return what is known of the file now that it was read."""
        return _Known(self.mark, self._mark is not None, len(self._store.devices) > 1)

    def _give_on(self) -> None:
        """Make the measurements of the launches that wait, with what is known of the file by now."""
        if self._building is None and not self._only_weighs:
            mark = self._known.mark if self._known is not None else self._store.granted()
            if mark is None and self._known is None:
                self._only_weighs = True  # what the numbers are, the whole file must say
            else:
                self._begin(mark)
        if self._building is not None:
            self._building.take()
        else:
            self._store.release()

    def _begin(self, mark: Mark | None) -> Building:
        known = self._known
        several = (
            known.several if known is not None and known.several is not None else len(self._store.devices) > 1
        )
        self._assumed = _Known(mark, several=several)
        self._building = Building(self._store, mark, several, self._remarks)
        return self._building

    def finished(self) -> MeasurementFile:
        """Make the measurements.

        Raises
        ------
        MeasurementError
            There is nothing of the profiler in the file.
        """
        building = self._building or self._begin(self.mark)
        building.take(self._report_built)
        measurements, remarks = building.finished(), self._remarks
        if not measurements and not self._content.recognised:
            raise MeasurementError(
                f"{self._path}: there is no Nsight Compute table in it: none of its {self._lines.number - 1:,} lines "
                f"names the columns ID and Kernel Name. Export one with: {EXPORT}"
            )
        return CountedFile(
            path=str(self._path),
            format=self._content.format,
            warnings=(*self._content.warnings(empty=not measurements), *remarks.texts()),
            measurements=measurements,
            digest=self._digest(),
            counters=tuple(self._store.metrics),
            columns=building.columns(),
            question=remarks.question,
            machines=building.ceilings.machines(),
        )

    def _digest(self) -> str:
        if self._mark is None:
            return self._lines.digest
        return hashlib.sha256(f"{self._lines.digest} decimal mark {self._mark}".encode()).hexdigest()

    def _report_lines(self, share: float) -> bool:
        return self._progress is None or self._progress(share * _READING_SHARE)

    def _report_built(self, share: float) -> None:
        if self._progress is not None and not self._progress(_READING_SHARE + (1 - _READING_SHARE) * share):
            raise MeasurementCancelled(f"{self._path}: reading was cancelled.")
