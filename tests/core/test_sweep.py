from __future__ import annotations

import csv
import io
import itertools
import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooflinestudio.core.dtypes import parse_dtypes
from rooflinestudio.core.errors import ParameterError, RefusedError
from rooflinestudio.core.operators import Estimate, OperatorBase, Parameter, Part
from rooflinestudio.core.placing import evaluate
from rooflinestudio.core.settings import Settings
from rooflinestudio.core.staircase import staircase
from rooflinestudio.core.subject import CHUNK, Subject
from rooflinestudio.core.sweep import SweepCancelledError, sweep
from rooflinestudio.core.sweep.axes import axis_from_text, axis_of, spaced_axis, takes_words
from rooflinestudio.core.sweep.crossings import crossings
from rooflinestudio.core.sweep.document import sweep_csv, sweep_document
from tests.core.profiles import H100
from tests.support import FP32_PEAK, HBM, Copy, Source, machine

BF16 = parse_dtypes("bf16")


class Picky(Copy):
    """Refuses numbers of elements that are no multiple of 8; in ``mode`` off it refuses everything."""

    id = "picky"
    parameters = (*Copy.parameters, Parameter("mode", "mode", "on", choices=("on", "off")))

    def estimate(self, parameters, dtypes):
        if parameters["mode"] == "off":
            raise RefusedError("picky is off; switch it on.")
        elements = np.asarray(parameters["elements"])
        if (elements % 8).any():
            wrong = float(elements.flat[int((elements % 8 != 0).argmax())])
            raise ParameterError(f"{wrong:g} is no multiple of 8.")
        return super().estimate(parameters, dtypes)


class Pair(OperatorBase):
    """A composite of two copies, of which the second is swept over FLOP."""

    id = "pair"
    parameters = (
        Parameter("elements", "elements", 1000),
        Parameter("flop", "FLOP", 1, low=0, high=1e9, integer=False),
    )
    dtype_roles = {"activation": "bf16", "output": "bf16", "compute": "fp32"}  # noqa: RUF012

    def estimate(self, parameters, dtypes):
        parts = []
        for label, flop in (("light", 0), ("heavy", parameters["flop"])):
            own = {"elements": parameters["elements"], "flop": flop, "tiles": 1}
            parts.append(Part(label, "copy", own, dtypes, 2, Copy().estimate(own, dtypes)))
        return Estimate({}, "fp32", (), parts=tuple(parts))


def subject(operator=None, settings=None, **fixed):
    operator = operator or Copy()
    return Subject(
        Source(operator), operator.id, machine(), fixed, BF16, settings or Settings(boundary="dram")
    )


@pytest.fixture(scope="module")
def registry():
    from rooflinestudio.plugins.host import PluginHost

    host = PluginHost.discover()
    host.load_builtins()
    return host.registry


# ------------------------------------------------------------------------------------------ axes


@pytest.mark.parametrize(
    ("text", "names", "values"),
    [
        ("elements=1:5", ("elements",), [1, 2, 3, 4, 5]),
        ("elements=0:100:5", ("elements",), [0, 25, 50, 75, 100]),
        ("elements=1:1000:4:log", ("elements",), [1, 10, 100, 1000]),
        ("elements=1:1000:log:4", ("elements",), [1, 10, 100, 1000]),
        ("elements=1:4:9", ("elements",), [1, 2, 3, 4]),  # rounded, and each once
        ("elements=1k:3k:3", ("elements",), [1000, 2000, 3000]),
        ("elements=256,64,64", ("elements",), [64, 256]),
        ("elements=tiles=2:4", ("elements", "tiles"), [2, 3, 4]),
        ("flop=0:1:5", ("flop",), [0, 0.25, 0.5, 0.75, 1]),
        ("elements=7:7", ("elements",), [7]),
    ],
)
def test_a_range_is_read_and_whole_numbers_stay_whole(text, names, values) -> None:
    axis = axis_from_text(Copy(), text)
    assert axis.names == names and axis.plain() == values
    assert all(isinstance(one, int) for one in axis.plain()) or "flop" in names


