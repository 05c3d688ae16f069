"""Two measured files against each other: which they are, how they stand as a whole, and kernel by kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from rooflinestudio.core.series.settings import COLUMN_IDS, before_and_after, series_changed, swapped
from rooflinestudio.core.series.table import NUMBERS, SeriesTable, series_rows
from rooflinestudio.core.series.words import counts_words, total_words
from rooflinestudio.ui.measured.ordering import next_order, show_order
from rooflinestudio.ui.measured.series_model import SeriesModel
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.corner import corner_choice, tool_button
from rooflinestudio.ui.widgets.eliding import ElidingLabel
from rooflinestudio.ui.widgets.empty_page import EmptyPage
from rooflinestudio.ui.widgets.row_table import RowTable

if TYPE_CHECKING:
    from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QResizeEvent

    from rooflinestudio.core.study import Study

__all__ = ["SeriesPage"]

WIDTHS: Final = (170, 74, 92, 108, 108, 104, 86, 74, 74, 104, 104, 104, 104, 92, 88)
ORDER: Final = (0, 4, 3, 5, 6, 1, 7, 8, 2, 9, 10, 11, 12, 13, 14)
"""Columns by how much they tell: the last ones have no place in a narrow window."""
_CHANGE: Final = COLUMN_IDS.index("change")
_BAR_PX: Final = 34
_LEAST_CHOICE_PX, _MOST_CHOICE_PX = 104, 220
_WORDS_PX: Final = 740
"""Room that the words of the bar have before the choices of files get any more."""


class FilesTable(RowTable):
    """The table; several rows can be chosen.

    Signals
    -------
    menuWanted
        Where on the screen the menu is to open.
    filterWanted, filterCleared
        The keys for it were pressed.
    """

    menuWanted = Signal(QPoint)
    filterWanted = Signal()
    filterCleared = Signal()

    def __init__(self, model: SeriesModel) -> None:
        super().__init__("Files against each other", edge_px=12)
        self.setObjectName("measured.files")
        self.setModel(model)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.horizontalHeader().setSectionsClickable(True)

    def chosen_rows(self) -> list[int]:
        """Return the chosen rows from top to bottom."""
        return sorted(one.row() for one in self.selectionModel().selectedRows())

    def keyboardSearch(self, _search: str) -> None:
        """Look for nothing; the filter is there for that."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.text() == "/":
            self.filterWanted.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.filterCleared.emit()
        else:
            super().keyPressEvent(event)
            return
        event.accept()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        row = self.indexAt(event.pos()).row()
        if row >= 0 and row not in self.chosen_rows():
            self.choose_row(row)
        self.menuWanted.emit(event.globalPos())


