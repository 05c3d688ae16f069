import shlex

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QLineEdit,
    QSlider,
    QWidget,
)

from rooflinestudio.core.study import Entry, Study, View
from rooflinestudio.ui.inspector.view import InspectorView
from rooflinestudio.ui.session import Session
from rooflinestudio.ui.theme import DARK, LIGHT
from rooflinestudio.ui.widgets.cells import CELL, TextCell
from rooflinestudio.ui.widgets.quantity_edit import QuantityEdit
from rooflinestudio.ui.widgets.row_table import RowTable
from tests.ui.widgets.studies import A100, H100, example, long_name, machine, placed, registry, with_overlay


def wire(session, view):
    """Connect an inspector with a session, as the window does."""
    view.set_source(session.source)
    view.set_machine(session.machine)
    view.set_placed(session.placed)
    session.studyChanged.connect(view.set_placed)
    session.selectionChanged.connect(view.set_selection)
    session.machineChanged.connect(view.set_machine)
    view.parameterRequested.connect(
        lambda id_, name, value, dragging: session.set_parameter(id_, name, value, dragging=dragging)
    )
    view.parametersResetRequested.connect(lambda id_: session.change_entry(id_, "Reset", parameters={}))
    view.dtypesRequested.connect(lambda id_, dtypes: session.change_entry(id_, "Formats", dtypes=dtypes))
    view.settingRequested.connect(
        lambda id_, field, value, dragging: session.change_entry(
            id_, "Setting", merge=dragging or None, **{field: value}
        )
    )
    view.gestureEnded.connect(session.end_gesture)
    view.machineRequested.connect(session.select_machine)


@pytest.fixture
def session(qapp):
    return Session(registry(), example(machines=(H100, A100)))


@pytest.fixture
def view(qtbot, session):
    made = InspectorView()
    qtbot.addWidget(made)
    wire(session, made)
    session.select("gemm-1")
    made.resize(332, 900)
    made.show()
    qtbot.waitExposed(made)
    return made


def part(view, kind, name):
    found = view.findChild(kind, name)
    assert found is not None, name
    return found


def type_into(qtbot, edit, text):
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClicks(edit, text)
    qtbot.keyClick(edit, Qt.Key.Key_Return)


def result(view):
    return view.entry_page.result


# Parameters, both ways


def test_a_typed_value_reaches_the_study(view, session, qtbot):
    type_into(qtbot, part(view, QLineEdit, "param.m"), "8 Ki")
    assert session.study.entry("gemm-1").parameters == {"m": 8192}
    assert part(view, QLineEdit, "param.m").text() == "8192"


def test_a_change_of_the_study_reaches_entry_and_slider(view, session):
    session.set_parameter("gemm-1", "m", 16384)
    assert part(view, QLineEdit, "param.m").text() == "16384"
    assert part(view, QSlider, "slider.m").current() == 16384


def test_a_slider_speaks_while_it_is_dragged_and_makes_one_edit(view, session, qtbot):
    slider = part(view, QSlider, "slider.m")
    start = slider._handle_rect().center()
    qtbot.mousePress(slider, Qt.MouseButton.LeftButton, pos=start)
    seen = []
    for dx in (8, 16, 24):
        qtbot.mouseMove(slider, start + QPoint(dx, 0))
        seen.append(part(view, QLineEdit, "param.m").text())
    qtbot.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=start + QPoint(24, 0))
    assert len(set(seen)) == 3
    assert session.study.entry("gemm-1").parameters["m"] == int(seen[-1])
    assert session.undo_stack.count() == 1
    qtbot.keyClick(slider, Qt.Key.Key_Right)
    assert session.undo_stack.count() == 2


def test_a_slider_step_builds_no_widget(view, session):
    before = set(map(id, view.findChildren(QWidget)))
    for m in (4608, 5120, 5632):
        session.set_parameter("gemm-1", "m", m, dragging=True)
        QApplication.processEvents()
    assert set(map(id, view.findChildren(QWidget))) == before


