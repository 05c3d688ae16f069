"""The rows of a parameter form: a slider with an entry, two sides of a tile, a choice, a switch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from rooflinestudio.ui.fonts import font
from rooflinestudio.ui.inspector.declared import (
    AUTO,
    Group,
    number_of,
    problem_with,
    reader_of,
    scale_of,
    suggestions_of,
    text_of,
)
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.choice import Choice
from rooflinestudio.ui.widgets.eliding import ElidingLabel
from rooflinestudio.ui.widgets.log_slider import LogSlider
from rooflinestudio.ui.widgets.note_box import wrapped_label
from rooflinestudio.ui.widgets.painting import metrics
from rooflinestudio.ui.widgets.quantity_edit import QuantityEdit

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.operators import Operator, Parameter

__all__ = ["EDIT_PX", "ROW_PX", "Field", "make_field"]

ROW_PX: Final = 26
EDIT_PX: Final = 74
_TILE_PX: Final = 62
_WIDE_LABEL_PX: Final = 104


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
        self._resolved: Mapping[str, Any] = {}
        self._state: object = None
        self.label = ElidingLabel(group.label, role="label", token="text2")
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
        natural = round(metrics("label").horizontalAdvance(self.label.text())) + 2
        self.label.setFixedWidth(width if self.is_narrow else min(max(width, natural), _WIDE_LABEL_PX))

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

    def _lay_out(self, *parts: tuple[QWidget, int]) -> None:
        row = QHBoxLayout(self._line)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
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
        edit.setToolTip(_parameter_help(parameter))
        edit.setFixedHeight(ROW_PX)
        edit.messageChanged.connect(self._on_message_changed)
        return edit

    def _show_in(self, edit: QuantityEdit, parameter: Parameter, value: Any, *, doubtful: bool) -> None:
        edit.set_value(value)
        if doubtful and not edit.is_typing():
            problem = problem_with(self.operator, parameter, value, self.profile)
            if problem:
                edit.refuse(problem)


class NumberField(Field):
    """A slider beside an entry; the entry holds the truth."""

    def __init__(self, operator: Operator, group: Group, panel: QWidget) -> None:
        super().__init__(operator, group, panel)
        (self.parameter,) = group.parameters
        self.slider = LogSlider(scale_of(self.parameter))
        self.slider.setObjectName(f"slider.{self.parameter.name}")
        self.slider.setAccessibleName(self.parameter.label)
        self.edit = self._make_edit(self.parameter)
        self.edit.setFixedWidth(EDIT_PX)
        self.slider.valueMoved.connect(self._on_slider_value_moved)
        self.slider.gestureEnded.connect(self.gestureEnded)
        self.edit.valueCommitted.connect(self._on_edit_value_committed)

        self._lay_out((self.label, 0), (self.slider, 1), (self.edit, 0))

    @property
    def widgets(self) -> tuple[QWidget, ...]:
        return self.slider, self.edit

    @property
    def is_narrow(self) -> bool:
        return True

    def show_values(self, given: Mapping[str, Any], resolved: Mapping[str, Any], *, doubtful: bool) -> None:
        parameter = self.parameter
        value = given.get(parameter.name, parameter.default)
        self._show_in(self.edit, parameter, value, doubtful=doubtful)
        number = number_of(parameter, value, resolved.get(parameter.name))
        if number is not None:
            self.slider.set_value(number)

    def forget_typing(self) -> None:
        self.edit.set_value(self.edit.value(), force=True)

    def _on_slider_value_moved(self, value: Any) -> None:
        self.requested.emit(self.parameter.name, value, True)

    def _on_edit_value_committed(self, value: Any) -> None:
        self.requested.emit(self.parameter.name, value, False)


class TileField(Field):
    """Two sides of a tile, or one, with usual sizes to choose from and ``auto`` where the machine has a hint."""

    def __init__(self, operator: Operator, group: Group, panel: QWidget) -> None:
        super().__init__(operator, group, panel)
        self.edits: dict[str, QuantityEdit] = {}
        self.remark = ElidingLabel(
            role="caption", token="muted", align=Qt.AlignmentFlag.AlignRight, whole=True, steady=True
        )
        for parameter in group.parameters:
            edit = self._make_edit(parameter)
            edit.setFixedWidth(_TILE_PX)
            edit.set_suggestions(suggestions_of(parameter, None))
            edit.setProperty("parameter", parameter.name)
            edit.valueCommitted.connect(self._on_edit_value_committed)
            self.edits[parameter.name] = edit

        self._lay_out_sides()

    def _lay_out_sides(self) -> None:
        parts: list[tuple[QWidget, int]] = [(self.label, 0)]
        for at, edit in enumerate(self.edits.values()):
            if at:
                times = QLabel("×")
                set_role(times, "muted")
                parts.append((times, 0))
            parts.append((edit, 0))
        self._lay_out(*parts, (self.remark, 1))
        self._line.layout().setSpacing(6)

    @property
    def widgets(self) -> tuple[QWidget, ...]:
        return tuple(self.edits.values())

    def show_values(self, given: Mapping[str, Any], resolved: Mapping[str, Any], *, doubtful: bool) -> None:
        for parameter in self.group.parameters:
            edit = self.edits[parameter.name]
            value = given.get(parameter.name, parameter.default)
            self._show_in(edit, parameter, value, doubtful=doubtful)
            edit.set_suggestions(suggestions_of(parameter, self.profile))
            stands_for = (
                f"\nauto: {resolved[parameter.name]}" if value == AUTO and parameter.name in resolved else ""
            )
            edit.setToolTip(_parameter_help(parameter) + stands_for)

    def forget_typing(self) -> None:
        for edit in self.edits.values():
            edit.set_value(edit.value(), force=True)

    def _on_edit_value_committed(self, value: Any) -> None:
        sender = self.sender()
        if isinstance(sender, QuantityEdit):
            self.requested.emit(sender.property("parameter"), value, False)


class ChoiceField(Field):
    """One of a closed set of texts."""

    def __init__(self, operator: Operator, group: Group, panel: QWidget) -> None:
        super().__init__(operator, group, panel)
        (self.parameter,) = group.parameters
        self.choice = Choice([(one, one.replace("_", " ")) for one in self.parameter.choices])
        self.choice.setObjectName(f"param.{self.parameter.name}")
        self.choice.setAccessibleName(self.parameter.label)
        self.choice.setToolTip(_parameter_help(self.parameter))
        self.choice.setFixedHeight(ROW_PX)
        self.choice.chosen.connect(self._on_choice_chosen)

        self._lay_out((self.label, 0), (self.choice, 1))

    @property
    def widgets(self) -> tuple[QWidget, ...]:
        return (self.choice,)

    def show_values(self, given: Mapping[str, Any], resolved: Mapping[str, Any], *, doubtful: bool) -> None:
        value = given.get(self.parameter.name, self.parameter.default)
        self.choice.set_value(str(value))
        problem = problem_with(self.operator, self.parameter, value, self.profile) if doubtful else ""
        self._on_message_changed(problem)

    def _on_choice_chosen(self, value: str) -> None:
        self.requested.emit(self.parameter.name, value, False)


class SwitchField(Field):
    """Yes or no."""

    def __init__(self, operator: Operator, group: Group, panel: QWidget) -> None:
        super().__init__(operator, group, panel)
        (self.parameter,) = group.parameters
        self.box = QCheckBox(self.parameter.label)
        self.box.setFont(font("label"))
        self.box.setObjectName(f"param.{self.parameter.name}")
        self.box.setAccessibleName(self.parameter.label)
        self.box.setToolTip(_parameter_help(self.parameter))
        self.box.setMinimumHeight(ROW_PX)
        self.box.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.box.clicked.connect(self._on_box_clicked)

        self._lay_out((self.box, 1))

    @property
    def widgets(self) -> tuple[QWidget, ...]:
        return (self.box,)

    def show_values(self, given: Mapping[str, Any], resolved: Mapping[str, Any], *, doubtful: bool) -> None:
        value = given.get(self.parameter.name, self.parameter.default)
        read = value if isinstance(value, bool) else str(value).lower() in ("true", "yes", "on", "1")
        self.box.blockSignals(True)
        self.box.setChecked(read)
        self.box.blockSignals(False)
        problem = problem_with(self.operator, self.parameter, value, self.profile) if doubtful else ""
        self._on_message_changed(problem)

    def _on_box_clicked(self, checked: bool) -> None:
        self.requested.emit(self.parameter.name, checked, False)


def make_field(operator: Operator, group: Group, panel: QWidget) -> Field:
    """Return the row that fits a group of parameters."""
    first = group.parameters[0]
    if len(group.parameters) == 2 or first.auto:
        return TileField(operator, group, panel)
    if isinstance(first.default, bool):
        return SwitchField(operator, group, panel)
    if first.choices:
        return ChoiceField(operator, group, panel)
    return NumberField(operator, group, panel)


def _stepped(scale: Any, number: float, direction: int, parameter: Parameter) -> float:
    value = scale.next(number, direction)
    if (
        value == number and parameter.low < number < parameter.high
    ):  # beyond the end of the slider the entry goes on
        value = number * 2.0**direction
    value = min(max(value, parameter.low), parameter.high)
    return int(value) if parameter.integer else float(value)


def _help(group: Group) -> str:
    return "\n".join(dict.fromkeys(_parameter_help(one) for one in group.parameters))


def _parameter_help(parameter: Parameter) -> str:
    unit = f" [{parameter.unit}]" if parameter.unit else ""
    return f"{parameter.help or parameter.label}{unit}\n{parameter.name}"
