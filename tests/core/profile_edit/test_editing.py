"""Edits on a profile: what is typed, which figure is used, what comes and goes, and what it changed."""

from __future__ import annotations

import pytest

from rooflinestudio.core.errors import ProfileError
from rooflinestudio.core.hardware import Figure
from rooflinestudio.core.profile_edit.changes import (
    base_words,
    changes_between,
    study_changes,
    summary_of_changes,
)
from rooflinestudio.core.profile_edit.choices import (
    added,
    boundary_choices,
    ceiling_choices,
    figure_choices,
    removal_refused,
    removed,
    renamed_boundary,
    with_reference,
)
from rooflinestudio.core.profile_edit.copies import copy_name, duplicate, free_id, renamed
from rooflinestudio.core.profile_edit.draft import (
    draft_of,
    set_provenance,
    set_words,
    type_figure,
    use_anyway,
    use_in_row,
    with_mode,
)
from rooflinestudio.core.profile_edit.facts import facts_of, ridge_words, stated_profile, summary_words
from rooflinestudio.core.profile_edit.findings import explained
from rooflinestudio.core.profile_edit.notes import doubt_notes, refusal_notes
from rooflinestudio.core.profile_edit.places import FigurePlace, figure_at, places_of, with_figure
from rooflinestudio.core.profile_edit.rows import boundary_rows, ceiling_rows, entry_text, machine_rows
from rooflinestudio.core.profile_edit.typed import Refusal
from rooflinestudio.core.profile_edit.wording import rate_text
from tests.core.profiles import A100, H100

BF16, DRAM = FigurePlace("ceilings", "bf16-tensor"), FigurePlace("boundaries", "dram")
NETWORK, SMS = FigurePlace("boundaries", "network"), FigurePlace("machine", "sms")
TODAY = "2026-11-30"


def typed(draft, place, side, text):
    return type_figure(draft, place, side, text, today=TODAY)


@pytest.fixture
def draft():
    return draft_of(H100)


@pytest.fixture
def measured(draft):
    """A profile on which 794.5 of 989.4 TFLOP/s and 4.1 of 3.35 TB/s were measured."""
    return typed(typed(draft, BF16, "measured", "794.5 TFLOP/s"), DRAM, "measured", "4.1 TB/s")


# ------------------------------------------------------------------------------------------------ typing


def test_a_typed_published_figure_is_assumed_until_somebody_says_more(draft):
    changed = typed(draft, BF16, "stated", "800 TFLOP/s")

    assert figure_at(changed.profile, BF16) == Figure(800e12, "assumed", date=TODAY)
    told = set_provenance(changed, BF16, "published")
    assert figure_at(told.profile, BF16).provenance == "published"


def test_a_typed_measured_figure_is_used_where_the_profile_works_with_measured_ones(draft):
    changed = typed(draft, BF16, "measured", "794.5 TFLOP/s")
    ceiling = changed.profile.ceilings["bf16-tensor"]

    assert ceiling.flop_per_s == 794.5e12
    assert ceiling.stated.value == 989.4e12
    assert ceiling.figure == Figure(794.5e12, "measured", date=TODAY)


def test_it_is_not_used_where_the_profile_works_with_published_ones(draft):
    changed = typed(with_mode(draft, "stated"), BF16, "measured", "794.5 TFLOP/s")

    assert changed.profile.ceilings["bf16-tensor"].flop_per_s == 989.4e12
    assert changed.profile.ceilings["bf16-tensor"].observed.value == 794.5e12


def test_the_same_value_typed_again_keeps_its_source(draft):
    known = set_words(draft, BF16, "stated", "source", "data sheet")

    assert typed(known, BF16, "stated", "989.4 TFLOP/s").profile == known.profile


def test_a_rate_in_b_is_refused_with_both_readings(draft):
    changed = typed(draft, NETWORK, "measured", "400 Gb/s")
    (note,) = refusal_notes(changed)

    assert changed.profile == draft.profile
    assert [one.label for one in note.actions] == ["400 Gbit/s = 50 GB/s", "400 GB/s"]
    bits = typed(changed, NETWORK, "measured", note.actions[0].text)
    assert figure_at(bits.profile, NETWORK, "measured").value == 50e9
    assert bits.refused == ()


@pytest.mark.parametrize(
    ("place", "text", "offered"),
    [
        (DRAM, "3,35 TB/s", "3.35 TB/s"),
        (DRAM, "3.35", "3.35 TB/s"),
        (BF16, "989.4T", "989.4 TFLOP/s"),
        (FigurePlace("ceilings", "fp8-tensor"), "1979", "1979 TFLOP/s"),
        (NETWORK, "400", "400 GB/s"),
        (FigurePlace("machine", "launch_overhead"), "4", "4 µs"),
        (FigurePlace("boundaries", "dram", "capacity"), "80 mB", "80 MB"),
    ],
)
def test_what_was_perhaps_meant_is_offered(draft, place, text, offered):
    (refused,) = typed(draft, place, "stated", text).refused

    assert [one.text for one in refused.refusal.corrections] == [offered]


