"""A machine at a clock that the user types."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from rooflinestudio.ui.ceilings.clock_dialog import ClockDialog
from tests.core.ceilings.measured import PART
from tests.core.profiles import figure

LEFT = Qt.MouseButton.LeftButton
SUSTAINED = replace(PART, clocks={**PART.clocks, "sustained": figure(1.25e9, "measured")})


@pytest.fixture
def open_dialog(qtbot):
    def made(profile=PART, **more):
        dialog = ClockDialog(profile, **more)
        qtbot.addWidget(dialog)
        dialog.show()
        return dialog

    return made


def type_clock(qtbot, dialog, text):
    dialog.clock.setFocus()
    dialog.clock.selectAll()
    qtbot.keyClicks(dialog.clock, text)
    qtbot.keyClick(dialog.clock, Qt.Key.Key_Return)


def test_a_typed_clock_makes_a_machine_of_its_own(open_dialog, qtbot):
    dialog = open_dialog()

    type_clock(qtbot, dialog, "1000 MHz")
    assert "ridge of bf16 tensor 208 → 139" in dialog.foot.outcome.text().lower()  # 208 / 1.5
    with qtbot.waitSignal(dialog.profileRequested) as asked:
        qtbot.mouseClick(dialog.foot.show_button, LEFT)

    profile, shown = asked.args
    assert shown
    assert profile.ceilings["fp64"].flop_per_s == 5e12
    assert profile.id == "test-part-40gb-at-1000mhz"
    assert not dialog.isVisible()


def test_what_is_typed_counts_without_enter(open_dialog, qtbot):
    dialog = open_dialog()
    dialog.clock.setFocus()
    dialog.clock.selectAll()
    qtbot.keyClicks(dialog.clock, "1 GHz")

    with qtbot.waitSignal(dialog.profileRequested) as asked:
        qtbot.mouseClick(dialog.foot.show_button, LEFT)

    assert asked.args[0].ceilings["fp64"].flop_per_s == 5e12


@pytest.mark.parametrize("text", ["fast", "12 kHz", "-1 GHz", "900 GHz", "1.4 GB/s"])
def test_what_is_no_clock_is_refused_with_a_reason(open_dialog, qtbot, text):
    dialog = open_dialog()

    type_clock(qtbot, dialog, text)

    assert dialog.message.text()
    assert not dialog.foot.show_button.isEnabled()
    type_clock(qtbot, dialog, "1 GHz")
    assert not dialog.message.text()
    assert dialog.foot.show_button.isEnabled()


def test_the_table_says_each_figure_before_and_after(open_dialog, qtbot):
    dialog = open_dialog()

    type_clock(qtbot, dialog, "1 GHz")
    rows = {dialog.model.index(row, 0).data(): row for row in range(dialog.model.rowCount())}

    assert dialog.model.index(rows["fp64"], 1).data() == "2\u202f000 MHz"
    assert dialog.model.index(rows["fp64"], 2).data() == "10.00 TFLOP/s"
    assert dialog.model.index(rows["fp64"], 3).data() == "5.000 TFLOP/s"
    assert "L2" in rows
    assert "HBM2" not in rows
    assert "fp16" not in rows  # measured, at a clock that nobody noted


def test_it_begins_with_the_clock_that_the_machine_holds(open_dialog, qtbot):
    dialog = open_dialog(SUSTAINED, clocks=[("median of x.ncu-rep", 1.4e9)])

    assert dialog.clock.value() == 1.25e9
    with qtbot.waitSignal(dialog.profileRequested) as asked:
        qtbot.mouseClick(dialog.foot.show_button, LEFT)
    assert asked.args[0].name == "Part A7 SXM 40 GB, sustained at 1\u202f250 MHz"


def test_clocks_of_the_profile_and_of_measured_files_are_offered(open_dialog, qtbot):
    dialog = open_dialog(clocks=[("median of x.ncu-rep", 1.4e9)])

    assert dialog.clock.value() == 1.4e9
    assert dict(dialog.clock.suggestions) == {
        "1 GHz": "base",
        "2 GHz": "boost",
        "1.5 GHz": "of the tensor peak",
        "1.4 GHz": "median of x.ncu-rep",
    }
    menu = dialog.clock.suggestion_menu()
    next(one for one in menu.actions() if one.data() == "1 GHz").trigger()
    menu.close()
    menu.deleteLater()
    assert dialog.clock.value() == 1e9


def test_a_machine_without_clocks_says_so(open_dialog):
    bare = replace(PART, clocks={})
    dialog = open_dialog(bare)

    assert dialog.clock.value() is None
    assert not dialog.foot.show_button.isEnabled()
