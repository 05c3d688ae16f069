"""A rate of which documents say one thing and a measurement another."""

from __future__ import annotations

import pytest

from rooflinestudio.core.errors import ProfileError
from rooflinestudio.core.hardware import Boundary, ComputeCeiling, Figure
from rooflinestudio.core.profile_files import dump_profile, load_profile
from tests.core.profile_text import PROFILE_TEXT, changed

STATED = Figure(989.4e12, "published", confidence="high")
SEEN = Figure(794.5e12, "measured", "8192, 1.41 GHz", "our benchmark", "2026-03-18")


def with_lines(*lines: str) -> str:
    """Return the profile with more lines on its bf16 ceiling."""
    return changed("    value: 800 TFLOP/s", "\n".join(("    value: 800 TFLOP/s", *lines)))


def test_the_figure_in_use_is_exchanged_and_both_stay_known():
    known = ComputeCeiling("bf16-tensor", STATED, measured=SEEN)
    assert (known.flop_per_s, known.in_use) == (989.4e12, "stated")
    other = known.using("measured")
    assert (other.flop_per_s, other.in_use) == (794.5e12, "measured")
    assert (other.stated, other.observed) == (STATED, SEEN)
    assert other.using("stated") == known
    assert other.using("measured") is other


def test_what_is_known_once_cannot_be_exchanged():
    stated, seen = Boundary("dram", "HBM", Figure(2e12, "published")), ComputeCeiling("fp32", SEEN)
    assert stated.using("measured") is stated
    assert stated.observed is None
    assert seen.using("stated") is seen
    assert (seen.stated, seen.in_use) == (None, "measured")


@pytest.mark.parametrize(("use", "rate"), [("stated", 800e12), ("measured", 150e12)])
def test_both_figures_come_back_from_a_file(use, rate):
    text = with_lines(
        "    confidence: medium",
        "    measured: {value: 150 TFLOP/s, condition: products of 4096, source: our own benchmark, date: 2026-11-29}",
        f"    use: {use}",
    )
    profile = load_profile(text)
    ceiling = profile.ceilings["bf16-tensor"]
    assert (ceiling.flop_per_s, ceiling.in_use) == (rate, use)
    assert ceiling.stated.confidence == "medium"
    assert ceiling.observed == Figure(
        150e12, "measured", "products of 4096", "our own benchmark", "2026-11-29"
    )
    again = load_profile(dump_profile(profile))
    assert again == profile
    assert again.content_hash == profile.content_hash


def test_a_measured_bandwidth_in_use_comes_back():
    text = changed(
        "provenance: published, source: sheet}\n    capacity",
        "provenance: published, use: measured, measured: {value: 1.8 TB/s, source: STREAM}}\n    capacity",
    )
    profile = load_profile(text)
    assert profile.boundary("dram").bytes_per_s == 1.8e12
    assert profile.boundary("dram").stated.value == 2e12
    assert load_profile(dump_profile(profile)) == profile


def test_the_rest_of_a_machine_comes_back():
    text = PROFILE_TEXT + (
        "\ntdp: {value: 350 W, provenance: published}\nbased_on: nvidia-h100-sxm5\n"
        "explained:\n  boundaries.dram-order: The part has a slow scratchpad.\n"
    )
    profile = load_profile(text)
    assert profile.tdp == Figure(350.0, "published")
    assert profile.based_on == "nvidia-h100-sxm5"
    assert dict(profile.explained) == {"boundaries.dram-order": "The part has a slow scratchpad."}
    assert load_profile(dump_profile(profile)) == profile


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["    use: measured"], "has no measured figure"),
        (["    measured: {value: fast}"], "fast"),
        (["    measured: {value: 1 TFLOP/s, provenance: published}"], "published"),
        (["    use: best"], "use"),
    ],
)
def test_what_cannot_be_is_refused_with_its_place(lines, words):
    with pytest.raises(ProfileError, match=r"bf16-tensor") as told:
        load_profile(with_lines(*lines))
    assert words in str(told.value)
