"""Over which window a question opens: the one that somebody works in."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QMessageBox, QWidget

from rooflinestudio.ui.asking import LaterAsker


@pytest.fixture
def windows(qtbot):
    """The studio's window, and a window of its own that belongs to it."""
    studio = QWidget()
    qtbot.addWidget(studio)
    editor = QWidget(studio, Qt.WindowType.Window)
    for one in (studio, editor):
        one.show()
        qtbot.waitExposed(one)
    return studio, editor


@pytest.fixture
def asked_over(monkeypatch):
    """The windows over which questions opened."""
    seen = []
    monkeypatch.setattr(QMessageBox, "exec", lambda box: seen.append(box.parentWidget()))
    return seen


def _work_in(qtbot, window):
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)


def test_a_question_opens_over_the_window_that_is_worked_in(qtbot, windows, asked_over):
    studio, editor = windows
    asker = LaterAsker(studio)

    for one in (editor, studio):
        _work_in(qtbot, one)
        assert asker.about_unsaved("Rack 7") == "cancel"

    assert asked_over == [editor, studio]


def test_a_window_of_somebody_else_or_a_passing_one_is_not_asked_over(qtbot, windows, asked_over):
    studio, _ = windows
    asker, other, passing = LaterAsker(studio), QWidget(), QDialog(studio)
    for one in (other, passing):
        qtbot.addWidget(one)
        one.show()
        _work_in(qtbot, one)
        asker.about_unsaved("Rack 7")

    assert asked_over == [studio, studio]
