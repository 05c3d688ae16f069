"""Several entries in the whole window: marked on the canvas or in the outline, and edited at once."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from rooflinestudio.core.chains import chain_of
from rooflinestudio.core.study import Entry
from rooflinestudio.ui.action_table import Key, Menu
from rooflinestudio.ui.frame import Frame
from rooflinestudio.ui.furnishing import Furnishing
from rooflinestudio.ui.fusion.view import FusionView
from rooflinestudio.ui.main_window import MainWindow
from rooflinestudio.ui.no_plugins import NoPlugins
from rooflinestudio.ui.session import Session
from rooflinestudio.ui.settings import SettingsStore
from rooflinestudio.ui.theme import LIGHT, ThemeSwitch
from tests.ui.shell_helpers import Answers, gemm, registry, study

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
SHAPE = {"tokens": 4096, "width": 8192}

# At 1/6, 5/4, 1/4 and 1 365 FLOP/byte. The group makes the outline's order another one than the study's:
# norm, scale, product, add.
ENTRIES = (
    Entry("add", "add", parameters=SHAPE, label="Add", slot=0, group="Tail"),
    Entry("norm", "rmsnorm", parameters=SHAPE, label="Norm", slot=1),
    Entry("scale", "scale", parameters=SHAPE, label="Scale", slot=2),
    gemm("product", label="Product", slot=3),
)


@pytest.fixture(scope="module")
def furnished(qapp, tmp_path_factory):
    window = MainWindow(SettingsStore(tmp_path_factory.mktemp("user") / "settings.json"), "light")
    inside = Furnishing(Frame(window, ThemeSwitch(LIGHT, window)), Session(NoPlugins()), asker=Answers())
    inside.wiring.take_registry(registry())
    inside.add_canvas()
    inside.add_rest()
    window.resize(1600, 1000)
    window.show()
    yield inside
    window.close_at_once()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.fixture
def inside(furnished):
    furnished.session.open(study(*ENTRIES))
    furnished.notices.clear()
    furnished.frame.tabs.setCurrentIndex(0)
    furnished.window.activateWindow()
    QCoreApplication.processEvents()
    return furnished


def click_marker(inside, id_, held=NONE):
    view = inside.panels.canvas.view
    marker = next(one for one in view.shown_scene.markers if one.key == id_)
    at = QPointF(*view.frame_of_data.point(marker.log_x, marker.log_y)).toPoint()
    QTest.mouseClick(view.viewport(), LEFT, held, at)


def click_row(inside, id_, held=NONE):
    outline = inside.panels.outline
    at = outline.tree.visualRect(outline.model.index_of_selection(id_)).center()
    QTest.mouseClick(outline.tree.viewport(), LEFT, held, at)


def menu_of(inside, id_):
    outline = inside.panels.outline
    return outline.context_menu(outline.model.node(outline.model.index_of_selection(id_)))


def trigger(menu, *path):
    for word in path[:-1]:
        menu = next(action.menu() for action in menu.actions() if action.text() == word)
    next(action for action in menu.actions() if action.text() == path[-1]).trigger()


def the_chain(inside):
    made = inside.session.study
    return chain_of(made, made.entry(inside.session.selection))


def rows_shown(inside):
    outline = inside.panels.outline
    return {outline.model.node(index).id for index in outline.tree.selectedIndexes()}


def test_marks_of_the_canvas_are_in_the_outline_and_the_other_way_round(inside):
    click_marker(inside, "add")
    click_marker(inside, "product", CTRL)
    assert rows_shown(inside) == set(inside.session.marked) == {"add", "product"}

    click_row(inside, "scale", CTRL)
    assert inside.panels.canvas.view.highlight.marked == {"add", "product", "scale"}

    click_marker(inside, "scale")
    assert inside.session.marked == ()
    assert rows_shown(inside) == {"scale"}
    assert inside.panels.canvas.view.highlight.marked == frozenset()


def test_marked_entries_become_a_chain_in_the_order_of_the_outline(inside):
    before = inside.session.study
    for id_ in ("add", "scale", "norm"):
        click_row(inside, id_, CTRL)

    trigger(menu_of(inside, "scale"), "Fuse into a chain")

    assert the_chain(inside).parts == ("rmsnorm", "scale", "add")
    assert the_chain(inside).cuts == (0, 1)  # all split: fusing them is the user's
    entry = inside.session.study.entry(inside.session.selection)
    assert (dict(entry.parameters), entry.label) == (SHAPE, "Norm + Scale + Add")
    assert inside.frame.tabs.currentWidget() is inside.panels.fusion
    assert inside.session.undo_stack.count() == 1
    assert inside.session.marked == ()
    inside.session.undo_stack.undo()
    assert inside.session.study == before


def test_the_chain_of_marks_comes_by_key_too_and_the_menu_says_so(inside):
    action = inside.frame.actions[Key.NEW_CHAIN]
    assert action.text() == "New chain…"
    click_marker(inside, "add")
    click_marker(inside, "scale", CTRL)
    assert action.text() == "Fuse into a chain"
    assert action in inside.frame.actions.menu(Menu.STUDY).actions()

    QTest.keyClick(inside.panels.canvas.view, Qt.Key.Key_U, CTRL | SHIFT)

    assert the_chain(inside).parts == ("scale", "add")
    assert action.text() == "New chain…"


def test_what_does_not_fit_together_is_told_and_nothing_is_placed(inside):
    inside.session.mark(("norm", "product", "add"))
    before = inside.session.study
    inside.session.change_entry(
        "product", "Change k", parameters={"m": 64, "n": 64, "k": 77}
    )  # of rows of 8 192
    steps = inside.session.undo_stack.count()

    inside.frame.actions[Key.NEW_CHAIN].trigger()

    (notice,) = inside.notices.notices
    assert notice.title == "No chain can be made of these"
    assert "77" in notice.text
    assert inside.session.undo_stack.count() == steps
    assert set(inside.session.marked) == {"norm", "product", "add"}
    assert len(inside.session.study.entries) == len(before.entries)


def test_a_layer_among_the_marked_is_named_as_the_reason(inside):
    inside.session.add_operator("transformer_layer")
    layer = inside.session.selection
    inside.session.mark(("norm", layer))

    trigger(menu_of(inside, layer), "Fuse into a chain")

    (notice,) = inside.notices.notices
    assert "made of several kernels already" in notice.text


def test_all_that_are_marked_go_by_one_key_and_come_back_by_one(inside):
    before = inside.session.study
    click_row(inside, "norm")
    click_row(inside, "scale", CTRL)

    QTest.keyClick(inside.panels.outline.tree, Qt.Key.Key_Delete)
    assert [one.id for one in inside.session.study.entries] == ["add", "product"]
    assert (inside.session.selection, inside.session.marked) == (None, ())

    QTest.keyClick(inside.panels.outline.tree, Qt.Key.Key_Z, CTRL)
    assert inside.session.study == before


def test_all_that_are_marked_are_hidden_and_shown_by_one_key(inside):
    inside.session.mark(("norm", "scale"))

    for visible in (False, True):
        QTest.keyClick(inside.panels.canvas.view, Qt.Key.Key_H, CTRL)
        made = inside.session.study
        assert [made.entry(id_).visible for id_ in ("norm", "scale", "add")] == [visible, visible, True]
    assert inside.session.undo_stack.count() == 2
    assert inside.session.marked == ("norm", "scale")


def test_all_that_are_marked_go_into_one_group_which_is_named_at_once(inside, qtbot):
    inside.session.mark(("norm", "product"))

    QTest.keyClick(inside.panels.canvas.view, Qt.Key.Key_G, CTRL)
    editor = inside.panels.outline.tree.findChild(QLineEdit, "outline.rename")
    assert editor.text() == "Group 1"
    editor.setText("Begin")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: inside.session.study.entry("norm").group == "Begin")

    made = inside.session.study
    assert [made.entry(id_).group for id_ in ("norm", "product", "scale", "add")] == [
        "Begin",
        "Begin",
        "",
        "Tail",
    ]
    assert set(inside.session.marked) == rows_shown(inside) == {"norm", "product"}


def test_each_that_is_marked_gets_a_variant(inside):
    inside.session.mark(("norm", "scale"))

    inside.frame.actions[Key.DUPLICATE].trigger()

    made = inside.session.study
    assert [made.entry(id_).variant_of for id_ in inside.session.marked] == ["norm", "scale"]
    assert inside.session.undo_stack.count() == 1


def test_escape_on_the_canvas_ends_the_marks_then_the_selection(inside):
    click_marker(inside, "add")
    click_marker(inside, "scale", CTRL)
    view = inside.panels.canvas.view

    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert (inside.session.selection, inside.session.marked) == ("add", ())
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert inside.session.selection is None


def test_a_band_on_the_canvas_marks_for_the_whole_window(inside):
    view = inside.panels.canvas.view
    plot = view.picture.layout.plot
    corners = [
        QPointF(plot.left + 2, plot.top + 2).toPoint(),
        QPointF(plot.right - 2, plot.bottom - 2).toPoint(),
    ]

    QTest.mousePress(view.viewport(), LEFT, SHIFT, corners[0])
    QTest.mouseRelease(view.viewport(), LEFT, SHIFT, corners[1])

    assert set(inside.session.marked) == {"add", "norm", "scale", "product"}
    assert rows_shown(inside) == set(inside.session.marked)


def test_marks_that_a_late_view_missed_are_told_to_it(inside):
    inside.session.mark(("norm", "scale"))
    heard = []

    class Late:
        def set_marked(self, ids):
            heard.append(ids)

        set_machine = set_selection = set_placed = set_theme = lambda self, _what: None

    inside.wiring.show_all_to(Late())

    assert heard == [("norm", "scale")]


# Rows dragged onto the bench


def drop_rows(inside, widget, at):
    """Let go of the rows that are marked over a widget, as the outline would hand them on."""
    outline = inside.panels.outline
    mime = outline.model.mimeData(outline.tree.selectedIndexes())
    copy = Qt.DropAction.CopyAction
    QApplication.sendEvent(widget, QDragEnterEvent(at, copy, mime, LEFT, NONE))
    QApplication.sendEvent(widget, QDragMoveEvent(at, copy, mime, LEFT, NONE))
    event = QDropEvent(QPointF(at), copy, mime, LEFT, NONE)
    QApplication.sendEvent(widget, event)
    return event.isAccepted()


def bench(inside):
    inside.wiring.show_tab("fusion")
    QCoreApplication.processEvents()
    return next(one for one in inside.panels.all if isinstance(one, FusionView))


def test_rows_dropped_on_an_empty_bench_become_a_chain(inside):
    empty = bench(inside).empty
    assert empty.isVisible()
    inside.session.mark(("add", "norm"))

    assert drop_rows(inside, empty, QPoint(40, 40))

    assert the_chain(inside).parts == ("rmsnorm", "add")
    assert inside.session.undo_stack.count() == 1


def test_rows_dropped_between_two_cards_are_put_in_there_as_one_edit(inside):
    inside.session.mark(("add", "norm"))
    inside.frame.actions[Key.NEW_CHAIN].trigger()
    chain = inside.session.selection
    row = bench(inside).body.row
    at = row.places.joints[0].center().toPoint()
    inside.session.mark(("scale", "add"))

    assert drop_rows(inside, row, at)

    made = inside.session.study
    assert chain_of(made, made.entry(chain)).parts == ("rmsnorm", "scale", "add", "add")
    assert inside.session.undo_stack.undoText() == "Add 2 operators to the chain"
    inside.session.undo_stack.undo()
    made = inside.session.study
    assert chain_of(made, made.entry(chain)).parts == ("rmsnorm", "add")


def test_a_chain_is_not_put_into_a_chain(inside):
    inside.session.mark(("add", "norm"))
    inside.frame.actions[Key.NEW_CHAIN].trigger()
    steps = inside.session.undo_stack.count()
    row = bench(inside).body.row

    drop_rows(inside, row, row.places.joints[0].center().toPoint())  # the row of the chain itself is selected

    assert inside.session.undo_stack.count() == steps


def test_rows_dropped_on_the_canvas_place_nothing(inside):
    inside.session.mark(("add", "norm"))

    assert not drop_rows(inside, inside.panels.canvas.view.viewport(), QPoint(400, 300))
    assert inside.session.undo_stack.count() == 0
