from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication, QTabWidget

from rooflinestudio.core.pairing.edits import with_pair
from rooflinestudio.core.placing import place
from rooflinestudio.core.study import Entry, Study
from rooflinestudio.ui.comparison.lines import LineMaker
from rooflinestudio.ui.comparison.model import (
    BOUND,
    COLUMNS,
    DELTA,
    DIFFERS,
    FRACTION,
    INTENSITY_RATIO,
    TIME,
    TRAFFIC,
    TRAFFIC_RATIO,
    VARIANT,
)
from rooflinestudio.ui.comparison.view import ComparisonView
from rooflinestudio.ui.widgets.cells import CELL, TextCell
from tests.ui.widgets.studies import (
    A100,
    H100,
    example,
    hundred,
    measurement,
    overlay,
    placed,
    registry,
    with_overlay,
)

VARIANTS = (
    Entry(
        "gemm-4", "gemm", dtypes={"all": "fp8"}, label="fp8 operands, fp8 out", slot=0, variant_of="gemm-1"
    ),
    Entry("gemm-5", "gemm", boundary="l2", label="at L2", slot=0, variant_of="gemm-1"),
    Entry("gemm-6", "gemm", policy="tiled", label="no absorption", slot=0, variant_of="gemm-1"),
)

KERNEL = "cutlass_80_tensorop_bf16_s16816gemm_bf16_128x256_32x3_tn_align8"


@pytest.fixture
def study():
    return with_overlay(example(extra=VARIANTS))


@pytest.fixture
def view(qtbot, study):
    made = ComparisonView()
    qtbot.addWidget(made)
    made.set_machine(H100)
    made.set_placed(placed(study))
    made.resize(1004, 256)
    made.show()
    qtbot.waitExposed(made)
    made.heard = []
    made.selectRequested.connect(lambda what: made.heard.append(("select", what)))
    made.machineRequested.connect(lambda id_: made.heard.append(("machine", id_)))
    return made


def only_gemm(view):
    view.variants_of.activated.emit(view.variants_of.findData("gemm-1"))


def names(view):
    return [line.name for line in view.model.rows]


def text(view, row, column):
    return str(view.model.index(row, column).data()).replace("\u202f", " ")


def click_head(view, qtbot, column):
    head = view.table.horizontalHeader()
    x = head.sectionViewportPosition(column) + 10
    qtbot.mouseClick(head.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(x, 10))


# What it shows


def test_a_variant_is_held_against_its_baseline(view):
    only_gemm(view)
    # fp8: half the bytes, twice the rate. L2: 2 181 MB at 9 TB/s. Tiled: 2 181 MB at 3.35 TB/s.
    found = {line.name: (line.time, line.delta, line.bound_text) for line in view.model.rows}
    assert found["GEMM 4096³"] == ("138.9 µs", "baseline", "compute at bf16-tensor")
    assert found["fp8 operands, fp8 out"] == ("69.45 µs", "2.00× faster", "compute at fp8-tensor")
    assert found["at L2"] == ("242.3 µs", "1.74× slower", "memory at L2")
    assert found["no absorption"] == ("651.1 µs", "4.69× slower", "memory at HBM3")


def test_a_measured_kernel_stands_behind_its_entry(view):
    only_gemm(view)
    line = view.model.rows[1]
    assert (line.name, line.shape, line.time, line.delta) == (
        KERNEL,
        "diamond",
        "196.0 µs",
        "1.41× slower",
    )
    # 137.4 GFLOP in 196 µs of 989.4 TFLOP/s; 234 FLOP/byte are under the ridge of 295
    assert (line.fraction_text, line.bound_text) == ("71%", "memory at HBM3")


def lent_study(machines=(H100,), **entry):
    """A product of which only the epilogue was counted, 33.6 MFLOP in fp32."""
    blind = measurement(0, kernel="sgemm", work={"fp32": 2.0 * 4096**2})
    made = replace(example(machines=machines), overlays=(overlay(blind),))
    return with_pair(
        made.replacing(replace(made.entry("gemm-1"), **entry)), made.overlays[0].digest, 0, "gemm-1"
    )


