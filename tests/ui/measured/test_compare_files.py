"""Two files imported into a session: joined on the canvas, held against each other in the tab, kept in the file."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QSignalSpy

from rooflinestudio.core.measured.panel import hidden_kernels, measured_panel
from rooflinestudio.core.series.settings import COLUMN_IDS
from rooflinestudio.core.study_files import load_study, save_study
from rooflinestudio.ui.canvas_pane import CanvasPane
from rooflinestudio.ui.measured.view import MeasuredView
from rooflinestudio.ui.notices import NoticeArea
from rooflinestudio.ui.overlay_import import OverlayImport
from rooflinestudio.ui.session import Session
from rooflinestudio.ui.theme import LIGHT
from rooflinestudio.ui.widgets.cells import CELL
from tests.ui.shell_helpers import gemm, registry, study

HEAD = (
    "ID", "Process ID", "Process Name", "Host Name", "Kernel Name", "Context", "Stream", "Block Size", "Grid Size",
    "Device", "CC", "Section Name", "Metric Name", "Metric Unit", "Metric Value",
)  # fmt: skip
AXPY, SCALE = "axpy_kernel(int, float, float *, float *)", "scale_kernel(int, float *)"


def table(*kernels):
    """A long table of the profiler; kernels as (name, nanoseconds, bytes, fused multiply-adds)."""
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL)
    writer.writerow(HEAD)
    for launch, (name, time_ns, traffic, work) in enumerate(kernels):
        for metric, unit, value in (
            ("dram__bytes_read.sum", "byte", traffic),
            ("dram__bytes_write.sum", "byte", 0),
            ("gpu__time_duration.sum", "nsecond", time_ns),
            ("smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", "inst", 0),
            ("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", "inst", work),
            ("smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", "inst", 0),
        ):
            row = (
                launch,
                1,
                "app",
                "h",
                name,
                1,
                7,
                "(256, 1, 1)",
                "(4096, 1, 1)",
                0,
                "9.0",
                "s",
                metric,
                unit,
                value,
            )
            writer.writerow(row)
    return out.getvalue()


BEFORE = table(
    (AXPY, 6000, 16_000_000, 2_000_000), (SCALE, 3000, 8_000_000, 1_000_000), ("old()", 1000, 1000, 1000)
)
AFTER = table((AXPY, 2500, 8_000_000, 2_000_000), (SCALE, 3600, 8_000_000, 1_000_000))
# axpy: 6 µs to 2.5 µs is 2.40× faster with half the bytes; scale: 3 µs to 3.6 µs is 1.20× slower.


@pytest.fixture(scope="module")
def imported(qapp, tmp_path_factory):
    """The study after both files were imported as the window does it: in another process."""
    session, notices = Session(registry(), study(gemm())), NoticeArea()
    imports = OverlayImport(session, notices)
    folder = tmp_path_factory.mktemp("files")
    for name, text in (("base.csv", BEFORE), ("tuned.csv", AFTER)):
        (folder / name).write_text(text)
    done = QSignalSpy(imports.idle)
    imports.start([str(folder / "base.csv"), str(folder / "tuned.csv")])
    assert done.wait(20_000)
    assert [one.name for one in session.study.overlays] == ["base.csv", "tuned.csv"]
    return session.study


@pytest.fixture
def session(imported):
    return Session(registry(), imported)


@pytest.fixture
def view(qtbot, session):
    made = MeasuredView()
    qtbot.addWidget(made)
    wire(made, session)
    made.resize(1400, 300)
    made.show()
    qtbot.waitExposed(made)
    return made


@pytest.fixture
def canvas(qtbot, session):
    made = CanvasPane(LIGHT)
    qtbot.addWidget(made)
    made.resize(1000, 600)
    session.studyChanged.connect(lambda _: made.set_placed(session.placed))
    session.selectionChanged.connect(made.set_selection)
    made.selectRequested.connect(session.select)
    made.set_placed(session.placed)
    made.show()
    qtbot.waitExposed(made)
    return made


def wire(view, session):
    session.studyChanged.connect(lambda _: view.set_placed(session.placed))
    session.selectionChanged.connect(view.set_selection)
    view.selectRequested.connect(session.select)
    view.panelRequested.connect(
        lambda text, panel, changes, dragging: session.change_panel(text, panel, changes, dragging=dragging)
    )
    view.set_placed(session.placed)


def compare(view, qtbot):
    qtbot.mouseClick(view.corner.modes.button("files"), Qt.MouseButton.LeftButton)
    assert view.is_comparing


def column(view, name):
    model = view.files.model
    at = COLUMN_IDS.index(name)
    return [model.index(row, at).data() for row in range(model.rowCount())]


def arrows(canvas):
    scene = canvas.view.shown_scene
    return {one.name: one.label for one in scene.series.top} if scene.series is not None else {}


def digests(session):
    return [one.digest for one in session.study.overlays]


# On the canvas


def test_matching_kernels_are_joined_by_arrows_with_the_ratio_of_their_times(canvas, session):
    assert arrows(canvas) == {"axpy_kernel": "2.40× faster", "scale_kernel": "1.20× slower"}
    (axpy, _) = canvas.view.shown_scene.series.top  # the one with the most time comes first
    base, tuned = digests(session)
    assert axpy.base == ("measured", base, 0) and axpy.key == ("measured", tuned, 0)
    assert 10 ** (axpy.end[0] - axpy.start[0]) == pytest.approx(2.0)  # half the bytes
    assert 10 ** (axpy.end[1] - axpy.start[1]) == pytest.approx(2.4)
    assert axpy.tip[0] == AXPY and "Q ÷2.00 at HBM3: 16.0 MB to 8.00 MB" in axpy.tip


def test_files_have_a_diamond_of_their_own_and_a_line_in_the_key(canvas, session):
    base, tuned = digests(session)
    forms = {one.key[1]: (one.form, one.slot) for one in canvas.view.shown_scene.markers if one.kernel}
    assert forms[base] == (1, None) and forms[tuned][0] == 0 and forms[tuned][1] is not None
    words = [one.words for one in canvas.view.shown_scene.files]
    # 10 µs before, 6.1 µs after
    assert words == ["before: base.csv", "after: tuned.csv", "Σt 10.0 µs to 6.10 µs: 1.64× faster"]


def test_hovering_a_kernel_tells_its_full_name_its_file_and_what_became_of_it(canvas):
    from rooflinestudio.ui.canvas.hits import hit_at

    picture = canvas.view.picture
    marker = next(one for one in picture.scene.markers if one.name == "axpy_kernel" and one.form == 0)
    hit = hit_at(picture, *picture.frame.point(marker.log_x, marker.log_y))
    assert hit.tip[0] == AXPY
    assert hit.tip[-1] == "after: tuned.csv, after is 2.40× faster"


def test_an_arrow_stands_for_its_kernel(canvas, session, qtbot):
    from rooflinestudio.ui.canvas.paint_series import series_run

    picture = canvas.view.picture
    (axpy, _) = picture.scene.series.top
    run = series_run(picture.scene, picture.frame, axpy)
    x, y = run[len(run) // 2]
    qtbot.mouseClick(canvas.view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(round(x), round(y)))
    qtbot.waitUntil(lambda: session.selection == axpy.key)


def test_axes_stay_where_they_are_whichever_file_is_shown(canvas, session, view):
    start = canvas.view.shown_range
    view.files.request_swap()
    for digest in digests(session):
        view._showing.show_file(digest, False)
        assert canvas.view.shown_range == start
    assert not [one for one in canvas.view.shown_scene.markers if one.kernel]


def test_the_canvas_menu_of_a_kernel_copies_its_full_name(canvas, session):
    menu = canvas.kernel_menu((digests(session)[0], 0))
    QGuiApplication.clipboard().clear()
    next(one for one in menu.actions() if one.text() == "Copy full name").trigger()
    assert QGuiApplication.clipboard().text() == AXPY


# In the tab


def test_compared_files_stand_side_by_side_with_their_ratio(view, qtbot, session):
    compare(view, qtbot)
    assert column(view, "kernel") == [AXPY, SCALE, "old()"]
    assert column(view, "time_before") == ["6.000 µs", "3.000 µs", "1.000 µs"]
    assert column(view, "time_after") == ["2.500 µs", "3.600 µs", "–"]
    assert column(view, "time_ratio") == ["2.40× faster", "1.20× slower", "–"]
    assert column(view, "traffic_ratio")[:2] == ["÷2.00", "same"]
    assert column(view, "change") == ["matched", "matched", "gone"]
    assert view.files.counts.text() == "2 matched · 1 gone"
    assert view.files.words.text() == "Σt 10.0 µs to 6.10 µs: 1.64× faster"
    tokens = [
        view.files.model.index(row, COLUMN_IDS.index("time_ratio")).data(CELL).token for row in range(3)
    ]
    assert tokens == ["ok", "error", "muted"]
    assert measured_panel(session.study).compares
    qtbot.mouseClick(view.corner.modes.button("list"), Qt.MouseButton.LeftButton)
    assert not view.is_comparing and view.model.rowCount() == 5


def test_a_head_sorts_one_way_the_other_way_and_no_more(view, qtbot):
    compare(view, qtbot)
    head = view.files.table.horizontalHeader()
    at = QPoint(head.sectionViewportPosition(COLUMN_IDS.index("saved")) + 10, 10)
    seen = []
    for _ in range(3):
        qtbot.mouseClick(head.viewport(), Qt.MouseButton.LeftButton, pos=at)
        seen.append([one.partition("(")[0] for one in column(view, "kernel")])
    # saved: 3.5 µs, −0.6 µs, 1 µs
    assert seen[0] == ["axpy_kernel", "old", "scale_kernel"]
    assert seen[1] == ["scale_kernel", "old", "axpy_kernel"]
    assert seen[2] == ["axpy_kernel", "scale_kernel", "old"]


def test_swapping_turns_every_ratio_round_and_can_be_undone(view, qtbot, session, canvas):
    compare(view, qtbot)
    qtbot.mouseClick(view.files.swap, Qt.MouseButton.LeftButton)
    assert column(view, "time_ratio")[:2] == ["2.40× slower", "1.20× faster"]
    assert arrows(canvas) == {"axpy_kernel": "2.40× slower", "scale_kernel": "1.20× faster"}
    assert view.files.before.value() == digests(session)[1]
    session.undo_stack.undo()
    assert column(view, "time_ratio")[:2] == ["2.40× faster", "1.20× slower"]


def test_choosing_the_other_sides_file_swaps_them(view, qtbot, session):
    compare(view, qtbot)
    base, tuned = digests(session)
    view.files.before.chosen.emit(tuned)
    series = measured_panel(session.study).series
    assert (series.before, series.after) == (tuned, base)


def test_a_row_selects_its_kernel_and_a_kernel_its_row(view, qtbot, session):
    compare(view, qtbot)
    rect = view.files.table.visualRect(view.files.model.index(1, 0))
    qtbot.mouseClick(view.files.table.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())
    assert session.selection == ("measured", digests(session)[1], 1)
    session.select(("measured", digests(session)[0], 0))
    assert view.files.table.chosen_rows() == [0]
    session.select(None)
    assert view.files.table.chosen_rows() == []


def test_hiding_a_row_hides_the_kernel_of_both_files(view, qtbot, session, canvas):
    compare(view, qtbot)
    view.files.table.setFocus()
    view.files.table.choose_row(0)
    view.menu.hide_action.trigger()
    panel = measured_panel(session.study)
    assert [hidden_kernels(panel, one).tolist() for one in session.study.overlays] == [
        [True, False, False],
        [True, False],
    ]
    assert arrows(canvas) == {"scale_kernel": "1.20× slower"}
    assert column(view, "kernel") == [SCALE, "old()"]


def test_hiding_one_file_takes_its_kernels_and_the_arrows_away(view, session, canvas):
    action = next(one for one in view.corner.display.file_actions if one.text() == "Show base.csv")
    assert action.isChecked()
    action.trigger()
    shown = {one.key[1] for one in canvas.view.shown_scene.markers if one.kernel}
    assert shown == {digests(session)[1]}
    assert arrows(canvas) == {}
    again = next(one for one in view.corner.display.file_actions if one.text() == "Show base.csv")
    assert not again.isChecked()
    again.trigger()
    assert len(arrows(canvas)) == 2


def test_the_comparison_is_kept_in_the_study_file(view, qtbot, session, tmp_path):
    compare(view, qtbot)
    view.files.request_swap()
    view.corner.display.area.trigger()
    save_study(session.study, tmp_path / "kept.yaml")
    again = load_study(tmp_path / "kept.yaml")
    panel = measured_panel(again)
    base, tuned = (one.digest for one in again.overlays)
    assert (panel.series.before, panel.series.after) == (tuned, base)
    assert panel.compares and panel.area

    other = MeasuredView()
    qtbot.addWidget(other)
    reopened = Session(registry(), again)
    wire(other, reopened)
    other.resize(1400, 300)
    other.show()
    assert other.is_comparing and column(other, "time_ratio")[:2] == ["2.40× slower", "1.20× faster"]


def test_rows_are_copied_as_they_stand(view, qtbot):
    compare(view, qtbot)
    view.copy_selected()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0].split("\t")[5] == "Time" and lines[1].split("\t")[0] == AXPY
    assert lines[1].split("\t")[5] == "2.40× faster" and len(lines) == 4


def test_the_filter_holds_for_compared_files(view, qtbot):
    compare(view, qtbot)
    qtbot.keyClicks(view.corner.filter, "scale")
    view.corner.filter.flush()
    assert column(view, "kernel") == [SCALE]
    assert view.corner.groups.isHidden()


def test_with_one_file_there_is_nothing_to_compare(qtbot, session, view):
    compare(view, qtbot)
    one = session.study.overlays[:1]
    session.edit("Remove tuned.csv", replace(session.study, overlays=one))
    assert not view.is_comparing and view.model.rowCount() == 3
    assert view.corner.modes.isHidden() and not view.corner.display.comparing.isVisible()


def test_arrows_can_be_switched_off(view, canvas, session):
    view.corner.display.arrows.trigger()
    assert canvas.view.shown_scene.series is None
    assert session.undo_stack.undoText() == "Hide arrows between files"
    view.corner.display.arrows.trigger()
    assert len(arrows(canvas)) == 2


# Areas and boundaries


def test_areas_are_shares_of_the_time_of_the_file(view, canvas, session):
    view.corner.display.area.trigger()
    scene = canvas.view.shown_scene
    base = {one.name: one.radius for one in scene.markers if one.kernel and one.key[1] == digests(session)[0]}
    # 6, 3 and 1 of 10 µs: areas as 6 to 1 where neither is at its limit
    assert (base["scale_kernel"] / base["old"]) ** 2 == pytest.approx(3.0, rel=1e-3)
    assert scene.area_key == "of the time of its file"
    view.corner.display.area.trigger()
    assert all(one.radius is None for one in canvas.view.shown_scene.markers)
    assert canvas.view.shown_scene.area_key == ""


def test_a_narrow_window_keeps_everything_in_the_menu(view, session):
    view.set_compact(True)
    assert view.corner.modes.isHidden() and view.corner.display_button.isHidden()
    assert view.corner.display.menuAction() in view.menu.actions()
    view.corner.display.comparing.trigger()
    assert view.is_comparing and measured_panel(session.study).compares
    view.corner.display.comparing.trigger()
    assert not view.is_comparing


def test_points_at_every_boundary_are_switched_in_the_same_menu(view, session):
    view.corner.display.every.trigger()
    assert measured_panel(session.study).every_boundary
    view.corner.display.in_view.trigger()
    assert not measured_panel(session.study).every_boundary


def test_the_table_marks_what_was_before_with_an_open_diamond_like_the_canvas(view, session):
    shapes = {}
    for row in range(view.model.rowCount()):
        shapes.setdefault(view.model.index(row, 1).data(), set()).add(
            view.model.index(row, 0).data(CELL).shape
        )
    assert shapes == {"base.csv": {"open-diamond"}, "tuned.csv": {"diamond"}}
