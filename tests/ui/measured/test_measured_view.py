from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester

from rooflinestudio.core.measured.panel import hidden_kernels, kernel_slots, measured_panel
from rooflinestudio.core.measured.table import TableMaker
from rooflinestudio.core.measured.words import HEADS
from rooflinestudio.core.study import Study
from rooflinestudio.ui.measured.columns import columns_with_room
from rooflinestudio.ui.measured.model import (
    ACHIEVED,
    BOUND,
    DEVICE,
    FILE,
    GRID,
    INTENSITY,
    KERNEL,
    LAUNCH,
    NOTE,
    PIPE,
    SHARE,
    TIME,
    TRAFFIC,
    WORK,
    MeasuredModel,
)
from rooflinestudio.ui.measured.view import MeasuredView
from rooflinestudio.ui.session import Session
from rooflinestudio.ui.widgets.cells import CELL, BarCell
from tests.core.measured_files import file_of, large_file, study_of
from tests.ui.widgets.studies import (
    A100,
    example,
    long_name,
    measurement,
    overlay,
    placed,
    registry,
    with_overlay,
)

DIGEST, OTHER, GROUPED = "a" * 64, "c" * 64, "d" * 64
GEMV = "gemv2T_kernel_val<int, int, __nv_bfloat16, float>"


@pytest.fixture
def session(qapp):
    return Session(registry(), with_overlay(example()))


@pytest.fixture
def view(qtbot, session):
    made = MeasuredView()
    qtbot.addWidget(made)
    made.heard = []
    wire(made, session)
    made.resize(1004, 260)
    made.show()
    qtbot.waitExposed(made)
    return made


def wire(view, session):
    """What the window does with the wishes of a view."""
    session.studyChanged.connect(lambda _: view.set_placed(session.placed))
    session.selectionChanged.connect(view.set_selection)
    view.selectRequested.connect(view.heard.append)
    view.selectRequested.connect(session.select)
    view.panelRequested.connect(
        lambda text, panel, changes, dragging: session.change_panel(text, panel, changes, dragging=dragging)
    )
    view.gestureEnded.connect(session.end_gesture)
    view.set_placed(session.placed)


def texts(view, column):
    return [str(view.model.index(row, column).data()) for row in range(view.model.rowCount())]


def settings(session):
    return measured_panel(session.study)


def click_head(view, qtbot, column):
    head = view.table.horizontalHeader()
    x = head.sectionViewportPosition(column) + 10
    qtbot.mouseClick(head.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(x, 10))


def click_row(view, qtbot, row, modifier=Qt.KeyboardModifier.NoModifier, *, dx=80):
    rect = view.table.visualRect(view.model.index(row, KERNEL))
    point = QPoint(rect.left() + dx, rect.center().y())
    qtbot.mouseClick(view.table.viewport(), Qt.MouseButton.LeftButton, modifier, pos=point)


def type_filter(view, qtbot, text):
    view.corner.filter.setFocus()
    qtbot.keyClicks(view.corner.filter, text)
    view.corner.filter.flush()


def command(view, text):
    return next(one for one in (*view.menu.actions(), *view.menu.colours.actions()) if one.text() == text)


# What it shows


def test_each_kernel_is_a_row_with_its_figures(view):
    assert view.model.index(0, KERNEL).data() == long_name
    # 137.4 GFLOP / 196 µs; / 588 MB; 196 of 272 µs
    columns = (LAUNCH, GRID, TIME, SHARE, WORK, TRAFFIC, ACHIEVED, INTENSITY, PIPE, DEVICE)
    assert [view.model.index(0, column).data() for column in columns] == [
        "0", "32 × 32 × 1", "196.0 µs", "72%", "137.4 GFLOP", "588.0 MB", "701 TFLOP/s", "234", "bf16-tensor",
        "NVIDIA H100 80GB HBM3",
    ]  # fmt: skip


def test_a_kernel_is_held_against_the_chosen_machine(view, session):
    cell = view.model.index(0, BOUND).data(CELL)
    assert isinstance(cell, BarCell) and (cell.kind, cell.text) == ("memory", "90%")  # 701 of 234 × 3.35 TB/s
    session.edit("Show A100", with_overlay(example(machines=(A100,))))
    view.set_machine(A100)
    assert view.model.index(0, BOUND).data(CELL).text.endswith("above it")  # 701 against 312 TFLOP/s


