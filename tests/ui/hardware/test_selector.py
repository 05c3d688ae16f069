from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt

from rooflinestudio.core.study import Study, View
from rooflinestudio.ui.hardware.machine_chip import DASHES
from rooflinestudio.ui.hardware.selector import MachineSelector
from tests.ui.widgets.studies import A100, H100, example, machine, placed, registry

H200, B200, MI300X = "nvidia-h200-sxm", "nvidia-b200", "amd-mi300x"
# Popups raise themselves and grab the keyboard; the offscreen platform says that it cannot, each time.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)


@pytest.fixture
def selector(qtbot):
    made = MachineSelector()
    qtbot.addWidget(made)
    made.set_machines(registry().profiles)
    made.set_machine(H100)
    made.set_placed(placed(example(machines=(H100, A100))))
    made.resize(made.sizeHint())
    made.show()
    qtbot.waitExposed(made)
    made.heard = []
    for name in ("machineRequested", "addRequested", "removeRequested"):
        getattr(made, name).connect(lambda id_, name=name: made.heard.append((name, id_)))
    return made


def chips(selector):
    return [chip for chip in selector.chips if not chip.isHidden()]


def test_each_machine_is_a_chip_with_name_and_ridge(selector):
    assert [chip.words for chip in chips(selector)] == ["H100 SXM5 ridge 295", "A100 SXM4 ridge 153"]
    assert [chip.isChecked() for chip in chips(selector)] == [True, False]


def test_the_ridge_is_that_of_the_boundary_that_is_looked_at(selector):
    view = View(machines=(H100, A100), boundary="l2")
    selector.set_placed(placed(example(machines=(H100, A100), view=view)))
    # 989.4 TFLOP/s / 9 TB/s
    assert chips(selector)[0].words == "H100 SXM5 ridge 110"


def test_a_click_asks_for_the_strong_roof(selector, qtbot):
    qtbot.mouseClick(chips(selector)[1], Qt.MouseButton.LeftButton, pos=QPoint(60, 14))
    assert selector.heard == [("machineRequested", A100)]


def test_a_click_on_the_strong_one_leaves_it_strong(selector, qtbot):
    qtbot.mouseClick(chips(selector)[0], Qt.MouseButton.LeftButton, pos=QPoint(60, 14))
    assert chips(selector)[0].isChecked()


def test_the_strong_one_is_marked_when_the_session_says_so(selector):
    selector.set_machine(A100)
    assert [chip.isChecked() for chip in chips(selector)] == [False, True]
    assert chips(selector)[1].accessibleName() == "A100 SXM4, ridge 153, strong roof"
    assert selector.heard == []


def test_the_cross_and_the_delete_key_take_a_machine_out(selector, qtbot):
    first, second = chips(selector)
    qtbot.mouseClick(second.close_button, Qt.MouseButton.LeftButton)
    first.setFocus()
    qtbot.keyClick(first, Qt.Key.Key_Delete)
    assert selector.heard == [("removeRequested", A100), ("removeRequested", H100)]


def test_a_machine_without_a_profile_is_named_by_its_id(selector):
    study = Study(view=View(machines=("acme-x1",)))
    selector.set_placed(placed(study))
    assert chips(selector)[0].words == "acme-x1"
    assert "no profile" in chips(selector)[0].toolTip()


def test_more_machines_than_room_go_into_a_menu_and_the_strong_one_never(selector):
    ids = (H100, A100, H200, B200, MI300X)
    study = example(machines=ids)
    selector.set_placed(placed(study))
    assert [chip.machine for chip in chips(selector)] == [H100, A100, H200]
    assert [action.data() for action in selector._more_menu.actions()] == [B200, MI300X]
    selector.set_machine(MI300X)
    assert [chip.machine for chip in chips(selector)] == [H100, A100, MI300X]
    selector._more_menu.actions()[0].trigger()
    assert selector.heard == [("machineRequested", H200)]


