"""The main pipe of a measured kernel: on a machine the one with the largest work / ceiling, else the largest work.

The machines: an H100 with 989.4 TFLOP/s on the bf16 matrix pipe and 66.9 in fp32 (1 : 14.8), and a GeForce with 165.2
and 82.6 (1 : 2). Of 100 GFLOP on the matrix pipe and 30 in fp32 the matrix pipe needs 0.101 ms on the H100 and 0.605 ms
on the GeForce, fp32 0.448 and 0.363 ms: fp32 holds the kernel on the one, the matrix pipe on the other.
"""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rooflinestudio.core.measured.main import beside_words, held_on, main_columns
from rooflinestudio.core.measured.panel import measured_panel
from rooflinestudio.core.measured.series import Series
from rooflinestudio.core.measured.table import TableMaker
from rooflinestudio.core.measured.words import cell_text, cell_tip
from rooflinestudio.core.measurement_overlay import Overlay
from rooflinestudio.core.series.maker import SeriesMaker
from rooflinestudio.core.series.table import SeriesTableMaker
from rooflinestudio.core.series.words import line_words
from rooflinestudio.core.study_files import load_study, save_study
from tests.core.diagnosing import measured
from tests.core.measured_files import A, B, file_of, large_file, study_of
from tests.core.profiles import H100, figure, machine

GEFORCE = machine(
    "geforce", ceilings={"bf16-tensor": 165.2e12, "fp32": 82.6e12}, boundaries={"dram": 1.008e12, "l2": 5e12}
)
BOTH = {"work.bf16-tensor": 100e9, "work.fp32": 30e9}
DISPUTED = {"kernel": "fused", "time_s": 1e-3, **BOTH, "bytes.dram": 1e9, "bytes.l2": 4e9}
MATRIX = {"kernel": "gemm", "time_s": 1e-3, "work.bf16-tensor": 200e9, "bytes.dram": 1e9}
VECTOR = {"kernel": "add", "time_s": 1e-3, "work.fp32": 10e9, "bytes.dram": 1e9}


def pipe_names(overlay, columns):
    return [overlay.pipes[code] if code >= 0 else "" for code in columns["pipe"]]


def table_of(*files, profile=None, maker=None, **panel):
    study = study_of(*files, **panel)
    return (maker or TableMaker()).table(study, measured_panel(study), profile)


# One kernel


def test_the_main_pipe_is_the_one_that_holds_the_kernel_longest_on_the_machine():
    one = measured(work={"bf16-tensor": 100e9, "fp32": 30e9}, time=1e-3, dram=1e9)
    there, here = held_on(one, H100), held_on(one, GEFORCE)
    assert (there.pipe, there.work_flop, there.achieved_flop_per_s) == ("fp32", 30e9, pytest.approx(30e12))
    assert there.intensity_dram == pytest.approx(30.0) and there.figure("work_flop").recipe == "fp32 counted"
    assert (here.pipe, here.work_flop, here.intensity_dram) == ("bf16-tensor", 100e9, pytest.approx(100.0))
    assert held_on(one, None).pipe == one.pipe == "bf16-tensor"  # no machine: the largest work
    assert held_on(there, GEFORCE).pipe == "bf16-tensor" and held_on(here, H100).pipe == "fp32"


def test_what_stands_beside_the_main_pipe_is_named():
    one = measured(work={"bf16-tensor": 100e9, "fp32": 50e9, "special": 2e9, "fp64": 0.0})
    assert beside_words(one, "fp32") == "also bf16-tensor 100 GFLOP, special 2.00 GFLOP"
    assert beside_words(one, "bf16-tensor") == "also fp32 50.0 GFLOP, special 2.00 GFLOP"
    assert beside_words(measured(work={"fp32": 1e9}), "fp32") == ""


