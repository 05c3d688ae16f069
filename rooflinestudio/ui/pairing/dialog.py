"""Which entry a kernel is held against: suggestions with their reasons, operators to place, and all other entries."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QListView,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from rooflinestudio.core.pairing.choice import PairChoice, matching
from rooflinestudio.ui.fonts import font
from rooflinestudio.ui.pairing.rows import ChoiceDelegate, ChoiceModel
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.eliding import ElidingLabel
from rooflinestudio.ui.widgets.empty import EmptyState

__all__ = ["PairDialog"]

_STEPS: Final = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 6, Qt.Key.Key_PageUp: -6}


class PairDialog(QDialog):
    """A list to choose from; the best suggestion is chosen already, so that Enter takes it.

    Signals
    -------
    entryChosen
        Id of an entry.
    newChosen
        A :class:`~rooflinestudio.core.pairing.new_entries.NewEntry`.
    unpairChosen
        The kernel is to be held against nothing.
    """

    entryChosen = Signal(str)
    newChosen = Signal(object)
    unpairChosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Pair the kernel")
        self.setObjectName("pair_dialog")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(620, 460)
        self._choices: tuple[PairChoice, ...] = ()
        self.title = ElidingLabel(role="title", token="text", mode=Qt.TextElideMode.ElideMiddle)
        self.figures = ElidingLabel(role="label", token="text2")
        self.field = QLineEdit()
        self.field.setObjectName("pair.search")
        self.field.setAccessibleName("Search what to pair with")
        self.field.setPlaceholderText("Search entries and operators")
        self.field.setFont(font("body"))
        self.model = ChoiceModel(self)
        self.list = QListView()
        self.empty = EmptyState("", "")
        self.pages = QStackedWidget()
        self.unpair, self.cancel, self.accept_button = (
            QPushButton(one) for one in ("Unpair", "Cancel", "Pair")
        )
        self._set_up_list()
        self._lay_out()
        self._connect()

    def _set_up_list(self) -> None:
        self.list.setObjectName("pair.list")
        self.list.setAccessibleName("What the kernel can be held against")
        self.list.setModel(self.model)
        self.list.setItemDelegate(ChoiceDelegate(self.list))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # keys reach it through the field
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.pages.addWidget(self.list)
        self.pages.addWidget(self.empty)

    def _lay_out(self) -> None:
        set_role(self.accept_button, "primary")
        self.accept_button.setDefault(True)
        self.unpair.setAutoDefault(False)
        self.cancel.setAutoDefault(False)
        buttons = QHBoxLayout()
        buttons.addWidget(self.unpair)
        buttons.addStretch(1)
        buttons.addWidget(self.cancel)
        buttons.addWidget(self.accept_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 16)
        column.setSpacing(8)
        column.addWidget(self.title)
        column.addWidget(self.figures)
        column.addWidget(self.field)
        column.addWidget(self.pages, 1)
        column.addLayout(buttons)

    def _connect(self) -> None:
        self.field.textChanged.connect(self._fill)
        self.field.installEventFilter(self)
        self.list.selectionModel().currentChanged.connect(self._on_list_current_changed)
        self.list.doubleClicked.connect(self._on_list_double_clicked)
        self.unpair.clicked.connect(self._on_unpair_clicked)
        self.cancel.clicked.connect(self.reject)
        self.accept_button.clicked.connect(self.take)

    def show_kernel(self, name: str, figures: str, choices: tuple[PairChoice, ...]) -> None:
        """Show what a kernel can be held against.

        Parameters
        ----------
        figures
            What is known of it, in one line.
        """
        self.title.set_text(name)
        self.figures.set_text(figures)
        self._choices = choices
        self.unpair.setVisible(any(one.is_pair for one in choices))
        self._fill(self.field.text())
        self.field.setFocus()

    @property
    def choice(self) -> PairChoice | None:
        """What is chosen now."""
        return self.model.choice(self.list.currentIndex().row())

    def take(self) -> None:
        """Ask for what is chosen, and close."""
        one = self.choice
        if one is None:
            return
        self.accept()
        if one.new is not None:
            self.newChosen.emit(one.new)
        else:
            self.entryChosen.emit(one.entry_id)

    def _fill(self, text: str) -> None:
        found = matching(self._choices, text)
        self.model.show_choices(found)
        self.pages.setCurrentWidget(self.list if found else self.empty)
        if not found:
            self.empty.set_texts(*_nothing(text, has_any=bool(self._choices)))
        row = self.model.step(-1, 0)
        if row >= 0:
            self.list.setCurrentIndex(self.model.index(row))
        self.accept_button.setEnabled(row >= 0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the arrow keys walk through the list while the field has the focus."""
        if watched is self.field and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            step = _STEPS.get(Qt.Key(event.key()))
            if step is not None:
                row = self.model.step(self.list.currentIndex().row(), step)
                self.list.setCurrentIndex(self.model.index(row))
                return True
        return super().eventFilter(watched, event)

    def _on_list_current_changed(self, _current: QModelIndex, _previous: QModelIndex) -> None:
        one = self.choice
        self.accept_button.setText("Place and pair" if one is not None and one.new is not None else "Pair")

    def _on_list_double_clicked(self, _index: QModelIndex) -> None:
        self.take()

    def _on_unpair_clicked(self) -> None:
        self.accept()
        self.unpairChosen.emit()


def _nothing(text: str, *, has_any: bool) -> tuple[str, str]:
    if has_any:
        return (
            "Nothing found",
            f"Neither an entry nor an operator has “{text.strip()}” in its name or reasons.",
        )
    return "Nothing to pair with", "Place the operator that this kernel runs, then pair the two."
