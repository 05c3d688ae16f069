import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester

from rooflinestudio.core.measurement_overlay import Overlay
from rooflinestudio.core.study import Study
from rooflinestudio.ui.measured.model import (
    ACHIEVED,
    COLUMNS,
    DEVICE,
    INTENSITY,
    KERNEL,
    NOTE,
    PIPE,
    TIME,
    TRAFFIC,
    MeasuredModel,
)
from rooflinestudio.ui.measured.view import MeasuredView
from rooflinestudio.ui.widgets.cells import CELL
from tests.ui.widgets.studies import example, long_name, measurement, overlay, placed, with_overlay

DIGEST = "a" * 64


@pytest.fixture
def view(qtbot):
    made = MeasuredView()
    qtbot.addWidget(made)
    made.set_placed(placed(with_overlay(example())))
    made.resize(1004, 200)
    made.show()
    qtbot.waitExposed(made)
    made.heard = []
    made.selectRequested.connect(made.heard.append)
    return made


def texts(view, column):
    return [str(view.model.index(row, column).data()) for row in range(view.model.rowCount())]


def click_head(view, qtbot, column):
    head = view.table.horizontalHeader()
    x = head.sectionViewportPosition(column) + 10
    qtbot.mouseClick(head.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(x, 10))


def large(count=100_000):
    """An overlay of many kernels, made of its columns."""
    rng = np.random.default_rng(7)
    numbers = {
        "launch": np.arange(count, dtype=float),
        "count": np.ones(count),
        "time_s": rng.uniform(1e-6, 1e-3, count),
        "work.bf16-tensor": rng.uniform(1e6, 1e12, count),
        "bytes.dram": rng.uniform(1e3, 1e9, count),
    }
    names = tuple(f"kernel_{n}<float>" for n in range(200))
    codes = rng.integers(0, len(names), count).astype(np.int32)
    meta = {"name": "large.csv", "path": "large.csv", "format": "x", "digest": "b" * 64, "warnings": ()}
    return Overlay(meta, numbers, {"kernel": (codes, names)}, count)


# What it shows


def test_each_kernel_is_a_row_with_its_figures(view):
    assert [text(view, 0) for text in (lambda v, r: v.model.index(r, KERNEL).data(),)] == [long_name]
    # 137.4 GFLOP / 196 µs; / 588 MB
    assert [view.model.index(0, column).data() for column in (TIME, TRAFFIC, ACHIEVED, INTENSITY, PIPE, DEVICE)] == [
        "196.0 µs", "588.0 MB", "701 TFLOP/s", "234", "bf16-tensor", "NVIDIA H100 80GB HBM3",
    ]  # fmt: skip


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


def test_files_stand_one_below_the_other(view):
    study = with_overlay(with_overlay(example()), measurement(0, "other"), digest="c" * 64, name="other.csv")
    view.set_placed(placed(study))
    assert view.model.rowCount() == 4
    found, index = view.model.place_of(3)
    assert (found.name, index) == ("other.csv", 0)


def test_without_a_file_it_says_how_to_get_one(view):
    view.set_placed(placed(Study()))
    assert view._empty.isVisible()
    assert "Ctrl+I" in view._empty.texts()[1]


def test_the_same_files_again_reset_nothing(view):
    resets = []
    view.model.modelReset.connect(lambda: resets.append(True))
    view.set_placed(placed(with_overlay(example(), paired=False)))
    assert resets == []
    assert view.model.index(0, KERNEL).data(CELL).slot == ""


# Sorting


def test_a_head_sorts_down_then_up_then_as_in_the_file(view, qtbot):
    click_head(view, qtbot, TIME)
    assert texts(view, TIME) == ["196.0 µs", "71.00 µs", "5.000 µs"]
    click_head(view, qtbot, TIME)
    assert texts(view, TIME) == ["5.000 µs", "71.00 µs", "196.0 µs"]
    click_head(view, qtbot, TIME)
    assert texts(view, TIME) == ["196.0 µs", "71.00 µs", "5.000 µs"]


@pytest.mark.parametrize("order", [Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder])
@pytest.mark.parametrize("column", [ACHIEVED, INTENSITY, PIPE, NOTE])
def test_what_is_absent_stays_last(view, column, order):
    view.model.sort(column, order)
    shown = [text in ("–", "") for text in texts(view, column)]
    assert shown == sorted(shown)


