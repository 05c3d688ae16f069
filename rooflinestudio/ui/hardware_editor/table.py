"""A table of figures: typed into, cell by cell, with keyboard and mouse."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemDelegate, QAbstractItemView, QMenu, QWidget

from rooflinestudio.ui.hardware_editor.table_delegate import FigureDelegate
from rooflinestudio.ui.hardware_editor.table_keys import copy_cell, take_key
from rooflinestudio.ui.hardware_editor.table_menus import provenance_menu, row_menu
from rooflinestudio.ui.hardware_editor.table_model import (
    CONDITION,
    DATE,
    IN_USE,
    MEASURED,
    NAME,
    PROVENANCE,
    SOURCE,
    STATED,
    FiguresModel,
)
from rooflinestudio.ui.widgets.row_table import RowTable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QContextMenuEvent, QMouseEvent, QResizeEvent

    from rooflinestudio.core.profile_edit.places import FigurePlace, Side
    from rooflinestudio.core.profile_edit.rows import FigureRow

__all__ = ["FigureTable"]

ROW_PX: Final = 34
_PADDING_PX, _EDGE_PX = 8, 8
_WIDTHS: Final = (140, 106, 104, 106, 94, 106, 128, 70)
_HIDE_BELOW: Final = ((CONDITION, 854), (SOURCE, 726))
"""Columns that go where there is little room, the first one first; the panel at the right has them all."""

_Index = QModelIndex | QPersistentModelIndex
_Trigger = QAbstractItemView.EditTrigger
_WORDS: Final = {SOURCE: "source", CONDITION: "condition", DATE: "date"}


class FigureTable(RowTable):
    """Rows of figures.

    Signals
    -------
    figureTyped
        Place, side and text.
    wordsTyped
        Place, side, ``source``, ``condition`` or ``date``, and text.
    labelTyped
        Id of a boundary and its new word.
    provenanceChosen
        Place and provenance.
    useRequested
        Place, and which figure it is to use.
    removeRequested
        Place of a row.
    referenceRequested
        Id of a ceiling.
    lockedTouched
        Place and column in which somebody began to type although the machine cannot be edited, and what was typed.
    cellChosen
        Place and side of the figure that the current cell is about.
    """

    figureTyped = Signal(object, str, str)
    wordsTyped = Signal(object, str, str, str)
    labelTyped = Signal(str, str)
    provenanceChosen = Signal(object, str)
    useRequested = Signal(object, str)
    removeRequested = Signal(object)
    referenceRequested = Signal(str)
    lockedTouched = Signal(object, int, str)
    cellChosen = Signal(object, str)

    def __init__(
        self,
        name: str,
        head: str,
        entry: Callable[[FigureRow, Side], str],
        *,
        singles: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(
            name, row_px=ROW_PX, padding_px=_PADDING_PX, edge_px=_EDGE_PX, shrunk=True, parent=parent
        )
        self.model_ = FiguresModel(head, singles=singles, entry=entry, parent=self)
        self.model_.typed.connect(self.tell_typed)
        self._delegate = FigureDelegate(row_px=ROW_PX, padding_px=_PADDING_PX, edge_px=_EDGE_PX, parent=self)
        self.setItemDelegate(self._delegate)
        self.setModel(self.model_)
        self.setEditTriggers(_Trigger.DoubleClicked | _Trigger.EditKeyPressed | _Trigger.AnyKeyPressed)
        self.share_width(_WIDTHS, grows=(NAME, SOURCE, CONDITION))
        self.horizontalHeader().setFixedHeight(28)
        self._fit_height()
        self.copyRequested.connect(self._on_copy_requested)

    # What it shows ------------------------------------------------------------------------------------------------

    def show_rows(self, rows: Sequence[FigureRow], *, locked: bool) -> None:
        """Show these rows; the current cell stays where its row is still there."""
        at = self.currentIndex()
        row, column = self.row_at(at), at.column()
        self.model_.is_locked = locked
        self.model_.set_rows(rows)
        if row is not None and not self.currentIndex().isValid():
            self.go_to(row.place, column)

    def row_at(self, index: _Index) -> FigureRow | None:
        """Return the row of an index."""
        known: FigureRow | None = self.model_.rows[index.row()] if index.isValid() else None
        return known

    def number_of(self, place: FigurePlace) -> int:
        """Return the number of the row of a place, or -1."""
        return next((at for at, row in enumerate(self.model_.rows) if row.place == place), -1)

    def current_figure(self) -> tuple[FigurePlace, Side] | None:
        """Return which figure the current cell is about; None where no cell is current."""
        row = self.row_at(self.currentIndex())
        return None if row is None else (row.place, self._side(row, self.currentIndex().column()))

    def _side(self, row: FigureRow, column: int) -> Side:
        """Return which figure a cell is about: words stand beside the one in use."""
        if column == STATED and row.stated != "–":
            return "stated"
        return "measured" if column == MEASURED and row.measured != "–" else row.uses

    def go_to(self, place: FigurePlace, column: int) -> bool:
        """Make a cell the current one; False where its row is not here."""
        at = self.number_of(place)
        if at >= 0:
            self.setCurrentIndex(self.model_.index(at, column))
        return at >= 0

    def can_type(self, place: FigurePlace, column: int) -> bool:
        """Tell whether there is something to type in a cell."""
        at = self.number_of(place)
        return at >= 0 and self.model_.is_editable(self.model_.rows[at], column)

    def start_typing(self, place: FigurePlace, column: int, text: str = "") -> None:
        """Open the entry of a cell, with a text in it that was typed already."""
        if not self.go_to(place, column):
            return
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        self.edit(self.currentIndex())
        entry = self.entry()
        if entry is not None and text:
            entry.setText(text)

    def entry(self) -> Any:
        """Return the entry that is open in the current cell, or None."""
        return (
            self.indexWidget(self.currentIndex())
            if self.state() == QAbstractItemView.State.EditingState
            else None
        )

    def commit(self) -> None:
        """Take what is being typed."""
        entry = self.entry()
        if entry is not None:
            self.commitData(entry)
            self.closeEditor(entry, QAbstractItemDelegate.EndEditHint.NoHint)

    def resizeEvent(self, event: QResizeEvent) -> None:
        width = self.viewport().width()
        for column, least in _HIDE_BELOW:
            self.setColumnHidden(column, width < least)
        super().resizeEvent(event)

    # What the user does -------------------------------------------------------------------------------------------

    def edit(self, index: Any, trigger: Any = None, event: Any = None) -> Any:
        """Open an entry; where nothing can be typed, say that somebody tried."""
        if trigger is None:
            return super().edit(index)
        row = self.row_at(index)
        wanted = bool(trigger & self.editTriggers())
        if (
            row is not None
            and wanted
            and self.model_.is_locked
            and self.model_.is_editable(row, index.column())
        ):
            text = event.text() if isinstance(event, QKeyEvent) and trigger == _Trigger.AnyKeyPressed else ""
            if trigger != _Trigger.AnyKeyPressed or (text.strip().isprintable() and text.strip()):
                self.lockedTouched.emit(row.place, index.column(), text.strip())
            return False
        answer: bool = super().edit(index, trigger, event)
        return answer

    def currentChanged(self, current: _Index, previous: _Index) -> None:
        super().currentChanged(current, previous)
        figure = self.current_figure()
        if figure is not None:
            self.cellChosen.emit(*figure)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row, column = self.row_at(self.currentIndex()), self.currentIndex().column()
        is_typing = self.state() == QAbstractItemView.State.EditingState
        if row is not None and not is_typing and take_key(self, event, row, column):
            event.accept()
            return
        super().keyPressEvent(event)

    def _on_copy_requested(self) -> None:
        copy_cell(self)

    def enter(self, row: FigureRow, column: int) -> None:
        """Open what a cell is changed with, or switch which figure is in use."""
        if column == PROVENANCE:
            self.open_provenance_menu()
        elif column == IN_USE and not self.model_.singles:
            self.switch_use(row)
        else:
            self.edit(self.currentIndex(), _Trigger.EditKeyPressed)

    def switch_use(self, row: FigureRow) -> None:
        """Use the other figure of a row that has both."""
        if self.model_.is_locked and row.has_both:
            self.lockedTouched.emit(row.place, IN_USE, "")
        elif row.has_both:
            self.useRequested.emit(row.place, "stated" if row.uses == "measured" else "measured")

    def tell_typed(self, row: FigureRow, column: int, text: str) -> None:
        """Tell what was typed into a cell."""
        if column == NAME:
            self.labelTyped.emit(row.place.id, text)
        elif column in _WORDS:
            self.wordsTyped.emit(row.place, row.uses, _WORDS[column], text)
        else:
            self.figureTyped.emit(row.place, "measured" if column == MEASURED else "stated", text)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        row, column = self.row_at(index), index.column()
        if row is not None and column in (PROVENANCE, IN_USE) and not self.model_.is_editable(row, column):
            self.enter(row, column)
            return
        super().mouseDoubleClickEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        index = self.indexAt(event.pos())
        if index.isValid():
            self.setCurrentIndex(index)
            self.row_menu().popup(event.globalPos())

    # Menus --------------------------------------------------------------------------------------------------------

    def row_menu(self) -> QMenu:
        """Return the menu of the current row."""
        return row_menu(self, self.row_at(self.currentIndex()))

    def provenance_menu(self) -> QMenu:
        """Return the menu of where the stated figure of the current row can come from."""
        return provenance_menu(self, self.row_at(self.currentIndex()))

    def open_provenance_menu(self) -> None:
        """Ask where the figure of the current row comes from."""
        row = self.row_at(self.currentIndex())
        if row is None:
            return
        if self.model_.is_locked:
            self.lockedTouched.emit(row.place, PROVENANCE, "")
        elif self.model_.singles or row.uses == "stated":  # what was measured is measured
            rect = self.visualRect(self.model_.index(self.currentIndex().row(), PROVENANCE))
            self.provenance_menu().popup(self.viewport().mapToGlobal(rect.bottomLeft()))
