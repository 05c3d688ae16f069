from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QApplication,
    QComboBox,
    QDialog,
    QLineEdit,
    QMessageBox,
    QScrollBar,
)

from rooflinestudio.core.hardware import Figure
from rooflinestudio.core.study_files import save_study
from rooflinestudio.ui.action_table import ACTIONS, Key
from rooflinestudio.ui.frame import CANVAS_LEAST_PX, Frame
from rooflinestudio.ui.furnishing import Furnishing
from rooflinestudio.ui.main_window import MainWindow
from rooflinestudio.ui.no_plugins import NoPlugins
from rooflinestudio.ui.session import Session
from rooflinestudio.ui.settings import SettingsStore
from rooflinestudio.ui.skeleton import plan
from rooflinestudio.ui.theme import DARK, LIGHT, ThemeSwitch
from tests.ui.shell_helpers import A100, H100, NCU_LONG, Answers, gemm, registry, study


@pytest.fixture(scope="module")
def furnished(qapp, tmp_path_factory):
    """A furnished window; making one takes longer than most tests, so that they share it."""
    window = MainWindow(SettingsStore(tmp_path_factory.mktemp("user") / "settings.json"), "light")
    frame = Frame(window, ThemeSwitch(LIGHT, window))
    session = Session(NoPlugins())
    inside = Furnishing(frame, session, asker=Answers())
    inside.wiring.take_registry(registry())
    inside.add_canvas()
    inside.add_rest()
    window.show()
    yield inside
    window.close_at_once()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.fixture
def inside(furnished, qapp):
    """The window around two products on two machines, the first one selected; everything at its place."""
    furnished.session.open(study(gemm(), gemm("gemm-2", m=1, label="GEMV"), machines=(H100, A100)))
    furnished.session.select("gemm-1")
    furnished.session.select_machine(H100)
    furnished.asker.__init__()
    furnished.notices.clear()
    furnished.window.resize(1600, 1000)
    furnished.frame.reset_layout()
    furnished.frame.tabs.setCurrentIndex(0)
    furnished.window.activateWindow()
    QCoreApplication.processEvents()
    assert furnished.window.isActiveWindow()
    yield furnished
    if furnished.frame.themes.theme is DARK:
        furnished.frame.actions[Key.TOGGLE_THEME].trigger()


def trigger(inside, key):
    inside.frame.actions[key].trigger()


# Actions ------------------------------------------------------------------------------------------------------------


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)  # pop-ups offscreen
@pytest.mark.parametrize("info", ACTIONS, ids=lambda info: info.key.value)
def test_every_action_is_at_most_one_edit_which_can_be_undone(inside, info):
    if info.key is Key.CLOSE:
        pytest.skip("closes the window; tests/e2e closes it")
    inside.session.set_parameter("gemm-1", "m", 512)
    inside.session.undo_stack.undo()  # something to redo
    inside.session.set_parameter("gemm-2", "n", 512)
    before, steps = inside.session.study, inside.session.undo_stack.count()
    action = inside.frame.actions[info.key]
    if not action.isEnabled():
        # Everything else can be done now: the machine has no measured figures, and no kernel is selected.
        assert info.key in (Key.REDO, Key.BOTH_ROOFS, Key.PAIR, Key.UNPAIR)
        return

    action.trigger()
    QCoreApplication.processEvents()

    after = inside.session.study
    if info.key not in (Key.UNDO, Key.NEW):
        assert inside.session.undo_stack.count() - steps == (after != before)
        if after != before:
            inside.session.undo_stack.undo()
            assert inside.session.study == before
    for dialog in inside.window.findChildren(QDialog):
        dialog.close()
    while (popup := QApplication.activePopupWidget()) is not None:
        popup.close()
    inside.panels.machines.list.hide()


@pytest.mark.parametrize("policy", ["compulsory", "tiled", "modelled"])
def test_policies_are_chosen_by_action_and_shown_checked(inside, policy):
    trigger(inside, Key(f"study.policy_{policy}"))

    assert inside.session.study.view.policy == policy
    checked = {
        key for key in Key if key.startswith("study.policy_") and inside.frame.actions[key].isChecked()
    }
    assert checked == {f"study.policy_{policy}"}
    assert inside.panels.view_bar.policy.value() == policy


