"""A real mouse on a real (virtual) screen: from the palette onto the canvas, with xdotool."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest

pytestmark = [pytest.mark.x11, pytest.mark.slow]

PROGRAM = """
import json
from PySide6.QtCore import Qt, QTimer
from rooflinestudio.ui.app import AppOptions, _application
app = _application()
from rooflinestudio.ui.studio import Studio
studio = Studio(app, AppOptions(theme="light"), offers_left_behind=False)
def where():
    if not studio.session.study.view.machines:
        return QTimer.singleShot(50, where)
    tree = studio.inside.panels.palette.tree
    model = tree.model()
    found = Qt.MatchFlag.MatchExactly | Qt.MatchFlag.MatchRecursive
    (index,) = model.match(model.index(0, 0), Qt.ItemDataRole.DisplayRole, "GEMM", 1, found)
    at = tree.viewport().mapToGlobal(tree.visualRect(index).center())
    to = studio.inside.panels.canvas.view.viewport()
    to = to.mapToGlobal(to.rect().center())
    print(json.dumps({"from": [at.x(), at.y()], "to": [to.x(), to.y()], "label": index.data()}), flush=True)
studio.ready.connect(lambda: QTimer.singleShot(300, where))
def changed(placed):
    if placed.rows:
        row = placed.rows[0]
        print(json.dumps({"operator": row.entry.operator, "time_s": row.placement.time_s}), flush=True)
        QTimer.singleShot(0, studio.window.close_at_once)
studio.show()
studio.window.painted.connect(lambda: QTimer.singleShot(2000, lambda: studio.session.studyChanged.connect(changed)))
QTimer.singleShot(60_000, app.quit)
app.exec()
studio.shut_down()
"""


@contextmanager
def virtual_screen():
    """Start Xvfb on a free display and end it afterwards."""
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1600x1000x24", "-nolisten", "tcp"],
        pass_fds=(writing,),
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    try:
        with os.fdopen(reading) as pipe:
            yield f":{pipe.readline().strip()}"
    finally:
        server.terminate()
        server.wait(10)


def xdotool(display: str, *words: object) -> None:
    subprocess.run(
        ["xdotool", *map(str, words)], env={**os.environ, "DISPLAY": display}, check=True, timeout=20
    )


@pytest.mark.skipif(
    not (shutil.which("Xvfb") and shutil.which("xdotool")), reason="Xvfb or xdotool not installed"
)
def test_an_operator_dragged_with_the_mouse_lands_in_the_study(tmp_path):
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
            time.sleep(2.5)
            (x0, y0), (x1, y1) = place["from"], place["to"]
            xdotool(display, "mousemove", x0, y0, "mousedown", 1)
            for step in range(1, 13):
                time.sleep(0.05)
                xdotool(display, "mousemove", x0 + (x1 - x0) * step // 12, y0 + (y1 - y0) * step // 12)
            time.sleep(0.2)
            xdotool(display, "mouseup", 1)
            landed = json.loads(studio.stdout.readline())
        finally:
            studio.terminate()
            studio.wait(20)
            studio.stdout.close()
    assert place["label"] == "GEMM"
    # the default product, 4096 cubed in bf16 on the H100: compute-bound at 989.4 TFLOP/s
    assert landed == {"operator": "gemm", "time_s": pytest.approx(2 * 4096**3 / 989.4e12)}
