from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from rooflinestudio.core.examples import ExampleGroup, example_ids, find_example
from rooflinestudio.ui.gallery.dialog import GalleryDialog
from rooflinestudio.ui.gallery.model import ITEM, GalleryModel
from rooflinestudio.ui.theme import DARK, LIGHT
from tests.ui.shell_helpers import registry


@pytest.fixture
def gallery(qtbot):
    dialog = GalleryDialog(source=registry(), load_profile=registry().load_profile)
    qtbot.addWidget(dialog)
    dialog.resize(1060, 720)
    dialog.show()
    qtbot.waitExposed(dialog)
    asked = []
    dialog.exampleRequested.connect(asked.append)
    dialog.asked = asked
    return dialog


def centre_of(dialog, example_id):
    dialog.select(example_id)
    return dialog.list.visualRect(dialog.model.find(example_id)).center()


def test_all_examples_are_listed_under_their_headings():
    model = GalleryModel()
    items = [model.item(row) for row in range(model.rowCount())]

    assert [one.id for one in model.examples] == list(example_ids())
    assert isinstance(items[0], ExampleGroup)
    assert model.index(0).flags() == Qt.ItemFlag.NoItemFlags
    assert model.index(1).flags() & Qt.ItemFlag.ItemIsSelectable


def test_a_screen_reader_hears_title_line_and_source():
    model = GalleryModel()
    spoken = model.find("figure-07").data(Qt.ItemDataRole.AccessibleTextRole)
    example = find_example("figure-07")

    assert all(word in spoken for word in (example.refers, example.title, example.line))


def test_enter_in_the_search_field_opens_the_first_match(gallery, qtbot):
    qtbot.keyClicks(gallery.search, "fusion bench")
    qtbot.keyClick(gallery.search, Qt.Key.Key_Return)

    assert gallery.asked == ["lab-3"]
    assert not gallery.isVisible()


def test_a_double_click_opens_a_card(gallery, qtbot):
    place = centre_of(gallery, "figure-03")
    qtbot.mouseClick(gallery.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert gallery.asked == []
    qtbot.mouseDClick(gallery.list.viewport(), Qt.MouseButton.LeftButton, pos=place)

    assert gallery.asked == ["figure-03"]


def test_a_click_on_a_heading_selects_nothing(gallery, qtbot):
    gallery.select("figure-02")
    heading = gallery.list.visualRect(gallery.model.index(0)).center()
    qtbot.mouseClick(gallery.list.viewport(), Qt.MouseButton.LeftButton, pos=heading)
    qtbot.mouseDClick(gallery.list.viewport(), Qt.MouseButton.LeftButton, pos=heading)

    assert gallery.asked == []


def test_arrows_walk_through_the_cards_and_enter_opens(gallery, qtbot):
    qtbot.keyClick(gallery.search, Qt.Key.Key_Down)
    assert gallery.list.hasFocus() and gallery.selected() == "figure-01"
    qtbot.keyClick(gallery.list, Qt.Key.Key_Right)
    assert gallery.selected() == "figure-02"
    qtbot.keyClick(gallery.list, Qt.Key.Key_Left)
    assert gallery.selected() == "figure-01"
    qtbot.keyClick(gallery.list, Qt.Key.Key_Down)
    assert gallery.selected() == "figure-04"  # four cards in a row
    qtbot.keyClick(gallery.list, Qt.Key.Key_Down)
    assert gallery.selected() == "figure-06"  # over the next heading
    qtbot.keyClick(gallery.list, Qt.Key.Key_Return)

    assert gallery.asked == ["figure-06"]


def test_right_leads_past_a_heading_and_back(gallery, qtbot):
    gallery.select("lab-1")
    gallery.list.setFocus()
    qtbot.keyClick(gallery.list, Qt.Key.Key_Right)
    assert gallery.selected() == "figure-06"
    qtbot.keyClick(gallery.list, Qt.Key.Key_Left)
    assert gallery.selected() == "lab-1"


def test_the_button_opens_and_escape_does_not(gallery, qtbot):
    gallery.select("table-3")
    qtbot.mouseClick(gallery.open_button, Qt.MouseButton.LeftButton)
    assert gallery.asked == ["table-3"]

    gallery.show()
    qtbot.keyClick(gallery, Qt.Key.Key_Escape)
    assert gallery.asked == ["table-3"] and not gallery.isVisible()


def test_a_search_without_a_match_says_so_and_opens_nothing(gallery, qtbot):
    qtbot.keyClicks(gallery.search, "zzz")
    assert gallery.pages.currentWidget() is gallery.empty
    assert not gallery.open_button.isEnabled()
    qtbot.keyClick(gallery.search, Qt.Key.Key_Return)
    assert gallery.asked == [] and gallery.isVisible()

    gallery.search.clear()
    assert gallery.pages.currentWidget() is gallery.list
    assert gallery.selected() == example_ids()[0] and gallery.open_button.isEnabled()


def test_it_says_how_many_there_are_and_how_to_open_one_from_a_shell(gallery, qtbot):
    qtbot.keyClicks(gallery.search, "lab 4")

    assert gallery.choice.text() == "1 example · rooflinestudio --example lab-4"


def test_pictures_come_by_themselves_and_differ(gallery, qtbot):
    def picture(example_id, theme=LIGHT):
        return gallery.thumbnails.pixmap(example_id, theme, 1.0)

    qtbot.waitUntil(lambda: picture("figure-01") is not None and picture("figure-07") is not None)
    plane, curves = (picture(one).toImage() for one in ("figure-01", "figure-07"))

    assert plane != curves
    assert picture("figure-01", DARK).toImage() != plane
    assert picture("figure-01").toImage() == plane


def test_only_what_is_seen_is_read(gallery, qtbot):
    qtbot.waitUntil(lambda: gallery.thumbnails.pixmap("figure-01", LIGHT, 1.0) is not None)

    assert gallery.model.find("intensity-experts").data(ITEM).id not in gallery.thumbnails._sketches


def test_without_operators_it_lists_and_opens_all_the_same(qtbot):
    dialog = GalleryDialog()
    qtbot.addWidget(dialog)
    dialog.show()
    with qtbot.waitSignal(dialog.exampleRequested) as opened:
        qtbot.keyClick(dialog.search, Qt.Key.Key_Return)

    assert opened.args == ["figure-01"]