def test_a_long_range_of_whole_numbers_is_thinned_out_and_keeps_its_ends() -> None:
    axis = axis_from_text(Copy(), "elements=1:1000000")
    assert len(axis) == 101 and axis.plain()[0] == 1 and axis.plain()[-1] == 1_000_000
    ratio = axis_from_text(Copy(), "elements=10:1000000000:log").plain()
    assert ratio[0] == 10 and ratio[-1] == 10**9 and 150 < len(ratio) < 250


def test_choices_and_switches_are_listed() -> None:
    assert axis_from_text(Picky(), "mode=off,on,off").values == ("off", "on")
    assert axis_from_text(_Switch(), "on=true,false").values == (True, False)


class _Switch(Copy):
    parameters = (*Copy.parameters, Parameter("on", "on", default=False))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("elements", "is no range"),
        ("elements=", "is no range"),
        ("elemens=1:2", "did you mean 'elements'"),
        ("elements=5:1", "smaller end first"),
        ("elements=0:9:log", "cannot begin at 0"),
        ("elements=1:2:lg", "'lg' is neither"),
        ("elements=1:2:log:log", "neither"),
        ("elements=-1:2", "between 0 and"),
        ("elements=1:2:99999999", "points"),
        ("elements=a:2", "'a'"),
        ("mode=on:off", "is a choice"),
        ("mode=on,of", "must be one of on, off"),
        ("elements=elements=1:2", "different parameters"),
    ],
)
def test_a_range_that_makes_no_sense_says_how_to_mend_it(text, words) -> None:
    with pytest.raises(ParameterError) as caught:
        axis_from_text(Picky(), text)
    assert words in str(caught.value)


# ------------------------------------------------------------------------------------------ figures


def test_a_sweep_is_the_roofline_at_every_point() -> None:
    result = sweep(
        subject(), [axis_of(Copy(), "elements", [1e6, 2e6]), axis_of(Copy(), "flop", [1, 100, 400])]
    )
    elements, flop = np.array([[1e6], [2e6]]), np.array([[1.0, 100, 400]])
    assert result.shape == (2, 3)
    assert result.work_flop == pytest.approx(elements * flop)
    assert result.traffic_bytes == pytest.approx(elements * 4 + 0 * flop)
    assert result.intensity == pytest.approx(flop / 4 + 0 * elements)
    time_s = np.maximum(elements * flop / FP32_PEAK, elements * 4 / HBM)
    assert result.time_s == pytest.approx(time_s)
    assert result.attainable_flop_per_s == pytest.approx(elements * flop / time_s)
    assert result.fraction_of_peak == pytest.approx(elements * flop / time_s / FP32_PEAK)
    assert result.bound_words() == ["memory", "compute", "compute"] * 2  # the ridge lies at 25 FLOP/B
    assert result.binding_words() == ["dram", "fp32", "fp32"] * 2
    assert np.isnan(result.footprint_bytes).all()


@given(
    m=st.lists(st.integers(1, 20000), min_size=1, max_size=4, unique=True),
    k=st.lists(st.integers(1, 20000), min_size=1, max_size=4, unique=True),
    policy=st.sampled_from(["compulsory", "tiled", "modelled"]),
    forecast=st.booleans(),
)
def test_a_sweep_says_what_single_evaluations_say(registry, m, k, policy, forecast) -> None:
    settings = Settings(boundary="all", policy=policy, forecast=forecast)
    gemm = registry.operator("gemm")
    result = sweep(
        Subject(registry, "gemm", H100, {"n": 512}, BF16, settings),
        [axis_of(gemm, "m", m), axis_of(gemm, "k", k)],
    )
    words, bindings = result.bound_words(), result.binding_words()
    for at, (one_m, one_k) in enumerate(itertools.product(sorted(m), sorted(k))):
        single = evaluate(registry, "gemm", {"m": one_m, "n": 512, "k": one_k}, BF16, H100, settings)
        for name in ("work_flop", "traffic_bytes", "intensity", "time_s", "fraction_of_peak"):
            assert getattr(result, name).flat[at] == pytest.approx(getattr(single, name))
        assert (words[at], bindings[at]) == (single.bound, single.binding)


