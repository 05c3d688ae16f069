from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from rooflinestudio.core.study_files import save_study
from rooflinestudio.ui import app as studio_app
from rooflinestudio.ui import internal_errors
from rooflinestudio.ui.app import AppOptions, no_screen_text
from rooflinestudio.ui.autosave import find_left_behind
from rooflinestudio.ui.settings import state_folder
from tests.ui.shell_helpers import gemm, study

HEAVY = ("pyqtgraph", "numpy", "pydantic", "yaml", "pluggy", "rooflinestudio.plugins", "plugins_builtin")

FIRST_PAINT = """
import json, sys
from rooflinestudio.ui import app as studio_app
from rooflinestudio.ui import internal_errors
from rooflinestudio.ui.app import AppOptions
app = studio_app._application()
from rooflinestudio.ui.studio import Studio
studio = Studio(app, AppOptions())
loaded = {}
studio.window.painted.connect(lambda: loaded.setdefault("first paint", sorted(sys.modules)))
def end():
    loaded["ready"] = sorted(sys.modules)
    loaded["operators"] = len(studio.inside.wiring.operators)
    loaded["machines"] = list(studio.session.study.view.machines)
def close():
    if studio.profiles.is_busy:
        return QTimer.singleShot(20, close)
    end()
    studio.window.close_at_once()
from PySide6.QtCore import QTimer
studio.ready.connect(close)
studio.show()
app.exec()
print(json.dumps(loaded))
"""


def run(*arguments, code=None, timeout=60, **environment):
    command = [sys.executable, *(["-c", code] if code is not None else ["-m", "rooflinestudio", *arguments])]
    env = {**os.environ, **environment}
    return subprocess.run(
        command,
        env={k: v for k, v in env.items() if v},
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


@pytest.fixture(scope="module")
def loaded():
    done = run(code=FIRST_PAINT)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("name", HEAVY)
def test_the_first_paint_comes_before_anything_heavy_is_imported(loaded, name):
    assert name not in loaded["first paint"]


def test_everything_is_there_when_the_studio_is_ready(loaded):
    assert "pyqtgraph" in loaded["ready"]
    assert loaded["operators"] >= 20
    assert loaded["machines"] == ["nvidia-h100-sxm5"]


def test_files_are_checked_in_the_other_process_alone(loaded):
    assert "pydantic" not in loaded["ready"]


def test_the_window_opens_paints_and_closes():
    done = run("--quit-after-paint")

    assert (done.returncode, done.stderr) == (0, "")


def test_a_screenshot_shows_the_example(tmp_path):
    done = run("--example", "--theme", "dark", "--screenshot", str(tmp_path / "window.png"))

    assert done.returncode == 0, done.stderr
    assert (tmp_path / "window.png").stat().st_size > 50_000


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        ({"QT_QPA_PLATFORM": "no-such-platform"}, "QT_QPA_PLATFORM='no-such-platform'"),
        ({"QT_QPA_PLATFORM": "", "DISPLAY": "", "WAYLAND_DISPLAY": ""}, "there is no screen here"),
        ({"QT_QPA_PLATFORM": "", "DISPLAY": ":4077", "WAYLAND_DISPLAY": ""}, "DISPLAY=':4077'"),
    ],
    ids=["unknown platform", "no display", "dead display"],
)
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the screens of Linux")
def test_where_there_is_no_screen_one_sentence_says_so(environment, words):
    done = run("--quit-after-paint", **environment)

    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.strip().splitlines()) == 1
    assert done.stderr.startswith("The window cannot be opened: ")
    assert words in done.stderr


def test_a_missing_part_of_qt_is_one_sentence_too(monkeypatch, capsys):
    monkeypatch.setattr(studio_app, "_application", lambda: (_ for _ in ()).throw(ImportError("libEGL.so.1")))

    assert studio_app.run(AppOptions()) == 2
    assert capsys.readouterr().err == (
        "The window cannot be opened: a part of Qt is missing (libEGL.so.1). See the README.\n"
    )


def test_no_reason_given_is_said_too(monkeypatch):
    monkeypatch.delenv("QT_QPA_PLATFORM", raising=False)
    monkeypatch.setenv("DISPLAY", ":0")

    assert no_screen_text("").endswith("no reason given")


