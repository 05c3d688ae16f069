"""What a sweep says beside its plot: verdict, thresholds, why a curve is missing, notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from rooflinestudio.ui.sweep.model import CURVE, FIGURE, WORDS, ThresholdModel
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.eliding import ElidingLabel
from rooflinestudio.ui.widgets.ink import ink
from rooflinestudio.ui.widgets.note_box import Note, NoteBox, ReasonBox, VerdictBox
from rooflinestudio.ui.widgets.row_table import RowTable

if TYPE_CHECKING:
    from collections.abc import Hashable

    from PySide6.QtCore import QModelIndex
    from PySide6.QtGui import QPaintEvent

    from rooflinestudio.core.sweep_picture import SweepPicture, ThresholdRow

__all__ = ["SweepSide"]

_WIDTHS = (104, 64, 150, 86)
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
        self._tall = True
        self._picture: SweepPicture | None = None
        self.verdict, self.reason, self.notes = VerdictBox(), ReasonBox(), NoteBox()
        self.model = ThresholdModel(self)
        self.table = RowTable("Thresholds", row_px=25)
        self.table.setObjectName("sweep.thresholds")
        self.table.setModel(self.model)
        self.table.share_width(_WIDTHS, grows=(WORDS,))
        self.table.rowChosen.connect(self._on_table_row_chosen)
        self.table.activated.connect(self._on_table_activated)
        self.nothing = ElidingLabel(_NO_THRESHOLD, role="caption", token="muted")
        self.set_button = QPushButton()
        self.set_button.setObjectName("sweep.set")
        self.set_button.clicked.connect(self._on_set_button_clicked)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(12, 8, 12, 8)
        self._layout.setSpacing(6)
        for part in (self.verdict, self.reason, self.table, self.nothing, self.set_button, self.notes):
            self._layout.addWidget(part)
        self._layout.setStretch(2, 1)
        self._show_button()

    def set_tall(self, tall: bool) -> None:
        """Say whether there is room for sentences, or for the list alone."""
        if tall != self._tall:
            self._tall = tall
            margin = 8 if tall else 2
            self._layout.setContentsMargins(12, margin, 12, margin)
            self._arrange()

    def set_picture(self, picture: SweepPicture) -> None:
        """Show what a sweep says; the chosen threshold stays chosen while there is one like it."""
        self._picture = picture
        self.verdict.set_text(picture.verdict)
        if picture.refused:
            name, reason = picture.refused[0]
            more = f" ({len(picture.refused) - 1} more)" if len(picture.refused) > 1 else ""
            self.reason.set_reason(f"{name} has no curve{more}", reason, tone="warn")
        self.notes.set_notes([Note("Note", one, "") for one in picture.notes])
        self.model.set_heads(picture.label, picture.y_title.partition(",")[0])
        self.model.set_rows(picture.thresholds)
        self.table.setColumnHidden(CURVE, len(picture.curves) < 2)
        at = self.model.row_of(self._key)
        self.table.choose_row(at)
        if at < 0 and self._key is not None:
            self._key = None
            self.chosen.emit(None)
        self._arrange()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.fillRect(0, 0, 1, self.height(), ink("border"))
        painter.end()

    def _arrange(self) -> None:
        picture = self._picture
        if picture is None:
            return
        rows, refused = bool(picture.thresholds), bool(picture.refused)
        self.verdict.setVisible(self._tall or not rows)
        self.reason.setVisible(refused and (self._tall or not rows))
        self.notes.setVisible(bool(picture.notes) and (self._tall or not (rows or refused)))
        self.table.setVisible(rows)
        self.table.setColumnHidden(FIGURE, self.width() < 330)
        self.nothing.setVisible(not rows and not refused)
        self.set_button.setVisible(rows)
        self._show_button()

    def resizeEvent(self, event: object) -> None:
        super().resizeEvent(event)  # type: ignore[arg-type]
        self.table.setColumnHidden(FIGURE, self.width() < 330)
        self.table.share_width(_WIDTHS, grows=(WORDS,))

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
