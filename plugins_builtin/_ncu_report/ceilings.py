"""The roofs that a report itself carries: what its device could do at the clocks of that run.

They differ from a data sheet: the profiler may have locked the clocks, products are cut down, and a slice of a device
(MIG) has the peaks of the slice. Nothing shows them yet; a profile "as profiled, 1,407 MHz" is to be made of them.

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

from rooflinestudio.plugins import MeasuredFigure

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from plugins_builtin._ncu_report.wire import Scalar

__all__ = ["CEILING_METRICS", "AsProfiled", "Gathering"]

_CLOCK: Final = "{}__cycles_elapsed.avg.per_second"
_FMA: Final = "sass_thread_inst_executed_op_{}fma_pred_on"
_PEAK: Final = ".sum.peak_sustained"
_MOST_DEVICES: Final = 64
_MULTIPROCESSORS: Final = "device__attribute_multiprocessor_count"


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
_ALL: Final = (*_WORK.values(), *_TRAFFIC.values())
_CLOCKS: Final = tuple(dict.fromkeys(unit for ceiling in _ALL for unit in ceiling.clocks))

CEILING_METRICS: Final = frozenset((
    _MULTIPROCESSORS,
    *map(_CLOCK.format, _CLOCKS),
    *(peak.metric for ceiling in _ALL for peak in ceiling.peaks),
))  # fmt: skip
"""Metrics that ceilings are made of."""


@dataclass(frozen=True, slots=True)
class AsProfiled:
    """What one device of a report could do at the clocks of the run.

    Attributes
    ----------
    device, compute_capability
        As the measurements have them; None where the report does not say.
    multiprocessors
        Their number, or None.
    launches
        How many launches these clocks come from.
    clock_hz, slowest_hz, fastest_hz
        Clock of the multiprocessors: median and ends; None where it was not collected.
    flop_per_s
        Ceiling by pipe, in FLOP/s, at the median clock.
    bytes_per_s
        Ceiling by boundary, in bytes/s, at the median clock of its unit.
    """

    device: str | None
    compute_capability: str | None
    multiprocessors: int | None
    launches: int
    clock_hz: float | None
    slowest_hz: float | None
    fastest_hz: float | None
    flop_per_s: Mapping[str, MeasuredFigure]
    bytes_per_s: Mapping[str, MeasuredFigure]


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

    def found(self) -> tuple[AsProfiled, ...]:
        """One entry for each device, in the order in which they occur."""
        return tuple(_as_profiled(*key, seen) for key, seen in self._devices.items())


def _number(value: Scalar | None) -> float | None:
    """Value as a number that a peak or a clock can have."""
    return float(value) if isinstance(value, (int, float)) and 0 < value < 1e18 else None


def _as_profiled(device: str | None, compute_capability: str | None, seen: _Seen) -> AsProfiled:
    medians = {unit: median(clocks) for unit, clocks in seen.clocks.items()}
    unit = next((unit for unit in ("sm", "smsp", "gpc") if unit in medians), None)
    clocks = seen.clocks[unit] if unit is not None else array("d")
    count = seen.peaks.get(_MULTIPROCESSORS)
    return AsProfiled(
        device=device,
        compute_capability=compute_capability,
        multiprocessors=None if count is None else round(count),
        launches=seen.launches,
        clock_hz=None if unit is None else medians[unit],
        slowest_hz=min(clocks, default=None),
        fastest_hz=max(clocks, default=None),
        flop_per_s=_figures(_WORK.items(), seen.peaks, medians),
        bytes_per_s=_figures(_TRAFFIC.items(), seen.peaks, medians),
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
