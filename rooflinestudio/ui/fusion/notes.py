"""Below the bars: the block that the live state is for, stash or recompute, and what to know besides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from rooflinestudio.core.bench_words import notes, training_note
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.hinted_edit import CountEdit
from rooflinestudio.ui.widgets.note_box import Note, NoteBox, wrapped_label

if TYPE_CHECKING:
    from rooflinestudio.core.bench import Bench
    from rooflinestudio.core.bench_choice import BenchSettings

__all__ = ["BenchNotes"]

_MOST: Final = 1024


class BenchNotes(QWidget):
    """Notes, and the two numbers that they rest on.

    Signals
    -------
    blockChanged
        Name of a setting of the bench and its new value.
    """

    blockChanged = Signal(str, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.box = NoteBox()
        self.training = wrapped_label("label")
        self.training.setObjectName("fusion.training")
        self.threads = _count_edit("threads", "Threads of a block")
        self.elements = _count_edit("elements_per_thread", "Elements of each tensor per thread")
        for edit in (self.threads, self.elements):
            edit.valueCommitted.connect(self._on_edit_value_committed)
        self._block = QWidget()
        row = QHBoxLayout(self._block)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        for words, edit in (("Live state for", self.threads), ("threads a block,", self.elements)):
            row.addWidget(_word(words))
            row.addWidget(edit)
        row.addWidget(_word("elements of each tensor a thread"))
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        for part in (self.training, self._block, self.box):
            column.addWidget(part)

    def show_bench(self, bench: Bench, settings: BenchSettings) -> None:
        """Show what is to be known of a chain."""
        self.box.set_notes([Note(one.word, one.text) for one in notes(bench)])
        words = training_note(bench)
        self.training.setText(f"In training: {words}" if words else "")
        self.training.setVisible(bool(words))
        self.threads.set_value(settings.threads)
        self.elements.set_value(settings.elements_per_thread)
        self._block.setVisible(not all(bench.spec.cuts) and bench.chain is not None)

    def _on_edit_value_committed(self, value: object) -> None:
        edit = self.sender()
        if isinstance(edit, CountEdit) and isinstance(value, int):
            self.blockChanged.emit(edit.objectName().removeprefix("fusion."), value)


def _word(text: str) -> QLabel:
    label = QLabel(text)
    set_role(label, "label")
    return label


def _count_edit(name: str, words: str) -> CountEdit:
    edit = CountEdit(words, _MOST)
    edit.setObjectName(f"fusion.{name}")
    edit.setFixedWidth(52)
    return edit
