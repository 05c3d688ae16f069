from __future__ import annotations

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton

from rooflinestudio.ui.notices import VISIBLE_LIMIT, Notice, NoticeArea


@pytest.fixture
def area(qtbot):
    area = NoticeArea(lifetime_ms=40)
    qtbot.addWidget(area)
    area.resize(700, 300)
    return area


def test_it_takes_no_room_while_there_is_nothing_to_tell(area):
    assert area.isHidden()


def test_a_notice_shows_what_happened_where_and_how_to_mend_it(area):
    area.tell("error", "x.study was not opened", "line 3: policy is 'tile'", "Write tiled.")

    assert not area.isHidden()
    assert area.notices == (
        Notice("error", "x.study was not opened", "line 3: policy is 'tile'", "Write tiled."),
    )
    assert (
        area.banners[0].accessibleDescription()
        == "x.study was not opened\nline 3: policy is 'tile'\nWrite tiled."
    )


def test_the_same_notice_again_counts_up_instead_of_piling_up(area):
    for _ in range(3):
        area.tell("error", "A plugin failed", "acme")

    assert len(area.notices) == 1
    assert area.banners[0].title_label.text() == "A plugin failed (3 times)"


def test_an_information_goes_by_itself_and_an_error_stays(area, qtbot):
    area.tell("info", "Saved")
    area.tell("error", "Not saved")

    qtbot.waitUntil(lambda: len(area.notices) == 1)

    assert area.notices[0].title == "Not saved"


def test_an_information_that_asks_something_stays(area, qtbot):
    area.tell("info", "Restore?", stays=True)
    area.tell("info", "Saved")

    qtbot.waitUntil(lambda: len(area.notices) == 1)

    assert area.notices[0].title == "Restore?"


def test_closing_the_last_one_gives_the_room_back(area):
    area.tell("error", "Not saved")

    area.banners[0].close_button.click()

    assert area.notices == ()
    assert area.isHidden()


def test_old_notices_make_room_for_new_ones(area):
    for number in range(VISIBLE_LIMIT + 2):
        area.tell("error", f"error {number}")

    assert [one.title for one in area.notices] == [
        f"error {number}" for number in range(2, VISIBLE_LIMIT + 2)
    ]


def test_a_button_does_its_work_and_closes_the_notice(area):
    done = []
    banner = area.tell("warn", "Unsaved edits", stays=True)
    button = banner.add_button("Restore", lambda: done.append("restored"))

    button.click()

    assert done == ["restored"]
    assert area.notices == ()


def test_a_long_text_is_shortened_and_copied_in_full(area):
    text = "\n".join(f"line {number}: wrong" for number in range(200))
    banner = area.tell("error", "x.study has 200 wrong values", text)
    copy = next(one for one in banner.findChildren(QPushButton) if one.text() == "Copy")

    copy.click()

    assert QGuiApplication.clipboard().text() == f"x.study has 200 wrong values\n{text}"
    assert area.notices  # it stays
    assert banner.sizeHint().height() < 250


def test_markup_in_a_file_is_shown_as_text(area):
    banner = area.tell("error", "<b>x</b>.study was not opened", "<img src=x>")

    assert banner.title_label.text() == "<b>x</b>.study was not opened"
    assert banner.title_label.textFormat().name == "PlainText"


def test_progress_shows_how_far_it_is_and_can_be_cancelled(area, qtbot):
    banner = area.start_progress("Reading big.csv")
    banner.set_progress(0.42)
    assert banner.bar.value() == 420

    with qtbot.waitSignal(banner.cancelRequested):
        banner.cancel_button.click()
    banner.dismiss()

    assert area.isHidden()
