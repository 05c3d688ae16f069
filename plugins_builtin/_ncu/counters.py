"""Counters of one launch: cells turned into values, amounts from rates, time and clock."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from plugins_builtin._ncu.activity import SHARES
from plugins_builtin._ncu.metrics import DURATION
from plugins_builtin._ncu.numbers import ambiguous, is_missing, read_number
from plugins_builtin._ncu.units import read_unit
from plugins_builtin._ncu.values import Value, best

if TYPE_CHECKING:
    from collections.abc import Mapping

    from plugins_builtin._ncu.numbers import Mark

__all__ = ["Cell", "Counters", "Scale", "Source", "read_counters", "scale_of"]

_PREFIXES: Final = ("smsp", "sm", "gpc")
_LARGEST: Final = 1e30  # nothing that a GPU counts comes near; products of it stay finite
_ROLLUPS: Final = ("avg", "max")


class Source(NamedTuple):
    """What the cells of one column, or the rows of one metric, share."""

    metric: str
    unit: str
    shown: str


class Cell(NamedTuple):
    """One printed value, and where it came from."""

    text: str
    source: Source


class Counters:
    """Values of one launch by metric name.

    Attributes
    ----------
    undecided
        Cells that the two decimal marks read differently, where the file does not settle which holds.
    unreadable
        Cells with a number or unit that does not fit, as ``metric = text unit``.
    absent
        Metrics that the file lists with a word for a missing value.
    stems
        Names of all counters that have a value, without roll-up.
    """

    def __init__(self) -> None:
        self.values: dict[str, Value] = {}
        self.undecided: list[Cell] = []
        self.unreadable: list[Cell] = []
        self.absent: list[str] = []
        self.stems: set[str] = set()
        self.time: Value | None = None

    def get(self, metric: str) -> Value | None:
        """Value of exactly this metric."""
        return self.values.get(metric)

    def clock(self) -> Value | None:
        """Clock of the compute units during this launch, in Hz."""
        for prefix in _PREFIXES:
            found = self.values.get(f"{prefix}__cycles_elapsed.avg.per_second")
            if found is not None and found.value > 0:
                return found
        return None

    def cycles(self) -> Value | None:
        """Elapsed cycles of the compute units, the average over them."""
        for prefix in _PREFIXES:
            found = self.values.get(f"{prefix}__cycles_elapsed.avg")
            if found is not None and found.value > 0:
                return found
        clock = self.clock()
        return clock.times(self.time) if clock is not None and self.time is not None else None

    def per_cycle(self, metric: str, *, as_rate: bool) -> Value | None:
        """Amount (or rate per second) behind a metric that is given per elapsed cycle."""
        found = self.values.get(metric)
        if found is None:
            return None
        scale = self.clock() if as_rate else self.cycles()
        if scale is None:
            # Nothing per cycle is nothing, however many cycles there were.
            return found if found.value == found.error == 0 else None
        return found.times(scale)

    def amount(self, stem: str) -> Value | None:
        """Sum of a counter over the launch: printed, or from its rate per second or per cycle."""
        if stem not in self.stems:
            return None
        printed = self.values.get(f"{stem}.sum")
        if printed is not None and not printed.error:
            return printed
        rate = self.values.get(f"{stem}.sum.per_second")
        return best((
            printed,
            rate.times(self.time, f"{rate.text} × time") if rate is not None and self.time is not None else None,
            self.per_cycle(f"{stem}.sum.per_cycle_elapsed", as_rate=False),
        ))  # fmt: skip

    def rate(self, stem: str) -> Value | None:
        """Sum of a counter per second."""
        if stem not in self.stems:
            return None
        return best((
            self.values.get(f"{stem}.sum.per_second"),
            self.per_cycle(f"{stem}.sum.per_cycle_elapsed", as_rate=True),
        ))  # fmt: skip

    def find_time(self) -> Value | None:
        """Duration of the launch, in s.

        The duration; else cycles over clock of the same unit and roll-up; else amount over rate of a counter that
        was printed both ways. Host time stamps are of no use: they span all replay passes.
        """
        duration = self.values.get(DURATION)
        if duration is not None and duration.value > 0:
            return duration
        ratios = [
            (f"{prefix}__cycles_elapsed.{rollup}", f"{prefix}__cycles_elapsed.{rollup}.per_second")
            for rollup in _ROLLUPS
            for prefix in _PREFIXES
        ]
        found = best(self._ratio(*pair) for pair in ratios)
        if found is None:
            amounts = [name for name in self.values if name.endswith(".sum")]
            found = best(self._ratio(name, f"{name}.per_second") for name in amounts)
        return found

    def _ratio(self, amount: str, rate: str) -> Value | None:
        above, below = self.values.get(amount), self.values.get(rate)
        if above is None or below is None or above.value <= 0 or below.value <= 0:
            return None
        return above.over(below)


def read_counters(cells: Mapping[str, Cell], mark: Mark | None) -> Counters:
    """Turn the cells of one launch into values, under the decimal mark of the file (None: not settled)."""
    counters = Counters()
    for metric, cell in cells.items():
        if mark is None and ambiguous(cell.text):
            counters.undecided.append(cell)
            continue
        value = _value(cell, mark)
        if value is not None:
            counters.values[metric] = value
            counters.stems.add(metric.partition(".")[0])
        elif is_missing(cell.text):
            counters.absent.append(metric)
        else:
            counters.unreadable.append(cell)
    counters.time = counters.find_time()
    return counters


def _value(cell: Cell, mark: Mark | None) -> Value | None:
    """Value of a cell in base units; None where number or unit do not fit the metric."""
    scale = scale_of(cell.source)
    number = read_number(cell.text, mark or ".")
    if number is None and mark is None:
        number = read_number(cell.text, ",")
    if scale is None or number is None or not 0 <= number.value < _LARGEST:
        return None
    error = number.error
    if error and scale.whole and not number.decimals.strip("0"):
        error = 0.0  # a whole amount printed with decimals
    elif scale.prefixed and not error:
        error = 0.005
    factor, divisor = scale.factor, scale.divisor
    return Value(number.value * factor / divisor, error * factor / divisor, cell.source.shown)


class Scale(NamedTuple):
    """How the numbers of one source become base units."""

    factor: float
    divisor: float
    prefixed: bool
    whole: bool


@lru_cache(maxsize=4096)
def scale_of(source: Source) -> Scale | None:
    """Scale of a source, or None where the unit is unknown or of another dimension than the metric."""
    unit = read_unit(source.unit)
    if unit is None:
        return None
    divisor = unit.divisor
    if source.metric == DURATION:
        if unit.kind not in ("time", "none"):
            return None
        divisor = 1e9 if unit.kind == "none" else divisor  # the base unit of times is the nanosecond
    elif unit.kind == "time" or (unit.kind == "percent") != (
        source.metric in SHARES or "pct_of_peak" in source.metric
    ):
        return None
    whole = source.metric.endswith(".sum") and not unit.prefixed
    return Scale(unit.factor, divisor, unit.prefixed, whole)
