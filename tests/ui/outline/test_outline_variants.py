"""Variants in the outline: below their baseline, with the ratio of times, closing with it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt

from rooflinestudio.core.study import Chain, Entry, Study, View
from rooflinestudio.ui.outline.delegate import chevron_rect
from rooflinestudio.ui.outline.nodes import EntryNode, GroupNode
from rooflinestudio.ui.outline.view import OutlineView
from rooflinestudio.ui.session import Session
from rooflinestudio.ui.variants.menu import VaryMenu
from tests.ui.widgets.studies import A100, H100, machine, placed, registry, with_overlay

# 4096 cubed at the ceiling: 139 µs in bf16 at 989 TFLOP/s; fp8 doubles the rate.
GEMM = Entry("gemm-1", "gemm", label="GEMM", group="Layer")
FP8 = replace(GEMM, id="gemm-2", label="GEMM: fp8", variant_of="gemm-1", dtypes={"all": "fp8"})
DOUBLE = replace(GEMM, id="gemm-3", label="Twice as long", variant_of="gemm-1", parameters={"m": 8192})
ADD = Entry("add-1", "add", label="Add", group="Layer")


def study(*entries, machines=(H100,), **more):
    return Study(
        entries=entries,
        profiles={id_: machine(id_) for id_ in machines},
        view=View(machines=machines),
        **more,
    )


@pytest.fixture
def view(qtbot):
    made = OutlineView()
    qtbot.addWidget(made)
    made.set_machine(H100)
    made.set_source(registry())
    made.set_placed(placed(study(GEMM, FP8, ADD, DOUBLE)))
    made.resize(264, 460)
    made.show()
    qtbot.waitExposed(made)
    return made


def index(view, id_):
    return view.model.index_of_selection(id_)


def node(view, id_):
    return view.model.node(index(view, id_))


def rows(view):
    return [one.id for one in map(view.model.node, view.model.indexes()) if isinstance(one, EntryNode)]


def chevron(view, id_) -> QPoint:
    return chevron_rect(view.tree.visualRect(index(view, id_)).toRectF()).center().toPoint()


def test_variants_stand_below_their_baseline_in_the_order_of_the_study(view):
    assert rows(view) == ["gemm-1", "gemm-2", "gemm-3", "add-1"]
    assert view.model.parent(index(view, "gemm-3")) == index(view, "gemm-1")
    assert node(view, "gemm-1").has_variants and not node(view, "add-1").has_variants


def test_a_variant_shows_its_ratio_and_speaks_of_both(view):
    assert [node(view, id_).ratio_words for id_ in ("gemm-1", "gemm-2", "gemm-3")] == [
        "",
        "2.00× faster",
        "2.00× slower",
    ]
    tip = view.model.data(index(view, "gemm-2"), Qt.ItemDataRole.ToolTipRole)
    assert tip == "GEMM: fp8\n69.5 µs, 2.00× faster"
    spoken = view.model.data(index(view, "gemm-2"), Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "GEMM: fp8, variant, 69.5 µs, 2.00× faster"


def test_the_name_of_the_baseline_is_not_repeated_but_is_there_for_renaming(view):
    at = index(view, "gemm-2")

    assert view.model.data(at, Qt.ItemDataRole.DisplayRole) == "fp8"
    assert view.model.data(at, Qt.ItemDataRole.EditRole) == "GEMM: fp8"
    assert node(view, "gemm-3").short == "Twice as long"


def test_the_chevron_closes_and_opens_the_variants_without_selecting(view, qtbot):
    asked = []
    view.selectRequested.connect(asked.append)
    assert view.tree.isExpanded(index(view, "gemm-1"))

    qtbot.mouseClick(view.tree.viewport(), Qt.MouseButton.LeftButton, pos=chevron(view, "gemm-1"))
    assert not view.tree.isExpanded(index(view, "gemm-1"))
    assert view.tree.visualRect(index(view, "gemm-2")).isEmpty()
    assert asked == []

    qtbot.mouseClick(view.tree.viewport(), Qt.MouseButton.LeftButton, pos=chevron(view, "gemm-1"))
    assert view.tree.isExpanded(index(view, "gemm-1"))


def test_the_keyboard_closes_them_too(view, qtbot):
    view.tree.setFocus()
    view.tree.setCurrentIndex(index(view, "gemm-1"))
    qtbot.keyClick(view.tree, Qt.Key.Key_Left)
    assert not view.tree.isExpanded(index(view, "gemm-1"))
    qtbot.keyClick(view.tree, Qt.Key.Key_Right)
    assert view.tree.isExpanded(index(view, "gemm-1"))


def test_what_is_closed_stays_closed_when_figures_change(view):
    view.tree.collapse(index(view, "gemm-1"))
    view.set_placed(placed(study(replace(GEMM, parameters={"m": 8192}), FP8, ADD, DOUBLE)))

    assert not view.tree.isExpanded(index(view, "gemm-1"))
    # The baseline takes twice as long now: fp8 on the old size is four times as fast.
    assert node(view, "gemm-2").ratio_words == "4.00× faster"
    assert node(view, "gemm-3").ratio_words == "same time"


def test_a_group_counts_and_names_its_variants(view):
    group = next(one for one in map(view.model.node, view.model.indexes()) if isinstance(one, GroupNode))

    assert group.entries == ("gemm-1", "gemm-2", "gemm-3", "add-1")


def test_a_variant_in_another_group_or_of_a_variant_stands_for_itself(view):
    away = replace(FP8, group="Elsewhere")
    second = replace(FP8, id="gemm-4", variant_of="gemm-3")
    view.set_placed(placed(study(GEMM, away, DOUBLE, second)))

    assert view.model.node(view.model.parent(index(view, "gemm-2"))).name == "Elsewhere"
    assert node(view, "gemm-2").base == ""
    assert view.model.node(view.model.parent(index(view, "gemm-4"))).name == "Layer"


def test_a_variant_on_another_machine_is_held_against_the_first(view):
    there = replace(GEMM, id="gemm-2", label="GEMM: on A100", variant_of="gemm-1", machines=(A100,))
    view.set_placed(placed(study(GEMM, there, machines=(H100, A100))))

    # 989.4 TFLOP/s against 312.
    assert node(view, "gemm-2").ratio_words == "3.17× slower"


def test_a_kernel_held_against_a_variant_stands_below_it(view):
    whole = with_overlay(study(GEMM, FP8))
    pair = replace(whole.pairs[0], entry="gemm-2")
    view.set_placed(placed(replace(whole, pairs=(pair,))))

    at = index(view, ("measured", pair.overlay, 0))
    assert view.model.parent(at) == index(view, "gemm-2")
    assert view.model.node(at).depth == 2


def test_a_selected_part_marks_the_row_of_its_entry(view):
    view.set_selection(("part", "gemm-2", 3))

    assert view.tree.currentIndex() == index(view, "gemm-2")


def test_a_chain_without_a_name_is_called_by_its_id(view):
    chain = Chain("chain-1", ("add", "mul"))
    view.set_placed(placed(study(Entry("c", "chain:chain-1"), chains=(chain,))))

    assert node(view, "c").label == "chain-1"
    assert node(view, "c").state == "placed"


def test_the_context_menu_offers_variants_that_the_session_can_place(view):
    session = Session(registry(), study(GEMM, FP8, ADD, DOUBLE))
    view.variantRequested.connect(
        lambda entry, words: session.edit(
            words,
            session.study.adding(replace(entry, id=session.study.next_id("gemm")), after=entry.variant_of),
        )
    )
    menu = view.context_menu(node(view, "gemm-1"))
    vary = menu.findChild(VaryMenu)
    vary.aboutToShow.emit()
    tiled = next(one for one in vary.findChildren(object) if one.objectName() == "variants.policy.tiled")
    tiled.trigger()

    view.set_placed(session.placed)
    made = session.study.entry("gemm-4")
    assert (made.policy, made.variant_of) == ("tiled", "gemm-1")
    assert node(view, "gemm-4").short == "tiled"
    session.undo_stack.undo()
    assert not session.study.has_entry("gemm-4")
