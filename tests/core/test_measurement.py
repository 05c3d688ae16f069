"""Measured launches: what follows from counted figures, and the JSON of ``import``."""

from __future__ import annotations

import dataclasses
import json
import math
import pickle

import pytest

from rooflinestudio.core.measurement import (
    MeasuredFigure,
    MeasuredTraffic,
    Measurement,
    MeasurementError,
    MeasurementFile,
    combined_quality,
    to_json,
)
from rooflinestudio.core.measurement_names import normalised_kernel_name, short_kernel_name


def launch(**fields) -> Measurement:
    """Two pipes, 2 ms, 8 MB at dram and 32 MB at l2."""
    known = {
        "launch": 0,
        "kernel": "void gemm<(int)128>(float *)",
        "time_s": 2e-3,
        "work": {"fp32": 4e9, "bf16-tensor": 16e9},
        "traffic": {"dram": MeasuredTraffic(6e6, 2e6, 8e6), "l2": MeasuredTraffic(None, None, 32e6)},
        "figures": {
            "time_s": MeasuredFigure(2e-3, "duration", "exact"),
            "work.fp32": MeasuredFigure(4e9, "ffma", "lower"),
            "work.bf16-tensor": MeasuredFigure(16e9, "ops", "exact"),
            "dram_bytes": MeasuredFigure(8e6, "read + write", "rounded"),
            "l2_bytes": MeasuredFigure(32e6, "sectors x 32", "upper"),
        },
    }
    return Measurement(**{**known, **fields})


def test_work_and_rate_are_those_of_the_pipe_with_the_largest_work():
    one = launch()

    assert one.pipe == "bf16-tensor"
    assert one.work_flop == 16e9
    assert one.achieved_flop_per_s == 8e12  # 16e9 / 2e-3
    assert one.intensity_dram == 2000  # 16e9 / 8e6
    assert one.intensity("l2") == 500
    assert one.intensity("dram", "fp32") == 500
    assert one.achieved("fp32") == 2e12


def test_with_a_profile_the_main_pipe_is_the_one_that_is_nearest_to_its_ceiling():
    one = launch()

    assert one.main_pipe({"fp32": 60e12, "bf16-tensor": 1000e12}) == "fp32"  # 4/60 > 16/1000
    assert one.main_pipe({"fp32": 60e12, "bf16-tensor": 120e12}) == "bf16-tensor"
    assert one.main_pipe({"fp64": 30e12}) == "bf16-tensor"  # it knows neither


def test_rates_alone_make_a_point():
    one = launch(
        time_s=None,
        work={},
        traffic={},
        figures={},
        work_rates={"fp32": 3e12},
        traffic_rates={"dram": 1.5e12},
    )

    assert (one.work_flop, one.dram_bytes) == (None, None)
    assert one.achieved_flop_per_s == 3e12
    assert one.intensity_dram == 2
    assert one.plotted_at == ("dram",)


def test_amounts_without_a_time_have_an_intensity_and_no_place():
    one = launch(time_s=None)

    assert one.intensity_dram == 2000
    assert one.achieved_flop_per_s is None
    assert not one.plotted


@pytest.mark.parametrize(
    ("work", "traffic", "intensity", "plotted"),
    [(16e9, 8e6, 2000, True), (0.0, 8e6, 0.0, False), (16e9, 0.0, math.inf, False), (0.0, 0.0, None, False)],
)
def test_zero_traffic_is_infinite_zero_work_zero_and_both_nothing(work, traffic, intensity, plotted):
    one = launch(work={"fp32": work}, traffic={"dram": MeasuredTraffic(None, None, traffic)})

    assert one.intensity_dram == intensity
    assert one.plotted is plotted


def test_no_traffic_at_dram_leaves_the_place_at_l2():
    one = launch(traffic={"dram": MeasuredTraffic(0, 0, 0), "l2": MeasuredTraffic(None, None, 1e6)})

    assert one.plotted_at == ("l2",)
    assert one.plotted


@pytest.mark.parametrize(
    "fields",
    [
        {"time_s": 0.0}, {"time_s": -1.0}, {"time_s": math.nan}, {"work": {"fp32": math.inf}}, {"clock_hz": 0.0},
        {"work": {"fp32": -1.0}}, {"traffic": {"dram": MeasuredTraffic(None, None, -5.0)}}, {"launch": -1},
        {"count": 0}, {"work_rates": {"fp32": math.nan}}, {"figures": {"x": MeasuredFigure(math.inf, "", "exact")}},
    ],
)  # fmt: skip
def test_impossible_figures_are_refused_where_they_are_made(fields):
    with pytest.raises(MeasurementError):
        launch(**fields)


def test_a_measurement_is_frozen_and_can_be_pickled():
    one = launch()

    with pytest.raises(dataclasses.FrozenInstanceError):
        one.time_s = 1.0  # type: ignore[misc]
    assert pickle.loads(pickle.dumps(one)) == one


# ------------------------------------------------------------------------------------------------ quality


@pytest.mark.parametrize(
    ("first", "second", "together"),
    [
        ("exact", "exact", "exact"), ("exact", "rounded", "rounded"), ("rounded", "lower", "lower"),
        ("upper", "exact", "upper"), ("lower", "upper", "estimated"), ("lower", "lower", "lower"),
        ("estimated", "exact", "estimated"),
    ],
)  # fmt: skip
def test_quality_of_a_product_is_the_weaker_one(first, second, together):
    assert combined_quality(first, second) == together
    assert combined_quality(second, first) == together


