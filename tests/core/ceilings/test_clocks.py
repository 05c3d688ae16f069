"""Machines at another clock; the factors are worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rooflinestudio.core.ceilings.clocks import (
    reference_clock,
    scaled_figures,
    scaled_to_clock,
    scaled_to_sustained,
)
from rooflinestudio.core.ceilings.words import clock_in, clock_text, ratio_text
from rooflinestudio.core.profile_files import profile_from_text
from rooflinestudio.core.profile_writing import dump_profile
from tests.core.ceilings.measured import PART, measured
from tests.core.profiles import figure


def test_each_figure_scales_from_the_clock_that_it_holds_at():
    made = scaled_to_clock(PART, 1e9)

    assert made.ceilings["bf16-tensor"].flop_per_s == pytest.approx(312e12 / 1.5)  # its condition: 1.5 GHz
    assert made.ceilings["fp32"].flop_per_s == pytest.approx(10e12)  # its condition: 2 GHz
    assert made.ceilings["fp64"].flop_per_s == pytest.approx(5e12)  # none: the boost clock of 2 GHz
    assert made.boundaries["register"].bytes_per_s == pytest.approx(40e12)
    assert made.boundaries["l2"].bytes_per_s == pytest.approx(4e12)
    assert made.boundaries["l2"].slopes["strided"].value == pytest.approx(2e12)


def test_memory_and_links_stay():
    made = scaled_to_clock(PART, 1e9)

    assert made.boundaries["dram"] == PART.boundaries["dram"]
    assert made.boundaries["nvlink"] == PART.boundaries["nvlink"]


def test_a_measured_figure_without_a_clock_stays_and_one_with_a_clock_scales():
    clocked = measured(39e12, condition="a product, 1.95 GHz")
    part = replace(
        PART, ceilings={**PART.ceilings, "int8": replace(PART.ceilings["fp16"], id="int8", figure=clocked)}
    )
    made = scaled_to_clock(part, 1e9)

    assert made.ceilings["fp16"] == PART.ceilings["fp16"]
    assert made.ceilings["int8"].flop_per_s == pytest.approx(20e12)


def test_a_scaled_figure_says_the_formula_and_its_clock():
    scaled = scaled_to_clock(PART, 1.407e9).ceilings["bf16-tensor"].figure

    assert scaled.provenance == "derived"
    assert scaled.source == "312.00 TFLOP/s × 1\u202f407 MHz / 1\u202f500 MHz"
    assert scaled.condition == "dense, 1\u202f407 MHz"


def test_scaling_back_gives_the_first_figures_again():
    there = scaled_to_clock(PART, 1.1e9)
    back = scaled_to_clock(there, 1.5e9)

    assert back.ceilings["bf16-tensor"].flop_per_s == pytest.approx(312e12)


def test_the_name_says_the_clock_and_what_it_is_made_from():
    made = scaled_to_clock(PART, 1.407e9)

    assert made.name == "Part A7 SXM 40 GB, at 1\u202f407 MHz"
    assert made.id == "test-part-40gb-at-1407mhz"
    assert made.based_on == PART.id
    assert profile_from_text(dump_profile(made), name="x").content_hash == made.content_hash


def test_the_sustained_clock_is_taken_where_it_is_known():
    known = replace(PART, clocks={**PART.clocks, "sustained": figure(1e9, "measured")})

    assert scaled_to_sustained(PART) is None
    made = scaled_to_sustained(known)
    assert made.ceilings["fp32"].flop_per_s == pytest.approx(10e12)
    assert made.name == "Part A7 SXM 40 GB, sustained at 1\u202f000 MHz"


def test_the_clock_to_scale_from_can_be_named():
    made = scaled_to_clock(PART, 1e9, reference="base")

    assert made.ceilings["fp64"].flop_per_s == 10e12  # held at the base clock of 1 GHz
    assert made.ceilings["fp32"].flop_per_s == pytest.approx(10e12)  # names its own


def test_a_machine_without_clocks_scales_only_what_names_one():
    bare = replace(PART, clocks={})

    assert {one.id for one in scaled_figures(bare, 1e9)} == {"bf16-tensor", "fp32", "register"}
    assert reference_clock(bare, bare.ceilings["fp64"].figure, "fp64") is None


def test_the_clock_that_holds_already_changes_nothing():
    assert "bf16-tensor" not in {one.id for one in scaled_figures(PART, 1.5e9)}
    assert scaled_to_clock(PART, 1.5e9).ceilings["bf16-tensor"] == PART.ceilings["bf16-tensor"]


@pytest.mark.parametrize("clock", [0.0, -1e9, float("inf"), float("nan")])
def test_what_is_no_clock_is_refused(clock):
    with pytest.raises(ValueError, match="no clock"):
        scaled_to_clock(PART, clock)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("dense, 1.83 GHz", 1.83e9),
        ("1407 MHz", 1.407e9),
        ("at 1\u202f407 MHz", 1.407e9),
        ("1,407 MHz, locked", 1.407e9),
        ("33 cycles", None),
        ("1.2 GHz or 1.4 GHz", None),
        ("", None),
    ],
)
def test_clocks_are_read_from_conditions(text, expected):
    assert clock_in(text) == (None if expected is None else pytest.approx(expected))


def test_clocks_and_shares_are_written_as_tools_do():
    assert clock_text(1.4073e9) == "1\u202f407 MHz"
    assert clock_text(955e6) == "955 MHz"
    assert [ratio_text(one) for one in (0.94, 1.0, 2.004, 1000.0, 0.001, None)] == [
        "94.0 %", "100.0 %", "200 %", "1\u202f000×", "1/1\u202f000", "–",
    ]  # fmt: skip


@pytest.mark.parametrize("ratio", [0.0, 5e-324, 1e-200])
def test_a_ratio_of_nothing_is_written_too(ratio):
    assert ratio_text(ratio) == "0 %"
