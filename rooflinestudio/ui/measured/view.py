"""The tab of measured kernels: every launch of every file over the study, however many they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from rooflinestudio.core.measured.held import strong_profile
from rooflinestudio.core.measured.panel import COLUMN_IDS, PANEL, measured_panel
from rooflinestudio.core.measured.table import TableMaker
from rooflinestudio.core.measured.words import summary
from rooflinestudio.ui.measured.changes import KernelChanges
from rooflinestudio.ui.measured.columns import WIDTHS, columns_with_room, growing_columns
from rooflinestudio.ui.measured.commands import KernelMenu
from rooflinestudio.ui.measured.corner import MeasuredCorner
from rooflinestudio.ui.measured.footer import MeasuredFooter
from rooflinestudio.ui.measured.kernel_table import KernelTable
from rooflinestudio.ui.measured.model import NUMBERS, MeasuredModel
from rooflinestudio.ui.measured.ordering import next_order, show_order
from rooflinestudio.ui.measured.series_page import SeriesPage
from rooflinestudio.ui.measured.showing import Showing
from rooflinestudio.ui.panel_view import PanelView
from rooflinestudio.ui.widgets.empty import EmptyState
from rooflinestudio.ui.widgets.empty_page import EmptyPage

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from rooflinestudio.core.measured.table import MeasuredTable
    from rooflinestudio.core.placing import PlacedStudy
    from rooflinestudio.core.selection import Selection

__all__ = ["MeasuredView"]


class MeasuredView(PanelView):
    """The table, or how to get something into it.

    Signals
    -------
    gestureEnded
        The filter is typed to its end.
    pairChoiceRequested
        Kernels, each as digest and position: what they can be held against is to be shown.
    unpairsRequested
        Kernels that are to be held against nothing.
    """

    gestureEnded = Signal()
    pairChoiceRequested = Signal(object)
    unpairsRequested = Signal(object)
    corner: MeasuredCorner

    def __init__(self, parent: QWidget | None = None) -> None:
        self.menu = KernelMenu()
        super().__init__(PANEL, MeasuredCorner(self.menu), parent)
        self._maker = TableMaker()
        self._opened: frozenset[int] = frozenset()
        self._opened_of: Any = None
        self.model = MeasuredModel(self)
        self.table = KernelTable(self.model)
        self.table.share_width(WIDTHS, grows=growing_columns(0))
        self.footer = MeasuredFooter()
        self.list_all = QPushButton("List all kernels")
        self.list_all.setObjectName("measured.list_all")
        self._empty = EmptyState(
            "Nothing measured yet",
            "Import a profiler's file (Ctrl+I) or drop it onto the window. "
            "Each kernel becomes a row here and a diamond on the canvas.",
        )
        self._none_listed = EmptyPage("No kernel is listed", "", self.list_all)
        self._body = self._made_body()
        self.files = SeriesPage()
        for page in (self._empty, self._body, self.files):
            self._stack.addWidget(page)
        self._changes = KernelChanges(self)
        self._showing = Showing(self)
        self._connect()

    def _made_body(self) -> QWidget:
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.table, 1)
        column.addWidget(self._none_listed, 1)
        column.addWidget(self.footer)
        return body

    def _connect(self) -> None:
        table, field, menu = self.table, self.corner.filter, self.menu
        table.rowChosen.connect(self._on_table_row_chosen)
        table.copyRequested.connect(self._changes.copy_tsv)
        table.toggled.connect(self._on_table_toggled)
        table.filterWanted.connect(self.focus_filter)
        table.filterCleared.connect(field.clear_filter)
        table.menuWanted.connect(menu.popup)
        table.dragWanted.connect(self._changes.drag_chosen)
        table.horizontalHeader().sectionClicked.connect(self._on_header_section_clicked)
        table.selectionModel().selectionChanged.connect(self._on_selection_changed)
        for action in (menu.hide_action, menu.others_action, menu.pair_action, menu.unpair_action):
            table.addAction(action)
        field.filterTyped.connect(self._on_filter_typed)
        field.messageChanged.connect(self._on_filter_message_changed)
        field.confirmed.connect(self._on_filter_confirmed)
        field.left.connect(table.setFocus)
        field.ended.connect(self.gestureEnded)
        self.corner.groups.chosen.connect(self._on_groups_chosen)
        self.footer.show_all.clicked.connect(self._changes.show_all)
        self.list_all.clicked.connect(self._changes.list_all)
        menu.aboutToShow.connect(self._renew_menu)
        self._changes.connect_menu(menu)
        self._showing.connect_corner(self.corner)
        self._showing.connect_files()
        self.files.table.selectionModel().selectionChanged.connect(self._on_selection_changed)

    @property
    def is_comparing(self) -> bool:
        """Whether two files are held against each other."""
        return self._stack.currentWidget() is self.files

    # What it shows ------------------------------------------------------------------------------------------------

    def set_selection(self, selection: Selection) -> None:
        """Mark the row of a measured kernel."""
        self._selection = selection
        if not self._stale:
            self._mark_selection()

    def focus_filter(self) -> None:
        """Go to the filter."""
        self.corner.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.corner.filter.selectAll()

    def _show_study(self, placed: PlacedStudy) -> None:
        study, panel = placed.study, measured_panel(placed.study)
        files = (panel.group, tuple(one.digest for one in study.overlays))
        if files != self._opened_of:
            self._opened, self._opened_of = frozenset(), files
        profile = strong_profile(placed, self._machine)
        table = self._maker.table(study, panel, profile, self._opened, placed)
        has_kernels = len(table.series) > 0
        self.corner.show_state(panel.filter, panel.group, enabled=has_kernels)
        self.corner.filter.set_fault(table.fault)
        self.model.set_pair_slots(self._showing.slots(study, table))
        self._show_table(table)
        page = self._body if has_kernels else self._empty
        self._stack.setCurrentWidget(self.files if self._showing.show_files(placed, profile) else page)
        self._showing.renew()
        self._mark_selection()

    def _show_table(self, table: MeasuredTable) -> None:
        before = self.model.table
        if table is before:
            self.table.viewport().update()
            return
        same_rows = (
            before is not None
            and before.series.overlays == table.series.overlays
            and before.panel.group == table.panel.group
        )
        lines = self._changes.chosen_lines()
        scrolled = self.table.verticalScrollBar().value()
        self.model.set_table(table)
        show_order(self.table, COLUMN_IDS, table.panel.sort, descending=table.panel.descending)
        self._share_room()
        if same_rows and before is not None:
            self.table.choose_rows(self._changes.rows_of(lines))
            if before.panel.sort == table.panel.sort and before.panel.descending == table.panel.descending:
                self.table.verticalScrollBar().setValue(scrolled)
        self._show_footer(table)
        self._renew_menu()

    def _show_footer(self, table: MeasuredTable) -> None:
        hidden = int(table.hidden.sum())
        self.footer.show_words(summary(table), self.corner.filter.message(), hidden=hidden)
        is_bare = not len(table.lines)
        self.table.setVisible(not is_bare)
        self._none_listed.setVisible(is_bare)
        if is_bare:
            what = (
                f"No name matches “{table.panel.filter}”."
                if table.panel.filter
                else "All kernels are hidden."
            )
            self._none_listed.state.set_texts("No kernel is listed", what)

    def _share_room(self) -> None:
        table = self.model.table
        if table is None:
            return
        bar = self.table.verticalScrollBar().sizeHint().width()
        shown = columns_with_room(table, self.width() - bar)
        for column in range(len(COLUMN_IDS)):
            self.table.setColumnHidden(column, column not in shown)
        self.table.share_width(WIDTHS, grows=growing_columns(self.width()))

    def _mark_selection(self) -> None:
        selection = self._selection
        is_kernel = isinstance(selection, tuple) and selection[0] == "measured"
        if self.is_comparing:
            if isinstance(selection, tuple) and is_kernel:
                self.files.mark(selection[1], selection[2])
            else:
                self.files.unmark()
            return
        row = (
            self.model.row_of(selection[1], selection[2])
            if isinstance(selection, tuple) and is_kernel
            else -1
        )
        if row < 0 and self._changes.chosen_is_group():
            return  # a group is nothing that the study could have selected
        if row >= 0 and self.table.is_chosen(row):
            return
        self.table.choose_row(row)
        if row >= 0:
            self.table.scrollTo(self.model.index(row, 0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_room()

    # What the user does -------------------------------------------------------------------------------------------

    def copy_selected(self) -> None:
        """Put the chosen kernels on the clipboard, names in full; all that are listed where none is chosen."""
        self._changes.copy_tsv()

    def request_panel(self, text: str, changes: dict[str, Any], *, dragging: bool = False) -> None:
        """Ask for other settings of this tab."""
        self.panelRequested.emit(text, PANEL, changes, dragging)

    def put_on_clipboard(self, text: str, words: str) -> None:
        """Copy a text, and tell so."""
        self._copy(lambda: text, words)

    def _on_table_row_chosen(self, row: int) -> None:
        if self.model.is_group(row) or not self.table.is_chosen(row):
            return
        overlay, index = self.model.place_of(row)
        wanted = ("measured", overlay.digest, index)
        if wanted != self._selection:
            self.selectRequested.emit(wanted)

    def _on_selection_changed(self) -> None:
        self._renew_menu()

    def _renew_menu(self) -> None:
        table = self.model.table
        if table is None:
            return
        some, hidden = self._changes.chosen_counts()
        self.menu.show_state(
            chosen=some,
            chosen_hidden=hidden,
            hidden=int(table.hidden.sum()),
            lists_hidden=table.panel.list_hidden,
        )
        self.menu.show_pairs(chosen=some, paired=self._changes.chosen_paired())

    def _on_table_toggled(self, row: int) -> None:
        group = -1 - self.model.line(row)
        self._opened = self._opened ^ {group}
        self._renew_soon()

    def _on_header_section_clicked(self, column: int) -> None:
        """Sort numbers from the largest, texts from A; then the other way round; then as in the files."""
        table = self.model.table
        if table is None:
            return
        now, down_first = (table.panel.sort, table.panel.descending), column in (*NUMBERS, _BOUND)
        sort, descending = next_order(now, COLUMN_IDS[column], down_first=down_first)
        self.request_panel("Sort measured kernels", {"sort": sort, "descending": descending})

    def _on_filter_typed(self, pattern: str) -> None:
        self.request_panel("Filter measured kernels", {"filter": pattern or None}, dragging=True)

    def _on_filter_message_changed(self, _message: str) -> None:
        if self.model.table is not None:
            self._show_footer(self.model.table)

    def _on_filter_confirmed(self) -> None:
        """Go to the first kernel that the filter leaves."""
        if self.is_comparing:
            self.files.table.setFocus()
            return
        self.table.setFocus()
        if self.model.rowCount():
            self.table.choose_row(0)
            self._on_table_row_chosen(0)

    def _on_groups_chosen(self, choice: str) -> None:
        self.request_panel("Group measured kernels", {"group": self.corner.group(choice) or None})


_BOUND: Final = COLUMN_IDS.index("bound")
