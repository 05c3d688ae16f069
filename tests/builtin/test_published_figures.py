"""Figures that other tools and papers publish, reproduced, or told apart term by term.

Machines are built with the rates that each source states, shares of peak included. A figure is held to the digits in
which it is printed.
"""

from __future__ import annotations

import pytest

from rooflinestudio.core.dtypes import DTYPES
from rooflinestudio.core.models.cards import load_model
from rooflinestudio.core.models.counts import kv_bytes_per_token, matrix_parameters_per_token
from tests.builtin.evaluating import placed
from tests.core.profiles import machine


def device(name, flop_per_s, bytes_per_s):
    """A machine of two rates; vector and special work cost nothing on it, as in the sources."""
    return machine(
        name,
        ceilings={"bf16-tensor": flop_per_s, "fp16-tensor": flop_per_s, "fp32": 1e30},
        boundaries={"dram": bytes_per_s},
    )


def figures(result):
    return result.work_flop, result.traffic_bytes, result.intensity, result.time_s


def time_of(result, *operators):
    return sum(
        one.count * one.placement.time_s for one in result.parts if one.placement.operator in operators
    )


# -------------------------------------------------------------- A1 to A4: a notebook for the MI300X

MI300X = device("mi300x-achievable", 708e12, 5300e9)


@pytest.mark.parametrize(
    ("m", "tflop", "gb", "intensity", "us", "bound"),
    [
        (1, 0.0001, 0.1343, 1.0, 25.3, "memory"),
        (128, 0.0172, 0.1384, 124.1, 26.1, "memory"),
        (2048, 0.2749, 0.2013, 1365.3, 388.2, "compute"),
    ],
)
def test_a1_a_projection_of_8192_from_one_token_to_many(m, tflop, gb, intensity, us, bound):
    result = placed("gemm", on=MI300X, m=m, n=8192, k=8192)

    assert result.work_flop / 1e12 == pytest.approx(tflop, abs=5e-5)
    assert result.traffic_bytes / 1e9 == pytest.approx(gb, abs=5e-5)
    assert result.intensity == pytest.approx(intensity, abs=0.05)
    assert result.time_s * 1e6 == pytest.approx(us, abs=0.06)
    assert result.bound == bound


@pytest.mark.parametrize(
    ("n", "k", "tflop", "gb", "intensity"),
    [
        (8192, 8192, 2.20, 0.67, 3276.8),  # queries, output
        (1024, 8192, 0.27, 0.32, 862.3),  # keys, values
        (28672, 8192, 7.70, 1.68, 4587.5),  # gate, up
        (8192, 28672, 7.70, 1.68, 4587.5),  # down
        (128256, 8192, 34.43, 6.57, 5238.3),  # head
    ],
)
def test_a2_the_linear_layers_of_a_70b_model_on_16384_tokens(n, k, tflop, gb, intensity):
    work, traffic, own, _ = figures(placed("gemm", on=MI300X, m=16384, n=n, k=k))

    assert work / 1e12 == pytest.approx(tflop, abs=5e-3)
    assert traffic / 1e9 == pytest.approx(gb, abs=5e-3)
    assert own == pytest.approx(intensity, abs=0.06)


PUBLISHED_INTENSITIES = {
    64: 28.44, 128: 56.89, 256: 113.78, 512: 227.56, 1024: 455.11, 2048: 910.22, 4096: 1820.44, 8192: 3640.89,
    16384: 7281.78,
}  # fmt: skip


def grouped(s, **more):
    return placed("attention", on=MI300X, heads=64, kv_heads=8, seq_q=s, seq_kv=s, causal=True, **more)


@pytest.mark.parametrize(("s", "published"), PUBLISHED_INTENSITIES.items())
def test_a3_causal_attention_differs_by_the_diagonal_alone(s, published):
    result = grouped(s)

    # The source halves the square; a token sees itself too, s(s + 1)/2 pairs instead of s²/2.
    assert result.intensity * s / (s + 1) == pytest.approx(published, abs=6e-3)


