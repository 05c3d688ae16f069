"""The raw page, one row per launch: rows are gathered, and their numbers read a block at a time.

All columns are kept as numbers, 8 bytes a cell, and the recipes run over the columns (``build_columns``). A launch
with a cell that is more than a plain number where a recipe needs it (a list of instances, an exponent, a word that
nobody knows) is kept as printed and treated on its own, like every launch of a file whose number format is open.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from plugins_builtin._ncu.blocks import SEPARATOR, parse_block
from plugins_builtin._ncu.counters import Cell, Source, scale_of
from plugins_builtin._ncu.launches import LAUNCH_NUMBER, LONGEST_NAME, Identity, keep
from plugins_builtin._ncu.metrics import DEVICE_NAME, wanted_metric
from plugins_builtin._ncu.numbers import is_missing
from plugins_builtin._ncu.tables import IDENTITY

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from plugins_builtin._ncu.blocks import Block
    from plugins_builtin._ncu.launches import LaunchStore, RawLaunch
    from plugins_builtin._ncu.numbers import Mark
    from plugins_builtin._ncu.tables import Table

__all__ = ["ABSENT", "EMPTY", "WideColumns", "WideRows"]

EMPTY: Final = 255
"""Stands for the number of decimals where a cell is empty."""
ABSENT: Final = 254
"""The same where a cell has a word for a missing value."""

_CELLS_PER_BLOCK: Final = 40_000  # what the caches of a processor hold
_MOST_ROWS_PER_BLOCK: Final = 4_000
_ROWS_WEIGHED: Final = 2_000
_BREAKS: Final = str.maketrans({SEPARATOR: "?"})


class Wanted(NamedTuple):
    """A column that recipes need: its position behind the identity, and what it holds."""

    column: int
    source: Source


class WideColumns:
    """Numbers of all launches of one table.

    Attributes
    ----------
    names, units
        Of the columns behind the identity, as printed.
    wanted
        Those that recipes need.
    launches
        The launches, one per row.
    closed
        Whether measurements were made of its launches, so that further rows go to another table.
    """

    def __init__(self, names: tuple[str, ...], units: tuple[str, ...], wanted: list[Wanted]) -> None:
        self.names = names
        self.units = units
        self.wanted = wanted
        self.launches: list[RawLaunch] = []
        self.closed = False
        self._values: list[npt.NDArray[np.float64]] = []
        self._states: list[npt.NDArray[np.uint8]] = []

    def add(self, block: Block, states: npt.NDArray[np.uint8]) -> None:
        """Take a block of rows: all numbers, and the state of the wanted cells."""
        self._values.append(block.values)
        self._states.append(states)

    def close(self) -> None:
        """Keep the numbers alone."""
        self.closed = True
        self.launches = []
        self._states = []

    def another(self) -> WideColumns:
        """Give an empty table with the same columns."""
        return WideColumns(self.names, self.units, self.wanted)

    def column(self, position: int) -> npt.NDArray[np.float64]:
        """Numbers of one column as printed, one per launch; NaN where there is none."""
        import numpy as np

        return np.concatenate([values[:, position] for values in self._values])

    def states(self) -> npt.NDArray[np.uint8]:
        """Decimals of each wanted cell, or :data:`EMPTY` or :data:`ABSENT`, as numbers; one row per launch."""
        import numpy as np

        return np.concatenate(self._states)


class WideRows:
    """Takes the rows of a raw page; the first holds the units, with empty cells under the identity columns."""

    def __init__(self, table: Table, store: LaunchStore) -> None:
        self._table = table
        self._store = store
        self._identity = Identity(table, store)
        self._head = 1 + max(place for name, place in table.columns.items() if name in IDENTITY)
        self._units: list[str] | None = None
        self._wanted: list[tuple[int, Source]] = []
        self._columns: WideColumns | None = None
        self._pending: list[tuple[list[str], str, int]] = []
        self._weighed = 0
        tail = len(table.names) - self._head
        self._tail = tail
        self._rows_per_block = max(min(_CELLS_PER_BLOCK // max(tail, 1), _MOST_ROWS_PER_BLOCK), 1)
        self._plain = f'"{table.delimiter}"'

    def add_line(self, line: str, number: int) -> bool:
        """Take a row that is quoted throughout, as the profiler writes it; False if it must be taken apart first."""
        if self._units is None or self._columns is None or line[:1] != '"' or line[-1:] != '"':
            return False
        cells = line.split(self._plain, self._head)
        if len(cells) <= self._head:
            return False
        rest = cells.pop()
        cells[0] = cells[0][1:]
        plain = rest[:-1].replace(self._plain, SEPARATOR)
        # Each change made it shorter by two; a quote that is left, or a separator that was there, needs more care.
        if len(rest) - 1 - len(plain) != 2 * (self._tail - 1) or '"' in plain or SEPARATOR in rest:
            return False
        if '"' in "".join(cells) or not self._is_launch(cells):
            return False
        self._take(cells, plain, number)
        return True

    def add(self, row: list[str], line: int) -> bool:
        """Take a row; False if it is no row of this table (output of the program, a cut row)."""
        if len(row) < 2:
            return False
        if self._units is None:
            has_units = not self._identity.cell(row, "ID") and not self._identity.cell(row, "Kernel Name")
            self._set_units(row if has_units else [])
            if has_units:
                return True
        if not self._is_launch(row):
            return False
        cells = row[self._head : self._head + self._tail]
        cells += [""] * (self._tail - len(cells))
        self._take(row[: self._head], SEPARATOR.join(cell.translate(_BREAKS) for cell in cells), line)
        return True

    def finish(self) -> None:
        """Read the rows that are still waiting."""
        if not self._pending:
            return
        pending, self._pending = self._pending, []
        self._store.make_room()
        if self._columns is not None and self._columns.closed:
            self._columns = self._columns.another()
            self._store.wide.append(self._columns)
        self._weigh(pending)
        mark = self._store.mark() if self._columns is not None else None
        launches = [self._identity.start(head, number) for head, _, number in pending]
        if mark is None or self._columns is None:
            for launch, (head, rest, _) in zip(launches, pending, strict=True):
                self._keep_cells(launch, [*head, *rest.split(SEPARATOR)])
            return
        self._read(launches, pending, mark)

    def _is_launch(self, row: list[str]) -> bool:
        return LAUNCH_NUMBER.match(self._identity.cell(row, "ID")) is not None

    def _take(self, head: list[str], rest: str, line: int) -> None:
        self._pending.append((head, rest, line))
        if len(self._pending) >= self._rows_per_block:
            self.finish()

    def _set_units(self, units: list[str]) -> None:
        self._units = units
        for name in self._table.names[self._head :]:
            self._store.has(name)
        for position, name in enumerate(self._table.names):
            metric = wanted_metric(name) if len(name) <= LONGEST_NAME else None
            if metric is not None:
                self._wanted.append((position, Source(metric, self._unit(position), name)))
        metrics = [source.metric for _, source in self._wanted]
        known = all(
            scale_of(source) is not None for _, source in self._wanted if source.metric != DEVICE_NAME
        )
        behind = all(position >= self._head for position, _ in self._wanted)
        # Two columns for one metric, or one in an unknown unit, are sorted out launch by launch.
        if behind and known and len(set(metrics)) == len(metrics) and self._tail > 0:
            self._columns = WideColumns(
                self._table.names[self._head :],
                tuple(self._unit(place) for place in range(self._head, len(self._table.names))),
                [Wanted(place - self._head, source) for place, source in self._wanted],
            )
            self._store.wide.append(self._columns)

    def _unit(self, position: int) -> str:
        return self._units[position][:40] if self._units and position < len(self._units) else ""

    def _weigh(self, pending: list[tuple[list[str], str, int]]) -> None:
        """Let the first rows bear witness to the number format."""
        for _, rest, _ in pending:
            if self._store.weighed_enough or self._weighed >= _ROWS_WEIGHED:
                return
            self._weighed += 1
            for place, text in enumerate(rest.split(SEPARATOR), start=self._head):
                if text[:1].isdigit():
                    self._store.weigh(text, self._table.names[place], self._unit(place))

    def _keep_cells(self, launch: RawLaunch, row: list[str]) -> None:
        """Keep what recipes need as printed."""
        for position, source in self._wanted:
            if position < len(row) and (text := row[position]):
                keep(launch, Cell(text, source))

    def _read(self, launches: list[RawLaunch], pending: list[tuple[list[str], str, int]], mark: Mark) -> None:
        """Turn the waiting rows into numbers."""
        import numpy as np

        assert self._columns is not None
        block = parse_block(SEPARATOR.join(rest for _, rest, _ in pending) + SEPARATOR, self._tail, mark)
        wanted = [one.column for one in self._columns.wanted]
        states = block.decimals[:, wanted]
        states[np.isnan(block.values[:, wanted])] = EMPTY
        states[block.absent[:, wanted]] = ABSENT
        places = {column: place for place, column in enumerate(wanted)}
        odd_rows: set[int] = set()
        for cell in block.odd:
            place = places.get(cell.column)
            if place is None:
                block.values[cell.row, cell.column] = self._store.odd_number(cell.text, mark)
            elif self._columns.wanted[place].source.metric == DEVICE_NAME:
                launches[cell.row].device_name = self._store.same(cell.text.strip())
            elif is_missing(cell.text):
                states[cell.row, place] = ABSENT
            else:
                odd_rows.add(cell.row)
        odd_rows.update(row for row, launch in enumerate(launches) if launch.count != 1)
        for row, launch in enumerate(launches):
            launch.columns, launch.row = self._columns, len(self._columns.launches) + row
        for row in odd_rows:
            head, rest, _ = pending[row]
            launches[row].columns = None
            self._keep_cells(launches[row], [*head, *rest.split(SEPARATOR)])
        self._columns.launches += launches
        self._columns.add(block, states)
