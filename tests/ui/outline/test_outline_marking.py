"""Marking rows of the outline, with a session that answers, as the window has it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from rooflinestudio.ui.marking import ENTRIES_MIME, entries_of
from rooflinestudio.ui.outline.delegate import eye_rect
from rooflinestudio.ui.outline.nodes import EntryNode, GroupNode
from rooflinestudio.ui.outline.view import OutlineView
from rooflinestudio.ui.session import Session
from tests.ui.widgets.studies import example, registry, with_overlay

LEFT, RIGHT, NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton, Qt.KeyboardModifier.NoModifier
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
WISHES = ("visibilityRequested", "removeRequested", "groupRequested", "fuseRequested", "renameRequested")

# In the order of the rows: those without a group, then "Llama 70B layer", then "Decode".
ROWS = ("adam-1", "cast-1", "gemm-3", "flash-1", "gemm-1", "attention-1", "gemm-2")


@pytest.fixture
def session(qapp):
    return Session(registry(), with_overlay(example()))


@pytest.fixture
def view(session, qtbot):
    made = OutlineView()
    qtbot.addWidget(made)
    made.set_machine(session.machine)
    made.set_placed(session.placed)
    made.selectRequested.connect(session.select)
    made.markRequested.connect(session.mark)
    session.studyChanged.connect(made.set_placed)
    session.selectionChanged.connect(made.set_selection)
    session.markedChanged.connect(made.set_marked)
    made.resize(264, 460)
    made.show()
    qtbot.waitExposed(made)
    made.tree.setFocus()
    made.heard = []
    for name in WISHES:
        getattr(made, name).connect(lambda *args, name=name: made.heard.append((name, *args)))
    return made


def at(view, id_) -> QPoint:
    return view.tree.visualRect(view.model.index_of_selection(id_)).center()


def click(view, id_, held=NONE, button=LEFT):
    QTest.mouseClick(view.tree.viewport(), button, held, at(view, id_))


def key(view, which, held=NONE):
    QTest.keyClick(view.tree, which, held)


def shown(view):
    nodes = map(view.model.node, view.tree.selectedIndexes())
    return {node.id for node in nodes if isinstance(node, EntryNode)}


def node(view, id_):
    return view.model.node(view.model.index_of_selection(id_))


def names(menu):
    return [action.text() for action in menu.actions() if action.text()]


def trigger(menu, *path):
    for word in path[:-1]:
        menu = next(action.menu() for action in menu.actions() if action.text() == word)
    next(action for action in menu.actions() if action.text() == path[-1]).trigger()


def test_the_rows_stand_in_another_order_than_the_entries(view, session):
    assert view.in_order(entry.id for entry in session.study.entries) == ROWS


def test_ctrl_click_marks_beside_the_selected_row(view, session):
    click(view, "adam-1")
    click(view, "attention-1", CTRL)
    click(view, "gemm-2", CTRL)

    assert session.selection == "adam-1"
    assert set(session.marked) == {"adam-1", "attention-1", "gemm-2"}
    assert shown(view) == set(session.marked)


def test_ctrl_click_on_a_marked_row_takes_it_out(view, session):
    for id_ in ("adam-1", "attention-1", "gemm-2", "attention-1"):
        click(view, id_, CTRL)

    assert set(session.marked) == {"adam-1", "gemm-2"}


def test_of_two_marked_rows_one_that_is_left_is_selected_alone(view, session):
    click(view, "adam-1")
    click(view, "gemm-2", CTRL)
    click(view, "adam-1", CTRL)

    assert (session.selection, session.marked) == ("gemm-2", ())
    assert shown(view) == {"gemm-2"}


@pytest.mark.parametrize("id_", ["adam-1", "gemm-2", "cast-1"])
def test_a_plain_click_ends_the_marks_wherever_it_goes(view, session, id_):
    click(view, "adam-1")
    click(view, "gemm-2", CTRL)

    click(view, id_)

    assert (session.selection, session.marked) == (id_, ())
    assert shown(view) == {id_}


def test_escape_ends_the_marks_and_keeps_the_selection(view, session):
    click(view, "adam-1")
    click(view, "gemm-2", CTRL)

    key(view, Qt.Key.Key_Escape)

    assert (session.selection, session.marked) == ("adam-1", ())
    assert shown(view) == {"adam-1"}


@pytest.mark.parametrize(("start", "end"), [("cast-1", "gemm-1"), ("gemm-1", "cast-1")])
def test_shift_click_marks_a_range_from_the_selected_row_up_or_down(view, session, start, end):
    click(view, start)
    click(view, end, SHIFT)

    assert session.selection == start
    assert view.in_order(session.marked) == ROWS[1:5]  # the heading between them is no entry


def test_a_range_begins_at_what_was_selected_elsewhere(view, session):
    click(view, "gemm-2")
    session.select("adam-1")

    click(view, "gemm-3", SHIFT)

    assert view.in_order(session.marked) == ROWS[:3]


def test_another_range_takes_the_place_of_the_first(view, session):
    click(view, "cast-1")
    click(view, "gemm-2", SHIFT)
    click(view, "gemm-3", SHIFT)

    assert view.in_order(session.marked) == ROWS[1:3]


def test_rows_that_are_folded_away_are_in_no_range(view, session):
    view.tree.collapse(view.model.index_of_group("Llama 70B layer"))
    click(view, "flash-1")
    click(view, "gemm-2", SHIFT)

    assert view.in_order(session.marked) == ("flash-1", "gemm-2")


def test_shift_and_arrows_widen_and_narrow_the_range(view, session):
    click(view, "flash-1")
    for _ in range(3):
        key(view, Qt.Key.Key_Down, SHIFT)
    assert view.in_order(session.marked) == ROWS[3:7]

    key(view, Qt.Key.Key_Up, SHIFT)
    assert view.in_order(session.marked) == ROWS[3:6]
    assert session.selection == "flash-1"

    for _ in range(3):
        key(view, Qt.Key.Key_Up, SHIFT)
    assert view.in_order(session.marked) == ROWS[2:4]
    key(view, Qt.Key.Key_Down)  # a heading: nothing to be selected
    assert view.in_order(session.marked) == view.in_order(shown(view)) == ROWS[2:4]
    key(view, Qt.Key.Key_Down)
    assert (session.selection, session.marked) == ("gemm-1", ())


def test_ctrl_a_marks_all_also_what_is_folded_away(view, session):
    view.tree.collapse(view.model.index_of_group("Decode"))
    click(view, "gemm-1")

    key(view, Qt.Key.Key_A, CTRL)

    assert set(session.marked) == set(ROWS)
    assert session.selection == "gemm-1"


def test_marks_from_elsewhere_are_shown_and_ask_for_nothing(view, session):
    asked = []
    view.selectRequested.connect(asked.append)
    view.markRequested.connect(asked.append)

    session.mark(("adam-1", "gemm-2"))
    assert shown(view) == {"adam-1", "gemm-2"}
    session.select(None)
    assert shown(view) == set()
    assert asked == []


def test_marks_stay_when_figures_change(view, session):
    session.mark(("adam-1", "gemm-1"))

    session.set_parameter("gemm-1", "m", 8192)
    assert shown(view) == {"adam-1", "gemm-1"}
    session.add_machine(session.study.profiles[session.machine])
    assert session.marked == ("gemm-1", "adam-1")


def drag(view, start, end, until):
    """Press and move until a drag has begun: from then on the system has the mouse."""
    viewport, none, at_ = view.tree.viewport(), Qt.MouseButton.NoButton, at(view, start)
    QTest.mousePress(viewport, LEFT, NONE, at_)
    for step in range(1, 4):
        here = at_ + (at(view, end) - at_) * step / 3
        place = QPointF(viewport.mapToGlobal(here))
        event = QMouseEvent(QEvent.Type.MouseMove, QPointF(here), place, none, LEFT, NONE)
        QApplication.sendEvent(viewport, event)
        if until():
            return


@pytest.mark.parametrize(
    ("marked", "start", "dragged"),
    [
        (("adam-1", "gemm-1", "gemm-2"), "gemm-1", ("adam-1", "gemm-1", "gemm-2")),
        (("adam-1", "gemm-1", "gemm-2"), "cast-1", ("cast-1",)),
        ((), "attention-1", ("attention-1",)),
    ],
)
def test_a_drag_takes_all_that_are_marked_or_the_one_row(view, session, monkeypatch, marked, start, dragged):
    taken = []

    def start_drag(_actions):
        taken.append(entries_of(view.model.mimeData(view.tree.selectedIndexes())))

    monkeypatch.setattr(view.tree, "startDrag", start_drag)
    session.mark(marked)

    drag(view, start, "flash-1", lambda: taken)

    assert taken == [dragged]
    assert set(session.chosen) == shown(view) == set(dragged)


@pytest.mark.parametrize("raw", [b"", b"{}", b"[1, 2]", b"gemm", b"\xff"])
def test_what_is_no_list_of_entries_is_none(raw):
    data = QMimeData()
    data.setData(ENTRIES_MIME, raw)

    assert entries_of(data) == ()


def test_a_right_click_on_a_marked_row_keeps_the_marks_and_on_another_one_ends_them(view, session):
    session.mark(("adam-1", "gemm-2"))

    click(view, "gemm-2", button=RIGHT)
    assert set(session.marked) == {"adam-1", "gemm-2"}
    click(view, "cast-1", button=RIGHT)
    assert (session.selection, session.marked) == ("cast-1", ())


def test_the_menu_of_a_marked_row_is_for_all_of_them(view, session):
    ids = ("adam-1", "gemm-1", "gemm-2")  # in the order of the rows
    session.mark(ids)
    menu = view.context_menu(node(view, "gemm-1"))
    assert names(menu) == ["3 entries", "Fuse into a chain", "Hide all", "Group", "Remove all"]

    trigger(menu, "Fuse into a chain")
    trigger(menu, "Hide all")
    trigger(menu, "Group", "Decode")
    trigger(menu, "Remove all")

    assert view.heard == [
        ("fuseRequested", ids),
        ("visibilityRequested", ids, False),
        ("groupRequested", ids, "Decode"),
        ("removeRequested", ids),
    ]


def test_the_menu_of_a_row_that_is_not_marked_is_for_that_row(view, session):
    session.mark(("adam-1", "gemm-2"))

    assert "Fuse into a chain" not in names(view.context_menu(node(view, "gemm-1")))


def test_the_eye_and_delete_act_on_all_that_are_marked(view, session):
    session.mark(("adam-1", "gemm-1"))
    row = view.tree.visualRect(view.model.index_of_selection("gemm-1"))

    QTest.mouseClick(view.tree.viewport(), LEFT, NONE, QPointF(eye_rect(row.toRectF()).center()).toPoint())
    key(view, Qt.Key.Key_Delete)

    assert view.heard == [
        ("visibilityRequested", ("adam-1", "gemm-1"), False),
        ("removeRequested", ("adam-1", "gemm-1")),
    ]
    assert set(session.marked) == {"adam-1", "gemm-1"}


def test_a_click_on_a_heading_ends_no_marks(view, session):
    session.mark(("adam-1", "gemm-1"))
    index = view.model.index_of_group("Decode")
    assert isinstance(view.model.node(index), GroupNode)

    QTest.mouseClick(view.tree.viewport(), LEFT, NONE, view.tree.visualRect(index).center())

    assert not view.tree.isExpanded(index)
    assert set(session.marked) == {"adam-1", "gemm-1"}
    assert shown(view) == {"adam-1", "gemm-1"}
