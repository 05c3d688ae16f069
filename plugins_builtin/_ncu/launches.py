"""Launches of a file as printed, from all its tables: only cells that a recipe may need are kept."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from plugins_builtin._ncu.metrics import DEVICE_NAME, is_integer_counter
from plugins_builtin._ncu.numbers import FormatEvidence, is_missing, read_number

if TYPE_CHECKING:
    from collections.abc import Callable

    from plugins_builtin._ncu.counters import Cell
    from plugins_builtin._ncu.numbers import Mark
    from plugins_builtin._ncu.tables import Table
    from plugins_builtin._ncu.wide import WideColumns

__all__ = ["LAUNCH_NUMBER", "LONGEST_NAME", "Identity", "LaunchStore", "RawLaunch", "keep"]

LONGEST_NAME: Final = 200
"""Characters of a metric name or label; what is longer is none of ours."""
LAUNCH_NUMBER: Final = re.compile(r"\d{1,18}\Z", re.ASCII)
# Properties of device and launch, some of which are printed as text and not in the number format of the rest.
_NOT_COUNTED: Final = ("device__", "nvlink__", "numa__", "profiler__")
_ENOUGH_VOTES: Final = 200
_MOST_WORDS: Final = 10_000
_MOST_METRICS: Final = 5_000
_MOST_KNOWN: Final = 5_000
_MOST_DEVICES: Final = 1_000
_MOST_WAITING: Final = 10_000
"""Launches that are held as printed, each over a kilobyte."""
_NOWHERE: Final = 1 << 60  # position of a column that a table lacks


@dataclass(slots=True)
class RawLaunch:
    """One launch (or one line of a summary) as printed.

    Attributes
    ----------
    cells
        Printed values by metric; empty where the numbers stand in ``columns``.
    columns, row
        Table whose numbers were read as columns, and the row of this launch in it.
    """

    kernel: str
    block: str
    grid: str
    device: str
    compute_capability: str
    count: int
    line: int
    cells: dict[str, Cell] = field(default_factory=dict)
    device_name: str = ""
    columns: WideColumns | None = None
    row: int = -1


class LaunchStore:
    """Launches of all tables of a file, in the order in which they first occur.

    Of a long file most launches are given on while it is read: see :meth:`make_room`.

    Parameters
    ----------
    stated
        Decimal mark that the user stated, or None.
    columns
        Whether the numbers of a raw page may be read before the whole file has borne witness to its format.
    give_on
        Called when many launches wait; takes them and calls :meth:`release`. None keeps all of them.

    Attributes
    ----------
    launches
        Those that wait.
    released
        How many were given on before them.
    devices
        Numbers of all devices.
    came_back
        Whether rows came for a launch that had been given on.
    taken_for_granted
        Decimal mark with which numbers were read already, or None.
    wide
        Tables whose numbers were read as columns.
    weighed_enough
        Whether there is witness enough to the number format, and none against it.
    metrics
        Names of the metrics in all tables.
    """

    def __init__(
        self,
        stated: Mark | None = None,
        *,
        columns: bool = True,
        give_on: Callable[[], None] | None = None,
    ) -> None:
        self.launches: list[RawLaunch] = []
        self.released = 0
        self.devices: set[str] = set()
        self.came_back = False
        self.evidence = FormatEvidence()
        self.wide: list[WideColumns] = []
        self.taken_for_granted: Mark | None = None
        self.weighed_enough = False
        self.metrics: dict[str, None] = {}
        self._stated = stated
        self._columns = columns
        self._give_on = give_on
        self._texts: dict[str, str] = {}
        self._words: dict[str, float] = {}

    @property
    def started(self) -> int:
        """Launches that were begun."""
        return self.released + len(self.launches)

    def start(self, launch: RawLaunch) -> None:
        """Take a launch that begins."""
        self.launches.append(launch)
        if launch.device and len(self.devices) < _MOST_DEVICES:
            self.devices.add(launch.device)

    def make_room(self) -> bool:
        """Give on the launches that wait, if they are many; True if so. To be called where each of them is whole."""
        if self._give_on is None or len(self.launches) < _MOST_WAITING:
            return False
        self._give_on()
        return True

    def release(self) -> None:
        """Let go of the launches that wait, since all was made of them that they are needed for."""
        self.released += len(self.launches)
        self.launches = []
        self.wide = [table for table in self.wide if not table.closed]
        self._texts = {}

    def same(self, text: str) -> str:
        """One object for equal texts, so that a name is held once for all its launches."""
        return self._texts.setdefault(text, text)

    def has(self, metric: str) -> None:
        """Note that the file has a metric."""
        if len(self.metrics) < _MOST_METRICS and len(metric) <= LONGEST_NAME:
            self.metrics[metric] = None

    def weigh(self, text: str, name: str, unit: str) -> None:
        """Let a cell bear witness to the number format, until there is witness enough."""
        if name.startswith(_NOT_COUNTED) or self.weighed_enough:
            return
        self.evidence.add(text, integer=len(name) <= LONGEST_NAME and is_integer_counter(name, unit[:40]))
        votes = self.evidence.votes
        self.weighed_enough = max(votes.values()) >= _ENOUGH_VOTES and not min(votes.values())

    def mark(self) -> Mark | None:
        """Decimal mark to read numbers with now; None where none is certain enough."""
        return self.granted() if self._columns else None

    def granted(self) -> Mark | None:
        """Decimal mark that is taken for granted from now on; None where none is certain enough."""
        if self.taken_for_granted is None:
            self.taken_for_granted = self._stated or self.evidence.decide()
        return self.taken_for_granted

    def odd_number(self, text: str, mark: Mark) -> float:
        """Value of a cell that is no plain number: ``12 (4; 8)``, ``1e5``, ``n/a``; NaN where there is none."""
        known = self._words.get(text)
        if known is None:
            number = None if is_missing(text) else read_number(text, mark)
            known = float("nan") if number is None else number.value
            if len(self._words) < _MOST_WORDS:
                self._words[text] = known
        return known


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


class Identity:
    """Cells of a row that describe its launch."""

    def __init__(self, table: Table, store: LaunchStore) -> None:
        self._columns = table.columns
        self._store = store
        names = ("Kernel Name", "Block Size", "Grid Size", "Device", "CC", "Invocations")
        self._places = [table.columns.get(name, _NOWHERE) for name in names]
        self._known: dict[tuple[str, ...], tuple[str, str, str, str, str, int]] = {}

    def cell(self, row: list[str], name: str) -> str:
        """Text of one of these cells; empty where the row or the table has none."""
        position = self._columns.get(name)
        return row[position].strip() if position is not None and position < len(row) else ""

    def start(self, row: list[str], line: int) -> RawLaunch:
        """Begin the launch that a row describes."""
        length = len(row)
        cells = tuple([row[place] if place < length else "" for place in self._places])
        known = self._known.get(cells) or self._learn(cells)
        launch = RawLaunch(*known, line)
        self._store.start(launch)
        return launch

    def _learn(self, cells: tuple[str, ...]) -> tuple[str, str, str, str, str, int]:
        """Find out what these cells say; many launches have the same."""
        kernel, block, grid, device, chip, invocations = (self._store.same(cell.strip()) for cell in cells)
        count = max(int(invocations), 1) if invocations and LAUNCH_NUMBER.match(invocations) else 1
        if "," in chip:
            chip = self._store.same(chip.replace(",", "."))
        if len(self._known) >= _MOST_KNOWN:
            self._known.clear()
        known = self._known[cells] = (kernel, block, grid, device, chip, count)
        return known
