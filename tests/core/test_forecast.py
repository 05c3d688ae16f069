"""The forecast: whole tiles, whole waves, bytes in flight and launches beside the pure bound."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rooflinestudio.core.operators import Launch
from rooflinestudio.core.placement import Settings, place_estimate
from tests.core.kernels import kernel
from tests.core.profiles import H100, TINY

# TINY has 4 SMs, 3 s of launch overhead, 5 s of latency at dram, 2 s at l2.


def forecast(estimate, profile=TINY, **more):
    return place_estimate(estimate, profile, Settings(forecast=True, **more))


def test_a_kernel_that_says_nothing_is_forecast_as_its_bound_with_reasons():
    bare = forecast(kernel(1000, 30, 20))

    assert bare.time_s == place_estimate(kernel(1000, 30, 20), TINY).time_s == 5
    assert dict(bare.limits.judged) == {}
    assert bare.limits.not_judged == (
        "tiles: the operator does not say how it pads",
        "waves: the operator does not say what its launch looks like",
        "latency: the operator does not say how many bytes it keeps in flight",
        "launch: the operator does not say what its launch looks like",
    )
    assert bare.model == "forecast"


def test_a_machine_that_lacks_the_figures_is_named():
    bare = replace(
        H100,
        sms=None,
        launch_overhead=None,
        boundaries={"dram": replace(H100.boundaries["dram"], latency=None)},
    )

    result = forecast(kernel(1e12, 1e9, launch=Launch(blocks=10, bytes_in_flight=100)), bare)

    assert result.limits.not_judged[1:] == (
        "waves: the profile of H100 SXM5 80 GB does not say how many SMs it has",
        "latency: the profile of H100 SXM5 80 GB has no latency at HBM3",
        "launch: the profile of H100 SXM5 80 GB has no launch overhead",
    )
    assert result.time_s == 1e12 / 989.4e12


@pytest.mark.parametrize(
    ("tiles", "waves", "efficiency"), [(132, 1, 1.0), (133, 2, 0.503788), (140, 2, 0.530303)]
)
def test_waves_that_are_not_full_cost_whole_ones(tiles, waves, efficiency):
    result = forecast(kernel(1e12, 1, launch=Launch(blocks=tiles)), H100)

    judged = result.limits.judged["waves"]
    assert judged["efficiency"] == pytest.approx(efficiency, rel=1e-5)
    assert judged["waves"] == pytest.approx(waves)
    assert result.compute_s == pytest.approx(1e12 / 989.4e12 / efficiency, rel=1e-5)


def test_padded_dimensions_are_paid_for_and_the_work_stays_what_it_is():
    result = forecast(kernel(257000, 1, padded_work={"bf16-tensor": 384000.0}, launch=Launch()))

    assert (result.compute_s, result.work_flop) == (384, 257000)
    assert result.limits.judged["tiles"]["efficiency"] == pytest.approx(0.669271, rel=1e-5)
    assert result.fraction_of_peak == pytest.approx(257 / (384 + 3))


def test_padding_is_held_against_the_ceiling_of_choice():
    result = forecast(kernel(100, 1, padded_work={"bf16-tensor": 400.0}), ceiling="fp32")

    assert result.compute_s == 4


def test_a_tenth_of_the_bytes_in_flight_gives_a_tenth_of_the_bandwidth():
    result = forecast(kernel(1, 3.35e9, launch=Launch(bytes_in_flight=201e3)), H100)

    assert result.limits.judged["latency"]["effective_bytes_per_s"] == pytest.approx(3.35e11)
    assert result.memory_s == pytest.approx(1e-2)
    assert (result.bound, result.binding) == ("latency", "dram")


def test_enough_bytes_in_flight_change_nothing():
    result = forecast(kernel(1, 3.35e9, launch=Launch(bytes_in_flight=2.01e6)), H100)

    assert (result.memory_s, result.bound) == (pytest.approx(1e-3), "memory")


def test_latency_that_compute_hides_does_not_bind():
    result = forecast(kernel(100_000, 10, launch=Launch(bytes_in_flight=5)))

    # 10 bytes at 5/5 = 1 byte per second take 10 s; compute takes 100.
    assert (result.memory_s, result.compute_s, result.bound) == (10, 100, "compute")


def test_with_all_boundaries_each_is_slowed_by_its_own_latency():
    estimate = kernel(1, 100, blocked={"l2": (3000.0, 0.0)}, launch=Launch(bytes_in_flight=20))

    result = forecast(estimate, boundary="all")

    # dram: 100 bytes at 20/5 = 4 take 25 s; l2: 3000 at 20/2 = 10 take 300 s; shared has no latency: 3 s.
    assert (result.memory_s, result.bound, result.binding) == (300, "latency", "l2")
    assert "latency: the profile of Tiny has no latency at Scratchpad" in result.limits.not_judged


def test_launches_are_added_after_the_overlap():
    result = forecast(kernel(20_000, 300, launch=Launch(kernels=2)), overlap=0.5)

    # Compute 20 s, memory 30 s: 30 + 0.5 · 20 = 40 s, and two launches of 3 s.
    assert result.time_s == 46
    assert result.limits.judged["launch"] == {"launches": 2, "overhead_s": 3, "time_s": 6}
    assert result.bound == "memory"


@pytest.mark.parametrize(("overlap", "bound"), [(1.0, "launch"), (0.0, "compute")])
def test_a_launch_binds_when_it_takes_longer_than_the_rest(overlap, bound):
    # Compute 2 s and memory 1.5 s: 2 s together or 3.5 s one after the other, against 3 s of overhead.
    result = forecast(kernel(2000, 15, launch=Launch()), overlap=overlap)

    assert result.bound == bound
    assert result.binding == ("launch" if bound == "launch" else "bf16-tensor")


def test_arrays_name_the_launch_as_what_binds():
    result = forecast(kernel(np.array([1.0, 1e6]), np.array([1.0, 1e3]), launch=Launch()))

    assert result.bound_words() == ["launch", "compute"]
    assert result.binding_words() == ["launch", "bf16-tensor"]


def test_more_bytes_in_flight_never_slow_a_kernel_down():
    times = [
        forecast(kernel(1, 50, launch=Launch(bytes_in_flight=bytes_))).time_s
        for bytes_ in (1, 5, 25, 50, 500)
    ]

    assert times == sorted(times, reverse=True)
    assert times[-1] == times[-2] == 5 + 3


def test_launches_may_vary_where_nothing_else_does():
    result = forecast(kernel(100, 10, launch=Launch(kernels=np.array([0.0, 1.0, 2.0]))))

    # 10 bytes at 10 per second, and launches of 3 s.
    assert list(result.time_s) == [1, 4, 7]
    assert result.bound_words() == ["memory", "launch", "launch"]
    assert result.binding_words() == ["dram", "launch", "launch"]
