"""Profiles that are made of what was measured: beside the shipped one, or in it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rooflinestudio.core.ceilings.alone import bare_profile, can_stand_alone
from rooflinestudio.core.ceilings.applying import apply_ceilings, effect_of
from rooflinestudio.core.ceilings.proposal import Choices, propose
from rooflinestudio.core.profile_files import profile_from_text
from rooflinestudio.core.profile_writing import dump_profile
from tests.core.ceilings.measured import PART, STREAM, profiled, reading


def test_a_machine_of_its_own_stands_beside_the_one_that_it_is_made_from():
    made = apply_ceilings(propose(profiled(1.407e9), PART), as_new=True)

    assert made.id == "test-part-40gb-as-profiled-1407mhz"
    assert made.name == "Part A7 SXM 40 GB, as profiled 1\u202f407 MHz"
    assert made.based_on == PART.id
    assert made.clocks["profiled"].value == 1.407e9
    assert made.ceilings["fp32"].flop_per_s == 18e12
    assert made.ceilings["fp32"].stated == PART.ceilings["fp32"].figure
    assert made.ceilings["bf16-tensor"] == PART.ceilings["bf16-tensor"]
    assert made.boundaries["dram"].bytes_per_s == 1.44e12


def test_a_measured_figure_says_who_measured_it_where_when_and_how():
    made = apply_ceilings(propose(STREAM, PART), as_new=True)
    figure = made.boundaries["dram"].bandwidth

    assert figure.value == 1.41e12
    assert figure.provenance == "measured"
    assert figure.source == "StreamTest 3.3 on node 7, Triad"
    assert figure.date == "2026-11-30"
    assert figure.condition == "arrays of 268 MB"
    assert figure.note == "best of 100 runs"
    assert made.name == "Part A7 SXM 40 GB, as measured by StreamTest 3.3"
    assert made.id == "test-part-40gb-streamtest"


def test_the_median_is_called_one():
    made = apply_ceilings(propose(STREAM, PART, Choices(run="median")), as_new=True)

    assert made.boundaries["dram"].bandwidth.note == "median of 100 runs"


def test_figures_that_work_by_the_cycle_name_their_clock():
    made = apply_ceilings(propose(profiled(1.8e9), PART), as_new=True)

    assert made.ceilings["fp32"].figure.condition == "1\u202f800 MHz"
    assert made.boundaries["dram"].bandwidth.condition == ""


def test_figures_can_go_into_the_profile_itself():
    made = apply_ceilings(propose(STREAM, PART), as_new=False)

    assert (made.id, made.name, made.based_on) == (PART.id, PART.name, "")
    assert made.boundaries["dram"].in_use == "measured"
    assert made.boundaries["dram"].using("stated").bytes_per_s == 1.5e12


def test_measured_figures_can_stand_beside_those_in_use():
    made = apply_ceilings(propose(STREAM, PART), as_new=False, in_use=False)

    assert made.boundaries["dram"].bytes_per_s == 1.5e12
    assert made.boundaries["dram"].observed.value == 1.41e12


def test_another_measurement_replaces_the_first_and_keeps_what_is_published():
    once = apply_ceilings(propose(STREAM, PART), as_new=False)
    twice = apply_ceilings(propose(profiled(), once), as_new=False)

    assert twice.boundaries["dram"].bytes_per_s == 1.44e12
    assert twice.boundaries["dram"].stated.value == 1.5e12


def test_a_figure_that_was_only_measured_is_measured_anew():
    machine = profiled(ceilings=(reading("fp16", 39e12),))
    made = apply_ceilings(propose(machine, PART), as_new=False)

    assert made.ceilings["fp16"].flop_per_s == 39e12
    assert made.ceilings["fp16"].stated is None


def test_a_figure_that_the_profile_does_not_have_is_added_in_its_place():
    machine = profiled(
        ceilings=(reading("fp8-tensor", 600e12),), boundaries=(reading("l1", 19e12), reading("pcie", 25e9))
    )
    made = apply_ceilings(propose(machine, PART), as_new=True)

    assert made.ceilings["fp8-tensor"].flop_per_s == 600e12
    assert list(made.boundaries) == ["register", "l1", "l2", "dram", "nvlink", "pcie"]
    assert made.boundaries["l1"].label == "L1"


def test_what_was_not_measured_is_scaled_on_request():
    proposal = propose(profiled(1.5e9), PART)
    made = apply_ceilings(proposal, as_new=True, scale=True)

    assert made.ceilings["fp32"].flop_per_s == 18e12  # measured at that clock
    assert made.ceilings["fp64"].flop_per_s == 7.5e12  # 10e12 at the boost clock of 2 GHz
    assert made.ceilings["fp64"].figure.provenance == "derived"
    assert made.ceilings["bf16-tensor"].flop_per_s == 312e12  # at 1.5 GHz already
    assert made.boundaries["dram"].bytes_per_s == 1.44e12
    assert apply_ceilings(proposal, as_new=True).ceilings["fp64"].flop_per_s == 10e12


def test_nothing_of_a_profile_itself_is_scaled():
    made = apply_ceilings(propose(profiled(1.5e9), PART), as_new=False, scale=True)

    assert made.ceilings["fp64"] == PART.ceilings["fp64"]


def test_another_machine_of_the_same_id_gives_the_new_one_a_number():
    proposal = propose(STREAM, PART)
    first = apply_ceilings(proposal, as_new=True)
    other = replace(first, year=1999)

    again = apply_ceilings(proposal, as_new=True, taken={first.id: first})
    second = apply_ceilings(proposal, as_new=True, taken={first.id: other})

    assert again == first
    assert second.id == f"{first.id}-2"
    assert second.name.endswith("(2)")


def test_what_is_made_reads_back_from_its_file():
    for machine, scale in (
        (STREAM, False),
        (profiled(), True),
        (replace(STREAM, date="last Tuesday"), False),
    ):
        made = apply_ceilings(propose(machine, PART), as_new=True, scale=scale)

        assert profile_from_text(dump_profile(made), name="x").content_hash == made.content_hash


def test_a_date_in_words_is_kept_in_the_note():
    made = apply_ceilings(propose(replace(STREAM, date="last Tuesday"), PART), as_new=True)

    assert made.boundaries["dram"].bandwidth.date == ""
    assert "last Tuesday" in made.boundaries["dram"].bandwidth.note


def test_the_effect_says_how_the_ridge_moves():
    proposal = propose(STREAM, PART)

    result = effect_of(proposal, as_new=True)

    assert result.ridges == (("bf16 tensor", pytest.approx(208.0), pytest.approx(312 / 1.41)),)
    assert result.words == "1 measured figure; ridge of bf16 tensor 208 → 221 FLOP/byte."
    assert effect_of(proposal, as_new=True, in_use=False).ridges[0][2] == pytest.approx(208.0)
    assert effect_of(propose(STREAM, None), as_new=True) is None


def test_without_a_profile_there_is_nothing_to_put_figures_into():
    with pytest.raises(ValueError, match="choose the machine"):
        apply_ceilings(propose(STREAM, None), as_new=True)


# ------------------------------------------------------------------------------- a machine that no profile has


def test_a_machine_that_no_profile_has_is_made_of_the_file_alone():
    machine = profiled(1.5e9, device="NVIDIA GeForce RTX 3070", compute_capability="8.6")
    bare = bare_profile(machine, year=2026)

    made = apply_ceilings(propose(machine, bare), as_new=True, scale=True)

    assert can_stand_alone(machine)
    assert made.id == "nvidia-geforce-rtx-3070-as-profiled-1500mhz"
    assert made.name == "NVIDIA GeForce RTX 3070, as profiled 1\u202f500 MHz"
    assert (made.vendor, made.architecture, made.based_on) == ("NVIDIA", "compute capability 8.6", "")
    assert made.reference_ceiling == "fp32"
    assert made.ridge() == pytest.approx(18 / 1.44)
    assert made.ceilings["fp32"].stated is None
    assert profile_from_text(dump_profile(made), name="x").content_hash == made.content_hash
    assert effect_of(propose(machine, bare), as_new=True).measured == 2


def test_a_file_without_a_ceiling_or_without_memory_is_no_machine():
    assert not can_stand_alone(STREAM)
    assert not can_stand_alone(profiled(boundaries=(reading("l2", 1e12),)))


def test_the_year_is_that_of_the_file():
    assert bare_profile(STREAM).year == 2026
    assert bare_profile(replace(STREAM, device="", date="")).name == "Machine measured by StreamTest 3.3"