def test_a_refused_text_stays_and_the_study_as_it_was(view, session, qtbot):
    edit = part(view, QLineEdit, "param.m")
    type_into(qtbot, edit, "lots")
    field = view.entry_page.parameters.field("m")
    assert edit.text() == "lots"
    assert edit.property("state") == "error"
    assert field.message.isVisible() and "lots" in field.message.text()
    assert session.study.entry("gemm-1").parameters == {}


def test_a_refused_text_does_not_go_along_to_another_entry(view, session, qtbot):
    session.change_entry("gemm-2", "Reset", parameters={})
    type_into(qtbot, part(view, QLineEdit, "param.m"), "lots")
    session.select("gemm-2")
    assert part(view, QLineEdit, "param.m").text() == "4096"
    assert part(view, QLineEdit, "param.m").message() == ""


def test_undo_brings_the_old_value_back_into_the_entry(view, session, qtbot):
    type_into(qtbot, part(view, QLineEdit, "param.m"), "8192")
    session.undo_stack.undo()
    assert part(view, QLineEdit, "param.m").text() == "4096"


def test_auto_takes_the_tile_of_the_machine_and_says_which(view, session, qtbot):
    edit = part(view, QLineEdit, "param.tile_n")
    type_into(qtbot, edit, "auto")
    assert session.study.entry("gemm-1").parameters == {"tile_n": "auto"}
    assert edit.text() == "auto"
    assert "auto: 256" in edit.toolTip()  # Hopper: 128 x 256


def test_reset_takes_everything_back(view, session, qtbot):
    button = part(view, QAbstractButton, "parameters.reset")
    assert not button.isEnabled()
    session.set_parameter("gemm-1", "m", 512)
    assert button.isEnabled()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert session.study.entry("gemm-1").parameters == {}


def test_waves_are_told_beside_the_tile(view):
    # 32 · 32 tiles on 132 SMs
    assert view.entry_page.parameters.field("tile_m").remark.text() == "7.76 waves"


def test_details_are_folded_until_asked_for_or_set(view, session, qtbot):
    panel = view.entry_page.parameters
    assert not part(view, QLineEdit, "param.split_k").isVisible()
    qtbot.mouseClick(panel.more, Qt.MouseButton.LeftButton)
    assert part(view, QLineEdit, "param.split_k").isVisible()
    qtbot.mouseClick(panel.more, Qt.MouseButton.LeftButton)
    session.set_parameter("gemm-1", "split_k", 2)
    assert part(view, QLineEdit, "param.split_k").isVisible()
    assert not part(view, QLineEdit, "param.cluster_m").isVisible()


def test_choices_and_switches_reach_the_study_and_come_back(view, session, qtbot):
    session.select("attention-1")
    box = part(view, QAbstractButton, "param.causal")
    qtbot.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))
    choice = part(view, QComboBox, "param.implementation")
    choice.setFocus()
    qtbot.keyClick(choice, Qt.Key.Key_Down)
    assert session.study.entry("attention-1").parameters == {"causal": True, "implementation": "naive"}
    session.undo_stack.undo()
    session.undo_stack.undo()
    assert not box.isChecked()
    assert choice.value() == "flash"


# Formats and settings, both ways


def test_a_format_for_one_tensor_reaches_the_study(view, session, qtbot):
    choice = part(view, QComboBox, "dtype.weight")
    choice.setCurrentIndex(choice.findData("int4"))
    choice.activated.emit(choice.currentIndex())
    assert session.study.entry("gemm-1").dtypes == {"weight": "int4"}
    assert view.entry_page.dtypes.shorthand.currentText() == "mixed"
    # 4.15625 bits · 4096² / 8
    assert view.entry_page.dtypes.cells["weight"].size_label.text() == "8.72 MB"


def test_the_shorthand_reaches_the_study_and_comes_back(view, session):
    shorthand = part(view, QComboBox, "dtype.all")
    shorthand.activated.emit(shorthand.findData("fp8"))
    assert session.study.entry("gemm-1").dtypes == {"all": "fp8"}
    session.undo_stack.undo()
    assert shorthand.value() == "bf16"
    assert part(view, QComboBox, "dtype.weight").value() == "bf16"


