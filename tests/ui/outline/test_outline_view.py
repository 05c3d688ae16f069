from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLineEdit

from rooflinestudio.core.measurement import MeasurementFile
from rooflinestudio.core.measurement_overlay import Overlay
from rooflinestudio.core.series.settings import SERIES_SLOTS
from rooflinestudio.core.study import Entry, Study
from rooflinestudio.ui.outline.delegate import eye_rect
from rooflinestudio.ui.outline.model import OutlineModel
from rooflinestudio.ui.outline.nodes import (
    KERNELS_SHOWN,
    EntryNode,
    FileNode,
    GroupNode,
    KernelNode,
    MoreNode,
)
from rooflinestudio.ui.outline.view import OutlineView
from tests.ui.widgets.studies import (
    A100,
    H100,
    example,
    hundred,
    long_name,
    measurement,
    placed,
    with_overlay,
)

REFUSED = "gemm: m = 0 must lie between 1 and"


@pytest.fixture
def view(qtbot):
    made = OutlineView()
    qtbot.addWidget(made)
    made.set_machine(H100)
    made.set_placed(placed(with_overlay(example())))
    made.resize(264, 460)
    made.show()
    qtbot.waitExposed(made)
    made.heard = []
    for name in (
        "selectRequested", "visibilityRequested", "renameRequested", "removeRequested", "duplicateRequested",
        "colourRequested", "groupRequested", "overlayRemoveRequested", "tableRequested",
    ):  # fmt: skip
        getattr(made, name).connect(lambda *args, name=name: made.heard.append((name, *args)))
    return made


def nodes(view):
    return [view.model.node(index) for index in view.model.indexes()]


def node_of(view, kind, **wanted):
    return next(
        one
        for one in nodes(view)
        if isinstance(one, kind) and all(getattr(one, key) == value for key, value in wanted.items())
    )


def row_of(view, entry_id):
    return view.tree.visualRect(view.model.index_of_selection(entry_id))


def click(view, qtbot, point, button=Qt.MouseButton.LeftButton):
    qtbot.mouseClick(view.tree.viewport(), button, pos=point)


# What it shows


def test_the_model_keeps_the_rules_of_models(qtbot, qtmodeltester):
    model = OutlineModel()
    model.set_placed(placed(with_overlay(example())), H100)
    qtmodeltester.check(model)
    model.set_placed(placed(Study()))
    qtmodeltester.check(model)


def test_entries_without_a_group_come_first_then_groups_then_files(view):
    top = [view.model.node(view.model.index(row, 0)) for row in range(view.model.rowCount())]
    assert [type(one) for one in top] == [EntryNode] * 4 + [GroupNode] * 2 + [FileNode]
    assert [one.name for one in top[4:]] == ["Llama 70B layer", "Decode", "layer.csv"]
    assert top[4].entries == ("gemm-1", "attention-1")


def test_an_entry_shows_its_time_on_the_strong_machine(view):
    # 2·4096³ FLOP / 989.4 TFLOP/s on the H100, / 312 TFLOP/s on the A100
    assert node_of(view, EntryNode, id="gemm-1").time == "139 µs"
    view.set_placed(placed(example(machines=(H100, A100))))
    view.set_machine(A100)
    assert node_of(view, EntryNode, id="gemm-1").time == "441 µs"


def test_a_refused_entry_says_why_in_a_second_line(view):
    node = node_of(view, EntryNode, id="gemm-3")
    assert node.state == "refused"
    assert node.reason.startswith(REFUSED)
    assert row_of(view, "gemm-3").height() > row_of(view, "gemm-2").height() == 26
    index = view.model.index_of_selection("gemm-3")
    assert REFUSED in view.model.data(index, Qt.ItemDataRole.ToolTipRole)
    assert REFUSED in view.model.data(index, Qt.ItemDataRole.AccessibleTextRole)


def test_an_entry_of_a_missing_plugin_names_it(view):
    node = node_of(view, EntryNode, id="flash-1")
    assert node.state == "unavailable"
    assert "acme-kernels 0.3" in node.reason


