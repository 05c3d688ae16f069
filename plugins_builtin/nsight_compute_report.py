"""Reader of the binary reports that NVIDIA Nsight Compute writes (``ncu -o report``).

No library of the vendor is needed: the container is a simple one and is read here in plain Python, with every length
checked. A report is the best file to have: all figures are unrounded and in base units, the device and its clocks are
in it, and counts by instruction tell tensor-core work that the counters of older chips do not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rooflinestudio.plugins import hookimpl

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from rooflinestudio.plugins import MeasurementFile, MeasurementReader

__all__ = ["NsightComputeReport", "rooflinestudio_measurement_readers"]


@dataclass(frozen=True)
class NsightComputeReport:
    """Reads binary reports of Nsight Compute, compressed ones too where the machine can unpack them."""

    id: ClassVar[str] = "ncu-report"
    label: ClassVar[str] = "Nsight Compute report"
    extensions: ClassVar[tuple[str, ...]] = (".ncu-rep", ".ncu-repz", ".nsight-cuprof-report")

    def recognises(self, head: bytes, name: str) -> bool:
        """Whether a file begins like a report, whatever it is called; a compressed one must be called so."""
        # The recipes are read when the first file comes: the start of the window does not wait for them.
        from plugins_builtin._ncu_report.opening import is_report

        return is_report(head, name)

    def read(self, path: Path, progress: Callable[[float], bool] | None = None) -> MeasurementFile:
        """Read a file; see :func:`plugins_builtin._ncu_report.reading.read_report` for errors."""
        from plugins_builtin._ncu_report.reading import read_report

        return read_report(path, progress)


@hookimpl
def rooflinestudio_measurement_readers() -> list[MeasurementReader]:
    """Give the reader to the studio."""
    return [NsightComputeReport()]
