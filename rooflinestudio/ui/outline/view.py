"""The outline of the study: what is placed and what was measured, with its time; selection goes both ways."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QMenu, QStackedLayout, QTreeView, QWidget

from rooflinestudio.ui.fonts import font
from rooflinestudio.ui.outline.delegate import OutlineDelegate, eye_rect
from rooflinestudio.ui.outline.menu import fill_menu
from rooflinestudio.ui.outline.model import OutlineModel
from rooflinestudio.ui.outline.nodes import EntryNode, FileNode, GroupNode, KernelNode, MoreNode, Node
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.empty import EmptyState
from rooflinestudio.ui.widgets.ink import repaint_all

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QMouseEvent

    from rooflinestudio.core.placing import PlacedStudy
    from rooflinestudio.ui.session import Selection
    from rooflinestudio.ui.theme import Theme

__all__ = ["OutlineTree", "OutlineView"]

_HEADINGS: Final = (GroupNode, FileNode)


class OutlineTree(QTreeView):
    """The tree itself: clicks on an eye, keys, headings that open and close."""

    eyeClicked = Signal(object)
    emptyClicked = Signal()
    removeKeyPressed = Signal(object)
    menuRequested = Signal(object, object)

    def __init__(self, model: OutlineModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.setObjectName("outline.tree")
        self.setAccessibleName("Study outline")
        self.setModel(model)
        self.setItemDelegate(OutlineDelegate(self))
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setExpandsOnDoubleClick(False)
        self.setMouseTracking(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFont(font("tree"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)

    def node_at(self, index: QModelIndex) -> Node | None:
        """Return what stands at an index."""
        return self._model.node(index)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        point = event.position()
        index = self.indexAt(point.toPoint())
        node = self._model.node(index)
        if event.button() == Qt.MouseButton.LeftButton:
            if isinstance(node, EntryNode) and self._eye_at(index).contains(point):
                self.eyeClicked.emit(node)
                return
            if isinstance(node, _HEADINGS):
                self.setExpanded(index, not self.isExpanded(index))
        super().mousePressEvent(event)
        if node is None and event.button() == Qt.MouseButton.LeftButton:
            self.emptyClicked.emit()

    def _eye_at(self, index: QModelIndex) -> QRectF:
        return eye_rect(QRectF(self.visualRect(index))).adjusted(-4, -4, 6, 4)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        node = self._model.node(index)
        key = event.key()
        if key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and node is not None:
            self.removeKeyPressed.emit(node)
        elif key == Qt.Key.Key_Space and isinstance(node, EntryNode):
            self.eyeClicked.emit(node)
        elif key in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(node, _HEADINGS):
            self.setExpanded(index, not self.isExpanded(index))
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        at = self.viewport().mapToGlobal(self.visualRect(index).center()) if by_key else event.globalPos()
        self.menuRequested.emit(self._model.node(index), at)


class OutlineView(QWidget):
    """The tree, or what it will show one day.

    Signals
    -------
    selectRequested
        An entry id, a measured kernel, or None.
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
    tableRequested
        The row for the kernels that are only in the table was clicked: digest of the file.
    """

    selectRequested = Signal(object)
    visibilityRequested = Signal(object, bool)
    renameRequested = Signal(str, str)
    removeRequested = Signal(object)
    duplicateRequested = Signal(str)
    colourRequested = Signal(str, object)
    groupRequested = Signal(object, str)
    overlayRemoveRequested = Signal(str)
    tableRequested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("outline")
        set_role(self, "surface")
        self.model = OutlineModel(self)
        self.tree = OutlineTree(self.model)
        self._placed: PlacedStudy | None = None
        self._machine = ""
        self._selection: Selection = None
        self._toggled: set[tuple[str, ...]] = set()
        self._applying = False
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
        self.tree.selectionModel().currentChanged.connect(self._on_current_changed)
        self.tree.clicked.connect(self._on_tree_clicked)
        self.tree.eyeClicked.connect(self._on_tree_eye_clicked)
        self.tree.emptyClicked.connect(self._on_tree_empty_clicked)
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

    def set_machine(self, machine: str) -> None:
        """Show times on a machine."""
        if machine != self._machine:
            self._machine = machine
            self._renew()

    def set_selection(self, selection: Selection) -> None:
        """Mark what is selected, and show it if its group is closed."""
        self._selection = selection
        self._mark_selection()

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
        self._applying = True
        if self.model.set_placed(self._placed, self._machine):
            self._open_headings()
        self._applying = False
        self._body.setCurrentWidget(self.tree if self.model.rowCount() else self._empty)
        self._mark_selection()
        self._rename_new_group()

    def _open_headings(self) -> None:
        self.tree.blockSignals(True)
        for index in self.model.indexes():
            node = self.model.node(index)
            # A file opens on request only: it may hold thousands of kernels.
            is_open = node is not None and (node.key in self._toggled) == isinstance(node, FileNode)
            self.tree.setExpanded(index, is_open)
        self.tree.blockSignals(False)

    def _mark_selection(self) -> None:
        index = self.model.index_of_selection(self._selection)
        self._applying = True
        if not index.isValid():
            self.tree.clearSelection()
            self.tree.setCurrentIndex(QModelIndex())
        elif index != self.tree.currentIndex() or not self.tree.selectionModel().isSelected(index):
            self.tree.setCurrentIndex(index)
            self.tree.scrollTo(index)
        self._applying = False

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
        menu = QMenu(self)
        fill_menu(menu, self, node)
        return menu

    def _rename_new_group(self) -> None:
        name = self._new_group
        if name and self.model.index_of_group(name).isValid():
            self._new_group = ""
            self.start_group_rename(name)

    def _on_current_changed(self, index: QModelIndex, _before: QModelIndex) -> None:
        if not self._applying:
            self._request(self.model.node(index))

    def _on_tree_clicked(self, index: QModelIndex) -> None:
        node = self.model.node(index)
        if isinstance(node, MoreNode):
            self.tableRequested.emit(node.digest)
        self._request(node)

    def _request(self, node: Node | None) -> None:
        wanted: Selection
        if isinstance(node, EntryNode):
            wanted = node.id
        elif isinstance(node, KernelNode):
            wanted = ("measured", node.digest, node.index)
        else:
            return
        if wanted != self._selection:
            self.selectRequested.emit(wanted)

    def _on_tree_eye_clicked(self, node: EntryNode) -> None:
        self.visibilityRequested.emit((node.id,), not node.visible)

    def _on_tree_empty_clicked(self) -> None:
        if self._selection is not None:
            self.selectRequested.emit(None)

    def _on_tree_remove_key_pressed(self, node: Node) -> None:
        if isinstance(node, EntryNode):
            self.removeRequested.emit((node.id,))
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