def test_boundaries_are_walked_outward_and_inward(inside):
    trigger(inside, Key.NEXT_BOUNDARY)
    outer = inside.session.study.view.boundary
    trigger(inside, Key.PREVIOUS_BOUNDARY)
    trigger(inside, Key.PREVIOUS_BOUNDARY)

    assert outer == "nvlink"
    assert inside.session.study.view.boundary == "l2"


def test_machines_are_walked_around(inside):
    trigger(inside, Key.NEXT_MACHINE)
    assert inside.session.machine == A100
    trigger(inside, Key.NEXT_MACHINE)
    assert inside.session.machine == H100


def test_undo_says_what_it_takes_back(inside):
    inside.session.set_parameter("gemm-1", "m", 512)

    assert inside.frame.actions[Key.UNDO].text() == "Undo: Change m"
    inside.session.undo_stack.undo()
    assert inside.frame.actions[Key.UNDO].text() == "Undo"
    assert not inside.frame.actions[Key.UNDO].isEnabled()
    assert inside.frame.actions[Key.REDO].text() == "Redo: Change m"


def test_ctrl_z_in_a_field_of_the_inspector_undoes_the_study(inside, qtbot):
    inside.session.set_parameter("gemm-1", "m", 512)
    field = next(one for one in inside.panels.inspector.findChildren(QLineEdit, "param.m") if one.isVisible())
    inside.window.activateWindow()
    field.setFocus()
    assert QApplication.focusWidget() is field

    qtbot.keyClick(field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)

    assert inside.session.study.entry("gemm-1").parameters["m"] == 4096


@pytest.mark.parametrize("name", ["palette", "outline", "inspector", "tabs"])
def test_docks_are_hidden_and_shown_by_action(inside, name):
    key = {
        "palette": Key.SHOW_OPERATORS,
        "outline": Key.SHOW_OUTLINE,
        "inspector": Key.SHOW_INSPECTOR,
        "tabs": Key.SHOW_TABS,
    }
    dock = getattr(inside.frame.docks, name)

    trigger(inside, key[name])
    assert dock.isHidden()
    assert not inside.frame.actions[key[name]].isChecked()
    trigger(inside, key[name])
    assert not dock.isHidden()
    assert inside.frame.actions[key[name]].isChecked()


def test_to_hide_the_tabs_gives_the_centre_back(inside):
    trigger(inside, Key.FILL_CENTRE)
    assert inside.frame.tabs.fills_centre and not inside.panels.canvas.isVisible()

    trigger(inside, Key.SHOW_TABS)
    assert inside.frame.docks.tabs.isHidden() and inside.panels.canvas.isVisible()
    trigger(inside, Key.SHOW_TABS)
    assert inside.frame.docks.tabs.widget() is inside.frame.tabs and not inside.frame.docks.tabs.isHidden()


def test_the_theme_changes_everywhere_and_is_remembered(inside):
    trigger(inside, Key.TOGGLE_THEME)

    assert inside.frame.themes.theme is DARK
    assert inside.panels.canvas.view.theme is DARK
    assert inside.window.settings.settings.theme == "dark"
    image = inside.window.grab().toImage()
    assert image.pixelColor(4, image.height() - 4).name().upper() == DARK.qcolor("window").name().upper()
    trigger(inside, Key.TOGGLE_THEME)
    assert inside.frame.themes.theme is LIGHT


def test_the_command_palette_places_operators_and_runs_actions(inside, qtbot):
    trigger(inside, Key.FIND_ACTION)
    qtbot.keyClicks(inside.command_palette.field, "rmsn")
    qtbot.keyClick(inside.command_palette.field, Qt.Key.Key_Return)
    assert inside.session.study.entries[-1].operator == "rmsnorm"

    trigger(inside, Key.FIND_ACTION)
    qtbot.keyClicks(inside.command_palette.field, "undo")
    qtbot.keyClick(inside.command_palette.field, Qt.Key.Key_Return)
    assert len(inside.session.study.entries) == 2


