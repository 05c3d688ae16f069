"""What can be set on a composite right in its budget: the regime, its sizes, flash and causal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QSizePolicy, QWidget

from rooflinestudio.ui.budget.flow import FlowLayout
from rooflinestudio.ui.fonts import font
from rooflinestudio.ui.inspector.declared import number_of, reader_of, scale_of, text_of
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.quantity_edit import QuantityEdit

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.operators import Operator, Parameter

__all__ = ["BudgetFields", "SizeEdit"]

_SIZES: Final = ("tokens", "width", "seq", "context", "batch", "kv_heads", "experts", "top_k")
_WORDS: Final = {"seq": "seq"}
_EDIT_PX: Final = {"width": 54, "seq": 58, "tokens": 62, "context": 62, "kv_heads": 38}
_FLASH, _CAUSAL = "implementation", "causal"


class SizeEdit(QuantityEdit):
    """An entry for one number parameter of an operator."""

    def __init__(self, operator: Operator, parameter: Parameter) -> None:
        self.operator, self.parameter = operator, parameter
        self.profile: HardwareProfile | None = None
        super().__init__(self._read_text, self._show_value, step=self._next)
        self.setObjectName(f"budget.{parameter.name}")
        self.setAccessibleName(parameter.label)
        self.setToolTip(parameter.help or parameter.label)
        self.setFixedWidth(_EDIT_PX.get(parameter.name, 50))
        self.messageChanged.connect(self._on_message_changed)

    def _read_text(self, text: str) -> Any:
        return reader_of(self.operator, self.parameter, self.profile)(text)

    def _show_value(self, value: Any) -> str:
        return text_of(self.parameter, value)

    def _next(self, value: Any, direction: int) -> Any:
        number = number_of(self.parameter, value)
        return value if number is None else scale_of(self.parameter).next(number, direction)

    def _on_message_changed(self, message: str) -> None:
        self.setToolTip(message or self.parameter.help or self.parameter.label)


@dataclass(frozen=True, slots=True)
class _Shown:
    operator: Operator
    sizes: tuple[Parameter, ...]


class BudgetFields(QWidget):
    """Entries for the sizes that an operator has, and its two switches; made anew for another operator.

    Signals
    -------
    requested
        Name of a parameter and its new value.
    """

    requested = Signal(str, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: _Shown | None = None
        self.edits: dict[str, SizeEdit] = {}
        self._cells: list[QWidget] = []
        self.flash, self.causal = self._switch("flash", _FLASH), self._switch("causal", _CAUSAL)
        self.flash.clicked.connect(self._on_flash_clicked)
        self.causal.clicked.connect(self._on_causal_clicked)
        self._layout = FlowLayout(self, gap_px=12)
        self._layout.addWidget(self.flash)
        self._layout.addWidget(self.causal)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def set_compact(self, compact: bool) -> None:
        """Stand closer together."""
        self._layout.set_gap(8 if compact else 12)

    def _switch(self, word: str, name: str) -> QCheckBox:
        box = QCheckBox(word)
        box.setFont(font("label"))
        box.setObjectName(f"budget.{name}")
        box.setMinimumHeight(26)
        return box

    def show_entry(
        self, operator: Operator | None, given: Mapping[str, Any], profile: HardwareProfile | None
    ) -> None:
        """Show what an entry has of the sizes and switches."""
        if operator is None:
            self._shown = None
            self.hide()
            return
        self._make(operator)
        for name, edit in self.edits.items():
            edit.profile = profile
            edit.set_value(given.get(name, edit.parameter.default))
        declared = {one.name: one for one in operator.parameters}
        decode = given.get("regime") == "decode"
        self._show_flash(declared.get(_FLASH), given, decode=decode)
        self._show_causal(declared.get(_CAUSAL), given, decode=decode)
        self.setVisible(bool(self.edits) or not self.flash.isHidden() or not self.causal.isHidden())

    def _make(self, operator: Operator) -> None:
        sizes = tuple(_sizes(operator))
        if self._shown is not None and (self._shown.operator is operator or self._shown.sizes == sizes):
            return
        self._shown = _Shown(operator, sizes)
        for cell in self._cells:
            cell.hide()
            self._layout.removeWidget(cell)
            cell.deleteLater()
        self.edits, self._cells = {}, []
        for parameter in sizes:
            self._add(SizeEdit(operator, parameter))
        self._layout.move_to_end(self.flash)
        self._layout.move_to_end(self.causal)

    def _add(self, edit: SizeEdit) -> None:
        cell = QWidget()
        label = QLabel(_WORDS.get(edit.parameter.name, edit.parameter.label))
        set_role(label, "label")
        label.setBuddy(edit)
        row = QHBoxLayout(cell)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(label)
        row.addWidget(edit)
        edit.valueCommitted.connect(self._on_edit_value_committed)
        self.edits[edit.parameter.name] = edit
        self._cells.append(cell)
        self._layout.addWidget(cell)
        cell.show()

    def _show_flash(self, parameter: Parameter | None, given: Mapping[str, Any], *, decode: bool) -> None:
        fits = parameter is not None and "flash" in parameter.choices
        self.flash.setVisible(fits)
        if parameter is not None and fits:
            self.flash.setChecked(given.get(_FLASH, parameter.default) == "flash")
            self.flash.setEnabled(not decode)
            self.flash.setToolTip(_help(parameter, decode=decode))

    def _show_causal(self, parameter: Parameter | None, given: Mapping[str, Any], *, decode: bool) -> None:
        fits = parameter is not None and isinstance(parameter.default, bool)
        self.causal.setVisible(fits)
        if parameter is not None and fits:
            self.causal.setChecked(bool(given.get(_CAUSAL, parameter.default)))
            self.causal.setEnabled(not decode)
            self.causal.setToolTip(_help(parameter, decode=decode))

    def _on_edit_value_committed(self, value: object) -> None:
        edit = self.sender()
        if isinstance(edit, SizeEdit):
            self.requested.emit(edit.parameter.name, value)

    def _on_flash_clicked(self, checked: bool) -> None:
        self.requested.emit(_FLASH, "flash" if checked else "naive")

    def _on_causal_clicked(self, checked: bool) -> None:
        self.requested.emit(_CAUSAL, checked)


def _help(parameter: Parameter, *, decode: bool) -> str:
    return "A token that is decoded sees its cache, and nothing is written out." if decode else parameter.help


def _sizes(operator: Operator) -> list[Parameter]:
    declared = {one.name: one for one in operator.parameters}
    found = [declared[name] for name in _SIZES if name in declared and _is_number(declared[name])]
    return found or [one for one in operator.parameters if _is_number(one)][:4]


def _is_number(parameter: Parameter) -> bool:
    plain = isinstance(parameter.default, int | float) and not isinstance(parameter.default, bool)
    return plain and not parameter.choices
