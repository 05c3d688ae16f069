"""A regime with its bar: title and summary over it, or the reason why there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from rooflinestudio.ui.budget.bar import BudgetBar
from rooflinestudio.ui.budget.lines import summaries
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.eliding import ElidingLabel
from rooflinestudio.ui.widgets.note_box import wrapped_label
from rooflinestudio.ui.widgets.size_edit import SizeEdit

if TYPE_CHECKING:
    from rooflinestudio.core.budget_regimes import RegimeBudget
    from rooflinestudio.core.operators import Operator

__all__ = ["RegimeBlock"]

_BATCH_PX: Final = 50


class SummaryLabel(ElidingLabel):
    """The longest of several forms that fits; nothing where none does."""

    def __init__(self) -> None:
        self._forms: tuple[str, ...] = ()
        super().__init__(role="label", token="text2", align=Qt.AlignmentFlag.AlignRight, steady=True)

    def set_forms(self, forms: tuple[str, ...]) -> None:
        """Give the forms, the full one first."""
        self._forms = forms
        self.set_text(forms[0] if forms else "")

    def shown_text(self) -> str:
        width = QFontMetricsF(self.font()).horizontalAdvance
        return next((one for one in self._forms if width(one) <= self.width() + 0.5), "")


class RegimeBlock(QWidget):
    """The present regime can be chosen from; others have a batch of their own, since one decodes more at a time.

    Signals
    -------
    batchRequested
        Regime and the batch it is to be shown with.
    """

    batchRequested = Signal(str, object)

    def __init__(self, *, present: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._present, self._regime = present, ""
        self._compact = self._has_batch = False
        self.title = ElidingLabel(role="section", token="text")
        self.figures = SummaryLabel()
        self.bar = BudgetBar(lasting=present)
        self.reason = wrapped_label("muted")
        self.batch: SizeEdit | None = None
        self._batch_label = QLabel("batch")
        set_role(self._batch_label, "label")
        self._batch_label.hide()
        self._head = QHBoxLayout()
        self._head.setContentsMargins(0, 0, 0, 0)
        self._head.setSpacing(8)
        self._head.addWidget(self.title)
        self._head.addWidget(self._batch_label)
        self._head.addWidget(self.figures, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addLayout(self._head)
        layout.addWidget(self.bar)
        layout.addWidget(self.reason)

    @property
    def regime(self) -> str:
        """The regime that is shown, or an empty text."""
        return self._regime

    def set_compact(self, compact: bool) -> None:
        """Be lower, and leave out the word before the batch: the title has it."""
        self._compact = compact
        self.bar.set_low(compact)
        self._batch_label.setVisible(self._has_batch and not compact)

    def show_regime(self, one: RegimeBudget, noun: str, operator: Operator | None) -> None:
        """Show a regime of a composite."""
        self._regime = one.regime
        budget = one.budget
        self.title.set_text(one.title or "Kernel by kernel")
        forms = summaries(budget) if budget is not None else ()
        self.figures.set_forms(forms)
        self.bar.show_budget(budget, one.title or "Budget", noun)
        self.bar.setVisible(budget is not None)
        self.reason.setText(one.reason)
        self.reason.setVisible(budget is None)
        self.setAccessibleName(f"{one.title}: {forms[0] if forms else one.reason}")
        if not self._present:
            self._show_batch(one, operator)

    def _show_batch(self, one: RegimeBudget, operator: Operator | None) -> None:
        declared = {p.name: p for p in operator.parameters} if operator is not None else {}
        has = "batch" in declared and isinstance(one.parameters.get("batch"), int | float)
        if has and operator is not None and self.batch is None:
            self.batch = SizeEdit(operator, declared["batch"])
            self.batch.setObjectName("budget.beside.batch")
            self.batch.setFixedWidth(_BATCH_PX)
            self.batch.set_hint("Sequences at a time in this regime, beside the layer of the study")
            self.batch.valueCommitted.connect(self._on_batch_value_committed)
            self._head.insertWidget(2, self.batch)
        if self.batch is not None:
            self.batch.setVisible(has)
            self.batch.setAccessibleName(f"batch in {one.regime}")
            if has:
                self.batch.set_value(int(one.parameters["batch"]))
        self._has_batch = has
        self._batch_label.setVisible(has and not self._compact)

    def _on_batch_value_committed(self, value: object) -> None:
        self.batchRequested.emit(self._regime, value)
