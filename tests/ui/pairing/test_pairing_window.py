"""Pairing in the whole window: by dragging on the canvas, from the table and in the outline, by menu and by dialog."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import (
    QContextMenuEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QMouseEvent,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from rooflinestudio.core.pairing.edits import with_pairs
from rooflinestudio.core.study_files import load_study, save_study
from rooflinestudio.ui.frame import Frame
from rooflinestudio.ui.furnishing import Furnishing
from rooflinestudio.ui.main_window import MainWindow
from rooflinestudio.ui.measured import changes
from rooflinestudio.ui.measured.model import KERNEL, PAIR, WORK
from rooflinestudio.ui.no_plugins import NoPlugins
from rooflinestudio.ui.pairing.mime import kernels_of, mime_of_kernels
from rooflinestudio.ui.session import Session
from rooflinestudio.ui.settings import SettingsStore
from rooflinestudio.ui.theme import LIGHT, ThemeSwitch
from tests.core.pairing.desk import ONE, add_kernel, product, study_with
from tests.ui.shell_helpers import Answers, registry

LEFT, RIGHT, NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton, Qt.KeyboardModifier.NoModifier
COUNTED, BLIND, ADDED = 0, 1, 2
WHERE = "W from gemm m = 4096, n = 4096, k = 4096"


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
    # the first product was counted, and stands at 100 FLOP/byte; of the second no work is known
    counted = product(0, work={"bf16-tensor": 1e11}, dram=1e9, time=400e-6)
    furnished.session.open(study_with(counted, product(1), add_kernel(2), policy="modelled"))
    furnished.session.select(None)
    furnished.notices.clear()
    furnished.frame.tabs.setCurrentWidget(furnished.panels.measured)
    furnished.window.activateWindow()
    settle(furnished)
    yield furnished
    if furnished.pair_wishes.dialog is not None:
        furnished.pair_wishes.dialog.close()


def settle(inside):
    QCoreApplication.processEvents()
    inside.panels.canvas.view.settle()


def pairs(inside):
    return [(one.launch, one.entry) for one in inside.session.study.pairs]


# On the canvas


def place_of(inside, key):
    view = inside.panels.canvas.view
    marker = next(one for one in view.shown_scene.markers if one.key == key)
    return QPointF(*view.frame_of_data.point(marker.log_x, marker.log_y)).toPoint()


def label_of(inside, id_):
    """Return the middle of an entry's label."""
    picture = inside.panels.canvas.view.picture
    text = next(one for one in picture.texts if one.key[:2] == ("marker", id_))
    return QPointF(*picture.labels[text.key].box(*picture.frame.point(*text.anchor)).centre).toPoint()


def move(view, at, *, held=LEFT):
    port = view.viewport()
    where = QPointF(port.mapToGlobal(at))
    event = QMouseEvent(QEvent.Type.MouseMove, QPointF(at), where, Qt.MouseButton.NoButton, held, NONE)
    QApplication.sendEvent(port, event)


def drag(inside, start, *stops):
    view = inside.panels.canvas.view
    QTest.mousePress(view.viewport(), LEFT, NONE, start)
    for stop in stops:
        move(view, (start + stop) / 2)
        move(view, stop)


def let_go(inside, at):
    QTest.mouseRelease(inside.panels.canvas.view.viewport(), LEFT, NONE, at)


@pytest.mark.parametrize("target", [place_of, label_of])
def test_a_measured_marker_is_dragged_onto_an_entrys_marker_or_label(inside, target):
    to = target(inside, "gemm-1")
    view = inside.panels.canvas.view
    seen = view.shown_range
    drag(inside, place_of(inside, ("measured", ONE, COUNTED)), to)
    assert view.pairs.target == "gemm-1"
    # 400 µs against 138.9 µs
    assert note(view.viewport()) == "Pair with GEMM: W was counted, 2.88× slower"
    let_go(inside, to)
    assert pairs(inside) == [(0, "gemm-1")]
    assert view.shown_range == seen  # the view has not been moved meanwhile
    assert note(view.viewport()) is None
    inside.session.undo_stack.undo()
    assert pairs(inside) == []
    inside.session.undo_stack.redo()
    assert pairs(inside) == [(0, "gemm-1")]


def note(port):
    found = [one for one in port.children() if one.objectName() == "pairing.note" and one.isVisible()]
    return found[0].text() if found else None