def test_a_pipe_without_a_ceiling_counts_only_where_no_pipe_with_work_has_one():
    one = measured(work={"fp64-tensor": 1e15, "fp32": 1.0})
    assert held_on(one, GEFORCE).pipe == "fp32"
    assert held_on(measured(work={"fp64-tensor": 1e9, "fp32": 0.0}), GEFORCE).pipe == "fp64-tensor"
    assert held_on(measured(work={"fp64": 1e9, "int8-tensor": 2e9}), GEFORCE).pipe == "int8-tensor"
    # A missing matrix pipe runs as vector: 8 GFLOP at 133.8 TFLOP/s take longer than 3 at 66.9.
    vector_only = machine("v", ceilings={"bf16": 133.8e12, "fp32": 66.9e12}, boundaries={"dram": 1e12})
    assert held_on(measured(work={"bf16-tensor": 8e9, "fp32": 3e9}), vector_only).pipe == "bf16-tensor"


def test_special_is_never_the_main_pipe():
    one = measured(work={"special": 1e12, "fp32": 1e9}, time=1e-3)
    assert one.pipe == held_on(one, H100).pipe == "fp32" and one.work_flop == 1e9
    overlay = file_of(
        {"kernel": "k", "time_s": 1e-3, "work.special": 1e12, "work.fp32": 1e9},
        {"kernel": "e", "work.special": 1.0},
    )
    for profile in (None, H100):
        columns = main_columns(overlay, profile)
        assert pipe_names(overlay, columns) == ["fp32", ""] and columns["work_flop"][0] == 1e9
    assert overlay.measurement(1).work_flop is None


def test_equal_works_and_rates_without_times_are_judged_too():
    tie = machine("tie", ceilings={"fp16": 2e12, "fp32": 1e12}, boundaries={"dram": 1e12})
    assert held_on(measured(work={"fp16": 2e9, "fp32": 1e9}), tie).pipe == "fp16"  # the first of equals
    rates = replace(measured(time=None), work_rates={"bf16-tensor": 100e12, "fp32": 30e12})
    assert held_on(rates, H100).pipe == "fp32" and held_on(rates, H100).achieved_flop_per_s == 30e12
    assert held_on(rates, GEFORCE).pipe == "bf16-tensor"


# Columns


def test_the_columns_of_a_file_follow_the_machine():
    overlay = file_of(DISPUTED, MATRIX, VECTOR)
    there, here = main_columns(overlay, H100), main_columns(overlay, GEFORCE)
    assert pipe_names(overlay, there) == ["fp32", "bf16-tensor", "fp32"]
    assert there["work_flop"].tolist() == [30e9, 200e9, 10e9]
    assert there["achieved_flop_per_s"].tolist() == pytest.approx([30e12, 200e12, 10e12])
    assert there["intensity_dram"].tolist() == pytest.approx([30, 200, 10])
    assert there["intensity_l2"][0] == pytest.approx(7.5)
    assert there["time_s"] is overlay.columns["time_s"] and set(there) == set(overlay.columns)
    assert here is overlay.columns and here["work_flop"][0] == 100e9
    assert main_columns(overlay, H100) is there and main_columns(overlay, None) is overlay.columns
    with pytest.raises(ValueError, match="read-only"):
        there["work_flop"][0] = 1.0


def test_a_file_of_one_pipe_per_kernel_keeps_its_columns():
    overlay = large_file(1000)
    assert main_columns(overlay, H100) is overlay.columns
    several = file_of(MATRIX, VECTOR, {**VECTOR, "work.bf16-tensor": 0.0})
    assert main_columns(several, H100) is several.columns


def test_a_changed_ceiling_changes_the_main_pipe_and_few_machines_are_kept():
    overlay = file_of(DISPUTED)
    for at in range(
        1, 6
    ):  # 100 GFLOP at 989.4 TFLOP/s take 0.101 ms, 30 at 100 to 500 TFLOP/s 0.3 to 0.06 ms
        ceiling = replace(H100.ceilings["fp32"], figure=figure(at * 100e12))
        changed = replace(H100, ceilings={**H100.ceilings, "fp32": ceiling})
        assert pipe_names(overlay, main_columns(overlay, changed)) == ["fp32" if at < 3 else "bf16-tensor"]
    assert len(overlay._kept) == 4
    assert pickle.loads(pickle.dumps(overlay))._kept == {}


