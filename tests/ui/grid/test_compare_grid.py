from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QImage, QWheelEvent
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication

from rooflinestudio.core.grid.cells import CellKey
from rooflinestudio.core.study import Chain, Entry, Study
from rooflinestudio.ui.comparison.view import ComparisonView
from rooflinestudio.ui.grid.layout import grid_layout
from rooflinestudio.ui.session import Session
from rooflinestudio.ui.theme import DARK, LIGHT, apply_theme
from tests.ui.widgets.studies import A100, H100, example, placed, registry

GRID = {"shown": "multiples"}
TWO = {**GRID, "boundaries": ["l2", "dram"], "dtypes": ["bf16", "fp8"]}


class Desk:
    """A compare view with a session behind it, wired as the window does it."""

    def __init__(self, qtbot, study):
        self.session = Session(registry(), study)
        self.view = ComparisonView()
        qtbot.addWidget(self.view)
        view, session = self.view, self.session
        view.set_source(session.source)
        view.set_machine(session.machine)
        view.resize(1004, 300)
        view.show()
        qtbot.waitExposed(view)
        view.set_placed(session.placed)
        session.studyChanged.connect(view.set_placed)
        session.selectionChanged.connect(view.set_selection)
        session.machineChanged.connect(view.set_machine)
        view.selectRequested.connect(session.select)
        view.machineRequested.connect(session.select_machine)
        view.panelRequested.connect(self._change_panel)
        view.variantRequested.connect(self._place)
        self.chains, self.words = [], []
        view.chainVariantRequested.connect(lambda *what: self.chains.append(what))

    def _change_panel(self, text, panel, changes, dragging):
        self.words.append(text)
        self.session.change_panel(text, panel, changes, dragging=dragging)

    def _place(self, entry, words):
        study = self.session.study
        self.session.edit(words, study.adding(replace(entry, id=study.next_id(entry.operator))))

    @property
    def panel(self):
        return self.session.study.panels.get("grid", {})

    @property
    def grid(self):
        return self.view.grid


@pytest.fixture
def desk_of(qtbot):
    def made(panel=GRID, *, machines=(H100,), selected="gemm-1", study=None):
        study = (study or example(machines=machines)).with_panel("grid", panel)
        desk = Desk(qtbot, study)
        desk.session.select(selected)
        return desk

    return made


def key(boundary, dtype="bf16", fusion="drawn", machine=H100):
    return CellKey(boundary, dtype, fusion, machine)


def click(desk, qtbot, cell_key):
    at = desk.grid.multiples.place_of(cell_key).toPoint()
    qtbot.mouseClick(desk.grid.multiples.viewport(), Qt.MouseButton.LeftButton, pos=at)


def multiple(desk, cell_key):
    return next(
        one for line in desk.grid.multiples.scene.multiples for one in line if one.cell.key == cell_key
    )


def tick(menu, value):
    """Click a value of a menu, as a user does."""
    next(one for one in menu.actions() if one.data() == value).trigger()


# Modes


def test_the_corner_switches_between_table_grid_and_boundaries(desk_of, qtbot):
    desk = desk_of({})
    assert desk.view.table.isVisible()
    qtbot.mouseClick(desk.view.modes.button("multiples"), Qt.MouseButton.LeftButton)
    assert desk.panel == {"shown": "multiples"} and desk.grid.multiples.isVisible()
    assert not desk.view.variants_of.isVisible()
    qtbot.mouseClick(desk.view.modes.button("boundaries"), Qt.MouseButton.LeftButton)
    assert desk.panel == {"shown": "boundaries"} and desk.view.boundaries.isVisible()
    desk.session.undo_stack.undo()
    assert desk.grid.multiples.isVisible() and desk.view.modes.value() == "multiples"
    qtbot.mouseClick(desk.view.modes.button("table"), Qt.MouseButton.LeftButton)
    assert desk.view.table.isVisible() and desk.view.variants_of.isVisible()


def test_a_narrow_window_has_the_modes_as_a_drop_down(desk_of):
    desk = desk_of()
    desk.view.set_compact(True)
    assert not desk.view.modes.isVisible()
    assert desk.view.corner.mode_choice.isVisible() and desk.view.corner.mode_choice.value() == "multiples"


