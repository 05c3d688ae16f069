from collections import Counter

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QAbstractItemModelTester

from rooflinestudio.ui.palette.model import OPERATOR_MIME, CategoryItem, OperatorItem, PaletteModel
from rooflinestudio.ui.palette.view import PaletteView, drag_pixmap
from rooflinestudio.ui.theme import DARK
from tests.ui.widgets.studies import operators


@pytest.fixture
def view(qtbot):
    made = PaletteView()
    qtbot.addWidget(made)
    made.set_operators(operators(foreign=("attention_decode",)), without_work=frozenset({"cast"}))
    made.resize(264, 500)
    made.show()
    qtbot.waitExposed(made)
    made.placed = []
    made.placeRequested.connect(made.placed.append)
    return made


def shown(view):
    return [item.id for category in view.model.categories for item in category.operators]


def centre(view, operator_id):
    index = view.model.operator_index(operator_id)
    view.tree.scrollTo(index)
    return view.tree.visualRect(index).center()


# Model


def test_the_model_keeps_the_rules_of_models(qtbot, qtmodeltester):
    model = PaletteModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.set_operators(operators())
    qtmodeltester.check(model)
    model.set_filter("norm")
    qtmodeltester.check(model)
    model.set_filter("no such thing")
    model.set_filter("")
    assert tester.model() is model


def test_every_operator_stands_under_its_category_with_a_count(view):
    heads = {category.name: len(category.operators) for category in view.model.categories}
    own = Counter(operator.category for operator, _ in operators())
    assert heads == own
    assert heads["Attention"] == 3
    assert set(shown(view)) == {operator.id for operator, _ in operators()}


def test_only_operators_can_be_dragged(view):
    head = view.model.index(0, 0)
    leaf = view.model.index(0, 0, head)
    assert not view.model.flags(head) & Qt.ItemFlag.ItemIsDragEnabled
    assert view.model.flags(leaf) & Qt.ItemFlag.ItemIsDragEnabled
    assert view.model.supportedDragActions() == Qt.DropAction.CopyAction


def test_a_drag_carries_the_id_of_the_operator(view):
    data = view.model.mimeData([view.model.operator_index("gemm")])
    assert bytes(data.data(OPERATOR_MIME)).decode() == "gemm"
    assert data.text() == "gemm"


def test_a_foreign_operator_says_whose_it_is(view):
    index = view.model.operator_index("attention_decode")
    assert view.model.data(index, Qt.ItemDataRole.AccessibleTextRole) == "Decode attention, from acme-kernels"
    assert "acme-kernels 0.3" in view.model.data(index, Qt.ItemDataRole.ToolTipRole)


def test_an_operator_without_arithmetic_says_so(view):
    index = view.model.operator_index("cast")
    assert view.model.data(index, Qt.ItemDataRole.AccessibleTextRole) == "Cast, no arithmetic"


# Search


@pytest.mark.parametrize("text", ["rms", "RMSNorm", "rmsnorm"])
def test_search_finds_by_label_and_id(view, qtbot, text):
    qtbot.keyClicks(view.search, text)
    assert shown(view) == ["rmsnorm"]


def test_search_finds_by_summary_and_wants_every_word(view, qtbot):
    qtbot.keyClicks(view.search, "cached token")
    assert shown(view) == ["attention_decode"]


def test_escape_clears_the_search(view, qtbot):
    everything = shown(view)
    qtbot.keyClicks(view.search, "gemm")
    qtbot.keyClick(view.search, Qt.Key.Key_Escape)
    assert view.search.text() == ""
    assert shown(view) == everything


def test_down_goes_to_the_first_hit_and_enter_places_it(view, qtbot):
    view.search.setFocus()
    qtbot.keyClicks(view.search, "decode")
    qtbot.keyClick(view.search, Qt.Key.Key_Down)
    assert view.tree.hasFocus()
    qtbot.keyClick(view.tree, Qt.Key.Key_Return)
    assert view.placed == ["attention_decode"]


def test_enter_in_the_search_places_the_first_hit(view, qtbot):
    qtbot.keyClicks(view.search, "adam")
    qtbot.keyClick(view.search, Qt.Key.Key_Return)
    assert view.placed == ["adam"]


def test_enter_in_an_empty_search_places_nothing(view, qtbot):
    qtbot.keyClick(view.search, Qt.Key.Key_Return)
    assert view.placed == []


def test_up_from_the_first_row_goes_back_to_the_search(view, qtbot):
    view.tree.setFocus()
    view.tree.setCurrentIndex(view.model.index(0, 0))
    qtbot.keyClick(view.tree, Qt.Key.Key_Up)
    assert view.search.hasFocus()


