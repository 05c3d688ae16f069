from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from rooflinestudio.core.study import View
from rooflinestudio.ui.view_bar import HOME, Fold, ViewBar, boundary_options
from rooflinestudio.ui.widgets.share_edit import ShareEdit
from tests.ui.shell_helpers import H100, registry


@pytest.fixture
def bar(qtbot):
    bar = ViewBar()
    qtbot.addWidget(bar)
    bar.set_view(View(machines=(H100,)), registry().load_profile(H100))
    bar.resize(1000, 44)
    bar.show()
    return bar


def asked(bar):
    heard = []
    bar.viewRequested.connect(lambda *what: heard.append(what))
    return heard


def test_it_shows_a_view_without_asking_for_anything(bar):
    heard = asked(bar)

    bar.set_view(
        View(machines=(H100,), boundary="l2", policy="tiled", absorption=0.5, overlap=0.25, forecast=True),
        registry().load_profile(H100),
    )

    assert bar.boundary.value() == "l2"
    assert bar.policy.value() == bar.policy_choice.value() == "tiled"
    assert bar.absorption.edit.text() == "0.50"
    assert bar.overlap.edit.text() == "0.25"
    assert bar.model.value() == "forecast"
    assert heard == []


def test_boundaries_bear_the_words_of_the_machine():
    options = dict(boundary_options(registry().load_profile(H100), "dram"))

    assert list(options)[:4] == ["register", "shared", "l2", "dram"]
    assert options["dram"].startswith("HBM")
    assert list(options)[-2:] == ["all", HOME]


def test_a_boundary_that_the_machine_lacks_is_shown_as_such():
    assert ("xgmi", "xgmi (not here)") in boundary_options(registry().load_profile(H100), "xgmi")


@pytest.mark.parametrize("policy", ["compulsory", "tiled", "modelled"])
def test_a_click_on_a_policy_asks_for_it(bar, qtbot, policy):
    heard = asked(bar)

    qtbot.mouseClick(bar.policy.button(policy), Qt.MouseButton.LeftButton)

    assert heard == [("Change policy", "policy", policy, False)]


def test_absorption_acts_under_modelled_alone(bar):
    bar.set_view(View(machines=(H100,), policy="tiled"), registry().load_profile(H100))
    assert not bar.absorption.isEnabled()

    bar.set_view(View(machines=(H100,), policy="modelled"), registry().load_profile(H100))
    assert bar.absorption.isEnabled()


@pytest.mark.parametrize(
    ("typed", "share"), [("0.5", 0.5), ("50%", 0.5), ("0,5", 0.5), ("1", 1.0), ("0", 0.0), (" .25 ", 0.25)]
)
def test_a_share_is_typed_as_a_number_or_in_per_cent(bar, qtbot, typed, share):
    heard = asked(bar)
    bar.overlap.edit.setFocus()
    bar.overlap.edit.selectAll()
    qtbot.keyClicks(bar.overlap.edit, typed)
    qtbot.keyClick(bar.overlap.edit, Qt.Key.Key_Return)

    if share == 1.0:  # what it is already
        assert heard == []
    else:
        assert heard == [("Change overlap", "overlap", share, False)]


@pytest.mark.parametrize("typed", ["1.5", "-0.1", "much", "150%", "nan", ""])
def test_what_is_no_share_is_refused_and_stays_on_display(bar, qtbot, typed):
    heard = asked(bar)
    bar.overlap.edit.setFocus()
    bar.overlap.edit.selectAll()
    qtbot.keyClick(bar.overlap.edit, Qt.Key.Key_Delete)
    qtbot.keyClicks(bar.overlap.edit, typed)
    qtbot.keyClick(bar.overlap.edit, Qt.Key.Key_Return)

    assert heard == []
    assert bar.overlap.edit.text() == typed
    assert bar.overlap.edit.message()


def test_dragging_a_slider_says_that_it_is_a_drag(qtbot):
    share = ShareEdit("Overlap", hint="")
    qtbot.addWidget(share)
    share.set_share(0.0)
    share.show()

    with qtbot.waitSignal(share.shareRequested) as requested:
        qtbot.keyClick(share.slider, Qt.Key.Key_Right)

    assert requested.args == [0.01, True]


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)  # pop-ups offscreen
def test_a_narrow_row_folds_the_policy_and_puts_the_rest_behind_a_button(bar):
    bar.resize(bar.needed_px(Fold.NOTHING) - 1, 44)

    assert bar.policy.isHidden()
    assert not bar.policy_choice.isHidden()
    assert bar.absorption.isVisible()
    assert not bar.overlap.isVisible()

    bar.more.click()
    assert bar.overlap.isVisible()
    assert bar.model.isVisible()
    bar.overlap.window().hide()

    bar.resize(bar.needed_px(Fold.MODEL) - 1, 44)
    assert not bar.absorption.isVisible()
    assert bar.minimumSizeHint().width() <= bar.width()

    bar.resize(bar.needed_px(Fold.NOTHING), 44)
    assert not bar.policy.isHidden()
    for part in (bar.absorption, bar.overlap, bar.model):
        assert part.isVisible()
        assert part.window() is bar.window()
    assert bar.more.isHidden()


def test_the_parts_of_the_row_keep_their_order_however_often_it_folds(bar):
    for fold in (Fold.MOST, Fold.MODEL, Fold.NOTHING, Fold.MODEL, Fold.MOST, Fold.NOTHING):
        bar.fold(fold)
    bar.layout().activate()

    lefts = [part.x() for part in (bar.boundary, bar.policy, bar.absorption, bar.overlap, bar.model)]
    assert lefts == sorted(lefts)
