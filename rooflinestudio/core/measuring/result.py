"""From timed trials to what they say of the machine: a roof of its own for one thread, and one for all cores."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.hardware import BOUNDARY_ORDER, Boundary, ComputeCeiling, Figure, HardwareProfile
from rooflinestudio.core.measured.ceilings import CeilingReading, MeasuredMachine
from rooflinestudio.core.measurement_figures import MeasurementError
from rooflinestudio.core.measuring.trials import FAR
from rooflinestudio.core.quantities import format_number, format_quantity

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rooflinestudio.core.measuring.host import Host
    from rooflinestudio.core.measuring.running import Outcome, Runs

__all__ = ["Circumstances", "boundary_of_size", "machine_of", "profile_of"]

DIGITS: Final = 5
"""Significant digits of a rate that is written down: runs lie further apart than that."""
TOOL: Final = "rooflinestudio measure"
_PIPES: Final = {"float32": "fp32", "float64": "fp64"}
_LABELS: Final = {"l1": "L1 data cache", "l2": "L2", "l3": "L3", "dram": "memory"}
_WELL_INSIDE: Final = 0.75
"""A working set of up to this share of a cache stays in it."""
_UNSTEADY: Final = 1.5
_WRITES: Final = "the line that is written is read first (write-allocate), and counted"


@dataclass(frozen=True, slots=True)
class Circumstances:
    """When and under what it was measured: ISO date, hertz, and the load of the machine before it began."""

    date: str
    clock_hz: float | None = None
    load: float | None = None

    def words(self, threads: int) -> str:
        """In words, for the condition of a figure."""
        parts = ["1 thread" if threads == 1 else f"{threads} threads"]
        if self.clock_hz is not None:
            parts.append(f"clock about {format_quantity(self.clock_hz, 'Hz')}")
        if self.load is not None and self.load >= 0.5:
            parts.append(f"load {format_number(self.load)} before it began")
        return ", ".join(parts)


def boundary_of_size(size: int, host: Host, threads: int) -> str | None:
    """Return the boundary that a working set is served from; None between two, where it is partly in each.

    Where the system tells nothing of its caches, the smallest sets count as ``l2`` and those from 128 MiB as ``dram``.
    """
    reaches = {key: cache.reach(threads) for key, cache in host.caches.items()}
    if not reaches:
        return "l2" if size <= 2**19 else "dram" if size >= 2**27 else None
    inner = 0
    for key, reach in reaches.items():
        if 2 * inner <= size <= _WELL_INSIDE * reach:
            return key
        inner = reach
    return "dram" if size >= FAR * max(reaches.values()) else None


def machine_of(outcome: Outcome, host: Host, threads: int, around: Circumstances) -> MeasuredMachine:
    """Return every rate of one number of threads: the best run of the best kernel, with the median of that kernel.

    What fewer threads reach is in reach of more: where they were faster, since something disturbed the others, their
    run is the rate, and its condition says with how many.

    Raises
    ------
    MeasurementError
        No product or no working set of the memory could be timed.
    """
    runs = [one for one in outcome.runs.values() if one.trial.threads == threads]
    fewer = [one for one in outcome.runs.values() if one.trial.threads < threads]
    ceilings = tuple(_readings(_by_pipe(runs), _by_pipe(fewer), around))
    boundaries = tuple(_readings(_by_boundary(runs, host), _by_boundary(fewer, host), around))
    if not ceilings or "dram" not in {one.id for one in boundaries}:
        raise MeasurementError(
            f"Too little could be measured with {threads} thread(s): it needs room for a working set of {FAR} times "
            "the last cache in an eighth of the memory. Close other programs and try again."
        )
    return MeasuredMachine(
        host.processor,
        TOOL,
        ceilings,
        boundaries,
        clocks={} if around.clock_hz is None else {"sm": around.clock_hz},
        host=host.name,
        date=around.date,
        conditions=f"{around.words(threads)}; {host.system}",
        notes=outcome.notes,
    )


def _by_pipe(runs: Iterable[Runs]) -> dict[str, list[Runs]]:
    found: dict[str, list[Runs]] = {}
    for one in runs:
        if one.trial.kind == "gemm":
            found.setdefault(_PIPES[one.trial.dtype], []).append(one)
    return found


def _by_boundary(runs: Iterable[Runs], host: Host) -> dict[str, list[Runs]]:
    found: dict[str, list[Runs]] = {}
    for one in runs:
        trial = one.trial
        place = None if trial.kind == "gemm" else boundary_of_size(trial.size, host, trial.threads)
        if place is not None:
            found.setdefault(place, []).append(one)
    return {key: found[key] for key in BOUNDARY_ORDER if key in found}


def _readings(
    groups: Mapping[str, Sequence[Runs]], fewer: Mapping[str, Sequence[Runs]], around: Circumstances
) -> Iterable[CeilingReading]:
    for key, runs in groups.items():
        best = max((*runs, *fewer.get(key, ())), key=lambda one: one.best)
        yield CeilingReading(
            key,
            best.best,
            best.median,
            best.low,
            best.best,
            len(best.seconds),
            f"{_what(best)}, {around.words(best.trial.threads)}",
            best.trial.kind,
        )


def _what(runs: Runs) -> str:
    trial = runs.trial
    if trial.kind == "gemm":
        return f"product of {trial.size} through the BLAS of NumPy"
    return f"{trial.kind} of a working set of {format_quantity(trial.size, 'B')}"


def profile_of(machine: MeasuredMachine, host: Host, threads: int) -> HardwareProfile:
    """Return a profile in which every rate is measured: best runs, since no kernel should stand above its roof."""
    words = "one thread" if threads == 1 else f"{threads} threads"
    first = machine.boundaries[0].id
    return HardwareProfile(
        id=f"measured-{_slug(host.name)}-{threads}-thread{'s' if threads > 1 else ''}",
        name=f"{host.processor}, {words}, measured on {host.name}",
        short_name=f"{host.name[:24]}, {words}",
        vendor=_vendor(host.processor),
        architecture=host.processor,
        year=int(machine.date[:4]),
        kind="cpu",
        ceilings={one.id: ComputeCeiling(one.id, _figure(one, machine)) for one in machine.ceilings},
        boundaries={
            one.id: _boundary(one, machine, host, threads=threads, is_first=one.id == first)
            for one in machine.boundaries
        },
        reference_ceiling=machine.ceilings[0].id,
        clocks=_clocks(machine),
        notes=(
            f"Measured with {TOOL}: {machine.conditions}.",
            f"Bandwidth from b = 1·a and c = a + b in double precision: {_WRITES}.",
            *_busy(machine),
            *machine.notes,
        ),
    )


def _busy(machine: MeasuredMachine) -> list[str]:
    apart = [
        one.id
        for one in (*machine.ceilings, *machine.boundaries)
        if one.low is not None and one.best > _UNSTEADY * one.low
    ]
    return (
        [f"Runs lie far apart ({', '.join(apart)}): something else ran. Measure again when it is quiet."]
        if apart
        else []
    )


def _clocks(machine: MeasuredMachine) -> dict[str, Figure]:
    hertz = machine.clocks.get("sm")
    return (
        {}
        if hertz is None
        else {"profiled": Figure(hertz, "measured", "after the products", TOOL, machine.date)}
    )


def _boundary(
    one: CeilingReading, machine: MeasuredMachine, host: Host, *, threads: int, is_first: bool
) -> Boundary:
    cache = host.caches.get(one.id)
    at_least = is_first and one.id != "dram"
    capacity = None
    if cache is not None:
        words = f"{min(threads, cache.instances)} × {cache.bytes_each / 1024:g} KiB"
        capacity = Figure(float(cache.reach(threads)), "published", words, "operating system", machine.date)
    note = (
        "At least so much: in the first cache the calls of NumPy take a share of the time."
        if at_least
        else ""
    )
    figure = _figure(one, machine, more=note)
    return Boundary(one.id, _LABELS[one.id], figure, capacity, approximate=at_least)


def _figure(one: CeilingReading, machine: MeasuredMachine, *, more: str = "") -> Figure:
    unit = "FLOP/s" if one.origin == "gemm" else "B/s"
    assert one.median is not None
    assert one.low is not None
    spread = format_number(100 * (one.best - one.low) / one.median, digits=2)
    note = f"Best of {one.samples} runs; median {format_quantity(one.median, unit)}, runs within {spread}%. {more}"
    return Figure(
        float(f"{one.best:.{DIGITS}g}"),
        "measured",
        one.condition,
        f"{TOOL} on {machine.host}",
        machine.date,
        note.strip(),
    )


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.casefold()).strip("-") or "machine"


def _vendor(processor: str) -> str:
    known = ("AMD", "Intel", "Apple", "NVIDIA", "Ampere", "AWS", "Qualcomm")
    return next((one for one in known if one.casefold() in processor.casefold()), "Other")
