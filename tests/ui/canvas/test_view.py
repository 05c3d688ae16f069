"""The canvas as a user meets it: drag and drop, hover, click, keyboard, pan and zoom."""

from __future__ import annotations

import pytest
import shiboken6
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QHelpEvent,
    QWheelEvent,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QToolTip

from rooflinestudio.core.study import Pair
from rooflinestudio.ui.canvas import settling
from rooflinestudio.ui.canvas.dropping import OPERATOR_MIME
from rooflinestudio.ui.canvas.empty_card import EmptyCard
from rooflinestudio.ui.canvas.pointing import tip_html
from rooflinestudio.ui.canvas.scene import PreviewMarker
from rooflinestudio.ui.canvas.view import CanvasView
from rooflinestudio.ui.presenter import ScenePresenter, scene_of
from rooflinestudio.ui.theme import DARK, LIGHT
from tests.ui.canvas.samples import FAST, SLOW, entry, machine, measurement, overlay, placed


@pytest.fixture
def view(qtbot):
    view = CanvasView()
    qtbot.addWidget(view)
    view.resize(1000, 600)
    view.show()
    qtbot.waitExposed(view)
    return view


THREE = (
    entry("low", work=1e10, traffic=1e10),  # 1 FLOP/byte
    entry("middle", work=1e12, traffic=1e10),  # 100
    entry("high", work=1e13, traffic=1e10),  # 1 000, on the ceiling
)


@pytest.fixture
def three(view):
    view.set_scene(scene_of(placed(*THREE)))
    view.settle()
    return view


def pixel(view, key):
    marker = next(one for one in view.shown_scene.markers if one.key == key)
    return QPointF(*view.frame_of_data.point(marker.log_x, marker.log_y)).toPoint()


def heard(signal):
    values = []
    signal.connect(lambda *args: values.append(args[0] if len(args) == 1 else args))
    return values


def move(view, at):
    QTest.mouseMove(view.viewport(), at)


def click(view, at):
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)


# ------------------------------------------------------------------------------------------- drag and drop


def operator_mime(operator="gemm"):
    mime = QMimeData()
    mime.setData(OPERATOR_MIME, operator.encode())
    return mime


def files_mime(*paths):
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(path) for path in paths])
    return mime


def send(view, event):
    QApplication.sendEvent(view.viewport(), event)
    return event.isAccepted()


def drag_to(view, mime, at):
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    entered = send(view, QDragEnterEvent(at, copy, mime, left, none))
    return entered and send(view, QDragMoveEvent(at, copy, mime, left, none))


def drop(view, mime, at):
    if not drag_to(view, mime, at):
        return False
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    return send(view, QDropEvent(QPointF(at), copy, mime, left, none))


def test_an_operator_that_is_dropped_is_told_with_its_place(three):
    dropped = heard(three.operatorDropped)
    at = QPointF(*three.frame_of_data.point(1.0, 13.0)).toPoint()

    assert drop(three, operator_mime("gemm"), at)

    ((operator, log_x, log_y),) = dropped
    assert operator == "gemm"
    assert (log_x, log_y) == pytest.approx((1.0, 13.0), abs=0.01)


def test_files_that_are_dropped_are_told_with_their_paths(three, tmp_path):
    dropped = heard(three.filesDropped)

    assert drop(three, files_mime(str(tmp_path / "a.csv"), str(tmp_path / "b.csv")), QPoint(500, 300))

    assert dropped == [[str(tmp_path / "a.csv"), str(tmp_path / "b.csv")]]


def test_anything_else_is_refused(three):
    mime = QMimeData()
    mime.setText("hello")
    dropped = heard(three.operatorDropped)

    assert not drop(three, mime, QPoint(500, 300))
    assert dropped == []


def test_a_link_to_the_web_is_no_file(three):
    mime = QMimeData()
    mime.setUrls([QUrl("https://example.org/a.csv")])

    assert not drop(three, mime, QPoint(500, 300))


def test_while_an_operator_is_dragged_its_point_is_asked_for_once_and_shown(three):
    asked = heard(three.previewRequested)
    before = three.grab().toImage()

    mime = operator_mime("gemm")
    drag_to(three, mime, QPoint(500, 300))
    drag_to(three, mime, QPoint(520, 310))
    three.set_preview(PreviewMarker("GEMM", "I 10.0 · 139 µs", 1.0, 13.602))

    assert asked == ["gemm"]
    at = three.frame_of_data.point(1.0, 13.602)
    after = three.grab().toImage()
    assert after.pixelColor(round(at[0]), round(at[1])) != before.pixelColor(round(at[0]), round(at[1]))

    send(three, QDragLeaveEvent())
    assert asked == ["gemm", ""]
    assert three.highlight.preview is None
    assert three.grab().toImage() == before


