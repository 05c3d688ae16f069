"""How fast the canvas draws, as figures on the machine at hand and as ratios in one run. Printed, not judged."""

from __future__ import annotations

import statistics
import time
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

from rooflinestudio.core.hardware import Figure
from rooflinestudio.core.placing import place
from rooflinestudio.ui.canvas.hits import nearest_of
from rooflinestudio.ui.canvas.labels import place_labels
from rooflinestudio.ui.canvas.painter import label_task
from rooflinestudio.ui.canvas.scene import OverlayPoints
from rooflinestudio.ui.canvas.text import Text
from rooflinestudio.ui.presenter import ScenePresenter
from tests.ui.canvas.samples import FAST, Source, entry, study

pytestmark = pytest.mark.benchmark

FRAMES = 60
ROOFS, MARKERS = 8, 100
SELECTED = "kernel-50"


def machines():
    """Return eight machines of different bandwidth; placements are on the first."""

    def slower(number):
        share = 1.0 - 0.09 * number
        boundaries = {
            key: replace(one, bandwidth=Figure(one.bytes_per_s * share, "published"))
            for key, one in FAST.boundaries.items()
        }
        return replace(FAST, id=f"fast-{number}", short_name=f"Fast {number}", boundaries=boundaries)

    return [FAST, *(slower(number) for number in range(1, ROOFS))]


def kernel(number, step=0):
    work = 10.0 ** (10 + number / 33) * (1 + 0.001 * step)
    return entry(
        f"kernel-{number}", work=work, traffic=1e10, blocked=1 + number % 4, slot=number, machines=("fast",)
    )


def entries():
    return [kernel(number) for number in range(MARKERS)]


@pytest.fixture
def view(qapp, qtbot):
    from rooflinestudio.ui.canvas.view import CanvasView

    view = CanvasView()
    qtbot.addWidget(view)
    view.resize(1280, 800)
    view.show()
    return view


@pytest.fixture
def shown(view):
    """The scene of eight roofs and a hundred labelled markers, on display and settled."""
    presenter, source = ScenePresenter(), Source()
    whole = study(*entries(), machines=machines(), policy="modelled")
    placed = place(whole, {}, source)
    view.set_scene(presenter.scene(placed, selected=SELECTED))
    settle(view)
    assert (len(view.shown_scene.roofs), len(view.shown_scene.markers)) == (ROOFS, MARKERS)
    return view, presenter, source, placed


def settle(view):
    view.settle()
    view.viewport().repaint()
    QApplication.processEvents()


def milliseconds(frame, frames=FRAMES):
    """Return the median time of a frame; each paints exactly once, and labels settle outside of the clock."""
    taken = []
    for number in range(frames + 3):
        start = time.perf_counter()
        frame(number)
        taken.append(time.perf_counter() - start)
    return 1e3 * statistics.median(taken[3:])


def test_bench_a_slider_step_against_painting_alone(shown):
    view, presenter, source, placed = shown
    state = {"placed": placed}

    def paint_marks(_number):
        view.viewport().repaint()

    def paint_all(_number):
        view._ground._same = ()
        view.viewport().repaint()

    def step(number):
        before = state["placed"]
        moved = kernel(50, step=number + 1)
        after = place(before.study.replacing(moved), {}, source, previous=before)
        state["placed"] = after
        view.set_scene(presenter.scene(after, selected=SELECTED))
        view.viewport().repaint()

    marks, whole = milliseconds(paint_marks), milliseconds(paint_all)
    stepped = milliseconds(step)
    print(f"\npainting the scene: {whole:.1f} ms, on the kept picture of the ground {marks:.1f} ms")
    print(
        f"slider step (place, scene, paint): {stepped:.1f} ms, {stepped / whole:.2f} x painting the scene (bar: 1.6), "
        f"{stepped / marks:.2f} x painting the marks alone"
    )


def test_bench_panning_and_zooming(shown):
    view, *_ = shown

    def pan(number):
        view.pan(0.004 if number % 2 else -0.004, 0.003 if number % 2 else -0.003)
        view.viewport().repaint()

    def zoom(number):
        (view.zoom_in if number % 2 else view.zoom_out)()
        view.viewport().repaint()

    print(f"\npanning: {milliseconds(pan):.1f} ms a frame (bar: 16)")
    print(f"zooming: {milliseconds(zoom):.1f} ms a frame")


@pytest.mark.parametrize("count", [2_500, 100_000, 1_000_000])
def test_bench_measured_kernels(shown, count):
    view, *_ = shown
    rng = np.random.default_rng(1)
    xs = rng.normal(1.5, 0.8, count).astype(np.float32)
    ys = (12.3 + xs + rng.normal(-0.4, 0.4, count)).clip(0, 15).astype(np.float32)
    points = OverlayPoints("d" * 64, "run", xs, ys, np.arange(count), lambda _index: ((), "", None))
    view.set_scene(replace(view.shown_scene, overlays=(points,)))
    settle(view)

    def pan(number):
        view.pan(0.004 if number % 2 else -0.004, 0.0)
        view.viewport().repaint()

    hover = milliseconds(lambda number: nearest_of(points, view.frame_of_data, 400.0 + number, 300.0), 30)
    print(
        f"\n{count:,} measured kernels: panning {milliseconds(pan, 20):.1f} ms a frame, hover {hover:.2f} ms"
    )


def test_bench_placing_labels(shown):
    view, *_ = shown
    wanted, field = label_task(view.picture, Text())

    taken = milliseconds(lambda _number: place_labels(wanted, field), 5)
    print(f"\nplacing {len(wanted)} labels: {taken:.0f} ms, in slices of 8 ms")
