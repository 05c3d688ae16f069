"""Layers and models as composites: parts, counts, memory, parallelism and money."""

from __future__ import annotations

import json
from dataclasses import replace
from time import perf_counter

import numpy as np
import pytest

from rooflinestudio.core.errors import ParameterError, RefusedError, StudioError
from rooflinestudio.core.evaluation import plain
from rooflinestudio.core.models.cards import model_ids
from rooflinestudio.core.placement import Settings
from rooflinestudio.plugins.probing import traffic_of
from tests.builtin.evaluating import OPERATORS, formulas_of, placed, value_of
from tests.core.profiles import H100, without

BETA, PI, FP8 = 3.35e12, 989.4e12, 1978.9e12
LLAMA_8B = 8_030_261_248
TABLE = 128_256 * 4096


def details(result):
    return OPERATORS[result.operator].details(result)


def decode(**parameters):
    return placed("decode_step", **{"model": "llama-3-8b", "context": 8192, **parameters})


def parts_of(result):
    return {one.label: one for one in result.parts}


# ------------------------------------------------------------------------------------ one layer

LAYER = ["norm", "qkv", "rope", "attention", "out", "add", "norm", "gate_up", "swiglu", "down", "add"]


@pytest.mark.parametrize("regime", ["prefill", "train", "decode"])
def test_a_layer_opens_into_its_kernels_in_order(regime):
    assert [one.label for one in placed("transformer_layer", regime=regime).parts] == LAYER


def test_the_work_of_a_layer_is_that_of_its_products_and_attention():
    d, s, b, kv, f = 8192, 8192, 4, 8, 28672
    products = 2 * b * s * d * ((d + 2 * kv * 128) + d + 3 * f)
    attention = 4 * 128 * 64 * b * s * s
    # Two norms at 5, rope at 3 on 72 heads, swiglu at 6, two adds at 1.
    vector = b * s * (2 * 5 * d + 3 * 72 * 128 + 6 * f + 2 * d)

    result = placed("transformer_layer")

    assert result.work_flop == pytest.approx(products + attention + vector, rel=1e-12)
    assert value_of(formulas_of(result.estimate)["work"]) == pytest.approx(result.work_flop, rel=1e-12)
    assert details(result)["ffn_width"] == f


def test_a_training_step_has_three_times_the_work_and_twice_the_traffic_of_each_part():
    forward, step = (placed("transformer_layer", regime=regime) for regime in ("prefill", "train"))

    for one, two in zip(forward.parts, step.parts, strict=True):
        assert two.placement.work_flop == 3 * one.placement.work_flop
        assert two.placement.traffic_bytes == 2 * one.placement.traffic_bytes
        assert two.placement.at("l2").traffic_bytes == 2 * one.placement.at("l2").traffic_bytes
    assert any("stand-in" in note for note in step.notes)


def test_decoding_a_layer_counts_activations_at_dram():
    result = placed("transformer_layer", regime="decode", batch=64, seq=8192)
    cache = 2 * 2 * 64 * 8192 * 8 * 128
    query_and_result = 2 * 2 * 64 * 8192

    assert parts_of(result)["attention"].placement.traffic_bytes == cache + query_and_result
    assert parts_of(result)["qkv"].placement.traffic_bytes == 2 * (64 * 8192 + 8192 * 10240 + 64 * 10240)


def test_naive_attention_is_two_orders_of_magnitude_more_traffic_at_32k():
    flash, naive = (
        parts_of(placed("transformer_layer", seq=32768, implementation=kind))["attention"].placement
        for kind in ("flash", "naive")
    )

    assert naive.traffic_bytes - flash.traffic_bytes == 4 * 2 * 4 * 64 * 32768**2
    assert naive.traffic_bytes > 100 * flash.traffic_bytes


def test_heads_that_do_not_share_evenly_are_refused_with_the_mend():
    with pytest.raises(ParameterError, match="makes 8 heads of 128, which kv_heads = 3 must divide"):
        placed("transformer_layer", width=1024, kv_heads=3)


