"""The dialog of measured ceilings, used by mouse and keys; what it gives goes into a session."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from rooflinestudio.core.study import Study
from rooflinestudio.ui.ceilings.dialog import CeilingsDialog
from rooflinestudio.ui.ceilings.head import ALONE
from rooflinestudio.ui.ceilings.known import KnownMachines
from rooflinestudio.ui.ceilings.table import SHARE, TAKE, TARGET
from rooflinestudio.ui.session import Session
from rooflinestudio.ui.theme import DARK, LIGHT, apply_theme
from tests.core.ceilings.measured import PART, STREAM, profiled, reading
from tests.core.profiles import H100, TINY
from tests.ui.shell_helpers import registry

LEFT = Qt.MouseButton.LeftButton
OTHER = replace(TINY, id="tiny-other", name="Another Tiny")


class Later:
    """Stands for the reader of profiles: hands them over when the test says so."""

    def __init__(self, *profiles):
        self.profiles, self.waiting = {one.id: one for one in profiles}, []

    def read(self, ids, then):
        self.waiting.append((ids, then))

    def deliver(self):
        waiting, self.waiting = self.waiting, []
        for ids, then in waiting:
            then(tuple(self.profiles[id_] for id_ in ids))


@pytest.fixture
def open_dialog(qtbot):
    def made(*machines, present=(PART,), entries=(), read=None, shown=()):
        known = KnownMachines(entries, present={one.id: one for one in present}, shown=shown, read=read)
        dialog = CeilingsDialog("results.txt", machines, known)
        qtbot.addWidget(dialog)
        dialog.show()
        return dialog

    return made


@pytest.fixture
def session(qtbot):
    return Session(registry(), Study().with_profile(PART))


def take_into(session, dialog):
    dialog.profileRequested.connect(
        lambda profile, shown: session.edit("Take ceilings", session.study.with_profile(profile, shown=shown))
    )


def click(qtbot, dialog, origin, column):
    table = dialog.table
    row = next(at for at, one in enumerate(table.rows_model.rows) if one.origin == origin)
    place = table.visualRect(table.rows_model.index(row, column)).center()
    qtbot.mouseClick(table.viewport(), LEFT, pos=place)
    return row


def taken(dialog):
    return [one.origin for one in dialog.proposal.taken]


def shown(dialog):
    return {one.origin: one for one in dialog.table.rows_model.rows}


def test_the_machine_that_the_file_names_is_chosen_and_its_figures_stand_beside(open_dialog):
    dialog = open_dialog(STREAM)

    assert dialog.head.machine.value() == PART.id
    assert dialog.head.words.text() == "The file names Vendor A7-SXM-40GB."
    assert shown(dialog)["Triad"].stated == "1.500 TB/s"
    assert taken(dialog) == ["Triad"]
    assert "ridge of bf16 tensor 208 → 221" in dialog.foot.outcome.text()


def test_what_exceeds_the_published_figure_is_asked_about_first_and_not_taken(open_dialog):
    dialog = open_dialog(STREAM)

    assert dialog.table.rows_model.rows[dialog.table.chosen_row()].origin == "Dot"
    assert "Usual causes" in dialog.about.text()
    assert dialog.table.rows_model.spoken(shown(dialog)["Dot"], TAKE) == "not taken, asked about"
    assert dialog.table.rows_model.index(2, SHARE).data() == "110 %"


def test_a_tick_takes_it_all_the_same_in_place_of_the_other(open_dialog, qtbot, session):
    dialog = open_dialog(STREAM)
    take_into(session, dialog)

    click(qtbot, dialog, "Dot", TAKE)
    assert taken(dialog) == ["Dot"]
    assert "taken all the same" in dialog.about.text()
    qtbot.mouseClick(dialog.foot.show_button, LEFT)

    made = session.study.profiles["test-part-40gb-streamtest"]
    assert made.boundaries["dram"].bytes_per_s == 1.65e12  # not clamped


def test_the_keyboard_takes_and_leaves_a_row(open_dialog, qtbot):
    dialog = open_dialog(STREAM)

    qtbot.keyClick(dialog.table, Qt.Key.Key_Space)
    assert taken(dialog) == ["Dot"]
    qtbot.keyClick(dialog.table, Qt.Key.Key_Space)
    assert taken(dialog) == []
    assert not dialog.foot.show_button.isEnabled()
    assert not dialog.foot.write_button.isEnabled()
    assert dialog.foot.outcome.text() == "Nothing is taken."
    qtbot.keyClick(dialog.table, Qt.Key.Key_Up)
    qtbot.keyClick(dialog.table, Qt.Key.Key_Space)
    assert taken(dialog) == ["Triad"]
    assert dialog.foot.show_button.isEnabled()


def test_a_machine_of_its_own_comes_into_view_beside_the_first(open_dialog, qtbot, session):
    dialog = open_dialog(STREAM)
    take_into(session, dialog)

    qtbot.mouseClick(dialog.foot.show_button, LEFT)

    assert not dialog.isVisible()
    assert session.study.view.machines == (PART.id, "test-part-40gb-streamtest")
    assert session.study.profiles[PART.id] == PART
    assert session.study.profiles["test-part-40gb-streamtest"].boundaries["dram"].bytes_per_s == 1.41e12
    session.undo_stack.undo()
    assert session.study.view.machines == (PART.id,)


def test_figures_go_into_the_profile_itself(open_dialog, qtbot, session):
    dialog = open_dialog(STREAM)
    take_into(session, dialog)

    qtbot.mouseClick(dialog.foot.write_button, LEFT)

    assert session.study.view.machines == (PART.id,)
    assert session.study.profiles[PART.id].boundaries["dram"].bytes_per_s == 1.41e12
    session.undo_stack.undo()
    assert session.study.profiles[PART.id] == PART


def test_figures_can_stand_beside_those_in_use(open_dialog, qtbot, session):
    dialog = open_dialog(STREAM)
    take_into(session, dialog)

    dialog.use_box.click()
    qtbot.mouseClick(dialog.foot.write_button, LEFT)

    dram = session.study.profiles[PART.id].boundaries["dram"]
    assert dram.bytes_per_s == 1.5e12
    assert dram.observed.value == 1.41e12


def test_the_median_counts_when_it_is_chosen(open_dialog, qtbot, session):
    dialog = open_dialog(STREAM)
    take_into(session, dialog)

    qtbot.mouseClick(dialog.run.button("median"), LEFT)
    assert taken(dialog) == ["Dot"]  # its median is exactly what is published
    qtbot.mouseClick(dialog.run.button("best"), LEFT)
    assert taken(dialog) == ["Triad"]
    qtbot.mouseClick(dialog.run.button("median"), LEFT)
    qtbot.mouseClick(dialog.foot.show_button, LEFT)

    made = session.study.profiles["test-part-40gb-streamtest"]
    assert made.boundaries["dram"].bytes_per_s == 1.5e12


def test_a_reading_becomes_another_figure_by_its_menu(open_dialog, qtbot, session):
    dialog = open_dialog(profiled())
    take_into(session, dialog)
    row = next(at for at, one in enumerate(dialog.table.rows_model.rows) if one.origin == "ffma")

    menu = dialog.table.target_menu(row)
    assert [one.text() for one in menu.actions() if one.isChecked()] == ["fp32"]
    next(one for one in menu.actions() if one.data() == "fp64").trigger()
    menu.close()

    assert shown(dialog)["ffma"].target == "fp64"
    assert shown(dialog)["ffma"].ratio == "180 %"
    assert taken(dialog) == ["ffma", "dram__bytes"]  # chosen by hand, though asked about
    qtbot.mouseClick(dialog.foot.show_button, LEFT)
    made = next(one for id_, one in session.study.profiles.items() if id_ != PART.id)
    assert made.ceilings["fp64"].observed.value == 18e12
    assert made.ceilings["fp32"].observed is None


def test_the_menu_opens_by_click_and_by_key(open_dialog, qtbot, monkeypatch):
    dialog = open_dialog(profiled())
    opened = []
    monkeypatch.setattr(type(dialog.table), "_open_targets", lambda _self, row: opened.append(row))

    row = click(qtbot, dialog, "dram__bytes", TARGET)
    qtbot.keyClick(dialog.table, Qt.Key.Key_Return)

    assert opened == [row, row]


def test_a_file_that_only_says_its_clock_speaks_of_no_other_ceilings(open_dialog):
    dialog = open_dialog(profiled(1e9, ceilings=(), boundaries=()))

    assert dialog.scale_box.text() == "Scale the ceilings to 1\u202f000 MHz"


def test_what_was_not_measured_scales_to_the_clock_of_the_run(open_dialog, qtbot, session):
    dialog = open_dialog(profiled(1e9))
    take_into(session, dialog)

    assert dialog.scale_box.text() == "Scale the other ceilings to 1\u202f000 MHz"
    assert "scaled to the clock" in dialog.foot.outcome.text()
    qtbot.mouseClick(dialog.foot.show_button, LEFT)

    made = session.study.profiles["test-part-40gb-as-profiled-1000mhz"]
    assert made.ceilings["fp64"].flop_per_s == 5e12  # 10e12 at 2 GHz
    assert made.ceilings["fp32"].flop_per_s == 18e12


def test_the_other_ceilings_stay_when_that_is_not_wanted(open_dialog, qtbot, session):
    dialog = open_dialog(profiled(1e9))
    take_into(session, dialog)

    dialog.scale_box.click()
    assert "scaled" not in dialog.foot.outcome.text()
    qtbot.mouseClick(dialog.foot.show_button, LEFT)

    made = session.study.profiles["test-part-40gb-as-profiled-1000mhz"]
    assert made.ceilings["fp64"].flop_per_s == 10e12


def test_a_clock_alone_makes_a_machine(open_dialog, qtbot, session):
    dialog = open_dialog(profiled(1e9, ceilings=(), boundaries=()))
    take_into(session, dialog)

    assert dialog.empty.isVisible()
    assert not dialog.table.isVisible()
    assert not dialog.foot.write_button.isEnabled()
    qtbot.mouseClick(dialog.foot.show_button, LEFT)

    assert session.study.profiles["test-part-40gb-as-profiled-1000mhz"].ceilings["fp64"].flop_per_s == 5e12


def test_a_device_that_nobody_knows_waits_for_a_choice(open_dialog, qtbot):
    dialog = open_dialog(replace(STREAM, device="device 0"), present=(PART, OTHER))

    assert dialog.head.machine.value() == ""
    assert "device 0" in dialog.head.words.text()
    assert not dialog.foot.show_button.isEnabled()
    assert not any(one.is_new for one in dialog.table.rows_model.rows)

    dialog.head.machine.setFocus()
    qtbot.keyClick(dialog.head.machine, Qt.Key.Key_Down)
    assert dialog.head.machine.value() == PART.id
    assert "your choice" in dialog.head.words.text()
    assert dialog.foot.show_button.isEnabled()
    assert taken(dialog) == ["Triad"]


def test_a_profile_that_is_not_at_hand_is_read_and_a_later_choice_wins(open_dialog):
    later = Later(PART, H100)
    dialog = open_dialog(STREAM, present=(TINY,), entries=(PART, H100), read=later.read)

    assert dialog.profile is None
    assert dialog.foot.outcome.text() == "Reading the machine…"
    dialog.head.machine.chosen.emit(TINY.id)
    assert dialog.profile is TINY
    later.deliver()
    assert dialog.profile is TINY  # the first one came too late
    dialog.head.machine.chosen.emit(PART.id)
    later.deliver()
    assert dialog.profile is PART
    assert taken(dialog) == ["Triad"]


def test_each_device_of_a_file_is_looked_at_by_itself(open_dialog, qtbot):
    first = profiled(device="device 0", ceilings=(reading("fp64", 9e12, origin="first"),), boundaries=())
    second = profiled(ceilings=(reading("fp64", 8e12, origin="second"),), boundaries=())
    dialog = open_dialog(first, second)

    assert dialog.head.device.isVisible()
    assert dialog.profile is None
    dialog.head.device.setFocus()
    qtbot.keyClick(dialog.head.device, Qt.Key.Key_Down)
    assert dialog.profile is PART
    assert taken(dialog) == ["second"]


def test_columns_without_anything_in_them_are_left_out(open_dialog):
    with_runs, without = open_dialog(STREAM), open_dialog(profiled())

    assert with_runs.run.isVisible()
    assert not without.run.isVisible()
    assert without.table.isColumnHidden(4)
    assert without.table.isColumnHidden(5)
    assert not with_runs.table.isColumnHidden(4)


def test_cancel_takes_nothing(open_dialog, qtbot, session):
    dialog = open_dialog(STREAM)
    take_into(session, dialog)

    qtbot.mouseClick(dialog.foot.cancel_button, LEFT)

    assert not dialog.isVisible()
    assert session.study.view.machines == (PART.id,)


def test_everything_has_a_name_for_those_who_do_not_see_it(open_dialog):
    dialog = open_dialog(STREAM, replace(STREAM, device="device 1"))

    for widget in (dialog.table, dialog.head.machine, dialog.head.device, dialog.run):
        assert widget.accessibleName()


def test_it_is_painted_in_both_themes(open_dialog, qapp):
    dialog = open_dialog(STREAM)
    apply_theme(qapp, DARK)
    dialog.refresh_theme()
    dark = dialog.grab().toImage().pixelColor(4, 4)
    apply_theme(qapp, LIGHT)
    dialog.refresh_theme()

    assert dialog.grab().toImage().pixelColor(4, 4).lightness() > dark.lightness() + 100


def test_a_machine_that_no_profile_has_can_be_made_of_the_file_alone(open_dialog, qtbot, session):
    dialog = open_dialog(profiled(1.5e9, device="NVIDIA GeForce RTX 3070"))
    take_into(session, dialog)

    dialog.head.machine.setFocus()
    qtbot.keyClick(dialog.head.machine, Qt.Key.Key_Down)
    assert dialog.head.machine.value() == ALONE
    assert not dialog.foot.write_button.isEnabled()
    assert taken(dialog) == ["ffma", "dram__bytes"]
    click(qtbot, dialog, "ffma", TAKE)
    assert not dialog.foot.show_button.isEnabled()  # no roof without a ceiling
    click(qtbot, dialog, "ffma", TAKE)
    qtbot.mouseClick(dialog.foot.show_button, LEFT)

    made = session.study.profiles["nvidia-geforce-rtx-3070-as-profiled-1500mhz"]
    assert made.ridge() == pytest.approx(18 / 1.44)
    assert made.id in session.study.view.machines


def test_a_file_without_a_whole_roof_does_not_offer_that(open_dialog):
    assert ALONE not in dict(open_dialog(STREAM).head.machine.options)


def test_another_part_of_the_same_chip_is_said_to_differ_and_asked_about_as_such(open_dialog):
    other = replace(PART, id="test-part-80gb", name="Part A7 SXM 80 GB")
    dialog = open_dialog(STREAM, present=(PART, other))

    assert dialog.head.machine.value() == PART.id
    dialog.head.machine.chosen.emit(other.id)

    assert "80 GB instead of 40 GB" in dialog.head.words.text()
    assert "another part" in dialog.about.text()


def test_what_was_decided_against_one_profile_is_asked_anew_of_another(open_dialog, qtbot):
    dialog = open_dialog(STREAM, present=(PART, OTHER))
    click(qtbot, dialog, "Dot", TAKE)
    assert taken(dialog) == ["Dot"]

    dialog.head.machine.chosen.emit(OTHER.id)
    dialog.head.machine.chosen.emit(PART.id)

    assert taken(dialog) == ["Triad"]


def test_a_profile_that_comes_after_the_dialog_is_gone_disturbs_nobody(qtbot, open_dialog):
    later = Later(PART)
    known = KnownMachines((PART,), read=later.read)
    dialog = CeilingsDialog("results.txt", (STREAM,), known)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.show()
    with qtbot.waitSignal(dialog.destroyed):
        qtbot.mouseClick(dialog.foot.cancel_button, LEFT)

    later.deliver()

    assert dialog.profile is None


def test_the_table_can_be_copied(open_dialog, qtbot):
    dialog = open_dialog(STREAM)

    qtbot.keyClick(dialog.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QGuiApplication.clipboard().text().splitlines()

    assert lines[0].startswith("Measured as\tBecomes\tBest")
    assert lines[2].split("\t") == [
        "Triad", "HBM2", "1.410 TB/s", "1.380 TB/s", "1.300 to 1.410 TB/s", "1.500 TB/s", "94.0 %",
    ]  # fmt: skip