def test_an_unexpected_error_is_told_in_a_notice_and_on_stderr(monkeypatch, capsys):
    told = []
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(internal_errors, "tell_internal_error", lambda _studio, *words: told.append(words))
    internal_errors.install_excepthook(None)
    try:
        raise ZeroDivisionError("by zero")
    except ZeroDivisionError as error:
        sys.excepthook(type(error), error, error.__traceback__)

    assert [short for short, _ in told] == ["ZeroDivisionError: by zero"]
    assert "test_an_unexpected_error" in told[0][1]
    assert "ZeroDivisionError" in capsys.readouterr().err


CRASH = """
import sys
from rooflinestudio.ui import app as studio_app
from rooflinestudio.ui import internal_errors
from PySide6.QtCore import QTimer
from rooflinestudio.ui.app import AppOptions, run
from rooflinestudio.ui import studio as module
made = []
class Watched(module.Studio):
    def __init__(self, *a, **k):
        super().__init__(*a, **k)
        made.append(self)
        self.ready.connect(self.fail)
    def fail(self):
        QTimer.singleShot(0, self, self.raise_it)
        QTimer.singleShot(50, self, self.look)
    def raise_it(self):
        raise ValueError("boom")
    def look(self):
        print([one.title for one in self.inside.notices.notices], flush=True)
        self.window.close_at_once()
module.Studio = Watched
sys.exit(run(AppOptions()))
"""


def test_after_an_unexpected_error_the_studio_goes_on():
    done = run(code=CRASH)

    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "['Something went wrong inside the studio']"
    assert "ValueError: boom" in done.stderr


EDIT_AND_WAIT = """
import sys
from PySide6.QtCore import QTimer
from rooflinestudio.ui import autosave, studio as module
autosave.PAUSE_MS = 1
from rooflinestudio.ui.app import AppOptions, run
class Edited(module.Studio):
    def __init__(self, *a, **k):
        super().__init__(*a, **k)
        self.ready.connect(self.edit)
    def edit(self):
        if self.profiles.is_busy or self.inside.is_busy:
            return QTimer.singleShot(20, self, self.edit)
        self.autosave.written.connect(lambda: print("written", flush=True))
        self.session.add_operator("rmsnorm")
        self.autosave.write()
module.Studio = Edited
sys.exit(run(AppOptions(files=tuple(sys.argv[1:]))))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="kills with a signal")
def test_unsaved_work_survives_a_kill_and_comes_back(tmp_path, qapp, qtbot):
    path = tmp_path / "layer.study"
    save_study(study(gemm()), path)
    process = subprocess.Popen(
        [sys.executable, "-c", EDIT_AND_WAIT, str(path)],
        stdout=subprocess.PIPE,
        text=True,
        env=dict(os.environ),
    )
    assert process.stdout.readline() == "written\n"
    process.send_signal(signal.SIGKILL)
    process.wait(20)
    process.stdout.close()

    from rooflinestudio.ui.studio import Studio

    studio = Studio(qapp, AppOptions())
    with qtbot.waitSignal(studio.ready, timeout=60_000):
        studio.show()
    (banner,) = [one for one in studio.inside.notices.banners if "Unsaved edits" in one.notice.title]
    assert banner.notice.title == "Unsaved edits in layer.study"
    restore = next(one for one in banner.findChildren(object) if getattr(one, "text", str)() == "Restore")
    restore.click()
    qtbot.waitUntil(lambda: len(studio.session.study.entries) == 2, timeout=20_000)

    assert [one.operator for one in studio.session.study.entries] == ["gemm", "rmsnorm"]
    assert studio.session.path == str(path)
    assert studio.session.is_modified
    with qtbot.waitSignal(studio.autosave.written, timeout=20_000):
        pass
    deadline = time.monotonic() + 5
    while find_left_behind(state_folder() / "autosave") and time.monotonic() < deadline:
        qtbot.wait(20)
    studio.window.close_at_once()
    studio.window.deleteLater()
    assert find_left_behind(state_folder() / "autosave") == ()
