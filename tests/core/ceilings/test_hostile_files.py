"""Whatever a file says, what is made of it is a profile that reads back."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooflinestudio.core.ceilings.alone import bare_profile
from rooflinestudio.core.ceilings.applying import apply_ceilings
from rooflinestudio.core.ceilings.cleaning import clean_machine, is_target, tidy
from rooflinestudio.core.ceilings.proposal import Choices, propose
from rooflinestudio.core.ceilings.sheet import about_line, heading_of, sheet_of
from rooflinestudio.core.measured.ceilings import MeasuredMachine
from rooflinestudio.core.profile_files import profile_from_text
from rooflinestudio.core.profile_writing import dump_profile
from tests.core.ceilings.measured import PART, profiled, reading

TEXTS = st.text(max_size=400)
RATES = st.one_of(st.floats(), st.floats(1e6, 1e18), st.none())
READINGS = st.builds(
    lambda id_, best, median, low, high, condition, origin: reading(
        id_, best if best is not None else math.nan, median=median, low=low, high=high, condition=condition,
        origin=origin,
    ),
    st.one_of(TEXTS, st.sampled_from(("fp32", "bf16-tensor", "dram", "l2", "fp8-tensor", "register"))),
    RATES, RATES, RATES, RATES, TEXTS, TEXTS,
)  # fmt: skip
MACHINES = st.builds(
    MeasuredMachine,
    TEXTS, TEXTS, st.lists(READINGS, max_size=4).map(tuple), st.lists(READINGS, max_size=4).map(tuple),
    clocks=st.one_of(st.just({}), st.one_of(st.floats(), st.floats(1e8, 5e9)).map(lambda clock: {"sm": clock})),
    host=TEXTS, date=st.one_of(TEXTS, st.just("2026-13-45")), conditions=TEXTS,
)  # fmt: skip


@given(MACHINES, st.booleans(), st.booleans())
def test_what_is_made_of_any_file_reads_back(machine, scale, alone):
    base = bare_profile(machine, year=2026) if alone else PART
    proposal = propose(machine, base)
    for row in proposal.rows:
        about_line(proposal, row.number)
    sheet_of(proposal)
    heading_of(proposal)
    made = apply_ceilings(proposal, as_new=True, scale=scale)

    if made.ceilings and made.boundaries:
        assert profile_from_text(dump_profile(made), name="x").content_hash == made.content_hash


def test_a_reading_of_an_unknown_kind_waits_for_a_choice():
    machine = profiled(ceilings=(reading("warp-speed", 18e12, origin="odd"),), boundaries=())
    proposal = propose(machine, PART)
    (row,) = proposal.rows

    assert (row.target, row.taken) == ("", False)
    assert sheet_of(proposal)[0].target == "choose…"
    assert "no profile has a figure called “warp-speed”" in about_line(proposal, 0)[1]
    assert "warp-speed" not in dict(proposal.targets_for(row))
    assert propose(machine, PART, Choices().with_taken(row, taken=True)).taken == ()
    assert [one.label for one in propose(machine, PART, Choices().with_target(0, "fp32")).taken] == ["fp32"]


@pytest.mark.parametrize("best", [math.nan, math.inf, -1.0, 0.0, 1e30])
def test_what_is_no_rate_is_left_out(best):
    machine = profiled(ceilings=(reading("fp32", best), reading("fp64", 9e12)), boundaries=())

    assert [row.target for row in propose(machine, PART).rows] == ["fp64"]


def test_a_rate_is_what_the_file_writes_without_the_noise_of_its_unit():
    noisy = 33210.27 * 1e9
    assert noisy != 33.21027e12
    (one,) = clean_machine(
        profiled(ceilings=(reading("fp32", noisy, median=noisy, low=noisy, high=noisy),))
    ).ceilings
    assert {one.best, one.median, one.low, one.high} == {33.21027e12}


def test_ends_that_are_out_of_order_are_left_out():
    machine = profiled(ceilings=(reading("fp32", 18e12, low=19e12, high=17e12),), boundaries=())

    assert propose(machine, PART).rows[0].ends is None


def test_texts_become_one_line():
    assert tidy("a\n b\x00c\t d") == "a b c d"
    assert len(tidy("x" * 1000)) == 300
    assert tidy("") == ""


@pytest.mark.parametrize(
    ("kind", "id_", "expected"),
    [
        ("ceiling", "bf16-tensor", True),
        ("ceiling", "fp16-tensor-fp16acc", True),
        ("ceiling", "special", True),
        ("ceiling", "dram", False),
        ("ceiling", "BF16", False),
        ("boundary", "dram", True),
        ("boundary", "l4", False),
        ("boundary", "fp32", False),
    ],
)
def test_only_what_a_profile_can_have_is_a_target(kind, id_, expected):
    assert is_target(kind, id_) is expected
