"""Head and loss: one product that is bound by compute, one pass that is bound by memory, and both as one kernel."""

from __future__ import annotations

import numpy as np
import pytest

from rooflinestudio.core.placement import Settings
from rooflinestudio.core.traffic import compulsory_bytes, crossing_bytes, tiled_bytes
from tests.builtin.evaluating import OPERATORS, estimate_of, formulas_of, placed, value_of

T, D, V = 8192, 4096, 100_000
SHAPE = {"tokens": T, "width": D, "vocabulary": V}


def test_the_head_is_a_product_far_beyond_the_ridge():
    result = placed("lm_head", **SHAPE)

    assert result.work_flop == 2 * T * D * V
    assert result.traffic_bytes == 2 * (T * D + D * V + T * V)
    assert result.intensity == pytest.approx(2658.08, rel=1e-5)
    assert (result.bound, result.binding) == ("compute", "bf16-tensor")
    assert [one.name for one in result.estimate.tensors] == ["hidden", "head", "logits"]


def test_the_head_is_blocked_like_any_product():
    head = estimate_of("lm_head", tokens=300, width=64, vocabulary=1000, tile_m=128, tile_n=256)
    same = estimate_of("gemm", m=300, n=1000, k=64, tile_m=128, tile_n=256)

    assert tiled_bytes(head) == tiled_bytes(same) == (2 * (300 * 64 * 4 + 64 * 1000 * 3), 2 * 300 * 1000)
    assert dict(head.blocked) == dict(same.blocked)
    assert dict(head.padded_work) == dict(same.padded_work)


def test_cross_entropy_moves_five_times_as_much_as_the_product_before_it():
    result = placed("cross_entropy", tokens=T, vocabulary=V)

    assert result.work_flop == 6 * T * V
    assert (result.at("dram").read_bytes, result.at("dram").write_bytes) == (12 * T * V, 4 * T * V)
    assert result.intensity == 6 / 16
    assert result.bound == "memory"
    assert result.traffic_bytes / placed("lm_head", **SHAPE).traffic_bytes == pytest.approx(5.19, abs=0.01)
    assert result.estimate.work["special"] == 4 * T * V


@pytest.mark.parametrize("dtype", [None, "bf16", "fp8", "fp64"])
def test_logits_stay_in_fp32_whatever_the_shorthand(dtype):
    assert (
        sum(compulsory_bytes(estimate_of("cross_entropy", tokens=10, vocabulary=100, dtype=dtype))) == 16_000
    )


def test_logits_and_their_gradient_can_be_set_by_name():
    estimate = estimate_of("cross_entropy", tokens=10, vocabulary=100, dtype="logits=bf16,gradient=fp8")

    assert compulsory_bytes(estimate) == (3 * 2 * 1000, 1000)


def test_as_one_kernel_no_logit_crosses():
    fused = placed("fused_linear_cross_entropy", **SHAPE, chunk=1024)

    assert fused.work_flop == 2 * T * D * V + 6 * T * V
    assert fused.traffic_bytes == 2 * (T * D + D * V) + 4 * T  # and a loss in fp32 for every token
    assert fused.estimate.work == {"bf16-tensor": 2 * T * D * V, "fp32": 6 * T * V, "special": 4 * T * V}
    assert fused.bound == "compute"


@pytest.mark.parametrize(("chunk", "reads"), [(1024, 8), (1000, 9), (8192, 1), (100_000, 1), (1, 8192)])
def test_blocked_it_reads_the_head_once_for_every_chunk(chunk, reads):
    estimate = estimate_of("fused_linear_cross_entropy", **SHAPE, chunk=chunk)

    assert tiled_bytes(estimate) == (2 * (T * D + reads * D * V), 4 * T)


def test_on_chip_it_is_blocked_like_the_product_without_its_output():
    fused = estimate_of("fused_linear_cross_entropy", **SHAPE)
    head = estimate_of("lm_head", **SHAPE)

    for boundary in ("l2", "shared"):
        read, written = crossing_bytes(fused, boundary)
        assert read == crossing_bytes(head, boundary)[0]
        assert written == 4 * T


@pytest.mark.parametrize(("chunk", "held"), [(1024, 409_600_000), (8192, 4 * 8192 * V), (9999, 4 * 8192 * V)])
def test_the_logits_that_exist_at_once_are_those_of_a_chunk(chunk, held):
    result = placed("fused_linear_cross_entropy", **SHAPE, chunk=chunk)

    assert OPERATORS["fused_linear_cross_entropy"].details(result) == {"logits_bytes": held}
    assert result.estimate.footprint_bytes == result.traffic_bytes + held


def test_apart_the_logits_take_most_of_the_room():
    apart = placed("cross_entropy", tokens=T, vocabulary=V).estimate.footprint_bytes

    assert apart == 2 * 4 * T * V


@pytest.mark.parametrize("id_", ["lm_head", "cross_entropy", "fused_linear_cross_entropy"])
def test_a_billion_tokens_and_a_large_vocabulary_stay_finite(id_):
    for settings in (Settings(), Settings(policy="tiled", forecast=True), Settings(boundary="all")):
        result = placed(id_, tokens=1e9, vocabulary=262_144, settings=settings)

        assert np.isfinite(
            [result.time_s, result.traffic_bytes, result.work_flop, result.fraction_of_peak]
        ).all()
        assert 0 < result.fraction_of_peak <= 1


@pytest.mark.parametrize("id_", ["lm_head", "cross_entropy", "fused_linear_cross_entropy"])
def test_the_formulas_give_the_figures(id_):
    estimate = estimate_of(id_, tokens=1000, vocabulary=512, dtype="bf16")
    formulas = formulas_of(estimate)

    work = sum(flop for pipe, flop in estimate.work.items() if pipe != "special")
    assert value_of(formulas["work"]) == work
    assert value_of(formulas["compulsory"]) == sum(compulsory_bytes(estimate))
    if "tiled" in formulas:
        assert value_of(formulas["tiled"]) == sum(tiled_bytes(estimate))
    if "special" in formulas:
        assert value_of(formulas["special"]) == estimate.work["special"]
    assert not any(" m·" in one.symbols or "·n" in one.symbols for one in formulas.values())


def test_formats_of_the_heads_tensors_can_be_named():
    estimate = estimate_of("lm_head", tokens=10, width=20, vocabulary=30, dtype="bf16,head=int4,logits=fp32")

    assert compulsory_bytes(estimate) == (2 * 200 + 4.15625 / 8 * 600, 4 * 300)
    assert estimate.main_pipe == "bf16-tensor"