class SeriesPage(QWidget):
    """The page.

    Attributes
    ----------
    before, after, swap
        Choose the two files, and change their places.
    table, model
        Kernel by kernel.

    Signals
    -------
    panelRequested
        Words for undo, and changes of the panel's settings.
    kernelRequested
        Digest and position of a kernel that is to be selected.
    """

    panelRequested = Signal(str, dict)
    kernelRequested = Signal(str, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._study: Study | None = None
        self.before = corner_choice("measured.before", "File before", "The file from before the change")
        self.after = corner_choice("measured.after", "File after", "The file from after the change")
        self.swap = tool_button("measured.swap", "swap", "Swap before and after")
        self.words = ElidingLabel(role="label", token="text")
        self.counts = ElidingLabel(role="caption", align=Qt.AlignmentFlag.AlignRight, whole=True)
        self.model = SeriesModel(self)
        self.table = FilesTable(self.model)
        self.table.share_width(WIDTHS, grows=(0,))
        self._none_listed = EmptyPage("No kernel is listed", "")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._bar())
        column.addWidget(self.table, 1)
        column.addWidget(self._none_listed, 1)
        self._none_listed.hide()
        self.before.chosen.connect(self._on_before_chosen)
        self.after.chosen.connect(self._on_after_chosen)
        self.swap.clicked.connect(self.request_swap)
        self.table.rowChosen.connect(self._on_table_row_chosen)
        self.table.horizontalHeader().sectionClicked.connect(self._on_header_section_clicked)

    def _bar(self) -> QWidget:
        bar = QWidget()
        set_role(bar, "surface")
        bar.setFixedHeight(_BAR_PX)
        row = QHBoxLayout(bar)
        row.setContentsMargins(12, 3, 12, 3)
        row.setSpacing(8)
        for text, choice in (("◇ Before", self.before), ("◆ After", self.after)):
            label = QLabel(text)
            set_role(label, "label")
            label.setBuddy(choice)
            row.addWidget(label)
            row.addWidget(choice)
            if choice is self.before:
                row.addWidget(self.swap)
        row.addSpacing(8)
        row.addWidget(self.words)
        row.addWidget(self.counts, 1)
        return bar

    # What it shows ------------------------------------------------------------------------------------------------

    def show_table(self, study: Study, table: SeriesTable, boundary: str) -> None:
        """Show a table of a study's files; ``boundary`` is the word for device memory."""
        self._study = study
        old = self.model.table
        chosen = self.chosen_lines()
        match = table.figures.match
        options = [(one.digest, one.name) for one in study.overlays]
        for choice, file in ((self.before, match.before), (self.after, match.after)):
            choice.set_options(options)
            choice.set_value(file.digest)
            choice.setToolTip(file.name)
        total = table.figures.total
        none = "No time was measured" if total.matched else "The files have no kernel in common"
        self.words.set_text(total_words(total) or none)
        self.counts.set_text(counts_words(table.figures.total))
        self.words.set_hint(f"{self.words.text()}\n{self.counts.text()}")  # the counts may have no room
        self.model.set_table(table, boundary)
        if old is not None and old.figures.match is match:
            self._choose_lines(chosen)
        settings = table.panel.series
        show_order(self.table, COLUMN_IDS, settings.sort, descending=settings.descending)
        self.share_room()
        is_bare = not len(table.lines)
        self.table.setVisible(not is_bare)
        self._none_listed.setVisible(is_bare)
        if is_bare:
            pattern = table.panel.filter
            what = f"No name matches “{pattern}”." if pattern else "All kernels are hidden."
            self._none_listed.state.set_texts("No kernel is listed", what)

    def share_room(self) -> None:
        """Show the columns that there is room for, the most telling ones first."""
        for choice in (self.before, self.after):
            choice.setFixedWidth(max(_LEAST_CHOICE_PX, min(_MOST_CHOICE_PX, (self.width() - _WORDS_PX) // 2)))
        room = self.width() - self.table.verticalScrollBar().sizeHint().width()
        shown, used = [ORDER[0]], WIDTHS[ORDER[0]]
        table = self.model.table
        for column in ORDER[1:]:
            if column == _CHANGE and table is not None and not table.has_changes:
                continue
            used += WIDTHS[column]
            if used > room:
                break
            shown.append(column)
        for column in range(len(COLUMN_IDS)):
            self.table.setColumnHidden(column, column not in shown)
        self.table.share_width(WIDTHS, grows=(0,))

    def mark(self, digest: str, index: int) -> None:
        """Choose the row of a kernel; none where it is not listed."""
        row = self.model.table.row_of(digest, index) if self.model.table is not None else -1
        if row >= 0 and row in self.table.chosen_rows():
            return
        self.table.choose_row(row)
        if row >= 0:
            self.table.scrollTo(self.model.index(row, 0))

    def unmark(self) -> None:
        """Choose no row: nothing is selected that stands in this table."""
        self.table.choose_row(-1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.share_room()

    # What is chosen -----------------------------------------------------------------------------------------------

    def chosen_lines(self) -> list[int]:
        """Return the chosen lines, from top to bottom."""
        return [self.model.line(row) for row in self.table.chosen_rows()]

    def chosen_kernels(self) -> dict[str, Any]:
        """Return the positions of the kernels that are chosen, by digest of their file."""
        table = self.model.table
        return table.kernels_of(self.chosen_lines()) if table is not None else {}

    def _choose_lines(self, lines: list[int]) -> None:
        if len(lines) != 1 or self.model.table is None:
            return
        rows = (self.model.table.lines == lines[0]).nonzero()[0]
        if len(rows):
            self.table.choose_row(int(rows[0]))

    def rows_to_copy(self, most: int) -> tuple[list[list[str]], int]:
        """Return heads and the chosen rows, else all, as texts, ``most`` at most; and how many there are in all."""
        table = self.model.table
        if table is None:
            return [], 0
        lines = self.chosen_lines() or table.lines.tolist()
        return list(series_rows(table, lines[:most])), len(lines)

    # What the user does -------------------------------------------------------------------------------------------

    def request_swap(self) -> None:
        """Ask for the two files to change places."""
        if self._study is not None and self.model.table is not None:
            changes = swapped(self._study, self.model.table.panel.series)
            self.panelRequested.emit("Swap before and after", changes)

    def _on_before_chosen(self, digest: str) -> None:
        self._request_files("before", digest)

    def _on_after_chosen(self, digest: str) -> None:
        self._request_files("after", digest)

    def _request_files(self, role: str, digest: str) -> None:
        """Ask for another file; where it is the one on the other side, the two change places."""
        if self._study is None or self.model.table is None:
            return
        settings = self.model.table.panel.series
        files = before_and_after(self._study, settings)
        if files is None:
            return
        named = {"before": files[0].digest, "after": files[1].digest}
        other = "after" if role == "before" else "before"
        if named[other] == digest:
            named[other] = named[role]
        named[role] = digest
        self.panelRequested.emit(f"Choose the file {role}", series_changed(settings, **named))

    def _on_table_row_chosen(self, row: int) -> None:
        if self.model.table is not None:
            self.kernelRequested.emit(*self.model.table.kernel_of(self.model.line(row)))

    def _on_header_section_clicked(self, column: int) -> None:
        """Sort numbers from the largest, texts from A; then the other way round; then as in the file before."""
        if self.model.table is None:
            return
        settings, id_ = self.model.table.panel.series, COLUMN_IDS[column]
        now = settings.sort, settings.descending
        sort, descending = next_order(now, id_, down_first=id_ in NUMBERS)
        change = series_changed(settings, sort=sort, descending=descending)
        self.panelRequested.emit("Sort compared kernels", change)