def test_an_empty_study_says_so_in_each_mode(desk_of):
    desk = desk_of(study=Study(), selected=None)
    assert desk.view._empty.isVisible()


def test_while_hidden_nothing_is_placed(qtbot):
    view = ComparisonView()
    qtbot.addWidget(view)
    view.set_source(registry())
    view.set_placed(placed(example().with_panel("grid", GRID)))
    assert view.grid is None
    view.show()
    qtbot.waitExposed(view)
    assert view.grid.grid is not None


# Pictures


def test_a_picture_says_bound_time_ratio_and_fraction(desk_of):
    one = multiple(desk_of(TWO), key("l2"))
    assert (one.bound, one.bound_words[0]) == ("memory", "memory at L2")
    assert (one.time, one.ratio, one.tone, one.reached) == ("242 µs", "1.74× slower", "error", "57%")


def test_the_baseline_is_called_so_and_fp8_is_faster(desk_of):
    desk = desk_of(TWO)
    assert multiple(desk, key("dram")).ratio == "baseline"
    fp8 = multiple(desk, key("dram", "fp8"))
    assert (fp8.ratio, fp8.tone) == ("2.00× faster", "ok")


def test_a_marker_is_hollow_where_the_data_does_not_cross(desk_of):
    desk = desk_of({**GRID, "boundaries": ["dram", "nvlink"], "dtypes": ["bf16"]})
    assert multiple(desk, key("dram")).crossed and not multiple(desk, key("nvlink")).crossed
    assert multiple(desk, key("nvlink")).drawing.marker.style == "hollow"


def test_a_format_that_a_machine_lacks_leaves_an_empty_picture_with_the_reason(desk_of):
    desk = desk_of(TWO, machines=(H100, A100))
    refused = multiple(desk, key("dram", "fp8", machine=A100))
    assert refused.roof is None and refused.drawing.marker is None
    assert refused.refusal == "A100 SXM4 80 GB has no fp8 tensor pipe and no vector fp8 rate."


def test_the_corridor_is_there_where_the_policy_counts(desk_of):
    desk = desk_of(TWO)
    corridor = multiple(desk, key("dram")).drawing.corridor
    # 137.4 GFLOP over 2 181 MB and over 100.7 MB
    assert 10**corridor.log_tiled == pytest.approx(63.0, rel=1e-3)
    assert 10**corridor.log_compulsory == pytest.approx(1365, rel=1e-3)
    assert multiple(desk, key("l2")).drawing.corridor is None


def test_work_without_flops_stands_in_a_strip(desk_of):
    desk = desk_of(TWO, selected="cast-1")
    flat = [one for line in desk.grid.multiples.scene.multiples for one in line]
    assert desk.grid.multiples.scene.has_strip
    assert {one.side for one in flat} == {"left"}
    # 3.35 TB/s at HBM and 9 TB/s at L2, which it fills
    assert {one.cell.key.boundary: one.reached for one in flat} == {"l2": "9.00 TB/s", "dram": "3.35 TB/s"}


def test_heads_and_stubs_name_what_varies(desk_of):
    scene = desk_of(TWO, machines=(H100, A100)).grid.multiples.scene
    assert [head.split(" / ")[0] for head in scene.heads] == ["L2", "HBM3"]
    assert scene.stubs == (
        ("H100 SXM5", "bf16"), ("H100 SXM5", "fp8"), ("A100 SXM4", "bf16"), ("A100 SXM4", "fp8"),
    )  # fmt: skip


def test_an_unrelated_edit_keeps_the_pictures(desk_of):
    desk = desk_of(TWO)
    before = desk.grid.multiples.scene
    study = desk.session.study
    desk.session.edit("m", study.replacing(replace(study.entry("gemm-2"), parameters={"m": 7})))
    assert desk.grid.multiples.scene is before
    desk.session.edit("m", study.replacing(replace(study.entry("gemm-1"), parameters={"m": 7})))
    assert desk.grid.multiples.scene is not before


