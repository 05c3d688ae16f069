"""The roofs that a table or a text page carries: peaks per cycle and clocks of the run, as in a binary report."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from plugins_builtin._ncu.counters import scale_of
from plugins_builtin._ncu.values import Value
from plugins_builtin._ncu.wide import ABSENT
from plugins_builtin._ncu_report.ceilings import CEILING_METRICS, CLOCK_METRICS, Gathering, machines_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from plugins_builtin._ncu.counters import Source
    from plugins_builtin._ncu.launches import RawLaunch
    from plugins_builtin._ncu.wide import WideColumns
    from plugins_builtin._ncu_report.ceilings import AsProfiled
    from rooflinestudio.plugins import MeasuredFigure, MeasuredMachine

__all__ = ["RunCeilings"]


class RunCeilings:
    """Gathers the ceilings of a file while its measurements are made."""

    def __init__(self) -> None:
        self._gathering = Gathering()
        self._rounded: set[str] = set()

    def add(self, values: Mapping[str, Value], raw: RawLaunch) -> None:
        """Take the counters of one launch."""
        wanted = {name: values[name] for name in CEILING_METRICS if name in values}
        self._rounded |= {name for name, value in wanted.items() if value.quality != "exact"}
        numbers = {name: value.value for name, value in wanted.items()}
        self._gathering.add(numbers, raw.device_name or None, raw.compute_capability or None)

    def add_table(self, table: WideColumns) -> None:
        """Take all launches of a table whose numbers stand in columns; those kept as printed come one by one."""
        sources = [one for one in table.wanted if one.source.metric in CEILING_METRICS]
        if not sources:
            return
        columns = {one.source.metric: _in_base_units(table.column(one.column), one.source) for one in sources}
        states = table.states()
        places = [table.wanted.index(one) for one in sources]
        for (device, chip), rows in _by_device(table).items():
            for one, place in zip(sources, places, strict=True):
                if _is_rounded(columns[one.source.metric], states[:, place], one.source):
                    self._rounded.add(one.source.metric)
            clocks = {
                CLOCK_METRICS[name]: column[rows].tolist()
                for name, column in columns.items()
                if name in CLOCK_METRICS
            }
            peaks = {
                name: value
                for name, column in columns.items()
                if name not in CLOCK_METRICS and (value := _first(column[rows])) is not None
            }
            self._gathering.add_launches(clocks, peaks, device, chip)

    def found(self) -> tuple[AsProfiled, ...]:
        """One entry for each device, in the order in which they occur."""
        return tuple(
            replace(
                one,
                flop_per_s=_told(one.flop_per_s, self._rounded),
                bytes_per_s=_told(one.bytes_per_s, self._rounded),
            )
            for one in self._gathering.found()
        )

    def machines(self) -> tuple[MeasuredMachine, ...]:
        """Return the same as the studio takes it."""
        return machines_of(self.found())


def _by_device(table: WideColumns) -> dict[tuple[str | None, str | None], Any]:
    """Rows of each device of a table, but those that were kept as printed."""
    import numpy as np

    rows: dict[tuple[str | None, str | None], list[int]] = {}
    for row, raw in enumerate(table.launches):
        if raw.columns is table:
            rows.setdefault((raw.device_name or None, raw.compute_capability or None), []).append(row)
    return {key: np.array(one) for key, one in rows.items()}


def _in_base_units(values: Any, source: Source) -> Any:
    scale = scale_of(source)
    assert scale is not None  # else the table has no columns
    return values * scale.factor / scale.divisor


def _is_rounded(values: Any, states: Any, source: Source) -> bool:
    """Whether the first value of a column was printed with so few digits that it is no exact one."""
    import numpy as np

    there = np.flatnonzero(states < ABSENT)
    scale = scale_of(source)
    if not len(there) or scale is None:
        return False
    value, digits = float(values[there[0]]), int(states[there[0]])
    error = 0.5 * 10.0**-digits if digits and not (scale.whole and value.is_integer()) else 0.0
    if scale.prefixed and not error:
        error = 0.005
    return Value(value, error * scale.factor / scale.divisor, source.metric).quality != "exact"


def _first(values: Any) -> float | None:
    """First number above zero."""
    found = values[values > 0]
    return float(found[0]) if len(found) else None


def _told(figures: Mapping[str, MeasuredFigure], rounded: set[str]) -> dict[str, MeasuredFigure]:
    """Figures that say where a peak or a clock in them was rounded."""
    return {
        name: replace(figure, quality="rounded") if any(one in figure.recipe for one in rounded) else figure
        for name, figure in figures.items()
    }