def test_a_tensor_parallel_layer_adds_up_twice_over_the_link():
    one, two = placed("transformer_layer"), placed("transformer_layer", tensor_parallel=2)
    sums = [part for part in two.parts if part.label == "all-reduce"]

    assert len(sums) == 2
    assert all(part.placement.operator == "all_reduce" for part in sums)
    # A ring of two sends 2·(2-1)/2 of 4·8192 tokens of 8192 bf16.
    assert [part.placement.traffic_bytes for part in sums] == [4 * 8192 * 8192 * 2] * 2
    assert sums[0].placement.binding == "nvlink"
    assert sums[0].placement.time_s == pytest.approx(4 * 8192 * 8192 * 2 / 450e9)
    halved = ("qkv", "attention", "out", "gate_up", "swiglu", "down")
    for label in halved:
        assert parts_of(two)[label].placement.work_flop == parts_of(one)[label].placement.work_flop / 2


def test_a_data_parallel_training_step_exchanges_gradients():
    result = placed("transformer_layer", regime="train", batch=8, data_parallel=4)
    exchange = parts_of(result)["all-reduce of gradients"].placement
    weights = 8192 * (2 * 72 * 128 + 3 * 28672 + 2)

    assert exchange.traffic_bytes == pytest.approx(2 * 3 / 4 * weights * 2)
    assert parts_of(result)["qkv"].placement.work_flop == 3 * 2 * 2 * 8192 * 8192 * 10240


def test_a_machine_without_a_link_refuses_to_split_and_says_so():
    alone = without(H100, boundaries=("nvlink", "pcie", "network"))

    with pytest.raises(RefusedError, match="link"):
        placed("transformer_layer", on=alone, tensor_parallel=2)
    assert placed("transformer_layer", on=alone).time_s > 0


# ----------------------------------------------------------------------------------- decoding


def test_decoding_moves_weights_and_cache_and_nothing_else():
    result = decode(batch=56, weights="resident")

    assert result.traffic_bytes == 2 * LLAMA_8B + 56 * 8192 * 131_072
    assert details(result)["weight_bytes"] == 2 * LLAMA_8B
    assert details(result)["kv_bytes"] == 56 * 8192 * 131_072
    assert details(result)["kv_written_bytes"] == 56 * 131_072
    assert value_of(formulas_of(result.estimate)["compulsory"]) == result.traffic_bytes


@pytest.mark.parametrize("policy", ["compulsory", "tiled", "modelled"])
def test_weights_are_streamed_once_under_every_policy(policy):
    assert decode(batch=512, context=0, settings=Settings(policy=policy)).traffic_bytes == 2 * (
        LLAMA_8B - TABLE
    )


def test_activations_of_one_token_cross_l2_and_not_dram():
    result = decode(context=0)
    width, qkv, ffn = 4096, 6144, 14336
    # Two norms and two adds; qkv, rope on 40 heads, out; gate_up, swiglu, down. Attention over nothing is left out.
    layer = 2 * 2 * width + 2 * 3 * width + (width + qkv) + 2 * 5120 + 2 * width
    layer += (width + 2 * ffn) + 3 * ffn + (ffn + width)
    attention, ends = 2 * width, 2 * width + 2 * width + (width + 128_256)  # embedding, last norm, head

    assert details(result)["activation_bytes"] == 2 * (32 * (layer + attention) + ends)
    assert result.at("l2").traffic_bytes > result.traffic_bytes + details(result)["activation_bytes"] / 2
    assert details(result)["weight_bytes"] == result.traffic_bytes


def test_streaming_leaves_the_embedding_table_where_it_is():
    streamed, resident = decode(context=0), decode(context=0, weights="resident")

    assert resident.traffic_bytes - streamed.traffic_bytes == 2 * TABLE
    assert "embedding" in parts_of(resident)
    assert "embedding" not in parts_of(streamed)


def test_a_tied_table_is_read_once_in_both_ways():
    for weights in ("streamed", "resident"):
        result = decode(model="gemma-2-9b", context=0, weights=weights)
        assert result.traffic_bytes == 2 * 9_241_705_984


