"""What the sweep tab shows, against figures worked out by hand."""

from __future__ import annotations

import csv
from dataclasses import replace

import pytest

from rooflinestudio.core.measurement import Measurement, MeasurementFile
from rooflinestudio.core.measurement_overlay import Overlay
from rooflinestudio.core.placing import place
from rooflinestudio.core.study import Entry, Pair
from rooflinestudio.core.sweep_curves_words import curves_csv, thresholds_markdown
from rooflinestudio.core.sweep_panel_picture import sweep_picture
from tests.ui.shell_helpers import gemm, registry, study

LLAMA = {"model": "llama-3-8b", "batch": 56, "context": 8192, "weights": "resident"}
STEP = Entry("step", "decode_step", parameters=LLAMA, label="Llama")
CUBE = gemm("cube", label="Cube", policy="compulsory")
FIELDS = {
    "time": "time_s", "intensity": "intensity", "attainable": "attainable_flop_per_s",
    "fraction": "fraction_of_peak", "traffic": "traffic_bytes",
}  # fmt: skip


def picture(made, selected=None, previous=None, **panel):
    made = replace(made, panels={"sweep": panel})
    return sweep_picture(place(made, {}, registry()), registry(), selected, previous=previous)


def line(found, kind):
    return next(one for one in found.lines if one.kind == kind)


def test_a_cube_turns_to_compute_at_887():
    # I = 2n³/(3·2n²) = n/3 meets 989.4e12/3.35e12 = 295.34 at n = 886.03.
    found = picture(study(CUBE))
    assert found.spec.names == ("m", "n", "k")
    assert line(found, "bound").value == 887
    assert [(one.bound, one.last, one.first) for one in found.lead.spans] == [
        ("memory", 886, found.spec.low), ("compute", found.spec.high, 887),
    ]  # fmt: skip
    assert "887" in found.verdict


def test_capacity_ends_the_batch_of_a_decode_step_at_59():
    # (80e9 - 16.06e9) / (131072 · 8192 bytes) = 59.55, 59.51 with activations: 59 fit, 60 do not.
    found = picture(study(STEP))
    assert line(found, "capacity").value == 59
    assert found.shade.beyond == 60
    assert found.shade.words == ("does not fit in 80.0 GB", "more than 59 sequences")
    assert found.lead.fits[found.lead.x <= 59].all()
    assert not found.lead.fits[found.lead.x >= 60].any()
    # 16.06e9 / 1.0737e9 = 14.96: from 15 sequences on the cache is more than the weights.
    assert line(found, "traffic").value == 15


def test_weights_alone_meet_the_ridge_at_295_34():
    # B* = s·I*/2 = 2 · 295.34 / 2; the first whole batch there is 296.
    found = picture(study(STEP))
    assert line(found, "ridge").value == 296
    assert "295.34" in line(found, "ridge").words
    assert found.verdict == "Capacity ends the batch at 59, well before the ridge at 295."


def test_attention_turns_to_compute_at_the_length_at_which_its_intensity_meets_the_ridge():
    entry = Entry("a", "attention", parameters={"causal": False}, policy="compulsory")
    found = picture(study(entry), parameter="seq_q=seq_kv", figure="intensity")
    mark = next(one for one in found.lead.marks if one.kind == "bound")
    below, at = mark.threshold.placed_below, mark.threshold.placed_at
    assert mark.x - mark.below == 1
    assert below.bound == "memory" and at.bound == "compute"
    assert below.intensity < 989.4 / 3.35 <= at.intensity


@pytest.mark.parametrize("figure", FIELDS)
@pytest.mark.parametrize("entry", [CUBE, STEP], ids=["cube", "step"])
def test_a_curve_says_what_an_evaluation_of_each_of_its_points_says(entry, figure):
    found = picture(study(entry), figure=figure, points=24)
    names, lead = found.spec.names, found.lead
    for x, y, fits in zip(lead.x.tolist(), lead.y.tolist(), lead.fits.tolist(), strict=True):
        moved = replace(entry, parameters={**entry.parameters, **dict.fromkeys(names, int(x))})
        placement = place(study(moved), {}, registry()).rows[0].placement
        assert y == pytest.approx(getattr(placement, FIELDS[figure]), rel=1e-12)
        assert lead.span_at(x).bound == placement.bound
        footprint = placement.estimate.footprint_bytes
        assert fits == (footprint is None or footprint <= 80e9)


def test_moving_the_entry_along_its_curve_keeps_the_curve():
    first = picture(study(STEP))
    moved = replace(STEP, parameters={**LLAMA, "batch": 12})
    second = picture(study(moved), previous=first)
    assert second.lead.y is first.lead.y
    assert (first.lead.here[0], second.lead.here[0]) == (56, 12)
    other = picture(study(replace(STEP, parameters={**LLAMA, "context": 4096})), previous=first)
    assert other.lead.y is not first.lead.y


def test_policies_and_a_second_parameter_are_curves_of_their_own():
    second = {"parameter": "context", "values": [4096, 8192]}
    found = picture(study(STEP), policies=["compulsory", "modelled"], second=second)
    keys = [(one.key.policy, one.key.second) for one in found.curves]
    assert keys == [("compulsory", 4096), ("compulsory", 8192), ("modelled", 4096), ("modelled", 8192)]
    # A sequence holds 131072 · 4096 bytes of cache, fp32 logits (128256 · 4) and the widest step of a layer
    # ((3 · 14336 + 4096) · 2): 537 478 144 bytes, of which (80e9 - 16.0605e9) holds 118.96; at 8192 it is 59.5.
    assert [one.value for one in found.lines if one.kind == "capacity"] == [118, 59, 118, 59]


def test_settings_that_make_no_sense_give_way():
    found = picture(
        study(STEP), figure=7, parameter=["x"], low="a", high=None, second="no", policies=3, points="q"
    )
    assert found.spec.names == ("batch",)
    assert found.spec.figure == "throughput"


def test_a_paired_kernel_lies_at_the_value_of_its_entry():
    run = Overlay.from_file(
        MeasurementFile("/run.csv", "csv", (), (Measurement(launch=0, kernel="k", time_s=2e-3),), "d" * 64)
    )
    made = replace(study(CUBE), overlays=(run,), pairs=(Pair(run.digest, "k", 0, "cube"),))
    assert [(one.x, one.y) for one in picture(made, figure="time").measured] == [(4096, 2e-3)]
    assert picture(made, figure="fraction").measured == ()


def test_csv_and_markdown_say_what_the_curves_say():
    found = picture(study(STEP))
    rows = list(csv.DictReader(curves_csv(found.curves, found.spec).splitlines()))
    assert [float(one["batch"]) for one in rows] == found.lead.x.tolist()
    assert [float(one["throughput (tok/s)"]) for one in rows] == found.lead.y.tolist()
    assert {one["fits"] for one in rows if float(one["batch"]) > 59} == {"no"}
    words = thresholds_markdown(found.lines, found.verdict)
    assert "- **batch = 59**: the largest that fits" in words


def test_nothing_to_sweep():
    assert picture(study()) is None