def test_a_kernel_stands_below_its_entry_and_in_its_file(view):
    below = node_of(view, KernelNode, entry="gemm-1")
    assert (below.time, below.slot) == ("196 µs", 0)
    assert below.name == long_name.removeprefix("void ")
    inside = [one for one in nodes(view) if isinstance(one, KernelNode) and not one.entry]
    assert [one.time for one in inside] == ["196 µs", "71.0 µs", "5.00 µs"]
    assert inside[1].reason == "No FLOP counter was collected."


@pytest.mark.parametrize(("time_s", "words"), [(196e-6, "196 µs"), (5e-6, "5.00 µs")])
def test_words_of_a_kernel_are_those_of_its_own_overlay(qtbot, time_s, words):
    models = [OutlineModel(), OutlineModel()]
    for model, scale in zip(models, (3, 1), strict=True):  # two overlays of one digest
        model.set_placed(placed(with_overlay(example(), measurement(0, words, time_s=time_s * scale))))
    found = [one for one in map(models[1].node, models[1].indexes()) if isinstance(one, KernelNode)]
    assert {(one.name, one.time) for one in found} == {(words, words)}


def test_a_file_with_many_kernels_shows_some_and_counts_the_rest(view):
    many = [measurement(n, f"kernel_{n}") for n in range(KERNELS_SHOWN + 7)]
    view.set_placed(placed(with_overlay(example(), *many, paired=False)))
    assert node_of(view, FileNode).count == KERNELS_SHOWN + 7
    assert node_of(view, MoreNode).count == 7


def test_a_file_stays_closed_until_it_is_opened(view, qtbot):
    file = next(index for index in view.model.indexes() if isinstance(view.model.node(index), FileNode))
    assert not view.tree.isExpanded(file)
    view.tree.scrollTo(file)
    click(view, qtbot, view.tree.visualRect(file).center())
    assert view.tree.isExpanded(file)


def test_an_empty_study_says_what_will_stand_here(view):
    view.set_placed(placed(Study()))
    assert view._empty.isVisible()
    assert view._empty.texts()[0] == "Nothing placed yet"


def test_a_hundred_entries_are_a_hundred_rows(view):
    view.set_placed(placed(hundred()))
    assert view.model.rowCount() == 100


def test_other_figures_keep_the_rows_and_what_is_closed(view):
    head = view.model.index_of_group("Decode")
    view.tree.collapse(head)
    resets = []
    view.model.modelReset.connect(lambda: resets.append(True))
    study = with_overlay(example())
    study = study.replacing(replace(study.entry("gemm-1"), parameters={"m": 8192}))
    view.set_placed(placed(study))
    assert node_of(view, EntryNode, id="gemm-1").time == "278 µs"
    assert resets == []
    assert not view.tree.isExpanded(view.model.index_of_group("Decode"))


def test_another_entry_keeps_what_is_closed(view):
    view.tree.collapse(view.model.index_of_group("Decode"))
    view.set_placed(placed(example(extra=(Entry("add-1", "add", label="Add", group="Decode"),))))
    assert not view.tree.isExpanded(view.model.index_of_group("Decode"))
    assert view.tree.isExpanded(view.model.index_of_group("Llama 70B layer"))


# Selection, both ways


def test_a_click_on_a_row_asks_for_its_entry(view, qtbot):
    click(view, qtbot, row_of(view, "attention-1").center())
    assert view.heard == [("selectRequested", "attention-1")]


def test_a_click_on_a_kernel_asks_for_it(view, qtbot):
    point = row_of(view, ("measured", "a" * 64, 0)).center()
    click(view, qtbot, point)
    assert view.heard == [("selectRequested", ("measured", "a" * 64, 0))]


def test_a_selection_from_elsewhere_is_marked_and_asks_for_nothing(view):
    view.set_selection("attention-1")
    assert view.model.node(view.tree.currentIndex()).id == "attention-1"
    assert view.tree.selectionModel().isSelected(view.tree.currentIndex())
    view.set_selection(None)
    assert not view.tree.selectionModel().hasSelection()
    assert view.heard == []


