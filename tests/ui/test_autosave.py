from __future__ import annotations

import json
import subprocess
import sys

import pytest

from rooflinestudio.core.study_files import load_study
from rooflinestudio.ui.autosave import Autosave, find_left_behind
from rooflinestudio.ui.session import Session
from tests.ui.shell_helpers import gemm, registry, study


@pytest.fixture
def session(qapp):
    return Session(registry(), study(gemm()))


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "state" / "autosave"


@pytest.fixture
def autosave(session, folder):
    autosave = Autosave(session, folder, pause_ms=20)
    yield autosave
    autosave.forget()


def edited_and_written(session, autosave, qtbot):
    with qtbot.waitSignal(autosave.written, timeout=20_000):
        session.set_parameter("gemm-1", "m", 512)


def test_nothing_is_written_before_there_is_an_edit(autosave, session, folder, qtbot):
    session.select("gemm-1")
    autosave.write()

    assert not folder.exists()


def test_an_edit_is_copied_after_a_pause(autosave, session, qtbot):
    edited_and_written(session, autosave, qtbot)

    assert load_study(autosave.path).entry("gemm-1").parameters["m"] == 512


def test_the_copy_goes_when_the_study_is_saved(autosave, session, folder, qtbot):
    edited_and_written(session, autosave, qtbot)

    session.mark_saved("/somewhere/a.study")

    assert list(folder.iterdir()) == []


def test_the_copy_goes_when_the_edit_is_undone(autosave, session, folder, qtbot):
    edited_and_written(session, autosave, qtbot)

    session.undo_stack.undo()

    assert list(folder.iterdir()) == []


def test_a_copy_of_a_running_window_is_not_offered(autosave, session, folder, qtbot):
    edited_and_written(session, autosave, qtbot)

    # Another process asks: a lock of one's own process could be asked for twice.
    code = (
        "import sys; from pathlib import Path; from rooflinestudio.ui.autosave import find_left_behind;"
        f"print(len(find_left_behind(Path({str(folder)!r}))))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )

    assert done.stdout.strip() == "0"


def left_by_a_killed_process(folder, original=""):
    code = (
        "import os, sys; from pathlib import Path\n"
        "from PySide6.QtCore import QCoreApplication; app = QCoreApplication([])\n"
        "from rooflinestudio.ui.autosave import Autosave; from rooflinestudio.ui.session import Session\n"
        "from tests.ui.shell_helpers import gemm, registry, study\n"
        "session = Session(registry(), study(gemm()))\n"
        f"session.path = {original!r}\n"
        f"autosave = Autosave(session, Path({str(folder)!r}), pause_ms=1)\n"
        "autosave.written.connect(lambda: os.kill(os.getpid(), 9))\n"
        "session.set_parameter('gemm-1', 'm', 512)\n"
        "app.exec()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == -9, done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="kills with a signal")
def test_work_of_a_killed_window_is_found_with_its_name_and_can_be_discarded(folder, qapp):
    left_by_a_killed_process(folder, "/studies/layer.study")

    (left,) = find_left_behind(folder)

    assert left.name == "layer.study"
    assert load_study(left.study_path).entry("gemm-1").parameters["m"] == 512
    left.discard()
    assert find_left_behind(folder) == ()
    assert list(folder.iterdir()) == []


def test_a_note_that_is_broken_costs_only_the_name(folder, qapp):
    folder.mkdir(parents=True)
    (folder / "a.study").write_text("format: rooflinestudio-study/1\n")
    (folder / "a.json").write_text(json.dumps(["no", "mapping"]))

    (left,) = find_left_behind(folder)

    assert left.name == "Untitled study"
    left.discard()


def test_a_folder_that_cannot_be_made_costs_only_the_copy(session, tmp_path, qtbot):
    (tmp_path / "state").write_text("a file in the way")
    autosave = Autosave(session, tmp_path / "state" / "autosave", pause_ms=1)

    session.set_parameter("gemm-1", "m", 512)
    autosave.write()

    assert session.study.entry("gemm-1").parameters["m"] == 512
