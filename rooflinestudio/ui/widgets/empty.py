"""What a panel says while it has nothing to show: a heading and one sentence."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout, QWidget

from rooflinestudio.ui.theme import set_role

__all__ = ["EmptyState"]


class EmptyState(QWidget):
    """A heading and a sentence in the upper left corner."""

    def __init__(self, title: str, sentence: str, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title, self._sentence = QLabel(title), QLabel(sentence)
        set_role(self._title, "section", font_role="body_strong")
        set_role(self._sentence, "muted")
        for label in (self._title, self._sentence):
            label.setWordWrap(True)
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 14, 16, 14)
        layout.setSpacing(4)
        layout.addWidget(self._title)
        layout.addWidget(self._sentence)
        layout.addStretch(1)

    def set_texts(self, title: str, sentence: str) -> None:
        """Say something else."""
        self._title.setText(title)
        self._sentence.setText(sentence)

    def texts(self) -> tuple[str, str]:
        """Return heading and sentence."""
        return self._title.text(), self._sentence.text()
