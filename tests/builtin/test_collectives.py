"""Collectives: what one rank sends over the link, what it moves in its own memory, and what it adds up."""

from __future__ import annotations

import numpy as np
import pytest

from rooflinestudio.core.errors import RefusedError
from rooflinestudio.core.placement import Settings
from rooflinestudio.core.traffic import compulsory_bytes
from tests.builtin.evaluating import OPERATORS, estimate_of, formulas_of, placed, value_of
from tests.core.profiles import A100, H100, TINY, without

N, P = 67_108_864, 8
NVLINK, HBM = 450e9, 3.35e12
SHARES = {
    ("all_reduce", "ring"): 2 * 7 / 8,
    ("all_reduce", "tree"): 2 * 7 / 8,
    ("all_reduce", "in_switch"): 9 / 8,  # the buffer in, an eighth of the sums out
    ("all_gather", "ring"): 7 / 8,
    ("all_gather", "doubling"): 7 / 8,
    ("reduce_scatter", "ring"): 7 / 8,
    ("reduce_scatter", "halving"): 7 / 8,
    ("all_to_all", "direct"): 7 / 8,
    ("all_to_all", "bruck"): 3 / 2,  # half the buffer in each of three rounds
}
STEPS = {
    ("all_reduce", "ring"): 14, ("all_reduce", "tree"): 6, ("all_reduce", "in_switch"): 2,
    ("all_gather", "ring"): 7, ("all_gather", "doubling"): 3, ("reduce_scatter", "ring"): 7,
    ("reduce_scatter", "halving"): 3, ("all_to_all", "direct"): 7, ("all_to_all", "bruck"): 3,
}  # fmt: skip
ADDS = {
    ("all_reduce", "ring"),
    ("all_reduce", "tree"),
    ("reduce_scatter", "ring"),
    ("reduce_scatter", "halving"),
}


def call(id_, algorithm, **more):
    return placed(id_, elements=N, ranks=P, algorithm=algorithm, **more)


@pytest.mark.parametrize(("which", "share"), SHARES.items())
def test_the_link_carries_the_share_that_one_rank_sends(which, share):
    result = call(*which)

    assert result.boundary == result.binding == "nvlink"
    assert result.traffic_bytes == pytest.approx(share * 2 * N)
    assert result.time_s == pytest.approx(share * 2 * N / NVLINK)
    assert result.bound == "memory"
    assert (result.at("nvlink").read_bytes, result.at("nvlink").write_bytes) == (0, result.traffic_bytes)


def test_a_ring_all_reduce_of_67_million_elements_takes_half_a_millisecond():
    assert call("all_reduce", "ring").traffic_bytes == 2 * 7 / 8 * 2 * N == 234_881_024
    assert call("all_reduce", "ring").time_s == pytest.approx(521.958e-6, rel=1e-5)
    assert call("all_gather", "ring").time_s == pytest.approx(260.979e-6, rel=1e-5)


@pytest.mark.parametrize(("which", "share"), SHARES.items())
def test_memory_reads_what_is_sent_and_writes_as_much_that_comes_in(which, share):
    result = call(*which, settings=Settings(boundary="dram"))

    assert (result.at("dram").read_bytes, result.at("dram").write_bytes) == (share * 2 * N, share * 2 * N)
    assert result.time_s == pytest.approx(2 * share * 2 * N / HBM)


@pytest.mark.parametrize("which", SHARES)
def test_only_sums_are_work_and_they_are_of_fp32(which):
    result = call(*which)

    assert result.work_flop == (7 / 8 * N if which in ADDS else 0)
    assert result.estimate.main_pipe == "fp32"


@pytest.mark.parametrize("which", SHARES)
def test_nothing_inside_memory_and_no_other_link_is_crossed(which):
    result = call(*which, settings=Settings(boundary="all"))

    assert {id_ for id_, one in result.boundaries.items() if one.crosses} == {"dram", "nvlink"}
    assert result.binding == "nvlink"