def test_the_keyboard_page_lists_every_action_and_finds_some(inside):
    trigger(inside, Key.KEYBOARD)
    page = inside.window.findChild(QDialog, "keyboard_page")
    assert page.shown() == [one.title for one in ACTIONS]

    page.field.setText("ctrl+d")
    assert page.shown() == ["Duplicate as variant"]
    page.close()


def test_about_names_the_version(inside):
    trigger(inside, Key.ABOUT)
    box = inside.window.findChild(QMessageBox)

    assert box.text().startswith("Roofline Studio 0.")
    box.close()


# Room ---------------------------------------------------------------------------------------------------------------


def resized(inside, qtbot, width, height):
    inside.window.resize(width, height)
    for _ in range(3):  # the extent changes, then the docks, then the canvas
        QCoreApplication.processEvents()
    return inside.frame.docks


@pytest.mark.parametrize(
    ("size", "left", "right", "bottom"), [((1600, 1000), 264, 332, 256), ((1280, 800), 216, 284, 172)]
)
def test_docks_have_their_sizes_at_both_widths(inside, qtbot, size, left, right, bottom):
    resized(inside, qtbot, 1281, 801)
    docks = resized(inside, qtbot, *size)

    assert (docks.palette.width(), docks.outline.width()) == (left, left)
    assert docks.inspector.width() == right
    assert docks.tabs.height() == bottom
    canvas = inside.panels.canvas
    assert (canvas.width(), canvas.height()) >= CANVAS_LEAST_PX


def test_the_plan_of_the_first_paint_is_the_layout_that_follows(inside, qtbot):
    for size in ((1600, 1000), (1280, 800)):
        docks = resized(inside, qtbot, *size)
        areas = [one[1:] for one in plan(*size)]
        for dock in (docks.palette, docks.inspector, docks.tabs):
            corner = dock.mapTo(inside.window, dock.rect().topLeft())
            assert any(abs(x - corner.x()) <= 2 and abs(y - corner.y()) <= 2 for x, y, _, _ in areas), (
                dock.objectName()
            )


def test_a_narrow_window_puts_the_inspector_behind_the_palette(inside, qtbot):
    docks = resized(inside, qtbot, 1000, 700)
    assert docks.inspector in inside.window.tabifiedDockWidgets(docks.palette)

    docks = resized(inside, qtbot, 1600, 1000)
    assert inside.window.tabifiedDockWidgets(docks.palette) == []
    assert inside.window.dockWidgetArea(docks.inspector) == Qt.DockWidgetArea.RightDockWidgetArea


def test_the_bars_give_way_in_a_small_window(inside, qtbot):
    resized(inside, qtbot, 1280, 800)
    assert inside.panels.view_bar.policy.isHidden()
    assert inside.frame.top.name.isHidden()

    resized(inside, qtbot, 1600, 1000)
    assert not inside.panels.view_bar.policy.isHidden()
    assert not inside.frame.top.name.isHidden()


@pytest.mark.parametrize("width", [1600, 1440, 1280, 1070])
def test_nothing_in_the_bars_is_cut_off(inside, qtbot, width):
    resized(inside, qtbot, width, 900)

    for part in inside.frame.top.findChildren(QAbstractButton) + inside.frame.top.findChildren(QComboBox):
        if part.isVisible():
            right = part.mapTo(inside.window, part.rect().topRight()).x()
            assert right < width, part.accessibleName()
            assert part.width() >= part.minimumSizeHint().width(), part.accessibleName()