def test_more_points_than_a_chunk_are_answered_in_several_calls() -> None:
    source = Source()
    one = Subject(source, "copy", machine(), {}, BF16, Settings(boundary="dram"))
    count = 2 * CHUNK + 17
    shares: list[float] = []
    result = sweep(one, [axis_of(Copy(), "elements", range(1, count + 1))], shares.append)
    assert source.asked == 3
    assert shares == pytest.approx([CHUNK / count, 2 * CHUNK / count, 1.0])
    assert (result.traffic_bytes == 4 * np.arange(1, count + 1)).all()


def test_a_grid_larger_than_a_chunk_keeps_its_order() -> None:
    axes = [axis_of(Copy(), "elements", range(1, 301)), axis_of(Copy(), "flop", range(1, 401))]
    result = sweep(subject(), axes)
    assert result.shape == (300, 400)
    assert (result.work_flop == np.arange(1, 301)[:, None] * np.arange(1, 401)[None, :]).all()


def test_choices_are_looped_over_on_either_side_of_numbers() -> None:
    numbers, modes = axis_of(Picky(), "elements", [8, 16]), axis_of(Picky(), "mode", ["off", "on"])
    for axes, order in (([numbers, modes], (0, 1)), ([modes, numbers], (1, 0))):
        result = sweep(subject(Picky()), axes)
        assert (result.traffic_bytes.transpose(order)[:, 1] == [32, 64]).all()
        assert np.isnan(result.traffic_bytes.transpose(order)[:, 0]).all()
        assert result.refusals == 2 and "off" in result.refusal


def test_a_composite_is_swept_through_its_parts() -> None:
    flop = [1.0, 60.0, 400.0]
    result = sweep(subject(Pair(), elements=1_000_000), [axis_of(Pair(), "flop", flop)])
    assert result.work_flop == pytest.approx([2e6 * one for one in flop])
    memory_s = 4e6 / HBM
    assert result.time_s == pytest.approx(
        [2 * memory_s + 2 * max(memory_s, 1e6 * one / FP32_PEAK) for one in flop]
    )
    assert result.bound_words() == ["memory", "memory", "compute"]
    assert result.traffic_bytes == pytest.approx(16e6)


def test_points_that_are_refused_cost_only_themselves() -> None:
    result = sweep(subject(Picky()), [axis_of(Picky(), "elements", range(1, 65))])
    good = np.arange(1, 65) % 8 == 0
    assert (np.isfinite(result.time_s) == good).all()
    assert result.refusals == 56 and "1 is no multiple of 8" in result.refusal
    assert [word == "" for word in result.bound_words()] == [not one for one in good]


def test_where_every_point_is_refused_the_reason_is_raised_and_not_asked_for_each() -> None:
    source = Source(Picky())
    one = Subject(source, "picky", machine(), {"mode": "off"}, BF16)
    with pytest.raises(RefusedError, match=r"Every point.*picky is off"):
        sweep(one, [axis_of(Picky(), "elements", range(1, 10001))])
    assert source.asked < 10


def test_a_sweep_can_be_stopped() -> None:
    with pytest.raises(SweepCancelledError, match=f"after {CHUNK} of"):
        sweep(subject(), [axis_of(Copy(), "elements", range(1, 3 * CHUNK))], lambda share: False)


@pytest.mark.parametrize(
    ("axes", "fixed", "words"),
    [
        ([], {}, "one or two"),
        ([("elements", [1]), ("flop", [1]), ("tiles", [1])], {}, "one or two"),
        ([("elements", [1]), ("elements", [2])], {}, "two axes"),
        ([("elements", [1])], {"elements": 5}, "also set to 5"),
    ],
)
def test_axes_that_contradict_each_other_are_refused(axes, fixed, words) -> None:
    with pytest.raises(ParameterError, match=words):
        sweep(subject(**fixed), [axis_of(Copy(), name, values) for name, values in axes])