def test_what_was_not_measured_is_a_dash_and_the_reason_stands_beside(view):
    assert view.model.index(1, ACHIEVED).data() == "–"
    assert view.model.index(1, NOTE).data() == "No FLOP counter was collected."
    assert view.model.index(1, NOTE).data(CELL).token == "warn"
    assert view.model.index(0, NOTE).data() == ""


def test_a_kernel_wears_the_colour_of_its_entry(view):
    cells = [view.model.index(row, KERNEL).data(CELL) for row in range(3)]
    assert [(cell.shape, cell.slot) for cell in cells] == [("diamond", 0), ("diamond", ""), ("diamond", "")]


def test_a_long_name_is_shortened_in_the_middle_and_whole_in_the_tool_tip(view):
    cell = view.model.index(0, KERNEL).data(CELL)
    assert cell.mode == Qt.TextElideMode.ElideMiddle
    assert view.model.index(0, KERNEL).data(Qt.ItemDataRole.ToolTipRole) == long_name


def test_files_stand_one_below_the_other_with_their_names_and_sums(view):
    assert view.table.isColumnHidden(FILE)
    study = with_overlay(with_overlay(example()), measurement(0, "other"), digest=OTHER, name="other.csv")
    view.set_placed(placed(study))
    assert view.model.rowCount() == 4
    found, index = view.model.place_of(3)
    assert (found.name, index) == ("other.csv", 0)
    assert not view.table.isColumnHidden(FILE)
    assert texts(view, FILE) == ["layer.csv"] * 3 + ["other.csv"]
    assert "other.csv: 1 kernel, Σt 196.0 µs" in view.footer.words.text()


def test_without_a_file_it_says_how_to_get_one(view):
    view.set_placed(placed(Study()))
    assert view._empty.isVisible()
    assert "Ctrl+I" in view._empty.texts()[1]
    assert not view.corner.filter.isEnabled()


def test_the_same_files_again_reset_nothing(view):
    resets = []
    view.model.modelReset.connect(lambda: resets.append(True))
    view.set_placed(placed(with_overlay(example(), paired=False)))
    assert resets == []
    assert view.model.index(0, KERNEL).data(CELL).slot == ""


def test_while_nobody_looks_nothing_is_made(qtbot):
    view = MeasuredView()
    qtbot.addWidget(view)
    view.set_placed(placed(with_overlay(example())))
    assert view.model.rowCount() == 0
    view.show()
    assert view.model.rowCount() == 3


# Sorting


def test_a_head_sorts_down_then_up_then_as_in_the_file(view, session, qtbot):
    click_head(view, qtbot, TIME)
    assert texts(view, TIME) == ["196.0 µs", "71.00 µs", "5.000 µs"]
    assert (settings(session).sort, settings(session).descending) == ("time", True)
    click_head(view, qtbot, TIME)
    assert texts(view, TIME) == ["5.000 µs", "71.00 µs", "196.0 µs"]
    click_head(view, qtbot, TIME)
    assert texts(view, TIME) == ["196.0 µs", "71.00 µs", "5.000 µs"]
    assert "measured" not in session.study.panels


def test_names_sort_from_a_first_and_undo_takes_it_back(view, session, qtbot):
    click_head(view, qtbot, KERNEL)
    assert [text[:4] for text in texts(view, KERNEL)] == ["copy", "void", "gemv"]  # copy, cutlass, gemv
    session.undo_stack.undo()
    assert [text[:4] for text in texts(view, KERNEL)] == ["void", "gemv", "copy"]
    assert not view.table.horizontalHeader().isSortIndicatorShown()


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("column", ["achieved", "intensity", "pipe", "note"])
def test_what_is_absent_stays_last(view, session, column, descending):
    session.change_panel("Sort", "measured", {"sort": column, "descending": descending})
    at = {"achieved": ACHIEVED, "intensity": INTENSITY, "pipe": PIPE, "note": NOTE}[column]
    shown = [text in ("–", "") for text in texts(view, at)]
    assert shown == sorted(shown)


def test_sorting_keeps_the_selection_on_its_kernel(view, session, qtbot):
    session.select(("measured", DIGEST, 2))
    click_head(view, qtbot, TIME)
    click_head(view, qtbot, TIME)
    assert view.table.chosen_row() == 0
    session.select(("measured", DIGEST, 0))
    assert view.table.chosen_row() == 2
    assert view.heard == []


