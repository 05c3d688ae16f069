"""What becomes of a finding: its words, its correction, a written reason."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rooflinestudio.core.profile_check import (
    apply_correction,
    check_profile,
    finding_words,
)
from tests.core.profile_check.machines import (
    DRAM,
    GOOD,
    found,
    noted,
    scaled,
    the_one,
)


def test_a_written_reason_closes_a_finding_and_leaves_the_figure_as_it_is():
    place = ("ceilings", "fp8-tensor")
    faulty = scaled(GOOD, place, 2)
    one = the_one(faulty)
    assert one.id == "sparse/ceilings.fp8-tensor"
    explained = replace(faulty, explained={one.id: "The part does this only sparse."})
    assert found(explained) == {}
    (closed,) = check_profile(explained)
    assert closed.explained == "The part does this only sparse."
    assert "only sparse" in finding_words(closed)[1]
    other = replace(faulty, explained={"sparse/ceilings.bf16-tensor": "Another figure."})
    assert list(found(other)) == [place]


def test_the_words_say_which_figure_why_and_what_to_enter():
    title, text, offers = finding_words(the_one(scaled(GOOD, ("ceilings", "bf16-tensor"), 2)))
    assert title == "Sparse rate taken for the dense one"
    assert "bf16 tensor rate is 1.638 PFLOP/s" in text
    assert "twice the dense 4\u202f096 of Hopper" in text
    assert offers == [("Set to 819.2 TFLOP/s", pytest.approx(819.2e12))]


def test_a_correction_changes_one_value_and_nothing_else():
    faulty = noted(scaled(GOOD, DRAM, 8), DRAM, source="a table", condition="peak")
    mended = apply_correction(faulty, the_one(faulty))
    bandwidth_ = mended.boundaries["dram"].bandwidth
    assert (bandwidth_.value, bandwidth_.source, bandwidth_.condition) == (3.35e12, "a table", "peak")
    assert mended.ceilings == faulty.ceilings
    assert faulty.boundaries["dram"].bytes_per_s == 8 * 3.35e12
    assert apply_correction(faulty, the_one(faulty), 3.0e12).boundaries["dram"].bytes_per_s == 3.0e12
