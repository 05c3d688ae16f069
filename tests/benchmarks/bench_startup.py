"""Start of the window beside bare windows, side by side in one run: `make bench`.

Each sample is a fresh process. Its clock starts in this one, before the process is made; it prints when its first paint
was done, and when its canvas was there and painted. Samples of the two programs alternate, so that a busy machine is
unfair to neither; medians are compared.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from typing import NamedTuple

import pytest

pytestmark = pytest.mark.benchmark

SAMPLES = 9
FIRST_PAINT_RATIO = 1.6
USABLE_RATIO = 1.5

_CLOCK = """
import json, os, sys, time
START = float(os.environ["BENCH_START"])
seen = {}
def note(what):
    seen.setdefault(what, time.time() - START)
"""

BARE_QT = (
    _CLOCK
    + """
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget
class Centre(QWidget):
    def paintEvent(self, event):
        note("first_paint")
        QTimer.singleShot(0, app.quit)
app = QApplication([])
window = QMainWindow()
window.setCentralWidget(Centre())
window.resize(1600, 1000)
window.show()
app.exec()
print(json.dumps(seen))
"""
)

BARE_PLOT = (
    _CLOCK
    + """
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMainWindow
import pyqtgraph
class Plot(pyqtgraph.PlotWidget):
    def paintEvent(self, event):
        super().paintEvent(event)
        note("usable")
        QTimer.singleShot(0, app.quit)
app = QApplication([])
window = QMainWindow()
window.setCentralWidget(Plot())
window.resize(1600, 1000)
window.show()
app.exec()
print(json.dumps(seen))
"""
)

STUDIO = (
    _CLOCK
    + """
from rooflinestudio.ui import app as studio_app
from rooflinestudio.ui.app import AppOptions
app = studio_app._application()
from PySide6.QtCore import QTimer
from rooflinestudio.ui.studio import Studio
studio = Studio(app, AppOptions())
studio.window.painted.connect(lambda: note("first_paint"))
def usable():
    studio.inside.panels.canvas.view.viewport().repaint()
    note("usable")
    studio.window.close_at_once()
studio.canvasReady.connect(usable)
studio.show()
app.exec()
print(json.dumps(seen))
"""
)


class Result(NamedTuple):
    ours_s: float
    bare_s: float

    @property
    def ratio(self) -> float:
        return self.ours_s / self.bare_s


def sample(program: str, tmp_path) -> dict[str, float]:
    environment = {
        **os.environ, "QT_QPA_PLATFORM": os.environ.get("QT_QPA_PLATFORM", "offscreen"), "HOME": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path), "BENCH_START": repr(time.time()),
    }  # fmt: skip
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed program is compiled once
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return json.loads(done.stdout.splitlines()[-1])


def compare(bare: str, what: str, tmp_path) -> Result:
    sample(STUDIO, tmp_path), sample(bare, tmp_path)  # fill the disk cache
    ours, theirs = [], []
    for _ in range(SAMPLES):
        theirs.append(sample(bare, tmp_path)[what])
        ours.append(sample(STUDIO, tmp_path)[what])
    return Result(statistics.median(ours), statistics.median(theirs))


def told(name: str, result: Result, limit: float) -> None:
    print(
        f"\n{name}: studio {1000 * result.ours_s:.0f} ms, bare {1000 * result.bare_s:.0f} ms, "
        f"ratio {result.ratio:.2f} (goal {limit})"
    )


def test_first_paint_beside_a_bare_qt_window(tmp_path):
    result = compare(BARE_QT, "first_paint", tmp_path)
    told("process start to first paint", result, FIRST_PAINT_RATIO)
    assert result.ratio <= FIRST_PAINT_RATIO


def test_usable_canvas_beside_a_bare_plot(tmp_path):
    result = compare(BARE_PLOT, "usable", tmp_path)
    told("process start to usable canvas, empty study", result, USABLE_RATIO)
    assert result.ratio <= USABLE_RATIO
