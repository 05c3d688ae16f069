"""Boxes for a verdict, a refusal and notes; of several notes one is shown, the others behind "more"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from rooflinestudio.ui.icons import icon
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.link_button import LinkButton
from rooflinestudio.ui.widgets.text_block import Paragraph, Span, TextBlock

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Note", "NoteBox", "ReasonBox", "VerdictBox", "wrapped_label"]

_TONES = {"Trap": "warn", "Nuance": "", "Approximation": "", "Aside": ""}
_ICONS = {"warn": ("warn", "warn"), "error": ("error", "error"), "": ("info", "muted")}


@dataclass(frozen=True, slots=True)
class Note:
    """A note with its first word: Trap, Nuance, Approximation or Aside."""

    word: str
    text: str

    @property
    def tone(self) -> str:
        """``warn`` for traps."""
        return _TONES.get(self.word, "")


def wrapped_label(role: str = "note", *, font_role: str = "label") -> QLabel:
    """Return a label that wraps, can be selected by mouse, and never widens its panel."""
    label = QLabel()
    label.setProperty("role", role)
    set_role(label, role, font_role=font_role)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
    return label


class VerdictBox(QFrame):
    """The verdict, on the soft accent colour."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, "verdict")
        self._label = TextBlock("verdict")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._label)

    def text(self) -> str:
        """Return the sentence."""
        return self._label.text()

    def set_text(self, text: str) -> None:
        """Show a sentence."""
        self._label.set_paragraphs(Paragraph((Span(text),)))
        self.setAccessibleName(text)


class _IconBox(QFrame):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, "note", tone="")
        self._tone = ""
        self._sign = QLabel()
        self._label = TextBlock("label")
        self._layout = QHBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(8)
        self._layout.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        self._column = QVBoxLayout()
        self._column.setSpacing(2)
        self._column.addWidget(self._label)
        self._layout.addLayout(self._column, 1)
        self._show_sign()

    def _set_tone(self, tone: str) -> None:
        if tone != self._tone:
            self._tone = tone
            set_role(self, "note", tone=tone)
            self._show_sign()

    def _show_sign(self) -> None:
        self._sign.setPixmap(icon(*_ICONS[self._tone]).pixmap(16, 16))

    def refresh_theme(self) -> None:
        """Take the colours of the theme now worn."""
        self._show_sign()

    def _set_words(self, first: str, text: str) -> None:
        self._label.set_paragraphs(Paragraph((Span(f"{first}. ", bold=True), Span(text))))


class ReasonBox(_IconBox):
    """Why something could not be placed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._reason = ""

    def text(self) -> str:
        """Return the reason."""
        return self._reason

    def set_reason(self, heading: str, reason: str, *, tone: str = "error") -> None:
        """Show a heading and the reason below it."""
        self._reason = reason
        self._set_tone(tone)
        self._set_words(heading, reason)
        self.setAccessibleName(f"{heading}. {reason}")


class NoteBox(_IconBox):
    """One of several notes; "more" goes on to the next."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._notes: tuple[Note, ...] = ()
        self._at = 0
        self.more = LinkButton()
        self.more.setObjectName("notes.more")
        self.more.clicked.connect(self._on_more_clicked)
        self._column.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)
        self._show()

    @property
    def notes(self) -> tuple[Note, ...]:
        """All notes."""
        return self._notes

    def note(self) -> Note | None:
        """Return the note that is shown."""
        return self._notes[self._at] if self._notes else None

    def set_notes(self, notes: Sequence[Note]) -> None:
        """Show the first of some notes; the one that is open stays open where it is still among them."""
        if tuple(notes) == self._notes:
            return
        open_note = self.note() if self._at else None
        self._notes = tuple(notes)
        self._at = self._notes.index(open_note) if open_note in self._notes else 0
        self._show()

    def _on_more_clicked(self) -> None:
        self._at = (self._at + 1) % len(self._notes)
        self._show()

    def _show(self) -> None:
        note = self.note()
        self.setVisible(note is not None)
        if note is None:
            return
        self._set_tone(note.tone)
        self._set_words(note.word, note.text)
        self.setAccessibleName(f"{note.word}. {note.text}")
        others = len(self._notes) - 1
        self.more.setVisible(others > 0)
        self.more.setText(f"more ({self._at + 1} of {others + 1})")
        self.more.setAccessibleName(f"Next note, {self._at + 1} of {others + 1}")
