"""Measured kernels and machines in the whole studio: two files, a pair, a diagnosis, ceilings, the editor, what if."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QPushButton

from rooflinestudio.core.profile_edit.places import FigurePlace
from rooflinestudio.core.study_files import load_study
from rooflinestudio.ui.action_table import Key
from rooflinestudio.ui.hardware_editor.table_model import MEASURED
from rooflinestudio.ui.settings import profiles_folder
from tests.ui.shell_helpers import H100

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)

POINTS = "kernel,time [us],work [GFLOP],traffic [MB],pipe\n"
STREAM = """\
BabelStream
Version: 5.0
Implementation: CUDA
Running kernels 100 times
Precision: double
Array size: 268.4 MB (=0.3 GB)
Total size: 805.3 MB (=0.8 GB)
Using CUDA device NVIDIA H100 80GB HBM3
Driver: 12040
Function    MBytes/sec  Min (sec)   Max         Average
Copy        2900000.000 0.00018     0.00019     0.00018
Triad       3000000.000 0.00027     0.00028     0.00027
"""


def trigger(studio, key):
    studio.frame.actions[key].trigger()


def import_files(studio, answers, qtbot, *paths):
    answers.import_paths = list(paths)
    count = len(studio.session.study.overlays)
    trigger(studio, Key.IMPORT)
    qtbot.waitUntil(lambda: len(studio.session.study.overlays) == count + len(paths), timeout=30_000)
    qtbot.waitUntil(lambda: not studio.inside.is_busy, timeout=30_000)


def test_a_measurement_is_paired_diagnosed_compared_and_kept(studio, answers, qtbot, tmp_path):
    session, inside = studio.session, studio.inside
    session.add_operator("gemm", {"m": 4096, "n": 4096, "k": 4096})
    # 137.4 GFLOP and 600 MB: 229 FLOP/byte; the slope of 3.35 TB/s takes 179 µs for 600 MB.
    (tmp_path / "before.csv").write_text(
        POINTS + "gemm_kernel,250,137.4,600,bf16-tensor\ncopy_kernel,100,0.1,300,fp32\n"
    )
    (tmp_path / "after.csv").write_text(
        POINTS + "gemm_kernel,200,137.4,600,bf16-tensor\ncopy_kernel,100,0.1,300,fp32\n"
    )
    import_files(studio, answers, qtbot, tmp_path / "before.csv", tmp_path / "after.csv")
    before, after = session.study.overlays

    inside.pair_wishes.pair_one(before.digest, 0, "gemm-1")
    scene = inside.panels.canvas.view.shown_scene
    assert [one.key for one in scene.segments] == [("measured", before.digest, 0)]

    session.select(("measured", before.digest, 0))
    inside.wiring.show_tab("diagnosis")
    view = inside.panels.diagnosis.view
    qtbot.waitUntil(lambda: view.diagnosis is not None)
    diagnosis = view.diagnosis
    assert diagnosis.placement is not None
    # 250 µs against 600 MB / 3.35 TB/s = 179.1 µs.
    assert diagnosis.standing.headroom == pytest.approx(250 / (600e6 / 3.35e12 * 1e6), rel=1e-3)

    session.change_panel(
        "Compare files",
        "measured",
        {"mode": "files", "series": {"before": before.digest, "after": after.digest}},
    )
    arrows = inside.panels.canvas.view.shown_scene.series
    assert arrows is not None

    answers.save_path = tmp_path / "kept"
    trigger(studio, Key.SAVE)
    qtbot.waitUntil(lambda: not inside.is_busy, timeout=20_000)
    kept = load_study(tmp_path / "kept.study")
    assert [(one.overlay, one.kernel, one.entry) for one in kept.pairs] == [
        (before.digest, "gemm_kernel", "gemm-1")
    ]
    assert kept.panels["measured"]["series"]["before"] == before.digest
    assert len(kept.overlays) == 2


def test_a_benchmark_becomes_a_machine_that_kernels_are_judged_by(studio, answers, qtbot, tmp_path):
    session = studio.session
    (tmp_path / "stream.txt").write_text(STREAM)
    answers.import_paths = [tmp_path / "stream.txt"]
    trigger(studio, Key.CEILINGS_FILE)
    qtbot.waitUntil(lambda: studio.hardware.ceilings.dialog is not None, timeout=30_000)
    dialog = studio.hardware.ceilings.dialog
    qtbot.waitUntil(lambda: dialog.profile is not None, timeout=30_000)
    button = next(
        one
        for one in dialog.findChildren(QPushButton)
        if one.text().startswith("Show as") and one.isEnabled()
    )
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)

    made = session.study.profiles[session.machine]
    assert made.id != H100
    dram = made.boundary("dram")
    assert (dram.bytes_per_s, dram.in_use) == (3.0e12, "measured")
    assert dram.stated.value == pytest.approx(3.35e12)
    assert session.study.view.machines == (H100, made.id)
    session.undo_stack.undo()
    assert session.study.view.machines == (H100,)


def test_an_edited_machine_is_kept_offered_and_used(studio, qtbot):
    session = studio.session
    trigger(studio, Key.EDIT_MACHINES)
    editor = studio.hardware.editing.editor
    qtbot.waitUntil(lambda: editor.document.profile is not None, timeout=30_000)
    qtbot.mouseClick(editor.bar.duplicate_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: editor.document.profile.id != H100)
    place = FigurePlace("ceilings", "bf16-tensor")
    editor.page.go_to(place, MEASURED)
    table = editor.page.table_of(place)
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_F2)
    entry = table.entry()
    assert isinstance(entry, QLineEdit)
    entry.selectAll()
    qtbot.keyClicks(entry, "700 TFLOP/s")
    qtbot.keyClick(entry, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: table.entry() is None)
    qtbot.mouseClick(editor.page.save_button, Qt.MouseButton.LeftButton)

    (path,) = profiles_folder().glob("*.yaml")
    assert "700 TFLOP/s" in path.read_text(encoding="utf-8")
    made = editor.document.profile
    assert made.id in [one.id for one in session.source.profiles]
    with qtbot.waitSignal(session.studyChanged, timeout=20_000):
        studio.inside.panels.machines.addRequested.emit(made.id)
    assert session.study.profiles[made.id].ceilings["bf16-tensor"].observed.value == 700e12
    editor.close()


def test_a_what_if_moves_the_canvas_and_is_taken_back(studio):
    session, inside = studio.session, studio.inside
    session.add_operator("add", {"tokens": 4096, "width": 4096})
    inside.wiring.show_tab("machines")
    view = inside.panels.figures.view
    view.corner.page.button("what_if").click()
    view.factors.shown.click()
    view.factors.factorsRequested.emit({"dram": 2.0}, False)
    rows = {row.machine: row.placement.time_s for row in session.placed.rows_of("add-1")}
    assert rows[f"{H100}-what-if"] == pytest.approx(rows[H100] / 2)
    roofs = {one.machine: one.log_bytes_per_s for one in inside.panels.canvas.view.shown_scene.roofs}
    assert 10 ** (roofs[f"{H100}-what-if"] - roofs[H100]) == pytest.approx(2.0)
    for _ in range(3):
        session.undo_stack.undo()
    assert session.study.view.machines == (H100,)