def test_a_bound_in_the_divisor_turns_round():
    one = launch()

    assert one.figure("intensity_l2").quality == "lower"  # exact work over an upper bound of the traffic
    assert one.figure("intensity_dram").quality == "rounded"
    assert one.figure("achieved_flop_per_s").quality == "exact"
    assert one.figure("work_flop").recipe == "ops"
    assert one.figure("l2_bytes_per_s").value == 16e9  # 32e6 / 2e-3
    assert one.figure("l2_bytes_per_s").quality == "upper"
    assert one.figure("intensity_l1") is None


# --------------------------------------------------------------------------------------------------- JSON


def test_import_json_has_the_agreed_keys_and_null_for_what_is_absent():
    file = MeasurementFile(
        "a.csv", "ncu-csv-long", ("careful",), (launch(), launch(launch=1, work={})), "0" * 64
    )
    document = json.loads(json.dumps(to_json(file), allow_nan=False))

    assert set(document) == {"path", "format", "warnings", "machines", "launches"}
    first, second = document["launches"]
    assert set(first) == set(second) == {
        "launch", "kernel", "time_s", "pipe", "work_flop", "work", "dram_bytes", "l2_bytes", "l1_bytes",
        "shared_bytes", "dram_bytes_per_s", "l2_bytes_per_s", "l1_bytes_per_s", "shared_bytes_per_s", "intensity_dram",
        "achieved_flop_per_s", "device", "compute_capability", "plotted", "reason", "recipes", "quality",
    }  # fmt: skip
    assert first["work"] == {"fp32": 4e9, "bf16-tensor": 16e9}
    assert first["work_flop"] == 16e9
    assert first["l1_bytes"] is first["l1_bytes_per_s"] is None
    assert (first["dram_bytes_per_s"], first["l2_bytes_per_s"]) == (4e9, 16e9)  # 8 and 32 MB in 2 ms
    assert first["recipes"]["dram_bytes_per_s"] == "dram_bytes / time_s"
    assert first["quality"]["l2_bytes_per_s"] == "upper"
    assert first["recipes"]["dram_bytes"] == "read + write"
    assert first["quality"]["intensity_dram"] == "rounded"
    assert "l1_bytes" not in first["recipes"]
    assert second["work_flop"] is second["intensity_dram"] is second["pipe"] is None


def test_an_infinite_intensity_is_null_in_json():
    file = MeasurementFile("a.csv", "x", (), (launch(traffic={"dram": MeasuredTraffic(0, 0, 0)}),), "0" * 64)

    assert to_json(file)["launches"][0]["intensity_dram"] is None


# -------------------------------------------------------------------------------------------------- names


@pytest.mark.parametrize(
    ("kernel", "short", "key"),
    [
        ("ampere_sgemm_128x64_nn", "ampere_sgemm_128x64_nn", "ampere_sgemm_128x64_nn"),
        ("void f<(int)128, true>(int)", "f", "f<128,true>"),
        ("void f<128, true>(int)", "f", "f<128,true>"),
        ("unnamed>::saxpy(float, const float *)", "saxpy", "saxpy"),
        ("void (anonymous namespace)::softmax<128>(float*)", "softmax", "softmax<128>"),
        ("void at::native::<unnamed>::add<float>(T1 *)", "add", "at::native::add<float>"),
        ("at::[lambda(int) (instance 1)]::operator ()(int) const", "operator()",
         "at::[lambda(int) (instance 1)]::operator()"),
        ("enable_if<!T7, void>::type gemv<int, 0>(T13)", "gemv", "gemv<int,0>"),
        ("void cutlass::Kernel2<cutlass_80_tensorop_s16816_256x128>(T1::Params)",
         "cutlass_80_tensorop_s16816_256x128", "cutlass::Kernel2<cutlass_80_tensorop_s16816_256x128>"),
        ("void cutlass::device_kernel<cutlass::gemm::kernel::GemmUniversal<Shape<int>>>(Params)",
         "GemmUniversal", "cutlass::device_kernel<cutlass::gemm::kernel::GemmUniversal<Shape<int>>>"),
        ("void Kernel2<T1>(T1::Params)", "Kernel2", "Kernel2<T1>"),
        ("void Kernel<int>(int *)", "Kernel", "Kernel<int>"),
        ("void Kernel<128>(int *)", "Kernel", "Kernel<128>"),
        ("void fused<cutlass_80_tensorop>(int *)", "fused", "fused<cutlass_80_tensorop>"),
        ("_ZN7cutlass6KernelI4GemmEEvNT_6ParamsE", "Kernel", "Kernel"),
        ("_Z9vectorAddPKfS0_Pfi", "vectorAdd", "vectorAdd"),
        ("_Z", "_Z", "_Z"),
        ("_Z99x", "_Z99x", "_Z99x"),
        ("", "", ""),
        ("<", "<", "<"),
    ],
)  # fmt: skip
def test_kernel_names_are_shortened_and_brought_to_one_form(kernel, short, key):
    assert short_kernel_name(kernel) == short
    assert normalised_kernel_name(kernel) == key


def test_the_short_name_is_made_where_the_reader_gives_none():
    assert launch().kernel_short == "gemm"
    assert launch(kernel_short="my name").kernel_short == "my name"
    assert launch().kernel_key == "gemm<128>"
