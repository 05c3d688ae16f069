"""The table of changes with the line that tells about the chosen one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from rooflinestudio.ui.serving.lines import lines_of
from rooflinestudio.ui.serving.model import CROSSOVER, GAIN, WHY, WhatIfModel
from rooflinestudio.ui.serving.words import count_text
from rooflinestudio.ui.widgets.eliding import ElidingLabel
from rooflinestudio.ui.widgets.row_table import RowTable

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from rooflinestudio.core.serving.view import ServingPicture
    from rooflinestudio.core.serving.what_if import WhatIf

__all__ = ["WhatIfPage"]

_WIDTHS: Final = (168, 88, 96, 92, 84, 96, 76, 180)
_GROWS: Final = (0, 7)
_LEAST_PX: Final = 56
"""The head and a row: the rest scrolls."""

_HIDDEN_BELOW_PX: Final = {WHY: 960, CROSSOVER: 760, GAIN: 680}


class WhatIfPage(QWidget):
    """The changes of a decode step; one of them can be placed.

    Signals
    -------
    placeRequested
        The change (a ``WhatIf`` with its entry) to place as a variant.
    copyRequested
        The copy key was pressed in the table.
    """

    placeRequested = Signal(object)
    copyRequested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._found: tuple[WhatIf, ...] = ()
        self.model = WhatIfModel(self)
        self.table = RowTable("What if", edge_px=16)
        self.table.setObjectName("serving.what_if")
        self.table.setModel(self.model)
        self.table.share_width(_WIDTHS, grows=_GROWS)
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.setMinimumHeight(_LEAST_PX)
        self.why = ElidingLabel("", role="label", token="text2")
        self.place_button = QPushButton("Place as variant")
        self.place_button.setObjectName("serving.place_variant")
        self.place_button.setToolTip(
            "Place the chosen change beside the decode step (double click, or Ctrl+Enter)"
        )
        self.place_button.setShortcut("Ctrl+Return")
        self.place_button.clicked.connect(self._on_place_button_clicked)
        foot = QHBoxLayout()
        foot.setContentsMargins(16, 3, 12, 3)
        foot.setSpacing(10)
        foot.addWidget(self.why, 1)
        foot.addWidget(self.place_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.table, 1)
        layout.addLayout(foot)
        self.table.rowChosen.connect(self._show_choice)
        self.table.doubleClicked.connect(self._on_place_button_clicked)
        self.table.copyRequested.connect(self.copyRequested)
        self._show_choice(-1)

    def set_picture(self, shown: ServingPicture) -> None:
        """Show the changes of a decode step; the chosen one stays chosen."""
        row = self.table.chosen_row()
        kept = self.model.rows[row].id if 0 <= row < len(self.model.rows) else ""
        self._found = shown.what_ifs
        if shown.decoding is not None:
            self.model.set_batch(count_text(shown.decoding.batch))
        self.model.set_rows(lines_of(self._found))
        self.table.choose_row(self.model.row_of(kept))
        self._show_choice(self.model.row_of(kept))

    def chosen(self) -> WhatIf | None:
        """Return the chosen change."""
        row = self.table.chosen_row()
        return self._found[row] if 0 <= row < len(self._found) else None

    def _show_choice(self, row: int) -> None:
        line = self.model.rows[row] if 0 <= row < len(self.model.rows) else None
        self.why.set_text(
            "Choose a change to see what it does." if line is None else f"{line.label}: {line.why}."
        )
        self.place_button.setEnabled(line is not None and line.placeable)

    def _on_place_button_clicked(self) -> None:
        found = self.chosen()
        if found is not None and found.entry is not None:
            self.placeRequested.emit(found)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        for column, least in _HIDDEN_BELOW_PX.items():
            self.table.setColumnHidden(column, self.width() < least)
        self.table.share_width(_WIDTHS, grows=_GROWS)
