"""Rows of the tables, gathered by launch: only cells that a recipe may need are kept."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol

from plugins_builtin._ncu.counters import Cell, Source
from plugins_builtin._ncu.metrics import DEVICE_NAME, is_integer_counter, label_metric, wanted_metric
from plugins_builtin._ncu.numbers import FormatEvidence, is_missing
from plugins_builtin._ncu.rules import peak_share_cells
from plugins_builtin._ncu.tables import IDENTITY

if TYPE_CHECKING:
    from plugins_builtin._ncu.tables import Table

__all__ = ["LONGEST_NAME", "LaunchStore", "RawLaunch", "Rows", "keep", "rows_of"]

LONGEST_NAME: Final = 200
"""Characters of a metric name or label; what is longer is none of ours."""
_LAUNCH_NUMBER: Final = re.compile(r"\d{1,18}\Z", re.ASCII)
# Properties of device and launch, some of which are printed as text and not in the number format of the rest.
_NOT_COUNTED: Final = ("device__", "nvlink__", "numa__", "profiler__")
_ENOUGH_VOTES: Final = 200


@dataclass(slots=True)
class RawLaunch:
    """One launch (or one line of a summary) as printed."""

    kernel: str
    block: str
    grid: str
    device: str
    compute_capability: str
    count: int
    line: int
    cells: dict[str, Cell] = field(default_factory=dict)
    device_name: str = ""


class LaunchStore:
    """Launches of all tables of a file, in the order in which they first occur."""

    def __init__(self) -> None:
        self.launches: list[RawLaunch] = []
        self.evidence = FormatEvidence()
        self._texts: dict[str, str] = {}

    def same(self, text: str) -> str:
        """One object for equal texts, so that a name is held once for all its launches."""
        return self._texts.setdefault(text, text)

    def weigh(self, text: str, name: str, unit: str) -> None:
        """Let a cell bear witness to the number format, until there is witness enough."""
        votes = self.evidence.votes
        if name.startswith(_NOT_COUNTED):
            return
        if max(votes.values()) < _ENOUGH_VOTES or min(votes.values()):
            self.evidence.add(text, integer=len(name) <= LONGEST_NAME and is_integer_counter(name, unit[:40]))


class Rows(Protocol):
    """Takes the rows of one table."""

    def add(self, row: list[str], line: int) -> bool:
        """Take a row; False if it is no row of this table (output of the program, a cut row)."""
        ...


def rows_of(table: Table, store: LaunchStore) -> Rows | None:
    """Receiver for the rows of a table, or None for tables without launches."""
    if table.kind == "wide":
        return _WideRows(table, store)
    return _LongRows(table, store) if table.kind in ("long", "summary") else None


def keep(launch: RawLaunch, cell: Cell) -> None:
    """Keep a cell, of two readings of one metric the one with more digits, of equal ones the first."""
    metric = cell.source.metric
    if metric == DEVICE_NAME:
        launch.device_name = launch.device_name or cell.text.strip()
        return
    before = launch.cells.get(metric)
    if before is None or _digits(cell) > _digits(before):
        launch.cells[metric] = cell


def _digits(cell: Cell) -> int:
    return -1 if is_missing(cell.text) else sum(map(str.isdigit, cell.text))


class _Identity:
    """Cells of a row that describe its launch."""

    def __init__(self, table: Table, store: LaunchStore) -> None:
        self._columns = table.columns
        self._store = store

    def cell(self, row: list[str], name: str) -> str:
        position = self._columns.get(name)
        return row[position].strip() if position is not None and position < len(row) else ""

    def start(self, row: list[str], line: int) -> RawLaunch:
        same, cell = self._store.same, self.cell
        invocations = cell(row, "Invocations")
        launch = RawLaunch(
            kernel=same(cell(row, "Kernel Name")),
            block=same(cell(row, "Block Size")),
            grid=same(cell(row, "Grid Size")),
            device=same(cell(row, "Device")),
            compute_capability=same(cell(row, "CC").replace(",", ".")),
            count=max(int(invocations), 1) if _LAUNCH_NUMBER.match(invocations) else 1,
            line=line,
        )
        self._store.launches.append(launch)
        return launch


class _WideRows:
    """One row per launch; the first row holds the units, with empty cells under the identity columns."""

    def __init__(self, table: Table, store: LaunchStore) -> None:
        self._table = table
        self._store = store
        self._identity = _Identity(table, store)
        self._units: list[str] | None = None
        self._sources: list[tuple[int, Source]] = []

    def add(self, row: list[str], line: int) -> bool:
        if len(row) < 2:
            return False
        number = self._identity.cell(row, "ID")
        if self._units is None:
            has_units = not number and not self._identity.cell(row, "Kernel Name")
            self._set_units(row if has_units else [])
            if has_units:
                return True
        if not _LAUNCH_NUMBER.match(number):
            return False
        launch = self._identity.start(row, line)
        for position, source in self._sources:
            if position < len(row) and (text := row[position]):
                keep(launch, Cell(text, source))
        self._weigh(row)
        return True

    def _set_units(self, units: list[str]) -> None:
        self._units = units
        for position, name in enumerate(self._table.names):
            metric = wanted_metric(name) if len(name) <= LONGEST_NAME else None
            if metric is not None:
                self._sources.append((position, Source(metric, self._unit(position), name)))

    def _unit(self, position: int) -> str:
        return self._units[position][:40] if self._units and position < len(self._units) else ""

    def _weigh(self, row: list[str]) -> None:
        votes = self._store.evidence.votes
        if max(votes.values()) >= _ENOUGH_VOTES and not min(votes.values()):
            return
        for position, (name, text) in enumerate(zip(self._table.names, row, strict=False)):
            if name not in IDENTITY and text[:1].isdigit():
                self._store.weigh(text, name, self._unit(position))


class _LongRows:
    """One row per launch and metric; rows may end before the last columns of the header."""

    def __init__(self, table: Table, store: LaunchStore) -> None:
        columns = table.columns
        self._store = store
        self._identity = _Identity(table, store)
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

    def add(self, row: list[str], line: int) -> bool:
        if len(row) < self._needed:
            return False
        if self._id is not None and not _LAUNCH_NUMBER.match(row[self._id].strip()):
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
        if len(self._sources) < 50_000:
            self._sources[what] = source
        return source
