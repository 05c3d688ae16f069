"""Measurements of a whole table whose numbers are columns: the recipes run once for all launches that are alike."""

from __future__ import annotations

import sys
from itertools import repeat
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from plugins_builtin._ncu.build import assemble, dimensions, figure_values, finish
from plugins_builtin._ncu.counters import Counters, scale_of
from plugins_builtin._ncu.metrics import DEVICE_NAME
from plugins_builtin._ncu.values import Value
from plugins_builtin._ncu.vectors import Split, Vector
from plugins_builtin._ncu.wide import ABSENT, EMPTY
from rooflinestudio.plugins import MeasuredFigure, MeasuredTraffic, Measurement

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    import numpy.typing as npt

    from plugins_builtin._ncu.build import Assembled
    from plugins_builtin._ncu.counters import Source
    from plugins_builtin._ncu.launches import RawLaunch
    from plugins_builtin._ncu.traffic import Crossing
    from plugins_builtin._ncu.wide import WideColumns

    Array = npt.NDArray[Any]

__all__ = ["measurements_of"]

_FEW: Final = 4  # launches for which an array is no gain
_BEFORE_OVERFLOW: Final = 20  # columns with three states each


class _Column(NamedTuple):
    """Values of one metric in base units, with their rounding errors and the state of each cell."""

    source: Source
    values: Array
    errors: Array
    states: Array


def measurements_of(
    columns: WideColumns, positions: list[int], device: str, tell: Callable[[int], None]
) -> list[Measurement | None]:
    """Make the measurements of all launches of a table, None for those that were kept as printed.

    Parameters
    ----------
    columns
        The table.
    positions
        Position in the file of each launch.
    device
        Prefix for the device's number where the file has no name and several devices; else empty.
    tell
        Called now and then with the number of launches done.
    """
    import numpy as np

    found: list[Measurement | None] = [None] * len(columns.launches)
    needed = _columns(columns)
    kinds = _kinds(columns, needed)
    done = 0
    for kind in np.unique(kinds[kinds >= 0]):
        waiting = [np.flatnonzero(kinds == kind)]
        while waiting:
            rows = waiting.pop()
            chip = columns.launches[rows[0]].compute_capability
            try:
                made = _made(columns, needed, rows, chip, positions, device)
            except Split as split:
                waiting += [rows[split.mask], rows[~split.mask]]
                continue
            for row, measurement in zip(rows.tolist(), made, strict=True):
                found[row] = measurement
            done += len(rows)
            tell(done)
    return found


def _columns(columns: WideColumns) -> list[_Column]:
    states = columns.states()
    found: list[_Column] = []
    for place, (column, source) in enumerate(columns.wanted):
        if source.metric != DEVICE_NAME:
            found.append(_column(columns.column(column), states[:, place], source))
    return found


def _column(values: Array, states: Array, source: Source) -> _Column:
    """Values and rounding errors in base units, by the rules that hold for one cell."""
    import numpy as np

    scale = scale_of(source)
    assert scale is not None
    printed = (states > 0) & (states < ABSENT)
    powers = np.array([0.5 * 10.0**-digits for digits in range(ABSENT)])
    errors = np.where(printed, powers[np.minimum(states, ABSENT - 1)], 0.0)
    if scale.whole:
        errors[printed & (values == np.floor(values))] = 0.0
    elif scale.prefixed:
        errors[errors == 0.0] = 0.005
    factor, divisor = scale.factor, scale.divisor
    return _Column(source, values * factor / divisor, errors * factor / divisor, states)


def _kinds(columns: WideColumns, needed: list[_Column]) -> Array:
    """Give a number to each kind of launches, which have the same cells and chip; -1 to those kept as printed."""
    import numpy as np

    chips: dict[str, int] = {}
    codes = [chips.setdefault(launch.compute_capability, len(chips)) for launch in columns.launches]
    kinds: Array = np.array(codes, dtype=np.int64)
    for number, one in enumerate(needed, start=1):
        kinds = 3 * kinds + np.maximum(one.states, ABSENT - 1) - (ABSENT - 1)
        if number % _BEFORE_OVERFLOW == 0:
            kinds = np.unique(kinds, return_inverse=True)[1].reshape(-1)
    kept = np.array([launch.columns is not columns for launch in columns.launches])
    return np.where(kept, -1, kinds)


