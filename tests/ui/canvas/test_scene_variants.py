"""Arrows from baselines to their variants: between which markers, with which ratios, drawn where."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage, QPainter

from rooflinestudio.ui.canvas.export import export_picture
from rooflinestudio.ui.canvas.hits import hit_at
from rooflinestudio.ui.canvas.paint_arrows import MANY_ARROWS, arrow_middle, arrow_run, labelled_arrows
from rooflinestudio.ui.canvas.paint_strip import strip_places
from rooflinestudio.ui.canvas.painter import paint, prepare
from rooflinestudio.ui.canvas.text import Text
from rooflinestudio.ui.presenter import ScenePresenter, scene_of
from rooflinestudio.ui.theme import DARK, LIGHT
from tests.ui.canvas.samples import FAST, SLOW, entry, placed

SIZE = (1000, 640)

# 100 FLOP/byte, 400 TFLOP/s, 2.5 ms; with half of the traffic 200 FLOP/byte, 800 TFLOP/s, 1.25 ms.
BASE = entry("base", label="Base", work=1e12, traffic=1e10)
HALF = entry("half", label="Base: half", work=1e12, traffic=5e9, variant_of="base")


def only(items):
    (item,) = items
    return item


def shown(scene, size=SIZE):
    return prepare(scene, size, scene.home_range, Text())


# Which, and with which words


def test_an_arrow_runs_from_the_baseline_to_its_variant_with_all_ratios():
    arrow = only(scene_of(placed(BASE, HALF)).arrows)

    assert (arrow.base, arrow.key, arrow.slot) == ("base", "half", 0)
    assert [10**one for one in arrow.start] == pytest.approx([100, 400e12])
    assert [10**one for one in arrow.end] == pytest.approx([200, 800e12])
    assert arrow.label == "2.00× faster · Q ÷2.0 · I ×2.0"
    assert arrow.short_label == "2.00× faster"


def test_its_tool_tip_names_both_and_tells_every_ratio_with_its_figures():
    assert only(scene_of(placed(BASE, HALF)).arrows).tip == (
        "Base: half against Base",
        "2.00× faster: 2.50 ms to 1.25 ms",
        "Q ÷2.00: 10.0 GB to 5.00 GB",
        "I ×2.00: 100 to 200 FLOP/byte",
    )


def test_more_work_is_told_and_the_time_per_flop_in_the_tool_tip():
    # Four times the work over twice the traffic: 200 FLOP/byte, 800 TFLOP/s, 5 ms.
    arrow = only(scene_of(placed(BASE, entry("more", work=4e12, traffic=2e10, variant_of="base"))).arrows)

    assert arrow.label == "2.00× slower · W ×4.0 · Q ×2.0 · I ×2.0"
    assert "2.00× faster per FLOP" in arrow.tip


def test_without_variants_there_are_no_arrows():
    assert scene_of(placed(BASE, entry("other", work=3e12))).arrows == ()


def test_in_one_place_there_is_no_arrow_but_both_tell_of_each_other():
    # Twice the work over twice the traffic: the same intensity and rate, twice the time.
    scene = scene_of(placed(BASE, entry("twice", work=2e12, traffic=2e10, variant_of="base")))
    notes = {(one.key, one.machine): one.lines for one in scene.notes}

    assert scene.arrows == ()
    assert notes["base", "fast"] == ("1 variant in the same place: twice",)
    assert notes["twice", "fast"] == (
        "2.00× slower · W ×2.00 · Q ×2.00 · same I against Base, in the same place",
    )


@pytest.mark.parametrize("lost", ["base", "variant", "refused"])
def test_what_is_not_shown_has_no_arrow(lost):
    base = entry("base", work=1e12, traffic=1e10, visible=lost != "base")
    variant = entry("half", work=-1 if lost == "refused" else 1e12, traffic=5e9, variant_of="base",
                    visible=lost != "variant")  # fmt: skip

    assert scene_of(placed(base, variant)).arrows == ()


def test_a_variant_without_work_stands_in_the_strip_without_an_arrow_and_tells_there(qapp):
    # 10 GB at 4 TB/s: the same 2.5 ms.
    variant = entry("none", work=0, traffic=1e10, variant_of="base")
    scene = scene_of(placed(BASE, variant))
    picture = shown(scene)
    place = only(strip_places(scene, picture.layout))

    assert scene.arrows == ()
    assert place.row.key == "none"
    assert hit_at(picture, *place.box.centre).tip[-1] == "same time · same Q against Base"


def test_on_two_machines_each_row_is_joined_to_that_of_its_machine():
    scene = scene_of(placed(BASE, HALF, machines=(FAST, SLOW)))

    assert [(one.base_machine, one.machine) for one in scene.arrows] == [("fast", "fast"), ("slow", "slow")]


def test_another_machine_as_variant_is_joined_to_the_baseline_on_the_first():
    # At 100 FLOP/byte the slow one allows 200 TFLOP/s: 5 ms in place of 2.5.
    there = entry("there", work=1e12, traffic=1e10, variant_of="base", machines=("slow",))
    arrow = only(scene_of(placed(BASE, there, machines=(FAST, SLOW))).arrows)

    assert (arrow.base_machine, arrow.machine) == ("fast", "slow")
    assert arrow.label == "2.00× slower · same Q · same I"
    assert arrow.tip[0] == "there on Slow 1 against Base on Fast 1"


# Memory


def test_a_step_of_another_entry_keeps_the_arrows():
    presenter = ScenePresenter()
    first = placed(BASE, HALF, entry("moves"))
    before = presenter.scene(first)
    second = placed(BASE, HALF, entry("moves", work=7e12), previous=first)
    after = presenter.scene(second)

    assert after.arrows[0] is before.arrows[0]
    assert after == scene_of(second)


def test_a_step_of_the_baseline_makes_its_arrows_anew():
    presenter = ScenePresenter()
    first = placed(BASE, HALF)
    presenter.scene(first)
    quarter = entry("base", label="Base", work=1e12, traffic=2e10)  # 5 ms
    after = presenter.scene(placed(quarter, HALF, previous=first))

    assert only(after.arrows).label == "4.00× faster · Q ÷4.0 · I ×4.0"


# Drawn


def test_the_way_starts_and_ends_at_the_rims_and_is_bowed_below_the_roof(qapp):
    scene = scene_of(placed(BASE, HALF))
    frame = shown(scene).frame
    arrow = only(scene.arrows)
    run = arrow_run(scene, frame, arrow)

    assert math.dist(run[0], frame.point(*arrow.start)) == pytest.approx(9.5, abs=1.0)
    assert math.dist(run[-1], frame.point(*arrow.end)) == pytest.approx(9.5, abs=1.0)
    middle = frame.point(*arrow_middle(frame, arrow))
    log_x, log_y = frame.data(*middle)
    assert log_y < scene.strong_roof.height(log_x)


def test_markers_that_nearly_touch_have_no_arrow(qapp):
    near = entry("near", work=1e12, traffic=9.9e9, variant_of="base")
    scene = scene_of(placed(BASE, near))

    assert arrow_run(scene, shown(scene).frame, only(scene.arrows)) is None
    assert not any(key[0] == "variant" for key in shown(scene).labels)


@pytest.mark.parametrize("vector", [False, True], ids=["screen", "file"])
@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_it_is_drawn_in_the_colour_of_its_slot(qapp, theme, vector):
    far = entry("far", work=1e12, traffic=2e11, slot=2, variant_of="base")
    scene = scene_of(placed(entry("base", work=1e12, traffic=1e10, slot=2), far))
    text, picture = Text(), shown(scene)
    image = QImage(*SIZE, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    paint(painter, picture, theme, text, vector=vector)
    painter.end()

    middle = picture.frame.point(*arrow_middle(picture.frame, only(scene.arrows)))
    levels = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1, 4)[..., 2::-1].astype(int)
    x, y = (round(one) for one in middle)
    wanted = np.array(QColor(theme.slots[2]).getRgb()[:3])
    around = levels[y - 3 : y + 4, x - 3 : x + 4]
    assert np.abs(around - wanted).max(axis=-1).min() <= 40


def test_its_label_has_a_place_and_is_short_on_a_small_canvas(qapp):
    scene = scene_of(placed(BASE, entry("far", work=1e12, traffic=2e11, variant_of="base")))

    wide, small = shown(scene), shown(scene, (560, 400))
    key = ("variant", "far", "fast")
    assert key in wide.labels
    # A twentieth of the intensity at the slope: twenty times the time.
    assert next(one.lines[0][0] for one in wide.texts if one.key == key) == "20.00× slower · Q ×20 · I ÷20"
    assert next(one.lines[0][0] for one in small.texts if one.key == key) == "20.00× slower"


def test_beside_an_arrow_the_name_of_the_baseline_is_not_said_again(qapp):
    texts = {one.key: one.lines[0][0] for one in shown(scene_of(placed(BASE, HALF))).texts}

    assert texts["marker", "base", "fast"] == "Base"
    assert texts["marker", "half", "fast"] == "half"


def many(count):
    variants = [
        entry(f"v{n}", work=1e12, traffic=1e10 / 1.3 ** (n + 1), variant_of="base") for n in range(count)
    ]
    other = [entry("lone", work=1e10), entry("of lone", work=2e10, variant_of="lone")]
    return placed(BASE, *variants, *other)


def test_of_many_arrows_only_those_of_the_selected_baseline_carry_labels():
    few, crowd = many(MANY_ARROWS - 1), many(MANY_ARROWS)

    assert len(labelled_arrows(scene_of(few))) == MANY_ARROWS
    assert labelled_arrows(scene_of(crowd)) == []
    assert [one.key for one in labelled_arrows(scene_of(crowd, selected="lone"))] == ["of lone"]
    assert len(labelled_arrows(scene_of(crowd, selected="base"))) == MANY_ARROWS


@pytest.mark.parametrize("seed", range(6))
def test_labels_never_overlap_whatever_the_variants(qapp, seed):
    rng = random.Random(seed)
    entries = []
    for base in range(4):
        work, traffic = 10 ** rng.uniform(9, 13), 10 ** rng.uniform(8, 11)
        entries.append(entry(f"b{base}", work=work, traffic=traffic, slot=base))
        entries += [
            entry(f"b{base}v{n}", work=work, traffic=traffic * 10 ** rng.uniform(-1, 1), slot=base,
                  variant_of=f"b{base}", label=f"b{base}: variant {n}")
            for n in range(3)
        ]  # fmt: skip
    scene = scene_of(placed(*entries), selected="b1")
    picture = shown(scene, (rng.choice([560, 1000, 1400]), 640))
    texts = {one.key: one for one in picture.texts}
    boxes = [one.box(*picture.frame.point(*texts[key].anchor)) for key, one in picture.labels.items()]

    assert any(key[0] == "variant" for key in picture.labels)
    assert not any(a.grown(-0.5).overlaps(b.grown(-0.5)) for a, b in itertools.combinations(boxes, 2))


# Pointed at


def test_an_arrow_stands_for_its_variant_and_tells_all(qapp):
    far = entry("far", work=1e12, traffic=2e11, variant_of="base")
    scene = scene_of(placed(BASE, far))
    picture = shown(scene)
    middle = picture.frame.point(*arrow_middle(picture.frame, only(scene.arrows)))

    hit = hit_at(picture, *middle)
    assert (hit.key, hit.machine) == ("far", "fast")
    assert hit.tip[0] == "far against Base"
    assert hit_at(picture, middle[0], middle[1] + 12) is None


def test_a_variants_own_marker_says_how_it_stands_to_its_baseline(qapp):
    scene = scene_of(placed(BASE, HALF))
    picture = shown(scene)

    tip = hit_at(picture, *picture.frame.point(*only(scene.arrows).end)).tip
    assert "2.00× faster · Q ÷2.00 · I ×2.00 against Base" in tip


def test_a_picture_file_has_the_arrow_and_its_words(qapp, tmp_path):
    far = entry("far", work=1e12, traffic=2e11, variant_of="base")
    export_picture(tmp_path / "with.svg", scene_of(placed(BASE, far)))
    lone = entry("far", work=1e12, traffic=2e11)
    export_picture(tmp_path / "without.svg", scene_of(placed(BASE, lone)))

    words = "20.00× slower · Q ×20 · I ÷20"
    assert words in (tmp_path / "with.svg").read_text("utf-8")
    assert words not in (tmp_path / "without.svg").read_text("utf-8")
