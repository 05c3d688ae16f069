"""What the measured tab hides and colours is hidden and coloured on the canvas."""

from __future__ import annotations

import pytest

from rooflinestudio.core.study import Pair
from rooflinestudio.ui.canvas.scene_measured import FEW_KERNELS
from rooflinestudio.ui.presenter import ScenePresenter, scene_of
from tests.ui.canvas.samples import entry, measurement, overlay, placed

MANY = FEW_KERNELS + 10


def with_panel(where, **panel):
    from dataclasses import replace

    return replace(where, study=where.study.with_panel("measured", panel))


def kernels(scene):
    alone = {one.key[2]: one for one in scene.markers if isinstance(one.key, tuple)}
    cloud = {int(index) for one in scene.overlays for index in one.index}
    return alone, cloud


@pytest.mark.parametrize("count", [3, MANY])
def test_hidden_kernels_are_not_drawn_and_come_back(count):
    run = overlay(*(measurement(at) for at in range(count)))
    where = placed(entry(), overlays=(run,))
    presenter = ScenePresenter()
    alone, cloud = kernels(presenter.scene(where))
    assert len(alone.keys() | cloud) == count

    hidden = with_panel(where, hidden={run.digest: "0-1"})
    alone, cloud = kernels(presenter.scene(hidden))
    assert alone.keys() | cloud == set(range(2, count))
    alone, cloud = kernels(presenter.scene(where))
    assert len(alone.keys() | cloud) == count


def test_a_coloured_kernel_is_a_marker_in_its_colour_even_among_many():
    run = overlay(*(measurement(at) for at in range(MANY)))
    where = with_panel(placed(overlays=(run,)), colours={run.digest: {"2": "5"}})
    alone, cloud = kernels(scene_of(where))

    assert list(alone) == [5] and alone[5].slot == 2
    assert len(cloud) == MANY


def test_a_hidden_kernel_is_no_pair_either():
    run = overlay(measurement(0))
    pair = Pair(run.digest, "kernel", 0, "one")
    where = placed(entry(), overlays=(run,), pairs=(pair,))
    assert scene_of(where).segments
    assert not scene_of(with_panel(where, hidden={run.digest: "0"})).segments
