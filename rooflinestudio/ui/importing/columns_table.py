"""The first rows of a table, with what each column holds, and in which unit, to choose above them."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QWidget

from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.choice import Choice
from rooflinestudio.ui.widgets.eliding import ElidingLabel

if TYPE_CHECKING:
    from rooflinestudio.core.importing.choice import ColumnsChoice
    from rooflinestudio.core.importing.proposal import TableProposal

__all__ = ["ColumnsTable"]

ROWS: Final = 5
MOST_COLUMNS: Final = 60
_WIDTH_PX: Final = 148
_LIKE_NUMBER: Final = re.compile(r"[+\-\u2212]?[0-9][0-9.,eE+\-\u202f' ]*\Z")
_NOT_USED: Final = ("", "Not used")


class ColumnsTable(QFrame):
    """A grid with one column for each column of the file.

    Signals
    -------
    choiceChanged
        The new :class:`~rooflinestudio.core.importing.choice.ColumnsChoice`.
    """

    choiceChanged = Signal(object)

    def __init__(self, choice: ColumnsChoice, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, "surface")
        self._choice = choice
        self.kinds: dict[int, Choice] = {}
        self.units: dict[int, Choice] = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(20, 8, 20, 10)
        self._grid.setHorizontalSpacing(10)
        self._grid.setVerticalSpacing(3)
        proposal = choice.proposal
        self.shown = choice.shown(MOST_COLUMNS)
        for row, word in enumerate(("Column", "Holds", "In")):
            label = QLabel(word)
            set_role(label, "muted", font_role="caption")
            self._grid.addWidget(label, row, 0)
        for place, at in enumerate(self.shown, 1):
            self._add(proposal, at, place)
        self._grid.setColumnStretch(len(self.shown) + 1, 1)
        self._grid.setRowStretch(ROWS + 3, 1)

    @property
    def choice(self) -> ColumnsChoice:
        """What is chosen now."""
        return self._choice

    def set_choice(self, choice: ColumnsChoice) -> None:
        """Take a choice whose columns are the same, and tell it."""
        self._choice = choice
        self.choiceChanged.emit(choice)

    def _add(self, proposal: TableProposal, at: int, place: int) -> None:
        head = proposal.heads[at]
        self._grid.setColumnMinimumWidth(place, _WIDTH_PX)
        self._grid.addWidget(ElidingLabel(head, role="name", token="text", steady=True), 0, place)
        kind = Choice([_NOT_USED, *((one.id, one.label) for one in proposal.kinds)])
        kind.setAccessibleName(f"What {head} holds")
        kind.chosen.connect(partial(self._on_kind_chosen, at))
        unit = Choice()
        unit.setAccessibleName(f"Unit of {head}")
        unit.chosen.connect(partial(self._on_unit_chosen, at))
        self.kinds[at], self.units[at] = kind, unit
        self._grid.addWidget(kind, 1, place)
        keeps = unit.sizePolicy()
        keeps.setRetainSizeWhenHidden(True)
        unit.setSizePolicy(keeps)
        self._grid.addWidget(unit, 2, place)
        for row, cells in enumerate(proposal.rows[:ROWS]):
            self._grid.addWidget(_sample(cells[at] if at < len(cells) else ""), row + 3, place)
        self._show(at)

    def _show(self, at: int) -> None:
        figure = self._choice.figures[at]
        kind = self._choice.proposal.kind(figure)
        self.kinds[at].set_value(figure)
        unit = self.units[at]
        units = kind.units if kind is not None else ()
        known = {one.lower(): one for one in units}
        value = known.get(self._choice.units[at].lower(), self._choice.units[at])
        offered = units if not value or value in units else (*units, value)
        unit.set_options([(one, one) for one in offered])
        unit.set_value(value or (units[0] if units else ""))
        unit.setVisible(bool(units))

    def _on_kind_chosen(self, at: int, figure: str) -> None:
        self._take(at, self._choice.with_figure(at, figure))

    def _on_unit_chosen(self, at: int, unit: str) -> None:
        self._take(at, self._choice.with_unit(at, unit))

    def _take(self, at: int, choice: ColumnsChoice) -> None:
        self._choice = choice
        self._show(at)
        self.choiceChanged.emit(choice)


def _sample(text: str) -> ElidingLabel:
    number = _LIKE_NUMBER.match(text) is not None
    align = Qt.AlignmentFlag.AlignRight if number else Qt.AlignmentFlag.AlignLeft
    return ElidingLabel(text, role="table", token="text2", align=align, steady=True)
