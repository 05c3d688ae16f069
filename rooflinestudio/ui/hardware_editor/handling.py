"""What the user does on the page, as edits of the document: cells, notes, rows that are added, copies offered."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, Signal

from rooflinestudio.core.profile_edit.choices import removal_refused
from rooflinestudio.core.profile_edit.notes import EditorNote
from rooflinestudio.ui.hardware_editor.table_model import DATE, IN_USE, MEASURED, STATED

if TYPE_CHECKING:
    from rooflinestudio.core.profile_edit.notes import NoteAction
    from rooflinestudio.core.profile_edit.places import FigurePlace, Side
    from rooflinestudio.ui.hardware_editor.document import EditorDocument
    from rooflinestudio.ui.hardware_editor.flow import MachineFlow
    from rooflinestudio.ui.hardware_editor.page import EditorPage
    from rooflinestudio.ui.hardware_editor.table import FigureTable

__all__ = ["PageHandling"]


class PageHandling(QObject):
    """Connects a page with a document.

    Signals
    -------
    told
        A note on what was not done.
    takeRequested
        A saved profile is to be taken into the study.
    """

    told = Signal(object)
    takeRequested = Signal(object)

    def __init__(self, page: EditorPage, document: EditorDocument, flow: MachineFlow) -> None:
        super().__init__(page)
        self._page, self._document, self._flow = page, document, flow
        self._touched: tuple[FigurePlace, int, str] | None = None
        page.head.renamed.connect(document.rename)
        page.head.modeChosen.connect(document.set_mode)
        page.notes.asked.connect(self._on_note_asked)
        page.adding.addRequested.connect(self._on_add_requested)
        page.offer.accepted.connect(self._on_offer_accepted)
        page.revert_button.clicked.connect(document.revert)
        for table in page.tables:
            table.figureTyped.connect(document.type_figure)
            table.wordsTyped.connect(document.write)
            table.labelTyped.connect(document.rename_boundary)
            table.provenanceChosen.connect(document.set_provenance)
            table.useRequested.connect(document.use_in_row)
            table.removeRequested.connect(self.remove)
            table.referenceRequested.connect(document.set_reference)
            table.lockedTouched.connect(partial(self._on_locked_touched, table))

    # Rows ---------------------------------------------------------------------------------------------------------

    def remove(self, place: FigurePlace) -> None:
        """Take a row out, or say why it stays."""
        profile = self._document.profile
        reason = removal_refused(profile, place) if profile is not None else ""
        if reason:
            self.told.emit(EditorNote("message.remove", "warn", "Not taken out", reason))
        else:
            self._document.remove(place)

    def _on_add_requested(self, place: FigurePlace, text: str) -> None:
        refusal = self._document.add(place, text)
        self._page.adding.refuse(refusal)
        if refusal is None:
            self._page.adding.close_entry()
            self._page.go_to(place, STATED if place.is_rate else IN_USE)
            self._page.table_of(place).setFocus(Qt.FocusReason.OtherFocusReason)

    # A machine that is not the user's -----------------------------------------------------------------------------

    def _on_locked_touched(self, table: FigureTable, place: FigurePlace, column: int, text: str) -> None:
        profile = self._document.profile
        if profile is None:
            return
        self._touched = (place, column, text)
        owner = "the studio" if self._document.home == "shipped" else f"the plugin {self._flow.plugin}"
        self._page.offer_copy(table, f"{profile.name} comes with {owner} and stays as it is.")

    def _on_offer_accepted(self) -> None:
        """Go on in the copy where somebody began to type."""
        touched, self._touched = self._touched, None
        if self._flow.duplicate() and touched is not None:
            place, column, text = touched
            if self._page.table_of(place).can_type(place, column):
                self._page.start_typing(place, column, text)
            else:
                self._page.go_to(place, column)

    # Notes --------------------------------------------------------------------------------------------------------

    def _on_note_asked(self, note: EditorNote, action: NoteAction, reason: str) -> None:
        document, subject = self._document, note.subject
        if action.kind == "use_anyway":
            document.use_anyway(subject)
        elif action.kind == "apply":
            document.mend(subject)
        elif action.kind == "explain":
            document.explain(subject.id, reason)
        elif action.kind == "take":
            self.takeRequested.emit(subject)
        else:
            self._settle_entry(subject, action)
        self._page.focus_tables()  # the button that had the focus went with its note

    def _settle_entry(self, entry: Any, action: NoteAction) -> None:
        """Put a text into a refused entry, put back what stood there, or take its row out."""
        if action.kind == "remove":
            self.remove(entry.place)
        elif action.kind == "restore":
            self._document.restore_entry(entry.place, entry.side, entry.field)
        elif entry.field == "date":
            self._document.write(entry.place, entry.side, "date", action.text)
        else:
            self._document.type_figure(entry.place, entry.side, action.text)
        self._page.go_to(entry.place, _column(entry.place, entry.side, entry.field))


def _column(place: FigurePlace, side: Side, field: str) -> int:
    if field == "date":
        return DATE
    if not place.is_rate:
        return IN_USE
    return MEASURED if side == "measured" else STATED
