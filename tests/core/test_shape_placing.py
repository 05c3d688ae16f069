"""A table of shapes as placements: whose it is, what is planned, which rows are taken, times as measurements."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rooflinestudio.core.measurement_overlay import Overlay
from rooflinestudio.core.shapes.entries import place_shapes
from rooflinestudio.core.shapes.judgement import judged
from rooflinestudio.core.shapes.operators import propose_operators
from rooflinestudio.core.shapes.overlay import with_shapes
from rooflinestudio.core.shapes.pick import picked_rows, picks_for
from rooflinestudio.core.shapes.plan import find_shapes, plan_shapes
from rooflinestudio.core.shapes.sheet import open_sheet
from rooflinestudio.core.study import Pair, Study
from tests.ui.shell_helpers import A100, registry

TIMED = "m,n,k,us\n1024,1024,1024,50\n2048,2048,2048,400\n1024,1024,1024,70\n512,512,512,\n"


def found(text, operator="gemm", change=lambda plan: plan):
    sheet, one = open_sheet(text.encode(), name="t.csv"), registry().operator(operator)
    return find_shapes(sheet, one, change(plan_shapes(sheet, one)))


@pytest.mark.parametrize(
    ("head", "first"),
    [
        ("M,N,K,dtype,ms", "gemm"),
        ("batch,heads,kv_heads,seq_len,head_dim,us", "attention"),
        ("batch,heads,seq_len,head_dim", "attention"),
        ("tokens,vocab_size,us", "cross_entropy"),
        ("time,temperature", ""),
    ],
)
def test_the_heads_tell_whose_shapes_they_are(head, first):
    sheet = open_sheet(f"{head}\n{','.join('8' for _ in head.split(','))}\n".encode())

    proposals = propose_operators(sheet, registry().operators)

    assert (proposals[0].operator.id if proposals else "") == first


def test_a_table_without_heads_is_proposed_to_nobody():
    assert propose_operators(open_sheet(b"1,2,3\n4,5,6\n"), registry().operators) == ()


def test_a_plan_takes_columns_values_for_all_rows_and_formats():
    def change(plan):
        fixed = plan.with_column("k", None).with_fixed("k", "4096").with_fixed("batch", "8")
        return replace(fixed, dtypes="fp16")

    one = found("m,n,k\n1,2,3\n", change=change)

    assert one.problem == ""
    assert one.parameters == {"k": 4096, "batch": 8}
    assert one.dtypes == {"all": "fp16"}
    assert one.table.parameters(0) == {"m": 1, "n": 2}


@pytest.mark.parametrize(
    ("text", "operator", "change", "word"),
    [
        ("m,n\n1,2\n", "gemm", lambda plan: plan, "k has no column"),
        ("m,n,k\n1,2,3\n", "gemm", lambda plan: plan.with_fixed("batch", "many"), "batch"),
        ("m,n,k\n1,2,3\n", "gemm", lambda plan: plan.with_fixed("batch", "0"), "batch"),
        ("m,n,k,time\n1,2,3,4\n", "gemm", lambda plan: plan, "Name the unit of time"),
        ("m,n,k\n1,2,x\n", "gemm", lambda plan: plan, "no row can be used"),
    ],
)
def test_what_is_wrong_with_a_plan_is_said(text, operator, change, word):
    assert word in found(text, operator, change).problem


def test_ambiguous_heads_give_a_plan_with_the_doubt():
    sheet, operator = open_sheet(b"rows,m_rows,n,k\n1,2,3,4\n"), registry().operator("gemm")
    plan = plan_shapes(sheet, operator)

    assert "m may be 'rows' or 'm_rows'" in plan.doubt
    assert plan.columns == {"m": 0, "n": 2, "k": 3}


def test_without_heads_the_first_columns_are_taken_in_the_operators_order():
    sheet = open_sheet(b"64, 1024, 512, 0.19ms\n128, 1024, 512, 0.20ms\n")
    plan = plan_shapes(sheet, registry().operator("gemm"))

    assert plan.columns == {"m": 0, "n": 1, "k": 2}
    assert plan.time == 3
    assert "no head line" in plan.doubt
    table = find_shapes(sheet, registry().operator("gemm"), plan).table
    assert table.time_s.tolist() == pytest.approx([0.19e-3, 0.20e-3])


def test_rows_are_picked_by_time_by_order_or_all():
    rows = "".join(f"{m},64,64,{m if m % 2 else 1000 + m}\n" for m in range(1, 51))
    table = found(f"m,n,k,us\n{rows}").table

    assert [one.id for one in picks_for(table)] == ["time-40", "first-40", "all"]
    assert picked_rows(table, "first-40") == list(range(40))
    taken = picked_rows(table, "time-40")
    assert len(taken) == 40
    assert {1, 3, 49}.issubset(taken)  # m = 2, 4, 50 took 1 ms and more
    assert 0 not in taken  # m = 1 took 1 µs
    assert picked_rows(table, "all") == list(range(50))
    assert [one.id for one in picks_for(found(TIMED).table)] == ["all"]


def test_more_shapes_than_a_study_takes_can_only_be_picked_from():
    table = found("m,n,k\n" + "".join(f"{m},64,64\n" for m in range(1, 1102))).table

    assert [one.id for one in picks_for(table)] == ["first-40", "first-200", "first-1000"]


def test_times_become_measurements_paired_with_the_placement_of_their_shape():
    table, operator, profile = found(TIMED).table, registry().operator("gemm"), registry().load_profile(A100)
    placed = place_shapes(table, operator, Study())
    made = with_shapes(Study(), placed, table, path="/x/t.csv", on=(registry(), profile))
    (overlay,) = made.study.overlays

    assert [one.parameters["m"] for one in made.study.entries] == [1024, 2048, 512]
    assert (made.measured, len(overlay)) == (3, 3)  # the fourth row has no time
    assert [overlay.measurement(at).time_s for at in range(3)] == [50e-6, 400e-6, 70e-6]
    first = overlay.measurement(0)
    assert first.work == {"bf16-tensor": 2 * 1024**3}
    assert first.dram_bytes == 3 * 1024**2 * 2  # three bf16 matrices, once each
    assert first.plotted
    assert (first.figure("work_flop").quality, first.figure("dram_bytes").quality) == ("estimated", "lower")
    assert "not measured" in first.figure("work_flop").recipe
    ids = made.ids
    assert [(one.launch, one.entry) for one in made.study.pairs] == [(0, ids[0]), (1, ids[1]), (2, ids[0])]
    assert all(pair.kernel == overlay.measurement(pair.launch).kernel_key for pair in made.study.pairs)


def test_the_same_table_again_is_paired_anew_and_laid_over_once():
    table, operator = found(TIMED).table, registry().operator("gemm")
    on = registry(), registry().load_profile(A100)
    first = with_shapes(Study(), place_shapes(table, operator), table, on=on)
    emptied = first.study.without(first.ids)
    again = with_shapes(emptied, place_shapes(table, operator, emptied), table, on=on)

    assert len(again.study.overlays) == 1
    assert {pair.entry for pair in again.study.pairs} == set(again.ids[:2])
    twice = with_shapes(first.study, place_shapes(table, operator, first.study), table, on=on)
    assert twice.study.pairs == first.study.pairs  # a kernel is held against one placement


def test_without_a_machine_or_times_only_the_shapes_are_placed():
    table, operator = found(TIMED).table, registry().operator("gemm")
    made = with_shapes(Study(), place_shapes(table, operator), table)

    assert (made.study.overlays, made.study.pairs, len(made.ids)) == ((), (), 3)


def test_a_shape_that_the_machine_refuses_keeps_its_time_and_says_why():
    table = found("m,n,k,dtype,us\n64,64,64,fp4,5\n").table
    made = with_shapes(
        Study(),
        place_shapes(table, registry().operator("gemm")),
        table,
        on=(registry(), registry().load_profile(A100)),
    )
    (kernel,) = [made.study.overlays[0].measurement(0)]

    assert kernel.time_s == 5e-6
    assert not kernel.plotted
    assert kernel.reason.startswith("no W: ")
    assert len(made.study.pairs) == 1
    assert isinstance(made.study.pairs[0], Pair)
    assert isinstance(made.study.overlays[0], Overlay)


def test_the_answer_of_validate_is_one_sentence_and_names_who_breaks_the_bound():
    # 2 · 4096³ FLOP at 312 TFLOP/s are 440.5 µs on this machine.
    profile = registry().load_profile(A100)
    kept = found("m,n,k,us\n4096,4096,4096,881\n4096,4096,4096,661\n")
    broken = found("m,n,k,us\n4096,4096,4096,881\n4096,4096,4096,220\n")

    text = judged(kept.table, registry(), profile, kept.parameters, kept.dtypes)
    assert "2 rows: median 1.75×, from 1.50× to 2.00×. No row is faster than its bound." in text
    text = judged(broken.table, registry(), profile, broken.parameters, broken.dtypes)
    assert "1 row is faster than its bound, line 3 most (0.499×)" in text
    bare = found("m,n,k\n1,2,3\n")
    assert judged(bare.table, registry(), profile, {}, {}) == ""
