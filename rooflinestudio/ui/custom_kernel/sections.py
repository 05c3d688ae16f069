"""Parts of the form: a heading, entries or rows of entries, and under each the reason why it is refused."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from rooflinestudio.ui.icons import icon
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.link_button import LinkButton

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from rooflinestudio.core.yaml_text import Fault

__all__ = ["Column", "Row", "RowsSection", "Section", "Words", "sentence"]

_GAP_PX: Final = 6
_REMOVE_PX: Final = 24


@dataclass(frozen=True, slots=True)
class Column:
    """One entry of a row: its key in the document, the word over it, its share of the width, and what makes it."""

    key: str
    title: str
    share: int
    make: Callable[[str], Any]


class Words(QLabel):
    """A line of text that wraps and takes no more width than there is."""

    def __init__(self, text: str = "", role: str = "muted", *, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        set_role(self, role)
        self.setWordWrap(True)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)

    def show_text(self, text: str) -> None:
        """Show a text; nothing is shown for an empty one."""
        self.setText(text)
        self.setVisible(bool(text))


_FORMULA: Final = re.compile(r"^is (?:'.*?'|\".*?\"): at character", re.DOTALL)


def sentence(fault: Fault, name: str = "") -> str:
    """Return a fault as a sentence below its entry; the formula itself stands there and is not said again.

    Parameters
    ----------
    name
        Word of the entry, where several share the place for reasons.
    """
    text = _FORMULA.sub("at character", fault.text)
    if text != fault.text:
        return f"{name}: {text}" if name else f"A{text[1:]}"
    if name:
        return f"{name} {text}"
    if text.startswith(("is missing", "is empty")):
        return f"{text[3].upper()}{text[4:]}"
    return f"This {text}"


class Row(QWidget):
    """A row of entries with a button that takes it away, and the reason below it.

    Signals
    -------
    edited
        One of the entries changed.
    removeRequested
        The row is to go.
    """

    edited = Signal()
    removeRequested = Signal(object)

    def __init__(
        self,
        lines: Sequence[Sequence[Column]],
        name: str,
        *,
        keeps: Sequence[str] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._keeps = tuple(keeps)
        self._rest: dict[str, Any] = {}
        self._cells: dict[str, Any] = {}
        self.message = Words(role="error")
        self.message.hide()
        self.remove = QToolButton()
        self.remove.setIcon(icon("close", "muted"))
        self.remove.setToolTip(f"Remove this {name}")
        self.remove.setAccessibleName(f"Remove this {name}")
        self.remove.clicked.connect(self._on_remove_clicked)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        for at, columns in enumerate(lines):
            line = QHBoxLayout()
            line.setSpacing(_GAP_PX)
            for column in columns:
                cell = column.make(f"{name} {column.title}")
                cell.edited.connect(self.edited)
                self._cells[column.key] = cell
                line.addWidget(cell, column.share)
            if at == 0:
                self.remove.setFixedWidth(_REMOVE_PX)
                line.addWidget(self.remove)
            else:
                line.addSpacing(_REMOVE_PX + _GAP_PX)
            layout.addLayout(line)
        layout.addWidget(self.message)

    def cell(self, key: str) -> Any:
        """Return an entry by its key."""
        return self._cells[key]

    def value(self) -> dict[str, Any]:
        """Return what the row says, with the keys that it keeps without showing them; empty entries are left out."""
        shown = {key: cell.value() for key, cell in self._cells.items()}
        return {**{key: one for key, one in shown.items() if one is not None}, **self._rest}

    def set_value(self, value: Mapping[str, Any]) -> None:
        """Show a mapping of the document."""
        self._rest = {key: value[key] for key in self._keeps if key in value}
        for key, cell in self._cells.items():
            cell.set_value(value.get(key))

    def show_faults(self, faults: Sequence[tuple[str, str]]) -> None:
        """Mark what is wrong: key of the entry (or empty) and reason for each fault."""
        for key, cell in self._cells.items():
            cell.mark(" ".join(text for one, text in faults if one == key))
        self.message.show_text("\n".join(text for _, text in faults))

    def _on_remove_clicked(self) -> None:
        self.removeRequested.emit(self)


class Section(QWidget):
    """A heading, a hint, and a place for what is wrong with the section as a whole."""

    edited = Signal()

    def __init__(self, title: str, hint: str = "", *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.hint = Words(hint, parent=self)
        self.message = Words(role="error")
        self.message.hide()
        self.head = QHBoxLayout()
        self.head.setSpacing(8)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(5)
        if title:
            heading = QLabel(title)
            set_role(heading, "section")
            self.head.addWidget(heading)
            self.head.addStretch(1)
            self.column.addLayout(self.head)
        self.column.addWidget(self.hint)
        if not hint:
            self.hint.hide()
        self.column.addWidget(self.message)


class RowsSection(Section):
    """Any number of rows of the same kind.

    Parameters
    ----------
    keeps
        Keys that a row keeps without showing them.
    marks
        The entry that is outlined for a fault of the row as a whole.
    """

    def __init__(  # noqa: PLR0913 - all but the first three by keyword
        self,
        title: str,
        lines: Sequence[Sequence[Column]],
        name: str,
        *,
        hint: str = "",
        keeps: Sequence[str] = (),
        marks: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(title, hint, parent=parent)
        self._lines, self._name, self._keeps = lines, name, keeps
        self._marks = marks
        self._words = {column.key: column.title for line in lines for column in line}
        self.rows: list[Row] = []
        self._heads = QWidget()
        heads = QHBoxLayout(self._heads)
        heads.setContentsMargins(1, 0, 0, 0)
        heads.setSpacing(_GAP_PX)
        for column in lines[0]:
            label = Words(column.title, "caption")
            label.setWordWrap(False)
            heads.addWidget(label, column.share)
        heads.addSpacing(_REMOVE_PX)
        self._body = QVBoxLayout()
        self._body.setSpacing(6)
        self.add = LinkButton(f"Add {name}", "plus")
        self.add.setObjectName(f"add.{name.replace(' ', '_')}")
        self.add.clicked.connect(self._on_add_clicked)
        self.column.addWidget(self._heads)
        self.column.addLayout(self._body)
        self.column.addWidget(self.add, 0, Qt.AlignmentFlag.AlignLeft)
        self._heads.hide()

    def values(self) -> list[dict[str, Any]]:
        """Return what the rows say, row by row."""
        return [row.value() for row in self.rows]

    def set_values(self, values: Sequence[Mapping[str, Any]]) -> None:
        """Show as many rows as there are values."""
        while len(self.rows) > len(values):
            self._take_out(self.rows[-1])
        while len(self.rows) < len(values):
            self.add_row()
        for row, value in zip(self.rows, values, strict=True):
            row.set_value(value)

    def add_row(self) -> Row:
        """Add an empty row and return it."""
        row = Row(self._lines, self._name, keeps=self._keeps)
        row.edited.connect(self.edited)
        row.removeRequested.connect(self._on_row_remove_requested)
        self.rows.append(row)
        self._body.addWidget(row)
        self._heads.show()
        return row

    def show_faults(self, faults: Sequence[Fault], row_of: Callable[[Fault], int | None]) -> None:
        """Put each fault below the row that it is about, or below the heading."""
        by_row: dict[int, list[tuple[str, str]]] = {}
        own = []
        for fault in faults:
            at = row_of(fault)
            if at is None or at >= len(self.rows):
                own.append(sentence(fault))
            else:
                key = str(fault.place[2]) if len(fault.place) > 2 else ""
                text = sentence(fault, self._words.get(key, key))
                by_row.setdefault(at, []).append((key or self._marks, text))
        self.message.show_text("\n".join(own))
        for at, row in enumerate(self.rows):
            row.show_faults(by_row.get(at, ()))

    def _on_add_clicked(self) -> None:
        row = self.add_row()
        row.cell(self._lines[0][0].key).setFocus()
        self.edited.emit()

    def _on_row_remove_requested(self, row: Row) -> None:
        self._take_out(row)
        self.edited.emit()

    def _take_out(self, row: Row) -> None:
        self.rows.remove(row)
        self._body.removeWidget(row)
        row.hide()
        row.deleteLater()
        self._heads.setVisible(bool(self.rows))
