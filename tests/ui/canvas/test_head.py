"""The head says what is shown and how it was counted, and gives way in a narrow window."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget

from rooflinestudio.ui.canvas.head import CanvasHead
from rooflinestudio.ui.presenter import scene_of
from rooflinestudio.ui.theme import DARK
from tests.ui.canvas.samples import entry, placed


@pytest.fixture
def window(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    row = QHBoxLayout(window)
    row.setContentsMargins(0, 0, 0, 0)
    window.head = CanvasHead(parent=window)
    window.head.set_scene(scene_of(placed(entry(), policy="modelled")))
    row.addWidget(window.head)
    return window


def shown_words(head):
    return [label.text() for label in head.findChildren(QLabel) if label.isVisible()]


def test_it_names_boundary_policy_and_model(window, qtbot):
    window.resize(1600, 60)
    window.show()

    assert shown_words(window.head) == [
        "Roofline at HBM",
        "modelled, absorption 0.85",
        "pure bound, no launch cost",
    ]
    assert window.head.legend.isVisible()


def test_in_a_window_under_1400_pixels_the_legend_folds_away(window):
    window.resize(1380, 60)
    window.show()

    assert not window.head.legend.isVisible()
    assert len(shown_words(window.head)) == 3


def test_the_title_and_the_tools_stay_when_there_is_no_room_for_more(window):
    button = QToolButton()
    button.setText("Fit")
    window.head.add_tool(button)
    window.resize(300, 60)
    window.show()

    assert shown_words(window.head) == ["Roofline at HBM"]
    assert button.isVisible()
    assert window.head.geometry().right() <= window.width()


def test_the_words_come_back_with_the_room(window):
    window.resize(300, 60)
    window.show()
    window.resize(1600, 60)

    assert len(shown_words(window.head)) == 3


def test_it_can_be_read_aloud(window):
    assert (
        window.head.accessibleName()
        == "Roofline at HBM: modelled, absorption 0.85, pure bound, no launch cost"
    )
    assert "Diamond: measured" in window.head.legend.accessibleName()


def test_the_legend_is_drawn_in_the_colours_of_the_theme(window):
    window.resize(1600, 60)
    window.show()
    window.head.set_theme(DARK)

    image = window.head.legend.grab().toImage()
    colours = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
    assert DARK.qcolor("text2").name() in colours
