"""Small Nsight Compute tables for tests: the fixture files, and tables written on the spot."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING

from plugins_builtin.nsight_compute import NsightComputeCsv

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rooflinestudio.core.measurement import Measurement, MeasurementFile

FIXTURES = Path(__file__).resolve().parent.parent / "data" / "ncu"

IDENTITY = ("ID", "Process ID", "Process Name", "Host Name", "Kernel Name", "Context", "Stream", "Block Size",
            "Grid Size", "Device", "CC")  # fmt: skip
LONG = (*IDENTITY, "Section Name", "Metric Name", "Metric Unit", "Metric Value")
SASS = "smsp__sass_thread_inst_executed_op_{}_pred_on.sum"

Metric = tuple[str, str, str]
"""Name, unit and value as printed."""


def fixture(name: str) -> MeasurementFile:
    """Read one of the fixture files."""
    return NsightComputeCsv().read(FIXTURES / name)


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """CSV as the profiler writes it, every cell in quotes."""
    text = io.StringIO()
    csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(rows)
    return text.getvalue()


def long_rows(
    metrics: Iterable[Metric],
    *,
    launch: int = 0,
    kernel: str = "kernel(float *)",
    cc: str = "8.0",
    pid: int = 1,
) -> list[tuple[object, ...]]:
    """Rows of the long form for one launch."""
    identity = (launch, pid, "app", "127.0.0.1", kernel, 1, 7, "(256, 1, 1)", "(64, 1, 1)", 0, cc)
    return [(*identity, "Command line profiler metrics", *metric) for metric in metrics]


def long_text(metrics: Iterable[Metric], *, cc: str = "8.0") -> str:
    """A table in the long form with one launch."""
    return csv_text([LONG, *long_rows(metrics, cc=cc)])


def read_text(text: str | bytes, folder: Path, name: str = "report.csv", **options: str) -> MeasurementFile:
    """Write a file and read it."""
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return NsightComputeCsv(**options).read(path)


def one_launch(metrics: Iterable[Metric], folder: Path, *, cc: str = "8.0") -> Measurement:
    """Measurement of one launch with these metrics."""
    (measurement,) = read_text(long_text(metrics, cc=cc), folder).measurements
    return measurement


def vector(letter: str, add: str, mul: str, fma: str) -> list[Metric]:
    """Thread instructions of one precision: ``f``, ``d`` or ``h``."""
    return [
        (SASS.format(letter + operation), "inst", value)
        for operation, value in (("add", add), ("mul", mul), ("fma", fma))
    ]


TIME: Metric = ("gpu__time_duration.sum", "ns", "1,000,000")
DRAM: Metric = ("dram__bytes.sum", "byte", "4,000,000")
