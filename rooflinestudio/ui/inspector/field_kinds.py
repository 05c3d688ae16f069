"""The kinds of rows: a slider with an entry, sides of a tile, a choice, a switch; open texts have their own module."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QLabel, QSizePolicy, QWidget

from rooflinestudio.ui.fonts import font
from rooflinestudio.ui.inspector.declared import (
    AUTO,
    Group,
    number_of,
    problem_with,
    scale_of,
    suggestions_of,
)
from rooflinestudio.ui.inspector.fields import EDIT_PX, ROW_PX, Field, parameter_help
from rooflinestudio.ui.inspector.text_field import TextField
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.choice import Choice
from rooflinestudio.ui.widgets.eliding import ElidingLabel
from rooflinestudio.ui.widgets.log_slider import LogSlider
from rooflinestudio.ui.widgets.quantity_edit import QuantityEdit

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.operators import Operator

__all__ = ["ChoiceField", "NumberField", "SwitchField", "TileField", "make_field"]

_TILE_PX: Final = 62


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
        self._lay_out(*parts, (self.remark, 1), spacing=6)

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
            edit.setToolTip(parameter_help(parameter) + stands_for)

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
        self.choice.setToolTip(parameter_help(self.parameter))
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
        self.box.setToolTip(parameter_help(self.parameter))
        self.box.setMinimumHeight(ROW_PX)
        self.box.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.box.clicked.connect(self._on_box_clicked)

        self.label.hide()  # the box has its own words
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
    if first.open_choices:
        return TextField(operator, group, panel)
    if first.choices:
        return ChoiceField(operator, group, panel)
    return NumberField(operator, group, panel)
