"""Entries for sizes and counts, and the row that goes on in the next line where it is too long."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QWidget

from rooflinestudio.ui.widgets.flow import FlowLayout
from rooflinestudio.ui.widgets.hinted_edit import CountEdit, HintedEdit
from rooflinestudio.ui.widgets.size_edit import SizeEdit
from rooflinestudio.ui.widgets.size_fields import SizeFields
from tests.ui.shell_helpers import H100, registry

GEMM, ADAM = (registry().operator(id_) for id_ in ("gemm", "adam"))
PROFILE = registry().load_profile(H100)
DECLARED = {one.name: one for one in GEMM.parameters}
SIZES = tuple(DECLARED[name] for name in ("m", "n", "k"))


def typed(qtbot, edit, text):
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClicks(edit, text)
    qtbot.keyClick(edit, Qt.Key.Key_Return)


@pytest.fixture
def fields(qtbot):
    made = SizeFields("bench", 60, widths={"k": 90}, words={"n": "columns"})
    qtbot.addWidget(made)
    made.behind = QPushButton("Behind")
    made.add_behind(made.behind)
    made.show_sizes(GEMM, SIZES, {"m": 512}, PROFILE)
    made.resize(made.sizeHint())
    made.show()
    qtbot.waitExposed(made)
    return made


def test_what_an_entry_has_is_shown_and_for_the_rest_the_default(fields):
    assert {name: edit.value() for name, edit in fields.edits.items()} == {"m": 512, "n": 4096, "k": 4096}
    assert [edit.objectName() for edit in fields.edits.values()] == ["bench.m", "bench.n", "bench.k"]
    assert [edit.width() for edit in fields.edits.values()] == [60, 60, 90]


def test_a_typed_size_is_asked_for_by_its_name(fields, qtbot):
    with qtbot.waitSignal(fields.requested) as heard:
        typed(qtbot, fields.edits["n"], "2 Ki")
    assert heard.args == ["n", 2048]


def test_what_cannot_be_is_refused_with_the_reason_in_the_tool_tip(fields, qtbot):
    edit = fields.edits["m"]
    hint = edit.toolTip()
    with qtbot.assertNotEmitted(fields.requested):
        typed(qtbot, edit, "0")
    assert edit.message() and edit.toolTip() == edit.message()
    qtbot.keyClick(edit, Qt.Key.Key_Escape)
    assert edit.toolTip() == hint and edit.text() == "512"


def test_entries_stay_for_the_same_sizes_and_are_made_anew_for_others(fields, qtbot):
    before = fields.edits["m"]
    fields.show_sizes(GEMM, SIZES, {"m": 64}, PROFILE)
    assert fields.edits["m"] is before and before.value() == 64

    other = ADAM.parameters[0]
    fields.show_sizes(ADAM, (other,), {}, PROFILE)
    fields.resize(400, 40)
    fields.layout().activate()
    assert list(fields.edits) == [other.name]
    edit = fields.edits[other.name]
    assert fields.behind.x() > edit.mapTo(fields, edit.rect().topRight()).x()


def test_arrow_keys_step_a_size(qtbot):
    edit = SizeEdit(GEMM, DECLARED["m"])
    qtbot.addWidget(edit)
    edit.set_value(4096)
    with qtbot.waitSignal(edit.valueCommitted) as heard:
        qtbot.keyClick(edit, Qt.Key.Key_Up)
    assert heard.args[0] > 4096


# Counts


@pytest.fixture
def count(qtbot):
    made = CountEdit("Threads of a block", 1024)
    qtbot.addWidget(made)
    made.heard = []
    made.valueCommitted.connect(made.heard.append)
    made.set_value(300)
    return made


@pytest.mark.parametrize(
    ("value", "key", "becomes"),
    [
        (300, Qt.Key.Key_Up, 512),
        (300, Qt.Key.Key_Down, 256),
        (256, Qt.Key.Key_Down, 128),
        (256, Qt.Key.Key_Up, 512),
        (1000, Qt.Key.Key_Up, 1024),
        (2, Qt.Key.Key_Down, 1),
    ],
)
def test_an_arrow_key_goes_to_the_next_power_of_two(count, qtbot, value, key, becomes):
    count.set_value(value)
    qtbot.keyClick(count, key)
    assert count.heard == [becomes]


@pytest.mark.parametrize(("value", "key"), [(1, Qt.Key.Key_Down), (1024, Qt.Key.Key_Up)])
def test_at_its_ends_it_stays(count, qtbot, value, key):
    count.set_value(value)
    qtbot.keyClick(count, key)
    assert count.heard == []


@pytest.mark.parametrize("text", ["0", "1.5", "2 Ki", "-3", "many", "inf", ""])
def test_what_is_no_count_is_refused(count, qtbot, text):
    count.selectAll()
    qtbot.keyClick(count, Qt.Key.Key_Delete)
    qtbot.keyClicks(count, text)
    qtbot.keyClick(count, Qt.Key.Key_Return)
    assert count.heard == [] and count.toolTip() == count.message() != ""


def test_thousands_are_parted_and_read_back(count, qtbot):
    typed(qtbot, count, "1Ki")
    assert count.heard == [1024]
    count.set_value(1024)
    assert count.text() == "1\u202f024"
    count.commit()
    assert count.message() == "" and count.heard == [1024]


def test_a_hint_is_the_name_until_another_is_given(qtbot):
    edit = HintedEdit(str, name="Currency")
    qtbot.addWidget(edit)
    assert (edit.accessibleName(), edit.toolTip()) == ("Currency", "Currency")
    edit.set_hint("In which prices are told")
    assert edit.toolTip() == "In which prices are told"
    edit.refuse("unknown")
    edit.set_hint("Another")
    assert edit.toolTip() == "unknown"


# The row


@pytest.fixture
def row(qtbot):
    made = QWidget()
    qtbot.addWidget(made)
    made.flow = FlowLayout(made, gap_px=10, line_gap_px=4)
    made.parts = [QWidget() for _ in range(3)]
    for part in made.parts:
        part.setFixedSize(100, 20)
        made.flow.addWidget(part)
    made.show()
    return made


def places(row, width):
    row.resize(width, 100)
    row.flow.activate()
    return [(one.x(), one.y()) for one in row.parts]


def test_a_row_goes_on_in_the_next_line(row):
    assert places(row, 320) == [(0, 0), (110, 0), (220, 0)]
    assert places(row, 319) == [(0, 0), (110, 0), (0, 24)]
    assert places(row, 100) == [(0, 0), (0, 24), (0, 48)]
    assert [row.flow.heightForWidth(width) for width in (320, 319, 100)] == [20, 44, 68]


def test_what_is_hidden_takes_no_room(row):
    row.parts[1].hide()
    row.flow.invalidate()
    assert places(row, 320)[2] == (110, 0)
    assert row.flow.sizeHint().width() == 210


def test_one_of_a_row_can_be_its_last(row):
    row.flow.move_to_end(row.parts[0])
    assert places(row, 400) == [(220, 0), (0, 0), (110, 0)]
    row.flow.set_gap(5)
    assert places(row, 400) == [(210, 0), (0, 0), (105, 0)]
