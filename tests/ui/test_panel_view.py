"""The life that all views of the bottom tabs share: what is told while nobody looks is shown once somebody does."""

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from rooflinestudio.core.placing import place
from rooflinestudio.ui.panel_view import PanelView
from rooflinestudio.ui.theme import DARK
from rooflinestudio.ui.widgets.corner import CornerRow, corner_choice, tool_button
from rooflinestudio.ui.widgets.empty_page import EmptyPage
from tests.ui.shell_helpers import A100, H100, gemm, registry, study


class Corner(CornerRow):
    def __init__(self):
        super().__init__()
        self.word = QLabel("Which")
        self.choice = corner_choice("some.entry", "Entry", "Which entry", least_px=80, most_px=120)
        self.button = tool_button("some.copy", "copy", "Copy it")
        self.line_up(self.word, self.choice, self.button)

    def set_compact(self, compact):
        self.word.setVisible(not compact)


class View(PanelView):
    """Counts how often it is shown, and remembers with what."""

    def __init__(self):
        super().__init__("some", Corner())
        self.shown = []
        self.page = QLabel("page")
        self._stack.addWidget(self.page)

    def _show_study(self, placed):
        self.shown.append((len(placed.study.entries), self._selection, self._machine))

    def copy(self, text):
        self._copy(lambda: text, "Copied it")


@pytest.fixture
def view(qtbot):
    made = View()
    qtbot.addWidget(made)
    return made


def placed(*entries):
    return place(study(*entries), {}, registry())


def test_hidden_it_remembers_and_shows_once_what_it_was_told_last(view, qtbot):
    view.set_placed(placed())
    view.set_placed(placed(gemm()))
    view.set_machine(H100)
    view.set_selection("gemm-1")
    assert view.shown == []

    view.show()
    qtbot.waitExposed(view)
    assert view.shown == [(1, "gemm-1", H100)]
    view.hide()
    view.show()
    assert view.shown == [(1, "gemm-1", H100)]  # nothing new was told


def test_visible_it_shows_at_once_what_differs(view, qtbot):
    view.show()
    qtbot.waitExposed(view)
    source = registry()
    view.set_placed(placed(gemm()))
    view.set_machine(A100)
    view.set_source(source)
    assert [machine for _, _, machine in view.shown] == ["", A100, A100]

    view.set_machine(A100)
    view.set_source(source)
    assert len(view.shown) == 3


def test_without_a_study_there_is_nothing_to_show(view, qtbot):
    view.set_machine(H100)
    view.show()
    qtbot.waitExposed(view)
    assert view.shown == []


def test_for_export_it_is_brought_up_to_date_while_hidden(view):
    view.set_placed(placed(gemm()))
    view.refresh()
    view.refresh()
    assert view.shown == [(1, None, "")]


def test_a_copy_is_of_what_is_told_last_and_an_empty_one_changes_nothing(view, qtbot):
    view.set_placed(placed(gemm()))
    with qtbot.waitSignal(view.copied) as heard:
        view.copy("a | b")
    assert heard.args == ["Copied it"] and QGuiApplication.clipboard().text() == "a | b"
    assert len(view.shown) == 1

    with qtbot.assertNotEmitted(view.copied):
        view.copy("")
    assert QGuiApplication.clipboard().text() == "a | b"


def test_the_corner_stands_over_the_view_until_it_is_put_elsewhere(view, qtbot):
    view.resize(500, 200)
    view.show()
    qtbot.waitExposed(view)
    assert view.corner.mapTo(view, view.corner.rect().topLeft()).y() == 0
    before = view.page.height()

    elsewhere = QWidget()
    qtbot.addWidget(elsewhere)
    QVBoxLayout(elsewhere).addWidget(view.corner)
    view.layout().activate()
    assert view.page.height() == 200 > before
    view.set_compact(True)
    assert view.corner.word.isHidden()
    view.set_theme(DARK)
    view.set_compact(False)
    assert not view.corner.word.isHidden()


def test_the_chains_of_a_study_are_known_to_its_source(view):
    assert view._chain_source(placed()) is None
    view.set_source(registry())
    one = placed(gemm())
    known = view._chain_source(one)
    assert known.operator("gemm").id == "gemm"
    assert view._chain_source(one) is known  # what it has worked out is kept
    view.set_source(object())
    assert view._chain_source(one) is not known


def test_controls_of_a_corner_keep_to_the_right_and_have_names(view, qtbot):
    view.resize(500, 200)
    view.show()
    qtbot.waitExposed(view)
    corner = view.corner
    assert corner.button.geometry().right() == 500 - 10 - 1
    assert corner.choice.geometry().right() < corner.button.geometry().left()
    assert 80 <= corner.choice.width() <= 120
    assert (corner.choice.accessibleName(), corner.choice.toolTip()) == ("Entry", "Which entry")
    assert (corner.button.accessibleName(), corner.button.toolTip()) == ("Copy it", "Copy it")


def test_an_empty_page_says_something_else_and_keeps_its_button(qtbot):
    button = QPushButton("Begin")
    page = EmptyPage("Nothing here", "Begin with something.", button)
    qtbot.addWidget(page)
    page.resize(400, 160)
    page.show()
    qtbot.waitExposed(page)
    assert button.isVisible() and button.y() >= page.state.geometry().bottom()
    page.state.set_texts("It cannot be shown", "It stands on no machine.")
    assert page.state.texts() == ("It cannot be shown", "It stands on no machine.")
