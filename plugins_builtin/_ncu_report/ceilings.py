"""The roofs that a report itself carries: what its device could do at the clocks of that run.

They differ from a data sheet: the profiler may have locked the clocks, products are cut down, and a slice of a device
(MIG) has the peaks of the slice. The studio offers a machine "as profiled, 1 407 MHz" made of them.

A peak is counted per cycle and multiplied by the clock of its unit, the median over the launches:

=========  ==================================================================================  =======================
ceiling    peak per cycle, the first that is there                                             clock
=========  ==================================================================================  =======================
fp32       2 × ``sm__sass_thread_inst_executed_op_ffma_pred_on.sum``; ``derived__…_x2``        ``sm__cycles_elapsed``
fp64       the same of ``dfma``                                                                ``sm__cycles_elapsed``
fp16       4 × the same of ``hfma``; ``derived__…_x4``                                         ``sm__cycles_elapsed``
dram       ``dram__bytes.sum``                                                                 ``dram__cycles_elapsed``
l2         ``lts__lts2xbar_bytes.sum``, ``derived__…``; ``lts__lts2xbar_cycles_active`` × 32   ``lts__cycles_elapsed``
l1         ``l1tex__lsu_writeback_bytes…``, ``derived__…``; ``…_active…`` × 128                ``l1tex__cycles_elapsed``
=========  ==================================================================================  =======================
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from statistics import median
from typing import TYPE_CHECKING, Final, NamedTuple

from rooflinestudio.plugins import CeilingReading, MeasuredFigure, MeasuredMachine

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from plugins_builtin._ncu_report.wire import Scalar

__all__ = ["CEILING_METRICS", "CLOCK_METRICS", "AsProfiled", "Gathering", "machines_of"]

_CLOCK: Final = "{}__cycles_elapsed.avg.per_second"
_FMA: Final = "sass_thread_inst_executed_op_{}fma_pred_on"
_PEAK: Final = ".sum.peak_sustained"
_MOST_DEVICES: Final = 64
_LARGEST: Final = 1e18


class _Peak(NamedTuple):
    metric: str
    factor: float


class _Ceiling(NamedTuple):
    peaks: tuple[_Peak, ...]
    clocks: tuple[str, ...]


def _compute(letter: str, flop: float) -> _Ceiling:
    stem = _FMA.format(letter)
    peaks = (
        _Peak(f"sm__{stem}{_PEAK}", flop),
        _Peak(f"smsp__{stem}{_PEAK}", flop),
        _Peak(f"derived__sm__{stem}_x{flop:.0f}", 1.0),
    )
    return _Ceiling(peaks, ("sm", "smsp", "gpc"))


_WORK: Final = {"fp32": _compute("f", 2.0), "fp64": _compute("d", 2.0), "fp16": _compute("h", 4.0)}
_WRITEBACK: Final = tuple(
    peak
    for suffix in ("_mem_lg", "_mem_lgds", "")
    for peak in (
        _Peak(f"l1tex__lsu_writeback_bytes{suffix}{_PEAK}", 1.0),
        _Peak(f"derived__l1tex__lsu_writeback_bytes{suffix}{_PEAK}", 1.0),
        _Peak(f"l1tex__lsu_writeback_active{suffix}{_PEAK}", 128.0),
    )
)
_TRAFFIC: Final = {
    "dram": _Ceiling((_Peak(f"dram__bytes{_PEAK}", 1.0),), ("dram",)),
    "l2": _Ceiling(
        (
            _Peak(f"lts__lts2xbar_bytes{_PEAK}", 1.0),
            _Peak(f"derived__lts__lts2xbar_bytes{_PEAK}", 1.0),
            _Peak(f"lts__lts2xbar_cycles_active{_PEAK}", 32.0),
        ),
        ("lts",),
    ),
    "l1": _Ceiling(_WRITEBACK, ("l1tex", "sm", "smsp")),
}
_ORIGINS: Final = {
    "fp32": "FFMA per cycle",
    "fp64": "DFMA per cycle",
    "fp16": "HFMA per cycle",
    "dram": "DRAM per cycle",
    "l2": "L2 per cycle",
    "l1": "L1 per cycle",
}
_ALL: Final = (*_WORK.values(), *_TRAFFIC.values())
_CLOCKS: Final = tuple(dict.fromkeys(unit for ceiling in _ALL for unit in ceiling.clocks))

CEILING_METRICS: Final = frozenset((
    *map(_CLOCK.format, _CLOCKS),
    *(peak.metric for ceiling in _ALL for peak in ceiling.peaks),
))  # fmt: skip
"""Metrics that ceilings are made of."""

CLOCK_METRICS: Final = {_CLOCK.format(unit): unit for unit in _CLOCKS}
"""Those of them that are clocks, and the unit each is of."""


@dataclass(frozen=True, slots=True)
class AsProfiled:
    """What one device of a report could do at the clocks of the run.

    Attributes
    ----------
    device, compute_capability
        As the measurements have them; None where the report does not say.
    launches
        How many launches these clocks come from.
    clock_hz, slowest_hz, fastest_hz
        Clock of the multiprocessors: median and ends; None where it was not collected.
    flop_per_s
        Ceiling by pipe, in FLOP/s, at the median clock.
    bytes_per_s
        Ceiling by boundary, in bytes/s, at the median clock of its unit.
    dram_clock_hz
        Clock of the memory, the median; None where it was not collected.
    """

    device: str | None
    compute_capability: str | None
    launches: int
    clock_hz: float | None
    slowest_hz: float | None
    fastest_hz: float | None
    flop_per_s: Mapping[str, MeasuredFigure]
    bytes_per_s: Mapping[str, MeasuredFigure]
    dram_clock_hz: float | None = None


@dataclass(slots=True)
class _Seen:
    """What the launches of one device said."""

    peaks: dict[str, float] = field(default_factory=dict)
    clocks: dict[str, array[float]] = field(default_factory=dict)
    launches: int = 0


class Gathering:
    """Gathers ceilings over the launches of a report."""

    def __init__(self) -> None:
        self._devices: dict[tuple[str | None, str | None], _Seen] = {}

    def add(self, values: Mapping[str, Scalar], device: str | None, compute_capability: str | None) -> None:
        """Take the values of one launch."""
        key = (device, compute_capability)
        if key not in self._devices and len(self._devices) >= _MOST_DEVICES:
            return
        seen = self._devices.setdefault(key, _Seen())
        clocks = {unit: _number(values.get(_CLOCK.format(unit))) for unit in _CLOCKS}
        seen.launches += any(clock is not None for clock in clocks.values())
        for unit, clock in clocks.items():
            if clock is not None:
                seen.clocks.setdefault(unit, array("d")).append(clock)
        for name in CEILING_METRICS:
            found = _number(values.get(name))
            if found is not None and not name.endswith(".per_second"):
                seen.peaks.setdefault(name, found)

    def add_launches(
        self,
        clocks: Mapping[str, Iterable[float]],
        peaks: Mapping[str, float],
        device: str | None,
        compute_capability: str | None,
    ) -> None:
        """Take many launches of one device: their clocks by unit, and the peaks that the first of them has."""
        key = (device, compute_capability)
        if key not in self._devices and len(self._devices) >= _MOST_DEVICES:
            return
        seen = self._devices.setdefault(key, _Seen())
        added = 0
        for unit, values in clocks.items():
            before = seen.clocks.setdefault(unit, array("d"))
            count = len(before)
            before.extend(value for value in values if 0 < value < _LARGEST)
            added = max(added, len(before) - count)
            if not before:
                del seen.clocks[unit]
        seen.launches += added
        for name, value in peaks.items():
            if 0 < value < _LARGEST:
                seen.peaks.setdefault(name, value)

    def found(self) -> tuple[AsProfiled, ...]:
        """One entry for each device, in the order in which they occur."""
        return tuple(_as_profiled(*key, seen) for key, seen in self._devices.items())


def _number(value: Scalar | None) -> float | None:
    """Value as a number that a peak or a clock can have."""
    return float(value) if isinstance(value, (int, float)) and 0 < value < _LARGEST else None


def _as_profiled(device: str | None, compute_capability: str | None, seen: _Seen) -> AsProfiled:
    medians = {unit: median(clocks) for unit, clocks in seen.clocks.items()}
    unit = next((unit for unit in ("sm", "smsp", "gpc") if unit in medians), None)
    clocks = seen.clocks[unit] if unit is not None else array("d")
    return AsProfiled(
        device=device,
        compute_capability=compute_capability,
        launches=seen.launches,
        clock_hz=None if unit is None else medians[unit],
        slowest_hz=min(clocks, default=None),
        fastest_hz=max(clocks, default=None),
        flop_per_s=_figures(_WORK.items(), seen.peaks, medians),
        bytes_per_s=_figures(_TRAFFIC.items(), seen.peaks, medians),
        dram_clock_hz=medians.get("dram"),
    )


def _figures(
    ceilings: Iterable[tuple[str, _Ceiling]], peaks: Mapping[str, float], medians: Mapping[str, float]
) -> dict[str, MeasuredFigure]:
    found: dict[str, MeasuredFigure] = {}
    for name, ceiling in ceilings:
        peak = next((peak for peak in ceiling.peaks if peak.metric in peaks), None)
        unit = next((unit for unit in ceiling.clocks if unit in medians), None)
        if peak is None or unit is None:
            continue
        times = f"{peak.factor:.0f} × " if peak.factor != 1.0 else ""
        recipe = f"{times}{peak.metric} × {_CLOCK.format(unit)}"
        found[name] = MeasuredFigure(peaks[peak.metric] * peak.factor * medians[unit], recipe, "exact")
    return found


def machines_of(found: Iterable[AsProfiled]) -> tuple[MeasuredMachine, ...]:
    """Return what is known of the devices as the studio takes it; devices of which nothing is known are left out."""
    return tuple(_machine(one) for one in found if one.clock_hz or one.flop_per_s or one.bytes_per_s)


def _machine(one: AsProfiled) -> MeasuredMachine:
    clocks = {"sm": one.clock_hz, "dram": one.dram_clock_hz}
    return MeasuredMachine(
        one.device or "",
        "Nsight Compute",
        tuple(_reading(one, name, figure) for name, figure in one.flop_per_s.items()),
        tuple(_reading(one, name, figure) for name, figure in one.bytes_per_s.items()),
        compute_capability=one.compute_capability,
        clocks={name: clock for name, clock in clocks.items() if clock},
    )


def _reading(one: AsProfiled, name: str, figure: MeasuredFigure) -> CeilingReading:
    """Return one peak; its ends are those of the clock, where it is that of the multiprocessors."""
    low, clock, high = one.slowest_hz, one.clock_hz, one.fastest_hz
    ends: tuple[float, float] | None = None
    if name in (*_WORK, "l1") and clock and low and high and low < high:
        ends = figure.value * low / clock, figure.value * high / clock
    launches = "one launch" if one.launches == 1 else f"median clock of {one.launches:,} launches"
    rounded = "" if figure.quality == "exact" else ", rounded"
    return CeilingReading(
        name,
        figure.value,
        low=ends[0] if ends is not None else None,
        high=ends[1] if ends is not None else None,
        condition=f"{_counter(figure.recipe)} × clock, {launches}{rounded}",
        origin=_ORIGINS[name],
    )


def _counter(recipe: str) -> str:
    """Return the counter of a recipe, without its roll-up."""
    metric = next((part for part in recipe.split(" × ") if "__" in part), recipe)
    return metric.partition(".")[0]
