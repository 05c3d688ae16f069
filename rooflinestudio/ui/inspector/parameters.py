"""The form of an entry's parameters, made from the declaration of its operator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from rooflinestudio.core.quantities import format_number
from rooflinestudio.ui.icons import HEAD_PX, icon
from rooflinestudio.ui.inspector.declared import groups_of
from rooflinestudio.ui.inspector.fields import Field, TileField, make_field
from rooflinestudio.ui.widgets.eliding import ElidingLabel
from rooflinestudio.ui.widgets.painting import metrics

if TYPE_CHECKING:
    from rooflinestudio.core.operators import Operator
    from rooflinestudio.core.placing import PlacedRow

__all__ = ["ParameterPanel"]

_LABEL_LEAST_PX: Final = 58
_LABEL_MOST_PX: Final = 104


class ParameterPanel(QWidget):
    """A row for each parameter; built once for each operator, then only filled.

    Signals
    -------
    parameterRequested
        Name, value, and whether a drag is going on.
    gestureEnded
        A drag is over.
    resetRequested
        Back to the defaults.
    """

    parameterRequested = Signal(str, object, bool)
    gestureEnded = Signal()
    resetRequested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.fields: list[Field] = []
        self._operator: Operator | None = None
        self._entry_id = ""
        self._form: QWidget | None = None
        self.reset = QToolButton()
        self.reset.setObjectName("parameters.reset")
        self.reset.setIcon(icon("reset"))
        self.reset.setIconSize(QSize(HEAD_PX, HEAD_PX))
        self.reset.setAccessibleName("Reset the parameters")
        self.reset.setToolTip("Back to the operator's defaults")
        self.reset.clicked.connect(self.resetRequested)
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, 0, 0)
        head.addWidget(ElidingLabel("Parameters", role="section", token="text2"), 1)
        head.addWidget(self.reset)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(2)
        self._layout.addLayout(head)

    def show_row(self, operator: Operator, row: PlacedRow) -> None:
        """Show the parameters of a row; the form is built anew only for another operator."""
        if operator is not self._operator:
            self._build(operator)
        elif row.entry.id != self._entry_id:
            for field in self.fields:
                field.forget_typing()
        self._entry_id = row.entry.id
        placement = row.placement
        resolved = placement.parameters if placement is not None else {}
        given = row.entry.parameters
        doubtful = row.state == "refused"
        for field in self.fields:
            field.profile = row.profile
            field.show_values(given, resolved, doubtful=doubtful)
        self.reset.setEnabled(bool(given))
        self._show_waves(row)

    def field(self, name: str) -> Field:
        """Return the row of a parameter."""
        for field in self.fields:
            if any(parameter.name == name for parameter in field.group.parameters):
                return field
        raise KeyError(f"no parameter is called {name!r}")

    def _build(self, operator: Operator) -> None:
        if self._form is not None:
            self._layout.removeWidget(self._form)
            self._form.hide()
            self._form.deleteLater()
        self._operator = operator
        self._form = form = QWidget(self)
        grid = QGridLayout(form)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        groups = groups_of(operator.parameters)
        self.fields = [make_field(operator, group, form) for group in groups]
        row = 0
        for field in self.fields:
            row = field.add_to(grid, row)
            field.requested.connect(self.parameterRequested)
            field.gestureEnded.connect(self.gestureEnded)
        # Switches write their own words across; the others share a column as wide as the longest needs, within reason.
        widths = [metrics("label").horizontalAdvance(group.label) for group in groups]
        width = min(max([_LABEL_LEAST_PX, *widths]), _LABEL_MOST_PX)
        for field in self.fields:
            field.label.setFixedWidth(round(width) + 2)
        self._layout.addWidget(form)

    def _show_waves(self, row: PlacedRow) -> None:
        remark = ""
        placement = row.placement
        launch = placement.estimate.launch if placement is not None else None
        sms = row.profile.sms if row.profile is not None else None
        if launch is not None and launch.blocks is not None and sms is not None:
            remark = f"{format_number(launch.blocks / sms.value)} waves"
        first = True
        for field in self.fields:
            if isinstance(field, TileField):
                field.remark.set_text(remark if first else "")
                field.remark.set_hint(
                    f"{launch.blocks:,.0f} tiles on {sms.value:.0f} SMs"
                    if remark and first and launch and sms
                    else None
                )
                first = False