def test_names_sort_across_files_without_regard_to_case(view):
    study = with_overlay(
        with_overlay(example(), measurement(0, "b"), measurement(1, "D")),
        measurement(0, "A"), measurement(1, "c"), digest="c" * 64,
    )  # fmt: skip
    view.set_placed(placed(study))
    view.model.sort(KERNEL, Qt.SortOrder.AscendingOrder)
    assert texts(view, KERNEL) == ["A", "b", "c", "D"]
    view.model.sort(KERNEL, Qt.SortOrder.DescendingOrder)
    assert texts(view, KERNEL) == ["D", "c", "b", "A"]


def test_sorting_keeps_the_selection_on_its_kernel(view):
    view.set_selection(("measured", DIGEST, 2))
    view.model.sort(TIME, Qt.SortOrder.AscendingOrder)
    assert view.table.chosen_row() == 0
    view.set_selection(("measured", DIGEST, 0))
    assert view.table.chosen_row() == 2
    assert view.heard == []


# Selection, both ways


def test_a_click_asks_for_the_kernel(view, qtbot):
    point = view.table.visualRect(view.model.index(1, KERNEL)).center()
    qtbot.mouseClick(view.table.viewport(), Qt.MouseButton.LeftButton, pos=point)
    assert view.heard == [("measured", DIGEST, 1)]


def test_arrow_keys_ask_for_the_next_kernel(view, qtbot):
    view.set_selection(("measured", DIGEST, 0))
    view.table.setFocus()
    qtbot.keyClick(view.table, Qt.Key.Key_Down)
    assert view.heard == [("measured", DIGEST, 1)]


def test_an_entry_that_is_selected_marks_no_kernel(view):
    view.set_selection(("measured", DIGEST, 1))
    assert view.table.chosen_row() == 1
    view.set_selection("gemm-1")
    assert view.table.chosen_row() == -1


def test_the_copy_key_copies_the_kernel_with_its_full_name(view, qtbot):
    view.set_selection(("measured", DIGEST, 0))
    view.table.setFocus()
    qtbot.keyClick(view.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    head, row = QGuiApplication.clipboard().text().splitlines()
    assert head.split("\t") == list(COLUMNS)
    assert row.split("\t")[:2] == [long_name, "196.0 µs"]


# Many


def test_a_hundred_thousand_kernels_open_by_putting_only_what_is_seen_into_words(qtbot):
    view = MeasuredView()
    qtbot.addWidget(view)
    worded = []
    text_of = view.model._text
    view.model._text = lambda *args: worded.append(args) or text_of(*args)
    view.set_placed(placed(Study(overlays=(large(),))))
    view.resize(1004, 256)
    view.show()
    qtbot.waitExposed(view)
    view.grab()
    assert view.model.rowCount() == 100_000
    assert 0 < len(worded) < 2_000


def test_a_hundred_thousand_kernels_are_sorted_and_found_again(qtbot):
    model = MeasuredModel()
    model.set_study(Study(overlays=(large(),)))
    model.sort(TIME, Qt.SortOrder.AscendingOrder)
    places = [model.place_of(row) for row in range(0, 100_000, 997)]
    times = np.array([found.columns["time_s"][index] for found, index in places])
    assert (np.diff(times) > 0).all()
    assert model.place_of(model.row_of("b" * 64, 31_415))[1] == 31_415
    model.sort(KERNEL, Qt.SortOrder.DescendingOrder)
    assert model.index(0, KERNEL).data() == "kernel_9<float>"  # "<" sorts behind digits


def test_roles_that_nobody_uses_are_answered_with_nothing(view):
    index = view.model.index(0, KERNEL)
    for role in (Qt.ItemDataRole.FontRole, Qt.ItemDataRole.BackgroundRole, Qt.ItemDataRole.DecorationRole):
        assert index.data(role) is None


# Room, model, names


@pytest.mark.parametrize(("width", "hidden"), [(1004, set()), (778, {DEVICE}), (600, {DEVICE, PIPE, NOTE})])
def test_columns_go_where_there_is_no_room(view, width, hidden):
    view.resize(width, 200)
    assert {column for column in range(len(COLUMNS)) if view.table.isColumnHidden(column)} == hidden


def test_the_model_keeps_the_rules_of_models(qtbot, qtmodeltester):
    model = MeasuredModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.set_study(with_overlay(example()))
    qtmodeltester.check(model)
    model.sort(TIME, Qt.SortOrder.DescendingOrder)
    model.set_study(Study())
    model.set_study(Study(overlays=(overlay(), overlay(digest="c" * 64))))
    assert tester.model() is model


def test_a_screen_reader_hears_that_it_was_measured(view):
    spoken = view.model.index(2, KERNEL).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "copy, measured"
    assert view.table.accessibleName() == "Measured kernels"
