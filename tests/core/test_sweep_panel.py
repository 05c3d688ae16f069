"""What a sweep reads from a study: nonsense gives way to defaults, and it always shows something."""

from __future__ import annotations

import math

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rooflinestudio.core.placing import place
from rooflinestudio.core.study import Entry
from rooflinestudio.core.sweep.panel import entries_with, sweep_spec, sweepable
from tests.ui.shell_helpers import gemm, registry, study

STEP = Entry("step", "decode_step", parameters={"model": "llama-3-8b", "batch": 56, "context": 8192})


def spec_of(made, selected=None, **panel):
    placed = place(made.with_panel("sweep", panel) if panel else made, {}, registry())
    return sweep_spec(placed, registry(), selected)


def test_without_settings_the_selected_entry_runs_along_its_most_telling_parameter():
    made = study(gemm(), STEP)
    cube, step = spec_of(made, "gemm-1"), spec_of(made, "step")
    assert (cube.entries, cube.names, cube.figure, cube.follows) == (
        ("gemm-1",),
        ("m", "n", "k"),
        "attainable",
        True,
    )
    assert (step.entries, step.names, step.figure) == (("step",), ("batch",), "throughput")
    assert spec_of(made).entries == ("gemm-1",)


def test_the_usual_range_surrounds_the_own_value():
    cube = spec_of(study(gemm(m=2048)))
    assert (cube.low, cube.high, cube.is_log) == (32.0, 32768.0, True)  # six octaves down, four up


def test_what_a_study_names_wins_over_the_selection():
    made = study(gemm("a"), gemm("b"), STEP)
    spec = spec_of(
        made, "step", entries=["b", "a", "gone", "step"], parameter="m", low=64, high=128, scale="linear"
    )
    assert (spec.entries, spec.follows) == (("b", "a"), False)  # a decode step has no m
    assert (spec.parameter, spec.low, spec.high, spec.is_log) == ("m", 64.0, 128.0, False)


def test_second_parameter_and_policies_are_read():
    spec = spec_of(
        study(gemm()),
        parameter="m",
        second={"parameter": "n", "values": [8, 64, 8]},
        policies=["tiled", "compulsory"],
    )
    assert spec.second == ("n", (8, 64))
    assert spec.policies == ("compulsory", "tiled")


@pytest.mark.parametrize(
    "second",
    [
        "n",
        {"parameter": ["n"], "values": [1]},
        {"parameter": "m", "values": [1]},
        {"parameter": "nothing", "values": [1]},
        {"parameter": "n", "values": []},
        {"parameter": "n", "values": "8"},
        {"parameter": "n"},
    ],
)
def test_a_second_parameter_that_makes_no_sense_is_none(second):
    assert spec_of(study(gemm()), parameter="m", second=second).second is None


@pytest.mark.parametrize(
    ("panel", "left"),
    [
        ({"low": math.nan}, {"low": 64.0}),
        ({"low": True}, {"low": 64.0}),
        ({"low": "much"}, {"low": 64.0}),
        ({"points": math.inf}, {"points": 240}),
        ({"points": 1}, {"points": 2}),
        ({"points": 10**9}, {"points": 2000}),
        ({"figure": "beauty"}, {"figure": "attainable"}),
        ({"figure": ["time"]}, {"figure": "attainable"}),
        ({"parameter": "m=nothing"}, {"parameter": "m=n=k"}),
        ({"parameter": 3}, {"parameter": "m=n=k"}),
        ({"policies": "tiled"}, {"policies": ()}),
        ({"entries": "gemm-1"}, {"entries": ("gemm-1",), "follows": True}),
        ({"stairs": "yes"}, {"shows_stairs": False}),
    ],
)
def test_nonsense_gives_way_to_the_default(panel, left):
    spec = spec_of(study(gemm(m=4096)), **panel)
    assert {name: getattr(spec, name) for name in left} == left


def test_a_range_that_falls_is_mended_and_zero_takes_a_linear_axis():
    fallen = spec_of(study(gemm()), parameter="m", low=512, high=64)
    assert fallen.low < fallen.high
    from_zero = spec_of(study(STEP), parameter="context", low=0, high=100)
    assert (from_zero.low, from_zero.is_log) == (0.0, False)


def test_nothing_can_be_swept_in_an_empty_study_or_without_a_source():
    assert spec_of(study()) is None
    placed = place(study(gemm()), {}, registry())
    assert sweep_spec(placed, None) is None
    unknown = place(study(Entry("x", "nowhere")), {}, registry())
    assert sweep_spec(unknown, registry()) is None


def test_choices_and_switches_do_not_run():
    names = sweepable(registry().operator("attention"))
    assert names[0] == "seq_q=seq_kv"
    assert not {"causal", "implementation", "direction"} & {*names}


def test_only_entries_that_have_the_parameter_are_compared():
    placed = place(study(gemm("a"), STEP, Entry("norm", "rmsnorm")), {}, registry())
    assert [id_ for id_, _ in entries_with(placed, registry(), ("batch",))] == ["a", "step"]
    assert [id_ for id_, _ in entries_with(placed, registry(), ("tokens",))] == ["norm"]


_plain = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.lists(st.integers(), max_size=3),
    st.sampled_from(["m", "m=n=k", "batch", "log", "linear", "time", "tiled"]),
)  # fmt: skip
_values = st.one_of(_plain, st.dictionaries(st.sampled_from(["parameter", "values"]), _plain))
_keys = st.sampled_from(
    ["entries", "parameter", "low", "high", "points", "scale", "figure", "policies", "second", "stairs"]
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(_keys, _values))
def test_whatever_stands_there_is_read(panel):
    spec = spec_of(study(gemm()), **panel)
    assert spec is not None
    assert spec.low <= spec.high
    assert spec.entries