def test_a_study_keeps_what_was_counted_whatever_machine_it_was_held_against(tmp_path):
    overlay = file_of(DISPUTED)
    main_columns(overlay, H100)
    save_study(study_of(overlay), tmp_path / "a.yaml")
    again = load_study(tmp_path / "a.yaml").overlays[0]
    assert (
        again.measurement(0).pipe == "bf16-tensor"
        and again.measurement(0).work == overlay.measurement(0).work
    )


amounts = st.sampled_from([0.0, 1e9, 3e9, 20e9, 100e9, 250e9])
PIPES = ("bf16-tensor", "fp32", "odd", "special")


@st.composite
def records(draw):
    one = {"kernel": "k"}
    for pipe in PIPES:
        if draw(st.booleans()):
            one[f"work.{pipe}"] = draw(amounts)
        elif draw(st.booleans()):
            one[f"work_rate.{pipe}"] = 1e3 * draw(amounts)
    more = {
        "time_s": 1e-3,
        "bytes.dram": draw(st.sampled_from([0.0, 1e9])),
        "bytes.l2": 3e9,
        "bytes_per_s.dram": 2e12,
    }
    return one | {key: value for key, value in more.items() if draw(st.booleans())}


@settings(max_examples=150, deadline=None)
@given(st.lists(records(), min_size=1, max_size=6), st.sampled_from([None, H100, GEFORCE]))
def test_columns_and_single_kernels_say_the_same(made, profile):
    # The first kernel has every pipe, so that equals are in one order for amounts and for rates.
    every = {f"{kind}.{pipe}": 0.0 for kind in ("work", "work_rate") for pipe in PIPES}
    made = [{"kernel": "all", **every}, *made]
    overlay = file_of(*made)
    columns = main_columns(overlay, profile)
    for at in range(len(made)):
        one = held_on(overlay.measurement(at), profile)
        assert pipe_names(overlay, columns)[at] == (one.pipe or "")
        expected = {"work_flop": one.work_flop, "achieved_flop_per_s": one.achieved_flop_per_s}
        expected |= {f"intensity_{id_}": one.intensity(id_) for id_ in overlay.boundaries}
        for name, value in expected.items():
            assert columns[name][at] == pytest.approx(np.nan if value is None else value, nan_ok=True), name


# The table


def test_the_table_lists_the_main_pipes_of_the_chosen_machine_and_names_the_others():
    maker, overlay = TableMaker(), file_of(DISPUTED, MATRIX, VECTOR)
    there = table_of(overlay, profile=H100, maker=maker)
    cells = [cell_text(there, 0, name) for name in ("pipe", "work", "intensity", "achieved", "bound")]
    # The roof of fp32 at 30 FLOP/byte: 66.9 TFLOP/s, below 30 · 3.35 = 100.5; 30 of 66.9 are 45%.
    assert cells == ["fp32", "30.00 GFLOP", "30.0", "30.0 TFLOP/s", "45%, compute at fp32"]
    assert cell_tip(there, 0, "pipe") == "fp32\nalso bf16-tensor 100 GFLOP"
    assert cell_tip(there, 1, "pipe") == "bf16-tensor"
    here = table_of(overlay, profile=GEFORCE, maker=maker)
    assert (cell_text(here, 0, "pipe"), cell_text(here, 0, "work")) == ("bf16-tensor", "100.0 GFLOP")
    again = table_of(overlay, profile=H100, maker=maker)
    assert cell_text(again, 0, "pipe") == "fp32"
    # What does not follow from the main pipe is made once for all machines.
    assert (
        again.series.texts("kernel") is here.series.texts("kernel")
        and again.series.shares is here.series.shares
    )