@pytest.mark.parametrize("id_", model_ids())
def test_a_batch_that_needs_all_experts_reads_every_parameter(id_):
    from rooflinestudio.core.models.cards import load_model
    from rooflinestudio.core.models.counts import parameter_count

    result = decode(model=id_, batch=10**6, context=0, weights="resident")

    assert result.traffic_bytes == pytest.approx(2 * parameter_count(load_model(id_)), rel=1e-9)


@pytest.mark.parametrize(
    ("id_", "one_token_bytes"),
    [
        # Weights read for one token, input embedding left out: two of eight experts, and so on.
        ("mixtral-8x7b", 25_497_706_496), ("deepseek-v3", 73_251_236_864), ("gpt-oss-20b", 7_216_614_528),
        ("qwen3-30b-a3b", 6_083_735_552), ("glm-4.5", 65_712_639_808), ("kimi-k2", 63_374_191_616),
        ("phi-3-mini", 7_445_157_888), ("qwen-2.5-7b", 14_141_238_272),
    ],
)  # fmt: skip
def test_one_token_reads_the_experts_that_it_takes(id_, one_token_bytes):
    assert details(decode(model=id_, context=0))["weight_bytes"] == pytest.approx(one_token_bytes, rel=1e-9)


def test_native_formats_are_those_of_the_checkpoint():
    # Experts in mxfp4 at 4.25 bits; all else, scales of other blocks apart, in bf16.
    result = details(decode(model="gpt-oss-20b", context=0, native=True))

    assert result["weight_bytes"] == pytest.approx(3_708_083_328, rel=1e-9)
    assert details(decode(model="deepseek-v3", context=0, native=True))["weight_bytes"] == pytest.approx(
        37_668_445_536, rel=3e-4
    )


def test_quantised_weights_and_cache_follow_their_own_formats():
    result = decode(batch=8, dtype="bf16,weight=int4,kv=fp8")

    assert details(result)["kv_bytes"] == 8 * 8192 * 65_536
    assert details(result)["weight_bytes"] == (LLAMA_8B - TABLE) * (4 + 20 / 128) / 8
    assert result.ceiling_id == "bf16-tensor"


def test_layers_with_a_window_read_no_more_than_it():
    result = decode(model="gemma-3-27b", context=8192)

    assert details(result)["kv_bytes"] == 2 * 16 * 128 * 2 * (10 * 8192 + 52 * 1024)
    assert [parts_of(result)[one].count for one in ("attention", "window attention")] == [10, 52]


def test_pages_are_read_whole():
    assert details(decode(context=17, page=16))["kv_bytes"] == 32 * 131_072


def test_a_latent_cache_is_read_by_all_heads_at_once():
    attention = parts_of(decode(model="deepseek-v3", batch=4, context=1000))["attention"].placement

    assert attention.traffic_bytes == 4 * 1000 * 576 * 2
    assert attention.work_flop == 2 * 128 * 4 * 1000 * (576 + 512)


def test_the_batch_that_fits_is_what_weights_leave_over():
    result = details(decode(weights="resident"))
    # One token's widest step: the residual, gate and up and their product; and its logits in fp32.
    per_sequence = 8192 * 131_072 + 2 * (4096 + 3 * 14336) + 4 * 128_256

    assert result["max_batch"] == (80e9 - 2 * LLAMA_8B) // per_sequence == 59
    assert (details(decode(batch=59))["fits"], details(decode(batch=60))["fits"]) == (True, False)
    assert any("Does not fit" in note for note in decode(batch=60).notes)


def test_without_a_known_capacity_nothing_is_said_to_fit():
    dram = replace(H100.boundaries["dram"], capacity=None)

    result = details(decode(on=replace(H100, boundaries={**H100.boundaries, "dram": dram})))

    assert (result["fits"], result["max_batch"]) == (None, None)