def test_the_selection_survives_a_study_with_other_rows(view):
    view.set_selection("adam-1")
    view.set_placed(placed(example(extra=(Entry("add-1", "add", label="Add"),))))
    assert view.model.node(view.tree.currentIndex()).id == "adam-1"
    assert view.heard == []


def test_arrow_keys_ask_for_the_next_entry(view, qtbot):
    view.set_selection("adam-1")
    view.tree.setFocus()
    qtbot.keyClick(view.tree, Qt.Key.Key_Down)
    assert view.heard == [("selectRequested", "cast-1")]


def test_a_click_into_the_empty_space_selects_nothing(view, qtbot):
    view.set_placed(
        placed(Study(entries=example().entries[:1], profiles=example().profiles, view=example().view))
    )
    view.set_selection("gemm-1")
    click(view, qtbot, QPoint(100, 400))
    assert view.heard == [("selectRequested", None)]


def test_an_entry_in_a_closed_group_is_shown_when_it_is_selected(view):
    view.tree.collapse(view.model.index_of_group("Decode"))
    view.set_selection("gemm-2")
    assert view.tree.isExpanded(view.model.index_of_group("Decode"))


# Eye, name, keys, menu


def test_a_click_on_the_eye_hides_and_selects_nothing(view, qtbot):
    point = eye_rect(row_of(view, "gemm-1")).center().toPoint()
    click(view, qtbot, point)
    assert view.heard == [("visibilityRequested", ("gemm-1",), False)]


def test_a_click_on_the_crossed_eye_shows_again(view, qtbot):
    click(view, qtbot, eye_rect(row_of(view, "cast-1")).center().toPoint())
    assert view.heard == [("visibilityRequested", ("cast-1",), True)]


def test_space_is_the_eye_of_the_current_row(view, qtbot):
    view.set_selection("adam-1")
    view.tree.setFocus()
    qtbot.keyClick(view.tree, Qt.Key.Key_Space)
    assert view.heard == [("visibilityRequested", ("adam-1",), False)]


def test_f2_edits_the_name_in_place(view, qtbot):
    view.set_selection("adam-1")
    view.tree.setFocus()
    qtbot.keyClick(view.tree, Qt.Key.Key_F2)
    editor = view.tree.findChild(QLineEdit, "outline.rename")
    assert editor.text() == "Adam, 7 B parameters"
    editor.setText("  Adam,   70 B ")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: view.heard == [("renameRequested", "adam-1", "Adam, 70 B")])
    assert node_of(view, EntryNode, id="adam-1").label == "Adam, 7 B parameters"  # until the study says so


def test_an_empty_or_unchanged_name_renames_nothing(view, qtbot):
    for text in ("   ", "Adam, 7 B parameters"):
        view.start_rename("adam-1")
        editor = view.tree.findChild(QLineEdit, "outline.rename")
        editor.setText(text)
        qtbot.keyClick(editor, Qt.Key.Key_Return)
        qtbot.waitUntil(lambda: view.tree.findChild(QLineEdit, "outline.rename") is None)
    assert view.heard == []


def test_delete_asks_for_removal(view, qtbot):
    view.set_selection("adam-1")
    view.tree.setFocus()
    qtbot.keyClick(view.tree, Qt.Key.Key_Delete)
    assert view.heard == [("removeRequested", ("adam-1",))]


def trigger(view, node, *path):
    menu = view.context_menu(node)
    for word in path[:-1]:
        menu = next(action.menu() for action in menu.actions() if action.text() == word)
    next(action for action in menu.actions() if action.text() == path[-1]).trigger()


@pytest.mark.parametrize(
    ("path", "wish"),
    [
        (("Duplicate",), ("duplicateRequested", "gemm-1")),
        (("Hide",), ("visibilityRequested", ("gemm-1",), False)),
        (("Remove",), ("removeRequested", ("gemm-1",))),
        (("Colour", "Teal"), ("colourRequested", "gemm-1", 2)),
        (("Group", "None"), ("groupRequested", ("gemm-1",), "")),
        (("Group", "Decode"), ("groupRequested", ("gemm-1",), "Decode")),
        (("Group", "New group"), ("groupRequested", ("gemm-1",), "Group 1")),
    ],
)
def test_the_menu_of_an_entry_asks_for_what_it_says(view, path, wish):
    trigger(view, node_of(view, EntryNode, id="gemm-1"), *path)
    assert view.heard == [wish]