def test_the_grid_follows_the_selection_until_an_entry_is_named(desk_of):
    desk = desk_of(TWO)
    desk.session.select("attention-1")
    assert desk.grid.grid.entry.id == "attention-1"
    entry = desk.grid.choosers.entry
    entry.activated.emit(entry.findData("gemm-1"))
    assert desk.panel["entry"] == "gemm-1" and desk.grid.grid.entry.id == "gemm-1"
    desk.session.select("adam-1")
    assert desk.grid.grid.entry.id == "gemm-1"
    entry.activated.emit(0)
    assert "entry" not in desk.panel and desk.grid.grid.entry.id == "adam-1"


# Axes


def wheel(widget, at, steps, modifiers):
    point = QPointF(at)
    event = QWheelEvent(
        point, QPointF(widget.viewport().mapToGlobal(at)), QPoint(), QPoint(0, 120 * steps),
        Qt.MouseButton.NoButton, modifiers, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(widget.viewport(), event)


def in_plot(desk, cell_key):
    view = desk.grid.multiples
    centre = view.place_of(cell_key)
    return QPoint(round(centre.x()), round(centre.y() + 24))


def test_all_pictures_have_the_axes_of_the_machines(desk_of):
    desk = desk_of(TWO, machines=(H100, A100))
    view = desk.grid.multiples
    # 0.1 to 10 000 FLOP/byte, from 100 GFLOP/s to above fp8 of the first machine
    assert view.shown_range[:3] == (-1.0, 4.0, 11.0)
    assert view.shown_range.y1 > 15.3


def test_a_slow_boundary_widens_the_axes_of_all(desk_of):
    desk = desk_of({**TWO, "boundaries": ["dram", "pcie"]})
    # 64 GB/s reach 64 GFLOP/s at 1 FLOP/byte: one decade lower
    assert desk.grid.multiples.shown_range.y0 == 10.0


def test_zooming_one_zooms_all_and_a_double_click_fits(desk_of, qtbot):
    desk = desk_of(TWO)
    view = desk.grid.multiples
    home = view.shown_range
    wheel(view, in_plot(desk, key("l2")), 3, Qt.KeyboardModifier.ControlModifier)
    assert view.is_zoomed and view.shown_range.x1 - view.shown_range.x0 < home.x1 - home.x0
    qtbot.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=in_plot(desk, key("dram")))
    assert view.shown_range == home


def test_a_plain_wheel_scrolls(desk_of):
    desk = desk_of({**GRID, "dtypes": ["bf16", "fp8", "fp16", "fp32"]})
    view = desk.grid.multiples
    wheel(view, in_plot(desk, key("register")), -1, Qt.KeyboardModifier.NoModifier)
    assert not view.is_zoomed and view.verticalScrollBar().value() > 0


def test_a_drag_moves_all_and_chooses_nothing(desk_of, qtbot):
    desk = desk_of(TWO)
    view, at = desk.grid.multiples, in_plot(desk, key("l2"))
    home = view.shown_range
    qtbot.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    qtbot.mouseMove(view.viewport(), at + QPoint(40, 0))
    qtbot.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=at + QPoint(40, 0))
    assert view.shown_range.x0 < home.x0 and view.shown_range.y0 == pytest.approx(home.y0)
    assert desk.grid.chosen_cell is None


def test_keys_zoom_and_fit(desk_of, qtbot):
    view = desk_of(TWO).grid.multiples
    qtbot.keyClick(view, Qt.Key.Key_Plus)
    assert view.is_zoomed
    qtbot.keyClick(view, Qt.Key.Key_F)
    assert not view.is_zoomed


# Choosing


def test_a_click_shows_the_figures_of_a_cell(desk_of, qtbot):
    desk = desk_of(TWO)
    click(desk, qtbot, key("l2"))
    text = desk.grid.figures.text()
    assert text.startswith("At L2: 242.3 µs (1.74× slower)") and "Memory-bound at L2" in text
    assert desk.session.selection == "gemm-1"


def test_the_cell_that_is_the_entry_selects_entry_and_machine(desk_of, qtbot):
    desk = desk_of({**TWO, "entry": "gemm-1"}, machines=(H100, A100), selected="adam-1")
    desk.view.resize(1004, 700)
    click(desk, qtbot, key("dram", machine=A100))
    assert (desk.session.selection, desk.session.machine) == ("gemm-1", A100)


