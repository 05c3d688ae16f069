"""The colours keep what the design promises: contrast, slots that can be told apart, one source for all of Qt."""

from __future__ import annotations

import itertools
import re

import pytest
from PySide6.QtGui import QColor, QFont, QFontInfo, QPalette
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from rooflinestudio.ui.fonts import FONT_ROLES, font
from rooflinestudio.ui.theme import ASSETS, DARK, LIGHT, ThemeSwitch, apply_theme, set_role, set_state
from rooflinestudio.ui.tokens import BACKGROUNDS, BOUND_KINDS, COLOURS, SLOT_COLOURS
from tests.ui.colour_science import contrast, delta_e_2000, seen_by

THEMES = ("light", "dark")
SIGHT = ("normal", "protan", "deutan", "tritan")


def smallest_difference(colours, sight):
    return min(
        delta_e_2000(seen_by(a, sight), seen_by(b, sight)) for a, b in itertools.combinations(colours, 2)
    )


# ------------------------------------------------------------------------------------------- contrast

# The table of the design, recomputed: worst contrast over the backgrounds.
WORST_CONTRAST = {
    "light": {"text": 14.1, "text2": 7.4, "muted": 4.9, "ok": 4.7, "warn": 5.0, "error": 5.5},
    "dark": {"text": 12.5, "text2": 8.2, "muted": 5.3, "ok": 7.4, "warn": 7.9, "error": 6.1},
}


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("token", ["text", "text2", "muted", "ok", "warn", "error"])
def test_text_is_readable_on_every_background(theme, token):
    colours = COLOURS[theme]
    worst = min(contrast(colours[token], colours[background]) for background in BACKGROUNDS)

    assert worst == pytest.approx(WORST_CONTRAST[theme][token], abs=0.06)
    assert worst >= 4.5


@pytest.mark.parametrize("theme", THEMES)
def test_text_on_soft_backgrounds_and_fills_is_readable(theme):
    colours = COLOURS[theme]
    pairs = [
        ("muted", "accent_soft"),
        ("accent_text", "accent_soft"),
        ("text", "accent_soft"),
        ("on_accent", "accent"),
    ]
    pairs += [(kind, f"{kind}_soft") for kind in BOUND_KINDS]
    pairs += [("on_accent", f"{kind}_fill") for kind in BOUND_KINDS]
    pairs += [("text", f"{tone}_soft") for tone in ("ok", "warn", "error")]
    pairs += [(tone, f"{tone}_soft") for tone in ("ok", "warn", "error")]

    poor = {pair: contrast(colours[pair[0]], colours[pair[1]]) for pair in pairs}

    assert {pair: value for pair, value in poor.items() if value < 4.5} == {}


@pytest.mark.parametrize("theme", THEMES)
def test_outlines_that_mean_something_and_markers_stand_out_from_the_canvas(theme):
    colours = COLOURS[theme]
    outlines = [contrast(colours[token], colours["surface"]) for token in ("border_strong", "accent")]
    markers = [contrast(slot, colours["canvas"]) for slot in SLOT_COLOURS[theme]]

    assert min(outlines) >= 3
    assert min(markers) >= 2.995


# ------------------------------------------------------------------------------------------- colour vision

DIFFERENCES = {
    "light": {
        "slots": (20.2, 11.7, 12.2, 12.6),
        "first four": (33.6, 15.5, 12.2, 12.6),
        "bounds": (15.4, 12.6, 9.9, 14.5),
    },
    "dark": {
        "slots": (17.3, 10.7, 10.7, 10.8),
        "first four": (32.2, 10.7, 11.3, 10.9),
        "bounds": (21.0, 11.8, 11.9, 12.1),
    },
}


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("set_", "least"), [("slots", 10), ("first four", 10), ("bounds", 9)])
def test_colours_can_be_told_apart_by_everybody(theme, set_, least):
    colours = {
        "slots": SLOT_COLOURS[theme],
        "first four": SLOT_COLOURS[theme][:4],
        "bounds": [COLOURS[theme][kind] for kind in BOUND_KINDS],
    }[set_]

    found = [smallest_difference(colours, sight) for sight in SIGHT]

    assert min(found) >= least
    assert found == pytest.approx(DIFFERENCES[theme][set_], abs=0.06)


def test_the_colour_difference_formula_agrees_with_its_published_test_data():
    # Sharma, Wu, Dalal (2005), table 1, pairs 1, 7, 17, 25 and 34, in L*a*b*.
    from tests.ui.colour_science import delta_e_2000_lab

    cases = [
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, 0.0, 0.0), (50.0, -1.0, 2.0), 2.3669),
        ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
    ]
    for first, second, expected in cases:
        assert delta_e_2000_lab(first, second) == pytest.approx(expected, abs=5e-5)


# ------------------------------------------------------------------------------------------- tokens


def test_both_themes_have_the_same_tokens():
    assert COLOURS["light"].keys() == COLOURS["dark"].keys()


