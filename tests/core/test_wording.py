"""Verdicts and notes: every bound in one sentence, and what a reader should know beside the figures."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rooflinestudio.core.hardware import Boundary
from rooflinestudio.core.operators import Launch
from rooflinestudio.core.placement import Settings, place_estimate
from rooflinestudio.core.wording import absent_figures, is_model
from tests.core.kernels import composite, kernel
from tests.core.profiles import H100, TINY, figure, machine, without

FORECAST = Settings(forecast=True)


def verdict(estimate, settings=None, profile=TINY):
    return place_estimate(estimate, profile, settings or Settings()).verdict


@pytest.mark.parametrize(
    ("estimate", "settings", "text"),
    [
        (
            kernel(1000, 30, 20), None,
            "Memory-bound at Memory, compulsory: 5.00× short of the ridge. More FLOP/s would not help.",
        ),
        (
            kernel(9000, 10), None,
            "Compute-bound at Memory, compulsory: 9.00× past the ridge. More bandwidth would not help.",
        ),
        (kernel(0, 30, 20), None, "Memory-bound at Memory, compulsory: it does no arithmetic, only bytes count."),
        (kernel(9000), None, "Compute-bound at Memory, compulsory: no traffic at all. More bandwidth would not help."),
        (
            kernel(1000, 30, 20), Settings(overlap=0.0),
            "Memory-bound at Memory, compulsory: 5.00× short of the ridge.",
        ),
        (
            kernel(1000, 30, 20), Settings(policy="modelled", absorption=0.9),
            "Memory-bound at Memory, modelled with absorption 0.9, as modelled: 5.00× short of the ridge. "
            "More FLOP/s would not help.",
        ),
        (
            kernel(1000, 400), Settings(boundary="l2"),
            "Memory-bound at L2, compulsory, as modelled: 4.00× short of the ridge. More FLOP/s would not help.",
        ),
        (
            kernel(100, 10, more_work={"special": 250.0}), None,
            "Compute-bound on the special pipe at Memory, compulsory: the bf16-tensor pipe waits at 2.00% of its peak.",
        ),
        (
            kernel(1000, 30, 20), Settings(boundary="nvlink"),
            "Compute-bound at bf16-tensor: the data does not cross Link, so it cannot bind; "
            "the traffic shown there is what it would be.",
        ),
        (
            kernel(1, 1, launch=Launch()), FORECAST,
            "Launch-bound at Memory, compulsory: starting it takes longer than running it. "
            "Fewer, larger launches help.",
        ),
        (
            kernel(1, 900, launch=Launch(bytes_in_flight=5)), FORECAST,
            "Latency-bound at Memory, compulsory: too few bytes are in flight to keep it busy. More parallelism helps.",
        ),
        (
            kernel(9000, 10, padded_work={"bf16-tensor": 12000.0}), FORECAST,
            "Compute-bound at Memory, compulsory: compute takes 12.0× as long as the traffic. "
            "More bandwidth would not help.",
        ),
        (
            kernel(1000, 30, 20), FORECAST,
            "Memory-bound at Memory, compulsory: the traffic takes 5.00× as long as compute. "
            "More FLOP/s would not help.",
        ),
    ],
)  # fmt: skip
def test_the_verdict_names_bound_boundary_policy_and_distance(estimate, settings, text):
    assert verdict(estimate, settings) == text


def test_a_boundary_that_does_not_feed_the_matrix_pipe_is_told_apart():
    shared = Boundary("shared", "Scratchpad", figure(1), feeds_matrix=False)
    profile = replace(TINY, boundaries={**TINY.boundaries, "shared": shared})

    result = place_estimate(kernel(1000, 30, 20), profile, Settings(boundary="shared"))

    assert result.verdict == (
        "Compute-bound at bf16-tensor: Scratchpad does not feed the matrix pipe, so it cannot bind; "
        "the traffic there is shown all the same."
    )
    assert "Scratchpad does not feed the matrix pipe of Tiny: shown, not binding." in result.notes


def test_a_composite_of_several_bounds_names_the_two_that_cost_most():
    whole = composite(("product", 1, kernel(30_000, 10)), ("norm", 2, kernel(1, 100, pipe="fp32")))

    assert verdict(whole) == (
        "Mixed bounds at Memory, compulsory: 60% compute at bf16-tensor and 40% memory at Memory of the time. "
        "One roof does not describe the whole."
    )


def test_a_composite_of_work_that_has_no_traffic_worth_naming_is_bound_like_a_kernel():
    assert verdict(composite(("a", 2, kernel(9000, 10)))).startswith(
        "Compute-bound at Memory, compulsory: 9.00×"
    )


def test_arrays_have_no_single_verdict_and_no_note_of_one_boundary():
    estimate = kernel(
        np.array([1.0, 2.0]),
        np.array([1.0, 9.0]),
        blocked={"shared": (np.array([500.0, 1.0]), 0.0), "dram": (np.array([1.0, 9.0]), 0.0)},
    )

    result = place_estimate(estimate, TINY, Settings(boundary="all"))

    assert result.verdict == "2 points: see their bounds one by one."
    assert result.notes == ()


# ------------------------------------------------------------------------------------------ bound or model


@pytest.mark.parametrize(
    ("boundary", "policy", "model"),
    [
        ("dram", "compulsory", False), ("nvlink", "compulsory", False), ("dram", "tiled", True),
        ("dram", "modelled", True), ("l2", "compulsory", True), ("shared", "compulsory", True),
    ],
)  # fmt: skip
def test_only_compulsory_traffic_at_dram_and_links_makes_a_bound(boundary, policy, model):
    result = place_estimate(kernel(1, 1, 1), TINY, Settings(policy=policy))

    assert is_model(result, boundary) is model


@pytest.mark.parametrize(
    ("provenance", "model"), [("published", False), ("measured", False), ("derived", True), ("assumed", True)]
)
def test_a_bound_rests_on_a_published_or_measured_bandwidth(provenance, model):
    dram = Boundary("dram", "Memory", figure(10, provenance))
    result = place_estimate(kernel(1, 1, 1), replace(TINY, boundaries={"dram": dram}))

    assert is_model(result, "dram") is model
    note = f"A model, not a bound: it rests on a bandwidth of Memory that is {provenance}."
    assert (note in result.notes) is model


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        (Settings(policy="tiled"), "a tile"),
        (Settings(policy="modelled"), "a tile and an absorption"),
        (Settings(boundary="l2"), "tiles and an on-chip bandwidth"),
    ],
)
def test_a_model_says_what_it_rests_on(settings, reason):
    notes = place_estimate(kernel(1, 1, 1), TINY, settings).notes

    assert f"A model, not a bound: it rests on {reason}." in notes


# ------------------------------------------------------------------------------------------ notes


def test_a_plain_bound_needs_no_note():
    assert place_estimate(kernel(1000, 30, 20), TINY).notes == ()


def test_a_machine_without_special_units_says_that_they_are_left_out():
    bare = without(TINY, ceilings=("special",))

    result = place_estimate(kernel(1, 1, more_work={"special": 9.0}), bare)

    assert result.notes == (
        "Tiny has no figure for the special pipe: exponentials are left out of the time.",
    )


def test_a_product_on_the_vector_pipe_is_told_unless_the_ceiling_was_chosen():
    told = place_estimate(kernel(1, 1, pipe="fp32-tensor"), TINY).notes
    chosen = place_estimate(kernel(1, 1, pipe="fp32-tensor"), TINY, Settings(ceiling="special")).notes

    assert told == ("Tiny has no fp32 tensor pipe: the product runs on vector fp32.",)
    assert chosen == ("Held against the ceiling special by choice, not against the operator's own pipe.",)


@pytest.mark.parametrize(
    ("footprint", "fits"), [(None, True), (5000, True), (5001, False), (np.array([9e9]), True)]
)
def test_what_does_not_fit_into_memory_is_said(footprint, fits):
    notes = place_estimate(kernel(1, 1, footprint_bytes=footprint), TINY).notes

    text = "Does not fit: it needs 5.00 kB at once, and Memory holds 5.00 kB (counted in powers of 1000)."
    assert notes == (() if fits else (text,))


def test_capacity_is_not_judged_where_it_is_not_known():
    unknown = machine("u", ceilings={"bf16-tensor": 1.0}, boundaries={"dram": 1.0})
    no_dram = machine("n", ceilings={"bf16-tensor": 1.0}, boundaries={"nvlink": 1.0})
    large = kernel(1, 1, footprint_bytes=1e30)

    assert place_estimate(large, unknown).notes == ()
    assert place_estimate(large, no_dram, Settings(boundary="nvlink")).notes == ()


def test_an_approximate_bandwidth_says_where_it_comes_from():
    sourced = Boundary("l2", "L2", figure(9, source="issue width and clock"), approximate=True)
    profile = replace(H100, boundaries={"l2": sourced})

    known = place_estimate(kernel(1, 1), profile, Settings(boundary="l2")).notes
    unknown = place_estimate(kernel(1, 1), H100, Settings(boundary="l2")).notes

    assert "The bandwidth of L2 is approximate: issue width and clock." in known
    assert "The bandwidth of L2 is approximate: derived." in unknown


def test_what_a_forecast_could_not_judge_and_what_the_operator_assumes_are_noted():
    result = place_estimate(kernel(1, 100, launch=Launch(), notes=lambda: ("One pass.",)), TINY, FORECAST)

    assert result.notes[-1] == "One pass."
    assert "Not judged: tiles: the operator does not say how it pads." in result.notes


def test_a_composite_collects_the_notes_of_its_parts_and_says_the_common_ones_once():
    noted = kernel(1, 100, more_work={"special": 1.0}, notes=lambda: ("One pass.",))
    whole = composite(("norm", 1, noted), ("softmax", 1, noted), notes=lambda: ("Two kernels.",))

    notes = place_estimate(whole, without(TINY, ceilings=("special",)), FORECAST).notes

    assert notes[0] == "Tiny has no figure for the special pipe: exponentials are left out of the time."
    assert len([note for note in notes if note.startswith("Not judged: tiles")]) == 1
    assert notes[-3:] == ("Two kernels.", "norm: One pass.", "softmax: One pass.")


# ------------------------------------------------------------------------------------------ absent figures


def test_infinite_and_absent_figures_are_named_by_their_keys():
    finite = place_estimate(kernel(1, 1), TINY)
    infinite = place_estimate(kernel(1, blocked={"l2": (5.0, 0.0)}), TINY)

    assert list(absent_figures(finite)) == [
        "boundaries.nvlink.time_s is absent: the data does not cross Link."
    ]
    assert list(absent_figures(infinite)) == [
        "intensity is infinite: no traffic crosses here.",
        "boundaries.nvlink.intensity is infinite: no traffic crosses there.",
        "boundaries.nvlink.time_s is absent: the data does not cross Link.",
    ]
