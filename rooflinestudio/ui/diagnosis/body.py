"""A diagnosis on one page: kernel, verdict, questions; numbers and roofs beside them, or below where it is narrow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from rooflinestudio.ui.diagnosis.questions import Questions
from rooflinestudio.ui.diagnosis.side import SideColumn
from rooflinestudio.ui.grid.scrolling import reveal
from rooflinestudio.ui.inspector.title import MarkerDot
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.chip import Chip
from rooflinestudio.ui.widgets.eliding import ElidingLabel
from rooflinestudio.ui.widgets.note_box import VerdictBox
from rooflinestudio.ui.widgets.quiet_scroll import QuietScroll
from rooflinestudio.ui.widgets.text_block import Paragraph, Span, TextBlock

if TYPE_CHECKING:
    from rooflinestudio.core.diagnosis import Above, Diagnosis

__all__ = ["DiagnosisBody", "Shown"]

_WIDE_FROM_PX, _TALL_FROM_PX, _ROOMY_FROM_PX = 860, 320, 680
_SIDE_SHARE, _SIDE_LEAST_PX, _SIDE_MOST_PX = 0.36, 320, 520
_ANY_PX: Final = 16_777_215
_TONES: Final = {
    "quantisation": "neutral",
    "unexplained": "neutral",
    "impossible": "error",
    "unknown": "warn",
}


@dataclass(frozen=True, slots=True)
class Shown:
    """What the page shows.

    Attributes
    ----------
    slot
        Colour of the entry that the kernel is held against; empty without one.
    machine, where, in_full
        The machine in words, and the launch, and the name of the file.
    remarks
        What the view has to say itself.
    """

    diagnosis: Diagnosis
    slot: int | str
    machine: str
    where: str
    in_full: str
    remarks: tuple[str, ...] = ()


class DiagnosisBody(QuietScroll):
    """The page, scrolling as a whole."""

    copyRequested = Signal(str)
    absorptionRequested = Signal(float)
    leverRequested = Signal(object)
    pairRequested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        page = QWidget()
        set_role(page, "page")
        super().__init__(page, "Diagnosis")
        self._page = page
        if parent is not None:
            self.setParent(parent)
        self.marker, self.kind, self.verdict = MarkerDot(), Chip(), VerdictBox()
        self.name = ElidingLabel(role="title", token="text", mode=Qt.TextElideMode.ElideMiddle)
        self.name.set_copyable()
        self.where = ElidingLabel(role="label", token="text2", mode=Qt.TextElideMode.ElideMiddle)
        for part in (self.where, self.kind):  # where there is little room, the name gives way
            part.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._wheres, self._roomy = ("", ""), False
        self.above = TextBlock("label")
        self._above_box = QFrame()
        set_role(self._above_box, "note", tone="error")
        self.questions, self.side = Questions(), SideColumn()
        self.questions.copyRequested.connect(self.copyRequested)
        self.questions.absorptionRequested.connect(self.absorptionRequested)
        self.questions.leverRequested.connect(self.leverRequested)
        self.questions.pairRequested.connect(self.pairRequested)
        self.questions.rowShown.connect(self._on_questions_row_shown)
        self._columns = QBoxLayout(QBoxLayout.Direction.LeftToRight, page)
        self._columns.setContentsMargins(20, 12, 20, 16)
        self._columns.setSpacing(28)
        self._columns.addWidget(self._main(), 1)
        self._columns.addWidget(self.side)

    def _main(self) -> QWidget:
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.marker)
        head.addWidget(self.name)
        head.addWidget(self.where)
        head.addStretch(1)
        head.addWidget(self.kind)
        box = QVBoxLayout(self._above_box)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self.above)
        main = QWidget()
        column = QVBoxLayout(main)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(head)
        column.addWidget(self.verdict)
        column.addWidget(self._above_box)
        column.addWidget(self.questions)
        column.addStretch(1)
        return main

    def show_shown(self, shown: Shown) -> None:
        """Show a diagnosis."""
        diagnosis = shown.diagnosis
        self.marker.set_marker("diamond", shown.slot)
        self.name.set_text(diagnosis.measurement.kernel.removeprefix("void "))
        self._wheres = (shown.machine, shown.where)
        self._renew_where()
        self.where.set_hint(shown.in_full)
        self.kind.set_content(diagnosis.kind, _TONES.get(diagnosis.kind, diagnosis.kind))
        self.verdict.set_text(diagnosis.verdict)
        self._above_box.setVisible(bool(diagnosis.above))
        self.above.set_paragraphs(*(one for above in diagnosis.above for one in _causes(above)))
        self.questions.show_answers(diagnosis, shown.slot if shown.slot != "" else 0)
        self.side.show_diagnosis(diagnosis, shown.remarks, shown.slot)

    def arrange(self, width: int, height: int) -> None:
        """Put the columns beside each other where there is room; fold the questions where there is little height."""
        wide = width >= _WIDE_FROM_PX
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._columns.setDirection(across if wide else down)
        self._columns.setSpacing(28 if wide else 18)
        side = round(max(_SIDE_LEAST_PX, min(_SIDE_SHARE * width, _SIDE_MOST_PX)))
        self.side.setMinimumWidth(side if wide else 0)
        self.side.setMaximumWidth(side if wide else _ANY_PX)
        self._roomy = width - (side if wide else 0) >= _ROOMY_FROM_PX
        self._renew_where()
        short = height < _TALL_FROM_PX
        self._columns.setContentsMargins(20, 6 if short else 12, 20, 16)
        self.questions.set_short(short)

    def _renew_where(self) -> None:
        self.where.set_text(self._wheres[self._roomy])

    def _on_questions_row_shown(self, row: QWidget) -> None:
        QTimer.singleShot(0, self, lambda: self._reveal(row))  # once the layout has seen what is folded

    def _reveal(self, row: QWidget) -> None:
        top = row.mapTo(self._page, QPoint(0, 0)).y()
        reveal(self.verticalScrollBar(), top - 6, row.height() + 12)


def _causes(above: Above) -> tuple[Paragraph, ...]:
    """Return what is beaten, then the causes in order of likelihood."""
    head = Paragraph((Span(above.text, bold=True),))
    return head, *(
        Paragraph((Span(f"{at}. {one.words}"), Span(" (likely)" if one.likely else "", bold=True)), 12)
        for at, one in enumerate(above.causes, 1)
    )
