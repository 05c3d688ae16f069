"""The list at the left of the editor: a search field, and machines under headings that open and close."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QEvent, QModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QLabel,
    QLineEdit,
    QStyle,
    QStyledItemDelegate,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from rooflinestudio.ui.fonts import font
from rooflinestudio.ui.hardware_editor.library import FROM_PLUGINS, MINE, LibraryMachine, grouped
from rooflinestudio.ui.icons import icon
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.ink import ink
from rooflinestudio.ui.widgets.painting import CHIP_PX, chip_width, paint_chip, paint_text
from rooflinestudio.ui.widgets.tree_rows import ROW_PX, TEXT_X, paint_head, paint_row_ground

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QObject
    from PySide6.QtGui import QPainter
    from PySide6.QtWidgets import QStyleOptionViewItem

__all__ = ["MachineTree"]

_MACHINE: Final = Qt.ItemDataRole.UserRole + 1
_OPEN_AT_FIRST: Final = (MINE, FROM_PLUGINS)
_KEYS_FOR_LIST: Final = (Qt.Key.Key_Down, Qt.Key.Key_Up)


class _Delegate(QStyledItemDelegate):
    """Headings with the number of machines, and machines with the plugin that they come from."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Any) -> QSize:
        return QSize(160, ROW_PX)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Any) -> None:
        rect, machine = QRectF(option.rect), index.data(_MACHINE)
        painter.save()
        if machine is None:
            view = option.widget
            is_open = isinstance(view, QTreeView) and view.isExpanded(index)
            if option.state & QStyle.StateFlag.State_HasFocus:
                paint_row_ground(painter, rect, option.state & ~QStyle.StateFlag.State_Selected)
            paint_head(painter, rect, str(index.data()), index.model().rowCount(index), is_open=is_open)
        else:
            paint_row_ground(painter, rect, option.state)
            _paint_machine(painter, rect, machine)
        painter.restore()


def _paint_machine(painter: QPainter, rect: QRectF, machine: LibraryMachine) -> None:
    right = rect.right() - 12
    note = machine.plugin or ("unsaved" if machine.unsaved else "")
    if note:
        width = chip_width(note, glyph=bool(machine.plugin))
        chip = QRectF(right - width, rect.center().y() - CHIP_PX / 2, width, CHIP_PX)
        glyph = ("plug", "accent_text") if machine.plugin else None
        tone = ("accent_text", "accent_soft") if machine.plugin else ("text2", "sunken")
        paint_chip(painter, chip, note, (ink(tone[0]), ink(tone[1])), glyph=glyph)
        right = chip.left() - 6
    name = QRectF(rect.left() + TEXT_X, rect.top(), right - rect.left() - TEXT_X, rect.height())
    paint_text(painter, name, machine.name, "tree", ink("text"), mode=Qt.TextElideMode.ElideMiddle)


