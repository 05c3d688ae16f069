"""Beside the questions: the three numbers, where the kernel stands, and what the gap to its prediction consists of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from rooflinestudio.ui.diagnosis.roof import DiagnosisRoof, diagnosis_scene
from rooflinestudio.ui.diagnosis.signs import RoofRow
from rooflinestudio.ui.diagnosis.words import LETTERS, gap_rows, standing_rows, value_text
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.chip import Chip
from rooflinestudio.ui.widgets.eliding import ElidingLabel
from rooflinestudio.ui.widgets.key_value import KeyValueRow
from rooflinestudio.ui.widgets.text_block import Paragraph, Span, TextBlock

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rooflinestudio.core.diagnosis import Datum, Diagnosis

__all__ = ["NumberCard", "SideColumn"]

_TONES: Final = {"paired": "accent", "model": "warn", "missing": "warn"}


def _heading(text: str) -> QLabel:
    made = QLabel(text)
    set_role(made, "section", font_role="body_strong")
    return made


class NumberCard(QFrame):
    """W, Q or t with where it comes from."""

    def __init__(self, letter: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, "well")
        self._letter = letter
        sign = QLabel(letter)
        set_role(sign, "title")
        sign.setFixedWidth(18)
        self.value = ElidingLabel(role="canvas_title", token="text")
        self.recipe = ElidingLabel(role="caption", token="muted")
        self.origin = Chip()
        words = QVBoxLayout()
        words.setSpacing(1)
        words.addWidget(self.value)
        words.addWidget(self.recipe)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 6, 10, 6)
        row.setSpacing(10)
        row.addWidget(sign)
        row.addLayout(words, 1)
        row.addWidget(self.origin)

    def show_datum(self, datum: Datum) -> None:
        """Show a number."""
        self.value.set_text(value_text(datum))
        self.recipe.set_text(datum.recipe)
        self.recipe.setVisible(bool(datum.recipe))
        self.origin.set_content(datum.origin, _TONES.get(datum.origin, "neutral"))
        self.setAccessibleName(f"{self._letter}: {datum.text}, {datum.origin}")


class _Rows(QWidget):
    """As many lines of caption and value as there are."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: list[KeyValueRow] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)

    def show_pairs(self, pairs: Iterable[tuple[str, str]]) -> None:
        shown = list(pairs)
        while len(self.rows) < len(shown):
            self.rows.append(KeyValueRow(""))
            self._column.addWidget(self.rows[-1])
        for at, row in enumerate(self.rows):
            row.setVisible(at < len(shown))
            if at < len(shown):
                row.set_label(shown[at][0])
                row.set_value(shown[at][1])

    def texts(self) -> dict[str, str]:
        """Return values by caption, as far as they are shown."""
        return {row.label(): row.value() for row in self.rows if not row.isHidden()}


class SideColumn(QWidget):
    """Numbers, roofs, gap and notes below each other; what a diagnosis lacks is left out."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.numbers = tuple(NumberCard(letter) for letter in LETTERS)
        self.standing_head, self.gap_head = _heading("Where it stands"), _heading("Against the prediction")
        self.roof = DiagnosisRoof()
        self.roofs: list[RoofRow] = []
        self.to_win, self.ratios = _Rows(), _Rows()
        self.gap, self.notes = TextBlock("label"), TextBlock("label")
        self._roof_column = QVBoxLayout()
        self._roof_column.setSpacing(8)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(_heading("Three numbers, one point"))
        for card in self.numbers:
            column.addWidget(card)
        column.addSpacing(4)
        column.addWidget(self.standing_head)
        column.addWidget(self.roof)
        column.addLayout(self._roof_column)
        column.addWidget(self.to_win)
        column.addSpacing(4)
        column.addWidget(self.gap_head)
        column.addWidget(self.gap)
        column.addWidget(self.ratios)
        column.addWidget(self._box())
        column.addStretch(1)

    def _box(self) -> QFrame:
        self.note_box = QFrame()
        set_role(self.note_box, "note", tone="")
        inner = QVBoxLayout(self.note_box)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.addWidget(self.notes)
        return self.note_box

    def show_diagnosis(self, diagnosis: Diagnosis, remarks: tuple[str, ...], slot: int | str = "") -> None:
        """Show a diagnosis in the colour of its entry, and further remarks among its notes."""
        scene = diagnosis_scene(diagnosis, slot)
        self.roof.setVisible(scene is not None)
        self.roof.set_scene(scene)
        for card, datum in zip(self.numbers, diagnosis.numbers, strict=True):
            card.show_datum(datum)
        self._show_standing(diagnosis)
        gap = diagnosis.gap
        for widget in (self.gap_head, self.gap, self.ratios):
            widget.setVisible(gap is not None)
        if gap is not None:
            self.gap.set_paragraphs(Paragraph((Span(gap.text),)))
            self.ratios.show_pairs(gap_rows(gap))
        notes = (*remarks, *diagnosis.notes)
        self.note_box.setVisible(bool(notes))
        self.notes.set_paragraphs(*(Paragraph((Span(text),)) for text in notes))

    def _show_standing(self, diagnosis: Diagnosis) -> None:
        standing = diagnosis.standing
        self.standing_head.setVisible(standing is not None)
        self.to_win.setVisible(standing is not None)
        sides = standing.sides if standing is not None else ()
        while len(self.roofs) < len(sides):
            self.roofs.append(RoofRow())
            self._roof_column.addWidget(self.roofs[-1], 0, Qt.AlignmentFlag.AlignTop)
        for at, row in enumerate(self.roofs):
            row.setVisible(at < len(sides))
            if at < len(sides):
                row.set_side(sides[at], binding=at == 0)
        if standing is not None:
            self.to_win.show_pairs(standing_rows(standing))