def _made(
    columns: WideColumns, needed: list[_Column], rows: Array, chip: str, positions: list[int], device: str
) -> Iterable[Measurement]:
    """Measurements of launches that are alike; raises Split where a recipe finds that they are not."""
    if len(rows) > _FEW:
        found = assemble(_counters(needed, rows), chip)
        launches = [columns.launches[row] for row in rows.tolist()]
        return list(_unpacked(found, launches, [positions[row] for row in rows.tolist()], device))
    made: list[Measurement] = []
    for row in rows.tolist():
        raw = columns.launches[row]
        found = assemble(_counters(needed, row), chip)
        made.append(finish(raw, positions[row], found, _device(raw, device)))
    return made


def _counters(needed: list[_Column], rows: Any) -> Counters:
    """Counters of some launches, or with one row as plain numbers."""
    first = rows if isinstance(rows, int) else rows[0]
    counters = Counters()
    for source, values, errors, states in needed:
        if states[first] == ABSENT:
            counters.absent.append(source.metric)
        elif states[first] != EMPTY:
            value, error = _taken(values, rows), _taken(errors, rows)
            counters.values[source.metric] = Value(value, error, source.shown)
            counters.stems.add(source.metric.partition(".")[0])
    counters.time = counters.find_time()
    return counters


def _taken(values: Array, rows: Any) -> float:
    return float(values[rows]) if isinstance(rows, int) else cast("float", Vector(values[rows]))


def _device(raw: RawLaunch, prefix: str) -> str:
    return f"{prefix}{raw.device}" if prefix and raw.device else ""


def _unpacked(
    found: Assembled, launches: list[RawLaunch], positions: list[int], device: str
) -> Iterator[Measurement]:
    """One measurement after another from numbers that stand in columns."""
    count = len(launches)
    listed = _Lists(count)
    amounts, rates = found.amounts, found.rates
    figures = [
        (name, listed(value), sys.intern(value.text), value.quality)
        for name, value in figure_values(found, 1).items()
    ]
    fields: dict[str, Iterable[Any]] = {
        "launch": positions,
        "kernel": [raw.kernel for raw in launches],
        "time_s": listed(found.time),
        "clock_hz": listed(found.clock),
        "work": _mappings({pipe: listed(value) for pipe, value in amounts.work.by_pipe.items()}, count),
        "work_rates": _mappings({pipe: listed(value) for pipe, value in rates.work.by_pipe.items()}, count),
        "traffic": _mappings({name: _crossed(one, listed) for name, one in amounts.traffic.items()}, count),
        "traffic_rates": _mappings({name: listed(one.total) for name, one in rates.traffic.items()}, count),
        "device": [raw.device_name or _device(raw, device) or None for raw in launches],
        "compute_capability": [raw.compute_capability or None for raw in launches],
        "grid": [dimensions(raw.grid) for raw in launches],
        "block": [dimensions(raw.block) for raw in launches],
        "figures": _mappings(
            {name: map(MeasuredFigure, *parts) for name, parts in _spread(figures, count)}, count
        ),
        "notes": repeat(found.notes, count),
        "reason": repeat(found.reason, count),
    }
    return (Measurement(**one) for one in _mappings(fields, count))


class _Lists:
    """Numbers of values as lists; one list for a value that stands in several places, so that they are held once."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._known: dict[int, list[float | None]] = {}

    def __call__(self, value: Value | None) -> list[float | None]:
        number: Any = value.value if value is not None else None
        if not isinstance(number, Vector):
            return [number] * self._count
        if id(number) not in self._known:
            self._known[id(number)] = number.data.tolist()
        return self._known[id(number)]


def _spread(
    figures: list[tuple[str, list[float | None], str, Any]], count: int
) -> Iterator[tuple[str, tuple[Any, ...]]]:
    for name, numbers, text, quality in figures:
        yield name, (numbers, repeat(text, count), repeat(quality, count))


def _crossed(crossing: Crossing, listed: _Lists) -> Iterable[MeasuredTraffic]:
    total = cast("list[float]", listed(crossing.total))
    return map(MeasuredTraffic, listed(crossing.read), listed(crossing.write), total)


def _mappings(columns: dict[str, Iterable[Any]], count: int) -> Iterator[dict[str, Any]]:
    """One mapping after another from columns by name."""
    names = tuple(columns)
    if not names:
        return repeat({}, count)
    return (dict(zip(names, row, strict=True)) for row in zip(*columns.values(), strict=True))
