"""A table of points on its way into the study: asked about, previewed, taken as one edit, changed later."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from rooflinestudio.core.importing.proposal import StatedColumn
from rooflinestudio.core.study import Pair
from rooflinestudio.plugins.reading import propose_columns
from rooflinestudio.ui.importing.columns_dialog import ColumnsDialog
from rooflinestudio.ui.notices import NoticeArea
from rooflinestudio.ui.overlay_import import OverlayImport
from rooflinestudio.ui.session import Session
from tests.ui.shell_helpers import gemm, registry, study

pytestmark = pytest.mark.usefixtures("qapp")

SURE = "kernel,time [us],work [GFLOP],traffic [MB]\naxpy,100,0.05,200\ncopy,10,0,20\n"
UNSURE = "what,elapsed thing,GF,moved\naxpy,100,0.05,200\ngemm,2000,1000,50\n"
NO_UNIT = "kernel,time,flop,bytes\naxpy,100,5e7,2e8\n"


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


@pytest.fixture
def ask(imports, qtbot, tmp_path):
    """Start importing a text and return the dialog that it opens."""

    def dialog_for(text, name="points.csv"):
        path = tmp_path / name
        path.write_text(text)
        imports.start([str(path)])
        return opened(imports, qtbot)

    return dialog_for


def opened(imports, qtbot):
    qtbot.waitUntil(lambda: imports.dialog is not None, timeout=20_000)
    return imports.dialog


def choose(box, id_, qtbot):
    """Choose by keyboard, as a user would: arrows until it is there, then Enter in the list."""
    ids = [one for one, _ in box.options]
    step = Qt.Key.Key_Down if ids.index(id_) > ids.index(box.value()) else Qt.Key.Key_Up
    for _ in range(abs(ids.index(id_) - ids.index(box.value()))):
        qtbot.keyClick(box, step)
    assert box.value() == id_


def finish(imports, qtbot, button):
    with qtbot.waitSignal(imports.idle, timeout=20_000):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_heads_that_are_sure_are_taken_at_once_and_can_be_changed(imports, session, notices, qtbot, tmp_path):
    (tmp_path / "points.csv").write_text(SURE)
    with qtbot.waitSignal(imports.idle, timeout=20_000):
        imports.start([str(tmp_path / "points.csv")])

    (overlay,) = session.study.overlays
    assert overlay.measurement(0).time_s == 1e-4
    (banner,) = notices.banners
    assert banner.notice.title == "2 measured kernels from points.csv"
    session.edit("Pair", replaced_pairs(session.study, Pair(overlay.digest, "axpy", 0, "gemm-1")))

    (change,) = [
        banner.buttons.itemAt(at).widget()
        for at in range(banner.buttons.count())
        if banner.buttons.itemAt(at).widget().text() == "Change columns…"
    ]
    qtbot.mouseClick(change, Qt.MouseButton.LeftButton)
    dialog = opened(imports, qtbot)
    choose(dialog.table.units[1], "ms", qtbot)
    finish(imports, qtbot, dialog.import_button)

    (changed,) = session.study.overlays
    assert changed.measurement(0).time_s == 0.1
    assert changed.digest != overlay.digest
    assert session.study.pairs == (Pair(changed.digest, "axpy", 0, "gemm-1"),)
    assert session.undo_stack.undoText() == "Change columns of points.csv"
    session.undo_stack.undo()
    assert session.study.overlays == (overlay,)
    assert session.study.pairs[0].overlay == overlay.digest


def replaced_pairs(study, *pairs):
    from dataclasses import replace

    return replace(study, pairs=pairs)


def test_columns_that_say_nothing_are_asked_for_and_taken_as_one_edit(ask, imports, session, qtbot):
    before = session.study
    dialog = ask(UNSURE)

    assert isinstance(dialog, ColumnsDialog)
    assert session.study is before
    assert "No head says which column is the work or the rate." in dialog.doubts.text()
    assert not dialog.import_button.isEnabled() or "plotted" in dialog.summary.text()
    for at, figure in enumerate(("kernel", "time", "work", "traffic")):
        choose(dialog.table.kinds[at], figure, qtbot)
    for at, unit in ((1, "µs"), (2, "GFLOP"), (3, "MB")):
        choose(dialog.table.units[at], unit, qtbot)
    qtbot.waitUntil(lambda: dialog.summary.text() == "2 kernels plotted.")
    assert [(one.kernel, one.time, one.work, one.traffic) for one in dialog.model.rows] == [
        ("axpy", "100 µs", "50.0 MFLOP", "200 MB"),
        ("gemm", "2.00 ms", "1.00 TFLOP", "50.0 MB"),
    ]
    finish(imports, qtbot, dialog.import_button)

    (overlay,) = session.study.overlays
    assert [overlay.measurement(at).work_flop for at in (0, 1)] == [0.05e9, 1e12]
    assert (session.undo_stack.count(), session.undo_stack.undoText()) == (1, "Import points.csv")
    session.undo_stack.undo()
    assert session.study == before


def test_the_preview_follows_each_choice_and_says_what_is_missing(ask, qtbot):
    dialog = ask("kernel,time,flop,bytes\naxpy,100,5e7,2e8\nidle,,5e7,2e8\n")

    dialog.check()
    assert dialog.summary.text() == "1 kernel plotted, 1 not plotted (no time)."
    choose(dialog.table.kinds[3], "", qtbot)
    qtbot.waitUntil(lambda: dialog.summary.text().startswith("No kernels plotted"))
    assert "no Q" in dialog.summary.text()
    choose(dialog.table.kinds[3], "time", qtbot)
    qtbot.waitUntil(lambda: dialog.problem.text() == "Time is taken from time and bytes: keep one of them.")
    assert not dialog.import_button.isEnabled()
    choose(dialog.table.kinds[3], "traffic", qtbot)
    qtbot.waitUntil(dialog.import_button.isEnabled)
    assert dialog.problem.isHidden()


def test_a_head_without_a_unit_is_asked_about(ask, imports, session, qtbot):
    dialog = ask(NO_UNIT)

    assert dialog.doubts.text() == "“time” names no unit."
    assert dialog.table.kinds[1].value() == "time"
    choose(dialog.table.units[1], "µs", qtbot)
    finish(imports, qtbot, dialog.import_button)

    assert session.study.overlays[0].measurement(0).time_s == 1e-4


def test_the_pipe_of_all_rows_is_chosen_where_no_column_has_it(ask, imports, session, qtbot):
    dialog = ask(NO_UNIT)

    assert dialog.pipe.value() == "fp32"
    choose(dialog.pipe, "bf16-tensor", qtbot)
    qtbot.waitUntil(lambda: dialog.model.rows[0].pipe == "bf16-tensor")
    finish(imports, qtbot, dialog.import_button)
    assert session.study.overlays[0].measurement(0).work == {"bf16-tensor": 5e7}

    imports.change_columns(session.study.overlays[0].digest)
    assert opened(imports, qtbot).pipe.value() == "bf16-tensor"


def test_a_column_of_pipes_takes_the_place_of_the_one_for_all(ask, qtbot):
    dialog = ask("kernel,time,flop,bytes,how\naxpy,1,2,4,double\n")
    assert not dialog.pipe.isHidden()

    choose(dialog.table.kinds[4], "pipe", qtbot)
    qtbot.waitUntil(dialog.pipe.isHidden)

    assert dialog.model.rows[0].pipe == "fp64"


@pytest.mark.parametrize("how", ["button", "escape"])
def test_cancel_leaves_the_study_as_it_was(ask, imports, session, notices, qtbot, how):
    before = session.placed
    dialog = ask(UNSURE)

    with qtbot.waitSignal(imports.idle):
        if how == "button":
            qtbot.mouseClick(dialog.cancel_button, Qt.MouseButton.LeftButton)
        else:
            qtbot.keyClick(dialog, Qt.Key.Key_Escape)

    assert session.placed is before
    assert session.undo_stack.count() == 0
    assert [one.title for one in notices.notices] == ["Import of points.csv cancelled"]
    assert imports.dialog is None


def test_the_same_heads_mean_the_same_the_next_time(ask, imports, session, notices, qtbot, tmp_path):
    dialog = ask(NO_UNIT)
    choose(dialog.table.units[1], "ns", qtbot)
    finish(imports, qtbot, dialog.import_button)

    (tmp_path / "next.csv").write_text(NO_UNIT.replace("axpy,100", "dot,300"))
    with qtbot.waitSignal(imports.idle, timeout=20_000):
        imports.start([str(tmp_path / "next.csv")])

    assert session.study.overlays[1].measurement(0).time_s == 300e-9
    assert "The columns are those of the last table with these heads." in notices.notices[-1].text


def test_what_is_remembered_and_does_not_serve_is_asked_about(imports, session, qtbot, tmp_path):
    (tmp_path / "t.csv").write_text(NO_UNIT)
    proposal = propose_columns(tmp_path / "t.csv", registry().readers)
    imports.memory.keep(proposal, [StatedColumn("time", "time", "GB")])  # no unit of time
    imports.start([str(tmp_path / "t.csv")])
    dialog = opened(imports, qtbot)

    assert session.study.overlays == ()
    assert "no unit of time" in dialog.problem.text()
    choose(dialog.table.units[1], "µs", qtbot)
    for at, figure in ((0, "kernel"), (2, "work"), (3, "traffic")):
        choose(dialog.table.kinds[at], figure, qtbot)
    qtbot.waitUntil(dialog.import_button.isEnabled)
    finish(imports, qtbot, dialog.import_button)
    assert session.study.overlays[0].measurement(0).time_s == 1e-4


def test_what_was_not_to_be_remembered_is_asked_again(ask, imports, qtbot):
    dialog = ask(NO_UNIT)
    dialog.remember.click()
    finish(imports, qtbot, dialog.import_button)

    assert isinstance(ask(NO_UNIT.replace("100", "7"), "again.csv"), ColumnsDialog)


def test_files_behind_wait_for_the_answer(ask, imports, session, qtbot, tmp_path):
    dialog = ask(UNSURE)
    (tmp_path / "sure.csv").write_text(SURE)
    imports.start([str(tmp_path / "sure.csv")])

    assert session.study.overlays == ()
    finish(imports, qtbot, dialog.cancel_button)

    assert [one.name for one in session.study.overlays] == ["sure.csv"]


def test_a_table_of_shapes_is_offered_to_be_placed_instead(ask, imports, session, qtbot):
    dialog = ask("m,n,k,time_us\n4096,4096,4096,200\n")

    heard = []
    imports.shapesFound.connect(heard.append)
    finish(imports, qtbot, dialog.shapes_button)

    assert [path.endswith("points.csv") for path in heard] == [True]
    assert session.study.overlays == ()
    assert ask(UNSURE, "other.csv").shapes_button.isHidden()


def test_a_table_without_heads_goes_by_numbers(ask, imports, session, qtbot):
    dialog = ask("axpy;100;0,05;200\ngemm;2000;1000,5;50\n")

    assert dialog.proposal.heads == ("column 1", "column 2", "column 3", "column 4")
    assert dialog.remember.isHidden()
    for at, figure in enumerate(("kernel", "time", "work", "traffic")):
        choose(dialog.table.kinds[at], figure, qtbot)
    choose(dialog.table.units[2], "GFLOP", qtbot)
    finish(imports, qtbot, dialog.import_button)

    assert session.study.overlays[0].measurement(1).work_flop == 1000.5e9


def test_every_choice_has_a_name_and_can_be_reached_by_keyboard(ask):
    dialog = ask(UNSURE)

    names = [box.accessibleName() for box in (*dialog.table.kinds.values(), *dialog.table.units.values())]
    assert "What moved holds" in names
    assert "Unit of moved" in names
    assert all(box.focusPolicy() & Qt.FocusPolicy.TabFocus for box in dialog.table.kinds.values())


def test_rows_without_heads_can_be_shapes(ask, imports, qtbot):
    dialog = ask("4096, 4096, 4096, 0.2ms\n8192, 8192, 8192, 1.5ms\n")

    heard = []
    imports.shapesFound.connect(heard.append)
    finish(imports, qtbot, dialog.shapes_button)
    assert len(heard) == 1
