"""The thresholds of a sweep beside the plot: exact values in words, to look at or to set."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHeaderView, QPushButton, QVBoxLayout, QWidget

from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.cells import Cell, TextCell
from rooflinestudio.ui.widgets.note_box import VerdictBox
from rooflinestudio.ui.widgets.row_table import RowTable
from rooflinestudio.ui.widgets.rows_model import RowsModel

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QResizeEvent

    from rooflinestudio.core.sweep_curves_words import ThresholdLine
    from rooflinestudio.core.sweep_panel_picture import SweepPicture

__all__ = ["ThresholdPanel", "ThresholdsModel"]

_LOW_PX: Final = 230


class ThresholdsModel(RowsModel):
    """One threshold a row."""

    heads = ("Threshold", "What changes there")

    def key(self, row: ThresholdLine) -> object:
        return row.curve, row.kind, row.value

    def cell(self, row: ThresholdLine, column: int) -> Cell | None:
        return TextCell(row.label, "text", strong=True) if column == 0 else TextCell(row.words, "text2")

    def tip(self, row: ThresholdLine, _column: int) -> str | None:
        return f"{row.label}: {row.words}"


class ThresholdPanel(QWidget):
    """The sentence over all, the list, and a button that sets the chosen value.

    Signals
    -------
    chosen
        A threshold to emphasise, or None.
    setRequested
        A threshold whose value the entry shall take.
    copyRequested
        The copy key was pressed in the list.
    """

    chosen = Signal(object)
    setRequested = Signal(object)
    copyRequested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, "surface")
        self.verdict, self.model = VerdictBox(), ThresholdsModel(self)
        self.table = _EnterTable("Thresholds")
        self.table.setObjectName("sweep.thresholds")
        self.table.setModel(self.model)
        self.table.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        self.table.horizontalHeader().setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        self.set_button = QPushButton("Set this value")
        self.set_button.setObjectName("sweep.set")
        self.set_button.setEnabled(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 6, 10, 8)
        column.setSpacing(6)
        column.addWidget(self.verdict)
        column.addWidget(self.table, 1)
        column.addWidget(self.set_button, 0, Qt.AlignmentFlag.AlignLeft)
        self.table.rowChosen.connect(self._on_row_chosen)
        self.table.copyRequested.connect(self.copyRequested)
        self.table.enterPressed.connect(self._set)
        self.table.doubleClicked.connect(lambda _index: self._set())
        self.set_button.clicked.connect(self._set)

    def set_picture(self, picture: SweepPicture | None) -> None:
        """Show the thresholds of a picture."""
        self.model.set_rows(picture.lines if picture is not None else ())
        self.verdict.set_text(picture.verdict if picture is not None else "")
        self.verdict.setVisible(bool(self.verdict.text()) and self.height() >= _LOW_PX)
        if self._line() is None:
            self._show_chosen(None)

    def _line(self) -> ThresholdLine | None:
        index = self.table.currentIndex()
        if not index.isValid() or index.row() >= len(self.model.rows):
            return None
        found: ThresholdLine = self.model.rows[index.row()]
        return found

    def _on_row_chosen(self, row: int) -> None:
        self._show_chosen(self.model.rows[row])

    def _show_chosen(self, line: ThresholdLine | None) -> None:
        self.set_button.setEnabled(line is not None)
        self.set_button.setText(f"Set {line.label}" if line is not None else "Set this value")
        self.chosen.emit(line)

    def _set(self) -> None:
        line = self._line()
        if line is not None:
            self.setRequested.emit(line)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        tall = self.height() >= _LOW_PX
        self.verdict.setVisible(tall and bool(self.verdict.text()))
        self.set_button.setVisible(self.height() >= 120)


class _EnterTable(RowTable):
    """Tells about the enter key.

    Signals
    -------
    enterPressed
        Enter was pressed on a row.
    """

    enterPressed = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.enterPressed.emit()
            return
        super().keyPressEvent(event)
