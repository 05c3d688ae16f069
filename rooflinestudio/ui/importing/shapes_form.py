"""Where a table of shapes is told what its columns are: parameters of an operator, formats, measured times."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from rooflinestudio.core.shapes.names import must_be_given
from rooflinestudio.core.shapes.plan import ShapesPlan
from rooflinestudio.core.shapes.words import value_text
from rooflinestudio.ui.fonts import font
from rooflinestudio.ui.importing.parts import caption
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.choice import Choice
from rooflinestudio.ui.widgets.eliding import ElidingLabel
from rooflinestudio.ui.widgets.segmented import SegmentedControl

if TYPE_CHECKING:
    from rooflinestudio.core.operators import Operator, Parameter
    from rooflinestudio.core.shapes.sheet import Sheet

__all__ = ["ShapesForm"]

_FIXED: Final = ("", "One value")
_ONE_FORMAT: Final = ("", "One format")
_UNITS: Final = (("", "as written"), ("s", "s"), ("ms", "ms"), ("us", "µs"), ("ns", "ns"))
_MARKS: Final = (("", "As the file shows"), (".", "1.5"), (",", "1,5"))
_SAMPLES: Final = 3


class ShapesForm(QFrame):
    """One line for each parameter: its column, or one value for all rows.

    Signals
    -------
    planChanged
        The new :class:`~rooflinestudio.core.shapes.plan.ShapesPlan`.
    """

    planChanged = Signal(object)

    def __init__(self, sheet: Sheet, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, "surface")
        self._sheet = sheet
        self._plan = ShapesPlan()
        self._columns = [(str(at), _column_label(sheet, at)) for at in range(sheet.width)]
        self.columns: dict[str, Choice] = {}
        self.values: dict[str, QLineEdit] = {}
        self._lines = QWidget()
        self.dtype = self._choice(
            "Column of number formats", (_ONE_FORMAT, *self._columns), self._on_dtype_chosen
        )
        self.dtypes = _entry("Number format of all rows")
        self.dtypes.textEdited.connect(self._on_dtypes_edited)
        self.time = self._choice(
            "Column of measured times", (("", "None"), *self._columns), self._on_time_chosen
        )
        self.unit = self._choice("Unit of the times", _UNITS, self._on_unit_chosen)
        self.mark = SegmentedControl(_MARKS, "Decimal mark", compact=True)
        self.mark.chosen.connect(self._on_mark_chosen)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(20, 12, 16, 16)
        self._column.setSpacing(8)
        self._column.addWidget(caption("Parameters"))
        self._column.addWidget(self._lines)
        self._column.addWidget(caption("Number format and time"))
        self._column.addLayout(self._rest())
        self._column.addStretch(1)

    @property
    def plan(self) -> ShapesPlan:
        """What is chosen now."""
        return self._plan

    def set_operator(self, operator: Operator, plan: ShapesPlan) -> None:
        """Show the parameters of an operator, as a plan has them; nobody is told."""
        self._plan = plan
        self.columns, self.values = {}, {}
        lines = QWidget()
        grid = QGridLayout(lines)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(5)
        grid.setColumnStretch(1, 3)
        grid.setColumnStretch(2, 2)
        grid.setColumnMinimumWidth(0, 96)
        for row, parameter in enumerate(_ordered(operator, plan)):
            self._add(grid, row, parameter)
        self._column.replaceWidget(self._lines, lines)
        self._lines.hide()
        self._lines.deleteLater()
        self._lines = lines
        needed = [
            one.name for one in operator.parameters if must_be_given(one) and one.name not in plan.columns
        ]
        if needed:
            self.values[needed[0]].setFocus()
        self.dtypes.setPlaceholderText("default")
        self._show()

    def _add(self, grid: QGridLayout, row: int, parameter: Parameter) -> None:
        label = ElidingLabel(parameter.label, role="label", steady=True)
        label.set_hint(f"{parameter.name}: {parameter.help}" if parameter.help else parameter.name)
        choice = self._choice(
            f"Column of {parameter.name}",
            (_FIXED, *self._columns),
            partial(self._on_column_chosen, parameter.name),
        )
        value = _entry(f"Value of {parameter.name} for all rows")
        value.setPlaceholderText("needed" if must_be_given(parameter) else value_text(parameter.default))
        value.textEdited.connect(partial(self._on_value_edited, parameter.name))
        self.columns[parameter.name], self.values[parameter.name] = choice, value
        grid.addWidget(label, row, 0)
        grid.addWidget(choice, row, 1)
        grid.addWidget(value, row, 2)

    def _rest(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(5)
        grid.setColumnStretch(1, 3)
        grid.setColumnStretch(2, 2)
        grid.setColumnMinimumWidth(0, 96)
        for row, (word, first, second) in enumerate(
            (("Number format", self.dtype, self.dtypes), ("Measured time", self.time, self.unit))
        ):
            label = QLabel(word)
            set_role(label, "label", font_role="label")
            grid.addWidget(label, row, 0)
            grid.addWidget(first, row, 1)
            grid.addWidget(second, row, 2)
        label = QLabel("Decimal mark")
        set_role(label, "label", font_role="label")
        grid.addWidget(label, 2, 0)
        grid.addWidget(self.mark, 2, 1, 1, 2, Qt.AlignmentFlag.AlignLeft)
        return grid

    def _choice(self, name: str, options: Any, chosen: Any) -> Choice:
        made = Choice(options)
        made.setAccessibleName(name)
        made.chosen.connect(chosen)
        return made

    # What it shows ------------------------------------------------------------------------------------------------

    def _show(self) -> None:
        plan = self._plan
        for name, choice in self.columns.items():
            at = plan.columns.get(name)
            choice.set_value("" if at is None else str(at))
            choice.setToolTip("" if at is None else self._samples(at))
            value = self.values[name]
            value.setVisible(at is None)
            if value.text() != plan.fixed.get(name, ""):
                value.setText(plan.fixed.get(name, ""))
        self.dtype.set_value("" if plan.dtype is None else str(plan.dtype))
        self.dtypes.setVisible(plan.dtype is None)
        self.time.set_value("" if plan.time is None else str(plan.time))
        self.unit.set_value(plan.time_unit if plan.time_unit in dict(_UNITS) else "")
        self.unit.setVisible(plan.time is not None)
        self.mark.set_value(plan.mark or "")

    def _samples(self, at: int) -> str:
        cells = [row[at] for _, row in self._sheet.first[:_SAMPLES] if at < len(row)]
        return f"{', '.join(cell[:40] for cell in cells)}, …"

    # What the user does -------------------------------------------------------------------------------------------

    def _on_column_chosen(self, name: str, id_: str) -> None:
        self._take(self._plan.with_column(name, int(id_) if id_ else None))

    def _on_value_edited(self, name: str, text: str) -> None:
        self._take(self._plan.with_fixed(name, text))

    def _on_dtype_chosen(self, id_: str) -> None:
        self._take(replace(self._plan, dtype=int(id_) if id_ else None))

    def _on_dtypes_edited(self, text: str) -> None:
        self._take(replace(self._plan, dtypes=text))

    def _on_time_chosen(self, id_: str) -> None:
        self._take(replace(self._plan, time=int(id_) if id_ else None))

    def _on_unit_chosen(self, unit: str) -> None:
        self._take(replace(self._plan, time_unit=unit))

    def _on_mark_chosen(self, mark: str) -> None:
        self._take(replace(self._plan, mark=mark or None))

    def _take(self, plan: ShapesPlan) -> None:
        self._plan = plan
        self._show()
        self.planChanged.emit(plan)


def _ordered(operator: Operator, plan: ShapesPlan) -> list[Parameter]:
    """Return the parameters, those with a column and the dimensions first."""
    first = [one for one in operator.parameters if one.name in plan.columns or must_be_given(one)]
    return [*first, *(one for one in operator.parameters if one not in first)]


def _column_label(sheet: Sheet, at: int) -> str:
    head = sheet.head[at].strip() if sheet.head else ""
    return head[:60] or f"column {at + 1}"


def _entry(name: str) -> QLineEdit:
    made = QLineEdit()
    made.setAccessibleName(name)
    made.setFont(font("label"))
    made.setMinimumWidth(60)
    keeps = made.sizePolicy()
    keeps.setRetainSizeWhenHidden(True)
    made.setSizePolicy(keeps)
    return made
