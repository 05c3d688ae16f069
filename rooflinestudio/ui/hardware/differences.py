"""What has changed in a profile since a study took its copy: a table, and the button that takes the new one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QFrame, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from rooflinestudio.core.profile_edit.changes import summary_of_changes
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.cells import TextCell
from rooflinestudio.ui.widgets.eliding import ElidingLabel
from rooflinestudio.ui.widgets.ink import repaint_all
from rooflinestudio.ui.widgets.row_table import RowTable
from rooflinestudio.ui.widgets.rows_model import RowsModel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rooflinestudio.core.profile_edit.changes import ProfileChange

__all__ = ["DifferencesDialog"]

_WIDTHS: Final = (220, 150, 150)


class _Model(RowsModel):
    heads = ("Figure", "In the study", "Now")

    def key(self, row: ProfileChange) -> object:
        return row.name

    def cell(self, row: ProfileChange, column: int) -> TextCell:
        text = (row.name, row.before, row.after)[column]
        is_figure = row.kind == "figure"
        return TextCell(
            text, "text" if is_figure or column == 0 else "text2", strong=is_figure and column == 2
        )

    def tip(self, row: ProfileChange, _column: int) -> str:
        return row.words


class DifferencesDialog(QDialog):
    """Lists differences; stays open beside the work.

    Signals
    -------
    takeRequested
        Id of the machine whose new profile is to replace the study's copy.
    """

    takeRequested = Signal(str)

    def __init__(
        self, id_: str, name: str, changes: Sequence[ProfileChange], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._id = id_
        self.setObjectName("profile_differences")
        self.setWindowTitle(f"Changes of {name}")
        self.resize(640, 420)
        words = f"{name} has changed since the study took its copy: {summary_of_changes(tuple(changes))}."
        self.model = _Model(self)
        self.model.set_rows(changes)
        self.table = RowTable("Differences", shrunk=True)
        self.table.setModel(self.model)
        self.table.share_width(_WIDTHS, grows=(0, 1, 2))
        self.keep_button, self.take_button = QPushButton("Keep the copy"), QPushButton("Take the new figures")
        self.take_button.setToolTip("Replace the study's copy; that can be undone")
        self.keep_button.clicked.connect(self.reject)
        self.take_button.clicked.connect(self._on_take_clicked)
        self._lay_out(words)

    def _lay_out(self, words: str) -> None:
        set_role(self.take_button, "primary")
        body = QWidget()
        set_role(body, "surface")
        inner = QVBoxLayout(body)
        inner.setContentsMargins(12, 4, 12, 8)
        inner.addWidget(self.table)
        inner.addStretch(1)
        area = QScrollArea()
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(body)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self.keep_button)
        row.addWidget(self.take_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 16)
        column.setSpacing(10)
        column.addWidget(ElidingLabel(words, role="body", token="text"))
        column.addWidget(area, 1)
        column.addLayout(row)

    def refresh_theme(self, _theme: object = None) -> None:
        """Take the colours of the theme now worn."""
        repaint_all(self)

    def _on_take_clicked(self) -> None:
        self.takeRequested.emit(self._id)
        self.accept()
