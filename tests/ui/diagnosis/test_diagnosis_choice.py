"""Which kernel the diagnosis tab shows, and how another one is chosen."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from rooflinestudio.core.study import Pair
from rooflinestudio.core.study_files import load_study, save_study
from rooflinestudio.ui.diagnosis.choice import chosen_kernel, kernel_lines
from tests.core.diagnosing import measured
from tests.ui.diagnosis.desk import GEMM_NAME, ONE, TWO, Desk, made, overlay, plain, product, waiting
from tests.ui.shell_helpers import gemm, study

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)  # pop-ups offscreen


@pytest.fixture
def desk(qtbot):
    return Desk(qtbot, made())


# ------------------------------------------------------------------------------------ which kernel


def test_without_measurements_it_says_how_to_get_some_and_comes_alive_with_them(qtbot):
    desk = Desk(qtbot, study(gemm()))

    assert desk.view.empty.isVisible() and "Import measurements" in desk.view.empty.texts()[1]
    assert not desk.view.corner.kernel.isEnabled() and not desk.view.corner.copy_button.isEnabled()
    desk.view.copy_markdown()
    assert desk.copied == []
    desk.session.edit("Import", made())
    assert desk.view.body.isVisible() and desk.view.corner.copy_button.isEnabled()
    desk.session.undo_stack.undo()
    assert desk.view.empty.isVisible()


def test_a_study_without_machines_asks_for_one(qtbot):
    desk = Desk(
        qtbot, replace(made(paired=False), entries=(), profiles={}, view=replace(made().view, machines=()))
    )

    assert desk.view.empty.texts()[0] == "No machine to hold it against"


def test_the_slowest_stands_first_and_a_selected_entry_brings_its_kernel(qtbot):
    kernels = (waiting(0), product(1), measured(launch=2, kernel="slow", time=1e-3))
    paired = replace(made(overlay(*kernels)), pairs=(Pair(ONE, GEMM_NAME, 1, "gemm-1"),))
    desk = Desk(qtbot, paired)

    assert desk.name() == "slow"
    desk.session.select("gemm-1")
    assert desk.name() == GEMM_NAME.removeprefix("void ")
    desk.session.select(None)
    assert desk.name() == "slow"


def test_a_kernel_is_found_by_its_name_and_stays_in_the_study(desk, qtbot, tmp_path):
    picker = desk.view.corner.kernel
    desk.click(picker)
    assert picker.popup.isVisible() and picker.list.count() == 3
    qtbot.keyClicks(picker.field, "BLI")
    assert picker.list.count() == 1
    qtbot.keyClick(picker.field, Qt.Key.Key_Return)

    assert not picker.popup.isVisible() and desk.name() == "blind"
    assert desk.panel == {"overlay": ONE, "kernel": 2} and desk.session.selection == ("measured", ONE, 2)
    save_study(desk.session.study, tmp_path / "a.study")
    assert chosen_kernel(load_study(tmp_path / "a.study"), None)[1] == 2
    desk.session.undo_stack.undo()
    assert desk.panel == {}


def test_arrow_keys_walk_through_the_list_and_escape_leaves_it(desk, qtbot):
    picker = desk.view.corner.kernel
    picker.setFocus()
    qtbot.keyClick(picker, Qt.Key.Key_Space)
    qtbot.keyClick(picker.field, Qt.Key.Key_Down)
    qtbot.keyClick(picker.field, Qt.Key.Key_Return)
    assert desk.panel["kernel"] == 1

    desk.click(picker)
    qtbot.keyClicks(picker.field, "no such kernel")
    qtbot.keyClick(picker.field, Qt.Key.Key_Return)
    assert picker.popup.isVisible() and picker.list.count() == 0 and "No kernel" in picker.tail.text()
    qtbot.keyClick(picker.popup, Qt.Key.Key_Escape)
    assert not picker.popup.isVisible() and desk.panel["kernel"] == 1


def test_a_click_in_the_list_chooses(desk, qtbot):
    picker = desk.view.corner.kernel
    desk.click(picker)
    where = picker.list.visualItemRect(picker.list.item(2)).center()
    qtbot.mouseClick(picker.list.viewport(), Qt.MouseButton.LeftButton, pos=where)

    assert desk.name() == "blind"


def test_the_same_kernel_of_another_file_is_chosen_not_merged(qtbot):
    before = overlay(product(), waiting())
    after = overlay(
        waiting(0), product(1, time=180e-6), product(2, time=150e-6), name="after.csv", digest=TWO
    )
    desk = Desk(qtbot, made(before, after))
    files = desk.view.corner.overlays
    assert [label for _, label in files.options] == ["layer.csv", "after.csv"]
    files.setFocus()
    qtbot.keyClick(files, Qt.Key.Key_Down)

    assert desk.panel == {"overlay": TWO, "kernel": 1}  # the slower of the two launches with this name
    assert plain(desk.view.body.side.numbers[2].value.text()) == "180 µs"
    assert len(desk.session.study.overlays) == 2


def test_two_hundred_of_many_are_listed_the_slowest_first():
    kernels = [measured(launch=at, kernel=f"k{at}", time=(at + 1) * 1e-6) for at in range(300)]
    many = overlay(*kernels)

    listed = kernel_lines(many)
    assert [one.index for one in listed] == list(range(299, 99, -1))
    assert [one.name for one in kernel_lines(many, "k12")] == [
        "k129",
        *(f"k12{n}" for n in range(8, -1, -1)),
        "k12",
    ]
    assert kernel_lines(many, "7")[-1].index == 7 and kernel_lines(many, "zzz") == []


def test_kernels_without_a_time_come_last_in_the_order_of_the_file():
    some = overlay(
        measured(launch=0, time=None, dram=1e6), measured(launch=1, time=1e-6), measured(launch=2, time=None)
    )

    assert [(one.index, one.time_s) for one in kernel_lines(some)] == [(1, 1e-6), (0, None), (2, None)]


@pytest.mark.parametrize(
    "kept",
    [
        {"overlay": 7, "kernel": 1},
        {"overlay": "gone", "kernel": 1},
        {"overlay": ONE, "kernel": True},
        {"overlay": ONE, "kernel": -1},
        {"overlay": ONE, "kernel": 99},
        {"overlay": ONE, "kernel": "one"},
        {"overlay": [ONE], "kernel": {}},
        {},
    ],
)
def test_what_a_study_keeps_wrongly_falls_back(kept):
    assert chosen_kernel(made().with_panel("diagnosis", kept), None)[1] == 0
    assert chosen_kernel(made().with_panel("diagnosis", {"overlay": ONE, "kernel": 1}), None)[1] == 1


def test_selections_that_point_nowhere_do_no_harm():
    assert chosen_kernel(made(), ("measured", "gone", 0))[1] == 0
    assert chosen_kernel(made(), ("measured", ONE, 99))[1] == 0
    assert chosen_kernel(made(), ("part", "gemm-1", 0))[1] == 0
    assert chosen_kernel(study(gemm()), "gemm-1") is None