# The filter


def test_typing_filters_by_regular_expression_and_is_one_step_of_undo(view, session, qtbot):
    view.corner.filter.setFocus()
    for part in ("g", "em[mv]|", "copy"):
        type_filter(view, qtbot, part)
    assert settings(session).filter == "gem[mv]|copy"
    assert texts(view, KERNEL)[1:] == [GEMV, "copy"]
    assert texts(view, KERNEL)[0] == long_name  # s16816gemm
    session.undo_stack.undo()
    assert settings(session).filter == ""
    assert view.corner.filter.text() == ""


def test_a_filter_holds_soon_after_the_last_key(view, session, qtbot):
    qtbot.keyClicks(view.corner.filter, "copy")
    qtbot.waitUntil(lambda: settings(session).filter == "copy")
    assert view.model.rowCount() == 1


def test_a_bad_expression_is_outlined_and_nothing_is_lost(view, session, qtbot):
    type_filter(view, qtbot, "copy")
    type_filter(view, qtbot, "[")
    field = view.corner.filter
    assert field.property("state") == "error" and "regular expression" in field.toolTip()
    assert "regular expression" in view.footer.words.text()
    assert (settings(session).filter, texts(view, KERNEL), field.text()) == ("copy", ["copy"], "copy[")
    click_head(view, qtbot, TIME)  # another edit takes neither the text nor the outline away
    assert (field.text(), field.property("state")) == ("copy[", "error")
    type_filter(view, qtbot, "x]")
    assert not field.property("state")
    assert settings(session).filter == "copy[x]"


def test_slash_goes_to_the_filter_enter_selects_and_escape_clears(view, session, qtbot):
    view.activateWindow()
    view.table.setFocus()
    qtbot.keyClick(view.table, Qt.Key.Key_Slash)
    assert view.focusWidget() is view.corner.filter
    qtbot.keyClicks(view.corner.filter, "gemv")
    qtbot.keyClick(view.corner.filter, Qt.Key.Key_Return)
    assert view.focusWidget() is view.table
    assert session.selection == ("measured", DIGEST, 1)
    qtbot.keyClick(view.table, Qt.Key.Key_Escape)
    assert settings(session).filter == ""
    assert view.model.rowCount() == 3
    assert view.table.chosen_row() == 1


def test_escape_in_the_filter_clears_it_and_then_goes_back(view, session, qtbot):
    type_filter(view, qtbot, "gemv")
    qtbot.keyClick(view.corner.filter, Qt.Key.Key_Escape)
    assert (settings(session).filter, view.corner.filter.text()) == ("", "")
    qtbot.keyClick(view.corner.filter, Qt.Key.Key_Escape)
    assert view.focusWidget() is view.table


def test_a_filter_that_leaves_nothing_says_so_and_can_be_lifted(view, session, qtbot):
    type_filter(view, qtbot, "nobody")
    assert view.list_all.isVisible() and not view.table.isVisible()
    qtbot.mouseClick(view.list_all, Qt.MouseButton.LeftButton)
    assert settings(session).filter == "" and view.model.rowCount() == 3
    assert view.table.isVisible()


# Groups


@pytest.fixture
def grouped(view, session, qtbot):
    twice = (measurement(0, "b"), measurement(1, "a", time_s=1e-6), measurement(2, "b", grid=(1, 1, 1)))
    session.edit("Import", with_overlay(example(), *twice, paired=False, digest=GROUPED))
    view.corner.groups.chosen.emit("kernel")
    return view


def test_kernels_of_one_name_become_one_line(grouped, session):
    assert settings(session).group == "kernel"
    assert list(zip(texts(grouped, KERNEL), texts(grouped, LAUNCH), texts(grouped, TIME), strict=True)) == [
        ("b", "2", "392.0 µs"), ("a", "1", "1.000 µs"),
    ]  # fmt: skip
    assert grouped.model.headerData(TIME, Qt.Orientation.Horizontal) == "Σ time"
    grouped.corner.groups.chosen.emit("launch")
    assert texts(grouped, GRID) == ["32 × 32 × 1", "32 × 32 × 1", "1 × 1 × 1"]
    grouped.corner.groups.chosen.emit("single")
    assert "measured" not in session.study.panels


