"""An engineer's first hour, through the real application: place, change, compare, undo, save, reopen, import, export.

Each step acts on a widget and asserts what lasts: the study, the file, the row.
"""

from __future__ import annotations

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QTreeView

from rooflinestudio.core.study import Entry, PluginRef
from rooflinestudio.core.study_files import load_study, save_study
from rooflinestudio.ui.action_table import Key
from tests.ui.shell_helpers import NCU_LONG, gemm, study

PEAK, HBM = 989.4e12, 3.35e12


def drop(view, mime: QMimeData) -> bool:
    viewport, at = view.viewport(), view.viewport().rect().center()
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    for kind in (QDragEnterEvent, QDragMoveEvent):
        event = kind(at, Qt.DropAction.CopyAction, mime, left, none)
        QApplication.sendEvent(viewport, event)
        if not event.isAccepted():
            return False
    event = QDropEvent(QPointF(at), Qt.DropAction.CopyAction, mime, left, none)
    QApplication.sendEvent(viewport, event)
    return event.isAccepted()


def operator_mime(studio, operator: str) -> QMimeData:
    """Return what the palette itself puts into a drag of this operator."""
    tree = studio.inside.panels.palette.findChild(QTreeView)
    model = tree.model()
    label = studio.host.registry.operator(operator).label
    (index,) = model.match(
        model.index(0, 0), Qt.ItemDataRole.DisplayRole, label, 1,
        Qt.MatchFlag.MatchExactly | Qt.MatchFlag.MatchRecursive,
    )  # fmt: skip
    return model.mimeData([index])


def file_mime(*paths: object) -> QMimeData:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return mime


def field(studio, name: str) -> QLineEdit:
    return next(
        one
        for one in studio.inside.panels.inspector.findChildren(QLineEdit)
        if one.objectName() == f"param.{name}"
    )


def type_into(edit: QLineEdit, text: str) -> None:
    edit.setFocus()
    edit.selectAll()
    QTest.keyClicks(edit, text)
    QTest.keyClick(edit, Qt.Key.Key_Return)


def placement(studio, at: int = 0):
    return studio.session.placed.rows[at].placement


def test_drag_change_and_undo_move_point_row_and_study_together(start) -> None:
    studio = start()
    empty = studio.session.study
    mime = operator_mime(studio, "gemm")  # kept: Qt does not own it
    assert drop(studio.inside.panels.canvas.view, mime)

    (entry,) = studio.session.study.entries
    assert entry.operator == "gemm" and studio.session.selection == entry.id
    assert placement(studio).time_s == pytest.approx(2 * 4096**3 / PEAK)
    placed_study = studio.session.study
    type_into(field(studio, "m"), "8")

    # 8 × 4096 × 4096 in bf16, modelled: tiles of 128 read A 32 times, B once; 15 % of the re-reads reach HBM
    a, b, c = 2 * 8 * 4096, 2 * 4096 * 4096, 2 * 8 * 4096
    traffic = a + b + c + 0.15 * (a * 31)
    assert placement(studio).traffic_bytes == pytest.approx(traffic)
    assert placement(studio).time_s == pytest.approx(traffic / HBM)
    assert placement(studio).bound == "memory"
    view = studio.inside.panels.canvas.view
    marker = next(one for one in view.shown_scene.markers if one.key == entry.id)
    assert 10**marker.log_x == pytest.approx(2 * 8 * 4096 * 4096 / traffic)
    table = studio.inside.panels.comparison.table.model()
    assert any(
        "memory at HBM3" in str(table.index(0, column).data()) for column in range(table.columnCount())
    )
    changed = studio.session.study

    studio.session.undo_stack.undo()
    assert studio.session.study == placed_study and field(studio, "m").text() == "4096"
    studio.session.undo_stack.undo()
    assert studio.session.study == empty and not studio.session.placed.rows
    studio.session.undo_stack.redo(), studio.session.undo_stack.redo()
    assert studio.session.study == changed


def test_save_reopen_and_go_on(start, tmp_path) -> None:
    studio = start()
    studio.session.add_operator("softmax")
    path = tmp_path / "mine.study"
    studio.inside.asker.save_path = path
    studio.inside.files.save()
    studio.inside.files.wait(20_000)
    assert load_study(path).entries == studio.session.study.entries
    assert not studio.session.is_modified

    again = start(files=(str(path),))
    assert again.session.study.entries == studio.session.study.entries
    assert again.session.path == str(path)
    assert placement(again).time_s == placement(studio).time_s


