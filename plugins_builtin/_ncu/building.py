"""From the launches of a whole file to its measurements, in the order of the file."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from plugins_builtin._ncu.build import build
from plugins_builtin._ncu.packing import Packing
from plugins_builtin._ncu.profiled import RunCeilings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from plugins_builtin._ncu.launches import LaunchStore
    from plugins_builtin._ncu.numbers import Mark
    from plugins_builtin._ncu.remarks import Remarks
    from plugins_builtin._ncu.wide import WideColumns
    from rooflinestudio.plugins import Measurement

__all__ = ["Building"]

_BUILT_PER_REPORT: Final = 500
_WORTH_IT: Final = 32  # launches


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
    """Makes the measurements of a file, of some launches after the other.

    Parameters
    ----------
    store
        Its launches.
    mark
        Its decimal mark, or None if that is not settled.
    several
        Whether the file is about several devices: without a name, the number of the device matters only then.
    remarks
        Is told what has to be said about the launches.

    Attributes
    ----------
    ceilings
        What the launches say of the machines they were measured on.
    """

    def __init__(self, store: LaunchStore, mark: Mark | None, several: bool, remarks: Remarks) -> None:
        self._store = store
        self._mark = mark
        self._remarks = remarks
        self._prefix = "device " if several else ""
        self._packing = Packing()
        self._tables: list[tuple[WideColumns, Any]] = []
        self.ceilings = RunCeilings()

    def take(self, report: Callable[[float], None] | None = None) -> None:
        """Make the measurements of the launches that wait, and let go of them.

        Parameters
        ----------
        report
            Called now and then with the share done, 0 to 1; raises to cancel.
        """
        with _no_collection():
            self._take(_Telling(report, len(self._store.launches)))
        self._store.release()

    def finished(self) -> Sequence[Measurement]:
        """Give the measurements of all launches that were taken."""
        return self._packing.packer.packed()

    def columns(self) -> Mapping[str, Any]:
        """All columns of the raw pages."""
        if not self._tables:
            return {}
        from plugins_builtin._ncu.counted_file import CounterColumns

        return CounterColumns(self._tables, self._store.started)

    def _take(self, telling: _Telling) -> None:
        self._from_columns(telling)
        for position, raw in enumerate(self._store.launches, start=self._store.released):
            telling.one()
            if raw.columns is not None:
                self._remarks.add_notes(self._packing.notes_at(position), position)
                continue
            device = f"{self._prefix}{raw.device}" if self._prefix and raw.device else ""
            built = build(raw, position, self._mark, device=device)
            self._remarks.add(built, raw)
            self.ceilings.add(built.counters.values, raw)
            raw.cells = {}  # no longer needed, and large in sum
            self._packing.packer.put(position, built.measurement)

    def _from_columns(self, telling: _Telling) -> None:
        """Pack the launches whose numbers stand in columns, or can be put there."""
        if self._mark is None or not (self._store.wide or len(self._store.launches) >= _WORTH_IT):
            return
        import numpy as np

        from plugins_builtin._ncu.build_columns import pack_columns
        from plugins_builtin._ncu.gathering import gathered

        place = {id(raw): at for at, raw in enumerate(self._store.launches, start=self._store.released)}
        wide = self._placed(self._store.wide, place)
        for table, positions in wide + self._placed(gathered(self._store.launches, self._mark), place):
            pack_columns(table, positions, self._prefix, self._packing, telling.many())
            self.ceilings.add_table(table)
            table.close()
        self._tables += [(table, np.array(positions, np.int32)) for table, positions in wide]

    @staticmethod
    def _placed(tables: list[WideColumns], place: dict[int, int]) -> list[tuple[WideColumns, list[int]]]:
        """Tables with the positions of their launches in the file."""
        return [(table, [place[id(raw)] for raw in table.launches]) for table in tables if table.launches]


class _Telling:
    """Tells how much is done: each launch is gone through twice, in columns and in the order of the file."""

    def __init__(self, report: Callable[[float], None] | None, launches: int) -> None:
        self._report = report
        self._all = max(2 * launches, 1)
        self._in_columns = 0
        self._one_by_one = 0

    def one(self) -> None:
        """Say that a launch comes in the order of the file."""
        if self._one_by_one % _BUILT_PER_REPORT == 0:
            self._tell(self._all // 2 + self._one_by_one)
        self._one_by_one += 1

    def many(self) -> Callable[[int], None]:
        """Give what is to be called with the number of launches of the next table that are done."""
        before = self._in_columns

        def tell(done: int) -> None:
            self._in_columns = before + done
            self._tell(self._in_columns)

        return tell

    def _tell(self, done: int) -> None:
        if self._report is not None:
            self._report(min(done / self._all, 1.0))
