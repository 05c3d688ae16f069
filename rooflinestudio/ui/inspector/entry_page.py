"""The page of an entry: title, parameters, formats, settings, and its result or why there is none."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from rooflinestudio.core.operators import OperatorBase, Parameter
from rooflinestudio.ui.inspector.dtype_panel import DtypePanel
from rooflinestudio.ui.inspector.parameters import ParameterPanel
from rooflinestudio.ui.inspector.result import ResultPanel
from rooflinestudio.ui.inspector.settings_panel import SettingsPanel
from rooflinestudio.ui.inspector.title import TitlePanel
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.note_box import ReasonBox

if TYPE_CHECKING:
    from rooflinestudio.core.operators import Operator
    from rooflinestudio.core.placing import PlacedRow
    from rooflinestudio.core.study import Entry, View
    from rooflinestudio.ui.inspector.surroundings import Surroundings

__all__ = ["EntryPage"]

_HEADINGS = {
    "refused": ("Not placed", "error"),
    "unavailable": ("Operator not available", "warn"),
    "pending": ("Being worked out", ""),
}


class _StandIn(OperatorBase):
    """Declares what an entry holds, where the operator's own declaration is missing."""

    def __init__(self, entry: Entry) -> None:
        self.id, self.label, self.dtype_roles = entry.operator, entry.operator, {}
        self.parameters = tuple(_guessed(name, value) for name, value in entry.parameters.items())


def _guessed(name: str, value: Any) -> Parameter:
    if isinstance(value, bool):
        return Parameter(name, name, default=value)
    if isinstance(value, int | float):
        whole = float(value).is_integer()
        return Parameter(name, name, value, low=min(0.0, float(value)), high=1e18, integer=whole)
    return Parameter(name, name, str(value), choices=(str(value),))