def test_work_that_no_counter_saw_is_that_of_the_entry(view):
    view.set_placed(placed(lent_study()))
    (line,) = [one for one in view.model.rows if one.shape == "diamond"]
    assert line.differs == "measured, launch 0, against GEMM 4096³, W from GEMM 4096³"
    # 137.4 GFLOP over 588 MB in 196 µs, on a pipe of 989.4 TFLOP/s
    assert (line.intensity, line.fraction_text, line.bound_text) == ("234", "71%", "memory at HBM3")
    assert line.delta == "1.41× slower"


def test_a_kernel_is_compared_at_device_memory_also_where_its_entry_is_not(view):
    view.set_placed(placed(lent_study(boundary="l2", policy="compulsory")))
    (line,) = [one for one in view.model.rows if one.shape == "diamond"]
    assert ", at HBM3" in line.differs
    assert line.values[TRAFFIC_RATIO] == pytest.approx(
        588e6 / (3 * 2 * 4096**2)
    )  # 100.7 MB are compulsory there


def test_a_kernel_stands_behind_the_row_of_the_machine_in_view(view):
    view.set_placed(placed(lent_study(machines=(H100, A100))))

    def row_before():
        at = next(at for at, one in enumerate(view.model.rows) if one.shape == "diamond")
        return view.model.rows[at - 1], view.model.rows[at]

    before, line = row_before()
    assert before.machine == line.machine == H100 and line.delta == "1.41× slower"
    view.set_machine(A100)
    before, line = row_before()
    # 137.4 GFLOP take 440.5 µs at 312 TFLOP/s: it did not run there
    assert before.machine == line.machine == A100 and line.delta == "2.25× faster"


def test_the_whole_study_is_listed_until_one_entry_is_chosen(view):
    assert view.variants_of.currentText() == "all entries"
    assert "Attention, flash" in names(view)
    only_gemm(view)
    assert names(view) == ["GEMM 4096³", KERNEL, "fp8 operands, fp8 out", "at L2", "no absorption"]


def test_only_baselines_are_offered(view):
    offered = [label for _, label in view.variants_of.options]
    assert "GEMM 4096³" in offered and "at L2" not in offered


def test_a_baseline_that_is_gone_gives_way_to_the_whole_study(view, study):
    only_gemm(view)
    view.set_placed(placed(study.without(["gemm-1"])))
    assert view.variants_of.currentText() == "all entries"


def test_a_refused_row_says_why_and_has_no_figures(view):
    row = names(view).index("Nothing to do")
    assert text(view, row, DIFFERS).startswith("not placed: gemm: m = 0 must lie")
    assert text(view, row, TIME) == "–"
    assert "m = 0" in view.model.index(row, VARIANT).data(Qt.ItemDataRole.ToolTipRole)


def test_an_entry_on_several_machines_is_named_with_the_others(view):
    view.set_placed(placed(example(machines=(H100, A100))))
    assert names(view)[:2] == ["GEMM 4096³", "GEMM 4096³, A100 SXM4"]


def test_an_empty_study_says_how_rows_come_about(view):
    view.set_placed(placed(Study()))
    assert view._empty.isVisible()
    assert "Ctrl+D" in view._empty.texts()[1]


def test_a_hundred_rows_are_shown(view):
    view.set_placed(placed(hundred()))
    assert view.model.rowCount() == 100


def test_a_slider_step_makes_one_line_anew_and_resets_nothing(view, study):
    resets = []
    view.model.modelReset.connect(lambda: resets.append(True))
    first = placed(study)
    view.set_placed(first)
    before = {line.key: line for line in view.model.rows}
    changed = study.replacing(replace(study.entry("attention-1"), parameters={"seq_q": 512}))
    view.set_placed(place(changed, {}, registry(), previous=first))
    renewed = [line.name for line in view.model.rows if before[line.key] is not line]
    assert renewed == ["Attention, flash"]
    assert resets == []


