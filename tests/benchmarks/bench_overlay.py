"""How fast measured kernels are on the canvas: frames, hover, edits. Printed, not judged.

Times are those of the processor, so that other programs do not count. Bars: at 100,000 kernels a frame of panning
below 16.7 ms and hovering below 1 ms, at 1,000,000 a frame below 30 ms.
"""

from __future__ import annotations

import statistics
import time

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

from rooflinestudio.core.placing import place
from rooflinestudio.core.series.figures import series_figures
from rooflinestudio.core.series.matching import match_series
from rooflinestudio.ui.canvas.hits import hit_at
from rooflinestudio.ui.canvas.view import CanvasView
from rooflinestudio.ui.presenter import ScenePresenter
from tests.core.measured_files import A, B, large_file
from tests.ui.canvas.samples import FAST, Source, entry, study

pytestmark = pytest.mark.benchmark

COUNTS = (2_500, 100_000, 1_000_000)
KINDS = {"one file": {}, "by area": {"area": True}, "two files": {}}


def milliseconds(step, times=20):
    taken = []
    for number in range(times + 2):
        start = time.process_time()
        step(number)
        taken.append(time.process_time() - start)
    return 1e3 * statistics.median(taken[2:])


@pytest.fixture
def view(qapp, qtbot):
    made = CanvasView()
    qtbot.addWidget(made)
    made.resize(1280, 800)
    made.show()
    return made


def shown(view, presenter, *files, **panel):
    entries = [entry(f"kernel-{n}", work=10.0 ** (10 + n / 33), traffic=1e10, slot=n) for n in range(100)]
    whole = study(*entries, machines=[FAST], overlays=files).with_panel("measured", panel)
    placed = place(whole, {}, Source())
    view.set_scene(presenter.scene(placed))
    view.settle()
    view.viewport().repaint()
    QApplication.processEvents()
    return placed


def panning(view):
    def pan(number):
        view.pan(0.004 if number % 2 else -0.004, 0.003 if number % 2 else -0.003)
        view.viewport().repaint()

    return milliseconds(pan)


def hovering(view):
    """Return the time of finding what is under the pointer, at places that kernels are at and at bare ones."""
    points = view.shown_scene.overlays[0]
    rng = np.random.default_rng(3)
    chosen = rng.integers(0, len(points), 40)
    places = [view.frame_of_data.point(float(points.log_x[at]), float(points.log_y[at])) for at in chosen]
    places += [(x + 37.0, y + 21.0) for x, y in places]
    hit_at(view.picture, *places[0])
    taken = []
    for x, y in places:
        start = time.process_time()
        hit_at(view.picture, x, y)
        taken.append(1e3 * (time.process_time() - start))
    return statistics.median(taken), max(taken)


def test_bench_frames_and_hover(view):
    shown(view, ScenePresenter())
    bare = panning(view)
    print(f"\npanning without a measured kernel: {bare:.1f} ms a frame")
    for count in COUNTS:
        first, second = large_file(count), large_file(count, digest=A, name="after.csv")
        for kind, panel in KINDS.items():
            files = (first, second) if kind == "two files" else (first,)
            shown(view, ScenePresenter(), *files, **panel)
            frame, (hover, worst) = panning(view), hovering(view)
            print(
                f"{count:>9,} kernels, {kind}: {frame:.1f} ms a frame, {frame / bare:.2f} x without; "
                f"hover {hover:.2f} ms, at worst {worst:.2f} ms"
            )


@pytest.mark.parametrize("count", COUNTS[1:])
def test_bench_edits(view, count):
    presenter, file = ScenePresenter(), large_file(count)
    start = time.process_time()
    placed = shown(view, presenter, file)
    print(f"\n{count:,} kernels, first scene: {1e3 * (time.process_time() - start):.0f} ms")

    def hide(number):
        from dataclasses import replace

        other = placed.study.with_panel("measured", {"hidden": {B: f"{number}-{number + 9}"}})
        presenter.scene(replace(placed, study=other))

    def select(number):
        presenter.scene(placed, selected=("measured", B, 11 + number))

    print(f"hiding ten: {milliseconds(hide, 5):.1f} ms, selecting one: {milliseconds(select, 5):.1f} ms")


@pytest.mark.parametrize("count", COUNTS[1:])
def test_bench_matching_two_files(count):
    before, after = large_file(count), large_file(count, digest=A)
    nothing = np.zeros(count, bool)
    match = match_series(before, after)
    first = milliseconds(lambda _number: match_series(before, after), 3)
    second = milliseconds(lambda _number: series_figures(match, (nothing, nothing)), 3)
    print(f"\n{count:,} kernels in each of two files: matched in {first:.0f} ms, ratios in {second:.0f} ms")
