"""The parts of a composite on the canvas: where they stand, what they say, how they are selected."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, Qt

from rooflinestudio.ui.canvas.hits import hit_at, stops
from rooflinestudio.ui.canvas.painter import prepare
from rooflinestudio.ui.canvas.scene_parts import MOST_PARTS
from rooflinestudio.ui.canvas.text import Text
from rooflinestudio.ui.canvas.view import CanvasView
from rooflinestudio.ui.presenter import ScenePresenter, scene_of
from tests.ui.canvas.composites import composite, placed_composite
from tests.ui.canvas.samples import FAST, SLOW, entry, measurement, overlay

COMPUTE, MEMORY, INSIDE = (("part", "layer", at) for at in range(3))


def parts(scene):
    return {one.key: one for one in scene.parts}


def test_only_a_selected_composite_shows_its_parts():
    where = placed_composite(composite(), entry("other"))

    assert scene_of(where).parts == ()
    assert scene_of(where, selected="other").parts == ()
    assert set(parts(scene_of(where, selected="layer"))) == {COMPUTE, MEMORY}


def test_each_part_stands_at_its_own_intensity_and_rate():
    found = parts(scene_of(placed_composite(), selected="layer"))

    assert (10 ** found[COMPUTE].log_x, 10 ** found[COMPUTE].log_y) == pytest.approx((1000, 1000e12))
    assert (10 ** found[MEMORY].log_x, 10 ** found[MEMORY].log_y) == pytest.approx((10, 40e12))
    assert {one.style for one in found.values()} == {"part"}


def test_a_part_says_name_rate_time_and_bound():
    found = parts(scene_of(placed_composite(), selected=COMPUTE))

    assert (found[COMPUTE].name, found[COMPUTE].detail) == (
        "Compute",
        "1.00 PFLOP/s · 10.0 ms · compute at bf16-tensor",
    )
    assert (found[MEMORY].name, found[MEMORY].detail) == (
        "4 × Memory",
        "40.0 TFLOP/s · 10.0 ms · memory at HBM",
    )
    # 10 of 21 ms.
    assert found[MEMORY].tip[:2] == (
        "Memory, part of My layer",
        "10.0 ms in 4 runs of 2.50 ms, 47.6% of the whole",
    )


def test_a_selected_part_carries_the_selection_and_its_own_ceiling_and_nothing_else_is_added():
    scene = scene_of(placed_composite(), selected=MEMORY)

    assert [one.key for one in scene.parts if scene.is_selected(one)] == [MEMORY]
    assert not any(scene.is_selected(one) for one in scene.markers)
    assert scene.satellites == () and scene.floor is None


def test_a_part_without_traffic_is_shown_in_the_strip_when_it_is_selected():
    where = placed_composite()

    assert scene_of(where, selected="layer").right_strip == ()
    (row,) = scene_of(where, selected=INSIDE).right_strip
    assert (row.key, row.name, row.time) == (INSIDE, "Inside", "1.00 ms")


def test_a_part_that_is_not_there_selects_nothing_and_breaks_nothing():
    scene = scene_of(placed_composite(), selected=("part", "layer", 99))

    assert set(parts(scene)) == {COMPUTE, MEMORY}
    assert scene_of(placed_composite(), selected=("part", "gone", 0)).parts == ()


def test_of_many_parts_the_slowest_are_shown_and_the_selected_one_besides():
    where = placed_composite(composite(copies=40))

    shown = [one.key[2] for one in scene_of(where, selected="layer").parts]
    assert len(shown) == MOST_PARTS
    assert shown[0] == 42 and 0 not in shown  # the last copy is the slowest
    assert 0 in [one.key[2] for one in scene_of(where, selected=("part", "layer", 0)).parts]


def test_parts_are_those_on_the_strong_machine():
    scene = scene_of(placed_composite(machines=(FAST, SLOW)), selected="layer", machine="slow")

    assert {one.machine for one in scene.parts} == {"slow"}


def test_a_measured_selection_is_no_part_and_a_part_no_measured_kernel():
    run = overlay(*(measurement(number) for number in range(40)))
    where = placed_composite(overlays=(run,))

    assert scene_of(where, selected=("measured", run.digest, 3)).parts == ()
    assert all(one.style != "measured" for one in scene_of(where, selected=("part", run.digest, 3)).markers)


def test_the_pointer_and_the_keyboard_reach_a_part(qapp):
    scene = scene_of(placed_composite(), selected="layer")
    picture = prepare(scene, (1000, 640), scene.home_range, Text())
    at = picture.frame.point(1.0, parts(scene)[MEMORY].log_y)

    hit = hit_at(picture, *at)
    assert (hit.key, hit.machine) == (MEMORY, "fast")
    assert hit.tip[-1] == "memory at HBM"
    assert MEMORY in [one.key for one in stops(picture)]


def test_the_presenter_keeps_parts_while_the_row_is_the_same():
    presenter, where = ScenePresenter(), placed_composite(composite(), entry("other"))
    first = presenter.scene(where, selected="layer")
    moved = where.study.replacing(entry("other", work=3e12))
    second = presenter.scene(placed_composite(*moved.entries, previous=where), selected="layer")

    assert len(second.parts) == 2
    assert first.parts == second.parts
    assert presenter.scene(where, selected=MEMORY) == scene_of(where, selected=MEMORY)


def test_a_click_on_a_part_selects_it_and_escape_lets_go(qtbot):
    view = CanvasView()
    qtbot.addWidget(view)
    view.resize(1000, 600)
    view.show()
    qtbot.waitExposed(view)
    presenter, where, asked = ScenePresenter(), placed_composite(), []

    def select(key):
        asked.append(key)
        view.set_scene(presenter.scene(where, selected=key))

    view.selectionRequested.connect(select)
    view.set_scene(presenter.scene(where, selected="layer"))
    view.settle()
    part = parts(view.shown_scene)[MEMORY]
    at = QPointF(*view.frame_of_data.point(part.log_x, part.log_y)).toPoint()

    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert asked == [MEMORY]
    assert view.shown_scene.is_selected(parts(view.shown_scene)[MEMORY])
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert asked == [MEMORY, None]
    assert view.shown_scene.parts == ()


def test_the_status_line_speaks_of_the_selected_part(qtbot):
    view = CanvasView()
    qtbot.addWidget(view)
    said = []
    view.statusTextChanged.connect(said.append)
    view.set_scene(scene_of(placed_composite(), selected="layer"))
    whole = said[-1]
    view.set_scene(scene_of(placed_composite(), selected=MEMORY))

    # 10 FLOP/byte at 4 TB/s
    assert said[-1] != whole and "I 10.0" in said[-1] and "40.0 TFLOP/s" in said[-1]
