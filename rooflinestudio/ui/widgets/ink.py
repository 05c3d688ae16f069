"""Colours for code that paints itself: a token in, the colour of the theme that the application wears out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QColor, QPen

from rooflinestudio.ui.icons import worn_theme

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

__all__ = ["bound_ink", "ink", "pen", "repaint_all", "slot_ink"]


def ink(token: str, alpha: float = 1.0) -> QColor:
    """Return the colour of a token in the theme now worn."""
    return worn_theme().qcolor(token, alpha)


def slot_ink(slot: int | str, alpha: float = 1.0) -> QColor:
    """Return the colour of a placement by its slot number or the user's own colour text."""
    return worn_theme().slot_colour(slot, alpha)


def bound_ink(kind: str) -> tuple[QColor, QColor]:
    """Return the text and the soft background colour of a kind of bound; other kinds are neutral."""
    theme = worn_theme()
    if kind in ("compute", "memory", "latency", "launch"):
        return theme.qcolor(kind), theme.qcolor(f"{kind}_soft")
    return theme.qcolor("text2"), theme.qcolor("sunken")


def pen(token: str, width: float = 1.0) -> QPen:
    """Return a solid pen in the colour of a token."""
    return QPen(ink(token), width)


def repaint_all(widget: QWidget) -> None:
    """Repaint a widget and everything in it: what a view does when the theme changes."""
    from PySide6.QtWidgets import QAbstractScrollArea, QWidget

    widget.update()
    for child in widget.findChildren(QWidget):
        child.update()
        if isinstance(child, QAbstractScrollArea):
            child.viewport().update()
