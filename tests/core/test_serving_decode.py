"""A decode step as the serving view tells it: the worked example of Llama 3 8B on an H100, done by hand.

8 030 261 248 parameters in bf16 are 16.06 GB; a token's keys and values in 32 layers of 8 heads of 128 are 128 KiB.
"""

from __future__ import annotations

import numpy as np
import pytest

from rooflinestudio.cli.catalog import find_machine, registry
from rooflinestudio.core.dtypes import parse_dtypes
from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.placing import place
from rooflinestudio.core.serving.curves import rates, traffic
from rooflinestudio.core.serving.decode import Decoding, decode_row
from rooflinestudio.core.serving.what_if import what_ifs
from rooflinestudio.core.study import Entry, Study, View
from rooflinestudio.core.subject import Subject

WEIGHTS, BETA, TOKEN = 2 * 8_030_261_248, 3.35e12, 32 * 2 * 8 * 128 * 2
SEQUENCE = 8192 * TOKEN
LLAMA = {"model": "llama-3-8b", "batch": 56, "context": 8192, "weights": "resident"}


def entry(id_="decode-step-1", **more):
    dtypes = more.pop("dtypes", {})
    return Entry(id_, "decode_step", parameters={**LLAMA, **more}, dtypes=dtypes)


def decoding(machine="h100-sxm5", **more):
    view = View(policy="compulsory")
    return Decoding.of_entry(registry(), entry(**more), find_machine(machine), view)


def by_id(step):
    return {one.change.id: one for one in what_ifs(step)}


# ------------------------------------------------------------------------------------ the worked example


def test_one_sequence_without_a_cache_reads_the_weights_in_4_79_ms():
    step = decoding(batch=1, context=0)

    assert step.weight_bytes == WEIGHTS and step.kv_bytes == 0
    assert step.placement.time_s == pytest.approx(4.79e-3, rel=1e-3)
    assert step.tokens_per_s == pytest.approx(209, rel=5e-3)
    assert step.crossover_batch is None


def test_the_cache_of_one_sequence_takes_the_ceiling_to_195():
    step = decoding(batch=1)

    assert step.kv_bytes == SEQUENCE == pytest.approx(1.07e9, rel=5e-3)
    assert step.tokens_per_s == pytest.approx(195, rel=5e-3)


def test_56_sequences_without_a_cache_make_11_690_tokens():
    assert decoding().without_cache.tokens_per_s == pytest.approx(11_690, rel=5e-3)


def test_the_batch_runs_out_of_memory_at_59_and_never_meets_the_ridge_at_296():
    step = decoding()

    # (80 GB - 16.06 GB) / 1.074 GB = 59.5
    assert step.max_batch == 59
    # I = batch without a cache; 989.4 / 3.35 = 295.34
    assert step.ridge_batch == 296


def test_the_cache_is_79_percent_of_the_bytes_of_56_sequences():
    step = decoding()

    assert step.kv_share == pytest.approx(0.79, abs=5e-3)
    assert step.placement.time_s == pytest.approx(22.7e-3, rel=3e-3)
    assert step.tokens_per_s == pytest.approx(2_470, rel=5e-3)


def test_the_crossover_is_exact_in_both_directions():
    step = decoding()

    assert step.crossover_batch == pytest.approx(WEIGHTS / SEQUENCE)
    # 56 sequences: 16.06 GB / (56 · 128 KiB) = 2188.03 tokens
    assert step.crossover_context == 2189
    for batch, more in ((14, False), (15, True)):
        assert (decoding(batch=batch).kv_bytes > WEIGHTS) is more
    for context, more in ((2188, False), (2189, True)):
        assert (decoding(context=context).kv_bytes > WEIGHTS) is more


