"""A drop-down for kernels, of which there may be a hundred thousand: a field to search by name over a list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from rooflinestudio.ui.diagnosis.choice import MOST_LISTED, kernel_lines
from rooflinestudio.ui.fonts import font
from rooflinestudio.ui.icons import icon
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.words import short_time

if TYPE_CHECKING:
    from rooflinestudio.core.measurement_overlay import Overlay
    from rooflinestudio.ui.diagnosis.choice import KernelLine

__all__ = ["KernelPicker"]

_INDEX: Final = Qt.ItemDataRole.UserRole
_WIDTH_PX, _HEIGHT_PX, _ROW_PX = 460, 320, 24
_MOVES: Final = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


class KernelPicker(QToolButton):
    """A button with the launch that is shown; it opens the list.

    Signals
    -------
    chosen
        Index of the kernel in its overlay.
    """

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._overlay: Overlay | None = None
        self._index = -1
        self.setObjectName("diagnosis.kernel")
        self.setFont(font("label"))
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setIcon(icon("search"))
        self._make_popup()
        self.field.installEventFilter(self)
        self.field.textEdited.connect(self._fill)
        self.field.returnPressed.connect(self._on_field_return_pressed)
        self.list.itemClicked.connect(self._take)
        self.list.itemActivated.connect(self._take)
        self.clicked.connect(self.open)

    def _make_popup(self) -> None:
        self.popup = QFrame(self, Qt.WindowType.Popup)
        self.popup.setAccessibleName("Measured kernels")
        set_role(self.popup, "card")
        self.field, self.list = QLineEdit(), QListWidget()
        self.field.setAccessibleName("Search kernels by name or launch")
        self.field.setPlaceholderText("Name or launch")
        self.field.setClearButtonEnabled(True)
        self.list.setAccessibleName(f"Kernels, slowest first, at most {MOST_LISTED}")
        self.list.setFont(font("label"))
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setUniformItemSizes(True)
        column = QVBoxLayout(self.popup)
        column.setContentsMargins(8, 8, 8, 8)
        column.addWidget(self.field)
        column.addWidget(self.list)
        self.tail = QLabel()
        set_role(self.tail, "muted")
        column.addWidget(self.tail)

    def set_kernel(self, overlay: Overlay | None, index: int, launch: int, count: int) -> None:
        """Show which kernel is chosen; with none there is nothing to choose."""
        self._overlay, self._index = overlay, index
        self.setEnabled(overlay is not None and count > 1)
        self.setText(f"launch {launch} of {count}" if overlay is not None else "no kernel")
        self.setAccessibleName(f"Kernel to diagnose: {self.text()}")
        self.setToolTip("Choose another kernel")

    def open(self) -> None:
        """Open the list below the button, within the screen."""
        if self._overlay is None:
            return
        self.field.clear()
        self._fill("")
        self.popup.resize(_WIDTH_PX, _HEIGHT_PX)
        at = self.mapToGlobal(QPoint(self.width() - _WIDTH_PX, self.height() + 2))
        room = self.screen().availableGeometry()
        at.setX(max(room.left(), min(at.x(), room.right() - _WIDTH_PX)))
        if at.y() + _HEIGHT_PX > room.bottom():
            at.setY(max(room.top(), self.mapToGlobal(QPoint(0, 0)).y() - _HEIGHT_PX - 2))
        self.popup.move(at)
        self.popup.show()
        self.field.setFocus()

    def _fill(self, text: str) -> None:
        self.list.clear()
        if self._overlay is None:
            return
        lines = kernel_lines(self._overlay, text)
        self.tail.setText(_tail(len(lines), len(self._overlay)))
        for line in lines:
            item = QListWidgetItem(_label(line), self.list)
            item.setData(_INDEX, line.index)
            item.setToolTip(line.name)
            item.setSizeHint(QSize(0, _ROW_PX))
            if line.index == self._index:
                self.list.setCurrentItem(item)
        if self.list.currentRow() < 0 and self.list.count():
            self.list.setCurrentRow(0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the arrow keys walk through the list while the field has the focus."""
        if watched is self.field and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            key = event.key()
            if key in _MOVES:
                step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -10}.get(Qt.Key(key), 10)
                last = self.list.count() - 1
                self.list.setCurrentRow(max(0, min(self.list.currentRow() + step, last)))
                return True
        return super().eventFilter(watched, event)

    def _on_field_return_pressed(self) -> None:
        item = self.list.currentItem()
        if item is not None:
            self._take(item)

    def _take(self, item: QListWidgetItem) -> None:
        if not self.popup.isVisible():
            return  # a click that also activates is one choice
        index = int(item.data(_INDEX))
        self.popup.hide()
        self.setFocus()
        if index != self._index:
            self.chosen.emit(index)


def _tail(found: int, count: int) -> str:
    if not found:
        return "No kernel of this file has that in its name."
    if found < MOST_LISTED:
        return "" if found == count else f"{found} of {count}"
    return f"The slowest {found} of {count}; others are found by name or launch."


def _label(line: KernelLine) -> str:
    return f"{line.launch}   {short_time(line.time_s)}   {line.name.removeprefix('void ')}"
