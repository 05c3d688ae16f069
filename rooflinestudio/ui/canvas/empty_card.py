"""The invitation on an empty canvas: one sentence and three keys, low on the right under the roof."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QVBoxLayout, QWidget

from rooflinestudio.ui.theme import set_role

if TYPE_CHECKING:
    from rooflinestudio.ui.canvas.coordinates import Box
    from rooflinestudio.ui.canvas.scene import EmptyState

__all__ = ["EmptyCard"]

WIDEST, MARGIN = 430, 24
SHARE: Final = 0.66
"""Of the plot's width at most, so that the roof stays in sight."""


class EmptyCard(QFrame):
    """A card over the canvas; the mouse goes through it, so that drops reach the canvas."""

    def __init__(self, state: EmptyState, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("canvas.empty")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        set_role(self, "card")
        rows = QVBoxLayout(self)
        rows.setContentsMargins(MARGIN, 20, MARGIN, 20)
        rows.setSpacing(8)
        rows.addWidget(self._label(state.title, "title"))
        text = self._label(state.text, "body")
        text.setWordWrap(True)
        rows.addWidget(text)
        rows.addSpacing(6)
        keys = QGridLayout()
        keys.setHorizontalSpacing(16)
        keys.setVerticalSpacing(6)
        keys.setColumnStretch(1, 1)
        for row, (key, meaning) in enumerate(state.keys):
            native = QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)
            keys.addWidget(self._label(native, "kbd"), row, 0, Qt.AlignmentFlag.AlignLeft)
            keys.addWidget(self._label(meaning, "label"), row, 1)
        rows.addLayout(keys)
        self.setAccessibleName(f"{state.title}. {state.text}")

    @staticmethod
    def _label(text: str, role: str) -> QLabel:
        label = QLabel(text)
        set_role(label, role)
        return label

    def place(self, plot: Box) -> None:
        """Move to the lower right corner of the plot; hide where there is no room for it."""
        width = int(min(WIDEST, plot.width * SHARE))
        height = max(
            self.heightForWidth(width), self.sizeHint().height() if not self.hasHeightForWidth() else 0
        )
        self.setVisible(plot.height > height + 2 * MARGIN and width > 200)
        self.setGeometry(int(plot.right) - MARGIN - width, int(plot.bottom) - 30 - height, width, height)
