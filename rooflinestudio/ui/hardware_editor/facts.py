"""The panel at the right: the live roof, and the figure that is chosen in full."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from rooflinestudio.core.profile_edit.facts import facts_of
from rooflinestudio.ui.fonts import font
from rooflinestudio.ui.hardware_editor.roof import ProfileRoof
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.eliding import ElidingLabel
from rooflinestudio.ui.widgets.link_button import LinkButton
from rooflinestudio.ui.widgets.note_box import ReasonBox, wrapped_label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.profile_edit.facts import FigureFacts
    from rooflinestudio.core.profile_edit.places import FigurePlace, Side

__all__ = ["FactsPanel"]


class _FactRow(QWidget):
    """A caption, and a value that takes as many lines as it needs."""

    def __init__(self, caption: str, value: str) -> None:
        super().__init__()
        label = QLabel(caption)
        set_role(label, "label", font_role="label")
        self.value = wrapped_label("plain", font_role="name")
        self.value.setText(value)
        self.value.setTextFormat(Qt.TextFormat.PlainText)
        self.value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        self.setAccessibleName(f"{caption}: {value}")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 4, 0, 4)
        row.setSpacing(10)
        row.addWidget(label, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.value, 1)


class FactsPanel(QScrollArea):
    """Live roof, facts of one figure, and who uses the machine.

    Signals
    -------
    noteTyped
        Place, side and text of the note of the figure that is shown.
    removeRequested
        Place of the figure that is shown.
    """

    noteTyped = Signal(object, str, str)
    removeRequested = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Roof and figure")
        self._shown: tuple[FigurePlace, Side] | None = None
        self.facts: FigureFacts | None = None
        self.roof = ProfileRoof()
        self.title = ElidingLabel(role="section", token="text")
        self.rows: list[_FactRow] = []
        self.remark = ReasonBox()
        self.remark.hide()
        self.note = QLineEdit()
        self.remove = LinkButton("Take this row out", "trash")
        self.used = wrapped_label("muted", font_role="caption")
        self._lay_out()
        self.note.editingFinished.connect(self._on_note_editing_finished)
        self.remove.clicked.connect(self._on_remove_clicked)

    def _lay_out(self) -> None:
        body = QWidget()
        set_role(body, "surface")
        head = QLabel("Live roof")
        set_role(head, "section")
        key = QLabel("solid: in use, dashed: published")
        set_role(key, "caption", font_role="caption")
        line = QFrame()
        set_role(line, "hairline")
        self.note.setFont(font("label"))
        self.note.setObjectName("hardware_editor.note")
        self.note.setAccessibleName("Note on the figure")
        self.note.setPlaceholderText("Note on this figure")
        self._facts_column = QVBoxLayout()
        self._facts_column.setSpacing(0)
        column = QVBoxLayout(body)
        column.setContentsMargins(16, 14, 16, 14)
        column.setSpacing(6)
        for one in (head, key, self.roof, line, self.title):
            column.addWidget(one)
        column.addLayout(self._facts_column)
        column.addWidget(self.remark)
        column.addWidget(self.note)
        column.addWidget(self.remove, 0, Qt.AlignmentFlag.AlignLeft)
        column.addSpacing(4)
        column.addWidget(self.used)
        column.addStretch(1)
        self.setWidget(body)

    def sizeHint(self) -> QSize:
        return QSize(314, 600)

    # What it shows ------------------------------------------------------------------------------------------------

    def show_figure(
        self, profile: HardwareProfile, shown: tuple[FigurePlace, Side] | None, *, locked: bool
    ) -> None:
        """Show the roof of a machine and one of its figures."""
        self.roof.set_profile(profile)
        facts = facts_of(profile, *shown) if shown is not None else None
        self._shown = shown if facts is not None else None
        self.note.setReadOnly(locked)
        self.remove.setVisible(facts is not None and not locked)
        self.title.setVisible(facts is not None)
        self.note.setVisible(facts is not None and not (locked and not facts.note))
        if facts == self.facts:
            return
        self.facts = facts
        self.title.set_text(facts.title if facts is not None else "")
        self._fill(facts.rows if facts is not None else ())
        self.remark.setVisible(facts is not None and facts.remark is not None)
        if facts is not None and facts.remark is not None:
            self.remark.set_reason(*facts.remark, tone="warn")
        if not self.note.hasFocus() or not self.note.isModified():
            self.note.setText(facts.note if facts is not None else "")
            self.note.setCursorPosition(0)
        self.note.setToolTip(facts.note if facts is not None else "")

    def _fill(self, rows: Sequence[tuple[str, str]]) -> None:
        for row in self.rows:
            self._facts_column.removeWidget(row)
            row.hide()
            row.deleteLater()
        self.rows = [_FactRow(*row) for row in rows]
        for row in self.rows:
            self._facts_column.addWidget(row)

    def show_use(self, text: str) -> None:
        """Say which studies use the machine."""
        self.used.setText(text)
        self.used.setVisible(bool(text))

    def refresh_theme(self) -> None:
        """Take the colours of the theme now worn."""
        self.remark.refresh_theme()

    # What the user does -------------------------------------------------------------------------------------------

    def commit(self) -> None:
        """Take the note that is being typed."""
        self._on_note_editing_finished()

    def _on_note_editing_finished(self) -> None:
        if self._shown is not None and self.facts is not None and self.note.isModified():
            self.note.setModified(False)
            self.noteTyped.emit(*self._shown, self.note.text())

    def _on_remove_clicked(self) -> None:
        if self._shown is not None:
            self.removeRequested.emit(self._shown[0])
