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
    columns
        All columns of the raw pages, once the measurements are made.
    ceilings
        What the file says of the machines it was measured on, likewise.
    """

    def __init__(self, store: LaunchStore, mark: Mark | None, report: Callable[[float], None]) -> None:
        self._store = store
        self._mark = mark
        self._report = report
        # Without a name the number of the device matters only where there are several.
        several = len({raw.device for raw in store.launches if raw.device}) > 1
        self._prefix = "device " if several else ""
        self.columns: Mapping[str, Any] = {}
        self.ceilings = RunCeilings()

    def run(self, remarks: Remarks) -> Sequence[Measurement]:
        """Make the measurements, and tell ``remarks`` what has to be said about them."""
        with _no_collection():
            return self._run(remarks)

    def _run(self, remarks: Remarks) -> Sequence[Measurement]:
        packing = Packing()
        self._from_columns(packing)
        for position, raw in enumerate(self._store.launches):
            if position % _BUILT_PER_REPORT == 0:
                self._tell(len(self._store.launches) + position)
            if raw.columns is not None:
                remarks.add_notes(packing.notes_at(position), position)
                continue
            device = f"{self._prefix}{raw.device}" if self._prefix and raw.device else ""
            built = build(raw, position, self._mark, device=device)
            remarks.add(built, raw)
            self.ceilings.add(built.counters.values, raw)
            raw.cells = {}  # no longer needed, and large in sum
            packing.packer.put(position, built.measurement)
        return packing.packer.packed()

    def _from_columns(self, packing: Packing) -> None:
        """Pack the launches whose numbers stand in columns, or can be put there."""
        if self._mark is None or not (self._store.wide or len(self._store.launches) >= _WORTH_IT):
            return
        from plugins_builtin._ncu.build_columns import pack_columns
        from plugins_builtin._ncu.counted_file import CounterColumns
        from plugins_builtin._ncu.gathering import gathered

        place = {id(raw): position for position, raw in enumerate(self._store.launches)}
        wide = self._placed(self._store.wide, place)
        done = 0
        for table, positions in wide + self._placed(gathered(self._store.launches, self._mark), place):
            pack_columns(table, positions, self._prefix, packing, self._teller(done))
            self.ceilings.add_table(table)
            done += len(positions)
            table.launches = []
        self.columns = CounterColumns(wide, len(self._store.launches))

    @staticmethod
    def _placed(tables: list[WideColumns], place: dict[int, int]) -> list[tuple[WideColumns, list[int]]]:
        """Tables with the positions of their launches in the file."""
        return [(table, [place[id(raw)] for raw in table.launches]) for table in tables if table.launches]

    def _teller(self, before: int) -> Callable[[int], None]:
        return lambda done: self._tell(before + done)

    def _tell(self, done: int) -> None:
        # Each launch is gone through twice: in columns, and in the order of the file.
        self._report(min(done / max(2 * len(self._store.launches), 1), 1.0))
