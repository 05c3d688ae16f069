"""A measurement from what was gathered of one launch, with the reasons for what it lacks."""

from __future__ import annotations

import re
import sys
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from plugins_builtin._ncu.activity import activity
from plugins_builtin._ncu.counters import Counters, read_counters
from plugins_builtin._ncu.traffic import Crossing, add_traffic, crossings
from plugins_builtin._ncu.work import Work, find_work
from rooflinestudio.plugins import MeasuredTraffic, Measurement

if TYPE_CHECKING:
    from plugins_builtin._ncu.launches import RawLaunch
    from plugins_builtin._ncu.numbers import Mark
    from plugins_builtin._ncu.values import Value

__all__ = ["Assembled", "Built", "assemble", "build", "dimensions", "figure_values", "finish"]

ADD_TIME: Final = "gpu__time_duration.sum"
_DIMENSIONS: Final = re.compile(r"\((\d{1,12}),\s*(\d{1,12}),\s*(\d{1,12})\)\Z", re.ASCII)
_SMALL_BYTES: Final = 65_536
_SHORT_S: Final = 1e-6


class Built(NamedTuple):
    """A measurement, and the cells that could not be used for it."""

    measurement: Measurement
    counters: Counters


class Flow(NamedTuple):
    """Work and traffic of one launch, as amounts or as rates."""

    work: Work
    traffic: dict[str, Crossing]


class Assembled(NamedTuple):
    """All that the recipes found for one launch, or for many at once."""

    time: Value | None
    clock: Value | None
    amounts: Flow
    rates: Flow
    notes: tuple[str, ...]
    reason: str | None
    activity: dict[str, Value]


def build(raw: RawLaunch, position: int, mark: Mark | None, *, device: str = "") -> Built:
    """Make the measurement of one launch.

    Parameters
    ----------
    raw
        The launch as printed.
    position
        Its position in the file, from 0.
    mark
        Decimal mark of the file, or None if it is not settled; cells that depend on it are then left out.
    device
        Name of the device where the launch itself does not have it.
    """
    counters = read_counters(raw.cells, mark)
    return Built(finish(raw, position, assemble(counters, raw.compute_capability), device), counters)


def assemble(counters: Counters, compute_capability: str) -> Assembled:
    """Apply the recipes to the counters of one launch."""
    chip = compute_capability or None
    amounts = Flow(find_work(counters, chip, as_rates=False), crossings(counters, as_rates=False))
    rates = Flow(Work({}, (), None), {})
    if counters.time is None:
        rates = Flow(find_work(counters, chip, as_rates=True), crossings(counters, as_rates=True))
        if any(value.value for value in rates.work.by_pipe.values()) and amounts.work.reason:
            amounts = Flow(Work({}, rates.work.notes, None), amounts.traffic)
    return Assembled(
        time=counters.time,
        clock=counters.clock(),
        amounts=amounts,
        rates=rates,
        notes=_notes(counters, amounts),
        reason=_reason(counters, amounts, rates, chip),
        activity=activity(counters),
    )


def finish(raw: RawLaunch, position: int, found: Assembled, device: str) -> Measurement:
    """Make the measurement of one launch for which the recipes were applied."""
    amounts, rates, time, clock = found.amounts, found.rates, found.time, found.clock
    return Measurement(
        launch=position,
        kernel=raw.kernel,
        count=raw.count,
        time_s=time.value if time is not None else None,
        work={pipe: value.value for pipe, value in amounts.work.by_pipe.items()},
        work_rates={pipe: value.value for pipe, value in rates.work.by_pipe.items()},
        traffic={boundary: _amounts(crossing) for boundary, crossing in amounts.traffic.items()},
        traffic_rates={boundary: crossing.total.value for boundary, crossing in rates.traffic.items()},
        device=raw.device_name or device or None,
        compute_capability=raw.compute_capability or None,
        clock_hz=clock.value if clock is not None else None,
        grid=dimensions(raw.grid),
        block=dimensions(raw.block),
        figures={name: value.figure() for name, value in figure_values(found, raw.count).items()},
        notes=found.notes,
        reason=found.reason,
    )


