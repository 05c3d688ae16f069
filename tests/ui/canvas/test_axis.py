"""Ticks are words, and there are enough but not too many of them at every zoom."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooflinestudio.ui.canvas.axis import intensity_ticks, rate_ticks

THIN = "\u202f"


def words(ticks):
    return [tick.label for tick in ticks if tick.major]


def test_the_machines_axes_read_as_in_the_design():
    assert words(intensity_ticks(-1, 4, length=780)) == [
        "0.1",
        "1",
        "10",
        "100",
        f"1{THIN}000",
        f"10{THIN}000",
    ]
    assert words(rate_ticks(11, 15.4, length=550)) == [
        "100 GFLOP/s", "1 TFLOP/s", "10 TFLOP/s", "100 TFLOP/s", "1 PFLOP/s",
    ]  # fmt: skip


def test_between_decades_of_a_wide_view_stand_the_eight_other_digits():
    minors = [tick.at for tick in intensity_ticks(0, 4, length=780) if not tick.major and 0 < tick.at < 1]

    assert minors == pytest.approx([math.log10(digit) for digit in range(2, 10)])


def test_within_a_decade_ticks_are_one_two_and_five():
    assert words(intensity_ticks(1.2, 2.6, length=780)) == ["20", "50", "100", "200"]


def test_close_up_ticks_are_round_values_with_the_digits_that_tell_them_apart():
    assert words(rate_ticks(12.30, 12.32, length=480))[:3] == ["2.00 TFLOP/s", "2.01 TFLOP/s", "2.02 TFLOP/s"]
    assert words(intensity_ticks(math.log10(333), math.log10(340), length=780))[:2] == ["333", "334"]


def test_a_step_over_a_prefix_changes_the_prefix():
    labels = words(rate_ticks(14.9, 15.02, length=480))

    assert "950 TFLOP/s" in labels and "1.00 PFLOP/s" in labels


@given(st.floats(-9, 11), st.floats(0.02, 30), st.floats(300, 2000))
def test_at_every_zoom_there_are_a_few_distinct_words_inside_the_axis(low, span, length):
    ticks = intensity_ticks(low, low + span, length=length)
    majors = [tick for tick in ticks if tick.major]

    assert all(low <= tick.at <= low + span for tick in ticks)
    assert all(bool(tick.label) is tick.major for tick in ticks)
    labels = [tick.label for tick in majors]
    assert len(set(labels)) == len(labels)
    assert len(majors) <= length / 20
    if span >= 1.1 and (span < 2 or length / 82 > 2):
        assert len(majors) >= 1


@given(st.floats(0, 18), st.floats(0.02, 3))
def test_rates_close_up_are_distinct_too(low, span):
    labels = words(rate_ticks(low, low + span, length=540))

    assert len(set(labels)) == len(labels)
    assert all(label.endswith("FLOP/s") for label in labels)
