"""Typed entry of a value: any unit the reader knows, and a refused text stays with the reason.

The entry holds the truth of the value it edits; it tells of a new one when Enter is pressed or the focus leaves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QKeySequence, QPainter
from PySide6.QtWidgets import QLineEdit, QMenu, QWidget

from rooflinestudio.core.errors import StudioError
from rooflinestudio.ui.fonts import font
from rooflinestudio.ui.icons import paint_icon
from rooflinestudio.ui.theme import set_state

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPaintEvent, QWheelEvent

__all__ = ["QuantityEdit"]

_CHEVRON_PX = 18


class QuantityEdit(QLineEdit):
    """A line that reads quantities.

    Parameters
    ----------
    read
        Text to value; raises ``StudioError`` with the reason for the user.
    show
        Value to text, such that ``read(show(value)) == value``.
    step
        ``step(value, direction)`` is the next value for the arrow keys (direction 1, -1; page keys 8, -8), or None.

    Signals
    -------
    valueCommitted
        A value that was read and differs from the one shown.
    messageChanged
        Why the text is refused, or an empty text.
    """

    valueCommitted = Signal(object)
    messageChanged = Signal(str)

    def __init__(
        self,
        read: Callable[[str], Any],
        show: Callable[[Any], str] = str,
        *,
        step: Callable[[Any, int], Any] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._read, self._show, self._step = read, show, step
        self._value: Any = None
        self._message = ""
        self._suggestions: tuple[tuple[str, str], ...] = ()
        self.setFont(font("label"))
        self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.DefaultContextMenu)
        self.setMinimumWidth(40)
        self.editingFinished.connect(self.commit)

    # What it shows ------------------------------------------------------------------------------------------------

    def value(self) -> Any:
        """Return the value that was set last (what is being typed does not count yet)."""
        return self._value

    def message(self) -> str:
        """Return why the text is refused; empty if it is not."""
        return self._message

    def set_value(self, value: Any, *, force: bool = False) -> None:
        """Show a value. What the user is typing, or typed and was refused, stays as long as the value is the same."""
        if not force and value == self._value and type(value) is type(self._value):
            return
        self._value = value
        self._restore()

    def refuse(self, message: str) -> None:
        """Outline the text as refused, for a reason."""
        self._set_message(message)

    def set_suggestions(self, suggestions: Sequence[tuple[str, str]]) -> None:
        """Offer texts to choose from, each with a hint; they open with the arrow at the right or Alt+Down."""
        self._suggestions = tuple(suggestions)
        self.setTextMargins(0, 0, 8 if suggestions else 0, 0)
        self.setAlignment(
            (Qt.AlignmentFlag.AlignLeft if suggestions else Qt.AlignmentFlag.AlignRight)
            | Qt.AlignmentFlag.AlignVCenter
        )
        self.update()

    @property
    def suggestions(self) -> tuple[tuple[str, str], ...]:
        """The texts that are offered."""
        return self._suggestions

    def is_typing(self) -> bool:
        """Whether the text differs from the value."""
        return self.text() != self._shown()

    # What the user does -------------------------------------------------------------------------------------------

    def commit(self) -> None:
        """Read the text and tell the value, or refuse it."""
        if not self.is_typing():
            self._set_message("")
            return
        try:
            value = self._read(self.text())
        except StudioError as error:
            self._set_message(str(error))
            return
        self._set_message("")
        if value == self._value and type(value) is type(self._value):
            self._restore()
        else:
            self.valueCommitted.emit(value)

    def choose(self, text: str) -> None:
        """Take a text as if it had been typed and confirmed."""
        self.setText(text)
        self.commit()

    def _shown(self) -> str:
        return "" if self._value is None else self._show(self._value)

    def _restore(self) -> None:
        self.setText(self._shown())
        self.setCursorPosition(0)
        if self.hasFocus():
            self.selectAll()
        self._set_message("")

    def _set_message(self, message: str) -> None:
        if message == self._message:
            return
        self._message = message
        set_state(self, "error" if message else "")
        self.setAccessibleDescription(message)
        self.messageChanged.emit(message)

    def _stepped(self, direction: int) -> bool:
        if self._step is None:
            return False
        self.commit()
        if self._message:
            return True
        value = self._value
        for _ in range(abs(direction)):
            value = self._step(value, 1 if direction > 0 else -1)
        if value is not None and value != self._value:
            self.valueCommitted.emit(value)
        return True

    # Events -------------------------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        # A line edit claims undo and redo for its own text, so that the study's would never fire (QT finding: a focused
        # entry swallows Ctrl+Z). It keeps them only while there is something typed to take back.
        if event.type() == QEvent.Type.ShortcutOverride and not self.is_typing() and _is_undo_key(event):
            event.ignore()
            return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key == Qt.Key.Key_Escape and self.is_typing():
            self._restore()
            return
        if (
            key == Qt.Key.Key_Down
            and event.modifiers() & Qt.KeyboardModifier.AltModifier
            and self._suggestions
        ):
            self.open_suggestions()
            return
        steps = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1, Qt.Key.Key_PageUp: 8, Qt.Key.Key_PageDown: -8}
        if key in steps and self._stepped(steps[Qt.Key(key)]):
            return
        super().keyPressEvent(event)
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.accept()
            self.selectAll()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason):
            self.selectAll()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self._suggestions and event.position().x() >= self.width() - _CHEVRON_PX:
            self.open_suggestions()
            return
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        over = bool(self._suggestions) and event.position().x() >= self.width() - _CHEVRON_PX
        self.setCursor(Qt.CursorShape.ArrowCursor if over else Qt.CursorShape.IBeamCursor)
        super().mouseMoveEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._suggestions:
            painter = QPainter(self)
            corner = QPointF(self.width() - _CHEVRON_PX, self.height() / 2 - 6)
            paint_icon(painter, QRectF(corner.x() + 2, corner.y() + 1, 10, 10), "chevron-down", "muted")
            painter.end()

    def suggestion_menu(self) -> QMenu:
        """Return the menu of what is offered."""
        menu = QMenu(self)
        for text, hint in self._suggestions:
            action = menu.addAction(f"{text}\t{hint}" if hint else text)
            action.setData(text)
            action.setCheckable(True)
            action.setChecked(text == self.text())
        menu.triggered.connect(self._on_suggestion_triggered)
        return menu

    def open_suggestions(self) -> None:
        """Open the menu of what is offered below the entry."""
        menu = self.suggestion_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.mapToGlobal(self.rect().bottomLeft()))

    def _on_suggestion_triggered(self, action: Any) -> None:
        self.choose(str(action.data()))


def _is_undo_key(event: QEvent) -> bool:
    return any(event.matches(key) for key in (QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo))  # type: ignore[attr-defined]
