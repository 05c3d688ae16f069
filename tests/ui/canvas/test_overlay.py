"""Thousands of measured kernels: drawn where they are, found where they are drawn."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtGui import QColor

from rooflinestudio.ui.canvas.coordinates import Box, Frame, Range
from rooflinestudio.ui.canvas.hits import nearest_of
from rooflinestudio.ui.canvas.paint_overlay import REAL_MARKERS, count_image, points_in_view
from rooflinestudio.ui.canvas.scene import OverlayPoints

FRAME = Frame(Box(100.0, 10.0, 900.0, 510.0), Range(-1, 4, 11, 15))


def cloud(log_x, log_y):
    xs, ys = np.asarray(log_x, np.float32), np.asarray(log_y, np.float32)
    return OverlayPoints(
        "d" * 64, "run.csv", xs, ys, np.arange(len(xs)) * 10, lambda index: ((str(index),), "", None)
    )


def test_points_are_where_the_frame_puts_them_and_those_outside_are_left_out():
    points = cloud([0.0, 1.5, 9.0], [12.0, 13.5, 12.0])

    x, y, inside = points_in_view(points, FRAME)

    assert inside.tolist() == [0, 1]
    assert list(zip(x.tolist(), y.tolist(), strict=True)) == [
        pytest.approx(FRAME.point(0.0, 12.0), abs=0.01),
        pytest.approx(FRAME.point(1.5, 13.5), abs=0.01),
    ]


def test_the_nearest_kernel_is_found_among_many_at_every_zoom():
    rng = np.random.default_rng(5)
    points = cloud(rng.uniform(-1, 4, 20_000), rng.uniform(11, 15, 20_000))
    for range_ in (Range(-1, 4, 11, 15), Range(1.0, 1.05, 13.0, 13.05)):
        frame = Frame(FRAME.plot, range_)
        for x, y in ((300.0, 200.0), (500.0, 400.0), (101.0, 11.0)):
            found = nearest_of(points, frame, x, y)
            exact = [
                (((fx - x) ** 2 + (fy - y) ** 2) ** 0.5, at)
                for at, (fx, fy) in enumerate(
                    frame.point(float(a), float(b)) for a, b in zip(points.log_x, points.log_y, strict=True)
                )
            ]
            distance, at = min(exact)
            assert found == (at if distance <= 6 else None)


def test_a_hit_keeps_the_kernels_number_in_its_file():
    points = cloud([0.0, 1.0], [12.0, 13.0])

    assert points.key(nearest_of(points, FRAME, *FRAME.point(1.0, 13.0))) == ("measured", "d" * 64, 10)


def test_an_empty_cloud_has_no_nearest():
    assert nearest_of(cloud([], []), FRAME, 10, 10) is None


def test_the_density_picture_shows_one_point_and_is_fuller_where_there_are_many():
    x = np.array([20.0] + [60.0] * 200, np.float32)
    y = np.full(201, 30.0, np.float32)

    image = count_image(x, y, (100, 50), QColor("#444b57"))

    alone, many, nowhere = (image.pixelColor(at, 30).alpha() for at in (20, 60, 90))
    assert nowhere == 0
    assert 80 < alone < many <= 255
    assert image.pixelColor(21, 31).alpha() == alone  # spread over three by three pixels
    assert image.pixelColor(23, 30).alpha() == 0


def test_points_on_the_edge_of_the_picture_are_kept():
    edge = np.array([0.0, 99.99, 100.0], np.float32)

    image = count_image(edge, np.zeros(3, np.float32), (100, 50), QColor("black"))

    assert image.pixelColor(0, 0).alpha() > 0 and image.pixelColor(99, 0).alpha() > 0


def test_up_to_three_thousand_kernels_are_markers():
    assert REAL_MARKERS == 3000
