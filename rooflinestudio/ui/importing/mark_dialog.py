"""The question whether a point or a comma parts the decimals of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QDialog, QFrame, QRadioButton, QVBoxLayout, QWidget

from rooflinestudio.ui.fonts import font
from rooflinestudio.ui.importing.parts import button, button_bar, findings_label, make_default, title_label
from rooflinestudio.ui.theme import set_role

if TYPE_CHECKING:
    from rooflinestudio.core.importing.questions import MarkQuestion

__all__ = ["MarkDialog"]

_WORDS: Final = {".": "the point parts the decimals", ",": "the comma parts the decimals"}


class MarkDialog(QDialog):
    """Shows a number of the file with both readings.

    Parameters
    ----------
    name
        The file's.
    others
        How many files wait behind it: the answer may hold for them too.

    Signals
    -------
    markChosen
        ``"."`` or ``","``, and whether it holds for the files behind.
    """

    markChosen = Signal(str, bool)

    def __init__(
        self, name: str, question: MarkQuestion, *, others: int = 0, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("mark_dialog")
        self.setWindowTitle("How are numbers written?")
        self.question = question
        self.choices = {mark: self._choice(mark) for mark in (".", ",")}
        self.for_all = QCheckBox(
            f"Also for the {others} files behind it" if others > 1 else "Also for the file behind it"
        )
        self.for_all.setVisible(others > 0)
        self.read_button = button("Read it so", "Read the file with this decimal mark", primary=True)
        self.read_button.setEnabled(False)
        self.cancel_button = button("Cancel", "Import nothing of this file")
        self.read_button.clicked.connect(self._on_read_button_clicked)
        self.cancel_button.clicked.connect(self.reject)
        self._lay_out(name)
        make_default(self, self.read_button)
        self.setMinimumWidth(480)
        self.choices["."].setFocus()

    def _lay_out(self, name: str) -> None:
        page = QFrame()
        set_role(page, "page")
        column = QVBoxLayout(page)
        column.setContentsMargins(20, 16, 20, 16)
        column.setSpacing(10)
        column.addWidget(title_label(f"Does {self.question.sample} mean {self._both()}?"))
        where = findings_label()
        mixed = (
            " Some numbers of the file have a decimal point, others a decimal comma."
            if self.question.mixed
            else ""
        )
        settles = "" if self.question.mixed else " Nothing else in the file settles it."
        where.setText(f"It stands in {name}, {self.question.where}.{mixed}{settles}")
        column.addWidget(where)
        for one in self.choices.values():
            column.addWidget(one)
        column.addWidget(self.for_all)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(page, 1)
        whole.addWidget(button_bar((), (self.cancel_button, self.read_button)))

    def _both(self) -> str:
        return f"{self.question.reading('.')} or {self.question.reading(',')}"

    def _choice(self, mark: str) -> QRadioButton:
        means = self.question.means(mark)
        text = f"{self.question.reading(mark)}: {_WORDS[mark]}" + (f" ({means})" if means else "")
        made = QRadioButton(text)
        made.setFont(font("body"))
        made.toggled.connect(self._on_choice_toggled)
        return made

    def mark(self) -> str:
        """Return the mark that is chosen, or an empty text."""
        return next((mark for mark, one in self.choices.items() if one.isChecked()), "")

    def _on_choice_toggled(self, _on: bool) -> None:
        self.read_button.setEnabled(bool(self.mark()))

    def _on_read_button_clicked(self) -> None:
        self.markChosen.emit(self.mark(), self.for_all.isChecked())
        self.accept()