def test_the_cache_crossover_is_where_both_are_read_alike():
    result = details(decode(model="llama-3-70b", weights="resident"))
    batch = result["crossover_batch"]

    assert batch == pytest.approx(2 * 70_553_706_496 / (8192 * 327_680))
    assert details(decode(context=0))["crossover_batch"] is None


def test_the_crossover_of_a_mixture_counts_the_experts_that_the_batch_needs():
    batch = details(decode(model="qwen3-30b-a3b", context=1024))["crossover_batch"]
    there = details(decode(model="qwen3-30b-a3b", context=1024, batch=round(batch)))

    assert there["weight_bytes"] == pytest.approx(there["kv_bytes"], rel=0.01)


def test_money_follows_from_the_rate():
    result = decode(price=2.5)
    rate = 1 / result.time_s

    assert details(result)["cost_per_million_tokens"] == pytest.approx(2.5 / 3600 / rate * 1e6)
    assert details(result)["tokens_per_currency"] == pytest.approx(rate * 3600 / 2.5)
    assert details(decode())["cost_per_million_tokens"] is None


def test_weights_alone_meet_the_ridge_at_the_ridge_over_the_bytes_of_a_weight():
    # Two FLOP per weight and token, s bytes per weight: batch = s·ridge/2, whatever the model.
    assert pytest.approx(295.343, abs=1e-3) == 2 * (PI / BETA) / 2
    assert pytest.approx(295.358, abs=1e-3) == 1 * (FP8 / BETA) / 2
    for batch, bound in ((290, "memory"), (300, "compute")):
        part = parts_of(decode(batch=batch, context=0))["down"].placement
        assert part.bound == bound
    assert parts_of(decode(batch=290, context=0, dtype="fp8"))["down"].placement.bound == "memory"
    assert parts_of(decode(batch=300, context=0, dtype="fp8"))["down"].placement.bound == "compute"


def test_a_split_model_reads_its_share_and_sends_partial_sums():
    one, eight = decode(model="llama-3-70b"), decode(model="llama-3-70b", tensor_parallel=8)
    sums = parts_of(eight)["all-reduce"]

    assert sums.count == 2 * 80 + 1
    assert sums.placement.traffic_bytes == pytest.approx(2 * 7 / 8 * 8192 * 2)
    assert details(eight)["kv_bytes"] == details(one)["kv_bytes"] / 8
    assert details(eight)["weight_bytes"] == pytest.approx(details(one)["weight_bytes"] / 8, rel=2e-4)
    assert (details(one)["fits"], details(eight)["fits"], details(eight)["devices"]) == (False, True, 8)
    assert eight.time_s < one.time_s / 7


def test_key_value_heads_are_never_split_further():
    sixteen = details(decode(model="llama-3-70b", tensor_parallel=16))

    assert sixteen["kv_bytes"] == details(decode(model="llama-3-70b", tensor_parallel=8))["kv_bytes"]


def test_data_parallel_groups_share_the_batch():
    whole, halves = decode(batch=64), decode(batch=64, data_parallel=2)

    assert details(halves)["kv_bytes"] == details(whole)["kv_bytes"] / 2
    assert details(halves)["weight_bytes"] == details(whole)["weight_bytes"]
    assert details(halves)["tokens_per_s"] == pytest.approx(64 / halves.time_s)
    assert details(halves)["max_batch"] == 2 * details(whole)["max_batch"]


def test_experts_dealt_out_bring_two_exchanges_a_layer():
    result = decode(
        model="deepseek-v3", batch=64 * 32, context=0, data_parallel=64, expert_parallel=64, native=True
    )
    parts = parts_of(result)
    # All 2048 tokens choose among 256 experts, four on each device.
    needed = 256 * (1 - (1 - 8 / 256) ** 2048) / 64

    assert parts["dispatch"].count == parts["combine"].count == 58
    assert parts["dispatch"].placement.traffic_bytes == pytest.approx(63 / 64 * 32 * 8 * 7168 * 2)
    assert parts["experts down"].placement.traffic_bytes == pytest.approx(needed * 7168 * 2048)
    assert details(result)["fits"]


