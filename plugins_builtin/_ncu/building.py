"""From the launches of a whole file to its measurements, in the order of the file."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from plugins_builtin._ncu.build import Built, build
from plugins_builtin._ncu.counters import Counters

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from plugins_builtin._ncu.launches import LaunchStore
    from plugins_builtin._ncu.numbers import Mark
    from plugins_builtin._ncu.remarks import Remarks
    from plugins_builtin._ncu.wide import WideColumns
    from rooflinestudio.plugins import Measurement

__all__ = ["Building"]

_BUILT_PER_REPORT: Final = 500
_WORTH_IT: Final = 32  # launches
_NOTHING_ODD: Final = Counters()


@contextmanager
def _no_collection() -> Iterator[None]:
    """Keep the garbage collector from walking, again and again, hundreds of thousands of new objects that all stay."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


class Building:
    """Makes the measurements of a file.

    Parameters
    ----------
    store
        Its launches.
    mark
        Its decimal mark, or None if that is not settled.
    report
        Called now and then with the share done, 0 to 1; raises to cancel.

    Attributes
    ----------
    counters
        All columns of the raw pages, once the measurements are made.
    """

    def __init__(self, store: LaunchStore, mark: Mark | None, report: Callable[[float], None]) -> None:
        self._store = store
        self._mark = mark
        self._report = report
        # Without a name the number of the device matters only where there are several.
        several = len({raw.device for raw in store.launches if raw.device}) > 1
        self._prefix = "device " if several else ""
        self.counters: Mapping[str, Any] = {}

    def run(self, remarks: Remarks) -> list[Measurement]:
        """Make the measurements, and tell ``remarks`` what has to be said about them."""
        with _no_collection():
            return self._run(remarks)

    def _run(self, remarks: Remarks) -> list[Measurement]:
        ready = self._from_columns()
        found: list[Measurement] = []
        for position, raw in enumerate(self._store.launches):
            if position % _BUILT_PER_REPORT == 0:
                self._tell(len(self._store.launches) + position)
            if raw.columns is not None:
                measurement = ready[position]
                found.append(measurement)
                if measurement.notes:
                    remarks.add(Built(measurement, _NOTHING_ODD), raw)
                continue
            device = f"{self._prefix}{raw.device}" if self._prefix and raw.device else ""
            built = build(raw, position, self._mark, device=device)
            remarks.add(built, raw)
            raw.cells = {}  # no longer needed, and large in sum
            found.append(built.measurement)
        return found

    def _from_columns(self) -> dict[int, Measurement]:
        """Measurements by position of the launches whose numbers stand in columns, or can be put there."""
        if self._mark is None or not (self._store.wide or len(self._store.launches) >= _WORTH_IT):
            return {}
        from plugins_builtin._ncu.build_columns import measurements_of
        from plugins_builtin._ncu.counted_file import CounterColumns
        from plugins_builtin._ncu.gathering import gathered

        place = {id(raw): position for position, raw in enumerate(self._store.launches)}
        wide = self._placed(self._store.wide, place)
        ready: dict[int, Measurement] = {}
        done = 0
        for table, positions in wide + self._placed(gathered(self._store.launches, self._mark), place):
            made = measurements_of(table, positions, self._prefix, self._teller(done))
            ready |= {position: one for position, one in zip(positions, made, strict=True) if one is not None}
            done += len(positions)
            table.launches = []
        self.counters = CounterColumns(wide, len(self._store.launches))
        return ready

    @staticmethod
    def _placed(tables: list[WideColumns], place: dict[int, int]) -> list[tuple[WideColumns, list[int]]]:
        """Tables with the positions of their launches in the file."""
        return [(table, [place[id(raw)] for raw in table.launches]) for table in tables if table.launches]

    def _teller(self, before: int) -> Callable[[int], None]:
        return lambda done: self._tell(before + done)

    def _tell(self, done: int) -> None:
        # Each launch is gone through twice: in columns, and in the order of the file.
        self._report(min(done / max(2 * len(self._store.launches), 1), 1.0))
