"""The entries that a kernel's rows are made of: each reads and shows one value of the document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLineEdit, QSizePolicy, QWidget

from rooflinestudio.core.yaml_text import plain_scalar
from rooflinestudio.ui.fonts import font
from rooflinestudio.ui.theme import set_state
from rooflinestudio.ui.widgets.choice import Choice

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["ChoiceCell", "FlagCell", "FormulaCell", "ListCell", "TextCell", "ValueCell"]


class ValueCell(QLineEdit):
    """A line that holds a number, true or false, or a text, as a document does.

    What was set is given back as it was, as long as the text stays.

    Signals
    -------
    edited
        The user changed the value.
    """

    edited = Signal()
    mono = False

    def __init__(self, name: str, hint: str = "", *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._given: Any = None
        self.setAccessibleName(name)
        self.setPlaceholderText(hint)
        self.setFont(font("mono" if self.mono else "label"))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.textEdited.connect(self._on_text_edited)

    def value(self) -> Any:
        """Return the value; None where the line is empty."""
        text = self.text()
        if self._given is not None and text == self._shown(self._given):
            return self._given
        return self._read(text.strip()) if text.strip() else None

    def set_value(self, value: Any) -> None:
        """Show a value, without telling anybody."""
        self._given = value
        self.setText("" if value is None else self._shown(value))
        self.setCursorPosition(0)

    def mark(self, message: str) -> None:
        """Outline the entry as refused, or as right with an empty text."""
        set_state(self, "error" if message else "")
        self.setToolTip(
            message or (self.text() if self.mono else "")
        )  # a long formula is cut off in its line
        self.setAccessibleDescription(message)

    def type_text(self, text: str) -> None:
        """Take a text as if it had been typed."""
        self.setText(text)
        self._on_text_edited(text)

    def _on_text_edited(self, _text: str) -> None:
        self.edited.emit()

    def _shown(self, value: Any) -> str:
        if isinstance(value, bool):
            return "true" if value else "false"
        return value if isinstance(value, str) else repr(value)

    def _read(self, text: str) -> Any:
        return plain_scalar(text)


class TextCell(ValueCell):
    """A line whose value is always a text."""

    def set_value(self, value: Any) -> None:
        super().set_value(None if value is None else str(value))

    def _read(self, text: str) -> Any:
        return text


class FormulaCell(ValueCell):
    """A line for a formula, or for a number."""

    mono = True


class ListCell(ValueCell):
    """A line that holds several words with commas between them."""

    def _shown(self, value: Any) -> str:
        return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)

    def _read(self, text: str) -> Any:
        return [one.strip() for one in text.split(",") if one.strip()]


class ChoiceCell(Choice):
    """One of several ids; the first stands where the document says nothing."""

    edited = Signal()
    _default = ""

    def __init__(
        self,
        name: str,
        options: Sequence[tuple[str, str]],
        *,
        default: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(options, parent=parent)
        self._default = default
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.chosen.connect(self._on_chosen)
        super().set_value(default)

    def value(self) -> Any:
        """Return the id; None where it is the default."""
        return super().value() or None

    def set_value(self, id_: Any) -> None:
        """Show an id; None is the default."""
        super().set_value(self._default if id_ is None else str(id_))

    def mark(self, message: str) -> None:
        """Outline the entry as refused."""
        set_state(self, "error" if message else "")
        self.setToolTip(message)

    def _on_chosen(self, _id: str) -> None:
        self.edited.emit()


class FlagCell(QWidget):
    """A switch; off is the same as nothing."""

    edited = Signal()

    def __init__(self, name: str, tip: str, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.box = QCheckBox()
        self.box.setAccessibleName(name)
        self.setToolTip(tip)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(8, 0, 0, 0)
        layout.addWidget(self.box)
        self.box.clicked.connect(self._on_box_clicked)

    def value(self) -> Any:
        """Return true, or None."""
        return True if self.box.isChecked() else None

    def set_value(self, value: Any) -> None:
        """Turn it on or off, without telling anybody."""
        self.box.setChecked(value is True)

    def mark(self, message: str) -> None:
        """Say what is wrong."""
        self.box.setToolTip(message)

    def _on_box_clicked(self, _on: bool) -> None:
        self.edited.emit()
