"""Measurements of a whole table whose numbers are columns: the recipes run once for all launches that are alike."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from plugins_builtin._ncu.build import assemble, dimensions, figure_values, finish
from plugins_builtin._ncu.counters import Counters, scale_of
from plugins_builtin._ncu.metrics import DEVICE_NAME
from plugins_builtin._ncu.values import Value
from plugins_builtin._ncu.vectors import Split, Vector
from plugins_builtin._ncu.wide import ABSENT, EMPTY

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from plugins_builtin._ncu.build import Assembled
    from plugins_builtin._ncu.counters import Source
    from plugins_builtin._ncu.launches import RawLaunch
    from plugins_builtin._ncu.packing import Packing
    from plugins_builtin._ncu.wide import WideColumns

    Array = npt.NDArray[Any]

__all__ = ["pack_columns"]

_FEW: Final = 4  # launches for which an array is no gain
_BEFORE_OVERFLOW: Final = 20  # columns with three states each


class _Column(NamedTuple):
    """Values of one metric in base units, with their rounding errors and the state of each cell."""

    source: Source
    values: Array
    errors: Array
    states: Array


def pack_columns(
    columns: WideColumns, positions: list[int], device: str, packing: Packing, tell: Callable[[int], None]
) -> None:
    """Pack the measurements of all launches of a table, but those that were kept as printed.

    Parameters
    ----------
    columns
        The table.
    positions
        Position in the file of each launch.
    device
        Prefix for the device's number where the file has no name and several devices; else empty.
    packing
        Takes the measurements.
    tell
        Called now and then with the number of launches done.
    """
    import numpy as np

    needed = _columns(columns)
    kinds = _kinds(columns, needed)
    done = 0
    for kind in np.unique(kinds[kinds >= 0]):
        waiting = [np.flatnonzero(kinds == kind)]
        while waiting:
            rows = waiting.pop()
            chip = columns.launches[rows[0]].compute_capability
            try:
                _pack(columns, needed, rows, chip, (positions, device, packing))
            except Split as split:
                waiting += [rows[split.mask], rows[~split.mask]]
                continue
            done += len(rows)
            tell(done)


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


def _pack(
    columns: WideColumns,
    needed: list[_Column],
    rows: Array,
    chip: str,
    to: tuple[list[int], str, Packing],
) -> None:
    """Pack launches that are alike; raises Split where a recipe finds that they are not."""
    positions, device, packing = to
    if len(rows) > _FEW:
        found = assemble(_counters(needed, rows), chip)
        launches = [columns.launches[row] for row in rows.tolist()]
        places = [positions[row] for row in rows.tolist()]
        packing.packer.put_columns(places, _numbers(found), _texts(found, launches, device))
        packing.note(found.notes, places)
        return
    for row in rows.tolist():
        raw = columns.launches[row]
        found = assemble(_counters(needed, row), chip)
        packing.packer.put(positions[row], finish(raw, positions[row], found, _device(raw, device)))
        packing.note(found.notes, [positions[row]])


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


def _numbers(found: Assembled) -> dict[str, Any]:
    """Numbers of measurements by key of a record, an array each or one number for all."""
    amounts, rates = found.amounts, found.rates
    values: dict[str, Value | None] = {"time_s": found.time, "clock_hz": found.clock}
    values |= {f"work.{pipe}": value for pipe, value in amounts.work.by_pipe.items()}
    values |= {f"work_rate.{pipe}": value for pipe, value in rates.work.by_pipe.items()}
    for boundary, crossing in amounts.traffic.items():
        values[f"bytes.{boundary}"] = crossing.total
        values[f"read_bytes.{boundary}"] = crossing.read
        values[f"write_bytes.{boundary}"] = crossing.write
    values |= {f"bytes_per_s.{boundary}": one.total for boundary, one in rates.traffic.items()}
    values |= {f"value.{name}": value for name, value in found.activity.items()}
    return {key: _plain(value) for key, value in values.items() if value is not None}


def _plain(value: Value) -> Any:
    number: Any = value.value
    return number.data if isinstance(number, Vector) else number


def _texts(found: Assembled, launches: list[RawLaunch], device: str) -> dict[str, str | list[str]]:
    """Texts of measurements by key of a record, one each or one for all.

    The launches are of one chip; what they have, all of them have, or :class:`Split` says which.
    """
    texts: dict[str, str | list[str]] = {
        "kernel": [raw.kernel for raw in launches],
        "compute_capability": launches[0].compute_capability,
        "device": _all_or_none([raw.device_name or _device(raw, device) for raw in launches]),
        "grid": _all_or_none([_size(raw.grid) for raw in launches]),
        "block": _all_or_none([_size(raw.block) for raw in launches]),
        "reason": found.reason or "",
        "notes": "\n".join(found.notes),
    }
    for name, value in figure_values(found, 1).items():
        texts[f"recipe.{name}"], texts[f"quality.{name}"] = value.text, value.quality
    return {key: text for key, text in texts.items() if text}


def _all_or_none(texts: list[str]) -> list[str]:
    """Return these texts, or none where all are empty; raises Split where only some are."""
    import numpy as np

    if all(texts):
        return texts
    if any(texts):
        raise Split(np.array([bool(text) for text in texts]))
    return []


@lru_cache(maxsize=4096)
def _size(text: str) -> str:
    """Grid or block as a record has it; empty where the text is none."""
    found = dimensions(text)
    return "" if found is None else " ".join(map(str, found))
