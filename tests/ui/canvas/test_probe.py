"""The explorer as a user meets it: dragged with the mouse, moved by keys, typed into, kept in the study."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from rooflinestudio.core.placing import place
from rooflinestudio.ui.canvas.empty_card import EmptyCard
from rooflinestudio.ui.canvas_pane import CanvasPane
from rooflinestudio.ui.theme import DARK, LIGHT
from tests.ui.canvas.samples import FAST, SLOW, Source, entry, study

SHIFT = Qt.KeyboardModifier.ShiftModifier
ENTRIES = (entry("low", work=1e10, traffic=1e10), entry("high", work=1e13, traffic=1e10, slot=1))


class Desk:
    """A pane, and a study that takes what the pane asks for."""

    def __init__(self, pane):
        self.pane, self.view = pane, pane.view
        self.study, self.asked = study(*ENTRIES, machines=(FAST,)), []
        pane.panelRequested.connect(self._on_panel_requested)
        pane.set_machine("fast")

    def _on_panel_requested(self, text, panel, changes, dragging):
        self.asked.append((text, panel, changes, dragging))
        self.show(self.study.with_panel(panel, changes))

    def show(self, study):
        self.study = study
        self.pane.set_placed(place(study, {}, Source()))

    @property
    def panel(self):
        return dict(self.study.panels.get("probe", {}))

    @property
    def card(self):
        return self.view.probe.card

    def figure(self, name):
        return self.card.figures[name].value()

    def line(self, dy=0):
        """Return a pixel on the line, halfway down the plot."""
        frame = self.view.frame_of_data
        return QPoint(
            round(frame.x(self.view.probe.drawing.log_x)),
            round((frame.plot.top + frame.plot.bottom) / 2) + dy,
        )

    def drag(self, start, end, *, release=True):
        port = self.view.viewport()
        QTest.mouseMove(port, start)
        QTest.mousePress(port, Qt.MouseButton.LeftButton, pos=start)
        for share in (0.3, 0.7, 1.0):
            at = start + (end - start) * share
            QTest.mouseMove(port, at)
        if release:
            QTest.mouseRelease(port, Qt.MouseButton.LeftButton, pos=end)

    def press(self, *keys, modifier=Qt.KeyboardModifier.NoModifier):
        for key in keys:
            QTest.keyClick(self.view, key, modifier)


@pytest.fixture
def off(qtbot):
    pane = CanvasPane(LIGHT)
    qtbot.addWidget(pane)
    desk = Desk(pane)
    desk.show(desk.study)
    pane.resize(1000, 640)
    pane.show()
    qtbot.waitExposed(pane)
    return desk


@pytest.fixture
def desk(off):
    """The probe is on, at 10 FLOP/byte: 40 TFLOP/s of 1 000 at a ridge of 250."""
    QTest.mouseClick(off.pane.head.explore, Qt.MouseButton.LeftButton)
    return off


def test_the_button_in_the_head_shows_the_probe_and_takes_it_away(off):
    assert off.card is None

    QTest.mouseClick(off.pane.head.explore, Qt.MouseButton.LeftButton)
    assert off.panel == {"on": True, "intensity": 10.0}
    assert off.card.isVisible() and off.pane.head.explore.isChecked()

    QTest.mouseClick(off.pane.head.explore, Qt.MouseButton.LeftButton)
    assert "on" not in off.panel
    assert off.card is None and not off.pane.head.explore.isChecked()


def test_a_button_does_not_stay_down_when_nobody_grants_the_wish(off):
    off.pane.panelRequested.disconnect()

    QTest.mouseClick(off.pane.head.explore, Qt.MouseButton.LeftButton)

    assert not off.pane.head.explore.isChecked()


def test_the_card_reads_the_roof(desk):
    assert desk.figure("ridge") == "250 FLOP/byte"
    assert desk.figure("attainable") == "40.0 TFLOP/s"
    assert desk.figure("of peak") == "4.00%"
    assert desk.figure("1 TFLOP takes") == "25.0 ms"
    assert desk.figure("bytes per FLOP") == "0.100 B"
    assert (desk.card.chip.text(), desk.card.chip.kind()) == ("memory at HBM", "memory")
    assert desk.card.distance.text() == "25× left of the ridge"


def test_dragging_the_line_reads_along_and_tells_once_at_the_end(desk):
    desk.asked.clear()
    frame = desk.view.frame_of_data
    start = desk.line()
    end = QPoint(round(frame.x(2.0)), start.y())

    desk.drag(start, end, release=False)
    assert desk.asked == []
    shown = desk.view.probe.reading.main
    assert shown.intensity == pytest.approx(100, rel=0.02)
    assert shown.attainable_flop_per_s == pytest.approx(400e12, rel=0.02)
    QTest.mouseRelease(desk.view.viewport(), Qt.MouseButton.LeftButton, pos=end)

    ((text, panel, changes, dragging),) = desk.asked
    assert (text, panel, dragging) == ("Move the probe", "probe", False)
    assert changes == {"intensity": shown.intensity} and desk.panel["intensity"] == shown.intensity


def test_a_drag_moves_neither_view_nor_scene_nor_selection(desk):
    selected, before = [], (desk.view.shown_range, desk.view.shown_scene)
    desk.pane.selectRequested.connect(selected.append)

    desk.drag(desk.line(), desk.line() + QPoint(120, 30), release=False)

    assert desk.view.shown_range == before[0] and desk.view.shown_scene is before[1]
    QTest.mouseRelease(desk.view.viewport(), Qt.MouseButton.LeftButton, pos=desk.line())
    assert selected == []


def test_a_drag_stops_at_the_edge_of_the_plot(desk):
    desk.drag(desk.line(), QPoint(5, 300))

    assert desk.panel["intensity"] == pytest.approx(0.1)


def test_beside_the_line_the_mouse_pans_as_ever(desk):
    before = desk.view.shown_range

    desk.drag(desk.line() + QPoint(-60, 150), desk.line() + QPoint(-140, 150))

    assert desk.panel["intensity"] == 10.0
    assert desk.view.shown_range != before


def test_the_pointer_shows_where_it_can_be_grabbed(desk):
    QTest.mouseMove(desk.view.viewport(), desk.line() + QPoint(-50, 150))
    QTest.mouseMove(desk.view.viewport(), desk.line())
    assert desk.view.viewport().cursor().shape() == Qt.CursorShape.SplitHCursor

    QTest.mouseMove(desk.view.viewport(), desk.line() + QPoint(-60, 150))
    assert desk.view.viewport().cursor().shape() == Qt.CursorShape.ArrowCursor


def test_a_double_click_on_the_line_snaps_to_the_ridge(desk):
    QTest.mouseDClick(desk.view.viewport(), Qt.MouseButton.LeftButton, pos=desk.line())

    assert desk.panel["intensity"] == 250.0
    assert desk.card.distance.text() == "at the ridge"
    assert desk.card.chip.kind() == "compute"


def test_the_key_r_snaps_to_the_ridge(desk):
    desk.press(Qt.Key.Key_R)

    assert desk.panel["intensity"] == 250.0


def test_arrows_move_by_two_percent_and_with_shift_by_a_tenth_of_a_decade(desk):
    desk.press(Qt.Key.Key_Right)
    assert desk.panel["intensity"] == pytest.approx(10.2)
    desk.press(Qt.Key.Key_Left)
    assert desk.panel["intensity"] == pytest.approx(10.0)

    desk.press(Qt.Key.Key_Right, modifier=SHIFT)
    assert desk.panel["intensity"] == pytest.approx(12.589, rel=1e-4)  # 10 to the power of 1.1
    assert desk.view.highlight.focused is None


def test_home_and_end_go_to_the_ends_of_the_axis(desk):
    desk.press(Qt.Key.Key_Home)
    assert desk.panel["intensity"] == pytest.approx(0.1)

    desk.press(Qt.Key.Key_End)
    assert desk.panel["intensity"] == pytest.approx(1e4)


def test_a_key_that_is_held_down_is_one_wish(desk):
    desk.asked.clear()
    QTest.keyPress(desk.view, Qt.Key.Key_Right)
    QTest.keyPress(desk.view, Qt.Key.Key_Right)
    QTest.keyPress(desk.view, Qt.Key.Key_Right)
    assert desk.asked == []

    QTest.keyRelease(desk.view, Qt.Key.Key_Right)

    (wish,) = desk.asked
    assert wish[2]["intensity"] == pytest.approx(10 * 1.02**3)


def test_after_escape_the_arrows_belong_to_the_markers_again(desk):
    desk.press(Qt.Key.Key_Escape, Qt.Key.Key_Right)

    assert desk.panel["intensity"] == 10.0
    assert desk.view.highlight.focused in ("low", "high")


def test_a_click_elsewhere_gives_the_arrows_back(desk):
    QTest.mouseClick(desk.view.viewport(), Qt.MouseButton.LeftButton, pos=desk.line() + QPoint(-60, 150))

    desk.press(Qt.Key.Key_Right)

    assert desk.panel["intensity"] == 10.0


def test_without_the_probe_its_keys_are_nobodys(off):
    off.press(Qt.Key.Key_R, Qt.Key.Key_Home)

    assert off.panel == {}


def test_an_intensity_can_be_typed(desk, qtbot):
    box = desk.card.intensity
    box.setFocus()
    box.selectAll()
    qtbot.keyClicks(box, "1000")
    qtbot.keyClick(box, Qt.Key.Key_Return)

    assert desk.panel["intensity"] == 1000.0
    assert desk.figure("attainable") == "1.00 PFLOP/s"
    assert desk.card.distance.text() == "4.0× past the ridge"
    assert desk.card.chip.text() == "compute at bf16 tensor"


@pytest.mark.parametrize("text", ["0", "much", "-3", "1e30"])
def test_what_is_no_intensity_is_refused_with_a_reason(desk, qtbot, text):
    box = desk.card.intensity
    box.selectAll()
    qtbot.keyClicks(box, text)
    qtbot.keyClick(box, Qt.Key.Key_Return)

    assert desk.panel["intensity"] == 10.0
    assert desk.card.refusal.isVisible() and desk.card.refusal.text()


def choose(choice, id_):
    at = choice.findData(id_)
    choice.setCurrentIndex(at)
    choice.activated.emit(at)


def test_pipe_and_boundary_are_chosen_in_the_card(desk):
    choose(desk.card.ceiling, "fp8-tensor")
    assert desk.panel["ceiling"] == "fp8-tensor"
    assert desk.figure("ridge") == "500 FLOP/byte"

    choose(desk.card.boundary, "l2")
    assert desk.panel["boundary"] == "l2"
    assert desk.figure("ridge") == "200 FLOP/byte"  # 2 000 TFLOP/s over 10 TB/s
    assert desk.figure("attainable") == "100 TFLOP/s"
    assert desk.card.model.isVisible()  # the slope is approximate


def test_the_boundary_follows_the_view_until_one_is_chosen(desk):
    desk.show(study(*ENTRIES, machines=(FAST,), boundary="l2").with_panel("probe", desk.panel))

    assert desk.card.boundary.value() == "l2"
    assert desk.figure("ridge") == "100 FLOP/byte"


def test_other_machines_in_view_are_read_beside_it(desk):
    assert not desk.card.others

    desk.show(study(*ENTRIES, machines=(FAST, SLOW)).with_panel("probe", {"on": True, "intensity": 200}))
    (other,) = desk.card.others
    assert (other.label(), other.value()) == ("Slow 1", "300 TFLOP/s, compute")

    choose(desk.card.ceiling, "fp8-tensor")
    assert desk.card.others[0].value() == "no fp8 tensor"

    desk.show(study(*ENTRIES, machines=(FAST,)).with_panel("probe", desk.panel))
    assert not desk.card.others


def test_another_strong_machine_is_read(desk):
    desk.show(study(*ENTRIES, machines=(FAST, SLOW)).with_panel("probe", desk.panel))

    desk.pane.set_machine("slow")

    assert desk.figure("ridge") == "150 FLOP/byte"
    assert desk.card.others[0].label() == "Fast 1"


def test_a_study_that_was_opened_brings_its_probe(off):
    off.show(off.study.with_panel("probe", {"on": True, "intensity": 500, "ceiling": 7}))

    assert off.pane.head.explore.isChecked()
    assert off.figure("of peak") == "100%"
    assert not off.view.hasFocus()


def test_undo_takes_the_probe_back(desk):
    before = desk.study
    desk.press(Qt.Key.Key_R)

    desk.show(before)

    assert desk.view.probe.reading.main.intensity == 10.0


def test_the_card_can_be_moved_and_stays_there(desk):
    card, at = desk.card, QPoint(30, 14)
    start = card.pos()
    QTest.mousePress(card, Qt.MouseButton.LeftButton, pos=at)
    QTest.mouseMove(card, at + QPoint(-200, -90))
    QTest.mouseRelease(card, Qt.MouseButton.LeftButton, pos=at)
    assert card.pos() == start + QPoint(-200, -90)

    desk.press(Qt.Key.Key_R)
    desk.view.zoom_in()
    assert desk.card.pos() == start + QPoint(-200, -90)


def test_a_card_stays_inside_a_canvas_that_shrinks(desk):
    desk.pane.resize(620, 480)
    QApplication.processEvents()

    assert desk.view.viewport().rect().contains(desk.card.geometry())


def test_the_card_leaves_the_words_of_the_roof_alone(desk):
    card = desk.card.geometry()
    words = [box for box in desk.view.picture.fixed.boxes if box.top < desk.view.frame_of_data.y(14.5)]

    assert words
    assert not any(
        card.left() < box.right
        and box.left < card.right()
        and card.top() < box.bottom
        and box.top < card.bottom()
        for box in words
    )


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_the_dot_stands_on_the_roof(desk, theme):
    desk.pane.set_theme(theme)
    drawing = desk.view.probe.drawing
    x, y = desk.view.frame_of_data.point(drawing.log_x, drawing.log_y)

    image = desk.view.viewport().grab().toImage()

    assert drawing.log_y == pytest.approx(desk.view.shown_scene.strong_roof.height(drawing.log_x))
    assert image.pixelColor(round(x), round(y)).name() == theme.qcolor("canvas").name()
    assert image.pixelColor(round(x + 5.5), round(y - 0.5)).name() == theme.qcolor("accent").name()


def test_without_a_machine_there_is_nothing_to_read(off):
    off.show(study(machines=()).with_panel("probe", {"on": True}))

    assert off.card is None and not off.pane.has_probe


def test_the_invitation_of_an_empty_study_makes_room(off):
    off.pane.invite()
    off.show(study(machines=(FAST,)))
    off.pane.invite()
    (invitation,) = off.view.viewport().findChildren(EmptyCard)
    assert invitation.isVisible()

    QTest.mouseClick(off.pane.head.explore, Qt.MouseButton.LeftButton)
    assert not invitation.isVisible()
    QTest.mouseClick(off.pane.head.explore, Qt.MouseButton.LeftButton)
    assert invitation.isVisible()


def test_the_invitation_keeps_clear_of_the_roof(off):
    off.pane.resize(780, 480)
    off.show(study(machines=(FAST,)))
    off.pane.invite()
    QApplication.processEvents()
    (invitation,) = off.view.viewport().findChildren(EmptyCard)
    frame, roof = off.view.frame_of_data, off.view.shown_scene.strong_roof

    log_x, _ = frame.data(invitation.geometry().left(), 0.0)

    assert invitation.isVisible()
    assert frame.y(roof.height(log_x)) < invitation.geometry().top() - 12


def test_a_picture_that_is_written_has_the_probe_in_it(desk, tmp_path):
    desk.pane.export(tmp_path / "on.svg")
    QTest.mouseClick(desk.pane.head.explore, Qt.MouseButton.LeftButton)
    desk.pane.export(tmp_path / "off.svg")

    on, off = ((tmp_path / name).read_text("utf-8") for name in ("on.svg", "off.svg"))
    rate = "40.0 TFLOP/s, 4.00% of bf16 tensor"
    for words in ("10.0 FLOP/byte", rate, "25× left of the ridge", "1 TFLOP in 25.0 ms"):
        assert words in on and words not in off


def test_every_control_of_the_card_has_a_name(desk):
    card = desk.card
    named = (card, card.intensity, card.ceiling, card.boundary, desk.pane.head.explore)

    assert all(one.accessibleName() for one in named)
