"""Rows of the tables, gathered by launch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

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


class _LongRows:
    """One row per launch and metric; rows may end before the last columns of the header."""

    def __init__(self, table: Table, store: LaunchStore) -> None:
        columns = table.columns
        self._store = store
        self._identity = Identity(table, store)
        self._id = columns.get("ID")
        self._metric = columns["Metric Name"]
        self._unit = columns.get("Metric Unit")
        self._value = columns["Average"] if table.kind == "summary" else columns["Metric Value"]
        self._advice = columns.get("Rule Description")
        self._needed = max(self._metric, self._unit or 0, self._value, columns["Kernel Name"]) + 1
        key = (
            ("Process ID", "ID", "Device", "Kernel Name")
            if self._id is not None
            else tuple(IDENTITY - {"ID"})
        )
        self._key = [columns[name] for name in key if name in columns]
        self._open: dict[tuple[str, ...], tuple[RawLaunch, set[tuple[str, ...]]]] = {}
        self._sources: dict[tuple[str, ...], Source | None] = {}

    def add_line(self, line: str, number: int) -> bool:
        return False

    def finish(self) -> None:
        pass

    def add(self, row: list[str], line: int) -> bool:
        if len(row) < self._needed:
            return False
        if self._id is not None and not LAUNCH_NUMBER.match(row[self._id].strip()):
            return False
        metric = row[self._metric].strip()
        unit = row[self._unit].strip() if self._unit is not None else ""
        what = (
            self._identity.cell(row, "Section Name"),
            self._identity.cell(row, "Body Item Label"),
            metric,
            unit,
        )
        launch = self._launch(row, line, what)
        if not metric:
            self._take_advice(row, launch)
            return True
        if max(map(len, what)) > LONGEST_NAME:
            return True
        source = self._source(what)
        text = row[self._value].strip()
        if source is not None:
            keep(launch, Cell(text, source))
        if text[:1].isdigit():
            self._store.weigh(text, metric, unit)
        return True

    def _take_advice(self, row: list[str], launch: RawLaunch) -> None:
        if self._advice is not None and self._advice < len(row):
            for cell in peak_share_cells(row[self._advice]):
                keep(launch, cell)

    def _launch(self, row: list[str], line: int, what: tuple[str, ...]) -> RawLaunch:
        """Launch of this row; without an ID column a new one starts where a metric comes again."""
        key = tuple(row[position] for position in self._key if position < len(row))
        counted = self._id is None and bool(row[self._metric].strip())
        known = self._open.get(key)
        if known is None or (counted and what in known[1]):
            known = (self._identity.start(row, line), set())
            self._open[key] = known
        if counted:
            known[1].add(what)
        return known[0]

    def _source(self, what: tuple[str, ...]) -> Source | None:
        """Metric that rows of this section, body item, name and unit give."""
        if what in self._sources:
            return self._sources[what]
        section, body, name, unit = what
        metric = wanted_metric(name)
        shown = name
        if metric is None:
            metric = label_metric(section, body, name, unit)
            shown = f"“{name}”"
        source = None if metric is None else Source(metric, unit, shown)
        if len(self._sources) < _MOST_SOURCES:
            self._sources[what] = source
        return source
