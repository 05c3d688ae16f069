"""The entry of the filter: an expression that holds while it is typed; a bad one is outlined and harms nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from rooflinestudio.core.measured.filter import FilterError, compiled_filter
from rooflinestudio.ui.fonts import font
from rooflinestudio.ui.icons import icon
from rooflinestudio.ui.theme import set_state

if TYPE_CHECKING:
    from PySide6.QtGui import QFocusEvent, QKeyEvent

__all__ = ["FilterEdit"]

_PAUSE_MS: Final = 120
_HINT: Final = (
    "Regular expression that kernel names must match, such as gemm.*bf16 (upper and lower case are the same)"
)


class FilterEdit(QLineEdit):
    """Reads regular expressions.

    Signals
    -------
    filterTyped
        An expression that can be read, while it is typed.
    messageChanged
        Why the text is none; empty once it is.
    confirmed, left
        Enter was pressed; Escape was pressed where there was nothing to clear.
    ended
        The typing is over.
    """

    filterTyped = Signal(str)
    messageChanged = Signal(str)
    confirmed = Signal()
    left = Signal()
    ended = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._told = ""
        self._message = ""
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        self._pause.timeout.connect(self.flush)
        self.setObjectName("measured.filter")
        self.setFont(font("label"))
        self.setAccessibleName("Filter kernels by name")
        self.setPlaceholderText("Filter names")
        self.setToolTip(_HINT)
        self.addAction(icon("search", "muted"), QLineEdit.ActionPosition.LeadingPosition)
        self.textEdited.connect(self._on_text_edited)

    def message(self) -> str:
        """Return why the text is refused; empty if it is not."""
        return self._message

    def set_filter(self, pattern: str) -> None:
        """Show the filter that holds. What is being typed, or was refused, stays as long as that is the same."""
        if pattern != self._told:
            self._told = pattern
            self._pause.stop()
            self.setText(pattern)
            self._set_message("")

    def set_fault(self, message: str) -> None:
        """Say why a filter that can be read does not hold."""
        if message or not self._pause.isActive():
            self._set_message(message or self._fault())

    def flush(self) -> None:
        """Tell at once what is typed."""
        self._pause.stop()
        self._set_message(self._fault())
        if not self._message and self.text() != self._told:
            self._told = self.text()
            self.filterTyped.emit(self._told)

    def clear_filter(self) -> None:
        """Take the filter away."""
        self.setText("")
        self.flush()
        self.ended.emit()

    def _fault(self) -> str:
        try:
            compiled_filter(self.text())
        except FilterError as error:
            return str(error)
        return ""

    def _set_message(self, message: str) -> None:
        if message != self._message:
            self._message = message
            set_state(self, "error" if message else "")
            self.setToolTip(message or _HINT)
            self.setAccessibleDescription(message)
            self.messageChanged.emit(message)

    def _on_text_edited(self, _text: str) -> None:
        self._pause.start()

    def event(self, event: QEvent) -> bool:
        # An entry claims undo for its own text; once that is told, undo is the study's.
        if event.type() == QEvent.Type.ShortcutOverride and self.text() == self._told:
            key, held = event.key(), event.modifiers()  # type: ignore[attr-defined]
            if held & Qt.KeyboardModifier.ControlModifier and key in (Qt.Key.Key_Z, Qt.Key.Key_Y):
                event.ignore()
                return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key == Qt.Key.Key_Escape:
            if self.text():
                self.clear_filter()
            else:
                self.left.emit()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down):
            self.flush()
            self.ended.emit()
            if not self._message:
                self.confirmed.emit()
        else:
            super().keyPressEvent(event)
            return
        event.accept()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if self._pause.isActive():
            self.flush()
        self.ended.emit()
