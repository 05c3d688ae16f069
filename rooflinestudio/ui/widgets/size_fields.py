"""The sizes of an operator that can be set right where its figures stand: a row of labelled entries that flows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.flow import FlowLayout
from rooflinestudio.ui.widgets.size_edit import SizeEdit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.operators import Operator, Parameter

__all__ = ["SizeFields", "labelled"]

_GAP_PX: Final = 12


class SizeFields(QWidget):
    """Entries for sizes, and behind them what a subclass adds with :meth:`add_behind`.

    Parameters
    ----------
    prefix
        What the names of the entries begin with: ``budget`` gives ``budget.width``.
    width_px
        Width of an entry; ``widths`` holds those that differ, by the name of the parameter.
    words
        What stands before an entry instead of its label, by the name of the parameter.

    Attributes
    ----------
    edits
        The entries by the name of their parameter.

    Signals
    -------
    requested
        Name of a parameter and its new value.
    """

    requested = Signal(str, object)

    def __init__(
        self,
        prefix: str,
        width_px: int,
        *,
        widths: Mapping[str, int] | None = None,
        words: Mapping[str, str] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._prefix, self._width_px = prefix, width_px
        self._widths, self._words = widths or {}, words or {}
        self.edits: dict[str, SizeEdit] = {}
        self._sizes: tuple[Parameter, ...] = ()
        self._cells: list[QWidget] = []
        self._behind: list[QWidget] = []
        self._layout = FlowLayout(self, gap_px=_GAP_PX)
        policy = QSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def add_behind(self, *parts: QWidget) -> None:
        """Put further controls behind the entries."""
        for part in parts:
            self._behind.append(part)
            self._layout.addWidget(part)

    def set_gap(self, gap_px: int) -> None:
        """Stand closer together, or wider."""
        self._layout.set_gap(gap_px)

    def show_sizes(
        self,
        operator: Operator,
        sizes: Sequence[Parameter],
        given: Mapping[str, Any],
        profile: HardwareProfile | None,
    ) -> None:
        """Show what an entry has of these parameters; entries are made anew only for other ones."""
        if tuple(sizes) != self._sizes:
            self._build(operator, tuple(sizes))
        for name, edit in self.edits.items():
            edit.operator, edit.profile = operator, profile
            edit.set_value(given.get(name, edit.parameter.default))

    def _build(self, operator: Operator, sizes: tuple[Parameter, ...]) -> None:
        self._sizes = sizes
        for cell in self._cells:
            cell.hide()
            self._layout.removeWidget(cell)
            cell.deleteLater()
        self.edits, self._cells = {}, []
        for parameter in sizes:
            self._add(SizeEdit(operator, parameter))
        for part in self._behind:
            self._layout.move_to_end(part)

    def _add(self, edit: SizeEdit) -> None:
        name = edit.parameter.name
        edit.setObjectName(f"{self._prefix}.{name}")
        edit.setFixedWidth(self._widths.get(name, self._width_px))
        edit.valueCommitted.connect(self._on_edit_value_committed)
        cell = labelled(self._words.get(name, edit.parameter.label), edit)
        self.edits[name] = edit
        self._cells.append(cell)
        self._layout.addWidget(cell)
        cell.show()

    def _on_edit_value_committed(self, value: object) -> None:
        edit = self.sender()
        if isinstance(edit, SizeEdit):
            self.requested.emit(edit.parameter.name, value)


def labelled(word: str, edit: QWidget) -> QWidget:
    """Return a control with a word before it."""
    cell, label = QWidget(), QLabel(word)
    set_role(label, "label")
    label.setBuddy(edit)
    row = QHBoxLayout(cell)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(6)
    row.addWidget(label)
    row.addWidget(edit)
    return cell
