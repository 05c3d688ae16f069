"""The dialogs of imports in a whole window: a dropped table, a user's own kernel, the file of the menu."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt

from rooflinestudio.ui.frame import Frame
from rooflinestudio.ui.furnishing import Furnishing
from rooflinestudio.ui.importing.shapes_flow import ShapesImport, open_shapes
from rooflinestudio.ui.main_window import MainWindow
from rooflinestudio.ui.no_plugins import NoPlugins
from rooflinestudio.ui.session import Session
from rooflinestudio.ui.settings import SettingsStore
from rooflinestudio.ui.theme import LIGHT, ThemeSwitch
from tests.ui.shell_helpers import Answers, gemm, registry, study


@pytest.fixture
def inside(qapp, qtbot, tmp_path):
    window = MainWindow(SettingsStore(tmp_path / "settings.json"), "light")
    frame = Frame(window, ThemeSwitch(LIGHT, window))
    inside = Furnishing(frame, Session(NoPlugins()), asker=Answers())
    inside.wiring.take_registry(registry())
    inside.add_canvas()
    inside.add_rest()
    inside.session.open(study(gemm()))
    window.show()
    yield inside
    inside.imports.cancel()
    window.close_at_once()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def test_a_table_that_is_opened_asks_over_the_window_and_stops_nothing(inside, qtbot, tmp_path):
    (tmp_path / "t.csv").write_text("kernel,time,flop,bytes\naxpy,100,5e7,2e8\n")
    inside.open_files([str(tmp_path / "t.csv")])
    qtbot.waitUntil(lambda: inside.imports.dialog is not None, timeout=20_000)
    dialog = inside.imports.dialog

    assert dialog.parent() is inside.window
    inside.session.set_parameter("gemm-1", "m", 7)  # the study can be edited meanwhile
    with qtbot.waitSignal(inside.imports.idle, timeout=20_000):
        qtbot.keyClick(dialog, Qt.Key.Key_Return)

    assert inside.session.study.entry("gemm-1").parameters["m"] == 7
    assert len(inside.session.study.overlays) == 1


def test_shapes_are_opened_once_for_a_window(inside, qtbot, tmp_path):
    (tmp_path / "s.csv").write_text("m,n,k\n64,64,64\n")
    first = open_shapes(inside, str(tmp_path / "s.csv"))
    again = open_shapes(inside, str(tmp_path / "s.csv"))

    assert first is again
    assert len(inside.findChildren(ShapesImport)) == 1
    assert again.dialog.parent() is inside.window
    qtbot.mouseClick(again.dialog.place_button, Qt.MouseButton.LeftButton)
    assert len(inside.session.study.entries) == 2
    assert inside.session.selection == inside.session.study.entries[-1].id
