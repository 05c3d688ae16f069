"""The six questions below each other, in the order that never changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from rooflinestudio.core.diagnosis import QUESTIONS
from rooflinestudio.ui.diagnosis.question import QuestionRow
from rooflinestudio.ui.theme import set_role

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.diagnosis import Diagnosis
    from rooflinestudio.core.levers import Lever

__all__ = ["Questions"]


class Questions(QWidget):
    """Each question a row; arrow keys go from one to the next, Enter folds.

    Signals
    -------
    rowShown
        A row that got the focus, or was unfolded, and is to be seen.
    copyRequested
        A command.
    absorptionRequested
        The absorption that the measured traffic tells.
    leverRequested
        What is to be tried.
    pairRequested
        The kernel is to be held against an entry.
    """

    rowShown = Signal(object)
    copyRequested = Signal(str)
    absorptionRequested = Signal(float)
    leverRequested = Signal(object)
    pairRequested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._short = False
        self._folded: dict[str, bool] = {}
        self.rows = tuple(QuestionRow() for _ in QUESTIONS)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for at, row in enumerate(self.rows):
            if at:
                line = QFrame()
                set_role(line, "hairline")
                column.addWidget(line)
            column.addWidget(row)
            self._connect(at, row)

    def _connect(self, at: int, row: QuestionRow) -> None:
        row.setObjectName(f"diagnosis.{QUESTIONS[at]}")
        row.stepRequested.connect(lambda step: self._go_to(at + step))
        row.foldRequested.connect(lambda: self._turn(at))
        row.shown.connect(lambda: self.rowShown.emit(row))
        row.copyRequested.connect(self.copyRequested)
        row.absorptionRequested.connect(self.absorptionRequested)
        row.leverRequested.connect(self.leverRequested)
        row.pairRequested.connect(self.pairRequested)

    def show_answers(self, diagnosis: Diagnosis, slot: int | str) -> None:
        """Show the answers of a diagnosis; what was folded stays so."""
        for row, answer in zip(self.rows, diagnosis.answers, strict=True):
            row.show_answer(answer, diagnosis, slot)

    def show_levers(self, levers: Mapping[str, Lever]) -> None:
        """Offer what can be tried, by the id of the question that found something."""
        for id_, row in zip(QUESTIONS, self.rows, strict=True):
            row.show_lever(levers.get(id_))

    def set_short(self, short: bool) -> None:
        """Fold what nobody has unfolded by hand: there is room for one line each."""
        if short != self._short:
            self._short = short
            for at, row in enumerate(self.rows):
                row.set_folded(self._folded.get(QUESTIONS[at], short))

    def _turn(self, at: int) -> None:
        row = self.rows[at]
        self._folded[QUESTIONS[at]] = not row.is_folded
        row.set_folded(not row.is_folded)
        self.rowShown.emit(row)

    def _go_to(self, at: int) -> None:
        self.rows[max(0, min(at, len(self.rows) - 1))].setFocus()