def test_seventy_billion_parameters_cross_over_at_about_53():
    step = decoding(model="llama-3-70b", batch=1)

    # 80 layers of 8 heads: 320 KiB a token, 2.68 GB a sequence; 141.1 GB of weights
    assert step.crossover_batch == pytest.approx(53, rel=0.02)
    assert step.tokens_per_s == pytest.approx(BETA / (141.1e9 + 8192 * 327_680), rel=2e-3)
    assert step.max_batch == 0 and step.rate_at_most is None


# ------------------------------------------------------------------------------------ curves


def test_weights_stay_and_the_cache_grows_with_the_batch():
    curve = traffic(decoding(), "batch")

    assert curve.values[0] == 1 and curve.values[-1] >= 512
    assert np.all(curve.weight_bytes == WEIGHTS)
    assert curve.kv_bytes == pytest.approx(curve.values * SEQUENCE)
    assert (curve.here, curve.most, curve.crossover) == (56, 59, pytest.approx(14.957, rel=1e-4))


def test_the_cache_grows_with_the_context():
    curve = traffic(decoding(), "context")

    assert curve.kv_bytes == pytest.approx(56 * curve.values * TOKEN)
    assert (curve.here, curve.crossover) == (8192, 2189)
    # (80 GB - 16.06 GB) / 56 = 1.142 GB = 8711 tokens, less activations and logits
    assert 8690 <= curve.most <= 8711


def test_the_curve_without_a_cache_bends_at_the_ridge():
    curve = rates(decoding())

    assert (curve.most, curve.ridge_batch, curve.here) == (59, 296, 56)
    assert curve.here_rate == pytest.approx(2462, rel=2e-3)
    at = {int(batch): rate for batch, rate in zip(curve.values, curve.without_cache, strict=True)}
    assert at[1] == pytest.approx(208.6, rel=2e-3)
    assert curve.ridge_rate == pytest.approx(296 * 208.6, rel=0.03)
    assert curve.without_cache[-1] < 1.05 * curve.ridge_rate
    assert np.all(curve.with_cache < curve.without_cache)
    assert curve.values[-1] > 296


# ------------------------------------------------------------------------------------ what if


def test_a_narrower_cache_is_fewer_bytes_and_more_sequences():
    found = by_id(decoding())

    assert found["present"].gain == 1 and found["present"].entry is None
    fp8 = found["kv-fp8"]
    assert fp8.tokens_per_s == pytest.approx(56 * BETA / (WEIGHTS + 56 * SEQUENCE / 2), rel=3e-3)
    assert fp8.gain == pytest.approx(76.19 / 46.125, rel=2e-3)
    # 63.94 GB / (537 MB of cache + 0.6 MB of logits and activations) = 118.9
    assert fp8.max_batch == 118
    assert fp8.crossover_batch == pytest.approx(2 * WEIGHTS / SEQUENCE)
    assert (
        fp8.entry.dtypes == {"kv": "fp8"} and fp8.entry.variant_of == "decode-step-1" and fp8.entry.id == ""
    )


def test_a_window_keeps_and_reads_the_last_tokens():
    window = by_id(decoding())["window-4096"]

    assert window.entry.parameters["context"] == 4096
    assert window.tokens_per_s == pytest.approx(56 * BETA / (WEIGHTS + 56 * 4096 * TOKEN), rel=3e-3)
    assert not any(id_.startswith("window") for id_ in by_id(decoding(context=200)))


def test_drafts_pay_for_themselves_by_the_weights_read_once():
    found = by_id(decoding())["speculative"]

    # (1 - 0.8^5) / (1 - 0.8) = 3.3616 tokens a pass over the same bytes
    assert found.gain == pytest.approx(3.3616, rel=5e-3)
    assert found.entry.operator == "speculative_verify" and found.entry.parameters["draft"] == 4


