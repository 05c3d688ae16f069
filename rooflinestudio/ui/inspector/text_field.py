"""The row of a parameter whose choices are open: a line with suggestions in which any text may be typed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QStringListModel, Qt
from PySide6.QtWidgets import QCompleter, QWidget

from rooflinestudio.core.resolution import resolve_parameters
from rooflinestudio.ui.fonts import font
from rooflinestudio.ui.inspector.declared import Group, problem_with
from rooflinestudio.ui.inspector.fields import ROW_PX, Field, parameter_help
from rooflinestudio.ui.widgets.quantity_edit import QuantityEdit

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.operators import Operator

__all__ = ["TextField"]

_INSET_PX: Final = 3
_LONGEST: Final = 140


def _in_short(reason: str) -> str:
    """Return the first sentence of a reason; the whole of it heads the page."""
    first = re.split(r"(?<=[.!?])\s", reason, maxsplit=1)[0]
    return first if len(first) <= _LONGEST else f"{first[: _LONGEST - 1].rstrip(' ,;')}…"


class TextField(Field):
    """An entry with the known choices behind its arrow, and those that fit while one types.

    The operator itself says what it cannot use; then the row is refused, and its reason stands below the text.
    """

    def __init__(self, operator: Operator, group: Group, panel: QWidget) -> None:
        super().__init__(operator, group, panel)
        (self.parameter,) = group.parameters
        self.edit = edit = QuantityEdit(self._read)
        edit.setObjectName(f"param.{self.parameter.name}")
        edit.setAccessibleName(self.parameter.label)
        edit.setFixedHeight(ROW_PX)
        edit.set_suggestions(tuple((one, "") for one in self.parameter.choices))
        edit.setTextMargins(-_INSET_PX, 0, 10, 0)
        edit.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        edit.valueCommitted.connect(self._on_edit_value_committed)
        edit.messageChanged.connect(self._on_message_changed)
        self._set_up_completer()
        self._lay_out((self.label, 0), (edit, 1))

    def _set_up_completer(self) -> None:
        if not self.parameter.choices:
            return
        completer = QCompleter(self.edit)
        completer.setModel(QStringListModel(list(self.parameter.choices), completer))
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        popup = completer.popup()
        if popup is not None:
            popup.setFont(font("label"))
        completer.activated.connect(self.edit.choose)
        self.edit.setCompleter(completer)
        self.edit.editingFinished.connect(self._on_edit_editing_finished)

    @property
    def widgets(self) -> tuple[QWidget, ...]:
        return (self.edit,)

    @property
    def is_narrow(self) -> bool:
        return True

    def show_values(self, given: Mapping[str, Any], resolved: Mapping[str, Any], *, doubtful: bool) -> None:
        value = str(given.get(self.parameter.name, self.parameter.default))
        self.edit.set_value(value)
        self.edit.setToolTip(f"{value}\n{parameter_help(self.parameter)}")
        if self.edit.is_typing():
            return
        problem = problem_with(self.operator, self.parameter, value, self.profile) if doubtful else ""
        if doubtful and not problem and self._is_blamed(value):
            problem = _in_short(self.reason)
        self.edit.refuse(problem)

    def _is_blamed(self, value: str) -> bool:
        """Whether the reason for the refusal is about a typed text: it names the text, or the file at its end."""
        name = re.split(r"[/\\]", value.rstrip("/\\"))[-1]
        return bool(name) and value not in self.parameter.choices and name in self.reason

    def forget_typing(self) -> None:
        self.edit.set_value(self.edit.value(), force=True)

    def _read(self, text: str) -> str:
        """Return the text without the blanks and quotation marks that come along with a copied path."""
        stripped = text.strip()
        if len(stripped) > 2 and stripped[0] == stripped[-1] and stripped[0] in "'\"":
            stripped = stripped[1:-1]
        name = self.parameter.name
        return str(resolve_parameters(self.operator, {name: stripped}, self.profile)[name])

    def _on_edit_editing_finished(self) -> None:
        """Close the list: the entry takes Enter for itself, so that the list never hears of it."""
        popup = self.edit.completer().popup()
        if popup is not None:
            popup.hide()

    def _on_edit_value_committed(self, value: Any) -> None:
        self.requested.emit(self.parameter.name, value, False)
