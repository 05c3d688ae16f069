"""Thresholds: expected values are solved by hand from W, Q and the machine's figures."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooflinestudio.core.dtypes import DTYPES, parse_dtypes
from rooflinestudio.core.errors import ParameterError, RefusedError
from rooflinestudio.core.operators import Estimate, OperatorBase, Parameter, Part, Tensor
from rooflinestudio.core.search import Flip, first_flip, flips_along
from rooflinestudio.core.settings import Settings
from rooflinestudio.core.subject import Subject
from rooflinestudio.core.threshold_order import order_swap
from rooflinestudio.core.thresholds import (
    bound_flip,
    crosses_over,
    is_bound,
    largest_that_fits,
    threshold,
    traffic_crossover,
    weight_only_batch_to_ridge,
)
from tests.core.profiles import H100, H200, figure
from tests.support import Source, machine

BF16 = parse_dtypes("bf16")
RIDGE = 989.4 / 3.35


@pytest.fixture(scope="module")
def registry():
    from rooflinestudio.plugins.host import PluginHost

    host = PluginHost.discover()
    host.load_builtins()
    return host.registry


@pytest.fixture
def gemm(registry):
    return lambda profile=H100, dtypes="bf16", **fixed: Subject(
        registry, "gemm", profile, fixed, parse_dtypes(dtypes), Settings(boundary="dram")
    )


class Decode(OperatorBase):
    """A decode step of a model of 70e9 parameters: weights once, 327,680 bytes of cache per token."""

    id = "decode"
    parameters = (
        Parameter("batch", "batch", 1, high=1e6),
        Parameter("context", "context", 8192, low=0, high=1e9),
    )
    dtype_roles = {"weight": "bf16", "kv": "bf16"}  # noqa: RUF012

    def estimate(self, parameters, dtypes):
        tokens = 1.0 * parameters["batch"] * parameters["context"]
        weights = Tensor("weights", 70e9, dtypes["weight"], 1, 0, "weight")
        cache = Tensor("cache", tokens * 327_680 / 2 / 80, dtypes["kv"], 1, 0, "cache")
        layers = Part("attention", "decode", {}, {}, 80, Estimate({}, "bf16-tensor", (cache,)))
        products = Part("products", "decode", {}, {}, 1, Estimate({}, "bf16-tensor", (weights,)))
        held = 140e9 + 327_680.0 * tokens
        return Estimate({}, "bf16-tensor", (), parts=(products, layers), footprint_bytes=held)


def decode(profile=H100, **fixed):
    return Subject(Source(Decode()), "decode", profile, fixed, BF16, Settings(boundary="dram"))


# ------------------------------------------------------------------------------------------ the search


@given(edge=st.integers(1, 10**12), high=st.integers(2, 10**12))
def test_a_flip_of_whole_numbers_is_found_exactly(edge, high) -> None:
    found = first_flip(lambda values: (values >= edge).astype(int), low=0, high=high)
    if edge > high:
        assert found is None
    else:
        assert found == Flip(edge - 1, edge)


@given(edge=st.floats(1e-6, 1e12))
def test_a_flip_of_real_numbers_is_found_to_the_last_bit(edge) -> None:
    found = first_flip(lambda values: (values >= edge).astype(int), low=1e-9, high=1e15, integer=False)
    assert found == Flip(math.nextafter(edge, 0), edge)


def test_the_first_of_several_flips_is_found_in_a_range_that_is_asked_number_by_number() -> None:
    narrow = first_flip(lambda values: (values == 40_000).astype(int), low=1, high=60_000)
    assert narrow == Flip(39_999, 40_000)


def test_values_without_an_answer_are_passed_over() -> None:
    def only_multiples_of(step, edge):
        return lambda values: np.where(values % step, -1, values >= edge).astype(int)

    assert first_flip(only_multiples_of(8, 1001), low=8, high=4000) == Flip(1000, 1008)
    assert first_flip(only_multiples_of(8, 10**9 + 1), low=8, high=10**11) == Flip(10**9, 10**9 + 8)
    # so few answers that neighbours do not help
    assert first_flip(only_multiples_of(1000, 5 * 10**6 + 1), low=1000, high=10**7) == Flip(
        5 * 10**6, 5 * 10**6 + 1000
    )
    assert first_flip(lambda values: np.full(len(values), -1), low=1, high=10) is None


def test_all_flips_along_a_list_are_found_also_a_third_answer_between_two_points() -> None:
    found = flips_along(
        lambda values: np.searchsorted([10, 500, 7000], values, side="right"), np.array([1.0, 100, 9000])
    )
    assert found == [Flip(9, 10), Flip(499, 500), Flip(6999, 7000)]


# ------------------------------------------------------------------------------------------ the ridge


def test_a_cube_becomes_compute_bound_at_887_on_an_h100(gemm) -> None:
    found = bound_flip(gemm(), ("m", "n", "k"))
    assert (found.below, found.at) == (886, 887)  # n/3 = 295.34 at 886.03
    assert (found.before, found.after) == ("memory at dram", "compute at bf16-tensor")
    assert found.placed_below.parameters["n"] == 886 and found.placed_below.bound == "memory"
    assert found.placed_at.parameters["m"] == 887 and found.placed_at.bound == "compute"


@pytest.mark.parametrize(
    ("dtypes", "n"),
    [
        ("fp8", math.ceil(1.5 * 1978.9 / 3.35)),  # 2n³ / (3n²)
        ("tf32", math.ceil(6 * 494.7 / 3.35)),  # 2n³ / (12n²)
        ("bf16,output=fp32", math.ceil(4 * RIDGE)),  # 2n³ / (8n²)
    ],
)
def test_the_cube_at_the_ridge_follows_the_format(gemm, dtypes, n) -> None:
    assert bound_flip(gemm(dtypes=dtypes), ("m", "n", "k")).at == n


def test_the_batch_at_the_ridge_of_a_projection_counts_activations_too(gemm) -> None:
    found = bound_flip(gemm(n=8192, k=8192), "m")
    exact = RIDGE / (1 - 2 * RIDGE / 8192)  # I = m·d/(2m + d)
    assert found.below < exact <= found.at and found.at == 319


def test_weights_alone_reach_the_ridge_at_half_their_bytes_times_the_ridge() -> None:
    assert weight_only_batch_to_ridge(H100) == pytest.approx(295.343, rel=1e-5)
    assert weight_only_batch_to_ridge(H100, "fp8") == pytest.approx(295.358, rel=1e-5)
    assert weight_only_batch_to_ridge(H100, "int4", "bf16") == pytest.approx(4.15625 / 16 * 295.343, rel=1e-5)
    for batch, reached in ((295, False), (296, True)):  # I = 2·B/s against the ridge, on both sides
        assert (2 * batch / DTYPES["bf16"].bytes >= RIDGE) is reached
    with pytest.raises(RefusedError, match="fp4"):
        weight_only_batch_to_ridge(H100, "nvfp4")


def test_a_parameter_that_need_not_be_whole_is_found_to_the_last_bit() -> None:
    one = Subject(Source(), "copy", machine(), {}, BF16, Settings(boundary="dram"))
    found = bound_flip(one, "flop")
    assert found.at == pytest.approx(100, rel=1e-14)  # 4 bytes · ridge of 25
    assert math.nextafter(found.below, math.inf) == found.at
    assert found.placed_below.bound == "memory" and found.placed_at.bound == "compute"


def test_where_nothing_turns_there_is_no_threshold(gemm) -> None:
    assert bound_flip(gemm(), ("m", "n", "k"), low=1000, high=100_000) is None
    assert bound_flip(gemm(k=1, n=64), "m") is None


# ------------------------------------------------------------------------------------------ capacity


def test_the_largest_value_that_fits_is_found_on_both_sides(gemm) -> None:
    found = largest_that_fits(gemm(n=8192, k=8192), "m")
    assert found.below == (80_000_000_000 - 2 * 8192**2) // (4 * 8192)
    assert found.at == found.below + 1
    assert "fits (79.9999" in found.before and "does not fit (80.0000" in found.after


def test_the_largest_batch_of_a_decode_step() -> None:
    dram = replace(H100.boundaries["dram"], capacity=figure(192e9))
    big = replace(H100, boundaries={**H100.boundaries, "dram": dram})
    found = largest_that_fits(decode(big), "batch")
    assert found.below == int((192e9 - 140e9) // (327_680 * 8192)) == 19


def test_what_is_needed_to_judge_the_capacity_is_said(gemm) -> None:
    with pytest.raises(RefusedError, match="how much dram holds"):
        largest_that_fits(gemm(profile=H200), "m")
    copy = Subject(Source(), "copy", machine(), {}, BF16)
    with pytest.raises(RefusedError, match="must be in dram"):
        largest_that_fits(copy, "elements")


# ------------------------------------------------------------------------------------------ traffic


def test_the_cache_overtakes_the_weights_at_a_batch_of_53() -> None:
    found = traffic_crossover(decode(), "batch")
    assert (found.below, found.at) == (52, 53)  # 140e9 / (327,680 · 8192) = 52.15
    assert found.after == "cache moves more than weight"


def test_the_crossover_can_be_looked_for_along_the_context() -> None:
    found = traffic_crossover(decode(batch=8), "context")
    exact = 140e9 / (8 * 327_680)
    assert found.below <= exact < found.at == math.floor(exact) + 1


def test_roles_are_counted_through_parts_and_counts() -> None:
    placed = decode(batch=1).at({})
    assert not crosses_over("cache", "weight")(placed) and crosses_over("weight", "cache")(placed)


# ------------------------------------------------------------------------------------------ order


def test_two_machines_swap_where_the_faster_memory_stops_helping(gemm) -> None:
    other = machine("slow-memory", peak=2 * 989.4e12, hbm=3.35e12 / 2)
    found = order_swap(gemm(), gemm(profile=other), ("m", "n", "k"))
    # Memory-bound there, compute-bound here: 6n²/1.675e12 = 2n³/989.4e12
    exact = 3 * 989.4 / 1.675
    assert found.below <= exact < found.at == math.floor(exact) + 1
    assert found.placed_at.time_s == pytest.approx(2 * found.at**3 / 989.4e12)
    assert "above" in found.after and "at most" in found.before


def test_two_operators_swap_by_any_figure(registry) -> None:
    def one(operator, **fixed):
        return Subject(registry, operator, H100, fixed, BF16, Settings(boundary="dram"))

    # 2·(64m + 64·4096 + 4096m) against 2·(8192m + 8192·16 + 16m): equal at m = 262,144 / 8,096 = 32.4
    products = order_swap(one("gemm", n=4096, k=64), one("gemm", n=16, k=8192), "m", figure="traffic_bytes")
    assert (products.below, products.at) == (32, 33)
    # The gain of a norm, 2·64 bytes, weighs less and less: 256t + 128 against 260t
    norm = order_swap(one("rmsnorm", width=64), one("gelu", width=65), "tokens", figure="traffic_bytes")
    assert (norm.below, norm.at) == (31, 32)
    assert norm.before == "traffic_bytes of rmsnorm is above that of gelu"
    # Both grow in proportion: they never swap
    assert order_swap(one("silu", width=64), one("gelu", width=65), "tokens", figure="work_flop") is None


def test_two_formats_swap_where_bytes_stop_to_matter(gemm) -> None:
    # fp8 weights with bf16 products against bf16 weights: equal once both are compute-bound.
    narrow = gemm(dtypes="bf16,weight=fp8", n=8192, k=8192)
    found = order_swap(gemm(n=8192, k=8192), narrow, "m")
    assert found.at == bound_flip(gemm(n=8192, k=8192), "m").at
    assert "above that of the second" in found.before


# ------------------------------------------------------------------------------------------ any question


def test_any_question_can_be_asked(gemm) -> None:
    found = threshold(gemm(n=4096, k=4096), "m", lambda placement: placement.time_s > 1e-3)
    exact = 1e-3 * 989.4e12 / (2 * 4096**2)
    assert found.below <= exact < found.at
    assert found.kind == "question" and "compute" in found.after


def test_points_that_are_refused_are_passed_over(registry) -> None:
    one = Subject(
        registry,
        "attention",
        H100,
        {"kv_heads": 8, "seq_q": 16, "seq_kv": 16},
        BF16,
        Settings(boundary="dram"),
    )
    found = threshold(one, "heads", lambda placement: placement.traffic_bytes > 1e6, high=1000)
    # 2·16·128·(2·heads + 2·8) bytes > 1e6 from heads = 115 on; the next multiple of 8 is 120
    assert (found.below, found.at) == (112, 120)


@pytest.mark.parametrize(
    ("names", "words"),
    [("mm", "did you mean 'm'"), ("direction", "is a choice"), (("m", "stream_k"), "is a choice")],
)
def test_a_threshold_is_looked_for_along_numbers(gemm, names, words) -> None:
    with pytest.raises(ParameterError, match=words):
        bound_flip(gemm(), names)


def test_an_empty_range_and_an_unknown_bound_are_refused(gemm) -> None:
    with pytest.raises(ParameterError, match="smaller end first"):
        bound_flip(gemm(), "m", low=10, high=1)
    with pytest.raises(ParameterError, match="no bound"):
        is_bound("memmory")


def test_where_every_point_is_refused_the_reason_comes_through(gemm) -> None:
    with pytest.raises(RefusedError, match="fp4"):
        bound_flip(gemm(dtypes="fp4"), "m")
