"""The bench's figures: those of the article's third laboratory, by hand, and those of the row on the canvas."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rooflinestudio.core.bench import bench_of
from rooflinestudio.core.bench_chains import EXAMPLES, chains_of_layer, example
from rooflinestudio.core.bench_choice import entry_on_bench, read_settings
from rooflinestudio.core.bench_readouts import readouts
from rooflinestudio.core.bench_words import (
    bars,
    joint_lines,
    kernel_head,
    notes,
    training_note,
    variant_words,
)
from rooflinestudio.core.chains import source_for
from rooflinestudio.core.fusion_notation import parse_chain
from rooflinestudio.core.placing import evaluate, place
from rooflinestudio.core.settings import DEFAULT_SETTINGS
from rooflinestudio.core.study_edits import with_new_chain
from tests.ui.shell_helpers import H100, gemm, registry, study

SIX = "add + rmsnorm + scale | silu + mul + dropout"
N = 65536 * 8192
BETA = 3.35e12
PASS = 2 * N
"""Bytes of one tensor in bf16: 1.074 GB."""


def bench(text=SIX, *, parameters=None, forecast=False, **block):
    sizes = {"tokens": 65536, "width": 8192} if parameters is None else parameters
    made, id_ = with_new_chain(
        study(forecast=forecast), parse_chain(text), parameters=sizes, dtypes={"all": "bf16"}
    )
    source = source_for(registry(), made)
    row = place(made, {}, registry()).rows_of(id_)[0]
    return bench_of(row, source.operator(row.entry.operator), source, **block)


def close(value, rel=1e-4):
    # RMSNorm's gain of 8192 elements is read besides: five parts in a million of a tensor.
    return pytest.approx(value, rel=rel)


def test_six_operators_in_two_kernels_come_to_the_figures_of_the_picture() -> None:
    found = bench()
    drawn = found.stage("drawn")
    assert len(found.kernels) == 2
    assert drawn.traffic_bytes == close(2 * (2 + 1) * PASS)
    assert drawn.work_flop == (1 + 5 + 1 + 5 + 1 + 2) * N
    assert drawn.intensity == close(15 / 12)
    assert drawn.time_s == close(6 * PASS / BETA)
    assert drawn.speedup_vs_split == close(14 / 6)
    assert [one.number for one in readouts(found)] == ["2", "6.44", "8.05", "1.25", "1.92", "2.33"]


def test_all_split_and_all_fused_come_to_the_figures_of_the_picture() -> None:
    found = bench()
    split, fused = found.stage("split"), found.stage("fused")
    assert split.traffic_bytes == close((3 + 2 + 2 + 2 + 3 + 2) * PASS)
    assert split.time_s == close(14 * PASS / BETA)
    assert split.intensity == close(15 / 28)
    assert fused.traffic_bytes == close((3 + 1) * PASS)
    assert fused.time_s == close(4 * PASS / BETA)
    assert fused.intensity == close(15 / 8)
    assert found.fused_speedup == close(14 / 4)
    assert [(one.time, one.traffic) for one in bars(found)] == [
        ("4.49 ms", "15.0 GB"), ("1.92 ms", "6.44 GB"), ("1.28 ms", "4.29 GB"),
    ]  # fmt: skip


def test_readouts_say_what_was_and_what_could_be() -> None:
    below = [one.below for one in readouts(bench())]
    assert below == [
        "was 6",
        "was 15.0 GB, 8.59 GB no longer cross",
        "unchanged by fusion",
        "was 0.536, ridge 295",
        "was 4.49 ms",
        "all fused would give 3.50×",
    ]


def test_each_stage_of_figure_10_takes_one_round_trip_away() -> None:
    """From six kernels to one, boundary by boundary: two passes of one tensor less each time, the work unchanged."""
    spec = parse_chain("add | rmsnorm | scale | silu | mul | dropout")
    for fused in range(6):
        found = bench(str(spec))
        drawn = found.stage("drawn")
        assert len(found.kernels) == 6 - fused
        assert drawn.traffic_bytes == close((14 - 2 * fused) * PASS)
        assert drawn.work_flop == 15 * N
        if fused < 5:
            spec = spec.toggled(fused)


@pytest.mark.parametrize("ready", EXAMPLES, ids=[one.id for one in EXAMPLES])
@pytest.mark.parametrize("forecast", [False, True])
def test_the_bench_has_the_figures_of_the_row_on_the_canvas(ready, forecast) -> None:
    made, id_ = with_new_chain(
        study(forecast=forecast), ready.spec, parameters=ready.parameters, dtypes=ready.dtypes
    )
    row = place(made, {}, registry()).rows_of(id_)[0]
    source = source_for(registry(), made)
    found = bench_of(row, source.operator(row.entry.operator), source)
    drawn = found.stage("drawn")
    assert drawn.time_s == pytest.approx(float(row.placement.time_s), rel=1e-12)
    assert drawn.traffic_bytes == pytest.approx(float(row.placement.traffic_bytes), rel=1e-12)
    assert drawn.work_flop == pytest.approx(float(row.placement.work_flop), rel=1e-12)
    assert found.stages[1].rate_flop_per_s == pytest.approx(
        float(row.placement.attainable_flop_per_s), rel=1e-12
    )


@pytest.mark.parametrize("cuts", range(32))
def test_every_way_to_cut_has_the_figures_of_its_row(cuts) -> None:
    """Passes over a tensor by hand: 14 where all is split, 2 fewer for each joint that is fused."""
    spec = parse_chain("add + rmsnorm + scale + silu + mul + dropout")
    for joint in range(5):
        if cuts >> joint & 1:
            spec = spec.toggled(joint)
    found = bench(str(spec))
    drawn, placed = found.stage("drawn"), found.row.placement
    assert drawn.traffic_bytes == close((4 + 2 * cuts.bit_count()) * PASS)
    assert drawn.traffic_bytes == pytest.approx(float(placed.traffic_bytes), rel=1e-12)
    assert drawn.time_s == pytest.approx(float(placed.time_s), rel=1e-12)


def test_the_row_of_a_forecast_counts_the_launches_that_are_saved() -> None:
    found = bench(forecast=True)
    assert found.launch_saved_s == pytest.approx(4 * 3e-6)
    assert readouts(found)[0].below == "was 6, 12.0 µs of launches saved"
    assert readouts(bench())[0].below == "was 6"


def test_cards_say_what_each_operator_does_by_itself() -> None:
    cards = bench().cards
    assert [one.flop_per_element for one in cards] == [1, 5, 1, 5, 1, 2]
    assert [(one.reads, one.writes) for one in cards] == [(2, 1), (1, 1), (1, 1), (1, 1), (2, 1), (1, 1)]


def test_joints_say_what_crosses() -> None:
    joints = bench().joints
    assert [one.is_cut for one in joints] == [False, False, True, False, False]
    assert joints[2].size_bytes == PASS
    assert joint_lines(joints[2]) == ("scale.y", "2 × 1.07 GB", "write + read")
    assert joint_lines(joints[0]) == ("add.y", "2 × 1.07 GB", "in registers")
    written = bench("add! + rmsnorm").joints[0]
    assert joint_lines(written) == ("add.y", "1 × 1.07 GB", "also written")


def test_heads_name_tensors_figures_and_bound() -> None:
    head = kernel_head(bench().kernels[0])
    assert (head.name, head.tensors) == ("Kernel 1", "reads x, residual  writes scale.y")
    assert (head.traffic, head.time, head.bound) == ("3.22 GB", "962 µs", "memory")


def test_a_named_tensor_is_read_once() -> None:
    found = bench("x -> layernorm + gelu + add(x)", parameters={"tokens": 65536, "width": 4096})
    size = 2 * 65536 * 4096
    assert found.stage("split").traffic_bytes == close(7 * size)
    assert found.stage("drawn").traffic_bytes == close(2 * size)
    assert found.stage("drawn").speedup_vs_split == close(7 / 2)
    assert found.kernels[0].reads == ("x",)


def test_the_articles_fused_row_is_four_tensors() -> None:
    """Norm, SwiGLU and residual: 12 FLOP per 8 bytes, as MODEL 4 has it."""
    ready = example("block")
    found = bench(str(ready.spec), parameters=dict(ready.parameters))
    assert found.stage("drawn").intensity == close(12 / 8)


def test_what_does_not_fit_is_told_on_its_card_and_nothing_is_lost() -> None:
    found = bench("add + softmax | silu(width=7)")
    assert found.chain is None
    assert "softmax" in found.reason
    assert [bool(one.fault) for one in found.cards] == [False, True, False]
    assert [one.notation for one in found.cards] == ["add", "softmax", "silu(width=7)"]
    assert found.stages == ()
    assert readouts(found) == ()
    assert bars(found) == ()
    assert notes(found) == ()


def test_more_elements_per_thread_than_registers_hold_is_a_spill() -> None:
    # RMSNorm holds three tensors at add: 3 · 256 · 32 · 4 bytes = 96 KiB, over the 64 KiB at which kernels spill.
    calm, spilling = notes(bench())[0], notes(bench(elements_per_thread=32))[0]
    assert calm.word == spilling.word == "Trap"
    assert "Spill warning" not in calm.text
    assert "Spill warning" in spilling.text
    assert "96 KiB" in spilling.text


@pytest.mark.parametrize(("boundary", "told"), [("l2", True), ("dram", False)])
def test_an_entry_at_another_boundary_is_told_to_be_counted_otherwise(boundary, told) -> None:
    made, id_ = with_new_chain(study(), parse_chain(SIX), parameters={"tokens": 65536, "width": 8192})
    made = made.replacing(replace(made.entry(id_), boundary=boundary))
    source = source_for(registry(), made)
    row = place(made, {}, registry()).rows_of(id_)[0]
    found = bench_of(row, source.operator(row.entry.operator), source)
    assert found.stage("drawn").time_s == close(6 * PASS / BETA)
    words = [one.text for one in notes(found) if one.text.startswith("On the canvas")]
    assert bool(words) is told
    assert not told or "at L2, compulsory" in words[0]


def test_training_is_told_where_something_is_kept_on_chip() -> None:
    assert "recompute" in training_note(bench())
    assert training_note(bench(SIX.replace("+", "|"))) == ""


def test_a_variant_is_called_after_its_kernels() -> None:
    assert variant_words(bench()) == "2 kernels: add + rmsnorm + scale | silu + mul + dropout"


def test_a_layer_offers_its_neighbours_with_its_own_sizes() -> None:
    profile = registry().load_profile(H100)
    sizes = {"width": 4096, "seq": 2048, "batch": 2, "kv_heads": 8}
    layer = evaluate(registry(), "transformer_layer", sizes, {}, profile, DEFAULT_SETTINGS)
    chains = {one.label: one for one in chains_of_layer(layer, {"all": "fp16"}, registry())}
    out = chains["out + add + norm"]
    assert str(out.spec) == "gemm | add | rmsnorm"
    assert dict(out.parameters) == {"m": 4096, "n": 4096, "k": 4096}
    assert dict(chains["add + norm"].parameters) == {"tokens": 4096, "width": 4096}
    assert dict(chains["down + add + norm"].parameters)["k"] == round(3.5 * 4096)
    assert all(one.dtypes == {"all": "fp16"} for one in chains.values())


def test_chains_of_a_layer_take_the_time_that_its_parts_take() -> None:
    profile = registry().load_profile(H100)
    layer = evaluate(registry(), "transformer_layer", {}, {}, profile, DEFAULT_SETTINGS)
    add_norm = {one.label: one for one in chains_of_layer(layer, {}, registry())}["add + norm"]
    found = bench(str(add_norm.spec), parameters=dict(add_norm.parameters))
    parts = [one for one in layer.parts if one.label in ("add", "norm")][-3:-1]
    expected = sum(float(one.placement.time_s) for one in parts)
    assert found.stage("split").time_s == pytest.approx(expected, rel=1e-9)


def test_settings_that_make_no_sense_are_as_if_not_there() -> None:
    wild = {"chain": 7, "threads": "many", "elements_per_thread": -1}
    assert read_settings(wild) == read_settings(None) == read_settings({})
    assert read_settings({"threads": True, "elements_per_thread": float("nan")}) == read_settings(None)
    assert read_settings({"chain": "chain-2", "threads": 128}).threads == 128


def test_the_selected_chain_comes_before_that_of_the_study() -> None:
    made, first = with_new_chain(study(gemm()), parse_chain("add + relu"))
    made, second = with_new_chain(made, parse_chain("add | relu"))
    assert entry_on_bench(made, selected=None, wanted="").id == first
    assert entry_on_bench(made, selected=None, wanted="chain-2").id == second
    assert entry_on_bench(made, selected=first, wanted="chain-2").id == first
    assert entry_on_bench(made, selected="gemm-1", wanted="", shown=second).id == second
    assert entry_on_bench(study(gemm()), selected="gemm-1", wanted="chain-1") is None
