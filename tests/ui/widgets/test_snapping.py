import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooflinestudio.ui.widgets.snapping import Scale

WHOLE = Scale(1, 2**20)


def test_every_power_of_two_is_met():
    assert all(WHOLE.value(WHOLE.position(2**power)) == 2**power for power in range(21))


def test_four_thousand_and_ninety_six_sits_where_the_picture_shows_it():
    assert WHOLE.position(4096) == pytest.approx(0.6)


@given(st.integers(1, 2**20))
def test_a_position_never_goes_further_than_half_a_step_away(value):
    found = WHOLE.value(WHOLE.position(value))
    assert abs(found - value) <= max(1, value / 8) / 2 + 1


@given(st.floats(0, 1))
def test_a_value_to_stop_at_stays_where_it_is(position):
    value = WHOLE.value(position)
    assert WHOLE.value(WHOLE.position(value)) == value


def test_steps_go_through_eighths_of_an_octave_and_over_a_power_of_two():
    assert [WHOLE.next(4096, 1), WHOLE.next(4096, -1), WHOLE.next(4608, -1), WHOLE.next(5, 1)] == [
        4608,
        3840,
        4096,
        6,
    ]


def test_steps_end_at_the_ends():
    assert WHOLE.next(1, -1) == 1
    assert WHOLE.next(2**20, 1) == 2**20


def test_a_value_between_two_stops_goes_to_the_next_one():
    assert WHOLE.next(4100, 1) == 4608
    assert WHOLE.next(4100, -1) == 4096


def test_a_scale_from_zero_keeps_its_first_position_for_zero():
    scale = Scale(0, 1e9)
    assert scale.value(0) == 0
    assert scale.position(0) == 0
    assert scale.value(scale.position(4096)) == 4096


def test_a_share_moves_in_hundredths():
    share = Scale(0, 1, integer=False, logarithmic=False, step=0.01)
    assert share.value(0.8512) == 0.85
    assert share.next(0.85, 1) == 0.86
    assert share.next(1.0, 1) == 1.0


def test_what_lies_outside_sits_at_an_end():
    assert WHOLE.position(1e12) == 1
    assert WHOLE.position(0.5) == 0