def test_a_group_opens_and_closes_by_mouse_and_key(grouped, session, qtbot):
    click_row(grouped, qtbot, 0, dx=18)
    assert texts(grouped, KERNEL) == ["b", "b", "b", "a"]
    assert grouped.table.chosen_row() == 0
    assert grouped.model.index(0, KERNEL).data(CELL).chevron == "open"
    qtbot.keyClick(grouped.table, Qt.Key.Key_Left)
    assert texts(grouped, KERNEL) == ["b", "a"]
    qtbot.keyClick(grouped.table, Qt.Key.Key_Left)
    assert texts(grouped, KERNEL) == ["b", "a"]
    qtbot.keyClick(grouped.table, Qt.Key.Key_Return)
    assert texts(grouped, KERNEL) == ["b", "b", "b", "a"]
    click_row(grouped, qtbot, 2)
    assert session.selection == ("measured", GROUPED, 2)


def test_left_goes_from_a_kernel_to_its_group_and_closes_it(grouped, session, qtbot):
    grouped.table.toggled.emit(0)
    click_row(grouped, qtbot, 2)
    qtbot.keyClick(grouped.table, Qt.Key.Key_Left)
    assert grouped.table.chosen_row() == 0
    qtbot.keyClick(grouped.table, Qt.Key.Key_Left)
    assert texts(grouped, KERNEL) == ["b", "a"]
    assert session.selection == ("measured", GROUPED, 2)


def test_a_group_that_is_chosen_selects_nothing_in_the_study(grouped, session, qtbot):
    session.select("gemm-1")
    click_row(grouped, qtbot, 0)
    assert session.selection == "gemm-1"
    assert grouped.table.chosen_row() == 0
    session.change_panel("Sort", "measured", {"sort": "time"})
    assert grouped.table.chosen_row() == 1


def test_a_kernel_in_a_closed_group_marks_the_group(grouped, session):
    session.select(("measured", GROUPED, 2))
    assert grouped.table.chosen_row() == 0
    grouped.table.toggled.emit(0)
    assert grouped.table.is_chosen(0) or grouped.table.chosen_row() == 2


# Hide and colour


def test_chosen_kernels_are_hidden_and_shown_again(view, session, qtbot):
    click_row(view, qtbot, 0)
    click_row(view, qtbot, 2, Qt.KeyboardModifier.ControlModifier)
    assert view.table.chosen_rows().tolist() == [0, 2]
    assert session.selection == ("measured", DIGEST, 2)
    qtbot.keyClick(view.table, Qt.Key.Key_H)
    (file,) = session.study.overlays
    assert hidden_kernels(settings(session), file).tolist() == [True, False, True]
    assert texts(view, KERNEL) == [GEMV]
    assert session.undo_stack.undoText() == "Hide 2 kernels"
    qtbot.mouseClick(view.footer.show_all, Qt.MouseButton.LeftButton)
    assert view.model.rowCount() == 3 and not view.footer.show_all.isVisible()


def test_all_but_the_chosen_kernel_are_hidden(view, session, qtbot):
    click_row(view, qtbot, 1)
    qtbot.keyClick(view.table, Qt.Key.Key_H, Qt.KeyboardModifier.ShiftModifier)
    assert texts(view, KERNEL) == [GEMV]
    session.undo_stack.undo()
    assert view.model.rowCount() == 3


def test_hidden_kernels_can_be_listed_and_taken_back_one_by_one(view, session, qtbot):
    click_row(view, qtbot, 1)
    command(view, "Hide").trigger()
    command(view, "List hidden kernels").trigger()
    cell = view.model.index(1, KERNEL).data(CELL)
    assert (cell.hidden, cell.token) == (True, "muted")
    click_row(view, qtbot, 1)
    assert not command(view, "Hide").isEnabled()
    command(view, "Show again").trigger()
    assert settings(session).hidden == {}
    assert not view.model.index(1, KERNEL).data(CELL).hidden


def test_hiding_a_group_hides_its_kernels(grouped, session, qtbot):
    click_row(grouped, qtbot, 0)
    command(grouped, "Hide").trigger()
    assert hidden_kernels(settings(session), session.study.overlays[0]).tolist() == [True, False, True]
    assert texts(grouped, KERNEL) == ["a"]


