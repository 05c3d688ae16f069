"""The fusion bench as a user meets it, with the session that answers its wishes."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent, QGuiApplication, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget

from rooflinestudio.core.bench_chains import example
from rooflinestudio.core.fusion import parse_chain
from rooflinestudio.core.study import Entry
from rooflinestudio.core.study_edits import with_new_chain
from rooflinestudio.ui.canvas.dropping import OPERATOR_MIME
from rooflinestudio.ui.fusion.places import Place
from rooflinestudio.ui.fusion.view import FusionView
from rooflinestudio.ui.panel_wishes import PanelWishes
from rooflinestudio.ui.session import Session
from rooflinestudio.ui.theme import DARK, LIGHT, apply_theme
from tests.ui.shell_helpers import H100, gemm, registry, study

LEFT, NONE, CONTROL = (
    Qt.MouseButton.LeftButton,
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ControlModifier,
)


class _Wishes:
    @staticmethod
    def place(_id: str) -> None: ...


class _Notices:
    def __init__(self) -> None:
        self.told: list[str] = []

    def tell(self, _tone: str, _head: str, what: str) -> None:
        self.told.append(what)


class Inside(QWidget):
    """What the wishes of a panel need of a window."""

    def __init__(self, session) -> None:
        super().__init__()
        self.session, self.wishes, self.notices = session, _Wishes(), _Notices()


def made(ready="tail", *others, **view):
    """Return a study with an example chain on the bench."""
    one = example(ready)
    study_, id_ = with_new_chain(
        study(*others, **view), one.spec, parameters=one.parameters, dtypes=one.dtypes, label=one.label
    )
    return study_, id_


def opened(qtbot, study_, selected=None, size=(1200, 760)):
    session = Session(registry(), study_)
    inside, view = Inside(session), FusionView()
    qtbot.addWidget(inside)
    qtbot.addWidget(view)
    view.session, view.inside = session, inside
    wishes = PanelWishes(inside)
    wishes.connect_view(view)
    view.set_source(registry())
    session.studyChanged.connect(lambda _: view.set_placed(session.placed))
    session.selectionChanged.connect(view.set_selection)
    view.set_machine(H100)
    view.set_placed(session.placed)
    session.select(selected)
    view.resize(*size)
    view.show()
    qtbot.waitExposed(view)
    return view


@pytest.fixture
def view(qtbot, qapp):
    return opened(qtbot, *made())


def chain(view, at=0):
    return view.session.study.chains[at]


def click(qtbot, view, place):
    row = view.body.row
    qtbot.mouseClick(row, LEFT, pos=row.places.rect(place).center().toPoint())


def drop(widget, operator, at):
    """Drag an operator over a widget and let it go."""
    mime = QMimeData()
    mime.setData(OPERATOR_MIME, operator.encode())
    point, copy = QPoint(at), Qt.DropAction.CopyAction
    enter = QDragEnterEvent(point, copy, mime, LEFT, NONE)
    QApplication.sendEvent(widget, enter)
    QApplication.sendEvent(widget, QDragMoveEvent(point, copy, mime, LEFT, NONE))
    event = QDropEvent(QPointF(at), copy, mime, LEFT, NONE)
    QApplication.sendEvent(widget, event)
    return event.isAccepted()


# Boundaries ---------------------------------------------------------------------------------------------------------


def test_a_click_on_a_boundary_fuses_and_undo_puts_it_back(view, qtbot) -> None:
    assert chain(view).cuts == (2,)
    row = view.session.placed.rows[0]
    click(qtbot, view, Place("joint", 2))
    assert chain(view).cuts == ()
    assert [one.number for one in view.body.tall.readouts][:2] == ["1", "4.29"]
    # The point on the canvas moves: the row is another one, and takes two thirds of the time.
    fused = view.session.placed.rows[0]
    assert float(fused.placement.time_s) == pytest.approx(float(row.placement.time_s) * 4 / 6, rel=1e-4)
    assert view.session.undo_stack.undoText() == "Fuse scale and silu"
    view.session.undo_stack.undo()
    assert chain(view).cuts == (2,)
    assert view.body.tall.readouts[0].number == "2"


def test_a_click_on_a_fused_joint_splits(view, qtbot) -> None:
    click(qtbot, view, Place("joint", 0))
    assert chain(view).cuts == (0, 2)
    assert view.session.undo_stack.undoText() == "Split add from rmsnorm"


def test_a_press_that_is_let_go_elsewhere_changes_nothing(view, qtbot) -> None:
    row = view.body.row
    qtbot.mousePress(row, LEFT, pos=row.places.joints[2].center().toPoint())
    qtbot.mouseRelease(row, LEFT, pos=row.places.cards[0].center().toPoint())
    assert chain(view).cuts == (2,)


def test_arrows_move_between_joints_and_space_toggles(view, qtbot) -> None:
    row = view.body.row
    row.setFocus()
    assert row.current == Place("joint", 0)
    for _ in range(2):
        qtbot.keyClick(row, Qt.Key.Key_Right)
    assert row.current == Place("joint", 2)
    assert "kernel boundary at scale.y" in row.accessibleDescription()
    qtbot.keyClick(row, Qt.Key.Key_Space)
    assert chain(view).cuts == ()
    assert row.current == Place("joint", 2)
    qtbot.keyClick(row, Qt.Key.Key_Left)
    qtbot.keyClick(row, Qt.Key.Key_Return)
    assert chain(view).cuts == (1,)


def test_arrows_stop_at_the_ends(view, qtbot) -> None:
    row = view.body.row
    row.setFocus()
    qtbot.keyClick(row, Qt.Key.Key_Left)
    assert row.current == Place("joint", 0)
    qtbot.keyClick(row, Qt.Key.Key_End)
    qtbot.keyClick(row, Qt.Key.Key_Right)
    assert row.current == Place("joint", 4)
    qtbot.keyClick(row, Qt.Key.Key_Down)
    qtbot.keyClick(row, Qt.Key.Key_End)
    assert row.current == Place("card", 5)


def test_split_all_and_fuse_all(view, qtbot) -> None:
    head = view.body.head
    qtbot.mouseClick(head.split, LEFT)
    assert chain(view).cuts == (0, 1, 2, 3, 4)
    assert not head.split.isEnabled()
    assert view.body.tall.readouts[1].number == "15.0"
    qtbot.mouseClick(head.fuse, LEFT)
    assert chain(view).cuts == ()
    assert not head.fuse.isEnabled()
    view.session.undo_stack.undo()
    view.session.undo_stack.undo()
    assert chain(view).cuts == (2,)


# Cards --------------------------------------------------------------------------------------------------------------


def test_an_operator_is_dragged_in_between_two_cards(view) -> None:
    row = view.body.row
    at = row.places.joints[0].center().toPoint()
    assert drop(row, "gelu", at)
    assert chain(view).parts == ("add", "gelu", "rmsnorm", "scale", "silu", "mul", "dropout")
    assert chain(view).cuts == (3,)
    view.session.undo_stack.undo()
    assert len(chain(view).parts) == 6


def test_an_operator_is_dragged_to_the_end(view) -> None:
    row = view.body.row
    assert drop(row, "relu", QPoint(row.width() - 2, 80))
    assert chain(view).parts[-1] == "relu"
    assert chain(view).cuts == (2, 5)


def test_what_is_no_operator_is_not_taken(view) -> None:
    row, mime = view.body.row, QMimeData()
    mime.setText("gelu")
    event = QDropEvent(QPointF(10, 10), Qt.DropAction.CopyAction, mime, LEFT, NONE)
    QApplication.sendEvent(row, event)
    assert len(chain(view).parts) == 6
    assert row.gap == -1


def test_an_empty_bench_takes_an_operator_as_the_first(qtbot, qapp) -> None:
    view = opened(qtbot, study(gemm()))
    assert view.empty.isVisible()
    assert drop(view.empty, "rmsnorm", QPoint(40, 40))
    assert chain(view).parts == ("rmsnorm",)
    entry = view.session.study.entries[-1]
    assert (entry.operator, entry.policy, entry.boundary) == ("chain:chain-1", "compulsory", "dram")
    assert view.bench.row.entry.id == entry.id
    view.session.undo_stack.undo()
    assert view.session.study.chains == ()
    assert view.empty.isVisible()


def test_a_card_is_dragged_to_another_place(view, qtbot) -> None:
    row = view.body.row
    start, end = row.places.cards[0].center().toPoint(), row.places.cards[2].center().toPoint()
    qtbot.mousePress(row, LEFT, pos=start)
    qtbot.mouseMove(row, start + QPoint(30, 0))
    event_at = QPoint(end.x() + 8, end.y())
    move(row, event_at)
    assert row.gap == 3
    qtbot.mouseRelease(row, LEFT, pos=event_at)
    assert chain(view).parts == ("rmsnorm", "scale", "add", "silu", "mul", "dropout")
    assert chain(view).cuts == (2,)
    view.session.undo_stack.undo()
    assert chain(view).parts[0] == "add"


def settled():
    """Let layouts come to rest: texts that wrap are laid out anew when their style was."""
    for _ in range(4):
        QApplication.processEvents()


def move(widget, at):
    point = QPointF(at)
    where = widget.mapToGlobal(point)
    QApplication.sendEvent(widget, QMouseEvent(QEvent.Type.MouseMove, point, where, LEFT, LEFT, NONE))


def test_keys_move_and_remove_cards(view, qtbot) -> None:
    row = view.body.row
    click(qtbot, view, Place("card", 1))
    qtbot.keyClick(row, Qt.Key.Key_Right, CONTROL)
    assert chain(view).parts[:3] == ("add", "scale", "rmsnorm")
    assert row.current == Place("card", 2)
    qtbot.keyClick(row, Qt.Key.Key_Left, CONTROL)
    assert chain(view).parts[:3] == ("add", "rmsnorm", "scale")
    qtbot.keyClick(row, Qt.Key.Key_Delete)
    assert chain(view).parts == ("add", "scale", "silu", "mul", "dropout")
    view.session.undo_stack.undo()
    assert len(chain(view).parts) == 6


def test_delete_on_a_joint_removes_nothing(view, qtbot) -> None:
    row = view.body.row
    click(qtbot, view, Place("joint", 0))
    view.session.undo_stack.undo()
    before = view.session.study
    qtbot.keyClick(row, Qt.Key.Key_Delete)
    assert view.session.study is before
    shortcut = QKeyEvent(QEvent.Type.ShortcutOverride, Qt.Key.Key_Delete, NONE)
    shortcut.ignore()
    QApplication.sendEvent(row, shortcut)
    assert shortcut.isAccepted()  # the window's own Delete must not take the whole chain


def test_the_only_card_stays(qtbot, qapp) -> None:
    made_, id_ = with_new_chain(study(), parse_chain("add"))
    view = opened(qtbot, made_, id_)
    click(qtbot, view, Place("card", 0))
    qtbot.keyClick(view.body.row, Qt.Key.Key_Delete)
    assert chain(view).parts == ("add",)


def test_the_menu_of_a_card_writes_its_result(view) -> None:
    row = view.body.row
    row.menu.fill(0)
    action(row.menu, "Also write its result").trigger()
    assert chain(view).parts[0] == "add!"
    assert view.body.tall.readouts[1].number == "7.52"  # one tensor of 1.07 GB more than 6.44 GB
    row.menu.fill(0)
    assert action(row.menu, "Also write its result").isChecked()
    action(row.menu, "Also write its result").trigger()
    assert chain(view).parts[0] == "add"


def action(menu, text):
    return next(one for one in menu.actions() if one.text() == text)


def test_names_of_inputs_are_typed_on_the_card(view, qtbot) -> None:
    row = view.body.row
    row.menu.fill(4)
    action(row.menu, "Name its other inputs…").trigger()
    assert row.names.isVisible()
    row.names.setText("7 up")
    qtbot.keyClick(row.names, Qt.Key.Key_Return)
    assert row.names.isVisible()
    assert row.names.property("state") == "error"
    assert chain(view).parts[4] == "mul"
    row.names.setText("v")
    qtbot.keyClick(row.names, Qt.Key.Key_Return)
    assert not row.names.isVisible()
    assert chain(view).parts[4] == "mul(v)"


def test_escape_leaves_the_names_as_they_were(view, qtbot) -> None:
    row = view.body.row
    qtbot.mouseDClick(row, LEFT, pos=row.places.cards[0].center().toPoint())
    assert row.names.isVisible()
    qtbot.keyClicks(row.names, "r")
    qtbot.keyClick(row.names, Qt.Key.Key_Escape)
    assert not row.names.isVisible()
    assert chain(view).parts[0] == "add"


# The chain as a text, and its fields --------------------------------------------------------------------------------


def test_the_chain_is_typed(view, qtbot) -> None:
    edit = view.body.text.edit
    assert edit.text() == "add + rmsnorm + scale | silu + mul + dropout"
    edit.setText("x -> layernorm + gelu + add(x)")
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert chain(view).parts == ("x -> layernorm", "gelu", "add(x)")
    assert view.body.tall.readouts[5].number == "3.50"
    view.session.undo_stack.undo()
    assert edit.text() == "add + rmsnorm + scale | silu + mul + dropout"


@pytest.mark.parametrize(("text", "reason"), [("add + ", "an operator is missing"), ("add + gelo", "gelo")])
def test_what_cannot_be_read_stays_with_the_reason_below(view, qtbot, text, reason) -> None:
    edit = view.body.text.edit
    edit.setText(text)
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert edit.text() == text
    assert view.body.text.message.isVisible()
    assert reason in view.body.text.message.text()
    assert len(chain(view).parts) == 6
    qtbot.keyClick(edit, Qt.Key.Key_Escape)
    assert edit.text() == "add + rmsnorm + scale | silu + mul + dropout"
    assert not view.body.text.message.isVisible()


def test_a_chain_that_does_not_fit_keeps_its_cards_and_says_why(view, qtbot) -> None:
    edit = view.body.text.edit
    edit.setText("add + softmax | silu(width=7)")
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert chain(view).parts == ("add", "softmax", "silu(width=7)")
    assert len(view.bench.cards) == 3
    assert view.body.refusal.isVisible()
    assert view.bench.cards[1].fault in view.body.row.words_of(Place("card", 1))
    assert view.body.row.current == Place("card", 1)
    view.session.undo_stack.undo()
    assert not view.body.refusal.isVisible()


def test_sizes_and_format_are_those_of_the_entry(view, qtbot) -> None:
    fields = view.body.fields
    assert list(fields.edits) == ["tokens", "width"]
    edit = fields.edits["tokens"]
    edit.setText("32768")
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert view.session.study.entries[0].parameters["tokens"] == 32768
    assert view.body.tall.readouts[1].number == "3.22"
    fields.dtype.chosen.emit("fp32")
    assert view.session.study.entries[0].dtypes == {"all": "fp32"}
    assert view.body.tall.readouts[1].number == "6.44"


def test_a_product_has_its_own_sizes(qtbot, qapp) -> None:
    view = opened(qtbot, *made("epilogue"))
    assert list(view.body.fields.edits) == ["m", "n", "k", "batch"]


# What a chain begins with -------------------------------------------------------------------------------------------


def test_an_example_is_taken_from_the_menu(qtbot, qapp) -> None:
    view = opened(qtbot, study(gemm()))
    action(view.empty.menu, "Residual block tail, all split").trigger()
    assert chain(view).cuts == (0, 1, 2, 3, 4)
    assert view.session.study.entries[-1].parameters == {"tokens": 65536, "width": 8192}
    assert [one.number for one in view.body.tall.readouts] == ["6", "15.0", "8.05", "0.536", "4.49", "1.00"]


def test_a_layer_offers_its_chains(qtbot, qapp) -> None:
    layer = Entry(
        "layer-1", "transformer_layer", parameters={"width": 4096, "seq": 2048, "batch": 1}, label="Layer"
    )
    view = opened(qtbot, study(layer), "layer-1")
    assert view.empty.layer.isVisible()
    action(view.empty.layer_menu, "add + norm").trigger()
    assert chain(view).parts == ("add", "rmsnorm")
    assert view.session.study.entries[-1].parameters == {"tokens": 2048, "width": 4096}
    view.session.select("layer-1")
    assert view.body.head.layer.isVisible()
    view.session.select(None)
    assert not view.body.head.layer.isVisible()


def test_the_selected_operator_is_appended(qtbot, qapp) -> None:
    gelu = Entry("gelu-1", "gelu", parameters={"tokens": 16, "width": 16}, label="GELU")
    made_, _ = made("tail", gelu)
    view = opened(qtbot, made_, "gelu-1")
    assert view.body.head.add.text() == "Add GELU"
    qtbot.mouseClick(view.body.head.add, LEFT)
    assert chain(view).parts[-1] == "gelu"
    assert view.bench.chain is not None  # with the sizes of the chain


def test_a_chain_begins_with_the_selected_operator(qtbot, qapp) -> None:
    view = opened(qtbot, study(gemm(m=512)), "gemm-1")
    assert view.empty.menu.from_selection.text() == "New chain from GEMM"
    view.empty.menu.from_selection.trigger()
    assert chain(view).parts == ("gemm",)
    assert view.session.study.entries[-1].parameters == {"m": 512, "n": 4096, "k": 4096}


# Which chain --------------------------------------------------------------------------------------------------------


def test_the_selected_chain_is_on_the_bench_and_the_drop_down_selects(qtbot, qapp) -> None:
    made_, first = made("tail")
    made_, second = with_new_chain(made_, parse_chain("relu | relu"), label="Twice")
    view = opened(qtbot, made_, first)
    assert view.bench.row.entry.id == first
    view.session.select(second)
    assert view.bench.row.entry.id == second
    view.session.select(None)
    assert view.bench.row.entry.id == second
    view.corner.entries.chosen.emit(first)
    assert view.session.selection == first
    assert view.session.study.panels["fusion"] == {"chain": "chain-1"}
    assert view.bench.row.entry.id == first


def test_a_study_says_which_chain_is_on_the_bench(qtbot, qapp) -> None:
    made_, _ = made("tail")
    made_, second = with_new_chain(made_, parse_chain("relu | relu"), label="Twice")
    view = opened(qtbot, made_.with_panel("fusion", {"chain": "chain-2"}))
    assert view.bench.row.entry.id == second


def test_a_chain_that_cannot_be_used_says_why(qtbot, qapp) -> None:
    made_, id_ = with_new_chain(study(), parse_chain("acme.fancy + relu"), label="Foreign")
    view = opened(qtbot, made_, id_)
    title, sentence = view.empty.state.texts()
    assert title == "Foreign cannot be shown"
    assert "acme.fancy" in sentence
    assert chain(view).parts == ("acme.fancy", "relu")


def test_without_a_machine_it_says_so(qtbot, qapp) -> None:
    made_, id_ = made()
    view = opened(qtbot, made_.without_machine(H100), id_)
    assert "no machine" in view.empty.state.texts()[1]


# The rest -----------------------------------------------------------------------------------------------------------


def test_the_drawn_chain_is_kept_as_a_variant(view, qtbot) -> None:
    base = view.session.study.entries[0].id
    qtbot.mouseClick(view.body.head.keep, LEFT)
    variant = view.session.study.entries[1]
    assert variant.variant_of == base
    assert chain(view, 1).cuts == (2,)
    assert view.session.selection == variant.id
    # It is on the bench now; cutting it leaves the baseline as it is.
    qtbot.mouseClick(view.body.head.fuse, LEFT)
    assert (chain(view, 0).cuts, chain(view, 1).cuts) == ((2,), ())


def test_a_hidden_chain_is_placed_on_the_canvas(view, qtbot) -> None:
    assert not view.body.head.place.isVisible()
    id_ = view.session.study.entries[0].id
    view.session.change_entry(id_, "Hide", visible=False)
    assert view.body.head.place.isVisible()
    qtbot.mouseClick(view.body.head.place, LEFT)
    assert view.session.study.entries[0].visible
    assert not view.body.head.place.isVisible()


def test_the_block_of_the_live_state_is_a_setting_of_the_bench(view, qtbot) -> None:
    edit = view.body.notes.elements
    edit.setText("32")
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert view.session.study.panels["fusion"] == {"elements_per_thread": 32}
    assert "Spill warning" in view.body.notes.box.note().text
    edit.setText("0")
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert edit.message()
    view.session.undo_stack.undo()
    assert view.session.study.panels.get("fusion") is None
    assert "Spill warning" not in view.body.notes.box.note().text


def test_the_command_gives_the_same_chain(view, qtbot) -> None:
    qtbot.mouseClick(view.corner.copy_button, LEFT)
    assert QGuiApplication.clipboard().text() == (
        "rooflinestudio fuse 'add + rmsnorm + scale | silu + mul + dropout' tokens=65536 width=8192 "
        f"--on {H100} --dtype bf16"
    )
    assert view.inside.notices.told == ["Command of the chain"]


def test_bars_have_a_segment_for_each_kernel(view) -> None:
    segments = view.body.bars.segments()
    counts = {id_: sum(bar.id == id_ for bar, _, _ in segments) for id_ in ("split", "drawn", "fused")}
    assert counts == {"split": 6, "drawn": 2, "fused": 1}
    widths = {id_: sum(rect.width() for bar, _, rect in segments if bar.id == id_) for id_ in counts}
    assert widths["drawn"] / widths["split"] == pytest.approx(6 / 14, rel=1e-3)
    assert widths["fused"] / widths["split"] == pytest.approx(4 / 14, rel=1e-3)


def test_the_small_roof_keeps_its_axes_while_the_chain_is_cut(view, qtbot) -> None:
    before = view.body.roof.scene
    assert [one.name for one in before.markers] == ["all split", "all fused", "as drawn"]
    click(qtbot, view, Place("joint", 0))
    after = view.body.roof.scene
    assert after.home_range == before.home_range
    assert after.markers[-1].log_x < before.markers[-1].log_x
    qtbot.mouseClick(view.body.head.fuse, LEFT)
    assert [one.name for one in view.body.roof.scene.markers] == ["all split", "as drawn, all fused"]


def test_a_chain_without_work_has_bars_and_no_place_on_the_roof(qtbot, qapp) -> None:
    made_, id_ = with_new_chain(study(), parse_chain("cast + transpose"))
    view = opened(qtbot, made_, id_)
    assert view.bench.chain is not None
    assert view.body.bars.isVisible()
    assert not view.body.roof.isVisible()
    assert view.body.tall.readouts[3].number == "0"


def test_a_forecast_counts_launches_that_are_saved(qtbot, qapp) -> None:
    view = opened(qtbot, *made("tail", forecast=True))
    assert view.body.tall.readouts[0].below == "was 6, 12.0 µs of launches saved"
    assert view.body.tall.readouts[4].caption == "time, forecast"


def test_it_does_nothing_while_it_is_hidden(view) -> None:
    shown = view.bench
    view.hide()
    view.edits._view.chainCutsRequested.emit("Fuse", shown.row.entry.id, ())
    assert view.bench is shown
    view.show()
    assert view.bench.spec.cuts == (False,) * 5


def test_a_small_tab_shows_cards_and_the_figures_in_a_line(qtbot, qapp, inter) -> None:
    view = opened(qtbot, *made(), size=(560, 204))  # 34 of them are the corner, which the tab row takes
    body = view.body
    assert body.head.line.isVisible()
    assert not body.tall.isVisible()
    captions = [one.caption for one in body.head.line.shown()]
    assert "time, bound" in captions and "speed-up over all split" in captions
    bottom = body.row.mapTo(view, QPoint(0, body.row.height())).y()
    assert bottom <= view.height()
    assert body.row.minimumWidth() > 560  # the cards scroll, they are not squeezed
    for at in range(6):
        body.row.set_current(Place("card", at))
        x = body.row.mapTo(view, body.row.places.cards[at].center().toPoint()).x()
        assert 0 < x < 560


def test_wide_cards_fill_the_centre_without_scrolling(qtbot, qapp) -> None:
    view = opened(qtbot, *made(), size=(1560, 860))
    places = view.body.row.places
    assert places.width == pytest.approx(view.body.row.width())
    assert view.body._area.verticalScrollBar().maximum() == 0
    assert view.body.tall.isVisible()


@pytest.mark.parametrize("size", [(560, 204), (1560, 860)])
def test_controls_have_names_and_both_themes_are_painted(qtbot, qapp, size) -> None:
    view = opened(qtbot, *made(), size=size)
    for name in (
        "cards",
        "readouts",
        "bars",
        "roof",
        "chain_text",
        "dtype",
        "entry",
        "new",
        "copy",
        "threads",
    ):
        widget = view.findChild(QWidget, f"fusion.{name}")
        assert widget is not None and widget.accessibleName(), name
    settled()
    light = view.body.grab().toImage()
    apply_theme(qapp, DARK)
    view.set_theme(DARK)
    dark = view.body.grab().toImage()
    apply_theme(qapp, LIGHT)
    view.set_theme(LIGHT)
    assert (
        dark.pixelColor(3, view.body.height() - 3).lightness()
        < light.pixelColor(3, view.body.height() - 3).lightness()
    )
    settled()
    assert view.body.grab().toImage() == light
