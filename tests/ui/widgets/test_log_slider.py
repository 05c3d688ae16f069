import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication

from rooflinestudio.ui.widgets.log_slider import LogSlider
from rooflinestudio.ui.widgets.snapping import Scale


@pytest.fixture
def slider(qtbot):
    made = LogSlider(Scale(1, 2**20))
    qtbot.addWidget(made)
    made.resize(220, 20)
    made.show()
    made.set_value(4096)
    return made


@pytest.fixture
def heard(slider):
    values, ends = [], []
    slider.valueMoved.connect(values.append)
    slider.gestureEnded.connect(lambda: ends.append(True))
    return values, ends


def handle(slider):
    return QPoint(slider._handle_rect().center())


def test_a_drag_tells_values_to_stop_at_and_then_its_end(slider, heard, qtbot):
    start = handle(slider)
    qtbot.mousePress(slider, Qt.MouseButton.LeftButton, pos=start)
    for dx in (10, 20, 30, 40):
        qtbot.mouseMove(slider, start + QPoint(dx, 0))
    values, ends = heard
    assert values == sorted(values) and values[-1] > 4096
    assert all(value == slider.scale.snapped(value) for value in values)
    assert not ends
    qtbot.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=start + QPoint(40, 0))
    assert ends == [True]


def test_pressing_the_groove_goes_there_at_once(slider, heard, qtbot):
    qtbot.mouseClick(slider, Qt.MouseButton.LeftButton, pos=QPoint(215, 10))
    assert heard[0][0] > 2**19


def test_a_value_that_is_set_tells_nobody(slider, heard):
    slider.set_value(100)
    assert slider.current() == 100
    assert heard == ([], [])


def test_it_stands_for_values_that_are_no_stop_and_beyond_its_end(slider):
    slider.set_value(4097)
    assert slider.current() == 4097
    slider.set_value(7e9)
    assert slider.current() == 7e9
    assert slider.value() == slider.maximum()


def test_an_arrow_key_goes_one_stop_on_and_ends_the_gesture_when_released(slider, heard, qtbot):
    slider.setFocus()
    qtbot.keyPress(slider, Qt.Key.Key_Right)
    assert heard == ([4608], [])
    qtbot.keyRelease(slider, Qt.Key.Key_Right)
    assert heard[1] == [True]


def test_page_keys_go_an_octave(slider, heard, qtbot):
    slider.setFocus()
    qtbot.keyClick(slider, Qt.Key.Key_PageUp)
    assert heard[0] == [8192]


def test_the_wheel_is_left_to_the_panel(slider, heard):
    event = QWheelEvent(
        QPointF(50, 10), QPointF(50, 10), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(slider, event)
    assert not event.isAccepted()
    assert heard[0] == []


def test_during_a_drag_the_handle_stays_under_the_pointer(slider, qtbot):
    start = handle(slider)
    qtbot.mousePress(slider, Qt.MouseButton.LeftButton, pos=start)
    qtbot.mouseMove(slider, start + QPoint(30, 0))
    position = slider.sliderPosition()
    slider.set_value(slider.current())
    assert slider.sliderPosition() == position
    qtbot.mouseRelease(slider, Qt.MouseButton.LeftButton)
