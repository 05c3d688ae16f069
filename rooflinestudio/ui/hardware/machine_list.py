"""The machines that can be shown, by vendor, with a search field; opens as a popup."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol

from PySide6.QtCore import QEvent, QModelIndex, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QVBoxLayout,
    QWidget,
)

from rooflinestudio.plugins.registry import YOUR_MACHINES
from rooflinestudio.ui.fonts import font
from rooflinestudio.ui.icons import icon
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.ink import ink
from rooflinestudio.ui.widgets.painting import metrics, paint_text
from rooflinestudio.ui.widgets.tree_rows import ROW_PX, paint_row_ground

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtCore import QObject
    from PySide6.QtGui import QKeyEvent, QPainter
    from PySide6.QtWidgets import QStyleOptionViewItem

__all__ = ["MachineEntry", "MachineList"]

_MINE: Final = "Mine"
_ID: Final = Qt.ItemDataRole.UserRole + 1
_NOTE: Final = Qt.ItemDataRole.UserRole + 2
_KEYS_FOR_LIST: Final = (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp)


class MachineEntry(Protocol):
    """A profile that is there, not yet read."""

    id: str
    name: str
    short_name: str
    vendor: str
    year: int


class _Delegate(QStyledItemDelegate):
    """Headings of vendors, and machines with their year."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Any) -> QSize:
        return QSize(200, ROW_PX)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Any) -> None:
        rect = QRectF(option.rect)
        painter.save()
        if not index.data(_ID):
            paint_text(painter, rect.adjusted(14, 0, -14, 0), index.data(), "section", ink("text2"))
            painter.restore()
            return
        state = option.state & ~QStyle.StateFlag.State_HasFocus
        paint_row_ground(painter, rect, state)
        note = str(index.data(_NOTE) or "")
        width = metrics("caption").horizontalAdvance(note) + 2
        right = QRectF(rect.right() - 14 - width, rect.top(), width, rect.height())
        paint_text(painter, right, note, "caption", ink("muted"), Qt.AlignmentFlag.AlignRight)
        name = QRectF(rect.left() + 22, rect.top(), right.left() - rect.left() - 30, rect.height())
        paint_text(painter, name, index.data(), "tree", ink("text"))
        painter.restore()


class MachineList(QFrame):
    """Signals ``chosen`` with the id of a profile; it may be in view already."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        set_role(self, "card")
        self.setAccessibleName("Machines to add")
        self._machines: tuple[MachineEntry, ...] = ()
        self._shown: frozenset[str] = frozenset()
        self.search = QLineEdit()
        self.search.setObjectName("machines.search")
        self.search.setAccessibleName("Search machines")
        self.search.setPlaceholderText("Search machines")
        self.search.setFont(font("body"))
        self.search.addAction(icon("search", "muted"), QLineEdit.ActionPosition.LeadingPosition)
        self.model = QStandardItemModel(self)
        self.view = QListView()
        self.view.setAccessibleName("Machines")
        self.view.setModel(self.model)
        self.view.setItemDelegate(_Delegate(self.view))
        self.view.setFrameShape(QFrame.Shape.NoFrame)
        self.view.setMouseTracking(True)
        self.view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.view.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self._nothing = QLabel()
        set_role(self._nothing, "muted")
        self._nothing.setWordWrap(True)
        self._nothing.setContentsMargins(6, 0, 6, 0)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.setSpacing(6)
        layout.addWidget(self.search)
        layout.addWidget(self.view, 1)
        layout.addWidget(self._nothing)
        self.search.textChanged.connect(self._on_search_text_changed)
        self.search.installEventFilter(self)
        self.view.clicked.connect(self._choose)
        self._fill()

    def sizeHint(self) -> QSize:
        return QSize(280, 380)

    def set_machines(self, machines: Iterable[MachineEntry]) -> None:
        """Offer these profiles."""
        self._machines = tuple(machines)
        self._fill()

    def set_shown(self, shown: frozenset[str]) -> None:
        """Mark the machines that are in view."""
        if shown != self._shown:
            self._shown = shown
            self._fill()

    def open_at(self, corner: QPoint) -> None:
        """Open with its upper left corner at a point of the screen."""
        self.search.clear()
        self.resize(self.sizeHint())
        self.move(corner)
        self.show()
        self.search.setFocus(Qt.FocusReason.PopupFocusReason)

    def offered(self) -> list[str]:
        """Return the ids in the list, in its order."""
        return [id_ for row in range(self.model.rowCount()) if (id_ := self.model.item(row).data(_ID))]

    def _fill(self) -> None:
        words = self.search.text().casefold().split()
        groups: dict[str, list[MachineEntry]] = {}
        for machine in self._machines:
            text = f"{machine.name}\n{machine.id}\n{machine.vendor}\n{machine.year}".casefold()
            if all(word in text for word in words):
                groups.setdefault(_MINE if _is_own(machine) else machine.vendor or "Other", []).append(
                    machine
                )
        self.model.clear()
        for vendor in sorted(groups, key=lambda one: (one != _MINE, one.casefold())):
            self.model.appendRow(_heading(vendor))
            for machine in sorted(groups[vendor], key=lambda one: (-one.year, one.name.casefold())):
                self.model.appendRow(_row(machine, shown=machine.id in self._shown))
        found = bool(groups)
        self.view.setVisible(found)
        self._nothing.setVisible(not found)
        if not found:
            text = self.search.text().strip()
            self._nothing.setText(f"No machine matches “{text}”." if text else "No plugin brings a machine.")
        self._go(0, 1)

    def _go(self, row: int, step: int) -> None:
        """Make the next machine from a row on the current one, past headings."""
        while 0 <= row < self.model.rowCount():
            if self.model.item(row).data(_ID):
                self.view.setCurrentIndex(self.model.index(row, 0))
                return
            row += step

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.search and event.type() == QEvent.Type.KeyPress:
            return self._take_key(event)  # type: ignore[arg-type]
        return super().eventFilter(watched, event)

    def _take_key(self, event: QKeyEvent) -> bool:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose(self.view.currentIndex())
            return True
        if event.key() in _KEYS_FOR_LIST:
            step = 1 if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_PageDown) else -1
            self._go(self.view.currentIndex().row() + step, step)
            return True
        return False

    def _on_search_text_changed(self, _text: str) -> None:
        self._fill()

    def _choose(self, index: QModelIndex) -> None:
        id_ = index.data(_ID)
        if id_:
            self.hide()
            self.chosen.emit(str(id_))


def _is_own(machine: MachineEntry) -> bool:
    """Tell whether a machine lies in the user's own folder."""
    return getattr(getattr(machine, "origin", None), "plugin", "") == YOUR_MACHINES


def _heading(vendor: str) -> QStandardItem:
    item = QStandardItem(vendor)
    item.setFlags(Qt.ItemFlag.NoItemFlags)
    return item


def _row(machine: MachineEntry, *, shown: bool) -> QStandardItem:
    item = QStandardItem(machine.name)
    item.setData(machine.id, _ID)
    note = "shown" if shown else str(machine.year or "")
    item.setData(note, _NOTE)
    item.setData(f"{machine.name}, {note}".rstrip(", "), Qt.ItemDataRole.AccessibleTextRole)
    item.setToolTip(machine.id)
    return item
