"""What the rows of a parameter form share: a label, how values get in and out, and what is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from rooflinestudio.ui.inspector.declared import (
    Group,
    number_of,
    problem_with,
    reader_of,
    scale_of,
    text_of,
)
from rooflinestudio.ui.widgets.eliding import ElidingLabel
from rooflinestudio.ui.widgets.note_box import wrapped_label
from rooflinestudio.ui.widgets.painting import metrics
from rooflinestudio.ui.widgets.quantity_edit import QuantityEdit

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.operators import Operator, Parameter

__all__ = ["EDIT_PX", "ROW_PX", "Field", "parameter_help"]

ROW_PX: Final = 26
EDIT_PX: Final = 74


class Field(QObject):
    """One row of the form; holds its widgets, which belong to the panel.

    Signals
    -------
    requested
        Name of the parameter, its value, and whether a drag is going on.
    gestureEnded
        A drag is over.
    """

    requested = Signal(str, object, bool)
    gestureEnded = Signal()

    def __init__(self, operator: Operator, group: Group, panel: QWidget) -> None:
        super().__init__(panel)
        self.operator, self.group = operator, group
        self.profile: HardwareProfile | None = None
        self.reason = ""  # why the row is refused, which may be for a text in this field
        self._resolved: Mapping[str, Any] = {}
        self._state: object = None
        self.label = ElidingLabel(group.label, role="label", token="text2", parent=panel)
        self.label.set_hint(_help(group))
        self.message = wrapped_label("error")
        self.message.hide()
        self._line = QWidget(panel)

    def show(
        self,
        given: Mapping[str, Any],
        resolved: Mapping[str, Any],
        profile: HardwareProfile | None,
        *,
        doubtful: bool,
    ) -> None:
        """Show what was set, or the default; ``doubtful`` asks to find out what is refused."""
        names = [parameter.name for parameter in self.group.parameters]
        state = (
            [given.get(name) for name in names],
            [resolved.get(name) for name in names],
            profile,
            doubtful,
        )
        if state != self._state or doubtful:
            self._state = state
            self.profile, self._resolved = profile, resolved
            self.show_values(given, resolved, doubtful=doubtful)

    def show_values(self, given: Mapping[str, Any], resolved: Mapping[str, Any], *, doubtful: bool) -> None:
        """Fill the widgets."""
        raise NotImplementedError

    def forget_typing(self) -> None:
        """Drop what is being typed, or was refused."""
        self._on_message_changed("")

    @property
    def widgets(self) -> tuple[QWidget, ...]:
        """What can be focused, in the order of the row."""
        raise NotImplementedError

    @property
    def is_narrow(self) -> bool:
        """Whether its label keeps to the column that the sliders begin behind."""
        return False

    def set_label_px(self, width: int) -> None:
        """Make room for the label: the column's width, more where the row can give way."""
        if self.is_narrow:
            self.label.setFixedWidth(width)
        else:
            natural = round(metrics("label").horizontalAdvance(self.label.text())) + 2
            self.label.setMinimumWidth(width)
            self.label.setMaximumWidth(max(width, natural))

    def set_shown(self, shown: bool) -> None:
        """Show or hide the row."""
        for part in (self._line, self.message):
            part.setVisible(shown and (part is self._line or bool(self.message.text())))

    def is_set(self, given: Mapping[str, Any]) -> bool:
        """Whether any of its parameters was set."""
        return any(parameter.name in given for parameter in self.group.parameters)

    def add_to(self, column: QVBoxLayout) -> None:
        """Put the row, and below it what is refused, into a column."""
        column.addWidget(self._line)
        column.addWidget(self.message)

    def _lay_out(self, *parts: tuple[QWidget, int], spacing: int = 8) -> None:
        row = QHBoxLayout(self._line)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(spacing)
        for part, stretch in parts:
            row.addWidget(part, stretch)

    def _on_message_changed(self, text: str) -> None:
        self.message.setText(text)
        self.message.setVisible(bool(text))

    def _make_edit(self, parameter: Parameter) -> QuantityEdit:
        scale = scale_of(parameter)

        def read(text: str) -> Any:
            return reader_of(self.operator, parameter, self.profile)(text)

        def show(value: Any) -> str:
            return text_of(parameter, value)

        def step(value: Any, direction: int) -> Any:
            number = number_of(parameter, value, self._resolved.get(parameter.name))
            return value if number is None else _stepped(scale, number, direction, parameter)

        edit = QuantityEdit(read, show, step=step)
        edit.setObjectName(f"param.{parameter.name}")
        edit.setAccessibleName(f"{parameter.label}, {parameter.unit}".rstrip(", "))
        edit.setToolTip(parameter_help(parameter))
        edit.setFixedHeight(ROW_PX)
        edit.messageChanged.connect(self._on_message_changed)
        return edit

    def _show_in(self, edit: QuantityEdit, parameter: Parameter, value: Any, *, doubtful: bool) -> None:
        edit.set_value(value)
        if doubtful and not edit.is_typing():
            problem = problem_with(self.operator, parameter, value, self.profile)
            if problem:
                edit.refuse(problem)


def _stepped(scale: Any, number: float, direction: int, parameter: Parameter) -> float:
    value = scale.next(number, direction)
    if (
        value == number and parameter.low < number < parameter.high
    ):  # beyond the end of the slider the entry goes on
        value = number * 2.0**direction
    value = min(max(value, parameter.low), parameter.high)
    return int(value) if parameter.integer else float(value)


def _help(group: Group) -> str:
    return "\n".join(dict.fromkeys(parameter_help(one) for one in group.parameters))


def parameter_help(parameter: Parameter) -> str:
    """Return what a parameter means, its unit and its name."""
    unit = f" [{parameter.unit}]" if parameter.unit else ""
    return f"{parameter.help or parameter.label}{unit}\n{parameter.name}"
