"""The picture of a sweep: which curves there are, what is said of them, and what an edit costs."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest

from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.placing import evaluate, place
from rooflinestudio.core.study import Entry, Pair
from rooflinestudio.core.sweep.maker import SweepMaker
from rooflinestudio.core.sweep.panel import sweep_spec
from rooflinestudio.core.sweep.second import read_values, second_parameters, suggested_values, values_text
from rooflinestudio.core.sweep.texts import curves_csv, sweep_markdown
from rooflinestudio.core.sweep.words import figure_text, value_text
from tests.ui.canvas.samples import measurement, overlay
from tests.ui.shell_helpers import gemm, registry, study

STEP = Entry(
    "step",
    "decode_step",
    parameters={"model": "llama-3-8b", "batch": 56, "context": 8192, "weights": "resident"},
)


class Desk:
    def __init__(self, made, **panel):
        self.made, self.maker, self.placed = made.with_panel("sweep", panel), SweepMaker(), None
        self.shown = None

    def picture(self, selected=None):
        self.placed = place(self.made, {}, registry(), previous=self.placed)
        before = self.shown.spec if self.shown is not None else None
        spec = sweep_spec(self.placed, registry(), selected, before=before)
        self.shown = self.maker.picture(self.placed, registry(), spec)
        return self.shown

    def change(self, id_, **parameters):
        entry = self.made.entry(id_)
        self.made = self.made.replacing(replace(entry, parameters={**entry.parameters, **parameters}))


def rows(picture):
    return {one.mark.kind: (one.value_text, one.words) for one in picture.thresholds}


def test_an_edit_that_does_not_concern_it_leaves_the_picture_as_it_is():
    desk = Desk(study(gemm("a"), gemm("b")), entries=["a"], parameter="m=n=k")
    before = desk.picture()
    desk.change("b", m=17)
    assert desk.picture() is before
    assert desk.maker.made == 1


def test_the_value_that_runs_moves_without_a_new_curve():
    desk = Desk(study(gemm("a"), policy="compulsory"), parameter="m=n=k", figure="intensity")
    before = desk.picture()
    desk.change("a", m=900, n=900, k=900)
    after = desk.picture()
    assert desk.maker.made == 1
    assert after is not before
    assert after.x_range == before.x_range
    assert after.lead.here == (900, pytest.approx(300))


def test_a_slider_step_makes_the_curves_of_its_entry_alone():
    desk = Desk(study(gemm("a"), gemm("b"), gemm("c")), entries=["a", "b", "c"], parameter="m")
    kept = {one.key.entry: one.curve for one in desk.picture().curves}
    desk.change("b", n=64)
    fresh = {one.key.entry: one.curve for one in desk.picture().curves}
    assert desk.maker.made == 4
    assert fresh["a"] is kept["a"]
    assert fresh["c"] is kept["c"]
    assert fresh["b"] is not kept["b"]


def test_policies_times_second_values_are_curves_of_their_own():
    made = study(gemm("a", n=64), policy="tiled")
    desk = Desk(
        made, parameter="m", policies=["compulsory", "tiled"], second={"parameter": "n", "values": [64, 128]}
    )
    picture = desk.picture()
    assert [(one.name, one.dash) for one in picture.curves] == [
        ("n = 64, compulsory", 0), ("n = 128, compulsory", 1), ("n = 64, tiled", 2), ("n = 128, tiled", 3),
    ]  # fmt: skip
    # The present value stands on the curve that the entry's own settings give.
    assert [one.name for one in picture.curves if one.here] == ["n = 64, tiled"]


def test_an_entry_without_the_second_parameter_keeps_one_curve():
    made = study(Entry("a", "rmsnorm", label="Norm"), Entry("h", "lm_head", label="Head"))
    desk = Desk(
        made,
        entries=["h", "a"],
        parameter="tokens",
        second={"parameter": "vocabulary", "values": [1000, 2000]},
    )
    assert [one.name for one in desk.picture().curves] == [
        "Head, vocabulary = 1\u202f000",
        "Head, vocabulary = 2\u202f000",
        "Norm",
    ]


def test_thresholds_and_verdict_of_a_cube():
    picture = Desk(study(gemm(), policy="compulsory"), parameter="m=n=k").picture()
    assert rows(picture) == {"bound": ("887", "compute at bf16-tensor; up to 886 memory at HBM3")}
    assert picture.verdict == "Memory at HBM3 binds up to m=n=k = 886, compute at bf16-tensor from 887 on."
    assert [one.label for one in picture.thresholds] == ["ridge 887"]


def test_thresholds_verdict_and_gap_of_a_decode_step():
    picture = Desk(study(STEP), low=1, high=512).picture()
    assert picture.verdict == (
        "Capacity ends batch at 59, before the ridge of gate_up at 296. "
        "From 15 on the cache moves more than the weights."
    )
    assert [one.value for one in picture.thresholds] == [15, 59, 296]
    # 16.0605 GB of weights and 60 caches of 1.0737 GB are 80.485 GB, and a little of activations
    assert rows(picture)["capacity"][1].startswith("last that fits; 60 needs 80.")
    assert picture.gap.lines == ("does not fit in 80 GB", "more than 59 sequences")
    assert (picture.gap.first, picture.gap.last) == (60, 512)


def test_the_ridge_may_come_before_the_end_of_capacity():
    step = replace(STEP, parameters={**STEP.parameters, "context": 128})
    picture = Desk(study(step), low=1, high=8192).picture()
    ridge, ends = (
        next(one for one in picture.thresholds if getattr(one.mark, what))
        for what in ("is_ridge", "ends_capacity")
    )
    assert ridge.value < ends.value
    assert picture.verdict.startswith(f"The ridge is reached at {ridge.value_text}; capacity ends batch at")


def test_what_fits_only_from_some_value_on_is_shaded_at_the_left():
    # 7 G parameters take 12 bytes of state each: 84 GB on one rank... of ranks that share them, three hold it.
    adam = Entry("adam", "adam", parameters={"parameter_count": 7e9})
    picture = Desk(study(adam), parameter="ranks", low=1, high=64).picture()
    assert picture.gap.lines[0] == "does not fit in 80 GB"
    assert picture.gap.first == 1
    fits = next(one for one in picture.thresholds if one.mark.kind == "capacity")
    assert picture.gap.last == fits.value - 1
    assert "It fits into memory from" in picture.verdict


def test_of_several_curves_the_present_one_is_shaded():
    second = {"parameter": "context", "values": [1024, 8192]}
    picture = Desk(study(STEP), low=1, high=1024, second=second).picture()
    assert picture.gap.first == 60
    assert picture.gap.lines[0] == "context = 8\u202f192: does not fit in 80 GB"


def test_a_figure_that_is_zero_everywhere_is_told():
    picture = Desk(study(Entry("c", "cast", label="Cast")), figure="intensity").picture()
    assert picture.notes == ("Cast: no value is above 0, there is nothing to draw.",)
    assert Desk(study(Entry("c", "cast", label="Cast")), figure="time").picture().notes == ()


def test_where_nothing_fits_there_is_a_sentence_and_no_shade():
    step = replace(STEP, parameters={**STEP.parameters, "model": "llama-3-70b"})
    picture = Desk(study(step), low=1, high=64).picture()
    assert picture.gap is None
    assert "Nothing in this range fits into memory." in picture.verdict


def test_of_several_curves_those_that_cross_something_are_told_by_name():
    made = study(gemm("a", label="Once", policy="compulsory"), gemm("b", label="Tiles", policy="tiled"))
    picture = Desk(made, entries=["b", "a"], parameter="m=n=k").picture()
    assert picture.verdict.startswith("Once: memory at HBM3 binds up to m=n=k = 886")


def test_a_curve_that_is_refused_tells_why_beside_the_others():
    made = study(gemm("good"), gemm("bad", label="Bad", dtypes={"all": "fp4"}))
    picture = Desk(made, entries=["good", "bad"], parameter="m").picture()
    ((name, reason),) = picture.refused
    assert name == "Bad"
    assert reason
    assert len(picture.curves) == 2
    assert picture.curves[0].here is not None


def test_readings_are_single_placements():
    picture = Desk(
        study(gemm("a", n=512, k=512), policy="compulsory"), parameter="m", figure="time"
    ).picture()
    row = picture.lead.row
    alone = evaluate(registry(), "gemm", {"m": 333, "n": 512, "k": 512}, {}, row.profile, row.settings)
    reading = picture.lead.reading(333, picture.spec)
    assert (reading.y, reading.bound) == (alone.time_s, alone.bound)
    assert "memory at HBM3" in reading.words


MEASURED = [
    ("time", 80e-6), ("traffic", 6e6), ("attainable", 2 * 512**3 / 80e-6), ("intensity", 2 * 512**3 / 6e6),
    ("fraction", 2 * 512**3 / 80e-6 / 989.4e12), ("throughput", 1 / 80e-6),
]  # fmt: skip


@pytest.mark.parametrize(("figure", "value"), MEASURED)
def test_measured_kernels_stand_at_the_value_of_their_entry(figure, value):
    run = overlay(measurement(0, kernel="sgemm", time_s=80e-6, work_flop=2.0 * 512**3, traffic_bytes=6e6))
    made = replace(
        study(gemm("a", m=512, n=512, k=512), gemm("b"), policy="compulsory"),
        overlays=(run,),
        pairs=(Pair(run.digest, "sgemm", 0, "a"),),
    )
    picture = Desk(made, entries=["a", "b"], parameter="m=n=k", figure=figure).picture()
    (point,) = picture.curves[0].measured
    assert (point.x, point.name) == (512, "sgemm")
    assert point.y == pytest.approx(value)
    assert picture.curves[1].measured == ()


@pytest.mark.parametrize(
    "counted", [{}, {"fp32": 2.0 * 512 * 512}]
)  # nothing, or only what follows the product
def test_work_that_the_counters_are_blind_to_is_the_operators(counted):
    blind = replace(measurement(0, kernel="sgemm", time_s=80e-6, traffic_bytes=6e6), work=counted)
    run = overlay(blind)
    made = replace(
        study(gemm("a", m=512, n=512, k=512), policy="compulsory"),
        overlays=(run,),
        pairs=(Pair(run.digest, "sgemm", 0, "a"),),
    )
    found = {}
    for figure in ("attainable", "intensity", "fraction", "time"):
        picture = Desk(made, entries=["a"], parameter="m=n=k", figure=figure).picture()
        (found[figure],) = picture.curves[0].measured
    flop = 2 * 512**3
    assert found["attainable"].y == pytest.approx(flop / 80e-6)
    assert found["intensity"].y == pytest.approx(flop / 6e6)
    assert found["fraction"].y == pytest.approx(flop / 80e-6 / 989.4e12)
    assert found["attainable"].work_from.startswith("W from ") and found["time"].work_from == ""


def test_csv_has_every_point_with_its_bound():
    range_ = {"low": 885, "high": 888, "points": 4, "scale": "linear"}
    picture = Desk(
        study(gemm("a"), policy="compulsory"), parameter="m=n=k", figure="intensity", **range_
    ).picture()
    lines = list(csv.DictReader(io.StringIO(curves_csv(picture))))
    assert [(one["m=n=k"], one["bound"], one["binding"]) for one in lines] == [
        ("885", "memory", "dram"), ("886", "memory", "dram"),
        ("887", "compute", "bf16-tensor"), ("888", "compute", "bf16-tensor"),
    ]  # fmt: skip
    assert float(lines[0]["intensity [FLOP/B]"]) == pytest.approx(295)
    assert {one["fits"] for one in lines} == {"yes"}


def test_markdown_has_the_verdict_thresholds_and_some_values():
    text = sweep_markdown(Desk(study(STEP), low=1, high=64, scale="linear").picture())
    assert "| 59 | last that fits" in text
    assert "Capacity ends batch at 59" in text
    assert text.count("\n| ") < 30


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (1024, "", "1\u202f024"), (59, "", "59"), (0.25, "", "0.25"), (7e9, "", "7 G"), (16000, "B", "16 kB"),
        (2.01e6, "B", "2.01 MB"), (1.5, "", "1.5"),
    ],
)  # fmt: skip
def test_values_in_words(value, unit, text):
    assert value_text(value, unit) == text


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (0.762, "", "76.2 %"), (2495.4, "tok/s", "2\u202f495 tok/s"), (22.43e-3, "s", "22.43 ms"),
        (295.34, "FLOP/B", "295.3 FLOP/byte"), (float("nan"), "s", "–"),
    ],
)  # fmt: skip
def test_figures_in_words(value, unit, text):
    assert figure_text(value, unit) == text


def test_the_second_parameter_suggests_values_and_reads_them():
    attention = registry().operator("attention")
    assert suggested_values(attention, "causal", False) == (False, True)
    assert suggested_values(attention, "kv_heads", 16) == (8, 16, 32)
    assert suggested_values(attention, "implementation", "flash") == attention_choices(attention)
    assert read_values(attention, "kv_heads", "8, 64; 8") == (8, 64)
    assert read_values(attention, "causal", "yes, no") == (True, False)
    assert values_text((8, 64)) == "8, 64"
    assert "seq_q" not in dict(second_parameters(attention, ("seq_q", "seq_kv")))


def attention_choices(operator):
    return next(one.choices for one in operator.parameters if one.name == "implementation")


@pytest.mark.parametrize("text", ["", "x", "1,2,3,4,5,6,7,8,9"])
def test_second_values_that_cannot_be_read_are_refused(text):
    with pytest.raises(StudioError):
        read_values(registry().operator("attention"), "kv_heads", text)
