"""Against which roof a placement was judged, and the energy that it would take."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rooflinestudio.core.energy import energy_of
from rooflinestudio.core.evaluation import evaluation_document
from rooflinestudio.core.judged import judged_against, judged_in_short, judged_words, shows_both_roofs
from rooflinestudio.core.placement import place_estimate
from rooflinestudio.core.settings import Settings
from tests.core.kernels import kernel
from tests.core.profiles import TINY, figure

SETTINGS = Settings(boundary="dram", policy="compulsory")


def with_ceiling(use, *, measured=800.0):
    """Return the tiny machine (1000 FLOP/s stated) with a measured tensor rate of 800 beside it."""
    ceiling = replace(TINY.ceilings["bf16-tensor"], measured=figure(measured, "measured")).using(use)
    return replace(TINY, ceilings={**TINY.ceilings, "bf16-tensor": ceiling})


def placed(profile):
    # 40,000 FLOP on the tensor pipe and 40 B: 1,000 FLOP/byte, right of both ridges (100 and 80).
    return place_estimate(kernel(40_000.0, 40.0), profile, SETTINGS)


def test_published_figures_are_said_in_two_words():
    assert judged_words(placed(TINY)) == "published roofs"
    assert all(one.share is None for one in judged_against(placed(TINY)))


def test_a_measured_ceiling_in_use_makes_the_time_longer_and_is_named():
    before, after = placed(with_ceiling("stated")), placed(with_ceiling("measured"))
    assert (before.time_s, after.time_s) == (pytest.approx(40.0), pytest.approx(50.0))
    assert judged_words(after) == "bf16 tensor measured, 80.0% of published; Memory published"
    assert judged_words(before) == "bf16 tensor published, 80.0% measured; Memory published"
    assert judged_in_short(before) == "published roofs"
    assert judged_in_short(after) == "measured ceiling, published slope"
    assert any("80.0% of the published" in one for one in after.notes)
    assert any("800 FLOP/s were measured" in one for one in before.notes)


def test_the_document_says_where_each_roof_comes_from():
    document = evaluation_document(placed(with_ceiling("measured")))
    assert document["ceiling"] == {"id": "bf16-tensor", "flop_per_s": 800.0, "provenance": "measured"}
    assert document["boundaries"]["dram"]["provenance"] == "published"


@pytest.mark.parametrize(
    ("use", "setting", "drawn"),
    [
        ("stated", None, False),
        ("stated", "both", True),
        ("measured", None, True),
        ("measured", "used", False),
        ("measured", 17, True),
    ],
)
def test_the_second_roof_is_drawn_by_itself_where_a_measured_one_is_in_use(use, setting, drawn):
    assert shows_both_roofs(setting, with_ceiling(use), "dram") is drawn
    assert not shows_both_roofs(setting, TINY, "dram")


def test_energy_is_rated_power_times_time():
    # 40 s at 50 W are 2,000 J; 40,000 FLOP of them are 20 FLOP/J.
    energy = energy_of(placed(replace(TINY, tdp=figure(50.0))))
    assert energy.energy_j == pytest.approx(2000.0)
    assert energy.flop_per_j == pytest.approx(20.0)
    assert energy_of(placed(TINY)) is None


def test_energy_is_in_the_document_with_what_it_rests_on():
    details = evaluation_document(placed(replace(TINY, tdp=figure(50.0, "assumed"))))["details"]
    assert (details["energy_j"], details["energy_rests_on"]) == (pytest.approx(2000.0), "tdp assumed")
    assert "energy_j" not in evaluation_document(placed(TINY))["details"]
