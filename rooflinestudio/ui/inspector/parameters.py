"""The form of an entry's parameters, made from the declaration of its operator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from rooflinestudio.core.quantities import format_number
from rooflinestudio.ui.icons import HEAD_PX, icon
from rooflinestudio.ui.inspector.declared import groups_of
from rooflinestudio.ui.inspector.field_kinds import TileField, make_field
from rooflinestudio.ui.widgets.eliding import ElidingLabel
from rooflinestudio.ui.widgets.link_button import LinkButton
from rooflinestudio.ui.widgets.painting import metrics

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.operators import Operator
    from rooflinestudio.core.placing import PlacedRow
    from rooflinestudio.ui.inspector.fields import Field

__all__ = ["ParameterPanel"]

_LABEL_LEAST_PX: Final = 58
_LABEL_MOST_PX: Final = 92
_FOLD_FROM: Final = 3


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
    rebuilt
        The form is another one.
    """

    parameterRequested = Signal(str, object, bool)
    gestureEnded = Signal()
    resetRequested = Signal()
    rebuilt = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.fields: list[Field] = []
        self._operator: Operator | None = None
        self._entry_id = ""
        self._open = False
        self._opened: set[str] = set()
        self._folded: list[Field] = []
        self._given: Mapping[str, Any] = {}
        self._form: QWidget | None = None
        self.reset = QToolButton()
        self.reset.setObjectName("parameters.reset")
        self.reset.setIcon(icon("reset"))
        self.reset.setIconSize(QSize(HEAD_PX, HEAD_PX))
        self.reset.setAccessibleName("Reset the parameters")
        self.reset.setToolTip("Back to the operator's defaults")
        self.reset.clicked.connect(self.resetRequested)
        self.more = LinkButton()
        self.more.setObjectName("parameters.more")
        self.more.clicked.connect(self._on_more_clicked)
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, 0, 0)
        head.addWidget(ElidingLabel("Parameters", role="section", token="text2"), 1)
        head.addWidget(self.reset)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(2)
        self._layout.addLayout(head)
        self._layout.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)

    def show_row(self, operator: Operator, row: PlacedRow) -> None:
        """Show the parameters of a row; the form is built anew only for another operator."""
        rebuilt = operator is not self._operator
        if rebuilt:
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
            field.reason = row.reason
            field.show(given, resolved, row.profile, doubtful=doubtful)
        self.reset.setEnabled(bool(given))
        self._show_waves(row)
        self._show_fold(given)
        if rebuilt:
            self.rebuilt.emit()

    def field(self, name: str) -> Field:
        """Return the row of a parameter."""
        for field in self.fields:
            if any(parameter.name == name for parameter in field.group.parameters):
                return field
        raise KeyError(f"no parameter is called {name!r}")

    def focus_order(self) -> list[QWidget]:
        """Return what can be focused, in the order of the eye."""
        fields = [widget for field in self.fields for widget in field.widgets]
        return [self.reset, *fields, self.more]

    def _build(self, operator: Operator) -> None:
        if self._form is not None:
            self._layout.removeWidget(self._form)
            self._form.hide()
            self._form.deleteLater()
        self._operator = operator
        self._open = operator.id in self._opened
        self._form = form = QWidget(self)
        column = QVBoxLayout(form)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        groups = groups_of(operator.parameters)
        self.fields = [make_field(operator, group, form) for group in groups]
        for field in self.fields:
            field.add_to(column)
            field.requested.connect(self.parameterRequested)
            field.gestureEnded.connect(self.gestureEnded)
        widths = [metrics("label").horizontalAdvance(one.group.label) for one in self.fields if one.is_narrow]
        width = min(max([_LABEL_LEAST_PX, *widths]), _LABEL_MOST_PX)
        for field in self.fields:
            field.set_label_px(round(width) + 2)
        self._folded = _folded(self.fields)
        self._layout.insertWidget(1, form)

    def _show_fold(self, given: Mapping[str, Any]) -> None:
        """Hide the rows that few people need, unless they were set or asked for."""
        self._given = given
        hidden = 0
        for field in self.fields:
            shown = self._open or field not in self._folded or field.is_set(given)
            field.set_shown(shown)
            hidden += not shown
        self.more.setVisible(bool(self._folded) and (self._open or hidden > 0))
        self.more.setText("fewer parameters" if self._open else f"{hidden} more parameters")

    def _on_more_clicked(self) -> None:
        self._open = not self._open
        if self._operator is not None:
            (self._opened.add if self._open else self._opened.discard)(self._operator.id)
        self._show_fold(self._given)

    def _show_waves(self, row: PlacedRow) -> None:
        remark = ""
        placement = row.placement
        launch = placement.estimate.launch if placement is not None else None
        sms = row.profile.sms if row.profile is not None else None
        if launch is not None and launch.blocks is not None and sms is not None:
            remark = f"{format_number(float(launch.blocks) / sms.value)} waves"
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


def _folded(fields: list[Field]) -> list[Field]:
    """Return the rows behind the first tile, if they are several: how a kernel is cut up in detail."""
    first = next((at for at, field in enumerate(fields) if isinstance(field, TileField)), len(fields))
    behind = fields[first + 1 :]
    return behind if len(behind) >= _FOLD_FROM else []
