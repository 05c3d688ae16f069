"""What the tests of the reader of benchmarks share: the made-up files, and all readers that come with the studio."""

from __future__ import annotations

from pathlib import Path

from plugins_builtin.benchmarks import Benchmarks
from plugins_builtin.nsight_compute import NsightComputeCsv
from plugins_builtin.nsight_compute_report import NsightComputeReport
from plugins_builtin.nvprof import NvprofCsv
from tests.builtin.other_tools import READERS as OTHERS

FIXTURES = Path(__file__).resolve().parent.parent / "data" / "benchmarks"
READER = Benchmarks()
ALL_READERS = (READER, NsightComputeCsv(), NsightComputeReport(), NvprofCsv(), *OTHERS)


def machines(name):
    """Machines of a fixture."""
    return READER.read(FIXTURES / name).machines


def best(readings):
    """Id and best value of readings, in their order."""
    return [(one.id, one.best) for one in readings]


def read_text(folder, text, name="file.dat"):
    """What the reader makes of a text."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return READER.read(path)