def test_more_expert_devices_than_devices_are_refused():
    with pytest.raises(ParameterError, match=r"tensor_parallel·data_parallel"):
        decode(model="deepseek-v3", expert_parallel=8)


# -------------------------------------------------------------------------------------- experts


def test_a_batch_of_64_needs_nearly_all_of_256_experts():
    result = placed("moe_layer", tokens=64, experts=256, top_k=8, width=7168, expert_width=2048)
    needed = 256 * (1 - (1 - 8 / 256) ** 64)

    assert needed == pytest.approx(222.442, abs=1e-3)
    assert details(result)["experts_expected"] == pytest.approx(needed)
    assert (details(result)["experts_best"], details(result)["experts_worst"]) == (8, 256)
    assert details(result)["expert_weight_bytes_expected"] == pytest.approx(needed * 3 * 7168 * 2048 * 2)
    assert parts_of(result)["experts down"].placement.work_flop == pytest.approx(2 * 64 * 8 * 7168 * 2048)


def test_the_band_of_routing_holds_the_expected_time():
    result = placed("moe_layer")
    band = details(result)

    assert band["time_s_best_routing"] < result.time_s < band["time_s_worst_routing"]
    assert placed("moe_layer", routing="worst").time_s == band["time_s_worst_routing"]


def test_shared_experts_are_apart():
    without_, with_ = placed("moe_layer"), placed("moe_layer", shared_width=2048)
    extra = [one.label for one in with_.parts if one.label not in parts_of(without_)]

    assert extra == ["shared gate_up", "shared activation", "shared down"]
    assert (
        parts_of(with_)["experts down"].placement.time_s
        == parts_of(without_)["experts down"].placement.time_s
    )


def test_a_token_cannot_take_more_experts_than_there_are():
    with pytest.raises(ParameterError, match="top_k"):
        placed("moe_layer", experts=4, top_k=8)


# ------------------------------------------------------------------------- prompts and drafts


def test_the_head_sees_the_last_token_or_all():
    last, all_ = (
        placed("prefill_step", model="llama-3-8b", batch=2, context=1000, logits=logits)
        for logits in ("last", "all")
    )

    assert parts_of(last)["head"].placement.work_flop == 2 * 2 * TABLE
    assert parts_of(all_)["head"].placement.work_flop == 2 * 2000 * TABLE
    assert details(all_)["logits_bytes"] == 4 * 2000 * 128_256
    assert details(last)["time_to_first_token_s"] == last.time_s


def test_a_cached_start_saves_its_products_and_is_still_attended():
    whole = placed("prefill_step", model="llama-3-8b", context=4096)
    rest = placed("prefill_step", model="llama-3-8b", context=1024, cached=3072)

    assert parts_of(rest)["qkv"].placement.work_flop == parts_of(whole)["qkv"].placement.work_flop / 4
    pairs = 1024 * 3072 + 1024 * 1025 / 2
    assert parts_of(rest)["attention"].placement.work_flop == 4 * 128 * 32 * pairs


def test_prefilled_latents_have_narrower_values():
    attention = parts_of(placed("prefill_step", model="deepseek-v3", context=100))["attention"].placement

    assert attention.work_flop == pytest.approx(2 * 128 * (192 + 128) * 100 * 101 / 2)
    assert attention.at("dram").read_bytes == pytest.approx(2 * 100 * 128 * (192 + 192 + 128))
    assert attention.at("dram").write_bytes == pytest.approx(2 * 100 * 128 * 128)


def test_no_drafted_token_is_a_decode_step():
    check, step = placed("speculative_verify", draft=0, batch=3), placed("decode_step", batch=3)

    assert (check.time_s, check.work_flop, check.traffic_bytes) == (
        step.time_s,
        step.work_flop,
        step.traffic_bytes,
    )
    assert details(check)["tokens_per_s"] == details(step)["tokens_per_s"]


