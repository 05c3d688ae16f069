"""The whole studio in one process: window, session and files are real; only the questions are answered by the test."""

from __future__ import annotations

import sys

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication

from rooflinestudio.ui.app import AppOptions
from rooflinestudio.ui.profile_cache import ProfileCache
from rooflinestudio.ui.studio import Studio
from rooflinestudio.ui.theme import LIGHT, apply_theme
from tests.ui.shell_helpers import A100, H100, Answers, registry


@pytest.fixture(scope="session")
def qapp(qapp):
    apply_theme(qapp, LIGHT)
    return qapp


@pytest.fixture
def answers():
    return Answers()


@pytest.fixture
def start(qapp, qtbot, answers):
    """Return a function that starts a studio and waits until everything is there.

    The user has started the studio before, so that the machines need not be checked again; tests/ui/test_app.py starts
    it for the first time.
    """
    studios = []
    for machine in (H100, A100):
        ProfileCache().put(registry().load_profile(machine))

    def start(**options):
        offers = options.pop("offers_left_behind", False)
        studio = Studio(qapp, AppOptions(**options), asker=answers, offers_left_behind=offers)
        studios.append(studio)
        with qtbot.waitSignal(studio.ready, timeout=60_000):
            studio.show()
        if (
            "pyqtgraph" in sys.modules
        ):  # it drops moves less than 10 ms apart, and with them whole synthetic drags
            sys.modules["pyqtgraph"].setConfigOption("mouseRateLimit", 0)
        qtbot.waitUntil(lambda: not studio.profiles.is_busy and not studio.inside.is_busy, timeout=60_000)
        return studio

    yield start
    for studio in studios:
        studio.window.close_at_once()
        studio.window.deleteLater()
        studio.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    apply_theme(qapp, LIGHT)
    left = [one for one in QApplication.topLevelWidgets() if one.parent() is None]
    assert not left, f"top-level widgets left behind: {left}"


@pytest.fixture
def studio(start):
    """A studio with an empty study on the H100."""
    return start()


@pytest.fixture
def example(start):
    """A studio with the example study."""
    return start(example="")
