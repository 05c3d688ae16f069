"""What it costs to import a raw page of 20,000 launches with 200 columns, against polars and pandas in the same run.

Each reader runs in a process of its own, turn about. Ours makes measurements of the launches, the overlay of a study
from them, and keeps all columns as arrays; theirs read the columns as numbers, without the thousands' commas, and no
more. The bars: at most 3.5 times the quicker of the two, with what has to be imported and without, and less than twice
the file added to the memory.
"""

from __future__ import annotations

import csv
import importlib.util
import json
import random
import subprocess
import sys

import pytest

pytestmark = pytest.mark.benchmark

LAUNCHES, COLUMNS, IDENTITY = 20_000, 189, 11
TURNS, TIMES, MEMORY = 5, 3.5, 2.0

HEAD = ("ID", "Process ID", "Process Name", "Host Name", "Kernel Name", "Context", "Stream", "Block Size", "Grid Size",
        "Device", "CC")  # fmt: skip
SASS = "smsp__sass_thread_inst_executed_op_{}_pred_on.sum"
NEEDED = (
    ("gpu__time_duration.sum", "nsecond"),
    ("dram__bytes_read.sum", "byte"),
    ("dram__bytes_write.sum", "byte"),
    ("lts__t_sectors_srcunit_tex.sum", "sector"),
    ("l1tex__t_bytes.sum", "byte"),
    ("smsp__cycles_elapsed.avg", "cycle"),
    ("smsp__cycles_elapsed.avg.per_second", "hz"),
    *((SASS.format(precision + kind), "inst") for precision in "fdh" for kind in ("add", "mul", "fma")),
)

TIMED = """
import json, sys, time
from pathlib import Path

def peak():
    "Most memory that this process ever had, in bytes; what getrusage gives counts the process that started it."
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024

began = time.perf_counter()
{imports}
before, start = peak(), time.perf_counter()
{reads}
done = time.perf_counter()
print(json.dumps([done - began, done - start, peak() - before]))
"""
OURS = TIMED.format(
    imports="import numpy\nfrom plugins_builtin.nsight_compute import NsightComputeCsv\n"
    "from rooflinestudio.core.measurement_table import Overlay\n"
    "import plugins_builtin._ncu.build_columns, plugins_builtin._ncu.gathering, plugins_builtin._ncu.reading",
    reads=f"file = NsightComputeCsv().read(Path(sys.argv[1]))\n"
    f"assert len(Overlay.from_file(file)) == {LAUNCHES} and len(file.columns) == {COLUMNS}",
)
POLARS = TIMED.format(
    imports="import polars",
    reads="table = polars.read_csv(sys.argv[1], skip_rows=2, skip_rows_after_header=1, infer_schema=False)\n"
    f"table = table.with_columns([polars.col(name).str.replace_all(',', '', literal=True)"
    f".cast(polars.Float64, strict=False) for name in table.columns[{IDENTITY}:]])",
)
PANDAS = TIMED.format(
    imports="import pandas",
    reads="table = pandas.read_csv(sys.argv[1], header=2, skiprows=[3], thousands=',', na_values=['n/a'], "
    "low_memory=False)",
)


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """The raw page: 189 counters, most of which no recipe needs."""
    rng = random.Random(1)
    rollups = ("avg", "max", "min", "sum")
    others = [(f"unit{n:03}__counter.{rollups[n % 4]}", "%" if n % 4 == 1 else "") for n in range(COLUMNS)]
    columns = sorted((*NEEDED, *others[: COLUMNS - len(NEEDED)]))
    path = tmp_path_factory.mktemp("wide") / "raw.csv"
    with path.open("w", newline="") as file:
        file.write("==PROF== Connected to process 1 (/opt/app)\n==PROF== Disconnected from process 1\n")
        writer = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n")
        writer.writerow([*HEAD, *(name for name, _ in columns)])
        writer.writerow([*[""] * IDENTITY, *(unit for _, unit in columns)])
        for launch in range(LAUNCHES):
            kernel = f"void gemm_{launch % 40}<(int)128, float>(const float *, float *, int)"
            head = [
                launch,
                1,
                "app",
                "127.0.0.1",
                kernel,
                1,
                7,
                "(256, 1, 1)",
                f"({launch % 97}, 1, 1)",
                0,
                "8.0",
            ]
            writer.writerow([*head, *(_printed(name, unit, rng) for name, unit in columns)])
    return path


def _printed(name: str, unit: str, rng: random.Random) -> str:
    if name.endswith("per_second"):
        return f"{rng.uniform(1e9, 1.4e9):,.2f}"
    if (name, unit) in NEEDED:
        return f"{rng.randint(1_000, 50_000_000):,}"
    if rng.random() < 0.01:
        return "n/a"
    return f"{rng.uniform(0, 100):.2f}" if unit == "%" else f"{rng.uniform(0, 2_000_000):,.2f}"


def _run(program: str, path) -> tuple[float, float, int]:
    done = subprocess.run(
        [sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True
    )
    return tuple(json.loads(done.stdout))


@pytest.mark.timeout(900)
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads the peak of the memory from /proc")
def test_bench_a_wide_page(page) -> None:
    size = page.stat().st_size
    programs = {"polars": POLARS, "pandas": PANDAS}
    programs = {name: text for name, text in programs.items() if importlib.util.find_spec(name)}
    if not programs:
        pytest.skip("neither polars nor pandas is installed")
    programs["studio"] = OURS
    runs: dict[str, list[tuple[float, float, int]]] = {name: [] for name in programs}
    for _ in range(TURNS):
        for name, program in programs.items():
            runs[name].append(_run(program, page))
    print(f"\n{LAUNCHES:,} launches x {COLUMNS} counters, {size / 1e6:.0f} MB; the best of {TURNS}")
    for name, taken in runs.items():
        whole, read, added = (min(column) for column in zip(*taken, strict=True))
        print(f"{name:8} {whole:.2f} s with imports, {read:.2f} s to read, {added / 1e6:.0f} MB added")
    whole = {name: min(one[0] for one in taken) for name, taken in runs.items()}
    read = {name: min(one[1] for one in taken) for name, taken in runs.items()}
    quickest = min(whole[name] for name in programs if name != "studio")
    alone = min(read[name] for name in programs if name != "studio")
    added = min(one[2] for one in runs["studio"]) / size
    print(f"{whole['studio'] / quickest:.2f} times the quicker with imports (bar {TIMES}), ", end="")
    print(
        f"{read['studio'] / alone:.2f} times to read alone; {added:.2f} times the file in memory (bar {MEMORY})"
    )
    assert whole["studio"] <= TIMES * quickest
    assert read["studio"] <= TIMES * alone
    assert added < MEMORY
