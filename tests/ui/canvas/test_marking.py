"""Marking on the canvas: Ctrl+click, the rubber band, keys."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest

from rooflinestudio.ui.canvas.paint_strip import strip_places
from rooflinestudio.ui.canvas.view import CanvasView
from rooflinestudio.ui.presenter import scene_of
from rooflinestudio.ui.theme import DARK, LIGHT
from tests.ui.canvas.samples import entry, placed

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier

FOUR = (
    entry("low", work=1e10, traffic=1e10),  # 1 FLOP/byte
    entry("middle", work=1e12, traffic=1e10),  # 100
    entry("high", work=1e13, traffic=1e10),  # 1 000, on the ceiling
    entry("copy", "vector", flop=0),  # in the strip
)


@pytest.fixture
def view(qtbot):
    """A canvas that does what a session would do with what it asks for."""
    made = CanvasView()
    qtbot.addWidget(made)
    made.resize(1000, 600)
    made.show()
    qtbot.waitExposed(made)
    made.asked = []
    made.set_scene(scene_of(placed(*FOUR)))
    made.settle()

    def mark(ids):
        made.asked.append(tuple(ids))
        made.set_highlight(marked=frozenset(ids))

    made.markRequested.connect(mark)
    return made


def pixel(view, key):
    marker = next(one for one in view.shown_scene.markers if one.key == key)
    return QPointF(*view.frame_of_data.point(marker.log_x, marker.log_y)).toPoint()


def click(view, at, held=NONE):
    QTest.mouseClick(view.viewport(), LEFT, held, at)


def send_move(view, at, held):
    """Move with the left button down; QTest.mouseMove knows no buttons and no keys."""
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QMouseEvent
    from PySide6.QtWidgets import QApplication

    viewport = view.viewport()
    event = QMouseEvent(
        QEvent.Type.MouseMove, QPointF(at), QPointF(viewport.mapToGlobal(at)), Qt.MouseButton.NoButton, LEFT, held
    )  # fmt: skip
    QApplication.sendEvent(viewport, event)


def band(view, start, end, held=SHIFT, *, let_go=True):
    QTest.mousePress(view.viewport(), LEFT, held, start)
    for step in range(1, 5):
        send_move(view, start + (end - start) * step / 4, held)
    if let_go:
        QTest.mouseRelease(view.viewport(), LEFT, held, end)


def test_ctrl_click_marks_one_after_the_other_and_takes_out_again(view):
    selected = []
    view.selectionRequested.connect(selected.append)
    for key in ("low", "high", "low"):
        click(view, pixel(view, key), CTRL)

    assert [set(one) for one in view.asked] == [{"low"}, {"low", "high"}, {"high"}]
    assert selected == []


def test_the_selected_entry_counts_as_marked(view):
    view.set_scene(scene_of(placed(*FOUR), selected="middle"))

    click(view, pixel(view, "low"), CTRL)

    assert set(view.asked[-1]) == {"middle", "low"}


def test_ctrl_click_beside_everything_changes_nothing(view):
    click(view, pixel(view, "middle") + QPoint(60, 120), CTRL)

    assert view.asked == []


def test_a_row_of_the_strip_is_marked_like_a_marker(view):
    (place,) = strip_places(view.shown_scene, view.picture.layout)

    click(view, QPoint(*map(round, place.box.centre)), CTRL)

    assert view.asked == [("copy",)]


def test_a_plain_click_still_selects(view):
    selected = []
    view.selectionRequested.connect(selected.append)

    click(view, pixel(view, "middle"))

    assert selected == ["middle"]
    assert view.asked == []


def test_the_band_marks_what_is_in_it_and_moves_nothing(view):
    before = view.shown_range

    band(view, pixel(view, "low") + QPoint(-20, 20), pixel(view, "middle") + QPoint(20, -20))

    assert [set(one) for one in view.asked] == [{"low", "middle"}]
    assert view.shown_range == before


def test_the_band_may_be_drawn_from_any_corner(view):
    band(view, pixel(view, "high") + QPoint(20, -20), pixel(view, "middle") + QPoint(-20, 20))

    assert [set(one) for one in view.asked] == [{"middle", "high"}]


def test_a_band_over_nothing_marks_nothing(view):
    band(view, pixel(view, "high") + QPoint(40, 100), pixel(view, "high") + QPoint(140, 200))

    assert view.asked == [()]


def test_the_band_with_ctrl_keeps_what_is_marked(view):
    click(view, pixel(view, "high"), CTRL)

    band(view, pixel(view, "low") - QPoint(20, 20), pixel(view, "low") + QPoint(20, 20), SHIFT | CTRL)

    assert set(view.asked[-1]) == {"low", "high"}


def test_a_band_that_touches_a_row_of_the_strip_marks_it(view):
    (place,) = strip_places(view.shown_scene, view.picture.layout)
    x, y = map(round, place.box.centre)

    band(view, QPoint(x, y), QPoint(x + 8, y + 8))

    assert view.asked == [("copy",)]


def test_while_the_band_is_drawn_it_shows_what_it_would_mark_and_escape_puts_it_away(view):
    band(view, pixel(view, "low") + QPoint(-20, 20), pixel(view, "middle") + QPoint(20, -20), let_go=False)
    assert view.highlight.marked == {"low", "middle"}

    QTest.keyClick(view, Qt.Key.Key_Escape)
    QTest.mouseRelease(view.viewport(), LEFT, NONE, QPoint(500, 300))

    assert view.highlight.marked == frozenset()
    assert view.asked == []


def test_shift_and_a_click_that_does_not_move_marks_like_ctrl(view):
    click(view, pixel(view, "low"), SHIFT)
    click(view, pixel(view, "high"), SHIFT)

    assert set(view.asked[-1]) == {"low", "high"}


def test_without_shift_a_drag_moves_the_plane(view):
    before = view.shown_range

    band(view, QPoint(500, 400), QPoint(600, 460), NONE)

    assert view.asked == []
    assert view.shown_range != before


@pytest.mark.parametrize("key", [Qt.Key.Key_Space, Qt.Key.Key_Return])
def test_ctrl_space_and_ctrl_enter_mark_what_has_the_focus(view, key):
    QTest.keyClick(view, Qt.Key.Key_Right)
    focused = view.highlight.focused
    QTest.keyClick(view, key, CTRL)
    QTest.keyClick(view, Qt.Key.Key_Right)
    QTest.keyClick(view, key, CTRL)

    assert set(view.asked[-1]) == {focused, view.highlight.focused}
    assert len(view.asked[-1]) == 2


def test_escape_ends_the_marks_before_the_selection(view):
    view.set_scene(scene_of(placed(*FOUR), selected="middle"))
    selected = []
    view.selectionRequested.connect(selected.append)
    view.set_highlight(marked=frozenset(("middle", "low")))

    QTest.keyClick(view, Qt.Key.Key_Escape)
    view.set_highlight(marked=frozenset())
    QTest.keyClick(view, Qt.Key.Key_Escape)

    assert selected == ["middle", None]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_what_is_marked_has_a_thin_ring_in_the_accent(view, theme):
    view.set_theme(theme)
    at = pixel(view, "low")

    def picture():
        image = view.grab().toImage()
        # On the left, half a pixel inside and outside of the ring: of these two one is mostly ring.
        return image, [image.pixelColor(at.x() - dx, at.y()) for dx in (10, 11)]

    bare, around = picture()
    view.set_highlight(marked=frozenset(("low", "high")))
    _, ring = picture()
    accent = theme.qcolor("accent")
    far = [_distance(one, accent) for one in around]
    assert min(_distance(one, accent) for one in ring) < 0.6 * min(far)

    view.set_highlight(marked=frozenset())
    assert view.grab().toImage() == bare


def _distance(one, other):
    return sum(abs(x - y) for x, y in zip(one.getRgb()[:3], other.getRgb()[:3], strict=True))


def test_a_mark_makes_no_new_scene(view):
    scene, picture = view.shown_scene, view.picture

    view.set_highlight(marked=frozenset(("low",)))

    assert view.shown_scene is scene
    assert view.picture is picture