def test_a_collective_runs_on_the_first_link_of_a_machine():
    pcie = call("all_gather", "ring", on=without(H100, boundaries=("nvlink",)))

    assert pcie.boundary == "pcie"
    assert pcie.time_s == pytest.approx(7 / 8 * 2 * N / 64e9)


@pytest.mark.parametrize("boundary", [None, "all", "dram"])
def test_a_machine_without_a_link_is_refused_at_every_boundary(boundary):
    with pytest.raises(RefusedError, match="nvidia-a100-sxm4-80gb has no link between devices") as raised:
        placed("all_reduce", on=A100, settings=Settings(boundary=boundary))

    assert "add its bandwidth to the profile" in str(raised.value)


@pytest.mark.parametrize("id_", ["all_reduce", "all_gather", "reduce_scatter", "all_to_all", "send"])
def test_a_rank_alone_has_nothing_to_send(id_):
    with pytest.raises(RefusedError, match="nothing to place"):
        placed(id_, ranks=1)
    assert estimate_of(id_, ranks=1).launch.kernels == 0


def test_a_send_carries_the_whole_buffer():
    result = placed("send", elements=1000, dtype="fp32")

    assert result.traffic_bytes == 4000
    assert result.work_flop == 0


@pytest.mark.parametrize(("which", "steps"), STEPS.items())
def test_details_say_in_how_many_steps(which, steps):
    result = call(*which)

    details = OPERATORS[which[0]].details(result)

    assert details["steps"] == steps
    assert details["steps"] * details["bytes_per_step"] == pytest.approx(result.traffic_bytes)
    assert str(steps) in result.estimate.notes()[0]


@pytest.mark.parametrize("ranks", [2, 3, 5, 8, 9])
def test_rounds_of_pairs_are_the_logarithm_rounded_up(ranks):
    result = placed("all_gather", elements=N, ranks=ranks, algorithm="doubling")

    assert OPERATORS["all_gather"].details(result)["steps"] == {2: 1, 3: 2, 5: 3, 8: 3, 9: 4}[ranks]


def test_a_sweep_over_ranks_is_answered_at_once():
    result = placed("all_to_all", elements=N, ranks=np.array([2.0, 8.0, 64.0]), algorithm="bruck")

    assert list(result.traffic_bytes / (2 * N)) == [0.5, 1.5, 3.0]


def test_formats_of_both_ends_can_be_named_apart():
    estimate = estimate_of("all_gather", elements=800, ranks=8, dtype="bf16,received=fp32")

    assert compulsory_bytes(estimate) == (2 * 700, 4 * 700)
    assert estimate.blocked["link"] == (0, 2 * 700)


@pytest.mark.parametrize("which", SHARES)
def test_the_formulas_give_the_figures(which):
    estimate = estimate_of(which[0], elements=1000, ranks=8, algorithm=which[1])
    formulas = formulas_of(estimate)

    assert value_of(formulas["work"]) == pytest.approx(sum(estimate.work.values()))
    assert value_of(formulas["link"]) == pytest.approx(estimate.blocked["link"][1])
    assert value_of(formulas["compulsory"]) == pytest.approx(sum(compulsory_bytes(estimate)))


def test_the_formulas_of_a_send_and_of_a_rank_alone_give_the_figures():
    assert value_of(formulas_of(estimate_of("send", elements=10))["link"]) == 20
    assert value_of(formulas_of(estimate_of("all_gather", ranks=1))["link"]) == 0
    assert value_of(formulas_of(estimate_of("all_reduce", ranks=1))["work"]) == 0


def test_a_forecast_adds_one_launch():
    slow = placed("all_gather", on=TINY, elements=4, ranks=2, settings=Settings(forecast=True))

    # Two elements of 2 bytes at 1 byte per second, and a launch of 3 s.
    assert slow.time_s == 4 + 3
