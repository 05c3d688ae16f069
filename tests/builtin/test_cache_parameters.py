"""Heads of keys and values, and a shared start, as parameters of a model's passes; the counts are done by hand."""

from __future__ import annotations

import pytest

from rooflinestudio.core.errors import ParameterError
from rooflinestudio.core.settings import Settings
from tests.builtin.evaluating import OPERATORS, placed
from tests.core.profiles import H100

LLAMA = {"model": "llama-3-8b", "weights": "resident"}
WEIGHTS = 16_060_522_496  # 8 030 261 248 parameters of 2 bytes
PER_HEAD = 32 * 2 * 128 * 2  # layers, keys and values, head_dim, bytes: of one token and one KV head
QKV_PER_HEAD = 32 * 4096 * 2 * 128 * 2  # weights in bytes that make one head of keys and values in all layers


def details(id_, **parameters):
    placement = placed(id_, on=H100, settings=Settings(boundary="dram"), **parameters)
    return OPERATORS[id_].details(placement)


@pytest.mark.parametrize("heads", [1, 4, 8, 32])
def test_kv_heads_change_the_cache_and_the_weights_that_make_it(heads):
    found = details("decode_step", **LLAMA, batch=4, context=1000, kv_heads=str(heads))

    assert found["kv_bytes"] == 4 * 1000 * heads * PER_HEAD
    assert found["weight_bytes"] == WEIGHTS + (heads - 8) * QKV_PER_HEAD
    assert found["kv_bytes_per_token"] == heads * PER_HEAD


@pytest.mark.parametrize(("id_", "model", "heads", "words"), [
    ("decode_step", "deepseek-v2-lite", "8", "caches a latent"),
    ("prefill_step", "qwen-2.5-7b", "8", "28 query heads are no multiple of 8"),
    ("speculative_verify", "llama-3-8b", "many", "must be own or a whole number"),
])  # fmt: skip
def test_heads_that_a_model_cannot_have_are_refused(id_, model, heads, words):
    with pytest.raises(ParameterError, match=words):
        placed(id_, model=model, kv_heads=heads)


@pytest.mark.parametrize("id_", ["decode_step", "speculative_verify"])
def test_a_shared_start_is_read_and_kept_once(id_):
    found = details(id_, **LLAMA, batch=4, context=1000, shared=600)
    token = 8 * PER_HEAD

    assert found["kv_bytes"] == 600 * token + 4 * 400 * token
    assert found["crossover_batch"] == pytest.approx((WEIGHTS - 600 * token) / (400 * token))
    alone = details(id_, **LLAMA, batch=4, context=1000)
    assert alone["footprint_bytes"] - found["footprint_bytes"] == pytest.approx(3 * 600 * token)


def test_no_more_can_be_shared_than_there_is():
    found = details("decode_step", **LLAMA, batch=4, context=1000, shared=5000)

    assert found["kv_bytes"] == 1000 * 8 * PER_HEAD


def test_one_sequence_shares_with_nobody():
    alone, shared = (details("decode_step", **LLAMA, batch=1, context=1000, shared=one) for one in (0, 600))

    assert {name for name in alone if alone[name] != shared[name]} == {"max_batch", "crossover_batch"}
