"""Boxes below the tables: refused entries, doubtful figures, findings of the self-check, each with its buttons."""

from __future__ import annotations

from functools import partial
from html import escape
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from rooflinestudio.ui.fonts import font
from rooflinestudio.ui.icons import icon
from rooflinestudio.ui.theme import set_role

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rooflinestudio.core.profile_edit.notes import EditorNote, NoteAction

__all__ = ["NoteList", "NoteRow"]

_UNBROKEN: Final = "/&#8288;s"
"""Units stay on one line."""

_SIGNS: Final = {"error": ("error", "error"), "warn": ("warn", "warn"), "": ("info", "muted")}


class NoteRow(QFrame):
    """One note. "It is right…" opens a line for the reason in the place of the buttons.

    Signals
    -------
    asked
        The note, the action, and the reason that was written for it (or an empty text).
    """

    asked = Signal(object, object, str)

    def __init__(self, note: EditorNote, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.note = note
        set_role(self, "note", tone=note.tone)
        self.setObjectName(f"note.{note.key}")
        self.setAccessibleName(f"{note.head}. {note.text}")
        self._sign = QLabel()
        self.refresh_theme()
        words = QLabel(f"<b>{escape(note.head)}.</b> {_lines(note.text)}")
        words.setTextFormat(Qt.TextFormat.RichText)
        words.setFont(font("label"))
        words.setWordWrap(True)
        words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        words.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.buttons = [self._button(action) for action in note.actions]
        self.reason = QLineEdit()
        self.keep = QPushButton("Keep the reason")
        self._set_up_reason()
        row = QHBoxLayout(self)
        row.setContentsMargins(2, 0, 2, 0)
        row.setSpacing(8)
        row.addWidget(self._sign)
        row.addWidget(words, 1)
        for one in (*self.buttons, self.reason, self.keep):
            row.addWidget(one, 1 if one is self.reason else 0)

    def refresh_theme(self) -> None:
        """Take the colours of the theme now worn."""
        self._sign.setPixmap(icon(*_SIGNS[self.note.tone]).pixmap(16, 16))

    def _set_up_reason(self) -> None:
        self.reason.setAccessibleName("Why the figure is right")
        self.reason.setPlaceholderText("Why is it right?")
        self.reason.setFont(font("label"))
        self.reason.setMinimumWidth(150)
        self.reason.returnPressed.connect(self._on_keep_clicked)
        self.keep.setFont(font("label"))
        self.keep.clicked.connect(self._on_keep_clicked)
        self.reason.hide()
        self.keep.hide()

    def _button(self, action: NoteAction) -> QPushButton:
        button = QPushButton(action.label)
        button.setFont(font("label"))
        button.setObjectName(f"note.{action.kind}")
        button.setAccessibleName(f"{self.note.head}: {action.label}")
        button.clicked.connect(partial(self._on_button_clicked, action))
        return button

    def _on_button_clicked(self, action: NoteAction, _checked: bool = False) -> None:
        if action.kind != "explain":
            self.asked.emit(self.note, action, "")
            return
        for one in self.buttons:
            one.hide()
        self.reason.show()
        self.keep.show()
        self.reason.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_keep_clicked(self) -> None:
        action = next(one for one in self.note.actions if one.kind == "explain")
        if self.reason.text().strip():
            self.asked.emit(self.note, action, self.reason.text())


def _lines(text: str) -> str:
    return escape(text).replace("/s", _UNBROKEN).replace("\n", "<br>")


class NoteList(QWidget):
    """Notes below each other; one that stays the same keeps what is being written in it.

    Signals
    -------
    asked
        As of a :class:`NoteRow`.
    """

    asked = Signal(object, object, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Notes on the figures")
        self.rows: list[NoteRow] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(6)
        self.hide()

    def set_notes(self, notes: Sequence[EditorNote]) -> None:
        """Show these notes."""
        if [row.note for row in self.rows] == list(notes):
            return
        kept = {row.note.key: row for row in self.rows if row.note in notes}
        for row in self.rows:
            if row not in kept.values():
                self._column.removeWidget(row)
                row.hide()
                row.deleteLater()
        self.rows = [kept.get(note.key) or self._made(note) for note in notes]
        for at, row in enumerate(self.rows):
            self._column.insertWidget(at, row)
        self.setVisible(bool(self.rows))

    def refresh_theme(self) -> None:
        """Take the colours of the theme now worn."""
        for row in self.rows:
            row.refresh_theme()

    def row_of(self, key: str) -> NoteRow | None:
        """Return the note of a key."""
        return next((row for row in self.rows if row.note.key == key), None)

    def _made(self, note: EditorNote) -> NoteRow:
        row = NoteRow(note)
        row.asked.connect(self.asked)
        return row