def test_room_taken_up_at_once_costs_sequences_and_nothing_else():
    found = by_id(decoding())
    reserved = found["reserved"]

    # twice the context: 63.94 GB / 2.148 GB = 29.8
    assert (reserved.max_batch, reserved.fits, reserved.gain) == (29, False, 1.0)
    assert reserved.max_tokens_per_s == pytest.approx(29 * BETA / (WEIGHTS + 29 * SEQUENCE), rel=3e-3)
    assert reserved.entry is None
    # 8192 is a multiple of 16: no page is left half empty; of 8193 tokens 15 places are
    assert found["paged"].max_batch == 59
    assert by_id(decoding(context=8193))["paged"].crossover_batch == pytest.approx(WEIGHTS / (8208 * TOKEN))


def test_weights_in_fewer_bits_help_rate_and_capacity():
    found = by_id(decoding(batch=1, context=0))["weight-int4"]

    # groups of 128 with one fp16 scale and one 4-bit zero point: 4.15625 bits
    assert found.gain == pytest.approx(16 / 4.15625, rel=0.02)
    assert "kv-fp8" in by_id(decoding()) and "weight-fp8" not in by_id(decoding(dtypes={"weight": "fp8"}))


def test_other_models_stand_for_latents_and_experts():
    found = by_id(decoding())

    # 27 layers of (512 + 64) elements of 2 bytes, over 15.7 billion parameters
    assert found["mla"].entry.parameters["model"] == "deepseek-v2-lite"
    mla = decoding(model="deepseek-v2-lite")
    assert mla.kv_bytes == 56 * 8192 * 27 * 576 * 2
    assert found["moe"].entry.parameters["model"] == "gpt-oss-20b"
    assert "mla" not in by_id(mla)
    assert {"routing-best", "routing-worst"} <= set(by_id(mla))


HAS = {one.name for one in registry().operator("decode_step").parameters}


@pytest.mark.skipif("kv_heads" not in HAS, reason="decode_step has no parameter kv_heads")
def test_fewer_heads_of_keys_and_values_are_a_smaller_cache():
    found = by_id(decoding())

    assert found["kv-heads-1"].crossover_batch == pytest.approx(
        (WEIGHTS - 7 * 32 * 4096 * 2 * 128 * 2) / (SEQUENCE / 8)
    )
    assert found["kv-heads-32"].max_gain < 0.3


@pytest.mark.skipif("shared" not in HAS, reason="decode_step has no parameter shared")
def test_a_shared_start_is_read_once():
    found = by_id(decoding())["prefix"]

    read = WEIGHTS + 4096 * TOKEN * (1 + 56)
    assert found.tokens_per_s == pytest.approx(56 * BETA / read, rel=3e-3)


def test_a_change_that_is_refused_says_why():
    step = decoding()
    bad = Decoding(
        step.entry,
        Subject(registry(), "decode_step", find_machine("v100-sxm2-16gb"), LLAMA, parse_dtypes("fp16")),
    )

    refused = [one for one in what_ifs(bad) if one.refusal]
    assert refused and all(one.tokens_per_s is None and one.entry is None for one in refused)


# ------------------------------------------------------------------------------------ which row


def placed(*entries, machines=("nvidia-h100-sxm5", "nvidia-a100-sxm4-80gb")):
    profiles = {id_: registry().load_profile(id_) for id_ in machines}
    return place(Study(entries=entries, profiles=profiles, view=View(machines=machines)), {}, registry())


def test_the_selected_decode_step_is_told_else_the_first():
    study = placed(Entry("gemm-1", "gemm"), entry("a"), entry("b"))

    assert decode_row(study, ("gemm-1", "b")).entry.id == "b"
    assert decode_row(study, ("gemm-1",)).entry.id == "a"
    assert decode_row(study, (), "nvidia-a100-sxm4-80gb").machine == "nvidia-a100-sxm4-80gb"
    assert decode_row(placed(Entry("gemm-1", "gemm"))) is None


def test_a_step_that_is_refused_says_why():
    row = decode_row(placed(entry(model="no-such-model")))

    with pytest.raises(StudioError, match="no-such-model"):
        Decoding.of(registry(), row)
