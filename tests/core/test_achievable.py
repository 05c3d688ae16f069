"""The expected time of a forecast and its band, from the shares that real kernels reach."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rooflinestudio.core.achievable import derated_profile, expected_time, shares_of, what_is_missing
from rooflinestudio.core.errors import ProfileError
from rooflinestudio.core.evaluation import evaluation_document
from rooflinestudio.core.hardware import Achievable
from rooflinestudio.core.operators import Launch
from rooflinestudio.core.placement import Settings, place_estimate
from rooflinestudio.core.profile_files import dump_profile, load_profile, shipped_profiles
from rooflinestudio.core.wording import CANNOT_SEE
from tests.core.kernels import composite, kernel
from tests.core.profile_text import PROFILE_TEXT
from tests.core.profiles import TINY, figure

FORECAST = Settings(forecast=True)


def with_shares(profile=TINY, **shares):
    """Give limits their shares: ``dram=(typical, low, high)``; a bare number is the typical one."""
    ceilings, boundaries = dict(profile.ceilings), dict(profile.boundaries)
    for name, values in shares.items():
        id_ = name.replace("_", "-")
        values = values if isinstance(values, tuple) else (values, None, None)
        known = Achievable(*(None if one is None else figure(one, "measured") for one in values))
        table = ceilings if id_ in ceilings else boundaries
        table[id_] = replace(table[id_], achievable=known)
    return replace(profile, ceilings=ceilings, boundaries=boundaries)


# TINY: 1000 FLOP/s on bf16-tensor, 10 byte/s at dram, 100 at l2, 4 SMs, 3 s a launch, 5 s of latency at dram.
SHARED = with_shares(bf16_tensor=(0.8, 0.5, 0.9), dram=(0.5, 0.4, 1.0))


def expected(estimate, profile=SHARED, **settings):
    return place_estimate(estimate, profile, Settings(forecast=True, **settings)).expected


def test_a_memory_bound_kernel_takes_its_traffic_over_what_streams() -> None:
    found = expected(kernel(100, 20))

    # 20 bytes at 10 per second: 2 s; at half of that 4 s, between 2 s and 5 s.
    assert (found.time_s, found.low_s, found.high_s) == (4.0, 2.0, 5.0)
    assert list(found.shares) == ["dram"]


def test_a_compute_bound_kernel_takes_its_work_over_what_the_pipe_reaches() -> None:
    found = expected(kernel(7200, 1))

    assert (found.time_s, found.low_s, found.high_s) == (
        pytest.approx(9.0),
        pytest.approx(8.0),
        pytest.approx(14.4),
    )
    assert list(found.shares) == ["bf16-tensor"]


def test_overlap_waves_and_launches_act_on_the_reduced_rates() -> None:
    found = expected(kernel(800, 5, launch=Launch(blocks=6, kernels=1)), overlap=0.0)

    # Compute 0.8 s over 0.8, six blocks on four SMs in two waves (6/8 busy): 1.333 s; memory 0.5 s over 0.5: 1 s.
    assert found.time_s == pytest.approx(1 / 0.75 + 1.0 + 3.0)


def test_bytes_in_flight_limit_the_reduced_bandwidth_too() -> None:
    # 20 bytes in flight over 5 s sustain 4 byte/s, less than half of 10; at best and typically the same.
    found = expected(kernel(1, 20, launch=Launch(bytes_in_flight=20)))

    assert (found.time_s, found.low_s, found.high_s) == (5 + 3, 5 + 3, 5 + 3)
    # 50 bytes in flight sustain all of the 10: then the share counts.
    assert expected(kernel(1, 20, launch=Launch(bytes_in_flight=50))).time_s == 4 + 3


def test_ends_of_the_band_that_are_not_known_are_the_typical_share() -> None:
    found = expected(kernel(1, 20), with_shares(dram=0.5))

    assert found.low_s == found.time_s == found.high_s == 4.0


def test_the_pure_bound_has_no_expected_time() -> None:
    assert place_estimate(kernel(1, 20), SHARED).expected is None


def test_without_the_share_that_decides_there_is_none_and_a_note_says_which() -> None:
    placement = place_estimate(kernel(1, 20), with_shares(bf16_tensor=0.8), FORECAST)

    assert placement.expected is None and what_is_missing(placement) == ("dram",)
    assert any("No expected time" in note and "share of dram" in note for note in placement.notes)


def test_a_side_that_hardly_matters_may_lack_its_share() -> None:
    shared = with_shares(dram=0.5)

    # Compute takes 2 s and 2.1 s of the expected 4 s.
    assert expected(kernel(2000, 20), shared).time_s == 4.0
    assert expected(kernel(2100, 20), shared) is None


def test_the_slowest_of_all_boundaries_needs_a_share() -> None:
    estimate = kernel(1, 20, blocked={"l2": (900.0, 0.0)})
    placement = place_estimate(estimate, SHARED, Settings(forecast=True, boundary="all"))

    assert placement.expected is None and what_is_missing(placement) == ("l2",)
    assert expected(estimate, with_shares(SHARED, l2=0.5), boundary="all").time_s == 18.0


def test_a_composite_sums_its_kernels_and_forgives_small_ones() -> None:
    small = kernel(0.0, 0.0, pipe="fp32", more_work={"fp32": 10.0})
    found = expected(composite(("product", 2, kernel(800, 1)), ("tail", 1, small)))

    assert found.time_s == pytest.approx(2 * 1.0 + 0.1)
    large = kernel(0.0, 0.0, pipe="fp32", more_work={"fp32": 50.0})
    assert expected(composite(("product", 2, kernel(800, 1)), ("tail", 1, large))) is None


def test_several_points_have_several_expected_times() -> None:
    found = expected(kernel(np.array([1.0, 7200.0]), np.array([20.0, 1.0])))

    assert found.time_s == pytest.approx([4.0, 9.0]) and found.high_s == pytest.approx([5.0, 14.4])


def test_the_streaming_slope_stands_for_the_typical_share_of_a_boundary() -> None:
    streaming = replace(TINY.boundaries["dram"], slopes={"streaming": figure(8, "measured")})
    machine = replace(TINY, boundaries={**TINY.boundaries, "dram": streaming})

    known = shares_of(machine, "dram")
    assert known.typical.value == 0.8 and known.typical.provenance == "measured"
    assert derated_profile(machine, "typical").boundaries["dram"].bytes_per_s == 8.0
    assert shares_of(machine, "l2") is None and shares_of(machine, "nowhere") is None


def test_an_end_of_the_band_on_the_wrong_side_of_a_measured_slope_is_left_out() -> None:
    dram = replace(
        TINY.boundaries["dram"],
        slopes={"streaming": figure(5, "measured")},
        achievable=Achievable(None, figure(0.6), figure(0.9)),
    )
    known = shares_of(replace(TINY, boundaries={"dram": dram}), "dram")

    assert known.low is None and known.high.value == 0.9


def test_slopes_that_are_slow_by_themselves_are_not_reduced_again() -> None:
    dram = replace(SHARED.boundaries["dram"], slopes={"gather": figure(1)})
    derated = derated_profile(replace(SHARED, boundaries={"dram": dram}), "typical")

    assert (
        derated.boundaries["dram"].bytes_per_s == 5 and derated.boundaries["dram"].slopes["gather"].value == 1
    )


def test_every_forecast_says_what_the_model_cannot_see_and_no_bound_does() -> None:
    assert CANNOT_SEE in place_estimate(kernel(1, 20), SHARED, FORECAST).notes
    assert CANNOT_SEE not in place_estimate(kernel(1, 20), SHARED).notes


def test_an_assumed_share_is_said_and_a_measured_one_is_not() -> None:
    assumed = Achievable(figure(0.5, "assumed"))
    machine = replace(TINY, boundaries={"dram": replace(TINY.boundaries["dram"], achievable=assumed)})

    assert any(
        "share that is assumed" in note for note in place_estimate(kernel(1, 20), machine, FORECAST).notes
    )
    assert not any("assumed" in note for note in place_estimate(kernel(1, 20), SHARED, FORECAST).notes)


def test_the_document_carries_the_band_and_the_shares() -> None:
    limits = evaluation_document(place_estimate(kernel(1, 20), SHARED, FORECAST))["limits"]

    assert limits["expected"] == {
        "expected_s": 4.0, "expected_low_s": 2.0, "expected_high_s": 5.0,
        "shares": {"dram": {
            "typical": {"share": 0.5, "provenance": "measured"},
            "low": {"share": 0.4, "provenance": "measured"},
            "high": {"share": 1.0, "provenance": "measured"},
        }},
    }  # fmt: skip
    assert evaluation_document(place_estimate(kernel(1, 20), SHARED))["limits"] == {}


# Shipped machines and files -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def machines():
    return {entry.id: entry.load() for entry in shipped_profiles()}


@pytest.mark.parametrize(
    ("machine", "ceiling", "rate", "peak"),
    [
        ("nvidia-h100-sxm5", "bf16-tensor", 794.5, 989.4),
        ("nvidia-h100-sxm5", "fp8-tensor", 1402.6, 1978.9),
        ("nvidia-h200-sxm", "fp8-tensor", 1453.4, 1978.9),
        ("nvidia-b200", "bf16-tensor", 1745.0, 2250.0),
        ("amd-mi300x", "bf16-tensor", 668.4, 1307.4),
        ("nvidia-a100-sxm4-80gb", "bf16-tensor", 271.2, 312.0),
    ],
)
def test_measured_products_give_the_shares_of_the_tensor_pipes(
    machines, machine, ceiling, rate, peak
) -> None:
    known = machines[machine].ceilings[ceiling].achievable

    assert known.typical.value == pytest.approx(rate / peak, abs=1e-4)
    assert known.typical.provenance == "measured"


# Rows of a published table of fp16 products on an A100 80 GB: m, n = k, milliseconds (LLMCompass, matmul_A100.csv).
MEASURED = [(1024, 12288, 1.1990), (4096, 12288, 4.4576), (16384, 12288, 17.0307), (8192, 4096, 1.0210),
            (8192, 8192, 3.9614), (8192, 32768, 61.1346)]  # fmt: skip


@pytest.mark.parametrize(("m", "n", "milliseconds"), MEASURED)
def test_large_products_that_were_measured_lie_within_the_band(machines, m, n, milliseconds) -> None:
    from tests.builtin.evaluating import placed

    placement = placed(
        "gemm",
        on=machines["nvidia-a100-sxm4-80gb"],
        dtype="fp16",
        settings=FORECAST,
        m=m,
        n=n,
        k=n,
        stream_k=True,
    )
    found = placement.expected

    assert found.low_s <= milliseconds * 1e-3 <= found.high_s
    assert found.time_s == pytest.approx(milliseconds * 1e-3, rel=0.12)


def test_shares_read_back_the_same_and_a_percentage_is_a_share() -> None:
    text = PROFILE_TEXT.replace(
        "    value: 800 TFLOP/s\n",
        "    value: 800 TFLOP/s\n    achievable:\n"
        "      typical: {value: 80 %, provenance: measured, source: Our own runs}\n"
        "      low: {value: 0.123456789012345, provenance: assumed}\n",
        1,
    )
    profile = load_profile(text)
    known = profile.ceilings["bf16-tensor"].achievable

    assert (known.typical.value, known.low.value, known.high) == (0.8, 0.123456789012345, None)
    assert load_profile(dump_profile(profile)) == profile


@pytest.mark.parametrize(
    ("shares", "words"),
    [
        ("typical: {value: 1.2, provenance: measured}", "at most at 1"),
        ("typical: {value: 0, provenance: measured}", "lies above 0"),
        ("typical: {value: fast, provenance: measured}", "is no number"),
        ("typical: {value: true, provenance: measured}", "must be a share"),
        ("typical: {value: 0.5}", "provenance"),
        ("typical: 0.5", "without provenance"),
        ("typicl: {value: 0.5, provenance: measured}", "typical"),
        (
            "typical: {value: 0.5, provenance: measured}, low: {value: 0.6, provenance: assumed}",
            "out of order",
        ),
    ],
)
def test_what_is_wrong_with_a_share_is_told_with_its_place(shares, words) -> None:
    text = PROFILE_TEXT.replace(
        "    value: 800 TFLOP/s\n", f"    value: 800 TFLOP/s\n    achievable: {{{shares}}}\n", 1
    )
    with pytest.raises(ProfileError) as caught:
        load_profile(text)

    assert "ceilings.bf16-tensor.achievable" in str(caught.value) and words in str(caught.value)


def test_asking_twice_is_asking_once() -> None:
    placement = place_estimate(kernel(1, 20), SHARED, FORECAST)

    assert placement.expected is placement.expected
    assert expected_time(placement) == placement.expected


def test_shares_of_a_measured_rate_are_made_of_those_of_the_stated_one():
    rate = replace(SHARED.ceiling("bf16-tensor"), measured=figure(800.0, "measured")).using("measured")
    memory = replace(SHARED.boundary("dram"), measured=figure(8.0, "measured")).using("measured")
    judged = replace(
        SHARED,
        ceilings={**SHARED.ceilings, "bf16-tensor": rate},
        boundaries={**SHARED.boundaries, "dram": memory},
    )

    pipe, dram = shares_of(judged, "bf16-tensor"), shares_of(judged, "dram")
    assert (pipe.typical.value, pipe.low.value, pipe.high.value) == (1.0, 0.625, 1.0)
    assert (dram.typical.value, dram.low.value, dram.high.value) == (0.625, 0.5, 1.0)  # of 10: 0.5, 0.4, 1.0
    for level, expected in (("typical", 800.0), ("low", 500.0), ("high", 800.0)):
        assert derated_profile(judged, level).ceiling("bf16-tensor").flop_per_s == expected
    assert shares_of(SHARED, "bf16-tensor").typical.value == 0.8


def test_a_measured_rate_that_is_known_and_not_in_use_changes_no_share():
    memory = replace(SHARED.boundary("dram"), measured=figure(8.0, "measured"))
    known = replace(SHARED, boundaries={**SHARED.boundaries, "dram": memory})

    assert shares_of(known, "dram") == shares_of(SHARED, "dram")
    assert expected(kernel(100, 20), known).time_s == 4.0


def test_which_of_two_rates_is_in_use_does_not_move_the_expected_time():
    memory = replace(SHARED.boundary("dram"), measured=figure(8.0, "measured")).using("measured")
    judged = replace(SHARED, boundaries={**SHARED.boundaries, "dram": memory})

    # Half of the stated 10 byte/s is 5 byte/s: 20 bytes take 4 s, by whichever rate the roof is drawn.
    found = expected(kernel(100, 20), judged)
    assert (found.time_s, found.high_s) == (pytest.approx(4.0), pytest.approx(5.0))
    assert found.low_s == 20 / 8  # all of what was measured, where the stated rate would give 2 s


def test_a_share_of_a_rate_that_was_only_measured_is_of_that():
    memory = replace(SHARED.boundary("dram"), bandwidth=figure(8.0, "measured"))
    assert memory.stated is None
    assert shares_of(replace(SHARED, boundaries={"dram": memory}), "dram").typical.value == 0.5
