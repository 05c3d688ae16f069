"""The row of controls over a sweep: figure, parameter, range, and a menu for curves and axis."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QToolButton, QWidget

from rooflinestudio.core.arithmetic import is_number
from rooflinestudio.core.errors import ParameterError
from rooflinestudio.core.quantities import parse_quantity
from rooflinestudio.core.sweep_axes import takes_words
from rooflinestudio.core.sweep_panel import FIGURES, sweepable
from rooflinestudio.core.traffic import POLICIES
from rooflinestudio.ui.icons import TOOL_PX, icon
from rooflinestudio.ui.sweep.label_model import value_text
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.choice import Choice
from rooflinestudio.ui.widgets.quantity_edit import QuantityEdit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QAction

    from rooflinestudio.core.operators import Operator, Parameter
    from rooflinestudio.core.sweep_panel import SweepSpec

__all__ = ["SweepControls"]

_FAMILY = (0.25, 0.5, 1.0, 2.0, 4.0)


def _read(text: str) -> float:
    try:
        return float(text.replace(" ", "").replace("\u202f", ""))
    except ValueError:
        pass
    try:
        return parse_quantity(text, "B")
    except ValueError as error:
        raise ParameterError(f"{text!r} is no number. Write for example 4096.") from error


class SweepControls(QWidget):
    """What is swept, and how it is drawn.

    Signals
    -------
    changed
        A text for the undo list and the changed settings of the panel.
    copyRequested
        ``csv`` or ``markdown``.
    """

    changed = Signal(str, object)
    copyRequested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._spec: SweepSpec | None = None
        self._operator: Operator | None = None
        self._entries: tuple[tuple[str, str], ...] = ()
        self._values: dict[str, Any] = {}
        self.figure = self._choice("figure", "Figure", [(id_, word) for id_, word in FIGURES.items()])
        self.parameter = self._choice("parameter", "Parameter")
        self.figure.chosen.connect(lambda id_: self.changed.emit("Change the figure", {"figure": id_}))
        self.parameter.chosen.connect(
            lambda id_: self.changed.emit(
                "Sweep another parameter", {"parameter": id_, "low": None, "high": None}
            )
        )
        self.low, self.high = self._edit("low", "From"), self._edit("high", "To")
        self.curves = QToolButton()
        self.curves.setObjectName("sweep.curves")
        self.curves.setText("Curves")
        self.curves.setAccessibleName("Curves and axis")
        self.menu = QMenu(self.curves)
        self.curves.setMenu(self.menu)
        self.curves.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.copy = QToolButton()
        self.copy.setObjectName("sweep.copy")
        self.copy.setIcon(icon("copy"))
        self.copy.setIconSize(QSize(TOOL_PX, TOOL_PX))
        self.copy.setAccessibleName("Copy")
        self.copy.setToolTip("Copy the curves or the thresholds")
        self.copy.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        copies = QMenu(self.copy)
        for kind, label in (
            ("csv", "Copy the curves as CSV"),
            ("markdown", "Copy the thresholds as Markdown"),
        ):
            copies.addAction(label).triggered.connect(partial(self._emit_copy, kind))
        self.copy.setMenu(copies)
        self._lay_out()

    def _choice(self, name: str, label: str, options: Sequence[tuple[str, str]] = ()) -> Choice:
        made = Choice(options)
        made.setObjectName(f"sweep.{name}")
        made.setAccessibleName(label)
        made.setMinimumWidth(84)
        made.setMaximumWidth(150)
        return made

    def _edit(self, name: str, label: str) -> QuantityEdit:
        made = QuantityEdit(_read, value_text)
        made.setObjectName(f"sweep.{name}")
        made.setAccessibleName(label)
        made.setFixedWidth(72)
        made.valueCommitted.connect(lambda value: self.changed.emit("Change the range", {name: value}))
        made.messageChanged.connect(made.setToolTip)
        return made

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 4, 10, 4)
        row.setSpacing(6)
        for part in (self.figure, "over", self.parameter, "from", self.low, "to", self.high):
            if isinstance(part, str):
                label = QLabel(part)
                set_role(label, "muted")
                row.addWidget(label)
            else:
                row.addWidget(part)
        row.addStretch(1)
        row.addWidget(self.curves)
        row.addWidget(self.copy)

    def _emit_copy(self, kind: str, _checked: bool = False) -> None:
        self.copyRequested.emit(kind)

    # What it shows ------------------------------------------------------------------------------------------------

    def set_spec(self, spec: SweepSpec, operator: Operator, entries: Sequence[tuple[str, str]]) -> None:
        """Show the settings of a sweep; ``entries`` are ids and labels of those that can be compared."""
        same = (spec, operator, tuple(entries)) == (self._spec, self._operator, self._entries)
        if same:
            return
        self._spec, self._operator, self._entries = spec, operator, tuple(entries)
        offered = dict.fromkeys([*sweepable(operator), spec.parameter])
        self.parameter.set_options([(one, one) for one in offered])
        self.parameter.set_value(spec.parameter)
        self.figure.set_value(spec.figure)
        self.low.set_value(spec.low)
        self.high.set_value(spec.high)
        self._fill_menu(spec, operator)

    def _fill_menu(self, spec: SweepSpec, operator: Operator) -> None:
        self.menu.clear()
        self.menu.addSection("Entries")
        for id_, label in self._entries:
            self._check(self.menu, label, id_ in spec.entries, partial(self._toggle_entry, id_))
        self.menu.addSection("Policies")
        for policy in POLICIES:
            on = policy in spec.policies
            self._check(self.menu, policy.capitalize(), on, partial(self._toggle_policy, policy))
        self.menu.addSection("Second parameter")
        family = self.menu.addMenu("A curve for each value of")
        name = spec.second[0] if spec.second is not None else ""
        self._check(family, "Nothing", not name, partial(self._take_second, None))
        for one in operator.parameters:
            if one.name not in spec.names and _family(one, self._fixed(one)):
                self._check(family, one.name, one.name == name, partial(self._take_second, one))
        self.menu.addSection("Axis")
        self._check(self.menu, "Logarithmic", spec.is_log, self._toggle_scale)
        self._check(self.menu, "Tiles and waves (forecast)", spec.shows_stairs, self._toggle_stairs)

    def _check(self, menu: QMenu, label: str, on: bool, done: Any) -> QAction:
        action = menu.addAction(label)
        action.setCheckable(True)
        action.setChecked(on)
        action.triggered.connect(lambda checked: done(checked))  # a bare partial would get no argument
        return action

    def set_values(self, values: dict[str, Any]) -> None:
        """Tell the values of the leading entry, around which a family of curves is laid."""
        self._values = values

    def _fixed(self, parameter: Parameter) -> Any:
        return self._values.get(parameter.name, parameter.default)

    # What the user does -------------------------------------------------------------------------------------------

    def _toggle_entry(self, id_: str, checked: bool) -> None:
        assert self._spec is not None
        kept = [one for one in self._spec.entries if one != id_]
        self.changed.emit("Choose curves", {"entries": ([*kept, id_] if checked else kept) or None})

    def _toggle_policy(self, policy: str, checked: bool) -> None:
        assert self._spec is not None
        kept = [
            one
            for one in POLICIES
            if (one in self._spec.policies and one != policy) or (one == policy and checked)
        ]
        self.changed.emit("Choose policies", {"policies": kept or None})

    def _take_second(self, parameter: Parameter | None, _checked: bool = False) -> None:
        second = None
        if parameter is not None:
            second = {"parameter": parameter.name, "values": _family(parameter, self._fixed(parameter))}
        self.changed.emit("Choose a second parameter", {"second": second})

    def _toggle_scale(self, checked: bool) -> None:
        self.changed.emit("Change the axis", {"scale": "log" if checked else "linear"})

    def _toggle_stairs(self, checked: bool) -> None:
        self.changed.emit(
            "Show tiles and waves" if checked else "Hide tiles and waves", {"stairs": checked or None}
        )


def _family(parameter: Parameter, value: Any) -> list[Any]:
    """Return values for a family of curves: all choices, or factors of two around the entry's own value."""
    if isinstance(parameter.default, bool):
        return [False, True]
    if takes_words(parameter):
        return list(parameter.choices or ())[:6]
    if not is_number(value) or value <= 0:
        return []
    found = [value * factor for factor in _FAMILY]
    found = [int(one) for one in found if float(one).is_integer()] if parameter.integer else found
    return [one for one in found if parameter.low <= one <= parameter.high]
