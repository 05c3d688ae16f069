"""The outline of the study: what is placed and what was measured, with its time; selection goes both ways."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QSize, Qt, Signal
from PySide6.QtWidgets import QMenu, QStackedLayout, QWidget

from rooflinestudio.ui.outline.model import OutlineModel
from rooflinestudio.ui.outline.nodes import EntryNode, FileNode, MoreNode
from rooflinestudio.ui.outline.row_selection import RowSelection
from rooflinestudio.ui.outline.tree import OutlineTree
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.empty import EmptyState
from rooflinestudio.ui.widgets.ink import repaint_all

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rooflinestudio.core.pairing.edits import Kernel
    from rooflinestudio.core.placing import EstimateSource, PlacedStudy
    from rooflinestudio.ui.outline.nodes import Node
    from rooflinestudio.ui.session import Selection
    from rooflinestudio.ui.theme import Theme
    from rooflinestudio.ui.variants.menu import VaryMenu, VarySubject

__all__ = ["OutlineView"]


class OutlineView(QWidget):
    """The tree, or what it will show one day.

    Signals
    -------
    selectRequested
        An entry id, a measured kernel, or None.
    markRequested
        Ids of the entries that are to be marked, and no others.
    fuseRequested
        Ids of entries whose operators are to become a chain.
    visibilityRequested
        Entry ids (a tuple) and whether they are to be shown.
    renameRequested
        Entry id and its new label.
    removeRequested
        Entry ids (a tuple).
    duplicateRequested
        Entry id.
    colourRequested
        Entry id and a slot number or a colour text.
    groupRequested
        Entry ids (a tuple) and the name of their group, empty for none.
    overlayRemoveRequested
        Digest of a file of kernels.
    overlayColumnsRequested
        Digest of a file whose columns are to be asked for anew.
    variantRequested
        A new entry without an id, ``variant_of`` its baseline, and the words of what is tried.
    chainVariantRequested
        Id of a chain's entry, the joints at which its variant is cut, and the words.
    pairsRequested
        Measured kernels, each as digest and position, and the entry that they are to be held against.
    unpairsRequested
        Kernels that are to be held against nothing.
    pairChoiceRequested
        Kernels: what they can be held against is to be shown.
    tableRequested
        The row for the kernels that are only in the table was clicked: digest of the file.
    """

    selectRequested = Signal(object)
    markRequested = Signal(object)
    fuseRequested = Signal(object)
    visibilityRequested = Signal(object, bool)
    renameRequested = Signal(str, str)
    removeRequested = Signal(object)
    duplicateRequested = Signal(str)
    colourRequested = Signal(str, object)
    groupRequested = Signal(object, str)
    overlayRemoveRequested = Signal(str)
    overlayColumnsRequested = Signal(str)
    variantRequested = Signal(object, str)
    chainVariantRequested = Signal(str, object, str)
    pairsRequested = Signal(object, str)
    unpairsRequested = Signal(object)
    pairChoiceRequested = Signal(object)
    tableRequested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("outline")
        set_role(self, "surface")
        self.model = OutlineModel(self)
        self.tree = OutlineTree(self.model)
        self.rows = RowSelection(self.tree, self.model, self)
        self._placed: PlacedStudy | None = None
        self._source: EstimateSource | None = None
        self._machine = ""
        self._toggled: set[tuple[str, ...]] = set()
        self._new_group = ""
        self._empty = EmptyState(
            "Nothing placed yet",
            "What you place appears here, with its time. Groups, colours and visibility live here too.",
        )
        self._body = QStackedLayout(self)
        self._body.addWidget(self._empty)
        self._body.addWidget(self.tree)
        self._connect()

    def _connect(self) -> None:
        self.rows.selectRequested.connect(self.selectRequested)
        self.rows.markRequested.connect(self.markRequested)
        self.tree.clicked.connect(self._on_tree_clicked)
        self.tree.kernelsDropped.connect(self.pairsRequested)
        self.tree.pairs.explain = self._pair_words
        self.tree.eyeClicked.connect(self._on_tree_eye_clicked)
        self.tree.removeKeyPressed.connect(self._on_tree_remove_key_pressed)
        self.tree.menuRequested.connect(self._on_tree_menu_requested)
        self.tree.collapsed.connect(self._on_tree_collapsed)
        self.tree.expanded.connect(self._on_tree_expanded)
        self.model.renamed.connect(self.renameRequested)
        self.model.groupRenamed.connect(self.groupRequested)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, 100)

    # What it shows ------------------------------------------------------------------------------------------------

    def set_placed(self, placed: PlacedStudy) -> None:
        """Show a study."""
        self._placed = placed
        self._renew()

    def set_source(self, source: EstimateSource) -> None:
        """Take where operators come from: variants are tried before they are offered."""
        self._source = source

    def set_machine(self, machine: str) -> None:
        """Show times on a machine."""
        if machine != self._machine:
            self._machine = machine
            self._renew()

    def set_selection(self, selection: Selection) -> None:
        """Mark what is selected, and show it if its group is closed."""
        self.rows.set_selection(selection)

    def set_marked(self, ids: tuple[str, ...]) -> None:
        """Show which entries are marked."""
        self.rows.set_marked(ids)

    def in_order(self, ids: Iterable[str]) -> tuple[str, ...]:
        """Return entries in the order in which they stand here."""
        return self.rows.in_order(ids)

    def set_theme(self, theme: Theme) -> None:
        """Repaint in the colours of a theme."""
        repaint_all(self)

    def group_names(self) -> tuple[str, ...]:
        """Return the groups of the study, in its order."""
        entries = self._placed.study.entries if self._placed is not None else ()
        return tuple(dict.fromkeys(entry.group for entry in entries if entry.group))

    def _renew(self) -> None:
        if self._placed is None:
            return
        with self.rows.applying():
            if self.model.set_placed(self._placed, self._machine):
                self._open_headings()
        self._body.setCurrentWidget(self.tree if self.model.rowCount() else self._empty)
        self.rows.show()
        self._rename_new_group()

    def _open_headings(self) -> None:
        self.tree.blockSignals(True)
        for index in self.model.indexes():
            node = self.model.node(index)
            # A file opens on request only: it may hold thousands of kernels.
            is_open = node is not None and (node.key in self._toggled) == isinstance(node, FileNode)
            self.tree.setExpanded(index, is_open)
        self.tree.blockSignals(False)

    # What the user does -------------------------------------------------------------------------------------------

    def start_rename(self, entry_id: str = "") -> None:
        """Edit the name of an entry in place; left out, of the selected one."""
        index = self.model.index_of_selection(entry_id) if entry_id else self.tree.currentIndex()
        if isinstance(self.model.node(index), EntryNode):
            self.tree.scrollTo(index)
            self.tree.edit(index)

    def start_group_rename(self, name: str) -> None:
        """Edit the name of a group in place."""
        index = self.model.index_of_group(name)
        if index.isValid():
            self.tree.setCurrentIndex(index)
            self.tree.edit(index)

    def request_new_group(self, ids: tuple[str, ...]) -> None:
        """Ask for a group of its own for some entries, and then for its name."""
        names, number = self.group_names(), 1
        while (name := f"Group {number}") in names:
            number += 1
        self._new_group = name
        self.groupRequested.emit(ids, name)
        self._rename_new_group()

    def context_menu(self, node: Node | None) -> QMenu:
        """Return the menu for a row."""
        from rooflinestudio.ui.outline.menu import fill_menu

        menu = QMenu(self)
        fill_menu(menu, self, node)
        return menu

    def vary_menu(self, entry_id: str, parent: QWidget) -> VaryMenu:
        """Return the menu of an entry's variants; what is chosen there this view asks for."""
        from rooflinestudio.ui.variants.menu import VaryMenu

        menu = VaryMenu(lambda: self._subject(entry_id), parent)
        menu.variantRequested.connect(self.variantRequested)
        menu.chainVariantRequested.connect(self.chainVariantRequested)
        return menu

    @property
    def has_kernels(self) -> bool:
        """Whether the study has measured kernels."""
        return self._placed is not None and bool(self._placed.study.overlays)

    def kernels_menu(self, entry_id: str, parent: QWidget) -> QMenu:
        """Return the menu of the kernels that an entry may be; it is filled when it opens."""
        from rooflinestudio.ui.pairing.menu import fitting_menu

        return fitting_menu(
            parent,
            lambda: (self._placed, entry_id, self._machine),
            lambda kernel: self.pairsRequested.emit((kernel,), entry_id),
        )

    def _pair_words(self, kernels: Sequence[Kernel], entry_id: str) -> str:
        """Say what letting kernels go over an entry will do."""
        from rooflinestudio.core.pairing.words import drop_words

        return "" if self._placed is None else drop_words(self._placed, kernels, entry_id, self._machine)

    def _subject(self, entry_id: str) -> VarySubject | None:
        from rooflinestudio.ui.variants.menu import subject_of

        if self._placed is None or self._source is None:
            return None
        return subject_of(self._placed, self._source, entry_id, self._machine)

    def _rename_new_group(self) -> None:
        name = self._new_group
        if name and self.model.index_of_group(name).isValid():
            self._new_group = ""
            self.start_group_rename(name)

    def _on_tree_clicked(self, index: QModelIndex) -> None:
        if isinstance(node := self.model.node(index), MoreNode):
            self.tableRequested.emit(node.digest)

    def _on_tree_eye_clicked(self, node: EntryNode) -> None:
        self.visibilityRequested.emit(self.rows.meant_by(node.id), not node.visible)

    def _on_tree_remove_key_pressed(self, node: Node) -> None:
        if isinstance(node, EntryNode):
            self.removeRequested.emit(self.rows.meant_by(node.id))
        elif isinstance(node, FileNode):
            self.overlayRemoveRequested.emit(node.digest)

    def _on_tree_menu_requested(self, node: Node | None, at: object) -> None:
        menu = self.context_menu(node)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if menu.isEmpty():
            menu.deleteLater()
        else:
            menu.popup(at)  # type: ignore[arg-type]

    def _on_tree_collapsed(self, index: QModelIndex) -> None:
        self._remember(index, is_open=False)

    def _on_tree_expanded(self, index: QModelIndex) -> None:
        self._remember(index, is_open=True)

    def _remember(self, index: QModelIndex, *, is_open: bool) -> None:
        node = self.model.node(index)
        if node is not None:
            differs = is_open == isinstance(node, FileNode)
            (self._toggled.add if differs else self._toggled.discard)(node.key)
