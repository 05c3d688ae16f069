"""Reader of what NVIDIA Nsight Compute exports: CSV in the long and in the wide form.

Both forms of one report give the same measurements: one row per launch and metric (``--csv``, also with sections and
on the details page), or one row per launch (``--csv --page raw``). The summary page is read as means. Other output of
the profiler is recognised and answered with the command that makes a table of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from rooflinestudio.plugins import hookimpl

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from rooflinestudio.plugins import MeasurementFile, MeasurementReader

__all__ = ["NsightComputeCsv", "rooflinestudio_measurement_readers"]


@dataclass(frozen=True)
class NsightComputeCsv:
    """Reads Nsight Compute CSV.

    Attributes
    ----------
    decimal_mark
        ``"."`` or ``","`` once the user has stated it; None (the default) leaves it to the evidence in the file, and
        figures that it does not settle are left out with a warning that shows both readings.
    """

    decimal_mark: Literal[".", ","] | None = None

    id: ClassVar[str] = "ncu-csv"
    label: ClassVar[str] = "Nsight Compute CSV"
    extensions: ClassVar[tuple[str, ...]] = (".csv", ".txt", ".log", ".ncu-rep", ".ncu-repz")

    def recognises(self, head: bytes, name: str) -> bool:
        """Whether a file begins like output of the profiler, whatever it is called."""
        # The tables of counters are read when the first file comes: the start of the window does not wait for them.
        from plugins_builtin._ncu.explain import REPORT_MAGIC, ZSTD_MAGIC, looks_like_profiler_output
        from plugins_builtin._ncu.lines import decoded_head
        from plugins_builtin._ncu.tables import find_table

        if head.startswith(REPORT_MAGIC):
            return True
        if head.startswith(ZSTD_MAGIC):
            return name.lower().endswith(".ncu-repz")
        text = decoded_head(head)
        if text is None:
            return False
        return looks_like_profiler_output(text) or any(map(find_table, text.splitlines()))

    def read(self, path: Path, progress: Callable[[float], bool] | None = None) -> MeasurementFile:
        """Read a file; see :func:`plugins_builtin._ncu.reading.read_file` for errors and the decimal mark."""
        from plugins_builtin._ncu.reading import read_file

        return read_file(path, mark=self.decimal_mark, progress=progress)


@hookimpl
def rooflinestudio_measurement_readers() -> list[MeasurementReader]:
    """Give the reader to the studio."""
    return [NsightComputeCsv()]