def test_the_menu_marks_colour_and_group_of_the_entry(view):
    menu = view.context_menu(node_of(view, EntryNode, id="gemm-1"))
    colours, groups = (
        next(action.menu() for action in menu.actions() if action.text() == word)
        for word in ("Colour", "Group")
    )
    assert [action.text() for action in colours.actions() if action.isChecked()] == ["Blue"]
    assert [action.text() for action in groups.actions() if action.isChecked()] == ["Llama 70B layer"]


def test_a_group_is_hidden_dissolved_and_removed_as_a_whole(view):
    ids = ("gemm-1", "attention-1")
    for word in ("Hide all", "Dissolve the group", "Remove all"):
        trigger(view, node_of(view, GroupNode, name="Llama 70B layer"), word)
    assert view.heard == [
        ("visibilityRequested", ids, False),
        ("groupRequested", ids, ""),
        ("removeRequested", ids),
    ]


def test_a_new_group_is_named_at_once(view, qtbot):
    def answer(ids, name):
        study = example()
        view.set_placed(placed(study.replacing(replace(study.entry(ids[0]), group=name))))

    view.groupRequested.connect(answer)
    view.request_new_group(("adam-1",))
    editor = view.tree.findChild(QLineEdit, "outline.rename")
    assert editor.text() == "Group 1"
    editor.setText("Optimizers")
    view.groupRequested.disconnect(answer)
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: view.heard[-1] == ("groupRequested", ("adam-1",), "Optimizers"))


def test_a_file_can_be_taken_away(view):
    trigger(view, node_of(view, FileNode), "Remove from the study")
    assert view.heard == [("overlayRemoveRequested", "a" * 64)]


def test_the_row_for_the_rest_leads_to_the_table(view, qtbot):
    many = [measurement(n, f"kernel_{n}") for n in range(KERNELS_SHOWN + 1)]
    view.set_placed(placed(with_overlay(Study(profiles=example().profiles), *many, paired=False)))
    view.tree.expandAll()
    more = list(view.model.indexes())[-1]
    view.tree.scrollTo(more)
    click(view, qtbot, view.tree.visualRect(more).center())
    assert view.heard == [("tableRequested", "a" * 64)]


def test_a_measured_kernel_cannot_be_renamed(view):
    index = view.model.index_of_selection(("measured", "a" * 64, 0))
    assert not view.model.flags(index) & Qt.ItemFlag.ItemIsEditable


def test_the_tree_has_a_name(view):
    assert view.tree.accessibleName() == "Study outline"


def test_the_columns_of_a_table_of_points_can_be_said_anew_and_those_of_other_files_not(view):
    study = with_overlay(example())
    (file,) = study.overlays
    view.overlayColumnsRequested.connect(lambda digest: view.heard.append(("columns", digest)))
    with pytest.raises(StopIteration):
        trigger(view, node_of(view, FileNode), "Change columns…")

    made = Overlay.from_file(MeasurementFile("a.csv", "points-csv", (), (measurement(0, "k"),), "c" * 64))
    view.set_placed(placed(replace(study, overlays=(made,), pairs=())))
    trigger(view, node_of(view, FileNode, name="a.csv"), "Change columns…")
    assert file.format != "points-csv"
    assert view.heard[-1] == ("columns", "c" * 64)


def test_of_two_files_each_kernel_has_the_colour_that_it_has_on_the_canvas(view):
    first, second = (
        Overlay.from_file(
            MeasurementFile(f"{name}.csv", "ncu-csv-long", (), (measurement(0, name),), name * 64)
        )
        for name in "bc"
    )
    study = replace(example(), pairs=(), entries=())

    def slots(*overlays):
        view.set_placed(placed(replace(study, overlays=overlays)))
        return [one.slot for one in nodes(view) if isinstance(one, KernelNode)]

    assert slots(first) == [None]  # one file alone is neutral
    assert slots(first, second) == [None, SERIES_SLOTS[0]]  # and of two the one from after has a colour
