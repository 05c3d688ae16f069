"""A few choices side by side, one of them on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QSizePolicy, QWidget

from rooflinestudio.ui.theme import set_role

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["SegmentedControl"]


class SegmentedControl(QWidget):
    """An exclusive row of buttons; arrow keys move between them.

    Signals
    -------
    chosen
        The id that the user chose; never sent for :meth:`set_value`.
    """

    chosen = Signal(str)

    def __init__(
        self,
        options: Sequence[tuple[str, str]],
        name: str,
        *,
        compact: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        set_role(self, "segmented")
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        self._buttons: dict[str, QPushButton] = {}
        layout = QHBoxLayout(self)
        layout.setContentsMargins(2, 2, 2, 2)
        layout.setSpacing(0)
        for id_, label in options:
            button = QPushButton(label)
            button.setCheckable(True)
            button.setObjectName(f"{name.lower().replace(' ', '_')}.{id_}")
            button.setAccessibleName(f"{name}: {label}")
            set_role(button, "segment", font_role="label" if compact else "button")
            self._buttons[id_] = button
            self._group.addButton(button)
            layout.addWidget(button)
        self._group.buttonClicked.connect(self._on_group_button_clicked)

    def value(self) -> str:
        """Return the id that is on, or an empty text."""
        return next((id_ for id_, button in self._buttons.items() if button.isChecked()), "")

    def set_value(self, id_: str) -> None:
        """Turn one on without telling anybody; an unknown id turns all off."""
        button = self._buttons.get(id_)
        if button is not None:
            button.setChecked(True)
            return
        self._group.setExclusive(False)
        for one in self._buttons.values():
            one.setChecked(False)
        self._group.setExclusive(True)

    def button(self, id_: str) -> QPushButton:
        """Return the button of an id."""
        return self._buttons[id_]

    @property
    def buttons(self) -> list[QPushButton]:
        """All buttons, from the left."""
        return list(self._buttons.values())

    def set_hint(self, id_: str, hint: str) -> None:
        """Give one of the buttons a tool tip."""
        self._buttons[id_].setToolTip(hint)

    def _on_group_button_clicked(self, button: QPushButton) -> None:
        self.chosen.emit(next(id_ for id_, one in self._buttons.items() if one is button))
