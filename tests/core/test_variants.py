"""Variants: what is offered, what it would do, why it cannot be; figures by hand from the machine of tests/support."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rooflinestudio.core.placing import place
from rooflinestudio.core.study import Chain, Entry, Study, View
from rooflinestudio.core.variant_ratios import (
    VariantRatios,
    base_row,
    factor_words,
    ratio_words,
    ratios,
    short_name,
    time_words,
    variant_pairs,
)
from rooflinestudio.core.variants import copy_of, variants
from tests.support import Source, machine
from tests.ui.shell_helpers import A100, H100, registry

# 1e9 elements, 2 bytes read and 2 written: 4 GB at 2 TB/s is 2 ms; 1e9 FLOP over 4e9 B is 0.25 FLOP/byte.
BASE = Entry("copy-1", "copy", label="Copy", slot=3)


def placed(*entries, machines=("acme-one",), source=None, **view):
    study = Study(entries=entries, view=View(**view))
    for id_ in machines:
        study = study.with_profile(machine(id_))
    return place(study, {}, source or Source())


def offered(where, id_="copy-1", source=None):
    return {one.words: one for one in variants(where.rows_of(id_)[0], where, source or Source())}


def words_of(found, kind):
    return [one.words for one in found.values() if one.kind == kind]


def real(*entries, chains=(), machines=(H100,)):
    profiles = {id_: registry().load_profile(id_) for id_ in machines}
    study = Study(entries=entries, chains=chains, profiles=profiles, view=View(machines=machines))
    return place(study, {}, registry())


# What is offered


def test_a_variant_is_ready_to_be_placed_beside_its_baseline() -> None:
    one = offered(placed(BASE))["fp8"]

    assert (one.kind, one.reason) == ("dtype", "")
    assert one.entry == replace(BASE, id="", variant_of="copy-1", label="Copy: fp8", dtypes={"all": "fp8"})


def test_half_the_bytes_take_half_the_time() -> None:
    found = offered(placed(BASE))

    assert found["fp8"].ratio == pytest.approx(0.5)
    assert found["fp32"].ratio == pytest.approx(2.0)


def test_what_is_so_already_is_not_offered() -> None:
    found = offered(placed(BASE))

    assert "bf16" not in found
    assert words_of(found, "boundary") == ["at L2", "at NVLink", "over all boundaries"]
    assert words_of(found, "policy") == ["compulsory", "tiled"]
    assert "profile" not in {one.kind for one in found.values()}


def test_at_another_boundary_its_bandwidth_counts_and_one_that_is_not_crossed_says_so() -> None:
    found = offered(placed(BASE))

    assert found["at L2"].ratio == pytest.approx(0.25)  # 8 TB/s in place of 2
    assert found["at L2"].crossed
    assert not found["at NVLink"].crossed


def test_another_machine_of_the_study_is_offered_by_its_name() -> None:
    twice = replace(machine("twice", hbm=4e12), short_name="Twice")
    where = placed(BASE)
    where = place(where.study.with_profile(twice), {}, Source())
    one = offered(where)["on Twice"]

    assert one.entry.machines == ("twice",)
    assert one.ratio == pytest.approx(0.5)


def test_a_policy_that_changes_nothing_is_told_and_not_offered() -> None:
    assert offered(placed(BASE))["tiled"].reason.startswith("Nothing is read twice")
    # Three reads of 2 GB and one write: 8 GB in place of the 4 GB and 15% of the 4 GB more, 4.6 GB.
    twice = offered(placed(replace(BASE, parameters={"tiles": 3})))["tiled"]
    assert (twice.reason, twice.ratio) == ("", pytest.approx(8 / 4.6))


def test_what_the_machine_cannot_do_carries_its_reason() -> None:
    found = offered(real(Entry("gemm-1", "gemm"), machines=(A100,)), "gemm-1", registry())

    assert "fp8" in found["fp8"].reason
    assert found["fp8"].ratio is None
    assert found["fp16"].reason == ""
    assert "nvfp4" not in found


def test_what_stands_in_the_study_already_is_not_offered_again() -> None:
    there = replace(BASE, id="copy-2", variant_of="copy-1", label="Copy: fp8", dtypes={"all": "fp8"})

    assert offered(placed(BASE, there))["fp8"].reason == "It is there already: Copy: fp8."


def test_a_variant_of_a_variant_keeps_the_baseline() -> None:
    first = replace(BASE, id="copy-2", variant_of="copy-1", label="Copy: fp8", dtypes={"all": "fp8"})
    second = offered(placed(BASE, first), "copy-2")["at L2"].entry

    assert (second.variant_of, second.label) == ("copy-1", "Copy: fp8, at L2")
    assert (second.dtypes, second.boundary) == ({"all": "fp8"}, "l2")


def test_sizes_are_compared_per_flop() -> None:
    found = offered(
        real(Entry("gemm-1", "gemm", parameters={"m": 16}, policy="compulsory")), "gemm-1", registry()
    )

    assert words_of(found, "batch") == ["m 4 (÷4)", "m 8 (÷2)", "m 32 (×2)", "m 64 (×4)", "m 256 (×16)"]
    double = found["m 32 (×2)"]
    assert double.entry.parameters == {"m": 32}
    # Mostly weights: 2·4096² B of them beside 2·(16 + 16)·4096 B of activations, which double.
    weights, rest = 4096**2, 32 * 4096
    assert double.per_work
    assert double.ratio == pytest.approx((weights + 2 * rest) / (weights + rest) / 2)


def test_tiles_of_the_operator_and_that_of_the_machine() -> None:
    found = offered(real(Entry("gemm-1", "gemm")), "gemm-1", registry())

    assert "tile 128 × 128" not in found
    assert found["tile 256 × 128"].entry.parameters == {"tile_m": 256, "tile_n": 128}
    own = found["the machine's own tile 128 × 256"].entry.parameters
    assert (own["tile_m"], own["tile_n"]) == ("auto", "auto")


def test_weights_and_keys_are_offered_where_there_are_any() -> None:
    gemm = offered(real(Entry("gemm-1", "gemm")), "gemm-1", registry())
    decode = offered(real(Entry("a", "attention_decode")), "a", registry())

    assert "int4 weights" in gemm
    assert gemm["int4 weights"].entry.dtypes["weight"] == "int4"
    assert "int4 weights" not in decode
    assert decode["fp8 keys and values"].entry.dtypes["kv"] == "fp8"


def test_a_chain_is_offered_fused_and_split() -> None:
    # In tensors that cross: cut in two 3 + 3, fused 4 (three inputs, one output), split 3 + 3 + 2.
    chain = Chain("chain-1", ("add", "mul", "rmsnorm"), (0,))
    found = offered(real(Entry("c", "chain:chain-1", label="Chain"), chains=(chain,)), "c", registry())

    assert found["all fused"].cuts == ()
    assert found["all fused"].ratio == pytest.approx(4 / 6, rel=1e-4)
    assert found["all split"].cuts == (0, 1)
    assert found["all split"].ratio == pytest.approx(8 / 6, rel=1e-4)
    assert found["all split"].entry.variant_of == "c"


def test_a_chain_that_is_split_already_is_offered_fused_only() -> None:
    chain = Chain("chain-1", ("add", "mul"), (0,))
    found = offered(real(Entry("c", "chain:chain-1"), chains=(chain,)), "c", registry())

    assert words_of(found, "fusion") == ["all fused"]


def test_an_operator_that_is_gone_offers_nothing() -> None:
    where = placed(replace(BASE, operator="acme.gone"))

    assert offered(where) == {}


def test_a_hidden_entry_gives_visible_variants_and_a_copy_differs_in_nothing() -> None:
    hidden = replace(BASE, visible=False)

    assert offered(placed(hidden))["fp8"].entry.visible
    assert copy_of(hidden, placed(hidden)) == replace(
        BASE, id="", variant_of="copy-1", label="Copy: own values"
    )


# Pairs and ratios


def test_a_variant_is_held_against_the_baseline_on_the_same_machine() -> None:
    variant = replace(BASE, id="copy-2", variant_of="copy-1", dtypes={"all": "fp8"})
    where = placed(BASE, variant, machines=("one", "two"))

    assert [(row.machine, base.machine) for row, base in variant_pairs(where)] == [
        ("one", "one"),
        ("two", "two"),
    ]


def test_a_variant_on_a_machine_of_its_own_is_held_against_the_first() -> None:
    base = replace(BASE, machines=("one",))
    variant = replace(BASE, id="copy-2", variant_of="copy-1", machines=("two",), dtypes={"all": "fp8"})
    where = placed(base, variant, machines=("one", "two"))

    assert [(row.machine, base.machine) for row, base in variant_pairs(where)] == [("two", "one")]


def test_a_variant_that_tries_another_machine_is_not_held_against_itself() -> None:
    variant = replace(BASE, id="copy-2", variant_of="copy-1", machines=("two",))
    where = placed(BASE, variant, machines=("one", "two"))

    assert base_row(where.rows_of("copy-2")[0], where.rows_of("copy-1")).machine == "one"


def test_a_study_without_variants_has_no_pairs_and_a_lost_baseline_makes_none() -> None:
    assert list(variant_pairs(placed(BASE))) == []
    assert list(variant_pairs(placed(replace(BASE, variant_of="gone")))) == []


def test_ratios_are_of_time_work_traffic_and_intensity() -> None:
    variant = replace(
        BASE, id="copy-2", variant_of="copy-1", parameters={"elements": 3e9}, dtypes={"all": "fp8"}
    )
    where = placed(BASE, variant)
    found = ratios(where.rows_of("copy-2")[0], where.rows_of("copy-1")[0])

    # 6 GB in place of 4, three times the work on them.
    assert found == VariantRatios(*(pytest.approx(one) for one in (1.5, 3.0, 1.5, 2.0)))
    assert ratio_words(found) == "1.50× slower · W ×3.0 · Q ×1.5 · I ×2.0"


def test_what_is_not_placed_has_no_ratios_and_zero_work_no_ratio_of_work() -> None:
    variant = replace(BASE, id="copy-2", variant_of="copy-1", parameters={"flop": 0})
    refused = replace(variant, id="copy-3", parameters={"elements": -1})
    where = placed(BASE, variant, refused)
    base = where.rows_of("copy-1")[0]

    assert ratios(where.rows_of("copy-3")[0], base) is None
    found = ratios(where.rows_of("copy-2")[0], base)
    assert (found.time, found.work, found.intensity) == (pytest.approx(1.0), None, None)
    assert ratio_words(found) == "same time · same Q"


@pytest.mark.parametrize(
    ("ratio", "words"),
    [
        (2.0, "Q ×2.0"), (0.5, "Q ÷2.0"), (0.05, "Q ÷20"), (1.004, "same Q"), (1.02, "Q ×1.02"), (None, ""),
        (1500, "Q ×1\u202f500"),
    ],
)  # fmt: skip
def test_factors_say_their_direction(ratio, words) -> None:
    assert factor_words("Q", ratio) == words


def test_times_say_their_direction() -> None:
    assert [time_words(one) for one in (0.5, 1.74, 1.0)] == ["2.00× faster", "1.74× slower", "same time"]


def test_the_name_of_the_baseline_is_not_said_twice() -> None:
    assert short_name("GEMM: fp8", "GEMM") == "fp8"
    assert short_name("My own name", "GEMM") == "My own name"
    assert short_name("GEMM: ", "GEMM") == "GEMM: "


@pytest.mark.parametrize(
    ("operator", "parameters"),
    [
        ("gemm", {"m": 64}),
        ("attention", {}),
        ("rmsnorm", {}),
        ("adam", {}),
        ("decode_step", {"batch": 4}),
        ("cast", {}),
    ],
)  # fmt: skip
def test_what_is_foretold_is_what_comes_true(operator, parameters) -> None:
    base = Entry("base", operator, parameters=parameters)
    where = real(base, machines=(H100, A100))
    found = [one for one in variants(where.rows_of("base")[0], where, registry()) if not one.reason]
    assert len(found) > 10
    for one in found:
        together = place(where.study.adding(replace(one.entry, id="new")), {}, registry())
        row, held = next(pair for pair in variant_pairs(together))
        true = ratios(row, held)
        told = one.ratio * (true.work if one.per_work else 1.0)
        assert true.time == pytest.approx(told), one.words
        assert held.machine == H100
