"""Which counters a file has: told by every reader of a tool that counts."""

from __future__ import annotations

import pytest

from plugins_builtin._nvprof import rows
from plugins_builtin.advisor import AdvisorCsv
from plugins_builtin.likwid import LikwidTables
from plugins_builtin.nsight_compute_report import NsightComputeReport
from plugins_builtin.nvprof import NvprofCsv
from plugins_builtin.pytorch_trace import PytorchTrace
from plugins_builtin.rocprof import RocprofCsv
from rooflinestudio.core.measurement_table import Overlay
from tests.builtin.nsight_reports import DRAM as REPORTED_DRAM
from tests.builtin.nsight_reports import TIME as REPORTED_TIME
from tests.builtin.nsight_reports import Kernel, report
from tests.builtin.nsight_tables import DRAM, LONG, TIME, csv_text, long_rows, read_text
from tests.builtin.other_tools import written

METRICS = '"Device","Kernel","Invocations","Metric Name","Metric Description","Min","Max","Avg"\n'
NVPROF = "==1== NVPROF is profiling process 1, command: ./a\n==1== Metric result:\n"


def test_a_long_table_names_its_metrics_once_each(tmp_path):
    metrics = [TIME, DRAM, ("x__odd.sum", "", "1")]
    text = csv_text([LONG, *long_rows(metrics), *long_rows(metrics, launch=1)])
    file = read_text(text, tmp_path)
    assert file.counters == ("gpu__time_duration.sum", "dram__bytes.sum", "x__odd.sum")
    assert Overlay.from_file(file).counters == file.counters


def test_a_raw_page_names_all_its_columns(tmp_path):
    text = '"ID","Kernel Name","dram__bytes.sum","x__odd.sum"\n"","","byte",""\n"0","k","1","2"\n'
    assert read_text(text, tmp_path).counters == ("dram__bytes.sum", "x__odd.sum")


def test_rows_of_a_section_are_named_by_their_metric(tmp_path):
    row = (0, 1, "app", "127.0.0.1", "k", 1, 7, "(1, 1, 1)", "(1, 1, 1)", 0, "8.0")
    section = (*row, "GPU Speed Of Light Throughput", "Duration", "ns", "1,000")
    assert read_text(csv_text([LONG, section]), tmp_path).counters == ("gpu__time_duration.sum",)


def test_a_binary_report_names_its_metrics(tmp_path):
    path = tmp_path / "a.ncu-rep"
    path.write_bytes(report(Kernel(REPORTED_TIME), Kernel(REPORTED_DRAM)))
    assert {*REPORTED_TIME, *REPORTED_DRAM} <= set(NsightComputeReport().read(path).counters)


@pytest.mark.parametrize(
    ("reader", "text", "counters"),
    [
        (NvprofCsv(), f"{NVPROF}{METRICS}G,k,1,flop_count_sp,d,1,1,1\nG,k,1,ipc,d,1,1,1\n", ("flop_count_sp", "ipc")),
        (
            RocprofCsv(), "Kernel_Name,GPU_ID,SQ_WAVES,TCC_EA_RDREQ_sum,TCC_HIT[0],TCC_HIT[1]\nk,0,1,2,3,4\n",
            ("SQ_WAVES", "TCC_EA_RDREQ", "TCC_HIT"),
        ),
        (
            LikwidTables(), "TABLE,Group 1 Metric,MEM_DP,2\nMetric,HWThread 0\nRuntime (RDTSC) [s],1\nCPI,2\n",
            ("Runtime (RDTSC) [s]", "CPI"),
        ),
        (AdvisorCsv(), "function_call_sites_and_loops,self_gflop,self_elapsed_time\nf,1,2\n",
         ("self_gflop", "self_elapsed_time")),
        (PytorchTrace(), '{"traceEvents": [{"cat": "kernel", "name": "k", "dur": 1}]}', ()),
    ],
    ids=["nvprof", "rocprof", "likwid", "advisor", "pytorch"],
)  # fmt: skip
def test_files_of_other_tools_name_theirs(reader, text, counters, tmp_path):
    file = reader.read(written(tmp_path, text))
    assert len(file.measurements) == 1
    assert file.counters == counters


def test_kernels_of_nvprof_that_wait_for_counters_are_not_without_number(tmp_path, monkeypatch):
    monkeypatch.setattr(rows, "_MOST_OPEN", 2)
    # a is given on for c, so that its last counter is of a kernel of its own.
    names = ("a", "b", "b", "c", "a")
    metrics = ("flop_count_sp", "flop_count_sp", "flop_count_dp", "flop_count_sp", "flop_count_dp")
    text = "".join(f"G,{name},1,{metric},d,1,1,8\n" for name, metric in zip(names, metrics, strict=True))
    file = NvprofCsv().read(written(tmp_path, NVPROF + METRICS + text))
    assert [(one.launch, one.kernel, dict(one.work)) for one in file.measurements] == [
        (0, "a", {"fp32": 8.0}), (1, "b", {"fp32": 8.0, "fp64": 8.0}), (2, "c", {"fp32": 8.0}), (3, "a", {"fp64": 8.0}),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("metric", "printed", "name", "value", "quality"),
    [
        ("achieved_occupancy", "0.873456", "occupancy_share", 0.873456, "exact"),
        ("stall_memory_dependency", "62.50%", "memory_stall_share", 0.625, "rounded"),
        ("gld_efficiency", "100%", "sector_use_share", 1.0, "exact"),
        ("dram_utilization", "Low (3)", "dram_busy_share", 0.3, "estimated"),
        ("tensor_precision_fu_utilization", "Idle (0)", "tensor_active_share", 0.0, "estimated"),
    ],
)
def test_shares_of_nvprof_are_read_for_the_diagnosis(metric, printed, name, value, quality, tmp_path):
    text = f'G,k,1,{metric},d,"{printed}","{printed}","{printed}"\n'
    (kernel,) = NvprofCsv().read(written(tmp_path, NVPROF + METRICS + text)).measurements
    figure = kernel.figure(name)
    assert (figure.value, figure.quality) == (pytest.approx(value), quality)
    assert metric in figure.recipe


@pytest.mark.parametrize("printed", ["much", "-3%", "1e400%", "Low ()", "99999%", "%", "Low (333)"])
def test_other_words_are_no_shares(printed, tmp_path):
    text = f"G,k,1,dram_utilization,d,{printed},{printed},{printed}\n"
    file = NvprofCsv().read(written(tmp_path, NVPROF + METRICS + text))
    assert not file.measurements[0].figures
    assert any("no number in a known unit" in warning for warning in file.warnings)
