"""The line below the tables that adds rows: what is to be added, then its figure."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QMenu, QPushButton, QVBoxLayout, QWidget

from rooflinestudio.core.profile_edit.choices import boundary_choices, ceiling_choices, figure_choices
from rooflinestudio.core.profile_edit.places import FigurePlace, name_of, unit_at
from rooflinestudio.ui.fonts import font
from rooflinestudio.ui.theme import set_role, set_state
from rooflinestudio.ui.widgets.link_button import LinkButton

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.profile_edit.typed import Refusal

__all__ = ["AddBar"]

_EXAMPLES: Final = {
    "FLOP/s": "989 TFLOP/s", "B/s": "3.35 TB/s", "B": "80 GB", "s": "600 ns", "Hz": "1.8 GHz", "W": "700 W",
    "": "132",
}  # fmt: skip


class _Entry(QLineEdit):
    cancelled = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.cancelled.emit()
            return
        super().keyPressEvent(event)


class AddBar(QWidget):
    """Links that add a ceiling, a boundary or another figure, and the entry for its value.

    Signals
    -------
    addRequested
        Place and typed text.
    opened
        The entry is there.
    """

    addRequested = Signal(object, str)
    opened = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._profile: HardwareProfile | None = None
        self.place: FigurePlace | None = None
        self.ceiling = LinkButton("Add a ceiling", "plus")
        self.boundary = LinkButton("Add a boundary", "plus")
        self.figure = LinkButton("Add another figure", "plus")
        self.ceiling.clicked.connect(lambda: self._open(self.ceiling, self.ceiling_menu()))
        self.boundary.clicked.connect(lambda: self._open(self.boundary, self.boundary_menu()))
        self.figure.clicked.connect(lambda: self._open(self.figure, self.figure_menu()))
        self.links = QHBoxLayout()
        self.links.setSpacing(18)
        for one in (self.ceiling, self.boundary, self.figure):
            self.links.addWidget(one)
        self.links.addStretch(1)
        self._name = QLabel()
        set_role(self._name, "label", font_role="name")
        self.entry = _Entry()
        self.add_button = QPushButton("Add")
        self.cancel_button = QPushButton("Cancel")
        self._corrections: list[QPushButton] = []
        self._reason = QLabel()
        set_role(self._reason, "error", font_role="label")
        self._line = QWidget()
        self._lay_out()

    def _lay_out(self) -> None:
        self.entry.setFont(font("label"))
        self.entry.setObjectName("hardware_editor.new_figure")
        self.entry.setAccessibleName("Figure of the new row")
        self.entry.setFixedWidth(150)
        self.entry.returnPressed.connect(self._on_entered)
        self.entry.cancelled.connect(self.close_entry)
        self.add_button.clicked.connect(self._on_entered)
        self.cancel_button.clicked.connect(self.close_entry)
        self._row = QHBoxLayout(self._line)
        self._row.setContentsMargins(8, 0, 0, 0)
        self._row.setSpacing(8)
        for one in (self._name, self.entry, self.add_button, self.cancel_button, self._reason):
            if isinstance(one, QPushButton):
                one.setFont(font("label"))
            self._row.addWidget(one)
        self._row.addStretch(1)
        self._line.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(self.links)
        column.addWidget(self._line)

    def show_profile(self, profile: HardwareProfile, *, locked: bool) -> None:
        """Offer what this machine does not have."""
        self._profile = profile
        for one in (self.ceiling, self.boundary, self.figure):
            one.setVisible(not locked)
        if locked:
            self.close_entry()
        self.boundary.setEnabled(bool(boundary_choices(profile)))

    # What can be added --------------------------------------------------------------------------------------------

    def ceiling_menu(self) -> QMenu:
        """Return the menu of pipes without a ceiling."""
        choices = ceiling_choices(self._profile) if self._profile is not None else ()
        return self._menu([(FigurePlace("ceilings", id_), words) for id_, words in choices])

    def boundary_menu(self) -> QMenu:
        """Return the menu of boundaries that are not there."""
        choices = boundary_choices(self._profile) if self._profile is not None else ()
        return self._menu([(FigurePlace("boundaries", id_), words) for id_, words in choices])

    def figure_menu(self) -> QMenu:
        """Return the menu of single figures that are not known."""
        if self._profile is None:
            return self._menu([])
        profile = self._profile
        return self._menu([(place, name_of(profile, place)) for place in figure_choices(profile)])

    def _menu(self, choices: list[tuple[FigurePlace, str]]) -> QMenu:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for place, words in choices:
            menu.addAction(words, partial(self.ask_for, place, words))
        return menu

    def _open(self, button: QWidget, menu: QMenu) -> None:
        menu.popup(button.mapToGlobal(button.rect().bottomLeft()))

    # The figure ---------------------------------------------------------------------------------------------------

    def ask_for(self, place: FigurePlace, words: str) -> None:
        """Open the entry for the figure of a new row."""
        self.place = place
        self._name.setText(words)
        self.entry.setAccessibleName(f"Figure of {words}")
        self.entry.setPlaceholderText(_EXAMPLES[unit_at(place)])
        self.entry.clear()
        self.refuse(None)
        self._line.show()
        self.opened.emit()
        self.entry.setFocus(Qt.FocusReason.OtherFocusReason)

    def close_entry(self) -> None:
        """Add nothing."""
        self.place = None
        self._line.hide()

    def refuse(self, refusal: Refusal | None) -> None:
        """Keep the text, say why it is refused, and offer what was perhaps meant; None takes that back."""
        set_state(self.entry, "error" if refusal is not None else "")
        self._reason.setText(refusal.reason if refusal is not None else "")
        for button in self._corrections:
            self._row.removeWidget(button)
            button.hide()
            button.deleteLater()
        self._corrections = []
        for one in refusal.corrections if refusal is not None else ():
            button = QPushButton(one.label)
            button.setFont(font("label"))
            button.clicked.connect(partial(self._take, one.text))
            self._row.insertWidget(self._row.count() - 1, button)
            self._corrections.append(button)

    @property
    def corrections(self) -> list[QPushButton]:
        """The buttons of what was perhaps meant."""
        return self._corrections

    def _take(self, text: str, _checked: bool = False) -> None:
        self.entry.setText(text)
        self._on_entered()

    def _on_entered(self) -> None:
        if self.place is not None:
            self.addRequested.emit(self.place, self.entry.text())
