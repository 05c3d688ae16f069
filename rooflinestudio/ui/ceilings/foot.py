"""The foot of the dialogs of ceilings: what would result, and the buttons that do it."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from rooflinestudio.ui.ceilings.head import centred
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.text_block import Paragraph, Span, TextBlock

__all__ = ["EDGE_PX", "Foot"]

EDGE_PX = 20
"""Space at the left and right of the dialogs."""


class Foot(QWidget):
    """A name with one line about it, and buttons; the ``write`` button is there only where it is asked for."""

    def __init__(self, *, writes: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, "window")
        self.outcome = TextBlock("label")
        self.cancel_button = _button("Cancel", "Close and take nothing")
        self.write_button = _button(
            "Write into my profile",
            "Put the measured figures into the study's copy of this machine, unscaled; Undo takes them out",
        )
        self.write_button.setVisible(writes)
        self.show_button = _button(
            "Show as machine of its own", "Put a new machine with these figures beside this one"
        )
        set_role(self.show_button, "primary")
        row = QHBoxLayout(self)
        row.setContentsMargins(EDGE_PX, 10, EDGE_PX, 12)
        row.setSpacing(10)
        row.addLayout(centred(self.outcome), 1)
        for button in (self.cancel_button, self.write_button, self.show_button):
            row.addWidget(button)

    def say(self, name: str, words: str) -> None:
        """Say what would result; without a name the words stand alone."""
        parts = [Paragraph((Span(name, bold=True),))] if name else []
        self.outcome.set_paragraphs(*parts, *([Paragraph((Span(words, "muted"),))] if words else []))


def _button(text: str, tip: str) -> QPushButton:
    button = QPushButton(text)
    button.setToolTip(tip)
    button.setAutoDefault(False)  # Enter in the table chooses a figure, in an entry it reads it
    return button