def test_while_hidden_it_only_remembers(qtbot, study):
    tabs = QTabWidget()
    qtbot.addWidget(tabs)
    view = ComparisonView()
    tabs.addTab(QTabWidget(), "first")
    tabs.addTab(view, "Compare")
    tabs.show()
    view.set_placed(placed(study))
    assert view.model.rowCount() == 0
    tabs.setCurrentWidget(view)
    assert view.model.rowCount() > 0


# Sorting


def test_a_head_sorts_up_then_down_then_as_in_the_study(view, qtbot):
    only_gemm(view)
    click_head(view, qtbot, TIME)
    assert names(view) == ["fp8 operands, fp8 out", "GEMM 4096³", KERNEL, "at L2", "no absorption"]
    click_head(view, qtbot, TIME)
    assert names(view)[0] == "no absorption"
    click_head(view, qtbot, TIME)
    assert names(view)[0] == "GEMM 4096³"


@pytest.mark.parametrize("order", [Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder])
@pytest.mark.parametrize("column", range(len(COLUMNS)))
def test_rows_without_a_figure_stay_last(view, column, order):
    view.model.sort(column, order)
    values = [line.values[column] for line in view.model.rows]
    known = [value for value in values if value is not None]
    assert values[: len(known)] == known
    assert known == sorted(known, reverse=order == Qt.SortOrder.DescendingOrder)


def test_sorting_keeps_the_selection_on_its_row(view, qtbot):
    view.set_selection("gemm-5")
    click_head(view, qtbot, TIME)
    assert view.model.rows[view.table.chosen_row()].name == "at L2"
    assert view.heard == []


# Selection, both ways


def click_row(view, qtbot, name):
    index = view.model.index(names(view).index(name), VARIANT)
    view.table.scrollTo(index)
    qtbot.mouseClick(
        view.table.viewport(), Qt.MouseButton.LeftButton, pos=view.table.visualRect(index).center()
    )


def test_a_click_asks_for_the_entry_or_the_kernel(view, qtbot):
    click_row(view, qtbot, "at L2")
    click_row(view, qtbot, KERNEL)
    assert view.heard == [("select", "gemm-5"), ("select", ("measured", "a" * 64, 0))]


def test_arrow_keys_ask_for_the_next_row(view, qtbot):
    view.set_selection("gemm-1")
    view.table.setFocus()
    qtbot.keyClick(view.table, Qt.Key.Key_Down)
    assert view.heard[-1][0] == "select"


def test_a_selection_from_elsewhere_is_marked(view):
    view.set_selection("adam-1")
    assert view.model.rows[view.table.chosen_row()].selection == "adam-1"
    view.set_selection(None)
    assert view.table.chosen_row() == -1
    assert view.heard == []


def test_the_row_of_another_machine_makes_it_the_strong_one(view, qtbot):
    view.set_placed(placed(example(machines=(H100, A100))))
    view.set_selection("gemm-1")
    click_row(view, qtbot, "GEMM 4096³, A100 SXM4")
    assert view.heard == [("machine", A100)]
    view.set_machine(H100)
    assert view.model.rows[view.table.chosen_row()].machine == H100


# Copying


def test_markdown_has_a_rule_and_full_names(view):
    only_gemm(view)
    view.copy_markdown()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0] == "| " + " | ".join(COLUMNS) + " |"
    assert lines[1] == "| --- | --- | ---: | ---: | ---: | ---: | --- | ---: | ---: | ---: |"
    assert lines[2].startswith("| GEMM 4096³ |")
    assert len(lines) == 2 + 5


def test_a_bar_in_a_name_does_not_break_the_table(view, study):
    study = study.replacing(replace(study.entry("gemm-1"), label="a|b\nc"))
    view.set_placed(placed(study))
    only_gemm(view)
    assert view.model.markdown().splitlines()[2].startswith("| a\\|b c |")
    assert view.model.tsv().splitlines()[1].startswith("a|b c\t")