def test_another_cell_leaves_the_selection_alone(desk_of, qtbot):
    desk = desk_of({**TWO, "entry": "gemm-1"}, selected="adam-1")
    click(desk, qtbot, key("l2"))
    assert desk.session.selection == "adam-1" and desk.grid.chosen_cell.key == key("l2")


def test_arrow_keys_and_enter_choose(desk_of, qtbot):
    desk = desk_of(TWO)
    view = desk.grid.multiples
    view.setFocus()
    for one in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Down):
        qtbot.keyClick(view, one)
    assert "fp8" in view.accessibleDescription()
    qtbot.keyClick(view, Qt.Key.Key_Return)
    assert desk.grid.chosen_cell.key == key("dram", "fp8")


def test_a_cell_is_placed_as_a_variant(desk_of, qtbot):
    desk = desk_of(TWO)
    click(desk, qtbot, key("l2", "fp8"))
    qtbot.mouseClick(desk.grid.place_button, Qt.MouseButton.LeftButton)
    added = desk.session.study.entries[-1]
    assert (added.variant_of, added.boundary, added.dtypes) == (
        "gemm-1",
        "l2",
        {"all": "fp8"},
    )
    assert added.label == "at L2, fp8"
    row = desk.session.placed.by_key[added.id, H100]
    assert row.placement.time_s == pytest.approx(121.2e-6, rel=1e-3)


@pytest.mark.parametrize("cell_key", [key("dram"), key("dram", "fp8", machine=A100)])
def test_what_is_there_already_or_cannot_be_is_not_placed(desk_of, qtbot, cell_key):
    desk = desk_of(TWO, machines=(H100, A100))
    desk.grid.choose(cell_key)
    assert not desk.grid.place_button.isEnabled()


def test_another_fusion_asks_for_cuts(desk_of, qtbot):
    entry = Entry("x", "chain:c", parameters={"tokens": 4096, "width": 4096}, policy="compulsory")
    study = replace(example(), entries=(entry,), chains=(Chain("c", ("layernorm", "gelu", "add"), (0,)),))
    desk = desk_of({**GRID, "boundaries": ["dram"], "dtypes": ["bf16"]}, study=study, selected="x")
    assert [one[0] for one in desk.grid.multiples.scene.stubs] == ["as drawn", "all split", "all fused"]
    desk.grid.choose(key("dram", fusion="fused"))
    qtbot.mouseClick(desk.grid.place_button, Qt.MouseButton.LeftButton)
    assert desk.chains == [("x", (), "all fused")]


def test_another_fusion_and_format_at_once_are_two_steps(desk_of):
    entry = Entry("x", "chain:c", parameters={"tokens": 4096, "width": 4096}, policy="compulsory")
    study = replace(example(), entries=(entry,), chains=(Chain("c", ("layernorm", "gelu", "add"), (0,)),))
    desk = desk_of({**GRID, "boundaries": ["dram"], "dtypes": ["bf16", "fp32"]}, study=study, selected="x")
    desk.grid.choose(key("dram", "fp32", "fused"))
    assert not desk.grid.place_button.isEnabled() and "first" in desk.grid.place_button.toolTip()
    desk.grid.place_chosen()
    assert desk.chains == []


def test_the_figures_are_closed(desk_of, qtbot):
    desk = desk_of(TWO)
    click(desk, qtbot, key("l2"))
    assert desk.grid.figures.isVisible()
    qtbot.mouseClick(desk.grid.close_button, Qt.MouseButton.LeftButton)
    assert desk.grid.chosen_cell is None and not desk.grid.figures.isVisible()


# Choosing what is shown


def test_values_are_ticked_and_unticked(desk_of):
    desk = desk_of(TWO)
    tick(desk.grid.choosers.menus["boundary"], "shared")
    assert desk.panel["boundaries"] == ["shared", "l2", "dram"]
    assert desk.grid.grid.spec.boundaries == ("shared", "l2", "dram")
    tick(desk.grid.choosers.menus["dtype"], "fp8")
    assert desk.panel["dtypes"] == ["bf16"] and len(desk.grid.grid.cells) == 3
    assert desk.words[-1] == "Formats of the compare grid"


