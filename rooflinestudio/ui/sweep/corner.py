"""Controls of the sweep for the end of the tab row: which figure over which parameter, copy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QToolButton, QWidget

from rooflinestudio.core.sweep.panel import FIGURES
from rooflinestudio.ui.icons import TOOL_PX, icon
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.choice import Choice

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["SweepCorner"]


class SweepCorner(QWidget):
    """Figure over parameter, and copy.

    Signals
    -------
    figureChosen, parameterChosen
        Id of a figure; names of parameters, tied ones with equals signs.
    copyRequested
        ``markdown`` or ``csv``.
    """

    figureChosen = Signal(str)
    parameterChosen = Signal(str)
    copyRequested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.figure = self._choice("sweep.figure", "Figure", "What stands on the upright axis", 118)
        self.figure.set_options(tuple((id_, words) for id_, words in FIGURES.items()))
        self.figure.chosen.connect(self.figureChosen)
        self.parameter = self._choice("sweep.parameter", "Parameter", "What runs", 130)
        self.parameter.chosen.connect(self.parameterChosen)
        self.copy_button = QToolButton()
        self.copy_button.setObjectName("sweep.copy")
        self.copy_button.setIcon(icon("copy"))
        self.copy_button.setIconSize(QSize(TOOL_PX, TOOL_PX))
        self.copy_button.setAccessibleName("Copy the sweep")
        self.copy_button.setToolTip("Copy the sweep")
        self.copy_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self.copy_button)
        self.markdown_action = menu.addAction("Copy thresholds as Markdown")
        self.markdown_action.triggered.connect(self._on_markdown_action_triggered)
        self.csv_action = menu.addAction("Copy curves as CSV")
        self.csv_action.triggered.connect(self._on_csv_action_triggered)
        self.copy_button.setMenu(menu)
        over = QLabel("over")
        set_role(over, "label")
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 3, 10, 3)
        row.setSpacing(8)
        row.addStretch(1)
        for part in (self.figure, over, self.parameter, self.copy_button):
            row.addWidget(part)

    def _choice(self, object_name: str, name: str, hint: str, most_px: int) -> Choice:
        made = Choice()
        made.setObjectName(object_name)
        made.setAccessibleName(name)
        made.setToolTip(hint)
        made.setMinimumWidth(72)
        made.setMaximumWidth(most_px)
        return made

    def set_parameters(self, options: Sequence[tuple[str, str]], chosen: str) -> None:
        """Offer what can run."""
        options = list(options)
        if chosen not in dict(options):
            options.append((chosen, chosen))
        self.parameter.set_options(options)
        self.parameter.set_value(chosen)

    def set_ready(self, ready: bool) -> None:
        """Enable what needs a sweep."""
        for widget in (self.figure, self.parameter, self.copy_button):
            widget.setEnabled(ready)

    def set_compact(self, compact: bool) -> None:
        """Give way in a narrow window."""
        self.figure.setMaximumWidth(92 if compact else 118)
        self.parameter.setMaximumWidth(92 if compact else 130)

    def refresh_theme(self) -> None:
        """Take the colours of the theme now worn."""
        self.copy_button.setIcon(icon("copy"))

    def _on_markdown_action_triggered(self) -> None:
        self.copyRequested.emit("markdown")

    def _on_csv_action_triggered(self) -> None:
        self.copyRequested.emit("csv")
