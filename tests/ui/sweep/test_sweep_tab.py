"""The sweep tab as somebody uses it: every wish is done as the window does it, and the study tells of it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication

from rooflinestudio.core.study import Entry
from rooflinestudio.core.study_files import load_study, save_study
from rooflinestudio.ui.session import Session
from rooflinestudio.ui.sweep.ticks import linear_ticks
from rooflinestudio.ui.sweep.view import SweepView
from tests.ui.shell_helpers import gemm, registry, study

STEP = Entry(
    "step",
    "decode_step",
    parameters={"model": "llama-3-8b", "batch": 56, "context": 8192, "weights": "resident"},
    label="Llama",
)
LARGE, TAB, SMALL = (1600, 866), (1004, 256), (560, 170)


class Desk:
    """A view on a session."""

    def __init__(self, qtbot, made, size=LARGE, *, shown=True):
        self.qtbot, self.session = qtbot, Session(registry(), made)
        self.view = view = SweepView()
        qtbot.addWidget(view)
        self.copied, self.asked = [], []
        view.panelRequested.connect(
            lambda text, panel, changes, dragging: self.session.change_panel(
                text, panel, changes, dragging=dragging
            )
        )
        view.selectRequested.connect(self.session.select)
        view.parameterRequested.connect(self._set)
        view.gestureEnded.connect(self.session.end_gesture)
        view.copied.connect(self.copied.append)
        self.session.studyChanged.connect(view.set_placed)
        self.session.selectionChanged.connect(view.set_selection)
        view.set_source(self.session.source)
        view.set_machine(self.session.machine)
        view.set_placed(self.session.placed)
        view.resize(*size)
        if shown:
            view.show()
            qtbot.waitExposed(view)

    def _set(self, id_, name, value, dragging):
        self.asked.append((id_, name, value, dragging))
        entry = self.session.study.entry(id_)
        self.session.change_entry(
            id_,
            f"Change {name}",
            merge=("parameter", id_, name) if dragging else None,
            parameters={**entry.parameters, **dict.fromkeys(name.split("="), value)},
        )

    @property
    def panel(self):
        return self.session.study.panels.get("sweep", {})

    @property
    def picture(self):
        self.view.refresh()
        return self.view.picture

    def parameters(self, id_="step"):
        return self.session.study.entry(id_).parameters

    def choose(self, choice, id_):
        """Choose from a drop-down by key, as a user does."""
        at = choice.findData(id_)
        choice.setFocus()
        choice.setCurrentIndex(at)
        choice.activated.emit(at)

    def type(self, edit, text):
        edit.setFocus()
        edit.selectAll()
        self.qtbot.keyClicks(edit, text)
        self.qtbot.keyClick(edit, Qt.Key.Key_Return)

    def spot(self, entry):
        curve = next(one for one in self.picture.curves if one.key.entry == entry and one.here)
        return self.view.plot.spot(curve).toPoint()

    def x(self, value):
        return round(self.view.plot.frame().x(value))

    def threshold(self, kind):
        model = self.view.side.model
        row = next(at for at, one in enumerate(model.rows) if one.mark.kind == kind)
        return self.view.side.table.visualRect(model.index(row, 1)).center()


@pytest.fixture
def desk(qtbot):
    return Desk(qtbot, study(STEP, gemm(label="Product"), policy="compulsory"))


# What is drawn --------------------------------------------------------------------------------------------------------


def test_the_first_entry_is_swept_until_another_is_selected(desk):
    assert (desk.picture.lead.key.entry, desk.picture.spec.parameter) == ("step", "batch")
    desk.session.select("gemm-1")
    assert (desk.picture.lead.key.entry, desk.picture.spec.parameter) == ("gemm-1", "m=n=k")
    desk.session.select("step")
    assert desk.picture.lead.key.entry == "step"


def test_figure_and_parameter_are_chosen_and_kept_in_the_study(desk, tmp_path):
    desk.choose(desk.view.corner.figure, "time")
    assert desk.picture.spec.figure == "time"
    desk.choose(desk.view.corner.parameter, "context")
    assert desk.picture.spec.parameter == "context"
    save_study(desk.session.study, tmp_path / "a.study")
    assert load_study(tmp_path / "a.study").panels["sweep"] == {"figure": "time", "parameter": "context"}
    desk.session.undo_stack.undo()
    desk.session.undo_stack.undo()
    assert (desk.picture.spec.figure, desk.picture.spec.parameter) == ("throughput", "batch")


def test_another_parameter_takes_its_own_range(desk):
    desk.type(desk.view.controls.high, "64")
    assert desk.panel["high"] == 64
    desk.choose(desk.view.corner.parameter, "context")
    assert "high" not in desk.panel
    assert desk.picture.spec.high > 64


def test_a_range_is_typed_in_any_unit_and_refused_where_it_falls(desk):
    desk.type(desk.view.controls.high, "1 k")
    assert (desk.panel["high"], desk.picture.x_range) == (1000, (1.0, 1000.0))
    desk.type(desk.view.controls.low, "2000")
    assert "low" not in desk.panel
    assert "must rise" in desk.view.controls.low.message()
    desk.type(desk.view.controls.low, "10")
    assert desk.picture.x_range == (10.0, 1000.0)


def test_the_scale_is_switched_both_ways(desk):
    for scale, is_log in (("linear", False), ("log", True)):
        desk.qtbot.mouseClick(desk.view.controls.scale.button(scale), Qt.MouseButton.LeftButton)
        assert desk.picture.spec.is_log is is_log
        assert desk.view.plot.frame().is_log is is_log


def test_policies_make_curves_of_their_own_and_go_again(desk):
    desk.session.select("gemm-1")
    for policy in ("compulsory", "tiled"):
        desk.view.controls.policies.action_of(policy).trigger()
    assert [one.key.policy for one in desk.picture.curves] == ["compulsory", "tiled"]
    for policy in ("tiled", "compulsory"):
        desk.view.controls.policies.action_of(policy).trigger()
    assert "policies" not in desk.panel
    assert len(desk.picture.curves) == 1


def test_entries_are_compared_and_the_last_one_stays(desk):
    desk.choose(desk.view.corner.parameter, "batch")
    menu = desk.view.controls.entries
    menu.action_of("gemm-1").trigger()
    assert desk.panel["entries"] == ["step", "gemm-1"]
    assert [one.name for one in desk.picture.curves] == ["Llama", "Product"]
    menu.action_of("step").trigger()
    assert desk.panel["entries"] == ["gemm-1"]
    menu.action_of("gemm-1").trigger()
    assert desk.panel["entries"] == ["gemm-1"]
    assert menu.action_of("gemm-1").isChecked()


def test_a_second_parameter_brings_its_values_which_can_be_typed(desk):
    desk.view.controls.second.action_of("context").trigger()
    assert desk.panel["second"] == {"parameter": "context", "values": [4096, 8192, 16384]}
    assert [one.key.second for one in desk.picture.curves] == [4096, 8192, 16384]
    assert [one.key.second for one in desk.picture.curves if one.here] == [8192]
    desk.type(desk.view.controls.values, "1024, 2 k")
    assert desk.panel["second"]["values"] == [1024, 2000]
    desk.view.controls.second.action_of("").trigger()
    assert "second" not in desk.panel
    assert len(desk.picture.curves) == 1


def test_stairs_are_switched_on_and_off(qtbot):
    made = study(gemm(m=16896, n=256, k=8192)).with_panel(
        "sweep", {"parameter": "n", "low": 240, "high": 400, "scale": "linear"}
    )
    desk = Desk(qtbot, made)
    desk.qtbot.mouseClick(desk.view.controls.stairs, Qt.MouseButton.LeftButton, pos=QPoint(8, 13))
    assert desk.panel["stairs"] is True
    assert 257 in desk.picture.lead.curve.stairs_x  # 257 columns take a third tile
    desk.qtbot.mouseClick(desk.view.controls.stairs, Qt.MouseButton.LeftButton, pos=QPoint(8, 13))
    assert "stairs" not in desk.panel


def test_in_a_low_tab_everything_is_in_one_menu(qtbot):
    desk = Desk(qtbot, study(STEP, gemm()), TAB)
    controls = desk.view.controls
    assert controls.is_brief
    assert controls.more.isVisible()
    assert not controls.scale.isVisible()
    controls.log_action.trigger()
    assert desk.picture.spec.is_log is False
    controls.log_action.trigger()
    assert desk.picture.spec.is_log is True
    desk.view.resize(*LARGE)
    qtbot.waitUntil(controls.scale.isVisible)
    assert not controls.more.isVisible()


# The present value ----------------------------------------------------------------------------------------------------


def test_the_point_is_dragged_in_one_step_of_undo(desk):
    before, steps = desk.picture, desk.session.undo_stack.count()
    start = desk.spot("step")
    plot = desk.view.plot
    desk.qtbot.mousePress(plot, Qt.MouseButton.LeftButton, pos=start)
    for value in (40, 20, 8):
        desk.qtbot.mouseMove(plot, QPoint(desk.x(value), start.y()))
        _move(plot, desk.x(value), start.y())
    desk.qtbot.mouseRelease(plot, Qt.MouseButton.LeftButton, pos=QPoint(desk.x(8), start.y()))
    assert desk.parameters()["batch"] == 8
    assert desk.picture.x_range == before.x_range
    assert desk.session.undo_stack.count() == steps + 1
    assert all(dragging for *_, dragging in desk.asked)
    desk.session.undo_stack.undo()
    assert desk.parameters()["batch"] == 56


def test_a_cube_is_dragged_by_all_three_sides(desk):
    desk.session.select("gemm-1")
    start = desk.spot("gemm-1")
    desk.qtbot.mousePress(desk.view.plot, Qt.MouseButton.LeftButton, pos=start)
    _move(desk.view.plot, desk.x(1000), start.y())
    desk.qtbot.mouseRelease(desk.view.plot, Qt.MouseButton.LeftButton, pos=start)
    sides = {desk.parameters("gemm-1")[name] for name in "mnk"}
    assert len(sides) == 1
    assert sides.pop() == pytest.approx(1000, rel=0.01)  # a pixel is a few of them


def test_keys_move_the_value_and_a_second_press_is_a_step_of_its_own(desk):
    plot = desk.view.plot
    plot.setFocus()
    for key, batch in ((Qt.Key.Key_Right, 59), (Qt.Key.Key_Left, 56)):  # 56 · 1.05 = 58.8
        desk.qtbot.keyClick(plot, key)
        assert desk.parameters()["batch"] == batch
    desk.session.undo_stack.undo()
    assert desk.parameters()["batch"] == 59
    desk.session.undo_stack.undo()
    assert desk.parameters()["batch"] == 56


def test_keys_move_by_one_at_least(qtbot):
    step = replace(STEP, parameters={**STEP.parameters, "batch": 3})
    desk = Desk(qtbot, study(step))
    desk.view.plot.setFocus()
    for key, batch in (
        (Qt.Key.Key_Right, 4),
        (Qt.Key.Key_Left, 3),
        (Qt.Key.Key_Left, 2),
        (Qt.Key.Key_Left, 1),
    ):
        desk.qtbot.keyClick(desk.view.plot, key)
        assert desk.parameters()["batch"] == batch
    desk.qtbot.keyClick(desk.view.plot, Qt.Key.Key_Left)
    assert desk.parameters()["batch"] == 1


def test_pressing_a_point_selects_its_entry(qtbot):
    made = study(gemm("a"), gemm("b", m=128, n=128, k=128)).with_panel(
        "sweep", {"entries": ["a", "b"], "parameter": "m=n=k", "low": 64, "high": 8192}
    )
    desk = Desk(qtbot, made)
    for entry in ("b", "a"):
        desk.qtbot.mouseClick(desk.view.plot, Qt.MouseButton.LeftButton, pos=desk.spot(entry))
        assert desk.session.selection == entry


def test_the_mouse_reads_the_curves_exactly(desk):
    plot = desk.view.plot
    _move(plot, desk.x(10), round(plot.frame().inner.center().y()))
    text = plot.probe_text()
    assert text.startswith("batch 10; ")
    assert "memory at HBM3" in text
    # 10 sequences: 10 · 3.35e12 / (16.0605e9 + 10 · 1.0737e9) = 1250 tokens/s
    assert "1\u202f250 tok/s" in text or "1\u202f249 tok/s" in text
    _move(plot, 2, 2)
    assert plot.probe_text() == ""


# Thresholds -----------------------------------------------------------------------------------------------------------


def test_a_click_on_a_threshold_emphasises_it_and_the_button_sets_it(desk):
    table, button = desk.view.side.table, desk.view.side.set_button
    assert not button.isEnabled()
    desk.qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=desk.threshold("capacity"))
    assert desk.view.side.chosen_row().value == 59
    assert button.text() == "Set batch to 59"
    desk.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert desk.parameters()["batch"] == 59
    assert desk.asked == [("step", "batch", 59, False)]
    assert desk.view.side.chosen_row().value == 59


def test_a_double_click_and_enter_set_a_threshold(desk):
    table = desk.view.side.table
    spot = desk.threshold("traffic")
    desk.qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    desk.qtbot.mouseDClick(table.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert desk.parameters()["batch"] == 15
    table.setFocus()
    desk.qtbot.keyClick(table, Qt.Key.Key_Down)
    desk.qtbot.keyClick(table, Qt.Key.Key_Return)
    assert desk.parameters()["batch"] == 59


def test_a_threshold_of_a_cube_sets_all_three_sides(desk):
    desk.session.select("gemm-1")
    spot = desk.threshold("bound")
    desk.qtbot.mouseClick(desk.view.side.table.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    desk.qtbot.mouseClick(desk.view.side.set_button, Qt.MouseButton.LeftButton)
    assert [desk.parameters("gemm-1")[name] for name in "mnk"] == [887, 887, 887]


def test_a_curve_that_is_refused_tells_why(qtbot):
    desk = Desk(qtbot, study(gemm(label="Product", dtypes={"all": "fp4"})))
    assert desk.view.side.reason.isVisible()
    assert desk.view.side.reason.text() == desk.picture.refused[0][1]
    desk.session.change_entry("gemm-1", "Change formats", dtypes={})
    assert desk.picture.refused == ()
    assert not desk.view.side.reason.isVisible()


# The whole ------------------------------------------------------------------------------------------------------------


def test_curves_and_thresholds_are_copied(desk):
    desk.view.corner.csv_action.trigger()
    assert QGuiApplication.clipboard().text().startswith("curve,entry,machine,policy,batch,throughput")
    desk.view.corner.markdown_action.trigger()
    assert "Capacity ends batch at 59" in QGuiApplication.clipboard().text()
    assert desk.copied == ["Sweep copied as CSV", "Sweep copied as Markdown"]


def test_an_empty_study_says_what_to_do_until_something_is_placed(qtbot):
    desk = Desk(qtbot, study())
    assert desk.view.empty.isVisible()
    assert not desk.view.corner.copy_button.isEnabled()
    desk.session.add_operator("gemm")
    assert desk.picture is not None
    assert not desk.view.empty.isVisible()
    desk.session.remove(("gemm-1",))
    assert desk.picture is None
    assert desk.view.empty.isVisible()


def test_a_hidden_tab_does_nothing_until_it_is_looked_at(qtbot):
    desk = Desk(qtbot, study(STEP), shown=False)
    assert desk.view.picture is None
    desk.view.show()
    assert desk.view.picture.lead.key.entry == "step"
    before = desk.view.picture
    desk.view.hide()
    desk.session.set_parameter("step", "context", 4096)
    assert desk.view.picture is before
    desk.view.show()
    assert desk.view.picture is not before


@pytest.mark.parametrize("size", [SMALL, TAB, LARGE])
@pytest.mark.parametrize(
    "panel",
    [{}, {"scale": "linear", "high": 128}, {"second": {"parameter": "context", "values": [2048, 8192]}}],
)
def test_no_label_lies_over_another_at_any_size(qtbot, size, panel):
    desk = Desk(qtbot, study(STEP).with_panel("sweep", panel), size)
    desk.view.grab()
    assert (desk.view.width(), desk.view.height()) == size
    spots = desk.view.plot.label_spots
    assert not any(a.intersects(b) for at, a in enumerate(spots) for b in spots[at + 1 :])
    inner = desk.view.plot.frame().inner
    assert all(inner.contains(one) for one in spots)


def test_it_shrinks_as_well_as_it_grows(qtbot):
    desk = Desk(qtbot, study(STEP), SMALL)
    for size in (LARGE, SMALL, TAB, SMALL):
        desk.view.resize(*size)
        assert (desk.view.width(), desk.view.height()) == size


def test_everything_has_a_name_for_those_who_do_not_see_it(desk):
    controls, corner = desk.view.controls, desk.view.corner
    named = [
        controls.low, controls.high, controls.scale, controls.entries, controls.policies, controls.second,
        controls.values, controls.more, corner.figure, corner.parameter, corner.copy_button, desk.view.plot,
        desk.view.side.table,
    ]  # fmt: skip
    assert all(one.accessibleName() for one in named)
    assert desk.view.plot.accessibleDescription() == desk.picture.verdict


@pytest.mark.parametrize(
    ("low", "high", "length", "at"),
    [
        (0, 100, 420, [0, 20, 40, 60, 80, 100]),
        (240, 400, 320, [250, 300, 350, 400]),
        (0, 1, 100, [0, 0.5, 1]),
        (1, 1, 100, []),
    ],
)
def test_linear_ticks_stand_at_round_values(low, high, length, at):
    assert [one.at for one in linear_ticks(low, high, length=length, spacing=82.0)] == pytest.approx(at)


def _move(widget, x, y):
    """Move the mouse with whatever button is held."""
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QMouseEvent
    from PySide6.QtWidgets import QApplication

    at = QPointF(x, y)
    event = QMouseEvent(
        QEvent.Type.MouseMove, at, widget.mapToGlobal(at), Qt.MouseButton.NoButton, Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    QApplication.sendEvent(widget, event)
