from __future__ import annotations

import pytest

from rooflinestudio.core.study import Entry, Pair, Study, View, settings_of
from tests.support import machine


def study_of(*entries: Entry) -> Study:
    return Study(entries=entries).with_profile(machine())


def test_a_new_study_shows_dram_modelled() -> None:
    view = Study().view
    assert (view.boundary, view.policy, view.absorption, view.overlap, view.forecast) == (
        "dram", "modelled", 0.85, 1.0, False,
    )  # fmt: skip


def test_editing_one_entry_leaves_the_others_the_same_objects() -> None:
    first, second = Entry("copy-1", "copy"), Entry("copy-2", "copy")
    edited = study_of(first, second).replacing(Entry("copy-2", "copy", label="new"))
    assert edited.entries[0] is first
    assert edited.entry("copy-2").label == "new"


def test_replacing_an_entry_that_is_not_there_is_a_key_error() -> None:
    with pytest.raises(KeyError, match="copy-9"):
        study_of().replacing(Entry("copy-9", "copy"))


def test_ids_count_up_and_fill_gaps() -> None:
    study = study_of(Entry("acme-flash-mla-1", "acme.flash_mla"), Entry("acme-flash-mla-3", "acme.flash_mla"))
    assert study.next_id("acme.flash_mla") == "acme-flash-mla-2"


def test_colours_go_in_turn_and_repeat_from_the_ninth_on() -> None:
    study = study_of()
    for number in range(8):
        assert study.next_slot() == number
        study = study.adding(Entry(f"e{number}", "copy", slot=number))
    assert study.next_slot() == 8
    assert study.without(["e3"]).next_slot() == 3


def test_a_variant_stands_behind_its_baseline() -> None:
    study = study_of(Entry("a", "copy"), Entry("b", "copy")).adding(
        Entry("a2", "copy", variant_of="a"), after="a"
    )
    assert [one.id for one in study.entries] == ["a", "a2", "b"]


def test_removing_a_baseline_frees_its_variants_and_drops_its_pairs() -> None:
    study = Study(
        entries=(Entry("a", "copy"), Entry("a2", "copy", variant_of="a")), pairs=(Pair("f", "k", 0, "a"),)
    )
    left = study.without(["a"])
    assert [(one.id, one.variant_of) for one in left.entries] == [("a2", None)]
    assert left.pairs == ()


def test_a_machine_is_copied_into_the_study_and_leaves_with_its_last_use() -> None:
    profile = machine()
    study = Study().with_profile(profile)
    assert study.view.machines == ("acme-one",) and study.profiles["acme-one"] is profile
    assert study.without_machine("acme-one").profiles == {}
    pinned = study.adding(Entry("a", "copy", machines=("acme-one",))).without_machine("acme-one")
    assert pinned.view.machines == () and "acme-one" in pinned.profiles


def test_an_entry_follows_the_view_unless_it_says_otherwise() -> None:
    view = View(boundary="l2", policy="tiled", absorption=0.5, overlap=0.25, forecast=True)
    follows = settings_of(Entry("a", "copy"), view)
    assert (follows.boundary, follows.policy, follows.absorption, follows.overlap, follows.forecast) == (
        "l2", "tiled", 0.5, 0.25, True,
    )  # fmt: skip
    own = settings_of(
        Entry("a", "copy", boundary="dram", policy="compulsory", absorption=0.0, overlap=0.0), view
    )
    assert (own.boundary, own.policy, own.absorption, own.overlap) == ("dram", "compulsory", 0.0, 0.0)