def test_chosen_kernels_take_a_colour_by_its_slot(view, session, qtbot):
    click_row(view, qtbot, 0)
    click_row(view, qtbot, 1, Qt.KeyboardModifier.ShiftModifier)
    command(view, "Colour 3").trigger()
    (file,) = session.study.overlays
    assert kernel_slots(settings(session), file).tolist() == [2, 2, -1]
    assert [view.model.index(row, KERNEL).data(CELL).slot for row in range(3)] == [2, 2, ""]
    assert view.table.chosen_rows().tolist() == [0, 1]
    command(view, "No colour").trigger()
    assert view.model.index(0, KERNEL).data(CELL).slot == 0  # that of its entry again


def test_without_a_choice_nothing_can_be_hidden_or_coloured(view, session):
    view.table.choose_row(-1)
    enabled = {one.text(): one.isEnabled() for one in view.menu.actions() if one.text()}
    assert [enabled[one] for one in ("Hide", "Hide all others", "Show again", "Show all", "Colour")] == [
        False
    ] * 5
    assert enabled["Copy as Markdown"]


# Selection, both ways


def test_a_click_asks_for_the_kernel(view, qtbot):
    click_row(view, qtbot, 1)
    assert view.heard == [("measured", DIGEST, 1)]


def test_arrow_keys_ask_for_the_next_kernel(view, session, qtbot):
    session.select(("measured", DIGEST, 0))
    view.table.setFocus()
    qtbot.keyClick(view.table, Qt.Key.Key_Down)
    assert view.heard == [("measured", DIGEST, 1)]


def test_taking_a_row_out_of_the_choice_selects_nothing_else(view, session, qtbot):
    click_row(view, qtbot, 0)
    click_row(view, qtbot, 1, Qt.KeyboardModifier.ControlModifier)
    click_row(view, qtbot, 1, Qt.KeyboardModifier.ControlModifier)
    assert view.table.chosen_rows().tolist() == [0]
    assert view.heard == [("measured", DIGEST, 0), ("measured", DIGEST, 1)]


def test_an_entry_that_is_selected_marks_no_kernel(view, session):
    session.select(("measured", DIGEST, 1))
    assert view.table.chosen_row() == 1
    session.select("gemm-1")
    assert view.table.chosen_row() == -1


def test_a_kernel_that_the_filter_leaves_out_marks_nothing(view, session, qtbot):
    type_filter(view, qtbot, "copy")
    session.select(("measured", DIGEST, 1))
    assert view.table.chosen_row() == -1


# Copies