def test_an_entry_follows_the_view_until_it_has_a_setting_of_its_own(view, session, qtbot):
    settings = view.entry_page.settings
    assert settings.summary.text() == "follows the view"
    session.change_view("Policy", policy="tiled")
    assert settings.policy.value() == "tiled"
    qtbot.mouseClick(settings.toggle, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(settings.policy.button("compulsory"), Qt.MouseButton.LeftButton)
    assert session.study.entry("gemm-1").policy == "compulsory"
    assert settings.summary.text() == "own policy"
    session.change_view("Policy", policy="modelled")
    assert settings.policy.value() == "compulsory"


def test_there_is_a_way_back_to_following(view, session, qtbot):
    session.change_entry("gemm-1", "x", policy="tiled", boundary="l2", absorption=0.5, overlap=0.25)
    settings = view.entry_page.settings
    settings.set_open(True)
    for name in ("policy", "boundary", "absorption", "overlap"):
        assert settings.backs[name].isVisible()
        qtbot.mouseClick(settings.backs[name], Qt.MouseButton.LeftButton)
    entry = session.study.entry("gemm-1")
    assert (entry.policy, entry.boundary, entry.absorption, entry.overlap) == (None, None, None, None)
    assert not settings.backs["policy"].isVisible()


def test_a_boundary_of_its_own_and_back_by_the_drop_down(view, session):
    boundary = view.entry_page.settings.boundary
    assert boundary.currentText() == "view: HBM3"
    boundary.activated.emit(boundary.findData("l2"))
    assert session.study.entry("gemm-1").boundary == "l2"
    boundary.activated.emit(0)
    assert session.study.entry("gemm-1").boundary is None


def test_an_absorption_is_typed_as_share_or_per_cent(view, session, qtbot):
    view.entry_page.settings.set_open(True)
    edit = view.entry_page.settings.absorption.edit
    type_into(qtbot, edit, "70%")
    assert session.study.entry("gemm-1").absorption == pytest.approx(0.7)
    type_into(qtbot, edit, "7")
    assert "0 to 1" in edit.message()


def test_an_absorption_acts_only_when_modelled(view, session):
    session.change_entry("gemm-1", "x", policy="tiled")
    assert not view.entry_page.settings.absorption.isEnabled()


# Result


def test_the_result_of_the_square_gemm_is_the_one_counted_by_hand(view):
    # 2·4096³ FLOP at 989.4 TFLOP/s; Q = 100.66 + 0.15·(2 181.04 - 100.66) MB
    assert [one.words for one in result(view).readouts.readouts] == [
        "time 138.9 µs", "attainable 989 TFLOP/s", "of bf16 peak 100 %",
    ]  # fmt: skip
    assert (result(view).chip.text(), result(view).chip.kind()) == ("compute at bf16-tensor", "compute")
    assert result(view).work.value() == "137.4 GFLOP"
    assert result(view).traffic.value() == "412.7 MB"
    assert result(view).intensity.value() == "333 FLOP/byte"
    assert "1.13× past the ridge" in result(view).verdict.text()
    assert result(view).notes.note().word == "Trap"
    assert "Qc + (1 − a)(Qt − Qc)" in result(view).formulas.text()


def test_a_slider_moves_the_result(view, session):
    session.set_parameter("gemm-1", "m", 8192)
    assert result(view).readouts.readouts[0].words == "time 277.8 µs"
    assert result(view).work.value() == "274.9 GFLOP"


def click_row(qtbot, table, row):
    point = table.visualRect(table.model().index(row, 1)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=point)


def test_a_click_on_a_policy_chooses_it_for_the_entry_and_the_views_own_one_follows_again(
    view, session, qtbot
):
    click_row(qtbot, result(view).policies, 1)
    assert session.study.entry("gemm-1").policy == "tiled"
    assert result(view).traffic.value() == "2.181 GB"
    assert [row.chosen for row in result(view).policy_model.rows] == [False, True, False]
    click_row(qtbot, result(view).policies, 2)
    assert session.study.entry("gemm-1").policy is None


def test_policies_can_be_walked_by_key(view, session, qtbot):
    table = result(view).policies
    table.setFocus()
    table.setCurrentIndex(table.model().index(2, 0))
    qtbot.keyClick(table, Qt.Key.Key_Up)
    assert session.study.entry("gemm-1").policy == "tiled"


def test_a_click_on_a_boundary_selects_it_for_the_entry(view, session, qtbot):
    rows = [row.id for row in result(view).boundary_model.rows]
    click_row(qtbot, result(view).boundaries, rows.index("l2"))
    assert session.study.entry("gemm-1").boundary == "l2"
    assert result(view).chip.text() == "memory at L2"


def test_a_boundary_that_is_not_crossed_says_what_it_would_be(view, session):
    session.change_entry("gemm-1", "x", boundary="nvlink")
    assert result(view).traffic.label() == "traffic  Q, if it crossed"
    assert "does not cross" in result(view).verdict.text()


def test_other_machines_are_listed_and_a_click_makes_one_strong(view, session, qtbot):
    lines = [line for line in result(view).others.buttons if not line.isHidden()]
    # 137.44 GFLOP / 312 TFLOP/s
    assert [(line.label(), line.value()) for line in lines] == [("A100 SXM4", "440.5 µs")]
    qtbot.mouseClick(lines[0], Qt.MouseButton.LeftButton)
    assert session.machine == A100
    assert result(view).heading.text() == "Result on A100 SXM4"


def test_the_command_is_copied_and_reads_as_words(view, qtbot):
    heard = []
    view.commandCopied.connect(heard.append)
    qtbot.mouseClick(result(view).copy, Qt.MouseButton.LeftButton)
    words = shlex.split(QGuiApplication.clipboard().text())
    assert words[:4] == ["rooflinestudio", "eval", "gemm", "m=4096"]
    assert words[words.index("--on") + 1] == H100
    assert heard == [QGuiApplication.clipboard().text()]


def test_zero_work_shows_its_bandwidth(view, session):
    session.select("cast-1")
    # two bytes read, four written per element: memory-bound, at the bandwidth
    assert result(view).readouts.readouts[1].words == "bandwidth 3.35 TB/s"
    assert result(view).work.value() == "0 FLOP"


def test_the_forecast_says_what_it_adds(view, session):
    session.change_view("Model", forecast=True)
    shown = {row.label(): row.value() for row in result(view).limits if not row.isHidden()}
    assert shown["launches"] == "1 × 3.00 µs"
    assert shown["waves"].startswith("8")  # 7.76 rounded up
    # 138.9 µs in eight waves of 132 for 1024 tiles, over 80.3 % of the pipe (half of it at worst), and a launch
    assert shown["expected"] == "181 µs (181 µs to 290 µs)"
    assert "forecast" in result(view).settings.text()
    session.change_view("Model", forecast=False)
    assert all(row.isHidden() for row in result(view).limits)


# Refused, unavailable, nothing, measured


def test_a_refused_entry_says_why_and_can_be_mended(view, session, qtbot):
    session.select("gemm-3")
    page = view.entry_page
    assert page.reason.isVisible() and "m = 0 must lie" in page.reason.text()
    assert not page.result.isVisible()
    edit = part(view, QLineEdit, "param.m")
    assert (edit.text(), edit.property("state")) == ("0", "error")
    type_into(qtbot, edit, "64")
    assert page.result.isVisible()
    assert not page.reason.isVisible()
    assert edit.property("state") == ""


def test_an_entry_of_a_missing_plugin_keeps_its_parameters_and_lets_them_be_changed(view, session, qtbot):
    session.select("flash-1")
    assert "acme-kernels 0.3" in view.entry_page.reason.text()
    assert view.entry_page.title.summary.text() == "Operator of acme-kernels 0.3"
    edit = part(view, QLineEdit, "param.batch")
    type_into(qtbot, edit, "16")
    assert session.study.entry("flash-1").parameters == {"batch": 16}
    assert part(view, QLineEdit, "param.batch") is edit


def test_with_nothing_selected_it_shows_the_machine(view, session):
    session.select(None)
    page = view.machine_page
    assert page.title.text() == "H100 SXM5 80 GB"
    rows = {row.label(): row for row in page.rows if not row.isHidden()}
    assert rows["bf16 tensor, dense"].value() == "989.4 TFLOP/s"
    assert rows["HBM3"].value() == "3.35 TB/s"
    assert rows["ridge, bf16 tensor at HBM3"].value() == "295 FLOP/byte"
    assert rows["HBM3"].toolTip().startswith("published")
    assert page.verdict.text() == "Below 295 FLOP/byte at HBM3, more arithmetic rate is worth nothing to you."
    session.change_view("Boundary", boundary="l2")
    assert "at L2" in page.verdict.text()


def test_without_any_machine_it_says_so(qtbot):
    view = InspectorView()
    qtbot.addWidget(view)
    view.show()
    view.set_source(registry())
    view.set_placed(placed(Study()))
    assert view.machine_page._empty.texts()[0] == "No machine"
    study = Study(entries=(Entry("g", "gemm", label="GEMM"),))
    view.set_placed(placed(study))
    view.set_selection("g")
    assert "No machine" in view.entry_page.reason.text()


@pytest.fixture
def measured(qtbot):
    made = InspectorView()
    qtbot.addWidget(made)
    made.set_source(registry())
    made.set_machine(H100)
    made.set_placed(placed(with_overlay(example())))
    made.set_selection(("measured", "a" * 64, 0))
    made.resize(332, 900)
    made.show()
    return made


def test_a_measured_kernel_is_shown_in_full(measured):
    page = measured.kernel_page
    assert page.title.text() == "cutlass_80_tensorop_bf16_s16816gemm_bf16_128x256_32x3_tn_align8"
    assert page.name.text().replace("\u200b", "") == long_name
    rows = {row.label(): row for row in page.rows if not row.isHidden()}
    assert rows["time"].value() == "196.0 µs"
    assert rows["traffic Q at HBM3"].value() == "≈ 588.0 MB"
    # 137.4 GFLOP / 196 µs, and / 588 MB
    assert rows["achieved"].value() == "≈ 701 TFLOP/s"
    assert rows["intensity I at HBM3"].value() == "≈ 234 FLOP/byte"
    assert rows["time"].toolTip() == "exact: gpu__time_duration.sum"
    assert rows["device"].value() == "NVIDIA H100 80GB HBM3"
    assert not page.reason.isVisible()


def test_it_says_how_far_it_is_from_its_prediction(measured):
    # 196 µs against 138.9 µs; 588 MB against 412.7 MB
    assert measured.kernel_page.ratio.value() == "1.41× slower"
    assert measured.kernel_page.traffic_ratio.value() == "1.42×"


def test_its_name_is_copied_in_full(measured, qtbot):
    qtbot.mouseClick(measured.kernel_page.copy, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == long_name


def test_a_kernel_that_is_not_drawn_says_why(measured):
    measured.set_selection(("measured", "a" * 64, 1))
    assert measured.kernel_page.reason.text() == "No FLOP counter was collected."
    assert measured.kernel_page.ratio.isHidden()


def test_a_kernel_can_be_held_against_an_entry(measured):
    heard = []
    measured.pairRequested.connect(lambda *args: heard.append(args))
    pair = measured.kernel_page.pair
    assert pair.value() == "gemm-1"
    pair.activated.emit(pair.findData("gemm-2"))
    pair.activated.emit(0)
    assert heard == [("a" * 64, 0, "gemm-2"), ("a" * 64, 0, "")]


def test_a_kernel_that_is_gone_gives_way_to_the_machine(measured):
    measured.set_placed(placed(example()))
    assert measured.machine_page.isVisible()


# Room, keys, names


@pytest.mark.parametrize("width", [284, 332])
@pytest.mark.parametrize(
    "selection", ["gemm-1", "attention-1", "adam-1", "cast-1", "gemm-3", "flash-1", None]
)
def test_nothing_is_clipped(view, session, width, selection, inter):
    view.resize(width, 900)
    session.select(selection)
    session.change_entry("gemm-1", "x", boundary="l2")
    view.entry_page.settings.set_open(True)
    QApplication.processEvents()
    assert view.widget().minimumSizeHint().width() <= view.viewport().width()
    for child in view.widget().findChildren(QWidget):
        if child.isVisible():
            left = child.mapTo(view.widget(), QPoint(0, 0)).x()
            assert left >= 0 and left + child.width() <= view.viewport().width(), child


@pytest.mark.parametrize("width", [284, 332])
@pytest.mark.parametrize("selection", ["gemm-1", "gemm-2", "attention-1", "adam-1"])
def test_numbers_in_tables_are_never_shortened(view, session, width, selection, inter):
    view.resize(width, 900)
    session.select(selection)
    QApplication.processEvents()
    for table in view.findChildren(RowTable):
        for row in range(table.model().rowCount()):
            for column in range(table.model().columnCount()):
                cell = table.model().index(row, column).data(CELL)
                if isinstance(cell, TextCell) and cell.number:
                    room = table.columnWidth(column) - 2 * table.cell_delegate.padding_px
                    assert table.cell_delegate.content_width(cell) <= room + 1, cell


def test_tab_follows_the_eye(view, qtbot):
    first = part(view, QWidget, "slider.m")
    order, at = [], first
    for _ in range(12):
        order.append(at)
        at = at.nextInFocusChain()
        while at.focusPolicy() == Qt.FocusPolicy.NoFocus or not at.isVisible():
            at = at.nextInFocusChain()
    heights = [one.mapTo(view.widget(), one.rect().center()).y() // 4 for one in order]
    assert heights == sorted(heights)


def test_everything_that_can_be_used_has_a_name(view, session):
    view.entry_page.settings.set_open(True)
    kinds = (QAbstractButton, QAbstractItemView, QComboBox, QLineEdit, QSlider)
    for selection in ("gemm-1", "attention-1", None):
        session.select(selection)
        for child in view.widget().findChildren(QWidget):
            if isinstance(child, kinds) and child.isVisible():
                assert child.accessibleName() or getattr(child, "text", str)(), child


def test_the_tables_keep_the_rules_of_models(view, session):
    models = [result(view).policy_model, result(view).boundary_model]
    testers = [
        QAbstractItemModelTester(one, QAbstractItemModelTester.FailureReportingMode.Fatal) for one in models
    ]
    session.set_parameter("gemm-1", "m", 1)
    session.select_machine(A100)
    session.change_entry("gemm-1", "x", boundary="nvlink")
    assert [tester.model() for tester in testers] == models


def test_a_screen_reader_hears_figures_and_bounds(view):
    model = result(view).boundary_model
    row = next(at for at, one in enumerate(model.rows) if one.id == "l2")
    assert model.index(row, 3).data(Qt.ItemDataRole.AccessibleTextRole) == "57%, memory"
    assert result(view).readouts.accessibleName().startswith("time 138.9 µs, attainable 989 TFLOP/s")


def test_both_themes_are_taken(view):
    view.set_theme(DARK)
    view.set_theme(LIGHT)
    assert isinstance(part(view, QLineEdit, "param.m"), QuantityEdit)


def test_an_unchanged_row_is_not_filled_again(view, session, monkeypatch):
    filled = []
    monkeypatch.setattr(result(view), "show_row", lambda *args: filled.append(args))
    session.change_entry("adam-1", "x", label="Adam")
    assert filled == []
    session.set_parameter("gemm-1", "m", 512)
    assert len(filled) == 1


def test_a_name_of_a_hundred_letters_fits(qtbot, session, view):
    session.change_entry("gemm-1", "x", label="A very long name of a product " * 4)
    QApplication.processEvents()
    assert view.widget().width() == view.viewport().width()
    assert view.entry_page.title.name.toolTip().startswith("A very long name")


def test_the_view_can_be_looked_at_on_a_study_of_one_machine(qtbot):
    view = InspectorView()
    qtbot.addWidget(view)
    view.set_source(registry())
    study = Study(entries=(Entry("g", "gemm"),), profiles={H100: machine()}, view=View(machines=(H100,)))
    view.set_placed(placed(study))
    view.set_selection("g")
    assert view.entry_page.result.others.isHidden()
    assert view.entry_page.title.name.text() == "gemm"


def test_pages_are_made_when_they_are_first_needed(qtbot):
    view = InspectorView()
    qtbot.addWidget(view)
    view.set_source(registry())
    view.set_placed(placed(example()))
    view.show()
    assert view.findChild(QLineEdit) is None
    view.prepare()
    assert view.machine_page.isVisible()
    assert not view.entry_page.isVisible()
    view.set_selection("gemm-1")
    assert view.entry_page.isVisible()
