"""A probe reads one intensity of one machine; figures of the H100 are worked out by hand."""

from __future__ import annotations

import math

import pytest

from rooflinestudio.core.probe import (
    FIRST_INTENSITY,
    HIGHEST_INTENSITY,
    Absent,
    ProbeChoice,
    distance_words,
    probe,
    probe_choice,
    probe_reading,
)
from tests.core.profiles import H100, machine

OTHER = machine("other", ceilings={"bf16-tensor": 300e12}, boundaries={"dram": 2e12})


def test_left_of_the_ridge_the_bandwidth_binds():
    read = probe(H100, "dram", "bf16-tensor", 100.0)

    assert read.ridge_intensity == pytest.approx(295.34, abs=0.005)  # 989.4 / 3.35
    assert read.attainable_flop_per_s == pytest.approx(335e12)  # 100 x 3.35 TB/s
    assert read.fraction_of_peak == pytest.approx(0.3386, abs=5e-5)  # 335 / 989.4
    assert read.tera_time_s == pytest.approx(2.98507e-3, rel=1e-5)  # 1 / 335
    assert read.ridge_ratio == pytest.approx(0.33859, rel=1e-4)
    assert read.bytes_per_flop == 0.01
    assert (read.bound, read.binding, read.is_model) == ("memory", "HBM3", False)


def test_the_fraction_of_peak_is_the_ratio_of_intensity_to_the_ridge():
    # A normalisation of 2 FLOP/byte on this machine reaches 2 / 295 of its peak.
    assert probe(H100, "dram", "bf16-tensor", 2.0).fraction_of_peak == pytest.approx(0.0068, abs=5e-5)


def test_past_the_ridge_the_ceiling_binds():
    read = probe(H100, "dram", "bf16-tensor", 1000.0)

    assert read.attainable_flop_per_s == 989.4e12
    assert read.fraction_of_peak == 1.0
    assert read.tera_time_s == pytest.approx(1.01071e-3, rel=1e-5)
    assert (read.bound, read.binding) == ("compute", "bf16 tensor")


def test_on_the_ridge_itself_compute_binds():
    ridge = 989.4e12 / 3.35e12

    assert probe(H100, "dram", "bf16-tensor", ridge).bound == "compute"
    assert probe(H100, "dram", "bf16-tensor", math.nextafter(ridge, 0)).bound == "memory"


def test_a_narrower_format_moves_the_ridge_and_an_inner_boundary_moves_it_back():
    assert probe(H100, "dram", "fp8-tensor", 1.0).ridge_intensity == pytest.approx(590.7, abs=0.05)
    inner = probe(H100, "l2", "bf16-tensor", 100.0)
    assert inner.ridge_intensity == pytest.approx(109.9, abs=0.05)  # 989.4 / 9
    assert inner.is_model


@pytest.mark.parametrize("intensity", [0.0, -1.0, math.inf, math.nan])
def test_what_has_no_place_on_the_axis_is_refused(intensity):
    with pytest.raises(ValueError, match="no place"):
        probe(H100, "dram", "bf16-tensor", intensity)


def test_an_unknown_boundary_is_refused_by_name():
    with pytest.raises(KeyError, match="dra"):
        probe(H100, "drum", "bf16-tensor", 1.0)


@pytest.mark.parametrize(
    ("ratio", "words"),
    [
        (1 / 4.7, "4.7× left of the ridge"),
        (2.0, "2.0× past the ridge"),
        (1.0, "at the ridge"),
        (1.004, "at the ridge"),
        (1.04, "1.04× past the ridge"),
        (1 / 147.67, "148× left of the ridge"),
        (33.0, "33× past the ridge"),
    ],
)
def test_the_distance_to_the_ridge_is_a_ratio_with_a_side(ratio, words):
    assert distance_words(ratio) == words


def test_a_study_says_where_its_probe_stands():
    panel = {"on": True, "intensity": 295, "ceiling": "fp8-tensor", "boundary": "l2"}

    assert probe_choice(panel) == ProbeChoice(True, 295.0, "fp8-tensor", "l2")


@pytest.mark.parametrize(
    "panel",
    [
        {},
        {"on": "yes", "intensity": "wide", "ceiling": 3, "boundary": None},
        {"on": 1, "intensity": True},
        {"intensity": -2},
        {"intensity": math.nan},
    ],
)
def test_what_makes_no_sense_falls_back(panel):
    assert probe_choice(panel) == ProbeChoice(on=False, intensity=FIRST_INTENSITY)


def test_an_intensity_out_of_reach_is_brought_back():
    assert probe_choice({"intensity": math.inf}).intensity == HIGHEST_INTENSITY


def test_machines_are_read_side_by_side():
    reading = probe_reading((H100, OTHER), H100, "dram", ProbeChoice(True, 100.0))

    assert reading.main.machine == H100.id
    (other,) = reading.others
    assert (other.name, other.attainable_flop_per_s, other.bound) == ("other", 200e12, "memory")
    assert ("dram", "HBM3") in reading.boundaries
    assert ("fp8-tensor", "fp8 tensor") in reading.ceilings


def test_a_machine_without_the_ceiling_or_boundary_says_so():
    fp8 = probe_reading((H100, OTHER), H100, "dram", ProbeChoice(True, 1.0, "fp8-tensor"))
    inner = probe_reading((H100, OTHER), H100, "dram", ProbeChoice(True, 1.0, boundary="l2"))

    assert fp8.others == (Absent("other", "other", "no fp8 tensor"),)
    assert inner.others == (Absent("other", "other", "no l2"),)


def test_a_choice_that_the_machine_lacks_follows_view_and_machine():
    reading = probe_reading((OTHER,), OTHER, "dram", ProbeChoice(True, 1.0, "fp4-tensor", "l2"))

    assert (reading.main.boundary_id, reading.main.ceiling_id) == ("dram", "bf16-tensor")