def test_a_double_click_on_a_tab_fills_the_centre_and_gives_it_back(inside):
    docks = inside.frame.docks
    widths = docks.palette.width(), docks.inspector.width()

    inside.frame.tabs.tabBarDoubleClicked.emit(0)
    QApplication.processEvents()
    assert not inside.panels.canvas.isVisible() and inside.frame.tabs.isVisible()
    assert inside.frame.tabs.height() > 500 and docks.tabs.isHidden()
    assert (docks.palette.width(), docks.inspector.width()) == widths

    inside.frame.tabs.tabBarDoubleClicked.emit(0)
    QApplication.processEvents()
    assert inside.panels.canvas.isVisible() and docks.tabs.isVisible()
    assert docks.tabs.widget() is inside.frame.tabs
    assert (docks.palette.width(), docks.inspector.width()) == widths


# Files --------------------------------------------------------------------------------------------------------------


def drop(inside, *urls):
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(one)) if not isinstance(one, QUrl) else one for one in urls])
    at, actions = QPointF(30, 300), Qt.DropAction.CopyAction
    left, no_keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(at.toPoint(), actions, mime, left, no_keys)
    QApplication.sendEvent(inside.window, enter)
    event = QDropEvent(at, actions, mime, left, no_keys)
    QApplication.sendEvent(inside.window, event)
    return enter.isAccepted()


def test_a_dropped_study_is_opened_and_measurements_dropped_with_it_are_laid_over(inside, qtbot, tmp_path):
    save_study(study(gemm(m=8)), tmp_path / "a.study")
    (tmp_path / "saxpy.csv").write_text(NCU_LONG)

    assert drop(inside, tmp_path / "saxpy.csv", tmp_path / "a.study")
    qtbot.waitUntil(lambda: bool(inside.session.study.overlays), timeout=20_000)

    assert inside.session.study.entry("gemm-1").parameters["m"] == 8


def test_a_link_to_the_web_is_refused_with_a_word(inside):
    drop(inside, QUrl("https://example.org/a.csv"))

    assert [one.title for one in inside.notices.notices] == ["Only files of this computer can be dropped"]


def test_the_title_tells_name_and_edits(inside):
    assert inside.window.windowTitle() == "Untitled study[*] – Roofline Studio"

    inside.session.set_parameter("gemm-1", "m", 512)
    assert inside.window.isWindowModified()
    assert inside.frame.top.edited.text() == "edited"
    inside.session.mark_saved("/studies/layer.study")
    assert inside.window.windowTitle() == "layer.study[*] – Roofline Studio"
    assert inside.frame.top.edited.text() == ""
    assert inside.frame.status.saved.text() == "saved"


# Views and session, both ways ---------------------------------------------------------------------------------------


def test_the_status_bar_follows_the_selection(inside):
    inside.session.select("gemm-2")
    assert inside.frame.status.figures.text().startswith("I 0.99")

    inside.session.select(None)
    assert inside.frame.status.figures.text() == "Ready"


WISHES = {
    "rename": lambda p: p.outline.renameRequested.emit("gemm-1", "Mine"),
    "hide": lambda p: p.outline.visibilityRequested.emit(("gemm-1", "gemm-2"), False),
    "colour": lambda p: p.outline.colourRequested.emit("gemm-1", 5),
    "own colour": lambda p: p.outline.colourRequested.emit("gemm-1", "#aa5500"),
    "group": lambda p: p.outline.groupRequested.emit(("gemm-1", "gemm-2"), "Layer"),
    "remove": lambda p: p.outline.removeRequested.emit(("gemm-1",)),
    "duplicate": lambda p: p.outline.duplicateRequested.emit("gemm-1"),
    "parameter": lambda p: p.inspector.parameterRequested.emit("gemm-1", "m", 512, False),
    "formats": lambda p: p.inspector.dtypesRequested.emit("gemm-1", {"all": "fp8"}),
    "setting": lambda p: p.inspector.settingRequested.emit("gemm-1", "policy", "tiled", False),
    "view": lambda p: p.view_bar.viewRequested.emit("Change overlap", "overlap", 0.5, False),
    "place": lambda p: p.palette.placeRequested.emit("rmsnorm"),
    "drop": lambda p: p.canvas.placeRequested.emit("rmsnorm"),
    "take a machine out": lambda p: p.machines.removeRequested.emit(A100),
}


