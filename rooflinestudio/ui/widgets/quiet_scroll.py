"""A scroll area that looks like no area at all: no frame, no focus of its own, one scroll bar where it is needed."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

__all__ = ["QuietScroll"]


class QuietScroll(QScrollArea):
    """Content that takes the whole width and scrolls down, or the whole height and scrolls across.

    Parameters
    ----------
    name
        What a screen reader calls it.
    across
        Scroll across instead of down.
    """

    def __init__(self, content: QWidget, name: str, *, across: bool = False) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        if across:
            self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        else:
            self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(content)