def test_in_a_narrow_window_there_are_two_chips_and_one_word_ridge(selector):
    selector.set_placed(placed(example(machines=(H100, A100, H200))))
    selector.set_compact(True)
    assert [chip.words for chip in chips(selector)] == ["H100 SXM5 ridge 295", "A100 SXM4 153"]


def test_other_machines_are_drawn_dashed(selector):
    assert len({DASHES[1], DASHES[2], DASHES[3]}) == 3
    assert DASHES[0] == ()


def test_no_machine_is_no_chip(selector):
    selector.set_placed(placed(Study()))
    assert chips(selector) == []


# The list


def test_the_list_offers_every_machine_by_vendor(selector):
    assert set(selector.list.offered()) == {profile.id for profile in registry().profiles}
    heads = [
        selector.list.model.item(row).text()
        for row in range(selector.list.model.rowCount())
        if not selector.list.model.item(row).flags()
    ]
    assert heads == ["AMD", "Apple", "AWS", "Cerebras", "Google", "Groq", "Intel", "NVIDIA"]


def test_plus_opens_it_and_a_typed_name_and_enter_add_a_machine(selector, qtbot):
    qtbot.mouseClick(selector.add_button, Qt.MouseButton.LeftButton)
    assert selector.list.isVisible()
    qtbot.keyClicks(selector.list.search, "mi300x")
    assert selector.list.offered() == [MI300X]
    qtbot.keyClick(selector.list.search, Qt.Key.Key_Return)
    assert selector.heard == [("addRequested", MI300X)]
    assert not selector.list.isVisible()


def test_arrow_keys_pass_over_headings(selector, qtbot):
    selector.open_list()
    first, second = selector.list.offered()[:2]
    qtbot.keyClick(selector.list.search, Qt.Key.Key_Down)
    qtbot.keyClick(selector.list.search, Qt.Key.Key_Up)
    qtbot.keyClick(selector.list.search, Qt.Key.Key_Up)
    assert selector.list.view.currentIndex().data(Qt.ItemDataRole.UserRole + 1) == first
    qtbot.keyClick(selector.list.search, Qt.Key.Key_Down)
    qtbot.keyClick(selector.list.search, Qt.Key.Key_Return)
    assert selector.heard == [("addRequested", second)]


def test_a_machine_in_view_is_marked_and_choosing_it_makes_it_strong(selector, qtbot):
    selector.open_list()
    qtbot.keyClicks(selector.list.search, "a100 sxm4 80")
    assert "shown" in selector.list.model.item(1).data(Qt.ItemDataRole.AccessibleTextRole)
    qtbot.keyClick(selector.list.search, Qt.Key.Key_Return)
    assert selector.heard == [("machineRequested", A100)]


def test_a_search_without_a_hit_says_so(selector, qtbot):
    selector.open_list()
    qtbot.keyClicks(selector.list.search, "cray")
    assert selector.list._nothing.text() == "No machine matches “cray”."
    qtbot.keyClick(selector.list.search, Qt.Key.Key_Return)
    assert selector.heard == []


def test_a_click_in_the_list_adds(selector, qtbot):
    selector.open_list()
    view = selector.list.view
    index = next(
        selector.list.model.index(row, 0)
        for row in range(selector.list.model.rowCount())
        if selector.list.model.item(row).data(Qt.ItemDataRole.UserRole + 1) == H200
    )
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(index).center())
    assert selector.heard == [("addRequested", H200)]


def test_everything_that_can_be_used_has_a_name(selector):
    for widget in (
        *chips(selector),
        selector.add_button,
        selector.more_button,
        selector.list.search,
        selector.list.view,
    ):
        assert widget.accessibleName()
    assert chips(selector)[0].close_button.accessibleName() == "Hide H100 SXM5"


def test_a_profile_without_the_reference_pipe_has_no_ridge(selector):
    bare = replace(machine(), reference_ceiling="fp128")
    study = Study(profiles={H100: bare}, view=View(machines=(H100,)))
    selector.set_placed(placed(study))
    assert chips(selector)[0].words == "H100 SXM5"
