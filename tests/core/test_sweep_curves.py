"""Curves and thresholds of a sweep against figures worked out by hand from the counts, and against single placements.

H100: 989.4 TFLOP/s in bf16 over 3.35 TB/s is a ridge of 295.34 FLOP/byte. A cube of n moves 3·2n² bytes for 2n³ FLOP:
I = n/3, so that n = 887 is the first beyond the ridge (886.03).

Llama 3 8B in bf16: 8,030,261,248 parameters are 16.0605 GB, of which the input embedding is 128256·4096·2 = 1.0507 GB;
a token keeps 2·8·128·32 numbers, 131,072 bytes, and a sequence of 8192 tokens 1.0737 GB.
"""

from __future__ import annotations

import math

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rooflinestudio.core.chains import source_for
from rooflinestudio.core.fusion import parse_chain
from rooflinestudio.core.placing import evaluate, place
from rooflinestudio.core.study import Entry
from rooflinestudio.core.study_edits import with_new_chain
from rooflinestudio.core.sweep.curves import CurveKey, curve_of, here_of
from rooflinestudio.core.sweep.panel import sweep_spec
from tests.ui.shell_helpers import gemm, registry, study

PEAK, HBM, LAUNCH_S = 989.4e12, 3.35e12, 3e-6
PARAMETERS_BYTES, EMBEDDING_BYTES, SEQUENCE_BYTES = 16.060522496e9, 1.050673152e9, 1.073741824e9
STEP = {"model": "llama-3-8b", "batch": 56, "context": 8192}


def curve(entry, *, view=None, policy="compulsory", **panel):
    made = study(entry, policy=policy, **(view or {})).with_panel("sweep", panel)
    placed = place(made, {}, registry())
    spec = sweep_spec(placed, registry())
    (row,) = placed.rows
    return row, spec, curve_of(row, spec, registry(), CurveKey(entry.id, row.settings.policy))


def at(curve, value):
    return float(curve.y[curve.x.tolist().index(value)])


@pytest.mark.parametrize("scale", ["log", "linear"])
@pytest.mark.parametrize(
    ("low", "high", "points"), [(64, 8192, 240), (16, 65536, 7), (886, 887, 2), (100, 5000, 31)]
)
def test_the_cube_becomes_bound_by_compute_at_887_whatever_the_points(scale, low, high, points):
    _, _, one = curve(
        gemm(), parameter="m=n=k", low=low, high=high, points=points, scale=scale, figure="intensity"
    )
    memory, compute = one.spans
    assert (memory.bound, memory.binding, memory.first, memory.last) == ("memory", "dram", low, 886)
    assert (compute.bound, compute.binding, compute.first, compute.last) == (
        "compute",
        "bf16-tensor",
        887,
        high,
    )
    (ridge,) = one.marks
    assert (ridge.kind, ridge.x, ridge.below, ridge.is_ridge) == ("bound", 887, 886, True)
    assert ridge.y == pytest.approx(887 / 3)
    assert one.y == pytest.approx(one.x / 3)  # I = n/3


def test_figures_of_the_cube():
    wanted = {
        "time": max(2 * 512**3 / PEAK, 6 * 512**2 / HBM),
        "traffic": 6 * 512**2,
        "intensity": 512 / 3,
        "attainable": 512 / 3 * HBM,
        "fraction": 512 / 3 * HBM / PEAK,
        "throughput": HBM / (6 * 512**2),  # products per second
    }
    units = {"time": "s", "traffic": "B", "intensity": "FLOP/B", "attainable": "FLOP/s", "fraction": "",
             "throughput": "runs/s"}  # fmt: skip
    for figure, value in wanted.items():
        _, _, one = curve(gemm(), parameter="m=n=k", low=256, high=512, points=2, figure=figure)
        assert at(one, 512) == pytest.approx(value, rel=1e-9), figure
        assert one.unit == units[figure]