def test_a3_forward_and_backward_at_2048_differ_by_the_diagonal_and_by_one_tensor():
    s, diagonal = 2048, 2048 / 2049
    forward, backward = grouped(s), grouped(s, direction="backward")

    assert forward.time_s * diagonal * 1e6 == pytest.approx(97.06, abs=6e-3)
    assert backward.time_s * diagonal * 1e6 == pytest.approx(242.66, abs=0.01)  # 2.5 · 97.06 is 242.65
    # Its backward pass reads Q, K, V and dO, and writes dQ, dK and dV; the row sums need O as well.
    output_bytes = 2 * 64 * 128 * s
    intensity = backward.work_flop * diagonal / (backward.traffic_bytes - output_bytes)
    assert intensity == pytest.approx(1462.87, rel=1e-5)  # 2.5 · 2048 · 2/7 is 1462.857


def test_a4_a_decode_step_of_a_70b_model_differs_by_the_activations():
    result = placed("decode_step", on=MI300X, model="llama-3-70b", batch=1, context=2048)
    kernels = [one for one in result.parts if one.placement.operator in ("gemm", "attention_decode")]

    # The source rolls up products and attention only, and lets one token's activations cross the memory too.
    activations = sum(
        one.count * tensor.elements * tensor.dtype.bytes
        for one in kernels
        for tensor in one.placement.estimate.tensors
        if tensor.role not in ("weight", "cache")
    )
    time = time_of(result, "gemm", "attention_decode") + activations / 5300e9
    assert time * 1e3 == pytest.approx(26.36, abs=6e-3)
    assert 1 / time == pytest.approx(37.9, abs=0.05)


def test_a4_the_prefill_of_2048_tokens_differs_by_the_diagonal():
    result = placed("prefill_step", on=MI300X, model="llama-3-70b", context=2048, logits="all")

    attention = time_of(result, "attention")
    time = time_of(result, "gemm") + attention * 2048 / 2049
    assert attention * 2048 / 2049 / 80 * 1e6 == pytest.approx(97.06, abs=6e-3)
    assert time * 1e3 == pytest.approx(409.85, abs=0.02)
    assert 2048 / time == pytest.approx(4996.9, abs=0.3)


# --------------------------------------------------------------- A5 and A6: golden files of a simulator


def test_a5_products_of_a_7b_layer_at_80_percent_of_300_tflop_per_s():
    on = device("a5", 0.8 * 300e12, 0.8 * 1200e9)
    qkv = figures(placed("gemm", on=on, m=1024, n=12288, k=4096))
    out = figures(placed("gemm", on=on, m=1024, n=4096, k=4096))

    assert qkv == pytest.approx((103_079.2e6, 128 * 2**20, 768, 0.4295e-3), rel=1e-4)
    assert out == pytest.approx((34_359.7e6, 48 * 2**20, 682.67, 0.1432e-3), rel=3e-4)


def test_a6_products_of_an_8x7b_layer_at_80_percent_of_2000_tflop_per_s():
    on = device("a6", 0.8 * 2000e12, 0.8 * 4900e9)
    qkv = figures(placed("gemm", on=on, m=1024, n=6144, k=4096))
    # The scores alone: 32 query heads on 8 key heads, written out.
    scores = placed("gemm", on=on, m=4 * 1024, n=1024, k=128, batch=8)

    assert qkv == pytest.approx((51_539.6e6, 68 * 2**20, 722.8, 0.0322e-3), rel=1e-3)
    assert scores.traffic_bytes == 74 * 2**20
    assert scores.intensity == pytest.approx(110.7, abs=0.05)
    assert scores.bound == "memory"


# ------------------------------------------------------------------------- A7: an analyser on an A6000


@pytest.mark.parametrize(
    ("shape", "published"),
    [
        ((2048, 4096, 4096), (6.872e10, 6.711e7, 1024, 443.8e-6)),
        ((2048, 11008, 4096), (1.847e11, 1.520e8, 1214.7, 1192.7e-6)),
        ((1, 4096, 4096), (3.355e7, 3.357e7, 0.9995, 43.7e-6)),
    ],
    ids=["q_proj", "gate_proj", "q_proj, decode"],
)
def test_a7_linear_layers_of_a_7b_model_in_fp16(shape, published):
    on = device("a6000", 154.84e12, 768e9)

    got = figures(placed("gemm", on=on, dtype="fp16", **dict(zip("mnk", shape, strict=True))))

    assert got == pytest.approx(published, rel=6e-4)


