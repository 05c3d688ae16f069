"""No label overlaps another, none covers a marker, and the same scene always gives the same places."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rooflinestudio.ui.canvas.coordinates import Box
from rooflinestudio.ui.canvas.labels import Field, Line, Wanted, place_labels, placing

BOUNDS = Box(0.0, 0.0, 780.0, 540.0)


def marker_box(x, y, radius=7.0):
    return Box(x - radius, y - radius, x + radius, y + radius)


def wanted(key, x, y, width=110.0, height=29.0, **more):
    return Wanted(key, x, y, width, height, **more)


def crowd(count, seed, *, spread=1.0):
    """Return labels of markers along a roof, as crowded as ``spread`` is small."""
    rng = random.Random(seed)
    labels = []
    for number in range(count):
        x = 390 + spread * rng.uniform(-380, 380)
        y = min(530.0, max(10.0, 460 - 0.8 * x + rng.uniform(-40, 40) * spread))
        short = (80.0, 15.0) if number % 2 else None
        labels.append(wanted(number, x, y, rng.uniform(60, 190), 29.0, short=short))
    return labels


def field_of(labels, **more):
    return Field(BOUNDS, markers=[marker_box(one.x, one.y) for one in labels], **more)


def boxes(labels, placed):
    return {one.key: placed[one.key].box(one.x, one.y) for one in labels if one.key in placed}


ROOF = (Line(0.0, 460.0, 500.0, 60.0, 24.0), Line(500.0, 60.0, 780.0, 60.0, 24.0))


@settings(max_examples=25)
@given(st.integers(1, 100), st.integers(0, 10_000), st.sampled_from([0.1, 0.4, 1.0]))
def test_no_two_labels_overlap_and_none_lies_on_a_marker(count, seed, spread):
    labels = crowd(count, seed, spread=spread)
    words = [Box(600.0, 40.0, 776.0, 55.0), Box(20.0, 400.0, 60.0, 470.0)]
    field = field_of(labels, boxes=words, lines=ROOF)

    placed = boxes(labels, place_labels(labels, field))

    for first, second in itertools.combinations(placed.values(), 2):
        assert not first.grown(-1e-6).overlaps(second)
    for box in placed.values():
        assert box.inside(BOUNDS)
        assert not any(box.grown(-1e-6).overlaps(other) for other in (*field.markers, *words))


def test_a_hundred_crowded_markers_get_many_labels_without_an_overlap():
    labels = crowd(100, 7)

    placed = boxes(labels, place_labels(labels, field_of(labels, lines=ROOF)))

    assert len(placed) >= 30
    assert not any(a.grown(-1e-6).overlaps(b) for a, b in itertools.combinations(placed.values(), 2))


def test_the_same_scene_gives_the_same_places():
    labels = crowd(60, 3)

    assert place_labels(labels, field_of(labels)) == place_labels(labels, field_of(labels))


def test_a_lonely_label_stands_close_to_the_right_of_its_marker_without_a_leader():
    label = wanted("a", 300.0, 300.0)

    placed = place_labels([label], field_of([label]))["a"]

    assert placed.dx == pytest.approx(9.0)
    assert placed.dy == pytest.approx(-14.5)
    assert not placed.leader and placed.align == "left"


def test_at_the_right_edge_it_stands_to_the_left():
    label = wanted("a", 770.0, 300.0)

    placed = place_labels([label], field_of([label]))["a"]

    assert placed.dx + placed.width == pytest.approx(-9.0)
    assert placed.align == "right"


def test_it_leaves_the_strong_roof_alone_and_would_rather_cross_a_quiet_line():
    label = wanted("a", 300.0, 300.0)
    across = Line(0.0, 300.0, 780.0, 300.0, 24.0)
    quiet = Line(0.0, 300.0, 780.0, 300.0, 0.1)

    on_strong = boxes([label], place_labels([label], field_of([label], lines=[across])))["a"]
    on_quiet = boxes([label], place_labels([label], field_of([label], lines=[quiet])))["a"]

    assert not on_strong.top < 300 < on_strong.bottom
    assert on_quiet.top < 300 < on_quiet.bottom and on_quiet.left > 300


def test_further_off_than_six_pixels_it_has_a_leader_to_its_nearest_edge():
    label = wanted("a", 300.0, 300.0)
    ring = [Box(280.0, 270.0, 292.0, 330.0), Box(308.0, 270.0, 320.0, 330.0), Box(270.0, 275.0, 330.0, 290.0)]
    ring.append(Box(270.0, 310.0, 330.0, 325.0))

    placed = place_labels([label], field_of([label], boxes=ring))["a"]

    assert placed.leader
    end = placed.leader_end(label.x, label.y)
    assert placed.box(label.x, label.y).grown(1e-6).holds(*end)


def test_where_everything_is_taken_the_label_is_left_out():
    label = wanted("a", 300.0, 300.0)
    full = [Box(100.0, 100.0, 500.0, 500.0)]

    assert place_labels([label], field_of([label], boxes=full)) == {}


def test_what_costs_more_than_two_overlaps_is_left_out_unless_it_is_needed():
    label = wanted("a", 300.0, 300.0)
    fence = [Line(0.0, float(y), 780.0, float(y), 24.0) for y in range(0, 540, 4)]

    assert place_labels([label], field_of([label], lines=fence)) == {}
    assert place_labels([wanted("a", 300.0, 300.0, 24.0, needed=True)], field_of([label], lines=fence)) != {}


def test_without_room_for_two_lines_one_is_kept():
    label = wanted("a", 390.0, 20.0, 110.0, 36.0, short=(110.0, 15.0))
    strip = Field(Box(0.0, 0.0, 780.0, 30.0), markers=[marker_box(390.0, 20.0)])

    placed = place_labels([label], strip)["a"]

    assert placed.is_short and placed.height == 15.0


def test_what_failed_comes_first_in_the_next_round_if_more_are_placed_so():
    # The first label takes the only gap; the second one fits nowhere else, the first one does.
    first, second = wanted("wide", 100.0, 20.0, 60.0, 15.0), wanted("tight", 130.0, 20.0, 60.0, 15.0)
    lane = Field(Box(0.0, 0.0, 240.0, 40.0), markers=[marker_box(100.0, 20.0), marker_box(130.0, 20.0)])

    assert set(place_labels([first, second], lane)) == {"wide", "tight"}


def test_placing_can_be_spread_over_many_turns():
    labels = crowd(40, 5)
    steps = list(placing(labels, field_of(labels)))

    assert len(steps) >= len(labels)
    assert steps[-1] == place_labels(labels, field_of(labels))


def test_a_label_travels_with_its_marker():
    label = wanted("a", 300.0, 300.0)
    placed = place_labels([label], field_of([label]))["a"]

    assert placed.box(350.0, 280.0) == placed.box(300.0, 300.0).shifted(50.0, -20.0)
