import math

import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter, QPixmap, QWheelEvent
from PySide6.QtWidgets import QApplication, QTabWidget

from rooflinestudio.ui.theme import LIGHT
from rooflinestudio.ui.widgets import cells
from rooflinestudio.ui.widgets.chip import Chip
from rooflinestudio.ui.widgets.choice import Choice
from rooflinestudio.ui.widgets.eliding import ElidingLabel
from rooflinestudio.ui.widgets.key_value import KeyValueRow
from rooflinestudio.ui.widgets.note_box import Note, NoteBox, ReasonBox, VerdictBox
from rooflinestudio.ui.widgets.painting import fitting_name, marker_shape, metrics, paint_bar, paint_marker
from rooflinestudio.ui.widgets.segmented import SegmentedControl
from rooflinestudio.ui.widgets.text_block import Paragraph, Span, TextBlock
from rooflinestudio.ui.widgets.words import intensity_text, percent_text, short_intensity, time_text

NAME = "void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_bf16_128x256_32x3_tn_align8>(Params)"


def wheel(widget):
    event = QWheelEvent(
        QPointF(5, 5), QPointF(5, 5), QPoint(), QPoint(0, -120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(widget, event)
    return event


# ElidingLabel


@pytest.mark.parametrize(
    ("mode", "start", "end"),
    [(Qt.TextElideMode.ElideRight, "void cut", "…"), (Qt.TextElideMode.ElideMiddle, "void", "Params)")],
)
def test_a_long_name_is_shortened_at_the_end_or_in_the_middle(qtbot, mode, start, end):
    label = ElidingLabel(NAME, mode=mode)
    qtbot.addWidget(label)
    label.resize(140, 20)
    assert label.shown_text().startswith(start)
    assert label.shown_text().endswith(end)
    assert "…" in label.shown_text()


def test_the_full_name_is_in_the_tool_tip_and_for_the_screen_reader(qtbot):
    label = ElidingLabel(NAME)
    qtbot.addWidget(label)
    label.show()
    label.resize(140, 20)
    assert label.toolTip() == NAME
    assert label.accessibleName() == NAME
    label.resize(2000, 20)
    assert label.toolTip() == ""


def test_a_number_is_shown_whole_or_not_at_all(qtbot):
    label = ElidingLabel("7.76 waves", whole=True)
    qtbot.addWidget(label)
    label.resize(30, 20)
    assert label.shown_text() == ""
    label.resize(120, 20)
    assert label.shown_text() == "7.76 waves"


def test_it_can_be_narrower_than_its_text(qtbot):
    label = ElidingLabel(NAME)
    qtbot.addWidget(label)
    assert label.minimumSizeHint().width() <= 24
    assert label.sizeHint().width() > 300


def test_the_copy_key_copies_the_full_text(qtbot):
    label = ElidingLabel(NAME)
    label.set_copyable()
    qtbot.addWidget(label)
    label.resize(100, 20)
    label.show()
    label.setFocus()
    qtbot.keyClick(label, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == NAME


# TextBlock


def block(qtbot, text):
    made = TextBlock()
    qtbot.addWidget(made)
    made.set_paragraphs(Paragraph((Span("Trap. ", bold=True), Span(text))))
    return made


def test_a_text_is_higher_the_narrower_it_is(qtbot):
    made = block(qtbot, "That verdict holds at HBM only. Over all crossed boundaries L2 binds.")
    assert made.heightForWidth(120) > made.heightForWidth(200) > made.heightForWidth(1000) > 10


def test_another_text_of_as_many_lines_asks_for_no_layout(qtbot):
    made = block(qtbot, "one line")
    made.resize(300, 40)
    made.show()
    QApplication.processEvents()
    asked = []
    made.updateGeometry = lambda: asked.append(True)
    made.set_paragraphs(Paragraph((Span("also one line"),)))
    assert asked == []
    made.set_paragraphs(Paragraph((Span("many " * 60),)))
    assert asked == [True]


def test_a_text_that_comes_after_another_width_asks_for_layout(qtbot):
    made = block(qtbot, "two lines")
    made.resize(60, 40)
    made.set_paragraphs(Paragraph((Span("one word"),)))
    before = made.heightForWidth(60)
    made.resize(400, 40)  # what shows it has counted on the height for this width
    asked = []
    made.updateGeometry = lambda: asked.append(True)
    words = next(text for count in range(1, 60) if height_at_400(text := "word " * count) == before)

    made.set_paragraphs(Paragraph((Span(words),)))

    assert asked == [True]


def height_at_400(text):
    made = TextBlock()
    made.set_paragraphs(Paragraph((Span(text),)))
    return made.heightForWidth(400)


def test_a_text_says_itself_to_a_screen_reader_and_signs_outside_the_plane_keep_the_spans(qtbot):
    made = TextBlock()
    qtbot.addWidget(made)
    made.set_paragraphs(Paragraph((Span("𝜋 "), Span("T"))), Paragraph((Span("next"),)))
    assert made.accessibleName() == made.text() == "𝜋 T\nnext"


# Choice and SegmentedControl


@pytest.fixture
def choice(qtbot):
    made = Choice([("dram", "HBM3"), ("l2", "L2"), ("all", "all boundaries")])
    qtbot.addWidget(made)
    made.set_value("dram")
    made.heard = []
    made.chosen.connect(made.heard.append)
    made.show()
    return made


def test_choosing_by_key_tells_the_id(choice, qtbot):
    choice.setFocus()
    qtbot.keyClick(choice, Qt.Key.Key_Down)
    assert choice.heard == ["l2"]


def test_setting_a_choice_tells_nobody_and_an_unknown_one_shows_nothing(choice):
    choice.set_value("all")
    assert choice.value() == "all"
    choice.set_value("shared")
    assert choice.value() == ""
    assert choice.heard == []


def test_other_options_keep_the_value(choice):
    choice.set_options([("l1", "L1"), ("dram", "HBM2e")])
    assert choice.value() == "dram"
    assert choice.currentText() == "HBM2e"
    assert choice.heard == []


def test_the_wheel_does_not_change_a_choice(choice):
    assert not wheel(choice).isAccepted()
    assert choice.value() == "dram"


def test_a_choice_may_be_narrow(choice):
    assert choice.minimumSizeHint().width() <= 44


@pytest.fixture
def policy(qtbot):
    made = SegmentedControl(
        [("compulsory", "Compulsory"), ("tiled", "Tiled"), ("modelled", "Modelled")], "Policy"
    )
    qtbot.addWidget(made)
    made.set_value("modelled")
    made.heard = []
    made.chosen.connect(made.heard.append)
    made.show()
    return made


def test_a_click_on_a_segment_tells_its_id(policy, qtbot):
    qtbot.mouseClick(policy.button("tiled"), Qt.MouseButton.LeftButton)
    assert policy.heard == ["tiled"]
    assert policy.value() == "tiled"


def test_only_one_segment_is_on_and_setting_tells_nobody(policy):
    policy.set_value("compulsory")
    assert [button.isChecked() for button in policy.buttons] == [True, False, False]
    policy.set_value("measured")
    assert policy.value() == ""
    assert policy.heard == []


def test_arrow_keys_move_between_segments(policy, qtbot):
    policy.button("modelled").setFocus()
    qtbot.keyClick(policy.button("modelled"), Qt.Key.Key_Left)
    assert policy.button("tiled").hasFocus()


def test_segments_are_named_for_screen_readers(policy):
    assert policy.button("tiled").accessibleName() == "Policy: Tiled"


# Boxes


def test_one_note_is_shown_and_more_goes_round(qtbot):
    box = NoteBox()
    qtbot.addWidget(box)
    notes = (Note("Trap", "first"), Note("Nuance", "second"))
    box.set_notes(notes)
    assert box.note() == notes[0]
    assert box.more.text() == "more (1 of 2)"
    qtbot.mouseClick(box.more, Qt.MouseButton.LeftButton)
    assert box.note() == notes[1]
    qtbot.mouseClick(box.more, Qt.MouseButton.LeftButton)
    assert box.note() == notes[0]


def test_a_note_that_was_opened_stays_open_while_figures_change(qtbot):
    box = NoteBox()
    qtbot.addWidget(box)
    box.set_notes((Note("Trap", "I = 63.0"), Note("Nuance", "second")))
    box.more.click()
    box.set_notes((Note("Trap", "I = 64.0"), Note("Nuance", "second")))
    assert box.note() == Note("Nuance", "second")


def test_without_notes_the_box_is_away(qtbot):
    tabs = QTabWidget()
    qtbot.addWidget(tabs)
    box = NoteBox()
    tabs.addTab(box, "x")
    box.set_notes((Note("Aside", "one"),))
    assert not box.isHidden()
    assert box.more.isHidden()
    box.set_notes(())
    assert box.isHidden()


def test_verdict_and_reason_are_read_aloud(qtbot):
    verdict, reason = VerdictBox(), ReasonBox()
    qtbot.addWidget(verdict)
    qtbot.addWidget(reason)
    verdict.set_text("Compute-bound at HBM3.")
    reason.set_reason("Not placed", "No <fp4> pipe.")
    assert verdict.accessibleName() == "Compute-bound at HBM3."
    assert reason.accessibleName() == "Not placed. No <fp4> pipe."


def test_chip_and_key_value_say_what_they_show(qtbot):
    chip, row = Chip("memory at L2", "memory"), KeyValueRow("traffic  Q", "412.7 MB")
    qtbot.addWidget(chip)
    qtbot.addWidget(row)
    assert chip.accessibleName() == "memory at L2"
    assert row.accessibleName() == "traffic  Q: 412.7 MB"
    assert chip.sizeHint().height() == 18
    assert row.sizeHint().height() == 20


# Painting


def painted(paint, width=120, height=20):
    picture = QImage(width, height, QImage.Format.Format_ARGB32)
    picture.fill(QColor("white"))
    painter = QPainter(picture)
    paint(painter)
    painter.end()
    return picture


def count(picture, colour):
    wanted = QColor(colour).rgb()
    return sum(picture.pixel(x, y) == wanted for x in range(picture.width()) for y in range(picture.height()))


@pytest.mark.parametrize("fraction", [0.25, 0.57, 1.0])
def test_a_bar_is_filled_to_its_fraction(qapp, fraction):
    def paint(painter):
        paint_bar(painter, QRectF(10, 0, 100, 20), fraction, "memory")

    middle = [painted(paint).pixel(x, 10) for x in range(120)]
    filled = middle.count(QColor(LIGHT.colours["memory"]).rgb())
    assert filled == pytest.approx(100 * fraction, abs=3)


def test_a_bar_above_its_peak_is_full_not_longer(qapp):
    picture = painted(lambda painter: paint_bar(painter, QRectF(10, 0, 100, 20), 3.0, "compute"))
    assert picture.pixel(114, 10) == QColor("white").rgb()


def test_markers_differ_in_shape(qapp):
    sizes = {
        shape: count(
            painted(lambda p, s=shape: paint_marker(p, QPointF(10, 10), s, QColor("#123456"))), "#123456"
        )
        for shape in ("circle", "square", "diamond")
    }
    assert len(set(sizes.values())) == 3


def test_markers_are_squares_from_the_ninth_placement_on():
    shapes = [marker_shape(slot) for slot in (0, 7, 8, 15, "#ff0000")]
    assert shapes == ["circle", "circle", "square", "square", "circle"]


# Words


@pytest.mark.parametrize(
    ("fraction", "text"),
    [
        (1.0, "100%"),
        (0.573, "57%"),
        (0.0345, "3.5%"),
        (0.0, "0%"),
        (None, "–"),
        (math.nan, "–"),
        (0.00012, "0.012%"),
    ],
)
def test_shares_are_written_in_per_cent(fraction, text):
    assert percent_text(fraction) == text


def test_absent_figures_are_dashes_and_no_numbers():
    assert time_text(None) == intensity_text(None) == "–"
    assert intensity_text(math.inf) == "∞"


@pytest.mark.parametrize(
    ("intensity", "text"),
    [(333.0, "333"), (1365.3, "1 365"), (15459.4, "15.5 k"), (math.inf, "∞"), (None, "–")],
)
def test_large_intensities_are_short_in_narrow_places(intensity, text):
    assert short_intensity(intensity).replace("\u202f", " ") == text


@pytest.mark.parametrize("percent", ["0.024%", "<0.01%", "39%"])
def test_a_fraction_is_never_shortened_beside_its_bar(qapp, monkeypatch, percent):
    written = []
    monkeypatch.setattr(
        cells, "paint_text", lambda _, rect, text, role, *_more: written.append((rect, text, role))
    )
    picture = QPixmap(98, 27)
    painter = QPainter(picture)
    cells._paint_bar_cell(painter, QRectF(0, 0, 98, 26), cells.BarCell(0.01, "memory", percent, glyph=True))
    painter.end()
    ((rect, text, role),) = written
    assert text == percent and rect.width() >= metrics(role).horizontalAdvance(percent)
    assert rect.left() > 12  # and a bar has room


def test_kernels_that_begin_and_end_alike_are_told_apart_in_little_room(qapp):
    names = [
        f"void ns::very::deep::kernel_{at}<float, ns::traits<{at}>>(const float *, float *, int)"
        for at in (1, 2)
    ]
    for width in (60.0, 160.0, 260.0, 420.0):
        shown = [fitting_name(one, "table", width) for one in names]
        assert shown[0] != shown[1]
        assert all(metrics("table").horizontalAdvance(one) <= width for one in shown)
    assert fitting_name("copy(int)", "table", 200.0) == "copy(int)"
