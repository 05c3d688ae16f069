"""The editor as somebody uses it: typed into, taken back, saved, opened again."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from rooflinestudio.core.profile_edit.copies import renamed
from rooflinestudio.core.profile_edit.folder import profiles_in, save_profile
from rooflinestudio.core.profile_edit.places import FigurePlace
from rooflinestudio.core.profile_files import dump_profile, load_profile
from rooflinestudio.ui.hardware_editor.library import LibraryMachine, grouped
from rooflinestudio.ui.hardware_editor.table_model import (
    CONDITION,
    DATE,
    IN_USE,
    MEASURED,
    NAME,
    PROVENANCE,
    SOURCE,
    STATED,
)
from rooflinestudio.ui.hardware_editor.window import EditorWindow
from rooflinestudio.ui.theme import DARK, LIGHT, apply_theme
from tests.core.profiles import A100, H100
from tests.ui.shell_helpers import Answers

# Menus raise themselves and grab the keyboard; the offscreen platform says that it cannot, each time.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)

BF16, DRAM = FigurePlace("ceilings", "bf16-tensor"), FigurePlace("boundaries", "dram")
NETWORK = FigurePlace("boundaries", "network")
SHIPPED = {one.id: one for one in (H100, A100)}


class Bench:
    """An editor, its user and its folder."""

    def __init__(self, qtbot, folder, answers):
        self.qtbot, self.folder, self.answers = qtbot, folder, answers
        self.window = EditorWindow(read=self.read, folder=folder, asker=answers)
        qtbot.addWidget(self.window, before_close_func=lambda window: window.document.forget())
        self.window.resize(1600, 1000)
        self.list()
        self.window.show()
        qtbot.waitExposed(self.window)
        self.saved = []
        self.window.profileSaved.connect(self.saved.append)

    def list(self):
        own = [
            LibraryMachine(one.id, one.name, one.vendor, one.year, "mine") for one in profiles_in(self.folder)
        ]
        shipped = [
            LibraryMachine(one.id, one.name, one.vendor, one.year, "shipped") for one in SHIPPED.values()
        ]
        self.window.set_library([*own, *shipped])

    def read(self, id_, then):
        own = {one.id: one for one in profiles_in(self.folder)}
        then(own[id_].load() if id_ in own else SHIPPED[id_])

    @property
    def profile(self):
        return self.window.document.profile

    def ceiling(self, id_="bf16-tensor"):
        return self.profile.ceilings[id_]

    def key(self, widget, keys):
        self.qtbot.keySequence(widget, QKeySequence(keys))

    def type(self, place, column, text, *, keys=Qt.Key.Key_Return):
        """Go to a cell, type over what stands there, and confirm."""
        self.window.page.go_to(place, column)
        table = self.window.page.table_of(place)
        table.setFocus()
        self.qtbot.keyClick(table, Qt.Key.Key_F2)
        entry = table.entry()
        assert isinstance(entry, QLineEdit)
        entry.selectAll()
        self.qtbot.keyClick(entry, Qt.Key.Key_Delete)
        self.qtbot.keyClicks(entry, text)
        self.qtbot.keyClick(entry, keys)
        self.settle(table)

    def settle(self, table):
        """Wait until an entry is closed: a delegate takes the text when the line has had the key."""
        self.qtbot.waitUntil(lambda: table.entry() is None)

    def cell(self, place, column):
        table = self.window.page.table_of(place)
        return table.model_.index(table.number_of(place), column).data()

    def note(self, word):
        return next(row for row in self.window.page.notes.rows if word in row.note.key)

    def press(self, button):
        self.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


@pytest.fixture
def bench(qtbot, tmp_path):
    return Bench(qtbot, tmp_path / "profiles", Answers())


@pytest.fixture
def mine(bench):
    """The editor with an unsaved copy of the H100 in it."""
    bench.window.open_machine(H100.id)
    bench.press(bench.window.bar.duplicate_button)
    return bench


# ------------------------------------------------------------------------------ machines that are not hers


def test_a_shipped_machine_is_shown_and_stays_as_it_is(bench):
    bench.window.open_machine(H100.id)
    table = bench.window.page.ceilings
    table.go_to(BF16, STATED)

    bench.qtbot.keyClick(table, Qt.Key.Key_F2)

    assert table.entry() is None
    assert bench.profile == H100
    assert bench.cell(BF16, STATED) == "989.4 TFLOP/s"
    assert bench.window.page.head.badge.text() == "shipped"
    assert not bench.window.page.save_button.isEnabled()


def test_typing_offers_a_copy_and_goes_on_in_it(bench):
    bench.window.open_machine(H100.id)
    table, offer = bench.window.page.ceilings, bench.window.page.offer
    table.go_to(BF16, MEASURED)
    table.setFocus()

    bench.qtbot.keyClick(table, Qt.Key.Key_7)
    assert offer.isVisible()
    assert "stays as it is" in offer.words.text()
    bench.press(offer.button)
    bench.qtbot.keyClicks(table.entry(), "94.5 TFLOP/s")
    bench.qtbot.keyClick(table.entry(), Qt.Key.Key_Return)
    bench.settle(table)

    assert bench.profile.based_on == H100.id
    assert bench.ceiling().observed.value == 794.5e12
    assert not offer.isVisible()


def test_escape_takes_the_offer_away(bench):
    bench.window.open_machine(H100.id)
    bench.window.page.ceilings.go_to(BF16, STATED)
    bench.qtbot.keyClick(bench.window.page.ceilings, Qt.Key.Key_F2)

    bench.qtbot.keyClick(bench.window.page.offer, Qt.Key.Key_Escape)

    assert not bench.window.page.offer.isVisible()
    assert bench.profile == H100


# ------------------------------------------------------------------------------------- type, undo, save


def test_type_undo_save_and_reopen(mine):
    window = mine.window
    mine.type(BF16, MEASURED, "794.5 TFLOP/s")
    mine.type(BF16, CONDITION, "8192³, 10 s, 1.41 GHz")
    mine.type(BF16, SOURCE, "matmul benchmark")
    mine.type(BF16, DATE, "2025-03-18")
    mine.type(NETWORK, STATED, "25 GB/s")
    mine.key(window, "Ctrl+Z")
    mine.key(window, "Ctrl+S")

    (saved,) = mine.saved
    assert saved.ceilings["bf16-tensor"].flop_per_s == 794.5e12
    assert saved.boundary("network").bytes_per_s == 50e9
    mine.list()
    window.open_machine(A100.id)
    window.open_machine(saved.id)
    assert mine.profile == saved
    figure = mine.ceiling().figure
    assert (figure.condition, figure.source, figure.date) == (
        "8192³, 10 s, 1.41 GHz",
        "matmul benchmark",
        "2025-03-18",
    )
    assert window.page.head.base.text() == "from H100 SXM5 80 GB, 1 figure changed"
    assert not window.document.is_modified


def test_undo_and_redo_go_back_and_forth(mine):
    mine.type(BF16, STATED, "800 TFLOP/s")
    mine.key(mine.window, "Ctrl+Z")
    assert mine.ceiling().flop_per_s == 989.4e12
    mine.key(mine.window, "Ctrl+Shift+Z")
    assert mine.ceiling().flop_per_s == 800e12
    assert mine.window.document.undo_stack.undoText() == "Type bf16 tensor"


def test_revert_goes_back_to_the_file_and_can_be_undone(mine):
    mine.key(mine.window, "Ctrl+S")
    mine.type(BF16, STATED, "800 TFLOP/s")
    mine.press(mine.window.page.revert_button)
    assert mine.ceiling().flop_per_s == 989.4e12
    assert not mine.window.page.revert_button.isEnabled()
    mine.key(mine.window, "Ctrl+Z")
    assert mine.ceiling().flop_per_s == 800e12


def test_the_name_is_written_and_an_unsaved_id_follows_it(mine):
    head = mine.window.page.head
    mine.press(head.rename_button)
    mine.qtbot.keyClicks(head.name_edit, "H100 SXM5, rack 7")
    mine.qtbot.keyClick(head.name_edit, Qt.Key.Key_Return)

    assert (mine.profile.name, mine.profile.id) == ("H100 SXM5, rack 7", "h100-sxm5-rack-7")
    assert "h100-sxm5-rack-7" in mine.window.tree.offered()
    mine.key(mine.window, "Ctrl+S")
    mine.press(head.rename_button)
    mine.qtbot.keyClicks(head.name_edit, "Rack 8")
    mine.qtbot.keyClick(head.name_edit, Qt.Key.Key_Return)
    assert (mine.profile.name, mine.profile.id) == ("Rack 8", "h100-sxm5-rack-7")


def test_what_is_saved_keeps_its_id_when_its_name_is_taken_back(mine):
    mine.window.document.rename("Rack 7")
    mine.key(mine.window, "Ctrl+S")
    mine.key(mine.window, "Ctrl+Z")
    mine.key(mine.window, "Ctrl+S")

    assert (mine.profile.name, mine.profile.id) == ("H100 SXM5 80 GB, copy", "rack-7")
    assert [one.name for one in mine.folder.iterdir()] == ["rack-7.yaml"]


def test_a_copy_does_not_take_the_file_that_another_window_wrote_meanwhile(mine):
    other = renamed(replace(H100, id=mine.profile.id), "Written elsewhere")
    save_profile(other, mine.folder)

    mine.key(mine.window, "Ctrl+S")

    assert load_profile(mine.folder / f"{other.id}.yaml") == other
    assert mine.profile.id == f"{other.id}-2"
    assert load_profile(mine.folder / f"{other.id}-2.yaml") == mine.profile
    mine.type(BF16, STATED, "800 TFLOP/s")
    mine.key(mine.window, "Ctrl+Z")
    mine.key(mine.window, "Ctrl+S")
    assert len(list(mine.folder.iterdir())) == 2
    assert mine.profile.id == f"{other.id}-2"


def test_escape_leaves_the_name(mine):
    head = mine.window.page.head
    mine.press(head.rename_button)
    mine.qtbot.keyClicks(head.name_edit, "Another")
    mine.qtbot.keyClick(head.name_edit, Qt.Key.Key_Escape)
    assert mine.profile.name == "H100 SXM5 80 GB, copy"


# ------------------------------------------------------------------------------------------------- refusals


def test_a_refused_text_stays_holds_saving_up_and_is_mended_by_a_button(mine):
    mine.type(NETWORK, MEASURED, "400 Gb/s")

    row = mine.note("refused")
    assert mine.cell(NETWORK, MEASURED) == "400 Gb/s"
    assert not mine.window.page.save_button.isEnabled()
    assert row.note.tone == "error"
    assert [one.text() for one in row.buttons] == ["400 Gbit/s = 50 GB/s", "400 GB/s"]
    mine.press(row.buttons[0])
    assert mine.profile.boundary("network").observed.value == 50e9
    assert mine.window.page.notes.rows == []
    assert mine.window.page.save_button.isEnabled()


def test_saving_with_a_refused_text_says_why_not_until_it_is_settled(mine):
    mine.type(NETWORK, MEASURED, "400 Gb/s")
    mine.key(mine.window, "Ctrl+S")

    assert mine.saved == []
    assert mine.note("message.save").note.head == "Not saved"
    mine.press(mine.note("refused").buttons[0])
    assert mine.window.page.notes.rows == []
    mine.key(mine.window, "Ctrl+S")
    assert [one.id for one in mine.saved] == [mine.profile.id]


@pytest.mark.parametrize(
    ("place", "text", "word"), [(NETWORK, "400 Gb/s", "refused"), (DRAM, "4.1 TB/s", "doubt")]
)
def test_the_keyboard_goes_on_in_the_table_when_a_note_is_answered(mine, place, text, word):
    mine.type(place, MEASURED, text)
    button = mine.note(word).buttons[0]
    button.setFocus()
    mine.qtbot.keyClick(button, Qt.Key.Key_Space)

    assert mine.window.focusWidget() is mine.window.page.boundaries
    mine.key(mine.window, "Ctrl+Z")
    assert mine.window.focusWidget() is mine.window.page.boundaries


def test_no_column_is_cut_off_and_a_condition_is_whole_beside_the_table(mine):
    table, facts = mine.window.page.ceilings, mine.window.facts
    for width in (1600, 1440, 1340, 1280):
        mine.window.resize(width, 800)
        mine.qtbot.waitUntil(lambda width=width: mine.window.width() == width)
        shown = [at for at in range(8) if not table.isColumnHidden(at)]
        assert sum(table.columnWidth(at) for at in shown) <= table.viewport().width()
    mine.window.document.write(BF16, "stated", "condition", "dense, fp32 accumulation, 1.83 GHz, " * 3)
    mine.window.page.go_to(BF16, STATED)
    row = next(one for one in facts.rows if "1.83 GHz" in one.value.text())
    mine.qtbot.waitUntil(lambda: row.value.height() >= row.value.heightForWidth(row.value.width()) > 20)


def test_every_stop_of_the_tab_key_has_a_name(mine):
    mine.type(DRAM, MEASURED, "4.1 TB/s")  # with a note
    stops = [
        one
        for one in mine.window.findChildren(QWidget)
        if one.isVisible() and one.focusPolicy() & Qt.FocusPolicy.TabFocus
    ]
    assert len(stops) > 10
    assert [one for one in stops if not (one.accessibleName() or one.property("text"))] == []


def test_undo_takes_a_refused_text_back(mine):
    mine.type(NETWORK, MEASURED, "fast")
    mine.key(mine.window, "Ctrl+Z")

    assert mine.cell(NETWORK, MEASURED) == "–"
    assert mine.window.page.notes.rows == []


def test_a_refused_text_can_be_typed_on(mine):
    mine.type(NETWORK, STATED, "400 Gb/s")
    mine.window.page.go_to(NETWORK, STATED)
    table = mine.window.page.boundaries
    mine.qtbot.keyClick(table, Qt.Key.Key_F2)
    assert table.entry().text() == "400 Gb/s"
    mine.qtbot.keyClick(table.entry(), Qt.Key.Key_Escape)

    mine.type(NETWORK, STATED, "400 Gbit/s")

    assert mine.profile.boundary("network").bytes_per_s == 50e9
    assert mine.window.document.draft.refused == ()


def test_a_doubtful_figure_is_used_only_when_she_says_so(mine):
    mine.type(DRAM, MEASURED, "4.1 TB/s")
    row = mine.note("doubt")

    assert mine.profile.boundary("dram").bytes_per_s == 3.35e12
    assert "1.22×" in row.note.text
    mine.press(row.buttons[0])
    assert mine.profile.boundary("dram").bytes_per_s == 4.1e12
    mine.key(mine.window, "Ctrl+Z")
    assert mine.profile.boundary("dram").bytes_per_s == 3.35e12


def test_a_finding_is_mended_or_answered_with_a_reason(mine):
    mine.type(BF16, STATED, "1978.8 TFLOP/s")
    mine.window.check()
    row = mine.note("bf16-tensor")
    assert row.note.tone == "warn"
    assert mine.window.page.save_button.isEnabled()

    mine.press(next(one for one in row.buttons if one.text() == "It is right…"))
    mine.qtbot.keyClicks(row.reason, "Another part")
    mine.press(row.keep)

    assert list(mine.profile.explained.values()) == ["Another part"]
    mine.window.check()
    assert not [one for one in mine.window.page.notes.rows if "bf16-tensor" in one.note.key]
    mine.key(mine.window, "Ctrl+Z")
    mine.window.check()
    mine.press(mine.note("bf16-tensor").buttons[0])
    assert mine.ceiling().flop_per_s == pytest.approx(989.4e12, rel=1e-3)


# ------------------------------------------------------------------------------------- which figure is used


def test_the_switch_judges_by_published_or_measured_figures(mine):
    switch = mine.window.page.head.switch
    mine.type(BF16, MEASURED, "794.5 TFLOP/s")
    assert mine.cell(BF16, IN_USE) == "794.5 TFLOP/s"

    mine.press(switch.button("stated"))
    assert mine.cell(BF16, IN_USE) == "989.4 TFLOP/s"
    mine.press(switch.button("measured"))
    assert mine.ceiling().flop_per_s == 794.5e12


def test_space_chooses_in_one_row(mine):
    mine.type(BF16, MEASURED, "794.5 TFLOP/s")
    mine.window.page.go_to(BF16, IN_USE)
    mine.qtbot.keyClick(mine.window.page.ceilings, Qt.Key.Key_Space)

    assert mine.ceiling().flop_per_s == 989.4e12
    assert mine.window.page.head.switch.value() == "rows"


def test_the_preview_follows(mine):
    roof = mine.window.facts.roof
    assert roof.preview.ridge == "ridge 295"
    assert len(roof.preview.scene.roofs) == 1

    mine.type(BF16, MEASURED, "794.5 TFLOP/s")

    assert roof.preview.ridge == "ridge 237, was 295"
    dashed, solid = roof.preview.scene.roofs
    assert (dashed.other_figures, solid.strong) == (True, True)
    assert 10**solid.log_flop_per_s == pytest.approx(794.5e12)
    assert 10**dashed.log_flop_per_s == pytest.approx(989.4e12)


def test_the_panel_tells_of_the_figure_that_is_looked_at(mine):
    mine.type(BF16, MEASURED, "794.5 TFLOP/s")
    facts = mine.window.facts
    mine.window.page.go_to(BF16, MEASURED)
    assert facts.title.text() == "bf16 tensor, measured"
    assert ("of published", "80%") in facts.facts.rows
    assert "1.25×" in facts.remark.text()
    mine.window.page.go_to(BF16, STATED)
    assert facts.title.text() == "bf16 tensor, published"
    assert facts.remark.isHidden()


def test_a_note_is_written_beside_the_figure(mine):
    mine.window.page.go_to(BF16, STATED)
    mine.qtbot.keyClicks(mine.window.facts.note, "from the keynote")
    mine.qtbot.keyClick(mine.window.facts.note, Qt.Key.Key_Return)

    assert mine.ceiling().figure.note == "from the keynote"


def test_where_a_figure_comes_from_is_chosen(mine):
    table = mine.window.page.ceilings
    mine.type(BF16, STATED, "800 TFLOP/s")
    assert mine.cell(BF16, PROVENANCE) == "assumed"
    table.go_to(BF16, PROVENANCE)
    menu = table.provenance_menu()

    next(one for one in menu.actions() if one.text() == "published").trigger()

    assert mine.ceiling().figure.provenance == "published"
    assert mine.ceiling().flop_per_s == 800e12


# ------------------------------------------------------------------------------------------ rows come and go


def test_a_ceiling_is_added_with_its_figure(mine):
    bar = mine.window.page.adding
    next(one for one in bar.ceiling_menu().actions() if one.text() == "fp4 tensor").trigger()
    mine.qtbot.keyClicks(bar.entry, "4")
    mine.qtbot.keyClick(bar.entry, Qt.Key.Key_Return)
    assert "fp4-tensor" not in mine.profile.ceilings
    assert [one.text() for one in bar.corrections] == ["4 TFLOP/s"]
    bar.entry.selectAll()
    mine.qtbot.keyClicks(bar.entry, "4 PFLOP/s")
    mine.press(bar.add_button)

    assert mine.ceiling("fp4-tensor").figure.value == 4e15
    assert mine.ceiling("fp4-tensor").figure.provenance == "assumed"
    assert mine.window.page.ceilings.currentIndex().data() == "4\u202f000 TFLOP/s"


def test_a_boundary_and_a_single_figure_are_added(mine):
    bar = mine.window.page.adding
    next(one for one in bar.boundary_menu().actions() if one.text() == "L3").trigger()
    mine.qtbot.keyClicks(bar.entry, "5 TB/s")
    mine.qtbot.keyClick(bar.entry, Qt.Key.Key_Return)
    next(one for one in bar.figure_menu().actions() if one.text() == "thermal design power").trigger()
    mine.qtbot.keyClicks(bar.entry, "700 W")
    mine.qtbot.keyClick(bar.entry, Qt.Key.Key_Return)

    assert list(mine.profile.boundaries)[2:5] == ["l2", "l3", "dram"]
    assert mine.profile.tdp.value == 700
    assert mine.window.page.machine.isVisible()


def test_escape_adds_nothing(mine):
    bar = mine.window.page.adding
    bar.ceiling_menu().actions()[0].trigger()
    mine.qtbot.keyClick(bar.entry, Qt.Key.Key_Escape)

    assert bar.place is None
    assert mine.profile.ceilings.keys() == H100.ceilings.keys()


def test_a_row_is_taken_out_and_comes_back(mine):
    mine.window.page.go_to(BF16, NAME)
    menu = mine.window.page.ceilings.row_menu()
    next(one for one in menu.actions() if one.text() == "Take bf16 tensor out").trigger()
    assert "bf16-tensor" not in mine.profile.ceilings
    assert mine.profile.reference_ceiling == "fp16-tensor"
    mine.key(mine.window, "Ctrl+Z")
    assert mine.ceiling().flop_per_s == 989.4e12


def test_the_delete_key_clears_a_figure_and_with_control_the_row(mine):
    mine.type(BF16, MEASURED, "794.5 TFLOP/s")
    mine.window.page.go_to(BF16, MEASURED)
    mine.qtbot.keyClick(mine.window.page.ceilings, Qt.Key.Key_Delete)
    assert mine.ceiling().observed is None
    mine.window.page.go_to(NETWORK, NAME)
    mine.qtbot.keyClick(mine.window.page.boundaries, Qt.Key.Key_Delete, Qt.KeyboardModifier.ControlModifier)
    assert "network" not in mine.profile.boundaries


def test_the_last_boundary_stays_and_says_why(bench):
    bench.window.open_machine(A100.id)
    bench.window.duplicate()
    bench.window.page.go_to(DRAM, NAME)
    bench.qtbot.keyClick(bench.window.page.boundaries, Qt.Key.Key_Delete, Qt.KeyboardModifier.ControlModifier)

    assert "dram" in bench.profile.boundaries
    assert "only boundary" in bench.note("message.remove").note.text


def test_capacities_and_counts_are_edited_in_the_third_table(mine):
    mine.press(mine.window.page.more)
    capacity = FigurePlace("boundaries", "dram", "capacity")
    mine.type(capacity, IN_USE, "94 GB")
    mine.type(FigurePlace("machine", "sms"), IN_USE, "114")
    mine.type(DRAM, NAME, "HBM3e")

    assert mine.profile.boundary("dram").capacity.value == 94e9
    assert mine.profile.sms.value == 114
    assert mine.profile.boundary("dram").label == "HBM3e"
    assert "HBM3e 94 GB" in mine.window.page.summary.text()


# ------------------------------------------------------------------------------------ nothing is lost


@pytest.mark.parametrize(("answer", "opened"), [("cancel", False), ("discard", True), ("save", True)])
def test_another_machine_is_opened_only_after_a_word_about_edits(mine, answer, opened):
    mine.type(BF16, STATED, "800 TFLOP/s")
    copy = mine.profile
    mine.answers.unsaved = answer
    mine.window.open_machine(A100.id)

    assert mine.answers.asked == [("unsaved", "H100 SXM5 80 GB, copy")]
    assert (mine.profile == A100) is opened
    assert mine.saved == ([copy] if answer == "save" else [])
    assert (copy.id in mine.window.tree.offered()) is (answer != "discard")


def test_closing_asks_too_and_a_refused_entry_keeps_the_window(mine):
    mine.type(NETWORK, STATED, "fast")
    mine.answers.unsaved = "save"
    assert not mine.window.close()
    assert mine.window.isVisible()
    mine.answers.unsaved = "discard"
    assert mine.window.close()


def test_without_edits_nothing_is_asked(bench):
    bench.window.open_machine(H100.id)
    bench.window.open_machine(A100.id)
    assert bench.window.close()
    assert bench.answers.asked == []


def test_save_takes_what_is_being_typed(mine):
    mine.window.page.go_to(BF16, STATED)
    table = mine.window.page.ceilings
    mine.qtbot.keyClick(table, Qt.Key.Key_F2)
    table.entry().setText("800 TFLOP/s")

    mine.key(table.entry(), "Ctrl+S")

    assert mine.saved[0].ceilings["bf16-tensor"].flop_per_s == 800e12
    assert table.entry() is None


def test_figures_are_copied_exactly_and_pasted(mine, qapp):
    table = mine.window.page.ceilings
    table.go_to(FigurePlace("ceilings", "fp32-no-fma"), STATED)
    mine.key(table, "Ctrl+C")
    assert qapp.clipboard().text() == "33.45 TFLOP/s"
    table.go_to(BF16, MEASURED)
    mine.key(table, "Ctrl+V")
    assert mine.ceiling().observed.value == 33.45e12


def test_a_deleted_machine_stays_open_and_can_be_saved_again(mine):
    gone = []
    mine.window.profileDeleted.connect(gone.append)
    assert not mine.window.bar.delete_button.isVisible()
    mine.key(mine.window, "Ctrl+S")
    mine.press(mine.window.bar.delete_button)

    assert gone == [mine.profile.id]
    assert list(mine.folder.iterdir()) == []
    assert mine.window.document.is_modified
    mine.key(mine.window, "Ctrl+S")
    assert load_profile(mine.folder / f"{mine.profile.id}.yaml") == mine.profile


# ------------------------------------------------------------------------------------ import and export


def test_one_file_goes_out_and_comes_in_again(mine, tmp_path):
    mine.type(BF16, MEASURED, "794.5 TFLOP/s")
    mine.answers.export_path = tmp_path / "rack.yaml"
    mine.press(mine.window.bar.export_button)
    assert load_profile(tmp_path / "rack.yaml") == mine.profile

    mine.answers.unsaved, mine.answers.profile_path = "save", tmp_path / "rack.yaml"
    mine.press(mine.window.bar.import_button)

    assert mine.profile.id == f"{mine.saved[0].id}-2"
    assert mine.ceiling().flop_per_s == 794.5e12
    assert mine.window.document.is_modified


def test_a_broken_file_changes_nothing_and_is_told_of(mine, tmp_path):
    (tmp_path / "broken.yaml").write_text(dump_profile(H100).replace("989.4 TFLOP/s", "400 Gb/s"))
    before = mine.profile
    mine.answers.profile_path = tmp_path / "broken.yaml"
    mine.press(mine.window.bar.import_button)

    assert mine.profile is before
    assert "bf16-tensor" in mine.note("message.import").note.text


def test_several_faults_of_a_file_stand_below_each_other(mine, tmp_path):
    text = dump_profile(H100).replace("989.4 TFLOP/s", "400 Gb/s").replace("year: 2026", "year: 1800")
    (tmp_path / "broken.yaml").write_text(text)
    mine.answers.profile_path = tmp_path / "broken.yaml"
    mine.press(mine.window.bar.import_button)

    note = mine.note("message.import")
    words = next(one.text() for one in note.findChildren(QLabel) if "broken.yaml" in one.text())
    head, *faults = words.split("<br>")
    assert f"{len(faults)} faults" in head
    assert len(faults) > 1
    assert all("line " in one for one in faults)


# ------------------------------------------------------------------------------------------------ the list


def test_machines_stand_under_mine_vendors_and_plugins():
    machines = [
        LibraryMachine("h100", "H100", "NVIDIA", 2022, "shipped"),
        LibraryMachine("b200", "B200", "NVIDIA", 2024, "shipped"),
        LibraryMachine("mi300x", "MI300X", "AMD", 2023, "shipped"),
        LibraryMachine("npu", "Gen2 NPU", "Acme", 2026, "plugin", "acme"),
        LibraryMachine("rack", "Rack 7", "NVIDIA", 2022, "mine"),
    ]

    assert [(one.title, [m.id for m in one.machines]) for one in grouped(machines)] == [
        ("Mine", ["rack"]),
        ("AMD", ["mi300x"]),
        ("NVIDIA", ["b200", "h100"]),
        ("From plugins", ["npu"]),
    ]
    assert [one.title for one in grouped(machines, "nvidia 2022")] == ["Mine", "NVIDIA"]
    assert [one.title for one in grouped(machines, "acme")] == ["From plugins"]


def test_the_search_finds_and_enter_opens(bench):
    search = bench.window.tree.search
    bench.qtbot.keyClicks(search, "a100")
    assert bench.window.tree.offered() == [A100.id]
    bench.qtbot.keyClick(search, Qt.Key.Key_Return)
    assert bench.profile == A100
    bench.qtbot.keyClicks(search, "zzz")
    assert bench.window.tree.offered() == []


def test_a_click_in_the_list_opens_a_machine(bench):
    tree = bench.window.tree
    item = next(item for machine, item in tree._items() if machine.id == A100.id)
    rect = tree.view.visualRect(item.index())
    bench.qtbot.mouseClick(tree.view.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())
    assert bench.profile == A100


def test_a_machine_of_a_plugin_is_named_after_it(bench):
    bench.window.set_library([LibraryMachine(A100.id, A100.name, "Acme", 2026, "plugin", "acme")])
    bench.window.open_machine(A100.id)
    assert bench.window.page.head.badge.text() == "acme"
    assert bench.window.document.is_locked


# -------------------------------------------------------------------------------------------------- the rest


def test_a_saved_machine_of_the_study_is_offered_to_it(mine):
    wanted = []
    mine.window.useInStudyRequested.connect(wanted.append)
    mine.window.set_used(frozenset({mine.profile.id}))
    mine.key(mine.window, "Ctrl+S")

    mine.press(mine.note("message.take").buttons[0])

    assert wanted == [mine.profile]
    assert mine.window.page.notes.rows == []


def test_a_saved_machine_can_be_used_in_the_study(bench):
    wanted = []
    bench.window.useInStudyRequested.connect(wanted.append)
    bench.window.open_machine(H100.id)
    bench.press(bench.window.bar.use_button)
    assert wanted == [H100]


def test_everything_has_a_name_and_a_narrow_window_hides_columns(mine):
    window = mine.window
    window.resize(1280, 800)
    mine.qtbot.waitUntil(lambda: window.page.ceilings.isColumnHidden(CONDITION))
    assert not window.page.ceilings.isColumnHidden(IN_USE)
    named = (
        *window.findChildren(QLineEdit),
        *window.page.tables,
        window.tree.view,
        window.page.head.switch,
        window.facts.roof,
    )
    assert all(one.accessibleName() for one in named)
    window.resize(1600, 1000)
    mine.qtbot.waitUntil(lambda: not window.page.ceilings.isColumnHidden(CONDITION))


def test_another_theme_is_worn(mine, qapp):
    before = mine.window.grab(mine.window.rect()).toImage().pixelColor(QPoint(400, 60))
    apply_theme(qapp, DARK)
    mine.window.refresh_theme()
    after = mine.window.grab(mine.window.rect()).toImage().pixelColor(QPoint(400, 60))
    apply_theme(qapp, LIGHT)

    assert before.lightness() > 200 > 60 > after.lightness()


def test_the_users_own_file_is_replaced(bench):
    from rooflinestudio.core.profile_edit.copies import duplicate

    save_profile(duplicate(H100, "Rack 7", ()), bench.folder)
    bench.list()
    bench.window.open_machine("rack-7")
    bench.type(BF16, STATED, "800 TFLOP/s")
    bench.key(bench.window, "Ctrl+S")

    assert load_profile(bench.folder / "rack-7.yaml").ceilings["bf16-tensor"].flop_per_s == 800e12
    assert len(list(bench.folder.iterdir())) == 1
