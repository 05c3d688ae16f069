"""CSV of nvprof: means of metrics and events, traces, summaries, against figures worked out by hand."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from plugins_builtin.nvprof import NvprofCsv, rooflinestudio_measurement_readers
from rooflinestudio.core.measurement import MeasurementCancelled, MeasurementError, MeasurementReader, to_json

FIXTURES = Path(__file__).resolve().parent.parent / "data" / "nvprof"
HEADER = '"Device","Kernel","Invocations","Metric Name","Metric Description","Min","Max","Avg"\n'


def fixture(name):
    return NvprofCsv().read(FIXTURES / name)


def read_text(text, folder, name="profile.csv"):
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return NvprofCsv().read(path)


def one_kernel(folder, **metrics):
    rows = "".join(
        f'"Tesla P100 (0)","k(int)",1,"{name}","words",{v},{v},{v}\n' for name, v in metrics.items()
    )
    (kernel,) = read_text(HEADER + rows, folder).measurements
    return kernel


def test_the_plugin_brings_one_reader_that_keeps_the_contract():
    (reader,) = rooflinestudio_measurement_readers()

    assert isinstance(reader, MeasurementReader)
    assert pickle.loads(pickle.dumps(reader)) == reader


def test_metrics_and_events_of_one_kernel_come_together():
    stencil, fill = fixture("metrics_and_events.csv").measurements

    assert (stencil.kernel, stencil.count, stencil.device) == ("stencil(float*, int)", 4, "Tesla K40c")
    assert stencil.work["fp32"] == 402_653_184  # a multiply-add counts 2 in it already
    assert stencil.dram_bytes == 100_663_296  # (2,097,152 + 1,048,576) x 32
    assert stencil.traffic["dram"].read_bytes == 67_108_864
    assert stencil.intensity_dram == 4.0
    assert stencil.l2_bytes == 128_000_000  # 4,000,000 x 32
    # 67,108,864 B at 62.5 x 2^30 B/s; with decimal GB it would be 1.07 ms
    assert stencil.time_s == 0.001
    assert stencil.achieved_flop_per_s == pytest.approx(402.653184e9)
    assert stencil.plotted
    assert fill.dram_bytes == 32_000  # events: (100 + 100 + 400 + 400) sectors of 32 bytes
    assert fill.time_s is None
    assert "flop_count_sp" in fill.reason


def test_figures_say_how_they_came_about_and_how_good_they_are():
    stencil = fixture("metrics_and_events.csv").measurements[0]

    quality = {
        name: stencil.figure(name).quality
        for name in ("time_s", "work_flop", "dram_bytes", "l1_bytes", "shared_bytes")
    }
    assert quality == {
        "time_s": "estimated",
        "work_flop": "exact",
        "dram_bytes": "exact",
        "l1_bytes": "lower",
        "shared_bytes": "upper",
    }
    assert stencil.figure("dram_bytes").recipe == (
        "(dram_read_transactions + dram_write_transactions) × 32; mean of 4 launches"
    )
    assert stencil.l1_bytes == 32_000
    assert stencil.shared_bytes == 5_120  # 40 x 128
    assert stencil.work["fp64"] == 2_000  # 2 x 1,000 multiply-adds; adds and multiplies were not collected
    assert stencil.figure("work.fp64").quality == "lower"


def test_the_file_says_what_it_is():
    file = fixture("metrics_and_events.csv")

    assert file.format == "nvprof-metrics"
    assert any("means over the launches" in warning for warning in file.warnings)
    assert any("will be replayed" in warning for warning in file.warnings)


def test_a_trace_gives_each_launch_with_its_time_and_leaves_copies_out():
    file = fixture("gpu_trace.csv")
    first, second = file.measurements

    assert (first.kernel, first.device) == ("axpy(int, float, float*)", "Tesla V100-SXM2-16GB")
    assert (first.time_s, second.time_s) == (pytest.approx(4.384e-6), pytest.approx(8.768e-6))
    assert (first.grid, first.block) == ((128, 2, 1), (256, 1, 1))
    assert first.figure("time_s").quality in ("exact", "rounded")
    assert not first.plotted
    assert "no FLOP counters collected" in first.reason
    assert any("1 copy or fill" in warning for warning in file.warnings)


def test_counters_of_each_launch():
    first, second = fixture("counters_per_launch.csv").measurements

    assert (first.kernel, first.dram_bytes, first.work) == ("dot(double*)", 64_000, {"fp64": 128_000.0})
    assert second.work == {}  # <OVERFLOW> is no number
    assert second.dram_bytes == 128_000
    assert any("<OVERFLOW>" in warning for warning in fixture("counters_per_launch.csv").warnings)


def test_the_summary_gives_the_mean_time_of_kernels():
    (axpy,) = fixture("summary.csv").measurements

    assert (axpy.kernel, axpy.count) == ("axpy(int, float, float*)", 300)
    assert axpy.time_s == pytest.approx(4e-6)


def test_tables_on_a_terminal_give_what_their_csv_gives():
    fill, stencil = fixture("metrics_on_terminal.txt").measurements

    assert (stencil.kernel, stencil.count, stencil.device) == ("stencil(float*, int)", 4, "Tesla K40c")
    assert (stencil.work, stencil.dram_bytes, stencil.time_s) == ({"fp32": 402_653_184.0}, 100_663_296, 0.001)
    assert fill.kernel == "fill<float, int=4>(float*)"
    assert fill.dram_bytes == 32_000


def test_a_summary_and_a_trace_on_a_terminal():
    axpy, dot = fixture("summary_on_terminal.txt").measurements
    (launch,) = fixture("gpu_trace_on_terminal.txt").measurements

    assert (axpy.kernel, axpy.count, axpy.time_s) == ("axpy(int, float, float*)", 300, pytest.approx(4e-6))
    assert (dot.kernel, dot.time_s) == ("dot(double*)", pytest.approx(4.385e-3))
    assert (launch.kernel, launch.device) == ("axpy(int, float, float*)", "Tesla V100-SXM2-16GB")
    assert (launch.grid, launch.block, launch.time_s) == ((128, 2, 1), (256, 1, 1), pytest.approx(4.384e-6))


def test_a_file_that_breaks_off_keeps_what_is_whole():
    file = fixture("metrics_cut.csv")  # ends inside the mean of flop_count_sp: 4026 of 402653184

    stencil = file.measurements[0]
    assert stencil.dram_bytes == 100_663_296
    assert stencil.work == {}
    assert any("cut off in line 19" in warning for warning in file.warnings)


def test_a_run_that_measured_nothing_is_answered():
    file = fixture("nothing_measured.txt")

    assert file.measurements == ()
    assert "measured no kernel" in file.warnings[0]
    assert any("non-zero code 1" in warning for warning in file.warnings)


@pytest.mark.parametrize(
    ("metrics", "dram"),
    [
        ({"dram_read_bytes": "64", "dram_write_bytes": "32"}, 96),
        ({"dram_read_transactions": "2", "dram_write_transactions": "1"}, 96),
        ({"dram_read_transactions": "2"}, 64),
    ],
)
def test_dram_traffic_by_what_is_there(metrics, dram, tmp_path):
    kernel = one_kernel(tmp_path, **metrics)

    assert kernel.dram_bytes == dram
    assert kernel.figure("dram_bytes").quality == ("exact" if len(metrics) == 2 else "lower")


def test_units_glued_to_numbers_are_binary_and_words_are_no_numbers(tmp_path):
    kernel = one_kernel(
        tmp_path,
        nvlink_total_data_received="1.5KB",
        nvlink_total_data_transmitted="1MB",
        flop_count_sp="Low (3)",
    )

    assert kernel.traffic_bytes("nvlink") == 1536 + 1024 * 1024
    assert kernel.work == {}


def test_a_kernel_without_arithmetic_is_listed_with_w_zero(tmp_path):
    kernel = one_kernel(tmp_path, flop_count_sp="0", dram_read_transactions="9", dram_write_transactions="0")

    assert kernel.work == {"fp32": 0.0}
    assert "W = 0 measured on fp32" in kernel.reason


def test_a_second_run_in_the_same_file_is_another_kernel(tmp_path):
    rows = '"Tesla P100 (0)","k(int)",1,"flop_count_sp","words",{0},{0},{0}\n'
    text = HEADER + rows.format(10) + "==2== NVPROF is profiling process 2\n" + HEADER + rows.format(20)

    assert [m.work_flop for m in read_text(text, tmp_path).measurements] == [10, 20]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_encodings_make_no_difference(encoding, tmp_path):
    text = (FIXTURES / "metrics_and_events.csv").read_text()

    file = read_text(text.replace("\n", "\r\n").encode(encoding), tmp_path)

    assert file.measurements == fixture("metrics_and_events.csv").measurements


@pytest.mark.parametrize("path", sorted(FIXTURES.iterdir()), ids=lambda path: path.name)
def test_every_fixture_is_recognised_by_its_content(path):
    assert NvprofCsv().recognises(path.read_bytes(), "data.bin")
    to_json(NvprofCsv().read(path))


@pytest.mark.parametrize(
    "head", [b"", b"\0\1", b"words", b"Start,End\n", b'"ID","Kernel Name","Device"\n', b"==PROF== x"]
)
def test_other_files_are_left_to_other_readers(head):
    assert not NvprofCsv().recognises(head, "profile.csv")


@pytest.mark.parametrize(
    ("content", "said"), [(b"", "empty"), (b"\x7fELF\0\0", "a program"), (b"words\n", "no table of nvprof")]
)
def test_a_file_of_another_kind_is_named(content, said, tmp_path):
    with pytest.raises(MeasurementError, match=said):
        read_text(content, tmp_path)


def test_reading_can_be_cancelled():
    with pytest.raises(MeasurementCancelled):
        NvprofCsv().read(FIXTURES / "metrics_and_events.csv", lambda share: False)
