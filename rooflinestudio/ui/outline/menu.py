"""The context menu of the outline: what can be done with an entry, a group, a file of kernels."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QAction, QColor, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QColorDialog, QMenu

from rooflinestudio.ui.icons import icon
from rooflinestudio.ui.outline.nodes import EntryNode, FileNode, GroupNode, KernelNode
from rooflinestudio.ui.widgets.ink import slot_ink
from rooflinestudio.ui.widgets.painting import paint_marker

if TYPE_CHECKING:
    from collections.abc import Callable

    from rooflinestudio.ui.outline.view import OutlineView

__all__ = ["fill_menu"]

_COLOUR_NAMES: Final = ("Blue", "Orange", "Teal", "Pink", "Sand", "Violet", "Sky", "Green")


def fill_menu(menu: QMenu, view: OutlineView, node: object) -> None:
    """Put into a menu what can be done with a node."""
    if isinstance(node, EntryNode) and len(ids := view.rows.meant_by(node.id)) > 1:
        _fill_marked_menu(menu, view, node, ids)
    elif isinstance(node, EntryNode):
        _fill_entry_menu(menu, view, node)
    elif isinstance(node, GroupNode):
        _fill_group_menu(menu, view, node)
    elif isinstance(node, KernelNode):
        _fill_kernel_menu(menu, view, node)
    elif isinstance(node, FileNode):
        if node.has_columns:
            words = "Change columns…"
            _add(menu, words, "table", "columns", lambda: view.overlayColumnsRequested.emit(node.digest))
        _add(
            menu,
            "Remove from the study",
            "trash",
            "remove_file",
            lambda: view.overlayRemoveRequested.emit(node.digest),
        )


def _add(menu: QMenu, text: str, icon_name: str, key: str, do: Callable[[], object]) -> QAction:
    action = menu.addAction(icon(icon_name), text) if icon_name else menu.addAction(text)
    action.setObjectName(f"outline.{key}")
    action.triggered.connect(lambda _checked=False: do())
    return action


def _fill_kernel_menu(menu: QMenu, view: OutlineView, node: KernelNode) -> None:
    kernels = ((node.digest, node.index),)
    words = "Pair with another…" if node.slot is not None else "Pair with…"
    _add(menu, words, "", "pair", lambda: view.pairChoiceRequested.emit(kernels))
    if node.slot is not None:
        _add(menu, "Unpair", "", "unpair", lambda: view.unpairsRequested.emit(kernels))


def _fill_entry_menu(menu: QMenu, view: OutlineView, node: EntryNode) -> None:
    ids = (node.id,)
    _add(menu, "Rename", "rename", "rename", lambda: view.start_rename(node.id))
    _add(menu, "Duplicate", "duplicate", "duplicate", lambda: view.duplicateRequested.emit(node.id))
    menu.addMenu(view.vary_menu(node.id, menu))
    if view.has_kernels:
        menu.addMenu(view.kernels_menu(node.id, menu))
    word, sign = ("Hide", "eye-off") if node.visible else ("Show", "eye")
    _add(menu, word, sign, "visibility", lambda: view.visibilityRequested.emit(ids, not node.visible))
    _fill_colours(menu.addMenu("Colour"), view, node)
    _fill_groups(menu.addMenu("Group"), view, ids, node.group)
    menu.addSeparator()
    _add(menu, "Remove", "trash", "remove", lambda: view.removeRequested.emit(ids))


def _fill_marked_menu(menu: QMenu, view: OutlineView, node: EntryNode, ids: tuple[str, ...]) -> None:
    """Put in what is done to all that are marked."""
    heading = menu.addAction(f"{len(ids)} entries")
    heading.setEnabled(False)
    menu.addSeparator()
    _add(menu, "Fuse into a chain", "layers", "fuse", lambda: view.fuseRequested.emit(ids))
    word, sign = ("Hide all", "eye-off") if node.visible else ("Show all", "eye")
    _add(menu, word, sign, "visibility", lambda: view.visibilityRequested.emit(ids, not node.visible))
    _fill_groups(menu.addMenu("Group"), view, ids)
    menu.addSeparator()
    _add(menu, "Remove all", "trash", "remove", lambda: view.removeRequested.emit(ids))


def _fill_colours(menu: QMenu, view: OutlineView, node: EntryNode) -> None:
    for slot, name in enumerate(_COLOUR_NAMES):
        action = _add(menu, name, "", f"colour.{slot}", partial(view.colourRequested.emit, node.id, slot))
        action.setIcon(_swatch(slot))
        action.setCheckable(True)
        action.setChecked(isinstance(node.slot, int) and node.slot % len(_COLOUR_NAMES) == slot)
    menu.addSeparator()
    own = _add(menu, "Own colour…", "", "colour.own", lambda: _ask_colour(view, node))
    own.setCheckable(True)
    own.setChecked(isinstance(node.slot, str))


def _swatch(slot: int) -> QIcon:
    picture = QPixmap(16, 16)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    paint_marker(painter, QPointF(8, 8), "circle", slot_ink(slot), 5.5)
    painter.end()
    return QIcon(picture)


def _ask_colour(view: OutlineView, node: EntryNode) -> None:
    dialog = QColorDialog(slot_ink(node.slot), view)
    dialog.setWindowTitle(f"Colour of {node.label}")
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

    def choose(colour: QColor) -> None:
        view.colourRequested.emit(node.id, colour.name())

    dialog.colorSelected.connect(choose)
    dialog.open()


def _fill_groups(menu: QMenu, view: OutlineView, ids: tuple[str, ...], own: str | None = None) -> None:
    """Put in the groups that entries can go into; ``own`` is the one that they are in, None where that differs."""
    none = _add(menu, "None", "", "group.none", lambda: view.groupRequested.emit(ids, ""))
    none.setCheckable(True)
    none.setChecked(own == "")
    for name in view.group_names():
        action = _add(menu, name, "", f"group.{name}", partial(view.groupRequested.emit, ids, name))
        action.setCheckable(True)
        action.setChecked(name == own)
    menu.addSeparator()
    _add(menu, "New group", "folder", "group.new", lambda: view.request_new_group(ids))


def _fill_group_menu(menu: QMenu, view: OutlineView, node: GroupNode) -> None:
    _add(menu, "Rename", "rename", "rename", lambda: view.start_group_rename(node.name))
    _add(menu, "Hide all", "eye-off", "hide_all", lambda: view.visibilityRequested.emit(node.entries, False))
    _add(menu, "Show all", "eye", "show_all", lambda: view.visibilityRequested.emit(node.entries, True))
    _add(menu, "Dissolve the group", "", "group.dissolve", lambda: view.groupRequested.emit(node.entries, ""))
    menu.addSeparator()
    _add(menu, "Remove all", "trash", "remove", lambda: view.removeRequested.emit(node.entries))
