"""The menus of a row of figures."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu

if TYPE_CHECKING:
    from rooflinestudio.core.profile_edit.rows import FigureRow
    from rooflinestudio.ui.hardware_editor.table import FigureTable

__all__ = ["provenance_menu", "row_menu"]

_CHOICES: Final = ("published", "derived", "assumed")


def row_menu(table: FigureTable, row: FigureRow | None) -> QMenu:
    """Return what can be done with a row; of a machine that cannot be edited everything is greyed."""
    menu = _menu(table)
    if row is None:
        return menu
    if row.has_both:
        other, word = ("stated", "published") if row.uses == "measured" else ("measured", "measured")
        menu.addAction(f"Use the {word} figure", partial(table.useRequested.emit, row.place, other))
    if row.place.group == "ceilings" and not row.is_reference:
        menu.addAction("Make it the reference ceiling", partial(table.referenceRequested.emit, row.place.id))
    menu.addAction("Provenance…", table.open_provenance_menu)
    menu.addSeparator()
    menu.addAction(f"Take {row.name} out", partial(table.removeRequested.emit, row.place))
    for action in menu.actions():
        action.setEnabled(not table.model_.is_locked)
    return menu


def provenance_menu(table: FigureTable, row: FigureRow | None) -> QMenu:
    """Return where the stated figure of a row can come from."""
    menu = _menu(table)
    if row is None:
        return menu
    for word in (*_CHOICES, "measured") if table.model_.singles else _CHOICES:
        action = menu.addAction(word, partial(table.provenanceChosen.emit, row.place, word))
        action.setCheckable(True)
        action.setChecked(word == row.provenance)
    return menu


def _menu(table: FigureTable) -> QMenu:
    menu = QMenu(table)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return menu
