"""The editor beside a study: what it saves is offered everywhere, and a study learns what has changed."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt

from rooflinestudio.core.hardware import Figure
from rooflinestudio.core.profile_edit.places import FigurePlace, with_figure
from rooflinestudio.core.profile_files import load_profile
from rooflinestudio.ui.file_worker import read_profiles
from rooflinestudio.ui.frame import Frame
from rooflinestudio.ui.furnishing import Furnishing
from rooflinestudio.ui.hardware_editor.commands import MachineEditing
from rooflinestudio.ui.main_window import MainWindow
from rooflinestudio.ui.session import Session
from rooflinestudio.ui.settings import SettingsStore, profiles_folder
from rooflinestudio.ui.theme import LIGHT, ThemeSwitch
from tests.ui.shell_helpers import A100, H100, Answers, gemm, registry, study

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)

BF16, DRAM = FigurePlace("ceilings", "bf16-tensor"), FigurePlace("boundaries", "dram")


class Reader:
    """Reads at once, and notes what it was taught."""

    def __init__(self):
        self.learnt = {}

    def read(self, ids, then):
        then(tuple(self.learnt.get(id_) or registry().load_profile(id_) for id_ in ids))

    def learn(self, profile):
        self.learnt[profile.id] = profile


@pytest.fixture
def inside(qapp, tmp_path):
    window = MainWindow(SettingsStore(tmp_path / "settings.json"), "light")
    frame = Frame(window, ThemeSwitch(LIGHT, window))
    made = Furnishing(frame, Session(registry(), study(gemm(), machines=(H100,))), asker=Answers())
    made.wiring.take_registry(registry())
    window.show()
    yield made
    window.close_at_once()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.fixture
def editing(inside):
    made = MachineEditing(inside, Reader())
    yield made
    if made.editor is not None:
        made.editor.document.forget()


@pytest.fixture
def selector(inside):
    return inside.panels.machines


def older(profile):
    """The profile as a study took it before one of its figures was corrected."""
    return with_figure(profile, DRAM, Figure(3.0e12, "published", source="an early data sheet"))


def chosen(menu, words):
    return next(one for one in menu.actions() if one.text().startswith(words))


def test_it_opens_on_the_machine_of_the_strong_roof(editing):
    editing.open()

    assert editing.editor.isVisible()
    assert editing.editor.document.profile.id == H100
    assert "Used by the open study" in editing.editor.facts.used.text()
    editing.open(A100)
    assert editing.editor.document.profile.id == A100


def test_a_copy_is_opened_from_the_chip(editing, selector):
    chosen(selector.chip_menu(H100), "Duplicate").trigger()

    assert editing.editor.document.is_new
    assert editing.editor.document.profile.based_on == H100


def test_edit_opens_the_machine_of_the_chip(editing, selector):
    chosen(selector.chip_menu(H100), "Edit").trigger()

    assert editing.editor.document.profile.id == H100


def test_a_saved_machine_is_offered_read_and_found_by_its_id(editing, inside, selector):
    editing.duplicate(H100)
    editing.editor.document.type_figure(BF16, "stated", "800 TFLOP/s")
    editing.editor.flow.save()
    saved = editing.editor.document.profile

    assert selector.list.offered()[0] == saved.id
    assert selector.list.model.item(0).text() == "Mine"
    assert inside.session.source.load_profile(saved.id) == saved
    assert read_profiles(saved.id, lambda _share: True) == (saved,)
    assert load_profile(profiles_folder() / f"{saved.id}.yaml") == saved
    assert editing._reader.learnt[saved.id] is saved


def test_a_deleted_machine_is_offered_no_more(editing, selector):
    editing.duplicate(H100)
    editing.editor.flow.save()
    editing.editor.flow.delete()

    assert editing.editor.document.profile.id not in selector.list.offered()


def test_a_machine_is_used_in_the_study_and_undo_takes_it_out(editing, inside):
    editing.open(A100)
    editing.editor.bar.use_button.click()
    assert inside.session.study.view.machines == (H100, A100)
    inside.session.undo_stack.undo()
    assert inside.session.study.view.machines == (H100,)


def test_a_machine_that_was_edited_again_is_offered_to_the_study(editing, inside, selector):
    editing.duplicate(H100)
    editor, session = editing.editor, inside.session
    editor.flow.save()
    id_ = editor.document.profile.id
    editing.use(editor.document.profile)
    editor.document.type_figure(BF16, "stated", "800 TFLOP/s")
    editor.flow.save()

    assert session.study.profiles[id_].ceilings["bf16-tensor"].flop_per_s == 989.4e12
    assert [one.words for one in editing.changes[id_] if one.kind == "figure"] == [
        "bf16 tensor: 989.4 TFLOP/s → 800 TFLOP/s"
    ]
    editor.page.notes.row_of("message.take").buttons[0].click()
    assert session.study.profiles[id_].ceilings["bf16-tensor"].flop_per_s == 800e12
    assert editing.changes == {}
    session.undo_stack.undo()
    assert session.study.profiles[id_].ceilings["bf16-tensor"].flop_per_s == 989.4e12
    assert id_ in editing.changes


def test_a_study_with_an_older_copy_says_so_and_takes_the_new_one(editing, inside, selector, qtbot):
    session = inside.session
    now = registry().load_profile(H100)
    chip = selector.chips[0]
    assert not chip.is_changed

    session.open(session.study.with_profile(older(now)))

    assert chip.is_changed
    assert "1 figure changed" in chip.toolTip()
    assert session.study.profiles[H100].boundary("dram").bytes_per_s == 3.0e12
    chosen(selector.chip_menu(H100), "Take the new figures (1 figure changed)").trigger()
    assert session.study.profiles[H100] == now
    assert not chip.is_changed
    session.undo_stack.undo()
    assert session.study.profiles[H100].boundary("dram").bytes_per_s == 3.0e12
    assert chip.is_changed


def test_the_differences_are_listed_and_taken(editing, inside, selector):
    session = inside.session
    session.open(session.study.with_profile(older(registry().load_profile(H100))))

    dialog = editing.show_differences(H100)

    row = dialog.model.rows[0]
    assert (row.name, row.before, row.after) == ("HBM3", "3 TB/s", "3.35 TB/s")
    dialog.take_button.click()
    assert session.study.profiles[H100] == registry().load_profile(H100)
    assert editing.show_differences(H100) is None


def test_the_sign_of_a_chip_opens_its_menu(editing, inside, selector, qtbot):
    chip = selector.chips[0]
    inside.session.open(inside.session.study.with_profile(older(registry().load_profile(H100))))
    asked = []
    chip.menuRequested.connect(lambda id_, _at: asked.append(id_))
    selector.blockSignals(True)
    at = chip._badge_rect().center().toPoint()

    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton, pos=at)
    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton, pos=QPoint(30, 14))

    assert asked == [H100]
    selector.blockSignals(False)


def test_the_machine_of_the_study_is_exported(editing, inside, tmp_path):
    inside.asker.export_path = tmp_path / "h100.yaml"
    editing.export_profile()

    assert load_profile(tmp_path / "h100.yaml") == inside.session.study.profiles[H100]
    assert inside.asker.asked == [("export", f"{H100}.yaml", (".yaml",))]


def test_a_file_is_imported_into_the_editor(editing, inside, tmp_path):
    inside.asker.export_path = inside.asker.profile_path = tmp_path / "h100.yaml"
    editing.export_profile()
    editing.import_profile()

    assert editing.editor.document.is_new
    assert editing.editor.document.profile.id == f"{H100}-2"


@pytest.mark.parametrize(("answer", "closed"), [("cancel", False), ("discard", True)])
def test_the_window_closes_only_after_a_word_about_an_edited_machine(editing, inside, answer, closed):
    editing.duplicate(H100)
    inside.asker.unsaved = answer

    assert inside.window.close() is closed
    assert editing.editor.isVisible() is not closed


def test_the_theme_reaches_the_editor(editing, inside):
    editing.open()
    before = editing.editor.grab().toImage().pixelColor(QPoint(400, 70)).lightness()
    inside.frame.themes.toggle()
    after = editing.editor.grab().toImage().pixelColor(QPoint(400, 70)).lightness()
    inside.frame.themes.toggle()

    assert before > 200 > 60 > after
