"""The figures that the second article prints in its text, its worked example, and the captions of its pictures."""

from __future__ import annotations

import pytest

from rooflinestudio.core.staircase import staircase
from rooflinestudio.core.thresholds import bound_flip, largest_that_fits
from tests.examples.shown import shown

GIB = 2**30
RIDGES = {
    "nvidia-v100-sxm2-16gb": 139, "nvidia-a100-sxm4-80gb": 153, "nvidia-h100-sxm5": 295, "nvidia-h200-sxm": 206,
    "nvidia-b200": 281,
}  # fmt: skip


@pytest.mark.parametrize("machine", sorted(RIDGES.keys() - {"nvidia-h200-sxm"}))
def test_four_generations_and_four_kernels(machine):
    one = shown("intensity-ridges")

    assert one.on("gemm", machine).at("dram").ridge == pytest.approx(RIDGES[machine], abs=0.5)
    assert one["decode-1"].intensity == pytest.approx(1, rel=0.001)
    assert one["decode-56"].intensity == pytest.approx(56, rel=0.002)
    assert one["layernorm"].intensity == pytest.approx(
        2.25, abs=0.005
    )  # 9 FLOP; the article's "about 10" gives 2.5
    assert one["gemm"].intensity > 500
    bounds = {id_: one.on(id_, machine).bound for id_ in ("decode-1", "decode-56", "layernorm", "gemm")}
    assert list(bounds.values()) == ["memory", "memory", "memory", "compute"]


@pytest.mark.parametrize("machine", RIDGES)
def test_first_table_ridges(machine):
    assert shown("intensity-table-1").on("gemm", machine).at("dram").ridge == pytest.approx(
        RIDGES[machine], abs=0.8
    )


def test_first_table_the_h200_has_43_percent_more_bandwidth_and_the_same_compute():
    one = shown("intensity-table-1")
    h100, h200 = (one.on("gemm", id_) for id_ in ("nvidia-h100-sxm5", "nvidia-h200-sxm"))

    assert h200.at("dram").bytes_per_s / h100.at("dram").bytes_per_s == pytest.approx(1.43, abs=0.005)
    assert h200.ceiling_flop_per_s == h100.ceiling_flop_per_s


def test_strip_of_eight_with_one_right_of_the_ridge():
    one = shown("intensity-strip")
    intensities = {entry.id: one[entry.id].intensity for entry in one.study.entries}

    assert len(intensities) == 8
    assert min(intensities.values()) == intensities["add"] == pytest.approx(0.17, abs=0.005)
    assert max(intensities.values()) == intensities["gemm"] == pytest.approx(1365, abs=0.5)
    assert [id_ for id_, one in intensities.items() if one > 295] == ["gemm"]


def test_attention_moves_an_order_of_magnitude_less():
    one = shown("intensity-attention")

    assert one["naive"].traffic_bytes / one["flash"].traffic_bytes == pytest.approx((4096 + 128) / 128)
    assert one["naive"].traffic_bytes / one["flash"].traffic_bytes > 10


def test_three_kernels_made_one_move_seven_thirds_less():
    one = shown("intensity-fusion")

    # 7/3 in passes over the tensor, where the article says three.
    assert one["split"].traffic_bytes / one["fused"].traffic_bytes == pytest.approx(7 / 3, rel=1e-3)
    assert one["split"].work_flop == one["fused"].work_flop == (9 + 12 + 1) * 65536 * 8192


@pytest.mark.parametrize(
    ("entry", "intensity"),
    [
        ("add", 0.17), ("layernorm", 2.25), ("decode-1", 1), ("decode-56", 56), ("draft", 4), ("cache-1", 1),
        ("cache-56", 1), ("cache-gqa", 4), ("gemm", 1365),
    ],
)  # fmt: skip
def test_second_table_intensities(entry, intensity):
    assert shown("intensity-table-2")[entry].intensity == pytest.approx(intensity, rel=0.02)


def test_step_1_weights():
    one = shown("intensity-step-1")

    assert one["step"].traffic_bytes == pytest.approx(16.1e9, rel=0.003)
    assert one["step"].memory_s == pytest.approx(4.79e-3, rel=0.001)
    assert one.details("step")["parameters"] == pytest.approx(8.03e9, rel=1e-3)


def test_step_2_arithmetic():
    placed = shown("intensity-step-2")["matrix"]

    assert placed.work_flop == pytest.approx(16.1e9, rel=0.003)
    assert placed.compute_s == pytest.approx(0.0163e-3, rel=0.005)
    assert placed.memory_s / placed.compute_s == pytest.approx(294, rel=0.006)
    assert 100 * placed.fraction_of_peak == pytest.approx(0.34, abs=0.005)
    assert 1 / placed.time_s == pytest.approx(209, abs=0.5)
    assert placed.attainable_flop_per_s == pytest.approx(3.4e12, rel=0.02)
    # The step itself: the input embedding is read and not multiplied.
    assert shown("intensity-step-2")["step"].work_flop == pytest.approx(placed.work_flop, rel=0.07)


