"""A line over a card in which the names of its further inputs are typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from rooflinestudio.ui.fonts import font
from rooflinestudio.ui.theme import set_state

if TYPE_CHECKING:
    from PySide6.QtGui import QFocusEvent, QKeyEvent

__all__ = ["NameEdit"]


class NameEdit(QLineEdit):
    """Opens over a card, tells what was typed when Enter is pressed, and goes with Escape or when the focus leaves.

    Signals
    -------
    entered
        Number of the card and the text.
    """

    entered = Signal(int, str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._card = -1
        self.setObjectName("fusion.names")
        self.setFont(font("mono_small"))
        self.setAccessibleName("Names of further inputs")
        self.setPlaceholderText("x, v")
        self.setToolTip("Names of its further inputs, parted by commas; a name used twice is one tensor")
        self.hide()

    @property
    def card(self) -> int:
        """Number of the card that it is open for, or -1."""
        return self._card

    def open_for(self, card: int, names: tuple[str, ...]) -> None:
        """Show it with the names as they are."""
        self._card = card
        self.setText(", ".join(names))
        set_state(self, "")
        self.show()
        self.raise_()
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        self.selectAll()

    def refuse(self, reason: str) -> None:
        """Keep the text, and say why it is refused."""
        set_state(self, "error")
        self.setToolTip(reason)
        self.setAccessibleDescription(reason)

    def close_edit(self) -> None:
        """Go away."""
        self._card = -1
        self.hide()

    def event(self, event: QEvent) -> bool:
        # The window's shortcuts must not take the keys that end the typing.
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._leave()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered.emit(self._card, self.text())
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.close_edit()

    def _leave(self) -> None:
        self.close_edit()
        parent = self.parentWidget()
        if parent is not None:
            parent.setFocus(Qt.FocusReason.OtherFocusReason)
