"""What the tests of the readers of other tools share: the made-up files, real files where there are any."""

from __future__ import annotations

from pathlib import Path

from plugins_builtin.advisor import AdvisorCsv
from plugins_builtin.bandwidth_tests import BandwidthTests
from plugins_builtin.likwid import LikwidTables
from plugins_builtin.points import PointsCsv, PointsJson
from plugins_builtin.pytorch_trace import PytorchTrace
from plugins_builtin.rocprof import RocprofCsv

FIXTURES = Path(__file__).resolve().parent.parent / "data" / "other_tools"

READERS = (
    AdvisorCsv(), BandwidthTests(), LikwidTables(), PointsCsv(), PointsJson(), PytorchTrace(), RocprofCsv(),
)  # fmt: skip

READER_OF = {
    "advisor.csv": "advisor-csv",
    "babelstream.csv": "bandwidth-tests",
    "babelstream.txt": "bandwidth-tests",
    "counters.csv": "rocprof-csv",
    "likwid.csv": "likwid",
    "likwid.txt": "likwid",
    "measurements.json": "points-json",
    "nvbandwidth.txt": "bandwidth-tests",
    "points.csv": "points-csv",
    "roofline.csv": "rocprof-csv",
    "trace.json": "pytorch-trace",
}


def written(folder, content, name="file.dat"):
    """Path of a file with this content."""
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path