def _amounts(crossing: Crossing) -> MeasuredTraffic:
    read, write = crossing.read, crossing.write
    return MeasuredTraffic(
        None if read is None else read.value, None if write is None else write.value, crossing.total.value
    )


@lru_cache(maxsize=4096)
def dimensions(text: str) -> tuple[int, int, int] | None:
    """Grid or block as printed, ``(512, 1, 1)``; None where it is none."""
    match = _DIMENSIONS.match(text)
    return None if match is None else (int(match[1]), int(match[2]), int(match[3]))


def figure_values(found: Assembled, count: int) -> dict[str, Value]:
    """Every value that becomes a figure, by the name of the figure."""
    amounts, rates = found.amounts, found.rates
    values: dict[str, Value] = {}
    if found.time is not None:
        values["time_s"] = found.time
    if found.clock is not None:
        values["clock_hz"] = found.clock
    values |= {f"work.{pipe}": value for pipe, value in amounts.work.by_pipe.items()}
    values |= {f"{boundary}_bytes": crossing.total for boundary, crossing in amounts.traffic.items()}
    values |= {f"work_rate.{pipe}": value for pipe, value in rates.work.by_pipe.items()}
    values |= {f"{boundary}_bytes_per_s": crossing.total for boundary, crossing in rates.traffic.items()}
    values |= found.activity
    if count > 1:
        mean = f"; mean of {count:,} launches"
        values = {name: value._replace(text=value.text + mean) for name, value in values.items()}
    return values


def _notes(counters: Counters, amounts: Flow) -> tuple[str, ...]:
    notes = list(amounts.work.notes)
    dram = amounts.traffic.get("dram")
    if dram is not None and 0 < dram.total.value < _SMALL_BYTES:
        notes.append("less than 64 KiB crossed dram: the intensity there means little (caches hold the data)")
    if counters.time is not None and counters.time.value < _SHORT_S:
        notes.append("shorter than 1 µs: launch overhead dominates the duration")
    return tuple(notes)


def _reason(counters: Counters, amounts: Flow, rates: Flow, chip: str | None) -> str | None:
    """All that keeps a launch, or its place at dram, off the canvas; None if nothing does."""
    if counters.undecided:
        mend = "export again with --print-fp, or state the decimal mark"
        return f"its numbers can be read in two ways ({_cell(counters)}): {mend}"
    if not counters.values and counters.absent:
        return "every counter reads nan: the launch failed or was interrupted while it was profiled"
    reasons = [reason for reason in (amounts.work.reason,) if reason]
    has_rates = _has_rate(amounts, rates)
    if counters.time is None and not (has_rates and rates.traffic):
        reasons.append(f"no time: add {ADD_TIME}")
    traffic = rates.traffic if has_rates else amounts.traffic
    dram = traffic.get("dram")
    others = [boundary for boundary, crossing in traffic.items() if crossing.total.value > 0]
    if dram is None:
        which = "dram traffic" if others else "memory traffic"
        reasons.append(f"no {which} collected: add {add_traffic(chip)}")
    elif not dram.total.value:
        has_work = has_rates or any(value.value for value in amounts.work.by_pipe.values())
        instead = f", drawn at {', '.join(others)} only" if others and has_work else ""
        reasons.append(f"no DRAM traffic measured ({dram.total.text} = 0): no place at dram{instead}")
    if not amounts.work.by_pipe and not has_rates and counters.absent:
        unnamed = ", ".join(counters.absent[:3]) + (" …" if len(counters.absent) > 3 else "")
        reasons.append(f"the file has no value for {unnamed}")
    return sys.intern("; ".join(reasons)) if reasons else None


def _has_rate(amounts: Flow, rates: Flow) -> bool:
    """Whether the file gives a rate on the pipe that the launch leans on most, where it gives no time."""
    main = max(
        (amounts.work.by_pipe or rates.work.by_pipe).items(),
        key=lambda pair: pair[1].value,
        default=("", None),
    )
    rate = rates.work.by_pipe.get(main[0])
    return rate is not None and bool(rate.value)


def _cell(counters: Counters) -> str:
    cell = counters.undecided[0]
    return f"{cell.source.shown} = {cell.text} {cell.source.unit}".rstrip()
