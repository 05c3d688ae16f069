"""What a sweep says beside its plot: verdict, thresholds, why a curve is missing, notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QPushButton, QSizePolicy, QSpacerItem, QVBoxLayout, QWidget

from rooflinestudio.ui.sweep.model import CURVE, FIGURE, VALUE, WORDS, ThresholdModel
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.eliding import ElidingLabel
from rooflinestudio.ui.widgets.ink import ink
from rooflinestudio.ui.widgets.note_box import Note, NoteBox, ReasonBox, VerdictBox
from rooflinestudio.ui.widgets.row_table import RowTable

if TYPE_CHECKING:
    from collections.abc import Hashable

    from PySide6.QtCore import QModelIndex
    from PySide6.QtGui import QPaintEvent

    from rooflinestudio.core.sweep.picture import SweepPicture, ThresholdRow

__all__ = ["SweepSide"]

_FIGURE_FROM_PX = 400
_VALUE_PX, _WORDS_PX, _FIGURE_PX = 64, 150, 92
_NO_THRESHOLD = "Nothing changes in this range."


class SweepSide(QWidget):
    """Shows what it has height for.

    Signals
    -------
    chosen
        Key of the threshold that shall be emphasised, or None.
    valueRequested
        A threshold whose value shall be set.
    """

    chosen = Signal(object)
    valueRequested = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, "surface")
        self._key: Hashable = None
        self._tall, self._below = True, False
        self._picture: SweepPicture | None = None
        self.verdict, self.reason, self.notes = VerdictBox(), ReasonBox(), NoteBox()
        self.model = ThresholdModel(self)
        self.table = RowTable("Thresholds", row_px=25)
        self.table.setObjectName("sweep.thresholds")
        self.table.setModel(self.model)
        self.table.setToolTip("Enter or a double click sets the value")
        self.table.rowChosen.connect(self._on_table_row_chosen)
        self.table.activated.connect(self._on_table_activated)
        self.nothing = ElidingLabel(_NO_THRESHOLD, role="caption", token="muted")
        self.set_button = QPushButton()
        self.set_button.setObjectName("sweep.set")
        self.set_button.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.set_button.clicked.connect(self._on_set_button_clicked)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(12, 8, 12, 8)
        self._layout.setSpacing(6)
        for part in (self.verdict, self.reason, self.table, self.nothing, self.set_button, self.notes):
            self._layout.addWidget(part)
        self._layout.setStretchFactor(self.table, 1)
        room = QSizePolicy.Policy
        self._layout.addItem(
            QSpacerItem(0, 0, room.Minimum, room.Expanding)
        )  # takes what no list is there to take
        self._show_button()

    def set_place(self, *, tall: bool, below: bool) -> None:
        """Say whether there is room for sentences, or for the list alone, and whether it stands below the plot."""
        if (tall, below) != (self._tall, self._below):
            self._tall, self._below = tall, below
            margin = 8 if tall else 2
            self._layout.setContentsMargins(12, margin, 12, margin)
            self._arrange()
            self.update()

    def take_controls(self, controls: QWidget) -> None:
        """Let controls stand over the list."""
        self._layout.insertWidget(0, controls)

    def set_picture(self, picture: SweepPicture) -> None:
        """Show what a sweep says; the chosen threshold stays chosen while there is one like it."""
        self._picture = picture
        self.verdict.set_text(picture.verdict)
        if picture.refused:
            name, reason = picture.refused[0]
            more = f" ({len(picture.refused) - 1} more)" if len(picture.refused) > 1 else ""
            self.reason.set_reason(f"{name} has no curve{more}", reason, tone="warn")
        self.notes.set_notes([Note("Note", one) for one in picture.notes])
        self.model.set_heads(picture.label, picture.y_title.partition(",")[0])
        self.model.set_rows(picture.thresholds)
        at = self.model.row_of(self._key)
        self.table.choose_row(at)
        if at < 0 and self._key is not None:
            self._key = None
            self.chosen.emit(None)
        self._arrange()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        edge = (self.width(), 1) if self._below else (1, self.height())
        painter.fillRect(0, 0, *edge, ink("border"))
        painter.end()

    def _arrange(self) -> None:
        picture = self._picture
        if picture is None:
            return
        rows, refused = bool(picture.thresholds), bool(picture.refused)
        all_refused = len(picture.refused) == len(picture.curves)  # then the reason says it
        self.verdict.setVisible((self._tall or not rows) and not all_refused)
        self.reason.setVisible(refused and (self._tall or not rows))
        self.notes.setVisible(bool(picture.notes) and (self._tall or not (rows or refused)))
        self.table.setVisible(rows)
        self._share_width()
        self.nothing.setVisible(not rows and not refused)
        self.set_button.setVisible(rows and self._tall)
        self._show_button()

    def resizeEvent(self, event: object) -> None:
        super().resizeEvent(event)  # type: ignore[arg-type]
        self._share_width()

    def _share_width(self) -> None:
        """Hide columns that there is no room for; a curve among several is told by its marker at least."""
        room, several = self.width(), self._picture is not None and len(self._picture.curves) > 1
        self.table.setColumnHidden(CURVE, not several)
        self.table.setColumnHidden(FIGURE, room < _FIGURE_FROM_PX)
        self.model.set_curve_head("Curve" if room >= _FIGURE_FROM_PX else "")
        name = round(min(max(0.28 * room, 34.0), 190.0)) if room >= _FIGURE_FROM_PX else 34
        value, figure = self._needed(VALUE, _VALUE_PX), self._needed(FIGURE, _FIGURE_PX)
        taken = value + (name if several else 0) + (figure if room >= _FIGURE_FROM_PX else 0)
        words = max(60, room - 24 - taken - 16)
        self.table.share_width((name, value, min(_WORDS_PX, words), figure), grows=(WORDS,))

    def _needed(self, column: int, least: int) -> int:
        """Return the width of a column of numbers, which are never shortened."""
        delegate = self.table.cell_delegate
        cells = [self.model.cell(one, column) for one in self.model.rows]
        return max([least, *(delegate.content_width(one) + 2 * delegate.padding_px for one in cells)])

    def chosen_row(self) -> ThresholdRow | None:
        """Return the threshold that is chosen."""
        at = self.model.row_of(self._key)
        return self.model.rows[at] if at >= 0 else None

    def _show_button(self) -> None:
        row, picture = self.chosen_row(), self._picture
        self.set_button.setEnabled(row is not None)
        label = picture.label if picture is not None else "the parameter"
        words = f"Set {label} to {row.value_text}" if row is not None else f"Set {label} to a threshold"
        self.set_button.setText(words)
        self.set_button.setToolTip(
            "" if row is None else f"Of {row.curve.row.entry.label or row.curve.key.entry}"
        )

    def _on_table_row_chosen(self, at: int) -> None:
        self._key = self.model.rows[at].key
        self._show_button()
        self.chosen.emit(self._key)

    def _on_table_activated(self, index: QModelIndex) -> None:
        self.valueRequested.emit(self.model.rows[index.row()])

    def _on_set_button_clicked(self) -> None:
        row = self.chosen_row()
        if row is not None:
            self.valueRequested.emit(row)
