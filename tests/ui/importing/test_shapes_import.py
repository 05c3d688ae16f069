"""Shapes of a table on their way to the canvas: proposed, mapped, refused row by row, placed as one edit."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from rooflinestudio.core.study_files import load_study, save_study
from rooflinestudio.ui.importing.shapes_flow import ShapesImport
from rooflinestudio.ui.notices import NoticeArea
from rooflinestudio.ui.session import Session
from tests.ui.shell_helpers import gemm, registry, study

pytestmark = pytest.mark.usefixtures("qapp")

GEMMS = "M,N,K,dtype,time_us\n4096,4096,4096,bf16,300\n8192,4096,1024,bf16,180\n"


@pytest.fixture
def session():
    return Session(registry(), study(gemm()))


@pytest.fixture
def notices(qtbot):
    area = NoticeArea()
    qtbot.addWidget(area)
    return area


@pytest.fixture
def shapes(session, notices):
    shapes = ShapesImport(session, notices, choose=lambda folder: "")
    yield shapes
    if shapes.dialog is not None:
        shapes.dialog.reject()


@pytest.fixture
def open_dialog(shapes, tmp_path):
    def opened(text, name="shapes.csv"):
        (tmp_path / name).write_text(text)
        shapes.start(str(tmp_path / name))
        return shapes.dialog

    return opened


def choose(box, id_, qtbot):
    ids = [one for one, _ in box.options]
    step = Qt.Key.Key_Down if ids.index(id_) > ids.index(box.value()) else Qt.Key.Key_Up
    for _ in range(abs(ids.index(id_) - ids.index(box.value()))):
        qtbot.keyClick(box, step)
    assert box.value() == id_


def place(dialog, qtbot):
    qtbot.mouseClick(dialog.place_button, Qt.MouseButton.LeftButton)


def test_a_table_becomes_placements_and_measurements_as_one_edit(
    open_dialog, shapes, session, qtbot, tmp_path
):
    before = session.study
    dialog = open_dialog(GEMMS)

    assert dialog.operator.value() == "gemm"
    assert dialog.shapes.rows[1].label == "GEMM, m 8192, k 1024"
    assert [(row.dtype, row.time, row.line) for row in dialog.shapes.rows] == [
        ("bf16", "300 µs", 2),
        ("bf16", "180 µs", 3),
    ]
    assert "Measured / bound on H100 SXM5, 2 rows" in dialog.judgement.text()
    with qtbot.waitSignal(shapes.placed) as placed:
        place(dialog, qtbot)

    new = session.study.entries[1:]
    assert placed.args[0] == tuple(one.id for one in new)
    assert [(one.parameters["m"], one.parameters["k"], one.dtypes["all"]) for one in new] == [
        (4096, 4096, "bf16"),
        (8192, 1024, "bf16"),
    ]
    assert {one.group for one in new} == {"shapes"}
    assert all(row.state == "placed" for row in session.placed.rows)
    assert [pair.entry for pair in session.study.pairs] == [one.id for one in new]
    assert session.study.overlays[0].measurement(1).time_s == 180e-6
    assert (session.undo_stack.count(), session.undo_stack.undoText()) == (1, "Place shapes of shapes.csv")
    save_study(session.study, tmp_path / "a.study")
    assert load_study(tmp_path / "a.study").pairs == session.study.pairs
    session.undo_stack.undo()
    assert session.study == before


def test_times_can_be_left_out(open_dialog, session, qtbot):
    dialog = open_dialog(GEMMS)
    dialog.with_times.click()
    place(dialog, qtbot)

    assert len(session.study.entries) == 3
    assert (session.study.overlays, session.study.pairs) == ((), ())


def test_cancel_leaves_the_study_as_it_was(open_dialog, shapes, session, qtbot):
    before = session.placed
    dialog = open_dialog(GEMMS)
    qtbot.mouseClick(dialog.cancel_button, Qt.MouseButton.LeftButton)

    assert session.placed is before
    assert session.undo_stack.count() == 0
    assert shapes.dialog is None


def test_a_refused_cell_is_shown_with_line_column_value_and_mend(open_dialog, session, notices, qtbot):
    dialog = open_dialog("m,n,k\n64,64,64\n64,-2,64\n64,64,2.5\n")

    assert [(one.line, one.column, one.value) for one in dialog.faults.rows] == [
        (3, "'n'", "-2"),
        (4, "'k'", "2.5"),
    ]
    assert dialog.summary.text() == "1 placement of 1 row; 2 cells cannot be used"
    assert dialog.faults.rows[1].text.startswith("must be a whole number")
    place(dialog, qtbot)

    assert len(session.study.entries) == 2
    assert notices.notices[0].tone == "warn"
    assert "2 cells could not be used; the first: line 3" in notices.notices[0].text


def test_columns_and_values_for_all_rows_are_chosen_by_keyboard(open_dialog, session, qtbot):
    dialog = open_dialog("alpha,beta,gamma\n64,128,256\n32,128,256\n")

    choose(dialog.operator, "gemm", qtbot)
    dialog.check()
    assert "m and n and k have no column" in dialog.problem.text()
    assert not dialog.place_button.isEnabled()
    choose(dialog.form.columns["m"], "0", qtbot)
    choose(dialog.form.columns["n"], "1", qtbot)
    qtbot.keyClicks(dialog.form.values["k"], "1024")
    qtbot.keyClicks(dialog.form.values["batch"], "4")
    qtbot.keyClicks(dialog.form.dtypes, "fp16")
    qtbot.waitUntil(dialog.place_button.isEnabled)
    place(dialog, qtbot)

    first, second = session.study.entries[1:]
    assert first.parameters == {"k": 1024, "batch": 4, "m": 64, "n": 128}
    assert first.dtypes == {"all": "fp16"}
    assert second.label == "GEMM, m 32"


def test_a_unit_or_decimal_mark_that_is_open_is_asked_for_in_place(open_dialog, session, qtbot):
    dialog = open_dialog("m;n;k;time\n64;64;64;1,250\n32;32;32;2,500\n")

    assert "may part thousands or decimals" in dialog.problem.text()
    qtbot.mouseClick(dialog.form.mark.button(","), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "Name the unit of time" in dialog.problem.text())
    choose(dialog.form.unit, "ms", qtbot)
    qtbot.waitUntil(dialog.place_button.isEnabled)
    place(dialog, qtbot)

    assert session.study.overlays[0].measurement(0).time_s == 1.25e-3


def test_of_many_shapes_those_that_take_most_time_come_first(open_dialog, session, qtbot):
    rows = "".join(f"{m},64,64,{m}\n" for m in range(1, 1001))
    dialog = open_dialog(f"m,n,k,us\n{rows}")

    assert dialog.pick.value() == "time-40"
    assert dialog.summary.text() == "40 placements of 40 rows"
    choose(dialog.pick, "all", qtbot)
    assert dialog.summary.text() == "1\u202f000 placements of 1\u202f000 rows"
    choose(dialog.pick, "time-40", qtbot)
    place(dialog, qtbot)

    assert sorted(one.parameters["m"] for one in session.study.entries[1:]) == list(range(961, 1001))


def test_a_thousand_shapes_are_one_edit(open_dialog, session, qtbot):
    rows = "".join(f"{m},64,64\n" for m in range(1, 1001))
    dialog = open_dialog(f"m,n,k\n{rows}")
    choose(dialog.pick, "all", qtbot)
    place(dialog, qtbot)

    assert len(session.study.entries) == 1001
    assert session.undo_stack.count() == 1


def test_a_file_that_is_no_table_is_told_and_nothing_opens(shapes, notices, tmp_path):
    (tmp_path / "photo.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(5000))
    shapes.start(str(tmp_path / "photo.png"))

    assert shapes.dialog is None
    assert notices.notices[0].title == "photo.png holds no shapes"


def test_the_file_is_asked_for_and_can_be_changed_for_another(session, notices, qtbot, tmp_path):
    (tmp_path / "one.csv").write_text(GEMMS)
    (tmp_path / "two.csv").write_text("numel,n\n5,6\n")
    answers = [str(tmp_path / "one.csv"), str(tmp_path / "two.csv"), ""]
    shapes = ShapesImport(session, notices, choose=lambda folder: answers.pop(0))
    shapes.start()
    first = shapes.dialog
    qtbot.mouseClick(first.file_button, Qt.MouseButton.LeftButton)

    second = shapes.dialog
    assert second is not first
    assert second.form._sheet.name == "two.csv"
    second.reject()
    shapes.start()  # the third answer is a cancel
    assert shapes.dialog is None


def test_every_entry_has_a_name(open_dialog):
    form = open_dialog(GEMMS).form
    parts = [
        *form.columns.values(),
        *form.values.values(),
        form.dtype,
        form.dtypes,
        form.time,
        form.unit,
        form.mark,
    ]

    assert all(one.accessibleName() for one in parts)
