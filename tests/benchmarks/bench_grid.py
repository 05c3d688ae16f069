"""How fast the compare grid is, as figures on the machine at hand and as ratios in one run. Printed, not judged."""

from __future__ import annotations

import statistics
import time
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication

from rooflinestudio.core.grid import grid_of
from rooflinestudio.core.grid.spec import grid_spec
from rooflinestudio.core.placing import place
from rooflinestudio.ui.presenter import ScenePresenter
from tests.ui.widgets.studies import A100, H100, example, placed, registry

pytestmark = pytest.mark.benchmark

FRAMES = 20
SIZE = (1600, 860)
PANEL = {
    "shown": "multiples",
    "entry": "gemm-1",
    "boundaries": ["shared", "l2", "dram", "nvlink"],
    "dtypes": ["bf16", "fp8", "fp16", "int8"],
}
"""Four boundaries, four formats, two machines: 32 rooflines."""


def milliseconds(step, times=FRAMES):
    taken = []
    for number in range(times + 2):
        start = time.perf_counter()
        step(number)
        taken.append(time.perf_counter() - start)
    return 1e3 * statistics.median(taken[2:])


@pytest.fixture
def study():
    return example(machines=(H100, A100)).with_panel("grid", PANEL)


@pytest.fixture
def multiples(qtbot):
    from rooflinestudio.ui.grid.multiples import MultiplesView

    view = MultiplesView()
    qtbot.addWidget(view)
    view.resize(*SIZE)
    view.show()
    QApplication.processEvents()
    return view


def canvas_ms(qtbot, study):
    """Return how long the whole canvas takes to be painted, its ground included."""
    from rooflinestudio.ui.canvas.view import CanvasView

    view = CanvasView()
    qtbot.addWidget(view)
    view.resize(*SIZE)
    view.show()
    view.set_scene(ScenePresenter().scene(placed(study), selected="gemm-1"))
    view.settle()
    QApplication.processEvents()

    def paint(_number):
        view._ground._same = ()
        view.viewport().repaint()

    return milliseconds(paint)


def test_bench_a_grid_of_thirty_two_against_painting_one_canvas(qtbot, study, multiples):
    source, held = registry(), placed(study)

    def show(number):
        # Another absorption each time, so that nothing is taken over.
        view = replace(study.view, absorption=0.5 + 0.01 * number)
        again = place(replace(study, view=view), {}, source, previous=held)
        multiples.set_grid(grid_of(again, source, grid_spec(again, source)))
        multiples.viewport().repaint()

    def compute(_number):
        assert len(grid_of(held, source, grid_spec(held, source)).cells) == 32

    whole, canvas = milliseconds(show), canvas_ms(qtbot, study)
    cells, painted = milliseconds(compute), milliseconds(lambda _number: multiples.viewport().repaint())
    print(
        f"\n32 rooflines from the study to the screen: {whole:.1f} ms (bar: 100); one canvas: {canvas:.1f} ms"
    )
    print(
        f"that is {whole / canvas:.2f} x painting one canvas; cells {cells:.1f} ms, painting {painted:.1f} ms"
    )


def test_bench_the_first_picture(qtbot, study, multiples):
    source, held = registry(), placed(study)
    start = time.perf_counter()
    multiples.set_grid(grid_of(held, source, grid_spec(held, source)))
    multiples.viewport().repaint()
    print(f"\n32 rooflines, the first time: {1e3 * (time.perf_counter() - start):.1f} ms")


def test_bench_an_edit_that_the_grid_does_not_see(qtbot, study):
    from rooflinestudio.ui.comparison.view import ComparisonView

    view = ComparisonView()
    qtbot.addWidget(view)
    view.set_source(registry())
    view.resize(*SIZE)
    view.show()
    state = {"placed": placed(study)}
    view.set_placed(state["placed"])

    def step(number):
        before = state["placed"]
        other = replace(before.study.entry("gemm-2"), parameters={"m": 2 + number})
        state["placed"] = place(before.study.replacing(other), {}, registry(), previous=before)
        start = time.perf_counter()
        view.set_placed(state["placed"])
        taken.append(time.perf_counter() - start)

    taken: list[float] = []
    for number in range(FRAMES):
        step(number)
    print(f"\nan edit of another entry costs the grid {1e3 * statistics.median(taken):.2f} ms")