@pytest.mark.parametrize("text", ["fast", "0 TB/s", "-1 TB/s", "3 TFLOP/s", "inf", "1e400 B/s"])
def test_what_is_no_figure_is_refused_and_the_profile_stays(draft, text):
    changed = typed(draft, DRAM, "stated", text)

    assert changed.profile == draft.profile
    assert changed.refusal_at(DRAM, "stated").text == text


def test_counts_are_whole_and_need_no_unit(draft):
    assert figure_at(typed(draft, SMS, "stated", "114").profile, SMS).value == 114
    assert typed(draft, SMS, "stated", "114.5").refused[0].refusal.reason == "A count is a whole number."


def test_a_second_text_in_the_same_entry_replaces_the_refused_one(draft):
    changed = typed(typed(draft, DRAM, "stated", "fast"), DRAM, "stated", "faster")

    assert [one.refusal.text for one in changed.refused] == ["faster"]


def test_an_empty_text_takes_a_figure_out_but_never_the_last_one(draft, measured):
    assert typed(measured, BF16, "measured", " ").profile.ceilings["bf16-tensor"].observed is None
    only = typed(measured, BF16, "stated", "")
    assert only.profile.ceilings["bf16-tensor"].stated is None
    last = typed(draft, BF16, "stated", "")
    assert last.profile == draft.profile
    assert [one.kind for one in refusal_notes(last)[0].actions] == ["remove", "restore"]
    assert figure_at(typed(draft, SMS, "stated", "").profile, SMS) is None


def test_words_are_written_and_dates_are_checked(draft):
    told = set_words(draft, BF16, "stated", "condition", "  dense,\n1.83 GHz ")
    assert figure_at(told.profile, BF16).condition == "dense, 1.83 GHz"
    refused = set_words(told, BF16, "stated", "date", "18.3.2025")
    assert refused.profile == told.profile
    assert refused.refused[0].refusal.corrections[0].text == "2025-03-18"
    mended = set_words(refused, BF16, "stated", "date", "2025-03-18")
    assert (figure_at(mended.profile, BF16).date, mended.refused) == ("2025-03-18", ())


def test_another_source_is_not_confirmed_by_the_old_judgement(draft):
    sure = with_figure(H100, BF16, Figure(989.4e12, "published", source="sheet", confidence="high"))

    told = set_words(draft_of(sure), BF16, "stated", "source", "hearsay")

    assert figure_at(told.profile, BF16).confidence == ""


# --------------------------------------------------------------------------------------- which is in use


def test_a_measured_figure_above_the_published_one_waits_for_a_word(measured):
    (note,) = doubt_notes(measured)

    assert measured.profile.boundary("dram").bytes_per_s == 3.35e12
    assert "1.22× the published rate" in note.text
    used = use_anyway(measured, DRAM)
    assert used.profile.boundary("dram").bytes_per_s == 4.1e12
    assert (used.mode, list(doubt_notes(used))) == ("measured", [])


@pytest.mark.parametrize("where", ["boundaries.dram.measured", "boundaries.dram.bandwidth"])
def test_a_reason_that_is_written_stands_in_place_of_the_usual_causes(where):
    doubtful = typed(draft_of(H100), DRAM, "measured", "4.1 TB/s")
    (asked,) = doubt_notes(doubtful)
    (told,) = doubt_notes(explained(doubtful, f"above-published/{where}", "A faster memory clock."))
    assert (asked.tone, told.tone) == ("warn", "")
    assert told.text.endswith("the published rate. A faster memory clock. Not used.")
    assert [one.kind for one in told.actions] == ["use_anyway"]


@pytest.mark.parametrize(("text", "rate"), [("3.41 TB/s", 3.41e12), ("3.42 TB/s", 3.35e12)])
def test_two_per_cent_above_are_believed(draft, text, rate):
    assert typed(draft, DRAM, "measured", text).profile.boundary("dram").bytes_per_s == rate


def test_what_was_allowed_was_that_figure_and_no_other(measured):
    changed = typed(use_anyway(measured, DRAM), DRAM, "measured", "5 TB/s")

    assert changed.profile.boundary("dram").bytes_per_s == 3.35e12


def test_the_switch_changes_all_rates_at_once(measured):
    stated = with_mode(measured, "stated")
    assert stated.profile.ceilings["bf16-tensor"].flop_per_s == 989.4e12
    again = with_mode(stated, "measured")
    assert again.profile.ceilings["bf16-tensor"].flop_per_s == 794.5e12
    assert again.profile.boundary("dram").bytes_per_s == 3.35e12


