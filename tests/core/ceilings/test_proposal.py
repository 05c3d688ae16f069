"""What is taken of what a tool measured, what is asked about, and why."""

from __future__ import annotations

import pytest

from rooflinestudio.core.ceilings.doubts import Held, doubt_about
from rooflinestudio.core.ceilings.proposal import Choices, propose
from rooflinestudio.core.ceilings.sheet import about_line, heading_of, sheet_of
from rooflinestudio.core.measured.ceilings import MeasuredMachine
from tests.core.ceilings.measured import PART, STREAM, profiled, reading
from tests.core.profiles import figure


def row(proposal, origin):
    return next(one for one in proposal.rows if one.origin == origin)


def test_of_several_readings_of_one_figure_the_highest_that_can_be_is_taken():
    proposal = propose(STREAM, PART)

    assert [one.origin for one in proposal.taken] == ["Triad"]
    assert row(proposal, "Copy").rival == "Triad"
    assert row(proposal, "Triad").ratio == pytest.approx(0.94)


def test_what_exceeds_the_published_figure_is_asked_about_and_stays_what_it_is():
    proposal = propose(STREAM, PART)
    dot = row(proposal, "Dot")

    assert dot.value == 1.65e12  # not clamped to 1.5e12
    assert dot.ratio == pytest.approx(1.1)
    assert not dot.taken
    assert "cache" in dot.doubt.causes[0]
    assert [one.origin for one in proposal.questioned] == ["Dot"]


def test_what_is_asked_about_can_be_taken_and_left_again():
    first = propose(STREAM, PART)
    ticked = Choices().with_taken(row(first, "Dot"), taken=True)
    proposal = propose(STREAM, PART, ticked)

    assert [one.origin for one in proposal.taken] == ["Dot"]
    left = propose(STREAM, PART, ticked.with_taken(row(proposal, "Dot"), taken=False))
    assert left.taken == ()


def test_the_median_can_count_instead_of_the_best_run():
    proposal = propose(STREAM, PART, Choices(run="median"))

    assert row(proposal, "Dot").value == 1.5e12
    assert row(proposal, "Dot").doubt is None  # exactly what is published
    assert [one.origin for one in proposal.taken] == ["Dot"]
    assert proposal.has_medians
    assert not propose(profiled(), PART).has_medians


def test_a_reading_can_be_for_another_figure():
    first = propose(STREAM, PART)
    moved = propose(STREAM, PART, Choices().with_target(row(first, "Dot").number, "l2"))

    assert {one.origin: one.label for one in moved.taken} == {"Triad": "HBM2", "Dot": "L2"}
    assert row(moved, "Dot").ratio == pytest.approx(1.65 / 8)
    back = propose(STREAM, PART, Choices().with_target(row(first, "Dot").number, "dram"))
    assert [one.origin for one in back.taken] == ["Dot"]  # chosen by hand


def test_targets_are_the_figures_of_the_profile_and_the_tools_own_word():
    machine = profiled(ceilings=(reading("fp8-tensor", 600e12, origin="fp8"),))
    proposal = propose(machine, PART)
    ids = dict(proposal.targets_for(proposal.rows[0]))

    assert proposal.rows[0].is_new
    assert proposal.rows[0].taken
    assert ids["bf16-tensor"] == "bf16 tensor"
    assert ids["fp8-tensor"] == "fp8 tensor"
    assert "dram" not in ids


def test_without_a_profile_there_is_nothing_to_be_held_against():
    proposal = propose(STREAM, None)

    assert {one.ratio for one in proposal.rows} == {None}
    assert proposal.questioned == ()
    assert not any(one.is_new for one in proposal.rows)


def held(kind, id_, ratio, **more):
    return Held(
        kind, id_, ratio, more.pop("stated", figure(100.0, condition=more.pop("condition", ""))), **more
    )


@pytest.mark.parametrize(
    ("what", "cause"),
    [
        (held("ceiling", "bf16-tensor", 1.98), "sparse"),
        (
            held("ceiling", "fp32", 1.1, condition="1.41 GHz", clock_hz=1.6e9),
            "it ran at 1\u202f600 MHz",
        ),
        (held("boundary", "dram", 1.1), "cache"),
        (held("boundary", "nvlink", 1.95), "both directions"),
        (held("boundary", "dram", 1.1, differs="80 GB instead of 40 GB"), "another part"),
        (held("boundary", "dram", 920.0), "prefix"),
        (held("boundary", "dram", 7.2), "bits"),
        (held("ceiling", "fp32", 0.00098), "prefix"),
        (held("boundary", "dram", 0.2), "did not fill"),
    ],
)
def test_the_likeliest_cause_comes_first(what, cause):
    assert cause in doubt_about(what).causes[0]


@pytest.mark.parametrize("ratio", [0.26, 0.9, 1.0, 1.019])
def test_what_can_be_is_not_asked_about(ratio):
    assert doubt_about(held("boundary", "dram", ratio)) is None


def test_the_lines_say_rates_ends_and_shares():
    copy, _, dot = sheet_of(propose(STREAM, PART))

    assert (copy.best, copy.median, copy.stated, copy.ratio) == (
        "1.350 TB/s",
        "1.300 TB/s",
        "1.500 TB/s",
        "90.0 %",
    )
    assert copy.spread == "1.200 to 1.350 TB/s"
    assert (dot.ratio, dot.doubted, dot.taken, dot.spread) == ("110 %", True, False, "–")


def test_a_line_says_what_becomes_of_it_and_under_which_conditions():
    proposal = propose(STREAM, PART)

    _, copy, tone = about_line(proposal, 0)
    assert "Triad is" in copy
    assert tone == ""
    assert "arrays of 268 MB" in about_line(proposal, 1)[1]
    heading, text, tone = about_line(proposal, 2)
    assert "110 %" in heading
    assert "not taken unless" in text
    assert tone == "warn"
    assert about_line(proposal, 99) == ("", "", "")
    assert heading_of(proposal) == "StreamTest 3.3 · on node 7 · 2026-11-30"


def test_integer_rates_are_in_operations():
    machine = MeasuredMachine("x", "t", (reading("int8-tensor", 166e12),))

    assert sheet_of(propose(machine, PART))[0].best == "166.0 TOP/s"