def test_an_operator_without_a_place_on_the_axes_is_previewed_in_words(three):
    mime = operator_mime("cast")
    drag_to(three, mime, QPoint(500, 300))
    before = three.grab().toImage()

    three.set_preview(PreviewMarker("Cast", "no FLOPs, 962 µs", None, None))

    assert three.grab().toImage() != before


def test_after_a_drop_the_preview_is_gone(three):
    drag_to(three, operator_mime(), QPoint(500, 300))
    three.set_preview(PreviewMarker("GEMM", "", 1.0, 13.0))

    drop(three, operator_mime(), QPoint(500, 300))

    assert three.highlight.preview is None


# ------------------------------------------------------------------------------------------- pointer


def test_a_click_on_a_marker_asks_to_select_it_and_one_beside_it_to_select_nothing(three):
    asked = heard(three.selectionRequested)

    click(three, pixel(three, "middle"))
    click(three, pixel(three, "middle") + QPoint(60, 60))

    assert asked == ["middle", None]


def test_the_view_never_selects_by_itself(three):
    click(three, pixel(three, "middle"))

    assert three.shown_scene.selected is None


def test_hover_tells_the_marker_and_the_status_line_its_figures(three):
    hovered, status = heard(three.hoverChanged), heard(three.statusTextChanged)

    move(three, pixel(three, "middle"))
    assert hovered == ["middle"]
    assert status[-1] == "I 100 FLOP/byte   P 400 TFLOP/s   1.00× to the roof"

    move(three, pixel(three, "middle") + QPoint(80, 80))
    assert hovered == ["middle", None]


def test_over_a_bare_place_the_status_line_reads_the_place_and_the_distance_to_the_roof(three):
    status = heard(three.statusTextChanged)

    # At 10 FLOP/byte the roof is 40 TFLOP/s; a decade below it the way is tenfold.
    move(three, QPointF(*three.frame_of_data.point(1.0, 12.602)).toPoint())

    figures = status[-1].split()
    assert figures[0] == "I" and float(figures[1]) == pytest.approx(10, rel=0.03)
    assert float(figures[4]) == pytest.approx(4, rel=0.03) and figures[5] == "TFLOP/s"
    assert float(figures[6].rstrip("×")) == pytest.approx(10, rel=0.05)


def test_when_the_pointer_leaves_the_selection_speaks_again(view):
    view.set_scene(scene_of(placed(*THREE), selected="low"))
    status = heard(view.statusTextChanged)
    move(view, pixel(view, "high"))

    QApplication.sendEvent(view.viewport(), QEvent(QEvent.Type.Leave))
    QApplication.sendEvent(view, QEvent(QEvent.Type.Leave))

    assert status[-1].startswith("I 1.00 FLOP/byte")


def test_the_tool_tip_has_name_intensity_rate_time_and_distance(three, monkeypatch):
    shown = []
    monkeypatch.setattr(QToolTip, "showText", lambda *args: shown.append(args[1]))
    at = pixel(three, "middle")

    QApplication.sendEvent(
        three.viewport(), QHelpEvent(QEvent.Type.ToolTip, at, three.viewport().mapToGlobal(at))
    )

    (text,) = shown
    for words in (
        "<b>middle on Fast 1</b>",
        "I 100 FLOP/byte at HBM",
        "400 TFLOP/s",
        "2.500 ms",
        "1.00× to the roof",
    ):
        assert words in text


def test_names_in_a_tool_tip_are_no_markup():
    assert "&lt;int&gt;" in tip_html(("kernel<int>", "1 < 2"))


def test_a_measured_point_tells_its_headroom_and_is_selected_by_its_key(view, monkeypatch):
    run = overlay(measurement(0, kernel="mine<int>", time_s=5e-3))
    scene = scene_of(
        placed(entry(work=1e13), overlays=(run,), pairs=(Pair(run.digest, "mine<int>", 0, "one"),))
    )
    view.set_scene(scene)
    asked, key = heard(view.selectionRequested), ("measured", run.digest, 0)
    shown = []
    monkeypatch.setattr(QToolTip, "showText", lambda *args: shown.append(args[1]))

    at = pixel(view, key)
    click(view, at)
    QApplication.sendEvent(
        view.viewport(), QHelpEvent(QEvent.Type.ToolTip, at, view.viewport().mapToGlobal(at))
    )

    assert asked == [key]
    assert "headroom 2.00×" in shown[0]


