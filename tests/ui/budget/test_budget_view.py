"""The budget tab as a user meets it, with the session that answers its wishes."""

from __future__ import annotations

import itertools

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QTabWidget

from rooflinestudio.core.budget_choice import entry_of_part
from rooflinestudio.core.placing import place
from rooflinestudio.core.study import Chain, Entry, Study
from rooflinestudio.ui.budget.model import BOUND, INTENSITY, NAME, SHARE, TIME, TRAFFIC, WORK
from rooflinestudio.ui.budget.view import BudgetView
from rooflinestudio.ui.session import Session
from rooflinestudio.ui.theme import DARK, LIGHT, apply_theme
from rooflinestudio.ui.widgets.cells import CELL
from tests.ui.shell_helpers import A100, H100, gemm, registry, study

GATE_UP = 7


def layer(id_="layer-1", **parameters):
    return Entry(id_, "transformer_layer", parameters=parameters, label="Layer")


@pytest.fixture
def session(qapp):
    return Session(registry(), study(gemm(), layer(), policy="compulsory"))


@pytest.fixture
def view(qtbot, session):
    made = BudgetView()
    qtbot.addWidget(made)
    made.heard = []
    wire(made, session)
    made.resize(940, 860)
    made.show()
    qtbot.waitExposed(made)
    return made


def wire(view, session):
    """What the window does with the wishes of a view."""

    def place_part(id_, index):
        row = next(one for one in session.placed.rows if one.entry.id == id_)
        entry = entry_of_part(row, index, registry())
        id_ = session.add_operator(entry.operator, entry.parameters)
        view.heard.append(id_)

    view.set_source(registry())
    session.studyChanged.connect(lambda _: view.set_placed(session.placed))
    session.selectionChanged.connect(view.set_selection)
    view.selectRequested.connect(session.select)
    view.placeRequested.connect(session.add_operator)
    view.parameterRequested.connect(
        lambda id_, name, value, dragging: session.set_parameter(id_, name, value, dragging=dragging)
    )
    view.panelRequested.connect(
        lambda text, panel, changes, dragging: session.change_panel(text, panel, changes, dragging=dragging)
    )
    view.partPlaceRequested.connect(place_part)
    view.copied.connect(view.heard.append)
    view.set_selection(session.selection)
    view.set_placed(session.placed)


def shown(view):
    return [f"{one.number} {one.unit}".strip() for one in view.body.tall.readouts]


def names(view):
    return [line.name for line in view.body.model.rows]


def click_segment(view, qtbot, index, *, twice=False):
    bar = view.body.present.bar
    press = qtbot.mouseDClick if twice else qtbot.mouseClick
    press(bar, Qt.MouseButton.LeftButton, pos=bar.centre_of(index).toPoint())


def cell_centre(view, row):
    table = view.body.table
    return table.visualRect(view.body.model.index(row, NAME)).center()


def click_row(view, qtbot, row):
    qtbot.mouseClick(view.body.table.viewport(), Qt.MouseButton.LeftButton, pos=cell_centre(view, row))


def type_into(edit, qtbot, text):
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClicks(edit, text)
    qtbot.keyClick(edit, Qt.Key.Key_Return)


# What it shows


def test_it_opens_the_first_layer_of_the_study(view):
    # 64.9 TFLOP over 69.2 ms of 989.4 TFLOP/s; norms, RoPE, adds and SwiGLU are 3.6 ms of it
    assert shown(view) == ["64.9 TFLOP", "24.1 GB", "69.2 ms", "95 %", "5.3 %"]
    assert names(view)[:4] == ["RMSNorm, 1", "QKV projection", "RoPE", "Attention, flash"]
    line = view.body.model.rows[GATE_UP]
    assert (line.name, line.work, line.bound_text, line.time, line.share_text) == (
        "Gate, up projection", "30.8 TFLOP", "compute at bf16-tensor", "31.12 ms", "45.0%",
    )  # fmt: skip


