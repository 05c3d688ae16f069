"""What opens over a cell in which somebody types although the machine is not theirs: the offer of a copy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QWidget

from rooflinestudio.ui.fonts import font
from rooflinestudio.ui.theme import set_role

if TYPE_CHECKING:
    from PySide6.QtCore import QRect
    from PySide6.QtGui import QKeyEvent

__all__ = ["LockOffer"]


class LockOffer(QFrame):
    """A sentence and a button below a cell; Escape, or a click elsewhere, takes it away.

    Signals
    -------
    accepted
        The user wants a copy to go on typing in.
    """

    accepted = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._page = parent
        set_role(self, "card")
        self.setObjectName("hardware_editor.lock_offer")
        self.words = QLabel()
        set_role(self.words, "label", font_role="label")
        self.button = QPushButton("Duplicate to edit")
        set_role(self.button, "primary")
        self.button.setFont(font("label"))
        self.button.setAutoDefault(True)
        self.button.clicked.connect(self._on_button_clicked)
        self.button.installEventFilter(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 8, 8, 8)
        row.setSpacing(12)
        row.addWidget(self.words)
        row.addWidget(self.button)
        self.hide()

    def open_at(self, cell: QRect, sentence: str) -> None:
        """Open below a cell, given in coordinates of the parent."""
        self.words.setText(sentence)
        self.setAccessibleName(sentence)
        self.adjustSize()
        room = self._page.rect()
        left = max(4, min(cell.left(), room.right() - self.width() - 4))
        below = cell.bottom() + 2
        top = below if below + self.height() <= room.bottom() else cell.top() - self.height() - 2
        self.move(QPoint(left, top))
        self.show()
        self.raise_()
        self.button.setFocus(Qt.FocusReason.OtherFocusReason)

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusOut:
            self.hide()
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._leave()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._on_button_clicked()
        else:
            super().keyPressEvent(event)

    def _leave(self) -> None:
        self.hide()
        self._page.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_button_clicked(self) -> None:
        self.hide()
        self.accepted.emit()