def test_the_cache_of_a_decode_step_overtakes_its_weights_and_fills_the_memory():
    _, _, one = curve(Entry("s", "decode_step", parameters={**STEP, "weights": "resident"}), low=1, high=512)
    marks = {mark.kind: mark for mark in one.marks}
    # 16.0605 / 1.0737 = 14.96: from 15 sequences on; (80 - 16.06) / 1.0737 = 59.55: 59 fit; B* = s·I*/2 = 295.34
    assert (marks["traffic"].below, marks["traffic"].x) == (14, 15)
    assert (marks["capacity"].below, marks["capacity"].x, marks["capacity"].value) == (59, 60, 59)
    assert marks["capacity"].ends_capacity
    assert (marks["part"].below, marks["part"].x, marks["part"].is_ridge) == (295, 296, True)
    assert one.fits[one.x <= 59].all()
    assert not one.fits[one.x >= 60].any()
    assert [(span.bound, span.binding) for span in one.spans] == [("memory", "dram")]


@pytest.mark.parametrize(
    ("weights", "streamed_bytes"),
    [("resident", PARAMETERS_BYTES), ("streamed", PARAMETERS_BYTES - EMBEDDING_BYTES)],
)
def test_tokens_per_second_of_a_decode_step(weights, streamed_bytes):
    entry = Entry("s", "decode_step", parameters={**STEP, "weights": weights})
    row, spec, one = curve(entry, low=1, high=64, points=64, scale="linear", figure="throughput")
    # What is not bound by memory (norms, activations on chip) adds less than a thousandth.
    assert at(one, 56) == pytest.approx(56 * HBM / (streamed_bytes + 56 * SEQUENCE_BYTES), rel=1e-3)
    assert one.unit == "tok/s"
    assert here_of(row, one, spec) == (56, at(one, 56))


def test_the_ridge_of_a_step_without_cache_is_that_of_the_whole():
    _, _, one = curve(Entry("s", "decode_step", parameters={**STEP, "context": 0}), low=1, high=512)
    (ridge,) = [mark for mark in one.marks if mark.is_ridge]
    assert (ridge.kind, ridge.x) == ("bound", 296)


def test_refused_values_leave_gaps_with_the_reason():
    entry = Entry("a", "attention", parameters={"heads": 8, "kv_heads": 8, "seq_q": 512, "seq_kv": 512})
    _, _, one = curve(entry, parameter="kv_heads", low=1, high=8, points=8, scale="linear", figure="time")
    kept = [value for value, y in zip(one.x.tolist(), one.y.tolist(), strict=True) if math.isfinite(y)]
    assert kept == [1, 2, 4, 8]  # 8 query heads are shared evenly by these alone
    assert "4 of 8 values are refused" in one.notes[0]
    assert one.span_at(3) is None
    assert one.span_at(4) is not None


def test_what_is_refused_everywhere_has_a_reason_and_no_curve():
    _, _, one = curve(gemm(dtypes={"all": "fp4"}), parameter="m")
    assert one.reason
    assert not len(one.x)
    assert one.marks == one.spans == ()


def test_tied_parameters_that_differ_have_no_present_value():
    row, spec, one = curve(gemm(m=512, n=512, k=1024), parameter="m=n=k", low=64, high=4096)
    assert here_of(row, one, spec) is None
    row, spec, one = curve(gemm(m=512, n=512, k=1024), parameter="m=n", low=64, high=4096)
    assert here_of(row, one, spec)[0] == 512


def test_the_staircase_counts_whole_tiles():
    # 16896 rows are 132 tiles of 128: each 128 columns are one whole wave over the 132 SMs.
    entry = gemm(m=16896, n=256, k=8192)
    _, _, one = curve(
        entry, parameter="n", low=240, high=400, points=161, scale="linear", figure="time", stairs=True
    )
    stairs = dict(zip(one.stairs_x.tolist(), one.stairs_y.tolist(), strict=True))
    assert [*stairs] == [240, 256, 257, 384, 385, 400]
    for n, tiles in ((257, 3), (384, 3), (385, 4)):
        assert stairs[n] == pytest.approx(2 * 16896 * 128 * tiles * 8192 / PEAK + LAUNCH_S)
    assert at(one, 257) == pytest.approx(
        2 * (16896 * 257 + 257 * 8192 + 16896 * 8192) / HBM
    )  # the bound has none


