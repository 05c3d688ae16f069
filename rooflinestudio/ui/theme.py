"""Light and dark: one table of colours behind a palette, a style sheet and everything that paints itself.

``apply_theme`` sets the whole application; views that paint themselves listen to :class:`ThemeSwitch` and read the
colours anew.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from PySide6.QtCore import QDir, QObject, Qt, Signal
from PySide6.QtGui import QColor, QPalette

from rooflinestudio.ui.fonts import font
from rooflinestudio.ui.gc_pause import gc_paused
from rooflinestudio.ui.tokens import COLOURS, SLOT_COLOURS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtWidgets import QApplication, QWidget

__all__ = [
    "DARK",
    "LIGHT",
    "Theme",
    "ThemeSwitch",
    "apply_theme",
    "font",
    "set_role",
    "set_state",
    "system_theme",
    "theme_named",
]

ThemeName = Literal["light", "dark"]

ASSETS: Final = Path(__file__).with_name("assets")
"""Small pictures that the style sheet needs (arrows, ticks), one folder per theme."""

_STYLED: Final = "rooflinestudioStyled"


@dataclass(frozen=True)
class Theme:
    """All colours of one appearance, by semantic token."""

    name: ThemeName

    @property
    def colours(self) -> Mapping[str, str]:
        """Colour texts by token."""
        return COLOURS[self.name]

    @property
    def slots(self) -> tuple[str, ...]:
        """The eight placement colours."""
        return SLOT_COLOURS[self.name]

    @property
    def is_dark(self) -> bool:
        return self.name == "dark"

    def qcolor(self, token: str, alpha: float = 1.0) -> QColor:
        """Return the colour of a token (``text``, ``memory_soft``, ``c3``) at an opacity in [0, 1]."""
        return QColor(_qcolor(self.name, token, alpha))

    def slot_colour(self, slot: int | str, alpha: float = 1.0) -> QColor:
        """Return the colour of a placement: by slot number (from 0, in turn), or the user's own colour text."""
        if isinstance(slot, int):
            return self.qcolor(f"c{slot % len(self.slots) + 1}", alpha)
        own = QColor(slot)
        if not own.isValid():
            return self.qcolor("muted", alpha)
        own.setAlphaF(alpha)
        return own

    def palette(self) -> QPalette:
        """Return the palette for the Fusion style."""
        return QPalette(_palette(self.name))

    def application_sheet(self) -> str:
        """Return the one style sheet of the application; it holds no font rule."""
        from rooflinestudio.ui.theme_sheet import sheet

        return sheet(self.name)


LIGHT: Final = Theme("light")
DARK: Final = Theme("dark")


def theme_named(name: str) -> Theme:
    """Return ``LIGHT`` for "light", ``DARK`` for "dark"."""
    return {"light": LIGHT, "dark": DARK}[name]


@lru_cache(maxsize=512)
def _qcolor(name: str, token: str, alpha: float) -> QColor:
    try:
        colour = QColor(COLOURS[name][token])
    except KeyError:
        raise KeyError(f"no colour token is called {token!r}; there are {', '.join(COLOURS[name])}") from None
    colour.setAlphaF(alpha)
    return colour


_PALETTE: Final = {
    QPalette.ColorRole.Window: "window",
    QPalette.ColorRole.WindowText: "text",
    QPalette.ColorRole.Base: "surface",
    QPalette.ColorRole.AlternateBase: "raised",
    QPalette.ColorRole.Text: "text",
    QPalette.ColorRole.PlaceholderText: "muted",
    QPalette.ColorRole.Button: "surface",
    QPalette.ColorRole.ButtonText: "text",
    QPalette.ColorRole.BrightText: "error",
    QPalette.ColorRole.ToolTipBase: "raised",
    QPalette.ColorRole.ToolTipText: "text",
    QPalette.ColorRole.Highlight: "accent",
    QPalette.ColorRole.HighlightedText: "on_accent",
    QPalette.ColorRole.Link: "accent_text",
    QPalette.ColorRole.LinkVisited: "accent_text",
    QPalette.ColorRole.Light: "raised",
    QPalette.ColorRole.Midlight: "border",
    QPalette.ColorRole.Mid: "border",
    QPalette.ColorRole.Dark: "border_strong",
    QPalette.ColorRole.Shadow: "border_strong",
    QPalette.ColorRole.Accent: "accent",
}
_DISABLED: Final = (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText)


