"""Chains of a study with the built-in operators: placed like any kernel, and by the figures of MODEL 5."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rooflinestudio.core.chains import ChainSource, chain_of, chain_spec, is_chain, source_for
from rooflinestudio.core.errors import ParameterError, UnavailableError
from rooflinestudio.core.fusion import fuse, parse_chain
from rooflinestudio.core.placing import place
from rooflinestudio.core.study import Chain, Entry, Study
from rooflinestudio.core.study_edits import (
    chain_changed,
    chain_recut,
    chain_variant,
    chain_with_steps,
    with_new_chain,
    with_variant,
)
from rooflinestudio.core.study_files import study_document, study_from_text
from rooflinestudio.core.yaml_files import dump_yaml
from tests.ui.shell_helpers import H100, gemm, registry, study

TAIL = "add + rmsnorm + scale | silu + mul + dropout"
SHAPE = {"tokens": 65536, "width": 8192}
TENSOR_BYTES = 65536 * 8192 * 2
ROW_BYTES = 8192 * 2


def tail(**more) -> tuple[Study, str]:
    return with_new_chain(study(), parse_chain(TAIL), parameters=SHAPE, **more)


def only_row(made: Study):
    (row,) = place(made, {}, registry()).rows
    return row


def test_a_chain_is_placed_as_one_kernel_per_group() -> None:
    row = only_row(tail()[0])

    # Kernel 1 reads x and y and writes u, kernel 2 reads u and v and writes out; rmsnorm reads a row of weights.
    assert row.placement.traffic_bytes == 6 * TENSOR_BYTES + ROW_BYTES
    # FLOP per element: 1 + 5 + 1 + 5 + 1 + 2
    assert row.placement.work_flop == 15 * 65536 * 8192
    assert row.placement.time_s == pytest.approx(row.placement.traffic_bytes / 3.35e12)
    assert [part.label for part in row.placement.estimate.parts] == [
        "add + rmsnorm + scale",
        "silu + mul + dropout",
    ]


@pytest.mark.parametrize(
    ("text", "parameters", "dtypes"),
    [
        (TAIL, SHAPE, {}),
        (TAIL, SHAPE, {"all": "fp32"}),
        ("gemm + gelu | rmsnorm", {"m": 512, "n": 1024, "k": 2048}, {"all": "fp8"}),
        ("x -> layernorm + gelu + add(x)", {"tokens": 4096, "width": 1024}, {"activation": "fp16"}),
        ("rmsnorm + gemm(n=1024) | silu", {"tokens": 4096, "width": 1024}, {}),
        ("cast(to=fp32) + rmsnorm", {"tokens": 4096, "width": 1024}, {}),
    ],
)
def test_a_placed_chain_has_the_figures_that_fuse_gives(text, parameters, dtypes) -> None:
    from rooflinestudio.core.dtypes import parse_dtypes

    made, _ = with_new_chain(study(), parse_chain(text), parameters=parameters, dtypes=dtypes)
    row = only_row(made)
    fused = fuse(text, parameters, parse_dtypes(dtypes), made.profiles[H100], registry())

    assert row.state == "placed", row.reason
    for figure in ("work_flop", "traffic_bytes", "time_s"):
        assert getattr(row.placement, figure) == pytest.approx(getattr(fused, figure), rel=1e-12)


def test_a_chain_counts_compulsory_at_dram_whatever_the_view_does() -> None:
    made, _ = tail()
    at_l2 = replace(made, view=replace(made.view, boundary="l2", policy="tiled"))

    assert only_row(at_l2).placement.traffic_bytes == only_row(made).placement.traffic_bytes


def test_cutting_moves_only_the_chain() -> None:
    made, id_ = tail()
    made = made.adding(gemm())
    before = place(made, {}, registry())
    after = place(chain_recut(made, id_, ()), {}, registry(), previous=before)

    assert after.rows[1] is before.rows[1]
    # x, y, v in and one out
    assert after.rows[0].placement.traffic_bytes == 4 * TENSOR_BYTES + ROW_BYTES
    back = place(chain_recut(chain_recut(made, id_, ()), id_, (2,)), {}, registry(), previous=after)
    assert back.rows[0].placement.traffic_bytes == 6 * TENSOR_BYTES + ROW_BYTES


def test_other_operators_in_a_chain_are_placed_anew() -> None:
    made, id_ = tail()
    spec = chain_spec(chain_of(made, made.entry(id_)))
    shorter = chain_changed(made, id_, chain_with_steps(spec, ["add", "silu"], [0]))

    assert only_row(shorter).placement.work_flop == (1 + 5) * 65536 * 8192
    assert [one.parts for one in shorter.chains] == [("add", "silu")]


def test_a_variant_of_a_chain_is_cut_on_its_own() -> None:
    made, id_ = tail()
    varied, other = chain_variant(made, id_, (), "all fused")
    first, second = place(varied, {}, registry()).rows

    assert second.entry.variant_of == id_ and second.entry.label == "all fused"
    assert first.placement.traffic_bytes == 6 * TENSOR_BYTES + ROW_BYTES
    assert second.placement.traffic_bytes == 4 * TENSOR_BYTES + ROW_BYTES
    assert len(varied.chains) == 2
    assert len(varied.without((other,)).chains) == 1
    assert varied.without((id_, other)).chains == ()


def test_a_chain_goes_only_with_the_last_entry_that_shows_it() -> None:
    made, id_ = tail()
    twice = made.adding(replace(made.entry(id_), id="again"))

    assert len(twice.without((id_,)).chains) == 1
    assert twice.without((id_, "again")).chains == ()


def test_variants_stay_with_one_baseline_and_behind_its_others() -> None:
    made = study(gemm(), gemm("other"))
    made, first = with_variant(made, replace(gemm(), id="", variant_of="gemm-1", label="first"))
    made, second = with_variant(made, replace(gemm(), id="", variant_of=first, label="second"))

    assert [one.id for one in made.entries] == ["gemm-1", first, second, "other"]
    assert made.entry(second).variant_of == "gemm-1"


def test_what_chains_need_is_asked_for_once_and_what_a_product_hands_on_is_not() -> None:
    def names(text: str) -> list[str]:
        made, id_ = with_new_chain(study(), parse_chain(text))
        source = source_for(registry(), made)
        return [one.name for one in source.operator(made.entry(id_).operator).parameters]

    assert names("add + rmsnorm") == ["tokens", "width", "direction"]
    after = names("gemm + gelu")
    assert {"m", "n", "k"} <= set(after) and not {"tokens", "width"} & set(after)
    before = names("rmsnorm + gemm")
    assert {"tokens", "width", "n"} <= set(before) and not {"m", "k"} & set(before)


@pytest.mark.parametrize(
    ("chain", "words"),
    [
        (Chain("c", ()), "has no operators"),
        (Chain("c", ("add", "silu"), (1,)), "none of number 1"),
        (Chain("c", ("add", "((")), "place"),
        (Chain("c", ("add", "no_such")), "no_such"),
    ],
)
def test_a_broken_chain_keeps_its_entry_and_says_why(chain: Chain, words: str) -> None:
    made = replace(study(Entry("e", "chain:c"), gemm()), chains=(chain,))
    first, second = place(made, {}, registry()).rows

    assert first.state == "unavailable" and words in first.reason
    assert second.state == "placed"


def test_an_entry_without_its_chain_says_so_and_comes_back_with_it() -> None:
    made, id_ = tail()
    orphan = replace(made, chains=())
    placed = place(orphan, {}, registry(), previous=place(made, {}, registry()))
    assert placed.rows[0].state == "unavailable" and "no chain 'chain-1'" in placed.rows[0].reason
    assert place(made, {}, registry(), previous=placed).rows[0].state == "placed"
    assert is_chain(made.entry(id_).operator) and not is_chain("gemm")


def test_chains_and_panels_survive_a_file() -> None:
    made, id_ = tail()
    made = made.with_panel("sweep", {"parameter": "tokens", "entries": [id_]})
    read = study_from_text(dump_yaml(study_document(made)), name="a.study")

    assert read.chains == made.chains and read.panels == made.panels
    assert only_row(read).placement.time_s == only_row(made).placement.time_s


def test_a_panel_forgets_what_is_set_to_none() -> None:
    made = study().with_panel("sweep", {"low": 1, "high": 9})
    assert made.with_panel("sweep", {"low": None}).panels == {"sweep": {"high": 9}}
    assert made.with_panel("sweep", {"low": None, "high": None}).panels == {}


def test_a_source_with_chains_answers_everything_else_as_the_one_below() -> None:
    made, _ = tail()
    source = source_for(registry(), made)

    assert isinstance(source, ChainSource) and source_for(source, made) is source
    assert source_for(source, study()) is registry()
    assert source.operator("gemm") is registry().operator("gemm")
    assert source.operators == registry().operators
    assert "chain:chain-1" in source and "gemm" in source and "chain:other" not in source
    with pytest.raises(UnavailableError, match="no chain 'other'"):
        source.operator("chain:other")


def test_a_step_that_cannot_be_read_is_refused_with_its_place() -> None:
    with pytest.raises(ParameterError, match="place"):
        chain_with_steps(parse_chain("add"), ["add", ")"], [])