def test_one_value_always_stays(desk_of):
    desk = desk_of({**TWO, "dtypes": ["bf16"]})
    tick(desk.grid.choosers.menus["dtype"], "bf16")
    assert desk.panel["dtypes"] == ["bf16"]
    assert next(
        one for one in desk.grid.choosers.menus["dtype"].actions() if one.data() == "bf16"
    ).isChecked()


def test_as_suggested_forgets_the_choice(desk_of):
    desk = desk_of(TWO)
    desk.grid.choosers.menus["boundary"].actions()[-1].trigger()
    assert "boundaries" not in desk.panel
    assert desk.grid.grid.spec.boundaries == ("register", "shared", "l2", "dram", "nvlink")


def test_dimensions_are_turned(desk_of):
    desk = desk_of(TWO)
    assert desk.grid.multiples.scene.shape == (2, 2)
    tick(desk.grid.choosers.menus["columns"], "dtype")
    assert desk.panel["columns"] == ["boundary", "dtype"] and desk.grid.multiples.scene.shape == (1, 4)
    tick(desk.grid.choosers.menus["columns"], "boundary")
    assert desk.grid.multiples.scene.heads == ("bf16", "fp8")


def test_dimensions_with_one_value_have_no_button(desk_of):
    buttons = desk_of(TWO).grid.choosers.buttons
    assert buttons["boundary"].isVisible()
    assert not buttons["fusion"].isVisible() and not buttons["machine"].isVisible()


# Tables


def text(model, row, column):
    return str(model.index(row, column).data()).replace("\u202f", " ")


def test_the_form_is_chosen(desk_of):
    desk = desk_of(TWO)
    form = desk.grid.choosers.form
    form.activated.emit(form.findData("cells"))
    assert desk.panel["as"] == "cells" and desk.grid.cells_table.isVisible()
    assert desk.grid.cells.rowCount() == 4
    form.activated.emit(form.findData("pivot"))
    assert desk.grid.pivot_table.isVisible() and desk.grid.choosers.figure.isVisible()


