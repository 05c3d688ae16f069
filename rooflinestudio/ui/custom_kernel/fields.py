"""A section of single entries, each with its word above it and the reason below."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtWidgets import QGridLayout, QSizePolicy, QVBoxLayout, QWidget

from rooflinestudio.ui.custom_kernel.sections import Section, Words, sentence

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rooflinestudio.core.yaml_text import Fault

__all__ = ["FieldsSection"]

_COLUMNS: Final = 3


class _Field(QWidget):
    def __init__(self, title: str, cell: Any) -> None:
        super().__init__()
        self.cell = cell
        self.message = Words(role="error")
        self.message.hide()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(3)
        column.addWidget(Words(title, "caption"))
        column.addWidget(cell)
        column.addWidget(self.message)
        column.addStretch(1)

    def show_reason(self, text: str) -> None:
        self.cell.mark(text)
        self.message.show_text(text)


class FieldsSection(Section):
    """Entries in three columns; an entry may span several of them."""

    def __init__(
        self,
        title: str,
        fields: Sequence[tuple[str, str, Any, int]],
        *,
        hint: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(title, hint, parent=parent)
        self._fields: dict[str, _Field] = {}
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(8)
        at = 0
        for key, word, cell, span in fields:
            if at % _COLUMNS + span > _COLUMNS:
                at += _COLUMNS - at % _COLUMNS
            field = _Field(word, cell)
            self._fields[key] = field
            grid.addWidget(field, at // _COLUMNS, at % _COLUMNS, 1, span)
            cell.edited.connect(self.edited)
            at += span
        columns = min(_COLUMNS, sum(span for *_, span in fields))
        for column in range(columns):
            grid.setColumnStretch(column, 1)
        self.column.addLayout(grid)

    def cell(self, key: str) -> Any:
        """Return an entry by its key."""
        return self._fields[key].cell

    def reason(self, key: str) -> str:
        """Return why an entry is refused; empty if it is not."""
        return self._fields[key].message.text()

    def values(self) -> dict[str, Any]:
        """Return what the entries say; empty ones are left out."""
        values = {key: field.cell.value() for key, field in self._fields.items()}
        return {key: value for key, value in values.items() if value is not None}

    def set_values(self, values: Mapping[str, Any]) -> None:
        """Show a mapping of the document."""
        for key, field in self._fields.items():
            field.cell.set_value(values.get(key))

    def show_faults(self, faults: Sequence[Fault]) -> None:
        """Put each fault below its entry; those of no entry go below the heading."""
        reasons: dict[str, list[str]] = {}
        own: list[str] = []
        for fault in faults:
            key = next((str(step) for step in reversed(fault.place) if str(step) in self._fields), "")
            (reasons.setdefault(key, []) if key else own).append(sentence(fault))
        for key, field in self._fields.items():
            field.show_reason("\n".join(reasons.get(key, ())))
        self.message.show_text("\n".join(own))
