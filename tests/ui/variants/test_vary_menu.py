"""The menu "Vary": what it offers, what it refuses and why, what it asks for."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction

from rooflinestudio.core.study import Chain, Entry, Study, View
from rooflinestudio.ui.variants.menu import VaryMenu, subject_of
from tests.ui.widgets.studies import A100, H100, machine, placed, registry

GEMM = Entry("gemm-1", "gemm", label="GEMM", slot=2)
CHAIN = Chain("chain-1", ("add", "mul", "rmsnorm"), (0,))


class Asked:
    def __init__(self, study):
        self.placed, self.selection = placed(study), study.entries[0].id if study.entries else None

    def __call__(self):
        return subject_of(self.placed, registry(), self.selection, H100)


def study(*entries, machines=(H100,), **more):
    return Study(
        entries=entries,
        profiles={id_: machine(id_) for id_ in machines},
        view=View(machines=machines),
        **more,
    )


@pytest.fixture
def menu_of(qtbot):
    def make(*entries, **more):
        asked = Asked(study(*entries, **more))
        menu = VaryMenu(asked)
        qtbot.addWidget(menu)
        menu.asked, menu.heard = asked, []
        menu.variantRequested.connect(lambda *args: menu.heard.append(args))
        menu.chainVariantRequested.connect(lambda *args: menu.heard.append(args))
        menu.aboutToShow.emit()  # what opening does; a fake screen has no popups
        return menu

    return make


def action(menu, name) -> QAction:
    return next(one for one in menu.findChildren(QAction) if one.objectName() == f"variants.{name}")


def headings(menu):
    return [one.text() for one in menu.actions() if one.menu() is not None]


def test_it_is_ordered_by_what_is_varied(menu_of):
    menu = menu_of(GEMM, machines=(H100, A100))

    assert headings(menu) == ["Format", "Boundary", "Policy", "Tile", "Size", "Machine"]


def test_a_line_says_what_it_would_do(menu_of):
    menu = menu_of(GEMM)

    assert action(menu, "dtype.fp8").text() == "fp8\t2.00× faster"
    assert action(menu, "boundary.at NVLink 4").text().endswith("\tnot crossed")
    assert action(menu, "batch.m 16\u202f384 (×4)").text().endswith("per FLOP")


def test_a_chosen_line_asks_for_a_linked_entry_in_the_same_colour(menu_of):
    menu = menu_of(GEMM)
    action(menu, "dtype.fp8").trigger()

    ((entry, words),) = menu.heard
    assert words == "fp8"
    assert (entry.id, entry.variant_of, entry.slot, entry.dtypes) == ("", "gemm-1", 2, {"all": "fp8"})


@pytest.mark.qt_log_ignore("This plugin does not support (raise|grabbing)")
def test_it_can_be_chosen_by_keyboard(menu_of, qtbot):
    menu = menu_of(GEMM)
    menu.popup(QPoint(0, 0))
    menu.setActiveAction(menu.actions()[0])
    qtbot.keyClick(menu, Qt.Key.Key_Right)
    below = menu.actions()[0].menu()
    assert below.isVisible()
    below.setActiveAction(action(menu, "dtype.fp16"))
    qtbot.keyClick(below, Qt.Key.Key_Return)

    assert menu.heard[0][0].dtypes == {"all": "fp16"}


def test_what_is_refused_is_off_and_its_tool_tip_says_why(menu_of):
    fp8 = action(menu_of(Entry("gemm-1", "gemm", machines=(A100,)), machines=(A100,)), "dtype.fp8")

    assert not fp8.isEnabled()
    assert "fp8" in fp8.toolTip() and fp8.text() == "fp8"
    assert fp8.parent().toolTipsVisible()


def test_own_values_ask_for_a_copy(menu_of):
    menu = menu_of(GEMM)
    action(menu, "own").trigger()

    ((entry, words),) = menu.heard
    assert (entry.variant_of, entry.parameters, words) == ("gemm-1", {}, "own values")


def test_a_chain_asks_for_other_cuts(menu_of):
    menu = menu_of(Entry("c", "chain:chain-1", label="Chain"), chains=(CHAIN,))
    action(menu, "fusion.all fused").trigger()
    action(menu, "fusion.all split").trigger()
    assert menu.heard == [("c", (), "all fused"), ("c", (0, 1), "all split")]


def test_it_follows_the_selection_from_one_opening_to_the_next(menu_of):
    menu = menu_of(GEMM, Entry("add-1", "add", label="Add"))
    assert "Tile" in headings(menu)

    menu.asked.selection = "add-1"
    menu.aboutToShow.emit()
    assert "Tile" not in headings(menu)


@pytest.mark.parametrize("selection", [None, ("measured", "a" * 64, 0), "gone"])
def test_without_an_entry_it_says_what_to_do(menu_of, selection):
    menu = menu_of(GEMM)
    menu.asked.selection = selection
    menu.renew()

    (line,) = menu.actions()
    assert (line.text(), line.isEnabled()) == ("Select an entry to vary it", False)


def test_a_part_stands_for_its_entry(menu_of):
    menu = menu_of(GEMM)
    menu.asked.selection = ("part", "gemm-1", 0)
    menu.renew()

    assert "Format" in headings(menu)
