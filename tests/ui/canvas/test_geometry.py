"""Lines are cut at the plot exactly, and a corridor keeps its distance from the roof."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rooflinestudio.ui.canvas.coordinates import Box, Frame, Range
from rooflinestudio.ui.canvas.geometry import along_roof, clip_line, clip_polyline, lowered, roof_line

BOX = Box(0.0, 0.0, 100.0, 60.0)
coordinate = st.floats(-500, 500)
points = st.tuples(coordinate, coordinate)


def on_line(point, start, end):
    """Return how far a point is from a line, in pixels."""
    (x0, y0), (x1, y1) = start, end
    return abs((x1 - x0) * (y0 - point[1]) - (x0 - point[0]) * (y1 - y0)) / math.dist(start, end)


@given(points, points)
def test_what_is_left_of_a_line_lies_in_the_box_and_on_the_line(start, end):
    assume(math.dist(start, end) > 1)

    part = clip_line(start, end, BOX)

    if part is not None:
        for point in part:
            assert BOX.grown(1e-6).holds(*point)
            assert on_line(point, start, end) < 1e-6


@given(points, st.floats(1, 99), st.floats(1, 59), st.floats(0.1, 5))
def test_no_visible_point_of_a_line_is_lost(start, x, y, beyond):
    point = (x, y)
    assume(math.dist(start, point) > 1)
    end = (x + beyond * (x - start[0]), y + beyond * (y - start[1]))

    part = clip_line(start, end, BOX)

    assert part is not None
    assert math.dist(part[0], point) + math.dist(point, part[1]) == pytest.approx(math.dist(*part), abs=1e-6)


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        ((-50, 30), (150, 30), ((0, 30), (100, 30))),
        ((50, -10), (50, 100), ((50, 0), (50, 60))),
        ((10, 10), (20, 20), ((10, 10), (20, 20))),
        ((-10, -10), (-10, 100), None),
        ((0, 100), (1, 61), None),
    ],
)
def test_lines_are_cut_where_they_leave(start, end, expected):
    assert clip_line(start, end, BOX) == expected


def test_a_polyline_that_leaves_and_comes_back_is_two_runs_and_a_corner_inside_stays_joined():
    assert clip_polyline([(10, 10), (50, 10), (50, 50)], BOX) == [[(10, 10), (50, 10), (50, 50)]]
    runs = clip_polyline([(10, 50), (10, 100), (90, 100), (90, 50)], BOX)
    assert runs == [[(10, 50), (10, 60)], [(90, 60), (90, 50)]]


def test_a_roof_has_its_ridge_as_corner_only_if_it_lies_between():
    roof = {"log_bytes_per_s": 12.0, "log_flop_per_s": 14.0}

    assert along_roof(1, 3, **roof) == [(1, 13.0), (2.0, 14.0), (3, 14.0)]
    assert along_roof(0, 1, **roof) == [(0, 12.0), (1, 13.0)]
    assert along_roof(4, 3, **roof) == [(3, 14.0), (4, 14.0)]


def test_a_roof_line_reaches_beyond_every_edge_of_the_view():
    range_ = Range(-1, 4, 11, 15)
    line = roof_line(range_, log_bytes_per_s=12.5, log_flop_per_s=15.0)

    assert line[0][0] < range_.x0 and line[-1][0] > range_.x1


@given(st.floats(-0.5, 1.5), st.floats(2.6, 3.8))
def test_a_lowered_run_is_parallel_to_the_roof_and_below_it(low, high):
    frame = Frame(Box(0, 0, 780, 540), Range(-1, 4, 11, 15.4))
    run = [frame.point(*one) for one in along_roof(low, high, log_bytes_per_s=12.5, log_flop_per_s=15.0)]

    moved = lowered(run, frame, 7.0)

    assert len(moved) == 3
    for a, b, c, d in ((run[0], run[1], moved[0], moved[1]), (run[1], run[2], moved[1], moved[2])):
        assert on_line(c, a, b) == pytest.approx(7.0, abs=1e-6)
        assert on_line(d, a, b) == pytest.approx(7.0, abs=1e-6)
    assert moved[2][1] == pytest.approx(run[2][1] + 7)
    assert moved[0][1] > run[0][1] and moved[0][0] > run[0][0]


def test_a_run_on_one_piece_of_the_roof_is_lowered_too():
    frame = Frame(Box(0, 0, 500, 500), Range(0, 5, 10, 15))  # 45 degrees

    flat = lowered([(10, 100), (50, 100)], frame, 7.0)
    steep = lowered([(10, 100), (50, 60)], frame, 7.0)

    assert flat == [(10, 107), (50, 107)]
    shift = 7 / math.sqrt(2)
    assert steep == [pytest.approx((10 + shift, 100 + shift)), pytest.approx((50 + shift, 60 + shift))]
