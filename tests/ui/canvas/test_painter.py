"""The painter draws what the scene says, in the colours of the theme, and leaves the rest alone."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage, QPainter

from rooflinestudio.core.study import Pair
from rooflinestudio.ui.canvas.context import Highlight
from rooflinestudio.ui.canvas.coordinates import Range
from rooflinestudio.ui.canvas.fixed_labels import fixed_labels
from rooflinestudio.ui.canvas.paint_marks import corridor_lanes
from rooflinestudio.ui.canvas.painter import label_task, paint, prepare
from rooflinestudio.ui.canvas.text import Text
from rooflinestudio.ui.presenter import scene_of
from rooflinestudio.ui.theme import DARK, LIGHT
from tests.ui.canvas.samples import FAST, SLOW, entry, measurement, overlay, placed

SIZE = (1000, 640)

pytestmark = pytest.mark.usefixtures("qapp")


def drawn(scene, *, theme=LIGHT, size=SIZE, range_=None, vector=False):
    text = Text()
    picture = prepare(scene, size, range_ or scene.home_range, text)
    image = QImage(*size, QImage.Format.Format_RGB32)
    image.fill(QColor("magenta"))
    painter = QPainter(image)
    paint(painter, picture, theme, text, vector=vector)
    painter.end()
    return image, picture


def levels(image):
    """Return the colour levels of a picture, rows by columns by four channels."""
    return np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1, 4).astype(int)


def colour_at(image, x, y):
    return image.pixelColor(round(x), round(y)).name()


def near(image, x, y, colour, *, reach=3):
    """Tell whether a colour is found close to a pixel, smoothed edges aside."""
    wanted = QColor(colour)
    for dx, dy in itertools.product(range(-reach, reach + 1), repeat=2):
        found = image.pixelColor(round(x) + dx, round(y) + dy)
        if all(abs(a - b) <= 12 for a, b in zip(found.getRgb()[:3], wanted.getRgb()[:3], strict=True)):
            return True
    return False


def crowded_study():
    entries = [
        entry(f"e{number}", work=10.0 ** (9 + number % 37 / 9), traffic=10.0 ** (8 + number % 11 / 8), slot=number,
              blocked=1 + number % 3, label=f"kernel number {number} of many")
        for number in range(100)
    ]  # fmt: skip
    return placed(*entries, machines=(FAST, SLOW))


SCENES = {
    "empty": lambda: scene_of(placed()),
    "no machine": lambda: scene_of(placed(machines=())),
    "one": lambda: scene_of(placed(entry())),
    "selected": lambda: scene_of(placed(entry(work=1e13, blocked=20)), selected="one"),
    "two machines": lambda: scene_of(placed(entry(), machines=(FAST, SLOW)), selected="one"),
    "strips": lambda: scene_of(
        placed(entry("a", "vector", flop=0), entry("b", work=1e12, traffic=0)), selected="a"
    ),
    "many in the strip": lambda: scene_of(
        placed(*(entry(f"s{n}", "vector", flop=0, slot=n) for n in range(30)))
    ),
    "hollow": lambda: scene_of(placed(entry(), boundary="nvlink"), selected="one"),
    "crowded": lambda: scene_of(crowded_study(), selected="e3"),
    "far out": lambda: scene_of(placed(entry(work=1e25, traffic=1))),
    "measured": lambda: scene_of(_with_pair()),
}


def _with_pair():
    run = overlay(measurement(0, time_s=5e-3), measurement(1))
    return placed(entry(), overlays=(run,), pairs=(Pair(run.digest, "kernel", 0, "one"),))


@pytest.mark.parametrize("vector", [False, True], ids=["screen", "file"])
@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("name", SCENES)
def test_every_pixel_is_painted_whatever_the_scene(name, theme, vector):
    image, _ = drawn(SCENES[name](), theme=theme, vector=vector)

    magenta = sum(
        image.pixelColor(x, y) == QColor("magenta") for x in range(0, 1000, 7) for y in range(0, 640, 7)
    )
    assert magenta == 0
    assert colour_at(image, 2, 2) == QColor(theme.colours["canvas"]).name()


@pytest.mark.parametrize("size", [(320, 240), (560, 380), (1600, 1000)])
@pytest.mark.parametrize("name", ["selected", "crowded", "strips", "measured"])
def test_small_and_large_canvases_are_drawn(name, size):
    image, picture = drawn(SCENES[name](), size=size)

    assert picture.layout.plot.width > 0
    assert colour_at(image, size[0] - 2, size[1] - 2) == QColor(LIGHT.colours["canvas"]).name()


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_a_marker_has_its_slots_colour_in_both_themes(theme):
    scene = scene_of(placed(entry(work=1e11, traffic=1e10, slot=3)))
    image, picture = drawn(scene, theme=theme)
    x, y = picture.frame.point(scene.markers[0].log_x, scene.markers[0].log_y)

    assert colour_at(image, x, y) == QColor(theme.slots[3]).name()
    # The rim of the canvas parts it from the roof that it lies on.
    assert near(image, x - 7, y, theme.colours["canvas"], reach=1)


def test_a_hollow_marker_is_open():
    scene = scene_of(placed(entry(work=1e11, traffic=1e10), boundary="nvlink"))
    image, picture = drawn(scene)
    x, y = picture.frame.point(scene.markers[0].log_x, scene.markers[0].log_y)

    assert colour_at(image, x, y) == LIGHT.qcolor("canvas").name()
    assert near(image, x + 5, y, LIGHT.slots[0], reach=1)


def test_the_strong_roof_is_the_darkest_line_and_bends_at_the_ridge():
    scene = scene_of(placed())
    image, picture = drawn(scene)
    text, frame = LIGHT.colours["text"], picture.frame

    for log_x in (0.7, 1.5, 2.0, 3.0):
        assert near(image, *frame.point(log_x, scene.strong_roof.height(log_x)), text, reach=1)
    above = frame.point(3.0, scene.strong_roof.height(3.0) + 0.1)
    assert not near(image, *above, text, reach=1)


def test_roofs_stay_inside_the_plot_at_every_zoom():
    scene = scene_of(placed(entry(), machines=(FAST, SLOW)))
    image, picture = drawn(scene, range_=Range(1.0, 1.4, 12.8, 13.4))
    plot = picture.layout.plot
    text = QColor(LIGHT.colours["text"])

    outside = [
        (x, y)
        for x in range(int(plot.right) + 3, SIZE[0])
        for y in range(0, SIZE[1], 2)
        if image.pixelColor(x, y) == text
    ]
    assert outside == []


def test_the_selection_has_a_ring_in_the_accent_colour():
    scene = scene_of(placed(entry(work=1e11)), selected="one")
    image, picture = drawn(scene)
    x, y = picture.frame.point(scene.markers[0].log_x, scene.markers[0].log_y)

    assert near(image, x, y - 11, LIGHT.colours["accent"], reach=1)


def test_the_launch_area_is_shaded_under_its_slope_only():
    scene = scene_of(placed(entry(work=1e8, traffic=1e6)), selected="one")
    image, picture = drawn(scene)
    slope = scene.floor.log_bytes_per_s
    canvas = LIGHT.qcolor("canvas").name()

    def background(log_x, log_y):
        """Return the brightest pixel around a place: grid, lines and words are darker."""
        x, y = picture.frame.point(log_x, log_y)
        around = [
            image.pixelColor(round(x) + dx, round(y) + dy) for dx in range(-9, 10) for dy in range(-9, 10)
        ]
        return max(around, key=lambda one: one.lightness()).name()

    assert background(2.6, 2.6 + slope - 0.6) != canvas
    assert background(-0.3, -0.3 + slope + 2.2) == canvas


def test_a_marker_outside_the_view_leaves_an_arrow_at_the_edge():
    scene = scene_of(placed(entry(work=1e16, traffic=1e9, slot=2)))  # 1e7 FLOP/byte, beyond 10 000
    image, picture = drawn(scene)
    plot = picture.layout.plot
    y = picture.frame.y(scene.markers[0].log_y)

    assert near(image, plot.right - 5, y, LIGHT.slots[2], reach=2)


# ------------------------------------------------------------------------------------------- labels in scenes


def label_boxes(picture):
    anchors = {text.key: picture.frame.point(*text.anchor) for text in picture.texts}
    return {key: placed.box(*anchors[key]) for key, placed in picture.labels.items()}


@pytest.mark.parametrize("name", ["selected", "two machines", "hollow", "crowded", "measured"])
@pytest.mark.parametrize("size", [(620, 420), (1000, 640), (1600, 1000)])
def test_no_label_of_a_real_scene_overlaps_another_or_a_word_of_a_line(name, size):
    _, picture = drawn(SCENES[name](), size=size)
    boxes = list(label_boxes(picture).values())
    _, field = label_task(picture, Text())

    assert boxes
    for first, second in itertools.combinations(boxes, 2):
        assert not first.grown(-1e-6).overlaps(second)
    for box in boxes:
        assert not any(box.grown(-1e-6).overlaps(other) for other in (*field.markers, *field.boxes))


def test_a_small_study_gets_all_its_labels():
    entries = [entry(f"e{number}", work=10.0 ** (10 + number), traffic=1e10) for number in range(4)]
    _, picture = drawn(scene_of(placed(*entries)))

    assert {text.key for text in picture.texts} == set(picture.labels)


def test_in_a_narrow_plot_only_the_selected_label_has_its_second_line():
    study = placed(entry("a", work=1e11), entry("b", work=1e13))
    _, narrow = drawn(scene_of(study, selected="a"), size=(700, 460))
    _, wide = drawn(scene_of(study, selected="a"), size=(1200, 700))

    def lines(picture):
        return {text.key[1]: len(text.lines) for text in picture.texts if text.key[0] == "marker"}

    assert lines(narrow) == {"a": 2, "b": 1}
    assert lines(wide) == {"a": 2, "b": 2}


def test_in_a_narrow_plot_the_ends_of_the_corridor_are_named_only_while_it_is_hovered():
    scene = scene_of(placed(entry(work=1e13, blocked=20)), selected="one")
    text = Text()
    picture = prepare(scene, (700, 460), scene.home_range, text)

    def shot(hovered):
        image = QImage(700, 460, QImage.Format.Format_RGB32)
        painter = QPainter(image)
        paint(painter, picture, LIGHT, text, highlight=Highlight(hovered=hovered))
        painter.end()
        x, y = picture.frame.point(*next(one.anchor for one in picture.texts if one.key == key))
        box = picture.labels[key].box(x, y)
        return sum(
            image.pixelColor(px, py).lightness() < 120
            for px in range(round(box.left), round(box.right))
            for py in range(round(box.top), round(box.bottom))
        )

    key = ("end", "one", "tiled")
    assert shot("one") > shot(None) + 30
    assert shot("another") == shot(None)


def test_long_names_are_cut_kernels_in_the_middle_and_others_at_the_end():
    run = overlay(measurement(0, kernel="sm90_" + "x" * 90 + "_tail"))
    scene = scene_of(placed(entry(label="A name " + "that goes on " * 9), overlays=(run,)))
    _, picture = drawn(scene)
    names = {text.key[1]: text.lines[0][0] for text in picture.texts}
    kernel = names["measured", run.digest, 0]

    assert names["one"].startswith("A name") and names["one"].endswith("…")
    assert kernel.startswith("sm90_") and kernel.endswith("_tail") and "…" in kernel


def test_words_of_lines_are_placed_and_none_overlaps_another():
    scene = scene_of(placed(machines=(FAST, SLOW)))
    text = Text()
    picture = prepare(scene, SIZE, scene.home_range, text)
    placed_words = fixed_labels(scene, picture.frame, text)

    assert {"ridge 250", "HBM  4 TB/s", "bf16 tensor  1 PFLOP/s", "Slow 1 150"} <= {
        label.text for label in placed_words.labels
    }
    for first, second in itertools.combinations(placed_words.level, 2):
        assert not first.overlaps(second)
    for slanted in placed_words.slanted:
        assert not any(placed_words._meets(slanted, box) for box in placed_words.level)


def test_the_strong_roof_keeps_its_words_even_under_markers():
    scene = SCENES["crowded"]()
    _, picture = drawn(scene, size=(640, 420))
    words = {label.text for label in picture.fixed.labels}

    assert {"ridge 250", "HBM  4 TB/s", "bf16 tensor  1 PFLOP/s"} <= words


def test_corridors_that_overlap_run_in_different_lanes():
    scene = scene_of(placed(*(entry(f"e{n}", work=1e13, blocked=20, slot=n) for n in range(5))))

    lanes = corridor_lanes(scene.corridors)

    assert sorted(lanes.values()) == [0, 1, 2, 2, 2]


def test_the_same_scene_gives_the_same_picture():
    scene = SCENES["crowded"]()
    # Qt smooths a handful of letters by one level less the first time that a process draws them.
    first, second, third = (levels(drawn(scene)[0]) for _ in range(3))

    assert np.abs(first - second).max() <= 2
    assert np.array_equal(second, third)


def test_the_screens_cached_words_look_like_the_files_words():
    """One painter, two ways of drawing words and markers: they may differ in smoothing only."""
    scene = scene_of(placed(entry(work=1e13, blocked=20), machines=(FAST, SLOW)), selected="one")
    screen, _ = drawn(scene)
    file, _ = drawn(scene, vector=True)

    different = 0
    for x in range(0, SIZE[0]):
        for y in range(0, SIZE[1], 3):
            a, b = screen.pixelColor(x, y), file.pixelColor(x, y)
            different += abs(a.lightness() - b.lightness()) > 110
    assert different < 0.004 * SIZE[0] * SIZE[1] / 3


def test_a_scene_can_be_painted_at_any_pixel_ratio():
    scene = replace(SCENES["selected"](), empty=None)
    text = Text()
    picture = prepare(scene, SIZE, scene.home_range, text)
    for ratio in (1.0, 1.5, 2.0):
        image = QImage(round(SIZE[0] * ratio), round(SIZE[1] * ratio), QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(ratio)
        painter = QPainter(image)
        paint(painter, picture, LIGHT, text)
        painter.end()
        x, y = picture.frame.point(scene.markers[0].log_x, scene.markers[0].log_y)

        assert image.pixelColor(round(x * ratio), round(y * ratio)).name() == QColor(LIGHT.slots[0]).name()
