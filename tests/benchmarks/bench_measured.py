"""How fast the table of measured kernels is, on the machine at hand. Printed, not judged.

Bars: at 100,000 kernels sorting, filtering and grouping below 100 ms each, at 1,000,000 below 1 s.
"""

from __future__ import annotations

import statistics
import time

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

from rooflinestudio.core.measured.panel import hidden_changed, measured_panel
from rooflinestudio.core.measured.table import TableMaker
from rooflinestudio.ui.measured.view import MeasuredView
from tests.core.measured_files import B, large_file, study_of
from tests.ui.widgets.studies import machine, placed

pytestmark = pytest.mark.benchmark

COUNTS = (100_000, 1_000_000)
STEPS = {
    "sort by time": {"sort": "time", "descending": True},
    "sort by name": {"sort": "kernel"},
    "filter": {"filter": "kernel_1.*float", "sort": "time"},
    "group by name": {"group": "kernel", "sort": "share", "descending": True},
    "group by name, grid, block": {"group": "launch", "sort": "time", "descending": True},
}


def milliseconds(step, times=5):
    taken = []
    for number in range(times):
        start = time.perf_counter()
        step(number)
        taken.append(time.perf_counter() - start)
    return 1e3 * statistics.median(taken)


@pytest.fixture(params=COUNTS, ids=lambda count: f"{count}")
def file(request):
    made = large_file(request.param)
    assert len(made.columns["time_s"]) == request.param
    return made


def test_bench_tables(file):
    print(f"\n{len(file)} kernels")
    profile = machine()
    for name, panel in STEPS.items():
        study, plain, maker = study_of(file, **panel), study_of(file), TableMaker()
        maker.table(plain, measured_panel(plain), profile)
        start = time.perf_counter()
        maker.table(study, measured_panel(study), profile)
        first = 1e3 * (time.perf_counter() - start)

        def step(number, study=study, maker=maker):
            hidden = hidden_changed(measured_panel(study), {B: np.arange(len(file)) == number})
            other = study.with_panel("measured", hidden)
            maker.table(other, measured_panel(other), profile)

        print(f"  {name}: first {first:.0f} ms; then with another kernel hidden {milliseconds(step):.0f} ms")


def test_bench_the_view(qtbot, file):
    view = MeasuredView()
    qtbot.addWidget(view)
    view.resize(1600, 860)
    view.show()
    start = time.perf_counter()
    view.set_placed(placed(study_of(file)))
    QApplication.processEvents()
    print(f"\n{len(file)} kernels to the screen: {1e3 * (time.perf_counter() - start):.0f} ms")
    bar, viewport = view.table.verticalScrollBar(), view.table.viewport()

    def scroll(number):
        bar.setValue((number + 1) * bar.maximum() // 40)
        viewport.repaint()

    def creep(number):
        bar.setValue((number + 1) * 54)  # as the wheel does: only what comes into view is painted
        QApplication.processEvents()

    whole, wheel = milliseconds(scroll, 30), milliseconds(creep, 30)
    print(f"a frame of scrolling: all rows anew {whole:.1f} ms, by the wheel {wheel:.1f} ms")
    kernels = [("measured", B, 7 * number) for number in range(20)]
    print(f"a selection from elsewhere: {milliseconds(lambda n: view.set_selection(kernels[n]), 20):.1f} ms")
    view.table.selectAll()
    start = time.perf_counter()
    view.set_placed(placed(study_of(file, sort="time")))
    QApplication.processEvents()
    print(f"sorted on the screen, all rows chosen: {1e3 * (time.perf_counter() - start):.0f} ms")
