from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QMainWindow

from rooflinestudio.ui.action_table import ACTIONS
from rooflinestudio.ui.command_palette import CommandPalette
from rooflinestudio.ui.fuzzy import PaletteItem, fuzzy_match, ranked

OPERATORS = (
    PaletteItem("operator:gemm", "GEMM", "Matrix products", words="gemm"),
    PaletteItem("operator:attention", "Attention", "Attention", words="attention"),
    PaletteItem("operator:attention_decode", "Decode attention", "Attention", words="attention_decode"),
    PaletteItem("operator:rmsnorm", "RMSNorm", "Elementwise and norms", words="rmsnorm"),
)
ITEMS = (
    *(PaletteItem(f"action:{one.key.value}", one.title, one.menu.word) for one in ACTIONS),
    *OPERATORS,
)


def first(query):
    found = ranked(query, ITEMS)
    return found[0][0].id if found else None


@pytest.mark.parametrize(
    ("query", "id_"),
    [
        ("gemm", "operator:gemm"),
        ("gem", "operator:gemm"),
        ("att", "operator:attention"),
        ("dec att", "operator:attention_decode"),
        ("da", "operator:attention_decode"),
        ("OPEN S", "action:file.open"),
        ("expic", "action:file.export_picture"),
        ("und", "action:edit.undo"),
        ("imp", "action:measure.import"),
        ("rms", "operator:rmsnorm"),
    ],
)
def test_a_few_letters_find_what_is_meant(query, id_):
    assert first(query) == id_


def test_letters_must_come_in_order():
    assert fuzzy_match("mg", "GEMM") is None
    assert fuzzy_match("gm", "GEMM") is not None


def test_the_places_are_those_of_the_letters():
    _, places = fuzzy_match("dt", "Decode attention")
    assert "".join("Decode attention"[one] for one in places).lower() == "dt"


def test_a_run_at_the_start_of_a_word_beats_scattered_letters():
    assert fuzzy_match("att", "Decode attention")[0] > fuzzy_match("att", "Data bit")[0]


def test_what_cannot_be_done_now_comes_last():
    items = (PaletteItem("a", "Undo", enabled=False), PaletteItem("b", "Round number of doubts"))

    assert [item.id for item, _ in ranked("undo", items)] == ["b", "a"]


def test_a_word_of_the_description_finds_an_item_but_strewn_letters_do_not():
    items = (
        PaletteItem("a", "Fit", "View", words="Show the whole roofline."),
        PaletteItem("b", "Softmax", "Norms", words="softmax"),
        PaletteItem("c", "Dot product", "Vectors", words="sum of the products of two vectors"),
    )

    assert [item.id for item, _ in ranked("whole roof", items)] == ["a"]
    assert [item.id for item, _ in ranked("soft", items)] == ["b"]


def test_everything_is_listed_before_a_letter_is_typed():
    assert {item.id for item, _ in ranked("", ITEMS)} == {item.id for item in ITEMS}


@pytest.fixture
def palette(qtbot):
    window = QMainWindow()
    qtbot.addWidget(window)
    field = QLineEdit()
    window.setCentralWidget(field)
    window.resize(900, 600)
    items = [*ITEMS[:4], *OPERATORS, PaletteItem("off", "Undo", enabled=False)]
    palette = CommandPalette(window, lambda: items)
    window.show()
    field.setFocus()
    palette.open()
    palette.test_window, palette.test_field = window, field
    return palette


def test_typing_and_enter_choose_the_best(palette, qtbot):
    qtbot.keyClicks(palette.field, "gem")

    with qtbot.waitSignal(palette.chosen) as chosen:
        qtbot.keyClick(palette.field, Qt.Key.Key_Return)

    assert chosen.args == ["operator:gemm"]
    assert palette.isHidden()


def test_arrow_keys_walk_through_the_rows_and_around(palette, qtbot):
    qtbot.keyClicks(palette.field, "att")
    qtbot.keyClick(palette.field, Qt.Key.Key_Down)

    with qtbot.waitSignal(palette.chosen) as chosen:
        qtbot.keyClick(palette.field, Qt.Key.Key_Return)

    assert chosen.args == ["operator:attention_decode"]


def test_escape_closes_and_gives_the_focus_back(palette, qtbot):
    qtbot.keyClick(palette.field, Qt.Key.Key_Escape)

    assert palette.isHidden()
    assert palette.test_window.focusWidget() is palette.test_field


def test_what_cannot_be_done_is_not_chosen(palette, qtbot):
    qtbot.keyClicks(palette.field, "undo")

    with qtbot.assertNotEmitted(palette.chosen):
        qtbot.keyClick(palette.field, Qt.Key.Key_Return)

    assert not palette.isHidden()


def test_it_stays_inside_a_small_window(palette):
    palette.test_window.resize(420, 300)

    assert palette.test_window.rect().contains(palette.geometry())


def test_rows_are_read_out_with_their_place(palette):
    index = palette.rows.index(0)
    assert palette.rows.data(index, Qt.ItemDataRole.AccessibleTextRole).startswith("New study, File")


def test_the_model_keeps_the_contract_of_qt(palette, qtmodeltester):
    qtmodeltester.check(palette.rows)
