import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from rooflinestudio.core.errors import ParameterError
from rooflinestudio.core.quantities import parse_quantity
from rooflinestudio.ui.widgets.quantity_edit import QuantityEdit


def read(text):
    value = parse_quantity(text, "")
    if value < 1:
        raise ParameterError(f"{text} is under 1.")
    return int(value)


@pytest.fixture
def edit(qtbot):
    window = QWidget()
    made = QuantityEdit(read, str, step=lambda value, direction: value + direction)
    made.setParent(window)
    QVBoxLayout(window).addWidget(made)
    window.layout().addWidget(QLineEdit())
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    made.set_value(4096)
    made.setFocus()
    made.heard = []
    made.valueCommitted.connect(made.heard.append)
    yield made
    window.close()  # the window has to live as long as the test


def retype(edit, qtbot, text, key=Qt.Key.Key_Return):
    edit.selectAll()
    qtbot.keyClicks(edit, text)
    if key:
        qtbot.keyClick(edit, key)


@pytest.mark.parametrize(
    ("text", "value"), [("8192", 8192), ("4 k", 4000), ("4 Ki", 4096), ("1.5M", 1500000)]
)
def test_enter_tells_what_was_read(edit, qtbot, text, value):
    edit.set_value(1)
    retype(edit, qtbot, text)
    assert edit.heard == [value]


def test_leaving_tells_it_too(edit, qtbot):
    retype(edit, qtbot, "8192", key=None)
    assert edit.heard == []
    edit.nextInFocusChain().setFocus()
    qtbot.waitUntil(lambda: edit.heard == [8192])


def test_a_refused_text_stays_with_the_reason(edit, qtbot):
    messages = []
    edit.messageChanged.connect(messages.append)
    retype(edit, qtbot, "many")
    assert edit.text() == "many"
    assert edit.property("state") == "error"
    assert "does not start with a number" in edit.message()
    assert messages == [edit.message()]
    assert edit.heard == []


def test_out_of_range_is_refused_too(edit, qtbot):
    retype(edit, qtbot, "0")
    assert edit.message() == "0 is under 1."


def test_the_same_value_from_outside_leaves_what_is_typed(edit, qtbot):
    retype(edit, qtbot, "many")
    edit.set_value(4096)
    assert edit.text() == "many"


def test_another_value_from_outside_replaces_a_refused_text(edit, qtbot):
    retype(edit, qtbot, "many")
    edit.set_value(512)
    assert (edit.text(), edit.message(), edit.property("state")) == ("512", "", "")


def test_escape_takes_the_text_back(edit, qtbot):
    retype(edit, qtbot, "many")
    qtbot.keyClick(edit, Qt.Key.Key_Escape)
    assert (edit.text(), edit.message()) == ("4096", "")


def test_a_text_of_the_same_value_is_written_as_the_value_and_tells_nobody(edit, qtbot):
    retype(edit, qtbot, "4 Ki")
    assert edit.text() == "4096"
    assert edit.heard == []


def test_undo_reaches_the_study_while_nothing_is_typed(edit, qtbot):
    undone = []
    shortcut = QShortcut(QKeySequence(QKeySequence.StandardKey.Undo), edit.window())
    shortcut.activated.connect(lambda: undone.append(True))
    edit.window().activateWindow()
    qtbot.waitUntil(edit.hasFocus)
    qtbot.keyClick(edit, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert undone == [True]
    qtbot.keyClicks(edit, "5")
    qtbot.keyClick(edit, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert undone == [True]
    assert edit.text() == "4096"


def test_arrow_keys_step(edit, qtbot):
    qtbot.keyClick(edit, Qt.Key.Key_Up)
    qtbot.keyClick(edit, Qt.Key.Key_PageDown)
    assert edit.heard == [4097, 4088]


def test_suggestions_are_offered_and_taken(edit, qtbot):
    edit.set_suggestions([("128", ""), ("256", "on H100 SXM5")])
    menu = edit.suggestion_menu()
    assert [action.text() for action in menu.actions()] == ["128", "256\ton H100 SXM5"]
    menu.actions()[1].trigger()
    assert edit.heard == [256]


def test_a_screen_reader_hears_why_it_was_refused(edit, qtbot):
    retype(edit, qtbot, "0")
    assert edit.accessibleDescription() == "0 is under 1."