def test_a_staircase_that_there_is_not_is_a_note():
    _, _, one = curve(Entry("r", "rmsnorm"), parameter="tokens", low=1, high=4096, stairs=True)
    assert not len(one.stairs_x)
    assert "No staircase" in one.notes[0]
    _, _, long = curve(gemm(), parameter="m", low=1, high=10_000_000, stairs=True)
    assert not len(long.stairs_x)
    assert long.notes


def test_a_second_value_is_fixed_and_wins_over_the_own_one():
    made = study(gemm(m=1, n=7, k=4096), policy="compulsory").with_panel(
        "sweep",
        {"parameter": "m", "low": 1, "high": 64, "points": 2, "figure": "traffic",
         "second": {"parameter": "n", "values": [128, 4096]}},
    )  # fmt: skip
    placed = place(made, {}, registry())
    spec = sweep_spec(placed, registry())
    for value in (128, 4096):
        one = curve_of(placed.rows[0], spec, registry(), CurveKey("gemm-1", "compulsory", value))
        assert at(one, 64) == 2 * (64 * 4096 + 4096 * value + 64 * value)


def test_layers_and_chains_are_swept_too():
    layer = Entry("l", "transformer_layer", parameters={"regime": "prefill", "seq": 4096})
    _, _, one = curve(layer, parameter="batch", low=1, high=64, figure="time")
    assert (one.y[1:] > one.y[:-1]).all()
    made, _ = with_new_chain(study(policy="compulsory"), parse_chain("add + rmsnorm | silu"))
    placed = place(made, {}, registry())
    source = source_for(registry(), made)
    spec = sweep_spec(placed, source)
    row = placed.rows[0]
    chain = curve_of(row, spec, source, CurveKey(row.entry.id, "compulsory"))
    assert spec.names == ("tokens",)
    assert not chain.reason
    # Twice the tokens move twice the bytes, but for the weights of the norm.
    assert len(chain.x) > 50


_sizes = st.sampled_from([1, 7, 64, 1000, 8192])
_entries = st.one_of(
    st.builds(lambda m, n: (gemm(m=m, n=n, k=512), "k"), _sizes, _sizes),
    st.builds(lambda n: (Entry("e", "rmsnorm", parameters={"width": n}), "tokens"), _sizes),
    st.builds(lambda n: (Entry("e", "decode_step", parameters={**STEP, "context": n}), "batch"), _sizes),
    st.builds(lambda n: (Entry("e", "transformer_layer", parameters={"seq": n}), "batch"), _sizes),
    st.builds(
        lambda n: (Entry("e", "attention", parameters={"batch": n}), "seq_q=seq_kv"), st.sampled_from([1, 4])
    ),
)
_ATTRIBUTES = {"time": "time_s", "intensity": "intensity", "attainable": "attainable_flop_per_s",
               "fraction": "fraction_of_peak", "traffic": "traffic_bytes"}  # fmt: skip


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(
    _entries,
    st.sampled_from(list(_ATTRIBUTES)),
    st.sampled_from(["compulsory", "tiled", "modelled"]),
    st.booleans(),
    st.data(),
)
def test_a_curve_says_what_a_single_placement_says(made, figure, policy, forecast, data):
    entry, parameter = made
    row, spec, one = curve(
        entry,
        view={"forecast": forecast},
        policy=policy,
        parameter=parameter,
        low=1,
        high=2048,
        points=20,
        figure=figure,
    )
    at_ = data.draw(st.integers(0, len(one.x) - 1))
    value = int(one.x[at_])
    parameters = {**entry.parameters, **dict.fromkeys(spec.names, value)}
    placement = evaluate(registry(), entry.operator, parameters, {}, row.profile, row.settings)
    assert float(one.y[at_]) == pytest.approx(float(getattr(placement, _ATTRIBUTES[figure])), rel=1e-9)
    span = one.span_at(value)
    assert (span.bound, span.binding) == (placement.bound, placement.binding)
