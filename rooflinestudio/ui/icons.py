"""The studio's own line icons, coloured from the theme when they are painted.

An icon is drawn by an engine that asks the theme for its colour each time, so a change of theme needs no new icons: a
repaint is enough.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QGuiApplication, QIcon, QIconEngine, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer

from rooflinestudio.ui.theme import DARK, LIGHT

if TYPE_CHECKING:
    from PySide6.QtCore import QRect

    from rooflinestudio.ui.theme import Theme

__all__ = ["HEAD_PX", "TOOL_PX", "icon", "icon_names", "paint_icon", "worn_theme"]

TOOL_PX: Final = 16
"""Side of an icon in a tool bar or menu."""

HEAD_PX: Final = 14
"""Side of an icon in a dock head or a row."""

_FOLDER: Final = Path(__file__).with_name("icons")


@cache
def icon_names() -> tuple[str, ...]:
    """Return the names of all icons."""
    return tuple(
        sorted(one.name.removesuffix(".svg") for one in _FOLDER.iterdir() if one.name.endswith(".svg"))
    )


@cache
def _source(name: str) -> str:
    try:
        return (_FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    except FileNotFoundError:
        import difflib

        near = difflib.get_close_matches(name, icon_names(), n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(icon_names())}"
        raise KeyError(f"no icon is called {name!r}; {hint}") from None


@cache
def _renderer(name: str, colour: str) -> QSvgRenderer:
    return QSvgRenderer(QByteArray(_source(name).replace("currentColor", colour).encode()))


def worn_theme() -> Theme:
    """Return the theme that the application wears now, as its palette tells."""
    return (
        DARK if QGuiApplication.palette().color(QPalette.ColorRole.Window) == DARK.qcolor("window") else LIGHT
    )


def paint_icon(painter: QPainter, rect: QRectF, name: str, token: str, theme: Theme | None = None) -> None:
    """Draw an icon into a rectangle, in the colour of a token; for delegates and canvases."""
    _renderer(name, (theme or worn_theme()).qcolor(token).name()).render(painter, rect)


class _Engine(QIconEngine):
    """Paints one drawing in the colour that the theme has now; tokens by mode and state."""

    def __init__(self, name: str, token: str, on_token: str) -> None:
        super().__init__()
        self._names = (name, token, on_token)

    def clone(self) -> QIconEngine:
        return _Engine(*self._names)

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        name, token, on_token = self._names
        if mode == QIcon.Mode.Disabled:
            token = "disabled"
        elif state == QIcon.State.On:
            token = on_token
        paint_icon(painter, QRectF(rect), name, token)

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        # The default starts from an opaque pixmap on some platforms.
        made = QPixmap(size)
        made.fill(Qt.GlobalColor.transparent)
        painter = QPainter(made)
        self.paint(painter, made.rect(), mode, state)
        painter.end()
        return made

    def isNull(self) -> bool:
        return False


def icon(name: str, token: str = "text2", *, on_token: str = "accent_text") -> QIcon:
    """Return an icon that follows the theme.

    Parameters
    ----------
    token
        Its colour; ``muted`` in dock heads.
    on_token
        Its colour where a button is checked. A disabled one is always ``disabled``.

    Raises
    ------
    KeyError
        If there is no such drawing; the message names the nearest.
    """
    _source(name)
    return QIcon(_Engine(name, token, on_token))
