import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit

from rooflinestudio.core.study import Entry, Study, View
from rooflinestudio.ui.inspector.view import InspectorView
from rooflinestudio.ui.session import Session
from tests.ui.inspector.test_inspector_view import part, wire
from tests.ui.widgets.studies import H100, machine, registry

# The list of suggestions opens while one types; the offscreen platform cannot raise it, and says so.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

SMALL = {
    "model_type": "llama", "hidden_size": 512, "num_hidden_layers": 4, "num_attention_heads": 8,
    "num_key_value_heads": 2, "intermediate_size": 1536, "vocab_size": 32000, "tie_word_embeddings": False,
}  # fmt: skip


def press(qtbot, edit, key):
    """Press a key: the list of suggestions gets it first while it is open."""
    popup = edit.completer().popup()
    qtbot.keyClick(popup if popup.isVisible() else edit, key)


def type_into(qtbot, edit, text):
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClicks(edit, text)
    press(qtbot, edit, Qt.Key.Key_Return)
    assert not edit.completer().popup().isVisible()


@pytest.fixture
def session(qapp):
    entry = Entry("decode-1", "decode_step", label="Decode")
    return Session(
        registry(), Study(entries=(entry,), profiles={H100: machine()}, view=View(machines=(H100,)))
    )


@pytest.fixture
def view(qtbot, session):
    made = InspectorView()
    qtbot.addWidget(made)
    wire(session, made)
    session.select("decode-1")
    made.resize(332, 900)
    made.show()
    qtbot.waitExposed(made)
    return made


@pytest.fixture
def edit(view):
    return part(view, QLineEdit, "param.model")


def model(session):
    return session.study.entry("decode-1").parameters.get("model")


def row(session):
    return session.placed.rows_of("decode-1")[0]


def field(view):
    return view.entry_page.parameters.field("model")


def test_a_typed_model_reaches_the_study_and_its_parts(view, session, edit, qtbot):
    type_into(qtbot, edit, "llama-3-70b")
    assert model(session) == "llama-3-70b"
    # 80 layers, each with one product for gate and up.
    rows = {one.label: one for one in view.entry_page.result.parts.model.rows}
    assert rows["gate_up"].count == "80 ×"


def test_a_model_set_elsewhere_and_taken_back_reaches_the_entry(session, edit):
    assert edit.text() == "llama-3-8b"
    session.set_parameter("decode-1", "model", "mistral-7b")
    assert edit.text() == "mistral-7b"
    session.undo_stack.undo()
    assert edit.text() == "llama-3-8b"


def test_a_text_counts_when_the_focus_leaves(session, edit, qtbot):
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClicks(edit, "mistral-7b")
    assert model(session) is None
    press(qtbot, edit, Qt.Key.Key_Tab)
    assert not edit.hasFocus()
    assert model(session) == "mistral-7b"


def test_escape_takes_back_what_was_typed(session, edit, qtbot):
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClicks(edit, "zzz")
    qtbot.keyClick(edit, Qt.Key.Key_Escape)
    assert edit.text() == "llama-3-8b" and model(session) is None


def test_known_models_are_offered_behind_the_arrow_and_while_typing(session, edit, qtbot):
    menu = edit.suggestion_menu()
    offered = {str(action.data()): action for action in menu.actions()}
    assert "llama-3-70b" in offered and offered["llama-3-8b"].isChecked()
    offered["llama-3-70b"].trigger()
    assert model(session) == "llama-3-70b"
    completer = edit.completer()
    completer.setCompletionPrefix("MIXTRAL")
    assert completer.completionCount() == 1
    completer.activated.emit(completer.currentCompletion())
    assert model(session) == "mixtral-8x7b"


def test_the_path_of_a_config_can_be_typed_and_pasted_in_quotes(session, edit, tmp_path, qtbot):
    path = tmp_path / "config.json"
    path.write_text(json.dumps(SMALL))
    type_into(qtbot, edit, f' "{path}" ')
    assert model(session) == str(path)
    assert edit.text() == str(path) and edit.message() == ""
    # Weights but for the table of embeddings (of 8 heads of 64, 2 hold keys and values), and the cache at 8192.
    layer = 512 * (512 + 2 * 128) + 512 * 512 + 3 * 512 * 1536
    weights, cache = 4 * layer + 512 * 32000, 4 * 2 * 128 * 8192
    assert row(session).placement.traffic_bytes == pytest.approx(2 * (weights + cache), rel=0.005)


def test_a_model_nobody_knows_stays_with_its_reason(view, session, edit, qtbot):
    type_into(qtbot, edit, "nonsense")
    assert row(session).state == "refused"
    assert edit.text() == "nonsense"
    assert edit.property("state") == "error"
    message = field(view).message
    assert message.isVisible() and "'nonsense'" in message.text()
    assert "config.json" in view.entry_page.reason.text()
    type_into(qtbot, edit, "llama-3-8b")
    assert row(session).state == "placed"
    assert edit.property("state") != "error" and not message.isVisible()


def test_a_broken_config_is_told_at_the_entry(view, session, edit, tmp_path, qtbot):
    path = tmp_path / "config.json"
    path.write_text(json.dumps({**SMALL, "hidden_size": "wide"}))
    type_into(qtbot, edit, str(path))
    assert row(session).state == "refused"
    assert edit.property("state") == "error" and field(view).message.isVisible()


def test_another_parameter_that_is_refused_leaves_a_known_model_alone(view, session, edit):
    session.set_parameter("decode-1", "batch", -1)
    assert row(session).state == "refused"
    assert edit.property("state") != "error" and not field(view).message.isVisible()


def test_a_suggestion_is_taken_with_the_arrow_keys_and_enter(session, edit, qtbot):
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClicks(edit, "mixtr")
    assert edit.completer().popup().isVisible()
    press(qtbot, edit, Qt.Key.Key_Down)
    press(qtbot, edit, Qt.Key.Key_Return)
    assert model(session) == "mixtral-8x7b"
