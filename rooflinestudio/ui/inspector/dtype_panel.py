"""Number formats: one for all, one for each tensor, with the bytes that follow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from rooflinestudio.core.dtypes import DTYPES
from rooflinestudio.core.shorthand import OWN, after_shorthand
from rooflinestudio.ui.inspector.fields import ROW_PX
from rooflinestudio.ui.inspector.formats import MIXED, RoleFormat, after_choice, role_formats, shorthand_of
from rooflinestudio.ui.widgets.choice import Choice
from rooflinestudio.ui.widgets.eliding import ElidingLabel

if TYPE_CHECKING:
    from rooflinestudio.core.operators import Operator
    from rooflinestudio.core.placing import PlacedRow

__all__ = ["DtypePanel"]

_COLUMNS: Final = 4
_FORMATS: Final = tuple((id_, id_) for id_ in DTYPES)
_SHORTHANDS: Final = ((OWN, "operator's own"), *((id_, f"all {id_}") for id_ in DTYPES))


class _RoleCell(QWidget):
    """A name, its format, its bytes."""

    def __init__(self, role: str) -> None:
        super().__init__()
        self.role = role
        self.label = ElidingLabel(role="name", token="text", steady=True)
        self.choice = Choice(_FORMATS)
        self.choice.setObjectName(f"dtype.{role}")
        self.choice.setFixedHeight(ROW_PX)
        self.choice.setMinimumWidth(48)
        self.size_label = ElidingLabel(role="caption", token="muted", steady=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        for part in (self.label, self.choice, self.size_label):
            column.addWidget(part)

    def show_format(self, one: RoleFormat) -> None:
        self.label.set_text(one.label)
        self.choice.set_value(one.dtype)
        self.choice.setAccessibleName(f"dtype of {one.label}")
        self.choice.setToolTip(f"{one.role}: {one.dtype}" + (", set by name" if one.explicit else ""))
        self.size_label.set_text(one.size)


class DtypePanel(QWidget):
    """Built once for each set of roles, then only filled.

    Signals
    -------
    dtypesRequested
        What the entry is to hold: format ids by role, with ``all`` as the shorthand.
    rebuilt
        The cells are other ones.
    """

    dtypesRequested = Signal(object)
    rebuilt = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._operator: Operator | None = None
        self._row: PlacedRow | None = None
        self._roles: tuple[str, ...] = ()
        self._shown: object = None
        self.cells: dict[str, _RoleCell] = {}
        self._grid_widget: QWidget | None = None
        self.shorthand = Choice(_SHORTHANDS)
        self.shorthand.setObjectName("dtype.all")
        self.shorthand.setAccessibleName("dtype of all tensors")
        self.shorthand.setFixedSize(84, ROW_PX)
        self.shorthand.chosen.connect(self._on_shorthand_chosen)
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, 0, 0)
        head.addWidget(ElidingLabel("dtype per tensor", role="section", token="text2"), 1)
        head.addWidget(self.shorthand)
        self.compute = Choice()
        self.compute.setObjectName("dtype.compute")
        self.compute.setAccessibleName("dtype that is computed in")
        self.compute.setFixedSize(74, ROW_PX)
        self.compute.chosen.connect(self._on_compute_chosen)
        self._pipe = ElidingLabel(role="caption", token="muted", steady=True)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(6)
        self._layout.addLayout(head)
        self._foot = QWidget()
        foot = QHBoxLayout(self._foot)
        foot.setContentsMargins(0, 0, 0, 0)
        foot.addWidget(ElidingLabel("computed in", role="label", token="text2"))
        foot.addWidget(self.compute)
        foot.addWidget(self._pipe, 1)
        self._layout.addWidget(self._foot)

    def show_row(self, operator: Operator, row: PlacedRow) -> None:
        """Show the formats of a row."""
        self._operator, self._row = operator, row
        formats = role_formats(operator, row)
        tensors = tuple(one for one in formats if one.role != "compute")
        if tuple(one.role for one in tensors) != self._roles:
            self._build(tuple(one.role for one in tensors))
        for one in tensors:
            self.cells[one.role].show_format(one)
        if (operator, row.entry.dtypes) != self._shown:
            self._shown = (operator, row.entry.dtypes)
            self._show_shorthand(shorthand_of(operator, row))
        self._show_compute(next((one for one in formats if one.role == "compute"), None))

    def _show_shorthand(self, shorthand: str) -> None:
        self.shorthand.set_options((*_SHORTHANDS, (MIXED, "mixed")) if shorthand == MIXED else _SHORTHANDS)
        self.shorthand.set_value(shorthand)

    def _show_compute(self, one: RoleFormat | None) -> None:
        self._foot.setVisible(one is not None)
        if one is not None:
            self.compute.set_options(_FORMATS)
            self.compute.set_value(one.dtype)
            self.compute.setToolTip("Set by name" if one.explicit else "Follows the operands")
            self._pipe.set_text(one.size)

    def _build(self, roles: tuple[str, ...]) -> None:
        if self._grid_widget is not None:
            self._layout.removeWidget(self._grid_widget)
            self._grid_widget.hide()
            self._grid_widget.deleteLater()
        self._roles = roles
        self._grid_widget = QWidget(self)
        grid = QGridLayout(self._grid_widget)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(6)
        self.cells = {}
        for at, role in enumerate(roles):
            cell = self.cells[role] = _RoleCell(role)
            cell.choice.setProperty("dtype_role", role)
            cell.choice.chosen.connect(self._on_cell_chosen)
            grid.addWidget(cell, at // _COLUMNS, at % _COLUMNS)
        for column in range(_COLUMNS):
            grid.setColumnStretch(column, 1)
            grid.setColumnMinimumWidth(column, 48)
        self._layout.insertWidget(1, self._grid_widget)
        self.rebuilt.emit()

    def focus_order(self) -> list[QWidget]:
        """Return what can be focused, in the order of the eye."""
        return [self.shorthand, *(cell.choice for cell in self.cells.values()), self.compute]

    def _on_shorthand_chosen(self, choice: str) -> None:
        if self._operator is not None and self._row is not None and choice != MIXED:
            self.dtypesRequested.emit(after_shorthand(self._operator, self._row.entry.dtypes, choice))

    def _on_cell_chosen(self, choice: str) -> None:
        sender = self.sender()
        if isinstance(sender, Choice):
            self._choose(str(sender.property("dtype_role")), choice)

    def _on_compute_chosen(self, choice: str) -> None:
        self._choose("compute", choice)

    def _choose(self, role: str, choice: str) -> None:
        if self._operator is not None and self._row is not None:
            self.dtypesRequested.emit(after_choice(self._operator, self._row.entry.dtypes, role, choice))