def test_one_row_is_chosen_alone(measured):
    chosen = use_in_row(measured, DRAM, "measured")

    assert chosen.mode == "rows"
    assert chosen.profile.boundary("dram").bytes_per_s == 4.1e12
    assert use_in_row(chosen, BF16, "stated").profile.ceilings["bf16-tensor"].flop_per_s == 989.4e12
    assert use_in_row(chosen, NETWORK, "measured") is chosen


@pytest.mark.parametrize("mode", ["stated", "measured"])
def test_the_mode_is_read_from_a_profile(measured, mode):
    assert draft_of(with_mode(measured, mode).profile).mode == mode


def test_a_doubtful_figure_in_use_was_allowed_when_it_was_saved(measured):
    opened = draft_of(use_anyway(measured, DRAM).profile)

    assert opened.allowed == {DRAM}
    assert with_mode(opened, "measured").profile == opened.profile


# ------------------------------------------------------------------------------------------ rows, facts


def test_rows_say_every_cell_in_words(measured):
    row = next(one for one in ceiling_rows(measured) if one.place == BF16)

    assert (row.stated, row.measured, row.in_use) == ("989.4 TFLOP/s", "794.5 TFLOP/s", "794.5 TFLOP/s")
    assert (row.provenance, row.date, row.is_reference) == ("measured", "2026-11", True)
    int8 = next(one for one in ceiling_rows(measured) if one.place.id == "int8-tensor")
    assert int8.in_use == "1\u202f979 TOP/s"
    assert entry_text(measured.profile, int8.place, "stated") == "1.9789 POP/s"
    dram = next(one for one in boundary_rows(measured) if one.place == DRAM)
    assert (dram.name, dram.measured, dram.in_use, dram.doubtful) == ("HBM3", "4.10 TB/s", "3.35 TB/s", True)


def test_single_figures_have_rows_of_their_own(draft):
    rows = {one.name: one.in_use for one in machine_rows(draft)}

    assert rows["multiprocessors"] == "132"
    assert rows["launch overhead"] == "3 µs"
    assert rows["L2 capacity"] == "50 MiB"
    assert rows["HBM3 latency"] == "600 ns"


def test_facts_of_a_measured_figure_hold_it_against_the_published_one(measured):
    told = set_words(measured, BF16, "measured", "note", "imported from gemm_sweep.csv; best of seven")
    facts = facts_of(told.profile, BF16, "measured")

    assert dict(facts.rows)["of published"] == "80%"
    assert dict(facts.rows)["imported from"] == "gemm_sweep.csv"
    assert facts.note == "best of seven"
    again = set_words(told, BF16, "measured", "note", "worst of seven")
    assert figure_at(again.profile, BF16, "measured").note == "imported from gemm_sweep.csv; worst of seven"
    assert "1.25×" in facts.remark[1]
    assert facts_of(measured.profile, NETWORK, "measured") is None


def test_the_ridge_is_told_by_both_figures(measured):
    # 794.5 / 3.35 = 237 and 989.4 / 3.35 = 295
    assert ridge_words(measured.profile, "dram") == "ridge 237, was 295"
    assert ridge_words(H100, "dram") == "ridge 295"
    assert stated_profile(H100) is H100


def test_the_foot_says_what_is_assumed():
    words = summary_words(H100)

    assert words[:2] == ("HBM3 80 GB", "L2 50 MiB")
    assert "132 SMs" in words
    assert "launch 3 µs (assumed)" in words


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (989.4e12, "FLOP/s", "989.4 TFLOP/s"),
        (1978.9e12, "FLOP/s", "1\u202f979 TFLOP/s"),
        (20e15, "FLOP/s", "20 PFLOP/s"),
        (4.1e12, "B/s", "4.10 TB/s"),
        (450e9, "B/s", "450 GB/s"),
        (999.96e9, "B/s", "1 TB/s"),
        (50 * 2**20, "B", "50 MiB"),
        (3e-6, "s", "3 µs"),
        (1e-6, "B/s", "1.00e−6 B/s"),
        (132.0, "", "132"),
    ],
)
def test_figures_are_written_as_short_as_they_are_known(value, unit, text):
    assert rate_text(value, unit) == text


# ------------------------------------------------------------------------------------------ rows come, go


def test_only_what_is_not_there_can_be_added(draft):
    assert "fp4-tensor" in dict(ceiling_choices(H100))
    assert "bf16-tensor" not in dict(ceiling_choices(H100))
    assert [id_ for id_, _ in boundary_choices(H100)][:2] == ["l1", "l3"]
    assert FigurePlace("machine", "tdp") in figure_choices(H100)
    assert SMS not in figure_choices(H100)