def test_the_copy_key_copies_the_chosen_kernels_with_full_names(view, session, qtbot):
    heard = []
    view.copied.connect(heard.append)
    click_row(view, qtbot, 0)
    click_row(view, qtbot, 1, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(view.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    head, first, second = QGuiApplication.clipboard().text().splitlines()
    assert head.split("\t") == list(HEADS)
    assert first.split("\t")[KERNEL] == long_name and first.split("\t")[TIME] == "196.0 µs"
    assert second.split("\t")[KERNEL] == GEMV
    assert heard == ["2 rows copied as tab-separated text"]


def test_the_button_copies_all_rows_where_none_is_chosen(view):
    copies = view.corner.copy_button.menu().actions()
    view.table.choose_row(-1)
    copies[0].trigger()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert len(lines) == 5 and lines[0].startswith("| Kernel | File |")
    command(view, "Copy full names").trigger()
    assert QGuiApplication.clipboard().text().splitlines() == [long_name, GEMV, "copy"]


# Many


@pytest.fixture
def many(qtbot, qapp):
    session = Session(registry(), Study(overlays=(large_file(100_000),)))
    view = MeasuredView()
    qtbot.addWidget(view)
    view.heard = []
    wire(view, session)
    view.resize(1004, 256)
    view.show()
    qtbot.waitExposed(view)
    return view, session


def test_a_hundred_thousand_kernels_open_by_putting_only_what_is_seen_into_words(many):
    view, _ = many
    asked = []
    data = view.model.data
    view.model.data = lambda *args: asked.append(args) or data(*args)
    view.grab()
    assert view.model.rowCount() == 100_000
    assert 0 < len(asked) < 2_000


def test_a_step_of_the_wheel_paints_only_the_rows_that_come_into_view(many, qapp):
    view, _ = many
    view.resize(1004, 860)
    qapp.processEvents()
    asked = []
    data = view.model.data
    view.model.data = lambda *args: asked.append(args[0].row()) or data(*args)
    view.table.verticalScrollBar().setValue(54)
    qapp.processEvents()
    assert 0 < len(set(asked)) <= 4  # of thirty that are seen


def test_all_of_a_hundred_thousand_can_be_chosen_hidden_and_shown(many, qtbot):
    view, session = many
    qtbot.keyClick(view.table, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert len(view.table.chosen_rows()) == 100_000
    command(view, "Hide").trigger()
    assert settings(session).hidden == {"b" * 64: "0-99999"}
    assert view.list_all.isVisible()
    session.undo_stack.undo()
    assert view.model.rowCount() == 100_000
    heard = []
    view.copied.connect(heard.append)
    view.copy_selected()
    assert heard == ["20000 of 100000 rows copied as tab-separated text"]


def test_a_kernel_is_found_among_a_hundred_thousand_that_are_sorted(many, qtbot):
    view, session = many
    click_head(view, qtbot, TIME)
    session.select(("measured", "b" * 64, 31_415))
    row = view.table.chosen_row()
    assert view.model.place_of(row)[1] == 31_415
    assert view.table.visualRect(view.model.index(row, KERNEL)).intersects(view.table.viewport().rect())
    places = [view.model.place_of(one) for one in range(0, 100_000, 997)]
    times = [found.columns["time_s"][index] for found, index in places]
    assert (np.diff(times) < 0).all()


def test_roles_that_nobody_uses_are_answered_with_nothing(view):
    index = view.model.index(0, KERNEL)
    for role in (Qt.ItemDataRole.FontRole, Qt.ItemDataRole.BackgroundRole, Qt.ItemDataRole.DecorationRole):
        assert index.data(role) is None


# Room, model, names


@pytest.mark.parametrize(
    ("width", "gone", "there"),
    [
        (1600, {FILE}, {DEVICE, GRID}),
        (1004, {DEVICE, GRID}, {NOTE, PIPE}),
        (560, {PIPE, NOTE}, {TIME, SHARE, BOUND}),
    ],
)
def test_columns_go_where_there_is_no_room(view, width, gone, there):
    view.resize(width, 260)
    hidden = {column for column in range(len(HEADS)) if view.table.isColumnHidden(column)}
    assert gone <= hidden and not there & hidden
    used = sum(view.table.columnWidth(column) for column in range(len(HEADS)) if column not in hidden)
    assert used <= view.table.viewport().width()


def test_settings_of_a_damaged_study_are_taken_for_what_they_are_worth(view, session):
    study = replace(session.study, panels={"measured": {"filter": "(", "sort": 7, "hidden": {DIGEST: "1 x"}}})
    session.edit("Open", study)
    assert texts(view, KERNEL) == [long_name, "copy"]


def test_the_model_keeps_the_rules_of_models(view, session, qtmodeltester):
    model = MeasuredModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.set_table(view.model.table)
    qtmodeltester.check(model)
    model.set_table(None)
    view.set_placed(placed(Study(overlays=(overlay(), overlay(digest=OTHER)))))
    model.set_table(view.model.table)
    assert tester.model() is model and model.rowCount() == 6


def test_a_screen_reader_hears_what_a_row_is(grouped):
    spoken = grouped.model.index(0, KERNEL).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "b, group of 2, closed"
    grouped.table.toggled.emit(0)
    assert grouped.model.index(1, KERNEL).data(Qt.ItemDataRole.AccessibleTextRole) == "b, measured"
    corner = grouped.corner
    for one in (grouped.table, corner.filter, corner.groups, corner.menu_button, corner.copy_button):
        assert one.accessibleName()


@pytest.mark.parametrize("width", [780, 1000])
def test_why_a_kernel_is_not_plotted_stands_in_a_narrow_window_too(width):
    drawn = {"kernel": "a", "time_s": 1e-3, "work.fp32": 1e9, "bytes.dram": 1e8}
    blind = {"kernel": "b", "time_s": 1e-3}

    def shown(*kernels):
        study = study_of(file_of(*kernels))
        return columns_with_room(TableMaker().table(study, measured_panel(study), None), width)

    assert NOTE in shown(drawn, blind)
    assert NOTE not in shown(drawn)  # where all are drawn there is nothing to say
