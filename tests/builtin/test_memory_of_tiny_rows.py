"""Files of the tiniest rows that a reader takes: never more memory than ten times the file and 32 MB."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest

from plugins_builtin.advisor import AdvisorCsv
from plugins_builtin.likwid import LikwidTables
from plugins_builtin.nsight_compute import NsightComputeCsv
from plugins_builtin.nvprof import NvprofCsv
from plugins_builtin.points import PointsCsv, PointsJson
from plugins_builtin.pytorch_trace import PytorchTrace
from plugins_builtin.rocprof import RocprofCsv
from rooflinestudio.core.measurement_table import Overlay

TIMES, MORE = 10, 32_000_000
NVPROF = "==1== NVPROF is profiling process 1, command: ./a\n==1== Profiling result:\n"
LONG = '"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"\n'
TRACE = '"Start","Duration","Device","Stream","Name"\nms,us,,,\n'
METRICS = '"Device","Kernel","Invocations","Metric Name","Metric Description","Min","Max","Avg"\n'
NAMES = ("aten::mm", "aten::add", "aten::copy_")


FILES = {
    "points, two columns": (PointsCsv(), "time,traffic\n", lambda n: f"{n % 9 + 1},{n % 7 + 1}\n", ""),
    "points": (
        PointsCsv(), "kernel,time [us],work [GFLOP],traffic [MB]\n", lambda n: f"k{n % 50},{n % 90 + 1},2.5,3\n", "",
    ),
    "points, each with its name": (PointsCsv(), "kernel,time,work,traffic\n", lambda n: f"k{n},1,2,3\n", ""),
    "points, no numbers": (PointsCsv(), "kernel,time,work,traffic\n", lambda n: "a,b,c,d\n", ""),
    "points, in their order": (PointsCsv(), "launch,time,work,traffic\n", lambda n: f"{10**8 - n},1.5,2,3\n", ""),
    "JSON of points": (
        PointsJson(), '{"format": "rooflinestudio-measurements/1", "measurements": [{"kernel":"a"}',
        lambda n: f',{{"kernel":"a","time_s":{n % 9 + 1}}}', "]}",
    ),
    "nvprof trace": (NvprofCsv(), NVPROF + TRACE, lambda n: f"{n % 90},{n % 9 + 1},G,1,a\n", ""),
    "nvprof trace, each with its name": (NvprofCsv(), NVPROF + TRACE, lambda n: f"1,2,G,1,k{n}\n", ""),
    "nvprof metrics": (
        NvprofCsv(), NVPROF + METRICS,
        lambda n: f"G,k{n % 500},1,flop_count_sp,d,1,1,{n}\n", "",
    ),
    "nvprof metrics, each with its kernel": (
        NvprofCsv(), NVPROF + METRICS,
        lambda n: f"G,k{n},1,flop_count_sp,d,1,1,{n}\n", "",
    ),
    "PyTorch trace": (
        PytorchTrace(), '{"schemaVersion": 1, "deviceProperties": [], "traceEvents": [{}',
        lambda n: f',{{"cat":"kernel","dur":{n % 90 + 1},"name":"k"}}', "]}",
    ),
    "PyTorch trace, whole": (
        PytorchTrace(), '{"schemaVersion": 1, "deviceProperties": [], "traceEvents": [{}',
        lambda n: (
            f',{{"ph":"X","cat":"cpu_op","name":"{NAMES[n % 3]}","args":{{"External id":{n},"Input Dims":'
            f'[[{n % 99 + 1},64],[64,{n % 99 + 1}]],"Input type":["float","float"]}}}},'
            f'{{"ph":"X","cat":"kernel","name":"k{n % 40}",'
            f'"dur":{n % 90 + 1},"args":{{"External id":{n},"grid":[{n % 300 + 300},1,1],"block":[128,1,1]}}}}'
        ), "]}",
    ),
    "rocprof": (
        RocprofCsv(), "Kernel_Name,Start_Timestamp,End_Timestamp,TCC_EA_RDREQ,TCC_EA_WRREQ\n",
        lambda n: f"a,1,{n % 9 + 2},{n % 9},2\n", "",
    ),
    "Advisor": (AdvisorCsv(), "self_gflop,self_elapsed_time\n", lambda n: f"{n % 9},1\n", ""),
    "LIKWID": (
        LikwidTables(), "TABLE,Group 1 Metric,MEM_DP,1\nMetric,HWThread 0\nRuntime (RDTSC) [s],1\n",
        lambda n: f"Region r{n}, Group 1: MEM_DP\nMetric,HWThread 0\nDP [MFLOP/s],{n}\n", "",
    ),
    "LIKWID, many threads": (
        LikwidTables(), "TABLE,Group 1 Metric,MEM_DP,1\nMetric,HWThread 0\nRuntime (RDTSC) [s],1\n",
        lambda n: (
            f"Region r{n}, Group 1: MEM_DP\nMetric{',HWThread 0' * 200}\nDP [MFLOP/s]{',1' * 200}\n"
            f"Runtime (RDTSC) [s]{',2' * 200}\nMemory data volume [GBytes]{',3' * 200}\n"
        ), "",
    ),
    "ncu, wide": (
        NsightComputeCsv(), '"ID","Kernel Name","dram__bytes.sum"\n"","","byte"\n',
        lambda n: f'"{n}","k","{n % 90}.5"\n', "",
    ),
    "ncu, long": (NsightComputeCsv(), LONG, lambda n: f'"{n}","k","dram__bytes.sum","byte","1.5"\n', ""),
    "ncu, long, each with its name": (
        NsightComputeCsv(), LONG, lambda n: f'"{n}","k{n}","dram__bytes.sum","byte","1.5"\n', "",
    ),
    "ncu, long, open number format": (
        NsightComputeCsv(), LONG, lambda n: f'"{n}","k","dram__bytes.sum","byte","1,234"\n', "",
    ),
    "ncu, long, several figures": (
        NsightComputeCsv(), LONG,
        lambda n: "".join(
            f'"{n}","k{n % 30}","{metric}","{unit}","{n % 90}.5"\n'
            for metric, unit in (
                ("dram__bytes_read.sum", "byte"), ("gpu__time_duration.sum", "ns"), ("sm__x.sum", "cycle"),
            )
        ), "",
    ),
}  # fmt: skip


def file_of(name: str, folder, *, rows: int = 1_000_000_000, size: int = 1_000_000_000) -> tuple:
    """Reader, and a file with so many rows or of so many bytes."""
    reader, head, row, end = FILES[name]
    parts, length = [head], len(head)
    while length < size and len(parts) <= rows:
        parts.append(row(len(parts)))
        length += len(parts[-1])
    path = folder / "tiny.dat"
    path.write_text("".join((*parts, end)))
    return reader, path


def holds(reader, path, more: float = MORE) -> str:
    """Hold a reader to the bound, and say what it took."""
    tracemalloc.start()
    try:
        file = reader.read(path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    size, kernels = path.stat().st_size, len(file.measurements)
    said = f"{kernels:,} kernels, {size / 1e6:.1f} MB in the file, {peak / 1e6:.1f} MB of memory"
    assert len(Overlay.from_file(file)) == kernels > 0
    assert peak < TIMES * size + more, said
    return said


@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", ["points", "nvprof trace", "PyTorch trace", "ncu, long"])
def test_tiny_rows_take_little_memory(name, tmp_path):
    reader, path = file_of(name, tmp_path, rows=100)
    reader.read(path)  # what is imported on the way counts for no file
    # As objects so many kernels take 20 MB; the half of what a large file is granted beyond its size is enough here.
    holds(*file_of(name, tmp_path, rows=15_000), MORE / 2)


CHILD = """
import resource, sys
from pathlib import Path
from tests.builtin.test_memory_of_tiny_rows import FILES
reader = FILES[sys.argv[1]][0]
def peak():
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
reader.read(Path(sys.argv[2]))  # what is imported on the way counts for no file
before = peak()
file = reader.read(Path(sys.argv[3]))
print(peak() - before, len(file.measurements))
"""


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.skipif(sys.platform != "linux", reason="the peak of a process is counted in other units there")
@pytest.mark.parametrize("name", FILES)
def test_eight_megabytes_of_tiny_rows_take_little_memory(name, tmp_path):
    """In a process of its own, by the peak that the system counts: a tracer would make an hour of it."""
    (few := tmp_path / "few").mkdir()
    (many := tmp_path / "many").mkdir()
    paths = file_of(name, few, rows=100)[1], file_of(name, many, size=8_000_000)[1]
    done = subprocess.run(
        [sys.executable, "-c", CHILD, name, *map(str, paths)],
        cwd=Path(__file__).parents[2], capture_output=True, text=True, check=True, timeout=800,
    )  # fmt: skip
    added, kernels = map(int, done.stdout.split())
    size = paths[1].stat().st_size
    print(f"\n{name}: {kernels:,} kernels, {size / 1e6:.1f} MB in the file, {added / 1e6:.1f} MB of memory")
    assert kernels > 0
    assert added < TIMES * size + MORE
