"""Attention: visible pairs and blocks against a brute-force count, passes over the scores, decoding from a cache."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugins_builtin._masks import band, floor_sum, key_rows_touched, query_keys_touched, visible_pairs
from rooflinestudio.core.errors import ParameterError
from rooflinestudio.core.placement import Settings
from rooflinestudio.core.traffic import compulsory_bytes, crossing_bytes, tiled_bytes
from tests.builtin.evaluating import estimate_of, formulas_of, placed, value_of

LENGTHS = st.integers(1, 14)
BLOCKS = st.integers(1, 6)
WINDOWS = st.sampled_from((0, 0, 1, 2, 3, 5, 40))


def visible(queries, keys, *, causal, window):
    """Say of every pair whether it is visible, from the definition."""
    query, key = np.ogrid[:queries, :keys]
    position = keys - queries + query
    seen = np.ones((queries, keys), dtype=bool)
    if causal:
        seen &= key <= position
    if window:
        seen &= abs(position - key) < window
    return seen


def blocks_touched(seen, block_q, block_kv):
    """Return (keys loaded per block of queries, queries loaded per block of keys, blocks) of a mask."""
    queries, keys = seen.shape
    by_query = by_key = blocks = 0
    for q in range(0, queries, block_q):
        for k in range(0, keys, block_kv):
            if seen[q : q + block_q, k : k + block_kv].any():
                by_query += min(block_kv, keys - k)
                by_key += min(block_q, queries - q)
                blocks += 1
    return by_query, by_key, blocks


MASKS = st.tuples(LENGTHS, LENGTHS, st.booleans(), WINDOWS)


@given(MASKS)
def test_visible_pairs_are_those_of_the_definition(mask):
    queries, keys, causal, window = mask

    count = visible_pairs(band(queries, keys, causal=causal, window=window))

    assert count == visible(queries, keys, causal=causal, window=window).sum()


@given(MASKS, BLOCKS, BLOCKS)
def test_blocks_are_loaded_where_they_hold_a_visible_pair(mask, block_q, block_kv):
    queries, keys, causal, window = mask
    masked = band(queries, keys, causal=causal, window=window)
    whole = -(-keys // block_kv) * block_kv

    by_query, by_key, blocks = blocks_touched(
        visible(queries, keys, causal=causal, window=window), block_q, block_kv
    )

    assert query_keys_touched(masked, block_q=block_q, block_kv=block_kv, keys=keys) == by_query
    assert query_keys_touched(masked, block_q=block_q, block_kv=block_kv, keys=whole) == blocks * block_kv
    assert key_rows_touched(masked, block_q=block_q, block_kv=block_kv) == by_key


@given(st.lists(st.tuples(LENGTHS, LENGTHS, WINDOWS, BLOCKS, BLOCKS), min_size=1, max_size=8), st.booleans())
def test_arrays_of_masks_are_counted_as_one_by_one(rows, causal):
    queries, keys, window, block_q, block_kv = np.array(rows, dtype=float).T
    masked = band(queries, keys, causal=causal, window=window)
    one_by_one = [band(n, m, causal=causal, window=w) for n, m, w, _, _ in rows]

    assert list(visible_pairs(masked)) == [visible_pairs(one) for one in one_by_one]
    assert list(query_keys_touched(masked, block_q=block_q, block_kv=block_kv, keys=keys)) == [
        query_keys_touched(one, block_q=row[3], block_kv=row[4], keys=row[1])
        for one, row in zip(one_by_one, rows, strict=True)
    ]
    assert list(key_rows_touched(masked, block_q=block_q, block_kv=block_kv)) == [
        key_rows_touched(one, block_q=row[3], block_kv=row[4])
        for one, row in zip(one_by_one, rows, strict=True)
    ]


@given(st.integers(0, 30), st.integers(0, 50), st.integers(0, 50), st.integers(1, 20))
def test_a_floor_sum_is_the_sum_of_floors(count, step, start, modulus):
    expected = sum((start + i * step) // modulus for i in range(count))

    assert floor_sum(count, step, start, modulus) == expected
    assert floor_sum(np.array([count]), step, start, modulus) == [expected]


def test_pairs_stay_exact_for_a_million_tokens():
    n = 2**20

    causal = visible_pairs(band(n, n, causal=True, window=0))
    local = visible_pairs(band(n, n, causal=True, window=4096))

    assert causal == n * (n + 1) // 2
    assert local == 4096 * 4097 // 2 + (n - 4096) * 4096


def test_queries_before_the_first_key_see_nothing():
    estimate = estimate_of("attention", heads=2, kv_heads=1, seq_q=10, seq_kv=4, head_dim=8, causal=True)

    assert estimate.work["bf16-tensor"] == 4 * 8 * 2 * (4 * 5 / 2)
    assert "The first 6 queries stand before the first key and see nothing." in estimate.notes()


def test_keys_that_no_query_sees_are_counted_and_named():
    estimate = estimate_of(
        "attention", heads=1, kv_heads=1, seq_q=10, seq_kv=100, head_dim=8, causal=True, window=20
    )

    # The first query stands at key 90 and sees keys 71 to 90.
    assert estimate.work["bf16-tensor"] == 4 * 8 * 10 * 20
    assert sum(compulsory_bytes(estimate)) == 2 * 8 * (10 + 100 + 100 + 10)
    assert (
        "No query sees the first 71 keys, yet they are counted; a smaller seq_kv leaves them out."
        in estimate.notes()
    )
    assert tiled_bytes(estimate) == compulsory_bytes(estimate)  # never below


def test_query_heads_count_for_work_and_kv_heads_for_the_cache():
    shared = estimate_of("attention", batch=2, heads=8, kv_heads=2, seq_q=16, seq_kv=32, head_dim=4)

    assert shared.work == {"bf16-tensor": 4 * 4 * 2 * 8 * 16 * 32, "special": 4 * 2 * 8 * 16 * 32}
    assert compulsory_bytes(shared) == (2 * 2 * 4 * (8 * 16 + 2 * 2 * 32), 2 * 2 * 4 * 8 * 16)
    assert [(one.name, one.role) for one in shared.tensors] == [
        ("Q", "input"), ("K", "input"), ("V", "input"), ("O", "output"),
    ]  # fmt: skip


def test_flash_reads_keys_and_values_again_for_every_block_of_queries_of_every_query_head():
    estimate = estimate_of(
        "attention", batch=2, heads=8, kv_heads=2, seq_q=300, seq_kv=500, head_dim=64, block_q=128
    )
    q, kv = 2 * 8 * 300 * 64, 2 * 8 * 500 * 64

    assert tiled_bytes(estimate) == (2 * q + 2 * 2 * 3 * kv, 2 * q)
    assert crossing_bytes(estimate, "l2") == tiled_bytes(estimate)


def test_under_a_causal_mask_flash_reads_the_visible_blocks_up_to_the_last_key():
    estimate = estimate_of(
        "attention", heads=1, kv_heads=1, seq_q=300, seq_kv=500, head_dim=1, causal=True, block_q=128, block_kv=64
    )  # fmt: skip

    # Blocks of queries end at positions 328, 456 and 500; in whole blocks of 64: 384, 512 (only 500 are there), 500.
    assert tiled_bytes(estimate)[0] == 2 * 300 + 2 * 2 * (384 + 500 + 500)


def test_formats_of_cache_and_activations_are_counted_apart():
    estimate = estimate_of(
        "attention", heads=4, kv_heads=4, seq_q=8, seq_kv=8, head_dim=16, dtype="bf16,kv=fp8"
    )

    assert compulsory_bytes(estimate) == (2 * 512 + 2 * 512, 2 * 512)
    assert estimate.main_pipe == "bf16-tensor"


@pytest.mark.parametrize("policy", ["compulsory", "tiled", "modelled"])
def test_naive_adds_four_passes_over_the_scores_under_every_policy(policy):
    result = placed(
        "attention", heads=2, kv_heads=1, seq_q=64, seq_kv=64, head_dim=8, implementation="naive", causal=True,
        dtype="bf16,kv=fp8", settings=Settings(policy=policy),
    )  # fmt: skip
    pairs = 2 * 64 * 65 / 2

    assert result.traffic_bytes == 2 * 2 * 2 * 64 * 8 + 1 * 2 * 64 * 8 + 4 * 2 * pairs
    assert result.estimate.launch.kernels == 3


def test_the_flash_backward_pass_makes_the_scores_again():
    estimate = estimate_of(
        "attention", heads=4, kv_heads=2, seq_q=32, seq_kv=64, head_dim=8, direction="backward"
    )
    pairs, q, kv = 4 * 32 * 64, 4 * 32 * 8, 2 * 64 * 8

    assert estimate.work == {"bf16-tensor": 10 * 8 * pairs, "special": 4 * pairs}
    # Q, K, V, O and dO in; dQ, dK and dV out.
    assert compulsory_bytes(estimate) == (2 * (3 * q + 2 * kv), 2 * (q + 2 * kv))
    assert estimate.tensors[0].name == "dO"
    assert estimate.tensors[-1].name == "dQ"


def test_the_flash_backward_pass_goes_over_the_queries_for_every_block_of_keys():
    estimate = estimate_of(
        "attention",
        heads=2,
        kv_heads=1,
        seq_q=100,
        seq_kv=300,
        head_dim=8,
        block_kv=128,
        direction="backward",
    )
    q, kv, all_kv = 2 * 100 * 8, 1 * 300 * 8, 2 * 300 * 8

    read, write = tiled_bytes(estimate)

    # Three blocks of keys: Q, dO (2 bytes each) and sums of dQ (4 bytes) each time, K and V per query head;
    # dO and O before it, the sums of dQ once more after it.
    assert read == 3 * q * (2 + 2 + 4) + 2 * 2 * all_kv + 2 * 2 * q + 4 * q
    assert write == 3 * q * 4 + 2 * q + 2 * 2 * kv


def test_the_naive_backward_pass_makes_seven_passes_over_the_scores_and_no_exponential():
    estimate = estimate_of(
        "attention", heads=1, kv_heads=1, seq_q=16, seq_kv=16, head_dim=4, implementation="naive",
        direction="backward",
    )  # fmt: skip

    assert estimate.work == {"bf16-tensor": 8 * 4 * 256}
    assert sum(compulsory_bytes(estimate)) == 2 * (8 * 16 * 4 + 7 * 256)
    assert tiled_bytes(estimate) == compulsory_bytes(estimate)


@pytest.mark.parametrize(("implementation", "flop"), [("flash", 14), ("naive", 12)])
def test_both_directions_are_two_kernels_after_each_other(implementation, flop):
    shape = {"heads": 8, "kv_heads": 8, "seq_q": 512, "seq_kv": 512, "implementation": implementation}
    one, other = (placed("attention", **shape, direction=way) for way in ("forward", "backward"))

    both = placed("attention", **shape, direction="both")

    assert both.work_flop == flop * 128 * 8 * 512**2 == one.work_flop + other.work_flop
    assert both.traffic_bytes == one.traffic_bytes + other.traffic_bytes
    assert both.time_s == pytest.approx(one.time_s + other.time_s)
    assert both.estimate.footprint_bytes == other.estimate.footprint_bytes > one.estimate.footprint_bytes
    assert value_of(formulas_of(both.estimate)["work"]) == both.work_flop


def test_a_forecast_works_out_every_visible_block_whole():
    settings = Settings(forecast=True)
    shape = {"heads": 1, "kv_heads": 1, "seq_q": 200, "seq_kv": 200, "head_dim": 64}

    full, causal = (
        placed("attention", **shape, causal=causal, settings=settings) for causal in (False, True)
    )

    # 2 × 2 blocks of 128 × 128, of which a causal mask hides the upper right one.
    assert full.limits.judged["tiles"]["padded_work_flop"] == 4 * 64 * 256**2
    assert causal.limits.judged["tiles"]["padded_work_flop"] == 4 * 64 * 3 * 128**2
    assert full.limits.judged["waves"]["tiles"] == 2
    assert "waves" not in causal.limits.judged  # its blocks are unequal


@pytest.mark.parametrize(
    ("heads", "kv_heads", "mend"),
    [(30, 8, "Set heads to 32, or kv_heads to 6."), (4, 8, "Set heads to 8, or kv_heads to 4."),
     (7, 3, "Set heads to 6, or kv_heads to 1.")],
)  # fmt: skip
def test_heads_that_cannot_be_shared_evenly_are_refused_with_the_nearest_that_can(heads, kv_heads, mend):
    for operator in ("attention", "attention_decode"):
        with pytest.raises(
            ParameterError, match=f"heads = {heads} is not a multiple of kv_heads = {kv_heads}"
        ) as raised:
            placed(operator, heads=heads, kv_heads=kv_heads)
        assert str(raised.value).endswith(mend)


def test_a_sweep_over_heads_names_the_first_that_do_not_fit():
    with pytest.raises(
        ParameterError, match=r"heads = 12 is not a multiple of kv_heads = 8\. Set heads to 16"
    ):
        placed("attention_decode", heads=np.array([8.0, 12.0]), kv_heads=8)
    assert list(placed("attention_decode", heads=np.array([8.0, 16.0]), kv_heads=8).intensity > 0) == [
        True,
        True,
    ]


def test_a_decoded_token_reads_its_own_cache_once():
    estimate = estimate_of("attention_decode", batch=3, heads=8, kv_heads=2, context=100, head_dim=16)

    assert estimate.work == {"bf16-tensor": 4 * 16 * 8 * 3 * 100, "special": 4 * 8 * 3 * 100}
    assert compulsory_bytes(estimate) == (2 * 3 * 8 * 16 + 2 * 2 * 3 * 2 * 100 * 16, 2 * 3 * 8 * 16)
    assert [one.role for one in estimate.tensors] == ["input", "cache", "cache", "output"]


def test_intensity_of_decoding_grows_with_the_heads_that_share_and_with_nothing_else():
    base = placed("attention_decode", heads=8, kv_heads=8, context=65536)

    assert base.intensity == pytest.approx(1, rel=1e-3)
    assert placed("attention_decode", heads=8, kv_heads=1, context=65536).intensity == pytest.approx(
        8, rel=1e-3
    )
    assert (
        placed("attention_decode", heads=8, kv_heads=8, context=65536, batch=256).intensity == base.intensity
    )


@pytest.mark.parametrize(
    ("window", "page", "seen", "read"),
    [
        (0, 0, 1000, 1000),
        (0, 16, 1000, 1008),  # 62.5 pages
        (100, 0, 100, 100),
        (100, 64, 100, 128),
        (5000, 64, 1000, 1024),
    ],
)
def test_a_window_and_whole_pages_bound_what_is_read(window, page, seen, read):
    estimate = estimate_of(
        "attention_decode", batch=1, heads=1, kv_heads=1, context=1000, head_dim=1, window=window, page=page
    )
    arrays = estimate_of(
        "attention_decode", batch=1, heads=1, kv_heads=1, context=1000, head_dim=1, window=np.array([window, 0.0]),
        page=np.array([page, 0.0]),
    )  # fmt: skip

    for one in (estimate, arrays):
        assert np.ravel(one.work["bf16-tensor"])[0] == 4 * seen
        assert np.ravel(one.tensors[1].elements)[0] == read
    assert arrays.tensors[1].elements[1] == 1000


def test_an_empty_cache_leaves_the_query_and_the_result():
    result = placed("attention_decode", batch=1, heads=1, kv_heads=1, context=0, head_dim=8)

    assert (result.work_flop, result.traffic_bytes, result.bound) == (0, 32, "memory")


FORMULAS = [
    ("attention", {}),
    ("attention", {"causal": True}),
    ("attention", {"implementation": "naive"}),
    ("attention", {"direction": "backward"}),
    ("attention", {"direction": "backward", "implementation": "naive", "window": 100}),
    ("attention_decode", {}),
    ("attention_decode", {"window": 500, "page": 64}),
]


@pytest.mark.parametrize(("id_", "parameters"), FORMULAS)
def test_the_formulas_give_the_figures(id_, parameters):
    estimate = estimate_of(id_, batch=2, dtype="bf16,kv=fp8", **parameters)
    formulas = formulas_of(estimate)

    assert value_of(formulas["work"]) == pytest.approx(estimate.work["bf16-tensor"], rel=1e-5)
    assert value_of(formulas["compulsory"]) == pytest.approx(sum(compulsory_bytes(estimate)), rel=1e-5)
    if formulas.get("tiled") and formulas["tiled"].values:
        assert value_of(formulas["tiled"]) == sum(tiled_bytes(estimate))
    assert ("special" in formulas) == ("special" in estimate.work)
    if "special" in formulas:
        assert value_of(formulas["special"]) == estimate.work["special"]


@pytest.mark.parametrize("direction", ["forward", "backward"])
@pytest.mark.parametrize("implementation", ["flash", "naive"])
def test_every_pass_says_what_it_takes_for_granted(direction, implementation):
    estimate = estimate_of("attention", direction=direction, implementation=implementation, causal=True)

    assert "The mask thins out the pairs, not the tensors: Q, K, V and O cross whole." in estimate.notes()
    assert len(estimate.notes()) == 2


def test_a_sweep_has_symbols_and_no_figures_of_single_points():
    estimate = estimate_of(
        "attention", seq_q=np.array([10.0, 20.0]), seq_kv=16, causal=True, window=np.array([0.0, 4.0])
    )
    decode = estimate_of("attention_decode", heads=np.array([8.0, 16.0]), page=16)

    assert all(one.values == "" for one in estimate.formulas())
    assert not any("queries" in note or "keys" in note for note in estimate.notes())
    assert decode.notes() == ("Pages are read whole, the partly filled last one too.",)


# ------------------------------------------------------------------------------------- formats by name


def test_every_tensor_of_attention_can_have_a_format_of_its_own():
    estimate = estimate_of(
        "attention", heads=2, kv_heads=1, seq_q=10, seq_kv=20, head_dim=8, implementation="naive",
        dtype="bf16,K=fp8,V=int8,scores=fp32,O=fp32",
    )  # fmt: skip
    q, kv, pairs = 2 * 10 * 8, 20 * 8, 2 * 10 * 20

    # Q in bf16, K and V in 8 bits; scores in fp32 and probabilities in bf16, each written and read.
    assert compulsory_bytes(estimate) == (2 * q + 2 * kv + (4 + 2) * pairs, (4 + 2) * pairs + 4 * q)
    assert value_of(formulas_of(estimate)["compulsory"]) == sum(compulsory_bytes(estimate))
    assert "s_x is the mean" in formulas_of(estimate)["compulsory"].source


@pytest.mark.parametrize("implementation", ["flash", "naive"])
def test_gradients_follow_their_tensors_unless_they_are_named(implementation):
    estimate = estimate_of(
        "attention", heads=2, kv_heads=1, seq_q=10, seq_kv=20, head_dim=8, implementation=implementation,
        direction="backward", dtype="bf16,Q=fp32,K=fp8,dV=fp32,dP=fp32",
    )  # fmt: skip
    formats = {one.name: one.dtype.id for one in estimate.tensors}

    assert (formats["dQ"], formats["dK"], formats["dV"], formats["dO"]) == ("fp32", "fp8", "fp32", "bf16")
    assert value_of(formulas_of(estimate)["compulsory"]) == pytest.approx(
        sum(compulsory_bytes(estimate)), rel=1e-5
    )
    if implementation == "flash":
        assert sum(tiled_bytes(estimate)) >= sum(compulsory_bytes(estimate))


def test_keys_and_values_of_a_cache_can_be_stored_apart():
    estimate = estimate_of(
        "attention_decode", batch=1, heads=1, kv_heads=1, context=100, head_dim=8, dtype="bf16,V=fp8"
    )

    assert compulsory_bytes(estimate)[0] == 2 * 8 + 100 * 8 * (2 + 1)
    assert estimate.main_pipe == "bf16-tensor"
    assert value_of(formulas_of(estimate)["compulsory"]) == sum(compulsory_bytes(estimate))


# ----------------------------------------------------------------------------------- latent attention

MLA = {"batch": 4, "heads": 128, "context": 1000, "latent_width": 512, "rope_width": 64, "head_dim": 128}


def test_absorbed_heads_work_on_the_latent_and_read_it_once():
    estimate = estimate_of("mla_decode", **MLA)
    pairs = 4 * 128 * 1000

    # Score over latent and rope, weighted sum over the latent.
    assert estimate.work == {"bf16-tensor": (2 * (512 + 64) + 2 * 512) * pairs, "special": 4 * pairs}
    assert compulsory_bytes(estimate) == (
        2 * 4 * 128 * (512 + 64) + 2 * 4 * 1000 * (512 + 64),
        2 * 4 * 128 * 512,
    )


def test_not_absorbed_keys_and_values_are_made_again_for_every_head_and_token():
    estimate = estimate_of("mla_decode", **MLA, absorbed=False)
    pairs = 4 * 128 * 1000
    made, attended = 2 * 512 * (128 + 128), 2 * (128 + 64) + 2 * 128

    assert estimate.work["bf16-tensor"] == (made + attended) * pairs
    assert compulsory_bytes(estimate)[0] == (
        2 * 4 * 128 * (128 + 64) + 2 * 4 * 1000 * (512 + 64) + 2 * 2 * 128 * 128 * 512
    )
    assert compulsory_bytes(estimate)[1] == 2 * 4 * 128 * 128


def test_a_latent_cache_buys_fewer_bytes_with_more_work():
    latent = placed("mla_decode", batch=16, context=65536)
    plain = placed("attention_decode", batch=16, heads=128, kv_heads=128, context=65536)

    assert latent.traffic_bytes < plain.traffic_bytes / 50
    assert latent.work_flop > 4 * plain.work_flop
    # 128 heads · (2·512 + 64)·2 FLOP over (512 + 64)·2 bytes for every cached token
    assert latent.intensity == pytest.approx(128 * 1088 * 2 / (576 * 2), rel=0.01)


def test_a_latent_cache_has_windows_and_pages_too():
    estimate = estimate_of("mla_decode", **MLA, window=100, page=64)

    assert estimate.work["special"] == 4 * 4 * 128 * 100
    assert estimate.tensors[1].elements == 4 * 576 * 128
    assert "Pages are read whole, the partly filled last one too." in estimate.notes()


@pytest.mark.parametrize("parameters", [{}, {"absorbed": False}, {"window": 100, "page": 64}])
def test_the_formulas_of_latent_attention_give_the_figures(parameters):
    estimate = estimate_of("mla_decode", **MLA, dtype="bf16,kv=fp8", **parameters)
    formulas = formulas_of(estimate)

    assert value_of(formulas["work"]) == estimate.work["bf16-tensor"]
    assert value_of(formulas["compulsory"]) == sum(compulsory_bytes(estimate))
    assert value_of(formulas["special"]) == estimate.work["special"]


def test_an_empty_latent_cache_leaves_the_query_and_the_result():
    result = placed("mla_decode", **{**MLA, "context": 0})

    assert (result.work_flop, result.bound) == (0, "memory")
    assert result.traffic_bytes == 2 * 4 * 128 * (576 + 512)
