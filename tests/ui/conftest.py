"""What every test of the window needs: fonts and theme pinned, no lost mouse moves, no window left behind."""

from __future__ import annotations

import sys

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QFontInfo
from PySide6.QtWidgets import QApplication

from rooflinestudio.ui.fonts import font
from rooflinestudio.ui.theme import LIGHT, apply_theme


@pytest.fixture(scope="session")
def qapp(qapp):
    """One application for all tests, in the light theme; families come from the system by the fallback list."""
    apply_theme(qapp, LIGHT)
    return qapp


@pytest.fixture(scope="session")
def inter(qapp):
    """Skip a test that compares pixels or widths where the first family of the list is not installed."""
    if QFontInfo(font("body")).family() != "Inter":
        pytest.skip("the font Inter is not installed")


@pytest.fixture(autouse=True)
def _every_mouse_move_counts(request):
    """pyqtgraph drops moves less than 10 ms apart, and with them whole synthetic drags."""
    if "pyqtgraph" in sys.modules:
        sys.modules["pyqtgraph"].setConfigOption("mouseRateLimit", 0)


@pytest.fixture(autouse=True)
def _no_window_is_left(request):
    """A test that leaves a top-level widget behind fails: it would crash another one."""
    if not {"qapp", "qtbot"} & set(request.fixturenames):
        yield
        return
    before = set(_top_levels())
    yield
    # pytest-qt has closed the widgets that it was given; their deletion is still in the queue.
    left = [
        f"{type(widget).__name__} {widget.objectName()!r}" for widget in _top_levels() if widget not in before
    ]
    assert not left, f"top-level widgets left behind: {left}"


def _top_levels():
    # close() does not destroy a widget, and processEvents() does not deliver deleteLater().
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    return [widget for widget in QApplication.topLevelWidgets() if widget.parent() is None]
