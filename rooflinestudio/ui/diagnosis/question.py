"""One question with its answer: sign, outcome, sentence, figures, and what to collect where there is no answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from rooflinestudio.core.quantities import format_number
from rooflinestudio.ui.diagnosis.signs import ReuseBar, Sign
from rooflinestudio.ui.diagnosis.words import outcome_text, takeable_absorption
from rooflinestudio.ui.icons import icon
from rooflinestudio.ui.widgets.chip import Chip
from rooflinestudio.ui.widgets.eliding import ElidingLabel
from rooflinestudio.ui.widgets.painting import paint_focus_ring
from rooflinestudio.ui.widgets.text_block import Paragraph, Span, TextBlock

if TYPE_CHECKING:
    from PySide6.QtGui import QFocusEvent, QMouseEvent, QPaintEvent

    from rooflinestudio.core.diagnosis import Answer, Diagnosis
    from rooflinestudio.core.levers import Lever

__all__ = ["QuestionRow"]

_TONES: Final = {"no problem": "ok", "found": "warn", "cannot be answered": "neutral"}
_STEPS: Final = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_Home: -99, Qt.Key.Key_End: 99}
_FOLDS: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


class QuestionRow(QWidget):
    """A question; folded it is one line with the answer in a few words.

    Signals
    -------
    stepRequested
        How many questions to go on, from an arrow key.
    foldRequested
        The question is to be folded, or unfolded.
    shown
        It has got the focus and is to be seen.
    copyRequested
        The command that collects what is missing.
    absorptionRequested
        The absorption that the measured traffic tells.
    leverRequested
        What is to be tried against the finding.
    pairRequested
        The kernel is to be held against an entry.
    """

    stepRequested = Signal(int)
    foldRequested = Signal()
    shown = Signal()
    copyRequested = Signal(str)
    absorptionRequested = Signal(float)
    leverRequested = Signal(object)
    pairRequested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._answer: Answer | None = None
        self._absorption: float | None = None
        self._folded = self._has_bar = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.sign, self.chip = Sign(), Chip()
        self.title = ElidingLabel(role="section", token="text")
        self.brief = ElidingLabel(role="label", token="text2")
        self.sentence, self.figures = TextBlock("label"), TextBlock("mono_small")
        self.command = ElidingLabel(role="mono_small", token="text2")
        self.command.set_copyable()
        self.copy = QPushButton("Copy the command")
        self.copy.setIcon(icon("copy"))
        self.copy.clicked.connect(lambda: self.copyRequested.emit(self.command.text()))
        self.bar = ReuseBar()
        self.take = QPushButton()
        self.take.setObjectName("diagnosis.absorption")
        self.take.clicked.connect(self._on_take_clicked)
        self.attempt = QPushButton()
        self.attempt.setObjectName("diagnosis.try")
        self.attempt.hide()
        self.attempt.clicked.connect(self._on_attempt_clicked)
        self.pair = QPushButton("Pair the kernel…")
        self.pair.setObjectName("diagnosis.pair")
        self.pair.setToolTip("Show what this kernel may be: entries of the study, and new ones")
        self.pair.clicked.connect(self.pairRequested)
        self.pair.hide()
        self._lever: Lever | None = None
        for button in (self.copy, self.take, self.attempt, self.pair):
            button.setAutoDefault(True)  # else Enter does nothing outside of dialogs
        self._lay_out()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.title)
        head.addWidget(self.brief, 1)
        head.addWidget(self.chip)
        collect = QHBoxLayout()
        collect.setSpacing(8)
        collect.addWidget(self.command, 1)
        collect.addWidget(self.copy)
        collect.setContentsMargins(0, 2, 0, 0)
        self._collect = QWidget()
        self._collect.setLayout(collect)
        column = QVBoxLayout()
        column.setSpacing(3)
        column.addLayout(head)
        for part in (self.sentence, self.figures, self._collect, self.bar, self._deeds()):
            column.addWidget(part)
        self._row = QHBoxLayout(self)
        self._row.setSpacing(12)
        self._row.addWidget(self.sign, 0, Qt.AlignmentFlag.AlignTop)
        self._row.addLayout(column, 1)

    def _deeds(self) -> QWidget:
        """Return the row of what can be done about the finding."""
        self._deed_row = QWidget()
        row = QHBoxLayout(self._deed_row)
        row.setContentsMargins(0, 4, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.pair)
        row.addWidget(self.take)
        row.addWidget(self.attempt)
        row.addStretch(1)
        return self._deed_row

    # What it shows ------------------------------------------------------------------------------------------------

    @property
    def answer(self) -> Answer | None:
        """The answer that is shown."""
        return self._answer

    @property
    def is_folded(self) -> bool:
        """Whether only one line is shown."""
        return self._folded

    def show_answer(self, answer: Answer, diagnosis: Diagnosis, slot: int | str) -> None:
        """Show the answer to a question of a diagnosis."""
        self._answer = answer
        self.sign.set_outcome(answer.outcome)
        self.title.set_text(f"{answer.number}  {answer.question}")
        self.chip.set_content(outcome_text(answer), _TONES[answer.outcome])
        self.sentence.set_paragraphs(*_sentences(answer))
        self.figures.set_paragraphs(*_figures(answer))
        self.command.set_text(answer.command)
        self.copy.setAccessibleName(f"Copy the command for question {answer.number}")
        reuse = diagnosis.reuse if answer.id == "reuse" else None
        self._absorption = takeable_absorption(diagnosis) if reuse is not None else None
        if reuse is not None:
            self.bar.set_reuse(reuse, slot)
        self.take.setVisible(self._absorption is not None)
        if self._absorption is not None:
            self.take.setText(f"Set absorption to {self._absorption:g}")
        self._has_bar = reuse is not None
        self.pair.setVisible(answer.id == "reuse" and diagnosis.placement is None)
        self._renew()

    def show_lever(self, lever: Lever | None) -> None:
        """Offer something to try, or nothing."""
        self._lever = lever
        self.attempt.setVisible(lever is not None)
        if lever is not None:
            words = f"{lever.words[:1].lower()}{lever.words[1:]}"
            self.attempt.setText(f"Try: {words}")
            gain = f"{format_number(1 / lever.ratio)}× as fast"
            self.attempt.setToolTip(f"Place a variant. By the model it is {gain}, then {lever.bound}.")
        self._renew()

    def set_folded(self, folded: bool) -> None:
        """Show one line, or all of the answer."""
        self._folded = folded
        self._renew()

    def _renew(self) -> None:
        answer = self._answer
        if answer is None:
            return
        open_ = not self._folded
        self.brief.set_text(answer.headline if self._folded else "")
        self.sentence.setVisible(open_)
        self.figures.setVisible(open_ and bool(self.figures.text()))
        self._collect.setVisible(open_ and bool(answer.command))
        self.bar.setVisible(open_ and self._has_bar)
        deeds = (self.pair, self.take, self.attempt)
        self._deed_row.setVisible(open_ and not all(one.isHidden() for one in deeds))
        state = "folded" if self._folded else "unfolded"
        self.setAccessibleName(f"{answer.number} {answer.question} {outcome_text(answer)}. {answer.text}")
        self.setAccessibleDescription(f"{state}; Enter changes that")
        edge = 3 if self._folded else 7
        self._row.setContentsMargins(6, edge, 6, edge)
        self.update()

    # What the user does -------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in _STEPS:
            self.stepRequested.emit(_STEPS[key])
        elif key in _FOLDS and self.hasFocus():
            self.foldRequested.emit()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if (
            event.button() == Qt.MouseButton.LeftButton
            and event.position().y() <= self.sign.geometry().bottom() + 4
        ):
            self.foldRequested.emit()
        else:
            super().mousePressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.shown.emit()
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self.hasFocus():
            painter = QPainter(self)
            paint_focus_ring(painter, QRectF(self.rect()))
            painter.end()

    def _on_attempt_clicked(self) -> None:
        if self._lever is not None:
            self.leverRequested.emit(self._lever)

    def _on_take_clicked(self) -> None:
        if self._absorption is not None:
            self.absorptionRequested.emit(self._absorption)


def _sentences(answer: Answer) -> tuple[Paragraph, ...]:
    spans = (Span(f"{answer.headline} ", bold=True), Span(answer.sentence))
    if not answer.remedy:
        return (Paragraph(spans),)
    return Paragraph(spans), Paragraph((Span(answer.remedy, "text2"),))


def _figures(answer: Answer) -> tuple[Paragraph, ...]:
    texts: list[Any] = ["; ".join(one.text for one in answer.figures)]
    if answer.collect:
        texts.append(f"missing: {', '.join(answer.collect)}")
    return tuple(Paragraph((Span(text, "muted"),)) for text in texts if text)