def test_a_huge_sweep_neither_overflows_nor_turns_negative(registry) -> None:
    gemm = registry.operator("gemm")
    axis = spaced_axis(gemm, ("m", "n", "k"), low=1, high=1e9, log=True)
    result = sweep(Subject(registry, "gemm", H100, {}, BF16), [axis])
    assert np.isfinite(result.time_s).all() and (result.time_s > 0).all() and result.refusals == 0
    assert (np.diff(result.time_s) > 0).all()


# ------------------------------------------------------------------------------------------ crossings


def test_a_sweep_crosses_the_ridge_where_it_is_and_not_where_its_points_are(registry) -> None:
    gemm = registry.operator("gemm")
    one = Subject(registry, "gemm", H100, {}, BF16, Settings(boundary="dram"))
    coarse = sweep(one, [axis_of(gemm, ("m", "n", "k"), [64, 8192])])
    (found,), notes = crossings(coarse)
    assert (found.threshold.below, found.threshold.at) == (886, 887) and notes == ()
    assert found.text == "m=n=k = 887: compute at bf16-tensor; up to 886 memory at dram"


def test_every_change_of_what_binds_is_found(registry) -> None:
    # Tiles of 256 × 256 reach 128 FLOP/B at L2 in the end, past its ridge of 110; on the way each may bind.
    gemm = registry.operator("gemm")
    fixed = {"n": 4096, "k": 4096, "tile_m": 256, "tile_n": 256, "warp_m": 256, "warp_n": 256}
    one = Subject(registry, "gemm", H100, fixed, BF16, Settings(boundary="all"))
    found, _ = crossings(sweep(one, [axis_of(gemm, "m", [1, 100_000])]))
    words = [(crossing.threshold.before, crossing.threshold.after) for crossing in found]
    assert words[0][0] == "memory at dram" and len(words) >= 2
    for (_, after), (before, _) in itertools.pairwise(words):
        assert after == before
    for crossing in found:
        settings = Settings(boundary="all")
        edge = crossing.threshold
        for value, expected in ((edge.below, edge.before), (edge.at, edge.after)):
            placed = evaluate(registry, "gemm", {"m": int(value), **fixed}, BF16, H100, settings)
            assert f"{placed.bound} at {placed.binding}" == expected


def test_thresholds_of_two_axes_are_told_line_by_line(registry) -> None:
    gemm = registry.operator("gemm")
    one = Subject(registry, "gemm", H100, {"k": 8192}, BF16, Settings(boundary="dram"))
    result = sweep(one, [axis_of(gemm, "m", [1, 4096]), axis_of(gemm, "n", [4096, 8192])])
    found, _ = crossings(result)
    assert [crossing.others for crossing in found] == [{"n": 4096}, {"n": 8192}]
    # I = 2·m·n·k / (2·(m·k + k·n + m·n)) = 989.4/3.35 solved for m
    ridge = 989.4 / 3.35
    for crossing, n in zip(found, (4096, 8192), strict=True):
        exact = ridge * 8192 * n / (n * 8192 - ridge * (8192 + n))
        assert crossing.threshold.below < exact <= crossing.threshold.at


def test_a_sweep_over_choices_alone_crosses_nothing() -> None:
    result = sweep(subject(Picky(), elements=8), [axis_of(Picky(), "mode", ["on"])])
    assert crossings(result) == ((), ())


# ------------------------------------------------------------------------------------------ staircase