def test_below_it_stand_the_other_regimes_with_their_figures(view):
    beside = view.body.beside
    assert [one.regime for one in beside] == ["train", "decode"]
    # 3 W and 2 Q of the forward pass: 3 · 65.57 ms of products, 2 · 3.646 ms of memory
    assert beside[0].figures.text() == "204.0 ms, MFU 96%, 3.6% memory-bound"
    # 1.76 GB of weights and 134 MB of cache for 4 sequences over 3.35 TB/s
    assert beside[1].title.text() == "Decode, batch 4, context 8\u202f192"
    assert beside[1].figures.text().endswith("100% memory-bound")


def test_without_a_layer_it_offers_one(qtbot, qapp):
    session = Session(registry(), study(gemm()))
    view = BudgetView()
    qtbot.addWidget(view)
    view.heard = []
    wire(view, session)
    view.resize(560, 170)
    view.show()
    assert view.place_button.isVisible() and not view.corner.copy_button.isEnabled()
    qtbot.mouseClick(view.place_button, Qt.MouseButton.LeftButton)
    assert session.study.entries[-1].operator == "transformer_layer"
    assert view.row.entry.operator == "transformer_layer" and not view.place_button.isVisible()


def test_an_empty_study_is_no_fault(view):
    view.set_placed(place(Study(), {}, registry()))
    assert view.row is None and view.place_button.isVisible()


def test_a_step_shows_how_often_its_kernels_run(view, session):
    session.add_operator("decode_step")
    assert "32 × SwiGLU" in names(view)
    assert view.body.beside == [] and not view.body.regime.isVisible()
    assert set(view.body.fields.edits) == {"context", "batch"}


def test_a_chain_shows_its_kernels_and_its_own_sizes(view):
    entry = Entry("c", "chain:c1", parameters={"tokens": 4096, "width": 4096}, label="Chain")
    chained = Study(
        entries=(entry,), chains=(Chain("c1", ("add", "layernorm", "gelu"), (1,)),),
        profiles={H100: registry().load_profile(H100)}, view=study().view,
    )  # fmt: skip
    view.set_placed(place(chained, {}, registry()))
    assert names(view) == ["add + layernorm", "gelu"]
    assert set(view.body.fields.edits) == {"tokens", "width"}
    assert view.body.model.headerData(SHARE, Qt.Orientation.Horizontal) == "Share of the chain"


def test_a_forecast_is_called_one(view, session):
    assert "1.3 to 2 times" in view.body.note.text()
    session.change_view("Forecast", forecast=True)
    assert "launch" in view.body.note.text() and "1.3" not in view.body.note.text()
    assert view.body.beside[1].bar.segments  # and so are the regimes beside it
    session.set_parameter("layer-1", "regime", "decode")
    assert view.body._chips["launch"].isVisible()


def test_the_machine_in_front_is_shown(view):
    both = study(layer(), machines=(H100, A100), policy="compulsory")
    view.set_placed(place(both, {}, registry()))
    view.set_machine(A100)
    # products at 312 TFLOP/s, memory at 2.04 TB/s
    assert view.row.machine == A100
    assert view.body.tall.readouts[2].number == "214"


def test_while_hidden_it_only_remembers(qtbot, session):
    tabs = QTabWidget()
    qtbot.addWidget(tabs)
    view = BudgetView()
    tabs.addTab(QTabWidget(), "first")
    tabs.addTab(view, "Budget")
    tabs.show()
    view.heard = []
    wire(view, session)
    assert view.row is None
    tabs.setCurrentWidget(view)
    assert view.row.entry.id == "layer-1"


