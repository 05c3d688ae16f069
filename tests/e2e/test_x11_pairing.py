"""A real mouse on a real (virtual) screen: a row of the measured table is dragged onto a marker of the canvas."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time

import pytest

from tests.e2e.test_x11_drag import virtual_screen, xdotool

pytestmark = [pytest.mark.x11, pytest.mark.slow]

PROGRAM = """
import json
from dataclasses import replace
from PySide6.QtCore import QPointF, QTimer
from rooflinestudio.core.measurement import MeasuredTraffic, Measurement, MeasurementFile
from rooflinestudio.core.measurement_overlay import Overlay
from rooflinestudio.core.study import Entry
from rooflinestudio.ui.app import AppOptions, _application
app = _application()
from rooflinestudio.ui.studio import Studio
studio = Studio(app, AppOptions(theme="light"), offers_left_behind=False)
kernel = Measurement(launch=0, kernel="void sm90_xmma_gemm_bf16(int)", time_s=196e-6,
                     traffic={"dram": MeasuredTraffic(None, None, 588e6)})
file = Overlay.from_file(MeasurementFile("layer.csv", "ncu-csv-long", (), (kernel,), "a" * 64))
def begin():
    session, panels = studio.session, studio.inside.panels
    if not session.study.view.machines or not panels.has_tabs:
        return QTimer.singleShot(50, begin)
    session.open(replace(session.study, entries=(Entry("gemm-1", "gemm", label="GEMM"),), overlays=(file,)))
    studio.inside.frame.tabs.setCurrentWidget(panels.measured)
    QTimer.singleShot(1500, where)
def where():
    panels = studio.inside.panels
    table, view = panels.measured.table, panels.canvas.view
    at = table.viewport().mapToGlobal(table.visualRect(panels.measured.model.index(0, 0)).center())
    marker = next(one for one in view.shown_scene.markers if one.key == "gemm-1")
    to = view.viewport().mapToGlobal(QPointF(*view.frame_of_data.point(marker.log_x, marker.log_y)).toPoint())
    print(json.dumps({"from": [at.x(), at.y()], "to": [to.x(), to.y()]}), flush=True)
    studio.session.studyChanged.connect(changed)
def changed(placed):
    pairs = [[one.overlay[:4], one.launch, one.entry] for one in placed.study.pairs]
    print(json.dumps({"pairs": pairs}), flush=True)
    QTimer.singleShot(0, studio.window.close_at_once)
studio.ready.connect(lambda: QTimer.singleShot(300, begin))
studio.show()
QTimer.singleShot(60_000, app.quit)
app.exec()
studio.shut_down()
"""


@pytest.mark.skipif(
    not (shutil.which("Xvfb") and shutil.which("xdotool")), reason="Xvfb or xdotool not installed"
)
def test_a_kernel_dragged_from_the_table_onto_a_marker_is_paired_with_it(tmp_path):
    with virtual_screen() as display:
        environment = {
            **os.environ,
            "DISPLAY": display,
            "QT_QPA_PLATFORM": "xcb",
            "XDG_CONFIG_HOME": str(tmp_path),
        }
        studio = subprocess.Popen(
            [sys.executable, "-c", PROGRAM], env=environment, stdout=subprocess.PIPE, text=True
        )
        try:
            place = json.loads(studio.stdout.readline())
            time.sleep(0.5)
            (x0, y0), (x1, y1) = place["from"], place["to"]
            xdotool(display, "mousemove", x0, y0, "mousedown", 1)
            for step in range(1, 13):
                time.sleep(0.05)
                xdotool(display, "mousemove", x0 + (x1 - x0) * step // 12, y0 + (y1 - y0) * step // 12)
            time.sleep(0.2)
            xdotool(display, "mouseup", 1)
            told = json.loads(studio.stdout.readline())
        finally:
            studio.terminate()
            studio.wait(20)
            studio.stdout.close()
    assert told == {"pairs": [["aaaa", 0, "gemm-1"]]}
