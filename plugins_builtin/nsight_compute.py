"""Reader of what NVIDIA Nsight Compute prints: CSV in the long and in the wide form, and pages of text.

All forms of one report give the same measurements: one row per launch and metric (``--csv``, also with sections and
on the details page), one row per launch (``--csv --page raw``), or ruled tables on a terminal, which are rounded. The
summary page is read as means. Other output of the profiler is recognised and answered with the command that makes a
table of it; binary reports are another reader's.
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
    """Reads Nsight Compute CSV and text pages.

    Attributes
    ----------
    decimal_mark
        ``"."`` or ``","`` once the user has stated it; None (the default) leaves it to the evidence in the file, and
        figures that it does not settle are left out with a warning that shows both readings.
    """

    decimal_mark: Literal[".", ","] | None = None

    id: ClassVar[str] = "ncu-csv"
    label: ClassVar[str] = "Nsight Compute CSV"
    extensions: ClassVar[tuple[str, ...]] = (".csv", ".txt", ".log")

    def recognises(self, head: bytes, name: str) -> bool:
        """Whether a file begins like output of the profiler, whatever it is called."""
        # The tables of counters are read when the first file comes: the start of the window does not wait for them.
        from plugins_builtin._ncu.explain import looks_like_profiler_output
        from plugins_builtin._ncu.lines import decoded_head
        from plugins_builtin._ncu.tables import find_table
        from plugins_builtin._nvprof.tables import looks_like_nvprof

        text = decoded_head(head)
        if text is None:
            return False
        if any(table.kind != "nvprof" for table in map(find_table, text.splitlines()) if table is not None):
            return True
        return looks_like_profiler_output(text) and not looks_like_nvprof(text)

    def read(self, path: Path, progress: Callable[[float], bool] | None = None) -> MeasurementFile:
        """Read a file; see :func:`plugins_builtin._ncu.reading.read_file` for errors and the decimal mark."""
        from plugins_builtin._ncu.reading import read_file

        return read_file(path, mark=self.decimal_mark, progress=progress)


@hookimpl
def rooflinestudio_measurement_readers() -> list[MeasurementReader]:
    """Give the reader to the studio."""
    return [NsightComputeCsv()]
