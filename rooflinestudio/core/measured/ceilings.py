"""What a measuring tool, or a profiler's report, says about the machine it ran on: rates, not kernels."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["CeilingReading", "MeasuredMachine", "machines_to_json"]


@dataclass(frozen=True, slots=True)
class CeilingReading:
    """One rate that was measured, or noted by a tool as what the machine can do.

    Attributes
    ----------
    id
        Which ceiling (``bf16-tensor``) or boundary (``dram``) it would be.
    best
        The best value, in FLOP/s or byte/s.
    median, low, high
        In the same unit, where the tool says so; None else.
    samples
        How many runs it comes from, or None.
    condition
        Size, clock, kernel: whatever the tool says of how it was measured.
    origin
        The tool's own word for it: ``Triad``, ``HBMBw``.
    """

    id: str
    best: float
    median: float | None = None
    low: float | None = None
    high: float | None = None
    samples: int | None = None
    condition: str = ""
    origin: str = ""


@dataclass(frozen=True, slots=True)
class MeasuredMachine:
    """The rates of one device of one file.

    Attributes
    ----------
    device
        As the file names it: ``NVIDIA A100-SXM4-40GB``, ``device 0``.
    tool
        What measured, with its version where it says so: ``BabelStream 3.3``.
    ceilings, boundaries
        Several readings of one id are allowed (Copy and Triad are both ``dram``).
    compute_capability
        ``8.0``, or None.
    clocks
        Hertz under which it holds, by name: ``sm``, ``dram``.
    host, date, conditions
        In words, as far as the file says them.
    notes
        What was odd.
    """

    device: str
    tool: str
    ceilings: tuple[CeilingReading, ...] = ()
    boundaries: tuple[CeilingReading, ...] = ()
    compute_capability: str | None = None
    clocks: Mapping[str, float] = field(default_factory=dict)
    host: str = ""
    date: str = ""
    conditions: str = ""
    notes: tuple[str, ...] = ()


def machines_to_json(machines: Sequence[MeasuredMachine]) -> list[dict[str, Any]]:
    """``machines`` of a file in the answer of ``import --json``; absent and infinite figures are None."""
    return [
        {
            "device": one.device,
            "tool": one.tool,
            "compute_capability": one.compute_capability,
            "ceilings": [_reading_to_json(reading) for reading in one.ceilings],
            "boundaries": [_reading_to_json(reading) for reading in one.boundaries],
            "clocks": {name: _finite(clock_hz) for name, clock_hz in one.clocks.items()},
            "host": one.host,
            "date": one.date,
            "conditions": one.conditions,
            "notes": list(one.notes),
        }
        for one in machines
    ]


def _reading_to_json(reading: CeilingReading) -> dict[str, Any]:
    return {
        "id": reading.id,
        "best": _finite(reading.best),
        "median": _finite(reading.median),
        "low": _finite(reading.low),
        "high": _finite(reading.high),
        "samples": reading.samples,
        "condition": reading.condition,
        "origin": reading.origin,
    }


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