def test_cells_are_sorted_by_a_head(desk_of, qtbot):
    desk = desk_of({**TWO, "as": "cells"}, machines=(H100, A100))
    head = desk.grid.cells_table.horizontalHeader()
    desk.view.resize(1500, 400)
    at = QPoint(head.sectionViewportPosition(9) + 10, 10)
    qtbot.mouseClick(head.viewport(), Qt.MouseButton.LeftButton, pos=at)
    times = [row.values[9] for row in desk.grid.cells.rows]
    known = [one for one in times if one is not None]
    assert known == sorted(known) and times[len(known) :] == [None] * (len(times) - len(known))
    qtbot.mouseClick(head.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert desk.grid.cells.rows[0].values[9] == known[-1]


def test_a_row_of_the_table_chooses_its_cell(desk_of, qtbot):
    desk = desk_of({**TWO, "as": "cells"})
    table = desk.grid.cells_table
    at = table.visualRect(desk.grid.cells.index(1, 0)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert desk.grid.chosen_cell.key == key("l2", "fp8")


def test_the_pivot_shows_one_figure_and_another(desk_of):
    desk = desk_of({**TWO, "as": "pivot"})
    assert text(desk.grid.pivot, 0, 1) == "242.3 µs"
    figure = desk.grid.choosers.figure
    figure.activated.emit(figure.findData("time_ratio"))
    assert desk.panel["figure"] == "time_ratio"
    assert [text(desk.grid.pivot, 0, column) for column in (1, 2)] == ["1.74× slower", "baseline"]


def test_the_rows_of_a_pivot_are_sorted_by_a_column(desk_of):
    desk = desk_of({**TWO, "as": "pivot"})
    desk.grid.pivot.sort(1)
    assert [row.stub for row in desk.grid.pivot.rows] == ["fp8", "bf16"]
    desk.grid.pivot.sort(-1)
    assert [row.stub for row in desk.grid.pivot.rows] == ["bf16", "fp8"]


@pytest.mark.parametrize("form", ["cells", "pivot"])
def test_the_models_keep_the_rules_of_models(desk_of, form):
    desk = desk_of({**TWO, "as": form})
    model = desk.grid.cells if form == "cells" else desk.grid.pivot
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    tick(desk.grid.choosers.menus["boundary"], "shared")
    tick(desk.grid.choosers.menus["columns"], "dtype")
    model.sort(1)
    assert tester.model() is model


# Out


def test_pictures_are_copied_as_the_table_of_their_cells(desk_of):
    desk = desk_of(TWO)
    heard = []
    desk.view.copied.connect(heard.append)
    desk.view.copy_markdown()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0].startswith("| Boundary | Format |") and len(lines) == 2 + 4
    assert "1.74× slower" in lines[2]
    desk.view.copy_tsv()
    assert len(QGuiApplication.clipboard().text().splitlines()) == 1 + 4
    assert heard == ["Table copied as Markdown", "Table copied as tab-separated text"]


def test_the_pivot_is_copied_as_it_stands(desk_of):
    desk = desk_of({**TWO, "as": "pivot", "figure": "time_ratio"})
    desk.view.copy_tsv()
    assert QGuiApplication.clipboard().text().splitlines()[1] == "bf16\t1.74× slower\tbaseline"


def test_the_grid_is_exported_as_csv(desk_of):
    desk = desk_of(TWO)
    heard = []
    desk.view.exportRequested.connect(lambda name, content: heard.append((name, content)))
    desk.view.corner.export_action.trigger()
    ((name, content),) = heard
    assert name == "gemm-1-grid.csv" and len(content.splitlines()) == 5


# Boundaries


def test_one_kernel_has_a_verdict_at_each_boundary(desk_of):
    desk = desk_of({"shown": "boundaries"})
    rows = {one.boundary: one for one in desk.view.boundaries.model.rows}
    assert [one for one, row in rows.items() if row.crosses] == ["register", "shared", "l2", "dram"]
    assert [one for one, row in rows.items() if row.is_binding] == ["l2"]
    assert desk.view.boundaries.title.text() == "GEMM 4096³ on H100 SXM5, at every boundary"


def test_the_binding_boundary_is_marked_until_another_is_clicked(desk_of, qtbot):
    desk = desk_of({"shown": "boundaries"})
    panel = desk.view.boundaries
    assert panel.model.rows[panel.table.chosen_row()].boundary == "l2"
    at = QPoint(*(round(one) for one in panel.picture.place_of("nvlink")))
    qtbot.mouseClick(panel.picture, Qt.MouseButton.LeftButton, pos=at)
    assert panel.model.rows[panel.table.chosen_row()].boundary == "nvlink"
    assert panel.verdict.text().startswith("Not crossed, so NVLink 4 cannot bind")


def test_the_boundaries_are_those_of_the_strong_machine(desk_of):
    desk = desk_of({"shown": "boundaries"}, machines=(H100, A100))
    desk.session.select_machine(A100)
    assert "A100" in desk.view.boundaries.title.text()


def test_a_refused_entry_says_why_in_place_of_verdicts(desk_of):
    desk = desk_of({"shown": "boundaries"}, selected="gemm-3")
    panel = desk.view.boundaries
    assert panel.model.rowCount() == 0 and "m = 0" in panel.verdict.text()


def test_the_verdicts_are_copied(desk_of):
    desk = desk_of({"shown": "boundaries"})
    desk.view.copy_markdown()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert len(lines) == 2 + 7 and "Memory-bound at L2" in lines[4]


# Room and looks


@pytest.mark.parametrize(("width", "height"), [(560, 170), (778, 172), (1004, 256), (1600, 900)])
@pytest.mark.parametrize("form", ["pictures", "cells", "pivot"])
def test_it_fits_from_a_small_tab_to_the_whole_centre(desk_of, width, height, form):
    desk = desk_of({**GRID, "as": form}, machines=(H100, A100))
    desk.view.resize(width, height)
    QApplication.processEvents()
    assert (desk.view.width(), desk.view.height()) == (width, height)
    body = {"pictures": desk.grid.multiples, "cells": desk.grid.cells_table, "pivot": desk.grid.pivot_table}[
        form
    ]
    assert body.height() >= 60 and body.width() == width


def test_figures_take_the_place_of_the_controls_in_a_low_panel(desk_of):
    desk = desk_of(TWO)
    desk.view.resize(560, 170)
    desk.grid.choose(key("l2"))
    assert desk.grid.figures.isVisible() and not desk.grid.choosers.isVisible()
    desk.grid.choose(None)
    assert desk.grid.choosers.isVisible()


def test_pictures_never_shrink_below_what_can_be_read():
    layout = grid_layout((560.0, 138.0), (8, 5), stub=90.0, has_heads=True, has_strip=False)
    assert layout.cell[0] >= 170 and layout.cell[1] >= 72
    assert layout.content[0] > layout.body.width and layout.content[1] > layout.body.height
    box = layout.cell_box(0, 0, (0.0, 0.0))
    assert layout.at(*box.centre, (0.0, 0.0)) == (0, 0)
    assert layout.at(*box.centre, (0.0, layout.cell[1])) == (1, 0)
    assert layout.at(layout.left - 1, box.centre[1], (0.0, 0.0)) is None


def dominant(image: QImage, at):
    return image.pixelColor(round(at[0]), round(at[1])).name()


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_it_wears_the_theme(desk_of, qapp, theme):
    try:
        apply_theme(qapp, theme)
        desk = desk_of(TWO)
        view = desk.grid.multiples
        image = view.viewport().grab().toImage()
        assert dominant(image, (3, image.height() - 3)) == theme.qcolor("canvas").name()
        plot = view.grid_layout.plot_box(view.grid_layout.cell_box(0, 0, (0.0, 0.0)))
        marker = multiple(desk, key("l2")).drawing.marker
        from rooflinestudio.ui.canvas.coordinates import Frame

        at = Frame(plot, view.shown_range).point(marker.log_x, marker.log_y)
        assert dominant(image, at) == theme.slot_colour(0).name()
    finally:
        apply_theme(qapp, LIGHT)


def test_controls_have_names(desk_of):
    desk = desk_of(TWO)
    for control in (*desk.grid.choosers.buttons.values(), desk.grid.choosers.form, desk.grid.multiples):
        assert control.accessibleName()


def test_a_cell_that_was_placed_is_selected_and_not_placed_again(desk_of, qtbot):
    desk = desk_of(TWO)
    click(desk, qtbot, key("l2"))
    qtbot.mouseClick(desk.grid.place_button, Qt.MouseButton.LeftButton)
    entry = desk.session.study.entries[-1]
    assert not desk.grid.place_button.isEnabled()
    click(desk, qtbot, key("l2", "fp8"))
    click(desk, qtbot, key("l2"))
    assert desk.session.selection == entry.id
    assert desk.grid.grid.entry.id == "gemm-1" and desk.grid.chosen_cell.key == key("l2")


def test_the_boundaries_of_a_variant_are_its_own(desk_of):
    study = example(extra=(Entry("gemm-9", "gemm", dtypes={"all": "fp8"}, variant_of="gemm-1", label="fp8"),))
    desk = desk_of({"shown": "boundaries"}, study=study, selected="gemm-9")
    assert desk.view.boundaries.title.text() == "fp8 on H100 SXM5, at every boundary"


def test_a_low_viewport_shows_a_whole_row_of_pictures():
    # the page of a tab in a window of 1280 x 800, without the row of controls and a scroll bar
    layout = grid_layout((770.0, 98.0), (4, 5), stub=90.0, has_heads=True, has_strip=False)
    assert (
        layout.cell[1] <= layout.body.height
        and layout.plot_box(layout.cell_box(0, 0, (0.0, 0.0))).height >= 36
    )


@pytest.mark.parametrize("mode", ["multiples", "boundaries"])
def test_a_machine_that_is_nowhere_to_be_found_is_said_and_nothing_falls(desk_of, mode):
    study = example()
    study = study.replacing(replace(study.entry("gemm-1"), machines=("gone",)))
    desk = desk_of({"shown": mode}, study=study)
    if mode == "boundaries":
        assert "'gone'" in desk.view.boundaries.verdict.text()
    else:
        flat = [one for line in desk.grid.multiples.scene.multiples for one in line]
        assert flat and all("'gone'" in one.refusal for one in flat)
    assert not desk.view.grab().isNull()
