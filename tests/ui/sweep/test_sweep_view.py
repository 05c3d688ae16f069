"""The sweep tab as somebody uses it: what becomes of clicks, drags and keys in the study."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication

from rooflinestudio.core.study import Entry
from rooflinestudio.ui.session import Session
from rooflinestudio.ui.sweep.view import SweepView
from tests.ui.shell_helpers import gemm, registry, study

LLAMA = {"model": "llama-3-8b", "batch": 56, "context": 8192, "weights": "resident"}
STEP = Entry("step", "decode_step", parameters=LLAMA, label="Llama")


class Desk:
    """A view on a session: every wish is done as the window does it."""

    def __init__(self, qtbot, made, size=(1004, 256)):
        self.qtbot, self.session = qtbot, Session(registry(), made)
        self.view = view = SweepView()
        qtbot.addWidget(view)
        self.copied = []
        view.panelRequested.connect(
            lambda text, panel, changes, dragging: self.session.change_panel(
                text, panel, changes, dragging=dragging
            )
        )
        view.parameterRequested.connect(self._set)
        view.gestureEnded.connect(self.session.end_gesture)
        view.copied.connect(self.copied.append)
        self.session.studyChanged.connect(view.set_placed)
        self.session.selectionChanged.connect(view.set_selection)
        view.set_source(self.session.source)
        view.set_placed(self.session.placed)
        view.resize(*size)
        view.show()
        qtbot.waitExposed(view)

    def _set(self, id_, name, value, dragging):
        self.session.set_parameter(id_, name, value, dragging=dragging)

    @property
    def panel(self):
        return self.session.study.panels.get("sweep", {})

    @property
    def batch(self):
        return self.session.study.entry("step").parameters["batch"]

    def choose(self, kind):
        panel = self.view.thresholds
        row = next(at for at, one in enumerate(panel.model.rows) if one.kind == kind)
        spot = panel.table.visualRect(panel.model.index(row, 0)).center()
        self.qtbot.mouseClick(panel.table.viewport(), Qt.MouseButton.LeftButton, pos=spot)

    def trigger(self, label):
        next(one for one in self.view.controls.menu.actions() if one.text() == label).trigger()


@pytest.fixture
def desk(qtbot):
    return Desk(qtbot, study(STEP))


def test_a_threshold_is_emphasised_and_set(desk):
    desk.choose("capacity")
    assert desk.view.plot.chosen.kind == "capacity"
    desk.qtbot.mouseClick(desk.view.thresholds.set_button, Qt.MouseButton.LeftButton)
    assert desk.batch == 59
    assert desk.view.picture.lead.here[0] == 59


def test_enter_on_a_threshold_sets_it(desk):
    desk.choose("traffic")
    desk.qtbot.keyClick(desk.view.thresholds.table, Qt.Key.Key_Return)
    assert desk.batch == 15


def test_dragging_the_dot_changes_the_entry_in_one_step_of_undo(desk):
    plot = desk.view.plot
    start = plot.handle("step").toPoint()
    left = int(plot.frame().x(14.0))
    desk.qtbot.mousePress(plot, Qt.MouseButton.LeftButton, pos=start)
    for x in (start.x() - 10, (start.x() + left) // 2, left):
        desk.qtbot.mouseMove(plot, QPoint(x, start.y()))
    desk.qtbot.mouseRelease(plot, Qt.MouseButton.LeftButton, pos=QPoint(left, start.y()))
    assert desk.batch == pytest.approx(14, abs=1)
    assert abs(plot.handle("step").x() - left) < 6
    desk.session.undo_stack.undo()
    assert desk.batch == 56


def test_keys_read_the_curve_and_set_the_value(desk):
    plot = desk.view.plot
    plot.setFocus()
    desk.qtbot.keyClick(plot, Qt.Key.Key_Right)
    assert plot.probe_text().startswith("batch 59: ")
    assert "memory at dram" in plot.probe_text()
    desk.qtbot.keyClick(plot, Qt.Key.Key_Return)
    assert desk.batch == 59


def test_a_typed_range_is_kept_in_the_study(desk):
    edit = desk.view.controls.high
    edit.setFocus()
    edit.selectAll()
    desk.qtbot.keyClicks(edit, "128")
    desk.qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert desk.panel["high"] == 128
    assert desk.view.picture.lead.x[-1] == 128


def test_policies_and_the_axis_are_switched_in_the_menu_and_back(desk):
    desk.trigger("Compulsory")
    desk.trigger("Tiled")
    assert desk.panel["policies"] == ["compulsory", "tiled"]
    assert len(desk.view.picture.curves) == 2
    desk.trigger("Tiled")
    assert desk.panel["policies"] == ["compulsory"]
    desk.trigger("Logarithmic")
    assert desk.panel["scale"] == "linear"
    assert not desk.view.plot.frame().is_log
    desk.trigger("Logarithmic")
    assert desk.view.plot.frame().is_log


def test_curves_and_thresholds_are_copied(desk):
    csv, markdown = desk.view.controls.copy.menu().actions()
    csv.trigger()
    assert QGuiApplication.clipboard().text().startswith("entry,policy,batch,throughput (tok/s),bound,fits\n")
    markdown.trigger()
    assert "**batch = 59**" in QGuiApplication.clipboard().text()
    assert desk.copied == ["Curves copied as CSV", "Thresholds copied as Markdown"]


def test_the_selected_entry_leads_until_entries_are_chosen(qtbot):
    desk = Desk(qtbot, study(STEP, gemm(label="Cube"), gemm("gemm-2", m=2048, label="Other")))
    desk.session.select("gemm-1")
    assert desk.view.picture.spec.entries == ("gemm-1",)
    desk.trigger("Other")
    assert desk.panel["entries"] == ["gemm-1", "gemm-2"]
    desk.session.select("step")
    assert desk.view.picture.spec.entries == ("gemm-1", "gemm-2")


def test_hidden_it_waits_and_empty_it_says_so(qtbot):
    desk = Desk(qtbot, study())
    assert desk.view.picture is None
    assert desk.view.empty.isVisible()
    desk.view.hide()
    desk.session.edit("Place", study(STEP))
    assert desk.view.picture is None
    desk.view.show()
    assert desk.view.picture.lead.key.entry == "step"


@pytest.mark.parametrize("size", [(560, 170), (1004, 256), (1600, 866)])
def test_no_label_lies_over_another_at_any_size(qtbot, size):
    desk = Desk(qtbot, study(STEP), size)
    desk.view.grab()
    spots = desk.view.plot.label_spots
    assert spots
    assert not any(a.intersects(b) for at, a in enumerate(spots) for b in spots[at + 1 :])
