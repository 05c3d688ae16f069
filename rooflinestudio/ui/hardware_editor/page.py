"""The middle of the editor: name, tables of figures, what is said about them, and the foot with Save."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from rooflinestudio.core.profile_edit.facts import summary_words
from rooflinestudio.core.profile_edit.rows import (
    FigureRow,
    boundary_rows,
    ceiling_rows,
    entry_text,
    machine_rows,
)
from rooflinestudio.ui.hardware_editor.adding import AddBar
from rooflinestudio.ui.hardware_editor.head import MachineHead
from rooflinestudio.ui.hardware_editor.lock_offer import LockOffer
from rooflinestudio.ui.hardware_editor.notes import NoteList
from rooflinestudio.ui.hardware_editor.snug_scroll import SnugScroll
from rooflinestudio.ui.hardware_editor.table import FigureTable
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.eliding import ElidingLabel
from rooflinestudio.ui.widgets.link_button import LinkButton

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.profile_edit.draft import Draft
    from rooflinestudio.core.profile_edit.places import FigurePlace, Side

__all__ = ["EditorPage"]

_NOTES_SHARE: Final = 0.32
"""The largest part of the page that notes take."""


class EditorPage(QWidget):
    """Shows one draft.

    Signals
    -------
    figureChosen
        Place and side of the figure that somebody looks at.
    """

    figureChosen = Signal(object, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, "surface")
        self._profile: HardwareProfile | None = None
        self._active: FigureTable | None = None
        self.head, self.notes, self.adding = MachineHead(), NoteList(), AddBar()
        self.ceilings = FigureTable("Compute ceilings", "Compute ceiling, dense", self._entry)
        self.boundaries = FigureTable("Boundaries", "Boundary", self._entry)
        self.machine = FigureTable("Other figures", "The rest of the machine", self._entry, singles=True)
        self.more = LinkButton("", "chevron-right")
        self.summary = ElidingLabel(role="label", token="text2")
        self.revert_button, self.save_button = QPushButton("Revert"), QPushButton("Save profile")
        self.area, self.note_area = self._tables_area(), self._notes_area()
        self._lay_out()
        self.offer = LockOffer(self.area.body)
        for table in self.tables:
            table.cellChosen.connect(self._on_cell_chosen)
        self.more.clicked.connect(self._on_more_clicked)
        self.adding.opened.connect(self._on_adding_opened)
        self.machine.hide()

    def _tables_area(self) -> SnugScroll:
        body = QWidget()
        set_role(body, "surface")
        inner = QVBoxLayout(body)
        inner.setContentsMargins(20, 2, 20, 12)
        inner.setSpacing(8)
        inner.addWidget(self.ceilings)
        inner.addWidget(self.boundaries)
        inner.addWidget(self.adding)
        inner.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)
        inner.addWidget(self.machine)
        return SnugScroll(body)

    def _notes_area(self) -> SnugScroll:
        """Return the notes, which stay in sight wherever the tables are scrolled to."""
        body = QWidget()
        set_role(body, "surface")
        inner = QVBoxLayout(body)
        inner.setContentsMargins(20, 4, 20, 4)
        inner.addWidget(self.notes)
        return SnugScroll(body, share=_NOTES_SHARE)

    def _lay_out(self) -> None:
        head = QWidget()
        row = QHBoxLayout(head)
        row.setContentsMargins(20, 8, 20, 0)
        row.addWidget(self.head)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(self.area, 1000)
        column.addWidget(self.note_area)
        column.addStretch(1)
        column.addWidget(self._foot())

    def _foot(self) -> QWidget:
        set_role(self.save_button, "primary")
        self.revert_button.setToolTip("Go back to what is saved; it can be undone")
        self.save_button.setToolTip("Write the machine into your folder (Ctrl+S)")
        line = QFrame()
        set_role(line, "hairline")
        row = QHBoxLayout()
        row.setContentsMargins(0, 10, 0, 12)
        row.setSpacing(8)
        row.addWidget(self.summary, 1)
        row.addWidget(self.revert_button)
        row.addWidget(self.save_button)
        foot = QWidget()
        column = QVBoxLayout(foot)
        column.setContentsMargins(20, 0, 20, 0)
        column.setSpacing(0)
        column.addWidget(line)
        column.addLayout(row)
        return foot

    def refresh_theme(self) -> None:
        """Take the colours of the theme now worn."""
        self.notes.refresh_theme()
        self.head.refresh_theme()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.note_area.fit()

    @property
    def tables(self) -> tuple[FigureTable, ...]:
        """Ceilings, boundaries, and the rest of the machine."""
        return self.ceilings, self.boundaries, self.machine

    # What it shows ------------------------------------------------------------------------------------------------

    def show_draft(self, draft: Draft, *, locked: bool) -> None:
        """Show a draft; the current cell stays."""
        self._profile = draft.profile
        self.ceilings.show_rows(ceiling_rows(draft), locked=locked)
        self.boundaries.show_rows(boundary_rows(draft), locked=locked)
        self.machine.show_rows(machine_rows(draft), locked=locked)
        self.adding.show_profile(draft.profile, locked=locked)
        self.head.switch.set_value(draft.mode)
        self._name_more()
        words = summary_words(draft.profile)
        self.summary.set_text(
            "capacity   " + "   ".join(words) if words else "nothing else is known of the machine"
        )

    def _name_more(self) -> None:
        count = len(self.machine.model_.rows)
        is_open = not self.machine.isHidden()
        self.more.setText(f"{'Hide c' if is_open else 'C'}apacities, latencies, clocks and power ({count})")
        self.more._icon_name = "chevron-down" if is_open else "chevron-right"
        self.more.updateGeometry()
        self.more.update()

    def show_rest(self, *, shown: bool) -> None:
        """Open or close the table of the other figures."""
        self.machine.setVisible(shown)
        self._name_more()

    def current_figure(self) -> tuple[FigurePlace, Side] | None:
        """Return the figure of the cell that was chosen last: what is typed there may make it another one."""
        return None if self._active is None else self._active.current_figure()

    def table_of(self, place: FigurePlace) -> FigureTable:
        """Return the table in which a place stands."""
        if not place.is_rate:
            return self.machine
        return self.ceilings if place.group == "ceilings" else self.boundaries

    def go_to(self, place: FigurePlace, column: int) -> None:
        """Make a cell the current one, and show it."""
        table = self.table_of(place)
        if table is self.machine:
            self.show_rest(shown=True)
        if table.go_to(place, column):
            self._bring_into_view(table, table.visualRect(table.currentIndex()))

    def start_typing(self, place: FigurePlace, column: int, text: str = "") -> None:
        """Open the entry of a cell, with what was typed already."""
        self.go_to(place, column)
        self.table_of(place).start_typing(place, column, text)

    def focus_tables(self) -> None:
        """Go on with the keyboard at the cell that was chosen last."""
        (self._active or self.ceilings).setFocus(Qt.FocusReason.OtherFocusReason)

    def commit(self) -> None:
        """Take what is being typed in a table."""
        for table in self.tables:
            table.commit()

    def offer_copy(self, table: FigureTable, sentence: str) -> None:
        """Offer a copy below the current cell of a table."""
        rect = self._bring_into_view(table, table.visualRect(table.currentIndex()))
        self.offer.open_at(rect, sentence)

    def _bring_into_view(self, table: FigureTable, cell: QRect) -> QRect:
        """Scroll to a cell; return where it is on the page that scrolls."""
        corner = table.viewport().mapTo(self.area.body, cell.topLeft())
        rect = QRect(corner, cell.size())
        self.area.ensureVisible(rect.center().x(), rect.center().y(), 20, 50)
        return rect

    def _entry(self, row: FigureRow, side: Side) -> str:
        return "" if self._profile is None else entry_text(self._profile, row.place, side)

    # What the user does -------------------------------------------------------------------------------------------

    def _on_cell_chosen(self, place: FigurePlace, side: Side) -> None:
        sender: Any = self.sender()
        self._active = sender if isinstance(sender, FigureTable) else self._active
        for table in self.tables:
            if table is not sender:
                table.clearSelection()
        if isinstance(sender, FigureTable) and sender.hasFocus():
            self._bring_into_view(sender, sender.visualRect(sender.currentIndex()))
        self.figureChosen.emit(place, side)

    def _on_adding_opened(self) -> None:
        self.area.reveal(self.adding.entry)

    def _on_more_clicked(self) -> None:
        self.show_rest(shown=self.machine.isHidden())
