from __future__ import annotations

from collections import Counter

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QUndoCommand, QUndoStack
from PySide6.QtWidgets import QLineEdit, QMainWindow, QMenuBar, QSpinBox

from rooflinestudio.ui.action_table import ACTIONS, Key, Menu, When, action_info
from rooflinestudio.ui.actions import Actions, UndoKeysFilter
from rooflinestudio.ui.icons import icon_names


def test_every_key_stands_in_the_table_once():
    assert Counter(one.key for one in ACTIONS) == Counter(Key)


def test_no_shortcut_is_taken_twice():
    taken = Counter(QKeySequence(text).toString() for one in ACTIONS for text in one.shortcuts)

    assert [keys for keys, count in taken.items() if count > 1] == []


@pytest.mark.parametrize("info", ACTIONS, ids=lambda info: info.key.value)
def test_every_action_has_words_a_readable_shortcut_and_a_drawing_that_exists(info):
    assert info.text[0].isupper()
    assert info.text == info.text.strip()
    assert info.tip.endswith(".")
    assert all(QKeySequence(one).toString() for one in info.shortcuts)
    assert info.icon in ("", *icon_names())


def test_no_two_entries_of_a_menu_read_the_same():
    words = Counter((one.menu, one.title) for one in ACTIONS)

    assert [one for one, count in words.items() if count > 1] == []


def test_an_unknown_key_is_answered_with_the_nearest():
    with pytest.raises(KeyError, match=r"file\.open"):
        action_info("file.opne")


@pytest.fixture
def window(qtbot):
    window = QMainWindow()
    qtbot.addWidget(window)
    window.actions_made = Actions(window)
    return window


def test_every_action_is_in_its_menu(window):
    bar = QMenuBar(window)
    window.actions_made.fill(bar)

    for place in Menu:
        texts = [one.text() for one in window.actions_made.menu(place).actions() if not one.isSeparator()]
        assert texts == [one.text for one in ACTIONS if one.menu is place]


def test_a_handler_that_is_forgotten_is_named(window):
    handlers = {one.key: print for one in ACTIONS if one.key is not Key.DUPLICATE}

    with pytest.raises(ValueError, match=r"study\.duplicate"):
        window.actions_made.connect_all(handlers)


def test_triggering_an_action_calls_its_handler_without_arguments(window):
    called = []
    window.actions_made.connect_all({one.key: lambda key=one.key: called.append(key) for one in ACTIONS})

    for info in ACTIONS:
        window.actions_made[info.key].trigger()

    assert called == [one.key for one in ACTIONS]


@pytest.mark.parametrize("condition", [one for one in When if one is not When.ALWAYS])
def test_a_condition_that_does_not_hold_disables_exactly_its_actions(window, condition):
    window.actions_made.set_state({condition: False})

    disabled = {one.key for one in ACTIONS if not window.actions_made[one.key].isEnabled()}
    assert disabled == {one.key for one in ACTIONS if one.when is condition}


class _Step(QUndoCommand):
    def redo(self):
        pass


@pytest.fixture
def undone(window, qtbot):
    """Return a window with a line, a spin box and a working undo action; and the list of what was undone."""
    stack = QUndoStack(window)
    stack.push(_Step("x"))
    undone = []
    window.actions_made[Key.UNDO].triggered.connect(lambda: undone.append(1))
    window.filter = UndoKeysFilter(window)
    window.line, window.spin = QLineEdit(window), QSpinBox(window)
    window.spin.move(0, 40)
    window.show()
    window.activateWindow()
    return undone


@pytest.mark.parametrize("field", ["line", "spin"])
def test_undo_reaches_the_study_while_a_field_has_nothing_to_take_back(window, undone, qtbot, field):
    widget = getattr(window, field)
    widget.setFocus()

    qtbot.keyClick(widget, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)

    assert undone == [1]


def test_undo_takes_back_typing_first(window, undone, qtbot):
    window.line.setFocus()
    qtbot.keyClicks(window.line, "abc")

    qtbot.keyClick(window.line, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)

    assert undone == []
    assert window.line.text() == ""
