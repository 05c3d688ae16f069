"""The serving tab as somebody uses it: what it shows of a decode step, and what becomes of each wish.

The figures are those of the worked example: Llama 3 8B in bf16 on an H100, 56 sequences of 8192 tokens.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication

from rooflinestudio.core.study import Entry
from rooflinestudio.core.study_edits import with_variant
from rooflinestudio.core.study_files import load_study, save_study
from rooflinestudio.ui.serving.model import CROSSOVER, GAIN, LABEL, MAX_RATE, MOST, RATE, WHY
from rooflinestudio.ui.serving.view import ServingView
from rooflinestudio.ui.session import Session
from tests.ui.shell_helpers import H100, gemm, registry, study

H200 = "nvidia-h200-sxm"
LLAMA = {"model": "llama-3-8b", "batch": 56, "context": 8192, "weights": "resident"}
STEP = Entry("decode-step-1", "decode_step", parameters=LLAMA, label="Llama decode")
LARGE, TAB, SMALL = (1600, 866), (1004, 256), (560, 170)


class Desk:
    """A view on a session: every wish is done as the window does it."""

    def __init__(self, qtbot, made, size):
        self.qtbot, self.session = qtbot, Session(registry(), made)
        self.view = view = ServingView()
        qtbot.addWidget(view)
        self.placed_operators, self.copied = [], []
        view.panelRequested.connect(
            lambda text, panel, changes, dragging: self.session.change_panel(
                text, panel, changes, dragging=dragging
            )
        )
        view.selectRequested.connect(self.session.select)
        view.variantRequested.connect(
            lambda entry, words: self.session.edit_and_select(words, with_variant(self.session.study, entry))
        )
        view.entriesRequested.connect(self._add)
        view.placeRequested.connect(self.placed_operators.append)
        view.copied.connect(self.copied.append)
        self.session.studyChanged.connect(view.set_placed)
        self.session.selectionChanged.connect(view.set_selection)
        view.set_source(self.session.source)
        view.set_machine(self.session.machine)
        view.set_placed(self.session.placed)
        view.resize(*size)
        view.show()
        qtbot.waitExposed(view)

    def _add(self, text, entries):
        made = self.session.study
        for entry in entries:
            made = made.adding(entry)
        self.session.edit(text, made)

    @property
    def panel(self):
        return self.session.study.panels.get("serving", {})

    def click(self, button):
        self.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)

    def type(self, edit, text):
        edit.setFocus()
        edit.selectAll()
        self.qtbot.keyClicks(edit, text) if text else self.qtbot.keyClick(edit, Qt.Key.Key_Delete)
        self.qtbot.keyClick(edit, Qt.Key.Key_Return)

    def row(self, id_):
        return self.view.what_if.model.row_of(id_)

    def choose(self, id_):
        table = self.view.what_if.table
        index = table.model().index(self.row(id_), 0)
        table.scrollTo(index)
        where = table.visualRect(index).center()
        self.qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(40, where.y()))

    def text(self, id_, column):
        return str(self.view.what_if.model.index(self.row(id_), column).data()).replace("\u202f", " ")

    def figures(self):
        return {
            row.label(): row.value().replace("\u202f", " ")
            for row in self.view.machines.rows
            if not row.isHidden()
        }


@pytest.fixture
def desk(qtbot):
    return Desk(qtbot, study(STEP, machines=(H100, H200), policy="compulsory"), LARGE)


def crossing(desk):
    return next(one for one in desk.view.plots.traffic.picture.marks if one.shape == "cross")


def made(*entries, **panel):
    found = study(*entries, machines=(H100, H200), policy="compulsory")
    return found.with_panel("serving", panel) if panel else found


# ------------------------------------------------------------------------------------ what it shows


def test_the_worked_example_stands_in_the_readouts(desk):
    texts = {one.caption: one.number.replace("\u202f", " ") for one in desk.view.readouts.readouts}

    assert texts == {
        "batch 56": "2 461", "one step": "22.8", "cache share": "79", "largest batch": "59",
        "cache crossover": "14.96",
    }  # fmt: skip
    assert "Capacity ends the batch at 59, before the ridge at 296" in desk.view.verdict.text()


def test_the_table_holds_each_change_against_the_step_as_it_is(desk):
    assert [desk.text("present", column) for column in (LABEL, RATE, GAIN, MOST)] == [
        "As it is",
        "2 461",
        "baseline",
        "59",
    ]
    # half the bytes per token: 76.19 GB become 46.12
    assert (desk.text("kv-fp8", GAIN), desk.text("kv-fp8", MOST)) == ("1.65× faster", "118")
    assert desk.text("kv-fp8", CROSSOVER) == "29.92"
    assert (desk.text("reserved", RATE), desk.text("reserved", GAIN)) == ("does not fit", "–")
    assert desk.text("reserved", MAX_RATE) == "2 057"
    assert "56" in desk.view.what_if.model.headerData(RATE, Qt.Orientation.Horizontal)


def test_another_batch_is_shown_once_the_slider_rests(desk, qtbot):
    def table_head():
        return str(desk.view.what_if.model.headerData(RATE, Qt.Orientation.Horizontal))

    desk.session.set_parameter("decode-step-1", "batch", 8, dragging=True)

    assert desk.view.readouts.readouts[0].caption == "batch 8" and table_head() == "tok/s at 56"
    qtbot.waitUntil(lambda: table_head() == "tok/s at 8")
    assert desk.view.plots.rates.picture.marks[0].x == 8
    desk.session.undo_stack.undo()
    assert desk.view.readouts.readouts[0].caption == "batch 56"


def test_the_selected_decode_step_is_told_and_anything_else_changes_nothing(qtbot):
    other = replace(STEP, id="decode-step-2", parameters={**LLAMA, "batch": 4}, label="Few")
    desk = Desk(qtbot, made(gemm(), STEP, other), LARGE)

    desk.session.select("decode-step-2")
    assert desk.view.picture.row.entry.id == "decode-step-2"
    desk.session.select("gemm-1")
    assert desk.view.picture.row.entry.id == "decode-step-1"


def test_a_step_of_several_is_chosen_in_the_corner_and_stays_chosen(qtbot):
    other = replace(STEP, id="decode-step-2", label="Few")
    desk = Desk(qtbot, made(STEP, other), LARGE)
    choice = desk.view.corner.entry

    assert [label for _, label in choice.options] == ["Llama decode", "Few"]
    choice.activated.emit(choice.findData("decode-step-2"))
    assert desk.panel["entry"] == "decode-step-2" and desk.session.selection == "decode-step-2"
    desk.session.select(None)
    assert desk.view.picture.row.entry.id == "decode-step-2"


def test_another_machine_has_other_figures(desk):
    desk.view.set_machine(H200)
    desk.view.refresh()

    # 141 GB less 16.06 GB over 1.0743 GB a sequence: 116
    assert desk.view.readouts.readouts[3].number == "116"


def test_while_hidden_nothing_is_worked_out(qtbot):
    view = ServingView()
    qtbot.addWidget(view)
    view.set_source(registry())
    view.set_placed(Session(registry(), made(STEP)).placed)

    assert view.picture is None
    view.show()
    assert view.picture is not None and view.what_if.model.rows


# ------------------------------------------------------------------------------------ nothing to show


def test_without_a_decode_step_one_can_be_placed(qtbot):
    desk = Desk(qtbot, made(gemm()), SMALL)

    assert desk.view.empty.isVisible() and desk.view.empty.texts()[0] == "No decode step"
    desk.click(desk.view.place_button)
    assert desk.placed_operators == ["decode_step"]
    desk.session.edit("place", desk.session.study.adding(STEP))
    assert desk.view.readouts.isVisible() and not desk.view.empty.isVisible()


def test_a_step_that_is_not_placed_says_why(qtbot):
    desk = Desk(qtbot, made(replace(STEP, parameters={"model": "no-such-model"})), TAB)

    assert "no-such-model" in desk.view.empty.texts()[1]
    assert not desk.view.place_button.isVisible()


# ------------------------------------------------------------------------------------ variants


def test_a_change_is_placed_as_a_variant(desk):
    button = desk.view.what_if.place_button
    assert not button.isEnabled()

    desk.choose("kv-fp8")
    assert "half of the bytes" in desk.view.what_if.why.text()
    desk.click(button)

    variant = desk.session.study.entries[-1]
    assert variant.variant_of == "decode-step-1" and variant.dtypes == {"kv": "fp8"}
    assert variant.parameters == LLAMA and variant.label == "Llama decode, cache in fp8"
    desk.session.undo_stack.undo()
    assert desk.session.study.entries == (STEP,)


def test_enter_chooses_and_a_double_click_places(desk, qtbot):
    table = desk.view.what_if.table
    desk.choose("window-4096")
    where = table.visualRect(table.model().index(desk.row("window-4096"), 0)).center()
    qtbot.mouseDClick(table.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(40, where.y()))

    assert desk.session.study.entries[-1].parameters["context"] == 4096


def test_what_no_entry_stands_for_cannot_be_placed(desk):
    for id_ in ("present", "reserved"):
        desk.choose(id_)
        assert not desk.view.what_if.place_button.isEnabled()


def test_the_arrow_keys_move_through_the_table(desk, qtbot):
    desk.choose("present")
    qtbot.keyClick(desk.view.what_if.table, Qt.Key.Key_Down)

    assert desk.view.what_if.chosen().change.id == "kv-fp8"
    assert desk.view.what_if.place_button.isEnabled()


def test_the_table_is_copied(desk):
    desk.click(desk.view.corner.copy_button)

    text = QGuiApplication.clipboard().text()
    assert desk.copied == ["Table copied as Markdown"]
    assert text.splitlines()[0].startswith("| What if | tok/s at 56 |") and "Cache in fp8" in text


# ------------------------------------------------------------------------------------ one machine or two


def test_another_machine_for_the_tokens_is_kept_in_the_study(desk, tmp_path):
    assert desk.figures()["transfer"] == "none"
    choice = desk.view.machines.decode_on
    choice.activated.emit(choice.findData(H200))
    desk.view.refresh()

    assert desk.panel == {"decode_on": H200}
    # 8192 tokens of 128 KiB over 50 GB/s
    assert desk.figures()["transfer"] == "21.5 ms"
    assert "readers for one decoder" in desk.figures()
    save_study(desk.session.study, tmp_path / "a.study")
    assert load_study(tmp_path / "a.study").panels["serving"]["decode_on"] == H200
    desk.session.undo_stack.undo()
    desk.view.refresh()
    assert desk.figures()["transfer"] == "none"


def test_a_price_gives_costs_and_without_one_there_are_none(desk):
    assert desk.figures()["million output tokens"] == "give a price"
    desk.type(desk.view.machines.prefill_price, "3.6")
    desk.view.refresh()

    assert desk.panel == {"price_per_hour": {H100: 3.6}}
    # 0.001 a second over 56 tokens in a step of (16.06 + 56 · 8320 · 128 KiB) / 3.35 TB/s = 23.0 ms
    assert desk.figures()["million output tokens"] == "0.411 USD"
    desk.type(desk.view.machines.currency, "EUR")
    desk.view.refresh()
    assert desk.figures()["million output tokens"] == "0.411 EUR"
    desk.type(desk.view.machines.prefill_price, "")
    desk.view.refresh()
    assert desk.figures()["million output tokens"] == "give a price" and desk.panel == {"currency": "EUR"}


@pytest.mark.parametrize("text", ["cheap", "-2", "0"])
def test_what_is_no_price_is_refused_and_nothing_changes(desk, text):
    desk.type(desk.view.machines.prefill_price, text)

    assert desk.view.machines.prefill_price.message() and desk.panel == {}


def test_prompt_and_answer_are_kept(desk):
    desk.type(desk.view.machines.output, "128")
    desk.type(desk.view.machines.prompt, "1024")
    desk.view.refresh()

    assert desk.panel == {"output_tokens": 128, "prompt_tokens": 1024}
    assert desk.view.picture.served.decode.parameters["context"] == 1024 + 64


def test_both_passes_are_placed_as_linked_points(desk):
    choice = desk.view.machines.decode_on
    choice.activated.emit(choice.findData(H200))
    desk.view.refresh()
    desk.click(desk.view.machines.place_button)

    _, first, second = desk.session.study.entries
    assert (first.operator, first.machines) == ("prefill_step", (H100,))
    assert (second.operator, second.machines, second.variant_of) == ("decode_step", (H200,), first.id)
    rows = {row.entry.id: row for row in desk.session.placed.rows}
    assert (rows[first.id].placement.bound, rows[second.id].placement.bound) == ("compute", "memory")


# ------------------------------------------------------------------------------------ plots


def test_the_crossover_stands_where_the_curves_meet(desk):
    picture = desk.view.plots.traffic.picture
    mark = crossing(desk)

    # 16.06 GB of weights over 1.0737 GB a sequence
    assert mark.x == pytest.approx(14.957, rel=1e-4)
    assert mark.y == pytest.approx(16.06, rel=1e-3)
    assert picture.shade.beyond == 59 and picture.shade.lines[0] == "does not fit in 80 GB"


def test_the_traffic_is_drawn_over_the_context_on_request(desk):
    desk.click(desk.view.plots.over.button("context"))
    desk.view.refresh()

    assert desk.panel == {"over": "context"}
    assert crossing(desk).x == 2189
    desk.session.undo_stack.undo()
    desk.view.refresh()
    assert crossing(desk).x == pytest.approx(14.957, rel=1e-4)


def test_the_rates_show_the_ridge_and_the_step_with_and_without_its_cache(desk):
    marks = {one.shape: one for one in desk.view.plots.rates.picture.marks}

    assert marks["triangle"].x == 296
    assert marks["dot"].y == pytest.approx(2462, rel=2e-3)
    assert marks["ring"].y == pytest.approx(11_690, rel=5e-3)


@pytest.mark.parametrize("size", [LARGE, TAB, (1280, 700)])
@pytest.mark.parametrize("batch", [1, 56, 64, 400])
def test_labels_never_overlap(qtbot, size, batch):
    desk = Desk(qtbot, made(replace(STEP, parameters={**LLAMA, "batch": batch})), size)
    desk.view.grab()

    for plot in (desk.view.plots.traffic, desk.view.plots.rates):
        spots = plot.label_spots if plot.isVisible() else []
        assert not any(a.intersects(b) for at, a in enumerate(spots) for b in spots[:at])
        assert all(plot.rect().contains(spot.toAlignedRect()) for spot in spots)


def test_the_keys_read_the_curves(desk, qtbot):
    plot = desk.view.plots.rates
    plot.setFocus()
    for _ in range(2):
        qtbot.keyClick(plot, Qt.Key.Key_Right)

    assert plot.probe_text().startswith("batch 3, with KV cache 521")
    qtbot.mouseMove(plot, QPoint(2, 2))
    qtbot.keyClick(plot, Qt.Key.Key_Left)
    assert plot.accessibleDescription()


# ------------------------------------------------------------------------------------ room


def test_a_tab_shows_one_plot_and_one_page(qtbot):
    desk = Desk(qtbot, made(STEP), TAB)
    view = desk.view

    assert view.plots.rates.isVisible() and not view.plots.traffic.isVisible()
    assert view.what_if.isVisible() and not view.machines.isVisible()
    desk.click(view.corner.page.button("machines"))
    assert view.machines.isVisible() and not view.what_if.isVisible()
    desk.click(view.plots.over.button("batch"))
    view.refresh()
    assert view.plots.traffic.isVisible() and not view.plots.rates.isVisible()
    view.resize(*LARGE)
    assert all(one.isVisible() for one in (view.machines, view.what_if, view.plots.rates, view.plots.traffic))


def test_a_small_tab_shows_readouts_and_table_only(qtbot):
    desk = Desk(qtbot, made(STEP), SMALL)
    view = desk.view

    assert view.readouts.isVisible() and view.what_if.table.isVisible() and not view.plots.isVisible()
    assert view.what_if.table.isColumnHidden(WHY) and not view.what_if.table.isColumnHidden(MOST)
    # put elsewhere, the controls leave their room to the view
    assert view.minimumSizeHint().height() - view.corner.height() <= SMALL[1]
    assert view.minimumSizeHint().width() <= SMALL[0]


def test_every_control_has_a_name(desk):
    from PySide6.QtWidgets import QAbstractButton, QComboBox, QLineEdit, QTableView

    for kind in (QAbstractButton, QComboBox, QLineEdit, QTableView):
        for widget in (*desk.view.findChildren(kind), *desk.view.corner.findChildren(kind)):
            text = widget.text() if hasattr(widget, "text") and callable(widget.text) else ""
            assert widget.accessibleName() or text or widget.objectName().startswith("qt_"), (
                widget.objectName()
            )
