"""A file of measurements that still has all counters of its raw page, as arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rooflinestudio.plugins import MeasurementFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    import numpy.typing as npt

    from plugins_builtin._ncu.wide import WideColumns

__all__ = ["CountedFile", "CounterColumns"]


class CounterColumns(Mapping[str, "npt.NDArray[np.float64]"]):
    """Printed numbers of every counter by its name, one per launch of the file, NaN where there is none.

    Attributes
    ----------
    units
        Unit of each counter as printed; the numbers are not scaled.
    """

    def __init__(self, tables: list[tuple[WideColumns, npt.NDArray[np.int32]]], launches: int) -> None:
        self._tables = tables
        self._launches = launches
        self.units: dict[str, str] = {}
        for table, _ in tables:
            for name, unit in zip(table.names, table.units, strict=True):
                self.units.setdefault(name, unit)

    def __len__(self) -> int:
        return len(self.units)

    def __iter__(self) -> Iterator[str]:
        return iter(self.units)

    def __getitem__(self, name: str) -> npt.NDArray[np.float64]:
        import numpy as np

        if name not in self.units:
            raise KeyError(name)
        found = np.full(self._launches, np.nan)
        for table, positions in self._tables:
            if name in table.names:
                found[positions] = table.column(table.names.index(name))
        return found


@dataclass(frozen=True, slots=True)
class CountedFile(MeasurementFile):
    """What a file with raw pages holds.

    Attributes
    ----------
    columns
        All columns of its raw pages; those of two tables with one name are one counter.
    """

    columns: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)
