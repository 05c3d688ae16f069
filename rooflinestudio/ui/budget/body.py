"""The budget of one composite: controls, readouts, a bar for each regime, the table, what the figures leave out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from rooflinestudio.core.budget_regimes import REGIME, regimes_of
from rooflinestudio.core.budget_words import REGIME_WORDS, budget_note, whole_word
from rooflinestudio.ui.budget.block import RegimeBlock
from rooflinestudio.ui.budget.controls import BudgetFields
from rooflinestudio.ui.budget.lines import part_lines, readouts
from rooflinestudio.ui.budget.model import BudgetModel, BudgetTable
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.chip import Chip
from rooflinestudio.ui.widgets.eliding import ElidingLabel
from rooflinestudio.ui.widgets.note_box import ReasonBox, wrapped_label
from rooflinestudio.ui.widgets.quiet_scroll import QuietScroll
from rooflinestudio.ui.widgets.readouts import ReadoutLine, Readouts
from rooflinestudio.ui.widgets.segmented import SegmentedControl

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from rooflinestudio.core.budget import Budget
    from rooflinestudio.core.budget_regimes import RegimeBudget
    from rooflinestudio.core.operators import Operator
    from rooflinestudio.core.placing import PlacedRow

__all__ = ["BudgetBody"]

_COMPACT_BELOW: Final = (820, 360)
_PADDING_PX, _COMPACT_PADDING_PX = 20, 12
_LEAVES_FIRST: Final = (1, 0, 4)
"""Which figures give way in a line that is too short: traffic, work, then the share of memory."""


class BudgetBody(QWidget):
    """Large, everything has its place; small, the readouts shrink to a line and the rest scrolls below it.

    Signals
    -------
    partChosen, partOpened
        Number of a part.
    parameterRequested
        Name and value of a parameter of the composite.
    batchRequested
        Regime that is shown beside, and its batch.
    """

    partChosen = Signal(int)
    partOpened = Signal(int)
    parameterRequested = Signal(str, object)
    batchRequested = Signal(str, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._compact: bool | None = None
        self._asked: tuple[object, ...] = (None, None, None)
        self._beside: list[RegimeBlock] = []
        self.title = ElidingLabel(role="title", token="text")
        self.regime = SegmentedControl([], "Regime", compact=True)
        self.fields = BudgetFields(self)
        self.line, self.tall = ReadoutLine(_LEAVES_FIRST), Readouts()
        self.present = RegimeBlock(present=True)
        self.refusal = ReasonBox()
        self.table, self.model = BudgetTable(), BudgetModel()
        self.table.setModel(self.model)
        self.note = wrapped_label("muted", font_role="caption")
        self._make_legend()
        self._lay_out()
        self._connect()

    def _make_legend(self) -> None:
        self.legend = QWidget()
        row = QHBoxLayout(self.legend)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        self._chips = {kind: Chip(kind, kind) for kind in ("compute", "memory", "latency", "launch")}
        for chip in self._chips.values():
            row.addWidget(chip)
        row.addWidget(ElidingLabel("width is time, colour is the bound", role="label", token="muted"), 1)

    def _lay_out(self) -> None:
        self._head = QHBoxLayout()
        self._head.setSpacing(12)
        self._head.addWidget(self.title)
        self._spring = QWidget()  # a stretch would keep its spacing where it is not wanted
        self._spring.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._head.addWidget(self._spring, 1)
        self._head.addWidget(self.regime)
        self._head.addWidget(self.line, 100)
        self._content = QWidget()
        set_role(self._content, "surface")
        self._column = QVBoxLayout(self._content)
        self._column.setSpacing(10)
        self._bars = QVBoxLayout()
        self._bars.setSpacing(10)
        for part in (self.tall, self.legend, self.refusal, self.present):
            self._column.addWidget(part)
        self._column.addLayout(self._bars)
        self._column.addWidget(self.table)
        self._column.addStretch(1)
        self._column.addWidget(self.note)
        self._area = QuietScroll(self._content, "Budget")
        self._outer = QVBoxLayout(self)
        self._outer.setSpacing(0)
        self._outer.setContentsMargins(0, 0, 0, 0)
        self._outer.addLayout(self._head)
        self._outer.addWidget(self._area, 1)

    def _connect(self) -> None:
        self.present.bar.partChosen.connect(self.partChosen)
        self.present.bar.partOpened.connect(self.partOpened)
        self.table.rowChosen.connect(self._on_table_row_chosen)
        self.table.rowOpened.connect(self._on_table_row_opened)
        self.table.horizontalHeader().sectionClicked.connect(self._on_header_section_clicked)
        self.fields.requested.connect(self.parameterRequested)

    # What it shows ------------------------------------------------------------------------------------------------

    def show_row(self, row: PlacedRow, regimes: Sequence[RegimeBudget], operator: Operator | None) -> None:
        """Show a composite with its regimes, the present one first."""
        asked = (row, regimes, operator)
        if all(one is other for one, other in zip(asked, self._asked, strict=True)):
            return
        self._asked = asked
        noun = whole_word(row.entry.operator)
        present = regimes[0]
        label = operator.label if operator is not None else row.entry.operator
        self.title.set_text(f"{row.entry.label or label} budget")
        self._show_regimes(operator, present.regime)
        self.fields.show_entry(operator, row.entry.parameters, row.profile)
        self._show_title()
        self._show_budget(present.budget, noun)
        self.refusal.setVisible(present.budget is None)
        self.present.setVisible(present.budget is not None)
        if present.budget is None:
            waits = "is being worked out" if present.is_pending else "is not placed"
            tone = "" if present.is_pending else "error"
            self.refusal.set_reason(f"{row.entry.label or label} {waits}", present.reason, tone=tone)
        self.present.show_regime(present, noun, operator)
        # What is refused in every regime for one reason is told once.
        told = [one for one in regimes[1:] if one.budget is not None or one.reason != present.reason]
        self._show_beside(told, noun, operator)
        self.note.setText(budget_note(forecast=row.settings.forecast, regime=present.regime))
        self._show_legend([one.budget for one in regimes if one.budget is not None])

    def _show_budget(self, budget: Budget | None, noun: str) -> None:
        figures = readouts(budget, noun) if budget is not None else ()
        self.line.set_readouts(figures)
        self.tall.set_readouts(figures)
        self.model.set_lines(part_lines(budget, noun) if budget is not None else (), noun)
        self.table.setVisible(budget is not None)

    def _show_regimes(self, operator: Operator | None, regime: str) -> None:
        known = regimes_of(operator)
        if [one.objectName().partition(".")[2] for one in self.regime.buttons] != list(known):
            fresh = SegmentedControl(
                [(one, REGIME_WORDS.get(one, one)) for one in known], "Regime", compact=True
            )
            fresh.chosen.connect(self._on_regime_chosen)
            self._head.replaceWidget(self.regime, fresh)
            self.regime.hide()
            self.regime.deleteLater()
            self.regime = fresh
        self.regime.set_value(regime)
        self.regime.setVisible(bool(known))

    def _show_beside(self, regimes: Sequence[RegimeBudget], noun: str, operator: Operator | None) -> None:
        while len(self._beside) < len(regimes):
            block = RegimeBlock(present=False)
            block.batchRequested.connect(self.batchRequested)
            block.set_compact(bool(self._compact))
            self._beside.append(block)
            self._bars.addWidget(block)
        for at, block in enumerate(self._beside):
            block.setVisible(at < len(regimes))
            if at < len(regimes):
                block.show_regime(regimes[at], noun, operator)

    def _show_legend(self, budgets: Sequence[Budget]) -> None:
        there = {kind for one in budgets for kind in one.shares} | {"compute", "memory"}
        for kind, chip in self._chips.items():
            chip.setVisible(kind in there)

    def set_chosen(self, index: int, *, follow: bool = False) -> None:
        """Mark a part in bar and table, -1 marks none; ``follow`` scrolls to it where the user is not here."""
        is_new = index != self.present.bar.chosen
        self.present.bar.set_chosen(index)
        row = self.model.row_of(index) if index >= 0 else -1
        self.table.choose_row(row)
        if follow and is_new and row >= 0 and not (self.present.bar.hasFocus() or self.table.hasFocus()):
            self._bring_into_view(row)

    def _bring_into_view(self, row: int) -> None:
        """Scroll to a row that was selected elsewhere; where the user is, nothing moves."""
        at = self.table.visualRect(self.model.index(row, 0)).center()
        place = self.table.viewport().mapTo(self._content, at)
        self._area.ensureVisible(0, place.y(), 0, self.table.rowHeight(row))

    @property
    def beside(self) -> list[RegimeBlock]:
        """The blocks of the other regimes that are shown."""
        return [one for one in self._beside if not one.isHidden()]

    # Size ---------------------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        width, height = self.width(), self.height()
        self._set_compact(width < _COMPACT_BELOW[0] or height < _COMPACT_BELOW[1])
        self._show_title()
        padding = _COMPACT_PADDING_PX if self._compact else _PADDING_PX
        self.table.fit_columns(width - 2 * padding - 12)

    def _show_title(self) -> None:
        """Show the title where the controls leave room for it."""
        taken = self.fields.sizeHint().width() if not self.fields.isHidden() else 0
        taken += self.regime.sizeHint().width() if not self.regime.isHidden() else 0
        room = self.width() - taken - 2 * _PADDING_PX - 4 * self._head.spacing()
        self.title.setVisible(not self._compact and room >= self.title.sizeHint().width())

    def _set_compact(self, compact: bool) -> None:
        if compact == self._compact:
            return
        self._compact = compact
        padding = _COMPACT_PADDING_PX if compact else _PADDING_PX
        above = 4 if compact else 12
        self._head.setContentsMargins(padding, above, padding, 4)
        self._column.setContentsMargins(padding, 4, padding, 8)
        self._column.setSpacing(6 if compact else 12)
        self._spring.setVisible(not compact)
        self.fields.set_compact(compact)
        self.line.setVisible(compact)
        self.tall.setVisible(not compact)
        self.legend.setVisible(not compact)
        if compact:
            self._column.insertWidget(0, self.fields)
        else:
            self._head.addWidget(self.fields)
        for block in (self.present, *self._beside):
            block.set_compact(compact)

    # What the user does -------------------------------------------------------------------------------------------

    def _on_regime_chosen(self, regime: str) -> None:
        self.parameterRequested.emit(REGIME, regime)

    def _on_table_row_chosen(self, row: int) -> None:
        self.partChosen.emit(self.model.rows[row].index)

    def _on_table_row_opened(self, row: int) -> None:
        self.partOpened.emit(self.model.rows[row].index)

    def _on_header_section_clicked(self, column: int) -> None:
        """Sort: names upwards, figures from the largest; then the other way; then as the parts run."""
        first = Qt.SortOrder.DescendingOrder if column in (1, 2, 3, 5, 6) else Qt.SortOrder.AscendingOrder
        chosen = self.present.bar.chosen
        self.table.sort_next(column, first)
        self.set_chosen(chosen)
