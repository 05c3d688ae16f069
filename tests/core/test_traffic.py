"""Which bytes are counted at which boundary under which policy."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooflinestudio.core.dtypes import DTYPES
from rooflinestudio.core.operators import Tensor
from rooflinestudio.core.traffic import compulsory_bytes, crossing_bytes, tiled_bytes
from tests.core.kernels import kernel

BLOCKED = {"register": (900.0, 0.0), "l2": (70.0, 30.0), "dram": (50.0, 20.0)}
TILED = kernel(1, 10, 6, blocked=BLOCKED)
PLAIN = kernel(1, 10, 6)


def test_compulsory_traffic_counts_every_tensor_as_often_as_it_must_cross():
    bf16, int4 = DTYPES["bf16"], DTYPES["int4"]
    estimate = kernel(
        tensors=(
            Tensor("state", 100, bf16, 1, 1, "state"),
            Tensor("scores", 10, bf16, 2, 1, "intermediate"),
            Tensor("weights", 256, int4, 1),
        )
    )

    assert compulsory_bytes(estimate) == (200 + 40 + 256 * 4.15625 / 8, 200 + 20)


@pytest.mark.parametrize("boundary", ["dram", "l3"])
@pytest.mark.parametrize(
    ("policy", "absorption", "expected"),
    [
        ("compulsory", 0.85, (10, 6)),
        ("tiled", 0.85, (50, 20)),
        ("modelled", 0.0, (50, 20)),
        ("modelled", 0.85, (10 + 0.15 * 40, 6 + 0.15 * 14)),
        ("modelled", 1.0, (10, 6)),
    ],
)
def test_the_policy_chooses_the_count_at_dram_and_at_the_last_level_cache(
    boundary, policy, absorption, expected
):
    assert crossing_bytes(TILED, boundary, policy=policy, absorption=absorption) == pytest.approx(expected)


@pytest.mark.parametrize("policy", ["compulsory", "tiled", "modelled"])
@pytest.mark.parametrize(
    ("boundary", "expected"),
    [("register", (900, 0)), ("shared", (70, 30)), ("l1", (70, 30)), ("l2", (70, 30))],
)
def test_inside_the_blocked_count_holds_under_every_policy(policy, boundary, expected):
    # shared and l1 have no count of their own: they take that of the next one outward.
    assert crossing_bytes(TILED, boundary, policy=policy, absorption=0.85) == expected


def test_inside_dram_counts_once_only_where_no_boundary_has_a_count():
    only_dram = kernel(1, 10, 6, blocked={"dram": (50.0, 20.0)})
    inner = kernel(1, 10, 6, blocked={"register": (900.0, 0.0)})

    assert crossing_bytes(only_dram, "register") == (50, 20)
    assert crossing_bytes(inner, "l2") == (10, 6)
    assert crossing_bytes(PLAIN, "shared") == (10, 6)


@pytest.mark.parametrize("policy", ["compulsory", "tiled", "modelled"])
def test_without_a_blocking_every_policy_counts_the_same(policy):
    assert crossing_bytes(PLAIN, "dram", policy=policy) == (10, 6)
    assert tiled_bytes(PLAIN) == (10, 6)
    assert tiled_bytes(TILED) == (50, 20)


@pytest.mark.parametrize("policy", ["compulsory", "tiled", "modelled"])
def test_links_take_the_count_that_the_operator_gives_else_every_tensor(policy):
    given_count = kernel(1, 10, 6, blocked={"nvlink": (0.0, 4.0), "dram": (50.0, 20.0)})

    assert crossing_bytes(given_count, "nvlink", policy=policy) == (0, 4)
    assert crossing_bytes(given_count, "pcie", policy=policy) == (10, 6)


@given(st.floats(0, 1), st.floats(0, 1))
def test_more_absorption_never_means_more_traffic(one, other):
    low, high = sorted((one, other))

    assert sum(crossing_bytes(TILED, "dram", policy="modelled", absorption=high)) <= sum(
        crossing_bytes(TILED, "dram", policy="modelled", absorption=low)
    )
