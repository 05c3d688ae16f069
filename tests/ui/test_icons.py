from __future__ import annotations

import re
from collections import Counter
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QIcon, QPixmap

from rooflinestudio.ui import icons
from rooflinestudio.ui.icons import icon, icon_names, worn_theme
from rooflinestudio.ui.theme import DARK, LIGHT, apply_theme


@pytest.fixture
def themes(qapp):
    yield lambda theme: apply_theme(qapp, theme)
    apply_theme(qapp, LIGHT)


def colours(pixmap: QPixmap) -> set[str]:
    """Return the colour of most of the opaque pixels; at the rims it may be off by one."""
    image = pixmap.toImage()
    found = Counter(
        image.pixelColor(x, y).name()
        for x in range(image.width())
        for y in range(image.height())
        if image.pixelColor(x, y).alpha() == 255
    )
    return {found.most_common(1)[0][0]}


@pytest.mark.parametrize("name", icon_names())
def test_every_drawing_is_round_lines_without_fill_on_the_same_grid(name):
    root = ElementTree.fromstring(icons._source(name))

    assert root.get("viewBox") == "0 0 24 24"
    assert (root.get("fill"), root.get("stroke")) == ("none", "currentColor")
    assert (root.get("stroke-linecap"), root.get("stroke-linejoin")) == ("round", "round")
    assert float(root.get("stroke-width")) * 16 / 24 == pytest.approx(1.35)
    assert not re.search(r"#[0-9a-fA-F]{3,6}", icons._source(name))


@pytest.mark.parametrize("name", icon_names())
def test_every_drawing_leaves_ink_in_its_square(qapp, name):
    image = icon(name).pixmap(QSize(48, 48)).toImage()
    inked = sum(image.pixelColor(x, y).alpha() > 128 for x in range(48) for y in range(48))

    assert 20 < inked < 48 * 48 / 2


def test_an_icon_follows_the_theme_without_being_made_anew(themes):
    made = icon("table", "text2")
    assert colours(made.pixmap(QSize(48, 48))) == {LIGHT.qcolor("text2").name()}

    themes(DARK)

    assert worn_theme() is DARK
    assert colours(made.pixmap(QSize(48, 48))) == {DARK.qcolor("text2").name()}


def test_a_disabled_and_a_checked_icon_have_colours_of_their_own(qapp):
    made = icon("table")

    assert colours(made.pixmap(QSize(48, 48), QIcon.Mode.Disabled)) == {LIGHT.qcolor("disabled").name()}
    assert colours(made.pixmap(QSize(48, 48), QIcon.Mode.Normal, QIcon.State.On)) == {
        LIGHT.qcolor("accent_text").name()
    }


def test_an_unknown_name_is_answered_with_the_nearest():
    with pytest.raises(KeyError, match="'undo'"):
        icon("undoo")


def test_icons_survive_copies_and_detaching(qapp):
    for _ in range(200):
        made = QIcon(icon("save"))
        made.addPixmap(QPixmap(4, 4))
        assert not QIcon(made).pixmap(QSize(16, 16)).isNull()
