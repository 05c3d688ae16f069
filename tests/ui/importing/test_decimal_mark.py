"""Numbers that can be read in two ways: the user says which is meant, and the import goes on."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from rooflinestudio.ui.importing.mark_dialog import MarkDialog
from rooflinestudio.ui.notices import NoticeArea
from rooflinestudio.ui.overlay_import import OverlayImport
from rooflinestudio.ui.session import Session
from tests.ui.shell_helpers import NCU_LONG, gemm, registry, study

pytestmark = pytest.mark.usefixtures("qapp")

POINTS = "name;GFLOP/s;AI\nk;1.500;2.250\n"
NCU = (
    NCU_LONG.replace('"8388608"', '"8.388"')
    .replace('"4194304"', '"4.194"')
    .replace('"byte"', '"Kbyte"')
    .replace('"1048576"', '"0"')
    .replace('"6000"', '"6"')
)
"""Traffic of 8.388 and 4.194 Kbyte, or of 8 388 and 4 194."""


@pytest.fixture
def session():
    return Session(registry(), study(gemm()))


@pytest.fixture
def notices(qtbot):
    area = NoticeArea()
    qtbot.addWidget(area)
    return area


@pytest.fixture
def imports(session, notices):
    imports = OverlayImport(session, notices)
    yield imports
    imports.cancel()


def ask(imports, qtbot, folder, *texts):
    paths = [folder / f"file{at}.csv" for at in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    imports.start([str(one) for one in paths])
    qtbot.waitUntil(lambda: imports.dialog is not None, timeout=20_000)
    assert isinstance(imports.dialog, MarkDialog)
    return imports.dialog


def answer(dialog, mark, imports, qtbot):
    dialog.choices[mark].click()
    with qtbot.waitSignal(imports.idle, timeout=20_000):
        qtbot.mouseClick(dialog.read_button, Qt.MouseButton.LeftButton)


@pytest.mark.parametrize(("mark", "rate"), [(".", 1.5e9), (",", 1500e9)])
def test_the_answer_goes_into_the_import(imports, session, qtbot, tmp_path, mark, rate):
    dialog = ask(imports, qtbot, tmp_path, POINTS)

    assert dialog.question.sample == "1.500"
    assert not dialog.read_button.isEnabled()
    assert dialog.choices[","].text().startswith("1\u202f500 GFLOP/s")
    answer(dialog, mark, imports, qtbot)

    assert session.study.overlays[0].measurement(0).achieved_flop_per_s == rate
    assert session.undo_stack.count() == 1


@pytest.mark.parametrize(("mark", "traffic"), [(".", 12_582), (",", 12_582_000)])
def test_a_profilers_table_is_asked_about_too(imports, session, qtbot, tmp_path, mark, traffic):
    dialog = ask(imports, qtbot, tmp_path, NCU)

    assert "dram traffic at 2.10 TB/s" in dialog.choices["."].text()
    answer(dialog, mark, imports, qtbot)

    assert session.study.overlays[0].measurement(0).dram_bytes == pytest.approx(traffic)


def test_cancel_leaves_the_study_as_it_was(imports, session, notices, qtbot, tmp_path):
    before = session.placed
    dialog = ask(imports, qtbot, tmp_path, POINTS)

    with qtbot.waitSignal(imports.idle):
        qtbot.mouseClick(dialog.cancel_button, Qt.MouseButton.LeftButton)

    assert session.placed is before
    assert session.undo_stack.count() == 0
    assert [one.title for one in notices.notices] == ["Import of file0.csv cancelled"]


@pytest.mark.parametrize("for_all", [True, False])
def test_one_answer_can_hold_for_the_files_behind(imports, session, qtbot, tmp_path, for_all):
    dialog = ask(imports, qtbot, tmp_path, POINTS, POINTS.replace("k;", "j;"))
    if for_all:
        dialog.for_all.click()
        answer(dialog, ",", imports, qtbot)
        assert [one.measurement(0).achieved_flop_per_s for one in session.study.overlays] == [1500e9] * 2
        return
    dialog.choices[","].click()
    qtbot.mouseClick(dialog.read_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: imports.dialog not in (None, dialog), timeout=20_000)
    assert imports.dialog.for_all.isHidden()  # nothing is behind the second


def test_the_dialog_of_columns_can_answer_it(imports, session, qtbot, tmp_path):
    (tmp_path / "p.csv").write_text("name;perf;AI\nk;1.500;2.250\n")
    imports.start([str(tmp_path / "p.csv")])
    qtbot.waitUntil(lambda: imports.dialog is not None, timeout=20_000)
    dialog = imports.dialog

    assert "1.500 may be 1.5" in dialog.findings.text()
    qtbot.mouseClick(dialog.mark.button(","), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dialog.model.rows[0].rate == "1.50 kFLOP/s")
    with qtbot.waitSignal(imports.idle, timeout=20_000):
        qtbot.mouseClick(dialog.import_button, Qt.MouseButton.LeftButton)

    assert session.study.overlays[0].measurement(0).achieved_flop_per_s == 1500


def test_it_is_answered_by_keyboard_alone(imports, session, qtbot, tmp_path):
    dialog = ask(imports, qtbot, tmp_path, POINTS)

    qtbot.keyClick(dialog.choices["."], Qt.Key.Key_Space)
    assert dialog.mark() == "."
    qtbot.keyClick(dialog.choices[","], Qt.Key.Key_Space)
    assert dialog.mark() == ","
    with qtbot.waitSignal(imports.idle, timeout=20_000):
        qtbot.keyClick(dialog, Qt.Key.Key_Return)

    assert session.study.overlays[0].measurement(0).achieved_flop_per_s == 1500e9
