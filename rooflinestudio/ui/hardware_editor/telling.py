"""What is said below the tables: refusals, messages, doubts, and the findings of the self-check."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer

from rooflinestudio.core.profile_edit.findings import finding_notes
from rooflinestudio.core.profile_edit.notes import doubt_notes, refusal_notes, saved_note

if TYPE_CHECKING:
    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.profile_edit.notes import EditorNote
    from rooflinestudio.ui.hardware_editor.document import EditorDocument
    from rooflinestudio.ui.hardware_editor.notes import NoteList

__all__ = ["NoteTelling"]

CHECK_AFTER_MS: Final = 120


class NoteTelling(QObject):
    """Keeps a list of notes true to a document.

    Parameters
    ----------
    notes
        Where they are shown.
    document
        Holds the machine that they are about.
    """

    def __init__(self, notes: NoteList, document: EditorDocument) -> None:
        super().__init__(notes)
        self._notes, self._document = notes, document
        self._neighbours: tuple[HardwareProfile, ...] = ()
        self._messages: tuple[EditorNote, ...] = ()
        self._findings: tuple[EditorNote, ...] = ()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(CHECK_AFTER_MS)
        self._timer.timeout.connect(self.check)

    def set_neighbours(self, profiles: tuple[HardwareProfile, ...]) -> None:
        """Hold machines against these in the self-check."""
        self._neighbours = profiles
        self._timer.start()

    # Messages -----------------------------------------------------------------------------------------------------

    def tell(self, note: EditorNote) -> None:
        """Say something, until another machine is opened or something else is said."""
        self._messages = (note,)
        self._show()

    def tell_saved(self, profile: HardwareProfile, *, in_study: bool) -> None:
        """Say what saving means for the open study, where that keeps a copy of the machine."""
        self._messages = (saved_note(profile),) if in_study else ()
        self._show()

    def hush(self) -> None:
        """Say no more of what was said."""
        self._messages = ()
        self._show()

    # What follows from a change -----------------------------------------------------------------------------------

    def follow_document(self) -> None:
        """Say what is to be said of the document as it is now; what the self-check finds comes a moment later."""
        draft = self._document.draft
        if draft is None:
            return
        if not draft.refused:  # what kept it from being saved is settled
            self._messages = tuple(one for one in self._messages if one.key != "message.save")
        self._show()
        self._timer.start()

    def start_over(self) -> None:
        """Begin with a machine that was just opened."""
        if self._document.draft is not None:
            self._messages = ()
            self.check()

    def check(self) -> None:
        """Ask the self-check now; while somebody types it comes a moment later."""
        self._timer.stop()
        draft = self._document.draft
        self._findings = () if draft is None else tuple(finding_notes(draft, self._neighbours))
        self._show()

    def _show(self) -> None:
        draft = self._document.draft
        if draft is None:
            return
        notes = (*refusal_notes(draft), *self._messages)
        if not self._document.is_locked:
            notes = (*notes, *doubt_notes(draft), *self._findings)
        self._notes.set_notes(notes)