def test_a_search_without_a_hit_says_so(view, qtbot):
    qtbot.keyClicks(view.search, "bogosort")
    assert view._nothing.isVisible()
    assert view._nothing.texts() == (
        "Nothing found",
        "No operator matches “bogosort”. Esc clears the search.",
    )
    view.search.clear()
    assert view.tree.isVisible()


def test_without_any_operator_it_says_so(qtbot):
    empty = PaletteView()
    qtbot.addWidget(empty)
    empty.show()
    assert empty._nothing.texts()[0] == "No operators"
    assert empty._nothing.isVisible()


# Tree


def test_a_double_click_places_an_operator(view, qtbot):
    point = centre(view, "gemm")
    qtbot.mouseClick(view.tree.viewport(), Qt.MouseButton.LeftButton, pos=point)
    assert view.placed == []
    qtbot.mouseDClick(view.tree.viewport(), Qt.MouseButton.LeftButton, pos=point)
    assert view.placed == ["gemm"]


def test_a_click_on_a_heading_closes_and_opens_it(view, qtbot):
    head = view.model.index(1, 0)
    point = view.tree.visualRect(head).center()
    assert view.tree.isExpanded(head)
    qtbot.mouseClick(view.tree.viewport(), Qt.MouseButton.LeftButton, pos=point)
    assert not view.tree.isExpanded(head)
    qtbot.mouseClick(view.tree.viewport(), Qt.MouseButton.LeftButton, pos=point)
    assert view.tree.isExpanded(head)
    assert view.placed == []


def test_a_double_click_on_a_heading_leaves_it_as_it_was(view, qtbot):
    head = view.model.index(0, 0)
    viewport, point = view.tree.viewport(), view.tree.visualRect(head).center()
    qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=point)
    qtbot.mouseDClick(viewport, Qt.MouseButton.LeftButton, pos=point)
    assert view.tree.isExpanded(head)


def test_a_heading_that_was_closed_stays_closed_when_plugins_arrive(view, qtbot):
    head = view.model.index(1, 0)
    view.tree.collapse(head)
    view.set_operators(operators())
    assert not view.tree.isExpanded(view.model.index(1, 0))
    assert view.tree.isExpanded(view.model.index(0, 0))


def test_a_search_opens_everything_and_forgets_nothing(view, qtbot):
    view.tree.collapse(view.model.index(0, 0))
    qtbot.keyClicks(view.search, "a")
    assert all(view.tree.isExpanded(view.model.index(row, 0)) for row in range(view.model.rowCount()))
    view.search.clear()
    assert not view.tree.isExpanded(view.model.index(0, 0))


def test_space_on_a_heading_closes_it(view, qtbot):
    view.tree.setFocus()
    view.tree.setCurrentIndex(view.model.index(0, 0))
    qtbot.keyClick(view.tree, Qt.Key.Key_Space)
    assert not view.tree.isExpanded(view.model.index(0, 0))


def test_pulling_an_operator_starts_a_drag(view, qtbot, monkeypatch):
    started = []
    monkeypatch.setattr(
        view.tree, "startDrag", lambda actions: started.append(view.tree.selected_operator().id)
    )
    start, viewport = centre(view, "gemm"), view.tree.viewport()
    qtbot.mousePress(viewport, Qt.MouseButton.LeftButton, pos=start)
    for step in range(1, 8):
        qtbot.mouseMove(viewport, start + QPoint(6 * step, 4 * step))
    qtbot.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=start)
    assert started == ["gemm"]


def test_pulling_a_heading_starts_no_drag(view, qtbot, monkeypatch):
    executed = []
    monkeypatch.setattr("rooflinestudio.ui.palette.view.QDrag", lambda parent: executed.append(parent))
    view.tree.setCurrentIndex(view.model.index(0, 0))
    view.tree.startDrag(Qt.DropAction.CopyAction)
    assert executed == []


def test_the_picture_of_a_drag_is_as_wide_as_the_name(qapp):
    short, long = drag_pixmap("GEMM"), drag_pixmap("Language-model head")
    assert short.width() < long.width()
    assert short.height() == 26
    assert drag_pixmap("GEMM", 2.0).width() == pytest.approx(2 * short.width(), abs=1)


def test_rows_are_26_pixels_high(view):
    assert view.tree.visualRect(view.model.index(0, 0)).height() == 26


def test_search_and_tree_have_names(view):
    assert view.search.accessibleName() == "Search operators"
    face = QAccessible.queryAccessibleInterface(view.tree)
    assert face.text(QAccessible.Text.Name) == "Operator palette"


def test_a_theme_repaints_what_is_there(view):
    view.set_theme(DARK)
    item = view.model.item(view.model.index(0, 0))
    assert isinstance(item, CategoryItem)
    assert isinstance(view.model.item(view.model.operator_index("gemm")), OperatorItem)
