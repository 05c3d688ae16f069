"""The compare tab: all rows of the study, or one entry and its variants, against a baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QStackedLayout, QToolButton, QVBoxLayout, QWidget

from rooflinestudio.ui.comparison.lines import LineMaker, baselines
from rooflinestudio.ui.comparison.model import DIFFERS, FRACTION, TRAFFIC, ComparisonModel
from rooflinestudio.ui.icons import TOOL_PX, icon
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.choice import Choice
from rooflinestudio.ui.widgets.empty import EmptyState
from rooflinestudio.ui.widgets.ink import repaint_all
from rooflinestudio.ui.widgets.row_table import RowTable

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QResizeEvent, QShowEvent

    from rooflinestudio.core.placing import PlacedStudy
    from rooflinestudio.ui.session import Selection
    from rooflinestudio.ui.theme import Theme

__all__ = ["ComparisonView"]

_EVERYTHING: Final = "everything"
_WIDTHS: Final = (160, 112, 72, 80, 178, 72, 112, 96)
_GROWS: Final = (0, 1, 6)
_HIDDEN_BELOW_PX: Final = {DIFFERS: 900, TRAFFIC: 900, FRACTION: 600}


class ComparisonView(QWidget):
    """Table and, for the corner of the tab row, what it compares and how it is copied.

    Attributes
    ----------
    corner
        A row of controls. It stands over the table until it is put elsewhere (``QTabWidget.setCornerWidget``).

    Signals
    -------
    selectRequested
        An entry id or a measured kernel.
    machineRequested
        Machine of the row that was chosen, to be the strong one.
    copied
        What was copied, in words.
    """

    selectRequested = Signal(object)
    machineRequested = Signal(str)
    copied = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("comparison")
        set_role(self, "surface")
        self._placed: PlacedStudy | None = None
        self._selection: Selection = None
        self._machine = ""
        self._baseline: str | None = None
        self._stale = False
        self._maker = LineMaker()
        self.model = ComparisonModel(self)
        self.table = RowTable("Comparison", edge_px=12)
        self.table.setObjectName("comparison.table")
        self.table.setModel(self.model)
        self.table.share_width(_WIDTHS, grows=_GROWS)
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.table.horizontalHeader().setSectionsClickable(True)
        self._empty = EmptyState(
            "Nothing to compare",
            "Place an operator, then duplicate it (Ctrl+D) and change one thing. Each variant becomes a row.",
        )
        self._make_corner()
        body = QWidget()
        self._body = QStackedLayout(body)
        self._body.addWidget(self._empty)
        self._body.addWidget(self.table)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.corner)
        layout.addWidget(body, 1)
        self.table.rowChosen.connect(self._on_table_row_chosen)
        self.table.copyRequested.connect(self.copy_tsv)
        self.table.horizontalHeader().sectionClicked.connect(self._on_header_section_clicked)

    def _make_corner(self) -> None:
        self.corner = QWidget()
        self.variants_of = Choice()
        self.variants_of.setObjectName("comparison.baseline")
        self.variants_of.setAccessibleName("Variants of")
        self.variants_of.setToolTip("Compare everything, or one entry with its variants")
        self.variants_of.setMinimumWidth(128)
        self.variants_of.setMaximumWidth(190)
        self.variants_of.chosen.connect(self._on_variants_of_chosen)
        self.copy_button = QToolButton()
        self.copy_button.setObjectName("comparison.copy")
        self.copy_button.setIcon(icon("copy"))
        self.copy_button.setIconSize(QSize(TOOL_PX, TOOL_PX))
        self.copy_button.setAccessibleName("Copy the table")
        self.copy_button.setToolTip("Copy the table")
        self.copy_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self.copy_button)
        menu.addAction("Copy as Markdown", self.copy_markdown)
        menu.addAction("Copy as tab-separated text", self.copy_tsv)
        self.copy_button.setMenu(menu)
        self._corner_label = QLabel("Variants of")
        set_role(self._corner_label, "label")
        row = QHBoxLayout(self.corner)
        row.setContentsMargins(8, 3, 10, 3)
        row.setSpacing(8)
        row.addStretch(1)
        for part in (self._corner_label, self.variants_of, self.copy_button):
            row.addWidget(part)

    # What it shows ------------------------------------------------------------------------------------------------

    def set_placed(self, placed: PlacedStudy) -> None:
        """Show a study; while the tab is hidden it only remembers it."""
        self._placed = placed
        self._stale = True
        if self.isVisible():
            self._renew()

    def set_selection(self, selection: Selection) -> None:
        """Mark the row of what is selected."""
        self._selection = selection
        if not self._stale:
            self._mark_selection()

    def set_machine(self, machine: str) -> None:
        """Prefer rows on a machine when an entry has several."""
        self._machine = machine
        if not self._stale:
            self._mark_selection()

    def set_theme(self, theme: Theme) -> None:
        """Repaint in the colours of a theme."""
        repaint_all(self)
        repaint_all(self.corner)

    def set_compact(self, compact: bool) -> None:
        """Give way in a narrow window: the words before the drop-down go."""
        self._corner_label.setVisible(not compact)

    def refresh(self) -> None:
        """Bring the table up to date, also while it is hidden: for export."""
        if self._stale:
            self._renew()

    def _renew(self) -> None:
        self._stale = False
        if self._placed is None:
            return
        options = baselines(self._placed)
        if self._baseline not in dict(options):
            self._baseline = None
        self.variants_of.set_options([(_EVERYTHING, "all entries"), *options])
        self.variants_of.set_value(self._baseline or _EVERYTHING)
        self.model.set_lines(self._maker.lines(self._placed, self._baseline))
        self._body.setCurrentWidget(self.table if self.model.rows else self._empty)
        self._mark_selection()

    def _mark_selection(self) -> None:
        row = self.model.row_of(self._selection, self._machine)
        self.table.choose_row(row)
        if row >= 0:
            self.table.scrollTo(self.model.index(row, 0))

    # What the user does -------------------------------------------------------------------------------------------

    def copy_markdown(self) -> None:
        """Put the table on the clipboard in Markdown."""
        self._copy(self.model.markdown, "Table copied as Markdown")

    def copy_tsv(self) -> None:
        """Put the table on the clipboard as tab-separated text."""
        self._copy(self.model.tsv, "Table copied as tab-separated text")

    def _copy(self, text_of: Callable[[], str], words: str) -> None:
        self.refresh()
        QGuiApplication.clipboard().setText(text_of())
        self.copied.emit(words)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        for column, least in _HIDDEN_BELOW_PX.items():
            self.table.setColumnHidden(column, self.width() < least)
        self.table.share_width(_WIDTHS, grows=_GROWS)

    def _on_table_row_chosen(self, row: int) -> None:
        line = self.model.rows[row]
        if line.machine != self._machine and isinstance(line.selection, str):
            self._machine = line.machine
            self.machineRequested.emit(line.machine)
        if line.selection != self._selection:
            self.selectRequested.emit(line.selection)

    def _on_variants_of_chosen(self, id_: str) -> None:
        self._baseline = None if id_ == _EVERYTHING else id_
        self._renew()

    def _on_header_section_clicked(self, column: int) -> None:
        """Sort upwards, then downwards, then as in the study."""
        self.table.sort_next(column, Qt.SortOrder.AscendingOrder)
        self._mark_selection()