def test_a_boundary_is_added_where_it_belongs(draft):
    changed = added(draft, FigurePlace("boundaries", "l3"), "5 TB/s", today=TODAY)

    ids = list(changed.profile.boundaries)
    assert ids.index("l2") < ids.index("l3") < ids.index("dram")
    assert changed.profile.boundary("l3").label == "L3"
    assert figure_at(changed.profile, FigurePlace("boundaries", "l3")).provenance == "assumed"


def test_a_row_without_a_readable_figure_is_not_added(draft):
    refused = added(draft, FigurePlace("ceilings", "fp4-tensor"), "12", today=TODAY)

    assert isinstance(refused, Refusal)
    assert refused.corrections[0].text == "12 TFLOP/s"


def test_a_removed_reference_hands_its_place_on(draft):
    changed = removed(draft, BF16)

    assert "bf16-tensor" not in changed.profile.ceilings
    assert changed.profile.reference_ceiling == "fp16-tensor"
    assert with_reference(changed.profile, "fp32").reference_ceiling == "fp32"


def test_the_last_ceiling_and_the_last_boundary_stay():
    small = draft_of(A100)
    one = removed(small, FigurePlace("ceilings", "fp32"))

    assert removed(one, BF16) is one
    assert "the only ceiling" in removal_refused(one.profile, BF16)
    assert removal_refused(small.profile, DRAM)


def test_refused_texts_go_with_their_row(draft):
    assert removed(typed(draft, NETWORK, "stated", "fast"), NETWORK).refused == ()


def test_a_boundary_gets_the_machines_own_word():
    assert renamed_boundary(H100, "dram", " HBM ").boundary("dram").label == "HBM"
    assert renamed_boundary(H100, "dram", " ") is H100


def test_every_figure_that_stands_somewhere_has_a_place():
    assert {"sms", "launch_overhead"} <= {one.id for one in places_of(H100) if one.group == "machine"}
    with pytest.raises(ValueError, match="no figure"):
        with_figure(H100, BF16, None)


# ---------------------------------------------------------------------------------------- copies, changes


def test_a_copy_has_a_name_an_id_and_says_where_it_comes_from():
    copy = duplicate(H100, "H100 SXM5, rack 7", {H100.id})

    assert (copy.id, copy.based_on, copy.short_name) == (
        "h100-sxm5-rack-7",
        "nvidia-h100-sxm5",
        "H100 SXM5, rack 7",
    )
    assert copy.ceilings == H100.ceilings


def test_names_and_ids_of_copies_are_free():
    assert copy_name("H100", {"H100"}) == "H100, copy"
    assert copy_name("H100, copy", {"H100", "H100, copy"}) == "H100, copy 2"
    assert free_id("H100 SXM5", {"h100-sxm5"}) == "h100-sxm5-2"
    assert free_id("¿?", ()) == "machine"
    assert renamed(H100, "  ") is H100
    assert len(renamed(H100, "A very long name of a machine in a rack").short_name) <= 28


def test_changes_are_counted_by_figure(measured):
    copy = renamed(measured.profile, "Rack 7")
    changes = changes_between(H100, copy)

    assert [one.words for one in changes if one.kind == "figure"] == [
        "bf16 tensor, measured: – → 794.5 TFLOP/s",
        "HBM3, measured: – → 4.10 TB/s",
    ]
    assert summary_of_changes(changes) == "2 figures changed"
    assert changes_between(H100, H100) == ()


def test_small_changes_are_written_exactly():
    changed = with_figure(H100, BF16, Figure(989.41e12, "published"))

    assert [one.words for one in changes_between(H100, changed)] == [
        "bf16 tensor: 989.4 TFLOP/s → 989.41 TFLOP/s"
    ]


def test_words_alone_are_no_changed_figure(draft):
    told = set_words(draft, BF16, "stated", "source", "data sheet").profile

    assert summary_of_changes(changes_between(H100, told)) == "only words changed"


def test_what_a_machine_was_made_from_is_told():
    copy = duplicate(H100, "Rack 7", ())

    assert base_words(copy, H100) == "from H100 SXM5 80 GB, no figure changed"
    assert base_words(copy, None) == "from nvidia-h100-sxm5, which is not here"
    assert base_words(H100, None) == ""


def test_a_study_learns_what_has_changed_since_it_took_its_copy():
    new = with_figure(H100, DRAM, Figure(3.36e12, "published"))

    assert [one.words for one in study_changes({H100.id: H100}, [new, A100])[H100.id]] == [
        "HBM3: 3.35 TB/s → 3.36 TB/s"
    ]
    assert study_changes({H100.id: H100}, [H100]) == {}


def test_a_profile_error_names_what_a_file_cannot_hold():
    from rooflinestudio.core.profile_edit.folder import checked

    with pytest.raises(ProfileError, match="sms"):
        checked(with_figure(H100, SMS, Figure(1.5, "assumed")))
