"""The whole studio, as the application starts it, with an Answers object in place of the file dialogs."""

from __future__ import annotations

import sys

import pytest
from PySide6.QtCore import QCoreApplication, QEvent

from rooflinestudio.ui.app import AppOptions
from rooflinestudio.ui.studio import Studio
from rooflinestudio.ui.theme import LIGHT, apply_theme
from tests.ui.shell_helpers import Answers


@pytest.fixture
def start(qapp, qtbot, monkeypatch):
    """Return a function that starts a studio and waits until everything is there."""
    running = []

    def begin(*files: object, example: bool = False) -> Studio:
        options = AppOptions(files=tuple(map(str, files)), example=example, theme="light")
        studio = Studio(qapp, options, asker=Answers(), offers_left_behind=False)
        running.append(studio)
        with qtbot.waitSignal(studio.ready, timeout=60_000):
            studio.show()
        qtbot.waitUntil(lambda: not studio.inside.is_busy and not studio.profiles.is_busy, timeout=60_000)
        qtbot.waitUntil(lambda: bool(studio.session.study.view.machines), timeout=60_000)
        sys.modules["pyqtgraph"].setConfigOption("mouseRateLimit", 0)
        return studio

    yield begin
    for studio in running:
        studio.window.close_at_once()
        studio.shut_down()
        studio.window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    apply_theme(qapp, LIGHT)