def test_the_model_keeps_the_rules_of_models(view, qtbot):
    QAbstractItemModelTester(view.body.model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    view.body.model.sort(TIME, Qt.SortOrder.DescendingOrder)


# Its controls


def test_the_regime_switch_changes_the_entry(view, session, qtbot):
    qtbot.mouseClick(view.body.regime.button("decode"), Qt.MouseButton.LeftButton)
    assert session.study.entry("layer-1").parameters == {"regime": "decode"}
    assert names(view)[3] == "Attention, cache"
    assert [one.regime for one in view.body.beside] == ["prefill", "train"]
    assert not view.body.fields.flash.isEnabled()
    session.undo_stack.undo()
    assert view.body.regime.value() == "prefill" and view.body.fields.flash.isEnabled()


def test_the_arrow_keys_move_the_regime_switch(view, session, qtbot):
    button = view.body.regime.button("prefill")
    button.setFocus()
    qtbot.keyClick(button, Qt.Key.Key_Right)
    qtbot.keyClick(view.body.regime.button("train"), Qt.Key.Key_Space)
    assert session.study.entry("layer-1").parameters == {"regime": "train"}


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [("width", "4096", 4096), ("seq", "32768", 32768), ("batch", "16", 16), ("kv_heads", "64", 64)],
)
def test_a_size_that_is_typed_becomes_a_parameter(view, session, qtbot, name, text, value):
    type_into(view.body.fields.edits[name], qtbot, text)
    assert session.study.entry("layer-1").parameters == {name: value}
    assert view.body.fields.edits[name].value() == value
    session.undo_stack.undo()
    assert view.body.fields.edits[name].value() == registry_default(name)


def registry_default(name):
    return next(
        one.default for one in registry().operator("transformer_layer").parameters if one.name == name
    )


def test_a_size_out_of_range_is_refused_and_stays(view, session, qtbot):
    edit = view.body.fields.edits["batch"]
    type_into(edit, qtbot, "0")
    assert session.study.entry("layer-1").parameters == {}
    assert edit.text() == "0" and "batch" in edit.toolTip()


def test_a_layer_that_cannot_be_placed_says_why_and_can_be_mended(view, session, qtbot):
    type_into(view.body.fields.edits["kv_heads"], qtbot, "7")
    assert view.body.refusal.isVisible() and "must divide" in view.body.refusal.text()
    assert not view.body.table.isVisible() and view.body.beside == []
    type_into(view.body.fields.edits["kv_heads"], qtbot, "8")
    assert not view.body.refusal.isVisible() and len(names(view)) == 11


