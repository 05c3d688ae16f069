"""The hardware actions of a window: what they open, and what becomes of what they find."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QPushButton

from rooflinestudio.core.hardware import ComputeCeiling
from rooflinestudio.core.profile_files import dump_profile
from rooflinestudio.ui.action_table import Key
from rooflinestudio.ui.frame import Frame
from rooflinestudio.ui.furnishing import Furnishing
from rooflinestudio.ui.hardware_work import HardwareWork
from rooflinestudio.ui.main_window import MainWindow
from rooflinestudio.ui.no_plugins import NoPlugins
from rooflinestudio.ui.notices import NoticeBanner
from rooflinestudio.ui.profile_reader import ProfileReader
from rooflinestudio.ui.session import Session
from rooflinestudio.ui.settings import SettingsStore, profiles_folder
from rooflinestudio.ui.theme import LIGHT, ThemeSwitch
from rooflinestudio.ui.window_commands import HARDWARE
from tests.core.profiles import figure, machine
from tests.ui.shell_helpers import H100, Answers, gemm, registry, study

LAB = machine("measured-lab", name="Lab, measured", ceilings={"fp32": 1e12}, boundaries={"dram": 1e11})

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)


@pytest.fixture
def work(qapp, tmp_path):
    window = MainWindow(SettingsStore(tmp_path / "settings.json"), "light")
    inside = Furnishing(Frame(window, ThemeSwitch(LIGHT, window)), Session(NoPlugins()), asker=Answers())
    inside.wiring.take_registry(registry())
    inside.add_canvas()
    inside.add_rest()
    inside.session.open(study(gemm()))
    reader = ProfileReader(lambda *_told: None, inside)
    made = HardwareWork(inside, reader)
    window.hardwareRequested.connect(made.run)
    window.show()
    yield made
    made.stop()
    reader.cancel()
    window.close_at_once()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def banner(work):
    return next(one for one in work._inside.notices.findChildren(NoticeBanner) if not one.isHidden())


def test_every_hardware_action_has_somebody_who_does_it(work):
    assert set(work._handlers) == {one.value for one in HARDWARE}


def test_a_measured_machine_is_offered_and_shown_when_asked(work):
    session = work._session
    folder = profiles_folder()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{LAB.id}.yaml").write_text(dump_profile(LAB), encoding="utf-8")
    work.measuring.measured.emit((LAB,))
    assert session.study.view.machines == (H100,)
    assert LAB.id in [one.id for one in session.source.profiles]
    show = next(one for one in banner(work).findChildren(QPushButton) if one.text() == "Show")
    show.click()
    assert session.study.view.machines == (H100, LAB.id)
    session.undo_stack.undo()
    assert session.study.view.machines == (H100,)


def test_undo_says_whether_a_machine_was_shown_or_written_into(work):
    session = work._session
    for peak in (1e12, 2e12, 2e12):
        work.ceilings.profileRequested.emit(
            replace(LAB, ceilings={"fp32": ComputeCeiling("fp32", figure(peak))}), True
        )
    stack = session.undo_stack
    texts = [stack.text(at) for at in range(stack.count())]
    assert texts[:2] == [f"Show {LAB.short_name}", f"Write figures into {LAB.short_name}"]


def test_a_profile_of_a_file_becomes_the_strong_machine_and_goes_with_undo(work):
    session = work._session
    work.ceilings.profileRequested.emit(LAB, True)
    assert session.machine == LAB.id
    session.undo_stack.undo()
    assert session.machine == H100


def test_the_editor_opens_at_the_strong_machine(work, qtbot):
    work._inside.frame.actions[Key.EDIT_MACHINES].trigger()
    editor = work.editing.editor
    qtbot.waitUntil(lambda: editor.document.profile is not None)
    assert editor.document.profile.id == H100
    editor.close()
