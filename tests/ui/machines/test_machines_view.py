"""The machines tab in a window: figures, what if, a tenth better, the years."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton

from rooflinestudio.core.study_files import load_study, save_study
from rooflinestudio.ui.frame import Frame
from rooflinestudio.ui.furnishing import Furnishing
from rooflinestudio.ui.main_window import MainWindow
from rooflinestudio.ui.no_plugins import NoPlugins
from rooflinestudio.ui.session import Session
from rooflinestudio.ui.settings import SettingsStore
from rooflinestudio.ui.theme import LIGHT, ThemeSwitch
from tests.ui.shell_helpers import A100, H100, Answers, gemm, registry, study

SHOWN = f"{H100}-what-if"


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
def session(furnished):
    # A square product is compute-bound (ridge 295), one with a single row memory-bound.
    furnished.session.open(study(gemm(), gemm("gemv", m=1, label="GEMV"), machines=(H100, A100)))
    furnished.session.select_machine(H100)
    return furnished.session


@pytest.fixture
def view(furnished, session):
    furnished.wiring.show_tab("machines")
    return furnished.panels.figures.view


def press(view, page):
    view.corner.page.button(page).click()


def drag(qtbot, slider, to):
    """Press on a slider and move the handle to a share of its length."""
    at = QPoint(round(to * (slider.width() - 16)) + 8, slider.height() // 2)
    qtbot.mousePress(slider, Qt.MouseButton.LeftButton, pos=at)
    qtbot.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=at)


# Figures --------------------------------------------------------------------------------------------------------------


def test_figures_stand_against_the_first_machine(view):
    model = view.figures.model
    rows = {row.key: at for at, row in enumerate(model.rows)}
    assert model.heads == ("Figure", "H100 SXM5", "A100 SXM4", "of the first")
    at = rows["ceilings.bf16-tensor"]
    texts = [model.index(at, column).data() for column in range(4)]
    assert texts == ["bf16 tensor", "989.4 TFLOP/s", "312.0 TFLOP/s", "0.32×"]  # 312 / 989.4
    l2 = rows["capacities.l2"]
    assert [model.index(l2, column).data() for column in (1, 2)] == ["50 MiB", "40 MiB"]
    fp8 = rows["ceilings.fp8-tensor"]
    assert model.index(fp8, 2).data() == "–"


def test_only_what_differs_is_remembered_and_undone(view, session, qtbot):
    everything = len(view.figures.model.rows)
    qtbot.mouseClick(
        view.corner.different, Qt.MouseButton.LeftButton, pos=QPoint(8, view.corner.different.height() // 2)
    )
    assert session.study.panels["machines"]["different"] is True
    assert 0 < len(view.figures.model.rows) < everything
    assert all(row.differs for row in view.figures.model.rows)
    session.undo_stack.undo()
    assert len(view.figures.model.rows) == everything


def test_the_table_is_copied_as_markdown(view):
    view.corner.copy_button.click()
    text = QGuiApplication.clipboard().text()
    assert text.startswith("| Figure | H100 SXM5 | A100 SXM4 | of the first |")
    assert "| bf16 tensor | 989.4 TFLOP/s | 312.0 TFLOP/s | 0.32× |" in text


# What if --------------------------------------------------------------------------------------------------------------


def test_the_names_of_resources_are_whole_where_the_tab_is_narrow(view, furnished, qtbot):
    press(view, "what_if")
    furnished.frame.window.resize(1280, 800)
    qtbot.waitUntil(lambda: furnished.frame.window.width() == 1280)
    rows = view.factors.rows
    assert not rows["clock"].value.isVisible()
    assert all(one.name.shown_text() == one.name.text() for one in rows.values())
    furnished.frame.window.resize(1600, 1000)


def test_a_slider_flips_a_verdict_and_the_study_keeps_it(view, session, qtbot, tmp_path):
    press(view, "what_if")
    row = view.factors.rows["bf16-tensor"]
    drag(qtbot, row.slider, 1.0)  # nearly ten times the ceiling: the ridge comes to lie right of the product
    kept = session.study.panels["machines"]["what_if"]
    assert list(kept) == [H100]
    assert 9 <= kept[H100]["bf16-tensor"] <= 10
    first, second = view.flip_model.rows
    assert (first.before.bound, first.after.bound, first.flips) == ("compute", "memory", True)
    assert not second.flips
    path = tmp_path / "one.roofline.yaml"
    save_study(session.study, path)
    assert load_study(path).panels["machines"]["what_if"] == kept
    session.undo_stack.undo()
    assert "what_if" not in session.study.panels["machines"]


def test_a_typed_factor_is_read_and_a_wrong_one_refused(view, session, qtbot):
    press(view, "what_if")
    edit = view.factors.rows["dram"].edit
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClicks(edit, "+50%")
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert session.study.panels["machines"]["what_if"] == {H100: {"dram": 1.5}}
    edit.selectAll()
    qtbot.keyClicks(edit, "fast")
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert "no factor" in edit.toolTip()
    assert session.study.panels["machines"]["what_if"] == {H100: {"dram": 1.5}}


def test_the_changed_machine_stands_on_the_canvas_and_follows(view, session):
    press(view, "what_if")
    view.factors.shown.click()
    assert session.study.view.machines == (H100, A100, SHOWN)
    view.factors.factorsRequested.emit({"dram": 2.0}, False)
    published = session.placed.profiles[H100].boundary("dram").bytes_per_s
    assert session.study.profiles[SHOWN].boundary("dram").bytes_per_s == 2 * published
    gemv = {row.machine: row.placement for row in session.placed.rows_of("gemv")}
    assert gemv[SHOWN].time_s == pytest.approx(gemv[H100].time_s / 2)
    view.factors.shown.click()
    assert session.study.view.machines == (H100, A100)
    assert SHOWN not in session.study.profiles
    assert session.study.panels["machines"]["what_if"] == {H100: {"dram": 2.0}}


def test_with_the_changed_machine_strong_the_sliders_are_still_those_of_the_real_one(view, session):
    press(view, "what_if")
    view.factors.shown.click()
    session.select_machine(SHOWN)
    view.factors.factorsRequested.emit({"dram": 2.0}, False)
    assert session.study.panels["machines"]["what_if"] == {H100: {"dram": 2.0}}
    assert session.study.profiles[SHOWN].id == SHOWN


def test_one_drag_is_one_step_back(view, session):
    press(view, "what_if")
    steps = session.undo_stack.count()
    for factor in (1.2, 1.5, 2.0):
        view.factors.factorsRequested.emit({"dram": factor}, True)
    view.factors.gestureEnded.emit()
    assert session.undo_stack.count() == steps + 1
    view.factors.reset.click()
    assert session.undo_stack.count() == steps + 2
    assert "what_if" not in session.study.panels["machines"]


def test_a_row_selects_its_entry(view, session, qtbot):
    press(view, "what_if")
    table = view.flip_table
    place = table.visualRect(view.flip_model.index(1, 0)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert session.selection == "gemv"


# A tenth better -------------------------------------------------------------------------------------------------------


def test_what_a_tenth_buys(view, session):
    session.remove(("gemv",))
    press(view, "gains")
    first = view.gain_model.rows[0]
    assert (first.id, first.helped) == ("bf16-tensor", ("gemm-1",))
    assert view.gain_model.index(0, 2).data() == "9.1%"  # 1 - 1/1.1
    assert view.gain_model.index(len(view.gain_model.rows) - 1, 2).data() == "nothing"


def test_with_nothing_placed_it_says_so(view, session):
    session.remove(("gemm-1", "gemv"))
    press(view, "gains")
    assert view.empty.isVisible()
    assert view.gain_table.isHidden()
    assert not view.add_button.isVisible()


# The years ------------------------------------------------------------------------------------------------------------


def test_the_years_hold_all_accelerators_and_a_click_adds_one(view, session, furnished, qtbot):
    press(view, "years")
    view.all.read_all()
    peak = view.years.plots[0].series
    assert peak.id == "peak"
    assert {H100, A100} <= {one.machine for one in peak.points}
    assert peak.growth > 1
    other = next(one for one in peak.points if one.machine not in (H100, A100))
    plot = view.years.plots[0]
    with qtbot.waitSignal(furnished.machineAddRequested) as asked:
        at = plot.place_of(other.machine)
        qtbot.mouseClick(plot, Qt.MouseButton.LeftButton, pos=at.toPoint())
    assert asked.args[0] in {one.machine for one in peak.points}


def test_all_machines_stand_in_a_table_that_is_sorted_searched_and_copied(view, furnished, qtbot):
    press(view, "all")
    view.all.read_all()
    table, model = view.ridges.table, view.ridges.model
    rows = {row.id: row for row in model.rows}
    assert {H100, A100} <= set(rows)
    assert rows[H100].ridge == pytest.approx(295.3, rel=1e-3)  # 989.4 / 3.35
    assert rows[A100].bytes_per_s == pytest.approx(2.04e12, rel=1e-2)
    assert [row.year for row in model.rows] == sorted((row.year for row in model.rows), reverse=True)
    view.ridges._on_section_clicked(7)
    ridges = [row.ridge for row in model.rows if row.ridge is not None]
    assert ridges == sorted(ridges, reverse=True)
    view.ridges._on_section_clicked(7)
    assert [row.ridge for row in model.rows if row.ridge is not None] == ridges[::-1]
    qtbot.keyClicks(view.ridges.search, "a100 80")
    assert A100 in {row.id for row in model.rows}
    assert H100 not in {row.id for row in model.rows}
    view.corner.copy_button.click()
    assert (
        "| A100 SXM4 80 GB | NVIDIA | 2020 | bf16 tensor | 312 TFLOP/s |"
        in QGuiApplication.clipboard().text()
    )
    view.ridges.search.clear()
    other = next(at for at, row in enumerate(model.rows) if row.id not in (H100, A100))
    with qtbot.waitSignal(furnished.machineAddRequested) as asked:
        table.doubleClicked.emit(model.index(other, 0))
    assert asked.args == [model.rows[other].id]
    qtbot.keyClicks(view.ridges.search, "mi300x")
    qtbot.keyClick(view.ridges.search, Qt.Key.Key_Return)
    with qtbot.waitSignal(furnished.machineAddRequested) as asked:
        qtbot.keyClick(table, Qt.Key.Key_Return)
    assert asked.args == [model.rows[0].id]
    view.ridges.search.clear()


def test_the_page_is_in_the_study(view, session):
    press(view, "years")
    assert session.study.panels["machines"]["page"] == "years"
    session.undo_stack.undo()
    assert view.corner.page.value() == "figures"


# Without a machine ----------------------------------------------------------------------------------------------------


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)  # pop-ups offscreen
def test_without_a_machine_the_list_opens(view, session, furnished):
    session.edit("Empty", replace(session.study, view=replace(session.study.view, machines=()), entries=()))
    button = view.findChild(QPushButton, "machines_tab.add")
    assert button.isVisible()
    button.click()
    assert furnished.panels.machines.list.isVisible()
    furnished.panels.machines.list.hide()
