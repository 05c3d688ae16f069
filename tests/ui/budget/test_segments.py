from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooflinestudio.ui.budget.segments import INSIDE_PX, NAME_PX, segments


def measure(text):
    return 7.0 * len(text)


def laid_out(shares, width=800.0):
    return segments(shares, [f"kernel {n}" for n in range(len(shares))], width, measure)


def test_words_stand_inside_from_64_pixels_on():
    wide, narrow = laid_out([0.92, 0.08])
    assert wide.inside and not narrow.inside  # 736 and 64 pixels, 2 of them the gap
    assert laid_out([0.91, 0.09])[1].inside


def test_a_narrow_one_is_named_below_where_84_pixels_are_free():
    # the second begins at 400 of 800: plenty of room; the last at 780: 20 pixels are too few
    named = laid_out([0.5, 0.05, 0.425, 0.025])
    assert named[1].below is not None and named[1].below[0] == pytest.approx(400)
    assert named[3].below is None


def test_of_two_neighbours_the_wider_one_has_its_name():
    named = laid_out([0.4, 0.02, 0.06, 0.52])
    assert named[1].below is None and named[2].below is not None


def test_a_sliver_is_not_named():
    assert laid_out([0.5, 0.002, 0.498])[1].below is None


@given(st.lists(st.floats(1e-6, 1.0), min_size=1, max_size=30), st.floats(100, 2000))
def test_segments_keep_their_order_and_names_never_overlap(weights, width):
    shares = [one / sum(weights) for one in weights]
    found = laid_out(shares, width)
    ends = [one.left + one.width for one in found]
    assert all(end <= following.left + 1.0 for end, following in zip(ends, found[1:], strict=False))
    assert ends[-1] <= width + 1.0
    named = sorted(one.below for one in found if one.below is not None)
    assert all(one.width < INSIDE_PX for one in found if one.below is not None)
    assert all(left + size < following for (left, size), (following, _) in itertools.pairwise(named))
    assert all(left + NAME_PX <= width + 0.5 for left, _ in named)