@pytest.mark.parametrize("wish", WISHES.values(), ids=WISHES.keys())
def test_every_wish_of_a_view_is_one_edit_which_can_be_undone(inside, wish):
    before = inside.session.study

    wish(inside.panels)

    after = inside.session.study
    assert after != before
    assert inside.session.undo_stack.count() == 1
    inside.session.undo_stack.undo()
    assert inside.session.study == before
    inside.session.undo_stack.redo()
    assert inside.session.study == after


def test_a_drag_of_a_slider_is_one_step_back(inside):
    for share in (0.9, 0.8, 0.7):
        inside.panels.view_bar.viewRequested.emit("Change overlap", "overlap", share, True)
    inside.panels.view_bar.gestureEnded.emit()

    assert inside.session.undo_stack.count() == 1
    assert inside.session.study.view.overlap == 0.7


def test_an_operator_that_is_not_there_is_told_and_changes_nothing(inside):
    before = inside.session.study

    inside.panels.canvas.placeRequested.emit("acme.nothing")

    assert inside.session.study is before
    assert [one.title for one in inside.notices.notices] == ["The operator was not placed"]


def test_a_dragged_operator_shows_where_it_would_land_before_it_is_dropped(inside):
    before = inside.session.study

    inside.panels.canvas.view.previewRequested.emit("rmsnorm")
    preview = inside.panels.canvas.view.highlight.preview
    inside.panels.canvas.view.previewRequested.emit("")

    # 5 FLOP for an element that is read and written in 2 bytes each: I = 1.25.
    assert preview.name == "RMSNorm"
    assert preview.log_x == pytest.approx(0.0969, abs=1e-3)
    assert inside.panels.canvas.view.highlight.preview is None
    assert inside.session.study is before


def test_an_operator_without_work_says_so_while_it_is_dragged(inside):
    inside.panels.canvas.view.previewRequested.emit("cast")

    preview = inside.panels.canvas.view.highlight.preview
    assert preview.log_x is None
    assert "TB/s" in preview.detail


def test_selecting_on_the_canvas_selects_in_outline_and_inspector(inside):
    inside.panels.canvas.view.selectionRequested.emit("gemm-2")

    assert inside.session.selection == "gemm-2"
    node = inside.panels.outline.tree.node_at(inside.panels.outline.tree.currentIndex())
    assert node.id == "gemm-2"


def test_everything_that_can_be_used_has_a_name_for_those_who_do_not_see_it(inside):
    kinds = (QAbstractButton, QLineEdit, QComboBox, QAbstractSlider, QAbstractItemView)
    nameless = [
        f"{type(one).__name__} {one.objectName()!r} in {type(one.parent()).__name__}"
        for kind in kinds
        for one in inside.window.findChildren(kind)
        if one.isVisible()
        and not isinstance(one, QScrollBar)
        and not (one.accessibleName() or getattr(one, "text", lambda: "")())
        and not isinstance(one.parent(), QLineEdit)  # the magnifier, which does nothing
        and not one.objectName().startswith("qt_")
    ]

    assert nameless == []


def test_both_roofs_are_drawn_and_left_by_action_and_the_study_remembers(inside):
    profile = inside.session.placed.profiles[inside.session.machine]
    reference = profile.ceilings[profile.reference_ceiling]
    seen = replace(reference, measured=Figure(0.8 * reference.flop_per_s, "measured"))
    known = replace(profile, ceilings={**profile.ceilings, reference.id: seen})
    inside.session.edit("Measure", inside.session.study.with_profile(known))
    action = inside.frame.actions[Key.BOTH_ROOFS]
    assert (action.isEnabled(), action.isChecked()) == (True, False)

    action.trigger()
    assert inside.session.study.panels["canvas"] == {"roofs": "both"}
    assert action.isChecked()

    action.trigger()
    assert inside.session.study.panels["canvas"] == {"roofs": "used"}
    assert not action.isChecked()

    inside.session.undo_stack.undo()
    assert action.isChecked()