def test_on_empty_canvas_nothing_happens(inside):
    view = inside.panels.canvas.view
    empty = QPointF(*view.frame_of_data.point(3.0, 12.0)).toPoint()
    drag(inside, place_of(inside, ("measured", ONE, COUNTED)), empty)
    assert view.pairs.target == "" and "Drop it on an entry" in note(view.viewport())
    let_go(inside, empty)
    assert pairs(inside) == [] and not view.pairs.is_dragging and note(view.viewport()) is None


def test_escape_gives_the_drag_up(inside):
    view, to = inside.panels.canvas.view, place_of(inside, "gemm-1")
    drag(inside, place_of(inside, ("measured", ONE, COUNTED)), to)
    assert view.pairs.is_dragging
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert not view.pairs.is_dragging and note(view.viewport()) is None
    let_go(inside, to)
    assert pairs(inside) == []


def test_a_click_on_a_measured_marker_still_selects_it(inside):
    QTest.mouseClick(
        inside.panels.canvas.view.viewport(), LEFT, NONE, place_of(inside, ("measured", ONE, COUNTED))
    )
    assert inside.session.selection == ("measured", ONE, COUNTED)
    assert pairs(inside) == []


def test_a_drag_elsewhere_still_moves_the_view(inside):
    view = inside.panels.canvas.view
    seen = view.shown_range
    empty = QPointF(*view.frame_of_data.point(3.0, 12.0)).toPoint()
    drag(inside, empty, empty + QPoint(-80, 0))
    let_go(inside, empty + QPoint(-80, 0))
    assert view.shown_range != seen
    view.fit()


def ask_menu(inside, at, reason=QContextMenuEvent.Reason.Mouse):
    view = inside.panels.canvas.view
    QApplication.sendEvent(view.viewport(), QContextMenuEvent(reason, at, view.viewport().mapToGlobal(at)))


def test_a_marker_has_a_menu_by_mouse_and_by_key_and_an_entry_has_none(inside, monkeypatch):
    asked = []
    monkeypatch.setattr(inside.panels.canvas, "kernel_menu", asked.append)
    ask_menu(inside, place_of(inside, ("measured", ONE, COUNTED)))
    assert asked == [(ONE, COUNTED)]
    ask_menu(inside, place_of(inside, "gemm-1"))
    assert len(asked) == 1
    inside.session.select(("measured", ONE, ADDED))
    ask_menu(inside, QPoint(0, 0), QContextMenuEvent.Reason.Keyboard)
    assert asked[1:] == [(ONE, ADDED)]


def action(menu, name):
    return next((one for one in menu.actions() if one.objectName() == f"pairing.{name}"), None)


def test_the_menu_of_a_kernel_pairs_and_unpairs(inside):
    canvas = inside.panels.canvas
    menu = canvas.kernel_menu((ONE, COUNTED))
    assert action(menu, "pair").text() == "Pair with…" and action(menu, "unpair") is None
    action(menu, "pair").trigger()
    take(inside, "GEMM")
    assert pairs(inside) == [(0, "gemm-1")]
    menu = canvas.kernel_menu((ONE, COUNTED))
    assert action(menu, "unpair").text() == "Unpair from GEMM"
    action(menu, "unpair").trigger()
    assert pairs(inside) == []


# Kernels that come from elsewhere


def send(widget, event):
    QApplication.sendEvent(widget, event)
    return event.isAccepted()


def drop(port, mime, at):
    """Enter, move and let go; tell what was said before, and whether it was taken."""
    copy = Qt.DropAction.CopyAction
    assert send(port, QDragEnterEvent(at, copy, mime, LEFT, NONE))
    send(port, QDragMoveEvent(at, copy, mime, LEFT, NONE))
    words = note(port)
    return words, send(port, QDropEvent(QPointF(at), copy, mime, LEFT, NONE))


