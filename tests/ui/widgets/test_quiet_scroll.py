"""An area that only shows itself where there is not enough room."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from rooflinestudio.ui.widgets.quiet_scroll import QuietScroll


def made(qtbot, least, **options):
    content, page = QWidget(), QWidget()
    content.setMinimumSize(*least)
    area = QuietScroll(content, "Budget", **options)
    column = QVBoxLayout(page)
    column.addWidget(QPushButton("before"))
    column.addWidget(area)
    column.addWidget(QPushButton("after"))
    qtbot.addWidget(page)
    page.resize(300, 260)
    page.show()
    qtbot.waitExposed(page)
    return page, area


def test_it_scrolls_down_and_is_as_wide_as_there_is_room(qtbot):
    _page, area = made(qtbot, (100, 900))
    assert area.verticalScrollBar().isVisible() and not area.horizontalScrollBar().isVisible()
    assert area.widget().width() == area.viewport().width() and area.widget().height() == 900


def test_it_scrolls_across_and_is_as_high_as_there_is_room(qtbot):
    _page, area = made(qtbot, (900, 20), across=True)
    assert area.horizontalScrollBar().isVisible() and not area.verticalScrollBar().isVisible()
    assert area.widget().height() == area.viewport().height() and area.widget().width() == 900


def test_the_tab_key_passes_it_by(qtbot):
    page, area = made(qtbot, (100, 900))
    before, after = page.findChildren(QPushButton)
    before.setFocus()
    qtbot.keyClick(before, Qt.Key.Key_Tab)
    assert page.focusWidget() is after and area.accessibleName() == "Budget"
