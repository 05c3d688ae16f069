"""Measured kernels: what a profiler saw of each launch, with the recipe and the quality of every figure.

A reader turns a file into a :class:`MeasurementFile` of :class:`Measurement` objects. Everything here is
frozen and can be pickled, so that a file can be read in another process. Absent figures are ``None``, never
0: a counter that was not collected says nothing about the kernel.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol, runtime_checkable

from rooflinestudio.core.measured.ceilings import CeilingReading, MeasuredMachine, machines_to_json
from rooflinestudio.core.measurement_figures import (
    QUALITIES,
    MeasuredFigure,
    MeasuredTraffic,
    MeasurementCancelled,
    MeasurementError,
    Quality,
    combined_quality,
)
from rooflinestudio.core.measurement_launch import Measurement

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rooflinestudio.core.importing.questions import MarkQuestion

__all__ = [
    "QUALITIES",
    "CeilingReading",
    "MeasuredFigure",
    "MeasuredMachine",
    "MeasuredTraffic",
    "Measurement",
    "MeasurementCancelled",
    "MeasurementError",
    "MeasurementFile",
    "MeasurementReader",
    "Progress",
    "Quality",
    "combined_quality",
    "to_json",
]

Progress = Callable[[float], bool]
"""Called with the share of the file that has been read, 0 to 1; returns False to cancel."""

_JSON_BOUNDARIES: Final = ("dram", "l2", "l1", "shared")


@dataclass(frozen=True, slots=True)
class MeasurementFile:
    """What one file holds.

    Attributes
    ----------
    path
        As it was given.
    format
        Id of the form that was recognised, such as ``ncu-csv-long``.
    warnings
        What was odd, and why nothing was found where ``measurements`` is empty; sentences for the user.
    measurements
        In the order of the file: a tuple, or of many kernels a
        :class:`~rooflinestudio.core.measurement_packed.PackedMeasurements`, which makes each when it is asked for.
    digest
        SHA-256 of the content (and of the options that changed how it was read), hexadecimal.
    counters
        Names of the metrics that the file has of its kernels, as far as the reader tells.
    machines
        Ceilings and bandwidths that the file carries: of a benchmark, or those a profiler noted beside its kernels.
    question
        A number that can be read in two ways, where figures that depend on it were left out; the answer is the
        reader's option ``decimal_mark``.
    """

    path: str
    format: str
    warnings: tuple[str, ...]
    measurements: Sequence[Measurement]
    digest: str
    counters: tuple[str, ...] = ()
    machines: tuple[MeasuredMachine, ...] = ()
    question: MarkQuestion | None = None


@runtime_checkable
class MeasurementReader(Protocol):
    """Turns files of one kind into measurements; instances can be pickled."""

    @property
    def id(self) -> str:
        """Stable id, such as ``ncu-csv``."""
        ...

    @property
    def label(self) -> str:
        """Name for the user, such as ``Nsight Compute CSV``."""
        ...

    @property
    def extensions(self) -> tuple[str, ...]:
        """Usual endings with their dot, lower case, for file dialogs: readers are chosen by content."""
        ...

    def recognises(self, head: bytes, name: str) -> bool:
        """Whether this reader should read a file that begins with ``head`` and is called ``name``."""
        ...

    def read(self, path: Path, progress: Progress | None = None) -> MeasurementFile:
        """Read a whole file.

        A file of the right kind that holds no launch is answered with no measurement and a warning that
        says why.

        Raises
        ------
        MeasurementError
            The file could not be read, or is of another kind.
        MeasurementCancelled
            ``progress`` returned False.
        """
        ...


def to_json(file: MeasurementFile) -> dict[str, Any]:
    """One entry of ``files`` in the answer of ``import --json``; infinite and absent figures are None."""
    return {
        "path": file.path,
        "format": file.format,
        "warnings": list(file.warnings),
        "launches": [_launch_to_json(measurement) for measurement in file.measurements],
        "machines": machines_to_json(file.machines),
    }


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _launch_to_json(measurement: Measurement) -> dict[str, Any]:
    values: dict[str, float | None] = {"time_s": measurement.time_s, "work_flop": measurement.work_flop}
    values |= {f"{boundary}_bytes": measurement.traffic_bytes(boundary) for boundary in _JSON_BOUNDARIES}
    values |= {f"{boundary}_bytes_per_s": measurement.bytes_per_s(boundary) for boundary in _JSON_BOUNDARIES}
    values["intensity_dram"] = _finite(measurement.intensity_dram)
    values["achieved_flop_per_s"] = _finite(measurement.achieved_flop_per_s)
    names = [*(name for name, value in values.items() if value is not None)]
    names += [name for name in measurement.figures if name not in values]
    origins = {name: figure for name in names if (figure := measurement.figure(name)) is not None}
    return {
        "launch": measurement.launch,
        "kernel": measurement.kernel,
        "pipe": measurement.pipe,
        "work": dict(measurement.work),
        **values,
        "device": measurement.device,
        "compute_capability": measurement.compute_capability,
        "plotted": measurement.plotted,
        "reason": measurement.reason,
        "recipes": {name: figure.recipe for name, figure in origins.items()},
        "quality": {name: figure.quality for name, figure in origins.items()},
    }
