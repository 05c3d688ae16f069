"""More of a session of work, as a user does it; what is asserted is what lasts: study, table, file, picture."""

from __future__ import annotations

import sys

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage

from rooflinestudio.core.study_files import load_study
from rooflinestudio.ui.action_table import Key
from tests.ui.shell_helpers import A100, H100, is_alive, large_csv


def palette_index(studio, operator_id):
    tree = studio.inside.panels.palette.tree
    model = tree.model()
    for category in range(model.rowCount()):
        parent = model.index(category, 0)
        for row in range(model.rowCount(parent)):
            index = model.index(row, 0, parent)
            if model.item(index).id == operator_id:
                return index
    raise AssertionError(f"{operator_id} is not in the palette")


def markers(studio):
    return {one.key for one in studio.inside.panels.canvas.view.shown_scene.markers}


def trigger(studio, key):
    studio.frame.actions[key].trigger()


def test_enter_in_the_palette_places_an_operator_everywhere(studio, qtbot):
    tree = studio.inside.panels.palette.tree
    tree.setCurrentIndex(palette_index(studio, "gemm"))
    qtbot.keyClick(tree, Qt.Key.Key_Return)

    (entry,) = studio.session.study.entries
    assert (entry.operator, entry.plugin.id) == ("gemm", "rooflinestudio")
    assert studio.session.selection == entry.id
    assert markers(studio) == {entry.id}
    assert studio.inside.panels.comparison.model.rowCount() == 1
    assert studio.inside.panels.outline.model.index_of_selection(entry.id).isValid()


def test_save_and_open_again_give_the_same_study(example, answers, qtbot, tmp_path):
    before = example.session.study
    answers.save_path = tmp_path / "layer"
    trigger(example, Key.SAVE)
    qtbot.waitUntil(lambda: not example.inside.is_busy, timeout=20_000)
    assert load_study(tmp_path / "layer.study").entries == before.entries
    assert example.window.windowTitle() == "layer.study[*] – Roofline Studio"

    trigger(example, Key.NEW)
    assert example.session.study.entries == ()
    answers.open_path = tmp_path / "layer.study"
    with qtbot.waitSignal(example.inside.files.opened, timeout=20_000):
        trigger(example, Key.OPEN)

    assert example.session.study.entries == before.entries
    assert example.session.study.view == before.view
    assert example.session.study.profiles == before.profiles


def test_a_profile_from_the_list_is_read_and_shown_as_one_edit(studio, qtbot):
    with qtbot.waitSignal(studio.session.studyChanged, timeout=20_000):
        studio.inside.panels.machines.addRequested.emit(A100)

    assert studio.session.study.view.machines == (H100, A100)
    assert studio.session.undo_stack.undoText().startswith("Show A100")
    assert len(studio.inside.panels.canvas.view.shown_scene.roofs) == 2


@pytest.mark.parametrize("ending", [".png", ".svg", ".pdf"])
def test_the_canvas_goes_into_a_picture(example, answers, tmp_path, ending):
    answers.export_path = tmp_path / f"roofline{ending}"

    trigger(example, Key.EXPORT_PICTURE)

    data = answers.export_path.read_bytes()
    assert data.startswith({".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}[ending])
    if ending == ".png":
        image = QImage(str(answers.export_path))
        assert image.width() >= 2 * 640
        colours = {
            image.pixelColor(x, y).name()
            for x in range(0, image.width(), 3)
            for y in range(0, image.height(), 3)
        }
        assert len(colours) > 10
    if ending == ".svg":
        assert b"GEMM 4096" in data


def test_the_table_goes_into_a_csv(example, answers, tmp_path):
    answers.export_path = tmp_path / "table.csv"

    trigger(example, Key.EXPORT_TABLE)

    lines = (tmp_path / "table.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("entry,name,operator,machine")
    assert len(lines) == 1 + len(example.session.placed.rows)


def test_a_place_that_cannot_be_written_says_so(example, answers, tmp_path):
    answers.export_path = tmp_path / "no-folder" / "roofline.png"

    trigger(example, Key.EXPORT_PICTURE)

    assert [one.title for one in example.inside.notices.notices] == ["roofline.png was not written"]


def test_closing_with_unsaved_edits_asks_and_stays_on_cancel(studio, answers):
    studio.session.add_operator("gemm")

    assert not studio.window.close()

    assert answers.asked == [("unsaved", "Untitled study")]
    assert studio.window.isVisible()


def test_closing_after_saving_closes_when_the_file_is_written(studio, answers, qtbot, tmp_path):
    studio.session.add_operator("gemm")
    answers.unsaved, answers.save_path = "save", tmp_path / "mine.study"

    with qtbot.waitSignal(studio.window.closed, timeout=20_000):
        studio.window.close()

    assert load_study(tmp_path / "mine.study").entries[0].operator == "gemm"


def test_what_was_closed_is_remembered(start, answers, qtbot, tmp_path):
    first = start(theme="dark")
    first.session.add_machine(first.session.study.profiles[H100])
    first.window.resize(1300, 820)
    first.frame.docks.inspector.hide()
    first.window.close()

    second = start()

    assert second.window.size().width() == 1300
    assert second.frame.docks.inspector.isHidden()
    assert second.session.machine == H100


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
def test_closing_while_a_file_is_read_ends_the_process_that_reads_it(studio, qtbot, tmp_path):
    path = large_csv(tmp_path / "large.csv", 30_000)
    studio.inside.open_files([str(path)])
    job = studio.inside.imports.job
    qtbot.waitUntil(lambda: job.process_id > 0, timeout=20_000)
    pid = job.process_id
    assert is_alive(pid)

    studio.window.close()

    assert not is_alive(pid)
    assert not studio.window.isVisible()
    assert studio.session.study.overlays == ()