def test_a_row_of_the_table_is_dragged_onto_a_marker(inside, monkeypatch):
    dragged = []
    monkeypatch.setattr(
        changes, "start_kernel_drag", lambda _widget, kernels, name: dragged.append((kernels, name))
    )
    table = inside.panels.measured.table
    rect = table.visualRect(inside.panels.measured.model.index(BLIND, KERNEL))
    QTest.mousePress(table.viewport(), LEFT, NONE, rect.center())
    for step in (10, 25, 40):
        move(table, rect.center() + QPoint(step, -step // 4))
    QTest.mouseRelease(table.viewport(), LEFT, NONE, rect.center())
    ((kernels, name),) = dragged
    assert kernels == ((ONE, BLIND),) and name.startswith("sm90_xmma_gemm")
    port = inside.panels.canvas.view.viewport()
    words, taken = drop(port, mime_of_kernels(kernels), place_of(inside, "gemm-1"))
    assert taken and words == f"Pair with GEMM: {WHERE}, 1.41× slower"
    assert pairs(inside) == [(1, "gemm-1")]


def test_several_rows_become_pairs_of_one_entry_in_one_edit(inside):
    port, mime = inside.panels.canvas.view.viewport(), mime_of_kernels([(ONE, COUNTED), (ONE, BLIND)])
    words, taken = drop(port, mime, place_of(inside, "gemm-1"))
    assert taken and words == "Pair 2 kernels with GEMM"
    assert pairs(inside) == [(0, "gemm-1"), (1, "gemm-1")]
    inside.session.undo_stack.undo()
    assert pairs(inside) == []


def test_a_kernel_let_go_beside_every_entry_is_not_taken(inside):
    view = inside.panels.canvas.view
    empty = QPointF(*view.frame_of_data.point(3.0, 12.0)).toPoint()
    words, taken = drop(view.viewport(), mime_of_kernels([(ONE, BLIND)]), empty)
    assert not taken and "Drop it on an entry" in words and pairs(inside) == []


def test_a_drag_that_leaves_the_canvas_leaves_nothing_behind(inside):
    view = inside.panels.canvas.view
    at, mime = place_of(inside, "gemm-1"), mime_of_kernels([(ONE, BLIND)])
    send(view.viewport(), QDragEnterEvent(at, Qt.DropAction.CopyAction, mime, LEFT, NONE))
    assert view.pairs.target == "gemm-1"
    send(view.viewport(), QDragLeaveEvent())
    assert view.pairs.target == "" and note(view.viewport()) is None


def row_of(inside, id_):
    outline = inside.panels.outline
    return outline.tree.visualRect(outline.model.index_of_selection(id_)).center()


def test_a_kernel_is_let_go_on_an_entry_of_the_outline(inside):
    port = inside.panels.outline.tree.viewport()
    words, taken = drop(port, mime_of_kernels([(ONE, ADDED)]), row_of(inside, "add-1"))
    # 1.1 ms against 961.5 µs
    assert taken and words == "Pair with Add: W was counted, 1.14× slower"
    assert pairs(inside) == [(2, "add-1")]
    below = inside.panels.outline.model.index_of_selection(("measured", ONE, ADDED))
    assert inside.panels.outline.model.node(below).entry == "add-1"


def test_a_file_of_the_outline_takes_no_kernel_and_other_things_are_refused(inside):
    tree = inside.panels.outline.tree
    index = next(one for one in inside.panels.outline.model.indexes() if one.data() == "layer.csv")
    _, taken = drop(tree.viewport(), mime_of_kernels([(ONE, ADDED)]), tree.visualRect(index).center())
    assert not taken and pairs(inside) == []
    mime = QMimeData()
    mime.setText("hello")
    event = QDragEnterEvent(row_of(inside, "add-1"), Qt.DropAction.CopyAction, mime, LEFT, NONE)
    assert not send(tree.viewport(), event)


def test_a_kernel_of_the_outline_can_be_dragged_as_well(inside):
    model = inside.panels.outline.model
    index = model.index_of_selection(("measured", ONE, BLIND))
    assert model.flags(index) & Qt.ItemFlag.ItemIsDragEnabled
    assert kernels_of(model.mimeData([index])) == ((ONE, BLIND),)


def test_what_is_no_list_of_kernels_is_none():
    for text in (b"", b"{}", b"[1, 2]", b'[["a", true]]', b'[["a", "b"]]', b"\xff"):
        mime = QMimeData()
        mime.setData("application/x-rooflinestudio-kernels", text)
        assert kernels_of(mime) == ()


# By menu and dialog


def take(inside, name):
    """Choose a line of the open dialog by its name, with the keyboard alone."""
    dialog = inside.pair_wishes.dialog
    QTest.keyClicks(dialog.field, name)
    assert dialog.choice.name.startswith(name)
    QTest.keyClick(dialog.field, Qt.Key.Key_Return)


def choose_row(inside, row, held=NONE):
    table = inside.panels.measured.table
    table.setFocus()
    rect = table.visualRect(inside.panels.measured.model.index(row, KERNEL))
    QTest.mouseClick(table.viewport(), LEFT, held, rect.center())


def test_a_key_on_a_row_opens_the_suggestions_and_enter_takes_the_best(inside):
    choose_row(inside, BLIND)
    QTest.keyClick(inside.panels.measured.table, Qt.Key.Key_P)
    dialog = inside.pair_wishes.dialog
    assert dialog.choice.name == "GEMM" and "name says gemm" in dialog.choice.reason
    QTest.keyClick(dialog.field, Qt.Key.Key_Return)
    assert pairs(inside) == [(1, "gemm-1")]
    assert inside.pair_wishes.dialog is None
    model = inside.panels.measured.model
    assert (model.index(BLIND, PAIR).data(), model.index(BLIND, WORK).data()) == ("GEMM", "137.4 GFLOP*")
    QTest.keyClick(inside.panels.measured.table, Qt.Key.Key_P, Qt.KeyboardModifier.ShiftModifier)
    assert pairs(inside) == [] and model.index(BLIND, PAIR).data() == "GEMM?"


def test_the_inspector_offers_the_suggestions_as_well(inside):
    inside.session.select(("measured", ONE, BLIND))
    QTest.mouseClick(inside.panels.inspector.kernel_page.suggest, LEFT)
    take(inside, "GEMM")
    assert pairs(inside) == [(1, "gemm-1")]


def test_the_list_of_the_inspector_pairs_and_unpairs(inside):
    inside.session.select(("measured", ONE, BLIND))
    page, status = inside.panels.inspector.kernel_page, inside.frame.status.figures
    assert status.text().endswith(": no work was counted")
    page.pair.activated.emit(page.pair.findData("gemm-1"))
    assert pairs(inside) == [(1, "gemm-1")] and inside.session.undo_stack.undoText() == "Pair"
    assert status.text().endswith("achieved 701 TFLOP/s   W from GEMM")  # 137.4 GFLOP in 196 µs
    shown = {row.label(): row.value() for row in page.rows if not row.isHidden()}
    assert shown["work W, bf16-tensor"] == "137.4 GFLOP" and shown["intensity I at HBM3"] == "234 FLOP/byte"
    page.pair.activated.emit(page.pair.findData("none"))
    assert pairs(inside) == [] and inside.session.undo_stack.undoText() == "Unpair"
    assert not any(row.label().startswith("work W") for row in page.rows if not row.isHidden())


def test_the_diagnosis_offers_the_suggestions_as_well(inside):
    inside.session.select(("measured", ONE, BLIND))
    inside.wiring.show_tab("diagnosis")
    settle(inside)
    row = inside.panels.tabs["diagnosis"].view.body.questions.rows[4]
    row.set_folded(False)
    assert row.pair.isVisible()
    row.pair.click()
    take(inside, "GEMM")
    assert pairs(inside) == [(1, "gemm-1")] and row.pair.isHidden()


def test_a_file_that_is_removed_takes_its_pairs_along(inside):
    inside.session.edit("Pair", with_pairs(inside.session.study, [(ONE, BLIND)], "gemm-1"))
    inside.panels.outline.overlayRemoveRequested.emit(ONE)
    assert pairs(inside) == [] and inside.session.study.overlays == ()
    inside.session.undo_stack.undo()
    assert pairs(inside) == [(1, "gemm-1")]


def test_arrows_walk_over_headings_and_escape_changes_nothing(inside):
    dialog = inside.pair_wishes.choose([(ONE, BLIND)])
    first = dialog.choice
    QTest.keyClick(dialog.field, Qt.Key.Key_Down)
    second = dialog.choice
    assert second is not None and second is not first
    QTest.keyClick(dialog.field, Qt.Key.Key_Up)
    assert dialog.choice is first
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert inside.pair_wishes.dialog is None and pairs(inside) == []


def test_a_new_operator_is_placed_with_its_pair_in_one_edit(inside):
    dialog = inside.pair_wishes.choose([(ONE, ADDED)])
    line = next(row for row, one in enumerate(dialog.model.rows) if getattr(one, "new", None) is not None)
    dialog.list.setCurrentIndex(dialog.model.index(line))
    assert dialog.accept_button.text() == "Place and pair"
    QTest.mouseClick(dialog.accept_button, LEFT)
    study = inside.session.study
    made = study.entry("add-2")
    assert made.parameters == {"tokens": 65536} and made.dtypes == {"all": "bf16"} and made.label == "Add"
    assert pairs(inside) == [(2, "add-2")] and inside.session.selection == "add-2"
    inside.session.undo_stack.undo()
    assert not inside.session.study.has_entry("add-2") and pairs(inside) == []


def test_a_search_without_an_answer_says_so(inside):
    dialog = inside.pair_wishes.choose([(ONE, BLIND)])
    QTest.keyClicks(dialog.field, "nothing of that")
    assert dialog.pages.currentWidget() is dialog.empty and not dialog.accept_button.isEnabled()
    QTest.keyClick(dialog.field, Qt.Key.Key_Return)
    assert pairs(inside) == []


def test_the_dialog_unpairs(inside):
    inside.pair_wishes.pair([(ONE, BLIND)], "gemm-1")
    dialog = inside.pair_wishes.choose([(ONE, BLIND)])
    assert dialog.choice.is_pair and dialog.unpair.isVisible()
    QTest.mouseClick(dialog.unpair, LEFT)
    assert pairs(inside) == []


def test_for_the_selected_kernel_there_are_two_commands(inside):
    wishes = inside.pair_wishes
    wishes.choose_for_selected()
    assert wishes.dialog is None and not wishes.can_unpair  # nothing is selected
    inside.session.select(("measured", ONE, BLIND))
    wishes.choose_for_selected()
    take(inside, "GEMM")
    assert pairs(inside) == [(1, "gemm-1")] and wishes.can_unpair
    wishes.unpair_selected()
    assert pairs(inside) == []


def test_an_entry_offers_the_kernels_that_it_may_be(inside):
    outline = inside.panels.outline
    menu = outline.context_menu(outline.model.node(outline.model.index_of_selection("add-1")))
    fitting = next(
        one.menu() for one in menu.actions() if one.menu() and one.menu().objectName() == "pairing.kernels"
    )
    fitting.aboutToShow.emit()
    (action,) = fitting.actions()
    assert action.text() == "vectorized_elementwise_kernel" and "name says add" in action.toolTip()
    action.trigger()
    assert pairs(inside) == [(2, "add-1")]
    menu.deleteLater()


def test_a_pair_that_cannot_be_is_told_and_changes_nothing(inside):
    inside.pair_wishes.pair([("f" * 64, 0)], "gemm-1")
    assert pairs(inside) == []
    assert "not in the study" in str(inside.notices.notices[-1])


# What lasts


def test_a_pair_is_there_again_when_the_study_is_opened_anew(inside, tmp_path):
    inside.pair_wishes.pair([(ONE, BLIND)], "gemm-1")
    path = tmp_path / "a.roofline.yaml"
    save_study(inside.session.study, path)
    inside.session.open(load_study(path))
    settle(inside)
    assert inside.session.study.pairs[0].entry == "gemm-1"
    scene = inside.panels.canvas.view.shown_scene
    marker = next(one for one in scene.markers if one.key == ("measured", ONE, BLIND))
    assert marker.lent and marker.slot == 0
    assert [one.entry for one in scene.segments] == ["gemm-1"]


def test_the_selected_pair_tells_all_three_ratios_and_the_others_that_of_time(inside):
    inside.pair_wishes.pair([(ONE, COUNTED), (ONE, BLIND)], "gemm-1")
    inside.session.select(("measured", ONE, BLIND))
    settle(inside)
    texts = {one.key: one.lines for one in inside.panels.canvas.view.picture.texts}
    assert [words for words, _, _ in texts["ratio", ("measured", ONE, BLIND)]] == [
        "measured 1.41× slower", "Q 1.42× · headroom 1.12×", WHERE
    ]  # fmt: skip
    assert [words for words, _, _ in texts["ratio", ("measured", ONE, COUNTED)]] == ["measured 2.88× slower"]


def test_the_inspector_tells_the_ratios_of_the_pair(inside):
    inside.pair_wishes.pair([(ONE, BLIND)], "gemm-1")
    inside.session.select(("measured", ONE, BLIND))
    page = inside.panels.inspector.kernel_page
    assert page.ratio.value() == "1.41× slower"
    assert (page.traffic_ratio.value(), page.headroom_ratio.value()) == ("1.42×", "1.12×")
    assert page.lent.text().startswith(WHERE) and page.forecast_ratio.isHidden()


def ratio_lines(inside):
    texts = inside.panels.canvas.view.picture.texts
    return {one.key[1][2]: [words for words, _, _ in one.lines] for one in texts if one.key[0] == "ratio"}


def test_of_an_entry_with_few_kernels_each_tells_all_and_of_one_with_many_none_does(inside):
    inside.pair_wishes.pair([(ONE, COUNTED), (ONE, BLIND)], "gemm-1")
    inside.session.select("gemm-1")
    settle(inside)
    assert [len(lines) for lines in ratio_lines(inside).values()] == [2, 3]  # one of them has its own W
    many = study_with(*(product(launch, time=196e-6 * (1 + launch)) for launch in range(4)))
    inside.session.open(with_pairs(many, [(ONE, launch) for launch in range(4)], "gemm-1"))
    inside.session.select("gemm-1")
    settle(inside)
    assert ratio_lines(inside)[3] == ["measured 5.64× slower"] and all(
        len(lines) == 1 for lines in ratio_lines(inside).values()
    )
