"""The laws of the roofline, for any machine and any kernel."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rooflinestudio.core.placement import Settings, place_estimate
from rooflinestudio.core.roofline import (
    attainable_flop_per_s,
    effective_bytes_per_s,
    intensity,
    overlapped,
    quantisation_efficiency,
    ridge_intensity,
    slowest,
    wave_efficiency,
)
from tests.core.kernels import kernel
from tests.core.profiles import H100, machine

CEILINGS = st.floats(1e9, 1e16)
SLOPES = st.floats(1e6, 1e14)
INTENSITIES = st.floats(1e-6, 1e9)
WORK = st.floats(1, 1e18)
BYTES = st.floats(1, 1e15)
OVERLAPS = st.floats(0, 1)


def held(work, traffic, ceiling, slope, overlap=1.0):
    profile = machine("m", ceilings={"bf16-tensor": ceiling}, boundaries={"dram": slope})
    return place_estimate(kernel(work, traffic), profile, Settings(overlap=overlap))


@given(INTENSITIES, CEILINGS, SLOPES)
def test_no_intensity_attains_more_than_the_ceiling_or_the_slope(at, ceiling, slope):
    attained = attainable_flop_per_s(at, ceiling_flop_per_s=ceiling, bytes_per_s=slope)

    assert attained <= ceiling
    assert attained <= at * slope
    assert attained in (ceiling, at * slope)


@given(INTENSITIES, st.floats(1, 1e6), CEILINGS, SLOPES)
def test_more_intensity_never_attains_less(at, factor, ceiling, slope):
    roof = {"ceiling_flop_per_s": ceiling, "bytes_per_s": slope}

    assert attainable_flop_per_s(at * factor, **roof) >= attainable_flop_per_s(at, **roof)


@given(CEILINGS, SLOPES)
def test_slope_and_ceiling_meet_without_a_step_at_the_ridge(ceiling, slope):
    roof = {"ceiling_flop_per_s": ceiling, "bytes_per_s": slope}
    ridge = ridge_intensity(**roof)

    for at in (ridge * (1 - 1e-9), ridge, ridge * (1 + 1e-9)):
        assert attainable_flop_per_s(at, **roof) == pytest.approx(ceiling, rel=1e-8)


@given(CEILINGS, SLOPES, BYTES)
def test_without_overlap_half_is_left_at_the_ridge_and_nearly_all_far_from_it(ceiling, slope, traffic):
    ridge = ceiling / slope
    for factor in (1e-3, 1.0, 1e3):
        work = ridge * traffic * factor
        whole, serial = held(work, traffic, ceiling, slope), held(work, traffic, ceiling, slope, overlap=0.0)
        # W/P and Q/β stand as the factor to 1: max(f, 1) against f + 1.
        expected = max(factor, 1) / (factor + 1)
        assert serial.attainable_flop_per_s / whole.attainable_flop_per_s == pytest.approx(expected)


@given(st.floats(0, 1e3), st.floats(0, 1e3), OVERLAPS)
def test_the_time_lies_between_the_longer_side_and_the_sum(compute_s, memory_s, overlap):
    time_s = overlapped(compute_s, memory_s, overlap)

    assert max(compute_s, memory_s) <= time_s <= (compute_s + memory_s) * (1 + 1e-12)
    assert overlapped(memory_s, compute_s, overlap) == time_s


@given(WORK, BYTES, CEILINGS, SLOPES, OVERLAPS)
def test_nothing_is_above_a_roof(work, traffic, ceiling, slope, overlap):
    result = held(work, traffic, ceiling, slope, overlap)

    assert result.attainable_flop_per_s <= ceiling * (1 + 1e-12)
    assert result.attainable_flop_per_s <= result.intensity * slope * (1 + 1e-12)
    assert 0 <= result.fraction_of_peak <= 1 + 1e-12


@given(WORK, BYTES, st.floats(1e-3, 1e3), OVERLAPS)
def test_scaling_work_and_traffic_scales_the_time(work, traffic, factor, overlap):
    one = held(work, traffic, 1e12, 1e10, overlap)
    other = held(work * factor, traffic * factor, 1e12, 1e10, overlap)

    assert other.time_s == pytest.approx(one.time_s * factor)
    assert other.intensity == pytest.approx(one.intensity)
    assert other.attainable_flop_per_s == pytest.approx(one.attainable_flop_per_s)


@given(WORK, BYTES, CEILINGS, SLOPES, st.floats(1, 1e3))
def test_improving_what_does_not_bind_changes_nothing(work, traffic, ceiling, slope, factor):
    base = held(work, traffic, ceiling, slope)
    assume(base.compute_s != base.memory_s)

    if base.bound == "memory":
        better, worse = (
            held(work, traffic, ceiling * factor, slope),
            held(work, traffic, ceiling, slope / factor),
        )
    else:
        better, worse = (
            held(work, traffic, ceiling, slope * factor),
            held(work, traffic, ceiling / factor, slope),
        )

    assert better.time_s == base.time_s
    assert worse.time_s >= base.time_s  # and the one that binds does


def test_a_trillion_flop_at_intensity_2_take_149_ms_on_an_h100():
    result = place_estimate(kernel(1e12, 0.5e12), H100)

    assert result.attainable_flop_per_s == pytest.approx(2 * 3.35e12)
    assert result.time_s == pytest.approx(0.149254, rel=1e-5)


@pytest.mark.parametrize(
    ("work", "traffic", "expected"), [(6, 3, 2), (0, 3, 0), (6, 0, math.inf), (0, 0, math.nan)]
)
def test_intensity_without_work_or_traffic(work, traffic, expected):
    assert intensity(work, traffic) == pytest.approx(expected, nan_ok=True)
    assert intensity(np.array([work]), np.array([traffic]))[0] == pytest.approx(expected, nan_ok=True)


def test_two_megabytes_in_flight_fill_the_memory_of_an_h100():
    needed = 3.35e12 * 600e-9

    assert needed == pytest.approx(2.01e6)
    assert needed / 132 == pytest.approx(15227, rel=1e-4)
    assert math.ceil(needed / 132 / 128) == 119
    for share in (0.1, 0.5, 1.0, 7.0):
        rate = effective_bytes_per_s(3.35e12, bytes_in_flight=share * needed, latency_s=600e-9)
        assert rate == pytest.approx(min(share, 1) * 3.35e12)


@pytest.mark.parametrize(
    ("tiles", "efficiency"), [(132, 1.0), (133, 133 / 264), (140, 140 / 264), (1, 1 / 132), (1320, 1.0)]
)
def test_a_last_wave_that_is_not_full_wastes_the_rest(tiles, efficiency):
    assert wave_efficiency(tiles, 132) == efficiency
    assert wave_efficiency(np.array([tiles]), 132)[0] == efficiency


def test_padding_to_whole_tiles_wastes_the_rest():
    assert quantisation_efficiency(257, 128) == 257 / 384
    assert quantisation_efficiency(256, 128) == 1


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=6))
def test_the_slowest_of_numbers_and_of_arrays_is_the_same(times):
    value, at = slowest(times)

    assert (value, at) == (max(times), times.index(max(times)))
    if len(times) > 1:
        values, indices = slowest([np.array([time]) for time in times])
        assert (values[0], indices[0]) == (value, at)
        mixed, _ = slowest([np.array([times[0]] * 2), *times[1:]])
        assert mixed.tolist() == [value] * 2


def test_the_slowest_of_nothing_takes_no_time_and_a_single_array_is_itself():
    alone = np.array([3.0, 1.0])

    assert slowest([]) == (0.0, 0)
    assert slowest([alone]) == (alone, 0) or slowest([alone])[0] is alone