def test_flash_off_is_naive_and_attention_waits_for_memory(view, session, qtbot):
    flash = view.body.fields.flash
    qtbot.mouseClick(flash, Qt.MouseButton.LeftButton, pos=QPoint(8, flash.height() // 2))
    assert session.study.entry("layer-1").parameters == {"implementation": "naive"}
    line = view.body.model.rows[3]
    assert (line.name, line.bound) == ("Attention, naive", "memory")
    qtbot.mouseClick(flash, Qt.MouseButton.LeftButton, pos=QPoint(8, flash.height() // 2))
    assert view.body.model.rows[3].bound == "compute"


def test_causal_is_a_switch(view, session, qtbot):
    causal = view.body.fields.causal
    qtbot.mouseClick(causal, Qt.MouseButton.LeftButton, pos=QPoint(8, causal.height() // 2))
    assert session.study.entry("layer-1").parameters == {"causal": True}
    assert view.body.model.rows[3].work == "4.40 TFLOP"


def test_a_regime_beside_has_a_batch_of_its_own_that_the_study_keeps(view, session, qtbot):
    type_into(view.body.beside[1].batch, qtbot, "64")
    assert session.study.panels["budget"] == {"beside": {"decode": {"batch": 64}}}
    # 3.90 GB over 3.35 TB/s, 127 GFLOP: the figures of 64 sequences, while the layer itself keeps its four
    assert view.body.beside[1].figures.text() == "1.165 ms, MFU 11.0%, 100% memory-bound"
    assert session.study.entry("layer-1").parameters == {}
    session.undo_stack.undo()
    assert view.body.beside[1].batch.value() == 4


def test_the_study_says_which_regimes_stand_below(view, session):
    session.change_panel("Regimes", "budget", {"regimes": ["decode"]})
    assert [one.regime for one in view.body.beside] == ["decode"]


def test_another_composite_is_chosen_in_the_corner(view, session):
    session.edit("Another", session.study.adding(layer("layer-2", regime="decode")))
    view.corner.entries.activated.emit(view.corner.entries.findData("layer-2"))
    assert session.selection == "layer-2"
    assert session.study.panels["budget"] == {"entry": "layer-2"}
    session.select("gemm-1")
    assert view.row.entry.id == "layer-2"


# Selection, both ways


def test_a_click_on_a_segment_selects_its_part(view, session, qtbot):
    click_segment(view, qtbot, GATE_UP)
    assert session.selection == ("part", "layer-1", GATE_UP)
    assert view.body.present.bar.chosen == GATE_UP
    assert view.body.table.chosen_row() == GATE_UP


def test_a_click_on_a_row_selects_its_part(view, session, qtbot):
    click_row(view, qtbot, 3)
    assert session.selection == ("part", "layer-1", 3)
    assert view.body.present.bar.chosen == 3


def test_a_part_selected_elsewhere_is_marked_and_goes_again(view, session):
    session.select(("part", "layer-1", 9))
    assert (view.body.present.bar.chosen, view.body.table.chosen_row()) == (9, 9)
    session.select("layer-1")
    assert (view.body.present.bar.chosen, view.body.table.chosen_row()) == (-1, -1)


def test_the_arrow_keys_go_along_the_bar(view, session, qtbot):
    bar = view.body.present.bar
    bar.setFocus()
    for key in (Qt.Key.Key_Home, Qt.Key.Key_Right, Qt.Key.Key_Right):
        qtbot.keyClick(bar, key)
    assert session.selection == ("part", "layer-1", 2)
    assert "RoPE" in bar.accessibleDescription()


def test_a_regime_beside_cannot_be_selected_from(view, session, qtbot):
    bar = view.body.beside[0].bar
    qtbot.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.centre_of(GATE_UP).toPoint())
    assert session.selection is None


@pytest.mark.parametrize("how", ["segment", "row", "enter"])
def test_a_part_is_placed_by_itself(view, session, qtbot, how):
    if how == "segment":
        click_segment(view, qtbot, GATE_UP, twice=True)
    elif how == "row":
        click_row(view, qtbot, GATE_UP)
        viewport = view.body.table.viewport()
        qtbot.mouseDClick(viewport, Qt.MouseButton.LeftButton, pos=cell_centre(view, GATE_UP))
    else:
        click_row(view, qtbot, GATE_UP)
        qtbot.keyClick(view.body.table, Qt.Key.Key_Return)
    assert len(view.heard) == 1
    placed = session.study.entry(view.heard[0])
    assert (placed.operator, placed.parameters) == ("gemm", {"m": 32768, "n": 57344, "k": 8192})


@pytest.mark.parametrize("width", [560, 700, 940])
def test_every_regime_tells_its_time_and_utilisation_at_every_width(view, qapp, width):
    view.resize(width, 300)
    qapp.processEvents()
    for block in (view.body.present, *view.body.beside):
        assert "MFU" in block.figures.shown_text()


def test_a_row_that_is_selected_elsewhere_comes_into_view(view, session, qapp):
    view.resize(560, 170)
    qapp.processEvents()
    table, area = view.body.table, view.body._area
    row = table.visualRect(view.body.model.index(9, NAME)).center()
    assert not area.viewport().rect().contains(table.viewport().mapTo(area.viewport(), row))
    session.select(("part", "layer-1", 9))
    row = table.visualRect(view.body.model.index(9, NAME)).center()
    assert area.viewport().rect().contains(table.viewport().mapTo(area.viewport(), row))


# Table


def click_head(view, qtbot, column):
    head = view.body.table.horizontalHeader()
    x = head.sectionViewportPosition(column) + 12
    qtbot.mouseClick(head.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(x, 10))


def test_a_head_sorts_down_then_up_then_as_the_parts_run(view, session, qtbot):
    click_row(view, qtbot, GATE_UP)
    click_head(view, qtbot, TIME)
    assert names(view)[:2] == ["Gate, up projection", "Down projection"]
    assert view.body.table.chosen_row() == 0
    click_row(view, qtbot, 1)
    assert session.selection == ("part", "layer-1", 9)
    click_head(view, qtbot, TIME)
    assert names(view)[-1] == "Gate, up projection"
    click_head(view, qtbot, TIME)
    assert names(view)[0] == "RMSNorm, 1"


@pytest.mark.parametrize("column", [NAME, WORK, TRAFFIC, INTENSITY, BOUND, TIME, SHARE])
def test_every_column_can_be_sorted_by(view, column):
    view.body.model.sort(column, Qt.SortOrder.AscendingOrder)
    values = [line.values[column] for line in view.body.model.rows]
    assert values == sorted(values)


def test_the_table_is_copied_as_markdown_and_as_text(view, qtbot):
    view.copy_markdown()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0] == "| Operator | W | Q | I | Bound | Time | Share of the layer |"
    assert len(lines) == 13 and "| Gate, up projection | 30.8 TFLOP |" in lines[9]
    view.body.table.setFocus()
    qtbot.keyClick(view.body.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    cells = QGuiApplication.clipboard().text().splitlines()[8].split("\t")
    assert cells[0] == "Gate, up projection" and cells[-1] == "45.0%"
    assert view.heard == ["Budget copied as Markdown", "Budget copied as tab-separated text"]


def test_bars_of_the_table_are_held_against_the_largest(view):
    cells = [view.body.model.index(row, SHARE).data(CELL) for row in (GATE_UP, 9)]
    assert cells[0].fraction == 1.0
    assert cells[1].fraction == pytest.approx(0.5, rel=1e-3)  # down has half the columns of gate and up


# Room


def test_in_a_small_window_readouts_shrink_and_columns_hide(view, qapp):
    view.resize(560, 170)
    qapp.processEvents()
    body = view.body
    assert body.line.isVisible() and not body.tall.isVisible() and not body.legend.isVisible()
    assert [one.short for one in body.line.shown()][-2:] == ["MFU 95%", "5.3% memory-bound"]
    hidden = [column for column in range(7) if body.table.isColumnHidden(column)]
    assert hidden == [WORK, TRAFFIC, INTENSITY]
    assert sum(body.table.columnWidth(c) for c in range(7)) <= body.table.viewport().width()
    view.resize(1600, 900)
    qapp.processEvents()
    assert body.tall.isVisible() and not body.table.isColumnHidden(WORK)
    assert body.title.isVisible() and body.title.text() == "Layer budget"


@pytest.mark.parametrize("label", ["Layer", "Transformer layer", "A layer with a long name of its own"])
@pytest.mark.parametrize(
    "size", [(560, 170), (830, 400), (900, 700), (940, 860), (980, 600), (1100, 700), (1600, 900)]
)
def test_nothing_overlaps_and_nothing_is_cut(view, session, qapp, inter, size, label):
    session.change_entry("layer-1", "Rename", label=label)
    view.resize(*size)
    qapp.processEvents()
    assert not view.body.title.isVisible() or not view.body.title.is_elided()
    assert view.body.fields.height() < 34  # all in one line
    fields = list(view.body.fields.edits.values())
    for edit in fields:
        corner = edit.mapTo(view.body.fields, QPoint(edit.width(), edit.height()))
        assert corner.x() <= view.body.fields.width() and corner.y() <= view.body.fields.height()
    places = sorted((one.mapTo(view.body.fields, QPoint(0, 0)).x(), one.width()) for one in fields)
    assert all(x + width <= following for (x, width), (following, _) in itertools.pairwise(places))


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_segments_wear_the_fill_of_their_bound(view, qapp, theme):
    try:
        apply_theme(qapp, theme)
        view.set_theme(theme)
        bar = view.body.present.bar
        image = bar.grab().toImage()
        for index, kind in ((GATE_UP, "compute"), (8, "memory")):
            at = bar.segments[index]
            point = QPoint(round(at.left + at.width - 5), 12)
            assert image.pixelColor(point) == theme.qcolor(f"{kind}_fill")
    finally:
        apply_theme(qapp, LIGHT)


def test_the_pointer_is_told_what_it_is_over(view):
    tip = view.body.present.bar.tip_of(GATE_UP)
    assert tip.splitlines()[:3] == [
        "Gate, up projection",
        "31.12 ms, 45.0% of the layer",
        "compute at bf16-tensor",
    ]
    bar = view.body.present.bar
    swiglu = bar.segments[8]
    assert swiglu.below is not None
    assert bar.part_at(swiglu.below[0] + 4, bar.height() - 4) == 8


def test_every_control_has_a_name(view):
    for widget in (
        *view.body.fields.edits.values(),
        view.body.present.bar,
        view.body.table,
        view.corner.entries,
    ):
        assert widget.accessibleName()