def test_one_kernel_of_thousands_is_found_under_the_pointer(view):
    run = overlay(
        *(measurement(n, time_s=1e-3 * (1 + n / 7), traffic_bytes=1e9 * (1 + n % 50)) for n in range(4000))
    )
    view.set_scene(scene_of(placed(overlays=(run,))))
    (points,) = view.shown_scene.overlays
    asked = heard(view.selectionRequested)

    click(
        view, QPointF(*view.frame_of_data.point(float(points.log_x[777]), float(points.log_y[777]))).toPoint()
    )

    ((kind, digest, index),) = asked
    assert (kind, digest) == ("measured", run.digest)
    at = points.index.tolist().index(index)
    chosen = (float(points.log_x[at]), float(points.log_y[at]))
    meant = (float(points.log_x[777]), float(points.log_y[777]))
    assert view.frame_of_data.point(*chosen) == pytest.approx(view.frame_of_data.point(*meant), abs=1.5)


def test_a_row_of_the_strip_is_selected_like_a_marker(view):
    view.set_scene(scene_of(placed(entry("copy", "vector", flop=0))))
    asked, status = heard(view.selectionRequested), heard(view.statusTextChanged)
    strip = view.picture.layout.strip

    at = QPoint(round(strip.left + 30), round(strip.top + 60))
    move(view, at)
    click(view, at)

    assert asked == ["copy"]
    assert "I 0 FLOP/byte   4.00 TB/s at HBM" in status[-1]


# ------------------------------------------------------------------------------------------- pan, zoom, fit