def test_sums_of_groups_and_files_are_those_of_the_main_pipes():
    group = [{**DISPUTED, "kernel": "k"}, {**MATRIX, "kernel": "k", "work.bf16-tensor": 40e9}]
    there = table_of(file_of(*group), profile=H100, group="kernel")
    assert there.figures.work_flop.tolist() == [70e9] and there.totals[0].work_flop == 70e9
    # 40 GFLOP on the matrix pipe take 0.040 ms of the H100, 30 in fp32 0.448 ms.
    assert cell_text(there, -1, "pipe") == "fp32, mixed"
    here = table_of(file_of(*group), profile=GEFORCE, group="kernel")
    assert here.figures.work_flop.tolist() == [140e9] and cell_text(here, -1, "pipe") == "bf16-tensor"


def test_a_series_without_disputed_kernels_is_the_same_against_every_machine():
    series = Series((file_of(MATRIX, VECTOR),))
    assert series.against(H100) is series.against(None) is series
    assert Series((file_of(DISPUTED),)).against(H100).text("pipe", 0) == "fp32"


# Before and after


def before_after(before, after, profile):
    study = study_of(file_of(before, digest=A), file_of(after, digest=B))
    return SeriesMaker().figures(study, measured_panel(study), profile)


def test_before_and_after_compare_the_main_pipe_of_the_file_after():
    # After: 400 GFLOP on the matrix pipe (0.404 ms of the H100), 6 in fp32 (0.090 ms). Before: fp32 holds it, and the
    # matrix pipe did 100 GFLOP: four times as much in half of the time are eight times the rate.
    tuned = {**DISPUTED, "work.bf16-tensor": 400e9, "work.fp32": 6e9, "time_s": 0.5e-3}
    found = before_after(DISPUTED, tuned, H100)
    assert found.before.rate_flop_per_s.tolist() == pytest.approx([100e12])
    assert found.after.rate_flop_per_s.tolist() == pytest.approx([800e12])
    assert found.before.intensity.tolist() == pytest.approx([100.0])
    told = "rate ×8.00: 100 TFLOP/s to 800 TFLOP/s, on bf16-tensor (before, fp32 was the main pipe)"
    assert told in line_words(found, 0, "HBM3")
    # The other way round fp32 is compared: 6 GFLOP in 0.5 ms, 30 in 1 ms.
    found = before_after(tuned, DISPUTED, H100)
    assert found.before.rate_flop_per_s.tolist() == pytest.approx([12e12])
    assert found.after.rate_flop_per_s.tolist() == pytest.approx([30e12])


def test_a_kernel_that_did_nothing_on_that_pipe_is_compared_by_its_own():
    slow = {**DISPUTED, "work.bf16-tensor": 0.0}
    found = before_after(slow, MATRIX | {"kernel": "fused"}, H100)
    assert found.before.rate_flop_per_s.tolist() == pytest.approx([30e12])
    assert found.after.rate_flop_per_s.tolist() == pytest.approx([200e12])
    assert line_words(found, 0, "HBM3")[-1].endswith(", on fp32 before and bf16-tensor after")
    same = before_after(DISPUTED, {**DISPUTED, "time_s": 0.5e-3}, H100)
    assert line_words(same, 0, "HBM3")[-1].endswith("30.0 TFLOP/s to 60.0 TFLOP/s")


def test_the_series_follows_the_machine_and_is_made_anew_for_another():
    study, maker = study_of(file_of(DISPUTED, digest=A), file_of(DISPUTED, digest=B)), SeriesTableMaker()
    rates = []
    for profile in (H100, GEFORCE, None):
        table = maker.table(study, measured_panel(study), profile)
        assert maker.table(study, measured_panel(study), profile) is table
        rates.append(table.cell_text(0, "rate_after"))
    assert rates == ["30.0 TFLOP/s", "100 TFLOP/s", "100 TFLOP/s"]


def test_an_overlay_of_a_million_kernels_is_scanned_once(monkeypatch):
    made = []
    monkeypatch.setattr(Overlay, "made_once", lambda self, key, make: made.append(key) or make())
    main_columns(file_of(MATRIX), H100)
    assert made == []  # one pipe: nothing is looked at
