"""What a view says while it has nothing to show, with the buttons that change that."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from rooflinestudio.ui.widgets.empty import EmptyState

__all__ = ["EmptyPage"]


class EmptyPage(QWidget):
    """A heading and a sentence, and below them a row of buttons.

    Attributes
    ----------
    state
        Heading and sentence.
    """

    def __init__(
        self, title: str, sentence: str, *buttons: QPushButton, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.state = EmptyState(title, sentence)
        row = QHBoxLayout()
        row.setContentsMargins(16, 0, 16, 12)
        row.setSpacing(8)
        for button in buttons:
            row.addWidget(button)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.state)
        column.addLayout(row)
        column.addStretch(1)