class EntryPage(QWidget):
    """Filled in place; see :class:`InspectorView` for the signals."""

    parameterRequested = Signal(str, str, object, bool)
    parametersResetRequested = Signal(str)
    dtypesRequested = Signal(str, object)
    settingRequested = Signal(str, str, object, bool)
    gestureEnded = Signal()
    machineRequested = Signal(str)
    commandCopied = Signal(str)
    variantRequested = Signal(object, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row: PlacedRow | None = None
        self._view: View | None = None
        self._stand_in: tuple[Any, Operator | None] = (None, None)
        self.title = TitlePanel()
        self.reason = ReasonBox()
        self.parameters = ParameterPanel()
        self.dtypes = DtypePanel()
        self.settings = SettingsPanel()
        self.result = ResultPanel()
        self._rules = [_rule() for _ in range(3)]
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        first, second, third = self._rules
        for part in (
            self.title,
            self.reason,
            self.parameters,
            first,
            self.dtypes,
            second,
            self.settings,
            third,
            self.result,
        ):
            layout.addWidget(part)
        self._connect()

    def _connect(self) -> None:
        self.parameters.parameterRequested.connect(self._on_parameter_requested)
        self.parameters.rebuilt.connect(self._order_focus)
        self.dtypes.rebuilt.connect(self._order_focus)
        self.result.levers.rebuilt.connect(self._order_focus)
        self.parameters.gestureEnded.connect(self.gestureEnded)
        self.parameters.resetRequested.connect(self._on_parameters_reset_requested)
        self.dtypes.dtypesRequested.connect(self._on_dtypes_requested)
        self.settings.settingRequested.connect(self._on_setting_requested)
        self.settings.gestureEnded.connect(self.gestureEnded)
        self.result.policyChosen.connect(self._on_result_policy_chosen)
        self.result.boundaryChosen.connect(self._on_result_boundary_chosen)
        self.result.machineChosen.connect(self.machineRequested)
        self.result.commandCopied.connect(self.commandCopied)
        self.result.levers.variantRequested.connect(self.variantRequested)
        self.gestureEnded.connect(self._on_gesture_ended)

    def set_surroundings(self, around: Surroundings | None) -> None:
        """Take the study around the entry, and the source of operators and machines."""
        self.result.set_surroundings(around)

    def show_row(
        self, operator: Operator | None, row: PlacedRow, others: tuple[PlacedRow, ...], view: View
    ) -> None:
        """Show a row, and the same entry's rows on other machines."""
        self._row, self._view = row, view
        self.title.show_entry(row.entry, operator)
        declared = operator if operator is not None else self._stand_in_for(row.entry)
        self.parameters.show_row(declared, row)
        known = operator is not None
        if operator is not None:
            self.dtypes.show_row(operator, row)
        self.settings.show_row(row, view)
        placed = row.placement is not None
        if placed:
            self.result.show_row(operator, row, others)
        self._show_reason(row.state, row.reason)
        self._arrange(dtypes=known, settings=True, result=placed)

    def show_unplaced(self, entry: Entry) -> None:
        """Show an entry while there is no machine at all."""
        self._row = None
        self.title.show_entry(entry, None)
        self._show_reason("refused", "No machine is shown. Add one with the plus in the tool bar.")
        self._arrange(dtypes=False, settings=False, result=False)
        self.parameters.hide()

    def refresh_theme(self) -> None:
        """Take the colours of the theme now worn."""
        self.reason.refresh_theme()
        self.result.refresh_theme()

    def _arrange(self, *, dtypes: bool, settings: bool, result: bool) -> None:
        self.parameters.show()
        self.dtypes.setVisible(dtypes)
        self._rules[0].setVisible(dtypes)
        self.settings.setVisible(settings)
        self._rules[1].setVisible(settings)
        self.result.setVisible(result)
        self._rules[2].setVisible(result)

    def _show_reason(self, state: str, reason: str) -> None:
        found = _HEADINGS.get(state)
        self.reason.setVisible(found is not None)
        if found is not None:
            self.reason.set_reason(found[0], reason, tone=found[1])

    def _order_focus(self) -> None:
        """Let Tab follow the eye: rows that are built anew come last by themselves."""
        result = self.result
        order = [
            *self.parameters.focus_order(),
            *self.dtypes.focus_order(),
            *self.settings.focus_order(),
            *(result.details.more, result.parts.table, result.parts.more),
            *(result.policies, result.formulas.more, result.boundaries, result.notes.more),
            *result.levers.focus_order(),
            result.copy,
        ]
        for before, after in pairwise(order):
            QWidget.setTabOrder(before, after)

    def _stand_in_for(self, entry: Entry) -> Operator:
        # One form for as long as the names are the same: another declaration would build another form.
        key = (entry.id, tuple(entry.parameters))
        if self._stand_in[0] != key or self._stand_in[1] is None:
            self._stand_in = (key, _StandIn(entry))  # type: ignore[assignment]
        stand_in = self._stand_in[1]
        assert stand_in is not None
        return stand_in

    # Wishes -------------------------------------------------------------------------------------------------------

    def _id(self) -> str:
        return self._row.entry.id if self._row is not None else ""

    def _on_parameter_requested(self, name: str, value: Any, dragging: bool) -> None:
        self._hold(dragging)
        self.parameterRequested.emit(self._id(), name, value, dragging)

    def _hold(self, dragging: bool) -> None:
        if dragging:
            self.result.set_held(True)

    def _on_gesture_ended(self) -> None:
        self.result.set_held(False)

    def _on_parameters_reset_requested(self) -> None:
        self.parametersResetRequested.emit(self._id())

    def _on_dtypes_requested(self, dtypes: Any) -> None:
        self.dtypesRequested.emit(self._id(), dtypes)

    def _on_setting_requested(self, field: str, value: Any, dragging: bool) -> None:
        self._hold(dragging)
        self.settingRequested.emit(self._id(), field, value, dragging)

    def _on_result_policy_chosen(self, policy: str) -> None:
        self._choose("policy", policy)

    def _on_result_boundary_chosen(self, boundary: str) -> None:
        self._choose("boundary", boundary)

    def _choose(self, field: str, value: str) -> None:
        """Set a field of the entry; what the view has anyway is followed rather than set."""
        if self._row is None or self._view is None:
            return
        wanted = None if getattr(self._view, field) == value else value
        if getattr(self._row.entry, field) != wanted:
            self.settingRequested.emit(self._id(), field, wanted, False)


def _rule() -> QFrame:
    rule = QFrame()
    set_role(rule, "hairline")
    rule.setFixedHeight(1)
    return rule
