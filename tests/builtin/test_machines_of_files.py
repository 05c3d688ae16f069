"""Ceilings that files carry, as the studio takes them: beside their kernels, or alone."""

from __future__ import annotations

import pytest

from plugins_builtin._ncu.reading import read_file
from plugins_builtin.bandwidth_tests import BandwidthTests
from plugins_builtin.nsight_compute import NsightComputeCsv
from plugins_builtin.nsight_compute_report import NsightComputeReport
from plugins_builtin.rocprof import RocprofCsv
from rooflinestudio.plugins import MeasurementError
from tests.builtin.nsight_reports import Kernel, report
from tests.builtin.nsight_tables import FIXTURES as NCU
from tests.builtin.other_tools import FIXTURES as OTHERS

PEAK = "derived__sm__sass_thread_inst_executed_op_ffma_pred_on_x2"
CLOCK = "sm__cycles_elapsed.avg.per_second"


def best(readings):
    return [(one.id, one.best) for one in readings]


def test_a_table_of_the_profiler_tells_its_machine_beside_its_kernels():
    file = NsightComputeCsv().read(NCU / "roofline_21_columns.csv")
    (machine,) = file.machines

    assert file.measurements
    assert machine.compute_capability == "12.0"
    assert machine.clocks["sm"] == 2.5e9
    assert best(machine.ceilings) == [("fp32", 102.4e12)]  # 40,960 operations a cycle at 2.5 GHz
    assert best(machine.boundaries) == [("dram", 1.28e12)]  # 128 bytes a cycle at 10 GHz
    assert "rounded" in machine.ceilings[0].condition
    assert machine.tool == "Nsight Compute"


@pytest.mark.parametrize(
    "name", sorted(path.name for path in NCU.iterdir() if path.suffix in (".csv", ".txt"))
)
def test_columns_tell_the_same_machine_as_launches_one_by_one(name):
    reader, path = NsightComputeCsv(), NCU / name
    if not reader.recognises(path.read_bytes()[:65536], name):
        pytest.skip("of another reader")
    try:
        file = reader.read(path)
    except MeasurementError:
        pytest.skip("is refused, which other tests look at")

    assert file.machines == read_file(path, columns=False).machines


def wide(tmp_path, launches):
    """Write a raw page with a clock and a peak per launch: device name, clock in Hz, peak per cycle."""
    head = ["ID", "Kernel Name", "Block Size", "Grid Size", "Device", "CC", "device__attribute_display_name"]
    head += [CLOCK, PEAK, "gpu__time_duration.sum"]
    units = ["", "", "", "", "", "", "", "hz", "inst/cycle", "nsecond"]
    rows = [head, units]
    for number, (device, clock, peak) in enumerate(launches):
        rows.append([number, "k(int)", "(1, 1, 1)", "(1, 1, 1)", "0", "8.0", device, clock, peak, "1000"])
    path = tmp_path / "raw.csv"
    path.write_text("\n".join(",".join(f'"{cell}"' for cell in row) for row in rows) + "\n")
    return path


def test_columns_tell_each_device_with_the_median_of_its_clocks(tmp_path):
    launches = [("GPU A", clock, "1000") for clock in ("1000000000", "1200000000", "1100000000")] * 20
    launches += [("GPU B", "2000000000", "")] * 3
    path = wide(tmp_path, launches)

    first, second = NsightComputeCsv().read(path).machines

    assert (first.device, first.clocks["sm"]) == ("GPU A", 1.1e9)
    (fp32,) = first.ceilings
    assert (fp32.best, fp32.low, fp32.high) == pytest.approx((1.1e12, 1.0e12, 1.2e12))
    assert "median clock of 60 launches" in fp32.condition
    assert (second.device, dict(second.clocks), second.ceilings) == ("GPU B", {"sm": 2e9}, ())
    assert (first, second) == read_file(path, columns=False).machines


def test_a_report_tells_its_machine_in_the_same_pass(tmp_path):
    metrics = {"gpu__time_duration.sum": 1000.0, CLOCK: 1.407e9, "dram__cycles_elapsed.avg.per_second": 1.2e9}
    metrics |= {PEAK: 13824.0, "dram__bytes.sum.peak_sustained": 1280.0}
    path = tmp_path / "report.ncu-rep"
    path.write_bytes(report(Kernel(metrics)))

    file = NsightComputeReport().read(path)
    (machine,) = file.machines

    assert len(file.measurements) == 1
    assert (machine.device, machine.compute_capability) == ("Test GPU 80", "8.0")
    assert dict(machine.clocks) == {"sm": 1.407e9, "dram": 1.2e9}
    assert best(machine.ceilings) == [("fp32", 13824 * 1.407e9)]
    assert best(machine.boundaries) == [("dram", 1280 * 1.2e9)]
    assert machine.ceilings[0].condition == f"{PEAK} × clock, one launch"
    assert machine.ceilings[0].origin == "FFMA per cycle"


def test_a_file_without_clocks_and_peaks_tells_of_no_machine(tmp_path):
    path = tmp_path / "report.ncu-rep"
    path.write_bytes(report(Kernel({"gpu__time_duration.sum": 1000.0})))

    assert NsightComputeReport().read(path).machines == ()
    assert NsightComputeCsv().read(NCU / "long_7_columns.csv").machines == ()


def test_ceilings_of_rocprof_are_a_machine_each():
    first, second = RocprofCsv().read(OTHERS / "roofline.csv").machines

    assert (first.device, second.device) == ("device 0", "device 1")
    assert ("bf16-tensor", 160e12) in best(first.ceilings)
    dram = next(one for one in first.boundaries if one.id == "dram")
    assert (dram.best, dram.low, dram.high) == (1.0005e12, 999e9, 1002e9)
    assert RocprofCsv().read(OTHERS / "counters.csv").machines == ()


def test_kernels_of_a_stream_benchmark_are_readings_of_memory():
    (machine,) = BandwidthTests().read(OTHERS / "babelstream.txt").machines

    assert machine.device == "Example GPU"
    assert {(one.id, one.origin) for one in machine.boundaries} >= {("dram", "Copy"), ("dram", "Triad")}
    assert max(one.best for one in machine.boundaries) == 480e9


def test_links_are_readings_too():
    (machine,) = BandwidthTests().read(OTHERS / "nvbandwidth.txt").machines

    assert best(machine.boundaries) == [("nvlink", 201e9)]