def test_a_slot_keeps_its_number_when_the_theme_changes_and_repeats_after_eight():
    assert LIGHT.slot_colour(2).name().upper() == "#00817E"
    assert DARK.slot_colour(2).name().upper() == "#1DD1AB"
    assert LIGHT.slot_colour(10) == LIGHT.slot_colour(2)


def test_a_colour_of_the_users_own_is_taken_as_it_is_and_nonsense_is_muted():
    assert DARK.slot_colour("#123456").name() == "#123456"
    assert DARK.slot_colour("no colour") == DARK.qcolor("muted")


def test_an_unknown_token_is_named():
    with pytest.raises(KeyError, match="no colour token is called 'backdrop'"):
        LIGHT.qcolor("backdrop")


def test_a_colour_that_was_handed_out_can_be_changed_without_harm():
    LIGHT.qcolor("text").setAlpha(0)

    assert LIGHT.qcolor("text").alpha() == 255


# ------------------------------------------------------------------------------------------- the sheet


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_the_sheet_sets_no_font_and_names_only_pictures_that_are_there(theme):
    sheet = theme.application_sheet()

    assert not re.search(r"\bfont\b|font-", sheet)
    assert "$" not in sheet
    pictures = re.findall(r"url\(rooflinestudio:([^)]+)\)", sheet)
    assert pictures
    assert [picture for picture in pictures if not (ASSETS / picture).is_file()] == []


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_every_colour_of_the_sheet_is_a_token(theme):
    used = set(re.findall(r"#[0-9A-Fa-f]{6}", theme.application_sheet()))

    assert used <= set(COLOURS[theme.name].values())


@pytest.fixture
def themed(qapp):
    apply_theme(qapp, LIGHT)
    yield qapp
    apply_theme(qapp, LIGHT)


def test_applying_a_theme_reaches_palette_and_font(themed):
    apply_theme(themed, DARK)

    assert themed.palette().color(QPalette.ColorRole.Base) == QColor("#1B1E24")
    assert themed.font().pixelSize() == 13


def test_the_switch_tells_once_and_only_when_the_theme_changes(themed, qtbot):
    switch = ThemeSwitch(LIGHT)
    seen = []
    switch.themeChanged.connect(seen.append)

    switch.set_theme(LIGHT)
    switch.toggle()
    switch.toggle()

    assert seen == [DARK, LIGHT]
    assert switch.theme is LIGHT


def painted_colour(widget, x, y):
    return widget.grab().toImage().pixelColor(x, y).name().upper()


def test_a_role_paints_the_widget_in_its_colour(themed, qtbot):
    chip = QLabel("memory at L2")
    qtbot.addWidget(chip)
    set_role(chip, "chip", bound="memory")
    chip.resize(120, 24)
    chip.show()

    assert painted_colour(chip, 60, 2) == COLOURS["light"]["memory_soft"].upper()

    apply_theme(themed, DARK)

    assert painted_colour(chip, 60, 2) == COLOURS["dark"]["memory_soft"].upper()


def test_a_plain_widget_with_a_role_draws_its_background(themed, qtbot):
    box = QWidget()
    qtbot.addWidget(box)
    set_role(box, "window")
    box.resize(40, 40)
    box.show()

    assert painted_colour(box, 20, 20) == COLOURS["light"]["window"].upper()


def test_a_refused_entry_has_a_red_outline_until_it_is_mended(themed, qtbot):
    entry = QLineEdit("Gb/s")
    qtbot.addWidget(entry)
    entry.resize(120, 30)
    entry.show()

    set_state(entry, "error")
    assert painted_colour(entry, 60, 0) == COLOURS["light"]["error"].upper()

    set_state(entry, "")
    assert painted_colour(entry, 60, 0) != COLOURS["light"]["error"].upper()


# ------------------------------------------------------------------------------------------- fonts


@pytest.mark.parametrize("role", FONT_ROLES)
def test_every_font_has_a_pixel_size_a_fallback_list_and_aligned_digits(qapp, role):
    made = font(role)

    assert made.pixelSize() in range(11, 21)
    assert len(made.families()) >= 5
    assert made.featureValue(QFont.Tag("tnum")) == 1
    assert made.featureValue(QFont.Tag("calt")) == 0
    assert made.hintingPreference() == QFont.HintingPreference.PreferNoHinting
    assert QFontInfo(made).pixelSize() == made.pixelSize()


def test_an_unknown_font_role_is_named():
    with pytest.raises(KeyError, match="no font role is called 'headline'"):
        font("headline")


def test_nothing_is_collected_while_qt_walks_through_all_widgets(qapp, monkeypatch):
    """Else a widget that goes away meanwhile leaves a dead entry in Qt's list, and the process crashes."""
    import gc

    enabled = []
    original = type(qapp).setStyleSheet
    monkeypatch.setattr(
        type(qapp),
        "setStyleSheet",
        lambda app, sheet: (enabled.append(gc.isenabled()), original(app, sheet))[1],
    )
    apply_theme(qapp, DARK)
    apply_theme(qapp, LIGHT)
    assert enabled and not any(enabled)
    assert gc.isenabled()
