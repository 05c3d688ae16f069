"""The same entry on the other machines of the study."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from rooflinestudio.ui.widgets.eliding import ElidingLabel
from rooflinestudio.ui.widgets.key_value import KeyValueRow
from rooflinestudio.ui.widgets.words import bound_words, time_text

if TYPE_CHECKING:
    from rooflinestudio.core.placing import PlacedRow

__all__ = ["OtherMachines"]


class OtherMachines(QWidget):
    """The same entry on the other machines: name and time, a click makes one the strong one."""

    machineChosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.buttons: list[_MachineRow] = []
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 4, 0, 0)
        self._layout.setSpacing(2)
        self._layout.addWidget(ElidingLabel("On other machines", role="section", token="text2"))
        self.hide()

    def show_rows(self, rows: tuple[PlacedRow, ...]) -> None:
        self.setVisible(bool(rows))
        while len(self.buttons) < len(rows):
            line = _MachineRow()
            line.clicked.connect(self.machineChosen)
            self.buttons.append(line)
            self._layout.addWidget(line)
        for at, line in enumerate(self.buttons):
            line.setVisible(at < len(rows))
            if at < len(rows):
                line.show_row(rows[at])


class _MachineRow(KeyValueRow):
    """A line that can be clicked."""

    clicked = Signal(str)

    def __init__(self) -> None:
        super().__init__("")
        self._machine = ""
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def show_row(self, row: PlacedRow) -> None:
        self._machine = row.machine
        self.set_label(row.profile.short_name if row.profile is not None else row.machine)
        if row.placement is None:
            self.set_value(row.state, "warn")
            self.setToolTip(row.reason)
            return
        self.set_value(time_text(row.placement.time_s))
        self.setToolTip(f"{bound_words(row.placement)}. Click to make this the strong roof.")

    def mousePressEvent(self, event: Any) -> None:
        event.accept()

    def mouseReleaseEvent(self, event: Any) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.clicked.emit(self._machine)

    def keyPressEvent(self, event: Any) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.clicked.emit(self._machine)
        else:
            super().keyPressEvent(event)