def test_the_staircase_is_tiles_along_one_dimension_and_waves_over_the_machine(registry) -> None:
    one = Subject(registry, "gemm", H100, {"n": 4096, "k": 4096}, BF16)
    stairs = staircase(one, "m", low=1, high=640)
    assert [(stair.first, stair.last) for stair in stairs] == [
        (1, 128),
        (129, 256),
        (257, 384),
        (385, 512),
        (513, 640),
    ]
    assert [stair.waves for stair in stairs] == [1, 1, 1, 1, 2]  # 32, 64, 96, 128, 160 tiles on 132 SMs
    # In one wave each SM has one tile of 128 × 128 × 4096.
    wave_s = 2 * 128 * 128 * 4096 * 132 / 989.4e12
    assert stairs[3].last_time_s == pytest.approx(wave_s + 3e-6)
    assert stairs[4].last_time_s == pytest.approx(2 * wave_s + 3e-6)
    assert stairs[3].last_efficiency == pytest.approx(128 / 132)
    assert stairs[4].first_efficiency == pytest.approx(513 * 4096 / (128 * 128) / 264)


def test_an_operator_without_tiles_has_no_staircase() -> None:
    with pytest.raises(RefusedError, match="no staircase"):
        staircase(subject(), "elements", low=1, high=10)
    with pytest.raises(ParameterError, match="whole"):
        staircase(subject(), "flop", low=1, high=10)
    with pytest.raises(ParameterError, match="too many"):
        staircase(subject(), "elements", low=1, high=1e9)


# ------------------------------------------------------------------------------------------ documents


def test_the_document_is_strict_json_and_flat() -> None:
    result = sweep(
        subject(Picky()), [axis_of(Picky(), "elements", [7, 8]), axis_of(Picky(), "flop", [0.5, 2])]
    )
    found = json.loads(json.dumps(sweep_document(result, crossings(result)[0]), allow_nan=False))
    assert found["axes"] == [
        {"names": ["elements"], "values": [7, 8]},
        {"names": ["flop"], "values": [0.5, 2.0]},
    ]
    assert found["shape"] == [2, 2]
    assert found["points"]["traffic_bytes"] == [None, None, 32.0, 32.0]
    assert found["points"]["bound"] == [None, None, "memory", "memory"]
    assert any("2 of 4 points are refused" in note for note in found["notes"])


def test_the_table_reads_back_to_the_same_numbers() -> None:
    axes = [axis_of(Copy(), ("elements", "tiles"), [3, 10]), axis_of(Copy(), "flop", [0.1, 300])]
    result = sweep(subject(), axes)
    rows = list(csv.DictReader(io.StringIO(sweep_csv(result))))
    assert [(row["elements"], row["tiles"], row["flop"]) for row in rows][2] == ("10", "10", "0.1")
    for name in ("work_flop", "traffic_bytes", "time_s", "intensity"):
        assert [float(row[name]) for row in rows] == getattr(result, name).ravel().tolist()
    assert [row["bound"] for row in rows] == ["memory", "compute"] * 2


def test_a_subject_can_be_changed_without_being_asked_anew() -> None:
    one = subject(elements=8)
    other = replace(one, profile=machine("acme-two", hbm=2 * HBM))
    assert other.at({}).time_s == pytest.approx(one.at({}).time_s / 2)


def test_every_built_in_operator_can_be_swept_and_says_what_single_evaluations_say(registry) -> None:
    for operator in registry.operators:
        parameter = next(one for one in operator.parameters if not takes_words(one) and one.integer)
        values = sorted({parameter.default, 2 * parameter.default})
        for settings in (Settings(), Settings(boundary="all", policy="modelled", forecast=True)):
            one = Subject(registry, operator.id, H100, {}, BF16, settings)
            result = sweep(one, [axis_of(operator, parameter.name, values)])
            for at, value in enumerate(values):
                single = evaluate(registry, operator.id, {parameter.name: value}, BF16, H100, settings)
                where = f"{operator.id} {parameter.name} = {value} {settings}"
                for name in ("work_flop", "traffic_bytes", "time_s", "fraction_of_peak"):
                    assert getattr(result, name)[at] == pytest.approx(getattr(single, name)), (
                        f"{where}: {name}"
                    )
                assert result.bound_words()[at] == single.bound, where
                assert result.binding_words()[at] == single.binding, where