class MachineTree(QWidget):
    """Signals ``chosen`` with the id of a machine that is clicked, or moved to by key."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, "surface")
        self._machines: tuple[LibraryMachine, ...] = ()
        self._current = ""
        self._closed: set[str] = set()
        self._known_groups: set[str] = set()
        self.search = _search_field()
        self.model = QStandardItemModel(self)
        self.view = _view(self.model)
        self._nothing = QLabel()
        set_role(self._nothing, "muted")
        self._nothing.setWordWrap(True)
        self._nothing.setContentsMargins(14, 2, 14, 0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 10, 0, 8)
        column.setSpacing(6)
        column.addWidget(_inset(self.search))
        column.addWidget(self._nothing)
        column.addWidget(self.view, 1)
        self.search.textChanged.connect(self._on_search_text_changed)
        self.search.installEventFilter(self)
        self.view.clicked.connect(self._on_view_clicked)
        self.view.activated.connect(self._on_view_activated)
        self.view.expanded.connect(self._on_view_expanded)
        self.view.collapsed.connect(self._on_view_collapsed)
        self._fill()

    def set_machines(self, machines: Sequence[LibraryMachine]) -> None:
        """List these machines."""
        if tuple(machines) != self._machines:
            self._machines = tuple(machines)
            self._fill()

    def set_current(self, id_: str) -> None:
        """Mark the machine that is open, and open the heading that it stands under."""
        self._current = id_
        self._mark()

    def offered(self) -> list[str]:
        """Return the ids in the list, in its order, under closed headings too."""
        return [machine.id for machine, _ in self._items()]

    def _items(self) -> list[tuple[LibraryMachine, QStandardItem]]:
        found = []
        for row in range(self.model.rowCount()):
            head = self.model.item(row)
            found += [(head.child(at).data(_MACHINE), head.child(at)) for at in range(head.rowCount())]
        return found

    def _fill(self) -> None:
        text = self.search.text().strip()
        groups = grouped(self._machines, text)
        self.view.blockSignals(True)
        self.model.clear()
        for group in groups:
            head = QStandardItem(group.title)
            head.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
            head.setData(f"{group.title}, {len(group.machines)} machines", Qt.ItemDataRole.AccessibleTextRole)
            for machine in group.machines:
                head.appendRow(_row(machine))
            self.model.appendRow(head)
            if group.title not in self._known_groups:
                self._known_groups.add(group.title)
                if group.title not in _OPEN_AT_FIRST and len(groups) > 6:
                    self._closed.add(group.title)
            self.view.setExpanded(head.index(), bool(text) or group.title not in self._closed)
        self.view.blockSignals(False)
        self._nothing.setVisible(not groups)
        self._nothing.setText(f"No machine matches “{text}”." if text else "No machine is here.")
        self._mark()

    def _mark(self) -> None:
        for machine, item in self._items():
            if machine.id == self._current:
                self.view.setExpanded(item.parent().index(), True)
                self.view.setCurrentIndex(item.index())
                return
        self.view.clearSelection()

    # What the user does -------------------------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.search and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in _KEYS_FOR_LIST:
                self.view.setFocus(Qt.FocusReason.OtherFocusReason)
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.offered():
                self.chosen.emit(self.offered()[0])
                return True
        return super().eventFilter(watched, event)

    def _on_search_text_changed(self, _text: str) -> None:
        self._fill()

    def _on_view_clicked(self, index: QModelIndex) -> None:
        machine = index.data(_MACHINE)
        if machine is None:
            self.view.setExpanded(index, not self.view.isExpanded(index))
        else:
            self.chosen.emit(machine.id)

    def _on_view_activated(self, index: QModelIndex) -> None:
        machine = index.data(_MACHINE)
        if machine is None:
            self.view.setExpanded(index, not self.view.isExpanded(index))
        elif machine.id != self._current:
            self.chosen.emit(machine.id)

    def _on_view_expanded(self, index: QModelIndex) -> None:
        self._closed.discard(str(index.data()))

    def _on_view_collapsed(self, index: QModelIndex) -> None:
        self._closed.add(str(index.data()))


def _search_field() -> QLineEdit:
    field = QLineEdit()
    field.setObjectName("hardware_editor.search")
    field.setAccessibleName("Search machines")
    field.setPlaceholderText("Search machines")
    field.setFont(font("body"))
    field.setClearButtonEnabled(True)
    field.addAction(icon("search", "muted"), QLineEdit.ActionPosition.LeadingPosition)
    return field


def _view(model: QStandardItemModel) -> QTreeView:
    view = QTreeView()
    view.setObjectName("hardware_editor.machines")
    view.setAccessibleName("Machines")
    view.setModel(model)
    view.setItemDelegate(_Delegate(view))
    view.setHeaderHidden(True)
    view.setRootIsDecorated(False)
    view.setIndentation(0)
    view.setUniformRowHeights(True)
    view.setExpandsOnDoubleClick(False)
    view.setMouseTracking(True)
    view.setFrameShape(QFrame.Shape.NoFrame)
    view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    return view


def _inset(widget: QWidget) -> QWidget:
    box = QWidget()
    row = QVBoxLayout(box)
    row.setContentsMargins(10, 0, 10, 0)
    row.addWidget(widget)
    return box


def _row(machine: LibraryMachine) -> QStandardItem:
    item = QStandardItem(machine.name)
    item.setData(machine, _MACHINE)
    spoken = [machine.name, *([f"from {machine.plugin}"] if machine.plugin else [])]
    item.setData(
        ", ".join([*spoken, *(["unsaved"] if machine.unsaved else [])]), Qt.ItemDataRole.AccessibleTextRole
    )
    item.setToolTip(f"{machine.name}\n{machine.id}")
    return item
