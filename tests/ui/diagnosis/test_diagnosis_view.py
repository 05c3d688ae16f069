"""The diagnosis tab as somebody uses it: what it tells of a kernel, and what becomes of each wish.

The kernel is the worked one of 588 MB in 196 µs, held against a product of three 4096 in bf16 on an H100 SXM5. By hand:
2 * 4096^3 = 137.4 GFLOP; compulsory 3 * 4096^2 * 2 B = 100.7 MB; 588 MB / 196 µs = 3.00 TB/s, 3.35 / 3.00 = 1.12.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication

from rooflinestudio.core.measurement_overlay import Overlay
from rooflinestudio.core.pairing.edits import with_pair
from rooflinestudio.plugins.reading import read_measurements
from rooflinestudio.ui.theme import DARK, LIGHT, apply_theme
from tests.core.diagnosing import measured
from tests.ui.diagnosis.desk import (
    DEVICE,
    GEMM_NAME,
    LARGE,
    ONE,
    SMALL,
    TAB,
    Desk,
    made,
    overlay,
    plain,
    product,
)
from tests.ui.shell_helpers import H100, NCU_LONG, gemm, registry

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)  # pop-ups offscreen


@pytest.fixture
def desk(qtbot):
    return Desk(qtbot, made())


# ------------------------------------------------------------------------------------ what it shows


def test_a_paired_kernel_is_told_whole(desk):
    body = desk.view.body

    assert desk.name() == GEMM_NAME.removeprefix("void ")
    assert "1.12× to the roof" in body.verdict.text() and body.kind.text() == "memory"
    assert [row.chip.text() for row in desk.rows] == [
        "answered: no problem", "answered: found", "answered: no problem", "answered: no problem", "answered: found",
        "answered: no problem",
    ]  # fmt: skip
    assert [row.answer.number for row in desk.rows] == [1, 2, 3, 4, 5, 6]
    cards = body.side.numbers
    assert [plain(card.value.text()) for card in cards] == ["137 GFLOP", "588 MB", "196 µs"]
    assert [card.origin.text() for card in cards] == ["paired", "counter", "counter"]


def test_roofs_stand_with_the_binding_one_first_and_the_gap_in_ratios(desk):
    side = desk.view.body.side

    assert [plain(text) for text in side.roofs[0].words] == [
        "HBM3, binds",
        "1.12× to it",
        "3.00 TB/s of 3.35 TB/s",
    ]
    assert (
        side.roofs[1].words[0] == "bf16 tensor" and side.roofs[1].words[1] == "1.41× to it"
    )  # 989.4 / 701.2
    won = {key: plain(value) for key, value in side.to_win.texts().items()}
    assert (
        won["headroom"] == "1.12×" and won["time to win"] == "20.5 µs of 196 µs"
    )  # 196 - 588 MB / 3.35 TB/s
    # predicted 138.9 µs of arithmetic, so 196 / 138.9 = 1.41; the roof 175.5 / 138.9 = 1.26
    assert side.ratios.texts()["time"] == "1.41×"
    assert side.ratios.texts()["roof that lies elsewhere"] == "1.26×"
    assert side.ratios.texts()["distance to that roof"] == "1.12×"


def test_a_kernel_without_a_pair_has_no_prediction_and_is_its_own_class(desk):
    desk.select(1)
    side = desk.view.body.side

    assert desk.view.body.kind.text() == "latency"
    assert side.gap.isHidden() and side.gap_head.isHidden() and side.ratios.isHidden()
    assert desk.rows[4].chip.text() == "cannot be answered" and desk.rows[4].bar.isHidden()
    desk.select(0)
    assert not side.gap.isHidden()


def test_a_point_above_a_roof_names_the_causes_in_their_order(qtbot):
    fast = measured(time=50e-6, work={"bf16-tensor": 20e9}, dram=588e6, device=DEVICE)  # 11.8 TB/s
    desk = Desk(qtbot, made(overlay(fast), paired=False))
    body = desk.view.body

    lines = body.above.text().splitlines()
    assert "3.51× above HBM3" in lines[0] and lines[1].startswith("1. ") and lines[2].startswith("2. ")
    assert body.kind.text() == "impossible" and body.kind.kind() == "error"
    assert body.side.roofs[0].words[1] == "3.51× above it"
    assert "headroom" not in body.side.to_win.texts()


def test_what_cannot_be_answered_names_counters_and_copies_the_command(desk):
    desk.select(2)
    row = desk.rows[1]

    assert row.chip.text() == "cannot be answered" and "missing: dram__bytes_read.sum" in row.figures.text()
    desk.click(row.copy)
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith("ncu --kernel-name blind ") and "dram__bytes_read.sum" in copied
    assert desk.copied == ["Command copied"]


def test_a_file_as_the_reader_gives_it_is_diagnosed(qtbot, tmp_path):
    path = tmp_path / "saxpy.csv"
    path.write_text(NCU_LONG)
    found = Overlay.from_file(read_measurements(path, registry().readers))
    desk = Desk(qtbot, made(found, paired=False))

    # 12.58 MB in 6 µs are 2.10 TB/s of 3.35: 1.60 to the roof; 6 µs is below the 20 of a launch
    assert plain(desk.view.body.side.roofs[0].words[1]) == "1.60× to it"
    assert desk.rows[3].chip.text() == "answered: found"


# ------------------------------------------------------------------------------------ what can be done


def test_the_absorption_that_was_measured_is_taken_over(desk):
    row = desk.rows[4]
    assert "measured 588.0 MB, absorption 0.77" in plain(row.bar.texts()[1])
    places = row.bar.places()
    assert places["compulsory"] < places["assumed"] < places["measured"] < places["tiled"]
    assert row.take.text() == "Set absorption to 0.77"
    desk.click(row.take)

    entry = desk.session.study.entry("gemm-1")
    assert (entry.policy, entry.absorption) == ("modelled", 0.77)
    assert row.take.isHidden() and row.chip.text() == "answered: no problem"
    desk.session.undo_stack.undo()
    assert not row.take.isHidden()


def test_what_would_help_against_the_re_reads_is_tried_as_a_variant(desk):
    row = desk.rows[4]
    desk.qtbot.waitUntil(lambda: not row.attempt.isHidden())
    assert row.attempt.text().startswith("Try: ") and "tile" in row.attempt.text().lower()
    assert all(one.attempt.isHidden() for one in desk.rows if one.chip.text() != "answered: found")
    desk.click(row.attempt)

    variant = desk.session.study.entries[1]
    assert variant.variant_of == "gemm-1"
    assert (variant.parameters["tile_m"], variant.parameters["tile_n"]) != (128, 128)
    desk.session.undo_stack.undo()
    assert len(desk.session.study.entries) == 1


def test_a_kernel_without_a_pair_has_nothing_to_try(qtbot):
    desk = Desk(qtbot, made(paired=False))
    desk.view._trying.stop()
    desk.view._try_levers()
    assert all(one.attempt.isHidden() for one in desk.rows)


def test_a_kernel_without_a_pair_offers_to_pair_it(qtbot):
    desk = Desk(qtbot, made(paired=False))
    asked = []
    desk.view.pairChoiceRequested.connect(asked.append)
    reuse = desk.rows[4]
    assert reuse.pair.isVisible() and reuse.pair.text() == "Pair the kernel…"
    assert not any(row.pair.isVisible() for row in desk.rows if row is not reuse)
    desk.click(reuse.pair)
    assert asked == [((ONE, 0),)]

    desk.session.edit("Pair", with_pair(desk.session.study, ONE, 0, "gemm-1"))
    assert not reuse.pair.isVisible()
    desk.select(1)
    reuse.pair.setFocus()
    qtbot.keyClick(reuse.pair, Qt.Key.Key_Return)
    assert asked[1:] == [((ONE, 1),)]


def test_the_point_stands_on_a_roof_of_its_own_with_the_way_to_the_roof(desk):
    predicted, measured = desk.view.body.side.roof.scene.markers
    # 137.4 GFLOP over 588 MB in 196 µs: 234 FLOP/byte, 701 TFLOP/s; the slope allows 783 there.
    assert 10**measured.log_x == pytest.approx(233.7, rel=1e-3)
    assert 10**measured.log_y == pytest.approx(701.2e12, rel=1e-3)
    assert 10**measured.log_roof == pytest.approx(233.7 * 3.35e12, rel=2e-3)
    assert "1.12× to HBM3" in plain(measured.detail)
    assert 10**predicted.log_y == pytest.approx(989.4e12, rel=1e-3)
    assert desk.view.body.side.roof.isVisible()


def test_without_work_there_is_no_picture(desk):
    desk.select(2)  # neither work nor traffic was counted
    assert desk.view.body.side.roof.isHidden()
    desk.select(0)
    assert not desk.view.body.side.roof.isHidden()


def test_less_traffic_than_is_possible_offers_no_absorption(qtbot):
    desk = Desk(qtbot, made(overlay(product(dram=50e6))))

    assert desk.rows[4].take.isHidden() and "More than there can be." in desk.rows[4].sentence.text()
    places = desk.rows[4].bar.places()
    assert places["measured"] < places["compulsory"]


def test_keys_go_from_question_to_question_and_fold(desk, qtbot):
    first, second = desk.rows[:2]
    first.setFocus()
    qtbot.keyClick(first, Qt.Key.Key_Down)
    assert second.hasFocus()
    qtbot.keyClick(second, Qt.Key.Key_Return)
    assert second.is_folded and second.sentence.isHidden() and second.brief.text() == "Yes."
    desk.select(1)
    assert second.is_folded  # it stays as it was left
    qtbot.keyClick(second, Qt.Key.Key_Return)
    assert not second.sentence.isHidden()
    qtbot.keyClick(second, Qt.Key.Key_End)
    assert desk.rows[5].hasFocus()
    qtbot.keyClick(desk.rows[5], Qt.Key.Key_Down)
    assert desk.rows[5].hasFocus()


def test_enter_on_a_button_presses_it_and_folds_nothing(desk, qtbot):
    row = desk.rows[4]
    row.take.setFocus()
    qtbot.keyClick(row.take, Qt.Key.Key_Return)
    assert desk.session.study.entry("gemm-1").absorption == 0.77 and not row.is_folded
    desk.select(2)
    desk.rows[1].copy.setFocus()
    qtbot.keyClick(desk.rows[1].copy, Qt.Key.Key_Return)
    assert desk.copied == ["Command copied"] and not desk.rows[1].is_folded


def test_a_click_on_a_question_folds_it(desk, qtbot):
    row = desk.rows[0]
    qtbot.mouseClick(row, Qt.MouseButton.LeftButton, pos=QPoint(60, 14))
    assert row.is_folded
    qtbot.mouseClick(row, Qt.MouseButton.LeftButton, pos=QPoint(60, 10))
    assert not row.is_folded


def test_a_low_tab_folds_all_and_scrolls_to_what_has_the_focus(qtbot):
    desk = Desk(qtbot, made(), SMALL)
    assert all(row.is_folded for row in desk.rows)
    bar = desk.view.body.verticalScrollBar()
    assert bar.maximum() > 0 and desk.view.body.horizontalScrollBar().maximum() == 0
    desk.rows[0].setFocus()
    qtbot.keyClick(desk.rows[0], Qt.Key.Key_End)
    qtbot.waitUntil(lambda: desk.sees(desk.rows[5]))
    qtbot.keyClick(desk.rows[5], Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: desk.sees(desk.rows[5].figures))
    desk.view.resize(*LARGE)
    assert not any(row.is_folded for row in desk.rows)
    desk.view.resize(*SMALL)
    assert [row.is_folded for row in desk.rows] == [True] * 5 + [False]  # that one was unfolded by hand


@pytest.mark.parametrize("size", [SMALL, TAB, LARGE])
def test_nothing_is_wider_than_the_view(qtbot, size):
    desk = Desk(qtbot, made(), size)
    for index in range(3):
        desk.select(index)
        page = desk.view.body.widget()
        assert page.width() <= desk.view.body.viewport().width()
        for card in desk.view.body.side.numbers:
            assert card.mapTo(page, QPoint(card.width(), 0)).x() <= page.width()


def test_copies_as_markdown_as_text_and_the_command(desk):
    desk.view.copy_markdown()
    text = plain(QGuiApplication.clipboard().text())
    assert text.startswith(f"## `{GEMM_NAME}`") and "### 5. Is reuse happening where you assumed?" in text
    assert "| Q | 588 MB | counter: dram__bytes.sum |" in text and "- headroom: 1.12×" in text
    desk.view.copy_text()
    assert "[!!] 5  Is reuse happening" in plain(QGuiApplication.clipboard().text())
    desk.select(2)
    desk.view.copy_command()
    assert QGuiApplication.clipboard().text().startswith("ncu --kernel-name blind")
    assert desk.copied == ["Diagnosis copied as Markdown", "Diagnosis copied as text", "Command copied"]


def test_every_control_and_row_has_a_name(desk):
    for row in desk.rows:
        assert row.answer.question in row.accessibleName() and row.chip.text() in row.accessibleName()
    for widget in (desk.view.corner.kernel, desk.view.corner.copy_button, desk.view.body, desk.rows[4].bar):
        assert widget.accessibleName()


def test_an_entry_that_cannot_be_placed_leaves_the_kernel_and_says_why(qtbot):
    desk = Desk(qtbot, replace(made(), entries=(gemm(m=0),)))

    assert desk.view.diagnosis is not None and desk.view.diagnosis.placement is None
    assert "GEMM is not placed" in desk.view.body.side.notes.text()


def test_a_hidden_view_waits_and_the_same_study_again_diagnoses_nothing(desk):
    before = desk.view.diagnosis
    desk.view.set_placed(desk.session.placed)
    assert desk.view.diagnosis is before
    desk.view.hide()
    desk.select(1)
    assert desk.view.diagnosis is before
    desk.view.show()
    assert desk.view.diagnosis is not before


def test_both_themes_paint(desk, qapp):
    light = desk.view.grab().toImage()
    apply_theme(qapp, DARK)
    desk.view.set_theme(DARK)
    try:
        dark = desk.view.grab().toImage()
    finally:
        apply_theme(qapp, LIGHT)
        desk.view.set_theme(LIGHT)
    assert light.pixelColor(4, 400).lightness() > 200 > 100 > dark.pixelColor(4, 400).lightness()


def test_the_machine_of_the_device_is_held_against_not_the_chosen_one(qtbot):
    a100 = "nvidia-a100-sxm4-80gb"
    desk = Desk(qtbot, made(machines=(a100, H100)))
    assert desk.view.diagnosis.profile.id == H100
    desk.view.set_machine(a100)
    assert desk.view.diagnosis.profile.id == H100
    desk.select(2)  # its device is not known
    assert desk.view.diagnosis.profile.id == a100


def test_the_way_to_the_roof_is_an_arrow_that_no_words_cover(desk):
    desk.select(1)  # 30 % of fp32, which binds
    roof = desk.view.body.side.roof
    # A small picture has the roof, and the one ceiling that the kernel was held against: equal ones share a line.
    assert [plain(one.label) for one in roof.scene.ceilings] == ["fp32  66.9 TFLOP/s"]
    roof.resize(380, 300)
    roof.grab()
    picture, measured = roof._picture, roof.scene.markers[-1]
    (way,) = roof.lines_under(roof.scene, picture.frame)
    x, foot, _, head = way[:4]
    assert head == pytest.approx(picture.frame.point(measured.log_x, measured.log_roof)[1])
    at = picture.frame.point(measured.log_x, measured.log_y)
    assert x == pytest.approx(at[0]) and head < foot < at[1]
    (label,) = picture.labels.values()
    left, top = at[0] + label.dx, at[1] + label.dy
    covers = left < x < left + label.width and top < foot and top + label.height > head
    assert not covers
