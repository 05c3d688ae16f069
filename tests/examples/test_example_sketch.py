from __future__ import annotations

import math

import pytest

from rooflinestudio.core.example_sketch import DECADES, sketch_of
from rooflinestudio.core.examples import example_ids
from tests.examples.shown import shown
from tests.ui.shell_helpers import registry


def sketch(id_):
    return sketch_of(shown(id_).placed, registry())


@pytest.mark.parametrize("id_", example_ids())
def test_every_example_has_a_picture_inside_its_frame(id_):
    one = sketch(id_)
    points = [point for line in one.lines for point in line.points] + [(dot.x, dot.y) for dot in one.dots]
    points += [
        (bar.x + dx * bar.width, bar.y + dy * bar.height)
        for bar in one.bars
        for dx in (0, 1)
        for dy in (0, 1)
    ]

    assert points
    assert all(-1e-9 <= x <= 1 + 1e-9 and -1e-9 <= y <= 1 + 1e-9 for x, y in points)


def test_the_ridge_and_a_point_stand_where_they_do_on_the_canvas():
    one = sketch("figure-01")
    low, high = DECADES

    (line,) = one.lines
    assert line.points[1][0] == pytest.approx((math.log10(295.34) - low) / (high - low), rel=1e-4)
    assert one.dots[1].x == pytest.approx((math.log10(4096 / 3) - low) / (high - low))
    assert one.dots[1].y == pytest.approx(line.points[1][1])  # at the ceiling


def test_what_crosses_nothing_is_hollow():
    assert [dot.hollow for dot in sketch("figure-17").dots] == [False, False, False, True, True]


def test_a_sweep_shows_a_curve_for_each_entry_in_its_colour():
    one = sketch("figure-13")

    assert [line.slot for line in one.lines] == [0, 1, 2] and not one.dots
    naive, _, flash = one.lines
    assert flash.points[-1][1] > naive.points[-1][1] + 0.5


def test_a_budget_shows_a_bar_for_each_layer_cut_by_bound():
    bars = sketch("lab-4").bars
    rows = sorted({bar.y for bar in bars}, reverse=True)

    assert len(rows) == 6
    assert {bar.token for bar in bars if bar.y == rows[2]} == {"memory"}  # decode
    assert {bar.token for bar in bars if bar.y == rows[0]} == {"compute", "memory"}


def test_measured_kernels_have_no_colour_of_an_entry():
    assert [dot.slot for dot in sketch("figure-18").dots] == [0, None, None, None]