def test_the_copy_key_copies_tab_separated_text(view, qtbot):
    heard = []
    view.copied.connect(heard.append)
    view.table.setFocus()
    qtbot.keyClick(view.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == view.model.tsv()
    assert QGuiApplication.clipboard().text().splitlines()[0].split("\t") == list(COLUMNS)
    assert heard == ["Table copied as tab-separated text"]


# Room


NARROW, RATIOS = {DIFFERS, TRAFFIC}, {TRAFFIC_RATIO, INTENSITY_RATIO}


@pytest.mark.parametrize(
    ("width", "hidden"),
    [(1300, set()), (1004, RATIOS), (778, {*RATIOS, *NARROW}), (560, {*RATIOS, *NARROW, FRACTION})],
)
def test_columns_go_where_there_is_no_room(view, width, hidden):
    view.resize(width, 200)
    assert {column for column in range(len(COLUMNS)) if view.table.isColumnHidden(column)} == hidden


@pytest.mark.parametrize("width", [560, 778, 1004, 1300])
def test_numbers_and_bounds_are_never_shortened(view, width, inter):
    view.resize(width, 200)
    QApplication.processEvents()
    for row in range(view.model.rowCount()):
        for column in range(len(COLUMNS)):
            cell = view.model.index(row, column).data(CELL)
            if view.table.isColumnHidden(column) or not (isinstance(cell, TextCell) and cell.number):
                continue
            assert view.table.cell_delegate.content_width(cell) <= view.table.columnWidth(column) - 16 + 1


def test_rows_are_27_pixels_high(view):
    assert view.table.rowHeight(0) == 27


def test_the_controls_can_stand_in_the_corner_of_the_tabs(view, qtbot):
    tabs = QTabWidget()
    qtbot.addWidget(tabs)
    tabs.setCornerWidget(view.corner)
    tabs.show()
    assert view.corner.parentWidget() is tabs
    view.set_compact(True)
    assert view.variants_of.isVisibleTo(tabs)


# Model and names


def test_the_model_keeps_the_rules_of_models(view, study, qtmodeltester):
    tester = QAbstractItemModelTester(view.model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    qtmodeltester.check(view.model)
    view.set_placed(placed(Study()))
    view.set_placed(placed(study))
    view.model.sort(TIME, Qt.SortOrder.DescendingOrder)
    assert tester.model() is view.model


def test_a_screen_reader_hears_bars_and_markers(view):
    spoken = Qt.ItemDataRole.AccessibleTextRole
    only_gemm(view)
    assert view.model.index(1, VARIANT).data(spoken) == f"{KERNEL}, measured"
    assert view.model.index(0, FRACTION).data(spoken) == "100%"
    assert view.model.index(0, BOUND).data(spoken) == "compute at bf16-tensor"
    assert view.model.index(0, DELTA).data(spoken) == "baseline"
    assert view.table.accessibleName() == "Comparison"
    assert view.variants_of.accessibleName() == "Variants of"


def test_a_kernel_of_a_file_that_is_gone_is_left_out(study):
    gone = replace(study, overlays=())
    assert all(line.shape != "diamond" for line in LineMaker().lines(placed(gone), None))


def test_traffic_and_intensity_are_held_against_the_baseline(view):
    only_gemm(view)
    # 2 181 MB at L2 against 412.7 MB; the profiler saw 588 MB; in fp8 every tensor is half as large.
    found = {line.name: (line.traffic_ratio, line.intensity_ratio) for line in view.model.rows}
    assert found["GEMM 4096³"] == ("baseline", "baseline")
    assert found["at L2"] == ("5.28× more", "5.28× lower")
    assert found["fp8 operands, fp8 out"] == ("2.00× less", "2.00× higher")
    assert found[KERNEL] == ("1.42× more", "1.43× lower")