def test_drafted_tokens_raise_the_work_and_not_the_bytes():
    one, five = placed("speculative_verify", draft=0), placed("speculative_verify", draft=4)

    assert five.traffic_bytes == one.traffic_bytes
    assert five.work_flop > 4.9 * one.work_flop
    # 1 + a + a² + a³ + a⁴ with a = 0.8
    assert details(five)["tokens_per_pass"] == pytest.approx(3.3616)
    assert details(placed("speculative_verify", draft=4, acceptance=1))["tokens_per_pass"] == 5


# ----------------------------------------------------------------------------- edges and speed


@pytest.mark.parametrize("id_", ["decode_step", "prefill_step", "speculative_verify"])
@pytest.mark.parametrize("model", model_ids())
def test_every_model_is_placed_everywhere_from_small_to_huge(id_, model):
    for parameters in (
        {},
        {"batch": 10**9, "context": 10**9},
        {"tensor_parallel": 7, "data_parallel": 3, "batch": 5},
    ):
        for settings in (Settings(), Settings(boundary="all", forecast=True), Settings(policy="tiled")):
            result = placed(id_, model=model, settings=settings, **parameters)
            document = plain({**details(result), "time": result.time_s, "work": result.work_flop})
            json.dumps(document, allow_nan=False)
            assert 0 < result.time_s < float("inf")
            compulsory, tiled = traffic_of(result.estimate)
            assert 0 < compulsory <= tiled * (1 + 1e-12)


def test_a_sweep_answers_like_its_points_in_details_too():
    batches, contexts = np.array([1.0, 8.0, 300.0]), np.array([0.0, 1000.0, 70000.0])
    together = decode(model="qwen3-30b-a3b", batch=batches, context=contexts)
    points = zip(batches.tolist(), contexts.tolist(), strict=True)
    alone = [
        decode(model="qwen3-30b-a3b", batch=int(batch), context=int(context)) for batch, context in points
    ]

    assert together.time_s == pytest.approx([one.time_s for one in alone], rel=1e-12)
    found, single = details(together), [details(one) for one in alone]
    keys = "tokens_per_s weight_bytes kv_bytes max_batch fits footprint_bytes time_s_best_routing"
    for key in keys.split():
        assert np.broadcast_to(found[key], 3).tolist() == pytest.approx(
            [one[key] for one in single], rel=1e-9
        ), key
    assert plain(found["crossover_batch"])[0] is None
    expected = [one["crossover_batch"] for one in single[1:]]
    assert found["crossover_batch"][1:].tolist() == pytest.approx(expected, rel=1e-9)


def test_a_model_that_is_not_there_is_refused_by_name():
    with pytest.raises(StudioError, match="did you mean 'llama-3-8b'"):
        decode(model="llama-3-8")
    with pytest.raises(ParameterError, match="one line of text"):
        decode(model=8)


def test_a_config_on_disk_is_a_model(tmp_path):
    config = {
        "model_type": "zebra", "num_hidden_layers": 2, "hidden_size": 256, "num_attention_heads": 4,
        "num_key_value_heads": 2, "intermediate_size": 512, "vocab_size": 1000, "torch_dtype": "bfloat16",
    }  # fmt: skip
    (tmp_path / "config.json").write_text(json.dumps(config))

    result = decode(model=str(tmp_path / "config.json"), context=0, weights="resident")

    layer = 256 * (2 * 256 + 2 * 128) + 3 * 256 * 512 + 2 * 256
    assert result.traffic_bytes == 2 * (2 * layer + 256 + 2 * 256_000)
    assert any("'zebra' is not known" in note for note in result.notes)


def test_context_beyond_what_a_model_was_trained_for_is_noted():
    assert any("8192 that Llama 3 8B was trained for" in note for note in decode(context=9000).notes)
    assert not any("trained for" in note for note in decode(context=8192).notes)


def test_a_decode_step_is_placed_within_two_milliseconds():
    times = []
    for model in ("llama-3-8b", "deepseek-v3"):
        decode(model=model)
        best = float("inf")
        for _ in range(20):
            started = perf_counter()
            decode(model=model)
            best = min(best, perf_counter() - started)
        times.append(best)

    assert max(times) < 2e-3