def test_a_measured_file_dropped_on_the_window_becomes_points_and_one_undoable_edit(
    start, tmp_path, qtbot
) -> None:
    studio = start()
    before = studio.session.study
    (tmp_path / "run.csv").write_text(NCU_LONG)
    mime = file_mime(tmp_path / "run.csv")
    assert drop(studio.inside.panels.canvas.view, mime)
    qtbot.waitUntil(lambda: len(studio.session.study.overlays) == 1, timeout=60_000)

    (overlay,) = studio.session.study.overlays
    measured = overlay.measurement(0)
    assert (measured.work_flop, measured.dram_bytes, measured.time_s) == (
        2_097_152,
        12_582_912,
        pytest.approx(6e-6),
    )
    model = studio.inside.panels.measured.table.model()
    shown = [str(model.index(0, column).data()) for column in range(model.columnCount())]
    assert any("saxpy" in text for text in shown) and any(
        "12.58 MB" in text or "12.6 MB" in text for text in shown
    )
    studio.session.undo_stack.undo()
    assert studio.session.study == before


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("no_table.csv", b"hello\nthis is no table\n"),
        ("dropped.csv", bytes(range(256)) * 64),
        ("cut.study", b"format: rooflinestudio-study/1\nentries:\n  - {id: a, opera"),
        ("empty.csv", b""),
    ],
)
def test_bad_files_are_told_of_and_leave_the_study_as_it_was(start, tmp_path, qtbot, name, content) -> None:
    studio = start()
    studio.session.add_operator("add")
    before = studio.session.study
    studio.session.mark_saved("")
    (tmp_path / name).write_bytes(content)
    mime = file_mime(tmp_path / name)
    drop(studio.inside.panels.canvas.view, mime)
    qtbot.waitUntil(
        lambda: name in " ".join(one.full_text for one in studio.inside.notices.notices), timeout=60_000
    )
    qtbot.waitUntil(lambda: not studio.inside.is_busy, timeout=60_000)
    assert studio.session.study == before


def test_an_entry_of_a_missing_plugin_stays_and_is_saved_back_unchanged(start, tmp_path) -> None:
    gone = Entry(
        "x", "acme.flash_mla", PluginRef("acme-kernels", "0.3"), {"heads": 7, "mode": "odd"}, label="Flash MLA",
        unknown={"acme_extra": [1, 2]},
    )  # fmt: skip
    path = tmp_path / "theirs.study"
    save_study(study(gone, gemm()), path)
    studio = start(files=(str(path),))
    row = studio.session.placed.rows[0]
    assert row.state == "unavailable" and "acme-kernels" in row.reason
    assert studio.session.placed.rows[1].state == "placed"
    studio.session.change_entry("gemm-1", "Rename", label="Mine")
    studio.inside.files.save()
    studio.inside.files.wait(20_000)
    assert load_study(path).entry("x") == gone


def test_the_picture_is_written_from_the_window(start, tmp_path, qtbot) -> None:
    studio = start(example="")
    studio.inside.asker.export_path = tmp_path / "roof.png"
    studio.inside.commands.run(f"action:{Key.EXPORT_PICTURE}")
    qtbot.waitUntil(lambda: not studio.inside.is_busy and (tmp_path / "roof.png").exists(), timeout=60_000)
    assert (tmp_path / "roof.png").read_bytes().startswith(b"\x89PNG")


def test_a_slider_drag_is_one_undo_step(start) -> None:
    studio = start()
    studio.session.add_operator("gemm")
    before = studio.session.study
    slider = next(
        one for one in studio.inside.panels.inspector.findChildren(object) if one.objectName() == "slider.m"
    )
    at = slider.rect().center()
    QTest.mousePress(slider, Qt.MouseButton.LeftButton, pos=QPoint(at.x(), at.y()))
    for step in range(1, 12):
        QTest.mouseMove(slider, QPoint(at.x() - 3 * step, at.y()))
    QTest.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=QPoint(at.x() - 33, at.y()))
    assert studio.session.study.entries[0].parameters["m"] != 4096
    studio.session.undo_stack.undo()
    assert studio.session.study == before


AXPY = {
    "format": "rooflinestudio-kernel/1",
    "id": "my.axpy",
    "label": "My axpy",
    "parameters": [{"name": "n", "label": "elements", "default": 1000000000}],
    "dtypes": {"activation": "fp32"},
    "work": {"fp32": "2 * n"},
    "traffic": {"dram": {"read_bytes": "2 * n * bytes(activation)", "write_bytes": "n * bytes(activation)"}},
}


def test_a_kernel_without_code_goes_into_the_study_and_opens_elsewhere(start, tmp_path) -> None:
    studio = start()
    before = studio.session.study
    studio.inside.commands.run(f"action:{Key.NEW_KERNEL}")
    (dialog,) = studio.window.findChildren(QDialog, "custom_kernel_dialog")
    dialog.set_document(AXPY)
    dialog.check()
    assert not dialog.faults
    dialog.use_button.click()
    assert "my.axpy" in studio.session.study.kernels
    # three times 4 bytes per element cross HBM
    assert placement(studio).time_s == pytest.approx(12e9 / HBM) and placement(studio).work_flop == 2e9
    assert any(one.id == "my.axpy" for one in studio.inside.wiring.operators)
    studio.inside.asker.save_path = tmp_path / "mine.study"
    studio.inside.files.save()
    studio.inside.files.wait(20_000)

    again = start(files=(str(tmp_path / "mine.study"),))
    assert again.session.placed.rows[0].state == "placed"
    assert placement(again).time_s == placement(studio).time_s
    studio.session.undo_stack.undo()
    assert studio.session.study == before