# ------------------------------------------------------------------------------ A10: 7B on an A100

CONTEXT, GENERATED = 512, 32


def a10():
    """The machine at the source's efficiencies, and the card; LLaMA 7B has the shape of Llama 2 7B."""
    return device("a100-0.7-0.9", 0.7 * 312e12, 0.9 * 2039e9), load_model("llama-2-7b")


def their_matrices(card):
    """The source has a block of 2 matrices, 4 widths wide, for the gated one of 3 times 11008."""
    return matrix_parameters_per_token(card) - 32 * 4096 * (3 * 11008 - 2 * 4 * 4096)


def test_a10_prefill_work_differs_by_the_block_and_the_mask():
    on, card = a10()
    result = placed("prefill_step", on=on, model="llama-2-7b", context=CONTEXT, logits="all")
    parts = [(one.placement.operator, one.count * one.placement.work_flop) for one in result.parts]
    products = sum(flop for operator, flop in parts if operator == "gemm")
    attention = sum(flop for operator, flop in parts if operator == "attention")

    assert products == 2 * CONTEXT * matrix_parameters_per_token(card)
    whole_square = attention * 2 * CONTEXT / (CONTEXT + 1)
    theirs = (
        products + 2 * CONTEXT * (their_matrices(card) - matrix_parameters_per_token(card)) + whole_square
    )
    assert theirs / 1e12 == pytest.approx(6.87, abs=5e-3)
    # Two norms a layer come on top, with 6 bytes an element.
    norms = 64 * CONTEXT * 4096 * 6
    time = theirs / on.ceilings["bf16-tensor"].flop_per_s + norms / on.boundaries["dram"].bytes_per_s
    assert time * 1e3 == pytest.approx(31.89, abs=5e-3)


def test_a10_memory_differs_by_the_block_and_one_table():
    _, card = a10()

    # One table for embedding and head together, and no norms.
    assert 2 * their_matrices(card) / 1e9 == pytest.approx(13.15, abs=5e-3)
    cache = (CONTEXT + GENERATED) * kv_bytes_per_token(card, DTYPES["bf16"])
    assert cache / 1e6 == pytest.approx(285.21, abs=5e-3)


def test_a10_decode_time_differs_by_the_block_and_a_cache_that_crosses_twice():
    on, card = a10()
    result = placed("decode_step", on=on, model="llama-2-7b", context=CONTEXT + GENERATED)
    beta = on.boundaries["dram"].bytes_per_s
    block = 2 * (matrix_parameters_per_token(card) - their_matrices(card))
    cache = (CONTEXT + GENERATED) * kv_bytes_per_token(card, DTYPES["bf16"])

    # Ours: every weight and the cache once; theirs loads and stores the whole cache in each step.
    theirs = time_of(result, "gemm", "attention_decode") + (cache - block) / beta
    assert theirs * 1e3 == pytest.approx(7.48, abs=5e-3)


# ------------------------------------------------------------------ the same question, asked of several


def test_first_principles_for_a_7b_model_on_an_a100():
    on = device("a100", 312e12, 2039e9)
    prefill = placed("prefill_step", on=on, dtype="fp16", model="llama-2-7b", context=2048)
    decode = placed("decode_step", on=on, dtype="fp16", model="llama-2-7b", context=2048)

    # The source divides all work by the peak; the head, on one token, waits for its weights.
    head = next(one.placement for one in prefill.parts if one.label == "head")
    time = time_of(prefill, "gemm", "attention") - head.time_s + head.compute_s
    assert time * 1e3 == pytest.approx(88.5, abs=0.06)
    assert head.time_s * 1e3 == pytest.approx(2 * (32000 * 4096 + 4096 + 32000) / 2039e6, rel=1e-9)
    assert time_of(decode, "gemm", "attention_decode") * 1e3 == pytest.approx(7.007, abs=2e-3)
