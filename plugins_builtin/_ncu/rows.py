"""Rows of the tables, gathered by launch."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from plugins_builtin._ncu.counters import Cell, Source
from plugins_builtin._ncu.launches import LAUNCH_NUMBER, LONGEST_NAME, Identity, keep
from plugins_builtin._ncu.metrics import label_metric, wanted_metric
from plugins_builtin._ncu.rules import peak_share_cells
from plugins_builtin._ncu.tables import IDENTITY
from plugins_builtin._ncu.wide import WideRows

if TYPE_CHECKING:
    from plugins_builtin._ncu.launches import LaunchStore, RawLaunch
    from plugins_builtin._ncu.tables import Table

__all__ = ["Rows", "rows_of"]

_MOST_SOURCES: Final = 50_000
_NOWHERE: Final = -1


class Rows(Protocol):
    """Takes the rows of one table."""

    def add_line(self, line: str, number: int) -> bool:
        """Take a line that needs no taking apart; False if it does."""
        ...

    def add(self, row: list[str], line: int) -> bool:
        """Take a row; False if it is no row of this table (output of the program, a cut row)."""
        ...

    def finish(self) -> None:
        """Come to an end: no further row follows."""
        ...


def rows_of(table: Table, store: LaunchStore) -> Rows | None:
    """Receiver for the rows of a table, or None for tables without launches."""
    if table.kind == "wide":
        return WideRows(table, store)
    return _LongRows(table, store) if table.kind in ("long", "summary") else None


class _Known(NamedTuple):
    """What rows with one section, body item, metric name and unit give."""

    metric: str
    unit: str
    source: Source | None
    too_long: bool


class _LongRows:
    """One row per launch and metric; rows may end before the last columns of the header."""

    def __init__(self, table: Table, store: LaunchStore) -> None:
        columns = table.columns
        self._store = store
        self._identity = Identity(table, store)
        self._has_id = "ID" in columns
        self._id = columns.get("ID", _NOWHERE)
        self._metric = columns["Metric Name"]
        self._value = columns["Average"] if table.kind == "summary" else columns["Metric Value"]
        self._advice = columns.get("Rule Description")
        self._needed = (
            max(self._metric, columns.get("Metric Unit", 0), self._value, columns["Kernel Name"]) + 1
        )
        key = ("Process ID", "ID", "Device", "Kernel Name") if self._has_id else tuple(IDENTITY - {"ID"})
        key_places = [columns[name] for name in key if name in columns]
        places = [
            columns.get(name, _NOWHERE)
            for name in ("Section Name", "Body Item Label", "Metric Name", "Metric Unit")
        ]
        # A row gets one more, empty cell, to which the place of a missing column points.
        self._key_of = itemgetter(*key_places, _NOWHERE)
        self._what_of = itemgetter(*places)
        self._width = max(*key_places, *places) + 1
        self._plain = f'"{table.delimiter}"'
        self._delimiter = table.delimiter
        self._open: dict[tuple[str, ...], tuple[RawLaunch, set[tuple[str, ...]]]] = {}
        self._gone: set[int] = set()  # hashes of the keys of launches that were given on
        self._known: dict[tuple[str, ...], _Known] = {}
        self._last: tuple[tuple[str, ...], RawLaunch] | None = None

    def add_line(self, line: str, number: int) -> bool:
        """Take a row that is quoted throughout, as the profiler writes it; False if it must be taken apart first."""
        text = line if line[-1:] == '"' else line.rstrip(self._delimiter)
        # Without launch numbers a row cannot be told from the header of the next table.
        if not self._has_id or text[:1] != '"' or text[-1:] != '"':
            return False
        cells = text[1:-1].split(self._plain)
        if len(cells) < self._needed or text.count('"') != 2 * len(cells):
            return False
        return self.add(cells, number)

    def finish(self) -> None:
        """Come to an end: every row was taken when it came."""

    def add(self, row: list[str], line: int) -> bool:
        """Take a row; False if it is no row of this table (output of the program, a cut row)."""
        if len(row) < self._needed:
            return False
        row += [""] * (max(self._width - len(row), 0) + 1)
        key, what = self._key_of(row), self._what_of(row)
        known = self._known.get(what) or self._learn(what)
        if self._last is not None and self._last[0] == key and self._has_id:
            launch = self._last[1]
        elif self._has_id and not LAUNCH_NUMBER.match(row[self._id].strip()):
            return False
        else:
            launch = self._launch(key, what, row, line)
            self._last = (key, launch)
        if not known.metric:
            self._take_advice(row, launch)
        elif not known.too_long:
            text = row[self._value].strip()
            if known.source is not None:
                keep(launch, Cell(text, known.source))
            if not self._store.weighed_enough and text[:1].isdigit():
                self._store.weigh(text, known.metric, known.unit)
        return True

    def _take_advice(self, row: list[str], launch: RawLaunch) -> None:
        if self._advice is not None and self._advice < len(row):
            for cell in peak_share_cells(row[self._advice]):
                keep(launch, cell)

    def _launch(self, key: tuple[str, ...], what: tuple[str, ...], row: list[str], line: int) -> RawLaunch:
        """Launch of this row; without an ID column a new one starts where a metric comes again."""
        counted = not self._has_id and bool(row[self._metric].strip())
        known = self._open.get(key)
        if known is None or (counted and what in known[1]):
            self._make_room(key)
            known = (self._identity.start(row, line), set())
            self._open[key] = known
        if counted:
            known[1].add(what)
        return known[0]

    def _make_room(self, key: tuple[str, ...]) -> None:
        """Let the launches before this one be given on; without an ID column any of them may go on."""
        if not self._has_id:
            return
        if self._store.make_room():
            self._gone.update(map(hash, self._open))
            self._open.clear()
        self._store.came_back = self._store.came_back or hash(key) in self._gone

    def _learn(self, what: tuple[str, ...]) -> _Known:
        """Find out what rows like this one give."""
        section, body, metric, unit = map(str.strip, what)
        too_long = max(len(section), len(body), len(metric), len(unit)) > LONGEST_NAME
        source = _source(section, body, metric, unit) if metric and not too_long else None
        if metric:
            self._store.has(source.metric if source is not None else metric)
        known = _Known(metric, unit, source, too_long)
        if len(self._known) < _MOST_SOURCES:
            self._known[what] = known
        return known


def _source(section: str, body: str, name: str, unit: str) -> Source | None:
    """Metric that rows of this section, body item, name and unit give."""
    metric, shown = wanted_metric(name), name
    if metric is None:
        metric, shown = label_metric(section, body, name, unit), f"“{name}”"
    return None if metric is None else Source(metric, unit, shown)
