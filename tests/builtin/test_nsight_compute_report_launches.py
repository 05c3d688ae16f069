"""The launches of binary reports: names, failed ones, devices, and the ceilings that come with them."""

from __future__ import annotations

import pickle

import pytest

from plugins_builtin.nsight_compute_report import NsightComputeReport
from tests.builtin.nsight_reports import (
    DEVICE,
    DRAM,
    TIME,
    Kernel,
    block,
    device_session,
    head,
    read_bytes,
    report,
    vector,
)

NAN = float("nan")
PEAK = "device__attribute_global_memory_bus_width"


# ----------------------------------------------------------------------------------------------- launches


def test_the_demangled_name_is_taken_then_the_function_then_the_mangled_one(tmp_path):
    kernels = [
        Kernel(TIME),
        Kernel(TIME, demangled=""),
        Kernel(TIME, demangled="", function=""),
        Kernel(TIME, demangled="", function="", mangled=""),
    ]

    file = read_bytes(report(*kernels), tmp_path)

    names = [launch.kernel for launch in file.measurements]
    assert names == ["kernel(float *)", "kernel", "_Z6kernelPf", "(kernel without a name)"]
    assert [launch.launch for launch in file.measurements] == [0, 1, 2, 3]


def test_names_of_metrics_are_numbered_through_all_blocks(tmp_path):
    first = Kernel(TIME)
    second = Kernel({**TIME, "dram__bytes.sum": 4e6})
    third = Kernel({"dram__bytes.sum": 5e6, "lts__t_bytes.sum": 7e6, **TIME})

    file = read_bytes(report(first, second, third), tmp_path)

    assert [launch.dram_bytes for launch in file.measurements] == [None, 4e6, 5e6]
    assert file.measurements[2].traffic_bytes("l2") == 7e6
    assert [launch.time_s for launch in file.measurements] == [0.001] * 3
    assert not file.warnings


def test_a_launch_that_failed_is_kept_with_the_reason(tmp_path):
    failed = Kernel(
        {
            "gpu__time_duration.sum": NAN,
            "dram__bytes.sum": NAN,
            PEAK: 384,
            "dram__bytes.sum.peak_sustained": 96.0,
        },
        grid=(0, 0, 0),
        block=(0, 0, 0),
    )

    file = read_bytes(report(Kernel({**TIME, **DRAM}), failed), tmp_path)

    good, bad = file.measurements
    assert good.dram_bytes == 4e6
    assert (bad.grid, bad.block, bad.time_s, bad.figures) == (None, None, None, {})
    assert "the launch failed or was interrupted" in (bad.reason or "")
    assert not bad.plotted


def test_what_stands_in_source_blocks_is_of_no_matter(tmp_path):
    names = ["gpu__time_duration.sum"]
    result = Kernel(TIME, device={}).message({"gpu__time_duration.sum": 0})
    content = head() + block(sources=[b"\xff" * 40, b""], results=[result], names=names)

    (launch,) = read_bytes(content, tmp_path).measurements

    assert launch.time_s == 0.001


def test_the_session_says_the_device_where_the_launches_do_not(tmp_path):
    result = Kernel(TIME, device={}).message({"gpu__time_duration.sum": 0})
    alone = head() + block(results=[result], names=["gpu__time_duration.sum"])
    described = alone + block(session=device_session("Test GPU 80", DEVICE))
    ambiguous = described + block(session=device_session("Test GPU 90", DEVICE, index=1))

    found = [read_bytes(content, tmp_path).measurements[0] for content in (alone, described, ambiguous)]

    assert [launch.device for launch in found] == [None, "Test GPU 80", None]
    assert [launch.compute_capability for launch in found] == [None, "8.0", None]


def test_results_over_several_kernels_are_left_out_and_said_so(tmp_path):
    content = report(Kernel(TIME)) + block(ranges=[b"\x08\x01", b"\x08\x02"])

    file = read_bytes(content, tmp_path)

    assert len(file.measurements) == 1
    assert [text for text in file.warnings if "2 results of range replay" in text]


def test_a_report_without_a_launch_says_why(tmp_path):
    file = read_bytes(report(), tmp_path)

    assert not file.measurements
    assert "holds no launch" in file.warnings[0]


def test_another_version_of_the_format_is_read_with_a_word(tmp_path):
    content = report(Kernel(TIME)).replace(head(7), head(9))

    file = read_bytes(content, tmp_path)

    assert len(file.measurements) == 1
    assert [text for text in file.warnings if "version 9" in text]


def test_users_hosts_and_paths_are_not_taken_along(tmp_path):
    content = report(Kernel({**TIME, **DRAM, **vector("f", 1, 2, 3)}))
    assert b"secret" in content

    file = read_bytes(content, tmp_path)

    assert b"secret" not in pickle.dumps(file)
    assert "secret" not in repr(file.machines)


# ----------------------------------------------------------------------------------------- as profiled


def test_the_ceilings_of_the_run_are_at_hand(tmp_path):
    metrics = {
        **TIME,
        "sm__cycles_elapsed.avg.per_second": 766e6,
        "dram__cycles_elapsed.avg.per_second": 1.2e9,
        "lts__cycles_elapsed.avg.per_second": 1e9,
        "sm__sass_thread_inst_executed_op_ffma_pred_on.sum.peak_sustained": 6912.0,
        "derived__sm__sass_thread_inst_executed_op_dfma_pred_on_x2": 6912.0,
        "dram__bytes.sum.peak_sustained": 1280.0,
        "lts__lts2xbar_cycles_active.sum.peak_sustained": 80.0,
    }
    faster = {**metrics, "sm__cycles_elapsed.avg.per_second": 770e6}
    path = tmp_path / "report.ncu-rep"
    path.write_bytes(
        report(Kernel(metrics), Kernel(metrics), Kernel(faster), Kernel({"dram__bytes.sum": NAN}))
    )

    (found,) = NsightComputeReport().read(path).machines

    assert (found.device, found.compute_capability) == ("Test GPU 80", "8.0")
    assert dict(found.clocks) == {"sm": 766e6, "dram": 1.2e9}
    assert {one.id: one.best for one in found.ceilings} == {"fp32": 2 * 6912 * 766e6, "fp64": 6912 * 766e6}
    assert {one.id: one.best for one in found.boundaries} == {"dram": 1280 * 1.2e9, "l2": 80 * 32 * 1e9}
    fp32 = found.ceilings[0]
    assert (fp32.low, fp32.high) == pytest.approx((2 * 6912 * 766e6, 2 * 6912 * 770e6))
    assert "median clock of 3 launches" in fp32.condition
    assert found.boundaries[0].condition.startswith("dram__bytes × clock")


def test_each_device_of_a_report_has_its_own_ceilings(tmp_path):
    other = {**DEVICE, "device__attribute_display_name": "Test GPU 90"}
    clock = "sm__cycles_elapsed.avg.per_second"
    path = tmp_path / "report.ncu-rep"
    path.write_bytes(report(Kernel({clock: 1e9}), Kernel({clock: 2e9}, device=other)))

    found = NsightComputeReport().read(path).machines

    assert [(one.device, one.clocks["sm"]) for one in found] == [("Test GPU 80", 1e9), ("Test GPU 90", 2e9)]
    assert all(not one.ceilings and not one.boundaries for one in found)
