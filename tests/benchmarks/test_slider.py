"""What one step of a slider costs in the whole window, against painting what is visible. Printed, not judged.

Both are measured in one run and turn about, so that their ratio holds on any machine. The bar for the ratio is 1.6.
"""

from __future__ import annotations

import cProfile
import io
import pstats
import statistics
import time

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication

from rooflinestudio.ui.frame import Frame
from rooflinestudio.ui.furnishing import Furnishing
from rooflinestudio.ui.main_window import MainWindow
from rooflinestudio.ui.no_plugins import NoPlugins
from rooflinestudio.ui.session import Session
from rooflinestudio.ui.settings import SettingsStore
from rooflinestudio.ui.theme import LIGHT, ThemeSwitch
from tests.ui.shell_helpers import A100, H100, Answers, gemm, registry, study

pytestmark = pytest.mark.benchmark

OPERATORS, STEPS, BAR = 50, 40, 1.6
DRAGGED = "gemm-25"
LINES = 28
"""Of the profile."""


@pytest.fixture
def inside(qapp, tmp_path):
    """The window over fifty products on two machines, one of them selected, the compare tab in front."""
    window = MainWindow(SettingsStore(tmp_path / "settings.json"), "light")
    frame = Frame(window, ThemeSwitch(LIGHT, window))
    inside = Furnishing(frame, Session(NoPlugins()), asker=Answers())
    inside.wiring.take_registry(registry())
    inside.add_canvas()
    inside.add_rest()
    window.resize(1600, 1000)
    window.show()
    entries = [
        gemm(f"gemm-{n}", m=2 ** (n % 14), n=512 * (1 + n % 7), label=f"GEMM {n}", slot=n)
        for n in range(OPERATORS)
    ]
    inside.session.open(study(*entries, machines=(H100, A100)))
    inside.session.select(DRAGGED)
    inside.session.select_machine(H100)
    frame.tabs.setCurrentWidget(inside.panels.comparison)
    inside.panels.canvas.view.settle()
    QApplication.processEvents()
    yield inside
    window.close_at_once()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def paint_all(inside):
    """Paint all that can be seen, once: one call for the window, since views asked one by one are painted twice."""
    inside.window.repaint()


def paint_changed(inside):
    """Paint what a step has changed: a repaint of one view paints all of the window that waits to be painted."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
    inside.panels.canvas.view.viewport().repaint()


def rest(inside):
    """Let labels find their places and everything else come to an end, outside of the clock."""
    inside.panels.canvas.view.settle()
    QApplication.processEvents()


def milliseconds(done):
    start = time.perf_counter()
    done()
    return 1e3 * (time.perf_counter() - start)


def test_bench_a_slider_step_in_the_whole_window(inside):
    painted, stepped, ratios, told = [], [], [], []
    for number in range(STEPS + 3):
        rest(inside)
        painted.append(milliseconds(lambda: paint_all(inside)))
        start = time.perf_counter()
        inside.session.set_parameter(DRAGGED, "m", 4096 + number, dragging=True)
        told.append(1e3 * (time.perf_counter() - start))
        stepped.append(told[-1] + milliseconds(lambda: paint_changed(inside)))
        ratios.append(stepped[-1] / painted[-1])
    middle = statistics.median
    print(
        f"\nslider step over {OPERATORS} operators on two machines: {middle(stepped[3:]):.1f} ms (of it placing and "
        f"telling {middle(told[3:]):.1f}); painting what is visible: {middle(painted[3:]):.1f} ms"
    )
    canvas = middle(milliseconds(inside.panels.canvas.view.viewport().repaint) for _ in range(STEPS))
    print(f"the canvas alone: {canvas:.1f} ms")
    print(f"ratio: {middle(ratios[3:]):.2f} (bar: {BAR})")


def test_bench_where_a_slider_step_spends_its_time(inside):
    profile = cProfile.Profile()
    for number in range(STEPS):
        profile.enable()
        inside.session.set_parameter(DRAGGED, "m", 4096 + number, dragging=True)
        profile.disable()
        paint_changed(inside)
        rest(inside)
    out = io.StringIO()
    pstats.Stats(profile, stream=out).strip_dirs().sort_stats("cumulative").print_stats(LINES)
    rows = [line for line in out.getvalue().splitlines() if line.strip()]
    print(f"\n{STEPS} slider steps, without painting:", *rows[3:], sep="\n")