def wheel(view, at, steps):
    position = QPointF(at)
    event = QWheelEvent(
        position, view.viewport().mapToGlobal(position), QPoint(0, 0), QPoint(0, 120 * steps), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(view.viewport(), event)


def drag(view, start, way):
    viewport, left = view.viewport(), Qt.MouseButton.LeftButton
    QTest.mousePress(viewport, left, pos=start)
    for step in range(1, 9):
        QTest.mouseMove(viewport, start + way * step / 8)
    QTest.mouseRelease(viewport, left, pos=start + way)


def test_the_wheel_zooms_round_the_pointer(three):
    at = QPoint(600, 250)
    place = three.data_at(QPointF(at))
    before = three.shown_range

    wheel(three, at, 2)

    after = three.shown_range
    assert after.x1 - after.x0 < before.x1 - before.x0
    assert three.data_at(QPointF(at)) == pytest.approx(place, abs=0.01)


def test_a_drag_moves_the_plane_with_the_pointer_and_selects_nothing(three):
    asked = heard(three.selectionRequested)
    start = QPoint(600, 400)
    place = three.data_at(QPointF(start))

    drag(three, start, QPoint(-120, -60))

    assert three.data_at(QPointF(480, 340)) == pytest.approx(place, abs=0.02)
    assert asked == []


def test_a_double_click_on_an_empty_place_fits(three):
    home, asked = three.shown_range, heard(three.fitRequested)
    three.zoom_in()
    three.pan(0.2, 0.1)

    left, at = Qt.MouseButton.LeftButton, QPoint(700, 500)
    for act in (QTest.mousePress, QTest.mouseRelease, QTest.mouseDClick, QTest.mouseRelease):
        act(three.viewport(), left, pos=at)

    assert three.shown_range == pytest.approx(home)
    assert len(asked) == 1


def test_zooming_in_and_out_returns_to_the_same_range(three):
    home = three.shown_range

    three.zoom_in()
    assert three.shown_range != pytest.approx(home)
    three.zoom_out()

    assert three.shown_range == pytest.approx(home)


def test_zoom_has_an_end_in_both_directions(three):
    for _ in range(80):
        three.zoom_in()
    assert three.shown_range.x1 - three.shown_range.x0 >= 0.0199
    for _ in range(160):
        three.zoom_out()
    assert three.shown_range.x0 >= -9.001 and three.shown_range.y1 <= 21.001
    three.grab()


def test_a_change_of_the_study_leaves_the_view_where_the_user_put_it(three):
    three.zoom_in()
    here = three.shown_range

    three.set_scene(scene_of(placed(*THREE, entry("far", work=1e20, traffic=1e10))))

    assert three.shown_range == here


def test_variants_do_not_move_the_axes_but_another_machine_does(three):
    home = three.shown_range
    three.set_scene(scene_of(placed(entry("far", work=1e20, traffic=1e10))))
    assert three.shown_range == home

    faster = machine("b", "B", ceilings={"bf16-tensor": 9e15}, boundaries={"dram": ("HBM", 8e12, False)})
    three.set_scene(scene_of(placed(machines=(faster,))))
    assert three.shown_range == pytest.approx(three.shown_scene.fit_range)


def test_fit_shows_every_marker(three):
    three.set_scene(scene_of(placed(*THREE, entry("far", work=1e20, traffic=1e10))))

    three.fit()

    assert all(three.shown_range.holds(one.log_x, one.log_y) for one in three.shown_scene.markers)


def test_a_resized_canvas_shows_the_same_range(three):
    before = three.shown_range

    three.resize(640, 420)

    assert three.shown_range == pytest.approx(before)
    assert three.picture.layout.whole.width == three.viewport().width()


# ------------------------------------------------------------------------------------------- keyboard


def press(view, *keys, modifier=Qt.KeyboardModifier.NoModifier):
    for key in keys:
        QTest.keyClick(view, key, modifier)


def test_arrows_move_the_focus_from_marker_to_marker_and_enter_selects(three):
    asked = heard(three.selectionRequested)

    press(three, Qt.Key.Key_Right)  # takes up the focus
    press(three, Qt.Key.Key_Left, Qt.Key.Key_Left, Qt.Key.Key_Left)
    assert three.highlight.focused == "low"
    press(three, Qt.Key.Key_Right)
    assert three.highlight.focused == "middle"
    press(three, Qt.Key.Key_Right, Qt.Key.Key_Return)

    assert asked == ["high"]


def test_the_focus_starts_at_the_selection(view):
    view.set_scene(scene_of(placed(*THREE), selected="high"))

    press(view, Qt.Key.Key_Left)

    assert view.highlight.focused == "high"


def test_the_keyboard_reaches_the_strip(view):
    view.set_scene(scene_of(placed(*THREE, entry("copy", "vector", flop=0)), selected="low"))

    press(view, Qt.Key.Key_Up, Qt.Key.Key_Left)

    assert view.highlight.focused == "copy"


def test_the_focused_marker_is_said_to_a_screen_reader_and_in_the_status_line(three):
    status = heard(three.statusTextChanged)

    press(three, Qt.Key.Key_Right)

    assert three.accessibleName() == "Roofline canvas"
    assert three.accessibleDescription().startswith("low on Fast 1. I 1.00 FLOP/byte at HBM")
    assert status[-1] == "I 1.00 FLOP/byte   P 4.00 TFLOP/s   1.00× to the roof"


def test_escape_ends_the_focus_first_and_then_the_selection(view):
    view.set_scene(scene_of(placed(*THREE), selected="low"))
    asked = heard(view.selectionRequested)
    press(view, Qt.Key.Key_Right)

    press(view, Qt.Key.Key_Escape)
    assert view.highlight.focused is None and asked == []
    press(view, Qt.Key.Key_Escape)
    assert asked == [None]


def test_the_focus_goes_with_the_marker_that_had_it(three):
    press(three, Qt.Key.Key_Right)

    three.set_scene(scene_of(placed(*THREE[1:])))

    assert three.highlight.focused is None


def test_keys_zoom_fit_and_pan(three):
    home = three.shown_range

    press(three, Qt.Key.Key_Plus)
    assert three.shown_range.x1 - three.shown_range.x0 < home.x1 - home.x0
    press(three, Qt.Key.Key_Right, modifier=Qt.KeyboardModifier.ShiftModifier)
    assert three.shown_range.x0 > home.x0
    press(three, Qt.Key.Key_Minus, Qt.Key.Key_F)

    assert three.shown_range == pytest.approx(home)


def test_keys_that_are_not_its_own_are_left_to_the_window(qtbot):
    class Window(QLabel):
        def __init__(self):
            super().__init__()
            self.keys = []

        def keyPressEvent(self, event):
            self.keys += [event.key()] if event.key() != Qt.Key.Key_Control else []

    window = Window()
    qtbot.addWidget(window)
    view = CanvasView(parent=window)
    window.show()

    press(view, Qt.Key.Key_Q)
    press(view, Qt.Key.Key_F, modifier=Qt.KeyboardModifier.ControlModifier)

    assert window.keys == [Qt.Key.Key_Q, Qt.Key.Key_F]


# ------------------------------------------------------------------------------------------- drawing


def test_labels_get_their_places_a_moment_after_the_last_change_and_travel_until_then(three, qtbot):
    before = dict(three.picture.labels)
    assert set(before) >= {("marker", "middle", "fast")}
    moved = (THREE[0], entry("middle", work=2e12, traffic=1e10), THREE[2])

    three.set_scene(scene_of(placed(*moved)))
    assert three.picture.labels == before

    qtbot.waitUntil(lambda: not three._laying.is_busy)
    assert set(three.picture.labels) == set(before)


def test_a_scene_of_a_hundred_markers_settles_in_small_slices(view, qtbot):
    entries = [entry(f"e{n}", work=10.0 ** (10 + n / 33), traffic=1e10, slot=n) for n in range(100)]
    view.set_scene(scene_of(placed(*entries)))

    qtbot.waitUntil(lambda: bool(view.picture.labels), timeout=20_000)

    assert len(view.picture.labels) > 5


def test_labels_stay_where_each_turn_of_the_event_loop_places_one(view, qtbot, monkeypatch):
    monkeypatch.setattr(settling, "SLICE_S", -1.0)  # every turn ends with its first label, the last one too
    view.set_scene(scene_of(placed(*THREE)))

    qtbot.waitUntil(lambda: not view._laying.is_busy, timeout=20_000)

    named = [key for key in view.picture.labels if key[0] == "marker"]
    assert {part for key in named for part in key} >= {"low", "middle", "high"}


@pytest.mark.parametrize("slice_s", [-1.0, 1.0])
def test_a_view_that_goes_while_its_labels_are_placed_says_nothing(qtbot, monkeypatch, slice_s):
    view = CanvasView()
    wanted = settling.placing

    def going(*task):
        shiboken6.delete(view)
        yield from wanted(*task)

    monkeypatch.setattr(settling, "placing", going)
    monkeypatch.setattr(settling, "SLICE_S", slice_s)
    view.resize(600, 400)
    view.set_scene(scene_of(placed(*THREE)))

    qtbot.waitUntil(lambda: not shiboken6.isValid(view), timeout=20_000)  # an error in a slot fails the test


def test_a_slider_step_repaints_the_marks_and_keeps_the_picture_of_the_ground(view):
    presenter = ScenePresenter()
    study = placed(*THREE, machines=(FAST, SLOW))
    view.set_scene(presenter.scene(study, selected="low"))
    view.settle()
    view.grab()
    ground = view._ground.pixmap(view.viewport(), view.picture, view.theme).cacheKey()

    stepped = placed(entry("low", work=3e10, traffic=1e10), *THREE[1:], machines=(FAST, SLOW), previous=study)
    view.set_scene(presenter.scene(stepped, selected="low"))
    image = view.grab().toImage()

    assert view._ground.pixmap(view.viewport(), view.picture, view.theme).cacheKey() == ground
    at = pixel(view, "low")
    assert image.pixelColor(at).name() == LIGHT.slot_colour(0).name()


def test_a_theme_change_repaints_everything(three):
    three.set_theme(DARK)
    image = three.grab().toImage()

    assert image.pixelColor(3, 3).name() == DARK.qcolor("canvas").name()
    assert image.pixelColor(pixel(three, "low")).name() == DARK.slot_colour(0).name()


def test_the_invitation_stands_under_the_roof_until_something_is_placed(view):
    view.set_scene(scene_of(placed()))
    card = view.findChild(EmptyCard, "canvas.empty")
    words = [label.text() for label in card.findChildren(QLabel)]

    assert card.isVisible()
    assert words[0] == "Put an operator under the roof" and "Ctrl+O" in words
    assert card.geometry().right() < view.picture.layout.plot.right
    assert card.geometry().bottom() < view.picture.layout.plot.bottom

    view.set_scene(scene_of(placed(entry())))

    assert not card.isVisible()


def test_an_operator_can_be_dropped_on_the_invitation(view):
    view.set_scene(scene_of(placed()))
    card = view.findChild(EmptyCard, "canvas.empty")

    assert card.testAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    assert view.viewport().childAt(card.geometry().center()) is None


def test_the_same_scene_again_changes_nothing(three):
    picture = three.picture

    three.set_scene(three.shown_scene)

    assert three.picture is picture
