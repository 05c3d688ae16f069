"""Files, areas and boundaries of measured kernels in the scene: what is drawn, and what is the same as before."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QColor

from rooflinestudio.core.measurement import MeasuredTraffic
from rooflinestudio.ui.canvas.coordinates import Box, Frame, Range
from rooflinestudio.ui.canvas.corner_key import corner_key_boxes
from rooflinestudio.ui.canvas.density import Axis, density_image
from rooflinestudio.ui.canvas.hits import nearest_of
from rooflinestudio.ui.canvas.paint_overlay import points_in_view
from rooflinestudio.ui.canvas.paint_radii import LARGEST, SMALLEST
from rooflinestudio.ui.canvas.scene import OverlayPoints
from rooflinestudio.ui.canvas.scene_boundaries import FEW_RUNS
from rooflinestudio.ui.canvas.scene_clouds import radii_of_kernels
from rooflinestudio.ui.canvas.scene_file import FEW_KERNELS
from rooflinestudio.ui.canvas.scene_series import MOST_ARROWS
from rooflinestudio.ui.canvas.text import Text
from rooflinestudio.ui.presenter import ScenePresenter, scene_of
from tests.ui.canvas.samples import entry, measurement, overlay, placed

MANY = FEW_KERNELS + 10
FRAME = Frame(Box(100.0, 10.0, 900.0, 510.0), Range(-1, 4, 11, 15))


def with_panel(where, **panel):
    return replace(where, study=where.study.with_panel("measured", panel))


def two_files(count, *, faster=2.0):
    before = overlay(
        *(measurement(at, kernel=f"k{at}", time_s=1e-3 * (1 + at)) for at in range(count)), name="a"
    )
    after = overlay(
        *(measurement(at, kernel=f"k{at}", time_s=1e-3 * (1 + at) / faster) for at in range(count)), name="b"
    )
    return before, after


# Arrows


def test_only_the_kernels_with_the_most_time_have_an_arrow_at_once():
    before, after = two_files(MANY)
    scene = scene_of(placed(overlays=(before, after)))
    assert len(scene.series.top) == MOST_ARROWS
    assert [one.key[2] for one in scene.series.top] == list(range(MANY - 1, MANY - 1 - MOST_ARROWS, -1))


@pytest.mark.parametrize("end", [0, 1])
def test_the_others_have_theirs_when_they_are_selected_or_pointed_at(end):
    files = two_files(MANY)
    scene = scene_of(placed(overlays=files))
    key = ("measured", files[end].digest, 0)
    arrow = scene.series.of(key)
    assert arrow.touches(key) and arrow.label == "2.00× faster"
    assert arrow in scene.series.shown(key) and arrow not in scene.series.shown()
    assert scene.series.of(("measured", "f" * 64, 0)) is None and scene.series.of("gemm-1") is None


def test_a_kernel_that_has_not_moved_has_no_arrow_of_its_own_accord():
    scene = scene_of(placed(overlays=two_files(3, faster=1.0)))
    assert scene.series.top == ()


def test_many_launches_of_a_kernel_have_one_arrow_between_their_sums():
    before = overlay(*(measurement(at, time_s=at * 1e-3) for at in (1, 2, 3, 4)), name="a")
    after = overlay(*(measurement(at, time_s=1e-3) for at in range(4)), name="b")
    (arrow,) = scene_of(placed(overlays=(before, after))).series.top
    # 4 TFLOP in 10 ms, then in 4 ms
    assert 10 ** arrow.start[1] == pytest.approx(0.4e15) and 10 ** arrow.end[1] == pytest.approx(1e15)
    assert arrow.label == "2.50× faster, 4 launches" and arrow.short_label == "2.50× faster"


def test_a_single_file_is_drawn_as_ever():
    scene = scene_of(placed(overlays=(two_files(3)[0],)))
    assert scene.series is None and scene.files == ()
    assert {(one.form, one.slot) for one in scene.markers} == {(0, None)}


# Points


def test_points_stay_the_same_objects_while_only_the_filter_changes():
    presenter, where = ScenePresenter(), placed(overlays=two_files(MANY))
    first = presenter.scene(where)
    second = presenter.scene(with_panel(where, filter="k1"))
    assert all(one is other for one, other in zip(first.overlays, second.overlays, strict=True))
    assert first.series is second.series
    hidden = presenter.scene(with_panel(where, hidden={where.study.overlays[0].digest: "0"}))
    assert [len(one) for one in hidden.overlays] == [MANY - 1, MANY]
    assert hidden.overlays[1] is not None


def test_the_file_after_lies_over_the_file_before():
    where = placed(overlays=two_files(MANY))
    assert [one.name for one in scene_of(where).overlays] == ["a", "b"]
    turned = with_panel(where, series={"before": where.study.overlays[1].digest})
    assert [one.name for one in scene_of(turned).overlays] == ["b", "a"]


def test_many_coloured_kernels_are_points_in_their_colour():
    run = overlay(*(measurement(at) for at in range(2 * MANY)))
    where = with_panel(placed(overlays=(run,)), colours={run.digest: {"2": f"0-{MANY}"}})
    scene = scene_of(where)
    assert [(one.slot, len(one)) for one in scene.overlays] == [(None, MANY - 1), (2, MANY + 1)]
    assert not [one for one in scene.markers if one.kernel]


def test_a_measured_file_takes_another_colour_when_an_entry_takes_its_own():
    presenter, files = ScenePresenter(), two_files(MANY)
    first = presenter.scene(placed(overlays=files)).overlays[1].slot
    second = presenter.scene(placed(entry(slot=first), overlays=files)).overlays[1].slot
    assert second is not None and second != first


# Areas


def test_area_grows_with_the_share_of_the_time_between_two_limits():
    run = overlay(*(measurement(at, time_s=time) for at, time in enumerate((0.2, 0.05, 1e-9, 9.75e-1))))
    radii = radii_of_kernels(run)
    assert (radii[0] / radii[1]) ** 2 == pytest.approx((0.2 / 0.05), rel=1e-4)
    assert radii[2] == pytest.approx(SMALLEST) and radii[3] == pytest.approx(LARGEST)


def test_a_kernel_without_time_is_the_smallest():
    run = overlay(measurement(0, time_s=None), measurement(1))
    assert radii_of_kernels(run).tolist() == [pytest.approx(SMALLEST), pytest.approx(LARGEST)]


def test_large_points_are_found_as_far_as_they_reach_and_small_ones_over_them():
    xs, ys = np.array([1.0, 1.05], np.float32), np.array([13.0, 13.0], np.float32)
    points = OverlayPoints(
        "d" * 64, "run", xs, ys, np.arange(2), None, radii=np.array([30.0, 3.0], np.float32)
    )
    x, y = FRAME.point(1.0, 13.0)
    assert nearest_of(points, FRAME, x - 25, y) == 0
    assert nearest_of(points, FRAME, x + 8, y) == 1  # 8 px: over the centre of the small one
    assert nearest_of(points, FRAME, x, y + 31) is None


def test_points_in_any_order_are_found_in_their_places():
    rng = np.random.default_rng(2)
    xs, ys = rng.uniform(-2, 5, 500).astype(np.float32), rng.uniform(10, 16, 500).astype(np.float32)
    points = OverlayPoints("d" * 64, "run", xs, ys, np.arange(500), None)
    x, y, inside = points_in_view(points, FRAME)
    expected = [at for at in range(500) if FRAME.range.holds(float(xs[at]), float(ys[at]))]
    assert sorted(inside.tolist()) == expected
    for at, px, py in zip(inside.tolist(), x.tolist(), y.tolist(), strict=True):
        assert (px, py) == pytest.approx(FRAME.point(float(xs[at]), float(ys[at])), abs=0.01)


@pytest.mark.parametrize(("spread", "reach"), [(1, 1), (3, 3)])
def test_a_point_of_a_density_covers_as_much_on_every_screen(spread, reach):
    at = np.array([20.0], np.float32)
    image = density_image((at, at), (Axis(), Axis()), (40, 40), QColor("#444b57"), spread=spread)
    assert image.pixelColor(20 + reach, 20 - reach).alpha() == image.pixelColor(20, 20).alpha() > 0
    assert image.pixelColor(21 + reach, 20).alpha() == 0


# Boundaries


def everywhere(launch):
    one = measurement(launch, work_flop=1e12, traffic_bytes=1e10)
    traffic = {**one.traffic, "l2": MeasuredTraffic(2e10, 0.0, 2e10), "l1": MeasuredTraffic(4e10, 0.0, 4e10)}
    return replace(one, traffic=traffic)


def test_of_few_kernels_each_has_a_point_at_every_boundary():
    where = with_panel(placed(overlays=(overlay(everywhere(0), everywhere(1)),)), points="all")
    scene = scene_of(where)
    assert [one.name for one in scene.satellites] == ["L2", "L1"] * 2  # the machine has no word for l1
    # 1 TFLOP over 10, 20 and 40 GB
    assert [10**x for x in scene.runs[0].log_xs] == [pytest.approx(25), pytest.approx(50), pytest.approx(100)]
    assert all(one.log_y == scene.runs[0].log_y for one in scene.satellites)
    assert scene.markers[0].detail.startswith("HBM · ")
    assert scene_of(placed(overlays=where.study.overlays)).runs == ()


def test_of_many_only_the_selected_one_has():
    run = overlay(*map(everywhere, range(FEW_RUNS + 1)))
    where = with_panel(placed(overlays=(run,)), points="all")
    assert scene_of(where).runs == ()
    scene = scene_of(where, selected=("measured", run.digest, 3))
    assert [one.key[2] for one in scene.runs] == [3] and len(scene.satellites) == 2


def test_a_point_at_another_boundary_stands_for_its_kernel(qapp):
    from rooflinestudio.ui.canvas.hits import hit_at
    from rooflinestudio.ui.canvas.painter import prepare
    from rooflinestudio.ui.canvas.text import Text

    run = overlay(everywhere(0))
    scene = scene_of(with_panel(placed(overlays=(run,)), points="all"))
    picture = prepare(scene, (1000, 600), scene.home_range, Text())
    at = scene.satellites[0]
    hit = hit_at(picture, *picture.frame.point(at.log_x, at.log_y))
    assert hit.key == ("measured", run.digest, 0)
    assert hit.tip[0] == "kernel" and hit.tip[1] == "at L2: I 50.0 FLOP/byte, 20.00 GB"


# The key of files


def keys(scene):
    return [one.words for one in scene.files]


def test_roles_stand_in_the_key_only_where_kernels_match():
    before, after = two_files(3)
    assert [one.partition(":")[0] for one in keys(scene_of(placed(overlays=(before, after))))] == [
        "before", "after", "Σt 6.00 ms to 3.00 ms",
    ]  # fmt: skip
    other = overlay(measurement(0, kernel="elsewhere", time_s=1e-3), name="c")
    assert keys(scene_of(placed(overlays=(before, other)))) == ["a", "c"]


@pytest.mark.parametrize(("files", "lines"), [(4, 4), (12, 4)])
def test_the_key_takes_a_part_of_a_low_plot_and_counts_the_other_files(qapp, files, lines):
    scene = scene_of(
        placed(overlays=tuple(overlay(measurement(0, kernel=f"k{at}"), name=f"f{at}") for at in range(files)))
    )
    low = Frame(Box(100.0, 10.0, 900.0, 150.0), FRAME.range)
    boxes = corner_key_boxes(scene, low, Text())
    assert len(boxes) == lines and all(one.top >= low.plot.top for one in boxes)
    assert len(corner_key_boxes(scene, FRAME, Text())) == min(files, 11)  # 40 % of 500 px at 17 px each