def test_step_3_the_cache():
    details = shown("intensity-step-3").details("with")

    assert details["kv_bytes_per_token"] == 128 * 1024
    assert details["kv_bytes"] == pytest.approx(1.07e9, rel=0.005)
    assert shown("intensity-step-3")["with"].traffic_bytes == pytest.approx(17.2e9, rel=0.005)
    assert details["tokens_per_s"] == pytest.approx(195, abs=1)


def test_step_4_batch():
    one = shown("intensity-step-4")

    assert one["matrix-56"].intensity == pytest.approx(56, rel=0.002)
    assert one["matrix-56"].fraction_of_peak == pytest.approx(0.19, abs=0.001)
    assert one["step-56"].traffic_bytes == one["step-1"].traffic_bytes
    assert one.details("step-56")["tokens_per_s"] == pytest.approx(11_690, rel=0.005)
    assert one.details("step-56")["tokens_per_s"] / one.details("step-1")["tokens_per_s"] == pytest.approx(
        56, rel=0.01
    )


def test_step_5_memory_runs_out():
    one = shown("intensity-step-5")
    capacity = one.row("step").profile.boundary("dram").capacity.value

    assert capacity / GIB == pytest.approx(74.5, abs=0.05)
    assert one.details("step")["weight_bytes"] / GIB == pytest.approx(15.0, abs=0.05)
    assert one.details("step")["max_batch"] == 59
    assert largest_that_fits(one.subject("step"), "batch").below == 59
    assert one["step"].parameters["batch"] == 56 and one.details("step")["fits"]
    assert 295 * 1000 * one.details("step")["kv_bytes_per_token"] / GIB == pytest.approx(36, abs=0.1)


def test_step_6_what_dominates():
    one = shown("intensity-step-6")
    details = one.details("step")

    assert details["kv_bytes"] == pytest.approx(60.1e9, rel=0.001) and details["kv_bytes"] == 56 * GIB
    assert one["step"].traffic_bytes == pytest.approx(76.2e9, rel=0.001)
    assert one["step"].time_s == pytest.approx(22.7e-3, rel=0.005)
    assert details["tokens_per_s"] == pytest.approx(2470, rel=0.005)
    assert details["kv_bytes"] / one["step"].traffic_bytes == pytest.approx(0.79, abs=0.005)
    assert details["kv_bytes"] / details["weight_bytes"] == pytest.approx(4, abs=0.3)


def test_traffic_at_two_contexts():
    one = shown("intensity-traffic")

    for entry, kv in (("short", 14), ("long", 56)):
        assert one.details(entry)["weight_bytes"] / GIB == pytest.approx(15, abs=0.05)
        assert one.details(entry)["kv_bytes"] / GIB == kv


def test_throughput_ends_at_59_before_the_ridge():
    one = shown("intensity-throughput")

    assert largest_that_fits(one.subject("with"), "batch").below == 59
    assert bound_flip(one.subject("without"), "batch").at == 296  # above B* = 295.3
    alone = 128 / one.swept("without", 128).time_s[0]
    cached = 128 / one.swept("with", 128).time_s[0]
    assert alone == pytest.approx(128 * 209, rel=0.01)
    assert cached < alone / 9
    assert (one.study.panels["sweep"]["low"], one.study.panels["sweep"]["high"]) == (1, 128)


def test_staircase_of_tiles_and_waves():
    one = shown("intensity-staircase")

    assert one["n257"].time_s == one["n384"].time_s
    assert one["n256"].compute_s / one["n257"].compute_s == pytest.approx(2 / 3)
    before, riser, after = one.swept("n256", 384, 385, 400).time_s
    assert riser == pytest.approx(after, rel=1e-9) and riser > 1.3 * before
    launch_s = 3e-6
    assert (one["wave-2"].time_s - launch_s) / (one["wave-1"].time_s - launch_s) == pytest.approx(2, rel=1e-3)
    assert one["wave-2"].work_flop / one["wave-1"].work_flop == pytest.approx(1.008, abs=0.0005)
    panel = one.study.panels["sweep"]
    assert (panel["low"], panel["high"]) == (240, 400)
    ends = [
        stair.first for stair in staircase(one.subject("n256"), "n", low=panel["low"], high=panel["high"])
    ]
    assert {257, 385} <= set(ends)


def test_prefill_and_decode_on_both_sides_of_the_ridge():
    one = shown("intensity-phases")

    assert one["prompt"].intensity == pytest.approx(2000, rel=0.03)
    assert one["answers"].intensity == pytest.approx(56, rel=0.002)
    assert [one[id_].bound for id_ in ("prompt", "prefill", "answers", "decode")] == [
        "compute", "compute", "memory", "memory",
    ]  # fmt: skip


def test_experts_undo_the_batch():
    one = shown("intensity-experts")
    touched = 256 * (1 - (1 - 8 / 256) ** 64)

    assert 200 < touched < 256
    # 64·8 visits spread over the touched experts: that many FLOP per byte of weights, less the activations.
    assert one["experts"].intensity == pytest.approx(64 * 8 / touched, rel=0.02)
    assert one["dense"].intensity == pytest.approx(64, rel=0.03)