@cache
def _palette(name: str) -> QPalette:
    palette = QPalette()
    for role, token in _PALETTE.items():
        palette.setColor(role, _qcolor(name, token, 1.0))
    for role in _DISABLED:
        palette.setColor(QPalette.ColorGroup.Disabled, role, _qcolor(name, "disabled", 1.0))
    palette.setColor(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Highlight, _qcolor(name, "sunken", 1.0))
    return palette


def apply_theme(app: QApplication, theme: Theme) -> None:
    """Give the application the Fusion style, the palette, the style sheet and the font of a theme."""
    QDir.setSearchPaths("rooflinestudio", [str(ASSETS)])
    if not app.property(_STYLED):  # with a style sheet set, the style no longer tells its name
        app.setStyle("Fusion")
        app.setProperty(_STYLED, True)
    sheet = theme.application_sheet()
    with gc_paused():
        if app.styleSheet() not in ("", sheet):
            app.setStyleSheet(
                ""
            )  # Qt takes half the time when the old sheet is gone before palette and new one come
        app.setFont(font("body"))
        app.setPalette(theme.palette())
        if app.styleSheet() != sheet:
            app.setStyleSheet(sheet)


def system_theme(app: QApplication) -> Theme:
    """Return the appearance that the desktop asks for; light where it says nothing."""
    return DARK if app.styleHints().colorScheme() == Qt.ColorScheme.Dark else LIGHT


class ThemeSwitch(QObject):
    """Holds the theme of one application and tells when it changes."""

    themeChanged = Signal(object)

    def __init__(self, theme: Theme = LIGHT, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    @property
    def theme(self) -> Theme:
        return self._theme

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme to the running application, then tell the views that paint themselves."""
        from PySide6.QtWidgets import QApplication

        app = QApplication.instance()
        if isinstance(app, QApplication):
            apply_theme(app, theme)
        if theme is not self._theme:
            self._theme = theme
            self.themeChanged.emit(theme)

    def toggle(self) -> None:
        self.set_theme(LIGHT if self._theme.is_dark else DARK)


# A role that has a font of its own; the others keep the application's.
_ROLE_FONTS: Final = {
    "title": "title", "readout": "readout", "caption": "caption", "label": "label", "muted": "label",
    "mono": "mono", "chip": "chip", "badge": "chip", "kbd": "caption", "dock-title": "dock_head",
    "section": "section", "verdict": "verdict", "note": "label", "value": "name", "unit": "unit",
    "segment": "button", "canvas-title": "canvas_title", "pill": "label", "error": "label", "warn": "label",
    "ok": "label", "link": "label",
}  # fmt: skip


def set_role(widget: QWidget, role: str, *, font_role: str | None = None, **properties: object) -> None:
    """Say what a widget is, so that the style sheet paints it, and give it the font that belongs to it.

    Further properties narrow it down: ``set_role(label, "chip", bound="memory")``,
    ``set_role(box, "note", tone="warn")``.
    """
    widget.setProperty("role", role)
    for name, value in properties.items():
        widget.setProperty(name, value)
    _attach_background(widget)
    chosen = font_role or _ROLE_FONTS.get(role)
    if chosen is not None:
        widget.setFont(font(chosen))
    repolish(widget)


def set_state(widget: QWidget, state: str) -> None:
    """Mark an entry as ``error`` or ``warn``, or as fine with an empty text."""
    if (widget.property("state") or "") != state:
        widget.setProperty("state", state)
        repolish(widget)


def repolish(widget: QWidget) -> None:
    """Let the style sheet look at a widget's properties again."""
    style = widget.style()
    style.unpolish(widget)
    style.polish(widget)


def _attach_background(widget: QWidget) -> None:
    # A plain QWidget draws a background from the sheet only with this attribute.
    widget.setAttribute(Qt.WidgetAttribute.WA_StyledBackground, True)
