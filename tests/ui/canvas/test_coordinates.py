"""Logarithms are taken in one place, and pixels and data map to each other."""

from __future__ import annotations

import ast
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooflinestudio.ui.canvas import coordinates
from rooflinestudio.ui.canvas.coordinates import (
    Box,
    Frame,
    Range,
    clamped_log10,
    from_log10,
    has_log10,
    log10,
    log10_columns,
    roof_height,
)

PLOT = Box(100.0, 10.0, 900.0, 510.0)


@given(st.floats(min_value=1e-30, max_value=1e30))
def test_a_value_survives_the_way_to_the_axis_and_back(value):
    assert from_log10(log10(value)) == pytest.approx(value, rel=1e-9)


@pytest.mark.parametrize("value", [0.0, -1.0, math.inf, math.nan])
def test_what_has_no_place_on_a_log_axis_is_refused_and_never_nan(value):
    assert not has_log10(value)
    with pytest.raises(ValueError, match="no place on a log axis"):
        log10(value)


def test_zero_and_infinity_can_be_sent_far_out_instead():
    assert clamped_log10(0.0) == -30 and clamped_log10(math.inf) == 30


@given(
    st.floats(-8, 8),
    st.floats(0.1, 12),
    st.floats(5, 15),
    st.floats(0.1, 8),
    st.floats(0, 1),
    st.floats(0, 1),
)
def test_pixels_and_data_map_to_each_other(x0, width, y0, height, across, up):
    frame = Frame(PLOT, Range(x0, x0 + width, y0, y0 + height))
    log_x, log_y = x0 + across * width, y0 + up * height

    x, y = frame.point(log_x, log_y)

    assert PLOT.grown(1e-6).holds(x, y)
    assert frame.data(x, y) == pytest.approx((log_x, log_y), abs=1e-9)


def test_more_is_further_right_and_further_up():
    frame = Frame(PLOT, Range(-1, 4, 11, 15))

    assert frame.point(-1, 11) == (100, 510)
    assert frame.point(4, 15) == (900, 10)


def test_a_slope_is_straight_and_has_the_angle_of_the_frame():
    frame = Frame(PLOT, Range(-1, 4, 11, 15))  # 160 pixels a decade across, 125 up
    (x0, y0), (x1, y1) = frame.point(0, 12), frame.point(2, 14)

    assert math.atan2(y0 - y1, x1 - x0) == pytest.approx(frame.slope_angle)
    assert math.degrees(frame.slope_angle) == pytest.approx(math.degrees(math.atan2(125, 160)))


@given(st.floats(-6, 8), st.floats(8, 15), st.floats(10, 16))
def test_a_roof_is_never_above_its_ceiling_or_its_slope(x, log_bandwidth, log_ceiling):
    height = roof_height(x, log_bytes_per_s=log_bandwidth, log_flop_per_s=log_ceiling)

    assert height <= log_ceiling and height <= x + log_bandwidth
    assert height in (log_ceiling, x + log_bandwidth)


def test_columns_keep_only_pairs_with_a_place_and_say_which_these_are():
    numpy = pytest.importorskip("numpy")
    xs = numpy.array([10.0, 0.0, numpy.nan, 100.0, numpy.inf, 1000.0])
    ys = numpy.array([1e12, 1e12, 1e12, 0.0, 1e12, 1e14])

    log_x, log_y, index = log10_columns(xs, ys)

    assert log_x.tolist() == [1.0, 3.0] and log_y.tolist() == [12.0, 14.0]
    assert index.tolist() == [0, 5]


def test_boxes_that_only_touch_do_not_overlap():
    assert not Box(0, 0, 10, 10).overlaps(Box(10, 0, 20, 10))
    assert Box(0, 0, 10, 10).overlaps(Box(9.9, 0, 20, 10))


def test_no_other_module_of_the_window_takes_a_logarithm_of_data():
    """The mistake of giving linear values to the canvas can be made in one module only."""
    canvas = Path(coordinates.__file__).parent
    # Ticks and number formats take logarithms of sizes and counts, never of data to be drawn.
    allowed = {"coordinates.py", "axis.py", "density.py", "scene_roofs.py"}
    for path in [*canvas.glob("*.py"), canvas.parent / "presenter.py"]:
        if path.name in allowed:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and node.attr in ("log10", "log", "log1p"):
                assert getattr(node.value, "id", "") not in ("math", "np", "numpy"), (
                    f"{path.name}:{node.lineno}"
                )
